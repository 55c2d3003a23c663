//! *Idea*: a uniform hash of the URL picks the node, geographic or not.
//!
//! *Evidence*: none.
//!
//! *Wins when*: load must be even and nothing is known about the pages.
//!
//! *Loses when*: pages about one place should meet: they are scattered evenly.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 1, the baseline.

use super::{Assign, Assignment, Entry};
use crate::roster::NodeId;
use crate::scene::Scene;
use page::html::Link;

pub(crate) const ENTRY: Entry = Entry {
    name: "hash",
    summary: "spreads URLs evenly by hash, blind to geography",
    build: || Box::new(Hash),
    source: include_str!("hash.rs"),
};

struct Hash;

impl Assign for Hash {
    fn assign(&self, scene: &Scene<'_>, link: &Link) -> Assignment {
        let n_nodes = scene.roster.seats().len() as u64;
        // The high half: the low one is what other tables key by.
        let hash = (link.url.fingerprint().0 >> 64) as u64;
        Assignment {
            node: NodeId((hash % n_nodes) as u16),
            target: None,
            because: "hash of the URL",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Stage;

    #[test]
    fn load_is_even() {
        let stage = Stage::top100();
        let mut counts = [0_u32; 6];
        for page_idx in 0..6000 {
            let url = format!("http://example.org/page/{page_idx}");
            counts[usize::from(stage.assign("hash", &url).node.0)] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
    }
}
