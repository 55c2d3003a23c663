//! Reads suites, floors and post boxes.

use super::super::token::{Gap, Token, Window};
use super::super::words::Meaning;
use super::{is_number, is_ordinal};

/// A part of a building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit<'w> {
    /// In its postal abbreviation: `STE`.
    designator: &'static str,
    number: &'w str,
    /// `South` of `Suite 2800 South`; empty where there is nothing.
    more: &'w str,
}

impl<'w> Unit<'w> {
    /// A number that stands where a unit may: `100 Main St 4B`.
    pub(super) fn bare(number: &'w str) -> Unit<'w> {
        Unit {
            designator: "#",
            number,
            more: "",
        }
    }

    /// Whether a word says that it is one.
    pub(super) fn is_named(&self) -> bool {
        self.designator != "#"
    }

    /// Appends its postal form.
    pub(super) fn write(&self, text: &mut String) {
        for part in [self.designator, self.number, self.more] {
            if !text.is_empty() && !part.is_empty() {
                text.push(' ');
            }
            text.push_str(part);
        }
    }
}

/// A unit at the start of the words, and how many of them it takes.
pub(super) fn unit<'w>(window: &'w Window, tokens: &[Token]) -> Option<(Unit<'w>, usize)> {
    let word = |idx: usize| tokens.get(idx).map(|token| window.word(token));
    let first = word(0)?;
    let meaning = tokens[0].meaning;
    if let Some(floor) = floor(window, tokens) {
        return Some((floor, 2));
    }
    let Some(designator) = meaning.unit else {
        return joined_unit(first).map(|unit| (unit, 1));
    };
    // `Suite # 102`, `Apt# Apt 308` and `Suite No. 5` say it twice.
    let says_it_again = |token: &Token| {
        matches!(window.word(token), "#" | "NO") || token.meaning.unit == Some(designator)
    };
    let mut at = 1 + tokens[1..]
        .iter()
        .take_while(|token| says_it_again(token))
        .count();
    let unit = |number, more| Unit {
        designator,
        number,
        more,
    };
    // Mail stops have names: `MS CORP 003`.
    if designator == "MS"
        && let (Some(name), Some(number)) = (word(at), word(at + 1))
        && name.len() <= 5
        && is_number(number)
        && tokens[at].gap == Gap::Space
        && tokens[at + 1].gap == Gap::Space
    {
        return Some((unit(name, number), at + 2));
    }
    match word(at) {
        Some(number) if is_unit_number(number) && tokens[at].gap != Gap::Line => {
            at += 1;
            // `Suite 2800 South`, `Suite 14 A`
            if let Some(next) = word(at)
                && tokens[at].gap == Gap::Space
                && (tokens[at].meaning.direction.is_some()
                    || next.len() == 1 && next != "#" && next != "&")
                && tokens
                    .get(at + 1)
                    .is_none_or(|after| after.gap != Gap::Space || next.len() == 1)
            {
                return Some((unit(number, next), at + 1));
            }
            Some((unit(number, ""), at))
        }
        _ if meaning.stands_alone() => Some((unit("", ""), 1)),
        _ => None,
    }
}

/// `2nd Floor`, `Sixth Floor`, `350 STE`
fn floor<'w>(window: &'w Window, tokens: &[Token]) -> Option<Unit<'w>> {
    let [first, second, ..] = tokens else {
        return None;
    };
    let designator = second.meaning.unit?;
    let word = first.meaning.name.unwrap_or(window.word(first));
    let is_number = is_number(word);
    let fits =
        designator == "FL" && (is_number || is_ordinal(word)) || designator == "STE" && is_number;
    fits.then(|| Unit {
        designator,
        number: word.trim_end_matches(|c: char| c.is_alphabetic()),
        more: "",
    })
}

/// `Fl1`, `STE200`
fn joined_unit(word: &str) -> Option<Unit<'_>> {
    let digit = word
        .find(|c: char| c.is_ascii_digit())
        .filter(|at| *at > 0)?;
    let designator = Meaning::of(word.get(..digit)?).unit?;
    Some(Unit {
        designator,
        number: word.get(digit..)?,
        more: "",
    })
}

/// Number and length of `PO Box 123`, `P.O. Drawer J`, `Post Office Box 5` at the start.
pub(in super::super) fn post_box<'w>(
    window: &'w Window,
    tokens: &[Token],
) -> Option<(&'w str, usize)> {
    if !tokens.first()?.meaning.begins_box() {
        return None;
    }
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
    Some((number, at + 1))
}

/// `300`, `4B`, `B`, `A-1`, `II`, `PH-D`.
pub(super) fn is_unit_number(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let short = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let roman = word.len() <= 3 && word.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'));
    !word.is_empty()
        && (short
            || roman
            || (has_digit && word.len() <= 9 && !is_ordinal(word))
            || matches!(word, "ONE" | "TWO" | "THREE"))
}
