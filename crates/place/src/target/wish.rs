//! Reads what a user asked for and turns it into cities.
//!
//! A name that several places share is refused with the candidates, unless
//! one of them is what nearly everybody means; see [`DOMINANCE`]. A name both
//! of a city and of the region around it means the city.
//!
//! A short form means what it abbreviates, in any case, before any place that
//! is called so: `USA` is no town in Japan. Two letters are a US state (`DE`,
//! `CA`, `IN`) before they are the code of a country (`FR`), as behind a comma;
//! a country's code comes before a town of that name if it is in capitals.

use super::{Target, TargetError};
use crate::gazetteer::{Gazetteer, Kind, Place, PlaceId, Role};
use crate::names::normalise;

/// A region given by name alone stands for its cities over this many people.
const DEFAULT_MIN_POPULATION: u32 = 50_000;

/// A box stands for all cities in it that the gazetteer knows.
const BOX_MIN_POPULATION: u32 = 500;

/// A bare name means its most populous bearer when that one has so many times
/// the people of the next: `Houston` does (thousands of times), `Portland`
/// does not (ten times).
const DOMINANCE: u32 = 20;

/// Below this size nobody can be expected to mean a place by its bare name.
const DOMINANT_POPULATION: u32 = 100_000;

/// Within one state a smaller lead is enough: no more can be said in an address either.
const DOMINANCE_IN_STATE: u32 = 2;

const MAX_NEAR: usize = 5;

/// Targets of one wish.
pub(super) fn read(gazetteer: &Gazetteer, wish: &str) -> Result<Vec<Target>, TargetError> {
    if wish.eq_ignore_ascii_case("us-top100") {
        return Ok(super::top100::targets(gazetteer));
    }
    if let Some(corners) = four_numbers(wish) {
        return cities_in_box(gazetteer, wish, corners);
    }
    if let Some((min_population, region)) = sized_region(wish) {
        let region = resolve(gazetteer, region, Wanted::Region)
            .map_err(|error| city_instead(gazetteer, region, error))?;
        let cities = large_cities(gazetteer, region, min_population);
        return non_empty(gazetteer, cities, wish, min_population);
    }
    let place = place(gazetteer, wish)?;
    if gazetteer.place(place).kind == Kind::City {
        return Ok(vec![target(gazetteer, place)]);
    }
    // Vermont has no city over 50,000; its towns are better than nothing.
    let sizes = [DEFAULT_MIN_POPULATION, 5_000, 0];
    let mut by_size = sizes
        .into_iter()
        .map(|size| large_cities(gazetteer, place, size));
    let cities = by_size
        .find(|cities| !cities.is_empty())
        .unwrap_or_default();
    non_empty(gazetteer, cities, wish, 0)
}

/// The place of one name, of whatever kind.
pub(super) fn place(gazetteer: &Gazetteer, name: &str) -> Result<PlaceId, TargetError> {
    resolve(gazetteer, name, Wanted::Place).or_else(|error| match error {
        TargetError::Unknown { .. } => without_comma(gazetteer, name).unwrap_or(Err(error)),
        _ => Err(error),
    })
}

