//! The cities a made-up web is about, with all that its pages say of them.
//!
//! Read from the gazetteer once, so that making a page needs no look-ups.

use super::institution::{self, Institution};
use super::words;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::names::normalise;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A country the made-up web has cities of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Country {
    Us,
    De,
}

/// One city and its addresses.
pub(crate) struct City {
    pub(crate) place: PlaceId,
    pub(crate) country: Country,
    pub(crate) name: &'static str,
    /// Lower case, words joined by hyphens.
    pub(crate) slug: String,
    /// Lower case, words run together.
    pub(crate) squashed: String,
    /// Two letters in the US, a name in Germany.
    pub(crate) state: &'static str,
    /// Position of the state in `Geography::states`.
    pub(crate) state_idx: usize,
    pub(crate) population: u32,
    pub(crate) streets: &'static [&'static str],
    pub(crate) zips: Vec<String>,
    /// Its universities and hospitals.
    pub(crate) institutions: Vec<Institution>,
}

/// One state and its cities.
pub(crate) struct State {
    pub(crate) country: Country,
    /// As cities of it are written: two letters in the US, the name in Germany.
    pub(crate) code: &'static str,
    pub(crate) name: String,
    pub(crate) cities: Vec<usize>,
}

/// All cities, those of a country together and its most populous first, and
/// their states in alphabetical order.
pub(crate) struct Geography {
    pub(crate) cities: Vec<City>,
    pub(crate) states: Vec<State>,
    /// Cities of the US: the first so many.
    pub(crate) n_us: usize,
}

/// Cities of each country: twelve bits tell any of them in an address.
const MOST_US: usize = 3_400;
const MOST_DE: usize = 640;

impl Geography {
    pub(crate) fn new(
        gazetteer: &'static Gazetteer,
        min_population: u32,
        german_min_population: u32,
    ) -> Geography {
        let mut cities = cities_of(gazetteer, Country::Us, min_population, MOST_US);
        let n_us = cities.len();
        cities.extend(cities_of(
            gazetteer,
            Country::De,
            german_min_population,
            MOST_DE,
        ));
        let states = states(gazetteer, &mut cities);
        let mut geography = Geography {
            cities,
            states,
            n_us,
        };
        geography.settle_institutions();
        geography
    }

    /// The cities of a country, by position.
    pub(crate) fn of_country(&self, country: Country) -> std::ops::Range<usize> {
        match country {
            Country::Us => 0..self.n_us,
            Country::De => self.n_us..self.cities.len(),
        }
    }

    fn settle_institutions(&mut self) {
        let by_name: HashMap<(&str, String), usize> = self
            .cities
            .iter()
            .enumerate()
            .filter(|(_, city)| city.country == Country::Us)
            .map(|(idx, city)| ((city.state, normalise(city.name)), idx))
            .collect();
        let settled: Vec<(usize, Institution)> = institution::all()
            .filter_map(|institution| {
                let name = normalise(institution.city);
                let city = by_name.get(&(institution.state, name))?;
                Some((*city, institution))
            })
            .collect();
        for (city, institution) in settled {
            self.cities[city].institutions.push(institution);
        }
    }
}

fn cities_of(
    gazetteer: &'static Gazetteer,
    country: Country,
    min_population: u32,
    most: usize,
) -> Vec<City> {
    let german_zips = match country {
        Country::Us => HashMap::new(),
        Country::De => german_zips(gazetteer),
    };
    let mut cities: Vec<City> = (0..gazetteer.len() as u32)
        .filter_map(|id| city(gazetteer, country, PlaceId(id), min_population))
        .collect();
    cities.sort_by_key(|city| (Reverse(city.population), city.place));
    // A city and a suburb of its name in one state would be one to a directory.
    let mut seen = std::collections::HashSet::new();
    cities.retain(|city| seen.insert((city.state, city.slug.clone())));
    cities.truncate(most);
    for city in &mut cities {
        if let Some(zips) = german_zips.get(&city.place) {
            city.zips.clone_from(zips);
        }
    }
    cities
}

fn german_zips(gazetteer: &'static Gazetteer) -> HashMap<PlaceId, Vec<String>> {
    let mut zips: HashMap<PlaceId, Vec<String>> = HashMap::new();
    for postcode in gazetteer.postcodes("DE") {
        if let Some(place) = postcode.place {
            zips.entry(place)
                .or_default()
                .push(postcode.code.to_owned());
        }
    }
    zips
}

