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
const MAX_BEARERS: usize = 32;

/// Position of a name in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NameId(pub(super) u32);

pub(super) struct Table {
    /// Two bits for every first word: a name by itself, and the beginning of
    /// a longer one. Small enough to stay in the cache.
    first_words: Vec<u64>,
    /// A bit for every word further back in a name.
    later_words: Vec<u64>,
    /// Two bits for every hash: a name, and the beginning of a longer one.
    filter: Vec<u64>,
    /// A bit for every abbreviation.
    abbreviations: [u64; 128],
    /// Open addressing: upper half of the hash, name plus one; zero is free.
    /// The two highest bits say how doubtful the name is.
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
    n_bearers: usize,
    doubt: Doubt,
}

/// How rarely a name is meant as a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Not rarely.
    None,
    /// A small place: where a longer name begins with it, that one is meant.
    Small,
    /// Nearly never, unless a state or country follows.
    Large,
}

const DOUBT_SHIFT: u32 = 30;

const FILTER_BITS: u32 = 22;
const WORD_BITS: u32 = 19;

impl Table {
    /// All names; the closure says how doubtful each is.
    pub(super) fn new(gazetteer: &Gazetteer, doubt: impl Fn(&str, &[Bearer]) -> Doubt) -> Table {
        let mut names: Vec<NewName> = Vec::with_capacity(1 << 19);
        let mut table = Table {
            first_words: vec![0; 1 << (WORD_BITS - 5)],
            later_words: vec![0; 1 << (WORD_BITS - 6)],
            filter: vec![0; 1 << (FILTER_BITS - 5)],
            abbreviations: [0; 128],
            slots: Vec::new(),
            starts: vec![0],
            bearers: Vec::new(),
            written_out: SHORTENED.map(|(short, long)| (hash_normal(short), hash_normal(long))),
        };
        gazetteer.visit_names(|name, bearers| {
            let start = table.bearers.len();
            // Abbreviations count only as they are written: `us` is no country.
            let named = bearers
                .iter()
                .filter(|(_, role)| *role != Role::Abbreviation);
            let named = named.map(|&(place, role)| Bearer { place, role });
            table.bearers.extend(named.take(MAX_BEARERS));
            let bearers = &table.bearers[start..];
            if !bearers.is_empty() {
                let doubt = doubt(name, bearers);
                names.push(NewName {
                    hash: hash_name(name),
                    doubt,
                    n_bearers: bearers.len(),
                });
                table.remember_words(name, doubt);
            }
        });
        let mut abbreviations: BTreeMap<u64, Vec<Bearer>> = BTreeMap::new();
        for (written, place) in gazetteer.abbreviations() {
            let role = Role::Abbreviation;
            let bearers = abbreviations.entry(abbreviation_hash(written)).or_default();
            bearers.push(Bearer { place, role });
        }
        for (hash, bearers) in abbreviations {
            let (at, bit) = abbreviation_place(hash);
            table.abbreviations[at] |= 1 << bit;
            names.push(NewName {
                hash,
                doubt: Doubt::None,
                n_bearers: bearers.len(),
            });
            table.bearers.extend(bearers);
        }
        table.fill(names);
        table
    }

    fn remember_words(&mut self, name: &str, doubt: Doubt) {
        let mut name_hash = 0;
        let mut words = name.split(' ').map(hash_normal).enumerate().peekable();
        while let Some((idx, word)) = words.next() {
            name_hash = join(name_hash, word);
            let is = if words.peek().is_some() {
                BEGINS
            } else {
                NAMES
            };
            let (at, shift) = filter_place(name_hash, FILTER_BITS);
            self.filter[at] |= is << shift;
            if idx > 0 {
                let (at, bit) = bit_place(word);
                self.later_words[at] |= 1 << bit;
            } else if is == BEGINS || doubt != Doubt::Large {
                let (at, shift) = filter_place(word, WORD_BITS);
                self.first_words[at] |= is << shift;
            }
        }
    }

