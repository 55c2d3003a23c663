//! The gazetteer: every place we know, by name and by hierarchy.
//!
//! A [`PlaceId`] is a position in the pack, and the pack is sorted by
//! population: of two identifiers the smaller one is the larger place, so
//! every list of places comes most populous first without being sorted again.
//!
//! The bytes are `pack.rs`; what counts as the same name is `names.rs`; names
//! are looked up in `lookup.rs`.

mod kind;
mod lookup;
mod path;
mod postcode;
mod spelling;
mod zip;

use crate::names::normalise;
use crate::pack::{Lists, NO_PLACE, Pack, PackError};
pub use kind::{Kind, Role};
pub use postcode::Postcode;
use std::sync::{LazyLock, OnceLock};
pub use zip::{Zip, ZipArea};

/// A place's position in the pack; stable for one pack only (store `geonameid` on disk).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

/// A borrowed view of one place.
#[derive(Debug, Clone, Copy)]
pub struct Place<'g> {
    /// Its position in the pack.
    pub id: PlaceId,
    /// GeoNames identifier; zero where GeoNames has none.
    pub geonameid: u32,
    /// Usual name.
    pub name: &'g str,
    /// Its kind.
    pub kind: Kind,
    /// Degrees north.
    ///
    /// A country or state has its geographic middle, rounded as GeoNames
    /// does where it was written by hand, else the middle of the box around
    /// its cities; a county has the mean of its places, a river the middle of
    /// its course.
    pub lat: f32,
    /// Degrees east; see `lat`.
    pub lon: f32,
    /// People, zero where unknown; of a division, the sum over its known cities.
    pub population: u32,
    /// ISO country code; empty for what lies in no single country.
    pub country: &'g str,
    /// First-level code: for the US the two-letter state.
    pub division: &'g str,
    /// IANA time zone, empty for all but cities.
    pub time_zone: &'g str,
}

/// All places, read in place from a data pack.
pub struct Gazetteer {
    pack: Pack,
    children: Vec<PlaceId>,
    /// Children of place i lie at `child_starts[i]..child_starts[i + 1]`.
    child_starts: Vec<u32>,
    by_geonameid: OnceLock<Vec<(u32, PlaceId)>>,
    /// The pack's list, as the type callers want.
    parts_of: Vec<PlaceId>,
    streets: PlaceLists,
    common_streets: Vec<&'static str>,
    seeds: PlaceLists,
    /// Sorted by city, then code.
    zips: Vec<Zip>,
}

static BUILT_IN: LazyLock<Gazetteer> = LazyLock::new(|| {
    let pack = include_bytes!(concat!(env!("OUT_DIR"), "/gazetteer.pack"));
    Gazetteer::open(pack).expect("the pack was built for this version and tested with it")
});

