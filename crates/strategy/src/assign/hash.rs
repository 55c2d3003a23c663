//! *Idea*: a uniform hash of the URL picks the node, geographic or not.
//!
//! *Evidence*: none.
//!
//! *Wins when*: load must be even and nothing is known about the pages.
//!
//! *Loses when*: pages about one place should meet: they are scattered evenly.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 1, the baseline.

use super::{Assign, Assignment, Entry, View};
use crate::roster::NodeId;
use crate::scene::Scene;
use page::html::Link;
use place::target::TargetId;

pub(crate) const ENTRY: Entry = Entry {
    name: "hash",
    summary: "spreads URLs evenly by hash, blind to geography",
    build: |_| Ok(Box::new(Hash)),
    settings: &[],
    by_url_alone: true,
    source: include_str!("hash.rs"),
};

struct Hash;

impl Assign for Hash {
    fn view<'a>(&'a self, scene: Scene<'a>) -> Box<dyn View + 'a> {
        Box::new(Hashes {
            n_nodes: scene.roster.seats().len() as u64,
        })
    }

    fn by_url_alone(&self) -> bool {
        ENTRY.by_url_alone
    }
}

struct Hashes {
    n_nodes: u64,
}

impl View for Hashes {
    fn assign(&self, link: &Link) -> Assignment {
        // The high half: the low one is what other tables key by.
        let hash = (link.url.fingerprint().0 >> 64) as u64;
        Assignment {
            node: NodeId((hash % self.n_nodes) as u16),
            target: None,
            because: "hash of the URL",
        }
    }

    fn mapped(&self) -> Option<TargetId> {
        None
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
