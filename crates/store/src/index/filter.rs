//! Says of most keys that a block does not have them, without reading it.
//!
//! Bloom filters in lines of 64 bytes, as many for each block of a run as its
//! entries need: one look-up touches one line of memory, and waiting for
//! memory is what a look-up costs. Lines lie in the order of keys, so what is
//! asked for together is found together. With eight bits a key three in a
//! hundred look-ups of what is not there look in vain.

use super::Key;
use std::io;

/// Bits for each key.
const BITS_PER_KEY: usize = 8;
/// Bits set for each key, all within one line.
const N_SET: u32 = 5;
/// Words of a line, and its bytes.
const WORDS: usize = 8;
const LINE: usize = 8 * WORDS;

/// Keys that begin alike in all but so many bits are kin.
const KIN_SHIFT: u32 = 80;

/// Which keys the blocks of a run may have.
#[derive(Default)]
pub(super) struct Filters {
    lines: Vec<[u64; WORDS]>,
    /// Where the lines of each block end.
    ends: Vec<u32>,
}

/// A key as filters see it; the same for all of them.
#[derive(Clone, Copy)]
pub(super) struct Trace(u64);

impl Trace {
    /// Keys end in fingerprints, which are spread well, but only within what
    /// they begin with.
    pub(super) fn of(key: Key) -> Trace {
        let (high, low) = ((key >> 64) as u64, key as u64);
        let mixed = (high ^ low.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29) ^ low).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Trace(mixed ^ (mixed >> 32))
    }

    /// Stands for all kin of a key: where it is not, none of them is.
    pub(super) fn of_kin(key: Key) -> Trace {
        Trace::of(!(key >> KIN_SHIFT))
    }

    /// Where its bits are within a line: nine bits each of another mixture.
    fn bits(self) -> impl Iterator<Item = (usize, u64)> {
        let spread = self.0.wrapping_mul(0x94d0_49bb_1331_11eb);
        (0..N_SET).map(move |nth| {
            let place = (spread >> (64 - 9 * (nth + 1))) & 511;
            (place as usize / 64, 1 << (place % 64))
        })
    }

    /// Three bits of one word.
    fn mask(self) -> u64 {
        let spread = self.0.wrapping_mul(0x94d0_49bb_1331_11eb);
        [58, 52, 46]
            .map(|shift| 1 << (spread >> shift & 63))
            .iter()
            .fold(0, |mask, bit| mask | bit)
    }

    /// Its line of so many.
    fn line(self, n_lines: usize) -> usize {
        ((u128::from(self.0) * n_lines as u128) >> 64) as usize
    }
}

/// Whether two keys are kin.
pub(super) fn are_kin(a: Key, b: Key) -> bool {
    a >> KIN_SHIFT == b >> KIN_SHIFT
}

/// Words of a sketch that holds anything: nine bits for each of the most
/// entries that are ever young.
const SKETCH: usize = 1 << 15;

/// Which keys there may be among entries that come one by one.
#[derive(Default)]
pub(super) struct Sketch(Vec<u64>);

impl Sketch {
    pub(super) fn add(&mut self, trace: Trace) {
        self.0.resize(SKETCH, 0);
        self.0[trace.line(SKETCH)] |= trace.mask();
    }

    /// False is certain.
    pub(super) fn may_have(&self, trace: Trace) -> bool {
        let word = self.0.get(trace.line(SKETCH));
        word.is_some_and(|word| word & trace.mask() == trace.mask())
    }
}

impl Filters {
    /// Adds the filter of the next block.
    pub(super) fn add_block(&mut self, traces: &[Trace]) {
        let n_lines = (traces.len() * BITS_PER_KEY).div_ceil(8 * LINE);
        let start = self.lines.len();
        self.lines.resize(start + n_lines, [0; WORDS]);
        for trace in traces {
            let line = &mut self.lines[start + trace.line(n_lines)];
            for (word, bit) in trace.bits() {
                line[word] |= bit;
            }
        }
        self.ends.push(self.lines.len() as u32);
    }

    /// False is certain.
    pub(super) fn may_have(&self, block: usize, trace: Trace) -> bool {
        let before = block.checked_sub(1);
        let start = before.map_or(0, |before| self.ends[before] as usize);
        let n_lines = self.ends[block] as usize - start;
        if n_lines == 0 {
            return false;
        }
        let line = &self.lines[start + trace.line(n_lines)];
        trace.bits().all(|(word, bit)| line[word] & bit != 0)
    }

