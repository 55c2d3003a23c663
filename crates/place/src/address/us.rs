//! Finds US addresses anywhere in the country.
//!
//! An address is found from its end: `tail.rs` finds a state or ZIP code, the
//! words before it are read as a city, and the words before that as a street
//! that begins with a house number. Every reading has points; the best one is
//! an address if it has enough. What counts:
//!
//! - the city is a name of that ZIP code, or of that state, or unknown;
//! - the street has a suffix, is a numbered road, is on the city's list, or
//!   is just a name;
//! - words left over, and small letters where capitals are usual.
//!
//! Each end looks at a bounded number of bytes before it, so time grows with
//! the text and nothing else.

mod cities;
mod city;
mod known;
mod number;
mod scan;
mod street;
mod tail;
mod token;
mod words;

use super::{Address, AddressKind, Certainty, Country};
use crate::gazetteer::Gazetteer;
use crate::names::is_invisible;
use crate::precision::Precision;
use cities::{Cities, ZipNames};
use city::{City, Scene};
use known::KnownStreets;
use number::{Start, StartKind};
use std::ops::Range;
use street::Street;
use tail::{Tail, Tails};
use token::{Gap, Token, Window};

/// Number, street, unit and city together are at most so many bytes.
const MAX_LEN: usize = 200;
/// And at least so many: `1 A St Ulm `.
const MIN_LEN: usize = 8;
/// `Post Office Box No. ` stands before a number.
const MAX_BOX_LEN: usize = 24;
/// A reading needs so many points to be an address.
const ENOUGH: i32 = 40;
/// A street without a suffix has so many if the city's list has it.
const KNOWN_STREET: i32 = 26;

/// Finds US addresses; made once, used for every text.
pub(super) struct UsAddresses {
    cities: Cities,
    streets: KnownStreets,
    /// Coordinates of places, by identifier.
    middles: Vec<(f32, f32)>,
}

/// What is read before one tail; kept to be filled again.
#[derive(Default)]
struct Scratch {
    window: Window,
    starts: Vec<Start>,
}

/// A street that is as sure as its points say, and where its number stands.
type Found = (Range<usize>, Street, i32);

struct Reading {
    city: City,
    number: Range<usize>,
    street: Street,
    crosses_blank_line: bool,
    points: i32,
}

impl UsAddresses {
    /// Prepares the names of all cities.
    pub(super) fn new(gazetteer: &Gazetteer) -> UsAddresses {
        let middles = gazetteer.ids().map(|id| gazetteer.coordinates(id));
        UsAddresses {
            cities: Cities::new(gazetteer),
            streets: KnownStreets::new(gazetteer),
            middles: middles.collect(),
        }
    }

    fn find_all(&self, text: &str) -> Vec<Address> {
        let mut found: Vec<Address> = Vec::new();
        let mut tails = Tails::new(text, MAX_LEN);
        let mut scratch = Scratch::default();
        let mut end = 0;
        while let Some(tail) = tails.next() {
            let Some(start) = window_start(text, end, &tail, &tails) else {
                continue;
            };
            if let Some(address) = self.read(text, start, &tail, &mut scratch) {
                end = address.span.end;
                found.push(address);
            }
        }
        found
    }

    /// The address that ends with this tail, or with the ZIP code below it.
    fn read(
        &self,
        text: &str,
        start: usize,
        tail: &Tail,
        scratch: &mut Scratch,
    ) -> Option<Address> {
        if let Some(zip) = tail.zip_below.clone() {
            let with_zip = Tail {
                span: tail.span.start..zip.end,
                zip: Some(zip),
                zip_below: None,
                ..*tail
            };
            let address = self.read_to(text, start, &with_zip, scratch);
            if let Some(address) = address.filter(|found| found.certainty == Certainty::OfCode) {
                return Some(address);
            }
        }
        self.read_to(text, start, tail, scratch)
    }

