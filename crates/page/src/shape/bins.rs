//! The least hash of each bin, and what is kept of it.

use super::words::mix;

/// `N` bins, a power of two; a hash falls into one by its first bits.
pub(super) struct Bins<const N: usize> {
    least: [u64; N],
}

/// No hash has fallen into this bin.
const EMPTY: u64 = u64::MAX;

/// The lower bit of each pair.
const PAIRS: u64 = 0x5555_5555_5555_5555;

impl<const N: usize> Bins<N> {
    const INDEX_BITS: u32 = N.trailing_zeros();

    pub(super) fn new() -> Bins<N> {
        Bins { least: [EMPTY; N] }
    }

    pub(super) fn add(&mut self, hash: u64) {
        let bin = &mut self.least[(hash >> (64 - Self::INDEX_BITS)) as usize];
        *bin = (*bin).min(hash);
    }

    /// Gives every empty bin what the next full one has, changed by the
    /// distance: two short texts then agree on it as often as on a full one.
    pub(super) fn fill(&mut self) {
        let Some(first) = self.least.iter().position(|least| *least != EMPTY) else {
            return;
        };
        let mut next = self.least[first];
        let mut distance = 0;
        for idx in (0..N).map(|step| (first + N - step) % N) {
            if self.least[idx] == EMPTY {
                distance += 1;
                self.least[idx] = mix(next, distance);
            } else {
                (next, distance) = (self.least[idx], 0);
            }
        }
    }

    /// Several whole bins as one number.
    pub(super) fn key(&self, start: usize, n_bins: usize) -> u64 {
        let bins = &self.least[start..start + n_bins];
        bins.iter()
            .fold(start as u64, |key, least| mix(key.rotate_left(17), *least))
    }

    /// Two bits of every bin, `N / 32` words of them.
    pub(super) fn two_bits<const WORDS: usize>(&self) -> [u64; WORDS] {
        debug_assert_eq!(WORDS * 32, N);
        let mut words = [0; WORDS];
        for (word, bins) in words.iter_mut().zip(self.least.chunks(32)) {
            let pairs = bins.iter().map(|least| least & 3);
            *word = pairs.fold(0, |word, pair| word << 2 | pair);
        }
        words
    }
}

/// The share of bins that are equal behind their two bits: bins that differ
/// agree in these by chance one time in four.
pub(super) fn likeness(left: &[u64], right: &[u64]) -> f32 {
    let differing = |(left, right): (&u64, &u64)| {
        let bits = left ^ right;
        ((bits | bits >> 1) & PAIRS).count_ones()
    };
    let n_differing: u32 = left.iter().zip(right).map(differing).sum();
    let n_bins = 32.0 * left.len() as f32;
    1.0 - n_differing as f32 / n_bins / 0.75
}
