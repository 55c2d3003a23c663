//! Brings the words of one language to their stems.
//!
//! Finding a stem takes longer than all the rest, and a text's words are
//! mostly those of other texts: what was found is remembered, the usual words
//! in a small table that stays near, all others in a large one. What a word is
//! known by there is secret: a page could otherwise be full of words that are
//! taken for those of others.

use crate::look::Numbered;
use page::words::each_word;
use std::hash::{BuildHasher, RandomState};
use tantivy::tokenizer::{AsciiFoldingFilter, Language, RawTokenizer, Stemmer, TextAnalyzer};

/// Stems that are remembered.
const MOST_KNOWN: usize = 1 << 16;

/// Those of them that stay near.
const N_NEAR: usize = 1 << 13;

/// Bytes of a stem that may stay near.
const NEAR_BYTES: usize = 22;

/// Letters of a word that has no ending to lose: nearly half of all words.
const SHORT: usize = 3;

/// Brings words of one language to their stems.
pub(super) struct Stemming {
    analyser: TextAnalyzer,
    secret: Secret,
    /// Words that say nothing.
    common: Numbered<u64, ()>,
    /// By the last bits of what the word is known by; made when the first word
    /// comes.
    near: Vec<Near>,
    /// All others, by the same.
    known: Numbered<u64, Box<str>>,
    /// The last word, in lower case.
    small: String,
    /// The last stem that does not stay near.
    last: Near,
}

/// A stem and what its word is known by.
#[derive(Clone, Copy, Default)]
struct Near {
    /// Zero where there is none.
    key: u64,
    stem: [u8; NEAR_BYTES],
    n_bytes: u8,
    is_common: bool,
}

/// The stem of a word: text, as bytes.
pub(super) struct Stem<'s> {
    pub(super) bytes: &'s [u8],
    /// Every text has this word.
    pub(super) is_common: bool,
}

impl Near {
    fn stem(&self) -> Stem<'_> {
        Stem {
            bytes: &self.stem[..usize::from(self.n_bytes)],
            is_common: self.is_common,
        }
    }
}

impl Stemming {
    pub(super) fn new(language: Option<Language>, common: &'static str) -> Stemming {
        let secret = Secret::new();
        let mut keys = Numbered::default();
        each_word(common, |word| {
            keys.insert(secret.key(word.hash, &common[word.start..word.end]), ());
        });
        Stemming {
            analyser: analyser(language),
            secret,
            common: keys,
            near: Vec::new(),
            known: Numbered::default(),
            small: String::new(),
            last: Near::default(),
        }
    }

    /// The stem of a word with this hash; of short ones and those with a digit
    /// the word itself.
    pub(super) fn stem(&mut self, hash: u64, word: &str) -> Stem<'_> {
        let key = self.secret.key(hash, word);
        if self.near.is_empty() {
            self.near.resize(N_NEAR, Near::default());
        }
        let slot = key as usize % N_NEAR;
        if self.near[slot].key == key {
            return self.near[slot].stem();
        }
        self.small.clear();
        match word.is_ascii() {
            true => {
                self.small.push_str(word);
                self.small.make_ascii_lowercase();
            }
            false => self.small.extend(word.chars().flat_map(char::to_lowercase)),
        }
        let is_common = self.common.contains_key(&key);
        let has_digit = self.small.bytes().any(|byte| byte.is_ascii_digit());
        let is_plain = self.small.is_ascii() && (has_digit || self.small.len() <= SHORT);
        let stem = match is_plain {
            true => &self.small,
            false => found(&mut self.known, &mut self.analyser, key, &self.small),
        };
        let Some(room) = self.last.stem.get_mut(..stem.len()) else {
            // Too long for the table, and too long to be common.
            return Stem {
                bytes: stem.as_bytes(),
                is_common: false,
            };
        };
        room.copy_from_slice(stem.as_bytes());
        self.last.n_bytes = stem.len() as u8;
        (self.last.key, self.last.is_common) = (key, is_common);
        // Numbers are seldom seen again.
        if !has_digit {
            self.near[slot] = self.last;
        }
        self.last.stem()
    }
}

