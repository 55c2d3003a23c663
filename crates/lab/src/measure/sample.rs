//! Pages drawn at random while they come in, each as likely as any other.
//!
//! A page's rank is a hash of its fingerprint, and the lowest ranks are kept:
//! no dice, so the same pages give the same sample in whatever order they
//! come. Who makes room for lack of memory is decided by rank as well.

use super::key_set::scatter;
use std::collections::BTreeMap;
use store::visit::Visit;

/// Links a sample holds at most, eight bytes each.
const MOST_LINKS: usize = 4_000_000;

/// So that ranks are not what tables are keyed by.
const SALT: u64 = 0x6c6f_6361_766f_7265;

/// A page's place among all, as if by lot.
pub(super) fn rank(page: u64) -> u64 {
    scatter(page ^ SALT)
}

/// The pages with the lowest ranks so far.
pub(super) struct Sample {
    most_pages: usize,
    by_rank: BTreeMap<u64, Drawn>,
    n_links: usize,
}

/// A page that was drawn.
pub(super) struct Drawn {
    pub(super) page: u64,
    pub(super) node: u16,
    pub(super) mapped: Option<u32>,
    /// Where its links lead, each once, itself never.
    pub(super) links: Vec<u64>,
}

impl Sample {
    pub(super) fn of(most_pages: usize) -> Sample {
        Sample {
            most_pages: most_pages.max(2),
            by_rank: BTreeMap::new(),
            n_links: 0,
        }
    }

    /// Offers a page that was not offered before.
    pub(super) fn add(&mut self, page: u64, visit: &Visit) {
        let rank = rank(page);
        let is_full = self.by_rank.len() == self.most_pages;
        let last = self.by_rank.last_key_value().map(|(last, _)| *last);
        if is_full && last.is_some_and(|last| rank > last) {
            return;
        }
        let links = links_of(page, visit);
        self.n_links += links.len();
        let drawn = Drawn {
            page,
            node: visit.node,
            mapped: visit.mapped,
            links,
        };
        self.by_rank.insert(rank, drawn);
        // One page alone is never dropped for its links.
        while self.by_rank.len() > self.most_pages
            || (self.n_links > MOST_LINKS && self.by_rank.len() > 1)
        {
            let Some((_, dropped)) = self.by_rank.pop_last() else {
                break;
            };
            self.n_links -= dropped.links.len();
            // Ranks above the one that went were never drawn by a smaller sample.
            self.most_pages = self.most_pages.min(self.by_rank.len());
        }
    }

    /// The pages drawn, lowest rank first.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &Drawn> {
        self.by_rank.values()
    }

    /// The pages drawn, lowest rank first.
    pub(super) fn into_drawn(self) -> Vec<Drawn> {
        self.by_rank.into_values().collect()
    }
}

/// Where the links of a page lead, each once, itself never.
pub(super) fn links_of(page: u64, visit: &Visit) -> Vec<u64> {
    let mut links: Vec<u64> = visit
        .links
        .iter()
        .filter(|link| link.is_vouched_for())
        .map(|link| link.url)
        .filter(|link| *link != page)
        .collect();
    links.sort_unstable();
    links.dedup();
    links
}
