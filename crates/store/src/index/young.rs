//! The entries of an index that are in no run, in memory.

use super::{Key, Order, Short};
use std::collections::{BTreeMap, HashMap, btree_map};

pub(super) enum Young {
    /// Found by their keys alone, which is quicker.
    Scattered(HashMap<Key, Short>),
    Sorted(BTreeMap<Key, Short>),
}

impl Young {
    pub(super) fn new(order: Order) -> Young {
        match order {
            Order::None => Young::Scattered(HashMap::new()),
            Order::ByKey => Young::Sorted(BTreeMap::new()),
        }
    }

    pub(super) fn order(&self) -> Order {
        match self {
            Young::Scattered(_) => Order::None,
            Young::Sorted(_) => Order::ByKey,
        }
    }

    pub(super) fn insert(&mut self, key: Key, value: Short) {
        match self {
            Young::Scattered(entries) => entries.insert(key, value),
            Young::Sorted(entries) => entries.insert(key, value),
        };
    }

    pub(super) fn get(&self, key: Key) -> Option<Short> {
        match self {
            Young::Scattered(entries) => entries.get(&key).copied(),
            Young::Sorted(entries) => entries.get(&key).copied(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Young::Scattered(entries) => entries.len(),
            Young::Sorted(entries) => entries.len(),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Young::Scattered(entries) => entries.clear(),
            Young::Sorted(entries) => entries.clear(),
        }
    }

    /// All of them, in order.
    pub(super) fn sorted(&self) -> Vec<(Key, Short)> {
        match self {
            Young::Scattered(entries) => {
                let mut all: Vec<_> = entries.iter().map(|(k, v)| (*k, *v)).collect();
                all.sort_unstable_by_key(|(key, _)| *key);
                all
            }
            Young::Sorted(entries) => entries.iter().map(|(k, v)| (*k, *v)).collect(),
        }
    }

    /// Those of a range, in order; none where they have no order.
    pub(super) fn range(
        &self,
        range: std::ops::RangeInclusive<Key>,
    ) -> Option<btree_map::Range<'_, Key, Short>> {
        match self {
            Young::Scattered(_) => None,
            Young::Sorted(entries) => Some(entries.range(range)),
        }
    }
}
