//! How far the files of a crawl are committed, as the database remembers it.

use crate::visit_log::GroupHeader;
use serde::{Deserialize, Serialize};

/// Its key among the store's own entries.
pub(super) const KEY: &[u8] = b"positions";
const VERSION: u8 = 1;

/// Committed ends; file number zero means that no file was begun.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Positions {
    pub(super) n_visits: u64,
    pub(super) visit_file: u32,
    pub(super) visit_end: u64,
    /// Position in the log of the first visit of the current file.
    pub(super) file_first_seq: u64,
    pub(super) last_group: Option<GroupPlace>,
    pub(super) warc_file: u32,
    pub(super) warc_end: u64,
}

/// A group of visits and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupPlace {
    pub(super) file: u32,
    pub(super) start: u64,
    pub(super) header: GroupHeader,
}

#[derive(Serialize, Deserialize)]
struct WirePositions {
    n_visits: u64,
    visit_file: u32,
    visit_end: u64,
    file_first_seq: u64,
    last_group: Option<WireGroup>,
    warc_file: u32,
    warc_end: u64,
}

#[derive(Serialize, Deserialize)]
struct WireGroup {
    file: u32,
    start: u64,
    first_seq: u64,
    n_visits: u32,
    len: u64,
}

/// The entry that holds the final length of a full file.
pub(super) fn sealed_key(kind: &str, file: u32) -> Vec<u8> {
    format!("sealed/{kind}/{file:010}").into_bytes()
}

/// The file number and length in such an entry.
pub(super) fn read_sealed(key: &[u8], value: &[u8]) -> Option<(u32, u64)> {
    let digits = str::from_utf8(key).ok()?.rsplit('/').next()?;
    let len = u64::from_le_bytes(value.try_into().ok()?);
    Some((digits.parse().ok()?, len))
}

impl Positions {
    pub(super) fn encode(&self) -> Vec<u8> {
        let wire = WirePositions {
            n_visits: self.n_visits,
            visit_file: self.visit_file,
            visit_end: self.visit_end,
            file_first_seq: self.file_first_seq,
            last_group: self.last_group.map(|group| WireGroup {
                file: group.file,
                start: group.start,
                first_seq: group.header.first_seq,
                n_visits: group.header.n_visits,
                len: group.header.len,
            }),
            warc_file: self.warc_file,
            warc_end: self.warc_end,
        };
        postcard::to_extend(&wire, vec![VERSION]).expect("a vector takes any number of bytes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Positions> {
        let (&VERSION, rest) = bytes.split_first()? else {
            return None;
        };
        let wire: WirePositions = postcard::from_bytes(rest).ok()?;
        Some(Positions {
            n_visits: wire.n_visits,
            visit_file: wire.visit_file,
            visit_end: wire.visit_end,
            file_first_seq: wire.file_first_seq,
            last_group: wire.last_group.map(|group| GroupPlace {
                file: group.file,
                start: group.start,
                header: GroupHeader {
                    first_seq: group.first_seq,
                    n_visits: group.n_visits,
                    len: group.len,
                },
            }),
            warc_file: wire.warc_file,
            warc_end: wire.warc_end,
        })
    }
}
