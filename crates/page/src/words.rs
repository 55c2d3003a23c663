//! The words of a text as numbers, in one pass and without a copy of it.
//!
//! A word is a run of letters and digits in lower case, in any script; where
//! a script sets no spaces, each of its characters is one. Runs in ASCII are
//! looked at eight bytes at a time, others by their characters; both ways give
//! the same number for the same word.

use crate::shape::words::{HIGH, SMALL, among, eight, mix};

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Equal for equal words, whatever their case.
    pub hash: u64,
    /// Its first byte in the text.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
    /// It has digits only.
    pub is_number: bool,
}

/// The words of a text, in its order.
#[derive(Debug, Clone)]
pub struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    /// Starts at the beginning.
    pub fn of(text: &'t str) -> Words<'t> {
        Words { text, at: 0 }
    }

    /// The character at a position that is its first byte.
    fn char_at(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// Goes to the next letter or digit; false if there is none.
    fn skip_gap(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if byte.is_ascii_alphanumeric() {
                return true;
            }
            if byte.is_ascii() {
                self.at += 1;
                continue;
            }
            match self.char_at(self.at) {
                Some(c) if !c.is_alphanumeric() => self.at += c.len_utf8(),
                _ => return true,
            }
        }
        false
    }

    /// A word by its characters, from `at` on.
    fn spell(&mut self) -> Word {
        let start = self.at;
        let mut hasher = Hasher::default();
        let mut is_number = true;
        for c in self.text[start..].chars() {
            let stands_alone = stands_alone(c);
            let is_apart = stands_alone && self.at > start;
            if !c.is_alphanumeric() || is_apart {
                break;
            }
            self.at += c.len_utf8();
            is_number &= c.is_ascii_digit();
            c.to_lowercase().for_each(|c| hasher.add(c));
            if stands_alone {
                break;
            }
        }
        Word {
            hash: hasher.finish(),
            start,
            end: self.at,
            is_number,
        }
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        if !self.skip_gap() {
            return None;
        }
        let bytes = self.text.as_bytes();
        let start = self.at;
        let (mut at, mut hash, mut letters) = (start, 0, 0);
        loop {
            let eight = eight(bytes, at);
            let letter = among(eight | SMALL, b'a', b'z');
            let in_word = among(eight, b'0', b'9') | letter;
            let len = (!in_word & HIGH).trailing_zeros() as usize / 8;
            if bytes.get(at + len).is_some_and(|byte| !byte.is_ascii()) && len < 8 {
                return Some(self.spell());
            }
            if len == 0 {
                break;
            }
            let mask = u64::MAX >> (64 - 8 * len);
            letters |= letter & mask;
            hash = mix(hash, (eight | SMALL) & mask);
            at += len;
            if len < 8 || at >= bytes.len() {
                break;
            }
        }
        self.at = at;
        Some(Word {
            hash,
            start,
            end: at,
            is_number: letters == 0,
        })
    }
}

/// Hashes characters as runs of eight bytes are hashed.
#[derive(Default)]
struct Hasher {
    hash: u64,
    eight: u64,
    n_bytes: u32,
}

impl Hasher {
    fn add(&mut self, c: char) {
        let mut bytes = [0; 4];
        for byte in c.encode_utf8(&mut bytes).bytes() {
            self.eight |= u64::from(byte) << (8 * self.n_bytes);
            self.n_bytes += 1;
            if self.n_bytes == 8 {
                self.hash = mix(self.hash, self.eight);
                (self.eight, self.n_bytes) = (0, 0);
            }
        }
    }

    fn finish(self) -> u64 {
        match self.n_bytes {
            0 => self.hash,
            _ => mix(self.hash, self.eight),
        }
    }
}

/// Whether a character is a word by itself: Chinese characters, and what
/// Japanese is written with.
fn stands_alone(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str) -> Vec<&str> {
        let words = Words::of(text);
        words.map(|word| &text[word.start..word.end]).collect()
    }

    fn hash(word: &str) -> u64 {
        Words::of(word).next().unwrap().hash
    }

    #[test]
    fn words_are_runs_of_letters_and_digits_in_any_script() {
        let text = "“New\u{a0}Orleans”—the city’s café, 3rd Straße… Москва 東京";
        let words = "New Orleans the city s café 3rd Straße Москва 東 京";
        assert_eq!(split(text).join(" "), words);
        assert_eq!(split("").len() + split(" .,; – ").len(), 0);
        assert_eq!(split("Donaudampfschifffahrtsgesellschaft").len(), 1);
        assert_eq!(split("eighteen"), ["eighteen"]);
    }

    #[test]
    fn case_does_not_matter_and_all_else_does() {
        assert_eq!(hash("WEATHER"), hash("weather"));
        assert_eq!(hash("ÄRZTE"), hash("ärzte"));
        assert_eq!(hash("МОСКВА"), hash("москва"));
        assert_eq!(hash("International"), hash("INTERNATIONAL"));
        assert_ne!(hash("weather"), hash("weathers"));
        assert_ne!(hash("Ärzte"), hash("arzte"));
    }

    #[test]
    fn numbers_have_digits_only() {
        let is_number = |text: &str| Words::of(text).next().unwrap().is_number;
        assert!(is_number("77002") && is_number("123456789012"));
        assert!(!is_number("2nd") && !is_number("12345678x") && !is_number("é"));
    }

    proptest! {
        /// However it is read, eight bytes at a time or by characters.
        #[test]
        fn every_letter_is_in_one_word(text in "[a-zA-Z0-9 .,é’Я京]{0,40}") {
            let mut words = Words::of(&text);
            let mut spelled = Vec::new();
            while words.skip_gap() {
                spelled.push(words.spell());
            }
            prop_assert_eq!(Words::of(&text).collect::<Vec<_>>(), spelled);
        }
    }
}
