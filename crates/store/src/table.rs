//! Tables of keys and values on the embedded database.
//!
//! Changes applied since the last group commit live in memory only and shadow
//! the database on every read. So a crash takes back exactly what was not
//! committed, and one commit is one write of the database, however many
//! batches it holds.

mod change;
mod failure;
mod survey;

use crate::crawl_dir::StoreError;
use crate::file::io_error;
use crate::index::{self, Index, Key, Order, Shelf, Short};
use crate::line::{Heap, Line, Place, open_heap};
use change::Change;
pub(crate) use failure::is_damaged_file;
use failure::{cause, describe, failure, is_damage, quietly};
use fjall::config::{CompressionPolicy, PartitioningPolicy, PinningPolicy};
use fjall::{Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use survey::{STAMP, look_at_files, look_at_stamps, stamp_key};

/// Blocks kept decoded: indexes, mostly. Other reads are random, so what does
/// not fit here is served by the page cache anyway.
const CACHE_BYTES: u64 = 16 << 20;
/// Journal on disk before the oldest tables are flushed; the least allowed.
/// All of it is read when the database is opened after a crash, and all of it
/// is in memory as well.
const JOURNAL_BYTES: u64 = 64 << 20;
/// Write buffer of a table.
const TABLE_BUFFER: u64 = 8 << 20;
/// The database would panic beyond.
const MAX_KEY: usize = u16::MAX as usize;
/// The table that belongs to this crate.
const OWN_TABLE: &str = "_store";
/// What the database knows of indexes: their runs, and what is in none.
const INDEX_TABLE: &str = "_index";
/// The folder of runs, beside the database's own files.
const RUNS: &str = "runs";
/// The folder of rows.
const ROWS: &str = "rows";
/// What keys of this crate begin with that tell how far a heap is committed.
const HEAP: &str = "heap/";

/// A key and its value.
pub type Entry = (Vec<u8>, Vec<u8>);

/// A handle on one table; cheap to clone.
#[derive(Clone)]
pub struct Table {
    table_idx: usize,
    keyspace: Keyspace,
    /// Of the database, for messages.
    path: Arc<Path>,
    pending: Arc<RwLock<Pending>>,
}

/// Changes that become visible together.
pub struct Batch {
    changes: Vec<(usize, Change)>,
    notes: Vec<(usize, Key, Short)>,
    pending: Arc<RwLock<Pending>>,
}

/// The embedded database failed; the text says at what, where and why.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct TableError {
    text: String,
    /// What is wrong with the files, in words; none where nothing is.
    damage: Option<String>,
}

impl TableError {
    /// The files may be as good as ever.
    pub(crate) fn failed(text: String) -> TableError {
        TableError { text, damage: None }
    }

    /// The files make no sense.
    pub(crate) fn damaged(what: &str, folder: &Path, cause: &str) -> TableError {
        TableError {
            text: format!(
                "cannot {what} the tables in `{}`: {cause}",
                folder.display()
            ),
            damage: Some(cause.to_owned()),
        }
    }

    /// A file that could not be read, which may be its own fault.
    pub(crate) fn of_file(what: &str, folder: &Path, error: &io::Error) -> TableError {
        let cause = match error.kind() {
            io::ErrorKind::UnexpectedEof => "a file ends too early".to_owned(),
            _ => error.to_string(),
        };
        match is_damaged_file(error) {
            true => TableError::damaged(what, folder, &cause),
            false => {
                let folder = folder.display();
                TableError::failed(format!("cannot {what} the tables in `{folder}`: {cause}"))
            }
        }
    }

    /// What is wrong with the files, where they are at fault.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }
}

/// Why the database could not be opened.
#[derive(Debug)]
pub(crate) enum Unopened {
    /// Its files make no sense; the cause, in words.
    Damaged(String),
    /// The environment's fault: its files may be as good as ever.
    Failed(StoreError),
}

/// The database of one crawl, with what is not written to it yet.
pub(crate) struct Tables {
    path: Arc<Path>,
    database: Database,
    own: Keyspace,
    journal: Keyspace,
    handles: Mutex<BTreeMap<String, Table>>,
    pending: Arc<RwLock<Pending>>,
    /// New entries of an index that become a run.
    n_run: usize,
    /// Number of the last commit that changed anything.
    n_commits: AtomicU64,
    /// Met where nobody waited for an answer.
    damage: OnceLock<String>,
}

