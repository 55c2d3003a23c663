//! The cities a made-up web is about, with all that its pages say of them.
//!
//! Read from the gazetteer once, so that making a page needs no look-ups.

use super::words;
use place::gazetteer::{Gazetteer, Kind, PlaceId};

/// One city and its addresses.
pub(crate) struct City {
    pub(crate) place: PlaceId,
    pub(crate) name: &'static str,
    /// Lower case, words joined by hyphens.
    pub(crate) slug: String,
    /// Lower case, words run together.
    pub(crate) squashed: String,
    /// Two letters.
    pub(crate) state: &'static str,
    /// Position of the state in `Geography::states`.
    pub(crate) state_idx: usize,
    pub(crate) population: u32,
    pub(crate) streets: &'static [&'static str],
    pub(crate) zips: Vec<String>,
}

/// One state and its cities.
pub(crate) struct State {
    pub(crate) code: &'static str,
    pub(crate) name: String,
    pub(crate) cities: Vec<usize>,
}

/// All cities, most populous first, and their states in alphabetical order.
pub(crate) struct Geography {
    pub(crate) cities: Vec<City>,
    pub(crate) states: Vec<State>,
}

impl Geography {
    pub(crate) fn new(gazetteer: &'static Gazetteer, min_population: u32) -> Geography {
        let mut cities: Vec<City> = (0..gazetteer.len() as u32)
            .filter_map(|id| city(gazetteer, PlaceId(id), min_population))
            .collect();
        cities.sort_by_key(|city| (std::cmp::Reverse(city.population), city.place));
        // The seed directory numbers its pages by city; a few thousand are plenty.
        cities.truncate(4_000);
        let states = states(gazetteer, &mut cities);
        Geography { cities, states }
    }
}

fn city(gazetteer: &'static Gazetteer, id: PlaceId, min_population: u32) -> Option<City> {
    let place = gazetteer.place(id);
    let wanted = place.kind == Kind::City
        && place.country == "US"
        && place.division.len() == 2
        && place.population >= min_population.max(1);
    if !wanted {
        return None;
    }
    let slug = slug(place.name);
    let common: &[&str] = match gazetteer.common_streets() {
        [] => &words::STREETS,
        common => common,
    };
    let streets = match gazetteer.streets(id) {
        [] => common,
        known => known,
    };
    Some(City {
        place: id,
        name: place.name,
        squashed: slug.replace('-', ""),
        slug,
        state: place.division,
        state_idx: 0,
        population: place.population,
        streets,
        zips: gazetteer
            .zips(id)
            .iter()
            .map(|zip| format!("{:05}", zip.code))
            .collect(),
    })
}

fn states(gazetteer: &'static Gazetteer, cities: &mut [City]) -> Vec<State> {
    let mut codes: Vec<&'static str> = cities.iter().map(|city| city.state).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut states: Vec<State> = codes
        .into_iter()
        .map(|code| State {
            code,
            name: code.to_owned(),
            cities: Vec::new(),
        })
        .collect();
    for (city_idx, city) in cities.iter_mut().enumerate() {
        let state_idx = states
            .binary_search_by_key(&city.state, |state| state.code)
            .expect("every city's state is listed");
        city.state_idx = state_idx;
        let state = &mut states[state_idx];
        if state.cities.is_empty() {
            let named = gazetteer
                .chain(city.place)
                .map(|id| gazetteer.place(id))
                .find(|place| place.kind == Kind::Division1);
            if let Some(place) = named {
                place.name.clone_into(&mut state.name);
            }
        }
        state.cities.push(city_idx);
    }
    states
}

/// `St. Louis` → `st-louis`; anything but ASCII letters and digits separates words.
pub(crate) fn slug(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    let mut slug = String::with_capacity(name.len());
    for word in words {
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(
            word.chars()
                .filter(char::is_ascii_alphanumeric)
                .map(|c| c.to_ascii_lowercase()),
        );
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain() {
        assert_eq!(slug("St. Louis"), "st-louis");
        assert_eq!(slug("Winston-Salem"), "winston-salem");
        assert_eq!(slug("Coeur d'Alene"), "coeur-dalene");
        assert_eq!(slug("New York"), "new-york");
    }
}
