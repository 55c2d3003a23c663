//! The data pack: how a gazetteer is laid out in bytes.
//!
//! A pack is a header and named sections. The header holds a magic number, a
//! version, a checksum over all that follows it, and the sections' tags and
//! lengths. A section is a column of fixed-width numbers or a list of
//! strings; numbers are little-endian and stored byte plane by byte plane
//! (all lowest bytes first), which zstd likes much better than rows. Names
//! are found through an `fst` map from their normal form to a key number, by
//! which the postings are counted out.
//!
//! [`Contents::encode`] writes what `Pack::decode` reads; nobody else knows
//! the layout. Where the facts come from is the affair of `cargo xtask pack`.

mod postcodes;
mod section;

use crate::gazetteer::Kind;
use fst::{Map, MapBuilder};
pub use postcodes::PostcodeRow;
use postcodes::Postcodes;
pub(crate) use section::Strings;
use section::{Reader, Writer};
use std::collections::BTreeMap;

/// Stands in the parent column for "nothing contains it".
pub(crate) const NO_PLACE: u32 = u32::MAX;

/// Stands in a code column for "the same as what contains it".
const INHERITED: u16 = u16::MAX;

/// Coordinates are stored in ten-thousandths of a degree: eleven metres.
const COORDINATE_SCALE: f64 = 10_000.0;

/// Why bytes are not a pack this program can read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PackError {
    /// The compressed frame is damaged.
    #[error("data pack cannot be decompressed: {reason}")]
    Compression {
        /// What the decompressor said.
        reason: String,
    },
    /// These bytes are something else.
    #[error("not a data pack")]
    Magic,
    /// Written by another version of the program.
    #[error("data pack has version {found}, this program reads version {expected}")]
    Version {
        /// The pack's version.
        found: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// Bytes are missing or changed.
    #[error("data pack is damaged (checksum)")]
    Checksum,
    /// A section is absent, too short, or contradicts another one.
    #[error("data pack is damaged in section `{section}`")]
    Section {
        /// The section's tag.
        section: &'static str,
    },
}

/// One place as the builder of a pack knows it.
#[derive(Debug, Clone)]
pub struct PlaceRow {
    /// GeoNames identifier, zero where there is none.
    pub geonameid: u32,
    /// Usual name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
    /// People, zero where unknown.
    pub population: u32,
    /// ISO country code.
    pub country: String,
    /// First-level code.
    pub division: String,
    /// IANA time zone, empty for divisions and countries.
    pub time_zone: String,
    /// Position of the place that contains it, of a larger kind.
    pub parent: Option<u32>,
}

/// One ZIP code as the builder of a pack knows it.
#[derive(Debug, Clone)]
pub struct ZipRow {
    /// The five digits as a number.
    pub code: u32,
    /// Position of its city, where that is a place of the pack.
    pub city: Option<u32>,
    /// Two letters of its state, territory or military region.
    pub state: String,
    /// Names of cities in its addresses, the post's own first.
    pub names: Vec<String>,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

/// Everything that goes into a pack.
///
/// Places come most populous first: their position is their
/// [`PlaceId`](crate::gazetteer::PlaceId), and every list of positions is
/// therefore sorted by population.
#[derive(Debug, Default)]
pub struct Contents {
    /// All places, most populous first.
    pub places: Vec<PlaceRow>,
    /// Normal form of a name to ascending positions of the places it names.
    pub names: BTreeMap<String, Vec<u32>>,
    /// Street names by position of a city or county.
    pub streets: BTreeMap<u32, Vec<String>>,
    /// Street names common everywhere in the US, most common first.
    pub common_streets: Vec<String>,
    /// ZIP codes.
    pub zips: Vec<ZipRow>,
    /// Postal codes of countries other than the US.
    pub postcodes: Vec<PostcodeRow>,
    /// Web addresses to start a crawl from, by position of a city.
    pub seeds: BTreeMap<u32, Vec<String>>,
}

impl Contents {
    /// The pack's bytes, not yet compressed. The same contents give the same bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.encode_places(&mut writer);
        self.encode_names(&mut writer);
        encode_lists(
            &mut writer,
            "st_place",
            "st_count",
            "streets",
            &self.streets,
        );
        writer.strings("common", self.common_streets.iter().map(String::as_str));
        self.encode_zips(&mut writer);
        postcodes::encode(&mut writer, &self.postcodes);
        encode_lists(&mut writer, "sd_place", "sd_count", "seeds", &self.seeds);
        writer.finish()
    }

