//! Brings the words of one language to their stems.
//!
//! Finding a stem takes longer than all the rest, and a text's words are
//! mostly those of other texts: what was found is remembered, the usual words
//! in a small table that stays near, all others in a large one.

use crate::look::Numbered;
use page::words::each_word;
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
    /// Hashes of words that say nothing.
    common: Numbered<u64, ()>,
    /// By the last bits of the word's hash; made when the first word comes.
    near: Vec<Near>,
    /// By the hash of the word.
    known: Numbered<u64, Box<str>>,
    /// The last word, in lower case.
    small: String,
    /// The last stem that does not stay near.
    last: Near,
}

/// A stem and the hash of its word.
#[derive(Clone, Copy, Default)]
struct Near {
    /// Zero where there is none.
    key: u64,
    stem: [u8; NEAR_BYTES],
    n_bytes: u8,
    is_common: bool,
}

/// The stem of a word.
pub(super) struct Stem<'s> {
    pub(super) text: &'s str,
    /// Every text has this word.
    pub(super) is_common: bool,
}

impl Near {
    fn stem(&self) -> Stem<'_> {
        let bytes = &self.stem[..usize::from(self.n_bytes)];
        Stem {
            text: str::from_utf8(bytes).expect("stems are text"),
            is_common: self.is_common,
        }
    }
}

impl Stemming {
    pub(super) fn new(language: Option<Language>, common: &'static str) -> Stemming {
        let mut hashes = Numbered::default();
        each_word(common, |word| {
            hashes.insert(key(word.hash), ());
        });
        Stemming {
            analyser: analyser(language),
            common: hashes,
            near: Vec::new(),
            known: Numbered::default(),
            small: String::new(),
            last: Near::default(),
        }
    }

    /// The stem of a word with this hash; of short ones and those with a digit
    /// the word itself.
    pub(super) fn stem(&mut self, hash: u64, word: &str) -> Stem<'_> {
        let key = key(hash);
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
                text: stem,
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

/// What a word is known by; never zero.
fn key(hash: u64) -> u64 {
    hash.max(1)
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
