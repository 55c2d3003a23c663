//! Brotli.

use super::{Sink, Trouble};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// Decoded this much at a time.
const STEP: usize = 16 << 10;

type State = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// Undoes brotli.
pub(super) struct Brotli {
    state: State,
    n_out: usize,
    is_done: bool,
}

impl Default for Brotli {
    fn default() -> Brotli {
        let alloc = StandardAlloc::default;
        Brotli {
            // Strict: an extension allows for windows of 1 GiB, HTTP does not.
            state: State::new_strict(alloc(), alloc(), alloc()),
            n_out: 0,
            is_done: false,
        }
    }
}

impl Brotli {
    pub(super) fn push(&mut self, piece: &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        let (mut n_left, mut read) = (piece.len(), 0);
        let mut step = [0; STEP];
        while !self.is_done {
            let (mut room, mut written) = (STEP, 0);
            let result = BrotliDecompressStream(
                &mut n_left,
                &mut read,
                piece,
                &mut room,
                &mut written,
                &mut step,
                &mut self.n_out,
                &mut self.state,
            );
            sink.put(&step[..written])?;
            match result {
                BrotliResult::ResultSuccess => self.is_done = true,
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput => return Ok(()),
                BrotliResult::ResultFailure => return Err(Trouble::Corrupt("br")),
            }
        }
        Ok(())
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }
}
