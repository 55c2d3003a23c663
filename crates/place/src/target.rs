//! The places a crawl is for, and how their names are found in URLs and text.

use crate::gazetteer::{Gazetteer, PlaceId};

/// A target's position in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetId(pub u32);

/// One target: a city (a region given by the user becomes its cities).
#[derive(Debug, Clone)]
pub struct Target {
    /// The place.
    pub place: PlaceId,
    /// City name as people write it, e.g. `New York`.
    pub city: String,
    /// Two-letter state in the US, else the division's name.
    pub state: String,
    /// The share it belongs to in a ready-made split (`us-top100`: 0..=4 for Cn1..Cn5).
    pub share: Option<u8>,
}

/// The targets of a crawl; never empty.
#[derive(Debug, Clone)]
pub struct Targets {
    list: Vec<Target>,
}

/// What the user asked for cannot be a target.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// No such place; holds near names.
    #[error("no place named `{name}` in the gazetteer ({n_places} places)")]
    Unknown {
        name: String,
        n_places: usize,
        near: Vec<String>,
    },
    /// Several places; holds their descriptions with populations.
    #[error("`{name}` names {} places", candidates.len())]
    Ambiguous {
        name: String,
        candidates: Vec<String>,
    },
}

impl Targets {
    /// The 100 cities of the 2006 paper, split 33/22/10/33/2.
    pub fn us_top100(_gazetteer: &Gazetteer) -> Targets {
        todo!()
    }
    /// Reads what a user typed: `us-top100`, `Glendale, AZ`, `Texas`, `cities over 50,000 in Lower Saxony`, `29.5,-95.8,30.1,-95.0`.
    pub fn parse(_gazetteer: &Gazetteer, _wishes: &[String]) -> Result<Targets, TargetError> {
        todo!()
    }
    /// All targets, `TargetId(i)` at position i.
    pub fn list(&self) -> &[Target] {
        &self.list
    }
    /// The target a piece of URL or anchor text names: the longest match wins, then the most populous city of that name.
    pub fn find_in_url(&self, _url: &str) -> Option<TargetId> {
        todo!()
    }
}
