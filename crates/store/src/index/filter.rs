//! Says of most keys that a run does not have them, without a look at its file.
//!
//! A Bloom filter in blocks of 64 bytes: one look-up touches one line of
//! memory, and waiting for memory is what a look-up costs. With eight bits a
//! key three in a hundred look-ups of what is not there look in vain.

use std::io;

/// Bits for each key.
const BITS_PER_KEY: u64 = 8;
/// Bits set for each key, all within one block.
const N_SET: u32 = 5;
/// Words of a block, and its bytes.
const WORDS: usize = 8;
const BLOCK: usize = 8 * WORDS;

/// Which keys a run may have.
pub(super) struct Filter {
    blocks: Vec<[u64; WORDS]>,
}

/// A key as filters see it; the same for all of them.
#[derive(Clone, Copy)]
pub(super) struct Trace(u64);

impl Trace {
    /// Keys end in fingerprints, which are spread well, but only within what
    /// they begin with.
    pub(super) fn of(key: u128) -> Trace {
        let (high, low) = ((key >> 64) as u64, key as u64);
        let mixed = (high ^ low.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29) ^ low).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Trace(mixed ^ (mixed >> 32))
    }

    /// Where its bits are within a block, six of one and half a dozen of the
    /// other half: nine bits each of another mixture.
    fn bits(self) -> impl Iterator<Item = (usize, u64)> {
        let spread = self.0.wrapping_mul(0x94d0_49bb_1331_11eb);
        (0..N_SET).map(move |nth| {
            let place = (spread >> (64 - 9 * (nth + 1))) & 511;
            (place as usize / 64, 1 << (place % 64))
        })
    }
}

impl Filter {
    /// For so many keys, none of which is in yet.
    pub(super) fn for_keys(n_keys: u64) -> Filter {
        let n_blocks = (n_keys * BITS_PER_KEY).div_ceil(64 * WORDS as u64).max(1);
        Filter {
            blocks: vec![[0; WORDS]; n_blocks as usize],
        }
    }

    pub(super) fn add(&mut self, trace: Trace) {
        let place = self.place(trace);
        let block = &mut self.blocks[place];
        for (word, bit) in trace.bits() {
            block[word] |= bit;
        }
    }

    /// False is certain.
    pub(super) fn may_have(&self, trace: Trace) -> bool {
        let block = &self.blocks[self.place(trace)];
        trace.bits().all(|(word, bit)| block[word] & bit != 0)
    }

    fn place(&self, trace: Trace) -> usize {
        ((u128::from(trace.0) * self.blocks.len() as u128) >> 64) as usize
    }

    /// Its bytes, block by block: all at once would be half as much again of
    /// the largest thing in memory.
    pub(super) fn bytes(&self) -> impl Iterator<Item = [u8; BLOCK]> + '_ {
        self.blocks.iter().map(|block| {
            let mut bytes = [0; BLOCK];
            for (word, place) in block.iter().zip(bytes.as_chunks_mut().0) {
                *place = word.to_le_bytes();
            }
            bytes
        })
    }

    pub(super) fn n_bytes(&self) -> u64 {
        (self.blocks.len() * BLOCK) as u64
    }

    /// Reads so many bytes; none if that is no filter.
    pub(super) fn read(n_bytes: u64, mut from: impl io::Read) -> io::Result<Option<Filter>> {
        let n_blocks = n_bytes / BLOCK as u64;
        if n_blocks == 0 || !n_bytes.is_multiple_of(BLOCK as u64) {
            return Ok(None);
        }
        let mut blocks = Vec::with_capacity(n_blocks as usize);
        let mut bytes = [0; BLOCK];
        for _ in 0..n_blocks {
            from.read_exact(&mut bytes)?;
            let (words, _) = bytes.as_chunks();
            blocks.push(std::array::from_fn(|nth| u64::from_le_bytes(words[nth])));
        }
        Ok(Some(Filter { blocks }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the frontier's: a host, and a fingerprint within it.
    fn key(nth: u64) -> u128 {
        let fingerprint = nth.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ nth >> 7;
        u128::from(nth / 100) << 64 | u128::from(fingerprint)
    }

    #[test]
    fn what_is_in_is_found_and_hardly_anything_else() {
        const N: u64 = 100_000;
        let mut filter = Filter::for_keys(N);
        (0..N).for_each(|nth| filter.add(Trace::of(key(nth))));
        let bytes: Vec<u8> = filter.bytes().flatten().collect();
        assert_eq!(bytes.len() as u64, filter.n_bytes());
        let filter = Filter::read(filter.n_bytes(), bytes.as_slice())
            .unwrap()
            .unwrap();
        let may_have = |nth: &u64| filter.may_have(Trace::of(key(*nth)));
        assert_eq!((0..N).filter(may_have).count() as u64, N);
        let n_in_vain = (N..2 * N).filter(may_have).count() as u64;
        assert!(n_in_vain < N / 25, "{n_in_vain} of {N}");
        // The same fingerprint at another host is another key.
        let elsewhere = |nth: &u64| filter.may_have(Trace::of(key(*nth) + (1 << 90)));
        let n_in_vain = (0..N).filter(elsewhere).count() as u64;
        assert!(n_in_vain < N / 25, "{n_in_vain} of {N}");
    }
}
