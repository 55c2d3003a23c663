//! A file of entries in the order of their keys, written once.
//!
//! Blocks of one size, each with a checksum, then the first key of each block
//! and the filter, then a footer that says how long these are. Keys and filter
//! are in memory while the run is open: a look-up reads one block. What all
//! keys of a block begin with, and the zeros that all end with, is in its
//! header.

use super::filter::{Filter, Trace};
use super::{Key, Short};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Bytes of a block: some eighty entries.
pub(super) const BLOCK: usize = 2048;
/// A checksum of all that follows, how many entries there are, how many bytes
/// of their keys are the same at the beginning, and how many zeros at the end.
const BLOCK_HEADER: usize = 8;
const KEY_LEN: usize = size_of::<Key>();
const MAGIC: [u8; 8] = *b"locarun1";
const FOOTER: usize = 8 + 8 + 8 + 8 + 4;
/// Blocks read at once by whoever reads all.
const READ_AHEAD: usize = 128;

pub(super) type Block = [u8; BLOCK];

/// An open run.
pub(super) struct Run {
    pub(super) number: u32,
    pub(super) n_entries: u64,
    file: File,
    /// The high half of each block's first key.
    firsts: Vec<u64>,
    filter: Filter,
}

impl Run {
    /// Opens a finished run; its blocks are checked when they are read.
    pub(super) fn open(path: &Path, number: u32) -> io::Result<Run> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        let start = len.checked_sub(FOOTER as u64).ok_or_else(damaged)?;
        let mut footer = [0; FOOTER];
        file.read_exact_at(&mut footer, start)?;
        let (numbers, _) = footer.as_chunks::<8>();
        let [magic, n_entries, n_blocks, n_filter] = [0, 1, 2, 3].map(|nth| numbers[nth]);
        let [n_entries, n_blocks, n_filter] =
            [n_entries, n_blocks, n_filter].map(u64::from_le_bytes);
        let tail = len.checked_sub(FOOTER as u64 + n_filter);
        let tail = tail.and_then(|rest| rest.checked_sub(n_blocks.checked_mul(8)?));
        let tail = tail.filter(|tail| Some(*tail) == n_blocks.checked_mul(BLOCK as u64));
        let tail = tail.filter(|_| magic == MAGIC).ok_or_else(damaged)?;
        let mut rest = Checked {
            file: BufReader::with_capacity(READ_AHEAD * BLOCK, file.try_clone()?),
            check: crc32fast::Hasher::new(),
        };
        rest.file.seek(SeekFrom::Start(tail))?;
        let mut firsts = Vec::with_capacity(n_blocks as usize);
        let mut first = [0; 8];
        for _ in 0..n_blocks {
            rest.read_exact(&mut first)?;
            firsts.push(u64::from_le_bytes(first));
        }
        let filter = Filter::read(n_filter, &mut rest)?.ok_or_else(damaged)?;
        rest.check.update(&footer[..FOOTER - 4]);
        if footer[FOOTER - 4..] != rest.check.finalize().to_le_bytes() {
            return Err(damaged());
        }
        Ok(Run {
            number,
            n_entries,
            file,
            firsts,
            filter,
        })
    }

    /// False is certain.
    pub(super) fn may_have(&self, trace: Trace) -> bool {
        self.filter.may_have(trace)
    }

    /// The blocks that can have a key: more than one only where many keys
    /// have the same beginning.
    pub(super) fn blocks_of(&self, key: Key) -> std::ops::Range<usize> {
        let high = (key >> 64) as u64;
        let start = self.firsts.partition_point(|first| *first < high);
        let same = self.firsts[start..].iter();
        let n_same = same.take_while(|first| **first == high).count();
        start.saturating_sub(1)..start + n_same
    }

    pub(super) fn n_blocks(&self) -> usize {
        self.firsts.len()
    }

    pub(super) fn read(&self, block: usize, into: &mut Block) -> io::Result<()> {
        self.file.read_exact_at(into, (block * BLOCK) as u64)?;
        check(into)
    }

    /// All entries, in order.
    pub(super) fn entries(&self) -> Entries<'_> {
        Entries {
            run: self,
            blocks: Vec::new(),
            next_block: 0,
            at: 0,
            waiting: Vec::new(),
        }
    }
}

