//! Builds the index of a crawl folder and brings it up to date.
//!
//! A page is one document, known by its URL: a later visit replaces it. Every
//! commit carries a `Mark`, the last visit that it covers; the next update
//! goes on behind it. An index whose mark is not in the log belongs to another
//! crawl, and one whose files fail their checksums is damaged: both are built
//! anew.
//!
//! Pages are read on all cores, a batch at a time, and written by one thread
//! in the order of the log: the same log, the same index. What a page calls
//! others is noted for the whole batch before any page of it is written.
//!
//! A page is filed under the places that it talks about. What the strategy
//! took its URL to be about before it was fetched is a guess, and not indexed.
//! Copies byte for byte are left out; near-copies are kept, since they may
//! differ in the address, and know what they are copies of.

mod anchors;
mod check;
mod document;
mod filing;
mod late;
mod mark;
mod moments;
mod read_only;
mod readers;
mod schema;
mod scope;
mod sheet;
mod view;

use crate::look::Look;
use crate::remembered::Remembered;
use crate::words::Cutter;
use crate::workers::Workers;
use anchors::Anchors;
use document::Document;
use filing::Filing;
use mark::Mark;
pub(crate) use moments::Moments;
use read_only::{Access, ReadOnly, is_forbidden, may_write, share};
use readers::Readers;
pub(crate) use schema::{Fields, Stored, name};
pub(crate) use scope::{Point, Share};
use sheet::Sheet;
use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::crawl_dir::{StoreError, VisitReader};
use store::visit::{Likeness, Visit};
use tantivy::indexer::{IndexWriter, IndexWriterOptions};
use tantivy::{IndexReader, ReloadPolicy, TantivyError};

/// Memory of the one thread that writes: enough for all pages between two
/// commits. Smaller pieces have to be merged more often.
const WRITER_BYTES: usize = 256 << 20;
/// Visits after which a long build commits: what is lost when it is stopped,
/// and how many replacements wait in memory.
const VISITS_PER_COMMIT: u64 = 80_000;
/// How often the texts of links to a page count beside its own.
const ANCHOR_TIMES: u32 = 2;
/// Pages that are read together.
const BATCH: usize = 256;

/// The opened index of one crawl folder, as of its last update.
pub struct Index {
    /// Where its files are.
    pub(crate) home: PathBuf,
    pub(crate) fields: Fields,
    pub(crate) look: Arc<Look>,
    pub(crate) workers: Arc<Workers>,
    pub(crate) remembered: Remembered,
    pub(crate) moments: Arc<Moments>,
    reader: IndexReader,
    tantivy: tantivy::Index,
    mark: Option<Mark>,
    access: Access,
}

