//! Postal codes in a query: `dentist 77002`, `26121 Oldenburg`.

use super::choice::choose;
use super::lead;
use super::name::{Names, Reading};
use super::token::Tokens;
use super::{Found, Helps, Location, QuestionReader};
use crate::gazetteer::{Gazetteer, PlaceId, Role};
use crate::sphere::kilometres;
use std::collections::HashMap;
use std::ops::Range;

/// A city as near as this goes with a code, in kilometres.
const NEAR: f64 = 40.0;

/// Cities have at most so many words.
const MAX_CITY_WORDS: usize = 4;

/// The area of a code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) place: Option<PlaceId>,
    lat: f32,
    lon: f32,
}

/// German codes by their five digits; the gazetteer would have to look through all of them.
pub(super) struct GermanCodes {
    areas: HashMap<u32, Area>,
    /// One code of each city.
    of_city: HashMap<PlaceId, u32>,
}

impl GermanCodes {
    pub(super) fn new(gazetteer: &Gazetteer) -> GermanCodes {
        let mut codes = GermanCodes {
            areas: HashMap::new(),
            of_city: HashMap::new(),
        };
        for postcode in gazetteer.postcodes("DE") {
            let Ok(code) = postcode.code.parse() else {
                continue;
            };
            let place = postcode.place;
            let (lat, lon) = (postcode.lat, postcode.lon);
            codes.areas.insert(code, Area { place, lat, lon });
            if let Some(city) = place {
                codes.of_city.entry(city).or_insert(code);
            }
        }
        codes
    }

    /// Some code of a city.
    pub(super) fn of_city(&self, city: PlaceId) -> Option<u32> {
        self.of_city.get(&city).copied()
    }
}

/// The code that a query names; beside a name, only one that goes with it.
pub(super) fn find(names: &Names<'_>, name: Option<&Reading>, helps: &Helps<'_>) -> Option<Found> {
    let (reader, tokens) = (names.reader, names.tokens);
    (0..tokens.list.len()).find_map(|idx| {
        let areas = areas(reader, tokens, idx);
        if areas.is_empty() {
            return None;
        }
        let beside = name.filter(|name| name.place.end == idx || name.place.start == idx + 1);
        match beside {
            Some(name) => with_name(reader, tokens, idx, name, areas, helps),
            None => alone(names, idx, name, areas, helps),
        }
    })
}

/// What a token may be the code of.
fn areas(reader: &QuestionReader<'_>, tokens: &Tokens<'_>, idx: usize) -> Vec<Area> {
    let token = &tokens.list[idx];
    let Some(code) = digits(&token.lower).filter(|_| !token.is_fixed) else {
        return Vec::new();
    };
    let american = reader.gazetteer.zip_area(code).map(|zip| Area {
        place: zip.place,
        lat: zip.lat,
        lon: zip.lon,
    });
    // Four more digits are American.
    let german = reader
        .german
        .areas
        .get(&code)
        .filter(|_| token.lower.len() == 5);
    american.into_iter().chain(german.copied()).collect()
}

/// `77002` and `77002-1234` as a number.
fn digits(word: &str) -> Option<u32> {
    let (five, rest) = word.split_at_checked(5)?;
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_four = rest.len() == 5 && rest.starts_with('-') && are_digits(&rest[1..]);
    (are_digits(five) && (rest.is_empty() || has_four)).then(|| five.parse().ok())?
}

fn alone(
    names: &Names<'_>,
    idx: usize,
    name: Option<&Reading>,
    mut areas: Vec<Area>,
    helps: &Helps<'_>,
) -> Option<Found> {
    let tokens = names.tokens;
    let lead = lead::before(tokens, idx);
    let is_at_border = tokens.begins(idx) || tokens.ends(idx + 1);
    let is_beaten = name.is_some_and(Reading::is_sure);
    if lead.is_none() && (is_beaten || !is_at_border) {
        return None;
    }
    let n_lead = lead.map_or(0, |lead| lead.n_tokens);
    let is_near = lead.is_some_and(|lead| lead.is_near);
    let place = idx..city_end(names, idx + 1, &mut areas);
    let all = idx - n_lead..place.end;
    Some(found(
        names.reader,
        tokens,
        all,
        place,
        &areas,
        helps,
        is_near,
    ))
}

/// Where the city behind a code ends, too small to be a place by itself: keeps the areas it goes with.
fn city_end(names: &Names<'_>, start: usize, areas: &mut Vec<Area>) -> usize {
    let longest = MAX_CITY_WORDS.min(names.tokens.list.len() - start);
    for end in (start + 1..=start + longest).rev() {
        let bearers = names.bearers(start..end);
        let goes_with = |area: &Area| agree(names.gazetteer(), area, &bearers);
        if areas.iter().any(goes_with) {
            areas.retain(goes_with);
            return end;
        }
    }
    start
}

/// Name and code together: `Houston TX 77002`, `in 26121 Oldenburg`.
fn with_name(
    reader: &QuestionReader<'_>,
    tokens: &Tokens<'_>,
    idx: usize,
    name: &Reading,
    mut areas: Vec<Area>,
    helps: &Helps<'_>,
) -> Option<Found> {
    areas.retain(|area| agree(reader.gazetteer, area, &name.bearers));
    if areas.is_empty() {
        return None;
    }
    let place = name.place.start.min(idx)..name.place.end.max(idx + 1);
    let lead = lead::before(tokens, place.start);
    let n_lead = lead.map_or(0, |lead| lead.n_tokens);
    let is_near = lead.is_some_and(|lead| lead.is_near);
    let all = place.start - n_lead..place.end;
    Some(found(reader, tokens, all, place, &areas, helps, is_near))
}

fn agree(gazetteer: &Gazetteer, area: &Area, bearers: &[(PlaceId, Role)]) -> bool {
    let is_there = |&(id, _): &(PlaceId, Role)| {
        let lies_in = area
            .place
            .is_some_and(|place| gazetteer.chain(place).any(|above| above == id));
        let is_city = gazetteer.kind(id).is_settlement();
        lies_in || is_city && kilometres((area.lat, area.lon), gazetteer.coordinates(id)) <= NEAR
    };
    bearers.iter().any(is_there)
}

fn found(
    reader: &QuestionReader<'_>,
    tokens: &Tokens<'_>,
    all: Range<usize>,
    place: Range<usize>,
    areas: &[Area],
    helps: &Helps<'_>,
    is_near: bool,
) -> Found {
    let places = areas.iter().filter_map(|area| area.place);
    let bearers: Vec<(PlaceId, Role)> = places.map(|place| (place, Role::Name)).collect();
    let choice = choose(reader.gazetteer, &bearers, helps);
    let meant = choice.as_ref().map(|choice| choice.place);
    let area = areas
        .iter()
        .find(|area| area.place == meant)
        .unwrap_or(&areas[0]);
    Found {
        location: Location::Postcode {
            place: area.place,
            lat: area.lat.into(),
            lon: area.lon.into(),
            text: tokens.text(place.clone()).to_owned(),
        },
        tokens: all,
        place,
        state: 0..0,
        is_near,
        alternatives: choice.map(|choice| choice.others).unwrap_or_default(),
        because: "the postal code is named".into(),
    }
}
