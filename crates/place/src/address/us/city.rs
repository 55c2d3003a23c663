//! Reads the words before a state or ZIP code as a city.

use super::super::keys::Letters;
use super::cities::{self, Cities, ZipNames};
use super::tail::Tail;
use super::token::{Gap, Token, Window};
use crate::gazetteer::PlaceId;
use std::ops::Range;

/// Cities have at most so many words.
const MAX_CITY_WORDS: usize = 5;

/// A way to read the last words before the state.
pub(super) struct City {
    /// Its words, as positions in the window.
    pub(super) words: Range<usize>,
    /// Whether it is a name of the ZIP code.
    pub(super) of_zip: bool,
    pub(super) key: Option<u64>,
    pub(super) place: Option<PlaceId>,
    pub(super) points: i32,
}

/// What stands before one tail.
pub(super) struct Scene<'s> {
    pub(super) text: &'s str,
    pub(super) window: &'s Window,
    pub(super) tail: &'s Tail,
    pub(super) tail_gap: Gap,
    pub(super) state: &'static str,
    pub(super) zip: Option<(usize, &'s ZipNames)>,
}

impl Cities {
    /// Ways to read the last words as a city.
    pub(super) fn before(&self, scene: &Scene<'_>) -> Vec<City> {
        let tokens = &scene.window.tokens;
        let n = tokens.len();
        let mut found = self.at(scene, n);
        // A county or an island may stand between: `Kihei, Maui, HI`.
        let last_part = (n.saturating_sub(3)..n)
            .rev()
            .find(|&idx| tokens[idx].gap != Gap::Space);
        if let Some(n) = last_part.filter(|&idx| idx > 2 && tokens[idx].gap == Gap::Comma) {
            let between = self.at(scene, n).into_iter();
            found.extend(between.filter(|city| city.key.is_some()).map(|city| City {
                points: city.points - 5,
                ..city
            }));
        }
        found
    }

    /// Ways to read the words before a position as a city, longest first.
    fn at(&self, scene: &Scene<'_>, n: usize) -> Vec<City> {
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
            let known = self.get(key);
            let zip_state = zip.map(|(_, zip)| zip.state == state);
            let of_zip = known.is_some()
                && zip_state == Some(true)
                && zip.is_some_and(|(idx, _)| self.zip_has(idx, key));
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
