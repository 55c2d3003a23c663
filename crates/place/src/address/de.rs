//! Finds German addresses: `Hauptstraße 5, 26121 Oldenburg`.
//!
//! An address is found from its postal code: five digits before a word. The
//! words after them are read as a city (`city.rs`), the words before them as a
//! house number and a street (`street.rs`); where there is no street before,
//! one may follow. Every part has points, and enough of them are an address.
//!
//! Nothing but the search for five digits looks at every byte, and each code
//! looks at a bounded number of bytes around it.

mod city;
mod delivery;
mod street;
mod token;
mod words;

use super::postcodes::Postcodes;
use super::{Address, AddressKind, Certainty, Country};
use crate::gazetteer::Gazetteer;
use crate::names::is_invisible;
use crate::precision::Precision;
use city::City;
use delivery::Delivery;
use std::ops::Range;
use token::{Gap, Words};

/// Street, number and what stands beside them are at most so many bytes.
const MAX_LEN: usize = 160;
/// And the city with what follows it.
const MAX_CITY_LEN: usize = 120;
/// So many words after a postal code are read: a city, and perhaps a street.
const MAX_WORDS: usize = 16;
/// And so many for a city and the country after it.
const MAX_CITY_WORDS: usize = 8;
/// A reading needs so many points to be an address.
const ENOUGH: i32 = 42;

/// Finds German addresses; made once, used for every text.
pub(super) struct GermanAddresses {
    postcodes: Postcodes,
}

/// Five digits that may be a postal code.
struct Code {
    digits: Range<usize>,
    /// Where `D-` before them begins.
    start: usize,
}

/// What is read around one postal code; kept to be filled again.
#[derive(Default)]
struct Scratch {
    before: Words,
    after: Words,
}

impl GermanAddresses {
    /// Prepares the names of all cities.
    pub(super) fn new(gazetteer: &Gazetteer) -> GermanAddresses {
        GermanAddresses {
            postcodes: Postcodes::new(gazetteer, "DE", words::LANDS, city::SPELLING),
        }
    }

    /// The address of this postal code; it begins after the one before.
    fn read(&self, text: &str, from: usize, code: &Code, scratch: &mut Scratch) -> Option<Address> {
        let digits = &text[code.digits.clone()];
        let start = from.max(code.start.saturating_sub(MAX_LEN));
        let end = (code.digits.end + MAX_CITY_LEN).min(text.len());
        let has_digit = |range: Range<usize>| text.as_bytes()[range].iter().any(u8::is_ascii_digit);
        if !has_digit(start..code.start) && !has_digit(code.digits.end..end) {
            return None;
        }
        let area = self.postcodes.find(digits);
        let after = code.digits.end..char_end(text, end);
        scratch.after.fill(text, after.clone(), MAX_CITY_WORDS);
        let city = city::read(text, &scratch.after, digits, area, &self.postcodes)?;
        let start = word_start(text, start);
        scratch.before.fill(text, start..code.start, usize::MAX);
        let before = delivery::before_code(text, &scratch.before)
            .filter(|delivery| is_enough(delivery, &city, code));
        let (delivery, end) = match before {
            Some(delivery) => {
                let end = after_country(text, &scratch.after, &city);
                (delivery, end)
            }
            None => {
                if !city.is_of_code() {
                    return None;
                }
                scratch.after.fill(text, after, MAX_WORDS);
                let delivery = delivery::after_city(text, &scratch.after, city.n_words)
                    .filter(|delivery| is_enough(delivery, &city, code))?;
                let end = delivery.span.end;
                (delivery, end)
            }
        };
        self.address(text, code, city, delivery, end)
    }

    fn address(
        &self,
        text: &str,
        code: &Code,
        city: City,
        delivery: Delivery,
        end: usize,
    ) -> Option<Address> {
        let area = city.known.and_then(|known| known.area);
        let area = area.or_else(|| self.postcodes.find(&text[code.digits.clone()]))?;
        let area = self.postcodes.area(area);
        let certainty = match city.known {
            Some(_) if city.is_of_code() => Certainty::OfCode,
            Some(_) => Certainty::Known,
            None => Certainty::Unknown,
        };
        let place = city.known.and_then(|known| known.place).or(area.place);
        Some(Address {
            span: delivery.span.start.min(code.start)..end,
            kind: if delivery.street.is_empty() {
                AddressKind::PoBox
            } else {
                AddressKind::Street
            },
            number: delivery.number,
            plain_street: Some(street::normal_form(&delivery.street)),
            street: delivery.street,
            unit: delivery.unit,
            po_box: delivery.po_box,
            city: tidy(&text[city.span]),
            city_key: city.key,
            certainty,
            crosses_blank_line: delivery.crosses_blank_line,
            state: area.division,
            country: "DE",
            zip: Some(text[code.digits.clone()].to_owned()),
            place,
            lat: Some(area.lat),
            lon: Some(area.lon),
            precision: Some(Precision::Postcode),
        })
    }
}

