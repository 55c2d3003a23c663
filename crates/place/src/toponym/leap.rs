//! Passes over what cannot begin a name: nine of ten bytes of a text.
//!
//! 64 bytes at a time are told to be capitals or in words, as the bits of a
//! number, so that a processor has nothing to guess within a word.

use crate::block::{BLOCK, bits, block_at};

/// Goes over a text. The block that is looked at is kept, since the next leap
/// mostly ends in it.
pub(super) struct Leap<'t> {
    bytes: &'t [u8],
    /// Where the block begins; nowhere at first.
    at: usize,
    /// Its letters and digits in ASCII.
    inside: u64,
    capitals: u64,
    /// Its bytes outside ASCII.
    beyond: u64,
}

impl<'t> Leap<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Leap<'t> {
        Leap {
            bytes,
            at: usize::MAX,
            inside: 0,
            capitals: 0,
            beyond: 0,
        }
    }

    /// Where to look next, from a position that no word goes on at: at a capital
    /// that begins a word, at a character outside ASCII or the word that it stands
    /// in, or at the end.
    pub(super) fn next(&mut self, from: usize) -> usize {
        let (mut at, mut goes_on, mut word_start) = (from, 0, from);
        while at < self.bytes.len() {
            self.look_at(at - at % BLOCK);
            let ahead = u64::MAX << (at % BLOCK);
            let inside = self.inside & ahead;
            let begins = inside & !(inside << 1 | goes_on);
            let stops = (self.capitals & begins) | self.beyond & ahead;
            // Words that begin before the first stop.
            let before = match stops {
                0 => begins,
                _ => begins & !stops & (stops - 1),
            };
            if before != 0 {
                word_start = self.at + before.ilog2() as usize;
            }
            if stops != 0 {
                let n_before = stops.trailing_zeros();
                let is_in_word = (inside << 1 | goes_on) >> n_before & 1 == 1;
                let is_beyond = self.beyond >> n_before & 1 == 1;
                return match is_beyond && is_in_word {
                    true => word_start,
                    false => self.at + n_before as usize,
                };
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
        self.inside = bits(&block, |byte| {
            (byte | 0x20).wrapping_sub(b'a') < 26 || byte.wrapping_sub(b'0') < 10
        });
        self.capitals = bits(&block, |byte| byte.wrapping_sub(b'A') < 26);
        self.beyond = match block.is_ascii() {
            true => 0,
            false => bits(&block, |byte| byte >= 0x80),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, byte by byte.
    fn step(bytes: &[u8], from: usize) -> usize {
        let (mut at, mut word_start) = (from, None);
        while let Some(byte) = bytes.get(at) {
            let is_capital = byte.is_ascii_uppercase() && word_start.is_none();
            match byte {
                _ if is_capital => return at,
                0x80.. => return word_start.unwrap_or(at),
                _ if byte.is_ascii_alphanumeric() => word_start = word_start.or(Some(at)),
                _ => word_start = None,
            }
            at += 1;
        }
        at
    }

    proptest! {
        #[test]
        fn leaping_leads_where_stepping_does(
            text in "([a-z0-9 ,]{0,70}[A-Zé ]?){0,4}|[a-zA]{50,140}é?",
            froms in prop::collection::vec(0_usize..150, 1..5),
        ) {
            let mut leap = Leap::new(text.as_bytes());
            for from in froms {
                let from = from.min(text.len());
                prop_assert_eq!(leap.next(from), step(text.as_bytes(), from));
            }
        }
    }
}