/// `houston tx`, `charlotte north carolina`: up to three last words may say
/// where the place lies. None where they do not.
fn without_comma(gazetteer: &Gazetteer, name: &str) -> Option<Result<PlaceId, TargetError>> {
    if name.contains(',') {
        return None;
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    (1..words.len().min(4)).find_map(|n_last| {
        let (own, around) = words.split_at(words.len() - n_last);
        let name = format!("{}, {}", own.join(" "), around.join(" "));
        match resolve(gazetteer, &name, Wanted::Place) {
            Err(TargetError::Unknown { .. }) => None,
            found => Some(found),
        }
    })
}

/// A city has no cities in it: better said than called unknown.
fn city_instead(gazetteer: &Gazetteer, name: &str, error: TargetError) -> TargetError {
    let is_city = matches!(
        place(gazetteer, name),
        Ok(_) | Err(TargetError::Ambiguous { .. })
    );
    match error {
        TargetError::Unknown { .. } if is_city => TargetError::NotARegion {
            name: name.to_owned(),
        },
        error => error,
    }
}

fn large_cities(gazetteer: &Gazetteer, region: PlaceId, min_population: u32) -> Vec<PlaceId> {
    let mut cities = gazetteer.cities_in(region);
    cities.retain(|&city| gazetteer.place(city).population > min_population);
    cities
}

fn non_empty(
    gazetteer: &Gazetteer,
    cities: Vec<PlaceId>,
    wish: &str,
    min_population: u32,
) -> Result<Vec<Target>, TargetError> {
    if cities.is_empty() {
        return Err(TargetError::Empty {
            name: wish.to_owned(),
            min_population,
        });
    }
    Ok(cities
        .into_iter()
        .map(|city| target(gazetteer, city))
        .collect())
}

fn target(gazetteer: &Gazetteer, id: PlaceId) -> Target {
    let place = gazetteer.place(id);
    let division = gazetteer
        .chain(id)
        .find(|&above| gazetteer.place(above).kind == Kind::Division1);
    let state = match division {
        _ if place.country == "US" => place.division,
        Some(division) => gazetteer.place(division).name,
        None => "",
    };
    Target {
        place: id,
        city: place.name.to_owned(),
        state: state.to_owned(),
        share: None,
    }
}

/// `29.5,-95.8,30.1,-95.0`
fn four_numbers(wish: &str) -> Option<[f32; 4]> {
    let numbers: Option<Vec<f32>> = wish
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    numbers?.try_into().ok()
}

fn cities_in_box(
    gazetteer: &Gazetteer,
    wish: &str,
    corners: [f32; 4],
) -> Result<Vec<Target>, TargetError> {
    let [south, west, north, east] = corners;
    let on_globe = corners.iter().all(|corner| corner.is_finite())
        && (-90.0..=90.0).contains(&south)
        && (-90.0..=90.0).contains(&north)
        && (-180.0..=180.0).contains(&west)
        && (-180.0..=180.0).contains(&east);
    if !on_globe || south >= north {
        return Err(TargetError::Box {
            name: wish.to_owned(),
        });
    }
    let inside = |place: &Place<'_>| {
        // A box whose west lies east of its east crosses the date line.
        let between = if west <= east {
            (west..=east).contains(&place.lon)
        } else {
            place.lon >= west || place.lon <= east
        };
        place.kind == Kind::City
            && place.population >= BOX_MIN_POPULATION
            && between
            && (south..=north).contains(&place.lat)
    };
    let cities = gazetteer.all().filter(inside);
    let cities: Vec<Target> = cities.map(|place| target(gazetteer, place.id)).collect();
    if cities.is_empty() {
        return Err(TargetError::EmptyBox {
            name: wish.to_owned(),
        });
    }
    Ok(cities)
}

/// `all cities over 50,000 in Lower Saxony` as the number and the region.
fn sized_region(wish: &str) -> Option<(u32, &str)> {
    let rest = strip_word(wish, "all").unwrap_or(wish);
    let rest = strip_word(rest, "cities").or_else(|| strip_word(rest, "places"))?;
    if let Some(region) = strip_word(rest, "in") {
        return Some((DEFAULT_MIN_POPULATION, region));
    }
    let rest = strip_word(rest, "over").or_else(|| strip_word(rest, "above"))?;
    let (number, rest) = rest.split_once(char::is_whitespace)?;
    let digits: String = number
        .chars()
        .filter(|c| !matches!(c, ',' | '.' | '_' | '\''))
        .collect();
    Some((digits.parse().ok()?, strip_word(rest.trim_start(), "in")?))
}

/// The text after a leading word, whatever its case.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = text.split_once(char::is_whitespace)?;
    first.eq_ignore_ascii_case(word).then(|| rest.trim_start())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Anything; a city before the region around it.
    Place,
    /// What has cities inside it.
    Region,
}

/// The one place meant by `Houston`, `Houston, TX` or `Lisbon, Portugal`.
fn resolve(gazetteer: &Gazetteer, name: &str, wanted: Wanted) -> Result<PlaceId, TargetError> {
    let mut parts = name.split(',').map(str::trim);
    let own = parts.next().unwrap_or_default();
    let around: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut bearers = gazetteer.find_typed(own);
    let short = short_for(gazetteer, own);
    bearers.extend(&short);
    bearers.sort_unstable();
    bearers.dedup();
    if wanted == Wanted::Region || bearers.is_empty() {
        bearers.extend(gazetteer.us_state(own).filter(|id| !bearers.contains(id)));
    }
    bearers.retain(|&id| wanted == Wanted::Place || gazetteer.place(id).kind != Kind::City);
    for part in &around {
        // `CA` is California before it is Canada.
        prefer(&mut bearers, |&id| is_us_code(gazetteer, id, part));
        bearers.retain(|&id| is_us_code(gazetteer, id, part) || lies_in(gazetteer, id, part));
    }
    match bearers.iter().any(|id| short.contains(id)) {
        true => bearers.retain(|id| short.contains(id)),
        false => prefer(&mut bearers, |&id| {
            normalise(gazetteer.place(id).name) == normalise(own)
        }),
    }
    prefer(&mut bearers, |&id| {
        gazetteer.place(id).kind != Kind::Division2
    });
    prefer(&mut bearers, |&id| gazetteer.place(id).population > 0);
    if wanted == Wanted::Place {
        drop_regions_around(gazetteer, &mut bearers);
    }
    let Some((&first, others)) = bearers.split_first() else {
        return Err(unknown(gazetteer, name, own));
    };
    let Some(&second) = others.first() else {
        return Ok(first);
    };
    let (largest, next) = (gazetteer.place(first), gazetteer.place(second));
    let in_one_state = !around.is_empty()
        && bearers.iter().all(|&id| {
            let place = gazetteer.place(id);
            place.country == largest.country && place.division == largest.division
        });
    let leads_by = |times: u32| largest.population / next.population.max(1) >= times;
    let dominant = if in_one_state {
        leads_by(DOMINANCE_IN_STATE)
    } else {
        largest.population > DOMINANT_POPULATION && leads_by(DOMINANCE)
    };
    if dominant {
        Ok(first)
    } else {
        Err(ambiguous(gazetteer, name, &bearers))
    }
}