    fn fill(&mut self, names: Vec<NewName>) {
        let n_slots = (names.len() * 2).next_power_of_two();
        self.slots = vec![(0, 0); n_slots];
        let mut n_bearers = 0;
        for name in names {
            let hash = name.hash;
            n_bearers += name.n_bearers;
            let end = u32::try_from(n_bearers).expect("a few million bearers");
            self.starts.push(end);
            let id = u32::try_from(self.starts.len() - 1).expect("a million names");
            let mut slot = slot_of(hash, n_slots);
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = (tag(hash), id | (name.doubt as u32) << DOUBT_SHIFT);
        }
    }

    /// Whether this word is a name that needs no state beside it, or begins a
    /// longer one; sometimes wrongly yes.
    #[inline]
    pub(super) fn may_begin(&self, word: u64) -> May {
        let (at, shift) = filter_place(word, WORD_BITS);
        May(self.first_words[at] >> shift & 3)
    }

    /// Whether this word stands further back in some name; sometimes wrongly yes.
    #[inline]
    pub(super) fn may_follow(&self, word: u64) -> bool {
        let (at, bit) = bit_place(word);
        self.later_words[at] >> bit & 1 == 1
    }

    /// Whether words of this hash are a name, or begin a longer one; sometimes wrongly yes.
    #[inline]
    pub(super) fn may(&self, hash: u64) -> May {
        let (at, shift) = filter_place(hash, FILTER_BITS);
        May(self.filter[at] >> shift & 3)
    }

    /// The name of this hash, and how doubtful it is.
    pub(super) fn get(&self, hash: u64) -> Option<(NameId, Doubt)> {
        let mask = self.slots.len() - 1;
        let mut slot = slot_of(hash, self.slots.len());
        loop {
            let (found, id) = self.slots[slot];
            if id == 0 {
                return None;
            }
            if found == tag(hash) {
                let doubt = match id >> DOUBT_SHIFT {
                    0 => Doubt::None,
                    1 => Doubt::Small,
                    _ => Doubt::Large,
                };
                let id = id & ((1 << DOUBT_SHIFT) - 1);
                return Some((NameId(id - 1), doubt));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Starts the look-ups of many names together, so that they wait for
    /// memory together and not one after the other.
    pub(super) fn touch(&self, hashes: impl Iterator<Item = u64>) {
        let n_slots = self.slots.len();
        let touched = hashes.fold(0, |sum, hash| sum ^ self.slots[slot_of(hash, n_slots)].1);
        std::hint::black_box(touched);
    }

    /// Whether an abbreviation may be written like this; sometimes wrongly yes.
    pub(super) fn may_abbreviate(&self, written: &str) -> bool {
        let (at, bit) = abbreviation_place(abbreviation_hash(written));
        self.abbreviations[at] >> bit & 1 == 1
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

    pub(super) fn or(self, other: May) -> May {
        May(self.0 | other.0)
    }

    pub(super) fn matter(self) -> bool {
        self.0 != 0
    }
}

/// Where two bits of a hash lie.
fn filter_place(hash: u64, n_bits: u32) -> (usize, u32) {
    let bit = (hash >> (64 - n_bits)) as usize;
    (bit >> 5, (bit as u32 & 31) * 2)
}

/// Where the one bit of an abbreviation lies.
fn abbreviation_place(hash: u64) -> (usize, u32) {
    let bit = (hash >> 51) as usize;
    (bit >> 6, bit as u32 & 63)
}

/// Where the one bit of a word lies.
fn bit_place(word: u64) -> (usize, u32) {
    let bit = (word >> (64 - WORD_BITS)) as usize;
    (bit >> 6, bit as u32 & 63)
}

fn slot_of(hash: u64, n_slots: usize) -> usize {
    hash as usize & (n_slots - 1)
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