/// Applied but not committed changes, by table.
#[derive(Default)]
struct Pending {
    tables: Vec<(Keyspace, BTreeSet<Change>)>,
    bytes: usize,
    /// Of all indexes; they know themselves what is not committed.
    shelves: Vec<Arc<Shelf>>,
    /// Of all lines; so do they.
    heaps: Vec<Arc<Heap>>,
}

impl Table {
    /// One value.
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, TableError> {
        if let Some(change) = read(&self.pending).change(self.table_idx, key) {
            return Ok(change.value().map(<[u8]>::to_vec));
        }
        let value = self
            .keyspace
            .get(key)
            .map_err(|error| self.unreadable(&error))?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// Whether a key is there.
    pub fn has(&self, key: &[u8]) -> Result<bool, TableError> {
        if let Some(change) = read(&self.pending).change(self.table_idx, key) {
            return Ok(change.value().is_some());
        }
        self.keyspace
            .contains_key(key)
            .map_err(|error| self.unreadable(&error))
    }

    /// At most `n` entries whose key starts with `prefix` and is greater than `after`, in order.
    ///
    /// Deleted entries at the front cost time until the database compacts them
    /// away: whoever pops from the front does well to pass the last popped key
    /// as `after`.
    pub fn scan(
        &self,
        prefix: &[u8],
        after: Option<&[u8]>,
        n: usize,
    ) -> Result<Vec<Entry>, TableError> {
        let mut found = Vec::new();
        let Some(range) = range_of(prefix, after) else {
            return Ok(found);
        };
        let pending = read(&self.pending);
        let bounds = (as_slice(&range.0), as_slice(&range.1));
        let mut fresh = pending.tables[self.table_idx]
            .1
            .range::<[u8], _>(bounds)
            .peekable();
        let mut stored = self.keyspace.range(range).map(fjall::Guard::into_inner);
        let mut read_stored = || {
            let is_ours = |entry: &fjall::Result<fjall::KvPair>| match entry {
                Ok((key, _)) => &**key != STAMP,
                Err(_) => true,
            };
            let next = stored.by_ref().find(is_ours).transpose();
            next.map_err(|error| self.unreadable(&error))
        };
        let mut next_stored = read_stored()?;
        while found.len() < n {
            let stored_key = next_stored.as_ref().map(|(key, _)| &**key);
            let change = fresh.next_if(|change| stored_key.is_none_or(|at| change.key() <= at));
            let Some(change) = change else {
                let Some((key, value)) = next_stored.take() else {
                    break;
                };
                next_stored = read_stored()?;
                found.push((key.to_vec(), value.to_vec()));
                continue;
            };
            if stored_key == Some(change.key()) {
                next_stored = read_stored()?;
            }
            if let Some(value) = change.value() {
                found.push((change.key().to_vec(), value.to_vec()));
            }
        }
        Ok(found)
    }

    fn unreadable(&self, error: &fjall::Error) -> TableError {
        describe("read", &self.path, error)
    }
}

impl Batch {
    /// Sets a value.
    pub fn put(&mut self, table: &Table, key: &[u8], value: &[u8]) {
        self.push(table, Change::put(key, value));
    }

    /// Sets the value of a key that is not there. Should it be removed again
    /// before the next commit, the database never hears of it.
    pub fn put_new(&mut self, table: &Table, key: &[u8], value: &[u8]) {
        self.push(table, Change::put_new(key, value));
    }

    /// Sets an entry of an index.
    pub fn note(&mut self, index: &Index, key: Key, value: Short) {
        self.notes.push((index.nth, key, value));
    }

    /// Sets a row of a line; returns where it stays.
    pub fn put_row(&mut self, line: &Line, key: Key, row: &[u8]) -> Place {
        let place = line.keep(row);
        self.note(&line.index, key, Short::of(&[&place]));
        place
    }

    /// Takes a row out of a line.
    pub fn remove_row(&mut self, line: &Line, key: Key) {
        self.note(&line.index, key, Short::GONE);
    }

