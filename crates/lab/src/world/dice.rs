//! Chance without storage: the same question always gets the same answer.
//!
//! Everything here is integer arithmetic, so that a world is the same on
//! every machine. A `Dice` is a short stream of numbers that depends on
//! nothing but the parts it was made from; a `Shuffle` is a permutation of
//! `0..n` that can be undone.

/// Mixes 64 bits well: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One number that stands for all parts in their order.
pub(crate) fn hash(parts: &[u64]) -> u64 {
    parts
        .iter()
        .fold(GOLDEN, |sum, part| mix((sum ^ part).wrapping_add(GOLDEN)))
}

/// A stream of numbers that is a function of what it was made from.
#[derive(Debug, Clone)]
pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    pub(crate) fn new(parts: &[u64]) -> Dice {
        Dice { state: hash(parts) }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Evenly among `0..n`; zero for an empty range.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// Evenly among `low..=high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `per_mille` of a thousand throws.
    pub(crate) fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < u64::from(per_mille)
    }

    /// True in `ppm` of a million throws.
    pub(crate) fn rarely(&mut self, ppm: u32) -> bool {
        self.below(1_000_000) < u64::from(ppm)
    }

    /// One of a list that is not empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// Ranks whose chance falls as a power: an octave of ranks first, then evenly
/// inside it.
#[derive(Debug, Clone)]
pub(crate) struct Popularity {
    /// Weight of each octave of ranks, `2^o - 1 .. 2^(o+1) - 1`.
    octaves: [u64; 63],
}

impl Popularity {
    /// The chance of rank r falls about as (r + 1) to the power of minus
    /// `exponent`, in hundredths.
    pub(crate) fn new(exponent: u32) -> Popularity {
        // Rounding to whole weights hides any difference between maths libraries.
        let growth = 1.0 - f64::from(exponent.min(400)) / 100.0;
        let weight = |octave: usize| (4096.0 * (growth * octave as f64).exp2()).min(1e15);
        Popularity {
            octaves: std::array::from_fn(|octave| (weight(octave).round() as u64).max(1)),
        }
    }

    /// A rank among `0..n`.
    pub(crate) fn pick(&self, n: u64, dice: &mut Dice) -> u64 {
        if n < 2 {
            return 0;
        }
        let last = (n.ilog2() as usize).min(self.octaves.len() - 1);
        let reaches = n - ((1 << last) - 1);
        // The last octave may be cut off.
        let last_weight = ((u128::from(self.octaves[last]) * u128::from(reaches)) >> last) as u64;
        let sum: u64 = self.octaves[..last].iter().sum::<u64>() + last_weight;
        let mut throw = dice.below(sum.max(1));
        let mut octave = 0;
        while octave < last && throw >= self.octaves[octave] {
            throw -= self.octaves[octave];
            octave += 1;
        }
        let low = (1 << octave) - 1;
        let high = n.min((1u64 << octave).saturating_mul(2) - 1);
        low + dice.below(high.saturating_sub(low).max(1))
    }
}

/// A keyed permutation of `0..n`, and its inverse.
///
/// Four Feistel rounds over the next even number of bits; a value that lands
/// outside `0..n` is sent through again until it lands inside.
#[derive(Debug, Clone)]
pub(crate) struct Shuffle {
    n: u64,
    half_bits: u32,
    keys: [u64; 4],
}

impl Shuffle {
    pub(crate) fn new(key: u64, n: u64) -> Shuffle {
        let bits = 64 - n.saturating_sub(1).leading_zeros();
        let mut dice = Dice::new(&[key]);
        Shuffle {
            n,
            half_bits: bits.div_ceil(2).clamp(1, 32),
            keys: std::array::from_fn(|_| dice.next()),
        }
    }

    /// Where `x < n` goes.
    pub(crate) fn forward(&self, x: u64) -> u64 {
        self.walk(
            x,
            |(left, right), key| (right, left ^ self.round(right, key)),
            false,
        )
    }

    /// Where `x < n` came from.
    pub(crate) fn backward(&self, x: u64) -> u64 {
        self.walk(
            x,
            |(left, right), key| (right ^ self.round(left, key), left),
            true,
        )
    }

    fn walk(&self, x: u64, step: impl Fn((u64, u64), u64) -> (u64, u64), undo: bool) -> u64 {
        debug_assert!(x < self.n);
        let mask = (1 << self.half_bits) - 1;
        let mut x = x;
        loop {
            let mut halves = (x >> self.half_bits, x & mask);
            for round in 0..4 {
                let key = self.keys[if undo { 3 - round } else { round }];
                halves = step(halves, key);
            }
            x = (halves.0 << self.half_bits) | halves.1;
            if x < self.n {
                return x;
            }
        }
    }

    fn round(&self, half: u64, key: u64) -> u64 {
        mix(half ^ key) & ((1 << self.half_bits) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_the_same_everywhere() {
        let mut dice = Dice::new(&[1, 2, 3]);
        let throws: Vec<u64> = (0..6).map(|_| dice.below(1000)).collect();
        insta::assert_compact_debug_snapshot!(throws, @"[823, 253, 641, 694, 691, 368]");
    }

    #[test]
    fn low_ranks_are_met_more_often() {
        let mut dice = Dice::new(&[7]);
        let popularity = Popularity::new(100);
        let mut n_by_octave = [0; 10];
        for _ in 0..10_000 {
            n_by_octave[(popularity.pick(1000, &mut dice) + 1).ilog2() as usize] += 1;
        }
        // Ten octaves of ranks share the throws evenly.
        assert!(
            n_by_octave.iter().all(|n| (850..1150).contains(n)),
            "{n_by_octave:?}"
        );
    }

    proptest! {
        #[test]
        fn a_shuffle_can_be_undone(key: u64, n in 1u64.., at: u64) {
            let shuffle = Shuffle::new(key, n);
            let x = at % n;
            let y = shuffle.forward(x);
            prop_assert!(y < n);
            prop_assert_eq!(shuffle.backward(y), x);
        }

        #[test]
        fn throws_stay_in_range(seed: u64, n in 1u64..) {
            let mut dice = Dice::new(&[seed]);
            prop_assert!(dice.below(n) < n);
            prop_assert!(Popularity::new(91).pick(n, &mut dice) < n);
        }
    }

    #[test]
    fn a_small_shuffle_reaches_every_number_once() {
        let shuffle = Shuffle::new(5, 1000);
        let mut seen: Vec<u64> = (0..1000).map(|x| shuffle.forward(x)).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
    }
}
