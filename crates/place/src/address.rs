//! Finds postal addresses of the targets in text.
//!
//! A house number starts a candidate; the words after it are an address when
//! a target's city follows them, then its state or a ZIP code of that city,
//! and all that stands between number and city reads as a street and a unit.
//! An address never crosses a blank line. Each candidate looks at a few words
//! only, so time grows with the text and nothing else.
//!
//! Only US targets are looked for.

mod street;
mod token;
mod words;

use crate::gazetteer::Gazetteer;
use crate::target::{TargetId, Targets, city_names};
use std::collections::HashMap;
use std::ops::Range;
use token::{Gap, Token};
use xxhash_rust::xxh3::xxh3_64;

/// A postal address found in a text, normalised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// House number, upper case.
    pub number: String,
    /// Street, upper case, suffix and directionals in their postal abbreviation.
    pub street: String,
    /// Unit, where there is one.
    pub unit: Option<String>,
    /// City as the gazetteer spells it.
    pub city: String,
    /// Two-letter state.
    pub state: String,
    /// ZIP, where there is one.
    pub zip: Option<String>,
    /// The target it lies in.
    pub target: TargetId,
}

impl Entity {
    /// Equal for two spellings of one address (number, street, city, state; not the unit).
    pub fn key(&self) -> u64 {
        let Entity {
            number,
            street,
            city,
            state,
            ..
        } = self;
        xxh3_64(format!("{number}\n{street}\n{city}\n{state}").as_bytes())
    }
}

/// Finds addresses in one of the targets.
pub struct AddressFinder {
    /// By the first word of the city's name, in capitals; longest names first.
    cities: HashMap<String, Vec<City>>,
    targets: Vec<UsTarget>,
}

/// One way of writing the name of one target.
struct City {
    words: Vec<String>,
    /// Position in the finder's targets.
    target_idx: usize,
}

struct UsTarget {
    id: TargetId,
    city: String,
    state: String,
    /// Ascending.
    zips: Vec<u32>,
}

/// House numbers have at most so many digits.
const MAX_NUMBER_LEN: usize = 6;

impl AddressFinder {
    /// Prepares for a set of targets.
    pub fn new(gazetteer: &Gazetteer, targets: &Targets) -> AddressFinder {
        let mut finder = AddressFinder {
            cities: HashMap::new(),
            targets: Vec::new(),
        };
        for (id, target) in targets.iter() {
            let place = gazetteer.place(target.place);
            if place.country != "US" {
                continue;
            }
            for name in city_names(gazetteer, target) {
                let words: Vec<String> = name.split(' ').map(str::to_uppercase).collect();
                let city = City {
                    target_idx: finder.targets.len(),
                    words,
                };
                finder
                    .cities
                    .entry(city.words[0].clone())
                    .or_default()
                    .push(city);
            }
            finder.targets.push(UsTarget {
                id,
                city: place.name.to_owned(),
                state: target.state.clone(),
                zips: gazetteer
                    .zips(target.place)
                    .iter()
                    .map(|zip| zip.code)
                    .collect(),
            });
        }
        for cities in finder.cities.values_mut() {
            cities.sort_by_key(|city| std::cmp::Reverse(city.words.len()));
        }
        finder
    }

    /// All addresses of the text, in order.
    pub fn find(&self, text: &str) -> Vec<Entity> {
        let mut entities = Vec::new();
        let mut at = 0;
        while let Some(number) = next_number(text.as_bytes(), at) {
            at = number.end;
            if let Some(entity) = self.read(text, &number) {
                at = entity.span.end;
                entities.push(entity);
            }
        }
        entities
    }

    /// The address that begins with this house number.
    fn read(&self, text: &str, number: &Range<usize>) -> Option<Entity> {
        let tokens = token::tokens(text, number.end);
        // At least one word of a street stands before the city.
        (1..tokens.len()).find_map(|city_idx| self.read_with_city(text, number, &tokens, city_idx))
    }

    fn read_with_city(
        &self,
        text: &str,
        number: &Range<usize>,
        tokens: &[Token],
        city_idx: usize,
    ) -> Option<Entity> {
        let (street_tokens, rest) = tokens.split_at(city_idx);
        let candidates = self.cities.get(rest.first()?.word.as_str())?;
        let (target, tail) = candidates.iter().find_map(|city| {
            let target = &self.targets[city.target_idx];
            let after = after_city(rest, city)?;
            Some((target, read_tail(after, target)?))
        })?;
        // A fraction after the number belongs to it: `123 1/2 Main St`.
        let halved = street_tokens
            .first()
            .is_some_and(|token| token.word == "1/2");
        let street = street::read(&street_tokens[usize::from(halved)..])?;
        let fraction = if halved { " 1/2" } else { "" };
        Some(Entity {
            span: number.start..tail.end,
            number: format!("{}{fraction}", text[number.clone()].to_uppercase()),
            street: street.name,
            unit: street.unit,
            city: target.city.clone(),
            state: target.state.clone(),
            zip: tail.zip,
            target: target.id,
        })
    }
}

