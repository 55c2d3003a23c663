//! Numbers that stand for names, and tables by such numbers.
//!
//! A name is tried with one word more and one word less; [`Letters`] of a
//! name follow from those of its words without reading them again.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table by keys that are well mixed already.
pub(super) type KeyMap<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// The letters of a name as a polynomial: words may be joined in any order of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Letters {
    sum: u64,
    power: u64,
}

/// Any large odd number will do.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Letters {
    pub(super) const EMPTY: Letters = Letters { sum: 0, power: 1 };

    /// All bytes of a word.
    pub(super) fn of(word: &[u8]) -> Letters {
        word.iter().fold(Letters::EMPTY, |all, &byte| all.and(byte))
    }

    /// One more letter at the end.
    pub(super) fn and(self, byte: u8) -> Letters {
        Letters {
            sum: self.sum.wrapping_mul(BASE).wrapping_add(u64::from(byte)),
            power: self.power.wrapping_mul(BASE),
        }
    }

    /// Other letters after these.
    pub(super) fn then(self, other: Letters) -> Letters {
        Letters {
            sum: self.sum.wrapping_mul(other.power).wrapping_add(other.sum),
            power: self.power.wrapping_mul(other.power),
        }
    }

    /// The key of these letters in one state or country.
    pub(super) fn key(self, scope: &str) -> u64 {
        let scope = scope
            .bytes()
            .fold(0, |all, byte| all << 8 | u64::from(byte));
        let mixed = (self.sum ^ scope.wrapping_mul(BASE)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed ^ mixed >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ mixed >> 29
    }
}

/// Takes a key as its own hash.
#[derive(Debug, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = Letters::of(bytes).key("");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn joined_words_are_one_name(a in "[a-z]{0,9}", b in "[a-z]{0,9}", c in "[a-z]{0,9}") {
            let [x, y, z] = [&a, &b, &c].map(|word| Letters::of(word.as_bytes()));
            let whole = Letters::of(format!("{a}{b}{c}").as_bytes());
            prop_assert_eq!(x.then(y).then(z), whole);
            prop_assert_eq!(x.then(y.then(z)), whole);
        }
    }
}