/// Finds a key in a block.
pub(super) fn find(block: &Block, key: Key) -> Option<Short> {
    let found = InBlock::new(block).find(|(other, _)| *other >= key);
    found
        .filter(|(other, _)| *other == key)
        .map(|(_, value)| value)
}

/// The entries of a block, as far as they make sense.
pub(super) struct InBlock<'a> {
    rest: &'a [u8],
    n_left: u16,
    /// What is the same in all keys, and where it ends.
    key: [u8; KEY_LEN],
    varies: std::ops::Range<usize>,
}

impl InBlock<'_> {
    pub(super) fn new(block: &[u8]) -> InBlock<'_> {
        let n_left = u16::from_le_bytes([block[4], block[5]]);
        let start = usize::from(block[6]).min(KEY_LEN);
        let end = KEY_LEN.saturating_sub(usize::from(block[7])).max(start);
        let (shared, rest) = block[BLOCK_HEADER..].split_at(start);
        let mut key = [0; KEY_LEN];
        key[..start].copy_from_slice(shared);
        InBlock {
            rest,
            n_left,
            key,
            varies: start..end,
        }
    }
}

impl Iterator for InBlock<'_> {
    type Item = (Key, Short);

    fn next(&mut self) -> Option<(Key, Short)> {
        self.n_left = self.n_left.checked_sub(1)?;
        let (varying, rest) = self.rest.split_at_checked(self.varies.len())?;
        self.key[self.varies.clone()].copy_from_slice(varying);
        self.rest = rest;
        let value = split_value(&mut self.rest)?;
        Some((Key::from_be_bytes(self.key), value))
    }
}

fn check(block: &[u8]) -> io::Result<()> {
    match crc32fast::hash(&block[4..]).to_le_bytes() == block[..4] {
        true => Ok(()),
        false => Err(damaged()),
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a checksum does not match")
}

/// Takes an entry of a journal off the front.
pub(super) fn split_entry(bytes: &mut &[u8]) -> Option<(Key, Short)> {
    let (key, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some((Key::from_be_bytes(*key), split_value(bytes)?))
}

fn split_value(bytes: &mut &[u8]) -> Option<Short> {
    let (len, rest) = bytes.split_first()?;
    if *len == Short::GONE.len {
        *bytes = rest;
        return Some(Short::GONE);
    }
    let (value, rest) = rest.split_at_checked(usize::from(*len))?;
    *bytes = rest;
    Short::checked(value)
}

/// Writes an entry as a journal has it.
pub(super) fn push_entry(bytes: &mut Vec<u8>, key: Key, value: Short) {
    bytes.extend_from_slice(&key.to_be_bytes());
    push_value(bytes, value);
}

fn push_value(bytes: &mut Vec<u8>, value: Short) {
    bytes.push(value.len);
    bytes.extend_from_slice(value.as_slice());
}

/// Goes through a run from its beginning.
pub(super) struct Entries<'a> {
    run: &'a Run,
    blocks: Vec<u8>,
    next_block: usize,
    /// Where the blocks begin that are yet to be looked at.
    at: usize,
    /// Entries of the block before, the last one first.
    waiting: Vec<(Key, Short)>,
}

impl Entries<'_> {
    pub(super) fn next(&mut self) -> io::Result<Option<(Key, Short)>> {
        while self.waiting.is_empty() {
            if self.at == self.blocks.len() && !self.read_on()? {
                return Ok(None);
            }
            let block = &self.blocks[self.at..self.at + BLOCK];
            check(block)?;
            self.waiting.extend(InBlock::new(block));
            self.waiting.reverse();
            self.at += BLOCK;
        }
        Ok(self.waiting.pop())
    }

    fn read_on(&mut self) -> io::Result<bool> {
        let n_blocks = (self.run.n_blocks() - self.next_block).min(READ_AHEAD);
        self.blocks.resize(n_blocks * BLOCK, 0);
        let start = (self.next_block * BLOCK) as u64;
        self.run.file.read_exact_at(&mut self.blocks, start)?;
        self.next_block += n_blocks;
        self.at = 0;
        Ok(n_blocks > 0)
    }
}

/// Writes a run, entry by entry.
pub(super) struct Writer {
    file: BufWriter<File>,
    /// Entries of the next block, and what it will take.
    waiting: Vec<(Key, Short)>,
    n_value_bytes: usize,
    /// Bits that differ between keys of the block, or are set in one.
    differing: Key,
    set: Key,
    block: Vec<u8>,
    firsts: Vec<u64>,
    filter: Filter,
    n_entries: u64,
}

