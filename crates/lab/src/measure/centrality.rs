//! Geo-centrality of pages drawn at random, where the link graph is too large
//! to be held.
//!
//! Around every drawn page lie rings: the pages one link away, two links away
//! and so on. One pass over the log finds the links of one ring, so `k` of
//! them are enough, the first one included: drawn pages bring their links.

use super::estimate::Values;
use super::key_set::KeyMap;
use super::report::CentralityReport;
use super::sample::{Sample, links_of};
use super::{Centrality, Counts};
use store::visit::Visit;

/// Links held at most, eight bytes each. Half of the drawn pages go when
/// there are more.
const MOST_LINKS: usize = 12_000_000;

/// The neighbourhoods of drawn pages.
pub(super) struct Rings {
    /// Fingerprint and node of every drawn page, lowest rank first.
    drawn: Vec<(u64, u16)>,
    /// Links of drawn pages and of those near them, as far as they matter.
    links: KeyMap<Vec<u64>>,
    n_links: usize,
    /// Pages of the outermost ring whose links are not known yet.
    wanted: KeyMap<()>,
    /// The outermost ring whose pages are known.
    distance: u32,
    max_distance: u32,
}

impl Rings {
    pub(super) fn around(sample: Sample, max_distance: u32, counts: &Counts) -> Rings {
        let mut rings = Rings {
            drawn: Vec::new(),
            links: KeyMap::default(),
            n_links: 0,
            wanted: KeyMap::default(),
            distance: 0,
            max_distance,
        };
        let drawn = sample.into_drawn();
        rings.drawn = drawn.iter().map(|page| (page.page, page.node)).collect();
        for page in drawn.into_iter().filter(|_| max_distance > 0) {
            rings.keep(page.page, page.links, counts);
        }
        rings.widen();
        rings
    }

    /// Looks at a page of the log.
    pub(super) fn add(&mut self, page: u64, visit: &Visit, counts: &Counts) {
        if self.wanted.remove(&page).is_some() {
            self.keep(page, links_of(page, visit), counts);
        }
    }

    /// Keeps the links that matter: to pages of the crawl, and in the last
    /// ring to geo pages only.
    fn keep(&mut self, page: u64, mut links: Vec<u64>, counts: &Counts) {
        let is_last = self.distance + 1 >= self.max_distance;
        links.retain(|link| match is_last {
            true => counts.is_geo_page(*link),
            false => counts.is_page(*link),
        });
        links.shrink_to_fit();
        self.n_links += links.len();
        self.links.insert(page, links);
        while self.n_links > MOST_LINKS && self.drawn.len() > 2 {
            self.halve();
        }
    }

    /// Lets go the later half of the drawn pages and what only they need.
    fn halve(&mut self) {
        self.drawn.truncate(self.drawn.len() / 2);
        let mut needed: KeyMap<()> = KeyMap::default();
        let mut open: Vec<u64> = self.drawn.iter().map(|(page, _)| *page).collect();
        while let Some(page) = open.pop() {
            if needed.insert(page, ()).is_none() {
                open.extend(self.links.get(&page).into_iter().flatten());
            }
        }
        self.links.retain(|page, _| needed.contains_key(page));
        self.wanted.retain(|page, ()| needed.contains_key(page));
        self.n_links = self.links.values().map(Vec::len).sum();
    }

    /// Ends a pass: the pages of the next ring are known.
    pub(super) fn widen(&mut self) {
        self.distance += 1;
        if self.is_wide_enough() {
            return;
        }
        let links = self.links.values().flatten();
        let unknown = links.filter(|link| !self.links.contains_key(*link));
        self.wanted = unknown.map(|link| (*link, ())).collect();
    }

    /// Whether every ring that counts is known.
    pub(super) fn is_wide_enough(&self) -> bool {
        self.distance >= self.max_distance
    }

    /// The mean geo-centrality, over all pages and over those of every node.
    pub(super) fn finish(self, centrality: Centrality, counts: &Counts) -> CentralityReport {
        let step = 1.0 / f64::from(centrality.damping.max(1));
        let mut all = Values::default();
        let mut nodes = vec![Values::default(); counts.n_nodes()];
        let mut seen: KeyMap<()> = KeyMap::default();
        for (page, node) in &self.drawn {
            let value = self.centrality_of(*page, step, counts, &mut seen);
            all.add(value);
            if let Some(values) = nodes.get_mut(usize::from(*node)) {
                values.add(value);
            }
        }
        let share_drawn = self.drawn.len() as f64 / counts.n_distinct().max(1) as f64;
        CentralityReport {
            all: all.estimate(share_drawn),
            nodes: nodes
                .iter()
                .map(|values| values.estimate(share_drawn))
                .collect(),
            n_sampled: Some(self.drawn.len() as u64),
        }
    }

    fn centrality_of(&self, page: u64, step: f64, counts: &Counts, seen: &mut KeyMap<()>) -> f64 {
        seen.clear();
        seen.insert(page, ());
        let mut ring = vec![page];
        let (mut sum, mut weight) = (0.0, 1.0);
        for distance in 0..=self.max_distance {
            let n_geo_pages = ring.iter().filter(|page| counts.is_geo_page(**page));
            sum += weight * n_geo_pages.count() as f64;
            weight *= step;
            if distance == self.max_distance || ring.is_empty() {
                break;
            }
            let links = ring.iter().filter_map(|page| self.links.get(page));
            let next = links
                .flatten()
                .filter(|link| seen.insert(**link, ()).is_none());
            ring = next.copied().collect();
        }
        sum
    }
}
