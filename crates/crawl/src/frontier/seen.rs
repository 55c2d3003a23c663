//! Where every URL is that was ever offered: one table, by host.

use super::row::{self, Standing};
use crate::error::CrawlError;
use store::table::{Batch, Table};
use strategy::roster::NodeId;

pub(super) struct Seen {
    node: NodeId,
    table: Table,
}

impl Seen {
    pub(super) fn new(node: NodeId, table: Table) -> Seen {
        Seen { node, table }
    }

    /// Where a URL is; none if it was never offered.
    pub(super) fn get(
        &self,
        host_idx: u32,
        fingerprint: u64,
    ) -> Result<Option<Standing>, CrawlError> {
        let key = row::seen_key(self.node, host_idx, fingerprint);
        let seen = self.table.get(&key)?;
        Ok(seen.map(|bytes| Standing::decode(&bytes)))
    }

    /// Notes where a URL is now.
    pub(super) fn set(
        &self,
        batch: &mut Batch,
        host_idx: u32,
        fingerprint: u64,
        standing: Standing,
    ) {
        let key = row::seen_key(self.node, host_idx, fingerprint);
        batch.put(&self.table, &key, &standing.encode());
    }
}
