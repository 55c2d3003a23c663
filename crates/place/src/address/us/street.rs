//! Reads the words between a house number and a city as a street and a unit.
//!
//! There is more than one way to read most streets; each has points for how
//! sure a sign it is of an address, and the best one is taken.

use super::token::{Gap, Token, Window};
use super::words;

/// Street names have at most so many words before their suffix.
const MAX_NAME_WORDS: usize = 5;
/// Names of buildings, firms and quarters between street and city have at most so many words.
const MAX_OTHER_WORDS: usize = 8;

/// No street has more points, with a unit.
pub(super) const MAX_POINTS: i32 = 38;

/// A street with all that stands before the city.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Street {
    pub(super) name: String,
    pub(super) unit: Option<String>,
    pub(super) po_box: Option<String>,
    /// How surely this is a street.
    pub(super) points: i32,
    /// Whether nothing but a street and units was read.
    pub(super) complete: bool,
}

impl Street {
    /// Whether no other reading needs to be tried.
    pub(super) fn is_certain(&self) -> bool {
        self.complete && self.points >= 30
    }
}

/// The best reading of all the words; nothing if a word cannot stand in an address.
pub(super) fn read(window: &Window, tokens: &[Token], city_gap: Gap) -> Option<Street> {
    let first = tokens.first()?;
    if first.gap >= Gap::Line {
        return None;
    }
    let on_one_line = 1 + tokens[1..]
        .iter()
        .take_while(|token| token.gap == Gap::Space)
        .count();
    let mut best: Option<Street> = None;
    for end in (1..=on_one_line.min(MAX_NAME_WORDS + 4)).rev() {
        if best.as_ref().is_some_and(Street::is_certain) {
            break;
        }
        let (street, rest) = tokens.split_at(end);
        let gap = rest.first().map_or(city_gap, |next| next.gap);
        let Some((name, mut points)) = name(window, street, gap) else {
            continue;
        };
        let Some(rest) = read_rest(window, rest) else {
            continue;
        };
        if rest.n_others > 0 && street.iter().all(|token| token.lower) {
            continue;
        }
        points -= 3 * i32::try_from(rest.n_others).unwrap_or(i32::MAX / 3);
        if rest.units.iter().any(|unit| !unit.starts_with('#')) {
            points += 8;
        }
        if best.as_ref().is_none_or(|best| points > best.points) {
            best = Some(Street {
                name,
                unit: (!rest.units.is_empty()).then(|| rest.units.join(" ")),
                po_box: rest.po_box,
                points,
                complete: rest.n_others == 0,
            });
        }
    }
    best
}

/// A street name in its postal form and its points.
fn name(window: &Window, tokens: &[Token], gap_after: Gap) -> Option<(String, i32)> {
    let words: Vec<&str> = tokens.iter().map(|token| window.word(token)).collect();
    // `Blackwood street`: a suffix may stand in small letters.
    let small = |(token, word): (&Token, &&str)| {
        token.lower && !words::is_small(word) && words::suffix(word).is_none()
    };
    let n_small = tokens
        .iter()
        .zip(&words)
        .filter(|&pair| small(pair))
        .count();
    let n_capital = tokens
        .iter()
        .filter(|token| !token.lower && window.word(token).starts_with(char::is_alphabetic))
        .count();
    let (parts, points) = parts(&words, gap_after)?;
    // `1200 pizzas on Main Street` is prose, `1200 main street` may be an address.
    if n_small > 0 && (n_capital > 0 || points < 22) {
        return None;
    }
    let in_small_letters = 5 * i32::try_from(n_small).unwrap_or(4).min(4);
    Some((parts.join(" "), points - in_small_letters))
}

