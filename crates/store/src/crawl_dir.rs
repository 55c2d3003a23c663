//! The folder a crawl lives in: opening, locking, committing, mending.
//!
//! A commit writes in this order: WARC bytes, synced; visits, synced; then one
//! batch of the database that holds the caller's changes *and* how far the
//! files now reach, synced; last, the visits' group header, which shows them to
//! readers. On opening, files are cut back to where the database says they end,
//! and a missing header is written. So a crash at any instant leaves either all
//! of a commit or nothing of it. Only a header outranks the database: it proves
//! a commit, so visits that show one are kept even if the database lost them.
//!
//! Between commits everything waits in memory, table changes included; see
//! `buffered_bytes`.

mod adopt;
mod card;
mod mend;
mod positions;
#[cfg(test)]
mod tests;

pub use crate::file::free_space;
pub use crate::visit_log::VisitReader;
pub use adopt::condemn_tables;
pub use card::{is_in_use, read_settings};

use crate::file::NumberedFiles;
use crate::index::Index;
use crate::line::Line;
use crate::packing::Packing;
use crate::table::{Batch, Entry, Table, TableError, Tables};
use crate::visit::Visit;
use crate::visit_log::{self, GroupHeader, HEADER_LEN};
use crate::warc::{self, About, Bundle, Shelf};
use positions::{GroupPlace, Positions, sealed_key};
use std::io;
use std::path::{Path, PathBuf};

/// Size at which the next file of the visit log is begun.
const VISIT_FILE_BYTES: u64 = 256 << 20;

/// An opened crawl folder, locked for this process.
pub struct CrawlDir {
    dir: PathBuf,
    settings: String,
    packing: Packing,
    // Dropped before the lock, so that whoever gets the lock can open it.
    tables: Tables,
    visit_files: NumberedFiles,
    warc_files: NumberedFiles,
    /// As the database knows them.
    committed: Positions,
    /// A committed group whose header could not be written.
    hidden: Option<GroupPlace>,
    /// Frames of the next group.
    visits: Vec<u8>,
    n_buffered: u32,
    /// Bytes for the WARC files; several only when a file filled up meanwhile.
    warc: Vec<Stretch>,
    warc_file_bytes: u64,
    /// What every file of the archive says of the crawl.
    about: About,
    visit_file_bytes: u64,
    #[cfg(test)]
    fail_at: Option<Step>,
    _lock: card::Lock,
}

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
    NotACrawl {
        /// The folder.
        dir: PathBuf,
    },
    /// A crawl whose card is empty or garbled.
    #[error("`{}` is damaged", path.display())]
    Card {
        /// Its `crawl.json`.
        path: PathBuf,
    },
    /// Nothing there.
    #[error("there is no crawl in `{}`", dir.display())]
    Missing {
        /// The folder.
        dir: PathBuf,
    },
    /// A crawl is there already.
    #[error("there is already a crawl in `{}`", dir.display())]
    Exists {
        /// The folder.
        dir: PathBuf,
    },
    /// Another process has it.
    #[error("`{}` is in use by another crawl", dir.display())]
    InUse {
        /// The folder.
        dir: PathBuf,
    },
    /// Written by a newer program.
    #[error("`{}` was written by a newer version ({found}, this program knows {known})", dir.display())]
    Newer {
        /// The folder.
        dir: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format known here.
        known: u32,
    },
    /// Written by a program too old to go on from.
    #[error("`{}` was written by an older version ({found}, this program knows {known})", dir.display())]
    Older {
        /// The folder.
        dir: PathBuf,
        /// Its format.
        found: u32,
        /// The only format known here.
        known: u32,
    },
    /// No space left.
    #[error("no space left for `{}`", path.display())]
    Full {
        /// What could not be written.
        path: PathBuf,
    },
    /// Any other failure of the file system.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The embedded database failed.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl StoreError {
    /// What is wrong with the files of the tables, where they are at fault.
    pub fn damage(&self) -> Option<&str> {
        match self {
            StoreError::Table(error) => error.damage(),
            _ => None,
        }
    }
}

/// Bytes on their way into one WARC file.
struct Stretch {
    file: u32,
    start: u64,
    bytes: Vec<u8>,
}

impl Stretch {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

/// The steps of a commit, after each of which a crash must be harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    WarcWritten,
    WarcSynced,
    VisitsWritten,
    VisitsSynced,
    TablesWritten,
}

impl CrawlDir {
    /// Starts a crawl in a new or empty folder. `settings` is the caller's own text, given back by `settings`.
    pub fn create(dir: &Path, settings: &str) -> Result<CrawlDir, StoreError> {
        CrawlDir::create_packed(dir, settings, Packing::default())
    }

    /// The same, with the archive compressed in another way than the usual one.
    pub fn create_packed(
        dir: &Path,
        settings: &str,
        packing: Packing,
    ) -> Result<CrawlDir, StoreError> {
        let (card, lock) = card::create(dir, settings, packing)?;
        let (crawl_dir, _) = CrawlDir::open_locked(dir, card, lock)?;
        Ok(crawl_dir)
    }

