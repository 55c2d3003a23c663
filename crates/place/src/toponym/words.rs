//! Cuts words out of a text, in normal form, without copying them.
//!
//! A word is known by the hash of its normal form, and a name by the hashes
//! of its words one after the other: `St. Paul` and `SAINT-PAUL` have the same
//! one. Only words that matter are cut: those with a capital, and the ones
//! around a name that was found.

use crate::names::fold;
use std::ops::Range;

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `town`
    Small,
    /// `Town`
    Capital,
    /// `TOWN`, of two letters or more
    Capitals,
    /// `12th`
    Number,
}

/// One word of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) start: usize,
    /// Behind its last letter, before `'s`.
    pub(super) end: usize,
    /// Behind `'s`, where that follows; otherwise the same as `end`.
    pub(super) possessive_end: usize,
    pub(super) shape: Shape,
    /// Hash of its normal form.
    pub(super) hash: u64,
    /// The same with the `s` of a possessive, as in `Martha's Vineyard`.
    pub(super) possessive_hash: u64,
}

/// Hashes bytes, eight at a time.
#[derive(Clone, Copy)]
struct Hasher {
    hash: u64,
    /// Bytes that are not yet part of the hash.
    waiting: u64,
    n_bytes: u32,
}

impl Hasher {
    const NEW: Hasher = Hasher {
        hash: 0xcbf2_9ce4_8422_2325,
        waiting: 0,
        n_bytes: 0,
    };

    #[inline]
    const fn push(&mut self, byte: u8) {
        self.waiting |= (byte as u64) << (self.n_bytes % 8 * 8);
        self.n_bytes += 1;
        if self.n_bytes.is_multiple_of(8) {
            self.hash = mix(self.hash, self.waiting);
            self.waiting = 0;
        }
    }

    /// A word of plain letters and digits, in small letters.
    #[inline]
    fn of_plain(bytes: &[u8], word: Range<usize>) -> Hasher {
        // The bit by which small letters differ from large ones; digits have it.
        const SMALL: u64 = 0x2020_2020_2020_2020;
        let mut hasher = Hasher::NEW;
        let mut at = word.start;
        while word.end - at >= 8 {
            hasher.hash = mix(hasher.hash, eight_at(bytes, at) | SMALL);
            at += 8;
        }
        let used = (1_u64 << ((word.end - at) * 8)) - 1;
        hasher.waiting = (eight_at(bytes, at) | SMALL) & used;
        hasher.n_bytes = word.len() as u32;
        hasher
    }

    const fn finish(self) -> u64 {
        mix(mix(self.hash, self.waiting), self.n_bytes as u64)
    }
}

/// Eight bytes from here on; zeros behind the end of the text.
#[inline]
fn eight_at(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    match rest.first_chunk() {
        Some(&eight) => u64::from_le_bytes(eight),
        None => {
            let mut eight = [0; 8];
            eight[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(eight)
        }
    }
}

const fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// Hash of a name: its words' hashes in order.
pub(super) fn join(name: u64, word: u64) -> u64 {
    let mixed = (name.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// Hash of a word in normal form.
pub(super) const fn hash_normal(word: &str) -> u64 {
    let bytes = word.as_bytes();
    let mut hasher = Hasher::NEW;
    let mut at = 0;
    while at < bytes.len() {
        hasher.push(bytes[at]);
        at += 1;
    }
    hasher.finish()
}

/// Hash of a name in normal form: words with single spaces.
pub(super) fn hash_name(name: &str) -> u64 {
    name.split(' ')
        .fold(0, |hash, word| join(hash, hash_normal(word)))
}

const OTHER: u8 = 0;
pub(super) const UPPER: u8 = 1;
const LOWER: u8 = 2;
const DIGIT: u8 = 3;
/// First byte of a character outside ASCII.
pub(super) const LEAD: u8 = 4;
const TRAIL: u8 = 5;

pub(super) const CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let is = byte as u8;
        classes[byte] = if is.is_ascii_uppercase() {
            UPPER
        } else if is.is_ascii_lowercase() {
            LOWER
        } else if is.is_ascii_digit() {
            DIGIT
        } else if is >= 0xC2 {
            LEAD
        } else if is >= 0x80 {
            TRAIL
        } else {
            OTHER
        };
        byte += 1;
    }
    classes
};

/// The word that begins at this position, which is a letter or digit.
pub(super) fn word_at(text: &str, start: usize) -> Word {
    let bytes = text.as_bytes();
    let mut at = start;
    let mut n_capitals = 0;
    while let Some(&byte) = bytes.get(at) {
        let class = CLASSES[byte as usize];
        if !matches!(class, UPPER | LOWER | DIGIT) {
            // Accents and apostrophes need a closer look.
            if class == LEAD || byte == b'\'' && joins(bytes, at + 1) {
                return odd_word_at(text, start);
            }
            break;
        }
        n_capitals += usize::from(class == UPPER);
        at += 1;
    }
    let first = bytes
        .get(start)
        .map_or(OTHER, |&byte| CLASSES[byte as usize]);
    let shape = match first {
        DIGIT => Shape::Number,
        UPPER if at - start > 1 && n_capitals == at - start => Shape::Capitals,
        UPPER => Shape::Capital,
        _ => Shape::Small,
    };
    word(bytes, start..at, shape, Hasher::of_plain(bytes, start..at))
}

/// The same for words with letters outside ASCII or an apostrophe inside.
fn odd_word_at(text: &str, start: usize) -> Word {
    let bytes = text.as_bytes();
    let mut hasher = Hasher::NEW;
    let mut end = start;
    let (mut n_letters, mut n_capitals) = (0, 0);
    for (at, c) in text[start..].char_indices() {
        let after = start + at + c.len_utf8();
        if c.is_alphanumeric() || is_joined_accent(c) {
            for byte in fold(c).bytes() {
                hasher.push(byte);
            }
            n_letters += usize::from(c.is_alphabetic());
            n_capitals += usize::from(c.is_uppercase());
        } else if !(is_apostrophe(c) && joins(bytes, after)) {
            break;
        }
        end = after;
    }
    let first = text[start..].chars().next();
    let shape = match first {
        Some(c) if c.is_ascii_digit() => Shape::Number,
        Some(c) if c.is_uppercase() && n_letters > 1 && n_capitals == n_letters => Shape::Capitals,
        Some(c) if c.is_uppercase() => Shape::Capital,
        _ => Shape::Small,
    };
    word(bytes, start..end, shape, hasher)
}

fn word(bytes: &[u8], span: Range<usize>, shape: Shape, mut hasher: Hasher) -> Word {
    let possessive_end = after_possessive(bytes, span.end);
    let hash = hasher.finish();
    Word {
        start: span.start,
        end: span.end,
        possessive_end,
        shape,
        hash,
        possessive_hash: if possessive_end == span.end {
            hash
        } else {
            hasher.push(b's');
            hasher.finish()
        },
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{2bc}')
}

fn is_joined_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Whether an apostrophe before this position stands inside a word: more than an `s` follows.
fn joins(bytes: &[u8], at: usize) -> bool {
    let letter = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|&byte| CLASSES[byte as usize] != OTHER)
    };
    letter(at) && letter(at + 1)
}

