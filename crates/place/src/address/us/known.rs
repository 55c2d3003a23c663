//! Streets that are known to exist, in the few cities that have a list of them.
//!
//! A suffix says that a word is a street; where there is none, the list does.

use super::super::keys::{KeyMap, Letters};
use super::words::Meaning;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use std::collections::HashMap;

/// Names of streets by city.
pub(super) struct KnownStreets {
    /// Which list a city has: its own, or its county's.
    list_of_city: HashMap<PlaceId, u16>,
    /// Keys of names in their list.
    names: KeyMap<()>,
}

impl KnownStreets {
    pub(super) fn new(gazetteer: &Gazetteer) -> KnownStreets {
        let mut known = KnownStreets {
            list_of_city: HashMap::new(),
            names: KeyMap::default(),
        };
        // Cities of one county share a list, which is read once.
        let mut lists: HashMap<*const &str, u16> = HashMap::new();
        let cities = gazetteer
            .ids()
            .filter(|&id| gazetteer.kind(id) == Kind::City);
        for city in cities.filter(|&id| gazetteer.country(id) == "US") {
            let streets = gazetteer.streets(city);
            if streets.is_empty() {
                continue;
            }
            let next = u16::try_from(lists.len()).unwrap_or(u16::MAX);
            let list = *lists.entry(streets.as_ptr()).or_insert(next);
            known.list_of_city.insert(city, list);
            if list == next {
                known.read(list, streets);
            }
        }
        known
    }

    /// Every name, also without its suffix.
    fn read(&mut self, list: u16, streets: &[&str]) {
        for street in streets {
            let name = street.to_uppercase().replace(['.', '\''], "");
            self.names.insert(key(list, &name), ());
            if let Some((short, last)) = name.rsplit_once(' ')
                && Meaning::of(last).suffix.is_some()
            {
                self.names.insert(key(list, short), ());
            }
        }
    }

    /// Whether the city has a street of this name, in capitals.
    pub(super) fn has(&self, city: PlaceId, name: &str) -> bool {
        let list = self.list_of_city.get(&city);
        list.is_some_and(|&list| self.names.contains_key(&key(list, name)))
    }
}

fn key(list: u16, name: &str) -> u64 {
    let list = Letters::of(&list.to_le_bytes());
    list.then(Letters::of(name.as_bytes())).key("")
}
