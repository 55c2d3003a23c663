//! The waiting URLs of one host: all of them on disk, the best few in memory.

use super::row::{self, RowKey};
use crate::error::CrawlError;
use std::collections::BTreeMap;
use store::table::Table;

/// Rows read at a time; twice as many are held at most.
const HEADS: usize = 16;

/// The best rows, and where the rest begins. Heads run out only with the rest.
pub(super) struct HostQueue {
    heads: BTreeMap<RowKey, Vec<u8>>,
    /// Rows beyond this key are on disk only; `None` when the heads are all there is.
    rest_after: Option<RowKey>,
}

impl HostQueue {
    pub(super) fn empty() -> HostQueue {
        HostQueue {
            heads: BTreeMap::new(),
            rest_after: None,
        }
    }

    /// A queue of which nothing has been read yet.
    pub(super) fn on_disk() -> HostQueue {
        HostQueue {
            heads: BTreeMap::new(),
            rest_after: Some(RowKey::BEST),
        }
    }

    pub(super) fn first(&self) -> Option<RowKey> {
        self.heads.keys().next().copied()
    }

    /// Hears of a row that has been put on disk, or that was popped in vain.
    pub(super) fn insert(&mut self, key: RowKey, bytes: Vec<u8>) {
        if self.rest_after.is_some_and(|rest| key > rest) {
            return;
        }
        self.heads.insert(key, bytes);
        if self.heads.len() > 2 * HEADS {
            self.heads.pop_last();
            self.rest_after = self.heads.keys().next_back().copied();
        }
    }

    /// Hears of a row that has been taken off the disk.
    pub(super) fn remove(&mut self, key: RowKey) {
        self.heads.remove(&key);
    }

    pub(super) fn pop(
        &mut self,
        table: &Table,
        prefix: &[u8],
    ) -> Result<Option<(RowKey, Vec<u8>)>, CrawlError> {
        let popped = self.heads.pop_first();
        if self.heads.is_empty() {
            self.refill(table, prefix)?;
        }
        Ok(popped.or_else(|| self.heads.pop_first()))
    }

    /// Reads the next rows; starting behind the last known key steps over
    /// what was deleted before it.
    pub(super) fn refill(&mut self, table: &Table, prefix: &[u8]) -> Result<(), CrawlError> {
        let Some(rest_after) = self.rest_after else {
            return Ok(());
        };
        let mut after = prefix.to_vec();
        after.extend_from_slice(&rest_after.encode());
        let rows = table.scan(prefix, Some(&after), HEADS)?;
        self.rest_after = None;
        if rows.len() == HEADS {
            self.rest_after = rows.last().and_then(|(key, _)| row::key_of(key));
        }
        let rows = rows
            .into_iter()
            .filter_map(|(key, bytes)| Some((row::key_of(&key)?, bytes)));
        self.heads.extend(rows);
        Ok(())
    }
}
