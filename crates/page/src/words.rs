//! The words of a text as numbers, in one pass and without a copy of it.
//!
//! A word is a run of letters and digits in lower case, in any script; where
//! a script sets no spaces, each of its characters is one. 64 bytes at a time
//! are told to be in a word or not, as the bits of a number, whose changes
//! from one to the next are where words begin and end: for a processor there
//! is little to guess. Words in ASCII are hashed eight bytes at a time, others
//! by their characters; both ways give the same number for the same word.

use crate::block::{BLOCK, bits, block_at, gathered};
use crate::shape::words::{HIGH, SMALL, eight, mix};

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

/// Shows the words of a text, in its order.
pub fn each_word(text: &str, mut hear: impl FnMut(Word)) {
    each_run(text, |start, end| read(text, start, end, &mut hear));
}

/// Shows where the same words begin and end: half the work, for those who need
/// few of their numbers.
pub fn each_span(text: &str, mut hear: impl FnMut(usize, usize)) {
    let bytes = text.as_bytes();
    each_run(text, |start, end| match bytes[start..end].is_ascii() {
        true => hear(start, end),
        false => read_apart(text, start, end, &mut |word: Word| {
            hear(word.start, word.end);
        }),
    });
}

/// Letters and digits that words may begin with, whatever their case.
#[derive(Debug, Clone, Default)]
pub struct Letters(Vec<u8>);

impl FromIterator<u8> for Letters {
    fn from_iter<I: IntoIterator<Item = u8>>(letters: I) -> Letters {
        let letters = letters.into_iter().filter(u8::is_ascii_alphanumeric);
        let mut letters: Vec<u8> = letters.map(|letter| letter | SMALL as u8).collect();
        letters.sort_unstable();
        letters.dedup();
        Letters(letters)
    }
}

impl Letters {
    /// A bit for each byte that is one of them: a letter after the other, since
    /// all bytes are told from one letter at once.
    #[inline]
    fn among(&self, block: &[u8; BLOCK]) -> u64 {
        let small = block.map(|byte| byte | SMALL as u8);
        let mut flags = [0; BLOCK];
        for letter in &self.0 {
            let both = flags.iter_mut().zip(&small);
            both.for_each(|(flag, small)| *flag |= u8::from(small == letter));
        }
        gathered(&flags)
    }
}

/// Shows where words may begin that begin with one of some letters, or beyond
/// ASCII, each with the number of runs of letters before: `word_at` tells which
/// of them do. A fraction of the work, for those who look for few words.
/// Returns the number of runs.
pub fn each_begun(text: &str, letters: &Letters, mut hear: impl FnMut(usize, usize)) -> usize {
    let bytes = text.as_bytes();
    let (mut n_runs, mut last_run, mut last_letter) = (0, 0, 0);
    let mut block_start = 0;
    while let Some(block) = block_at(bytes, block_start) {
        let inside = in_words(&block);
        let begun = inside & !(inside << 1 | last_run);
        let (mut in_ascii, mut beyond) = (inside, 0);
        if !block.is_ascii() {
            in_ascii &= bits(&block, |byte| byte.is_ascii());
            beyond = bits(&block, |byte| byte >= 0xc0);
        }
        let of_letters = letters.among(&block);
        let mut starts = in_ascii & !(in_ascii << 1 | last_letter) & of_letters | beyond;
        while starts != 0 {
            let at = starts.trailing_zeros();
            starts &= starts - 1;
            let before = begun & (u64::MAX >> (63 - at));
            hear(
                n_runs + before.count_ones() as usize - 1,
                block_start + at as usize,
            );
        }
        n_runs += begun.count_ones() as usize;
        last_run = inside >> (BLOCK - 1);
        last_letter = in_ascii >> (BLOCK - 1);
        block_start += BLOCK;
    }
    n_runs
}

/// The word that begins at a byte, if one does.
pub fn word_at(text: &str, start: usize) -> Option<Word> {
    let first = text[start..].chars().next()?;
    let last = text[..start].chars().next_back();
    let goes_on = last.is_some_and(|last| last.is_alphanumeric() && !stands_alone(last));
    if !first.is_alphanumeric() || goes_on && !stands_alone(first) {
        return None;
    }
    let mut found = None;
    spell(text, start, text.len(), &mut |word| found = Some(word));
    found
}

