//! What a wish came to: how many places of what size.

use crate::gazetteer::PlaceId;

/// Places named of those that a wish came to.
const MOST_NAMED: usize = 3;

/// What one wish came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// What was asked for, as it was typed.
    pub wish: String,
    /// The region it means, where it means one.
    pub region: Option<PlaceId>,
    /// The postal code it holds, where it does.
    pub code: Option<String>,
    /// How many places it came to.
    pub n_places: usize,
    /// Each of them has more people than this; nothing where that was not asked.
    pub over: Option<u32>,
    /// The largest of them, the most populous first; at most three.
    pub largest: Vec<PlaceId>,
}

impl Grant {
    /// Of places in any order.
    pub(super) fn of(wish: &str, places: impl IntoIterator<Item = PlaceId>) -> Grant {
        let mut largest: Vec<PlaceId> = places.into_iter().collect();
        let n_places = largest.len();
        // A smaller identifier is a larger place.
        largest.sort_unstable();
        largest.truncate(MOST_NAMED);
        Grant {
            wish: wish.to_owned(),
            region: None,
            code: None,
            n_places,
            over: None,
            largest,
        }
    }
}
