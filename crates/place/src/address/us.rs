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
mod known;
mod street;
mod tail;
mod token;
mod words;

use super::keys::Letters;
use super::{Address, AddressKind, Certainty, Country};
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::names::is_invisible;
use cities::{Cities, ZipNames};
use known::KnownStreets;
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
/// Cities have at most so many words.
const MAX_CITY_WORDS: usize = 5;
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

/// A way to read the last words before the state.
struct City {
    /// Its words, as positions in the window.
    words: Range<usize>,
    /// Whether it is a name of the ZIP code.
    of_zip: bool,
    key: Option<u64>,
    place: Option<PlaceId>,
    points: i32,
}

/// What stands before one tail.
struct Scene<'s> {
    text: &'s str,
    window: &'s Window,
    tail: &'s Tail,
    tail_gap: Gap,
    state: &'static str,
    zip: Option<(usize, &'s ZipNames)>,
}

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
        let middles = gazetteer.all().map(|place| (place.lat, place.lon));
        UsAddresses {
            cities: Cities::new(gazetteer),
            streets: KnownStreets::new(gazetteer),
            middles: middles.collect(),
        }
    }

    fn find_all(&self, text: &str) -> Vec<Address> {
        let mut found: Vec<Address> = Vec::new();
        let mut tails = Tails::new(text, MAX_LEN);
        let mut window = Window::default();
        let mut end = 0;
        while let Some(tail) = tails.next() {
            let near = |at: &usize| *at >= end && tail.span.start.saturating_sub(*at) <= MAX_LEN;
            let Some(number) = tails.last_number.filter(near) else {
                continue;
            };
            let before = text.as_bytes().get(number..tail.span.start);
            if before.is_none_or(|before| before.len() < MIN_LEN || token::has_break(before)) {
                continue;
            }
            let number_word = tails.last_number_word.filter(near);
            let start = window_start(text, end, tail.span.start, number_word);
            if let Some(address) = self.read(text, start, &tail, &mut window) {
                end = address.span.end;
                found.push(address);
            }
        }
        found
    }

    /// The address that ends with this tail, or with the ZIP code below it.
    fn read(&self, text: &str, start: usize, tail: &Tail, window: &mut Window) -> Option<Address> {
        if let Some(zip) = tail.zip_below.clone() {
            let with_zip = Tail {
                span: tail.span.start..zip.end,
                zip: Some(zip),
                zip_below: None,
                ..*tail
            };
            let address = self.read_to(text, start, &with_zip, window);
            if let Some(address) = address.filter(|found| found.certainty == Certainty::OfCode) {
                return Some(address);
            }
        }
        self.read_to(text, start, tail, window)
    }

    fn read_to(
        &self,
        text: &str,
        start: usize,
        tail: &Tail,
        window: &mut Window,
    ) -> Option<Address> {
        let tail_gap = window.fill(text, start..tail.span.start)?;
        if tail_gap == Gap::Blank || !may_have_number(text, window) {
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
        let mut cities = self.cities_before(&scene);
        cities.sort_by_key(|city| std::cmp::Reverse(city.points));
        let tokens = &window.tokens;
        let mut best: Option<Reading> = None;
        for city in cities {
            let best_points = best.as_ref().map_or(ENOUGH - 1, |best| best.points);
            if city.points + street::MAX_POINTS <= best_points {
                break;
            }
            if let Some(reading) = self.read_street(text, window, tokens, city)
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

    /// Ways to read the last words as a city.
    fn cities_before(&self, scene: &Scene<'_>) -> Vec<City> {
        let tokens = &scene.window.tokens;
        let n = tokens.len();
        let mut found = self.cities_at(scene, n);
        // A county or an island may stand between: `Kihei, Maui, HI`.
        let last_part = (n.saturating_sub(3)..n)
            .rev()
            .find(|&idx| tokens[idx].gap != Gap::Space);
        if let Some(n) = last_part.filter(|&idx| idx > 2 && tokens[idx].gap == Gap::Comma) {
            let between = self.cities_at(scene, n).into_iter();
            found.extend(between.filter(|city| city.key.is_some()).map(|city| City {
                points: city.points - 5,
                ..city
            }));
        }
        found
    }

    /// Ways to read the words before a position as a city, longest first.
    fn cities_at(&self, scene: &Scene<'_>, n: usize) -> Vec<City> {
        let Scene {
            text,
            window,
            tail,
            tail_gap,
            state,
            zip,
        } = *scene;
        let tokens = &window.tokens[..n];
        let mut found = Vec::new();
        let mut keys = [0; MAX_CITY_WORDS];
        let n_words = city_keys(text, window, tokens, state, &mut keys);
        for len in (1..=n_words).rev() {
            let words = &tokens[n - len..];
            let key = keys[len - 1];
            let known = self.cities.get(key);
            let zip_state = zip.map(|(_, zip)| zip.state == state);
            let of_zip = known.is_some()
                && zip_state == Some(true)
                && zip.is_some_and(|(idx, _)| self.cities.zip_has(idx, key));
            let points = match (known, zip_state) {
                _ if of_zip => 40,
                // Only a ZIP code of this very city stands for the state.
                _ if tail.state.is_none() => continue,
                (Some(_), Some(true)) => 32,
                (Some(_), None) => 30,
                (Some(_), Some(false)) => 22,
                (None, _) => {
                    let apart = words[0].gap != Gap::Space;
                    let Some(points) = unknown_city(window, words, tail, tail_gap, apart) else {
                        continue;
                    };
                    points + if zip_state == Some(true) { 8 } else { 0 }
                }
            };
            found.push(City {
                words: n - len..n,
                of_zip,
                key: known.map(|_| key),
                place: known.flatten(),
                points,
            });
        }
        found
    }

    /// The best street that begins with a house number before the city.
    fn read_street(
        &self,
        text: &str,
        window: &Window,
        tokens: &[Token],
        city: City,
    ) -> Option<Reading> {
        let city_gap = tokens[city.words.start].gap;
        let before = &tokens[..city.words.start];
        // `1200 Main St in Houston, TX`
        let before = match before.split_last() {
            Some((last, before)) if last.lower && window.word(last) == "IN" => before,
            _ => before,
        };
        let mut best: Option<(Range<usize>, Street, i32)> = None;
        for idx in (0..before.len()).rev() {
            // The nearest number with a street without doubt is the house number.
            if best
                .as_ref()
                .is_some_and(|(_, street, _)| street.is_certain())
            {
                break;
            }
            if is_second_number(text, window, before, idx) {
                continue;
            }
            let street = if let Some((number, n_words)) = house_number(text, window, &before[idx..])
            {
                let in_words = !text.as_bytes()[number.start].is_ascii_digit()
                    && window.word(&before[idx]).len() > 2;
                street::read(window, &before[idx + n_words..], city_gap)
                    .map(|street| self.with_list(street, &city))
                    .filter(|street| !in_words || street.points >= 20)
                    .map(|street| {
                        let year = matches!(text[number.clone()].parse(), Ok(1900_u32..=2035))
                            && street.points < 20;
                        let points = street.points - if year { 10 } else { 0 };
                        (number, street, points)
                    })
            } else if let Some((number, len)) = street::post_box(window, &before[idx..]) {
                let street = Street {
                    name: String::new(),
                    unit: None,
                    po_box: Some(format!("PO BOX {number}")),
                    points: 25 - 3 * i32::try_from(before.len() - idx - len).unwrap_or(20),
                    complete: true,
                };
                let points = street.points;
                Some((before[idx].span.clone(), street, points))
            } else {
                None
            };
            if let Some(street) = street
                && best
                    .as_ref()
                    .is_none_or(|(_, _, points)| street.2 > *points)
            {
                best = Some(street);
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
        let middle = zip
            .map(|zip| (zip.lat, zip.lon))
            .or_else(|| self.middles.get(place?.0 as usize).copied());
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
        }
    }
}

impl Country for UsAddresses {
    fn find(&self, text: &str) -> Vec<Address> {
        self.find_all(text)
    }
}

/// Keys of the last word, the last two, and so on, as far as they may be one
/// city; gives back how many there are.
fn city_keys(
    text: &str,
    window: &Window,
    tokens: &[Token],
    state: &str,
    keys: &mut [u64; MAX_CITY_WORDS],
) -> usize {
    let mut name = Letters::EMPTY;
    let mut n_words = 0;
    for (token, key) in tokens.iter().rev().zip(keys) {
        if text.as_bytes()[token.span.start].is_ascii_digit() {
            break;
        }
        name = cities::letters(window.word(token), n_words == 0).then(name);
        *key = name.key(state);
        n_words += 1;
        if token.gap != Gap::Space {
            break;
        }
    }
    n_words
}

/// Where the words before a tail are read from: a little before the first number.
fn window_start(text: &str, end: usize, tail: usize, number_word: Option<usize>) -> usize {
    let from = end.max(tail.saturating_sub(MAX_LEN));
    let first_digit = text.as_bytes()[from..tail]
        .iter()
        .position(u8::is_ascii_digit)
        .map_or(tail, |offset| from + offset);
    let first = first_digit.min(number_word.unwrap_or(tail));
    char_start(text, from.max(first.saturating_sub(MAX_BOX_LEN)))
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

/// Whether any word could begin a street: most ends that are found end no address.
fn may_have_number(text: &str, window: &Window) -> bool {
    let tokens = &window.tokens;
    (0..tokens.len()).any(|idx| {
        house_number(text, window, &tokens[idx..]).is_some()
            || street::post_box(window, &tokens[idx..]).is_some()
    })
}

/// Points for a city nobody knows: it must look like a name and be set apart.
fn unknown_city(
    window: &Window,
    words: &[Token],
    tail: &Tail,
    tail_gap: Gap,
    apart: bool,
) -> Option<i32> {
    let plain = |token: &Token| {
        let word = window.word(token);
        word.chars().all(|c| c.is_alphabetic() || c == '-')
            && (!token.lower || token.meaning.is_small())
            && token.meaning.unit.is_none()
    };
    let first = window.full_word(&words[0]);
    let last = window.full_word(&words[words.len() - 1]);
    let directed = first.meaning.direction.is_some();
    let nameless = words.len() == 1 && (first.text.len() < 3 || directed);
    let is_street = words.len() > 1
        && last.meaning.suffix.is_some_and(|suffix| {
            matches!(
                suffix,
                "ST" | "AVE"
                    | "RD"
                    | "BLVD"
                    | "DR"
                    | "LN"
                    | "CT"
                    | "PL"
                    | "PKWY"
                    | "HWY"
                    | "BLDG"
                    | "TWR"
            )
        });
    let begins_street = !directed && first.meaning.is_street() && first.text.len() < 4;
    if tail.runs_on
        || nameless
        || is_street
        || begins_street
        || words.len() > 3
        || !words.iter().all(plain)
    {
        return None;
    }
    let closed = tail.zip.is_some() || tail_gap != Gap::Space;
    match (apart, closed) {
        (true, true) => Some(10),
        (false, true) if words.len() <= 2 => Some(4),
        _ => None,
    }
}

/// The house number at the start of these words, and how many of them it takes.
fn house_number(text: &str, window: &Window, tokens: &[Token]) -> Option<(Range<usize>, usize)> {
    let first = tokens.first()?;
    let word = window.word(first);
    let bytes = text.as_bytes();
    let start = first.span.start;
    if start > 0 && is_joined(bytes[start - 1]) || in_thousands(bytes, start) {
        return None;
    }
    let second = tokens.get(1)?;
    let second_word = window.word(second);
    if first.meaning.is_number() {
        return (!first.lower && !second.lower && second.gap == Gap::Space)
            .then(|| (first.span.clone(), 1));
    }
    if is_grid_part(word) {
        // Wisconsin's grids: `N112 W16700`, `W239N3490`.
        return if is_grid_part(second_word) {
            Some((start..second.span.end, 2))
        } else {
            word[1..]
                .contains(|c: char| c.is_ascii_alphabetic())
                .then(|| (first.span.clone(), 1))
        };
    }
    if !is_house_number(word) {
        return None;
    }
    if second_word.len() == 3
        && second_word.contains('/')
        && second_word.as_bytes()[0].is_ascii_digit()
    {
        return Some((start..second.span.end, 2));
    }
    // `416 & 420 3rd Ave`
    let third = tokens.get(2).map(|token| window.word(token));
    if second_word == "&" && third.is_some_and(is_house_number) {
        return Some((first.span.clone(), 3));
    }
    Some((first.span.clone(), 1))
}

/// Whether this number is the second one of `416 & 420 3rd Ave`.
fn is_second_number(text: &str, window: &Window, tokens: &[Token], idx: usize) -> bool {
    let first = idx.checked_sub(2).map(|first| &tokens[first..]);
    let number = first.and_then(|tokens| house_number(text, window, tokens));
    number.is_some_and(|(_, n_words)| n_words == 3)
}

/// `1200`, `1200B`, `12-34`, `535-B`, `12½`; all but `000`.
fn is_house_number(word: &str) -> bool {
    let word = word.trim_end_matches(['½', '¼', '¾']);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if !matches!(digits, 1..=6) || word.len() > 1 && word[..digits].bytes().all(|byte| byte == b'0')
    {
        return false;
    }
    let rest = word[digits..].trim_start_matches('-');
    let letter =
        |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let joined = rest.len() < word.len() - digits;
    rest.is_empty()
        || letter(rest)
        || joined && rest.len() <= 5 && {
            let end = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            end.bytes().all(|byte| byte.is_ascii_digit()) && rest.len() <= end.len() + 1
        }
}

fn is_grid_part(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.len() >= 4
        && matches!(bytes[0], b'N' | b'S' | b'E' | b'W')
        && bytes[1..]
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'N' | b'S' | b'E' | b'W'))
        && bytes[1].is_ascii_digit()
        && bytes[word.len() - 1].is_ascii_digit()
}

/// What a house number is not joined to: amounts, dates, versions, other words.
fn is_joined(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'$' | b'#' | b'.' | b'-' | b'/' | b':' | b'+' | b'=' | b'_' | b'%' | b'@' | b'\''
        )
}

/// `1,200` is an amount.
fn in_thousands(bytes: &[u8], start: usize) -> bool {
    start > 1 && bytes[start - 1] == b',' && bytes[start - 2].is_ascii_digit()
}
