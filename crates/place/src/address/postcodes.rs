//! A country's postal codes and the names of cities that go with them.
//!
//! The facts come from the gazetteer; how a country spells its cities comes
//! from the country's own file, as a [`Spelling`].

use super::keys::KeyMap;
use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};
use crate::sphere::kilometres;

/// No country has longer codes.
const MAX_CODE_LEN: usize = 10;

/// Cities nearer than this to a code's middle may stand beside it.
const NEAR_KM: f64 = 25.0;

/// How a country's names of cities are compared.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    /// Equal for two spellings of one name.
    pub(super) key: fn(&str) -> u64,
    /// The name without what only tells it from others: `Frankfurt` of `Frankfurt am Main`.
    pub(super) short: fn(&str) -> &str,
}

/// How well a city and a postal code go together, best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Agreement {
    /// The country has a city of that name somewhere.
    Elsewhere,
    /// A city of that name is near.
    Near,
    /// It is a name of that code.
    OfCode,
}

/// A name that the country has, and the code and place it goes with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) agreement: Agreement,
    /// The address's own code, or the nearest one of that name.
    pub(super) area: Option<usize>,
    pub(super) place: Option<PlaceId>,
    /// Equal for all names of that city.
    pub(super) city_key: u64,
}

/// A name and one of the codes it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    key: u64,
    area_idx: u32,
    /// Key of its short form.
    city_key: u64,
}

/// The area of one code.
#[derive(Debug)]
pub(super) struct Area {
    pub(super) division: &'static str,
    pub(super) place: Option<PlaceId>,
    pub(super) lat: f32,
    pub(super) lon: f32,
    /// Key of the short form of its first name.
    city_key: u64,
}

/// All codes of a country.
pub(super) struct Postcodes {
    areas: Vec<Area>,
    /// The codes of `areas`, ascending, filled up with zeros.
    codes: Vec<[u8; MAX_CODE_LEN]>,
    /// The most words of a name that begins with this word.
    name_lens: KeyMap<u8>,
    /// Ascending.
    names: Vec<Name>,
    /// Keys of the gazetteer's names, each with a city, ascending.
    places_of_name: Vec<(u64, PlaceId)>,
    /// Coordinates of places, by identifier.
    middles: Vec<(f32, f32)>,
}

