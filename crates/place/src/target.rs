//! The places a crawl is for, and how their names are found in URLs and text.
//!
//! A region stands for all of it: its places are targets of their own, and what
//! lies in none of them is the region's. Names are looked for of the largest
//! places only, since most small ones are words of some language; an address
//! counts wherever in the region it is.
//!
//! What a user may ask for is `target/wish.rs`, which place a text means
//! `target/resolve.rs`, what a wish comes to `target/grant.rs` and what lies in
//! it `target/cover.rs`; how names are found is `target/mention.rs`, and in texts `target/text.rs`; what else places are
//! called is `target/aliases.rs`; the paper's hundred cities are `target/top100.rs`.

mod aliases;
mod cover;
mod escapes;
mod grant;
mod letters;
mod mention;
mod postcode;
mod region;
mod resolve;
mod suggest;
mod text;
mod top100;
mod wish;

use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use cover::{BoxOfTargets, Cover};
pub use grant::Grant;
use mention::Finder;
pub use mention::Mention;
pub(crate) use mention::city_names;
pub use region::LEAST_PEOPLE;
pub use resolve::Holds;
use std::collections::HashMap;
use std::sync::Arc;
pub use text::{Named, Sighting};
use wish::Granted;

/// A target's position in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetId(pub u32);

/// A state, or what is called so elsewhere: a first-level division of one of
/// the targets' countries, by its position in `Targets::states`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u16);

/// How a target came to be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// By its name, or as one of the cities of some size.
    ByName,
    /// It lies in a region.
    InRegion,
    /// It is the region, and stands for what lies in none of its places.
    AsRegion,
    /// As these postal codes of it: only addresses with one of them count.
    ByCode(Vec<String>),
}

/// One target: a city, or a region beside its places.
#[derive(Debug, Clone)]
pub struct Target {
    /// The place.
    pub place: PlaceId,
    /// How it came to be one.
    pub asked: Asked,
    /// Whether its name is looked for in URLs and texts.
    pub is_sought: bool,
    /// City name as people write it, e.g. `New York`.
    pub city: String,
    /// Two-letter state in the US, else the division's name.
    pub state: String,
    /// The share it belongs to in a ready-made split (`us-top100`: 0..=4 for Cn1..Cn5).
    pub share: Option<u8>,
}

impl Target {
    /// Takes over what another wish wants of the same place.
    fn join(&mut self, other: Target) {
        self.is_sought |= other.is_sought;
        self.share = self.share.or(other.share);
        match (&mut self.asked, other.asked) {
            (Asked::ByCode(codes), Asked::ByCode(others)) => codes.extend(others),
            (_, Asked::ByCode(_)) => {}
            (Asked::ByCode(_), whole) => self.asked = whole,
            (asked, Asked::ByName) => *asked = Asked::ByName,
            _ => {}
        }
    }
}

/// The targets of a crawl; never empty.
#[derive(Debug, Clone)]
pub struct Targets {
    list: Vec<Target>,
    grants: Vec<Grant>,
    finder: Arc<Finder>,
    cover: Arc<Cover>,
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
        /// What to type for places spelled alike, best first.
        near: Vec<String>,
    },
    /// Several places; holds their descriptions with populations.
    #[error("`{name}` names {n_places} places")]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// How many places it may mean.
        n_places: usize,
        /// What to type for those of them with most people, most populous first.
        candidates: Vec<String>,
    },
    /// A path that no place has.
    #[error("no place has the path `{path}`: paths are like `/Earth/US/Texas/Houston`")]
    NoPath {
        /// What was asked for.
        path: String,
    },
    /// A number that no place has.
    #[error("no place has the number `{number}` in the gazetteer")]
    NoNumber {
        /// What was asked for.
        number: String,
    },
    /// The root of all paths.
    #[error("everything lies in `{path}`: leave it out")]
    Everything {
        /// What was asked for.
        path: String,
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
    /// A box or region around nothing.
    #[error("no place that the gazetteer knows lies in `{name}`")]
    Barren {
        /// What was asked for.
        name: String,
    },
    /// Nothing was asked for.
    #[error("no target given")]
    Nothing,
}

