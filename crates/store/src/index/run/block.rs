//! A block of a run: entries whose keys are neighbours, column by column.
//!
//! A header, what varies of each key, how long each value is, all values. What
//! all keys of a block begin with, and the zeros that all end with, is in its
//! header. Keys have one width, so that one is found by halving, and a value
//! by adding up the lengths before it.

use super::super::{Key, Short};
use std::io;

/// Bytes of a block: some hundred entries, half a page of the system's cache.
/// What is read of a block is an entry or two, what is copied and checked all.
pub(in super::super) const BLOCK: usize = 2048;
/// A checksum of all that follows, how many entries there are, how many bytes
/// of their keys are the same at the beginning, how many are zero at the end,
/// and the first key.
const HEADER: usize = 8 + KEY;
const KEY: usize = size_of::<Key>();

pub(in super::super) type Block = [u8; BLOCK];

/// What a block says, as far as it makes sense.
#[derive(Clone, Copy)]
pub(in super::super) struct Columns<'a> {
    block: &'a [u8],
    n_entries: usize,
    /// What is the same in all keys.
    base: Key,
    /// Bytes of a key that vary, and zeros behind them, in bits.
    width: usize,
    shift: u32,
    /// Where the lengths begin, and the values.
    lens: usize,
    values: usize,
}

impl<'a> Columns<'a> {
    pub(in super::super) fn of(block: &'a [u8]) -> Option<Columns<'a>> {
        let (header, _) = block.split_first_chunk::<HEADER>()?;
        let n_entries = usize::from(u16::from_le_bytes([header[4], header[5]]));
        let (shared, zeros) = (usize::from(header[6]), usize::from(header[7]));
        let width = KEY.checked_sub(shared + zeros)?;
        let lens = HEADER + n_entries * width;
        let values = lens + n_entries;
        let (_, first) = header.split_last_chunk()?;
        let base = Key::from_be_bytes(*first) & !low_bytes(KEY - shared);
        (values <= block.len()).then_some(Columns {
            block,
            n_entries,
            base,
            width,
            shift: 8 * zeros as u32,
            lens,
            values,
        })
    }

    /// The value of a key, where it is there.
    pub(in super::super) fn find(&self, key: Key) -> Option<Short> {
        let wanted = key.checked_shr(self.shift).unwrap_or(0) & low_bytes(self.width);
        let at = self.halve(|nth| self.varying(nth) < wanted);
        if at == self.n_entries || self.key(at) != key {
            return None;
        }
        self.value(at, self.start_of(at))
    }

    /// All entries, in order.
    pub(in super::super) fn entries(self) -> impl Iterator<Item = (Key, Short)> {
        self.entries_from(0)
    }

    /// Those with greater keys than this one.
    pub(in super::super) fn entries_after(self, key: Key) -> impl Iterator<Item = (Key, Short)> {
        self.entries_from(self.halve(|nth| self.key(nth) <= key))
    }

    fn entries_from(self, first: usize) -> impl Iterator<Item = (Key, Short)> {
        let mut start = self.start_of(first);
        (first..self.n_entries).map_while(move |nth| {
            let value = self.value(nth, start)?;
            start += n_bytes(self.block[self.lens + nth]);
            Some((self.key(nth), value))
        })
    }

    /// How many entries at the front are before something.
    fn halve(&self, is_before: impl Fn(usize) -> bool) -> usize {
        let (mut at, mut n_left) = (0, self.n_entries);
        while n_left > 0 {
            let half = n_left / 2;
            if is_before(at + half) {
                at += half + 1;
                n_left -= half + 1;
            } else {
                n_left = half;
            }
        }
        at
    }

    /// Where a value begins: behind all that are before it.
    fn start_of(&self, nth: usize) -> usize {
        let before = &self.block[self.lens..self.lens + nth];
        before.iter().map(|len| n_bytes(*len)).sum()
    }

    fn key(&self, nth: usize) -> Key {
        self.base | self.varying(nth).checked_shl(self.shift).unwrap_or(0)
    }

    /// The part of a key that is its own. As many bytes before it are always
    /// there, so that it is read as one number.
    fn varying(&self, nth: usize) -> Key {
        let end = HEADER + (nth + 1) * self.width;
        let bytes = self.block[..end].last_chunk().copied().unwrap_or_default();
        Key::from_be_bytes(bytes) & low_bytes(self.width)
    }

    /// A value by the bytes of those before it.
    fn value(&self, nth: usize, start: usize) -> Option<Short> {
        let len = self.block[self.lens + nth];
        if len == Short::GONE.len {
            return Some(Short::GONE);
        }
        let bytes = self.block.get(self.values + start..)?;
        Short::checked(bytes.get(..usize::from(len))?)
    }
}

/// Bytes that a value takes, by its length as kept.
fn n_bytes(len: u8) -> usize {
    match len == Short::GONE.len {
        true => 0,
        false => usize::from(len),
    }
}

fn low_bytes(n: usize) -> Key {
    Key::MAX
        .checked_shr(8 * (KEY - n.min(KEY)) as u32)
        .unwrap_or(0)
}

pub(super) fn check(block: &[u8]) -> io::Result<()> {
    match crc32fast::hash(&block[4..]).to_le_bytes() == block[..4] {
        true => Ok(()),
        false => Err(super::damaged()),
    }
}

/// Entries on their way into a block.
#[derive(Default)]
pub(super) struct Draft {
    entries: Vec<(Key, Short)>,
    n_value_bytes: usize,
    /// Bits that differ between keys, or are set in one.
    differing: Key,
    set: Key,
}

impl Draft {
    /// Adds an entry whose key is greater than that of the one before; false
    /// if there is no room for it.
    #[must_use]
    pub(super) fn push(&mut self, key: Key, value: Short) -> bool {
        let first = self.first().unwrap_or(key);
        let (differing, set) = (self.differing | key ^ first, self.set | key);
        let n_value_bytes = self.n_value_bytes + value.as_slice().len();
        let (shared, zeros) = in_common(differing, set);
        let n_entries = self.entries.len() + 1;
        if HEADER + n_entries * (KEY - shared - zeros + 1) + n_value_bytes > BLOCK {
            return false;
        }
        (self.differing, self.set, self.n_value_bytes) = (differing, set, n_value_bytes);
        self.entries.push((key, value));
        true
    }