    pub(super) fn n_lines(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Bytes of filters for so many blocks with so many lines.
    pub(super) fn n_bytes(n_blocks: u64, n_lines: u64) -> Option<u64> {
        n_blocks
            .checked_mul(4)?
            .checked_add(n_lines.checked_mul(LINE as u64)?)
    }

    /// Writes them piece by piece: all at once would be half as much again of
    /// the largest thing in memory.
    pub(super) fn write(&self, mut to: impl io::Write) -> io::Result<()> {
        for end in &self.ends {
            to.write_all(&end.to_le_bytes())?;
        }
        for word in self.lines.as_flattened() {
            to.write_all(&word.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads them; none if that are no filters.
    pub(super) fn read(
        n_blocks: u64,
        n_lines: u64,
        mut from: impl io::Read,
    ) -> io::Result<Option<Filters>> {
        let mut ends = Vec::with_capacity(n_blocks as usize);
        let mut bytes = [0; 4];
        for _ in 0..n_blocks {
            from.read_exact(&mut bytes)?;
            ends.push(u32::from_le_bytes(bytes));
        }
        let mut lines = Vec::with_capacity(n_lines as usize);
        let mut bytes = [0; LINE];
        for _ in 0..n_lines {
            from.read_exact(&mut bytes)?;
            let (words, _) = bytes.as_chunks();
            lines.push(std::array::from_fn(|nth| u64::from_le_bytes(words[nth])));
        }
        let is_whole =
            ends.is_sorted() && ends.last().is_none_or(|end| *end as usize == lines.len());
        Ok(is_whole.then_some(Filters { lines, ends }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N_IN_BLOCK: u64 = 200;
    const N: u64 = 100_000;

    /// As the frontier's: a host, and a fingerprint within it.
    fn key(nth: u64) -> Key {
        let fingerprint = nth.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ nth >> 7;
        Key::from(nth / 100) << KIN_SHIFT | Key::from(fingerprint) << 16
    }

    fn filters() -> Filters {
        let mut filters = Filters::default();
        for block in 0..N / N_IN_BLOCK {
            let keys = block * N_IN_BLOCK..(block + 1) * N_IN_BLOCK;
            let kin = Trace::of_kin(key(keys.start));
            let traces: Vec<Trace> = keys.map(|nth| Trace::of(key(nth))).chain([kin]).collect();
            filters.add_block(&traces);
        }
        let mut bytes = Vec::new();
        filters.write(&mut bytes).unwrap();
        let (n_blocks, n_lines) = (N / N_IN_BLOCK, filters.n_lines());
        assert_eq!(
            bytes.len() as u64,
            Filters::n_bytes(n_blocks, n_lines).unwrap()
        );
        Filters::read(n_blocks, n_lines, bytes.as_slice())
            .unwrap()
            .unwrap()
    }

    #[test]
    fn what_is_in_is_found_and_hardly_anything_else() {
        let filters = filters();
        let has = |block: u64, nth: u64| filters.may_have(block as usize, Trace::of(key(nth)));
        assert!((0..N).all(|nth| has(nth / N_IN_BLOCK, nth)));
        let n_in_vain = (N..2 * N)
            .filter(|nth| has(nth % N / N_IN_BLOCK, *nth))
            .count() as u64;
        assert!(n_in_vain < N / 25, "{n_in_vain} of {N}");
        // The same fingerprint at another host is another key.
        let elsewhere = |nth: &u64| {
            let trace = Trace::of(key(*nth) + (1 << 90));
            filters.may_have((nth / N_IN_BLOCK) as usize, trace)
        };
        let n_in_vain = (0..N).filter(elsewhere).count() as u64;
        assert!(n_in_vain < N / 25, "{n_in_vain} of {N}");
    }

    #[test]
    fn a_sketch_has_what_was_added_and_hardly_anything_else() {
        let mut sketch = Sketch::default();
        assert!(!sketch.may_have(Trace::of(key(0))));
        (0..N).for_each(|nth| sketch.add(Trace::of(key(nth))));
        let has = |nth: &u64| sketch.may_have(Trace::of(key(*nth)));
        assert!((0..N).all(|nth| has(&nth)));
        let n_in_vain = (N..2 * N).filter(has).count() as u64;
        assert!(n_in_vain < N / 25, "{n_in_vain} of {N}");
    }

    #[test]
    fn blocks_without_kin_are_told() {
        let filters = filters();
        let may_have = |nth: u64, block: u64| {
            filters.may_have(block as usize, Trace::of_kin(key(nth * N_IN_BLOCK)))
        };
        assert!((0..N / N_IN_BLOCK).all(|nth| may_have(nth, nth)));
        let n_in_vain = (1..N / N_IN_BLOCK)
            .filter(|nth| may_have(*nth, nth - 1))
            .count() as u64;
        assert!(n_in_vain < N / N_IN_BLOCK / 15, "{n_in_vain}");
    }
}
