//! The places a crawl is for, and how their names are found in URLs and text.
//!
//! What a user may ask for is `target/wish.rs`; how names are found is
//! `target/mention.rs`, and in texts `target/text.rs`; what else places are
//! called is `target/aliases.rs`; the paper's hundred cities are `target/top100.rs`.

mod aliases;
mod escapes;
mod letters;
mod mention;
mod text;
mod top100;
mod wish;

use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use mention::Finder;
pub use mention::Mention;
pub(crate) use mention::city_names;
use std::sync::Arc;
pub use text::{Named, Sighting};

/// A target's position in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetId(pub u32);

/// A state, or what is called so elsewhere: a first-level division of one of
/// the targets' countries, by its position in `Targets::states`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u16);

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
    finder: Arc<Finder>,
}

/// What the user asked for cannot be a target.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TargetError {
    /// No such place; holds near names.
    #[error("no place named `{name}` in the gazetteer")]
    Unknown {
        /// What was asked for.
        name: String,
        /// How many places were searched.
        n_places: usize,
        /// Descriptions of places spelled alike, best first.
        near: Vec<String>,
    },
    /// Several places; holds their descriptions with populations.
    #[error("`{name}` names {} places", candidates.len())]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// Descriptions of the places it may mean, most populous first.
        candidates: Vec<String>,
    },
    /// A city where something with cities in it is needed.
    #[error("`{name}` is a city, not a region")]
    NotARegion {
        /// What was asked for.
        name: String,
    },
    /// A region without a city of the wanted size.
    #[error("no city over {min_population} people in `{name}`")]
    Empty {
        /// What was asked for.
        name: String,
        /// The size that no city reaches.
        min_population: u32,
    },
    /// Four numbers that are no box on the globe.
    #[error("`{name}` is not a box: south, west, north, east in degrees")]
    Box {
        /// What was asked for.
        name: String,
    },
    /// A box around nothing.
    #[error("no city that the gazetteer knows lies in the box `{name}`")]
    EmptyBox {
        /// What was asked for.
        name: String,
    },
    /// Nothing was asked for.
    #[error("no target given")]
    Nothing,
}

/// The one place that a name such as `Houston, TX` or `Texas` means.
pub fn resolve(gazetteer: &Gazetteer, name: &str) -> Result<PlaceId, TargetError> {
    wish::place(gazetteer, name)
}

impl Targets {
    /// The 100 cities of the 2006 paper, split 33/22/10/33/2.
    pub fn us_top100(gazetteer: &Gazetteer) -> Targets {
        Targets::new(gazetteer, top100::targets(gazetteer))
    }

    /// Reads what a user typed: `us-top100`, `Glendale, AZ`, `Texas`, `cities over 50,000 in Lower Saxony`, `29.5,-95.8,30.1,-95.0`.
    ///
    /// Several places may stand in one wish, separated by semicolons; a comma
    /// always says where a place lies. A place named twice is one target.
    pub fn parse(gazetteer: &Gazetteer, wishes: &[String]) -> Result<Targets, TargetError> {
        let mut list: Vec<Target> = Vec::new();
        let wishes = wishes
            .iter()
            .flat_map(|wish| wish.split(';'))
            .map(str::trim);
        for wish in wishes.filter(|wish| !wish.is_empty()) {
            list.extend(wish::read(gazetteer, wish)?);
        }
        let mut seen = std::collections::HashSet::new();
        list.retain(|target| seen.insert(target.place));
        if list.is_empty() {
            return Err(TargetError::Nothing);
        }
        Ok(Targets::new(gazetteer, list))
    }

    fn new(gazetteer: &Gazetteer, list: Vec<Target>) -> Targets {
        let finder = Arc::new(Finder::new(gazetteer, &list));
        Targets { list, finder }
    }

    /// All targets, `TargetId(i)` at position i.
    pub fn list(&self) -> &[Target] {
        &self.list
    }

    /// The target with this identifier.
    pub fn get(&self, id: TargetId) -> Option<&Target> {
        self.list.get(id.0 as usize)
    }

    /// Every target with its identifier.
    pub fn iter(&self) -> impl Iterator<Item = (TargetId, &Target)> {
        (0..).map(TargetId).zip(&self.list)
    }

    /// The target a place is, if it is one.
    pub fn of_place(&self, place: PlaceId) -> Option<TargetId> {
        self.iter()
            .find(|(_, target)| target.place == place)
            .map(|(id, _)| id)
    }

    /// The target a URL names: the longest match wins, then the most populous city of that name.
    ///
    /// A name alone means no target where a larger city that is none has it.
    /// Host and path are read, the query is not. A name counts when it begins and ends with a word of the URL, its own
    /// words joined or separated (`new-york`, `newyork`), or, from six letters
    /// on, when one of its ends does (`visithouston`, `houstonpress`). A state
    /// beside it decides between cities of one name (`glendale-ca`,
    /// `/az/glendale`) and against them (`portland-maine`), and a longer name
    /// of another place hides a shorter one (`darlington`, `glendale-heights`).
    pub fn find_in_url(&self, url: &str) -> Option<TargetId> {
        self.finder.find_in_url(url)
    }

    /// Every target that a URL names, the one of `find_in_url` first.
    pub fn find_all_in_url(&self, url: &str) -> Vec<TargetId> {
        self.finder.find_all_in_url(url)
    }

    /// All mentions of targets in a text, in order: whole words only, short aliases in capitals only.
    ///
    /// A name alone means no target where a larger city that is none has it.
    pub fn find_in_text(&self, text: &str) -> Vec<Mention> {
        let mut mentions = Vec::new();
        self.finder
            .scan(text, |sighting| mentions.extend(sighting.mention()));
        mentions
    }

    /// All that a text names, in order: mentions of targets, of what may be one, and of states by themselves.
    pub fn sightings(&self, text: &str) -> Vec<Sighting> {
        let mut sightings = Vec::new();
        self.finder.scan(text, |sighting| sightings.push(sighting));
        sightings
    }

    /// The states of the targets' countries, `StateId(i)` at position i.
    pub fn states(&self) -> &[PlaceId] {
        &self.finder.states
    }

    /// The state that a place is, or lies in.
    pub fn state_of(&self, gazetteer: &Gazetteer, place: PlaceId) -> Option<StateId> {
        let is_division = |&id: &PlaceId| gazetteer.kind(id) == Kind::Division1;
        let division = std::iter::once(place).chain(gazetteer.chain(place));
        mention::position(self.states(), division.into_iter().find(is_division)?)
    }
}

#[cfg(test)]
mod tests;
