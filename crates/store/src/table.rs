//! Tables of keys and values on the embedded database.
//!
//! Changes applied since the last group commit live in memory only and shadow
//! the database on every read. So a crash takes back exactly what was not
//! committed, and one commit is one write of the database, however many
//! batches it holds.

mod change;
mod failure;
mod shape;

pub use shape::Shape;

use crate::crawl_dir::StoreError;
use change::Change;
use failure::{cause, describe, failure, is_damage, quietly};
use fjall::{Database, Keyspace, PersistMode};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

/// Blocks kept decoded: indexes, mostly. Other reads are random, so what does
/// not fit here is served by the page cache anyway.
const CACHE_BYTES: u64 = 16 << 20;
/// Journal on disk before the oldest tables are flushed; the least allowed.
/// All of it is read when the database is opened after a crash, and all of it
/// is in memory as well.
const JOURNAL_BYTES: u64 = 64 << 20;
/// The database would panic beyond.
const MAX_KEY: usize = u16::MAX as usize;
/// The table that belongs to this crate.
const OWN_TABLE: &str = "_store";

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
    pending: Arc<RwLock<Pending>>,
}

/// The embedded database failed; the text says at what, where and why.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TableError(pub String);

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
    handles: Mutex<BTreeMap<String, Table>>,
    pending: Arc<RwLock<Pending>>,
}

/// Applied but not committed changes, by table.
#[derive(Default)]
struct Pending {
    tables: Vec<(Keyspace, BTreeSet<Change>)>,
    bytes: usize,
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
            let next = stored.next().transpose();
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

    /// Removes a key.
    pub fn delete(&mut self, table: &Table, key: &[u8]) {
        self.push(table, Change::delete(key));
    }

    /// Number of changes in it.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Makes what it holds visible at once instead of when it is applied; as
    /// ever it is durable with the next commit, and gone after a crash before.
    pub fn settle(&mut self) -> Result<(), TableError> {
        self.check()?;
        let mut pending = self.pending.write().unwrap_or_else(PoisonError::into_inner);
        pending.apply(&mut self.changes);
        Ok(())
    }

    fn check(&self) -> Result<(), TableError> {
        let mut n_bytes = self.changes.iter().map(|(_, change)| change.key().len());
        match n_bytes.find(|n_bytes| !(1..=MAX_KEY).contains(n_bytes)) {
            Some(n_bytes) => Err(TableError(format!("a key cannot have {n_bytes} bytes"))),
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
        let open = || -> fjall::Result<(Database, Keyspace)> {
            // One worker: of two, the first leaves compactions to the second
            // and spins while one is waiting, a whole core in a busy crawl.
            let database = Database::builder(path)
                .cache_size(CACHE_BYTES)
                .max_journaling_size(JOURNAL_BYTES)
                .worker_threads(1)
                .open()?;
            let own = database.keyspace(OWN_TABLE, || Shape::Plain.options())?;
            // This crate's own entries are needed at once: whatever they
            // cannot be read from is as bad as unopened.
            for entry in own.iter() {
                entry.into_inner()?;
            }
            Ok((database, own))
        };
        let (database, own) = quietly(open)
            .ok_or_else(|| Unopened::Damaged("their bytes make no sense".to_owned()))?
            .map_err(|error| match is_damage(&error) {
                true => Unopened::Damaged(cause(&error)),
                false => Unopened::Failed(failure("open", path, &error)),
            })?;
        Ok(Tables {
            path: path.into(),
            database,
            own,
            handles: Mutex::default(),
            pending: Arc::default(),
        })
    }

    /// A table by name, made when new; its shape is that of the first time.
    pub(crate) fn table(&self, name: &str, shape: Shape) -> Result<Table, StoreError> {
        if name.is_empty() || name.len() > 200 || name.starts_with('_') {
            return Err(TableError(format!("`{name}` cannot name a table")).into());
        }
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = handles.get(name) {
            return Ok(table.clone());
        }
        let keyspace = self
            .database
            .keyspace(name, || shape.options())
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

    pub(crate) fn batch(&self) -> Batch {
        Batch {
            changes: Vec::new(),
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
        read(&self.pending).bytes
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
        for (keyspace, changes) in &read(&self.pending).tables {
            for change in changes {
                match change.value() {
                    Some(value) => write.insert(keyspace, change.key(), value),
                    None => write.remove(keyspace, change.key()),
                }
            }
        }
        write
            .commit()
            .map_err(|error| failure("write to", &self.path, &error))?;
        // Only now may readers stop seeing the pending copy.
        let mut pending = self.pending.write().unwrap_or_else(PoisonError::into_inner);
        pending.bytes = 0;
        for (_, changes) in &mut pending.tables {
            changes.clear();
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
