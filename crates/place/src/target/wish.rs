//! Reads what a user asked for and turns it into targets.

use super::grant::Grant;
use super::{Asked, Target, TargetError, region, resolve};
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::sphere::MapBox;

/// `cities in Texas` are those over this many people.
const DEFAULT_MIN_POPULATION: u32 = 50_000;

/// What one wish came to, with its targets.
pub(super) struct Granted {
    pub(super) targets: Vec<Target>,
    pub(super) grant: Grant,
    /// The box that was asked for.
    pub(super) edges: Option<MapBox>,
}

impl Granted {
    pub(super) fn of(wish: &str, targets: Vec<Target>) -> Granted {
        let is_place = |target: &&Target| target.asked != Asked::AsRegion;
        let places = targets.iter().filter(is_place).map(|target| target.place);
        Granted {
            grant: Grant::of(wish, places),
            targets,
            edges: None,
        }
    }
}

/// The 2006 paper's cities.
pub(super) fn top100(gazetteer: &Gazetteer) -> Granted {
    Granted::of("us-top100", super::top100::targets(gazetteer))
}

/// Targets of one wish.
pub(super) fn read(gazetteer: &Gazetteer, wish: &str) -> Result<Granted, TargetError> {
    if wish.eq_ignore_ascii_case("us-top100") {
        return Ok(top100(gazetteer));
    }
    if let Some(corners) = four_numbers(wish) {
        return region::of_box(gazetteer, wish, edges(wish, corners)?);
    }
    if let Some((min_population, name)) = sized_region(wish) {
        let place = resolve::region(gazetteer, name)?;
        return region::cities_over(gazetteer, wish, place, min_population);
    }
    if let Some(granted) = super::postcode::read(gazetteer, wish) {
        return granted;
    }
    let place = resolve::place(gazetteer, wish, &|_| 0)?;
    match gazetteer.kind(place).is_settlement() {
        true => Ok(Granted::of(
            wish,
            vec![target(gazetteer, place, Asked::ByName)],
        )),
        false => region::whole(gazetteer, wish, place),
    }
}

/// A target whose name is looked for.
pub(super) fn target(gazetteer: &Gazetteer, id: PlaceId, asked: Asked) -> Target {
    let place = gazetteer.place(id);
    let division = gazetteer
        .chain(id)
        .find(|&above| gazetteer.kind(above) == Kind::Division1);
    let state = match division {
        _ if place.country == "US" => place.division,
        Some(division) => gazetteer.place(division).name,
        None => "",
    };
    Target {
        place: id,
        asked,
        is_sought: true,
        city: place.name.to_owned(),
        state: state.to_owned(),
        share: None,
    }
}

/// `29.5,-95.8,30.1,-95.0`
fn four_numbers(wish: &str) -> Option<[f64; 4]> {
    let numbers: Option<Vec<f64>> = wish
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    numbers?.try_into().ok()
}

fn edges(wish: &str, corners: [f64; 4]) -> Result<MapBox, TargetError> {
    let [south, west, north, east] = corners;
    let on_globe = corners.iter().all(|corner| corner.is_finite())
        && (-90.0..=90.0).contains(&south)
        && (-90.0..=90.0).contains(&north)
        && (-180.0..=180.0).contains(&west)
        && (-180.0..=180.0).contains(&east);
    match on_globe && south < north {
        true => Ok(MapBox {
            south,
            west,
            north,
            east,
        }),
        false => Err(TargetError::Box {
            name: wish.to_owned(),
        }),
    }
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