    fn encode_places(&self, writer: &mut Writer) {
        let places = &self.places;
        let codes: Vec<&str> = {
            let mut codes: Vec<&str> = places
                .iter()
                .flat_map(|place| [&place.country, &place.division, &place.time_zone])
                .map(String::as_str)
                .collect();
            codes.sort_unstable();
            codes.dedup();
            codes
        };
        let code_idx = |code: &str| {
            let idx = codes
                .binary_search(&code)
                .expect("every code was collected above");
            u16::try_from(idx).expect("GeoNames has far fewer than 65,536 different codes")
        };
        let inherited = |place: &PlaceRow, code: fn(&PlaceRow) -> &String| {
            let parent = place.parent.map(|parent| &places[parent as usize]);
            match parent {
                Some(parent) if code(parent) == code(place) => INHERITED,
                _ => code_idx(code(place)),
            }
        };
        writer.strings("codes", codes.iter().copied());
        writer.strings("names", places.iter().map(|place| place.name.as_str()));
        writer.bytes(
            "kind",
            places.iter().map(|place| kind_number(place.kind)).collect(),
        );
        writer.u32s("geonames", places.iter().map(|place| place.geonameid));
        writer.u32s("lat", places.iter().map(|place| fixed_point(place.lat)));
        writer.u32s("lon", places.iter().map(|place| fixed_point(place.lon)));
        writer.u32s("people", places.iter().map(|place| place.population));
        writer.u32s(
            "parent",
            places.iter().map(|place| place.parent.unwrap_or(NO_PLACE)),
        );
        writer.u16s(
            "country",
            places
                .iter()
                .map(|place| inherited(place, |row| &row.country)),
        );
        writer.u16s(
            "division",
            places
                .iter()
                .map(|place| inherited(place, |row| &row.division)),
        );
        writer.u16s(
            "zone",
            places.iter().map(|place| code_idx(&place.time_zone)),
        );
    }

    fn encode_zips(&self, writer: &mut Writer) {
        let mut zips: Vec<&ZipRow> = self.zips.iter().collect();
        zips.sort_by_key(|zip| zip.code);
        let distinct = |texts: &mut Vec<&str>| {
            texts.sort_unstable();
            texts.dedup();
        };
        let mut states: Vec<&str> = zips.iter().map(|zip| zip.state.as_str()).collect();
        distinct(&mut states);
        let mut names: Vec<&str> = zips
            .iter()
            .flat_map(|zip| &zip.names)
            .map(String::as_str)
            .collect();
        distinct(&mut names);
        let name_idx = |name: &String| {
            let idx = names.binary_search(&name.as_str());
            u32::try_from(idx.expect("every name was collected above")).expect("a few ten thousand")
        };
        let state_idx = |state: &str| {
            let idx = states.binary_search(&state);
            u16::try_from(idx.expect("every state was collected above")).expect("some sixty states")
        };
        let n_names = |zip: &&ZipRow| u16::try_from(zip.names.len()).expect("a few names each");
        writer.u32s("zip_code", zips.iter().map(|zip| zip.code));
        let city = |zip: &&ZipRow| zip.city.unwrap_or(NO_PLACE);
        writer.u32s("zip_city", zips.iter().map(city));
        writer.u32s("zip_lat", zips.iter().map(|zip| fixed_point(zip.lat)));
        writer.u32s("zip_lon", zips.iter().map(|zip| fixed_point(zip.lon)));
        writer.u16s("zip_state", zips.iter().map(|zip| state_idx(&zip.state)));
        writer.u16s("zip_count", zips.iter().map(n_names));
        writer.u32s(
            "zip_name",
            zips.iter().flat_map(|zip| &zip.names).map(name_idx),
        );
        writer.strings("zip_states", states.into_iter());
        writer.strings("zip_names", names.into_iter());
    }

    fn encode_names(&self, writer: &mut Writer) {
        let mut builder = MapBuilder::memory();
        for (number, key) in (0..).zip(self.names.keys()) {
            builder
                .insert(key, number)
                .expect("a BTreeMap's keys ascend");
        }
        let keys = builder
            .into_inner()
            .expect("writing to memory does not fail");
        writer.bytes("keys", keys);
        let count = |positions: &Vec<u32>| {
            u16::try_from(positions.len()).expect("no name is shared by 65,536 places")
        };
        writer.u16s("key_count", self.names.values().map(count));
        writer.u32s("postings", self.names.values().flatten().copied());
    }
}

fn encode_lists(
    writer: &mut Writer,
    place_tag: &'static str,
    count_tag: &'static str,
    text_tag: &'static str,
    lists: &BTreeMap<u32, Vec<String>>,
) {
    let count = |list: &Vec<String>| u32::try_from(list.len()).expect("lists are short");
    writer.u32s(place_tag, lists.keys().copied());
    writer.u32s(count_tag, lists.values().map(count));
    writer.strings(text_tag, lists.values().flatten().map(String::as_str));
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "degrees times 10,000 fit an i32"
)]
fn fixed_point(degrees: f64) -> u32 {
    ((degrees * COORDINATE_SCALE).round() as i32).cast_unsigned()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "f32 holds a coordinate to a metre"
)]
fn degrees(fixed_point: u32) -> f32 {
    (f64::from(fixed_point.cast_signed()) / COORDINATE_SCALE) as f32
}