    /// Removes a key.
    pub fn delete(&mut self, table: &Table, key: &[u8]) {
        self.push(table, Change::delete(key));
    }

    /// Number of changes in it.
    pub fn len(&self) -> usize {
        self.changes.len() + self.notes.len()
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes what it holds visible at once instead of when it is applied; as
    /// ever it is durable with the next commit, and gone after a crash before.
    pub fn settle(&mut self) -> Result<(), TableError> {
        self.check()?;
        let mut pending = self.pending.write().unwrap_or_else(PoisonError::into_inner);
        pending.apply(&mut self.changes);
        for (nth, key, value) in self.notes.drain(..) {
            pending.shelves[nth].put(key, value);
        }
        Ok(())
    }

    fn check(&self) -> Result<(), TableError> {
        let mut n_bytes = self.changes.iter().map(|(_, change)| change.key().len());
        match n_bytes.find(|n_bytes| !(1..=MAX_KEY).contains(n_bytes)) {
            Some(n_bytes) => Err(TableError::failed(format!(
                "a key cannot have {n_bytes} bytes"
            ))),
            None => Ok(()),
        }
    }

    fn push(&mut self, table: &Table, change: Change) {
        debug_assert!(
            Arc::ptr_eq(&self.pending, &table.pending),
            "a batch and its tables belong to one crawl"
        );
        self.changes.push((table.table_idx, change));
    }
}

impl Pending {
    fn change(&self, table_idx: usize, key: &[u8]) -> Option<&Change> {
        self.tables[table_idx].1.get(key)
    }

    fn apply(&mut self, changes: &mut Vec<(usize, Change)>) {
        for (table_idx, mut change) in changes.drain(..) {
            let table = &mut self.tables[table_idx].1;
            // Only a removal that waits to be written can be there.
            if change.is_new() && table.contains(change.key()) {
                change.make_old();
            }
            let is_deletion = change.is_deletion();
            self.bytes += change.n_bytes();
            // What it replaces is counted no more.
            let Some(old) = table.replace(change) else {
                continue;
            };
            self.bytes -= old.n_bytes();
            if is_deletion && old.is_new() {
                let last = table.take(old.key());
                self.bytes -= last.map_or(0, |last| last.n_bytes());
            }
        }
    }
}

impl Tables {
    /// Opens the database at `path`, made when missing.
    pub(crate) fn open(path: &Path) -> Result<Tables, Unopened> {
        Tables::open_with_runs_of(path, index::RUN)
    }

    /// The same where so many new entries of an index become a run.
    pub(crate) fn open_with_runs_of(path: &Path, n_run: usize) -> Result<Tables, Unopened> {
        let open = || -> fjall::Result<(Database, Keyspace, Keyspace, u64, Pending)> {
            make_whole(path)?;
            look_at_files(path)?;
            let database = open_database(path)?;
            let own = database.keyspace(OWN_TABLE, options)?;
            let n_commits = look_at_stamps(&database, &own, OWN_TABLE, options)?;
            // This crate's own entries are needed at once: whatever they
            // cannot be read from is as bad as unopened.
            let mut heaps = Vec::new();
            for entry in own.iter() {
                let (key, value) = entry.into_inner()?;
                if let Some((name, end)) = split_heap(&key, &value) {
                    heaps.push(Arc::new(open_heap(&path.join(ROWS), name, end)?));
                }
            }
            let journal = database.keyspace(INDEX_TABLE, options)?;
            let mut known = Vec::new();
            for entry in journal.iter() {
                let (key, value) = entry.into_inner()?;
                if &*key != STAMP {
                    known.push((key.to_vec(), value.to_vec()));
                }
            }
            let shelves = index::open_all(&path.join(RUNS), &known, n_run)?;
            let pending = Pending {
                shelves: shelves.into_iter().map(Arc::new).collect(),
                heaps,
                ..Pending::default()
            };
            Ok((database, own, journal, n_commits, pending))
        };
        let (database, own, journal, n_commits, pending) = quietly(open)
            .ok_or_else(|| Unopened::Damaged("their bytes make no sense".to_owned()))?
            .map_err(|error| match is_damage(&error) {
                true => Unopened::Damaged(cause(&error)),
                false => Unopened::Failed(failure("open", path, &error)),
            })?;
        Ok(Tables {
            path: path.into(),
            database,
            own,
            journal,
            handles: Mutex::default(),
            pending: Arc::new(RwLock::new(pending)),
            n_run,
            n_commits: AtomicU64::new(n_commits),
            damage: OnceLock::new(),
        })
    }