/// Behind `'s` or `’s`, if the word that ends here is a possessive.
fn after_possessive(bytes: &[u8], end: usize) -> usize {
    let rest = bytes.get(end..).unwrap_or_default();
    let n = match rest {
        [b'\'', b's' | b'S', ..] => 2,
        [0xE2, 0x80, 0x99, b's' | b'S', ..] => 4,
        _ => return end,
    };
    let free = rest
        .get(n)
        .is_none_or(|&byte| CLASSES[byte as usize] == OTHER || byte >= 0x80);
    if free { end + n } else { end }
}

/// What stands between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Spaces.
    Space,
    /// A hyphen or dash without spaces.
    Hyphen,
    /// A comma.
    Comma,
    /// A full stop that ends a shortened word, or a sentence.
    Stop,
    /// A line break.
    Line,
    /// An opening parenthesis or quotation mark.
    Open,
    /// A closing one.
    Close,
    /// A slash, a colon, several marks, or the text's border.
    Other,
}

/// No gap that matters is longer.
const MAX_GAP: usize = 12;

/// The gap behind a position, and the word that follows it on the same line.
pub(super) fn next_word(text: &str, end: usize) -> (Gap, Option<Word>) {
    let bytes = text.as_bytes();
    let mut gap = None;
    let mut at = end;
    while at < bytes.len() && at - end < MAX_GAP {
        let byte = bytes[at];
        match CLASSES[byte as usize] {
            OTHER => {
                gap = Some(widen(gap, byte));
                at += 1;
            }
            LEAD => {
                let Some(c) = text[at..].chars().next() else {
                    break;
                };
                if c.is_alphanumeric() {
                    return across(gap, || word_at(text, at));
                }
                gap = Some(widen_char(gap, c));
                at += c.len_utf8();
            }
            _ => return across(gap, || word_at(text, at)),
        }
    }
    (
        gap.filter(|&gap| gap == Gap::Line).unwrap_or(Gap::Other),
        None,
    )
}

/// The gap before a position, and the word in front of it on the same line.
pub(super) fn previous_word(text: &str, start: usize) -> (Gap, Option<Word>) {
    let bytes = text.as_bytes();
    let mut gap = None;
    let mut at = start;
    while at > 0 && start - at < MAX_GAP {
        let byte = bytes[at - 1];
        match CLASSES[byte as usize] {
            OTHER => {
                gap = Some(widen(gap, byte));
                at -= 1;
            }
            LEAD | TRAIL => {
                let Some(c) = text[..at].chars().next_back() else {
                    break;
                };
                if c.is_alphanumeric() {
                    return across(gap, || word_at(text, word_start(text, at)));
                }
                gap = Some(widen_char(gap, c));
                at -= c.len_utf8();
            }
            _ => return across(gap, || word_at(text, word_start(text, at))),
        }
    }
    (
        gap.filter(|&gap| gap == Gap::Line).unwrap_or(Gap::Other),
        None,
    )
}