    fn read_to(
        &self,
        text: &str,
        start: usize,
        tail: &Tail,
        scratch: &mut Scratch,
    ) -> Option<Address> {
        let Scratch { window, starts } = scratch;
        let tail_gap = window.fill(text, start..tail.span.start)?;
        if tail_gap == Gap::Blank {
            return None;
        }
        number::starts(text, window, starts);
        if starts.is_empty() {
            return None;
        }
        let zip = tail.zip.clone().and_then(|zip| self.cities.zip(&text[zip]));
        let state = tail.state.or(zip.map(|(_, zip)| zip.state))?;
        let scene = Scene {
            text,
            window,
            tail,
            tail_gap,
            state,
            zip,
        };
        let mut cities = self.cities.before(&scene);
        cities.sort_by_key(|city| std::cmp::Reverse(city.points));
        let tokens = &window.tokens;
        let mut best: Option<Reading> = None;
        for city in cities {
            let best_points = best.as_ref().map_or(ENOUGH - 1, |best| best.points);
            if city.points + street::MAX_POINTS <= best_points {
                break;
            }
            if let Some(reading) = self.read_street(text, window, starts, city)
                && best
                    .as_ref()
                    .is_none_or(|best| reading.points > best.points)
            {
                best = Some(reading);
            }
        }
        let best = best.filter(|best| best.points >= ENOUGH)?;
        Some(self.address(text, tokens, tail, state, zip.map(|(_, zip)| zip), best))
    }

    /// The best street that begins with a house number before the city.
    fn read_street(
        &self,
        text: &str,
        window: &Window,
        starts: &[Start],
        city: City,
    ) -> Option<Reading> {
        let tokens = &window.tokens;
        let city_gap = tokens[city.words.start].gap;
        let before = &tokens[..city.words.start];
        // `1200 Main St in Houston, TX`
        let before = match before.split_last() {
            Some((last, before)) if last.lower && window.word(last) == "IN" => before,
            _ => before,
        };
        let mut best: Option<Found> = None;
        let starts = starts.iter().rev().filter(|start| start.idx < before.len());
        for start in starts {
            let found = self.read_from(text, window, before, start, &city, city_gap);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.2 > best.2)
            {
                best = Some(found);
            }
            // The nearest number with a street without doubt is the house number.
            if best
                .as_ref()
                .is_some_and(|(_, street, _)| street.is_certain())
            {
                break;
            }
        }
        let (number, street, street_points) = best?;
        // Across a blank line only where the post agrees on everything.
        let n_blank = before
            .iter()
            .chain([&tokens[city.words.start]])
            .filter(|token| token.span.start > number.start && token.gap == Gap::Blank)
            .count();
        if n_blank > 0 && !(n_blank <= 2 && city.of_zip && street_points >= 28 && street.complete) {
            return None;
        }
        // A city nobody knows stands only after a street without doubt.
        if city.key.is_none() && (street_points < 22 || !street.complete) {
            return None;
        }
        // After a unit, the next words begin something new.
        let after_unit = city.key.is_none() && street.unit.is_some();
        let points = city.points + street_points + if after_unit { 6 } else { 0 };
        Some(Reading {
            city,
            number,
            street,
            crosses_blank_line: n_blank > 0,
            points,
        })
    }

    /// The street or post box between this start and the city.
    fn read_from(
        &self,
        text: &str,
        window: &Window,
        before: &[Token],
        start: &Start,
        city: &City,
        city_gap: Gap,
    ) -> Option<Found> {
        match &start.kind {
            StartKind::House {
                number,
                n_words,
                in_words,
            } => {
                let words = before.get(start.idx + n_words..)?;
                let street = self.with_list(street::read(window, words, city_gap)?, city);
                if *in_words && street.points < 20 {
                    return None;
                }
                let year = street.points < 20
                    && matches!(text[number.clone()].parse(), Ok(1900_u32..=2035));
                let points = street.points - if year { 10 } else { 0 };
                Some((number.clone(), street, points))
            }
            StartKind::Box => {
                let words = &before[start.idx..];
                let (number, len) = street::post_box(window, words)?;
                let street = Street {
                    name: String::new(),
                    unit: None,
                    po_box: Some(format!("PO BOX {number}")),
                    points: 25 - 3 * i32::try_from(words.len() - len).unwrap_or(20),
                    complete: true,
                };
                let points = street.points;
                Some((words[0].span.clone(), street, points))
            }
        }
    }

    /// A street that the city is known to have is one without a suffix, too.
    fn with_list(&self, mut street: Street, city: &City) -> Street {
        if street.points < KNOWN_STREET
            && street.complete
            && city
                .place
                .is_some_and(|place| self.streets.has(place, &street.name))
        {
            street.points = KNOWN_STREET;
        }
        street
    }

    fn address(
        &self,
        text: &str,
        tokens: &[Token],
        tail: &Tail,
        state: &'static str,
        zip: Option<&ZipNames>,
        reading: Reading,
    ) -> Address {
        let Reading {
            city,
            number,
            street,
            crosses_blank_line,
            ..
        } = reading;
        let zip = zip.filter(|zip| zip.state == state);
        let place = city.place.or(zip.and_then(|zip| zip.place));
        let of_place = || self.middles.get(place?.0 as usize).copied();
        let (middle, precision) = match zip.map(|zip| (zip.lat, zip.lon)) {
            Some(of_zip) => (Some(of_zip), Precision::Postcode),
            None => (of_place(), Precision::Place),
        };
        let name = tokens[city.words.start].span.start..tokens[city.words.end - 1].span.end;
        let boxed = street.name.is_empty();
        Address {
            span: number.start..tail.span.end,
            kind: if boxed {
                AddressKind::PoBox
            } else {
                AddressKind::Street
            },
            number: if boxed {
                String::new()
            } else {
                number_text(&text[number])
            },
            street: street.name,
            plain_street: None,
            unit: street.unit,
            po_box: street.po_box,
            city: single_spaced(&text[name.clone()]),
            city_key: city
                .key
                .unwrap_or_else(|| cities::key(&text[name.clone()], state)),
            certainty: match city.key {
                Some(_) if city.of_zip => Certainty::OfCode,
                Some(_) => Certainty::Known,
                None => Certainty::Unknown,
            },
            crosses_blank_line,
            state,
            country: "US",
            zip: tail.zip.clone().map(|zip| text[zip].to_owned()),
            place,
            lat: middle.map(|(lat, _)| lat),
            lon: middle.map(|(_, lon)| lon),
            precision: middle.map(|_| precision),
        }
    }
}

