//! What single words are, wherever they stand: given names, titles, common words.
//!
//! Two lists: `classes.txt`, written by hand, and `lexicon.txt`, counted by
//! `cargo xtask lexicon` from WordNet, names of people and plain text.

use super::words::hash_normal;
use crate::names::normalise;

/// Classes of words, as bits.
pub(super) type Classes = u32;
/// A person's first name.
pub(super) const GIVEN: Classes = 1;
/// A person's last name.
pub(super) const FAMILY: Classes = 1 << 1;
/// Also an ordinary word, now and then.
pub(super) const COMMON: Classes = 1 << 2;
/// Mostly an ordinary word.
pub(super) const VERY_COMMON: Classes = 1 << 3;
/// `Mr`, `Senator`: a person follows.
pub(super) const TITLE: Classes = 1 << 4;
/// `Inc`, `University`: an organisation ends or begins.
pub(super) const COMPANY: Classes = 1 << 5;
/// `Street`, `Avenue`: a road ends.
pub(super) const ROAD: Classes = 1 << 6;
/// `Park`, `Airport`, `Hospital`: something built ends.
pub(super) const BUILT: Classes = 1 << 7;
/// `Rockets`, `Cowboys`: a team ends.
pub(super) const TEAM: Classes = 1 << 8;
/// `May`, `Monday`.
pub(super) const DATE: Classes = 1 << 9;
/// `in`, `near`: a place may follow.
pub(super) const WHERE: Classes = 1 << 10;
/// `north`, `downtown`, `southern`.
pub(super) const SIDE: Classes = 1 << 11;
/// `city`, `County`, `River`: a kind of place.
pub(super) const FEATURE: Classes = 1 << 12;
/// `Gazette`, `Herald`, `Times`: a newspaper ends.
pub(super) const PAPER: Classes = 1 << 13;
/// `said`, `told`: a person or an office acts.
pub(super) const SPEAKS: Classes = 1 << 14;
/// `and`, `or`: the neighbours are of one kind.
pub(super) const AND: Classes = 1 << 15;

/// `Fries`, `Grill`: a shop or restaurant ends.
pub(super) const SHOP: Classes = 1 << 16;

const BY_HAND: &str = include_str!("classes.txt");
const COUNTED: &str = include_str!("lexicon.txt");

/// No word of its own weight.
pub(super) const NO_WORD: u16 = u16::MAX;

/// What is known of one word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    tag: u32,
    pub(super) classes: Classes,
    /// Its position among the words with weights.
    pub(super) word_idx: u16,
}

const UNKNOWN: Entry = Entry {
    tag: 0,
    classes: 0,
    word_idx: NO_WORD,
};

/// All words, by the hash of their normal form.
pub(super) struct Lexicon {
    slots: Vec<Entry>,
}

impl Lexicon {
    /// The two lists, and the words that have weights.
    pub(super) fn new(words: &[String]) -> Lexicon {
        let mut lexicon = Lexicon {
            slots: vec![UNKNOWN; 1 << 15],
        };
        for line in BY_HAND.lines() {
            let Some((heading, words)) = line.split_once(':') else {
                continue;
            };
            let class = class_of(heading);
            for word in words.split_whitespace() {
                lexicon.entry(&normalise(word)).classes |= class;
            }
        }
        for line in COUNTED.lines().filter(|line| !line.starts_with('#')) {
            let Some((word, letters)) = line.split_once(' ') else {
                continue;
            };
            for letter in letters.chars() {
                lexicon.entry(word).classes |= match letter {
                    'g' => GIVEN,
                    'f' => FAMILY,
                    'c' => COMMON,
                    'C' => COMMON | VERY_COMMON,
                    _ => 0,
                };
            }
        }
        for (idx, word) in (0..).zip(words) {
            lexicon.entry(word).word_idx = idx;
        }
        lexicon
    }

    fn entry(&mut self, word: &str) -> &mut Entry {
        let hash = hash_normal(word);
        let slot = self.slot(hash);
        self.slots[slot].tag = tag(hash);
        &mut self.slots[slot]
    }

    /// What is known of the word with this hash.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Entry {
        self.slots[self.slot(hash)]
    }

    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot].tag != 0 && self.slots[slot].tag != tag(hash) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// Never zero, which marks a free slot.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 | 1
}

fn class_of(heading: &str) -> Classes {
    match heading {
        "title" => TITLE,
        "company" => COMPANY,
        "road" => ROAD,
        "built" => BUILT,
        "team" => TEAM,
        "date" => DATE,
        "where" => WHERE,
        "side" => SIDE,
        "feature" => FEATURE,
        "paper" => PAPER,
        "speaks" => SPEAKS,
        "and" => AND,
        "shop" => SHOP,
        // What menus and headings write large everywhere.
        "menu" => COMMON | VERY_COMMON,
        "given" => GIVEN,
        "family" => FAMILY,
        "common" => COMMON,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_by_hand_has_a_class() {
        for line in BY_HAND
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            let (heading, _) = line.split_once(':').expect("class: words");
            assert_ne!(class_of(heading), 0, "{line}");
        }
    }

    #[test]
    fn words_have_their_classes() {
        let lexicon = Lexicon::new(&["resident".to_owned()]);
        let classes = |word| lexicon.get(hash_normal(word)).classes;
        assert_ne!(classes("john") & GIVEN, 0);
        assert_ne!(classes("senator") & TITLE, 0);
        assert_eq!(classes("xyzzyx"), 0);
        assert_eq!(lexicon.get(hash_normal("resident")).word_idx, 0);
    }
}
