//! The folder a crawl lives in: opening, locking, committing, mending.

use crate::table::{Batch, Table};
use crate::visit::Visit;
use crate::warc::{Bundle, Shelf};
use std::path::{Path, PathBuf};

/// An opened crawl folder, locked for this process.
pub struct CrawlDir {}

/// What was found damaged on opening; the rest was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The damaged file.
    pub file: PathBuf,
    /// What is wrong and what was kept, for people.
    pub what: String,
}

/// A crawl folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Exists and holds something else.
    #[error("`{}` is not a crawl", dir.display())]
    NotACrawl { dir: PathBuf },
    /// Nothing there.
    #[error("there is no crawl in `{}`", dir.display())]
    Missing { dir: PathBuf },
    /// Another process has it.
    #[error("`{}` is in use by another crawl", dir.display())]
    InUse { dir: PathBuf },
    /// Written by a newer program.
    #[error("`{}` was written by a newer version ({found}, this program knows {known})", dir.display())]
    Newer {
        dir: PathBuf,
        found: u32,
        known: u32,
    },
    /// No space left.
    #[error("no space left for `{}`", path.display())]
    Full { path: PathBuf },
    /// Any other failure of the file system.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    /// The embedded database failed.
    #[error(transparent)]
    Table(#[from] crate::table::TableError),
}

impl CrawlDir {
    /// Starts a crawl in a new or empty folder. `settings` is the caller's own text, given back by `settings`.
    pub fn create(_dir: &Path, _settings: &str) -> Result<CrawlDir, StoreError> {
        todo!()
    }
    /// Opens an existing crawl, undoing what was not committed, and says what is damaged.
    pub fn open(_dir: &Path) -> Result<(CrawlDir, Vec<Damage>), StoreError> {
        todo!()
    }
    /// The settings given at creation.
    pub fn settings(&self) -> &str {
        todo!()
    }
    /// A table by name, made when new.
    pub fn table(&self, _name: &str) -> Result<Table, StoreError> {
        todo!()
    }
    /// An empty batch.
    pub fn batch(&self) -> Batch {
        todo!()
    }
    /// Applies a batch at once; durable with the next commit.
    pub fn apply(&self, _batch: Batch) -> Result<(), StoreError> {
        todo!()
    }
    /// Queues a packed exchange for the WARC file; durable with the next commit.
    pub fn archive(&mut self, _bundle: &Bundle) -> Result<Shelf, StoreError> {
        todo!()
    }
    /// Queues a record for the visit log; durable with the next commit.
    pub fn record(&mut self, _visit: Visit) {
        todo!()
    }
    /// The group commit: WARC synced, visits synced, then `batch`, in this order, all or nothing.
    pub fn commit(&mut self, _batch: Batch) -> Result<(), StoreError> {
        todo!()
    }
    /// Visits committed so far.
    pub fn n_visits(&self) -> u64 {
        todo!()
    }
}

/// Reads committed visits of a crawl folder, also while it is being written.
pub struct VisitReader {}

impl VisitReader {
    /// Opens the log of a crawl folder.
    pub fn open(_dir: &Path) -> Result<VisitReader, StoreError> {
        todo!()
    }
    /// What was damaged so far.
    pub fn damage(&self) -> &[Damage] {
        todo!()
    }
}

impl Iterator for VisitReader {
    type Item = Visit;
    /// The next committed visit; after `None`, a later call may find more.
    fn next(&mut self) -> Option<Visit> {
        todo!()
    }
}