    /// Opens an existing crawl, undoing what was not committed, and says what is damaged.
    pub fn open(dir: &Path) -> Result<(CrawlDir, Vec<Damage>), StoreError> {
        let card = card::read(dir)?;
        let lock = card::lock(dir)?;
        CrawlDir::open_locked(dir, card, lock)
    }

    /// Keeps other settings from now on.
    pub fn set_settings(&mut self, settings: &str) -> Result<(), StoreError> {
        card::change(&self.dir, settings)?;
        settings.clone_into(&mut self.settings);
        Ok(())
    }

    /// Does at once to a crawl that nobody runs what a long one does little by
    /// little: what is young in its tables is written to files of its own. For
    /// those who want to see every kind of file in a small crawl.
    pub fn ripen(dir: &Path) -> Result<(), StoreError> {
        card::read(dir)?;
        let _lock = card::lock(dir)?;
        adopt::open_ripening(dir)?.ripen()
    }

    /// The settings given at creation, or since.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// How the archive is compressed, for good; bundles must be packed this way.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Begins a new WARC file once the current one has `bytes`; 1 GiB unless set.
    pub fn set_warc_file_bytes(&mut self, bytes: u64) {
        self.warc_file_bytes = bytes;
    }

    /// Has the files of the archive that are begun from now on say more of the
    /// crawl.
    pub fn set_about(&mut self, about: About) {
        self.about = about;
    }

    /// A table by name, made when new.
    pub fn table(&self, name: &str) -> Result<Table, StoreError> {
        self.tables.table(name)
    }

    /// An index by name, made when new; it is asked for single keys.
    pub fn index(&self, name: &str) -> Result<Index, StoreError> {
        self.tables.index(name)
    }

    /// A line by name, made when new.
    pub fn line(&self, name: &str) -> Result<Line, StoreError> {
        self.tables.line(name)
    }

    /// An empty batch.
    pub fn batch(&self) -> Batch {
        self.tables.batch()
    }

    /// Applies a batch at once; durable with the next commit, and gone after a crash before it.
    pub fn apply(&self, batch: Batch) -> Result<(), StoreError> {
        self.tables.apply(batch)
    }

    /// Queues a packed exchange for the WARC file; durable with the next commit.
    pub fn archive(&mut self, bundle: &Bundle) -> Result<Shelf, StoreError> {
        debug_assert_eq!(Packing::of(&bundle.bytes), Some(self.packing));
        let (file, end) = match self.warc.last() {
            Some(stretch) => (stretch.file, stretch.end()),
            None => (self.committed.warc_file, self.committed.warc_end),
        };
        if file == 0 || end >= self.warc_file_bytes {
            let file = file + 1;
            let name = self.warc_files.name(file);
            let bytes = warc::warcinfo(&name, bundle.at, self.packing, &self.about);
            let start = 0;
            self.warc.push(Stretch { file, start, bytes });
        } else if self.warc.is_empty() {
            let (start, bytes) = (end, Vec::new());
            self.warc.push(Stretch { file, start, bytes });
        }
        let stretch = self.warc.last_mut().expect("pushed just above if empty");
        let shelf = Shelf {
            file: stretch.file,
            offset: stretch.end(),
            len: bundle.response_len,
        };
        stretch.bytes.extend_from_slice(&bundle.bytes);
        Ok(shelf)
    }

    /// Queues a record for the visit log; durable with the next commit.
    pub fn record(&mut self, mut visit: Visit) {
        visit.seq = self.committed.n_visits + u64::from(self.n_buffered);
        visit_log::push_frame(&visit, &mut self.visits);
        self.n_buffered += 1;
    }

    /// The group commit: WARC synced, visits synced, then `batch`, in this order, all or nothing.
    ///
    /// After a failure everything still waits in memory, `batch` included:
    /// committing again with an empty batch tries again. Dropping the folder
    /// instead leaves it at the previous commit.
    pub fn commit(&mut self, batch: Batch) -> Result<(), StoreError> {
        self.tables.apply(batch)?;
        if self.buffered_bytes() == 0 {
            return Ok(());
        }
        if let Some(group) = self.hidden {
            self.show(group)?;
            self.hidden = None;
        }
        let (next, sealed) = self.next_positions();
        if let Err(error) = self.write_files(&next) {
            self.undo_files();
            return Err(error);
        }
        // From here on the files are not undone: after a failed write the
        // database may or may not know of them, and opening it will tell.
        let mut own = vec![(positions::KEY.to_vec(), next.encode())];
        own.extend(sealed);
        self.tables.flush(&own)?;
        self.committed = next;
        self.warc.clear();
        self.visits.clear();
        if self.n_buffered > 0 {
            self.n_buffered = 0;
            self.show_or_remember();
        }
        Ok(self.tables.damage()?)
    }

