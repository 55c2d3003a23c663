//! What pages can be worth at most in a region, whatever their words: a byte
//! for each page.
//!
//! How well a page's places fit is found out anew by every question, though
//! the region alone decides it. Where a region is asked for again, it is found
//! out once for all its pages; then most of those that match are told not to
//! be among the best by one byte.

use crate::region::Region;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tantivy::DocId;
use tantivy::index::SegmentId;

/// Bytes that are kept: of some sixty regions where there are a million pages.
const MOST_BYTES: usize = 64 << 20;

/// The pages of one segment. Zero is worth nothing.
pub(crate) struct Prospects(Box<[u8]>);

impl Prospects {
    /// For so many pages, none of them worth anything.
    pub(crate) fn new(n_pages: DocId) -> Prospects {
        Prospects(vec![0; n_pages as usize].into())
    }

    /// A page's worth, as a part of the most that any page can have.
    pub(crate) fn set(&mut self, page: DocId, part: f32) {
        self.0[page as usize] = (part * 255.0).ceil().clamp(1.0, 255.0) as u8;
    }

    /// A page is worth this part of the most, or a little less.
    #[inline]
    pub(crate) fn part(&self, page: DocId) -> f32 {
        // A little more than was put in, however it was rounded.
        f32::from(self.0[page as usize]) * (1.000_01 / 255.0)
    }
}

/// Those of regions that were asked for lately.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Lately>);

#[derive(Default)]
struct Lately {
    /// The first goes first.
    all: VecDeque<(Region, SegmentId, Arc<Prospects>)>,
    n_bytes: usize,
}

impl Kept {
    pub(crate) fn get(&self, region: &Region, segment: SegmentId) -> Option<Arc<Prospects>> {
        let lately = self.lately();
        let mut all = lately.all.iter();
        let found = all.find(|(other, of, _)| *of == segment && other == region);
        found.map(|(_, _, prospects)| Arc::clone(prospects))
    }

    pub(crate) fn keep(&self, region: &Region, segment: SegmentId, prospects: &Arc<Prospects>) {
        if self.get(region, segment).is_some() {
            return;
        }
        let mut lately = self.lately();
        let entry = (region.clone(), segment, Arc::clone(prospects));
        lately.all.push_back(entry);
        lately.n_bytes += prospects.0.len();
        while lately.n_bytes > MOST_BYTES
            && let Some((_, _, first)) = lately.all.pop_front()
        {
            lately.n_bytes -= first.0.len();
        }
    }

    fn lately(&self) -> MutexGuard<'_, Lately> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_never_worth_more_than_it_is_told() {
        let mut prospects = Prospects::new(1_001);
        for page in 0..=1_000 {
            let part = page as f32 / 1_000.0;
            prospects.set(page, part);
            let told = prospects.part(page);
            assert!(told >= part && told < part + 0.005, "{part} {told}");
        }
        assert_eq!(Prospects::new(1).part(0), 0.0);
    }

    #[test]
    fn the_first_regions_go_first() {
        let region = |lat: usize| Region::Near {
            lat: lat as f64,
            lon: 0.0,
            kilometres: 1.0,
        };
        let segment = SegmentId::generate_random();
        let kept = Kept::default();
        let large = Arc::new(Prospects::new((MOST_BYTES / 3) as u32));
        (0..5).for_each(|lat| kept.keep(&region(lat), segment, &large));
        let there = (0..5).filter(|lat| kept.get(&region(*lat), segment).is_some());
        assert_eq!(there.collect::<Vec<_>>(), [2, 3, 4]);
        assert!(kept.get(&region(4), SegmentId::generate_random()).is_none());
    }
}