impl Country for GermanAddresses {
    fn find(&self, text: &str) -> Vec<Address> {
        let mut found: Vec<Address> = Vec::new();
        let mut scratch = Scratch::default();
        let mut at = 0;
        let mut end = 0;
        while let Some(digits) = next_five_digits(text.as_bytes(), at) {
            at = digits.end;
            let Some(code) = code(text, digits).filter(|code| code.start >= end) else {
                continue;
            };
            if let Some(address) = self.read(text, end, &code, &mut scratch) {
                end = address.span.end;
                at = at.max(end);
                found.push(address);
            }
        }
        found
    }
}

/// Whether all that was read is an address.
fn is_enough(delivery: &Delivery, city: &City, code: &Code) -> bool {
    let with_country = code.start < code.digits.start;
    let points = delivery.points + city.points + if with_country { 8 } else { 0 };
    // Across a blank line, and with a city nobody knows, only a sure street.
    let sure = delivery.points >= 24;
    let needs_sure = city.known.is_none() || delivery.crosses_blank_line;
    points >= ENOUGH && (sure || !needs_sure)
}

/// The next run of exactly five digits.
///
/// Five digits in a row cover every fifth byte, so only that one is looked at.
fn next_five_digits(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from + 4;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 5;
            continue;
        }
        let before = bytes[from..at].iter().rev();
        let start = at - before.take_while(|byte| byte.is_ascii_digit()).count();
        let after = bytes[at..].iter();
        let end = at + after.take_while(|byte| byte.is_ascii_digit()).count();
        if end - start == 5 {
            return Some(start..end);
        }
        at = end + 5;
    }
    None
}

/// The digits as a postal code: a word follows, and nothing is joined to them.
fn code(text: &str, digits: Range<usize>) -> Option<Code> {
    let bytes = text.as_bytes();
    let rest = &text[digits.end..];
    let gap = rest.trim_start_matches([' ', '\u{a0}', '\t', '\n', '\r', ',']);
    let n_gap = rest.len() - gap.len();
    if !(1..=6).contains(&n_gap) || !gap.starts_with(char::is_alphabetic) {
        return None;
    }
    let start = country_start(bytes, digits.start);
    let joined = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'-' | b'.' | b'/' | b'+' | b'#' | b'=' | b'_' | b'$' | b'%'
            )
    };
    if start > 0 && joined(bytes[start - 1]) || after_state(text, digits.start) {
        return None;
    }
    Some(Code { digits, start })
}

/// Whether two capitals stand before the code, as a US state does before a ZIP code.
fn after_state(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '\u{a0}']);
    let [rest @ .., first, second] = before.as_bytes() else {
        return false;
    };
    let alone = rest.last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let capitals = first.is_ascii_uppercase() && second.is_ascii_uppercase();
    let storey = matches!(
        &[*first, *second],
        b"DE" | b"DG" | b"EG" | b"HH" | b"OG" | b"UG" | b"VH"
    );
    alone && capitals && !storey
}

/// Where `D-`, `DE-`, `D - ` or `D ` before a postal code begins, or the code itself.
fn country_start(bytes: &[u8], digits: usize) -> usize {
    let skip = |at: usize, sign: u8| {
        if at > 0 && bytes[at - 1] == sign {
            at - 1
        } else {
            at
        }
    };
    let at = skip(skip(skip(digits, b' '), b'-'), b' ');
    let letters = match &bytes[..at] {
        [.., b'D', b'E'] => 2,
        [.., b'D'] => 1,
        _ => return digits,
    };
    let start = at - letters;
    if start > 0 && bytes[start - 1].is_ascii_alphanumeric() {
        digits
    } else {
        start
    }
}

/// Where the address ends: with the city, or the country after it.
fn after_country(text: &str, words: &Words, city: &City) -> usize {
    let mut rest = words.list[city.n_words..].iter().peekable();
    let plain = |word: &token::Word| words.plain(word).replace('-', "");
    if rest
        .peek()
        .is_some_and(|word| words::is_land(&plain(word)) && word.gap <= Gap::Comma)
    {
        rest.next();
    }
    match rest.next() {
        Some(word) if word.gap <= Gap::Line && words::is_country(&plain(word)) => word.span.end,
        Some(word) if word.gap <= Gap::Comma && &text[word.span.clone()] == "DE" => word.span.end,
        _ => city.span.end,
    }
}

/// The text with single spaces and without soft hyphens.
fn tidy(text: &str) -> String {
    let seen: String = text.chars().filter(|&c| !is_invisible(c)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first start of a word from here on.
fn word_start(text: &str, from: usize) -> usize {
    let mut at = char_end(text, from);
    let inside = |at: usize| text[..at].ends_with(char::is_alphanumeric);
    while at < text.len() && inside(at) {
        at = char_end(text, at + 1);
    }
    at
}

fn char_end(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
