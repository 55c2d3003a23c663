//! A map of bounded size that forgets what was not used for longest.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers to values, at most `N`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Recent<V, const N: usize> {
    /// With the time of the last change.
    entries: BTreeMap<u64, (u32, V)>,
    clock: u32,
}

impl<V, const N: usize> Default for Recent<V, N> {
    fn default() -> Recent<V, N> {
        Recent {
            entries: BTreeMap::new(),
            clock: 0,
        }
    }
}

impl<V: Default, const N: usize> Recent<V, N> {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, key: u64) -> Option<&V> {
        self.entries.get(&key).map(|(_, value)| value)
    }

    /// The value, to change it; made when missing.
    pub(super) fn change(&mut self, key: u64) -> &mut V {
        if self.entries.len() >= N && !self.entries.contains_key(&key) {
            self.forget_half();
        }
        self.clock = self.clock.saturating_add(1);
        let (used, value) = self.entries.entry(key).or_default();
        *used = self.clock;
        value
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|(_, value)| value)
    }

    /// Half at a time, so that forgetting costs next to nothing on average.
    fn forget_half(&mut self) {
        let mut times: Vec<(u32, u64)> = self
            .entries
            .iter()
            .map(|(key, (used, _))| (*used, *key))
            .collect();
        let middle = times.len() / 2;
        let (_, median, _) = times.select_nth_unstable(middle);
        let median = *median;
        self.entries
            .retain(|key, (used, _)| (*used, *key) >= median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_remembered() {
        let mut recent = Recent::<u64, 8>::default();
        for key in 0..100 {
            *recent.change(key) = key;
            *recent.change(0) += 1;
            assert!(recent.len() <= 8);
        }
        assert_eq!(recent.get(0), Some(&100));
        assert_eq!(recent.get(99), Some(&99));
        assert_eq!(recent.get(1), None);
    }
}
