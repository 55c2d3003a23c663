//! Street addresses in a query: `plumber near 100 Milam Street, Houston`.
//!
//! People leave the state or the postal code out, which the finder of
//! addresses needs: both are tried as the cities of that name would have them.

use super::choice::choose;
use super::name::Names;
use super::token::Tokens;
use super::{Found, Helps, Location, lead};
use crate::address::{Address, AddressKind};
use crate::gazetteer::{Kind, Place, PlaceId};
use std::ops::Range;

/// Cities have at most so many words.
const MAX_CITY_WORDS: usize = 4;
/// So many completions are tried at most.
const MAX_TRIES: usize = 6;

/// The address that a query names.
pub(super) fn find(names: &Names<'_>, helps: &Helps<'_>) -> Option<Found> {
    let (reader, tokens) = (names.reader, names.tokens);
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let first = tokens
        .list
        .iter()
        .position(|token| !token.is_fixed && is_number(&token.lower))?;
    let head = &tokens.query[..tokens.end];
    let titled = in_capitals(head);
    let whole = |text: &str| {
        let found = reader.addresses.find(text).into_iter();
        found
            .filter(|address| address.kind == AddressKind::Street)
            .find_map(|address| located(names, covered(tokens, &address.span)?, &address))
    };
    whole(head)
        .or_else(|| whole(&titled))
        .or_else(|| completed(names, &titled, first, helps))
}

/// Every word with a capital, as addresses are written; no byte moves.
fn in_capitals(text: &str) -> String {
    let mut after_letter = false;
    text.chars()
        .map(|c| {
            let small_first = !after_letter && c.is_ascii_lowercase();
            after_letter = c.is_alphanumeric();
            if small_first {
                c.to_ascii_uppercase()
            } else {
                c
            }
        })
        .collect()
}

/// The tokens that a span covers, if all of them are free to be read.
fn covered(tokens: &Tokens<'_>, span: &Range<usize>) -> Option<Range<usize>> {
    let list = &tokens.list;
    let start = list.iter().position(|token| token.word.end > span.start)?;
    let end = list.iter().rposition(|token| token.word.start < span.end)? + 1;
    let is_free = start < end && list[start..end].iter().all(|token| !token.is_fixed);
    is_free.then_some(start..end)
}

fn located(names: &Names<'_>, place: Range<usize>, address: &Address) -> Option<Found> {
    let tokens = names.tokens;
    let lead = lead::before(tokens, place.start);
    let n_lead = lead.map_or(0, |lead| lead.n_tokens);
    Some(Found {
        location: Location::Address {
            place: address.place,
            lat: address.lat?.into(),
            lon: address.lon?.into(),
            text: tokens.text(place.clone()).to_owned(),
            is_exact: false,
        },
        tokens: place.start - n_lead..place.end,
        place,
        state: 0..0,
        is_near: lead.is_some_and(|lead| lead.is_near),
        alternatives: Vec::new(),
        because: format!(
            "the address is named, taken as the middle of {}",
            stand_in(names, address)
        )
        .into(),
    })
}

/// What an address is taken as the middle of: its postal code, or its city.
fn stand_in<'t>(names: &'t Names<'_>, address: &'t Address) -> &'t str {
    let gazetteer = names.gazetteer();
    let city = address.place.map(|place| gazetteer.place(place));
    let is_there =
        |city: &Place<'_>| (Some(city.lat), Some(city.lon)) == (address.lat, address.lon);
    match (city.filter(is_there), &address.zip) {
        (Some(city), _) => city.name,
        (None, Some(code)) => code,
        (None, None) => &address.city,
    }
}

/// Tries to add what is missing, city by city.
fn completed(
    names: &Names<'_>,
    titled: &str,
    first_number: usize,
    helps: &Helps<'_>,
) -> Option<Found> {
    let (reader, tokens) = (names.reader, names.tokens);
    if !tokens.list.iter().any(|token| is_road(&token.normal)) {
        return None;
    }
    let n_tokens = tokens.list.len();
    let ranges = (first_number + 1..n_tokens).flat_map(|start| {
        let longest = (start + MAX_CITY_WORDS).min(n_tokens);
        (start + 1..=longest).rev().map(move |end| start..end)
    });
    let tries = ranges.flat_map(|range| {
        let cities = cities(names, range.clone(), helps);
        cities.into_iter().map(move |city| (range.clone(), city))
    });
    tries.take(MAX_TRIES).find_map(|(range, city)| {
        let gazetteer = reader.gazetteer;
        let own = tokens.list[range.start].word.start..tokens.list[range.end - 1].word.end;
        let (before, name) = (&titled[..own.start], &titled[own.clone()]);
        let text = match gazetteer.country(city) {
            "US" => format!("{before}{name}, {}", gazetteer.division(city)),
            _ => format!("{before}{:05} {name}", reader.german.of_city(city)?),
        };
        let found = reader.addresses.find(&text);
        let mut address = found
            .into_iter()
            .find(|address| address.span.end > own.start)?;
        // The code was ours: the middle of the city is all that is known.
        let (lat, lon) = gazetteer.coordinates(city);
        (address.place, address.lat, address.lon) = (Some(city), Some(lat), Some(lon));
        let place = covered(tokens, &(address.span.start..own.end))?;
        located(names, place, &address)
    })
}

/// The likeliest cities of a name in countries whose addresses we know.
fn cities(names: &Names<'_>, range: Range<usize>, helps: &Helps<'_>) -> Vec<PlaceId> {
    let gazetteer = names.gazetteer();
    let mut bearers = names.bearers(range);
    bearers.retain(|&(id, _)| {
        let has_people = gazetteer.kind(id) == Kind::City && gazetteer.population(id) > 0;
        has_people && matches!(gazetteer.country(id), "US" | "DE")
    });
    let Some(choice) = choose(gazetteer, &bearers, helps) else {
        return Vec::new();
    };
    let mut cities = vec![choice.place];
    cities.extend(choice.others.iter().take(1));
    cities
}

/// Whether a word says that a street is named.
fn is_road(word: &str) -> bool {
    const WORDS: [&str; 28] = [
        "street",
        "st",
        "avenue",
        "ave",
        "road",
        "rd",
        "boulevard",
        "blvd",
        "drive",
        "dr",
        "lane",
        "ln",
        "highway",
        "hwy",
        "freeway",
        "parkway",
        "pkwy",
        "way",
        "court",
        "ct",
        "place",
        "pl",
        "terrace",
        "circle",
        "square",
        "broadway",
        "markt",
        "hof",
    ];
    const ENDINGS: [&str; 9] = [
        "strasse", "str", "weg", "platz", "allee", "gasse", "ring", "damm", "ufer",
    ];
    WORDS.contains(&word) || ENDINGS.iter().any(|ending| word.ends_with(ending))
}
