//! What it takes to pop without a search: the keys of a host's best few rows,
//! and where these are.

use super::row::{KEY_LEN, RowKey};
use store::line::Place;

/// Rows told of each host. Every row is fifteen bytes for each of a million
/// hosts, and finding out about more of them is the dearest part of a ticket.
pub(super) const N_KEYS: usize = 8;

/// Keys of them that are kept on disk: three and a count are what an entry of
/// an index holds.
const N_KEPT: usize = 3;

/// The best rows of a queue, best first: all of them, or the first few.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Front {
    rows: [Seat; N_KEYS],
    len: u8,
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seat {
    key: [u8; KEY_LEN],
    place: Place,
}

/// Stands for a place that has to be looked up. No heap is that large.
const UNKNOWN: Place = [u8::MAX; size_of::<Place>()];

impl Default for Seat {
    fn default() -> Seat {
        Seat {
            key: [0; KEY_LEN],
            place: UNKNOWN,
        }
    }
}

impl Front {
    pub(super) fn of(rows: impl IntoIterator<Item = (RowKey, Option<Place>)>) -> Front {
        let mut front = Front::default();
        for (key, place) in rows.into_iter().take(N_KEYS) {
            let (key, place) = (key.encode(), place.unwrap_or(UNKNOWN));
            front.insert_at(usize::from(front.len), Seat { key, place });
        }
        front
    }

    pub(super) fn first(&self) -> Option<RowKey> {
        self.rows().first().and_then(|row| RowKey::decode(&row.key))
    }

    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Where a row is, if it is among these and its place is known.
    pub(super) fn place_of(&self, key: RowKey) -> Option<Place> {
        let key = key.encode();
        let row = self.rows().iter().find(|row| row.key == key);
        row.map(|row| row.place).filter(|place| *place != UNKNOWN)
    }

    /// Hears of a row that has joined a queue of `n_rows`.
    pub(super) fn joined(&mut self, key: RowKey, place: Place, n_rows: u32) {
        let key = key.encode();
        let at = self.rows().partition_point(|other| other.key < key);
        // Beyond the last key there may be others, unless these are all.
        if at < self.len() || self.len() == n_rows as usize {
            self.insert_at(at, Seat { key, place });
        }
    }

    /// Hears of a row that has left.
    pub(super) fn left(&mut self, key: RowKey) {
        let key = key.encode();
        if let Some(at) = self.rows().iter().position(|other| other.key == key) {
            self.rows.copy_within(at + 1.., at);
            self.rows[N_KEYS - 1] = Seat::default();
            self.len -= 1;
        }
    }

    fn insert_at(&mut self, at: usize, row: Seat) {
        if at < N_KEYS {
            self.rows.copy_within(at..N_KEYS - 1, at + 1);
            self.rows[at] = row;
            self.len = (self.len + 1).min(N_KEYS as u8);
        }
    }

    fn rows(&self) -> &[Seat] {
        &self.rows[..self.len()]
    }

    /// The keys, as kept on disk.
    pub(super) fn keys(&self) -> Vec<u8> {
        let kept = self.rows().iter().take(N_KEPT);
        kept.flat_map(|row| row.key).collect()
    }

    /// Rows by their keys alone, as kept on disk.
    pub(super) fn of_keys(bytes: &[u8]) -> Front {
        let keys = bytes.chunks(KEY_LEN).filter_map(RowKey::decode);
        Front::of(keys.map(|key| (key, None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Another one for every row.
    fn place(key: RowKey) -> Place {
        let [a, b, c, d] = key.rank.to_be_bytes();
        [0, 1, a, b, c, d]
    }

    fn front_of<'a>(keys: impl IntoIterator<Item = &'a RowKey>) -> Front {
        Front::of(keys.into_iter().map(|key| (*key, Some(place(*key)))))
    }

    proptest! {
        #[test]
        fn front_is_the_beginning_of_the_queue(steps in prop::collection::vec((any::<bool>(), 0..12_u32), 0..60)) {
            let mut queue = BTreeSet::new();
            let mut front = Front::default();
            for (is_new, rank) in steps {
                let key = RowKey { rank, seq: 1 };
                if is_new && !queue.contains(&key) {
                    front.joined(key, place(key), queue.len() as u32);
                    queue.insert(key);
                } else if !is_new && queue.remove(&key) {
                    front.left(key);
                    if front.len() == 0 {
                        front = front_of(&queue);
                    }
                }
                prop_assert_eq!(front, front_of(queue.iter().take(front.len())));
                prop_assert_eq!(front.len() == 0, queue.is_empty());
                let kept = Front::of_keys(&front.keys());
                prop_assert_eq!(kept.len(), front.len().min(N_KEPT));
                prop_assert_eq!(kept.first(), front.first());
                prop_assert_eq!(kept.keys(), front.keys());
                prop_assert!(queue.iter().all(|key| kept.place_of(*key).is_none()));
                let mut known = queue.iter().map(|key| (front.place_of(*key), Some(place(*key))));
                prop_assert!(known.by_ref().take(front.len()).all(|(found, expected)| found == expected));
                prop_assert!(known.all(|(found, _)| found.is_none()));
            }
        }
    }
}