/// An index cannot be opened, built or asked.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The crawl folder itself cannot be read.
    #[error(transparent)]
    Crawl(#[from] StoreError),
    /// The folder for the index cannot be made, locked or cleared.
    #[error("cannot prepare the index folder `{}`: {source}", home.display())]
    Prepare {
        /// Where the index would be.
        home: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It cannot be used, and nothing may be written there.
    #[error("the index `{}` cannot be used ({why}) and its folder may only be read", home.display())]
    ReadOnly {
        /// Where the index is, or would be.
        home: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Another process is building it, and has nothing to show yet.
    #[error("the index `{}` is being built by another process", home.display())]
    Busy {
        /// Where the index is.
        home: PathBuf,
    },
    /// It was found unusable, and building it anew failed.
    #[error("the index `{}` cannot be used ({why}) and cannot be built again: {source}", home.display())]
    Rebuild {
        /// Where the index is.
        home: PathBuf,
        /// What is wrong with the old one.
        why: String,
        /// What went wrong with the new one.
        source: Box<SearchError>,
    },
    /// It cannot be written.
    #[error("cannot write the index `{}`: {source}", home.display())]
    Write {
        /// Where the index is.
        home: PathBuf,
        /// What the index library said.
        source: TantivyError,
    },
    /// It was opened, but now cannot be read.
    #[error("cannot read the index `{}`: {source}", home.display())]
    Read {
        /// Where the index is.
        home: PathBuf,
        /// What the index library said.
        source: TantivyError,
    },
}

/// Why an index on disk is not used.
#[derive(Debug, thiserror::Error)]
enum Flaw {
    #[error("there is none")]
    Missing,
    #[error("it was built by another version")]
    OtherVersion,
    #[error("it belongs to another crawl")]
    OtherCrawl,
    #[error("its file `{}` is damaged", .0.display())]
    Checksum(PathBuf),
    /// Said by what other sites call its pages.
    #[error("{0}")]
    Anchors(String),
    #[error("{0}")]
    Unreadable(#[from] TantivyError),
}

impl Index {
    /// Opens the index in `dir/index`, building it if there is none that can be used, and adds the visits since.
    ///
    /// While another process does the same, opens what that one has committed;
    /// where nothing may be written, what is there.
    ///
    /// `hear` is told how many visits are covered, again and again.
    pub fn open_or_build(dir: &Path, hear: &mut dyn FnMut(u64)) -> Result<Index, SearchError> {
        Index::open_or_mend(dir, hear, &mut |_| {})
    }

    /// The same; `say` is told what is wrong with an index before it is built anew.
    pub fn open_or_mend(
        dir: &Path,
        hear: &mut dyn FnMut(u64),
        say: &mut dyn FnMut(&str),
    ) -> Result<Index, SearchError> {
        // First of all, so that nothing is made in a folder without a crawl.
        VisitReader::open(dir)?;
        let home = dir.join("index");
        let _lock = match lock(&home).map_err(|source| prepare(&home, source))? {
            Hold::Ours(lock) => lock,
            Hold::Others => {
                let index = Index::open(dir, &home, Access::Full);
                return index.map_err(|_| SearchError::Busy { home });
            }
            Hold::Nobodys => {
                let index = Index::open(dir, &home, Access::ReadOnly);
                let refuse = |flaw: Flaw| SearchError::ReadOnly {
                    home,
                    why: flaw.to_string(),
                };
                return index.map_err(refuse);
            }
        };
        let flaw = match Index::open(dir, &home, Access::Full) {
            Ok(mut index) => {
                let caught_up = index.catch_up(dir, hear);
                match caught_up.and_then(|()| index.hear_late(dir)) {
                    Ok(()) => return Ok(index),
                    // The only tables there are.
                    Err(SearchError::Crawl(StoreError::Table(error))) => {
                        Flaw::Anchors(error.to_string())
                    }
                    Err(error) => return Err(error),
                }
            }
            Err(Flaw::Missing) => return Index::build(dir, &home, hear),
            Err(flaw) => flaw,
        };
        let why = flaw.to_string();
        say(&why);
        Index::build(dir, &home, hear).map_err(|error| SearchError::Rebuild {
            home,
            why,
            source: Box::new(error),
        })
    }

    /// Builds the index anew, whatever is there.
    pub fn rebuild(dir: &Path, hear: &mut dyn FnMut(u64)) -> Result<Index, SearchError> {
        VisitReader::open(dir)?;
        let home = dir.join("index");
        let lock = lock(&home).map_err(|source| prepare(&home, source))?;
        match lock {
            Hold::Ours(_lock) => Index::build(dir, &home, hear),
            Hold::Others => Err(SearchError::Busy { home }),
            Hold::Nobodys => Err(SearchError::ReadOnly {
                home,
                why: "it is to be built anew".into(),
            }),
        }
    }

    /// Adds what was visited since it was opened, unless another process does;
    /// whether there was anything.
    pub fn update(&mut self, dir: &Path) -> Result<bool, SearchError> {
        let before = self.n_visits();
        let lock = lock(&self.home).map_err(|source| prepare(&self.home, source))?;
        match lock {
            Hold::Ours(_lock) => self.catch_up(dir, &mut |_| {})?,
            Hold::Others | Hold::Nobodys => self.look_again()?,
        }
        Ok(self.n_visits() > before)
    }

    /// Whether it stays as it is because nothing may be written where it is.
    pub fn is_read_only(&self) -> bool {
        self.access == Access::ReadOnly
    }

    /// How many visits of the log it covers, whatever their outcome.
    pub fn n_visits(&self) -> u64 {
        self.mark.as_ref().map_or(0, |mark| mark.seq + 1)
    }

    /// How many pages can be found.
    pub fn n_pages(&self) -> u64 {
        self.look.searcher.num_docs()
    }

    /// Opens what is on disk, if all of it is as it was written.
    fn open(dir: &Path, home: &Path, access: Access) -> Result<Index, Flaw> {
        let folder = home.join("tantivy");
        if !folder.join("meta.json").exists() {
            return Err(Flaw::Missing);
        }
        let tantivy = match access {
            Access::Full => tantivy::Index::open_in_dir(&folder)?,
            Access::ReadOnly => tantivy::Index::open(ReadOnly::open(&folder)?)?,
        };
        if tantivy.schema() != schema::schema() {
            return Err(Flaw::OtherVersion);
        }
        check::check(&tantivy, home)?;
        let metas = tantivy.load_metas()?;
        let mark = match &metas.payload {
            Some(payload) => Some(Mark::parse(payload).ok_or(Flaw::OtherVersion)?),
            None if metas.segments.is_empty() => None,
            None => return Err(Flaw::OtherVersion),
        };
        if mark.as_ref().is_some_and(|mark| !mark.is_in(dir)) {
            return Err(Flaw::OtherCrawl);
        }
        Ok(Index {
            access,
            ..Index::over(tantivy, home, mark, None)?
        })
    }

    /// Builds it from the whole log, in place of whatever is there.
    fn build(dir: &Path, home: &Path, hear: &mut dyn FnMut(u64)) -> Result<Index, SearchError> {
        let folder = home.join("tantivy");
        for folder in [&folder, &home.join("anchors")] {
            match fs::remove_dir_all(folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(prepare(home, error));
                }
                _ => fs::create_dir(folder).map_err(|source| prepare(home, source))?,
            }
        }
        late::forget(home).map_err(|source| prepare(home, source))?;
        let mut index = schema::builder()
            .create_in_dir(&folder)
            .and_then(|tantivy| Index::over(tantivy, home, None, None))
            .map_err(|source| write_error(home, source))?;
        share(home);
        index.catch_up(dir, hear)?;
        index.hear_late(dir)?;
        Ok(index)
    }

    /// Over what is on disk; what was made for an earlier one serves again.
    fn over(
        tantivy: tantivy::Index,
        home: &Path,
        mark: Option<Mark>,
        earlier: Option<&Index>,
    ) -> Result<Index, TantivyError> {
        schema::register(&tantivy);
        let reader = tantivy
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let fields = Fields::of(&tantivy.schema())?;
        Ok(Index {
            home: home.to_path_buf(),
            fields,
            look: Arc::new(Look::at(
                &reader,
                fields,
                earlier.map(|index| &*index.look),
            )?),
            workers: earlier.map_or_else(Arc::default, |index| Arc::clone(&index.workers)),
            remembered: Remembered::default(),
            moments: earlier.map_or_else(Arc::default, |index| Arc::clone(&index.moments)),
            reader,
            tantivy,
            mark,
            access: earlier.map_or(Access::Full, |index| index.access),
        })
    }

    /// Adds the visits behind the mark.
    fn catch_up(&mut self, dir: &Path, hear: &mut dyn FnMut(u64)) -> Result<(), SearchError> {
        let mut visits = VisitReader::open_at(dir, self.n_visits())?.peekable();
        if visits.peek().is_none() {
            return Ok(());
        }
        let anchors = Anchors::open(&self.home.join("anchors"))?;
        self.write(dir, &anchors, visits, hear)?;
        self.look_again()
    }

    /// Sees what was written since.
    fn look_again(&mut self) -> Result<(), SearchError> {
        let reloaded = self.reader.reload();
        let look = reloaded.and_then(|()| Look::at(&self.reader, self.fields, Some(&self.look)));
        self.look = Arc::new(look.map_err(|source| write_error(&self.home, source))?);
        share(&self.home);
        self.remembered = Remembered::default();
        Ok(())
    }

    fn write(
        &mut self,
        dir: &Path,
        anchors: &Anchors,
        mut visits: impl Iterator<Item = Visit>,
        hear: &mut dyn FnMut(u64),
    ) -> Result<(), SearchError> {
        let home = self.home.clone();
        let failed = |source| write_error(&home, source);
        let had = self.mark.is_none().then(HashSet::new);
        let writer = self.writer().map_err(failed)?;
        std::thread::scope(|scope| {
            let readers = Readers::start(scope, dir);
            let mut work = Work::new(writer, had);
            let mut n_waiting = 0;
            loop {
                let batch: Vec<Visit> = visits.by_ref().take(BATCH).collect();
                let Some(last) = batch.last() else {
                    break;
                };
                n_waiting += batch.len() as u64;
                self.mark = Some(Mark::of(last));
                let findable = batch.into_iter().filter(is_findable);
                let mut sheets = readers.read(findable.collect());
                let noted = sheets.iter_mut().flat_map(|sheet| sheet.noted.drain(..));
                anchors.note(noted.collect())?;
                self.add(&mut work, anchors, sheets)?;
                hear(self.n_visits());
                if n_waiting >= VISITS_PER_COMMIT {
                    self.commit(&mut work.writer).map_err(failed)?;
                    n_waiting = 0;
                }
            }
            if n_waiting > 0 {
                self.commit(&mut work.writer).map_err(failed)?;
            }
            work.writer.wait_merging_threads().map_err(failed)
        })
    }

    fn writer(&self) -> Result<IndexWriter<Document>, TantivyError> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .memory_budget_per_thread(WRITER_BYTES)
            .num_merge_threads(1)
            .build();
        self.tantivy.writer_with_options(options)
    }

    /// Adds some pages.
    fn add(
        &self,
        work: &mut Work,
        anchors: &Anchors,
        sheets: Vec<Sheet>,
    ) -> Result<(), SearchError> {
        for sheet in sheets {
            if may_have(&mut work.had, &sheet) {
                work.writer.delete_term(self.fields.key(&sheet.visit.url));
            }
            if !is_shown(&sheet.visit) {
                continue;
            }
            let in_links = match &sheet.url {
                Some(url) => anchors.to(url)?,
                None => anchors::InLinks::default(),
            };
            let texts = in_links.texts.join(" \n ");
            let mut stems = String::new();
            work.cutter
                .add_stems(&mut stems, &texts, &sheet.language, ANCHOR_TIMES);
            let n_domains = in_links.n_domains;
            let document = self
                .fields
                .document(sheet, stems, n_domains, &mut work.filing);
            let added = work.writer.add_document(document);
            added.map_err(|source| write_error(&self.home, source))?;
        }
        Ok(())
    }

    fn commit(&self, writer: &mut IndexWriter<Document>) -> Result<(), TantivyError> {
        let mut commit = writer.prepare_commit()?;
        if let Some(mark) = &self.mark {
            commit.set_payload(&mark.to_string());
        }
        commit.commit()?;
        Ok(())
    }
}

/// An empty index in memory.
#[cfg(test)]
pub(crate) fn in_memory() -> tantivy::Index {
    let index = schema::builder().create_in_ram().expect("the schema holds");
    schema::register(&index);
    index
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index")
            .field("home", &self.home)
            .field("n_visits", &self.n_visits())
            .finish_non_exhaustive()
    }
}

