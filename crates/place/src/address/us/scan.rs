//! Looks at bytes: where words begin, and which of them may be a house number.

use super::words;
use crate::block::{BLOCK, bits, block_at};

pub(super) const OTHER: u8 = 0;
pub(super) const UPPER: u8 = 1;
pub(super) const LOWER: u8 = 2;
pub(super) const DIGIT: u8 = 3;

/// Letters outside ASCII count as small ones: they begin no state.
pub(super) const CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let is = byte as u8;
        classes[byte] = if is.is_ascii_uppercase() {
            UPPER
        } else if is.is_ascii_lowercase() || (is >= 0xC3 && is < 0xE0) {
            LOWER
        } else if is.is_ascii_digit() {
            DIGIT
        } else {
            OTHER
        };
        byte += 1;
    }
    classes
};

/// Finds words that may matter to an address: one of ten does. The block that
/// is looked at is kept, since the next one is mostly in it.
pub(super) struct Telling<'t> {
    bytes: &'t [u8],
    /// Where the block begins; nowhere at first.
    at: usize,
    /// Its bytes that are in words.
    inside: u64,
    /// Its bytes that make a word matter if it begins with them.
    firsts: u64,
    digits: u64,
}

impl<'t> Telling<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Telling<'t> {
        Telling {
            bytes,
            at: usize::MAX,
            inside: 0,
            firsts: 0,
            digits: 0,
        }
    }

    /// Where the next word begins that begins with a capital, has a digit or
    /// follows a comma and a space, or the end. A word that goes on at `from`
    /// is taken to begin there.
    pub(super) fn next(&mut self, from: usize) -> usize {
        let (mut at, mut goes_on, mut word_start) = (from, 0, from);
        while at < self.bytes.len() {
            self.look_at(at - at % BLOCK);
            let ahead = u64::MAX << (at % BLOCK);
            let inside = self.inside & ahead;
            let begins = inside & !(inside << 1 | goes_on);
            let stops = begins & self.firsts | inside & self.digits;
            // Words that begin up to the first stop.
            let up_to = match stops {
                0 => begins,
                _ => begins & (stops ^ (stops - 1)),
            };
            if up_to != 0 {
                word_start = self.at + up_to.ilog2() as usize;
            }
            if stops != 0 {
                return word_start;
            }
            goes_on = inside >> (BLOCK - 1);
            at = self.at + BLOCK;
        }
        self.bytes.len()
    }

    fn look_at(&mut self, at: usize) {
        if self.at == at {
            return;
        }
        let Some(block) = block_at(self.bytes, at) else {
            return;
        };
        self.at = at;
        let capitals = bits(&block, |byte| byte.wrapping_sub(b'A') < 26);
        self.digits = bits(&block, |byte| byte.wrapping_sub(b'0') < 10);
        self.inside = self.digits
            | bits(&block, |byte| {
                (byte | 0x20).wrapping_sub(b'a') < 26 || byte.wrapping_sub(0xC3) < 0xE0 - 0xC3
            });
        let commas = bits(&block, |byte| byte == b',');
        let spaces = bits(&block, |byte| byte == b' ');
        let before = |n: usize, byte: u8| u64::from(at >= n && self.bytes[at - n] == byte);
        // The two bytes before the block come in from the right.
        let (comma, space) = (before(1, b','), before(1, b' '));
        let set_off = (commas << 2 | comma << 1 | before(2, b',')) & (spaces << 1 | space);
        self.firsts = capitals | self.digits | set_off;
    }
}

/// Where the next word with a digit, or the next that may be a number, begins.
pub(super) fn next_number(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    for block in bytes[from..].chunks(BLOCK_LEN) {
        let with_next = &bytes[at..(at + BLOCK_LEN + 2).min(bytes.len())];
        if block
            .iter()
            .fold(false, |any, byte| any | byte.is_ascii_digit())
            || has_number_word(with_next)
        {
            let starts = |&offset: &usize| {
                let is_first =
                    at + offset == from || CLASSES[bytes[at + offset - 1] as usize] == OTHER;
                block[offset].is_ascii_digit()
                    || is_first
                        && has_number_word(&with_next[offset..(offset + 3).min(with_next.len())])
            };
            if let Some(offset) = (0..block.len()).find(starts) {
                let before = bytes[from..at + offset].iter().rev();
                let inside = before.take_while(|byte| CLASSES[**byte as usize] != OTHER);
                return at + offset - inside.count();
            }
        }
        at += block.len();
    }
    bytes.len()
}

/// So many bytes are looked at together, without a branch for each.
const BLOCK_LEN: usize = 64;

/// Whether `One`, `Two`, `Three`, `Ten` or `Twelve` may begin in these bytes.
fn has_number_word(bytes: &[u8]) -> bool {
    let Some(seconds) = bytes.get(1..) else {
        return false;
    };
    let Some(thirds) = bytes.get(2..) else {
        return false;
    };
    let mut any = false;
    for ((&first, &second), &third) in bytes.iter().zip(seconds).zip(thirds) {
        let (second, third) = (second | 0x20, third | 0x20);
        let one = (first == b'O') & (second == b'n') & (third == b'e');
        let ten = (second == b'e') & (third == b'n');
        let two = (second == b'w') & ((third == b'o') | (third == b'e'));
        let three = (second == b'h') & (third == b'r');
        any |= one | (first == b'T') & (ten | two | three);
    }
    any
}

/// `One`, `Two`, … as house numbers.
pub(super) fn number_word(bytes: &[u8], start: usize) -> Option<usize> {
    let len = bytes[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let word = bytes.get(start..start + len)?;
    words::is_number_word(word).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As `Telling`, byte by byte.
    fn step(bytes: &[u8], from: usize) -> usize {
        let is_inside = |at: usize| CLASSES[bytes[at] as usize] != OTHER;
        let begins = |at: &usize| is_inside(*at) && (*at == from || !is_inside(*at - 1));
        let matters = |at: &usize| {
            let mut word = bytes[*at..].iter().map(|byte| CLASSES[*byte as usize]);
            CLASSES[bytes[*at] as usize] == UPPER
                || bytes[..*at].ends_with(b", ")
                || word
                    .by_ref()
                    .take_while(|class| *class != OTHER)
                    .any(|class| class == DIGIT)
        };
        let mut words = (from..bytes.len()).filter(begins);
        words.find(matters).unwrap_or(bytes.len())
    }

    proptest! {
        #[test]
        fn telling_words_are_found_as_byte_by_byte(
            text in "([a-zé ,]{0,70}(, )?[A-Z0-9é ,]?){0,6}|[a-z]{50,140}[0-9A, ]?",
            froms in prop::collection::vec(0_usize..200, 1..8),
        ) {
            let bytes = text.as_bytes();
            let mut telling = Telling::new(bytes);
            for from in froms {
                let from = from.min(bytes.len());
                prop_assert_eq!(telling.next(from), step(bytes, from));
            }
            let (mut at, mut stepped) = (0, 0);
            while at < bytes.len() {
                (at, stepped) = (telling.next(at), step(bytes, stepped));
                prop_assert_eq!(at, stepped);
                (at, stepped) = (at + 1, stepped + 1);
            }
        }
    }
}