/// A decoded and checked pack, in memory.
pub(crate) struct Pack {
    pub(crate) codes: Strings,
    pub(crate) names: Strings,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) geonameids: Vec<u32>,
    pub(crate) lats: Vec<f32>,
    pub(crate) lons: Vec<f32>,
    pub(crate) populations: Vec<u32>,
    pub(crate) parents: Vec<u32>,
    pub(crate) countries: Vec<u16>,
    pub(crate) divisions: Vec<u16>,
    pub(crate) zones: Vec<u16>,
    pub(crate) keys: Map<Vec<u8>>,
    /// Postings of key k lie at `posting_starts[k]..posting_starts[k + 1]`.
    pub(crate) posting_starts: Vec<u32>,
    pub(crate) postings: Vec<u32>,
    pub(crate) streets: Lists,
    pub(crate) common_streets: Strings,
    pub(crate) zip_codes: Vec<u32>,
    pub(crate) zip_cities: Vec<u32>,
    pub(crate) zip_lats: Vec<f32>,
    pub(crate) zip_lons: Vec<f32>,
    pub(crate) zip_states: Vec<u16>,
    /// Names of ZIP i lie at `zip_name_starts[i]..zip_name_starts[i + 1]`.
    pub(crate) zip_name_starts: Vec<u32>,
    pub(crate) zip_name_idxs: Vec<u32>,
    pub(crate) state_codes: Strings,
    pub(crate) zip_names: Strings,
    pub(crate) postcodes: Postcodes,
    pub(crate) seeds: Lists,
}

/// Lists of strings that belong to some places.
#[derive(Default)]
pub(crate) struct Lists {
    /// Ascending.
    pub(crate) places: Vec<u32>,
    /// The list of `places[i]` lies at `starts[i]..starts[i + 1]`.
    pub(crate) starts: Vec<u32>,
    pub(crate) texts: Strings,
}

impl Pack {
    /// Decompresses, reads and checks a pack.
    pub(crate) fn decode_compressed(frame: &[u8]) -> Result<Pack, PackError> {
        Pack::decode(&section::decompress(frame)?)
    }