impl Gazetteer {
    /// The pack embedded in the program, opened on first use.
    pub fn built_in() -> &'static Gazetteer {
        &BUILT_IN
    }

    /// Opens a pack as [`Contents::encode`](crate::pack::Contents::encode) writes it.
    ///
    /// It is read where it lies, for as long as the program runs.
    pub fn open(bytes: &'static [u8]) -> Result<Gazetteer, PackError> {
        let pack = Pack::decode(bytes)?;
        let (child_starts, children) = children_of(&pack);
        Ok(Gazetteer {
            children,
            child_starts,
            by_geonameid: OnceLock::new(),
            parts_of: pack.parts_of.iter().map(PlaceId).collect(),
            streets: PlaceLists::new(pack.streets),
            common_streets: pack.common_streets.iter().collect(),
            seeds: PlaceLists::new(pack.seeds),
            zips: zip::zips_of(&pack),
            pack,
        })
    }

    /// One place.
    ///
    /// An identifier from another pack may name another place, but one that
    /// is out of range is a mistake of the caller and panics.
    pub fn place(&self, id: PlaceId) -> Place<'_> {
        let idx = id.0 as usize;
        let pack = &self.pack;
        let (lat, lon) = pack.coordinates(idx);
        Place {
            id,
            geonameid: pack.geonameids.get(idx),
            name: pack.names.get(idx),
            kind: pack.kind(idx),
            lat,
            lon,
            population: pack.populations.get(idx),
            country: pack.country(idx),
            division: pack.division(idx),
            time_zone: pack.time_zone(idx),
        }
    }

    /// Its GeoNames identifier, without the rest of what [`Gazetteer::place`] looks up.
    pub fn geonameid(&self, id: PlaceId) -> u32 {
        self.pack.geonameids.get(id.0 as usize)
    }

    /// What kind of place it is.
    pub fn kind(&self, id: PlaceId) -> Kind {
        self.pack.kind(id.0 as usize)
    }

    /// Its ISO country code, without the rest of what [`Gazetteer::place`] looks up.
    pub(crate) fn country(&self, id: PlaceId) -> &'static str {
        self.pack.country(id.0 as usize)
    }

    /// Its first-level code.
    pub(crate) fn division(&self, id: PlaceId) -> &'static str {
        self.pack.division(id.0 as usize)
    }

    /// Its people.
    pub(crate) fn population(&self, id: PlaceId) -> u32 {
        self.pack.populations.get(id.0 as usize)
    }

    /// Degrees north and east.
    pub(crate) fn coordinates(&self, id: PlaceId) -> (f32, f32) {
        self.pack.coordinates(id.0 as usize)
    }

    /// Identifiers of all places, most populous first.
    pub(crate) fn ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..).take(self.len()).map(PlaceId)
    }

    /// The place a GeoNames identifier stands for.
    pub fn by_geonameid(&self, geonameid: u32) -> Option<PlaceId> {
        let sorted = self.by_geonameid.get_or_init(|| {
            let mut pairs: Vec<(u32, PlaceId)> = self
                .pack
                .geonameids
                .iter()
                .zip((0..).map(PlaceId))
                .filter(|(geonameid, _)| *geonameid != 0)
                .collect();
            pairs.sort_unstable();
            pairs
        });
        let at = sorted.partition_point(|(known, _)| *known < geonameid);
        let (found, id) = sorted.get(at)?;
        (*found == geonameid).then_some(*id)
    }

    /// What contains it directly.
    pub fn parent(&self, id: PlaceId) -> Option<PlaceId> {
        let parent = self.pack.parents.get(id.0 as usize);
        (parent != NO_PLACE).then_some(PlaceId(parent))
    }

    /// Itself, then everything that contains it, smallest first.
    pub fn chain(&self, id: PlaceId) -> impl Iterator<Item = PlaceId> + '_ {
        std::iter::successors(Some(id), |&inner| self.parent(inner))
    }

    /// What it contains directly, most populous first.
    pub fn children(&self, id: PlaceId) -> &[PlaceId] {
        let idx = id.0 as usize;
        &self.children[self.child_starts[idx] as usize..self.child_starts[idx + 1] as usize]
    }

    /// What it is part of beside its chain: the other states of a river, the region of a country.
    pub fn part_of(&self, id: PlaceId) -> &[PlaceId] {
        let Some(at) = self.pack.part_places.search(id.0) else {
            return &[];
        };
        let starts = self.pack.part_starts;
        &self.parts_of[starts.get(at) as usize..starts.get(at + 1) as usize]
    }

    /// What is part of it beside its children, most populous first: the
    /// countries of a continent, the states of a region.
    pub fn parts(&self, id: PlaceId) -> Vec<PlaceId> {
        let places = self.pack.part_places.iter().map(PlaceId);
        places
            .filter(|&part| self.part_of(part).contains(&id))
            .collect()
    }

    /// Offset of its WordNet 3.1 noun synset: a sign that people outside know it.
    pub fn synset(&self, id: PlaceId) -> Option<u32> {
        let at = self.pack.synset_places.search(id.0)?;
        Some(self.pack.synsets.get(at))
    }

    /// All places with a synset, most populous first.
    pub(crate) fn synsets(&self) -> impl Iterator<Item = PlaceId> + use<> {
        self.pack.synset_places.iter().map(PlaceId)
    }

    /// All cities inside it, at any depth, most populous first; a city holds itself.
    pub fn cities_in(&self, id: PlaceId) -> Vec<PlaceId> {
        let mut cities = Vec::new();
        let mut open = vec![id];
        while let Some(place) = open.pop() {
            if self.kind(place) == Kind::City {
                cities.push(place);
            }
            open.extend_from_slice(self.children(place));
        }
        cities.sort_unstable();
        cities
    }

    /// Every place, most populous first.
    pub fn all(&self) -> impl Iterator<Item = Place<'_>> {
        (0..)
            .take(self.len())
            .map(|position| self.place(PlaceId(position)))
    }

    /// Street names known for a city, e.g. `W 158th St`; empty where we have none.
    ///
    /// A city without a list of its own has its county's.
    pub fn streets(&self, id: PlaceId) -> &[&str] {
        self.chain(id)
            .take_while(|&place| self.kind(place) >= Kind::Division2)
            .map(|place| self.streets.get(place))
            .find(|streets| !streets.is_empty())
            .unwrap_or_default()
    }

    /// Street names found in many US cities, most common first.
    pub fn common_streets(&self) -> &[&str] {
        &self.common_streets
    }

    /// Web addresses of a US city's own sites, to start a crawl from.
    pub fn seeds(&self, id: PlaceId) -> &[&str] {
        self.seeds.get(id)
    }

    /// A US state by its two letters or its name.
    pub fn us_state(&self, state: &str) -> Option<PlaceId> {
        let country = self
            .find("United States")
            .into_iter()
            .find(|&id| self.place(id).country == "US")?;
        let code = state.trim().replace('.', "").to_ascii_uppercase();
        let name = normalise(state);
        self.children(country).iter().copied().find(|&id| {
            let place = self.place(id);
            place.kind == Kind::Division1
                && (place.division == code || normalise(place.name) == name)
        })
    }

    /// A country by its two letters, in any case; `UK` is one too.
    pub fn country_of_code(&self, code: &str) -> Option<PlaceId> {
        if code.len() != 2 {
            return None;
        }
        let code = match code.to_ascii_uppercase() {
            code if code == "UK" => "GB".to_owned(),
            code => code,
        };
        self.ids()
            .find(|&id| self.kind(id) == Kind::Country && self.country(id) == code)
    }

    /// Names close in spelling, best first, for "did you mean".
    pub fn nearest_names(&self, name: &str, n: usize) -> Vec<PlaceId> {
        let near = self.nearest_slips(name, n).into_iter();
        near.map(|(_, id)| id).collect()
    }

    /// The same, each with how many slips away it is.
    pub(crate) fn nearest_slips(&self, name: &str, n: usize) -> Vec<(u8, PlaceId)> {
        spelling::nearest(self, &normalise(name), n)
    }

    /// `Houston, Texas, United States`
    pub fn describe(&self, id: PlaceId) -> String {
        let mut text = String::new();
        for inner in self.chain(id) {
            // A county says little to most readers, a state everything.
            if inner != id && self.kind(inner) == Kind::Division2 {
                continue;
            }
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(self.pack.names.get(inner.0 as usize));
        }
        text
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.pack.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl std::fmt::Debug for Gazetteer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gazetteer")
            .field("n_places", &self.len())
            .finish_non_exhaustive()
    }
}

