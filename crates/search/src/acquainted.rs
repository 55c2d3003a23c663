//! What was found out about places while pages were judged by a region: it
//! holds for the next question about that region too.

use crate::region::{Region, Relations};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Regions that are kept.
const MOST_REGIONS: usize = 64;

/// Places that are kept with a region; a question that meets more of them
/// takes long for other reasons.
const MOST_PLACES: usize = 10_000;

/// Regions of lately, the last one first.
#[derive(Default)]
pub(crate) struct Acquainted(Mutex<VecDeque<(Region, Relations)>>);

impl Acquainted {
    /// What is known of a region; whoever asks about it meanwhile starts anew.
    pub(crate) fn take(&self, region: Option<&Region>) -> Relations {
        let mut known = self.known();
        let nth = known.iter().position(|(other, _)| Some(other) == region);
        let taken = nth.and_then(|nth| known.remove(nth));
        taken.map(|(_, relations)| relations).unwrap_or_default()
    }

    /// Gives back what is known of a region now.
    pub(crate) fn give_back(&self, region: Option<&Region>, relations: Relations) {
        let Some(region) = region.filter(|_| relations.len() <= MOST_PLACES) else {
            return;
        };
        let mut known = self.known();
        known.push_front((region.clone(), relations));
        known.truncate(MOST_REGIONS);
    }

    fn known(&self) -> MutexGuard<'_, VecDeque<(Region, Relations)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::Relation;

    #[test]
    fn a_region_is_remembered_until_many_others_were_asked_for() {
        let acquainted = Acquainted::default();
        let region = |lat: usize| Region::Near {
            lat: lat as f64,
            lon: 0.0,
            kilometres: 1.0,
        };
        let relations = || Relations::from_iter([(7, Relation::Inside)]);
        for lat in 0..MOST_REGIONS {
            acquainted.give_back(Some(&region(lat)), relations());
        }
        assert_eq!(acquainted.take(Some(&region(0))), relations());
        // It was taken out.
        assert!(acquainted.take(Some(&region(0))).is_empty());
        for lat in MOST_REGIONS..=MOST_REGIONS + 1 {
            acquainted.give_back(Some(&region(lat)), relations());
        }
        assert!(acquainted.take(Some(&region(1))).is_empty());
        assert_eq!(acquainted.take(Some(&region(2))).len(), 1);
        acquainted.give_back(None, relations());
        assert!(acquainted.take(None).is_empty());
    }
}
