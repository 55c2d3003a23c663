//! Reads words as the name of a street.
//!
//! Many readings are tried for each address, so a [`Name`] says only how the
//! words are read; its text is written for the best one.

use super::super::token::{Gap, Word};
use super::super::words::Meaning;
use super::{is_number, is_ordinal};

/// Street names have at most so many words before their suffix.
pub(super) const MAX_NAME_WORDS: usize = 5;

/// A way to read words as a street.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    /// Whether the first word is a direction.
    before: bool,
    /// Whether the last word is a direction.
    after: bool,
    shape: Shape,
    /// How surely this is a street.
    pub(super) points: i32,
}

/// What the words between the directions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Utah's grids: `426 South 1000 East`.
    Grid,
    /// `Main Street`
    Suffix,
    /// `US Highway 98`
    Road,
    /// `Avenue A`
    Letter,
    /// `Avenue of the Americas`
    KindOf,
    /// `Camino Real`
    Written,
    /// A name alone.
    Plain,
}

/// The best reading of all the words, if they are a street.
pub(super) fn read(words: &[Word<'_>], gap_after: Gap) -> Option<Name> {
    let name = best_shape(words, gap_after)?;
    // `Blackwood street`: a suffix may stand in small letters.
    let is_small =
        |word: &&Word<'_>| word.lower && !word.meaning.is_small() && word.meaning.suffix.is_none();
    let n_small = words.iter().filter(is_small).count();
    if n_small == 0 {
        return Some(name);
    }
    let is_capital = |word: &Word<'_>| !word.lower && word.text.starts_with(char::is_alphabetic);
    // `1200 pizzas on Main Street` is prose, `1200 main street` may be an address.
    if name.points < 22 || words.iter().any(is_capital) {
        return None;
    }
    let in_small_letters = 5 * i32::try_from(n_small).unwrap_or(4).min(4);
    Some(Name {
        points: name.points - in_small_letters,
        ..name
    })
}

fn best_shape(words: &[Word<'_>], gap_after: Gap) -> Option<Name> {
    let direction = |word: Option<&Word<'_>>| word.and_then(|word| word.meaning.direction);
    if let [first, number, second] = words
        && direction(Some(first)).is_some()
        && direction(Some(second)).is_some()
        && is_number(number.text)
    {
        return Some(Name {
            before: true,
            after: true,
            shape: Shape::Grid,
            points: 30,
        });
    }
    let n = words.len();
    let before = direction(words.first()).is_some();
    let after = direction(words.last()).is_some() && n > 1;
    // With the directions as such, then with one or both as part of the name.
    let sides = [
        (before, after),
        (before, false),
        (false, after),
        (false, false),
    ];
    let mut best: Option<Name> = None;
    for (idx, &(before, after)) in sides.iter().enumerate() {
        if sides[..idx].contains(&(before, after)) {
            continue;
        }
        let Some((shape, points)) = between(words, before, after).and_then(core) else {
            continue;
        };
        if best.is_none_or(|best| points > best.points) {
            best = Some(Name {
                before,
                after,
                shape,
                points,
            });
        }
    }
    best.or_else(|| without_suffix(words, before, after && gap_after != Gap::Space, gap_after))
}

/// The words between the directions, if there are any.
fn between<'s, 'w>(words: &'s [Word<'w>], before: bool, after: bool) -> Option<&'s [Word<'w>]> {
    let end = words.len() - usize::from(after);
    let name = words.get(usize::from(before)..end)?;
    (!name.is_empty()).then_some(name)
}

/// No suffix at all: a few names, with a direction or well set apart.
fn without_suffix(words: &[Word<'_>], before: bool, after: bool, gap_after: Gap) -> Option<Name> {
    let name = between(words, before, after)?;
    let directed = before || after;
    let plain = |word: &Word<'_>| {
        let letters = word.text.chars().all(|c| c.is_alphabetic() || c == '-');
        word.text.len() > 1
            && (letters || directed && is_ordinal(word.text))
            && word.meaning.unit.is_none()
    };
    let all_directions = || name.iter().all(|word| word.meaning.direction.is_some());
    if name.len() > 3 || !name.iter().all(plain) || all_directions() {
        return None;
    }
    Some(Name {
        before,
        after,
        shape: Shape::Plain,
        points: match (directed, gap_after) {
            (true, _) => 15,
            (false, Gap::Space) => 0,
            (false, _) => 10,
        },
    })
}