    /// Gives up tables whose files are damaged: keeps what waits for a commit
    /// in log and archive, and leaves word for whoever opens the folder next,
    /// who sets the tables aside and works them out again.
    pub fn give_up_tables(mut self, cause: &str) -> Result<(), StoreError> {
        let batch = self.batch();
        if let Err(error) = self.commit(batch) {
            // Fetched once more, as after a crash.
            tracing::warn!(%error, "cannot keep what was fetched last");
        }
        condemn_tables(&self.dir, cause)
    }

    /// Visits committed so far.
    pub fn n_visits(&self) -> u64 {
        self.committed.n_visits
    }

    /// Memory held by what was queued and applied since the last commit; commit when it grows too large.
    pub fn buffered_bytes(&self) -> usize {
        let warc: usize = self.warc.iter().map(|stretch| stretch.bytes.len()).sum();
        warc + self.visits.len() + self.tables.pending_bytes()
    }

    /// Where the files will end once what is queued is written, and entries
    /// for the files that are thereby full.
    fn next_positions(&self) -> (Positions, Vec<Entry>) {
        let mut next = self.committed.clone();
        let mut sealed = Vec::new();
        for stretch in &self.warc {
            if stretch.file != next.warc_file && next.warc_file > 0 {
                sealed.push((sealed_key("warc", next.warc_file), next.warc_end));
            }
            next.warc_file = stretch.file;
            next.warc_end = stretch.end();
        }
        if self.n_buffered > 0 {
            if next.visit_file == 0 || next.visit_end >= self.visit_file_bytes {
                if next.visit_file > 0 {
                    sealed.push((sealed_key("visits", next.visit_file), next.visit_end));
                }
                next.visit_file += 1;
                next.visit_end = 0;
                next.file_first_seq = next.n_visits;
            }
            let header = GroupHeader {
                first_seq: next.n_visits,
                n_visits: self.n_buffered,
                len: self.visits.len() as u64,
            };
            next.last_group = Some(GroupPlace {
                file: next.visit_file,
                start: next.visit_end,
                header,
            });
            next.visit_end += HEADER_LEN as u64 + header.len;
            next.n_visits += u64::from(self.n_buffered);
        }
        let encode = |(key, len): (Vec<u8>, u64)| (key, len.to_le_bytes().to_vec());
        (next, sealed.into_iter().map(encode).collect())
    }

    fn write_files(&mut self, next: &Positions) -> Result<(), StoreError> {
        for stretch in &self.warc {
            self.warc_files
                .write_at(stretch.file, stretch.start, &stretch.bytes)?;
            self.reached(Step::WarcWritten)?;
            self.warc_files.sync(stretch.file)?;
        }
        self.reached(Step::WarcSynced)?;
        if let Some(group) = next.last_group.filter(|_| self.n_buffered > 0) {
            if next.visit_file != self.committed.visit_file && self.committed.visit_file > 0 {
                // The header of its last group was written after its last sync.
                self.visit_files.sync(self.committed.visit_file)?;
            }
            // The header's place is written as zeros now: filling it in later
            // cannot find the disk full.
            let mut bytes = vec![0; HEADER_LEN];
            bytes.extend_from_slice(&self.visits);
            self.visit_files.write_at(group.file, group.start, &bytes)?;
            self.reached(Step::VisitsWritten)?;
            self.visit_files.sync(group.file)?;
        }
        self.reached(Step::VisitsSynced)
    }

    /// Gives space back after a commit that failed before the database was asked.
    fn undo_files(&mut self) {
        let committed = self.committed.clone();
        let undo = |files: &mut NumberedFiles, number: u32, end: u64| -> Result<(), StoreError> {
            for later in files.numbers()?.into_iter().filter(|&other| other > number) {
                files.remove(later)?;
            }
            match files.len(number)? {
                Some(len) if number > 0 && len > end => files.truncate(number, end),
                _ => Ok(()),
            }
        };
        let warc = undo(
            &mut self.warc_files,
            committed.warc_file,
            committed.warc_end,
        );
        let visits = undo(
            &mut self.visit_files,
            committed.visit_file,
            committed.visit_end,
        );
        if let Err(error) = warc.and(visits) {
            // Opening the folder does the same again.
            tracing::warn!(%error, "cannot undo a failed commit now");
        }
    }

    fn show_or_remember(&mut self) {
        let Some(group) = self.committed.last_group else {
            return;
        };
        let shown = self
            .reached(Step::TablesWritten)
            .and_then(|()| self.show(group));
        if let Err(error) = shown {
            tracing::warn!(%error, "visits committed but not shown to readers yet");
            self.hidden = Some(group);
        }
    }

    /// Lets readers see a committed group.
    fn show(&mut self, group: GroupPlace) -> Result<(), StoreError> {
        self.visit_files
            .write_at(group.file, group.start, &group.header.encode())
    }

    #[cfg(not(test))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "fails in tests"
    )]
    fn reached(&self, _step: Step) -> Result<(), StoreError> {
        Ok(())
    }

    #[cfg(test)]
    fn reached(&self, step: Step) -> Result<(), StoreError> {
        match self.fail_at {
            Some(fail_at) if fail_at == step => {
                let path = self.dir.clone();
                Err(StoreError::Full { path })
            }
            _ => Ok(()),
        }
    }
}