impl Country for UsAddresses {
    fn find(&self, text: &str) -> Vec<Address> {
        self.find_all(text)
    }
}

/// Where the words before a tail are read from: a little before the first
/// number. Nothing if no number belongs to the tail.
fn window_start(text: &str, end: usize, tail: &Tail, tails: &Tails<'_>) -> Option<usize> {
    let tail = tail.span.start;
    let last_number = tails.last_number?;
    if last_number < end || tail < last_number + MIN_LEN {
        return None;
    }
    let from = end.max(tail.saturating_sub(MAX_LEN));
    let bytes = text.as_bytes().get(from..tail)?;
    let from = tail - token::len_after_break(bytes);
    if last_number < from {
        return None;
    }
    let first_digit = text.as_bytes()[from..tail]
        .iter()
        .position(u8::is_ascii_digit)
        .map_or(tail, |offset| from + offset);
    let number_word = tails.last_number_word.filter(|at| *at >= from);
    let first = first_digit.min(number_word.unwrap_or(tail));
    Some(char_start(
        text,
        from.max(first.saturating_sub(MAX_BOX_LEN)),
    ))
}

fn char_start(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    // A window never begins inside a word.
    let inside = |at: usize| at > 0 && text.as_bytes()[at - 1].is_ascii_alphanumeric();
    while inside(at)
        && text
            .as_bytes()
            .get(at)
            .is_some_and(u8::is_ascii_alphanumeric)
    {
        at += 1;
    }
    at
}

/// `1200`, `123 1/2`
fn number_text(text: &str) -> String {
    let mut number = single_spaced(text);
    number.make_ascii_uppercase();
    number
}

/// The text's words with one space between them.
fn single_spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push_str(word);
    }
    if !spaced.is_ascii() {
        spaced.retain(|c| !is_invisible(c));
    }
    spaced
}