/// Numbers of this process that nobody else knows.
#[derive(Clone, Copy)]
struct Secret([u64; 2]);

impl Secret {
    fn new() -> Secret {
        let random = RandomState::new();
        Secret([0, 1].map(|nth: u8| random.hash_one(nth) | 1))
    }

    /// What a word with this hash is known by; never zero. Words that are made
    /// to have the hash of another differ from it at an end, or are longer
    /// than any real ones.
    fn key(self, hash: u64, word: &str) -> u64 {
        let [first, last] = small_ends(word.as_bytes());
        let [one, other] = self.0;
        let ends = first.wrapping_mul(one) ^ last.wrapping_mul(other).rotate_left(32);
        (hash ^ ends ^ ends >> 32).max(1)
    }
}

/// The first and the last bytes of a word, eight of each, letters in lower
/// case; of a shorter one all its bytes, and how many.
fn small_ends(bytes: &[u8]) -> [u64; 2] {
    // The bit by which small letters differ from large ones; digits have it.
    const SMALL: u64 = 0x2020_2020_2020_2020;
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return [first, last].map(|eight| u64::from_le_bytes(*eight) | SMALL);
    }
    let first = match (bytes.first_chunk(), bytes.last_chunk()) {
        // Some of them twice.
        (Some(first), Some(last)) => {
            let [first, last] = [first, last].map(|four| u64::from(u32::from_le_bytes(*four)));
            first | last << 32
        }
        _ => bytes
            .iter()
            .fold(0, |all, byte| all << 8 | u64::from(*byte)),
    };
    [first | SMALL, bytes.len() as u64]
}

/// The stem of a word in lower case, found out once.
fn found<'k>(
    known: &'k mut Numbered<u64, Box<str>>,
    analyser: &mut TextAnalyzer,
    key: u64,
    word: &str,
) -> &'k str {
    if known.len() >= MOST_KNOWN && !known.contains_key(&key) {
        known.clear();
    }
    known.entry(key).or_insert_with(|| {
        let mut stream = analyser.token_stream(word);
        match stream.advance() {
            true => stream.token().text.as_str().into(),
            false => "".into(),
        }
    })
}

/// Words in lower case, without accents.
fn analyser(language: Option<Language>) -> TextAnalyzer {
    let words = TextAnalyzer::builder(RawTokenizer::default());
    match language {
        Some(language) => words
            .filter(Stemmer::new(language))
            .filter(AsciiFoldingFilter)
            .build(),
        None => words.filter(AsciiFoldingFilter).build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_made_to_look_like_others_are_not_taken_for_them() {
        let mut stemming = Stemming::new(Some(Language::English), "");
        for _ in 0..2 {
            assert_eq!(stemming.stem(7, "restaurants").bytes, b"restaur");
            assert_eq!(stemming.stem(7, "plumbers").bytes, b"plumber");
            assert_eq!(stemming.stem(7, "RESTAURANTS").bytes, b"restaur");
        }
        assert_eq!(stemming.known.len(), 2);
    }

    #[test]
    fn words_are_told_by_their_ends() {
        let words = [
            "", "a", "b", "aa", "aaa", "aaaa", "aaaaa", "abcd", "abcde", "abcdabcd",
        ];
        let long = ["abcdefgh", "abcdefgi", "bbcdefgh", "abcdefghabcdefgi"];
        let ends: Vec<_> = words
            .iter()
            .chain(&long)
            .map(|word| small_ends(word.as_bytes()))
            .collect();
        for (nth, some) in ends.iter().enumerate() {
            assert!(!ends[nth + 1..].contains(some), "{nth}");
        }
        assert_eq!(small_ends(b"Abc"), small_ends(b"aBC"));
        assert_eq!(small_ends(b"ABCDE"), small_ends(b"abcde"));
    }
}
