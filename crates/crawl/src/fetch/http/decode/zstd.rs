//! Zstandard.
//!
//! The decoder is the reference one, which keeps a block within the 128 KiB
//! that the format allows and refuses windows larger than the 8 MiB that HTTP
//! allows (RFC 9659). What comes out is counted block by block.

use super::{Sink, Trouble};
use store::packing::{ZstdStream, ZstdTrouble};

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The most that a block unpacks to.
const STEP: usize = 128 << 10;

/// Undoes Zstandard.
#[derive(Default)]
pub(super) struct Zstd {
    stream: ZstdStream,
    out: Vec<u8>,
    place: Place,
    /// What may become the signature of another frame, at most four bytes.
    start: Vec<u8>,
}

/// Where in a body the next byte belongs.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    #[default]
    InFrame,
    BetweenFrames,
    /// In padding, which nobody reads.
    Behind,
}

/// Whether bytes start as a frame does.
pub(super) fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

impl Zstd {
    pub(super) fn push(&mut self, mut piece: &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        while !piece.is_empty() {
            match self.place {
                Place::InFrame => self.decode(&mut piece, sink)?,
                Place::BetweenFrames => self.look_on(&mut piece, sink)?,
                Place::Behind => return Ok(()),
            }
        }
        Ok(())
    }

    pub(super) fn is_done(&self) -> bool {
        self.place != Place::InFrame
    }

    /// Bytes that wait for others.
    #[cfg(test)]
    pub(super) fn n_held(&self) -> usize {
        self.start.len()
    }

    /// Decodes up to the end of a frame or of the piece.
    fn decode(&mut self, piece: &mut &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        self.out.resize(STEP, 0);
        loop {
            let step = self.stream.step(piece, &mut self.out).map_err(trouble)?;
            *piece = &piece[step.n_read..];
            sink.put(&self.out[..step.n_written])?;
            if step.is_frame_end {
                self.place = Place::BetweenFrames;
                return Ok(());
            }
            if piece.is_empty() && step.n_written < STEP {
                return Ok(());
            }
        }
    }

    /// Looks whether another frame follows.
    fn look_on(&mut self, piece: &mut &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        while let Some((&byte, rest)) = piece.split_first() {
            *piece = rest;
            self.start.push(byte);
            if !MAGIC.starts_with(&self.start) {
                self.place = Place::Behind;
                return Ok(());
            }
            if self.start == MAGIC {
                self.start.clear();
                self.place = Place::InFrame;
                return self.decode(&mut &MAGIC[..], sink);
            }
        }
        Ok(())
    }
}

fn trouble(trouble: ZstdTrouble) -> Trouble {
    match trouble {
        ZstdTrouble::Corrupt => Trouble::Corrupt("zstd"),
        ZstdTrouble::LargeWindow => Trouble::TooMuch,
    }
}
