//! A table of one short entry for each URL.
//!
//! The database could hold these too, and did. But such tables are the largest
//! of a crawl and get most of its questions, and of all that the database does
//! they need little: keys of one length, values of a few bytes, one version of
//! each. Here an entry is copied from one file to the next in a fraction of the
//! time, a key that is nowhere costs a look at a few lines of memory, and one
//! that is somewhere costs reading one block.
//!
//! What is new is in memory, and in the database as a journal: a row for each
//! commit, written with it. When much is new, it is written to a file as a
//! *run*, in the order of keys, which the database then knows instead of the
//! journal. Runs are merged behind the crawl's back. A file that the database
//! does not know is none: whatever a crash left half done is swept away.

mod filter;
mod merge;
mod run;
mod scan;
#[cfg(test)]
mod tests;
mod young;

use crate::crawl_dir::StoreError;
use crate::file::{free_space, io_error, sync_folder};
use crate::table::{Entry, TableError};
use filter::Trace;
use merge::{Gone, Merge};
use run::{BLOCK, Block, Columns, Run, Writer};
use std::collections::{BTreeMap, btree_map};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use young::Young;

/// What entries are found by. Those that are asked for together do well to
/// begin alike, and to differ within their first half.
pub type Key = u128;

/// Whether an index can be gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// It is asked for single keys only.
    None,
    /// In the order of keys.
    ByKey,
}

/// New entries that become a run: as many as fit into a hash map of a quarter
/// of a million before it grows.
pub(crate) const RUN: usize = 229_376;

/// How many times as many entries the journal may have, where the same ones
/// change again and again: all of it is read when the index is opened.
const JOURNAL: usize = 4;

/// Blocks read lately that are kept: the links of a page are looked up in a few.
const N_NEAR: usize = 512;

/// Memory for each entry that waits for a commit.
const FRESH_BYTES: usize = size_of::<(Key, Short)>();

/// A value: at most 31 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Short {
    len: u8,
    bytes: [u8; Short::MOST],
}

impl Short {
    /// Bytes of the longest.
    pub const MOST: usize = 31;

    /// Stands in for an entry that was taken out.
    pub(crate) const GONE: Short = Short {
        len: u8::MAX,
        bytes: [0; Short::MOST],
    };

    /// A value put together from parts, no more than `MOST` bytes of them.
    pub fn of(parts: &[&[u8]]) -> Short {
        let mut short = Short::default();
        for byte in parts.iter().copied().flatten() {
            short.bytes[usize::from(short.len)] = *byte;
            short.len += 1;
        }
        short
    }

    fn checked(bytes: &[u8]) -> Option<Short> {
        let mut short = Short::default();
        short.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        short.len = bytes.len() as u8;
        Some(short)
    }

