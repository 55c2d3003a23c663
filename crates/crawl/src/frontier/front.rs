//! The keys of a host's best few rows: what it takes to pop without a search.

use super::row::{KEY_LEN, RowKey};

/// Keys held for each host. Most hosts are asked a few times in a row at
/// most, and every key is nine bytes for each of a million hosts; three and a
/// count are what an entry of an index holds.
pub(super) const N_KEYS: usize = 3;

/// The best rows of a queue, best first: all of them, or the first few.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Front {
    keys: [[u8; KEY_LEN]; N_KEYS],
    len: u8,
}

impl Front {
    pub(super) fn of(keys: impl IntoIterator<Item = RowKey>) -> Front {
        let mut front = Front::default();
        for key in keys.into_iter().take(N_KEYS) {
            front.insert_at(usize::from(front.len), key.encode());
        }
        front
    }

    pub(super) fn first(&self) -> Option<RowKey> {
        self.keys().first().and_then(|key| RowKey::decode(key))
    }

    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Hears of a row that has joined a queue of `n_rows`.
    pub(super) fn joined(&mut self, key: RowKey, n_rows: u32) {
        let key = key.encode();
        let at = self.keys().partition_point(|other| *other < key);
        // Beyond the last key there may be others, unless these are all.
        if at < self.len() || self.len() == n_rows as usize {
            self.insert_at(at, key);
        }
    }

    /// Hears of a row that has left.
    pub(super) fn left(&mut self, key: RowKey) {
        let key = key.encode();
        if let Some(at) = self.keys().iter().position(|other| *other == key) {
            self.keys.copy_within(at + 1.., at);
            self.keys[N_KEYS - 1] = [0; KEY_LEN];
            self.len -= 1;
        }
    }

    fn insert_at(&mut self, at: usize, key: [u8; KEY_LEN]) {
        if at < N_KEYS {
            self.keys.copy_within(at..N_KEYS - 1, at + 1);
            self.keys[at] = key;
            self.len = (self.len + 1).min(N_KEYS as u8);
        }
    }

    fn keys(&self) -> &[[u8; KEY_LEN]] {
        &self.keys[..self.len()]
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.keys().as_flattened()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Front {
        Front::of(bytes.chunks(KEY_LEN).filter_map(RowKey::decode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn front_is_the_beginning_of_the_queue(steps in prop::collection::vec((any::<bool>(), 0..12_u32), 0..60)) {
            let mut queue = BTreeSet::new();
            let mut front = Front::default();
            for (is_new, rank) in steps {
                let key = RowKey { rank, seq: 1 };
                if is_new && !queue.contains(&key) {
                    front.joined(key, queue.len() as u32);
                    queue.insert(key);
                } else if !is_new && queue.remove(&key) {
                    front.left(key);
                    if front.len() == 0 {
                        front = Front::of(queue.iter().copied());
                    }
                }
                prop_assert_eq!(front, Front::of(queue.iter().copied().take(front.len())));
                prop_assert_eq!(front.len() == 0, queue.is_empty());
                prop_assert_eq!(Front::from_bytes(front.as_bytes()), front);
            }
        }
    }
}