impl Postcodes {
    /// Prepares one country; codes in none of its divisions are left out.
    pub(super) fn new(
        gazetteer: &Gazetteer,
        country: &str,
        divisions: &[&'static str],
        spelling: Spelling,
    ) -> Postcodes {
        let mut areas = Vec::new();
        let mut codes = Vec::new();
        let mut names = Vec::new();
        let mut name_lens = KeyMap::default();
        for postcode in gazetteer.postcodes(country) {
            let own = |division: &&&str| **division == postcode.division;
            let Some(division) = divisions.iter().find(own) else {
                continue;
            };
            let Some(code) = padded(postcode.code) else {
                continue;
            };
            codes.push(code);
            let area_idx = u32::try_from(areas.len()).unwrap_or(u32::MAX);
            let city_key = |name| (spelling.key)((spelling.short)(name));
            for name in postcode.names() {
                note_len(&mut name_lens, name, spelling);
                let city_key = city_key(name);
                let keys = [(spelling.key)(name), city_key];
                names.extend(keys.map(|key| Name {
                    key,
                    area_idx,
                    city_key,
                }));
            }
            areas.push(Area {
                division,
                place: postcode.place,
                lat: postcode.lat,
                lon: postcode.lon,
                city_key: postcode.names().next().map_or(0, city_key),
            });
        }
        names.sort_unstable();
        names.dedup();
        let places_of_name = places_of_name(gazetteer, country, spelling, &mut name_lens);
        Postcodes {
            areas,
            codes,
            name_lens,
            names,
            places_of_name,
            middles: gazetteer
                .ids()
                .map(|id| gazetteer.coordinates(id))
                .collect(),
        }
    }

    /// Position of a code's area.
    pub(super) fn find(&self, code: &str) -> Option<usize> {
        self.codes.binary_search(&padded(code)?).ok()
    }

    /// The most words of any name that begins with the word of this key.
    pub(super) fn name_len(&self, first_word: u64) -> usize {
        self.name_lens.get(&first_word).map_or(0, |&len| len.into())
    }

    /// The area at a position.
    pub(super) fn area(&self, idx: usize) -> &Area {
        &self.areas[idx]
    }

    /// Coordinates of a place.
    pub(super) fn middle(&self, place: PlaceId) -> Option<(f32, f32)> {
        self.middles.get(place.0 as usize).copied()
    }

    /// What is known of a name beside a code; nothing if no city of the country has it.
    pub(super) fn known(&self, key: u64, code: &str, area: Option<usize>) -> Option<Known> {
        let names = equal(&self.names, key, |name| name.key);
        let places = equal(&self.places_of_name, key, |(name, _)| *name);
        let Some(idx) = area else {
            return self.known_without_code(code, names);
        };
        let own = &self.areas[idx];
        let known = |agreement, city_key, place| {
            Some(Known {
                agreement,
                area,
                place,
                city_key,
            })
        };
        let is_near = |middle: (f32, f32)| kilometres(middle, (own.lat, own.lon)) < NEAR_KM;
        let near_place = |place: &PlaceId| self.middle(*place).is_some_and(is_near);
        let near_place = places.iter().map(|(_, place)| *place).find(near_place);
        if let Some(name) = names.iter().find(|name| name.area_idx as usize == idx) {
            return known(Agreement::OfCode, name.city_key, near_place.or(own.place));
        }
        if places.iter().any(|&(_, place)| own.place == Some(place)) {
            return known(Agreement::OfCode, own.city_key, own.place);
        }
        let area_of = |name: &Name| &self.areas[name.area_idx as usize];
        let near_name = names.iter().find(|name| {
            let area = area_of(name);
            is_near((area.lat, area.lon))
        });
        if let Some(name) = near_name {
            let place = near_place.or(area_of(name).place);
            return known(Agreement::Near, name.city_key, place);
        }
        if near_place.is_some() {
            return known(Agreement::Near, key, near_place);
        }
        let somewhere = !names.is_empty() || !places.is_empty();
        somewhere.then_some(Known {
            agreement: Agreement::Elsewhere,
            area,
            place: None,
            city_key: key,
        })
    }

    /// Large organisations have codes of their own that no table lists: the
    /// city's other codes begin alike.
    fn known_without_code(&self, code: &str, names: &[Name]) -> Option<Known> {
        let head = code.get(..2)?;
        let code = |name: &&Name| &self.codes[name.area_idx as usize];
        let alike = names
            .iter()
            .find(|name| code(name).starts_with(head.as_bytes()));
        let (agreement, name) = match alike {
            Some(name) => (Agreement::Near, name),
            None => (Agreement::Elsewhere, names.first()?),
        };
        Some(Known {
            agreement,
            area: Some(name.area_idx as usize),
            place: self.areas[name.area_idx as usize].place,
            city_key: name.city_key,
        })
    }
}

fn places_of_name(
    gazetteer: &Gazetteer,
    country: &str,
    spelling: Spelling,
    name_lens: &mut KeyMap<u8>,
) -> Vec<(u64, PlaceId)> {
    let mut found = Vec::new();
    gazetteer.visit_names(|name, bearers| {
        for &(id, role) in bearers {
            let is_city = role != Role::Demonym && gazetteer.kind(id) == Kind::City;
            if is_city && gazetteer.country(id) == country {
                note_len(name_lens, name, spelling);
                found.push(((spelling.key)(name), id));
            }
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// Remembers how many words a name has, by its first one.
fn note_len(name_lens: &mut KeyMap<u8>, name: &str, spelling: Spelling) {
    let mut words = name.split([' ', '-', '/']).filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return;
    };
    let len = u8::try_from(1 + words.count()).unwrap_or(u8::MAX);
    let longest = name_lens.entry((spelling.key)(first)).or_default();
    *longest = len.max(*longest);
}

fn padded(code: &str) -> Option<[u8; MAX_CODE_LEN]> {
    let mut padded = [0; MAX_CODE_LEN];
    padded
        .get_mut(..code.len())?
        .copy_from_slice(code.as_bytes());
    Some(padded)
}

/// The entries of one key in a sorted list.
fn equal<T>(list: &[T], key: u64, key_of: impl Fn(&T) -> u64) -> &[T] {
    let start = list.partition_point(|entry| key_of(entry) < key);
    let n = list[start..].partition_point(|entry| key_of(entry) == key);
    &list[start..start + n]
}