/// The one place that a text means: a name such as `Houston, TX` or `Texas`, a
/// path such as `/Earth/US/Texas`, or `geonames:4736286`.
pub fn resolve(gazetteer: &Gazetteer, text: &str) -> Result<PlaceId, TargetError> {
    resolve::place(gazetteer, text, &|_| 0)
}

/// The same; of places that share a path, that with most pages is meant.
pub fn resolve_among(
    gazetteer: &Gazetteer,
    text: &str,
    holds: Holds<'_>,
) -> Result<PlaceId, TargetError> {
    resolve::place(gazetteer, text, holds)
}

impl Targets {
    /// The 100 cities of the 2006 paper, split 33/22/10/33/2.
    pub fn us_top100(gazetteer: &Gazetteer) -> Targets {
        Targets::new(gazetteer, vec![wish::top100(gazetteer)])
    }

    /// Reads what a user typed: `us-top100`, `Glendale, AZ`, `Texas`, `cities over 50,000 in Lower Saxony`, `29.5,-95.8,30.1,-95.0`.
    ///
    /// Several places may stand in one wish, separated by semicolons; a comma
    /// always says where a place lies. A place named twice is one target.
    pub fn parse(gazetteer: &Gazetteer, wishes: &[String]) -> Result<Targets, TargetError> {
        let wishes = wishes.iter().flat_map(|wish| wish.split(';'));
        let wishes = wishes.map(str::trim).filter(|wish| !wish.is_empty());
        let granted = wishes.map(|wish| wish::read(gazetteer, wish));
        let granted: Vec<Granted> = granted.collect::<Result<_, _>>()?;
        match granted.is_empty() {
            true => Err(TargetError::Nothing),
            false => Ok(Targets::new(gazetteer, granted)),
        }
    }

    fn new(gazetteer: &Gazetteer, granted: Vec<Granted>) -> Targets {
        let mut list: Vec<Target> = Vec::new();
        let mut grants: Vec<Grant> = Vec::new();
        let mut boxes = Vec::new();
        let mut known: HashMap<PlaceId, usize> = HashMap::new();
        for Granted {
            targets,
            grant,
            edges,
        } in granted
        {
            let mut ids = Vec::with_capacity(targets.len());
            for target in targets {
                let id = *known.entry(target.place).or_insert(list.len());
                ids.push(TargetId(id as u32));
                match list.get_mut(id) {
                    Some(same) => same.join(target),
                    None => list.push(target),
                }
            }
            let targets = ids;
            boxes.extend(edges.map(|edges| BoxOfTargets { edges, targets }));
            if !grants.contains(&grant) {
                grants.push(grant);
            }
        }
        Targets {
            finder: Arc::new(Finder::new(gazetteer, &list)),
            cover: Arc::new(Cover::of(gazetteer, &list, boxes)),
            list,
            grants,
        }
    }

    /// What each wish came to.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
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

    /// Those that are places of their own; each region comes with some.
    pub fn places(&self) -> impl Iterator<Item = (TargetId, &Target)> {
        self.iter()
            .filter(|(_, target)| target.asked != Asked::AsRegion)
    }

    /// Those whose names are looked for in URLs and texts.
    pub fn sought(&self) -> impl Iterator<Item = (TargetId, &Target)> {
        self.iter().filter(|(_, target)| target.is_sought)
    }

    /// The target a place is, if it is one.
    pub fn of_place(&self, place: PlaceId) -> Option<TargetId> {
        let around = self.cover.holding(place)?;
        (self.list[around.0 as usize].place == place).then_some(around)
    }

    /// The target a place is, or that region among them which it lies in.
    pub fn holding(&self, place: PlaceId) -> Option<TargetId> {
        self.cover.holding(place)
    }

    /// The target nearest to a point, if the point lies in a box that was asked for.
    pub(crate) fn at(&self, gazetteer: &Gazetteer, point: (f32, f32)) -> Option<TargetId> {
        self.cover.at(gazetteer, &self.list, point)
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