    /// A table by name, made when new.
    pub(crate) fn table(&self, name: &str) -> Result<Table, StoreError> {
        if name.is_empty() || name.len() > 200 || name.starts_with('_') {
            return Err(TableError::failed(format!("`{name}` cannot name a table")).into());
        }
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = handles.get(name) {
            return Ok(table.clone());
        }
        let keyspace = self
            .database
            .keyspace(name, options)
            .map_err(|error| failure("open a table of", &self.path, &error))?;
        let mut pending = self.pending.write().unwrap_or_else(PoisonError::into_inner);
        pending.tables.push((keyspace.clone(), BTreeSet::new()));
        let table = Table {
            table_idx: pending.tables.len() - 1,
            keyspace,
            path: Arc::clone(&self.path),
            pending: Arc::clone(&self.pending),
        };
        handles.insert(name.to_owned(), table.clone());
        Ok(table)
    }

    /// An index without order by name, made when new.
    pub(crate) fn index(&self, name: &str) -> Result<Index, StoreError> {
        let is_ordered = name.ends_with(index::ORDERED);
        if name.is_empty() || name.len() > 200 || name.contains('/') || is_ordered {
            return Err(TableError::failed(format!("`{name}` cannot name an index")).into());
        }
        self.index_with(name, Order::None)
    }

    /// An index with an order by name, made when new.
    pub(crate) fn ordered_index(&self, name: &str) -> Result<Index, StoreError> {
        if name.is_empty() || name.len() > 200 || name.contains('/') {
            return Err(TableError::failed(format!("`{name}` cannot name an index")).into());
        }
        self.index_with(&format!("{name}{}", index::ORDERED), Order::ByKey)
    }

    /// A line by name, made when new.
    pub(crate) fn line(&self, name: &str) -> Result<Line, StoreError> {
        let index = self.ordered_index(name)?;
        let mut pending = self.pending.write().unwrap_or_else(PoisonError::into_inner);
        let heaps = &mut pending.heaps;
        let heap = match heaps.iter().find(|heap| heap.name() == name) {
            Some(heap) => Arc::clone(heap),
            None => {
                let folder = self.path.join(ROWS);
                let heap = open_heap(&folder, name, 0);
                let heap = Arc::new(heap.map_err(|error| io_error("create", &folder, error))?);
                heaps.push(Arc::clone(&heap));
                heap
            }
        };
        Ok(Line { index, heap })
    }

    fn index_with(&self, name: &str, order: Order) -> Result<Index, StoreError> {
        let mut pending = self.pending.write().unwrap_or_else(PoisonError::into_inner);
        let shelves = &mut pending.shelves;
        let nth = match shelves.iter().position(|shelf| shelf.name() == name) {
            Some(nth) => nth,
            None => {
                let folder = self.path.join(RUNS);
                let shelf = index::create(&folder, name, order, self.n_run);
                let shelf = shelf.map_err(|error| io_error("create", &folder, error))?;
                shelves.push(Arc::new(shelf));
                shelves.len() - 1
            }
        };
        Ok(Index::new(nth, Arc::clone(&shelves[nth])))
    }

    pub(crate) fn batch(&self) -> Batch {
        Batch {
            changes: Vec::new(),
            notes: Vec::new(),
            pending: Arc::clone(&self.pending),
        }
    }

    /// Makes a batch visible; it reaches the disk with the next `flush`.
    pub(crate) fn apply(&self, mut batch: Batch) -> Result<(), StoreError> {
        debug_assert!(
            Arc::ptr_eq(&self.pending, &batch.pending),
            "a batch is applied to the crawl it was made for"
        );
        batch.settle()?;
        Ok(())
    }

