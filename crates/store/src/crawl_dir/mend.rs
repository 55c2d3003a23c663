//! Opening a crawl: files are brought to where the database says they end.
//!
//! More bytes than that were never committed and go. Fewer mean that the disk
//! lost something: the file is left as it is, the loss reported, and writing
//! goes on in a new file.

use super::card::Card;
use super::positions::{self, Positions, read_sealed};
use super::{CrawlDir, Damage, StoreError, VISIT_FILE_BYTES};
use crate::file::{NumberedFiles, io_error};
use crate::table::Tables;
use crate::visit_log::{self, GroupHeader, HEADER_LEN, VisitReader};
use crate::warc;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The end of a file that was found short: beyond any limit, so that the next
/// record begins a new file.
const UNKNOWN: u64 = u64::MAX;

impl CrawlDir {
    pub(super) fn open_locked(
        dir: &Path,
        card: Card,
        lock: File,
    ) -> Result<(CrawlDir, Vec<Damage>), StoreError> {
        for folder in ["visits", "warc"] {
            let path = dir.join(folder);
            fs::create_dir_all(&path).map_err(|error| io_error("create", &path, error))?;
        }
        let tables = Tables::open(&dir.join("tables"))?;
        let mut crawl_dir = CrawlDir {
            dir: dir.to_path_buf(),
            settings: card.settings,
            tables,
            visit_files: visit_log::files(dir),
            warc_files: warc::files(dir),
            committed: Positions::default(),
            hidden: None,
            visits: Vec::new(),
            n_buffered: 0,
            warc: Vec::new(),
            warc_file_bytes: warc::DEFAULT_FILE_BYTES,
            visit_file_bytes: VISIT_FILE_BYTES,
            #[cfg(test)]
            fail_at: None,
            _lock: lock,
        };
        let mut damage = Vec::new();
        let known = crawl_dir.tables.own(positions::KEY)?;
        match known.as_deref().and_then(Positions::decode) {
            Some(committed) => {
                crawl_dir.committed = committed;
                crawl_dir.mend(&mut damage)?;
            }
            None => crawl_dir.start_over(&mut damage)?,
        }
        Ok((crawl_dir, damage))
    }

    fn mend(&mut self, damage: &mut Vec<Damage>) -> Result<(), StoreError> {
        for (kind, files) in [("visits", &self.visit_files), ("warc", &self.warc_files)] {
            let prefix = format!("sealed/{kind}/");
            for (key, value) in self.tables.own_under(prefix.as_bytes())? {
                if let Some((number, len)) = read_sealed(&key, &value) {
                    damage.extend(shortfall(files, number, len)?);
                }
            }
        }
        let Positions {
            visit_file,
            visit_end,
            warc_file,
            warc_end,
            ..
        } = self.committed;
        if let Some(loss) = cut_back(&mut self.warc_files, warc_file, warc_end)? {
            damage.push(loss);
            self.committed.warc_end = UNKNOWN;
        }
        let loss = cut_back(&mut self.visit_files, visit_file, visit_end)?;
        if loss.is_none() {
            self.show_last_group()?;
        }
        let (n_found, lost_visits) = VisitReader::from_file(
            &self.dir,
            visit_file.max(1),
            self.committed.file_first_seq,
            0,
        )
        .check();
        damage.extend(lost_visits);
        if let Some(mut loss) = loss {
            loss.what += &format!("; nothing after record {n_found}");
            damage.push(loss);
            self.committed.visit_end = UNKNOWN;
        }
        Ok(())
    }

    /// Writes the header of the last committed group if a crash prevented it.
    fn show_last_group(&mut self) -> Result<(), StoreError> {
        let Some(group) = self.committed.last_group else {
            return Ok(());
        };
        let end = group.start + HEADER_LEN as u64 + group.header.len;
        if self
            .visit_files
            .len(group.file)?
            .is_none_or(|len| len < end)
        {
            return Ok(());
        }
        let path = self.visit_files.path(group.file);
        let mut bytes = [0; HEADER_LEN];
        File::open(&path)
            .and_then(|file| file.read_exact_at(&mut bytes, group.start))
            .map_err(|error| io_error("read", &path, error))?;
        if GroupHeader::decode(&bytes) != Some(group.header) {
            self.show(group)?;
        }
        Ok(())
    }

    /// Positions are written when a crawl is created. Without them it was
    /// killed before that, or its database is gone.
    fn start_over(&mut self, damage: &mut Vec<Damage>) -> Result<(), StoreError> {
        let last = |files: &NumberedFiles| Ok::<_, StoreError>(files.numbers()?.pop().unwrap_or(0));
        let (visit_file, warc_file) = (last(&self.visit_files)?, last(&self.warc_files)?);
        if visit_file > 0 || warc_file > 0 {
            let (n_visits, lost) = VisitReader::from_file(&self.dir, 1, 0, 0).check();
            damage.extend(lost);
            damage.push(Damage {
                file: self.dir.join("tables"),
                what: format!("tables are missing; {n_visits} visits and the archive were kept"),
            });
            self.committed = Positions {
                n_visits,
                visit_file,
                visit_end: UNKNOWN,
                file_first_seq: n_visits,
                last_group: None,
                warc_file,
                warc_end: UNKNOWN,
            };
        }
        let entry = (positions::KEY.to_vec(), self.committed.encode());
        self.tables.flush(&[entry])
    }
}

/// Takes away what was never committed; reports a file that lacks committed bytes.
fn cut_back(
    files: &mut NumberedFiles,
    number: u32,
    end: u64,
) -> Result<Option<Damage>, StoreError> {
    for later in files.numbers()?.into_iter().filter(|&other| other > number) {
        files.remove(later)?;
    }
    if number == 0 {
        return Ok(None);
    }
    if files.len(number)?.is_some_and(|len| len > end) {
        files.truncate(number, end)?;
    }
    shortfall(files, number, end)
}

fn shortfall(files: &NumberedFiles, number: u32, end: u64) -> Result<Option<Damage>, StoreError> {
    let what = match files.len(number)? {
        Some(len) if len >= end || end == UNKNOWN => return Ok(None),
        Some(len) => format!("ends after {len} of {end} bytes; what is there was kept"),
        None => "is missing; the others were kept".to_owned(),
    };
    let file = files.path(number);
    Ok(Some(Damage { file, what }))
}
