//! Every name of the gazetteer, found by its hash in one look.
//!
//! A small filter that fits into the cache says of most words that no name
//! begins with them. What remains is looked up in a table of some megabytes.

use super::words::{hash_name, hash_normal, join};
use crate::gazetteer::{Gazetteer, PlaceId, Role};
use std::collections::BTreeMap;

/// A place that bears a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bearer {
    pub(super) place: PlaceId,
    pub(super) role: Role,
}

/// Places of one name beyond this many, the smallest ones, are not considered.
const MAX_BEARERS: usize = 48;

/// Position of a name in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NameId(pub(super) u32);

pub(super) struct Table {
    /// A bit for every first word of a name: small enough to stay in the cache.
    first_words: Vec<u64>,
    /// Two bits for every hash: a name, and the beginning of a longer one.
    filter: Vec<u64>,
    /// Open addressing: upper half of the hash, name plus one; zero is free.
    /// The highest bit marks doubtful names.
    slots: Vec<(u32, u32)>,
    /// Bearers of name i lie at `starts[i]..starts[i + 1]`, most populous first.
    starts: Vec<u32>,
    bearers: Vec<Bearer>,
    /// Words that names write out, and what they stand for, as hashes.
    written_out: [(u64, u64); 4],
}

/// A name on its way into the table.
struct NewName {
    hash: u64,
    bearers: Vec<Bearer>,
    is_doubtful: bool,
}

const DOUBTFUL: u32 = 1 << 31;

const FILTER_BITS: u32 = 22;
const FIRST_WORD_BITS: u32 = 20;

impl Table {
    /// All names; the closure says which are doubtful.
    pub(super) fn new(
        gazetteer: &Gazetteer,
        is_doubtful: impl Fn(&str, &[Bearer]) -> bool,
    ) -> Table {
        let mut names: Vec<NewName> = Vec::with_capacity(1 << 19);
        let mut table = Table {
            first_words: vec![0; 1 << (FIRST_WORD_BITS - 6)],
            filter: vec![0; 1 << (FILTER_BITS - 5)],
            slots: Vec::new(),
            starts: vec![0],
            bearers: Vec::new(),
            written_out: SHORTENED.map(|(short, long)| (hash_normal(short), hash_normal(long))),
        };
        for (name, bearers) in gazetteer.all_bearers() {
            table.remember_beginnings(&name);
            let bearers = bearers.into_iter().take(MAX_BEARERS);
            let bearers: Vec<Bearer> = bearers
                .map(|(place, role)| Bearer { place, role })
                .collect();
            names.push(NewName {
                hash: hash_name(&name),
                is_doubtful: is_doubtful(&name, &bearers),
                bearers,
            });
        }
        let mut abbreviations: BTreeMap<u64, Vec<Bearer>> = BTreeMap::new();
        for (written, place) in gazetteer.abbreviations() {
            let role = Role::Abbreviation;
            let bearers = abbreviations.entry(abbreviation_hash(written)).or_default();
            bearers.push(Bearer { place, role });
        }
        names.extend(abbreviations.into_iter().map(|(hash, bearers)| NewName {
            hash,
            bearers,
            is_doubtful: false,
        }));
        table.fill(names);
        table
    }

    fn remember_beginnings(&mut self, name: &str) {
        let mut hash = 0;
        let mut words = name.split(' ').peekable();
        if let Some(first) = words.peek() {
            let (word, bit) = first_word_place(hash_normal(first));
            self.first_words[word] |= 1 << bit;
        }
        while let Some(word) = words.next() {
            hash = join(hash, hash_normal(word));
            let is = if words.peek().is_some() {
                BEGINS
            } else {
                NAMES
            };
            self.remember(hash, is);
        }
    }

    fn remember(&mut self, hash: u64, is: u64) {
        let (word, shift) = filter_place(hash);
        self.filter[word] |= is << shift;
    }

    fn fill(&mut self, names: Vec<NewName>) {
        let n_slots = (names.len() * 2).next_power_of_two();
        self.slots = vec![(0, 0); n_slots];
        for name in names {
            let hash = name.hash;
            self.bearers.extend(name.bearers);
            let end = u32::try_from(self.bearers.len()).expect("a few million bearers");
            self.starts.push(end);
            let id = u32::try_from(self.starts.len() - 1).expect("a million names");
            let mut slot = slot_of(hash, n_slots);
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & (n_slots - 1);
            }
            let mark = if name.is_doubtful { DOUBTFUL } else { 0 };
            self.slots[slot] = (tag(hash), id | mark);
        }
    }

    /// Whether some name begins with this word; sometimes wrongly yes.
    #[inline]
    pub(super) fn may_begin_with(&self, word: u64) -> bool {
        let (at, bit) = first_word_place(word);
        self.first_words[at] >> bit & 1 == 1
    }

    /// Whether words of this hash are a name, or begin a longer one; sometimes wrongly yes.
    #[inline]
    pub(super) fn may(&self, hash: u64) -> May {
        let (word, shift) = filter_place(hash);
        May(self.filter[word] >> shift & 3)
    }

    /// The name of this hash, and whether it is doubtful.
    pub(super) fn get(&self, hash: u64) -> Option<(NameId, bool)> {
        let mask = self.slots.len() - 1;
        let mut slot = slot_of(hash, self.slots.len());
        loop {
            let (found, id) = self.slots[slot];
            if id == 0 {
                return None;
            }
            if found == tag(hash) {
                return Some((NameId((id & !DOUBTFUL) - 1), id & DOUBTFUL != 0));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The word a shortened one stands for inside a name, as hashes.
    pub(super) fn written_out(&self, word: u64) -> u64 {
        let known = self.written_out.iter().find(|(short, _)| *short == word);
        known.map_or(word, |(_, long)| *long)
    }

    /// Places of a name, most populous first.
    pub(super) fn bearers(&self, name: NameId) -> &[Bearer] {
        let idx = name.0 as usize;
        &self.bearers[self.starts[idx] as usize..self.starts[idx + 1] as usize]
    }
}

/// As `names::normalise` writes them out, unless they come last.
const SHORTENED: [(&str, &str); 4] = [
    ("st", "saint"),
    ("ste", "sainte"),
    ("ft", "fort"),
    ("mt", "mount"),
];

/// Hash of an abbreviation, which is known only as it is written.
pub(super) fn abbreviation_hash(written: &str) -> u64 {
    join(ABBREVIATIONS, hash_normal(written))
}

/// Keeps abbreviations apart from names.
const ABBREVIATIONS: u64 = 0x5bd1_e995;

const NAMES: u64 = 1;
const BEGINS: u64 = 2;

/// What the filter says about some words.
#[derive(Debug, Clone, Copy)]
pub(super) struct May(u64);

impl May {
    pub(super) fn be_name(self) -> bool {
        self.0 & NAMES != 0
    }

    pub(super) fn begin(self) -> bool {
        self.0 & BEGINS != 0
    }
}

fn first_word_place(word: u64) -> (usize, u32) {
    let bit = (word >> (64 - FIRST_WORD_BITS)) as usize;
    (bit >> 6, bit as u32 & 63)
}

fn filter_place(hash: u64) -> (usize, u32) {
    let bit = (hash >> (64 - FILTER_BITS)) as usize;
    (bit >> 5, (bit as u32 & 31) * 2)
}

fn slot_of(hash: u64, n_slots: usize) -> usize {
    hash as usize & (n_slots - 1)
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
