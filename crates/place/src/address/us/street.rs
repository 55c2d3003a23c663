//! Reads the words between a house number and a city as a street and a unit.
//!
//! There is more than one way to read most streets; each has points for how
//! sure a sign it is of an address, and the best one is taken. Names are
//! `name.rs`, suites and post boxes `unit.rs`.

mod name;
mod unit;

use super::token::{Gap, Token, Window, Word};
use name::{MAX_NAME_WORDS, Name};
use unit::{Unit, is_unit_number, unit};

pub(super) use unit::post_box;

/// Names of buildings, firms and quarters between street and city have at most so many words.
const MAX_OTHER_WORDS: usize = 8;
/// A name with its suffix and directions.
const MAX_WORDS: usize = MAX_NAME_WORDS + 4;

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
        is_certain(self.points, self.complete)
    }
}

fn is_certain(points: i32, complete: bool) -> bool {
    complete && points >= 30
}

/// The best reading of all the words; nothing if a word cannot stand in an address.
pub(super) fn read(window: &Window, tokens: &[Token], city_gap: Gap) -> Option<Street> {
    let first = tokens.first()?;
    if first.gap >= Gap::Line {
        return None;
    }
    let mut list = [Word::NONE; MAX_WORDS];
    let mut n_words = 0;
    for (word, token) in list.iter_mut().zip(tokens) {
        if n_words > 0 && token.gap != Gap::Space {
            break;
        }
        *word = window.full_word(token);
        n_words += 1;
    }
    let mut best: Option<(Name, usize, Rest)> = None;
    let mut best_points = i32::MIN;
    for end in (1..=n_words).rev() {
        let is_done =
            |(_, _, rest): &(Name, usize, Rest)| is_certain(best_points, rest.n_others == 0);
        if best.as_ref().is_some_and(is_done) {
            break;
        }
        let gap = tokens.get(end).map_or(city_gap, |next| next.gap);
        let Some(name) = name::read(&list[..end], gap) else {
            continue;
        };
        let Some(rest) = read_rest(window, &tokens[end..], |_| {}) else {
            continue;
        };
        if rest.n_others > 0 && list[..end].iter().all(|word| word.lower) {
            continue;
        }
        let points = name.points - 3 * i32::try_from(rest.n_others).unwrap_or(i32::MAX / 3)
            + if rest.has_named_unit { 8 } else { 0 };
        if best.is_none() || points > best_points {
            best = Some((name, end, rest));
            best_points = points;
        }
    }
    let (name, end, rest) = best?;
    Some(write(
        window,
        tokens,
        &list[..end],
        name,
        &rest,
        best_points,
    ))
}

/// The street of the best reading.
fn write(
    window: &Window,
    tokens: &[Token],
    words: &[Word<'_>],
    name: Name,
    rest: &Rest,
    points: i32,
) -> Street {
    let mut units = String::new();
    let mut po_box = None;
    if tokens.len() > words.len() {
        read_rest(window, &tokens[words.len()..], |part| match part {
            Part::Unit(unit) => unit.write(&mut units),
            Part::Box(number) => po_box = Some(format!("PO BOX {number}")),
        });
    }
    Street {
        name: name.text(words),
        unit: (!units.is_empty()).then_some(units),
        po_box,
        points,
        complete: rest.n_others == 0,
    }
}

fn is_number(word: &str) -> bool {
    let first = word.as_bytes().first();
    first.is_none_or(u8::is_ascii_digit) && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ordinal(word: &str) -> bool {
    word.len() > 2
        && word.starts_with(|c: char| c.is_ascii_digit())
        && ["ST", "ND", "RD", "TH"]
            .iter()
            .any(|end| word.ends_with(end))
}

/// `851-234-2567`, which some set between street and city.
fn is_phone_number(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() == 12
        && bytes.iter().enumerate().all(|(idx, byte)| match idx {
            3 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// What was read after the street.
#[derive(Default)]
struct Rest {
    n_others: usize,
    has_unit: bool,
    has_named_unit: bool,
}

/// One thing after the street.
enum Part<'w> {
    Unit(Unit<'w>),
    Box(&'w str),
}

/// All words after the street: units, post boxes, and names of buildings.
fn read_rest<'w>(
    window: &'w Window,
    tokens: &[Token],
    mut each: impl FnMut(Part<'w>),
) -> Option<Rest> {
    let mut rest = Rest::default();
    let mut idx = 0;
    while idx < tokens.len() {
        if let Some((number, len)) = post_box(window, &tokens[idx..]) {
            each(Part::Box(number));
            idx += len;
        } else if let Some((unit, len)) = unit(window, &tokens[idx..]) {
            rest.has_unit = true;
            rest.has_named_unit |= unit.is_named();
            each(Part::Unit(unit));
            idx += len;
        } else {
            let token = &tokens[idx];
            let word = window.word(token);
            let first = *word.as_bytes().first()?;
            let bare_number = is_unit_number(word) && word.len() > 1;
            if bare_number && rest.n_others == 0 && !rest.has_unit {
                rest.has_unit = true;
                each(Part::Unit(Unit::bare(word)));
            } else if is_phone_number(word) {
                rest.n_others += 2;
            } else if first.is_ascii_digit() && !is_ordinal(word) {
                return None;
            } else if token.lower && (!token.meaning.is_small() || idx == 0) {
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
