//! The harvest at evenly spaced moments, though nobody knows how long the crawl is.

use super::{HarvestPoint, ratio};

const MAX_POINTS: usize = 100;

/// What a page brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Find {
    /// No address.
    Nothing,
    /// Addresses, and the page was known for having some.
    Again,
    /// Addresses, on a page that was not known for any.
    New,
}

pub(super) struct Harvest {
    moments: Vec<Moment>,
    /// Pages between two moments; doubles whenever there are too many.
    stride: u64,
    last: Moment,
}

/// Everything until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Moment {
    pages: u64,
    geo_pages: u64,
    n_found: u64,
    ms: u64,
}

impl Default for Harvest {
    fn default() -> Harvest {
        Harvest {
            moments: Vec::new(),
            stride: 1,
            last: Moment::default(),
        }
    }
}

impl Harvest {
    /// Counts a page that was asked for so many milliseconds into the crawl,
    /// by which so many pages that were looked for are found.
    pub(super) fn add(&mut self, find: Find, n_found: u64, ms: u64) {
        self.last.pages += 1;
        self.last.geo_pages += u64::from(find != Find::Nothing);
        self.last.n_found = n_found;
        // Visits are recorded as they land, not as they were sent.
        self.last.ms = self.last.ms.max(ms);
        if !self.last.pages.is_multiple_of(self.stride) {
            return;
        }
        self.moments.push(self.last);
        if self.moments.len() == MAX_POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.moments
                .retain(|moment| moment.pages.is_multiple_of(stride));
        }
    }

    /// The moments, with a recall where the number of pages to be found is known.
    pub(super) fn points(&self, n_relevant: Option<u64>) -> Vec<HarvestPoint> {
        let is_kept = self.moments.last() == Some(&self.last);
        let end = (self.last.pages > 0 && !is_kept).then_some(&self.last);
        let mut before = Moment::default();
        let point = |moment: &Moment| {
            let (pages, geo_pages) = (before.pages, before.geo_pages);
            before = *moment;
            HarvestPoint {
                pages: moment.pages,
                geo_pages: moment.geo_pages,
                ms: moment.ms,
                rate: ratio(moment.geo_pages - geo_pages, moment.pages - pages),
                recall: n_relevant.and_then(|all| ratio(moment.n_found, all)),
            }
        };
        self.moments.iter().chain(end).map(point).collect()
    }
}
