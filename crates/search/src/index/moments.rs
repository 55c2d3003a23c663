//! The index as it was a few minutes ago, for those who turn to the next page
//! of an answer: what words are worth changes with every page that is added,
//! and a page that is visited again is no longer what it was.

use crate::look::Look;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a moment is kept after the next one has come: as people read a
/// page of hits. Moments share what they have of the same pages, so that each
/// takes little.
const KEPT_FOR: Duration = Duration::from_mins(5);

/// Moments that are kept.
const MOST: usize = 128;

/// Some moments, the last one last.
#[derive(Default)]
pub(crate) struct Moments(Mutex<VecDeque<Moment>>);

struct Moment {
    n_visits: u64,
    came: Instant,
    look: Arc<Look>,
}

impl Moments {
    /// Keeps the index as it is now, with so many visits.
    pub(super) fn add(&self, n_visits: u64, look: &Arc<Look>, now: Instant) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Fewer after it was built anew: those before are of another index.
        while all.back().is_some_and(|last| last.n_visits > n_visits) {
            all.pop_back();
        }
        if all.back().is_some_and(|last| last.n_visits == n_visits) {
            return;
        }
        all.push_back(Moment {
            n_visits,
            came: now,
            look: Arc::clone(look),
        });
        let is_over = |next: &Moment| now.duration_since(next.came) > KEPT_FOR;
        while all.len() > MOST || all.get(1).is_some_and(is_over) {
            all.pop_front();
        }
    }

    /// The first moment with so many visits, if any is kept.
    pub(crate) fn at(&self, n_visits: u64) -> Option<Arc<Look>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let nth = all.partition_point(|moment| moment.n_visits < n_visits);
        all.get(nth).map(|moment| Arc::clone(&moment.look))
    }
}
