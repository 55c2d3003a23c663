//! A map that remembers what was used lately and forgets the rest.
//!
//! A crawl meets hosts without end, and everything about them is in the
//! tables: memory holds those in use. Two generations take turns: what is
//! looked at moves to the young one, and when that is full the old one goes
//! and the young one is old. What a table does not know yet is never let go.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// What can be forgotten, because a table remembers it.
pub(super) trait Forgettable {
    /// Whether no table knows it as it is now.
    fn is_needed(&self) -> bool;

    /// What it takes of the map's room.
    fn weight(&self) -> usize {
        1
    }
}

pub(super) struct Recent<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    young_weight: usize,
    room: usize,
}

impl<K: Hash + Eq, V: Forgettable> Recent<K, V> {
    /// Remembers values of about this weight, and those that are needed.
    pub(super) fn with_room(room: usize) -> Recent<K, V> {
        Recent {
            young: HashMap::new(),
            old: HashMap::new(),
            young_weight: 0,
            room,
        }
    }

    /// A value, which thereby counts as used.
    pub(super) fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if !self.young.contains_key(key)
            && let Some((key, value)) = self.old.remove_entry(key)
        {
            self.insert(key, value);
        }
        self.young.get_mut(key)
    }

    /// A value, without using it.
    pub(super) fn peek<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.young.get(key).or_else(|| self.old.get(key))
    }

    /// Puts a value in, perhaps in place of another.
    pub(super) fn insert(&mut self, key: K, value: V) {
        if self.young_weight >= self.room / 2 {
            self.turn();
        }
        self.old.remove(&key);
        // The weight of a value that is replaced is not given back: the next
        // turn comes a little sooner, that is all.
        self.young_weight += value.weight();
        self.young.insert(key, value);
    }

    fn turn(&mut self) {
        let young = std::mem::take(&mut self.young);
        let ended = std::mem::replace(&mut self.old, young);
        self.young_weight = 0;
        for (key, value) in ended {
            if value.is_needed() {
                self.young_weight += value.weight();
                self.young.insert(key, value);
            }
        }
    }

    /// All values, in no order.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.young.iter_mut().chain(&mut self.old)
    }

    /// Values in memory.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Thing {
        weight: usize,
        is_needed: bool,
    }

    impl Forgettable for Thing {
        fn is_needed(&self) -> bool {
            self.is_needed
        }

        fn weight(&self) -> usize {
            self.weight
        }
    }

    fn thing(weight: usize, is_needed: bool) -> Thing {
        Thing { weight, is_needed }
    }

    #[test]
    fn what_is_not_used_is_forgotten_and_what_is_needed_never() {
        let mut recent = Recent::with_room(10);
        recent.insert(1000, thing(1, true));
        recent.insert(1001, thing(1, false));
        recent.insert(1002, thing(1, false));
        for key in 0..100 {
            recent.insert(key, thing(1, false));
            assert!(recent.get_mut(&1002).is_some(), "used all the time");
        }
        assert!(recent.get_mut(&1000).is_some(), "needed");
        assert!(recent.get_mut(&1001).is_none());
        assert!(recent.len() <= 12, "{} in memory", recent.len());
    }

    #[test]
    fn heavy_things_leave_room_for_fewer() {
        let mut recent = Recent::with_room(10);
        for key in 0..100 {
            recent.insert(key, thing(5, false));
        }
        assert_eq!(recent.len(), 2);
        assert_eq!(recent.peek(&99), Some(&thing(5, false)));
    }
}
