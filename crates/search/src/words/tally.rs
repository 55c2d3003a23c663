//! Counts the words of a text.

use page::words::Word;

/// Counts words by their hashes, in a table that stays between texts.
#[derive(Default)]
pub(super) struct Tally {
    /// Place of a word in the list plus one, by the first free slot from its
    /// hash on; zero where there is none. A power of two of them.
    slots: Vec<u32>,
    /// Words as they first occur, each with how often.
    words: Vec<(Word, u32)>,
}

/// Slots to begin with: few texts have as many different words.
const LEAST_SLOTS: usize = 1 << 11;

impl Tally {
    pub(super) fn add(&mut self, word: Word) {
        if self.words.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot_of(word.hash);
        match self.slots[slot] {
            0 => {
                self.words.push((word, 1));
                self.slots[slot] = self.words.len() as u32;
            }
            place => self.words[place as usize - 1].1 += 1,
        }
    }

    /// The words and how often each is there; forgets them.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (Word, u32)> + '_ {
        self.slots.fill(0);
        self.words.drain(..)
    }

    /// Where a word is, or would be.
    fn slot_of(&self, hash: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & last;
        loop {
            match self.slots[slot] {
                0 => return slot,
                place if self.words[place as usize - 1].0.hash == hash => return slot,
                _ => slot = (slot + 1) & last,
            }
        }
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(LEAST_SLOTS);
        self.slots.clear();
        self.slots.resize(n_slots, 0);
        for nth in 0..self.words.len() {
            let slot = self.slot_of(self.words[nth].0.hash);
            self.slots[slot] = nth as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::words::each_word;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn every_word_is_counted(texts in prop::collection::vec("([a-d]{1,5} ){0,400}", 1..4)) {
            let mut tally = Tally::default();
            for text in texts {
                each_word(&text, |word| tally.add(word));
                let mut counted: BTreeMap<&str, u32> = BTreeMap::new();
                for (word, n) in tally.drain() {
                    let old = counted.insert(&text[word.start..word.end], n);
                    prop_assert_eq!(old, None);
                }
                let mut plain: BTreeMap<&str, u32> = BTreeMap::new();
                for word in text.split_whitespace() {
                    *plain.entry(word).or_default() += 1;
                }
                prop_assert_eq!(counted, plain);
            }
        }
    }
}