    /// Its bytes.
    pub fn as_slice(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// A handle on one index; cheap to clone.
#[derive(Clone)]
pub struct Index {
    pub(crate) nth: usize,
    shelf: Arc<Shelf>,
}

/// One index with its files.
pub(crate) struct Shelf {
    name: String,
    /// Where the runs of all indexes are.
    folder: PathBuf,
    /// New entries that become a run.
    n_run: usize,
    state: RwLock<State>,
    near: Mutex<Near>,
}

struct State {
    /// Entries that are in no run.
    young: Young,
    /// Those of them that are not in the journal.
    fresh: Vec<(Key, Short)>,
    /// Rows of the journal.
    rows: std::ops::Range<u64>,
    /// Entries in them.
    n_journal: usize,
    /// The oldest first.
    runs: Vec<Arc<Run>>,
    next_run: u32,
    merge: Option<Merge>,
}

/// Blocks read lately; one that is read takes the place of another.
#[derive(Default)]
struct Near(Vec<Option<(u32, usize, Box<Block>)>>);

impl Index {
    pub(crate) fn new(nth: usize, shelf: Arc<Shelf>) -> Index {
        Index { nth, shelf }
    }

    /// A value.
    pub fn get(&self, key: Key) -> Result<Option<Short>, TableError> {
        let found = self.shelf.get(key);
        let found = found.map_err(|error| self.shelf.error("read", &error))?;
        Ok(found.filter(|value| *value != Short::GONE))
    }

    /// At most `n` entries whose keys are greater than `after` and no greater
    /// than `last`, in order.
    pub(crate) fn scan(
        &self,
        after: Key,
        last: Key,
        n: usize,
    ) -> Result<Vec<(Key, Short)>, TableError> {
        let found = self.shelf.scan(after, last, n);
        found.map_err(|error| self.shelf.error("read", &error))
    }
}

impl Shelf {
    fn get(&self, key: Key) -> io::Result<Option<Short>> {
        let state = self.read();
        let trace = Trace::of(key);
        if let Some(value) = state.young.get(key, trace) {
            return Ok(Some(value));
        }
        for run in state.runs.iter().rev() {
            for block in run
                .blocks_of(key)
                .filter(|block| run.may_have(*block, trace))
            {
                let mut near = self.near.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(found) = near.block(run, block)?.find(key) {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Takes in a new entry, or a new value of an old one.
    pub(crate) fn put(&self, key: Key, value: Short) {
        let mut state = self.write();
        state.young.insert(key, value);
        state.fresh.push((key, value));
    }

    /// Memory of what waits for a commit.
    pub(crate) fn pending_bytes(&self) -> usize {
        self.read().fresh.len() * FRESH_BYTES
    }

    /// What a commit has to write: the next row of the journal.
    pub(crate) fn next_row(&self) -> Option<Entry> {
        let state = self.read();
        let mut bytes = Vec::with_capacity(state.fresh.len() * FRESH_BYTES);
        for (key, value) in &state.fresh {
            run::push_entry(&mut bytes, *key, *value);
        }
        (!bytes.is_empty()).then(|| (row_key(&self.name, state.rows.end), bytes))
    }

    /// Hears that the row is written.
    pub(crate) fn committed(&self) {
        let mut state = self.write();
        if !state.fresh.is_empty() {
            state.n_journal += state.fresh.len();
            state.fresh.clear();
            state.rows.end += 1;
        }
    }

    /// Between two commits: makes runs, and merges them. What fails here is
    /// tried again after the next commit, and nothing is lost meanwhile; but
    /// a damaged run is so for good.
    pub(crate) fn tidy(&self, write: &mut Rewrite<'_>) -> Result<(), TableError> {
        match self.try_to_tidy(write) {
            Err(StoreError::Table(error)) if error.damage().is_some() => return Err(error),
            Err(error) => {
                tracing::warn!(index = self.name, %error, "cannot tidy up an index now");
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// A merge that fails is not begun again before there is one more run.
    fn try_to_tidy(&self, write: &mut Rewrite<'_>) -> Result<(), StoreError> {
        let is_merged = self.end_merge(write)?;
        let is_longer = self.write_run(write)?;
        match is_merged || is_longer {
            true => self.begin_merge(),
            false => Ok(()),
        }
    }

    /// Ends what goes on behind the crawl's back.
    pub(crate) fn stop(&self) {
        if let Some(merge) = self.write().merge.take() {
            merge.stop();
        }
    }

    /// Whether there is one more run.
    fn write_run(&self, write: &mut Rewrite<'_>) -> Result<bool, StoreError> {
        let is_much = |state: &State| {
            state.young.len() >= self.n_run || state.n_journal >= JOURNAL * self.n_run
        };
        let is_due = |state: &State| state.fresh.is_empty() && is_much(state);
        if !is_due(&self.read()) {
            return Ok(false);
        }
        // Another number for every try: after a failure nobody can tell
        // whether the database knows of the one before.
        let number = self.take_number();
        let state = self.read();
        let path = run_path(&self.folder, &self.name, number);
        let write_all = || {
            let mut writer = Writer::create(&path, state.young.order())?;
            for (key, value) in state.young.sorted() {
                writer.push(key, value)?;
            }
            writer.finish()?;
            Run::open(&path, number)
        };
        let run = write_all().map_err(|error| io_error("write", &path, error))?;
        let mut runs = state.runs.clone();
        runs.push(Arc::new(run));
        let rows = state
            .rows
            .clone()
            .map(|row| (row_key(&self.name, row), None));
        let catalogue = self.catalogue(&runs);
        drop(state);
        sync_folder(&self.folder)?;
        write(std::iter::once(catalogue).chain(rows).collect())?;
        let mut state = self.write();
        state.runs = runs;
        state.rows.start = state.rows.end;
        state.n_journal = 0;
        state.young.clear();
        Ok(true)
    }

    fn begin_merge(&self) -> Result<(), StoreError> {
        let mut state = self.write();
        if state.merge.is_some() {
            return Ok(());
        }
        let sizes: Vec<u64> = state.runs.iter().map(|run| run.n_entries).collect();
        let Some(first) = merge::due(&sizes) else {
            return Ok(());
        };
        let n_bytes = sizes[first..].iter().sum::<u64>() * FRESH_BYTES as u64;
        if free_space(&self.folder)? < 2 * n_bytes {
            return Ok(());
        }
        let number = state.next_run;
        state.next_run += 1;
        let path = run_path(&self.folder, &self.name, number);
        let gone = match first {
            0 => Gone::Go,
            _ => Gone::Stay,
        };
        let merge = Merge::begin(
            state.runs[first..].to_vec(),
            gone,
            state.young.order(),
            number,
            path.clone(),
        );
        state.merge = Some(merge.map_err(|error| io_error("write", &path, error))?);
        Ok(())
    }

    /// Whether runs have become one.
    fn end_merge(&self, write: &mut Rewrite<'_>) -> Result<bool, StoreError> {
        let merge = self.write().merge.take_if(|merge| merge.is_over());
        let Some(merge) = merge else {
            return Ok(false);
        };
        let (number, of) = (merge.number, merge.of.clone());
        let path = run_path(&self.folder, &self.name, number);
        let merged = merge.end().and_then(|()| Run::open(&path, number));
        let run = merged.map_err(|error| {
            remove(&path);
            match error.kind() {
                // What was to be merged cannot be read.
                io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                    self.error("read", &error).into()
                }
                _ => io_error("write", &path, error),
            }
        })?;
        let mut runs = self.read().runs.clone();
        let first = runs.iter().position(|run| run.number == of[0]);
        let first = first.expect("runs that are being merged stay where they are");
        runs.splice(first..first + of.len(), [Arc::new(run)]);
        sync_folder(&self.folder)?;
        write(vec![self.catalogue(&runs)])?;
        self.write().runs = runs;
        for old in of {
            remove(&run_path(&self.folder, &self.name, old));
        }
        Ok(true)
    }

    fn take_number(&self) -> u32 {
        let mut state = self.write();
        state.next_run += 1;
        state.next_run - 1
    }

    /// What the database knows of the runs.
    fn catalogue(&self, runs: &[Arc<Run>]) -> Change {
        let numbers = runs.iter().flat_map(|run| run.number.to_be_bytes());
        (catalogue_key(&self.name), Some(numbers.collect()))
    }

    fn error(&self, what: &str, error: &io::Error) -> TableError {
        TableError::of_file(what, &self.folder, error)
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Near {
    fn block(&mut self, run: &Run, block: usize) -> io::Result<Columns<'_>> {
        if self.0.is_empty() {
            self.0.resize_with(N_NEAR, || None);
        }
        let place = (block ^ (run.number as usize * 67)) % N_NEAR;
        let slot = &mut self.0[place];
        let is_there =
            matches!(slot, Some((number, nth, _)) if (*number, *nth) == (run.number, block));
        if !is_there {
            let mut bytes = match slot.take() {
                Some((_, _, bytes)) => bytes,
                None => Box::new([0; BLOCK]),
            };
            run.read(block, &mut bytes)?;
            *slot = Some((run.number, block, bytes));
        }
        let (_, _, bytes) = slot.as_ref().expect("filled just above");
        Columns::of(bytes.as_slice()).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// The names of indexes that have an order end so.
pub(crate) const ORDERED: &str = "-by-key";

/// A key of the database with its new value, or without one.
pub(crate) type Change = (Vec<u8>, Option<Vec<u8>>);

/// Writes changes to the database, all or nothing, and syncs them.
pub(crate) type Rewrite<'a> = dyn FnMut(Vec<Change>) -> Result<(), StoreError> + 'a;

/// A new, empty index.
pub(crate) fn create(folder: &Path, name: &str, order: Order, n_run: usize) -> io::Result<Shelf> {
    std::fs::create_dir_all(folder)?;
    Ok(Shelf {
        name: name.to_owned(),
        folder: folder.to_path_buf(),
        n_run,
        state: RwLock::new(State {
            young: Young::new(order),
            fresh: Vec::new(),
            rows: 0..0,
            n_journal: 0,
            runs: Vec::new(),
            next_run: 1,
            merge: None,
        }),
        near: Mutex::default(),
    })
}

/// Opens all indexes by what the database knows of them, and sweeps away
/// files that it does not know.
pub(crate) fn open_all(folder: &Path, known: &[Entry], n_run: usize) -> io::Result<Vec<Shelf>> {
    let mut shelves: BTreeMap<&str, Shelf> = BTreeMap::new();
    for (key, value) in known {
        let (name, row) = split_key(key).ok_or(io::ErrorKind::InvalidData)?;
        let order = match name.ends_with(ORDERED) {
            true => Order::ByKey,
            false => Order::None,
        };
        let shelf = match shelves.entry(name) {
            btree_map::Entry::Occupied(shelf) => shelf.into_mut(),
            btree_map::Entry::Vacant(place) => place.insert(create(folder, name, order, n_run)?),
        };
        let state = shelf
            .state
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        match row {
            Some(row) => state.replay(row, value)?,
            None => state.open_runs(folder, name, value)?,
        }
    }
    let shelves: Vec<Shelf> = shelves.into_values().collect();
    let paths_of = |shelf: &Shelf| {
        let runs = shelf.read().runs.clone();
        let path = |run: Arc<Run>| run_path(folder, &shelf.name, run.number);
        runs.into_iter().map(path).collect::<Vec<PathBuf>>()
    };
    let paths: Vec<PathBuf> = shelves.iter().flat_map(paths_of).collect();
    if !folder.exists() {
        return Ok(shelves);
    }
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if !paths.contains(&path) {
            remove(&path);
        }
    }
    Ok(shelves)
}

impl State {
    fn replay(&mut self, row: u64, mut entries: &[u8]) -> io::Result<()> {
        if self.rows.is_empty() {
            self.rows = row..row;
        }
        self.rows.end = row + 1;
        while !entries.is_empty() {
            let entry = run::split_entry(&mut entries).ok_or(io::ErrorKind::InvalidData)?;
            self.young.insert(entry.0, entry.1);
            self.n_journal += 1;
        }
        Ok(())
    }

    fn open_runs(&mut self, folder: &Path, name: &str, numbers: &[u8]) -> io::Result<()> {
        for number in numbers.as_chunks().0 {
            let number = u32::from_be_bytes(*number);
            let run = Run::open(&run_path(folder, name, number), number)?;
            self.runs.push(Arc::new(run));
            self.next_run = self.next_run.max(number + 1);
        }
        Ok(())
    }
}

/// What cannot be removed now is swept away when the crawl is opened.
fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        tracing::warn!(path = %path.display(), %error, "cannot remove an old file");
    }
}

fn run_path(folder: &Path, name: &str, number: u32) -> PathBuf {
    folder.join(format!("{name}-{number:06}.run"))
}

/// Sorts before the rows of the journal.
fn catalogue_key(name: &str) -> Vec<u8> {
    name.as_bytes().to_vec()
}

fn row_key(name: &str, row: u64) -> Vec<u8> {
    [name.as_bytes(), b"/", &row.to_be_bytes()].concat()
}

/// The index a key is about, and the row of its journal.
fn split_key(key: &[u8]) -> Option<(&str, Option<u64>)> {
    match key.split_last_chunk::<9>() {
        Some((name, [b'/', row @ ..])) => {
            let row = u64::from_be_bytes(*row);
            Some((str::from_utf8(name).ok()?, Some(row)))
        }
        _ => Some((str::from_utf8(key).ok()?, None)),
    }
}
