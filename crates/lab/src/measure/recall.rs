//! How much of what can be found was found, where that is known.

use super::{RecallPoint, Settings, ratio};

/// Per cent of the reachable pages after which the recall is noted.
const PERCENTS: [u64; 4] = [5, 10, 20, 50];

pub(super) struct Recall {
    n_relevant: Option<u64>,
    n_reachable: Option<u64>,
    points: Vec<RecallPoint>,
}

impl Recall {
    pub(super) fn new(settings: Settings) -> Recall {
        Recall {
            n_relevant: settings.n_relevant,
            n_reachable: settings.n_reachable,
            points: Vec::new(),
        }
    }

    /// Hears of a page: how many there are by now, and how many different geo pages.
    pub(super) fn add(&mut self, n_pages: u64, n_found: u64) {
        let (Some(n_relevant), Some(n_reachable)) = (self.n_relevant, self.n_reachable) else {
            return;
        };
        // In a small web two shares may be the same number of pages.
        while let Some(percent) = PERCENTS.get(self.points.len()) {
            let pages = n_reachable.saturating_mul(*percent).div_ceil(100);
            let recall = ratio(n_found, n_relevant).filter(|_| n_pages >= pages);
            let Some(recall) = recall else {
                return;
            };
            self.points.push(RecallPoint {
                share: *percent as f64 / 100.0,
                pages,
                recall,
            });
        }
    }

    /// The number of geo pages that can be found.
    pub(super) fn n_relevant(&self) -> Option<u64> {
        self.n_relevant
    }

    /// The recall after everything.
    pub(super) fn at_the_end(&self, n_found: u64) -> Option<f64> {
        self.n_relevant.and_then(|all| ratio(n_found, all))
    }

    pub(super) fn into_points(self) -> Vec<RecallPoint> {
        self.points
    }
}