/// What a name is short for: `USA`, `U.K.`, `PA`, `FR`.
fn short_for(gazetteer: &Gazetteer, name: &str) -> Vec<PlaceId> {
    let letters = name.trim().replace('.', "");
    let is_short =
        (2..=3).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_short {
        return Vec::new();
    }
    let mut bearers: Vec<(PlaceId, Role)> = gazetteer.bearers(name).collect();
    let is_called_so = bearers.iter().any(|(_, role)| *role != Role::Demonym);
    bearers.retain(|(_, role)| *role == Role::Abbreviation);
    let mut short: Vec<PlaceId> = bearers.into_iter().map(|(id, _)| id).collect();
    if letters.len() == 2 {
        short.extend(gazetteer.us_state(name).filter(|id| !short.contains(id)));
        let in_capitals = letters.bytes().all(|byte| byte.is_ascii_uppercase());
        if short.is_empty() && (in_capitals || !is_called_so) {
            short.extend(gazetteer.country_of_code(&letters));
        }
    }
    short
}

/// Keeps the preferred ones where there are any.
fn prefer(bearers: &mut Vec<PlaceId>, preferred: impl Fn(&PlaceId) -> bool) {
    if bearers.iter().any(&preferred) {
        bearers.retain(preferred);
    }
}

/// New York lies in New York, Lisbon in Lisbon: the city is meant.
fn drop_regions_around(gazetteer: &Gazetteer, bearers: &mut Vec<PlaceId>) {
    let inner: Vec<PlaceId> = bearers
        .iter()
        .copied()
        .filter(|&id| gazetteer.place(id).kind == Kind::City)
        .collect();
    let same_people = |region: PlaceId, city: PlaceId| {
        // Many a country has a hamlet of its own name somewhere: that is not meant.
        gazetteer.place(city).population >= gazetteer.place(region).population / 20
    };
    bearers.retain(|&region| {
        gazetteer.place(region).kind == Kind::City
            || !inner.iter().any(|&city| {
                gazetteer.chain(city).any(|above| above == region) && same_people(region, city)
            })
    });
}

/// Whether a part after the comma is the two letters of the place's US state.
fn is_us_code(gazetteer: &Gazetteer, id: PlaceId, part: &str) -> bool {
    let place = gazetteer.place(id);
    place.country == "US" && part.replace('.', "").eq_ignore_ascii_case(place.division)
}

/// Whether a place lies in what a part after the comma names: `Texas`, `USA`, `DE`, `Harris County`.
fn lies_in(gazetteer: &Gazetteer, id: PlaceId, part: &str) -> bool {
    let named = gazetteer.find_typed(part);
    gazetteer
        .chain(id)
        .skip(1)
        .any(|above| named.contains(&above))
        || part.eq_ignore_ascii_case(gazetteer.place(id).country)
}

fn unknown(gazetteer: &Gazetteer, name: &str, own: &str) -> TargetError {
    // The name may be right and what follows the comma wrong.
    let mut near = gazetteer.find_typed(own);
    if near.is_empty() {
        near = gazetteer.nearest_names(own, MAX_NEAR);
    }
    near.truncate(MAX_NEAR);
    TargetError::Unknown {
        name: name.to_owned(),
        n_places: gazetteer.len(),
        near: near.into_iter().map(|id| gazetteer.describe(id)).collect(),
    }
}

fn ambiguous(gazetteer: &Gazetteer, name: &str, bearers: &[PlaceId]) -> TargetError {
    let short: Vec<String> = bearers.iter().map(|&id| gazetteer.describe(id)).collect();
    let candidate = |(&id, text): (&PlaceId, &String)| {
        let population = with_commas(gazetteer.place(id).population);
        if short.iter().filter(|other| *other == text).count() == 1 {
            return format!("{text} ({population})");
        }
        let names: Vec<&str> = gazetteer
            .chain(id)
            .map(|above| gazetteer.place(above).name)
            .collect();
        format!("{} ({population})", names.join(", "))
    };
    let candidates = bearers.iter().zip(&short).map(candidate).collect();
    TargetError::Ambiguous {
        name: name.to_owned(),
        candidates,
    }
}

/// `169,176`
fn with_commas(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
