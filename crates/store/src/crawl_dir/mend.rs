//! Opening a crawl: files are brought to where the database says they end.
//!
//! Unless the log shows that the database forgot something: see `adopt.rs`.
//! More bytes than that were never committed and go. Fewer mean that the disk
//! lost something: the file is left as it is, the loss reported, and writing
//! goes on in a new file.

use super::adopt::{OpenedTables, open_tables};
use super::card::{Card, Lock};
use super::positions::{self, Positions, read_sealed};
use super::{CrawlDir, Damage, StoreError, VISIT_FILE_BYTES};
use crate::file::{NumberedFiles, io_error};
use crate::visit_log::{self, GroupHeader, HEADER_LEN, VisitReader};
use crate::{warc, words};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The end of a file that was found short: beyond any limit, so that the next
/// record begins a new file.
pub(super) const UNKNOWN: u64 = u64::MAX;

impl CrawlDir {
    pub(super) fn open_locked(
        dir: &Path,
        card: Card,
        lock: Lock,
    ) -> Result<(CrawlDir, Vec<Damage>), StoreError> {
        for folder in ["visits", "warc"] {
            let path = dir.join(folder);
            fs::create_dir_all(&path).map_err(|error| io_error("create", &path, error))?;
        }
        let OpenedTables { tables, replaced } = open_tables(dir)?;
        let mut crawl_dir = CrawlDir {
            dir: dir.to_path_buf(),
            packing: card.packing(),
            tables,
            visit_files: visit_log::files(dir),
            warc_files: warc::files(dir, card.packing()),
            settings: card.settings,
            committed: Positions::default(),
            hidden: None,
            visits: Vec::new(),
            n_buffered: 0,
            warc: Vec::new(),
            warc_file_bytes: warc::DEFAULT_FILE_BYTES,
            about: Vec::new(),
            visit_file_bytes: VISIT_FILE_BYTES,
            #[cfg(test)]
            fail_at: None,
            _lock: lock,
        };
        let known = crawl_dir.tables.own(positions::KEY)?;
        let known = known.as_deref().and_then(Positions::decode);
        let before = known.clone().unwrap_or_default();
        crawl_dir.committed = before.clone();
        crawl_dir.show_last_group()?;
        let mut damage = Vec::new();
        let is_adopted = crawl_dir.adopt(known.as_ref())?;
        if is_adopted || replaced.is_some() {
            damage.push(crawl_dir.damage_of_tables(replaced, known.as_ref()));
        }
        crawl_dir.mend(&before, &mut damage)?;
        if is_adopted || known.is_none() {
            crawl_dir.remember_adopted(&before)?;
        }
        Ok((crawl_dir, damage))
    }

    /// Brings the files to the committed positions and checks the log from
    /// the file on that the database knew last.
    fn mend(&mut self, before: &Positions, damage: &mut Vec<Damage>) -> Result<(), StoreError> {
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
        let first_file = before.visit_file.max(1);
        let checked =
            VisitReader::from_file(&self.dir, first_file, before.file_first_seq, 0).check();
        damage.extend(checked.damage);
        match loss {
            Some(mut loss) => {
                let n_lost = self.committed.n_visits.saturating_sub(checked.kept_seq);
                let (lost, record) = (words::visits(n_lost), words::thousands(checked.kept_seq));
                loss.what += &format!("; {lost} after record {record} lost");
                damage.push(loss);
                self.committed.visit_end = UNKNOWN;
            }
            None => damage.extend(checked.damage_at_end),
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
        Some(len) => {
            let (len, end) = (words::thousands(len), words::thousands(end));
            format!("ends after {len} of {end} bytes; what is there was kept")
        }
        None => "is missing; the others were kept".to_owned(),
    };
    let file = files.path(number);
    Ok(Some(Damage { file, what }))
}
