//! How many paths have which length.

use super::Distances;
use std::collections::BTreeMap;

/// Lengths, counted. They are few however many paths there are.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    by_length: BTreeMap<u16, u64>,
}

impl Lengths {
    pub(super) fn add(&mut self, length: u16) {
        *self.by_length.entry(length).or_default() += 1;
    }

    /// What is shown of them; nothing of none.
    pub(super) fn report(&self) -> Option<Distances> {
        let (most, _) = self.by_length.last_key_value()?;
        let counted = (*most).min(Distances::LONGEST);
        let count = |length: u16| self.by_length.get(&length).copied().unwrap_or(0);
        let longer = self.by_length.iter();
        let longer = longer.filter(|(length, _)| **length > Distances::LONGEST);
        Some(Distances {
            counts: (0..=counted).map(count).collect(),
            more: longer.map(|(_, n)| n).sum(),
            median: self.quantile(50),
            p95: self.quantile(95),
            most: *most,
            one_in: None,
        })
    }

    /// The least length that this many per cent of all do not exceed.
    fn quantile(&self, percent: u64) -> u16 {
        let total: u64 = self.by_length.values().sum();
        let wanted = u128::from(total) * u128::from(percent);
        let mut n_so_far = 0;
        let reached = self.by_length.iter().find(|(_, n)| {
            n_so_far += **n;
            u128::from(n_so_far) * 100 >= wanted
        });
        reached.map_or(0, |(length, _)| *length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lengths: impl IntoIterator<Item = u16>) -> Option<Distances> {
        let mut counted = Lengths::default();
        for length in lengths {
            counted.add(length);
        }
        counted.report()
    }

    #[test]
    fn long_ones_are_counted_together() {
        let distances = of([2, 0, 2, 31, 40_000]).unwrap();
        assert_eq!(distances.counts.len(), 31);
        assert_eq!(distances.counts[..4], [1, 0, 2, 0]);
        assert_eq!((distances.more, distances.most), (2, 40_000));
        assert_eq!(distances.total(), 5);
        assert_eq!(of([]), None);
    }

    #[test]
    fn quantiles_are_lengths_that_occur() {
        let quantiles = |lengths: Vec<u16>| {
            let distances = of(lengths).unwrap();
            (distances.median, distances.p95, distances.most)
        };
        assert_eq!(quantiles(vec![7]), (7, 7, 7));
        assert_eq!(quantiles(vec![1, 4]), (1, 4, 4));
        assert_eq!(quantiles((1..=100).collect()), (50, 95, 100));
        assert_eq!(quantiles((1..=20).collect()), (10, 19, 20));
    }
}
