//! Zstandard.
//!
//! The decoder wants whole blocks and keeps a window of what it decoded, so
//! both are bounded before it sees them: it is given one block at a time, and
//! no window larger than the 8 MiB that HTTP allows (RFC 9659).

use super::{Sink, Trouble};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
const MAX_WINDOW: u64 = 8 << 20;
/// Magic number, descriptor, window, dictionary and content size, at their longest.
const MAX_HEADER: usize = 18;
const CHECKSUM: usize = 4;
/// An empty block that ends a frame, with room for a check sum.
const LAST_BLOCK: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
const CORRUPT: Trouble = Trouble::Corrupt("zstd");

/// Undoes Zstandard.
#[derive(Default)]
pub(super) struct Zstd {
    decoder: Option<FrameDecoder>,
    /// What does not make a whole block yet, at most 128 KiB and a piece.
    waiting: Vec<u8>,
    has_checksum: bool,
    is_done: bool,
}

/// Whether bytes start as a frame does.
pub(super) fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

impl Zstd {
    pub(super) fn push(&mut self, piece: &[u8], sink: &mut Sink) -> Result<(), Trouble> {
        self.waiting.extend_from_slice(piece);
        let mut read = 0;
        let decoded = self.decode(&mut read, sink);
        self.waiting.drain(..read);
        decoded
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Hands out what is held back for blocks that will not come.
    pub(super) fn salvage(&mut self, sink: &mut Sink) {
        if let Some(decoder) = &mut self.decoder
            && !self.is_done
            && let Ok(true) = decoder.decode_blocks(LAST_BLOCK, BlockDecodingStrategy::All)
        {
            let _ = sink.put(&decoder.collect().unwrap_or_default());
        }
    }

    /// Decodes the whole blocks that wait; `read` is where the rest begins.
    fn decode(&mut self, read: &mut usize, sink: &mut Sink) -> Result<(), Trouble> {
        loop {
            let rest = &self.waiting[*read..];
            if self.is_done {
                // What follows is another frame, or padding that nobody reads.
                if !is_zstd(rest) {
                    return Ok(());
                }
                (self.decoder, self.is_done) = (None, false);
            }
            let Some(decoder) = &mut self.decoder else {
                let Some(header) = Header::read(rest)? else {
                    return Ok(());
                };
                let mut decoder = FrameDecoder::new();
                decoder.init(rest).map_err(|_| CORRUPT)?;
                *read += header.len;
                self.has_checksum = header.has_checksum;
                self.decoder = Some(decoder);
                continue;
            };
            let Some(len) = block_len(rest, self.has_checksum) else {
                return Ok(());
            };
            let block = &rest[..len];
            let decoded = decoder.decode_blocks(block, BlockDecodingStrategy::UptoBlocks(1));
            self.is_done = decoded.map_err(|_| CORRUPT)?;
            *read += len;
            sink.put(&decoder.collect().unwrap_or_default())?;
        }
    }
}

/// How long the block at the start is, where all of it is there; a frame's
/// check sum belongs to its last block.
fn block_len(bytes: &[u8], has_checksum: bool) -> Option<usize> {
    let &[a, b, c, ..] = bytes else {
        return None;
    };
    let header = u32::from_le_bytes([a, b, c, 0]);
    let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, header >> 3);
    // A run is one byte, however often it is to be repeated.
    let content = if kind == 1 { 1 } else { size as usize };
    let checksum = if is_last && has_checksum { CHECKSUM } else { 0 };
    let len = 3 + content + checksum;
    (bytes.len() >= len).then_some(len)
}

/// What has to be known of a frame before it is decoded.
struct Header {
    len: usize,
    has_checksum: bool,
}

impl Header {
    /// None while too little is there.
    fn read(bytes: &[u8]) -> Result<Option<Header>, Trouble> {
        let Some(&descriptor) = bytes.get(MAGIC.len()) else {
            return Ok(None);
        };
        if !is_zstd(bytes) {
            return Err(CORRUPT);
        }
        let is_single = descriptor & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size = match descriptor >> 6 {
            0 => usize::from(is_single),
            size => 1 << size,
        };
        let window = usize::from(!is_single);
        let len = MAGIC.len() + 1 + window + dictionary + size;
        debug_assert!(len <= MAX_HEADER, "the longest header is 18 bytes");
        if bytes.len() < len {
            return Ok(None);
        }
        let has_checksum = descriptor & 4 != 0;
        let window = if is_single {
            content_size(&bytes[len - size..len])
        } else {
            window_size(bytes[MAGIC.len() + 1])
        };
        if window > MAX_WINDOW {
            return Err(Trouble::TooMuch);
        }
        Ok(Some(Header { len, has_checksum }))
    }
}

fn window_size(descriptor: u8) -> u64 {
    let base = 1_u64 << (10 + (descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

fn content_size(field: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..field.len()].copy_from_slice(field);
    let size = u64::from_le_bytes(bytes);
    if field.len() == 2 { size + 256 } else { size }
}
