//! Gzip and deflate.

use super::{Sink, Trouble};
use flate2::{Decompress, FlushDecompress, Status};

/// Grows the output by this much at a time.
const STEP: usize = 16 << 10;

/// The window that gzip allows for, as a power of two.
const WINDOW_BITS: u8 = 15;

/// What every gzip member starts with.
const SIGNATURE: [u8; 2] = [0x1F, 0x8B];

/// Members without content that are passed over. Each costs a decoder of 32 KiB
/// and takes twenty bytes; honest files have one, at their end.
const MAX_EMPTY: usize = 1_000;

/// Undoes gzip or deflate.
pub(super) struct Inflate {
    stream: Decompress,
    is_gzip: bool,
    /// Between the end of one gzip member and the start of another.
    is_done: bool,
    /// The last piece ended in half the signature of another member.
    has_half: bool,
    n_empty: usize,
}

/// Whether bytes start as gzip does.
pub(super) fn is_gzip(start: &[u8]) -> bool {
    start.starts_with(&SIGNATURE)
}

/// Whether bytes start with a zlib header: method 8, and a check sum over both.
fn is_zlib(start: &[u8]) -> bool {
    let [method, flags, ..] = start else {
        return false;
    };
    method & 0x0F == 8 && (u16::from(*method) << 8 | u16::from(*flags)).is_multiple_of(31)
}

impl Inflate {
    pub(super) fn gzip() -> Inflate {
        Inflate {
            stream: Decompress::new_gzip(WINDOW_BITS),
            is_gzip: true,
            is_done: false,
            has_half: false,
            n_empty: 0,
        }
    }

    /// `deflate` means a zlib stream, but some servers send it without the
    /// header; `start` decides. Nothing to go by means the standard.
    pub(super) fn deflate(start: &[u8]) -> Inflate {
        Inflate {
            stream: Decompress::new(start.is_empty() || is_zlib(start)),
            is_gzip: false,
            is_done: false,
            has_half: false,
            n_empty: 0,
        }
    }

    pub(super) fn push(&mut self, piece: &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        if std::mem::take(&mut self.has_half) {
            return self.inflate(&[&[SIGNATURE[0]], piece].concat(), sink);
        }
        self.inflate(piece, sink)
    }

    fn inflate(&mut self, mut piece: &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        loop {
            if self.is_done {
                // What follows is another member, or padding that nobody reads.
                self.has_half = self.is_gzip && piece == &SIGNATURE[..1];
                if !self.is_gzip || !is_gzip(piece) {
                    return Ok(());
                }
                self.begin_member()?;
            }
            if sink.bytes.len() == sink.bytes.capacity() {
                sink.bytes.reserve(STEP);
            }
            let (read, written) = (self.stream.total_in(), sink.bytes.len());
            let status = self
                .stream
                .decompress_vec(piece, &mut sink.bytes, FlushDecompress::None);
            let n_read = (self.stream.total_in() - read) as usize;
            piece = &piece[n_read.min(piece.len())..];
            sink.check()?;
            match status {
                Ok(Status::StreamEnd) => self.is_done = true,
                Ok(Status::Ok | Status::BufError) => {
                    let is_full = sink.bytes.len() == sink.bytes.capacity();
                    if piece.is_empty() && !is_full {
                        return Ok(());
                    }
                    if n_read == 0 && sink.bytes.len() == written && !is_full {
                        return Err(self.corrupt());
                    }
                }
                Err(_) => return Err(self.corrupt()),
            }
        }
    }

    fn begin_member(&mut self) -> Result<(), Trouble> {
        self.n_empty += usize::from(self.stream.total_out() == 0);
        if self.n_empty > MAX_EMPTY {
            return Err(self.corrupt());
        }
        *self = Inflate {
            n_empty: self.n_empty,
            ..Inflate::gzip()
        };
        Ok(())
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    fn corrupt(&self) -> Trouble {
        Trouble::Corrupt(if self.is_gzip { "gzip" } else { "deflate" })
    }
}
