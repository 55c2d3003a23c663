//! Where every URL is that was ever offered: one index, by host.

use super::row::{self, Standing};
use crate::error::CrawlError;
use store::index::Index;
use store::table::Batch;
use strategy::roster::NodeId;

pub(super) struct Seen {
    node: NodeId,
    index: Index,
}

impl Seen {
    pub(super) fn new(node: NodeId, index: Index) -> Seen {
        Seen { node, index }
    }

    /// Where a URL is; none if it was never offered.
    pub(super) fn get(
        &self,
        host_idx: u32,
        fingerprint: u64,
    ) -> Result<Option<Standing>, CrawlError> {
        let key = row::seen_key(self.node, host_idx, fingerprint);
        let seen = self.index.get(key)?;
        Ok(seen.map(|short| Standing::decode(short.as_slice())))
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
        batch.note(&self.index, key, standing.encode());
    }
}
