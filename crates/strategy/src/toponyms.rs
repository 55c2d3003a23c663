//! Names of well-known places in addresses and texts, without asking what is
//! meant: a term is a location entity when it is found in the knowledge base.
//!
//! That is WordNet's places with their synonyms, and cities and divisions of
//! some size beside them. A name means its most populous bearer.

use crate::signs::{Beginnings, each_word};
use place::gazetteer::{Gazetteer, PlaceId};
use place::names::normalise;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// People that a place outside WordNet needs to be well known.
const LEAST_PEOPLE: u32 = 15_000;

/// Words that a name may have.
const MOST_WORDS: usize = 4;

/// Letters that a name of one word needs: shorter ones are mostly something else.
const LEAST_LETTERS: usize = 4;

/// Finds well-known places by their names.
pub(crate) struct Toponyms {
    /// By the hash of the name's words.
    places: HashMap<u64, Spot>,
    beginnings: Beginnings,
}

/// A place, and where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    pub(crate) place: PlaceId,
    /// Seen from the middle of the earth.
    pub(crate) direction: [f32; 3],
}

impl Spot {
    pub(crate) fn of(gazetteer: &Gazetteer, id: PlaceId) -> Spot {
        let place = gazetteer.place(id);
        let (lat, lon) = (place.lat.to_radians(), place.lon.to_radians());
        Spot {
            place: id,
            direction: [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()],
        }
    }
}

/// Beginnings told apart, as a power of two: one in ten is taken for another.
const BEGINNING_BITS: u32 = 20;

static BUILT_IN: LazyLock<Toponyms> = LazyLock::new(|| Toponyms::new(Gazetteer::built_in()));

/// A place in a text: which of its words, and which place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    pub(crate) words: Range<usize>,
    pub(crate) spot: Spot,
}

/// A word: where it stands in its text, and the hash of its normal form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) start: usize,
    hash: u32,
    /// It may begin a name.
    is_capital: bool,
}

impl Toponyms {
    pub(crate) fn built_in() -> &'static Toponyms {
        &BUILT_IN
    }

    fn new(gazetteer: &Gazetteer) -> Toponyms {
        let mut places = HashMap::new();
        let mut beginnings = Beginnings::new(BEGINNING_BITS);
        gazetteer.visit_known_names(LEAST_PEOPLE, |name, place| {
            let words: Vec<u32> = tokens(name).iter().map(|token| token.hash).collect();
            let is_name = words.len() > 1 || name.len() >= LEAST_LETTERS;
            if is_name && (1..=MOST_WORDS).contains(&words.len()) {
                places.insert(hash(&words), Spot::of(gazetteer, place));
                beginnings.add(words[0]);
            }
        });
        Toponyms { places, beginnings }
    }

    /// The places named in a text, longest names first; a name begins with a
    /// capital.
    pub(crate) fn in_text(&self, tokens: &[Token]) -> Vec<Named> {
        self.find(tokens, |token| token.is_capital)
    }

    /// The places named in an address, where nothing is capital.
    pub(crate) fn in_address(&self, address: &str) -> Vec<Named> {
        self.find(&tokens(address), |_| true)
    }

    fn find(&self, tokens: &[Token], may_begin: impl Fn(&Token) -> bool) -> Vec<Named> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let named = match may_begin(&tokens[at]) {
                true => self.longest(&tokens[at..]),
                false => None,
            };
            match named {
                Some((n_words, spot)) => {
                    let words = at..at + n_words;
                    found.push(Named { words, spot });
                    at += n_words;
                }
                None => at += 1,
            }
        }
        found
    }

    fn longest(&self, tokens: &[Token]) -> Option<(usize, Spot)> {
        if !self.beginnings.may_have(tokens.first()?.hash) {
            return None;
        }
        let words: Vec<u32> = tokens
            .iter()
            .take(MOST_WORDS)
            .map(|token| token.hash)
            .collect();
        (1..=words.len()).rev().find_map(|n_words| {
            let spot = self.places.get(&hash(&words[..n_words]))?;
            Some((n_words, *spot))
        })
    }
}

fn hash(words: &[u32]) -> u64 {
    words.iter().fold(words.len() as u64, |hash, word| {
        crate::signs::mix(hash.rotate_left(21) ^ u64::from(*word))
    })
}

impl Token {
    /// Stands for words that nobody read.
    pub(crate) fn unread(start: usize) -> Token {
        Token {
            start,
            hash: 0,
            is_capital: false,
        }
    }
}

/// Cuts a text into words.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 6);
    push_tokens(text, 0..text.len(), &mut tokens);
    tokens
}

/// Cuts a part of a text into words.
pub(crate) fn push_tokens(text: &str, part: Range<usize>, tokens: &mut Vec<Token>) {
    let Some(text) = text.get(part.clone()) else {
        return;
    };
    each_word(text, |start, end, hash| {
        let word = &text[start..end];
        let first = word.as_bytes().first().copied().unwrap_or_default();
        tokens.push(Token {
            start: part.start + start,
            hash: match word.is_ascii() {
                true => hash,
                false => folded(word, hash),
            },
            is_capital: match first.is_ascii() {
                true => first.is_ascii_uppercase(),
                false => word.starts_with(char::is_uppercase),
            },
        });
    });
}

/// The hash of a word without its accents.
fn folded(word: &str, hash: u32) -> u32 {
    let mut plain = String::with_capacity(word.len());
    let is_common = word.chars().all(|c| {
        plain.push_str(match c {
            'ä' | 'Ä' | 'á' | 'à' | 'â' => "a",
            'ö' | 'Ö' | 'ó' | 'ô' => "o",
            'ü' | 'Ü' | 'ú' | 'ù' | 'û' => "u",
            'é' | 'É' | 'è' | 'ê' | 'ë' => "e",
            'í' | 'ì' | 'î' | 'ï' => "i",
            'ñ' => "n",
            'ç' => "c",
            'ß' => "ss",
            c if c.is_ascii() => {
                plain.push(c);
                return true;
            }
            _ => return false,
        });
        true
    });
    let mut folded = hash;
    if is_common {
        each_word(&plain, |_, _, hash| folded = hash);
        return folded;
    }
    each_word(&normalise(word), |_, _, hash| folded = hash);
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    fn names(named: &[Named]) -> String {
        let gazetteer = Gazetteer::built_in();
        let names = named
            .iter()
            .map(|named| gazetteer.describe(named.spot.place));
        names.collect::<Vec<_>>().join("; ")
    }

    fn in_text(text: &str) -> String {
        names(&Toponyms::built_in().in_text(&tokens(text)))
    }

    #[test]
    fn the_longest_name_counts_once() {
        assert_snapshot!(in_text("From New York City to Lisbon, not york"), @"New York, New York, United States; Lisbon, Portugal");
        assert_snapshot!(in_text("Hotels in Köln und Oldenburg"), @"Köln, North Rhine-Westphalia, Germany; Oldenburg, Lower Saxony, Germany");
    }

    #[test]
    fn accents_are_folded_as_in_the_gazetteer() {
        for word in ["Köln", "Größe", "São", "Málaga", "Łódź"] {
            let mut plain = 0;
            each_word(&normalise(word), |_, _, hash| plain = hash);
            assert_eq!(folded(word, 0), plain, "{word}");
        }
    }

    #[test]
    fn addresses_have_no_capitals() {
        let found = Toponyms::built_in().in_address("hotels.example/portugal/lisbon-12.html");
        assert_snapshot!(names(&found), @"Portugal; Lisbon, Portugal");
    }
}