    /// Reads and checks a pack; afterwards every position in it is valid.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Pack, PackError> {
        let reader = Reader::open(bytes)?;
        let kinds = kinds(reader.bytes("kind")?)?;
        let mut pack = Pack {
            codes: reader.strings("codes")?,
            names: reader.strings("names")?,
            postcodes: Postcodes::decode(&reader, kinds.len())?,
            kinds,
            geonameids: reader.u32s("geonames")?,
            lats: reader.u32s("lat")?.into_iter().map(degrees).collect(),
            lons: reader.u32s("lon")?.into_iter().map(degrees).collect(),
            populations: reader.u32s("people")?,
            parents: reader.u32s("parent")?,
            countries: reader.u16s("country")?,
            divisions: reader.u16s("division")?,
            zones: reader.u16s("zone")?,
            keys: Map::new(reader.bytes("keys")?.to_vec())
                .map_err(|_| PackError::Section { section: "keys" })?,
            posting_starts: starts(
                "key_count",
                reader.u16s("key_count")?.into_iter().map(u32::from),
            )?,
            postings: reader.u32s("postings")?,
            streets: reader.lists("st_place", "st_count", "streets")?,
            common_streets: reader.strings("common")?,
            zip_codes: reader.u32s("zip_code")?,
            zip_cities: reader.u32s("zip_city")?,
            zip_lats: reader.u32s("zip_lat")?.into_iter().map(degrees).collect(),
            zip_lons: reader.u32s("zip_lon")?.into_iter().map(degrees).collect(),
            zip_states: reader.u16s("zip_state")?,
            zip_name_starts: starts(
                "zip_count",
                reader.u16s("zip_count")?.into_iter().map(u32::from),
            )?,
            zip_name_idxs: reader.u32s("zip_name")?,
            state_codes: reader.strings("zip_states")?,
            zip_names: reader.strings("zip_names")?,
            seeds: reader.lists("sd_place", "sd_count", "seeds")?,
        };
        pack.check()?;
        for column in [&mut pack.countries, &mut pack.divisions] {
            inherit(column, &pack.parents);
        }
        Ok(pack)
    }

    fn check(&self) -> Result<(), PackError> {
        let n_places = self.kinds.len();
        let known = |positions: &[u32]| positions.iter().all(|&id| (id as usize) < n_places);
        let code = |idx: u16| usize::from(idx) < self.codes.len();
        let coded = |column: &[u16]| column.iter().all(|&idx| code(idx));
        let coded_or_inherited = |column: &[u16]| {
            let mut pairs = column.iter().zip(&self.parents);
            pairs.all(|(&idx, &parent)| code(idx) || (idx == INHERITED && parent != NO_PLACE))
        };
        let ascending = |column: &[u32]| column.is_sorted_by(|a, b| a < b);
        let n_postings = self.posting_starts.last().copied().unwrap_or(0) as usize;
        let checks = [
            ("names", self.names.len() == n_places),
            ("geonames", self.geonameids.len() == n_places),
            ("lat", self.lats.len() == n_places),
            ("lon", self.lons.len() == n_places),
            (
                "people",
                self.populations.len() == n_places && self.populations.is_sorted_by(|a, b| a >= b),
            ),
            (
                "parent",
                self.parents.len() == n_places && self.parents_are_larger(),
            ),
            (
                "country",
                self.countries.len() == n_places && coded_or_inherited(&self.countries),
            ),
            (
                "division",
                self.divisions.len() == n_places && coded_or_inherited(&self.divisions),
            ),
            ("zone", self.zones.len() == n_places && coded(&self.zones)),
            ("keys", self.keys.len() + 1 == self.posting_starts.len()),
            (
                "postings",
                self.postings.len() == n_postings && known(&self.postings),
            ),
            (
                "st_place",
                ascending(&self.streets.places) && known(&self.streets.places),
            ),
            (
                "sd_place",
                ascending(&self.seeds.places) && known(&self.seeds.places),
            ),
            (
                "zip_code",
                self.zip_codes.len() == self.zip_cities.len() && ascending(&self.zip_codes),
            ),
            (
                "zip_city",
                self.zip_cities
                    .iter()
                    .all(|&id| id == NO_PLACE || (id as usize) < n_places),
            ),
            (
                "zip_state",
                self.zip_states.len() == self.zip_codes.len()
                    && self
                        .zip_states
                        .iter()
                        .all(|&idx| usize::from(idx) < self.state_codes.len()),
            ),
            (
                "zip_count",
                self.zip_name_starts.len() == self.zip_codes.len() + 1,
            ),
            (
                "zip_name",
                self.zip_name_starts.last().map(|&end| end as usize)
                    == Some(self.zip_name_idxs.len())
                    && self
                        .zip_name_idxs
                        .iter()
                        .all(|&idx| (idx as usize) < self.zip_names.len()),
            ),
            ("zip_lat", self.zip_lats.len() == self.zip_codes.len()),
            ("zip_lon", self.zip_lons.len() == self.zip_codes.len()),
        ];
        match checks.into_iter().find(|(_, sound)| !sound) {
            Some((section, _)) => Err(PackError::Section { section }),
            None => Ok(()),
        }
    }

    /// A larger kind each step up: so no chain of parents can run in a circle.
    fn parents_are_larger(&self) -> bool {
        self.parents
            .iter()
            .zip(&self.kinds)
            .all(|(&parent, &kind)| {
                parent == NO_PLACE
                    || self
                        .kinds
                        .get(parent as usize)
                        .is_some_and(|&larger| (larger as u8) < kind as u8)
            })
    }
}

/// Replaces inherited codes by what the nearest larger place has.
fn inherit(column: &mut [u16], parents: &[u32]) {
    for idx in 0..column.len() {
        let mut from = idx;
        while column[from] == INHERITED {
            from = parents[from] as usize;
        }
        column[idx] = column[from];
    }
}

fn kind_number(kind: Kind) -> u8 {
    let number = Kind::ALL.iter().position(|&known| known == kind);
    u8::try_from(number.expect("all kinds are listed")).expect("a dozen kinds")
}

fn kinds(bytes: &[u8]) -> Result<Vec<Kind>, PackError> {
    let kind = |&byte: &u8| Kind::ALL.get(usize::from(byte)).copied();
    bytes
        .iter()
        .map(kind)
        .collect::<Option<_>>()
        .ok_or(PackError::Section { section: "kind" })
}

/// Where each list starts when the lists lie one after the other, and the end.
fn starts(section: &'static str, counts: impl Iterator<Item = u32>) -> Result<Vec<u32>, PackError> {
    let mut starts = vec![0];
    let mut end = 0_u32;
    for count in counts {
        end = end
            .checked_add(count)
            .ok_or(PackError::Section { section })?;
        starts.push(end);
    }
    Ok(starts)
}

#[cfg(test)]
mod tests;