/// Bytes that keys have in common at the beginning, and zeros at the end.
fn in_common(differing: Key, set: Key) -> (usize, usize) {
    let shared = differing.leading_zeros() as usize / 8;
    let zeros = set.trailing_zeros() as usize / 8;
    (shared, zeros.min(KEY_LEN - shared))
}

impl Writer {
    /// A new run of at most so many entries.
    pub(super) fn create(path: &Path, n_at_most: u64) -> io::Result<Writer> {
        Ok(Writer {
            file: BufWriter::with_capacity(READ_AHEAD * BLOCK, File::create(path)?),
            waiting: Vec::new(),
            n_value_bytes: 0,
            differing: 0,
            set: 0,
            block: Vec::with_capacity(BLOCK),
            firsts: Vec::new(),
            filter: Filter::for_keys(n_at_most),
            n_entries: 0,
        })
    }

    /// Adds an entry whose key is greater than that of the one before.
    pub(super) fn push(&mut self, key: Key, value: Short) -> io::Result<()> {
        let first = self.waiting.first().map_or(key, |(first, _)| *first);
        let (differing, set) = (self.differing | key ^ first, self.set | key);
        let n_value_bytes = self.n_value_bytes + 1 + value.as_slice().len();
        let (shared, zeros) = in_common(differing, set);
        let n_key_bytes = (self.waiting.len() + 1) * (KEY_LEN - shared - zeros);
        if BLOCK_HEADER + shared + n_key_bytes + n_value_bytes > BLOCK {
            self.end_block()?;
            return self.push(key, value);
        }
        (self.differing, self.set, self.n_value_bytes) = (differing, set, n_value_bytes);
        if self.waiting.is_empty() {
            self.firsts.push((key >> 64) as u64);
        }
        self.waiting.push((key, value));
        self.n_entries += 1;
        self.filter.add(Trace::of(key));
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        let (shared, zeros) = in_common(self.differing, self.set);
        let first = self
            .waiting
            .first()
            .map_or(0, |(key, _)| *key)
            .to_be_bytes();
        self.block.clear();
        self.block.extend_from_slice(&[0; 4]);
        self.block
            .extend_from_slice(&(self.waiting.len() as u16).to_le_bytes());
        self.block.extend_from_slice(&[shared as u8, zeros as u8]);
        self.block.extend_from_slice(&first[..shared]);
        for (key, value) in self.waiting.drain(..) {
            self.block
                .extend_from_slice(&key.to_be_bytes()[shared..KEY_LEN - zeros]);
            push_value(&mut self.block, value);
        }
        self.block.resize(BLOCK, 0);
        let check = crc32fast::hash(&self.block[4..]);
        self.block[..4].copy_from_slice(&check.to_le_bytes());
        (self.differing, self.set, self.n_value_bytes) = (0, 0, 0);
        self.file.write_all(&self.block)
    }

    /// Ends the run; it is on disk when this returns.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            self.end_block()?;
        }
        let mut rest = Checked {
            file: self.file,
            check: crc32fast::Hasher::new(),
        };
        for first in &self.firsts {
            rest.write_all(&first.to_le_bytes())?;
        }
        for block in self.filter.bytes() {
            rest.write_all(&block)?;
        }
        rest.write_all(&MAGIC)?;
        let n_blocks = self.firsts.len() as u64;
        for number in [self.n_entries, n_blocks, self.filter.n_bytes()] {
            rest.write_all(&number.to_le_bytes())?;
        }
        let check = rest.check.finalize();
        rest.file.write_all(&check.to_le_bytes())?;
        rest.file.flush()?;
        rest.file.get_ref().sync_data()
    }
}

/// A file with a checksum of what is read from it, or written to it.
struct Checked<F> {
    file: F,
    check: crc32fast::Hasher,
}

impl<F: Read> Read for Checked<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let n_read = self.file.read(bytes)?;
        self.check.update(&bytes[..n_read]);
        Ok(n_read)
    }
}

impl<F: Write> Write for Checked<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_written = self.file.write(bytes)?;
        self.check.update(&bytes[..n_written]);
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
