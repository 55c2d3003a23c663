//! The links among downloaded pages, for the measures that need them.
//!
//! Links wait as fingerprints until all pages are known; those that lead
//! outside the collection are dropped then.

use super::{AlreadyHashed, Centrality, Locality, ratio};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use store::visit::LinkRecord;

/// Different downloaded pages and their links.
#[derive(Default)]
pub(super) struct Graph {
    /// Short fingerprint to position.
    known: HashMap<u64, u32, BuildHasherDefault<AlreadyHashed>>,
    is_geo: Vec<bool>,
    targets: Vec<Option<u32>>,
    /// Links of page i lie at `starts[i]..starts[i + 1]`, the last ones to the end.
    starts: Vec<usize>,
    links: Vec<u64>,
}

impl Graph {
    pub(super) fn n_pages(&self) -> u64 {
        self.is_geo.len() as u64
    }

    /// Adds a page. A page downloaded again keeps its first target and links
    /// and is a geo page if it ever was one.
    pub(super) fn add(
        &mut self,
        page: u64,
        is_geo: bool,
        target: Option<u32>,
        links: &[LinkRecord],
    ) {
        let position = self.is_geo.len() as u32;
        let first = *self.known.entry(page).or_insert(position);
        if first != position {
            self.is_geo[first as usize] |= is_geo;
            return;
        }
        self.is_geo.push(is_geo);
        self.targets.push(target);
        let start = self.links.len();
        self.starts.push(start);
        self.links
            .extend(links.iter().map(|link| link.url).filter(|url| *url != page));
        self.links[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.links.len() {
            if kept == start || self.links[at] != self.links[kept - 1] {
                self.links[kept] = self.links[at];
                kept += 1;
            }
        }
        self.links.truncate(kept);
    }

    /// Mean geo-centrality and the locality of links.
    pub(super) fn finish(self, centrality: Centrality) -> (Option<f64>, Locality) {
        let sources = self.sources();
        (
            mean_centrality(&self.is_geo, &sources, centrality),
            locality(&self.targets, &sources),
        )
    }

    /// For every page, the pages that link to it.
    fn sources(&self) -> Sources {
        let n_pages = self.is_geo.len();
        let inside = |page: usize| {
            let end = self
                .starts
                .get(page + 1)
                .copied()
                .unwrap_or(self.links.len());
            self.links[self.starts[page]..end]
                .iter()
                .filter_map(|link| self.known.get(link).map(|to| *to as usize))
        };
        let mut ends = vec![0; n_pages + 1];
        for to in (0..n_pages).flat_map(inside) {
            ends[to + 1] += 1;
        }
        for page in 0..n_pages {
            ends[page + 1] += ends[page];
        }
        let mut from = vec![0; ends[n_pages]];
        let mut next = ends.clone();
        for page in 0..n_pages {
            for to in inside(page) {
                from[next[to]] = page as u32;
                next[to] += 1;
            }
        }
        Sources { starts: ends, from }
    }
}

/// Links turned round.
struct Sources {
    starts: Vec<usize>,
    from: Vec<u32>,
}

impl Sources {
    fn of(&self, page: u32) -> &[u32] {
        let page = page as usize;
        &self.from[self.starts[page]..self.starts[page + 1]]
    }
}

/// The mean over all pages p of Σ w over the geo pages near p. Summing from the
/// other end, over geo pages q and the pages from which q is near, visits the
/// same pairs and starts only at the few geo pages.
fn mean_centrality(is_geo: &[bool], sources: &Sources, centrality: Centrality) -> Option<f64> {
    // Pairs by distance: whole numbers, so that no order of adding matters.
    let mut n_pairs: Vec<u64> = Vec::new();
    let mut reached_for = vec![u32::MAX; is_geo.len()];
    let mut ring = Vec::new();
    let mut next_ring = Vec::new();
    let geo_pages = (0..)
        .zip(is_geo)
        .filter_map(|(page, geo)| geo.then_some(page));
    for geo_page in geo_pages {
        ring.clear();
        ring.push(geo_page);
        reached_for[geo_page as usize] = geo_page;
        let mut distance = 0;
        while !ring.is_empty() {
            if n_pairs.len() <= distance {
                n_pairs.push(0);
            }
            n_pairs[distance] += ring.len() as u64;
            if distance as u32 == centrality.max_distance {
                break;
            }
            next_ring.clear();
            for source in ring.iter().flat_map(|page| sources.of(*page)) {
                if reached_for[*source as usize] != geo_page {
                    reached_for[*source as usize] = geo_page;
                    next_ring.push(*source);
                }
            }
            std::mem::swap(&mut ring, &mut next_ring);
            distance += 1;
        }
    }
    let step = 1.0 / f64::from(centrality.damping.max(1));
    let mut weight = 1.0;
    let mut sum = 0.0;
    for n in n_pairs {
        sum += weight * n as f64;
        weight *= step;
    }
    (!is_geo.is_empty()).then(|| sum / is_geo.len() as f64)
}

fn locality(targets: &[Option<u32>], sources: &Sources) -> Locality {
    let mut linked: Vec<u64> = Vec::new();
    for (page, target) in (0u32..).zip(targets) {
        if target.is_none() {
            continue;
        }
        let mapped = sources
            .of(page)
            .iter()
            .filter(|from| targets[**from as usize].is_some());
        linked.extend(
            mapped.map(|from| u64::from(page.min(*from)) << 32 | u64::from(page.max(*from))),
        );
    }
    linked.sort_unstable();
    linked.dedup();
    let target_of = |page: u64| targets[page as usize];
    let n_linked_same = linked
        .iter()
        .filter(|pair| target_of(**pair >> 32) == target_of(**pair & u64::from(u32::MAX)))
        .count() as u64;
    let mut by_target: HashMap<u32, u64> = HashMap::new();
    for target in targets.iter().flatten() {
        *by_target.entry(*target).or_default() += 1;
    }
    let n_linked = linked.len() as u64;
    let n_unlinked = pairs(by_target.values().sum()) - n_linked;
    let n_unlinked_same = by_target.values().map(|n| pairs(*n)).sum::<u64>() - n_linked_same;
    Locality {
        linked: ratio(n_linked_same, n_linked),
        unlinked: ratio(n_unlinked_same, n_unlinked),
        n_linked,
        n_unlinked,
    }
}

fn pairs(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}