/// What is on another line says nothing, so it is not even cut.
fn across(gap: Option<Gap>, word: impl FnOnce() -> Word) -> (Gap, Option<Word>) {
    match gap.unwrap_or(Gap::Other) {
        Gap::Line => (Gap::Line, None),
        gap => (gap, Some(word())),
    }
}

/// Where the word begins that ends here; very long words are cut.
fn word_start(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = end;
    while at > 0 && end - at < MAX_WORD {
        match CLASSES[bytes[at - 1] as usize] {
            OTHER => break,
            LEAD | TRAIL => match text[..at].chars().next_back() {
                Some(c) if c.is_alphanumeric() => at -= c.len_utf8(),
                _ => break,
            },
            _ => at -= 1,
        }
    }
    at
}

/// Longer words before a name are not read to their beginning.
const MAX_WORD: usize = 32;

/// One more mark in a gap: a line break wins, then marks, then spaces.
fn widen(gap: Option<Gap>, byte: u8) -> Gap {
    let here = match byte {
        b' ' | b'\t' | b'\r' => Gap::Space,
        b'-' => Gap::Hyphen,
        b',' => Gap::Comma,
        b'.' | b'!' | b'?' | b';' => Gap::Stop,
        b'\n' => Gap::Line,
        b'(' | b'[' | b'"' | b'{' => Gap::Open,
        b')' | b']' | b'}' => Gap::Close,
        _ => Gap::Other,
    };
    merge(gap, here)
}

fn widen_char(gap: Option<Gap>, c: char) -> Gap {
    let here = match c {
        '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{ad}' | '\u{200b}' => Gap::Space,
        '\u{2010}'..='\u{2015}' => Gap::Hyphen,
        '“' | '‘' | '«' | '„' => Gap::Open,
        '”' | '’' | '»' => Gap::Close,
        '…' => Gap::Stop,
        _ => Gap::Other,
    };
    merge(gap, here)
}

fn merge(gap: Option<Gap>, here: Gap) -> Gap {
    match (gap, here) {
        (None, _) => here,
        (Some(Gap::Line), _) | (_, Gap::Line) => Gap::Line,
        (Some(gap), Gap::Space) => gap,
        (Some(Gap::Space), Gap::Hyphen) | (Some(Gap::Hyphen), Gap::Hyphen) => Gap::Other,
        (Some(Gap::Space), _) => here,
        (Some(gap), here) if gap == here => gap,
        // `Cook, (` and `Cook.”`: what ends a sentence decides, then what opens.
        (Some(Gap::Stop), _) | (_, Gap::Stop) => Gap::Stop,
        (Some(Gap::Open), _) | (_, Gap::Open) => Gap::Open,
        (Some(Gap::Comma), _) | (_, Gap::Comma) => Gap::Comma,
        _ => Gap::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::normalise;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn cut(text: &str) -> String {
        let word = word_at(text, 0);
        let (gap, next) = next_word(text, word.possessive_end);
        let next = next.map_or("-", |next| &text[next.start..next.end]);
        format!("{} {:?} {gap:?} {next}", &text[..word.end], word.shape)
    }

    #[test]
    fn words_end_where_names_do() {
        assert_snapshot!(cut("Houston, Texas"), @"Houston Capital Comma Texas");
        assert_snapshot!(cut("O'Fallon's mayor"), @"O'Fallon Capital Space mayor");
        assert_snapshot!(cut("Zürich – heute"), @"Zürich Capital Other heute");
        assert_snapshot!(cut("USA\nOhio"), @"USA Capitals Line -");
        assert_snapshot!(cut("Cook.” Then"), @"Cook Capital Stop Then");
        assert_snapshot!(cut("Baden-Baden"), @"Baden Capital Hyphen Baden");
    }

    #[test]
    fn a_word_has_the_hash_of_its_normal_form() {
        for word in [
            "Houston",
            "ZÜRICH",
            "O'Fallon",
            "O’Fallon",
            "Łódź",
            "Gießen",
        ] {
            assert_eq!(
                word_at(word, 0).hash,
                hash_normal(&normalise(word)),
                "{word}"
            );
        }
        let vineyard = word_at("Martha's Vineyard", 0);
        assert_eq!(vineyard.possessive_hash, hash_normal("marthas"));
    }

    proptest! {
        #[test]
        fn words_lie_in_the_text(text in "\\PC{1,40}") {
            for (start, c) in text.char_indices() {
                if c.is_alphanumeric() {
                    let word = word_at(&text, start);
                    prop_assert!(text.is_char_boundary(word.end));
                    prop_assert!(word.end > start);
                    let _ = next_word(&text, word.possessive_end);
                    let _ = previous_word(&text, start);
                }
            }
        }
    }
}