/// A name without directions around it.
fn core(words: &[Word<'_>]) -> Option<(Shape, i32)> {
    with_suffix(words)
        .or_else(|| road(words))
        .or_else(|| special(words))
}

/// `Main Street`, `5th Ave`, `207 St`.
fn with_suffix(words: &[Word<'_>]) -> Option<(Shape, i32)> {
    let (last, name) = words.split_last()?;
    last.meaning.suffix?;
    if name.is_empty() || name.len() > MAX_NAME_WORDS || !plausible(name) {
        return None;
    }
    let points = if last.meaning.is_street() { 30 } else { 22 };
    Some((Shape::Suffix, points))
}

/// Names are words; the only numbers in them are ordinals and, alone, numbered streets.
fn plausible(name: &[Word<'_>]) -> bool {
    let odd = |word: &Word<'_>| {
        word.meaning.is_no_name()
            || (is_number(word.text) && !(name.len() == 1 && word.text.len() <= 3))
            || word.text.contains('/')
    };
    let is_direction = |word: &Word<'_>| word.meaning.direction.is_some();
    let all_directions = name.len() > 1 && name.iter().all(is_direction);
    let only_small = name.len() == 1 && name[0].meaning.is_small();
    !(all_directions || only_small || name.iter().any(odd))
}

/// `Highway 6`, `US Hwy 1`, `State Route 9`, `NC 54`, `I-35`, `Avenue 25`.
fn road(words: &[Word<'_>]) -> Option<(Shape, i32)> {
    let (last, kinds) = words.split_last()?;
    let (hyphenated, number) = split_road(last.text);
    if !is_road_number(number) || kinds.len() > 4 {
        return None;
    }
    let hyphenated = hyphenated.map(Meaning::of);
    let meanings = || {
        let kinds = kinds.iter().filter(|kind| kind.text != "#");
        kinds.map(|kind| kind.meaning).chain(hyphenated)
    };
    let nearest = meanings().last()?;
    let all = meanings().all(|meaning| meaning.is_road() || meaning.is_state());
    if all {
        return Some((Shape::Road, 30));
    }
    // `Old Mill Road 12`
    let name = if hyphenated.is_some() {
        kinds
    } else {
        kinds.split_last()?.1
    };
    let named = nearest.is_road() && meanings().count() <= 3 && plausible(name);
    named.then_some((Shape::Road, 24))
}

/// `I-35` is a kind of road and its number.
fn split_road(word: &str) -> (Option<&str>, &str) {
    match word.split_once('-') {
        Some((kind, number)) => (Some(kind), number),
        None => (None, word),
    }
}

/// `9`, `12A`, `84/64`.
fn is_road_number(word: &str) -> bool {
    if let Some((first, second)) = word.split_once('/') {
        return is_road_number(first) && is_road_number(second);
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    matches!(digits.len(), 1..=4) && is_number(digits) && word.len() <= digits.len() + 1
}

/// `Broadway`, `Avenue A`, `Avenue of the Americas`, `Camino Real`.
fn special(words: &[Word<'_>]) -> Option<(Shape, i32)> {
    let text = |idx: usize| words.get(idx).map_or("", |word| word.text);
    let (first, rest) = words.split_first()?;
    if rest.is_empty() {
        let known = first.meaning.needs_no_suffix();
        return known.then_some((Shape::Written, 28));
    }
    let is_avenue = matches!(first.text, "AVENUE" | "AVE" | "AV" | "STREET");
    if is_avenue && rest.len() == 1 && text(1).len() == 1 {
        return Some((Shape::Letter, 28));
    }
    if text(1) == "OF" && first.meaning.is_street() {
        let n_after = rest.len() - 1;
        if matches!(n_after, 1..=3) || text(2) == "THE" && n_after == 4 {
            return Some((Shape::KindOf, 28));
        }
    }
    let from = usize::from(matches!(first.text, "EL" | "LA" | "LE"));
    let begins = |from: usize| {
        words
            .get(from)
            .is_some_and(|word| word.meaning.begins_street())
    };
    for from in [from, 0] {
        let rest = words.get(from + 1..).unwrap_or_default();
        if begins(from) && matches!(rest.len(), 1..=4) && plausible(rest) {
            return Some((Shape::Written, 25));
        }
    }
    let named = first.text == "THE" && rest.len() <= 2 && plausible(rest);
    named.then_some((Shape::Written, 12))
}

impl Name {
    /// The name in its postal form.
    pub(super) fn text(&self, words: &[Word<'_>]) -> String {
        let mut text = String::with_capacity(32);
        let n = words.len();
        let direction = |word: &Word<'_>| word.meaning.direction.unwrap_or_default();
        if self.before {
            push(&mut text, direction(&words[0]));
        }
        let name = between(words, self.before, self.after).unwrap_or_default();
        self.shape.write(name, &mut text);
        if self.after {
            push(&mut text, direction(&words[n - 1]));
        }
        text
    }
}

impl Shape {
    fn write(self, words: &[Word<'_>], text: &mut String) {
        let n = words.len();
        let short = |meaning: &Meaning, word: &str, text: &mut String| {
            push(text, meaning.suffix.unwrap_or(word));
        };
        for (idx, word) in words.iter().enumerate() {
            let meaning = word.meaning;
            match self {
                Shape::Suffix if idx + 1 == n => short(meaning, word.text, text),
                Shape::Suffix | Shape::Plain => push(text, meaning.name.unwrap_or(word.text)),
                Shape::Road if idx + 1 == n => {
                    let (kind, number) = split_road(word.text);
                    if let Some(kind) = kind {
                        short(Meaning::of(kind), kind, text);
                    }
                    push(text, number);
                }
                Shape::Road if word.text == "#" => {}
                Shape::Road => short(meaning, word.text, text),
                Shape::Letter if idx == 0 => push(text, "AVE"),
                Shape::KindOf if idx == 0 => short(meaning, word.text, text),
                _ => push(text, word.text),
            }
        }
    }
}

fn push(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}
