//! Pages that others began to link to after they were indexed.
//!
//! A page is indexed with what others called it by then. Now and then, those
//! that have become known to twice as many domains since, and to two at least,
//! are indexed again:
//! when an index is built, and when it is opened and the log has grown by a
//! quarter. Not while it is open: hits would move under who turns their pages.

use super::anchors::Anchors;
use super::sheet::Sheet;
use super::{BATCH, Index, SearchError, Work, write_error};
use std::fs;
use std::io;
use std::path::Path;
use store::crawl_dir::VisitReader;
use store::visit::Visit;
use tantivy::DocAddress;

/// The file that says how many visits there were when this was last done.
const HEARD: &str = "heard";

/// Pages that are indexed again at most; the rest has to wait.
const MOST: usize = 1 << 20;

/// Domains that make a page worth to be indexed again of which nothing was
/// known: one links to every fifteenth, and little changes by it.
const LEAST_LATE: u64 = 2;

/// A page that is indexed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Page {
    /// Short fingerprint of its URL.
    key: u64,
    seq: u64,
    /// Domains that make it worth to be indexed again.
    n_due: u64,
    at: DocAddress,
}

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
        if let Some((first, _)) = late.first() {
            let visits = VisitReader::open_at(dir, *first)?;
            self.index_again(&anchors, visits, &late)?;
            self.look_again()?;
        }
        // Without it, the same is done again next time.
        let _ = fs::write(self.home.join(HEARD), self.n_visits().to_string());
        Ok(())
    }

    /// The visits of pages that too little was known of, in order, and where
    /// those are.
    fn late(&self, anchors: &Anchors) -> Result<Vec<(u64, DocAddress)>, SearchError> {
        let mut pages = self.pages_by_key();
        pages.sort_unstable();
        let mut pages = pages.into_iter().peekable();
        let mut late = Vec::new();
        // Both go by keys: one goes beside the other.
        anchors.count_all(|key, n_domains| {
            while pages.next_if(|page| page.key < key).is_some() {}
            while let Some(page) = pages.next_if(|page| page.key == key) {
                if n_domains >= page.n_due && late.len() < MOST {
                    late.push((page.seq, page.at));
                }
            }
        })?;
        late.sort_unstable();
        Ok(late)
    }

    fn pages_by_key(&self) -> Vec<Page> {
        let mut pages = Vec::new();
        let segments = (0..).zip(self.look.searcher.segment_readers());
        for (nth, segment) in segments {
            let columns = self.look.segment(nth);
            for doc in segment.doc_ids_alive() {
                let (key, seq) = (columns.keys.first(doc), columns.seq.first(doc));
                let n_then = u64::from(columns.cards.card(doc).in_links());
                pages.extend(key.zip(seq).map(|(key, seq)| Page {
                    key,
                    seq,
                    n_due: (2 * n_then).max(LEAST_LATE),
                    at: DocAddress::new(nth, doc),
                }));
            }
        }
        pages
    }

    fn index_again(
        &mut self,
        anchors: &Anchors,
        visits: impl Iterator<Item = Visit>,
        late: &[(u64, DocAddress)],
    ) -> Result<(), SearchError> {
        let home = self.home.clone();
        let failed = |source| write_error(&home, source);
        let mut work = Work::new(self.writer().map_err(failed)?, None);
        let mut late_visits = visits.filter_map(|visit| {
            let nth = late
                .binary_search_by_key(&visit.seq, |(seq, _)| *seq)
                .ok()?;
            Some((late[nth].1, visit))
        });
        loop {
            let batch: Vec<_> = late_visits.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            let cutter = &mut work.cutter;
            let again = |(at, visit)| Sheet::again(&self.look, at, visit, cutter);
            let sheets = batch.into_iter().map(again).collect::<Result<_, _>>();
            self.add(&mut work, anchors, sheets.map_err(failed)?)?;
        }
        self.commit(&mut work.writer).map_err(failed)?;
        work.writer.wait_merging_threads().map_err(failed)
    }
}