/// Places grouped under their parents: a counting sort keeps their order.
fn children_of(pack: &Pack) -> (Vec<u32>, Vec<PlaceId>) {
    let mut starts = vec![0_u32; pack.len() + 1];
    let inside = || pack.parents.iter().filter(|&parent| parent != NO_PLACE);
    for parent in inside() {
        starts[parent as usize + 1] += 1;
    }
    for idx in 1..starts.len() {
        starts[idx] += starts[idx - 1];
    }
    let mut next = starts.clone();
    let mut children = vec![PlaceId(NO_PLACE); inside().count()];
    for (child, parent) in (0..).map(PlaceId).zip(pack.parents.iter()) {
        if parent != NO_PLACE {
            let slot = &mut next[parent as usize];
            children[*slot as usize] = child;
            *slot += 1;
        }
    }
    (starts, children)
}

/// Lists of strings that belong to some places.
struct PlaceLists {
    lists: Lists,
    texts: Vec<&'static str>,
}

impl PlaceLists {
    fn new(lists: Lists) -> PlaceLists {
        PlaceLists {
            lists,
            texts: lists.texts.iter().collect(),
        }
    }

    fn get(&self, id: PlaceId) -> &[&'static str] {
        let Lists { places, starts, .. } = self.lists;
        match places.search(id.0) {
            Some(at) => &self.texts[starts.get(at) as usize..starts.get(at + 1) as usize],
            None => &[],
        }
    }
}

#[cfg(test)]
mod tests;