    /// Memory held by changes that are not on disk.
    pub(crate) fn pending_bytes(&self) -> usize {
        let pending = read(&self.pending);
        let noted = pending.shelves.iter().map(|shelf| shelf.pending_bytes());
        let kept = pending.heaps.iter().map(|heap| heap.pending_bytes());
        pending.bytes + noted.chain(kept).sum::<usize>()
    }

    /// Writes and syncs all pending changes and `own` entries, all or nothing.
    pub(crate) fn flush(&self, own: &[Entry]) -> Result<(), StoreError> {
        let mut write = self
            .database
            .batch()
            .durability(Some(PersistMode::SyncData));
        for (key, value) in own {
            write.insert(&self.own, key.as_slice(), value.as_slice());
        }
        let (shelves, heaps) = {
            let pending = read(&self.pending);
            (pending.shelves.clone(), pending.heaps.clone())
        };
        for heap in &heaps {
            if let Some(end) = heap.write_pending()? {
                let key = [HEAP, heap.name()].concat();
                write.insert(&self.own, key, end.to_le_bytes());
            }
        }
        for (key, value) in shelves.iter().filter_map(|shelf| shelf.next_row()) {
            write.insert(&self.journal, key, value);
        }
        let n_commits = self.n_commits.load(Ordering::Relaxed) + 1;
        if shelves.iter().any(|shelf| shelf.next_row().is_some()) {
            self.stamp(&mut write, &self.journal, n_commits);
        }
        for (keyspace, changes) in &read(&self.pending).tables {
            if !changes.is_empty() {
                self.stamp(&mut write, keyspace, n_commits);
            }
            for change in changes {
                match change.value() {
                    Some(value) => write.insert(keyspace, change.key(), value),
                    None => write.remove(keyspace, change.key()),
                }
            }
        }
        write.commit().map_err(|error| self.unwritable(&error))?;
        self.n_commits.store(n_commits, Ordering::Relaxed);
        // Only now may readers stop seeing the pending copy.
        let mut pending = self.pending.write().unwrap_or_else(PoisonError::into_inner);
        pending.bytes = 0;
        for (_, changes) in &mut pending.tables {
            changes.clear();
        }
        drop(pending);
        for heap in heaps {
            heap.committed();
        }
        for shelf in &shelves {
            shelf.committed();
        }
        for shelf in shelves {
            if let Err(error) = shelf.tidy(&mut |changes| self.rewrite(changes)) {
                let _ = self.damage.set(error.damage.unwrap_or(error.text));
            }
        }
        Ok(())
    }

    /// What was found damaged by work behind the crawl's back.
    pub(crate) fn damage(&self) -> Result<(), TableError> {
        match self.damage.get() {
            Some(cause) => Err(TableError::damaged("read", &self.path, cause)),
            None => Ok(()),
        }
    }

    /// Notes in a table, and among this crate's own entries, that this commit
    /// changes it.
    fn stamp(&self, write: &mut OwnedWriteBatch, keyspace: &Keyspace, n_commits: u64) {
        let value = n_commits.to_le_bytes();
        write.insert(keyspace, STAMP, value);
        write.insert(&self.own, stamp_key(keyspace.name()), value);
    }

    /// Why nothing can be written any more. The database does not say what
    /// its threads met that move tables behind the crawl's back: where it is
    /// damage, reading everything meets it again.
    fn unwritable(&self, error: &fjall::Error) -> StoreError {
        let told = failure("write to", &self.path, error);
        if !matches!(error, fjall::Error::Poisoned) || matches!(told, StoreError::Full { .. }) {
            return told;
        }
        let read_all = || -> fjall::Result<()> {
            for name in self.database.list_keyspace_names() {
                for entry in self.database.keyspace(&name, options)?.iter() {
                    entry.into_inner()?;
                }
            }
            Ok(())
        };
        match quietly(read_all) {
            Some(Err(error)) if is_damage(&error) => describe("read", &self.path, &error).into(),
            Some(_) => told,
            None => TableError::damaged("read", &self.path, "their bytes make no sense").into(),
        }
    }

