//! The gazetteer: every place we know, by name and by hierarchy.
//!
//! A [`PlaceId`] is a position in the pack, and the pack is sorted by
//! population: of two identifiers the smaller one is the larger place, so
//! every list of places comes most populous first without being sorted again.
//!
//! The bytes are `pack.rs`; what counts as the same name is `names.rs`.

mod postcode;
mod spelling;

use crate::names::normalise;
use crate::pack::{Lists, NO_PLACE, Pack, PackError, Strings};
pub use postcode::Postcode;
use std::sync::{LazyLock, OnceLock};

/// A place's position in the pack; stable for one pack only (store `geonameid` on disk).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

/// What kind of place, largest first; what is no step of the hierarchy comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A continent.
    Continent,
    /// A sovereign country or dependency.
    Country,
    /// State, province, Land.
    Division1,
    /// County, district, Kreis.
    Division2,
    /// Populated place.
    City,
    /// Part of a city: Harlem, Altona.
    Section,
    /// Region without a government of its own: New England, the Balkans.
    Region,
    /// An island or a group of them.
    Island,
    /// Mountain, range, desert, valley, cape.
    Mountain,
    /// River, lake, sea, bay.
    Water,
    /// Something built or set apart: a park, a monument, a battlefield.
    Landmark,
}

impl Kind {
    /// Every kind, by its number in the pack.
    pub(crate) const ALL: [Kind; 11] = [
        Kind::Country,
        Kind::Division1,
        Kind::Division2,
        Kind::City,
        Kind::Continent,
        Kind::Section,
        Kind::Region,
        Kind::Island,
        Kind::Mountain,
        Kind::Water,
        Kind::Landmark,
    ];

    /// The word that listings and JSON show, e.g. `city`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Continent => "continent",
            Kind::Country => "country",
            Kind::Division1 => "state",
            Kind::Division2 => "county",
            Kind::City => "city",
            Kind::Section => "section",
            Kind::Region => "region",
            Kind::Island => "island",
            Kind::Mountain => "mountain",
            Kind::Water => "water",
            Kind::Landmark => "landmark",
        }
    }
}

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
    /// Degrees north; of a division or country, the mean over its people.
    pub lat: f32,
    /// Degrees east; of a division or country, the mean over its people.
    pub lon: f32,
    /// People, zero where unknown; of a division, the sum over its known cities.
    pub population: u32,
    /// ISO country code.
    pub country: &'g str,
    /// First-level code: for the US the two-letter state.
    pub division: &'g str,
    /// IANA time zone, empty for divisions and countries.
    pub time_zone: &'g str,
}

/// A US postal code and the middle of its area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zip {
    /// The five digits as a number: `00501` is 501.
    pub code: u32,
    /// The city it belongs to.
    pub city: PlaceId,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
}

/// The area of a US ZIP code and what its addresses call their city.
#[derive(Clone, Copy)]
pub struct ZipArea<'g> {
    /// The five digits as a number.
    pub code: u32,
    /// Two letters of the state, territory or military region.
    pub state: &'g str,
    /// Its city, where that is a place of the pack.
    pub place: Option<PlaceId>,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
    name_idxs: &'g [u32],
    names: &'g Strings,
}

impl<'g> ZipArea<'g> {
    /// Cities in its addresses: the post's own name first, then others in use.
    pub fn names(&self) -> impl Iterator<Item = &'g str> + use<'g> {
        let names = self.names;
        self.name_idxs
            .iter()
            .map(move |&idx| names.get(idx as usize))
    }
}

impl std::fmt::Debug for ZipArea<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:05} {}", self.code, self.state)
    }
}

/// All places, opened from a data pack.
///
/// Opening one keeps its street and seed lists in memory for the rest of the
/// program's life, even if it is dropped: open few.
pub struct Gazetteer {
    pack: Pack,
    children: Vec<PlaceId>,
    /// Children of place i lie at `child_starts[i]..child_starts[i + 1]`.
    child_starts: Vec<u32>,
    by_geonameid: OnceLock<Vec<(u32, PlaceId)>>,
    streets: PlaceLists,
    common_streets: Vec<&'static str>,
    seeds: PlaceLists,
    /// Sorted by city, then code.
    zips: Vec<Zip>,
}