/// Shows the runs of bytes that may be in a word.
#[inline]
fn each_run(text: &str, mut hear: impl FnMut(usize, usize)) {
    let bytes = text.as_bytes();
    let (mut start, mut is_inside, mut last) = (0, false, 0);
    let mut block_start = 0;
    while let Some(block) = block_at(bytes, block_start) {
        let inside = in_words(&block);
        let mut edges = inside ^ (inside << 1 | last);
        last = inside >> (BLOCK - 1);
        while edges != 0 {
            let at = block_start + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            match is_inside {
                true => hear(start, at),
                false => start = at,
            }
            is_inside = !is_inside;
        }
        block_start += BLOCK;
    }
    if is_inside {
        hear(start, bytes.len());
    }
}

/// A bit for each byte that may be in a word; beyond ASCII every one may.
fn in_words(block: &[u8; BLOCK]) -> u64 {
    bits(block, |byte| {
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let is_digit = byte.wrapping_sub(b'0') < 10;
        is_letter | is_digit | !byte.is_ascii()
    })
}

/// Reads a run of bytes that may be in a word: it has none, one or several.
#[inline]
fn read(text: &str, start: usize, end: usize, hear: &mut impl FnMut(Word)) {
    match read_ascii(text.as_bytes(), start, end) {
        Some(word) => hear(word),
        None => read_apart(text, start, end, hear),
    }
}

/// The word that a run of letters and digits is; none if some of it lies
/// beyond ASCII.
#[inline]
fn read_ascii(bytes: &[u8], start: usize, end: usize) -> Option<Word> {
    let (mut at, mut hash, mut high) = (start, 0, 0);
    while at < end {
        let mask = match end - at {
            len @ 1..8 => u64::MAX >> (64 - 8 * len),
            _ => u64::MAX,
        };
        let eight = eight(bytes, at) & mask;
        high |= eight & HIGH;
        hash = mix(hash, (eight | SMALL) & mask);
        at += 8;
    }
    let is_number = || bytes[start..end].iter().all(u8::is_ascii_digit);
    (high == 0).then(|| Word {
        hash,
        start,
        end,
        is_number: bytes[start].is_ascii_digit() && is_number(),
    })
}

/// Reads a run of bytes of which some lie beyond ASCII. Most often those are
/// quotes and dashes, and what lies between them is read as ever.
#[cold]
fn read_apart(text: &str, start: usize, end: usize, hear: &mut impl FnMut(Word)) {
    let (mut word_start, mut at) = (start, start);
    let bytes = text.as_bytes();
    let is_beyond = |byte: &u8| !byte.is_ascii();
    let hear_ascii = |start: usize, end: usize, hear: &mut dyn FnMut(Word)| {
        if start < end
            && let Some(word) = read_ascii(bytes, start, end)
        {
            hear(word);
        }
    };
    while let Some(len) = bytes[at..end].iter().position(is_beyond) {
        at += len;
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        if c.is_alphanumeric() {
            at = spell(text, word_start, end, hear);
        } else {
            hear_ascii(word_start, at, hear);
            at += c.len_utf8();
        }
        word_start = at;
    }
    hear_ascii(word_start, end, hear);
}

/// Reads one word by its characters, and says where it ends.
fn spell(text: &str, start: usize, end: usize, hear: &mut impl FnMut(Word)) -> usize {
    let mut word = Spelled::new(start);
    let mut at = start;
    for c in text[start..end].chars() {
        let stands_alone = stands_alone(c);
        if !c.is_alphanumeric() || (stands_alone && at > start) {
            break;
        }
        word.add(c);
        at += c.len_utf8();
        if stands_alone {
            break;
        }
    }
    hear(word.finish(at));
    at
}

/// A word being read by its characters.
struct Spelled {
    start: usize,
    is_number: bool,
    hash: u64,
    /// Bytes that are not in the hash yet.
    eight: u64,
    n_bytes: u32,
}

