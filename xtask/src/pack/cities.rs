//! Reads cities and their sections.

use super::near::Near;
use super::places::{OtherNames, Places, blank};
use super::raw::{RawCity, RawData};
use place::gazetteer::Kind;
use place::names::normalise;
use place::pack::PlaceRow;
use std::collections::HashMap;

/// US entries that carry the population of the city or metropolis they lie
/// in, and a second Lexington; the Census knows none of them as a place of
/// that size.
const WRONG_POPULATION: &[u32] = &[
    4300488, // Meads, KY
    7289169, // Tri-Cities, WA
    4297999, // Lexington-Fayette, KY
    5317071, // Tempe Junction, AZ
    4619947, // East Chattanooga, TN
    4756955, // East Hampton, VA
    4333190, // Metairie Terrace, LA
    4839745, // North Stamford, CT
    4903976, // North Peoria, IL
    4385018, // East Independence, MO
    4780011, // Portsmouth Heights, VA
    5143620, // West Albany, NY
    7839240, // Enchanted Hills, NM
    4833505, // East Norwalk, CT
    4786714, // South Suffolk, VA
    4450687, // West Gulfport, MS
    4792867, // West Lynchburg, VA
    4937232, // Framingham Center, MA
    5052361, // West Coon Rapids, MN
];

/// Feature codes of what is no place of today: abandoned, historical and destroyed.
const NO_CITY: &[&str] = &["PPLQ", "PPLH", "PPLW", "PPLCH"];

/// Feature code of a section of a city; these repeat the city's population.
const SECTION: &str = "PPLX";

/// A section's city lies within this many kilometres and has so many people.
const SECTION_MAX_KM: f64 = 30.0;
const SECTION_MIN_POPULATION: u32 = 20_000;

/// All cities, then the sections of cities.
pub(super) fn read(raw: &RawData, places: &mut Places) -> anyhow::Result<()> {
    let mut details: HashMap<u32, (String, String)> = HashMap::new();
    for cells in raw.rows("gazetteer/cities1000_2020-03.txt", '\t')? {
        if let (Some(Ok(id)), Some(feature), Some(county)) = (
            cells.first().map(|id| id.parse()),
            cells.get(7),
            cells.get(11),
        ) {
            details.insert(id, (feature.clone(), county.clone()));
        }
    }
    let mut counties = HashMap::new();
    for city in raw.city_counties()? {
        let (lat, lon) = (
            city.lat.parse().unwrap_or(0.0),
            city.lng.parse().unwrap_or(0.0),
        );
        counties.insert((city.country, city.name, grid(lat), grid(lon)), city.admin2);
    }
    let mut sections = Vec::new();
    for city in raw.cities()? {
        let (feature, county) = details.get(&city.geonameid).cloned().unwrap_or_default();
        if NO_CITY.contains(&feature.as_str()) || WRONG_POPULATION.contains(&city.geonameid) {
            continue;
        }
        let key = (
            city.countrycode.clone(),
            city.name.clone(),
            grid(city.latitude),
            grid(city.longitude),
        );
        let county = if county.is_empty() {
            counties.get(&key).cloned().unwrap_or_default()
        } else {
            county
        };
        if feature == SECTION {
            sections.push((city, county));
        } else {
            push(places, city, &county, Kind::City);
        }
    }
    read_sections(places, sections);
    Ok(())
}

fn read_sections(places: &mut Places, sections: Vec<(RawCity, String)>) {
    let near = Near::cities(&places.rows);
    for (section, county) in sections {
        let city = city_around(&near, &places.rows, &section);
        let position = push(places, section, &county, Kind::Section);
        let row = &mut places.rows[position as usize];
        row.population = 0;
        row.parent = city.or(row.parent);
    }
}

/// The city that pulls most: many people, a short way.
fn city_around(near: &Near, rows: &[PlaceRow], section: &RawCity) -> Option<u32> {
    let pull = |&(position, km): &(u32, f64)| {
        f64::from(rows[position as usize].population) / km.max(2.0).powi(2)
    };
    near.within(section.latitude, section.longitude, SECTION_MAX_KM)
        .filter(|&(position, _)| {
            let row = &rows[position as usize];
            row.population >= SECTION_MIN_POPULATION
                && row.country == section.countrycode
                && row.division == section.admin1code
        })
        .max_by(|a, b| pull(a).total_cmp(&pull(b)))
        .map(|(position, _)| position)
}

fn push(places: &mut Places, city: RawCity, county: &str, kind: Kind) -> u32 {
    let code = format!("{}.{}.{county}", city.countrycode, city.admin1code);
    let names = OtherNames {
        aliases: aliases(&city),
        ..OtherNames::default()
    };
    let row = PlaceRow {
        geonameid: city.geonameid,
        name: city.name,
        lat: city.latitude,
        lon: city.longitude,
        population: city.population,
        country: city.countrycode,
        division: city.admin1code,
        time_zone: city.timezone,
        parent: places.nearest_division(&code),
        ..blank(kind)
    };
    places.push(row, names)
}

/// Coordinates as a whole number, to compare two files' roundings.
#[expect(
    clippy::cast_possible_truncation,
    reason = "degrees times 1,000 fit an i32"
)]
fn grid(degrees: f64) -> i32 {
    (degrees * 1_000.0).round() as i32
}

/// The alternate names worth looking up.
///
/// US cities keep none: what GeoNames lists there are former names
/// (Terminus, Franklin, Milford) that name other cities today; their real
/// aliases are written by hand. Elsewhere we drop names without Latin
/// letters, short codes (IATA), and transliterations from other scripts,
/// which GeoNames writes without capitals.
fn aliases(city: &RawCity) -> Vec<String> {
    if city.countrycode == "US" {
        return Vec::new();
    }
    let own = normalise(&city.name);
    let latin = |name: &&String| {
        name.chars().all(|c| {
            !c.is_alphabetic() || u32::from(c) < 0x250 || (0x1E00..0x1F00).contains(&u32::from(c))
        })
    };
    let capital = |name: &&String| name.chars().any(char::is_uppercase);
    let long =
        |name: &&String| name.chars().filter(|c| c.is_alphabetic()).count() > 3 && name.len() < 60;
    let names = city
        .alternatenames
        .iter()
        .filter(latin)
        .filter(capital)
        .filter(long);
    names
        .filter(|name| normalise(name) != own)
        .cloned()
        .collect()
}
