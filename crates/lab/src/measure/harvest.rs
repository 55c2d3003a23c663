//! The harvest at evenly spaced moments, though nobody knows how long the crawl is.

use super::HarvestPoint;

const MAX_POINTS: usize = 100;

pub(super) struct Harvest {
    points: Vec<HarvestPoint>,
    /// Pages between two points; doubles whenever there are too many.
    stride: u64,
    last: HarvestPoint,
}

impl Default for Harvest {
    fn default() -> Harvest {
        Harvest {
            points: Vec::new(),
            stride: 1,
            last: HarvestPoint {
                pages: 0,
                geo_pages: 0,
                ms: 0,
            },
        }
    }
}

impl Harvest {
    /// Counts a page that was asked for so many milliseconds into the crawl.
    pub(super) fn add(&mut self, is_geo: bool, ms: u64) {
        self.last.pages += 1;
        self.last.geo_pages += u64::from(is_geo);
        // Visits are recorded as they land, not as they were sent.
        self.last.ms = self.last.ms.max(ms);
        if !self.last.pages.is_multiple_of(self.stride) {
            return;
        }
        self.points.push(self.last);
        if self.points.len() == MAX_POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.points
                .retain(|point| point.pages.is_multiple_of(stride));
        }
    }

    pub(super) fn points(&self) -> Vec<HarvestPoint> {
        let mut points = self.points.clone();
        if self.last.pages > 0 && points.last() != Some(&self.last) {
            points.push(self.last);
        }
        points
    }
}
