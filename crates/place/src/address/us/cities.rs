//! Every name a US city has in addresses, by state.

use super::words;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::names::normalise;
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Names of cities from the gazetteer and the post.
pub(super) struct Cities {
    /// By [`key`]; the place where it is one of the gazetteer.
    places: HashMap<u64, Option<PlaceId>>,
    /// By code, ascending.
    zips: Vec<ZipNames>,
    /// Keys of the names of all ZIP codes, one after the other.
    zip_keys: Vec<u64>,
}

/// What an address must agree with, and where it lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZipNames {
    code: u32,
    pub(super) state: &'static str,
    pub(super) place: Option<PlaceId>,
    pub(super) lat: f32,
    pub(super) lon: f32,
    /// Its first key; the last one is before the next code's first.
    start: usize,
}

/// Equal for spellings of one city's name in one state.
pub(super) fn key(name: &str, state: &str) -> u64 {
    let normal = normalise(name);
    let mut expanded = String::with_capacity(normal.len() + 8);
    for word in normal.split(' ') {
        expanded.push_str(words::city_word(word));
        // Without spaces: `La Porte` is also written `LaPorte`.
    }
    let seed = state
        .bytes()
        .fold(0, |seed, byte| seed << 8 | u64::from(byte));
    xxh3_64_with_seed(expanded.as_bytes(), seed)
}

impl Cities {
    pub(super) fn new(gazetteer: &Gazetteer) -> Cities {
        let mut places: HashMap<u64, Option<PlaceId>> = HashMap::with_capacity(1 << 17);
        for (name, ids) in gazetteer.all_names() {
            for id in ids {
                let place = gazetteer.place(id);
                let state = match place.country {
                    "US" => place.division,
                    // GeoNames files Puerto Rico as a country, the post as a state.
                    "PR" => "PR",
                    _ => continue,
                };
                // A name that only the post knows is met below, with its ZIP code's city.
                if place.kind == Kind::City && place.population > 0 {
                    // Ascending identifiers are descending populations.
                    let known = places.entry(key(&name, state)).or_insert(Some(id));
                    if known.is_none_or(|known| id < known) {
                        *known = Some(id);
                    }
                }
            }
        }
        let mut zips = Vec::new();
        let mut zip_keys = Vec::new();
        for area in gazetteer.zip_areas() {
            let Some(state) = words::state_by_code(area.state) else {
                continue;
            };
            zips.push(ZipNames {
                code: area.code,
                state,
                place: area.place,
                lat: area.lat,
                lon: area.lon,
                start: zip_keys.len(),
            });
            for name in area.names() {
                let key = key(name, state);
                zip_keys.push(key);
                // Quarters and villages lie in their ZIP code's city.
                let place = places.entry(key).or_insert(area.place);
                *place = place.or(area.place);
            }
        }
        Cities {
            places,
            zips,
            zip_keys,
        }
    }

    /// Whether a state has a city of that key, and which place that is.
    pub(super) fn get(&self, key: u64) -> Option<Option<PlaceId>> {
        self.places.get(&key).copied()
    }

    pub(super) fn zip(&self, digits: &str) -> Option<(usize, &ZipNames)> {
        let code: u32 = digits.get(..5)?.parse().ok()?;
        let idx = self.zips.binary_search_by_key(&code, |zip| zip.code).ok()?;
        Some((idx, &self.zips[idx]))
    }

    /// Whether addresses of the ZIP code have a city of that key.
    pub(super) fn zip_has(&self, zip_idx: usize, key: u64) -> bool {
        let start = self.zips[zip_idx].start;
        let end = self
            .zips
            .get(zip_idx + 1)
            .map_or(self.zip_keys.len(), |next| next.start);
        self.zip_keys[start..end].contains(&key)
    }
}