impl Spelled {
    fn new(start: usize) -> Spelled {
        Spelled {
            start,
            is_number: true,
            hash: 0,
            eight: 0,
            n_bytes: 0,
        }
    }

    fn add(&mut self, c: char) {
        self.is_number &= c.is_ascii_digit();
        if c.is_ascii() {
            return self.add_byte(c.to_ascii_lowercase() as u8);
        }
        for small in c.to_lowercase() {
            let mut bytes = [0; 4];
            small
                .encode_utf8(&mut bytes)
                .bytes()
                .for_each(|byte| self.add_byte(byte));
        }
    }

    fn add_byte(&mut self, byte: u8) {
        self.eight |= u64::from(byte) << (8 * self.n_bytes);
        self.n_bytes += 1;
        if self.n_bytes == 8 {
            self.hash = mix(self.hash, self.eight);
            (self.eight, self.n_bytes) = (0, 0);
        }
    }

    fn finish(self, end: usize) -> Word {
        Word {
            hash: match self.n_bytes {
                0 => self.hash,
                _ => mix(self.hash, self.eight),
            },
            start: self.start,
            end,
            is_number: self.is_number,
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

    fn words(text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word));
        words
    }

    fn split(text: &str) -> Vec<&str> {
        let words = words(text).into_iter();
        words.map(|word| &text[word.start..word.end]).collect()
    }

    fn hash(word: &str) -> u64 {
        words(word)[0].hash
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
    fn every_byte_of_ascii_is_in_a_word_or_not() {
        for byte in 0..0x80_u8 {
            let text = String::from_utf8(vec![b'a', byte, b'b']).unwrap();
            let n_words = if byte.is_ascii_alphanumeric() { 1 } else { 2 };
            assert_eq!(words(&text).len(), n_words, "{byte}");
        }
    }

    #[test]
    fn numbers_have_digits_only() {
        let is_number = |text: &str| words(text)[0].is_number;
        assert!(is_number("77002") && is_number("123456789012"));
        assert!(!is_number("2nd") && !is_number("12345678x") && !is_number("é"));
    }

    proptest! {
        /// However it is read, by blocks or by characters, and wherever a
        /// block ends.
        #[test]
        fn every_letter_is_in_one_word(text in "[a-zA-Z0-9 .,é’Я京]{0,200}") {
            let (mut spelled, mut at) = (Vec::new(), 0);
            while let Some(len) = text[at..].find(char::is_alphanumeric) {
                at = spell(&text, at + len, text.len(), &mut |word| spelled.push(word));
            }
            let mut spans = Vec::new();
            each_span(&text, |start, end| spans.push((start, end)));
            let spelled_spans: Vec<_> = spelled.iter().map(|word| (word.start, word.end)).collect();
            prop_assert_eq!(spans, spelled_spans);
            prop_assert_eq!(words(&text), spelled);
        }

        #[test]
        fn words_are_found_by_their_first_letters(
            text in "[a-dA-D0-2 .,é’Я京]{0,200}",
            letters in "[a-dA-D0-2]{0,3}",
        ) {
            let is_wanted = |word: &Word| {
                let first = text.as_bytes()[word.start].to_ascii_lowercase();
                !first.is_ascii() || letters.to_ascii_lowercase().as_bytes().contains(&first)
            };
            let wanted: Vec<Word> = words(&text).into_iter().filter(is_wanted).collect();
            let mut begun = Vec::new();
            let letters: Letters = letters.bytes().collect();
            let n_runs = each_begun(&text, &letters, |nth, start| begun.push((nth, start)));
            let found = begun.iter().filter_map(|(_, start)| word_at(&text, *start));
            prop_assert_eq!(found.collect::<Vec<Word>>(), wanted);

            let mut runs = Vec::new();
            each_run(&text, |start, end| runs.push(start..end));
            prop_assert_eq!(n_runs, runs.len());
            prop_assert!(begun.iter().all(|(nth, start)| runs[*nth].contains(start)));
        }
    }
}