fn city(
    gazetteer: &'static Gazetteer,
    country: Country,
    id: PlaceId,
    min_population: u32,
) -> Option<City> {
    let place = gazetteer.place(id);
    let code = match country {
        Country::Us => "US",
        Country::De => "DE",
    };
    let wanted = place.kind == Kind::City
        && place.country == code
        && place.population >= min_population.max(1);
    if !wanted {
        return None;
    }
    let slug = slug(place.name);
    Some(City {
        place: id,
        country,
        name: place.name,
        squashed: slug.replace('-', ""),
        slug,
        state: state_of(gazetteer, country, id)?,
        state_idx: 0,
        population: place.population,
        streets: streets_of(gazetteer, country, id),
        zips: gazetteer
            .zips(id)
            .iter()
            .map(|zip| format!("{:05}", zip.code))
            .collect(),
        institutions: Vec::new(),
    })
}

fn state_of(gazetteer: &'static Gazetteer, country: Country, id: PlaceId) -> Option<&'static str> {
    let division = gazetteer.place(id).division;
    match country {
        Country::Us => (division.len() == 2).then_some(division),
        Country::De => gazetteer
            .chain(id)
            .map(|id| gazetteer.place(id))
            .find(|place| place.kind == Kind::Division1)
            .map(|place| place.name),
    }
}

fn streets_of(
    gazetteer: &'static Gazetteer,
    country: Country,
    id: PlaceId,
) -> &'static [&'static str] {
    match (gazetteer.streets(id), country) {
        ([], Country::Us) => match gazetteer.common_streets() {
            [] => &words::STREETS,
            common => common,
        },
        ([], Country::De) => &words::GERMAN_STREETS,
        (known, _) => known,
    }
}

fn states(gazetteer: &'static Gazetteer, cities: &mut [City]) -> Vec<State> {
    let mut states: Vec<State> = Vec::new();
    for (city_idx, city) in cities.iter_mut().enumerate() {
        let known = states
            .iter()
            .position(|state| (state.country, state.code) == (city.country, city.state));
        city.state_idx = known.unwrap_or_else(|| {
            states.push(State {
                country: city.country,
                code: city.state,
                name: state_name(gazetteer, city),
                cities: Vec::new(),
            });
            states.len() - 1
        });
        states[city.state_idx].cities.push(city_idx);
    }
    states.sort_by(|a, b| (a.country as u8, a.code).cmp(&(b.country as u8, b.code)));
    for (state_idx, state) in states.iter().enumerate() {
        for city in &state.cities {
            cities[*city].state_idx = state_idx;
        }
    }
    states
}

fn state_name(gazetteer: &'static Gazetteer, city: &City) -> String {
    gazetteer
        .chain(city.place)
        .map(|id| gazetteer.place(id))
        .find(|place| place.kind == Kind::Division1)
        .map_or_else(|| city.state.to_owned(), |place| place.name.to_owned())
}

/// `St. Louis` → `st-louis`, `Nürnberg` → `nuernberg`; what is left but
/// letters and digits separates words.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len() + 2);
    let mut is_apart = false;
    for c in name.chars() {
        let plain: &str = match c {
            'ä' | 'Ä' => "ae",
            'ö' | 'Ö' => "oe",
            'ü' | 'Ü' => "ue",
            'ß' => "ss",
            'ñ' | 'Ñ' => "n",
            'á' | 'à' | 'â' | 'Á' => "a",
            'é' | 'è' | 'ê' | 'É' => "e",
            'í' | 'Í' => "i",
            'ó' | 'Ó' => "o",
            'ú' | 'Ú' => "u",
            '\'' => continue,
            c if c.is_ascii_alphanumeric() => "",
            _ => {
                is_apart = true;
                continue;
            }
        };
        if is_apart && !slug.is_empty() {
            slug.push('-');
        }
        is_apart = false;
        match plain {
            "" => slug.push(c.to_ascii_lowercase()),
            plain => slug.push_str(plain),
        }
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
        assert_eq!(slug("Lüneburg"), "lueneburg");
        assert_eq!(slug("Cañon City"), "canon-city");
    }
}