/// What pages are added with.
struct Work {
    writer: IndexWriter<Document>,
    had: Had,
    cutter: Cutter,
    filing: Filing,
}

impl Work {
    fn new(writer: IndexWriter<Document>, had: Had) -> Work {
        Work {
            writer,
            had,
            cutter: Cutter::new(),
            filing: Filing::default(),
        }
    }
}

/// Short fingerprints of the pages in an index that is built from nothing; none
/// if it may have any page.
type Had = Option<HashSet<u64>>;

/// Fingerprints that are kept: some 70 MB.
const MOST_HAD: usize = 4 << 20;

/// Whether the index may have a page already; it will from now on. To look for
/// one in all segments, in vain, costs a hundredth of indexing it.
fn may_have(had: &mut Had, sheet: &Sheet) -> bool {
    let is_full = had.as_ref().is_some_and(|had| had.len() == MOST_HAD);
    if is_full {
        *had = None;
    }
    match (had, &sheet.url) {
        (Some(had), Some(url)) => !had.insert(url.fingerprint().short()),
        _ => true,
    }
}

/// Whether a visit brought a page that can be found later.
///
/// A failed visit says nothing about the page fetched before it: the server
/// may be back tomorrow, and the archive still has the page.
fn is_findable(visit: &Visit) -> bool {
    visit.is_page() && visit.url.len() <= schema::MAX_URL_BYTES
}

