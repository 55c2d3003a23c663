//! Takes over what the log shows and the tables do not know.
//!
//! A group's header is filled in only after the database has the commit on
//! disk. So a group that readers can see *was* committed, and where the
//! database does not know it, the database has lost it: a damaged journal is
//! recovered up to the damage, without a word. Log and archive are then kept
//! as far as they reach, and the database learns it anew.

use super::mend::UNKNOWN;
use super::positions::{GroupPlace, Positions, sealed_key};
use super::{CrawlDir, Damage, StoreError};
use crate::file::{NumberedFiles, io_error, sync_folder};
use crate::table::{Entry, TableError, Tables, Unopened};
use crate::visit_log::{HEADER_LEN, VisitReader};
use crate::{warc, words};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Tables, and what happened if they had to be replaced by empty ones.
pub(super) struct OpenedTables {
    pub(super) tables: Tables,
    /// Why, and the name of the folder that the old ones were moved to.
    pub(super) replaced: Option<(String, String)>,
}

/// The note in the folder of tables that says why they are of no use.
const CONDEMNED: &str = "damaged";

/// Leaves word that the tables of a crawl are damaged, which shows only when
/// the damaged part is read: whoever opens the folder next sets them aside.
pub fn condemn_tables(dir: &Path, cause: &str) -> Result<(), StoreError> {
    let path = dir.join("tables").join(CONDEMNED);
    let write = || -> io::Result<()> {
        let mut file = File::create(&path)?;
        file.write_all(cause.as_bytes())?;
        file.sync_all()
    };
    write().map_err(|error| io_error("write", &path, error))
}

/// Why the tables were found to be of no use, if they were.
fn read_condemned(tables: &Path) -> Option<String> {
    let cause = fs::read(tables.join(CONDEMNED)).ok()?;
    let cause = String::from_utf8_lossy(&cause).into_owned();
    match cause.trim() {
        "" => Some("a file is damaged".to_owned()),
        _ => Some(cause),
    }
}

/// Opens the tables of a crawl so that every new entry becomes part of a run.
pub(super) fn open_ripening(dir: &Path) -> Result<Tables, StoreError> {
    let path = dir.join("tables");
    Tables::open_with_runs_of(&path, 1).map_err(|unopened| match unopened {
        Unopened::Failed(error) => error,
        Unopened::Damaged(cause) => TableError::damaged("open", &path, &cause).into(),
    })
}

/// Opens the tables of a crawl, setting damaged ones aside.
pub(super) fn open_tables(dir: &Path) -> Result<OpenedTables, StoreError> {
    let path = dir.join("tables");
    let cause = match read_condemned(&path).map_or_else(|| Tables::open(&path), condemned) {
        Ok(tables) => {
            let replaced = None;
            return Ok(OpenedTables { tables, replaced });
        }
        Err(Unopened::Failed(error)) => return Err(error),
        Err(Unopened::Damaged(cause)) => cause,
    };
    let name = (1u32..)
        .map(|number| format!("tables-damaged-{number}"))
        .find(|name| !dir.join(name).exists())
        .expect("a folder has fewer entries than there are numbers");
    fs::rename(&path, dir.join(&name)).map_err(|error| io_error("move", &path, error))?;
    sync_folder(dir)?;
    match Tables::open(&path) {
        Ok(tables) => {
            let replaced = Some((cause, name));
            Ok(OpenedTables { tables, replaced })
        }
        Err(Unopened::Failed(error)) => Err(error),
        Err(Unopened::Damaged(cause)) => {
            let path = path.display();
            let text = format!("cannot make new tables in `{path}`: {cause}");
            Err(TableError::failed(text).into())
        }
    }
}

fn condemned(cause: String) -> Result<Tables, Unopened> {
    Err(Unopened::Damaged(cause))
}

