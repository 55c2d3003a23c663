//! The entries of an index that are in no run, in memory.

use super::filter::{Sketch, Trace};
use super::{Key, Order, Short};
use std::collections::{BTreeMap, HashMap, btree_map};

pub(super) struct Young {
    entries: Entries,
    /// Most keys that are asked for are old, and told so without a search.
    sketch: Sketch,
}

enum Entries {
    /// Found by their keys alone, which is quicker.
    Scattered(HashMap<Key, Short>),
    Sorted(BTreeMap<Key, Short>),
}

impl Young {
    pub(super) fn new(order: Order) -> Young {
        let entries = match order {
            Order::None => Entries::Scattered(HashMap::new()),
            Order::ByKey => Entries::Sorted(BTreeMap::new()),
        };
        let sketch = Sketch::default();
        Young { entries, sketch }
    }

    pub(super) fn order(&self) -> Order {
        match &self.entries {
            Entries::Scattered(_) => Order::None,
            Entries::Sorted(_) => Order::ByKey,
        }
    }

    pub(super) fn insert(&mut self, key: Key, value: Short) {
        self.sketch.add(Trace::of(key));
        match &mut self.entries {
            Entries::Scattered(entries) => entries.insert(key, value),
            Entries::Sorted(entries) => entries.insert(key, value),
        };
    }

    pub(super) fn get(&self, key: Key, trace: Trace) -> Option<Short> {
        if !self.sketch.may_have(trace) {
            return None;
        }
        match &self.entries {
            Entries::Scattered(entries) => entries.get(&key).copied(),
            Entries::Sorted(entries) => entries.get(&key).copied(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match &self.entries {
            Entries::Scattered(entries) => entries.len(),
            Entries::Sorted(entries) => entries.len(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.sketch = Sketch::default();
        match &mut self.entries {
            Entries::Scattered(entries) => entries.clear(),
            Entries::Sorted(entries) => entries.clear(),
        }
    }

    /// All of them, in order.
    pub(super) fn sorted(&self) -> Vec<(Key, Short)> {
        match &self.entries {
            Entries::Scattered(entries) => {
                let mut all: Vec<_> = entries.iter().map(|(k, v)| (*k, *v)).collect();
                all.sort_unstable_by_key(|(key, _)| *key);
                all
            }
            Entries::Sorted(entries) => entries.iter().map(|(k, v)| (*k, *v)).collect(),
        }
    }

    /// Those of a range, in order; none where they have no order.
    pub(super) fn range(
        &self,
        range: std::ops::RangeInclusive<Key>,
    ) -> Option<btree_map::Range<'_, Key, Short>> {
        match &self.entries {
            Entries::Scattered(_) => None,
            Entries::Sorted(entries) => Some(entries.range(range)),
        }
    }
}
