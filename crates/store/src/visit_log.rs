//! The bytes of the visit log: groups of checked frames.
//!
//! One group commit writes one group: a header, then a frame per visit. The
//! header's place is zero until the commit is complete, so a reader in another
//! process, which holds no lock, stops at zeros and never sees a visit that a
//! crash could still take back.
//!
//! Both header and frame open with a byte that no UTF-8 text contains: text
//! from a page can never look like one, not even where a damaged file is
//! searched for the next good place.

mod reader;
#[cfg(test)]
mod tests;
mod wire;

pub use reader::VisitReader;

use crate::file::NumberedFiles;
use crate::visit::Visit;
use std::ops::Range;
use std::path::Path;

/// Bytes of a group header.
pub(crate) const HEADER_LEN: usize = 28;
const HEADER_MAGIC: [u8; 4] = [0xff, b'L', b'V', b'G'];
const FRAME_MAGIC: u8 = 0xfe;
/// Magic, length, checksum.
const FRAME_HEAD_LEN: usize = 9;

/// The files of the log below a crawl folder.
pub(crate) fn files(dir: &Path) -> NumberedFiles {
    NumberedFiles::new(dir.join("visits"), "visits", "log")
}

/// What stands before the frames of one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupHeader {
    /// Position in the log of its first visit.
    pub(crate) first_seq: u64,
    /// Number of visits.
    pub(crate) n_visits: u32,
    /// Bytes of its frames.
    pub(crate) len: u64,
}

impl GroupHeader {
    pub(crate) fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..4].copy_from_slice(&HEADER_MAGIC);
        bytes[4..12].copy_from_slice(&self.first_seq.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.n_visits.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.len.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..24]);
        bytes[24..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a header from the front of `bytes`, if there is one.
    pub(crate) fn decode(bytes: &[u8]) -> Option<GroupHeader> {
        let bytes = bytes.get(..HEADER_LEN)?;
        let is_header =
            bytes[..4] == HEADER_MAGIC && crc32fast::hash(&bytes[..24]) == u32_at(bytes, 24)?;
        is_header.then_some(GroupHeader {
            first_seq: u64_at(bytes, 4)?,
            n_visits: u32_at(bytes, 12)?,
            len: u64_at(bytes, 16)?,
        })
    }

    /// Positions in the log of its visits.
    pub(crate) fn seqs(&self) -> Range<u64> {
        self.first_seq..self.first_seq.saturating_add(u64::from(self.n_visits))
    }
}

/// Adds the frame of a visit.
pub(crate) fn push_frame(visit: &Visit, out: &mut Vec<u8>) {
    let payload = wire::encode(visit);
    // A frame above 4 GiB would need a page title of that size; its bytes
    // would then fail their checksum and be reported, not believed.
    let len = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    out.push(FRAME_MAGIC);
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(&checksum(len, &payload).to_le_bytes());
    out.extend_from_slice(&payload);
}

/// The good frames of one group, in order; damaged bytes between them are skipped.
struct Frames<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Frames<'a> {
    /// The payload of the next good frame.
    fn next(&mut self) -> Option<&'a [u8]> {
        while self.at < self.bytes.len() {
            if let Some(payload) = frame_at(self.bytes, self.at) {
                self.at += FRAME_HEAD_LEN + payload.len();
                return Some(payload);
            }
            self.at += 1;
        }
        None
    }
}

fn frame_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let bytes = bytes.get(at..)?;
    if *bytes.first()? != FRAME_MAGIC {
        return None;
    }
    let len = u32_at(bytes, 1)?;
    let end = FRAME_HEAD_LEN.checked_add(usize::try_from(len).ok()?)?;
    let payload = bytes.get(FRAME_HEAD_LEN..end)?;
    (checksum(len, payload) == u32_at(bytes, 5)?).then_some(payload)
}

/// Covers the length too, or a damaged length could borrow a neighbour's bytes.
fn checksum(len: u32, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&len.to_le_bytes());
    hasher.update(payload);
    hasher.finalize()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
