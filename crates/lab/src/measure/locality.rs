//! Locality of pages drawn at random, where the link graph is too large to be
//! held.
//!
//! A pass over the log finds what the pages that drawn ones link to are mapped
//! to, and whether those link back. A pair of pages is found from either end
//! that links to the other, so one with links both ways counts half from each.

use super::estimate::Values;
use super::report::{Locality, LocalityReport};
use super::sample::Sample;
use super::{Counts, ratio};
use std::collections::HashMap;
use store::visit::Visit;

/// How many different pages are mapped to each target.
#[derive(Default)]
pub(super) struct TargetCounts {
    by_target: HashMap<u32, u64>,
}

impl TargetCounts {
    pub(super) fn add(&mut self, target: u32) {
        *self.by_target.entry(target).or_default() += 1;
    }

    /// Pairs of pages with the same target.
    fn n_same(&self) -> u64 {
        self.by_target.values().map(|n| pairs(*n)).sum()
    }

    /// Locality of so many pages, given linked pairs and those among them with
    /// the same target; none where no page has one.
    pub(super) fn locality(&self, n_pages: u64, n_linked: u64, n_linked_same: u64) -> Locality {
        if self.by_target.is_empty() {
            return Locality::default();
        }
        let n_same = self.n_same();
        let n_unlinked = pairs(n_pages) - n_linked;
        Locality {
            linked: ratio(n_linked_same, n_linked),
            unlinked: ratio(n_same - n_linked_same, n_unlinked),
            n_linked,
            n_unlinked,
            ..Locality::default()
        }
    }
}

fn pairs(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Links of drawn pages to pages of the crawl.
pub(super) struct Arcs {
    /// Fingerprint and target of every drawn page.
    drawn: Vec<(u64, Option<u32>)>,
    /// Different pages of the crawl.
    n_pages: u64,
    /// Sorted by the page they lead to.
    arcs: Vec<Arc>,
    target_counts: TargetCounts,
    /// A pass was made, later ones bring nothing new.
    is_settled: bool,
}

struct Arc {
    to: u64,
    /// Position of the drawn page it stands on.
    from: u32,
    /// What the other page is mapped to, once it was seen.
    target: Option<u32>,
    is_seen: bool,
    links_back: bool,
}

impl Arcs {
    pub(super) fn of(sample: &Sample, target_counts: TargetCounts, counts: &Counts) -> Arcs {
        let mut drawn = Vec::new();
        let mut arcs = Vec::new();
        for (from, page) in (0..).zip(sample.drawn()) {
            drawn.push((page.page, page.mapped));
            let links = page.links.iter().copied();
            let inside = links.filter(|link| counts.is_page(*link));
            arcs.extend(inside.map(|to| Arc {
                to,
                from,
                target: None,
                is_seen: false,
                links_back: false,
            }));
        }
        arcs.sort_unstable_by_key(|arc| (arc.to, arc.from));
        Arcs {
            drawn,
            n_pages: counts.n_distinct(),
            arcs,
            target_counts,
            is_settled: false,
        }
    }

    /// Looks at a page of the log.
    pub(super) fn add(&mut self, page: u64, visit: &Visit) {
        if self.is_settled {
            return;
        }
        let start = self.arcs.partition_point(|arc| arc.to < page);
        let arcs = &mut self.arcs[start..];
        let n_arcs = arcs.iter().take_while(|arc| arc.to == page).count();
        let arcs = &mut arcs[..n_arcs];
        // A page downloaded again keeps its first target and links.
        if arcs.first().is_none_or(|arc| arc.is_seen) {
            return;
        }
        let links = super::sample::links_of(page, visit);
        for arc in arcs {
            let (from, _) = self.drawn[arc.from as usize];
            arc.is_seen = true;
            arc.target = visit.mapped;
            arc.links_back = links.binary_search(&from).is_ok();
        }
    }

    /// After the pass that was needed.
    pub(super) fn settled(mut self) -> Arcs {
        self.is_settled = true;
        self
    }

    pub(super) fn finish(self) -> LocalityReport {
        let n_drawn = self.drawn.len() as u64;
        if n_drawn == 0 || self.target_counts.by_target.is_empty() {
            return LocalityReport {
                n_sampled: Some(0),
                ..LocalityReport::default()
            };
        }
        // Of every drawn page, its pairs and those with the same target.
        let mut found = vec![(0.0, 0.0); self.drawn.len()];
        for arc in &self.arcs {
            if !arc.is_seen {
                continue;
            }
            let weight = if arc.links_back { 0.5 } else { 1.0 };
            let (all, same) = &mut found[arc.from as usize];
            *all += weight;
            if arc.target.is_some() && arc.target == self.drawn[arc.from as usize].1 {
                *same += weight;
            }
        }
        let scale = self.n_pages as f64 / n_drawn as f64;
        let n_linked = scale * found.iter().map(|(all, _)| all).sum::<f64>();
        let n_linked_same = scale * found.iter().map(|(_, same)| same).sum::<f64>();
        // An estimate may exceed what there is by its error.
        let n_same_at_most = (n_linked_same.round() as u64).min(self.target_counts.n_same());
        let n_linked_at_most = (n_linked.round() as u64).min(pairs(self.n_pages));
        let mut locality =
            self.target_counts
                .locality(self.n_pages, n_linked_at_most, n_same_at_most);
        locality.linked = (n_linked > 0.0).then(|| n_linked_same / n_linked);
        // Errors of ratios of sums, to first order in the residuals.
        let error = |rate: Option<f64>, whole: f64| {
            let rate = rate?;
            let residuals = found.iter().map(|(all, same)| same - rate * all);
            let error = residuals.collect::<Values>().error_of_total(self.n_pages)?;
            Some(error / whole)
        };
        locality.linked_error = error(locality.linked, n_linked);
        locality.unlinked_error = error(locality.unlinked, locality.n_unlinked as f64);
        LocalityReport {
            locality,
            n_sampled: Some(n_drawn),
        }
    }
}