impl std::fmt::Debug for AddressFinder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AddressFinder")
            .field("n_targets", &self.targets.len())
            .finish_non_exhaustive()
    }
}

/// The words after a city's name, if that is what stands here.
fn after_city<'t>(tokens: &'t [Token], city: &City) -> Option<&'t [Token]> {
    let (name, rest) = tokens.split_at_checked(city.words.len())?;
    let same = name
        .iter()
        .zip(&city.words)
        .all(|(token, word)| token.word == *word);
    let joined = name.iter().skip(1).all(|token| token.gap == Gap::Space);
    (same && joined).then_some(rest)
}

struct Tail {
    zip: Option<String>,
    /// Where the address ends in the text.
    end: usize,
}

/// The target's state, a ZIP code, or both.
fn read_tail(tokens: &[Token], target: &UsTarget) -> Option<Tail> {
    let n_state_words = (1..=3).rev().find(|&n| is_state(tokens, n, &target.state));
    let after = &tokens[n_state_words.unwrap_or(0)..];
    let zip = after
        .first()
        .and_then(|token| Some((token, zip_digits(&token.word)?)));
    match (n_state_words, zip) {
        (Some(_), Some((token, zip))) => Some(Tail {
            zip: Some(zip.to_owned()),
            end: token.span.end,
        }),
        (Some(n), None) => Some(Tail {
            zip: None,
            end: tokens[n - 1].span.end,
        }),
        // Without a state, only a ZIP code of this very city will do.
        (None, Some((token, zip))) => {
            let code: u32 = zip[..5].parse().ok()?;
            target.zips.binary_search(&code).ok()?;
            Some(Tail {
                zip: Some(zip.to_owned()),
                end: token.span.end,
            })
        }
        (None, None) => None,
    }
}

/// Whether the first `n` words are this state.
fn is_state(tokens: &[Token], n: usize, state: &str) -> bool {
    let Some(words) = tokens.get(..n) else {
        return false;
    };
    if let [only] = words
        && words::state_by_code(&only.word) == Some(state)
    {
        // `or` and `in` are words, `OR` and `IN` are states, and so is
        // anything before a ZIP code.
        let before_zip = tokens
            .get(1)
            .is_some_and(|next| zip_digits(&next.word).is_some());
        return only.in_capitals || only.gap == Gap::Comma || before_zip;
    }
    let name: Vec<&str> = words.iter().map(|token| token.word.as_str()).collect();
    words::state_by_name(&name.join(" ")) == Some(state)
}

/// `77002` or `77002-1234`
fn zip_digits(word: &str) -> Option<&str> {
    let (five, four) = word.split_once('-').unwrap_or((word, "0000"));
    let digits = |part: &str, len: usize| {
        part.len() == len && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    (digits(five, 5) && digits(four, 4)).then_some(word)
}

/// The next thing that may be a house number: `1200`, `12-34`, `1200B`.
fn next_number(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let start = at + bytes.get(at..)?.iter().position(u8::is_ascii_digit)?;
        let len = bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let end = start + len;
        at = end;
        let clean = start == 0 || !is_joined(bytes[start - 1]) && !in_thousands(bytes, start);
        if !clean || len > MAX_NUMBER_LEN {
            continue;
        }
        let end = number_end(bytes, end);
        if bytes
            .get(end)
            .is_some_and(|&byte| matches!(byte, b' ' | b'\t' | 0xC2))
        {
            return Some(start..end);
        }
    }
}

/// What a house number is not joined to: amounts, dates, versions, other words.
fn is_joined(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'$' | b'#' | b'.' | b'-' | b'/' | b':' | b'+' | b'=' | b'_' | b'%' | b'@' | b'\''
        )
        || byte >= 0x80 && byte != 0xA0
}

/// `1,200` is an amount.
fn in_thousands(bytes: &[u8], start: usize) -> bool {
    start > 1 && bytes[start - 1] == b',' && bytes[start - 2].is_ascii_digit()
}

/// A letter, or a hyphen and a few digits or a letter, belong to the number.
fn number_end(bytes: &[u8], end: usize) -> usize {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    if letter(end) && !letter(end + 1) && !digit(end + 1) {
        return end + 1;
    }
    if bytes.get(end) == Some(&b'-') {
        let n_digits = (end + 1..end + 5).take_while(|&at| digit(at)).count();
        let after = end + 1 + n_digits;
        if n_digits > 0 && !digit(after) && !letter(after) {
            return after;
        }
        if letter(end + 1) && !letter(end + 2) {
            return end + 2;
        }
    }
    end
}

#[cfg(test)]
mod tests;
