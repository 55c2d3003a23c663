//! Which node a URL belongs to, where the strategy does not settle that by
//! the URL alone.
//!
//! A strategy that looks at the page around a link may give one URL to two
//! nodes, and both would fetch it. Here a URL belongs to the node it was first
//! offered to; whoever offers it later offers it there. Kept on disk, in the
//! batch with the links themselves, so that a crash takes back both or none.

use crate::error::CrawlError;
use page::url::{CanonicalUrl, Fingerprint};
use store::crawl_dir::CrawlDir;
use store::index::{Index, Key, Short};
use store::table::Batch;
use strategy::roster::NodeId;
use xxhash_rust::xxh3::xxh3_64;

/// Slots of the cache of URLs met lately: most links on a site repeat.
const RECENT: usize = 1 << 16;

/// All claims of a crawl.
pub(crate) struct Claims {
    index: Index,
    n_nodes: usize,
    /// Saves look-ups, and never decides: an entry is the whole fingerprint.
    recent: Vec<Option<(Fingerprint, NodeId)>>,
}

impl Claims {
    pub(crate) fn open(dir: &CrawlDir, n_nodes: usize) -> Result<Claims, CrawlError> {
        Ok(Claims {
            index: dir.index("claims")?,
            n_nodes,
            recent: vec![None; RECENT],
        })
    }

    /// The node a URL belongs to: from now on `node`, if it was nobody's.
    pub(crate) fn settle(
        &mut self,
        batch: &mut Batch,
        url: &CanonicalUrl,
        node: NodeId,
    ) -> Result<NodeId, CrawlError> {
        let fingerprint = url.fingerprint();
        let slot = fingerprint.short() as usize % RECENT;
        if let Some((known, owner)) = self.recent[slot]
            && known == fingerprint
        {
            return Ok(owner);
        }
        let key = key(url, fingerprint);
        let row = self.index.get(key)?;
        let claimed = row.and_then(|row| self.owner(row.as_slice()));
        let owner = claimed.unwrap_or(node);
        if claimed.is_none() {
            let value = Short::of(&[&node.0.to_be_bytes()]);
            batch.note(&self.index, key, value);
            batch.settle()?;
        }
        self.recent[slot] = Some((fingerprint, owner));
        Ok(owner)
    }

    /// Whom a row names; nobody where it is damaged or of a larger roster.
    fn owner(&self, bytes: &[u8]) -> Option<NodeId> {
        let owner = u16::from_be_bytes(bytes.try_into().ok()?);
        (usize::from(owner) < self.n_nodes).then_some(NodeId(owner))
    }
}

/// Within one host 64 bits are plenty, and a page's links, most of which stay
/// on its host, are looked up in one place.
fn key(url: &CanonicalUrl, fingerprint: Fingerprint) -> Key {
    let host = xxh3_64(url.origin().as_bytes()) >> 16;
    Key::from(host) << 80 | Key::from(fingerprint.short()) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> CanonicalUrl {
        CanonicalUrl::parse(text).unwrap()
    }

    #[test]
    fn the_first_claim_stands_also_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("crawl");
        let mut dir = CrawlDir::create(&path, "").unwrap();
        let mut claims = Claims::open(&dir, 6).unwrap();
        let mut batch = dir.batch();
        let mut settle = |claims: &mut Claims, text: &str, node| {
            claims
                .settle(&mut batch, &url(text), NodeId(node))
                .unwrap()
                .0
        };
        assert_eq!(settle(&mut claims, "http://a.example/", 3), 3);
        assert_eq!(settle(&mut claims, "http://a.example/", 1), 3);
        assert_eq!(settle(&mut claims, "http://b.example/", 1), 1);
        // Seen by whoever has an empty cache, before and after the commit.
        let mut fresh = Claims::open(&dir, 6).unwrap();
        assert_eq!(settle(&mut fresh, "http://a.example/", 2), 3);
        dir.commit(batch).unwrap();
        drop((claims, fresh, dir));
        let (mut dir, _) = CrawlDir::open(&path).unwrap();
        let mut claims = Claims::open(&dir, 6).unwrap();
        let mut batch = dir.batch();
        let owner = claims.settle(&mut batch, &url("http://a.example/"), NodeId(0));
        assert_eq!(owner.unwrap(), NodeId(3));
        dir.commit(batch).unwrap();
    }

    #[test]
    fn an_owner_that_is_not_there_owns_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
        let town = url("http://a.example/");
        let mut batch = dir.batch();
        let mut settle = |n_nodes, node| {
            let mut claims = Claims::open(&dir, n_nodes).unwrap();
            claims.settle(&mut batch, &town, NodeId(node)).unwrap().0
        };
        assert_eq!(settle(6, 5), 5);
        assert_eq!(settle(3, 1), 1);
        assert_eq!(settle(3, 2), 1, "written anew");
    }

    #[test]
    fn a_claim_that_was_not_committed_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("crawl");
        let dir = CrawlDir::create(&path, "").unwrap();
        let mut claims = Claims::open(&dir, 6).unwrap();
        let mut batch = dir.batch();
        let town = url("http://a.example/");
        assert_eq!(claims.settle(&mut batch, &town, NodeId(3)).unwrap().0, 3);
        dir.apply(batch).unwrap();
        drop((claims, dir));
        let (dir, _) = CrawlDir::open(&path).unwrap();
        let mut claims = Claims::open(&dir, 6).unwrap();
        let mut batch = dir.batch();
        assert_eq!(claims.settle(&mut batch, &town, NodeId(2)).unwrap().0, 2);
    }
}
