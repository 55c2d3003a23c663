//! Reads the words between a house number and a city as a street and a unit.

use super::token::{Gap, Token};
use super::words;

/// Street names have at most so many words before their suffix.
const MAX_NAME_WORDS: usize = 5;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Street {
    pub(super) name: String,
    pub(super) unit: Option<String>,
}

/// The street, if all the words make one: direction, name, suffix, direction, units.
pub(super) fn read(tokens: &[Token]) -> Option<Street> {
    // The last possible suffix first: `Park Avenue Court` ends with its court.
    (1..=tokens.len()).rev().find_map(|end| {
        let (street, rest) = tokens.split_at(end);
        let on_one_line = street.iter().all(|token| token.gap == Gap::Space);
        if !on_one_line {
            return None;
        }
        let name = name(street)?;
        Some(Street {
            name,
            unit: units(rest)?,
        })
    })
}

/// A complete street name in its postal form.
fn name(tokens: &[Token]) -> Option<String> {
    let words: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
    if words.iter().any(|word| word.starts_with('#')) {
        return None;
    }
    let (before, rest) = match words.split_first() {
        Some((first, rest)) if !rest.is_empty() && words::direction(first).is_some() => {
            (words::direction(first), rest)
        }
        _ => (None, words.as_slice()),
    };
    let with_suffix = |rest: &[&str]| -> Option<Vec<String>> {
        let (last, name) = rest.split_last()?;
        let suffix = words::suffix(last)?;
        let plausible = !name.is_empty() && name.len() <= MAX_NAME_WORDS && plausible(name);
        plausible.then(|| name_words(name).chain([suffix.to_owned()]).collect())
    };
    let whole = |rest: &[&str]| with_suffix(rest).or_else(|| without_suffix(rest));
    let parts = match rest.split_last() {
        Some((last, most)) if words::direction(last).is_some() && whole(most).is_some() => {
            let after = words::direction(last)?.to_owned();
            whole(most)?.into_iter().chain([after]).collect()
        }
        _ => match whole(rest) {
            Some(parts) => parts,
            // `1200 North Avenue`: what looked like a direction is the name.
            None => return whole(&words).map(|parts| parts.join(" ")),
        },
    };
    let before = before.map(str::to_owned).into_iter();
    Some(before.chain(parts).collect::<Vec<String>>().join(" "))
}

fn name_words<'w>(name: &'w [&str]) -> impl Iterator<Item = String> + 'w {
    name.iter().map(|word| words::name_word(word).to_owned())
}

/// Names are words; the only numbers in them are ordinals and road numbers at the end.
fn plausible(name: &[&str]) -> bool {
    let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let unit = |word: &&str| matches!(words::unit(word), Some("STE" | "APT" | "#"));
    !name.iter().any(unit) && name.iter().filter(|word| number(word)).count() == 0
}

/// `Broadway`, `Avenue A`, `Highway 6`, `Avenue of the Americas`.
fn without_suffix(words: &[&str]) -> Option<Vec<String>> {
    match words {
        [only] if words::needs_no_suffix(only) => Some(vec![(*only).to_owned()]),
        ["AVENUE", "OF", "THE", rest @ ..] if rest.len() == 1 => {
            Some(["AVE", "OF", "THE", rest[0]].map(str::to_owned).to_vec())
        }
        ["AVENUE" | "AVE", letter] if letter.len() == 1 => {
            Some(vec!["AVE".to_owned(), (*letter).to_owned()])
        }
        [kinds @ .., number] if is_road_number(number) && kinds.len() <= 2 => {
            let numbered = |kind: &&&str| {
                matches!(
                    **kind,
                    "HIGHWAY"
                        | "HWY"
                        | "ROUTE"
                        | "RTE"
                        | "RT"
                        | "US"
                        | "STATE"
                        | "FM"
                        | "INTERSTATE"
                        | "COUNTY"
                        | "ROAD"
                        | "SH"
                )
            };
            let plain = !kinds.is_empty() && kinds.iter().filter(numbered).count() == kinds.len();
            let short = |word: &str| words::suffix(word).unwrap_or(word).to_owned();
            plain.then(|| {
                kinds
                    .iter()
                    .map(|kind| short(kind))
                    .chain([(*number).to_owned()])
                    .collect()
            })
        }
        _ => None,
    }
}

fn is_road_number(word: &str) -> bool {
    word.len() <= 4
        && word
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_digit())
}

/// All remaining words as units, nothing for none; fails where a word is left over.
fn units(tokens: &[Token]) -> Option<Option<String>> {
    let mut units: Vec<String> = Vec::new();
    let mut rest = tokens;
    while let [first, after @ ..] = rest {
        let ordinal = first.word.len() <= 4 && first.word.bytes().next()?.is_ascii_digit();
        rest = if let Some(number) = first
            .word
            .strip_prefix('#')
            .filter(|number| !number.is_empty())
        {
            units.push(format!("# {number}"));
            after
        } else if let (true, [floor, after @ ..]) = (ordinal, after)
            && words::unit(&floor.word) == Some("FL")
        {
            let digits = first.word.trim_end_matches(|c: char| c.is_alphabetic());
            units.push(format!("FL {digits}"));
            after
        } else {
            let unit = words::unit(&first.word)?;
            // `Suite # 102` says it twice.
            let after = match after {
                [sign, after @ ..] if sign.word == "#" && unit != "#" => after,
                _ => after,
            };
            match after {
                [number, after @ ..] if is_unit_number(&number.word) => {
                    let number = number.word.trim_start_matches('#');
                    units.push(format!("{unit} {number}"));
                    after
                }
                _ if words::stands_alone(unit) => {
                    units.push(unit.to_owned());
                    after
                }
                _ => return None,
            }
        };
    }
    Some((!units.is_empty()).then(|| units.join(" ")))
}

/// `300`, `4B`, `B`, `#12`, `A-1`.
fn is_unit_number(word: &str) -> bool {
    let word = word.trim_start_matches('#');
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    !word.is_empty() && (word.len() == 1 || (has_digit && word.len() <= 8))
}
