//! A file of entries in the order of their keys, written once.
//!
//! Blocks of one size (`run/block.rs`), each with a checksum, then the first
//! key of each block and the blocks' filters, then a footer that says how long
//! these are. First keys and filters are in memory while the run is open: a
//! look-up reads one block.

mod block;
mod heads;

pub(super) use block::{BLOCK, Block, Columns};

use super::filter::{Filters, Trace, are_kin};
use super::{Key, Order, Short};
use block::{Draft, check};
use heads::Heads;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: [u8; 8] = *b"locarun2";
const FOOTER: usize = 8 + 8 + 8 + 8 + 4;
/// Blocks read at once by whoever reads all.
const READ_AHEAD: usize = 128;

/// An open run.
pub(super) struct Run {
    pub(super) number: u32,
    pub(super) n_entries: u64,
    file: File,
    heads: Heads,
    filters: Filters,
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
        let [magic, n_entries, n_blocks, n_lines] = [0, 1, 2, 3].map(|nth| numbers[nth]);
        let [n_entries, n_blocks, n_lines] = [n_entries, n_blocks, n_lines].map(u64::from_le_bytes);
        let tail = Filters::n_bytes(n_blocks, n_lines).and_then(|n_filter| {
            let n_tail = n_filter.checked_add(n_blocks.checked_mul(8)?)?;
            start.checked_sub(n_tail)
        });
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
        let filters = Filters::read(n_blocks, n_lines, &mut rest)?.ok_or_else(damaged)?;
        rest.check.update(&footer[..FOOTER - 4]);
        if footer[FOOTER - 4..] != rest.check.finalize().to_le_bytes() {
            return Err(damaged());
        }
        Ok(Run {
            number,
            n_entries,
            file,
            heads: Heads::new(firsts),
            filters,
        })
    }

    /// The blocks that can have a key, by their first keys: more than one only
    /// where many keys have the same beginning.
    pub(super) fn blocks_of(&self, key: Key) -> Range<usize> {
        self.heads.blocks_of(key)
    }

    /// Whether a block can have what left a trace; false is certain.
    pub(super) fn may_have(&self, block: usize, trace: Trace) -> bool {
        self.filters.may_have(block, trace)
    }

    /// Whether all keys from a block on are greater than this one.
    pub(super) fn is_behind(&self, block: usize, key: Key) -> bool {
        self.heads.are_behind(block, key)
    }

    pub(super) fn n_blocks(&self) -> usize {
        self.heads.len()
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
            let columns = Columns::of(block).ok_or_else(damaged)?;
            self.waiting.extend(columns.entries());
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
    /// Whether kin are looked for as well as single keys.
    order: Order,
    draft: Draft,
    block: Vec<u8>,
    traces: Vec<Trace>,
    firsts: Vec<u64>,
    filters: Filters,
    n_entries: u64,
}

impl Writer {
    /// A new run.
    pub(super) fn create(path: &Path, order: Order) -> io::Result<Writer> {
        Ok(Writer {
            file: BufWriter::with_capacity(READ_AHEAD * BLOCK, File::create(path)?),
            order,
            draft: Draft::default(),
            block: Vec::with_capacity(BLOCK),
            traces: Vec::new(),
            firsts: Vec::new(),
            filters: Filters::default(),
            n_entries: 0,
        })
    }

    /// Adds an entry whose key is greater than that of the one before.
    pub(super) fn push(&mut self, key: Key, value: Short) -> io::Result<()> {
        if !self.draft.push(key, value) {
            self.end_block()?;
            let is_in = self.draft.push(key, value);
            debug_assert!(is_in, "an empty block has room for any entry");
        }
        self.n_entries += 1;
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        let Some(first) = self.draft.first() else {
            return Ok(());
        };
        self.firsts.push((first >> 64) as u64);
        self.traces.clear();
        let mut kin_of = None;
        for key in self.draft.keys() {
            self.traces.push(Trace::of(key));
            if self.order == Order::ByKey && !kin_of.is_some_and(|other| are_kin(other, key)) {
                self.traces.push(Trace::of_kin(key));
                kin_of = Some(key);
            }
        }
        self.filters.add_block(&self.traces);
        self.draft.write(&mut self.block);
        self.file.write_all(&self.block)
    }

    /// Ends the run; it is on disk when this returns.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.end_block()?;
        let mut rest = Checked {
            file: self.file,
            check: crc32fast::Hasher::new(),
        };
        for first in &self.firsts {
            rest.write_all(&first.to_le_bytes())?;
        }
        self.filters.write(&mut rest)?;
        rest.write_all(&MAGIC)?;
        let n_blocks = self.firsts.len() as u64;
        for number in [self.n_entries, n_blocks, self.filters.n_lines()] {
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