static BUILT_IN: LazyLock<Gazetteer> = LazyLock::new(|| {
    let frame = include_bytes!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/gazetteer.pack.zst"
    ));
    Gazetteer::open(frame).expect("the pack was built for this version and tested with it")
});

impl Gazetteer {
    /// The pack embedded in the program, opened on first use.
    pub fn built_in() -> &'static Gazetteer {
        &BUILT_IN
    }

    /// Opens a compressed pack.
    pub fn open(frame: &[u8]) -> Result<Gazetteer, PackError> {
        let mut pack = Pack::decode_compressed(frame)?;
        let (child_starts, children) = children_of(&pack.parents);
        let zips = zips_of(&pack);
        Ok(Gazetteer {
            children,
            child_starts,
            by_geonameid: OnceLock::new(),
            streets: PlaceLists::new(std::mem::take(&mut pack.streets)),
            common_streets: std::mem::take(&mut pack.common_streets).leak(),
            seeds: PlaceLists::new(std::mem::take(&mut pack.seeds)),
            zips,
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
        Place {
            id,
            geonameid: pack.geonameids[idx],
            name: pack.names.get(idx),
            kind: pack.kinds[idx],
            lat: pack.lats[idx],
            lon: pack.lons[idx],
            population: pack.populations[idx],
            country: pack.codes.get(usize::from(pack.countries[idx])),
            division: pack.codes.get(usize::from(pack.divisions[idx])),
            time_zone: pack.codes.get(usize::from(pack.zones[idx])),
        }
    }

    /// Places of this name or alias, most populous first; case and accents do not matter.
    pub fn find(&self, name: &str) -> Vec<PlaceId> {
        match self.pack.keys.get(normalise(name)) {
            Some(key) => self.postings(key).iter().copied().map(PlaceId).collect(),
            None => Vec::new(),
        }
    }

    /// Every name and alias in normal form, with its places, most populous first.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = (String, Vec<PlaceId>)> + '_ {
        let mut stream = self.pack.keys.stream();
        std::iter::from_fn(move || {
            let (name, key) = fst::Streamer::next(&mut stream)?;
            let name = String::from_utf8_lossy(name).into_owned();
            let ids = self.postings(key).iter().copied().map(PlaceId);
            Some((name, ids.collect()))
        })
    }

    fn postings(&self, key: u64) -> &[u32] {
        let starts = &self.pack.posting_starts;
        let bounds = usize::try_from(key)
            .ok()
            .and_then(|key| starts.get(key..=key + 1));
        match bounds {
            Some(&[start, end]) => &self.pack.postings[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The place a GeoNames identifier stands for.
    pub fn by_geonameid(&self, geonameid: u32) -> Option<PlaceId> {
        let sorted = self.by_geonameid.get_or_init(|| {
            let mut pairs: Vec<(u32, PlaceId)> = self
                .pack
                .geonameids
                .iter()
                .copied()
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
        let parent = self.pack.parents[id.0 as usize];
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

    /// All cities inside it, at any depth, most populous first; a city holds itself.
    pub fn cities_in(&self, id: PlaceId) -> Vec<PlaceId> {
        let mut cities = Vec::new();
        let mut open = vec![id];
        while let Some(place) = open.pop() {
            if self.pack.kinds[place.0 as usize] == Kind::City {
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
            .take_while(|&place| self.pack.kinds[place.0 as usize] >= Kind::Division2)
            .map(|place| self.streets.get(place))
            .find(|streets| !streets.is_empty())
            .unwrap_or_default()
    }

    /// Street names found in many US cities, most common first.
    pub fn common_streets(&self) -> &[&str] {
        &self.common_streets
    }

    /// ZIP codes of a US city, ascending.
    pub fn zips(&self, id: PlaceId) -> &[Zip] {
        let start = self.zips.partition_point(|zip| zip.city < id);
        let end = self.zips.partition_point(|zip| zip.city <= id);
        &self.zips[start..end]
    }

    /// What is known of a ZIP code with a known city, given by its five digits (`02134`, also `02134-1000`).
    pub fn zip(&self, digits: &str) -> Option<Zip> {
        let area = self.zip_area(zip_code(digits)?)?;
        Some(Zip {
            code: area.code,
            city: area.place?,
            lat: area.lat,
            lon: area.lon,
        })
    }

    /// The area of a ZIP code, also where its city is no place of the pack.
    pub fn zip_area(&self, code: u32) -> Option<ZipArea<'_>> {
        let idx = self.pack.zip_codes.binary_search(&code).ok()?;
        Some(self.zip_area_at(idx))
    }

    /// All ZIP codes, ascending.
    pub fn zip_areas(&self) -> impl Iterator<Item = ZipArea<'_>> {
        (0..self.pack.zip_codes.len()).map(|idx| self.zip_area_at(idx))
    }

    fn zip_area_at(&self, idx: usize) -> ZipArea<'_> {
        let pack = &self.pack;
        let place = pack.zip_cities[idx];
        let names = pack.zip_name_starts[idx] as usize..pack.zip_name_starts[idx + 1] as usize;
        ZipArea {
            code: pack.zip_codes[idx],
            state: pack.state_codes.get(usize::from(pack.zip_states[idx])),
            place: (place != NO_PLACE).then_some(PlaceId(place)),
            lat: pack.zip_lats[idx],
            lon: pack.zip_lons[idx],
            name_idxs: &pack.zip_name_idxs[names],
            names: &pack.zip_names,
        }
    }

    /// The city a ZIP code belongs to.
    pub fn city_of_zip(&self, digits: &str) -> Option<PlaceId> {
        self.zip(digits).map(|zip| zip.city)
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

    /// Names close in spelling, best first, for "did you mean".
    pub fn nearest_names(&self, name: &str, n: usize) -> Vec<PlaceId> {
        spelling::nearest(self, &normalise(name), n)
    }

    /// `Houston, Texas, United States`
    pub fn describe(&self, id: PlaceId) -> String {
        let mut text = String::new();
        for inner in self.chain(id) {
            // A county says little to most readers, a state everything.
            if inner != id && self.pack.kinds[inner.0 as usize] == Kind::Division2 {
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
        self.pack.kinds.len()
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

/// `02134` or `02134-1000` as the number 2134.
fn zip_code(digits: &str) -> Option<u32> {
    let (five, rest) = digits.trim().split_at_checked(5)?;
    let plain = five.bytes().all(|byte| byte.is_ascii_digit())
        && (rest.is_empty() || rest.starts_with('-'));
    plain.then(|| five.parse().ok())?
}

/// Places grouped under their parents: a counting sort keeps their order.
fn children_of(parents: &[u32]) -> (Vec<u32>, Vec<PlaceId>) {
    let mut starts = vec![0_u32; parents.len() + 1];
    let inside = || parents.iter().filter(|&&parent| parent != NO_PLACE);
    for &parent in inside() {
        starts[parent as usize + 1] += 1;
    }
    for idx in 1..starts.len() {
        starts[idx] += starts[idx - 1];
    }
    let mut next = starts.clone();
    let mut children = vec![PlaceId(NO_PLACE); inside().count()];
    for (child, &parent) in (0..).map(PlaceId).zip(parents) {
        if parent != NO_PLACE {
            let slot = &mut next[parent as usize];
            children[*slot as usize] = child;
            *slot += 1;
        }
    }
    (starts, children)
}

/// ZIP codes with a known city, by city, then code.
fn zips_of(pack: &Pack) -> Vec<Zip> {
    let known = |idx: &usize| pack.zip_cities[*idx] != NO_PLACE;
    let mut zips: Vec<Zip> = (0..pack.zip_codes.len())
        .filter(known)
        .map(|idx| Zip {
            code: pack.zip_codes[idx],
            city: PlaceId(pack.zip_cities[idx]),
            lat: pack.zip_lats[idx],
            lon: pack.zip_lons[idx],
        })
        .collect();
    zips.sort_by_key(|zip| (zip.city, zip.code));
    zips
}

/// Lists of strings that belong to some places.
struct PlaceLists {
    places: Vec<u32>,
    starts: Vec<u32>,
    texts: Vec<&'static str>,
}

impl PlaceLists {
    fn new(lists: Lists) -> PlaceLists {
        PlaceLists {
            places: lists.places,
            starts: lists.starts,
            texts: lists.texts.leak(),
        }
    }

    fn get(&self, id: PlaceId) -> &[&'static str] {
        match self.places.binary_search(&id.0) {
            Ok(at) => &self.texts[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests;
