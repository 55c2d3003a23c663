//! The best rows of the hosts asked lately, in memory.
//!
//! Only a few hosts have any; for all others the frontier knows the best key
//! and reads the row when its turn comes.

use super::row::RowKey;
use std::collections::{BTreeMap, HashMap};

/// Hosts of one generation; two are held.
const N_HOSTS: usize = 512;

/// Rows of one host at most. A row is under 5 KB, so that even a web of the
/// longest URLs fills no more than 160 MB.
const N_ROWS: usize = 32;

/// Two generations: when the young one is full, the old one is forgotten.
#[derive(Default)]
pub(super) struct Heads {
    young: HashMap<u32, Head>,
    old: HashMap<u32, Head>,
}

/// The best rows of one host.
pub(super) struct Head {
    pub(super) origin: Box<str>,
    rows: BTreeMap<RowKey, Vec<u8>>,
    /// Rows beyond this key are on disk only; `None` when these are all.
    rest_after: Option<RowKey>,
}

impl Heads {
    /// The best rows of a host, where they are known.
    pub(super) fn get(&mut self, host_idx: u32) -> Option<&mut Head> {
        if let Some(head) = self.old.remove(&host_idx) {
            self.put(host_idx, head);
        }
        self.young.get_mut(&host_idx)
    }

    pub(super) fn put(&mut self, host_idx: u32, head: Head) {
        self.old.remove(&host_idx);
        if self.young.len() >= N_HOSTS {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(host_idx, head);
    }

    /// Hears of a row that was put on disk.
    pub(super) fn joined(&mut self, host_idx: u32, key: RowKey, row: &[u8]) {
        if let Some(head) = self.get(host_idx) {
            head.insert(key, row);
        }
    }

    /// Hears of a row that was taken off the disk.
    pub(super) fn left(&mut self, host_idx: u32, key: RowKey) {
        if let Some(head) = self.get(host_idx) {
            head.rows.remove(&key);
        }
    }
}

impl Head {
    pub(super) fn new(
        origin: Box<str>,
        rows: impl IntoIterator<Item = (RowKey, Vec<u8>)>,
        rest_after: Option<RowKey>,
    ) -> Head {
        Head {
            origin,
            rows: rows.into_iter().collect(),
            rest_after,
        }
    }

    /// The best row, if it is in memory.
    pub(super) fn first(&self) -> Option<(RowKey, &[u8])> {
        let (key, row) = self.rows.first_key_value()?;
        Some((*key, row))
    }

    /// Whether there are no rows but these.
    pub(super) fn is_whole(&self) -> bool {
        self.rest_after.is_none()
    }

    fn insert(&mut self, key: RowKey, row: &[u8]) {
        if self.rest_after.is_some_and(|rest| key > rest) {
            return;
        }
        self.rows.insert(key, row.to_vec());
        if self.rows.len() > N_ROWS {
            self.rows.pop_last();
            self.rest_after = self.rows.keys().next_back().copied();
        }
    }
}
