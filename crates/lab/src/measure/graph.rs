//! The links among downloaded pages, while they are few enough to be held.
//!
//! Links wait as fingerprints until all pages are known; those that lead
//! outside the collection are dropped then.

use super::Centrality;
use super::key_set::KeyMap;
use super::locality::TargetCounts;
use super::report::{CentralityReport, Linkage, Locality, LocalityReport, Mean};
use super::sample::links_of;
use super::status::Kin;
use store::visit::Visit;

/// Different downloaded pages and their links.
#[derive(Default)]
pub(super) struct Graph {
    /// Short fingerprint to position.
    known: KeyMap<u32>,
    is_geo: Vec<bool>,
    /// The node that was first to download it.
    nodes: Vec<u16>,
    mapped: Vec<Option<u32>>,
    domains: Vec<u64>,
    /// Links of page i lie at `starts[i]..starts[i + 1]`, the last ones to the end.
    starts: Vec<usize>,
    links: Vec<u64>,
}

impl Graph {
    pub(super) fn n_pages(&self) -> usize {
        self.is_geo.len()
    }

    pub(super) fn n_links(&self) -> usize {
        self.links.len()
    }

    /// Adds a page. A page downloaded again keeps its first target and links
    /// and is a geo page if it ever was one.
    pub(super) fn add(&mut self, (page, domain): (u64, u64), visit: &Visit) {
        let is_geo = !visit.entities.is_empty();
        let position = self.is_geo.len() as u32;
        let first = *self.known.entry(page).or_insert(position);
        if first != position {
            self.is_geo[first as usize] |= is_geo;
            return;
        }
        self.is_geo.push(is_geo);
        self.nodes.push(visit.node);
        self.mapped.push(visit.mapped);
        self.domains.push(domain);
        self.starts.push(self.links.len());
        self.links.extend(links_of(page, visit));
    }

    /// Mean geo-centrality and the locality of links, and of the status of kin.
    pub(super) fn finish(self, centrality: Centrality, mut kin: Kin) -> Linkage {
        while !kin.is_done() {
            self.show_to(&mut kin);
            kin.settle();
        }
        let sources = self.sources();
        Linkage {
            status: kin.finish(),
            centrality: self.mean_centrality(&sources, centrality),
            locality: LocalityReport {
                locality: locality(&self.mapped, &sources),
                n_sampled: None,
            },
        }
    }

    /// Answers for the log.
    fn show_to(&self, kin: &mut Kin) {
        let is_page = |page: u64| self.known.contains_key(&page);
        let wanted = match kin.wanted() {
            Some(wanted) => wanted,
            None => self.known.keys().copied().collect(),
        };
        for page in wanted {
            if let Some(at) = self.known.get(&page) {
                let keys = (page, self.domains[*at as usize]);
                kin.add(keys, || self.links_at(*at as usize).to_vec(), is_page);
            }
        }
    }

    /// Where the links of the page at a position lead, inside or not.
    fn links_at(&self, position: usize) -> &[u64] {
        let end = self.starts.get(position + 1);
        let end = end.copied().unwrap_or(self.links.len());
        &self.links[self.starts[position]..end]
    }

    /// For every page, the pages that link to it.
    fn sources(&self) -> Sources {
        let n_pages = self.is_geo.len();
        let inside = |page: usize| {
            let links = self.links_at(page).iter();
            links.filter_map(|link| self.known.get(link).map(|to| *to as usize))
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

    /// The mean over all pages p of Σ w over the geo pages near p. Summing from the
    /// other end, over geo pages q and the pages from which q is near, visits the
    /// same pairs and starts only at the few geo pages.
    fn mean_centrality(&self, sources: &Sources, centrality: Centrality) -> CentralityReport {
        let n_nodes = self
            .nodes
            .iter()
            .max()
            .map_or(0, |last| usize::from(*last) + 1);
        // Pairs by node and distance: whole numbers, so that no order of adding matters.
        let mut n_pairs: Vec<Vec<u64>> = vec![Vec::new(); n_nodes];
        let mut reached_for = vec![u32::MAX; self.is_geo.len()];
        let mut ring = Vec::new();
        let mut next_ring = Vec::new();
        let pages = (0..).zip(&self.is_geo);
        for geo_page in pages.filter_map(|(page, is_geo)| is_geo.then_some(page)) {
            ring.clear();
            ring.push(geo_page);
            reached_for[geo_page as usize] = geo_page;
            for distance in 0..=centrality.max_distance as usize {
                for page in &ring {
                    let node = usize::from(self.nodes[*page as usize]);
                    let by_distance = &mut n_pairs[node];
                    by_distance.resize(by_distance.len().max(distance + 1), 0);
                    by_distance[distance] += 1;
                }
                next_ring.clear();
                for source in ring.iter().flat_map(|page| sources.of(*page)) {
                    if reached_for[*source as usize] != geo_page {
                        reached_for[*source as usize] = geo_page;
                        next_ring.push(*source);
                    }
                }
                std::mem::swap(&mut ring, &mut next_ring);
                if ring.is_empty() {
                    break;
                }
            }
        }
        let mut n_pages = vec![0_u64; n_nodes];
        for node in &self.nodes {
            n_pages[usize::from(*node)] += 1;
        }
        let sums = n_pairs.iter().map(|pairs| weigh(pairs, centrality.damping));
        let sums: Vec<f64> = sums.collect();
        let mean = |sum: f64, n_pages: u64| Mean {
            value: (n_pages > 0).then(|| sum / n_pages as f64),
            error: None,
        };
        CentralityReport {
            all: mean(sums.iter().sum(), self.is_geo.len() as u64),
            nodes: sums
                .iter()
                .zip(&n_pages)
                .map(|(sum, n)| mean(*sum, *n))
                .collect(),
            n_sampled: None,
        }
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

/// Pairs at each distance, each further one counting so many times less.
fn weigh(n_pairs: &[u64], damping: u32) -> f64 {
    let step = 1.0 / f64::from(damping.max(1));
    let mut weight = 1.0;
    let mut sum = 0.0;
    for n in n_pairs {
        sum += weight * *n as f64;
        weight *= step;
    }
    sum
}

fn locality(targets: &[Option<u32>], sources: &Sources) -> Locality {
    let mut linked: Vec<u64> = Vec::new();
    for page in 0..targets.len() as u32 {
        let from = sources.of(page).iter();
        let pair = |from: &u32| u64::from(page.min(*from)) << 32 | u64::from(page.max(*from));
        linked.extend(from.map(pair));
    }
    linked.sort_unstable();
    linked.dedup();
    let target_of = |page: u64| targets[page as usize];
    let is_same = |pair: &&u64| {
        let target = target_of(**pair >> 32);
        target.is_some() && target == target_of(**pair & u64::from(u32::MAX))
    };
    let n_linked_same = linked.iter().filter(is_same).count() as u64;
    let mut target_counts = TargetCounts::default();
    for target in targets.iter().flatten() {
        target_counts.add(*target);
    }
    target_counts.locality(targets.len() as u64, linked.len() as u64, n_linked_same)
}
