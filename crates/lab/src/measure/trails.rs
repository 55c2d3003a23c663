//! How geo pages were come by, and where paths ended without one.
//!
//! The definitions are those of *Adaptive Geospatially Focused Crawling*
//! (Ahlers, Boll, CIKM 2009): between geo pages lie *bridges*, behind the
//! last ones *tails*. Visits without a trail are passed over.

use super::harvest::Find;
use super::key_set::KeyMap;
use super::lengths::Lengths;
use super::sample::rank;
use super::{Distances, page_key, ratio};
use store::visit::{Errand, Outcome, Trail, Visit};

/// The least priority of a link that the order took for geographic: one half,
/// less what chance may take away where ties are broken.
const GEOGRAPHIC: f32 = 0.499;

/// Everything that trails tell.
pub(super) struct Trails {
    bridges: Lengths,
    from_seeds: Lengths,
    ends: Ends,
    /// Pages whose link was taken for geographic.
    n_promising: u64,
    /// Geo pages among them.
    n_promising_geo: u64,
}

impl Trails {
    /// Looks at no more than so many pages for the ends of paths.
    pub(super) fn new(most_pages: usize) -> Trails {
        Trails {
            bridges: Lengths::default(),
            from_seeds: Lengths::default(),
            ends: Ends::new(most_pages),
            n_promising: 0,
            n_promising_geo: 0,
        }
    }

    /// Looks at a visit that brought no page: a redirect leads on all the same.
    pub(super) fn pass(&mut self, visit: &Visit) {
        let is_redirect = matches!(visit.outcome, Outcome::Redirected(_));
        if visit.trail.is_some() && visit.errand == Errand::Page && is_redirect {
            self.ends.lead_on(visit);
        }
    }

    /// Looks at a page.
    pub(super) fn add(&mut self, visit: &Visit, page: u64, find: Find) {
        let Some(trail) = &visit.trail else {
            return;
        };
        if find == Find::New {
            self.add_find(trail);
        }
        if visit.priority >= GEOGRAPHIC {
            self.n_promising += 1;
            self.n_promising_geo += u64::from(find != Find::Nothing);
        }
        self.ends.lead_on(visit);
        self.ends.add(page, trail.distance);
    }

    /// A geo page counts once, by the path on which it was found to be one.
    fn add_find(&mut self, trail: &Trail) {
        self.from_seeds.add(trail.steps);
        if let Some(n_between) = trail.distance.checked_sub(1) {
            self.bridges.add(n_between);
        }
    }

    pub(super) fn accuracy(&self) -> Option<f64> {
        ratio(self.n_promising_geo, self.n_promising)
    }

    pub(super) fn bridge_distances(&self) -> Option<Distances> {
        self.bridges.report()
    }

    pub(super) fn seed_distances(&self) -> Option<Distances> {
        self.from_seeds.report()
    }

    /// The tails, given which pages are geo pages.
    pub(super) fn tail_lengths(&self, is_geo_page: impl Fn(u64) -> bool) -> Option<Distances> {
        self.ends.report(is_geo_page)
    }
}

/// The share of geo pages that other pages led to.
pub(super) fn over_bridges(bridges: &Distances) -> Option<f64> {
    let n_linked = bridges.counts.first().copied().unwrap_or(0);
    ratio(bridges.total() - n_linked, bridges.total())
}

/// Pages at which paths may have ended.
///
/// All of them while they are few, then those with the lower half of all
/// ranks, then the lowest quarter: which they are in the end depends on what
/// was seen and not on its order, so the page that a link stood on may come
/// after the one it led to.
struct Ends {
    most_pages: usize,
    pages: KeyMap<End>,
    /// How often the ranks that count were halved.
    n_halvings: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct End {
    /// Links since the last geo page; none for what was no page, or is not seen yet.
    distance: Option<u16>,
    /// A page was fetched from there.
    led_on: bool,
}

impl Ends {
    fn new(most_pages: usize) -> Ends {
        Ends {
            most_pages: most_pages.max(2),
            pages: KeyMap::default(),
            n_halvings: 0,
        }
    }

    /// A page that is fetched again keeps its first distance.
    fn add(&mut self, page: u64, distance: u16) {
        if let Some(end) = self.end(page) {
            end.distance.get_or_insert(distance);
        }
        self.make_room();
    }

    /// Wherever this visit comes from, the path goes on.
    fn lead_on(&mut self, visit: &Visit) {
        let from = visit.from.as_ref().filter(|from| **from != visit.url);
        let Some(from) = from else {
            return;
        };
        if let Some(end) = self.end(page_key(from)) {
            end.led_on = true;
        }
        self.make_room();
    }

    /// What is known of a page, if it is among those that count.
    fn end(&mut self, page: u64) -> Option<&mut End> {
        let counts = is_drawn(page, self.n_halvings);
        counts.then(|| self.pages.entry(page).or_default())
    }

    fn make_room(&mut self) {
        while self.pages.len() > self.most_pages && self.n_halvings < u64::BITS {
            self.n_halvings += 1;
            let n_halvings = self.n_halvings;
            self.pages.retain(|page, _| is_drawn(*page, n_halvings));
        }
    }

    fn report(&self, is_geo_page: impl Fn(u64) -> bool) -> Option<Distances> {
        let mut lengths = Lengths::default();
        for (page, end) in &self.pages {
            if let Some(distance) = end.distance
                && !end.led_on
                && !is_geo_page(*page)
            {
                lengths.add(distance);
            }
        }
        let mut report = lengths.report()?;
        if self.n_halvings > 0 {
            report.one_in = Some(1_u64.checked_shl(self.n_halvings).unwrap_or(u64::MAX));
        }
        Some(report)
    }
}

/// Whether a page's rank is among the lowest, after so many halvings.
fn is_drawn(page: u64, n_halvings: u32) -> bool {
    rank(page).leading_zeros() >= n_halvings
}
