//! A set of numbers that are hashes already, eight bytes each and little air.
//!
//! Open addressing with linear probing. The table grows by half when it is
//! four fifths full, so a key costs ten to fifteen bytes, and twenty-five for
//! the moment in which both tables are there.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Something for each of a few keys.
pub(super) type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<Scattering>>;

/// Distinct 64-bit keys.
#[derive(Debug, Default)]
pub(super) struct KeySet {
    /// Zero is an empty slot.
    slots: Vec<u64>,
    n_keys: usize,
    has_zero: bool,
}

const LEAST_SLOTS: usize = 64;

impl KeySet {
    /// Adds a key; whether it is new.
    pub(super) fn insert(&mut self, key: u64) -> bool {
        if key == 0 {
            return !std::mem::replace(&mut self.has_zero, true);
        }
        if (self.n_keys + 1) * 5 > self.slots.len() * 4 {
            self.grow();
        }
        let slot = find(&self.slots, key);
        let is_new = self.slots[slot] == 0;
        self.slots[slot] = key;
        self.n_keys += usize::from(is_new);
        is_new
    }

    /// Adds a key that belongs to a node; whether it is new for that node.
    pub(super) fn insert_for(&mut self, node: u16, key: u64) -> bool {
        self.insert(scatter(key ^ scatter(u64::from(node) + 1)))
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        match key {
            0 => self.has_zero,
            _ if self.slots.is_empty() => false,
            _ => self.slots[find(&self.slots, key)] != 0,
        }
    }

    /// Forgets all keys and keeps its room.
    pub(super) fn clear(&mut self) {
        self.slots.fill(0);
        self.n_keys = 0;
        self.has_zero = false;
    }

    pub(super) fn len(&self) -> u64 {
        self.n_keys as u64 + u64::from(self.has_zero)
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() + self.slots.len() / 2).max(LEAST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![0; n_slots]);
        for key in old.into_iter().filter(|key| *key != 0) {
            let slot = find(&self.slots, key);
            self.slots[slot] = key;
        }
    }
}

/// Which keys of a set were met, a bit each; the set must not grow meanwhile.
#[derive(Debug, Default)]
pub(super) struct Marks {
    bits: Vec<u64>,
}

impl Marks {
    /// Marks a key; whether it is one of the set and was not marked before.
    pub(super) fn mark(&mut self, keys: &KeySet, key: u64) -> bool {
        if !keys.contains(key) {
            return false;
        }
        let slot = match key {
            0 => keys.slots.len(),
            _ => find(&keys.slots, key),
        };
        self.bits
            .resize((keys.slots.len() / 64 + 1).max(self.bits.len()), 0);
        let bit = 1 << (slot % 64);
        let word = &mut self.bits[slot / 64];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Forgets all marks.
    pub(super) fn clear(&mut self) {
        self.bits.fill(0);
    }
}

/// The slot that holds a key, or the empty one where it belongs.
fn find(slots: &[u64], key: u64) -> usize {
    // The high bits of a product choose among any number of slots; whoever
    // makes up addresses cannot foresee where keys crowd.
    let home = u128::from(scatter(key)) * slots.len() as u128;
    let mut slot = (home >> 64) as usize;
    while slots[slot] != 0 && slots[slot] != key {
        slot += 1;
        if slot == slots.len() {
            slot = 0;
        }
    }
    slot
}

/// A number that looks random, another one for every key: the last step of `SplitMix64`.
pub(super) fn scatter(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

/// Hashes a key by scattering it.
#[derive(Default)]
pub(super) struct Scattering(u64);

impl Hasher for Scattering {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = scatter(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = scatter(key);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn it_agrees_with_a_set_of_the_standard_library() {
        let mut keys = KeySet::default();
        let mut model = HashSet::new();
        assert!(!keys.contains(5));
        for n in 0..20_000_u64 {
            // Small keys, large ones and many repeats, zero among them.
            let key = if n % 3 == 0 {
                n % 700
            } else {
                scatter(n % 9000)
            };
            assert_eq!(keys.insert(key), model.insert(key), "{key}");
        }
        assert_eq!(keys.len(), model.len() as u64);
        assert!(model.iter().all(|key| keys.contains(*key)));
        assert!(!keys.contains(u64::MAX));
        let bytes = keys.slots.len() * 8;
        assert!(bytes <= 15 * model.len() + 8 * LEAST_SLOTS, "{bytes} bytes");
    }

    #[test]
    fn marks_are_of_keys_that_are_there() {
        let mut keys = KeySet::default();
        for key in 0..500 {
            keys.insert(key * 3);
        }
        let mut marks = Marks::default();
        assert!((0..500).all(|key| marks.mark(&keys, key * 3)));
        assert!(!marks.mark(&keys, 3) && !marks.mark(&keys, 4) && !marks.mark(&keys, 0));
        marks.clear();
        assert!(marks.mark(&keys, 0) && marks.mark(&keys, 3));
        keys.clear();
        assert!(!keys.contains(0) && !keys.contains(3) && keys.len() == 0);
    }

    #[test]
    fn a_key_counts_for_every_node_once() {
        let mut keys = KeySet::default();
        assert!(keys.insert_for(0, 7) && keys.insert_for(1, 7));
        assert!(!keys.insert_for(0, 7));
    }
}
