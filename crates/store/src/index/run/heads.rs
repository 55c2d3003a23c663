//! Which blocks of a run can have a key: what each begins with, in memory.

use super::super::Key;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Every so manieth head is also in a list of its own, which is small enough
/// to stay near the processor.
const STRIDE: usize = 64;

/// The high halves of the blocks' first keys, in order.
pub(super) struct Heads {
    list: Vec<u64>,
    coarse: Vec<u64>,
    /// Where the last search ended. Links of one page are looked up one after
    /// the other, and most are of one host, whose keys are neighbours.
    hint: AtomicUsize,
}

impl Heads {
    pub(super) fn new(list: Vec<u64>) -> Heads {
        let coarse = list.iter().copied().step_by(STRIDE).collect();
        let hint = AtomicUsize::new(0);
        Heads { list, coarse, hint }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The blocks that can have a key: more than one only where many keys
    /// have the same beginning.
    pub(super) fn blocks_of(&self, key: Key) -> Range<usize> {
        let high = (key >> 64) as u64;
        let start = self.position(high);
        let same = self.list[start..].iter();
        let n_same = same.take_while(|head| **head == high).count();
        start.saturating_sub(1)..start + n_same
    }

    /// Whether all keys from a block on are greater than this one.
    pub(super) fn are_behind(&self, block: usize, key: Key) -> bool {
        let head = self.list.get(block);
        head.is_none_or(|head| *head > (key >> 64) as u64)
    }

    /// How many heads are less.
    fn position(&self, high: u64) -> usize {
        let hint = self.hint.load(Ordering::Relaxed);
        let is_it = |at: usize| {
            let is_before = |nth: usize| self.list.get(nth).is_some_and(|head| *head < high);
            (at == 0 || is_before(at - 1)) && !is_before(at)
        };
        for at in [hint, hint + 1, hint.saturating_sub(1)] {
            if at <= self.list.len() && is_it(at) {
                self.hint.store(at, Ordering::Relaxed);
                return at;
            }
        }
        let end = self.coarse.partition_point(|head| *head < high) * STRIDE;
        let start = end.saturating_sub(STRIDE);
        let window = &self.list[start..end.min(self.list.len())];
        let at = start + window.partition_point(|head| *head < high);
        self.hint.store(at, Ordering::Relaxed);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn position_is_the_number_of_lesser_heads(
            mut list in prop::collection::vec(0..500_u64, 0..400),
            wanted in prop::collection::vec(0..502_u64, 1..40),
        ) {
            list.sort_unstable();
            let heads = Heads::new(list.clone());
            for high in wanted {
                let n_less = list.iter().filter(|head| **head < high).count();
                prop_assert_eq!(heads.position(high), n_less);
                let is_first_greater = |at: usize| heads.are_behind(at, Key::from(high) << 64);
                let n_before = list.partition_point(|head| *head <= high);
                prop_assert!(is_first_greater(n_before));
                prop_assert!(n_before == 0 || !is_first_greater(n_before - 1));
            }
        }
    }
}