fn parts(words: &[&str], gap_after: Gap) -> Option<(Vec<String>, i32)> {
    if let [first, number, second] = words
        && let (Some(first), Some(second)) = (words::direction(first), words::direction(second))
        && is_number(number)
    {
        // Utah's grids: `426 South 1000 East`.
        return Some((vec![first.into(), (*number).into(), second.into()], 30));
    }
    let before = words.first().and_then(|first| words::direction(first));
    let after = words.last().and_then(|last| words::direction(last));
    let inner = |from: usize, to: usize| {
        let words = words.get(from..to).filter(|words| !words.is_empty())?;
        let (parts, points) = core(words)?;
        let before = before.filter(|_| from == 1).map(str::to_owned);
        Some((before, parts, points))
    };
    let n = words.len();
    let mut readings: Vec<(Vec<String>, i32)> = Vec::new();
    let first = usize::from(before.is_some());
    let last = n - usize::from(after.is_some() && n > 1);
    let bounds = [(first, last), (first, n), (0, last), (0, n)];
    for (idx, &(from, to)) in bounds.iter().enumerate() {
        if bounds[..idx].contains(&(from, to)) {
            continue;
        }
        if let Some((before, parts, points)) = inner(from, to) {
            let after = after.filter(|_| to < n).map(str::to_owned);
            readings.push((
                before.into_iter().chain(parts).chain(after).collect(),
                points,
            ));
        }
    }
    if let Some(best) = first_best(readings) {
        return Some(best);
    }
    // No suffix at all: a few names, with a direction or well set apart.
    let after = after.filter(|_| n > 1 && gap_after != Gap::Space);
    let directed = before.is_some() || after.is_some();
    let name = words.get(usize::from(before.is_some())..n - usize::from(after.is_some()))?;
    let plain = |word: &&str| {
        let letters = word.chars().all(|c| c.is_alphabetic() || c == '-');
        word.len() > 1 && (letters || directed && is_ordinal(word)) && words::unit(word).is_none()
    };
    if name.is_empty() || name.len() > 3 || !name.iter().all(plain) {
        return None;
    }
    let all_directions = name.iter().all(|word| words::direction(word).is_some());
    if all_directions {
        return None;
    }
    let points = match (directed, gap_after) {
        (true, _) => 15,
        (false, Gap::Space) => 0,
        (false, _) => 10,
    };
    let parts = before
        .map(str::to_owned)
        .into_iter()
        .chain(name_words(name))
        .chain(after.map(str::to_owned))
        .collect();
    Some((parts, points))
}

fn first_best(readings: Vec<(Vec<String>, i32)>) -> Option<(Vec<String>, i32)> {
    let points = readings.iter().map(|(_, points)| *points).max()?;
    readings.into_iter().find(|(_, own)| *own == points)
}

/// A name without directions around it.
fn core(words: &[&str]) -> Option<(Vec<String>, i32)> {
    with_suffix(words)
        .or_else(|| road(words))
        .or_else(|| special(words))
}

/// `Main Street`, `5th Ave`, `207 St`.
fn with_suffix(words: &[&str]) -> Option<(Vec<String>, i32)> {
    let (last, name) = words.split_last()?;
    let suffix = words::suffix(last)?;
    if name.is_empty() || name.len() > MAX_NAME_WORDS || !plausible(name) {
        return None;
    }
    let points = if words::is_street(suffix) { 30 } else { 22 };
    Some((
        name_words(name).chain([suffix.to_owned()]).collect(),
        points,
    ))
}

/// Names are words; the only numbers in them are ordinals and, alone, numbered streets.
fn plausible(name: &[&str]) -> bool {
    let odd = |word: &&str| {
        word.starts_with('#')
            || (is_number(word) && !(name.len() == 1 && word.len() <= 3))
            || matches!(words::unit(word), Some("STE" | "APT" | "#" | "UNIT" | "RM"))
            || matches!(*word, "BOX" | "IN" | "FROM" | "TO" | "FOR" | "WITH")
            || word.contains('/')
    };
    let all_directions = name.len() > 1 && name.iter().all(|word| words::direction(word).is_some());
    let only_small = name.len() == 1 && words::is_small(name[0]);
    !(all_directions || only_small || name.iter().any(odd))
}

