//! What pages can be worth at most in a region, whatever their words: a byte
//! for each page.
//!
//! How well a page's places fit is found out anew by every question, though
//! the region alone decides it. Where a region is asked for again, it is found
//! out once for all its pages; then most of those that match are told not to
//! be among the best by one byte.

use crate::region::Region;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tantivy::DocId;
use tantivy::index::SegmentId;

/// Bytes that are kept: of some sixty regions where there are a million pages.
const MOST_BYTES: usize = 64 << 20;

/// The pages of one segment.
pub(crate) struct Prospects {
    /// Zero is worth nothing.
    worth: Box<[u8]>,
    n_asked: u32,
}

impl Prospects {
    /// For so many pages, none of them worth anything yet; so many are to be
    /// asked, the others may be worth more than nothing.
    pub(crate) fn new(n_pages: DocId, n_asked: u32) -> Prospects {
        Prospects {
            worth: vec![0; n_pages as usize].into(),
            n_asked,
        }
    }

    /// How many pages were asked. Who looks further around asks all that were
    /// asked before, and more.
    pub(crate) fn n_asked(&self) -> u32 {
        self.n_asked
    }

    /// A page's worth, as a part of the most that any page can have.
    pub(crate) fn set(&mut self, page: DocId, part: f32) {
        self.worth[page as usize] = (part * 255.0).ceil().clamp(1.0, 255.0) as u8;
    }

    /// Whether a page is worth anything.
    #[inline]
    pub(crate) fn has(&self, page: DocId) -> bool {
        self.worth[page as usize] != 0
    }

    /// A page is worth this part of the most, or a little less.
    #[inline]
    pub(crate) fn part(&self, page: DocId) -> f32 {
        // A little more than was put in, however it was rounded.
        f32::from(self.worth[page as usize]) * (1.000_01 / 255.0)
    }
}

/// Those of regions that were asked for lately.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Lately>);

#[derive(Default)]
struct Lately {
    /// The first goes first.
    regions: VecDeque<(Region, HashMap<SegmentId, Arc<Prospects>>)>,
    n_bytes: usize,
}

impl Kept {
    pub(crate) fn get(&self, region: &Region, segment: SegmentId) -> Option<Arc<Prospects>> {
        let lately = self.lately();
        let (_, segments) = lately.regions.iter().find(|(other, _)| other == region)?;
        segments.get(&segment).cloned()
    }

    pub(crate) fn keep(&self, region: &Region, segment: SegmentId, prospects: &Arc<Prospects>) {
        let mut lately = self.lately();
        let known = lately.regions.iter().position(|(other, _)| other == region);
        let nth = known.unwrap_or_else(|| {
            let entry = (region.clone(), HashMap::new());
            lately.regions.push_back(entry);
            lately.regions.len() - 1
        });
        let (_, segments) = &mut lately.regions[nth];
        if segments.insert(segment, Arc::clone(prospects)).is_some() {
            return;
        }
        lately.n_bytes += prospects.worth.len();
        while lately.n_bytes > MOST_BYTES
            && let Some((_, first)) = lately.regions.pop_front()
        {
            let sizes = first.values().map(|prospects| prospects.worth.len());
            lately.n_bytes -= sizes.sum::<usize>();
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
        let mut prospects = Prospects::new(1_001, 1_001);
        for page in 0..=1_000 {
            let part = page as f32 / 1_000.0;
            prospects.set(page, part);
            let told = prospects.part(page);
            assert!(told >= part && told < part + 0.005, "{part} {told}");
        }
        assert_eq!(Prospects::new(1, 0).part(0), 0.0);
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
        let large = Arc::new(Prospects::new((MOST_BYTES / 3) as u32, 0));
        (0..5).for_each(|lat| kept.keep(&region(lat), segment, &large));
        let there = (0..5).filter(|lat| kept.get(&region(*lat), segment).is_some());
        assert_eq!(there.collect::<Vec<_>>(), [2, 3, 4]);
        assert!(kept.get(&region(4), SegmentId::generate_random()).is_none());
    }
}