    pub(super) fn first(&self) -> Option<Key> {
        self.entries.first().map(|(key, _)| *key)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = Key> {
        self.entries.iter().map(|(key, _)| *key)
    }

    /// Writes the block; the draft is empty again.
    pub(super) fn write(&mut self, block: &mut Vec<u8>) {
        let (shared, zeros) = in_common(self.differing, self.set);
        block.clear();
        block.extend_from_slice(&[0; 4]);
        block.extend_from_slice(&(self.entries.len() as u16).to_le_bytes());
        block.extend_from_slice(&[shared as u8, zeros as u8]);
        block.extend_from_slice(&self.first().unwrap_or(0).to_be_bytes());
        for (key, _) in &self.entries {
            block.extend_from_slice(&key.to_be_bytes()[shared..KEY - zeros]);
        }
        block.extend(self.entries.iter().map(|(_, value)| value.len));
        for (_, value) in &self.entries {
            block.extend_from_slice(value.as_slice());
        }
        block.resize(BLOCK, 0);
        let check = crc32fast::hash(&block[4..]);
        block[..4].copy_from_slice(&check.to_le_bytes());
        self.entries.clear();
        (self.differing, self.set, self.n_value_bytes) = (0, 0, 0);
    }
}

/// Bytes that keys have in common at the beginning, and zeros at the end.
fn in_common(differing: Key, set: Key) -> (usize, usize) {
    let shared = differing.leading_zeros() as usize / 8;
    let zeros = set.trailing_zeros() as usize / 8;
    (shared, zeros.min(KEY - shared))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::ops::Bound;

    /// Keys that have much in common, or nothing.
    fn any_key() -> impl Strategy<Value = Key> {
        let spread = (any::<Key>(), 0..128_u32, 0..128_u32);
        prop_oneof![
            any::<Key>(),
            spread.prop_map(|(key, down, up)| key >> down << up),
            (any::<u16>(), any::<u16>()).prop_map(|(a, b)| Key::from(a) << 80 | Key::from(b) << 16),
        ]
    }

    proptest! {
        #[test]
        fn a_block_gives_back_what_was_put_in(
            entries in prop::collection::btree_map(any_key(), prop::option::of(0..32_usize), 1..400),
            others in prop::collection::vec(any_key(), 20),
        ) {
            let value = |key: Key, len: Option<usize>| match len {
                Some(len) => Short::of(&[&[key as u8; 31][..len]]),
                None => Short::GONE,
            };
            let mut draft = Draft::default();
            let mut kept: BTreeMap<Key, Short> = BTreeMap::new();
            for (key, len) in entries {
                if !draft.push(key, value(key, len)) {
                    break;
                }
                kept.insert(key, value(key, len));
            }
            let mut block = Vec::new();
            draft.write(&mut block);
            prop_assert_eq!(block.len(), BLOCK);
            prop_assert!(check(&block).is_ok());
            let columns = Columns::of(&block).unwrap();
            let all: Vec<(Key, Short)> = columns.entries().collect();
            prop_assert!(all == kept.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>());
            let neighbours = kept.keys().flat_map(|key| [key.saturating_sub(1), key.saturating_add(1)]);
            for key in kept.keys().copied().chain(neighbours).chain(others) {
                prop_assert!(columns.find(key) == kept.get(&key).copied(), "{key:x}");
                let greater = kept.range((Bound::Excluded(key), Bound::Unbounded));
                let greater = greater.map(|(key, value)| (*key, *value));
                prop_assert!(columns.entries_after(key).eq(greater), "{key:x}");
            }
        }

        #[test]
        fn nonsense_is_no_harm(bytes in prop::collection::vec(any::<u8>(), BLOCK), key in any_key(), n in any::<u8>()) {
            let mut bytes = bytes;
            // Sizes that are nearly right.
            (bytes[5], bytes[6], bytes[7]) = (0, n % 9, n / 32);
            if let Some(columns) = Columns::of(&bytes) {
                columns.find(key);
                prop_assert!(columns.entries().count() <= BLOCK);
            }
        }
    }
}