    /// Writes what the database is to know of an index.
    fn rewrite(&self, changes: Vec<index::Change>) -> Result<(), StoreError> {
        let mut write = self
            .database
            .batch()
            .durability(Some(PersistMode::SyncData));
        let n_commits = self.n_commits.load(Ordering::Relaxed) + 1;
        self.stamp(&mut write, &self.journal, n_commits);
        for (key, value) in changes {
            match value {
                Some(value) => write.insert(&self.journal, key, value),
                None => write.remove(&self.journal, key),
            }
        }
        write.commit().map_err(|error| self.unwritable(&error))?;
        self.n_commits.store(n_commits, Ordering::Relaxed);
        Ok(())
    }

    /// Writes what is young to files of its own.
    pub(crate) fn ripen(&self) -> Result<(), StoreError> {
        self.flush(&[])?;
        for name in self.database.list_keyspace_names() {
            self.database
                .keyspace(&name, options)
                .and_then(|keyspace| keyspace.rotate_memtable_and_wait())
                .map_err(|error| failure("write to", &self.path, &error))?;
        }
        Ok(())
    }

    /// One of this crate's own entries.
    pub(crate) fn own(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let value = self
            .own
            .get(key)
            .map_err(|error| failure("read", &self.path, &error))?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// This crate's own entries under a prefix.
    pub(crate) fn own_under(&self, prefix: &[u8]) -> Result<Vec<Entry>, StoreError> {
        self.own
            .prefix(prefix)
            .map(|entry| {
                let (key, value) = entry
                    .into_inner()
                    .map_err(|error| failure("read", &self.path, &error))?;
                Ok((key.to_vec(), value.to_vec()))
            })
            .collect()
    }
}

/// The heap that an entry of this crate is about, and where it ends.
fn split_heap<'a>(key: &'a [u8], value: &[u8]) -> Option<(&'a str, u64)> {
    let name = str::from_utf8(key).ok()?.strip_prefix(HEAP)?;
    Some((name, u64::from_le_bytes(value.try_into().ok()?)))
}

impl Drop for Tables {
    /// Nothing may write to the folder once somebody else can have it.
    fn drop(&mut self) {
        for shelf in &read(&self.pending).shelves {
            shelf.stop();
        }
    }
}

fn open_database(path: &Path) -> fjall::Result<Database> {
    // One worker: of two, the first leaves compactions to the second and
    // spins while one is waiting, a whole core in a busy crawl.
    Database::builder(path)
        .cache_size(CACHE_BYTES)
        .max_journaling_size(JOURNAL_BYTES)
        .worker_threads(1)
        .open()
}

/// Makes a database where there is none, all of it or nothing: one whose
/// making was cut short could not be told from a damaged one.
fn make_whole(path: &Path) -> fjall::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let half = path.with_extension("new");
    if half.exists() {
        std::fs::remove_dir_all(&half)?;
    }
    drop(open_database(&half)?);
    std::fs::rename(&half, path)?;
    Ok(())
}

fn options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .index_block_partitioning_policy(PartitioningPolicy::all(false))
        .filter_block_partitioning_policy(PartitioningPolicy::all(false))
        .index_block_pinning_policy(PinningPolicy::all(true))
        .max_memtable_size(TABLE_BUFFER)
        .data_block_compression_policy(CompressionPolicy::disabled())
}

fn read(pending: &RwLock<Pending>) -> RwLockReadGuard<'_, Pending> {
    pending.read().unwrap_or_else(PoisonError::into_inner)
}

type Range = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// Keys under `prefix` beyond `after`; none if that is an empty range.
fn range_of(prefix: &[u8], after: Option<&[u8]>) -> Option<Range> {
    let start = match after {
        Some(after) if after >= prefix && !after.starts_with(prefix) => return None,
        Some(after) if after >= prefix => Bound::Excluded(after.to_vec()),
        _ => Bound::Included(prefix.to_vec()),
    };
    // The first key beyond the prefix: its last byte that can grow, grown.
    let end = match prefix.iter().rposition(|&byte| byte < u8::MAX) {
        Some(idx) => {
            let mut end = prefix[..=idx].to_vec();
            end[idx] += 1;
            Bound::Excluded(end)
        }
        None => Bound::Unbounded,
    };
    Some((start, end))
}

fn as_slice(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}

#[cfg(test)]
mod tests;