/// Whether a page that was fetched can be found: it may ask not to be, also
/// after it was, and a copy byte for byte is found as what it is a copy of. Of
/// the same page on two sites either may be the original: both can be found.
fn is_shown(visit: &Visit) -> bool {
    let is_copy = visit
        .copy
        .is_some_and(|copy| copy.likeness == Likeness::Exact);
    !visit.noindex && !is_copy
}

/// Held by the one process that may write the index.
struct Lock(File);

impl Drop for Lock {
    /// Unlocks by its own call: closing the file alone leaves it locked while
    /// a copy of its handle lives, such as a child process has until it starts.
    fn drop(&mut self) {
        // A failure leaves the lock to the closing of the file, right after.
        let _ = self.0.unlock();
    }
}

/// Who may build an index now.
enum Hold {
    /// We may, as long as we have the lock.
    Ours(Lock),
    /// Another process has it.
    Others,
    /// Nobody may who is not allowed to write there.
    Nobodys,
}

/// Takes the lock on building.
fn lock(home: &Path) -> io::Result<Hold> {
    let file = fs::create_dir_all(home).and_then(|()| File::create(home.join("lock")));
    let file = match file {
        Ok(file) => file,
        Err(error) if is_forbidden(&error) => return Ok(Hold::Nobodys),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Ok(()) if may_write(home)? && may_write(&home.join("tantivy"))? => {
            Ok(Hold::Ours(Lock(file)))
        }
        Ok(()) => Ok(Hold::Nobodys),
        Err(TryLockError::WouldBlock) => Ok(Hold::Others),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn prepare(home: &Path, source: io::Error) -> SearchError {
    let home = home.to_path_buf();
    SearchError::Prepare { home, source }
}

fn write_error(home: &Path, source: TantivyError) -> SearchError {
    let home = home.to_path_buf();
    SearchError::Write { home, source }
}
