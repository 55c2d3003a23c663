//! Every name a US city has in addresses, by state.

use super::super::keys::{KeyMap, Letters};
use super::words;
use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};
use crate::names::{normalise, written_out};

/// In the table of codes, for "no such code".
const NO_ZIP: u32 = u32::MAX;

/// Names of cities from the gazetteer and the post.
pub(super) struct Cities {
    /// By [`key`]; the place where it is one of the gazetteer.
    places: KeyMap<Option<PlaceId>>,
    /// By code, ascending.
    zips: Vec<ZipNames>,
    /// Position in `zips` by code.
    zip_idxs: Vec<u32>,
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
    let words = normal.split(' ').map(expanded);
    words.fold(Letters::EMPTY, Letters::then).key(state)
}

/// A word of a city's name in capitals, as part of a [`key`]; the last one is never a saint.
pub(super) fn letters(word: &str, is_last: bool) -> Letters {
    let mut small = [0; 16];
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if plain && let Some(small) = small.get_mut(..word.len()) {
        small.copy_from_slice(word.as_bytes());
        small.make_ascii_lowercase();
        let word = str::from_utf8(small).unwrap_or_default();
        return expanded(if is_last { word } else { written_out(word) });
    }
    let normal = normalise(word);
    let n_words = normal.split(' ').count();
    let words = normal.split(' ').enumerate().map(|(idx, word)| {
        let is_last = is_last && idx + 1 == n_words;
        expanded(if is_last { word } else { written_out(word) })
    });
    words.fold(Letters::EMPTY, Letters::then)
}

/// Without spaces between the words: `La Porte` is also written `LaPorte`.
fn expanded(word: &str) -> Letters {
    Letters::of(words::city_word(word).as_bytes())
}

impl Cities {
    pub(super) fn new(gazetteer: &Gazetteer) -> Cities {
        let mut places = KeyMap::with_capacity_and_hasher(1 << 17, Default::default());
        gazetteer.visit_names(|name, bearers| {
            for &(id, role) in bearers {
                // A name that only the post knows is met below, with its ZIP code's city.
                let is_city = gazetteer.kind(id) == Kind::City && gazetteer.population(id) > 0;
                if role == Role::Demonym || !is_city {
                    continue;
                }
                let state = match gazetteer.country(id) {
                    "US" => gazetteer.division(id),
                    // GeoNames files Puerto Rico as a country, the post as a state.
                    "PR" => "PR",
                    _ => continue,
                };
                // Ascending identifiers are descending populations.
                let known = places.entry(key(name, state)).or_insert(Some(id));
                if known.is_none_or(|known| id < known) {
                    *known = Some(id);
                }
            }
        });
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
        let mut zip_idxs = vec![NO_ZIP; 100_000];
        for (idx, zip) in (0..).zip(&zips) {
            if let Some(slot) = zip_idxs.get_mut(zip.code as usize) {
                *slot = idx;
            }
        }
        Cities {
            places,
            zips,
            zip_idxs,
            zip_keys,
        }
    }

    /// Whether a state has a city of that key, and which place that is.
    pub(super) fn get(&self, key: u64) -> Option<Option<PlaceId>> {
        self.places.get(&key).copied()
    }

    pub(super) fn zip(&self, digits: &str) -> Option<(usize, &ZipNames)> {
        let code: usize = digits.get(..5)?.parse().ok()?;
        let idx = *self.zip_idxs.get(code)? as usize;
        Some((idx, self.zips.get(idx)?))
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