impl CrawlDir {
    /// Extends the committed positions to all that the log shows beyond
    /// them; false if that is nothing. With `None` known, all files are new.
    pub(super) fn adopt(&mut self, known: Option<&Positions>) -> Result<bool, StoreError> {
        let from = known.cloned().unwrap_or_default();
        let mut reader = VisitReader::from_place(
            &self.dir,
            from.visit_file.max(1),
            from.visit_end,
            from.n_visits,
        );
        let mut archive = (from.warc_file, from.warc_end);
        for shelf in reader.by_ref().filter_map(|visit| visit.archived) {
            let end = shelf.offset.saturating_add(u64::from(shelf.len));
            archive = archive.max((shelf.file, end));
        }
        let last = reader
            .last_group()
            .filter(|last| last.header.seqs().end > from.n_visits);
        let n_files = self.visit_files.numbers()?.len() + self.warc_files.numbers()?.len();
        if last.is_none() && (known.is_some() || n_files == 0) {
            return Ok(false);
        }
        let mut adopted = from.clone();
        if let Some(last) = last {
            adopted.n_visits = last.header.seqs().end;
            adopted.visit_end = last.end();
            if last.file != from.visit_file {
                adopted.visit_file = last.file;
                adopted.file_first_seq = last.file_first_seq;
            }
            adopted.last_group = Some(GroupPlace {
                file: last.file,
                start: last.start,
                header: last.header,
            });
        }
        self.spare_unreadable(&mut adopted)?;
        (adopted.warc_file, adopted.warc_end) = self.reach_of_archive(archive)?;
        self.committed = adopted;
        Ok(true)
    }

    /// Zeros in a header's place were never committed and may be cut off.
    /// Anything else there is damage, and not ours to delete: it is left
    /// alone, and a new file begun.
    fn spare_unreadable(&self, adopted: &mut Positions) -> Result<(), StoreError> {
        let (last_file, last_end) = (adopted.visit_file, adopted.visit_end);
        for number in self.visit_files.numbers()? {
            let start = match number {
                number if number < last_file => continue,
                number if number == last_file => last_end,
                _ => 0,
            };
            let bytes = self.visit_files.read_at(number, start, HEADER_LEN)?;
            if bytes.iter().any(|&byte| byte != 0) {
                if number != last_file {
                    adopted.file_first_seq = adopted.n_visits;
                }
                adopted.visit_file = number;
                adopted.visit_end = UNKNOWN;
            }
        }
        Ok(())
    }

    /// File and end up to which the archive is kept, at least `reach`: the
    /// request and metadata records of the last adopted visit follow it, and
    /// a whole record too many does no harm.
    fn reach_of_archive(&self, reach: (u32, u64)) -> Result<(u32, u64), StoreError> {
        let (mut file, mut end) = reach;
        if file > 0 && self.warc_files.len(file)?.is_some_and(|len| len > end) {
            end = warc::end_of_members(&self.warc_files.path(file), end)?;
        }
        let numbers = self.warc_files.numbers()?;
        for number in numbers.into_iter().filter(|&number| number > reach.0) {
            let whole = warc::end_of_members(&self.warc_files.path(number), 0)?;
            let is_whole = whole > 0 && self.warc_files.len(number)? == Some(whole);
            (file, end) = (number, if is_whole { whole } else { UNKNOWN });
        }
        Ok((file, end))
    }

    /// Lets the database know what was adopted after the positions `known`.
    pub(super) fn remember_adopted(&self, known: &Positions) -> Result<(), StoreError> {
        let mut own: Vec<Entry> = vec![(super::positions::KEY.to_vec(), self.committed.encode())];
        let mut seal = |kind, files: &NumberedFiles, from: u32, to: u32| {
            for number in from.max(1)..to {
                if let Some(len) = files.len(number)? {
                    own.push((sealed_key(kind, number), len.to_le_bytes().to_vec()));
                }
            }
            Ok::<_, StoreError>(())
        };
        let now = &self.committed;
        seal(
            "visits",
            &self.visit_files,
            known.visit_file,
            now.visit_file,
        )?;
        seal("warc", &self.warc_files, known.warc_file, now.warc_file)?;
        self.tables.flush(&own)
    }

    /// What to tell about the tables.
    pub(super) fn damage_of_tables(
        &self,
        replaced: Option<(String, String)>,
        known: Option<&Positions>,
    ) -> Damage {
        let n_visits = self.committed.n_visits;
        let kept = format!("{} and the archive were kept", words::visits(n_visits));
        let what = match (replaced, known) {
            (Some((cause, folder)), _) => {
                format!("are damaged ({cause}) and were moved to `{folder}`; {kept}")
            }
            (None, None) => format!("tables are missing; {kept}"),
            (None, Some(known)) => {
                let n_unknown = words::visits(n_visits - known.n_visits);
                format!("did not know the last {n_unknown}; log and archive were kept")
            }
        };
        let file = self.dir.join("tables");
        Damage { file, what }
    }
}