/// `Highway 6`, `US Hwy 1`, `State Route 9`, `NC 54`, `I-35`, `Avenue 25`.
fn road(words: &[&str]) -> Option<(Vec<String>, i32)> {
    let (last, kinds) = words.split_last()?;
    let (hyphenated, number) = match last.split_once('-') {
        Some((kind, number)) => (Some(kind), number),
        None => (None, *last),
    };
    if !is_road_number(number) || kinds.len() > 4 {
        return None;
    }
    let kinds: Vec<&str> = kinds
        .iter()
        .copied()
        .filter(|kind| *kind != "#")
        .chain(hyphenated)
        .collect();
    let nearest = *kinds.last()?;
    let is_kind = |word: &str| {
        words::is_road(word)
            || words::state_by_code(word).is_some()
            || words::state_by_name(word).is_some()
    };
    let all = kinds.iter().all(|kind| is_kind(kind));
    let named = words::is_road(nearest) && kinds.len() <= 3 && plausible(&kinds[..kinds.len() - 1]);
    if !all && !named {
        return None;
    }
    let short = |word: &str| words::suffix(word).unwrap_or(word).to_owned();
    let parts = kinds
        .iter()
        .map(|kind| short(kind))
        .chain([number.to_owned()])
        .collect();
    Some((parts, if all { 28 } else { 24 }))
}

/// `Broadway`, `Avenue A`, `Avenue of the Americas`, `Camino Real`.
fn special(words: &[&str]) -> Option<(Vec<String>, i32)> {
    let owned = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    match words {
        [only] if words::needs_no_suffix(only) => Some((owned(words), 28)),
        ["AVENUE" | "AVE" | "AV" | "STREET", letter] if letter.len() == 1 => {
            Some((vec!["AVE".to_owned(), (*letter).to_owned()], 28))
        }
        [kind, "OF", rest @ ..] | [kind, "OF", "THE", rest @ ..]
            if words::suffix(kind).is_some_and(words::is_street) && matches!(rest.len(), 1..=3) =>
        {
            let kind = words::suffix(kind)?.to_owned();
            let after = words[1..].iter().map(|&word| word.to_owned());
            Some(([kind].into_iter().chain(after).collect(), 28))
        }
        ["EL" | "LA" | "LE", first, rest @ ..] | [first, rest @ ..]
            if words::begins_street(first) && matches!(rest.len(), 1..=4) && plausible(rest) =>
        {
            Some((owned(words), 25))
        }
        ["THE", rest @ ..] if matches!(rest.len(), 1..=2) && plausible(rest) => {
            Some((owned(words), 12))
        }
        _ => None,
    }
}

fn name_words<'w>(name: &'w [&str]) -> impl Iterator<Item = String> + 'w {
    name.iter().map(|word| words::name_word(word).to_owned())
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_road_number(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    matches!(digits.len(), 1..=4) && is_number(digits) && word.len() <= digits.len() + 1
}

#[derive(Default)]
struct Rest {
    units: Vec<String>,
    po_box: Option<String>,
    n_others: usize,
}

/// All words after the street: units, post boxes, and names of buildings.
fn read_rest(window: &Window, tokens: &[Token]) -> Option<Rest> {
    let mut rest = Rest::default();
    let mut idx = 0;
    while idx < tokens.len() {
        if let Some((text, len)) = post_box(window, &tokens[idx..]) {
            rest.po_box = Some(text);
            idx += len;
        } else if let Some((unit, len)) = unit(window, &tokens[idx..]) {
            rest.units.push(unit);
            idx += len;
        } else {
            let token = &tokens[idx];
            let word = window.word(token);
            let first = word.chars().next()?;
            let bare_number = is_unit_number(word) && word.len() > 1;
            if bare_number && rest.n_others == 0 && rest.units.is_empty() {
                rest.units.push(format!("# {word}"));
            } else if first.is_ascii_digit() && !is_ordinal(word) {
                return None;
            } else if token.lower && (!words::is_small(word) || idx == 0) {
                // Prose goes on in small letters.
                return None;
            } else {
                rest.n_others += 1;
            }
            idx += 1;
        }
        if rest.n_others > MAX_OTHER_WORDS {
            return None;
        }
    }
    Some(rest)
}

