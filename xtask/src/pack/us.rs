//! What is known of US cities only: streets and web sites; ZIP codes are `zip.rs`.

use super::places::OtherNames;
use super::raw::RawData;
use place::gazetteer::Kind;
use place::names::normalise;
use place::pack::PlaceRow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Finds US cities and counties by name and state.
pub(super) struct UsPlaces<'p> {
    rows: &'p [PlaceRow],
    cities: HashMap<(String, &'p str), Vec<u32>>,
    pub(super) counties: HashMap<(String, &'p str), u32>,
    pub(super) states: HashMap<String, &'p str>,
}

impl<'p> UsPlaces<'p> {
    pub(super) fn new(rows: &'p [PlaceRow], other_names: &[OtherNames]) -> UsPlaces<'p> {
        let mut places = UsPlaces {
            rows,
            cities: HashMap::new(),
            counties: HashMap::new(),
            states: HashMap::new(),
        };
        for ((position, row), others) in (0..).zip(rows).zip(other_names) {
            if !matches!(row.country.as_str(), "US" | "PR") {
                continue;
            }
            // GeoNames files Puerto Rico as a country, the post as a state.
            let state = if row.country == "PR" {
                "PR"
            } else {
                row.division.as_str()
            };
            match row.kind {
                Kind::Division1 => {
                    places.states.insert(normalise(&row.name), state);
                }
                Kind::Division2 => {
                    let key = (normalise(&row.name), state);
                    places.counties.entry(key).or_insert(position);
                }
                Kind::City => {
                    let names: BTreeSet<String> = std::iter::once(&row.name)
                        .chain(&others.aliases)
                        .chain(&others.abbreviations)
                        .map(|name| normalise(name))
                        .collect();
                    for name in names {
                        places
                            .cities
                            .entry((name, state))
                            .or_default()
                            .push(position);
                    }
                }
                _ => {}
            }
        }
        places
    }

    /// The most populous city of that name.
    fn city(&self, name: &str, state: &'p str) -> Option<u32> {
        self.cities.get(&(normalise(name), state))?.first().copied()
    }

    /// The city of that name nearest to a point.
    pub(super) fn city_near(&self, name: &str, state: &'p str, lat: f64, lon: f64) -> Option<u32> {
        let distance = |position: &u32| {
            let row = &self.rows[*position as usize];
            let east = (row.lon - lon) * lat.to_radians().cos();
            (row.lat - lat).hypot(east)
        };
        let cities = self.cities.get(&(normalise(name), state))?;
        cities
            .iter()
            .copied()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

/// Census codes of the counties whose roads we have, with their names.
const COUNTIES: &[(&str, &str, &str)] = &[
    ("06037", "Los Angeles County", "CA"),
    ("06075", "San Francisco County", "CA"),
    ("36005", "Bronx County", "NY"),
    ("36047", "Kings County", "NY"),
    ("36061", "New York County", "NY"),
    ("36081", "Queens County", "NY"),
    ("36085", "Richmond County", "NY"),
];

/// New York lies in five counties and in none: it gets all their streets.
const NEW_YORK_COUNTIES: [&str; 5] = ["36005", "36047", "36061", "36081", "36085"];

const N_COMMON_STREETS: usize = 1_000;

/// Street names by place, and the ones common to many places.
pub(super) struct Streets {
    pub(super) by_place: BTreeMap<u32, Vec<String>>,
    pub(super) common: Vec<String>,
}

pub(super) fn streets(raw: &RawData, places: &UsPlaces<'_>) -> anyhow::Result<Streets> {
    let suffixes: BTreeSet<String> = raw
        .rows("lexicon/usps_street_suffixes_2017.csv", ',')?
        .into_iter()
        .filter_map(|cells| cells.get(1).map(|abbreviation| abbreviation.to_lowercase()))
        .collect();
    let mut lists: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for cells in raw.rows("streets/tiger_roads_partial_counties.tsv", '\t')? {
        let [_, fips, name, ..] = cells.as_slice() else {
            continue;
        };
        let Some((fips, _, _)) = COUNTIES.iter().find(|(known, _, _)| known == fips) else {
            continue;
        };
        if is_street(name, &suffixes) {
            *counts.entry(without_direction(name)).or_default() += 1;
            lists.entry(fips).or_default().insert(name.clone());
        }
    }
    for cells in raw
        .rows("streets/chicago_street_names.csv", ',')?
        .into_iter()
        .skip(1)
    {
        let name = capitalised(&cells[0]);
        if is_street(&name, &suffixes) {
            *counts.entry(without_direction(&name)).or_default() += 1;
            lists.entry("chicago").or_default().insert(name);
        }
    }
    let common = common_streets(&lists, &counts);
    let mut by_place = BTreeMap::new();
    let mut give = |place: Option<u32>, streets: BTreeSet<String>| {
        by_place.extend(place.map(|place| (place, streets.into_iter().collect())));
    };
    let new_york = NEW_YORK_COUNTIES
        .iter()
        .filter_map(|fips| lists.get(fips))
        .flatten()
        .cloned()
        .collect();
    give(places.city("New York", "NY"), new_york);
    give(
        places.city("Chicago", "IL"),
        lists.remove("chicago").unwrap_or_default(),
    );
    for (fips, county, state) in COUNTIES {
        let place = places.counties.get(&(normalise(county), state)).copied();
        give(place, lists.remove(fips).unwrap_or_default());
    }
    Ok(Streets { by_place, common })
}

/// Names that most lists have, then the most frequent ones.
fn common_streets(
    lists: &BTreeMap<&str, BTreeSet<String>>,
    counts: &HashMap<String, usize>,
) -> Vec<String> {
    let mut n_lists: HashMap<String, usize> = HashMap::new();
    for list in lists.values() {
        let plain: BTreeSet<String> = list.iter().map(|name| without_direction(name)).collect();
        for name in plain {
            *n_lists.entry(name).or_default() += 1;
        }
    }
    let mut names: Vec<(usize, usize, String)> = n_lists
        .into_iter()
        .map(|(name, n_lists)| (n_lists, counts.get(&name).copied().unwrap_or(0), name))
        .collect();
    names.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then_with(|| a.2.cmp(&b.2)));
    names
        .into_iter()
        .take(N_COMMON_STREETS)
        .map(|(_, _, name)| name)
        .collect()
}

const DIRECTIONS: [&str; 8] = ["N", "S", "E", "W", "NE", "NW", "SE", "SW"];

/// A street people have addresses on: not a ramp, a service road or a numbered highway.
fn is_street(name: &str, suffixes: &BTreeSet<String>) -> bool {
    let words: Vec<&str> = name
        .split(' ')
        .filter(|word| !DIRECTIONS.contains(word))
        .collect();
    let odd = |word: &&str| {
        matches!(
            *word,
            "Rmp" | "Ramp" | "Exd" | "Exn" | "Acc" | "-" | "Hwy" | "Fwy" | "Off" | "on"
        )
    };
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '\'' | '-' | '.'));
    plain
        && words.len() >= 2
        && !words.iter().any(odd)
        && words
            .last()
            .is_some_and(|last| suffixes.contains(&last.to_lowercase()))
}

fn without_direction(name: &str) -> String {
    let words: Vec<&str> = name
        .split(' ')
        .filter(|word| !DIRECTIONS.contains(word))
        .collect();
    words.join(" ")
}

/// `E 100TH PL` as `E 100th Pl`.
fn capitalised(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        if DIRECTIONS.contains(&word) {
            word.to_owned()
        } else {
            format!("{first}{}", rest.to_lowercase())
        }
    };
    name.split_whitespace()
        .map(word)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Sites of local governments by city: the city's own first.
pub(super) fn seeds(
    raw: &RawData,
    places: &UsPlaces<'_>,
) -> anyhow::Result<BTreeMap<u32, Vec<String>>> {
    let mut seeds: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut add = |city: Option<u32>, url: String| {
        if let Some(city) = city {
            let urls = seeds.entry(city).or_default();
            if !urls.iter().any(|known| host(known) == host(&url)) {
                urls.push(url);
            }
        }
    };
    for cells in raw
        .rows("seeds/us_city_sites.csv", ',')?
        .into_iter()
        .skip(1)
    {
        let [_, name, state, _, url, ..] = cells.as_slice() else {
            continue;
        };
        let Some(&state) = places.states.get(&normalise(state)) else {
            continue;
        };
        // Consolidated governments have long names: `Nashville-Davidson … (balance)`.
        let short = name.split(['-', '/', '(']).next().unwrap_or(name);
        let city = places
            .city(name, state)
            .or_else(|| places.city(short, state));
        if url.starts_with("http") && !url.contains(char::is_whitespace) {
            add(city, url.clone());
        }
    }
    for cells in raw.rows("seeds/dotgov.csv", ',')?.into_iter().skip(1) {
        let [domain, kind, _, _, name, state, ..] = cells.as_slice() else {
            continue;
        };
        let local = matches!(
            kind.as_str(),
            "City" | "County" | "Special district" | "School district"
        );
        let state = places.states.values().copied().find(|known| known == state);
        if let (true, Some(state)) = (local, state) {
            add(
                places.city(name, state),
                format!("https://{}/", domain.to_lowercase()),
            );
        }
    }
    Ok(seeds)
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.trim_start_matches("www.")
        .split('/')
        .next()
        .unwrap_or(rest)
}
