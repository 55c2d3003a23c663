//! Pages that others began to link to after they were indexed.
//!
//! A page is indexed with what others called it by then. Now and then, those
//! that have become known to twice as many domains since, and to two at least,
//! are indexed again:
//! when an index is built, and when it is opened and the log has grown by a
//! quarter. Not while it is open: hits would move under who turns their pages.

use super::anchors::Anchors;
use super::{BATCH, Index, SearchError, readers, write_error};
use std::fs;
use std::io;
use std::path::Path;
use store::crawl_dir::VisitReader;
use store::visit::Visit;

/// The file that says how many visits there were when this was last done.
const HEARD: &str = "heard";

/// Pages that are indexed again at most; the rest has to wait.
const MOST: usize = 1 << 20;

/// Domains that make a page worth to be indexed again of which nothing was
/// known: one links to every fifteenth, and little changes by it.
const LEAST_LATE: u64 = 2;

/// Of an index that is built anew, nothing was heard yet.
pub(super) fn forget(home: &Path) -> io::Result<()> {
    match fs::remove_file(home.join(HEARD)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Index {
    /// Indexes pages again that others link to since, if it is time to.
    pub(super) fn hear_late(&mut self, dir: &Path) -> Result<(), SearchError> {
        let heard = fs::read_to_string(self.home.join(HEARD)).unwrap_or_default();
        let n_heard: u64 = heard.trim().parse().unwrap_or(0);
        if self.n_visits() < n_heard + n_heard / 4 + 1 {
            return Ok(());
        }
        let anchors = Anchors::open(&self.home.join("anchors"))?;
        let late = self.late(&anchors)?;
        if let Some(first) = late.first() {
            let visits = VisitReader::open_at(dir, *first)?;
            self.index_again(dir, &anchors, visits, &late)?;
            self.look_again()?;
        }
        // Without it, the same is done again next time.
        let _ = fs::write(self.home.join(HEARD), self.n_visits().to_string());
        Ok(())
    }

    /// The visits of pages that too little was known of, in order.
    fn late(&self, anchors: &Anchors) -> Result<Vec<u64>, SearchError> {
        let mut late = Vec::new();
        let segments = (0..).zip(self.look.searcher.segment_readers());
        for (nth, segment) in segments {
            let columns = self.look.segment(nth);
            let value = |column: &tantivy::columnar::Column<u64>, doc| column.first(doc);
            for doc in 0..segment.max_doc() {
                let (Some(key), Some(seq)) = (value(&columns.keys, doc), value(&columns.seq, doc))
                else {
                    continue;
                };
                let n_then = u64::from(columns.cards.card(doc).in_links());
                let n_due = (2 * n_then).max(LEAST_LATE);
                let is_there = !segment.is_deleted(doc) && late.len() < MOST;
                if is_there && anchors.has_at_least(key, n_due)? {
                    late.push(seq);
                }
            }
        }
        late.sort_unstable();
        Ok(late)
    }

    fn index_again(
        &mut self,
        dir: &Path,
        anchors: &Anchors,
        visits: impl Iterator<Item = Visit>,
        late: &[u64],
    ) -> Result<(), SearchError> {
        let home = self.home.clone();
        let failed = |source| write_error(&home, source);
        let mut writer = self.writer().map_err(failed)?;
        let mut readers = readers(dir);
        let mut visits = visits.filter(|visit| late.binary_search(&visit.seq).is_ok());
        loop {
            let batch: Vec<Visit> = visits.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            self.add(&writer, anchors, batch, &mut readers, &mut None)?;
        }
        self.commit(&mut writer).map_err(failed)?;
        writer.wait_merging_threads().map_err(failed)
    }
}