/// A unit at the start of the words, and how many of them it takes.
fn unit(window: &Window, tokens: &[Token]) -> Option<(String, usize)> {
    let word = |idx: usize| tokens.get(idx).map(|token| window.word(token));
    let first = word(0)?;
    // `2nd Floor`, `Sixth Floor`, `350 STE`
    if let Some(second) = word(1)
        && (is_ordinal(first) || is_ordinal(words::name_word(first)) || is_number(first))
        && words::unit(second).is_some_and(|unit| unit == "FL" || is_number(first) && unit == "STE")
    {
        let number = words::name_word(first).trim_end_matches(|c: char| c.is_alphabetic());
        return Some((format!("{} {number}", words::unit(second)?), 2));
    }
    let Some(unit) = words::unit(first) else {
        return joined_unit(first).map(|unit| (unit, 1));
    };
    // `Suite # 102`, `Apt# Apt 308` and `Suite No. 5` say it twice.
    let mut at = 1;
    while word(at).is_some_and(|next| matches!(next, "#" | "NO") || words::unit(next) == Some(unit))
    {
        at += 1;
    }
    match word(at) {
        Some(number) if is_unit_number(number) && tokens[at].gap != Gap::Line => {
            let mut text = format!("{unit} {number}");
            at += 1;
            // `Suite 2800 South`, `Suite 14 A`
            if let Some(next) = word(at)
                && tokens[at].gap == Gap::Space
                && (words::direction(next).is_some()
                    || next.len() == 1 && next != "#" && next != "&")
                && tokens
                    .get(at + 1)
                    .is_none_or(|after| after.gap != Gap::Space || next.len() == 1)
            {
                text.push(' ');
                text.push_str(next);
                at += 1;
            }
            Some((text, at))
        }
        _ if words::stands_alone(unit) => Some((unit.to_owned(), 1)),
        _ => None,
    }
}

/// `Fl1`, `STE200`
fn joined_unit(word: &str) -> Option<String> {
    let digit = word.find(|c: char| c.is_ascii_digit())?;
    let unit = words::unit(word.get(..digit)?)?;
    Some(format!("{unit} {}", word.get(digit..)?))
}

/// `PO Box 123`, `P.O. Drawer J`, `Post Office Box 5` at the start, and its length.
pub(super) fn post_box(window: &Window, tokens: &[Token]) -> Option<(String, usize)> {
    let word = |idx: usize| tokens.get(idx).map(|token| window.word(token));
    let mut at = match (word(0)?, word(1), word(2)) {
        ("PO" | "POB", Some("BOX" | "DRAWER"), _) => 2,
        ("P", Some("O"), Some("BOX" | "DRAWER"))
        | ("POST", Some("OFFICE"), Some("BOX" | "DRAWER")) => 3,
        ("POBOX" | "POB", _, _) => 1,
        _ => return None,
    };
    while word(at).is_some_and(|next| matches!(next, "#" | "NO" | "BOX")) {
        at += 1;
    }
    let number = word(at).filter(|number| {
        is_unit_number(number) || number.len() <= 8 && number.bytes().any(|b| b.is_ascii_digit())
    })?;
    Some((format!("PO BOX {number}"), at + 1))
}

fn is_ordinal(word: &str) -> bool {
    word.len() > 2
        && word.starts_with(|c: char| c.is_ascii_digit())
        && ["ST", "ND", "RD", "TH"]
            .iter()
            .any(|end| word.ends_with(end))
}

/// `300`, `4B`, `B`, `A-1`, `II`, `PH-D`.
fn is_unit_number(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let short = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let roman = word.len() <= 3 && word.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'));
    !word.is_empty()
        && (short
            || roman
            || (has_digit && word.len() <= 9 && !is_ordinal(word))
            || matches!(word, "ONE" | "TWO" | "THREE"))
}
