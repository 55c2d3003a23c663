//! A query for pages that have any of some terms.
//!
//! Looks up each term and marks its pages in a map of the segment, a bit for
//! each page. Whether a page is marked is then told at once, where to leap in
//! the lists of a large place costs more than all else in a question. The
//! library's own query of that kind first builds an automaton of the terms,
//! which takes longer than looking up a thousand.
//!
//! Maps of lately are kept: people ask many things of few places.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tantivy::index::SegmentId;
use tantivy::query::{
    BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{BitSet, DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term};
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes of maps that are kept: of some three hundred places where there are a
/// million pages.
const MOST_BYTES: usize = 32 << 20;

/// Pages that have any of these terms; all score the same.
#[derive(Debug, Clone)]
pub(crate) struct AnyOf {
    terms: Vec<Term>,
    /// What the terms are known by.
    key: u128,
    maps: Arc<Maps>,
}

/// Maps of lately, by terms and segment. Segments do not change, and numbers
/// of those that are gone do not come again.
#[derive(Default)]
pub(crate) struct Maps(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    maps: HashMap<(u128, SegmentId), BitSet>,
    /// The first goes first.
    order: VecDeque<(u128, SegmentId)>,
    n_bytes: usize,
}

impl fmt::Debug for Maps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Maps").finish_non_exhaustive()
    }
}

impl Maps {
    fn get(&self, key: u128, segment: SegmentId) -> Option<BitSet> {
        self.kept().maps.get(&(key, segment)).cloned()
    }

    fn keep(&self, key: u128, segment: SegmentId, map: &BitSet) {
        let mut kept = self.kept();
        if kept.maps.insert((key, segment), map.clone()).is_some() {
            return;
        }
        kept.order.push_back((key, segment));
        kept.n_bytes += bytes_of(map);
        while kept.n_bytes > MOST_BYTES {
            let first = kept.order.pop_front();
            let Some(first) = first.and_then(|first| kept.maps.remove(&first)) else {
                return;
            };
            kept.n_bytes -= bytes_of(&first);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bytes_of(map: &BitSet) -> usize {
    map.max_value() as usize / 8 + 64
}

impl AnyOf {
    pub(crate) fn new(terms: Vec<Term>, maps: &Arc<Maps>) -> AnyOf {
        let mut hash = Xxh3Default::new();
        for term in &terms {
            let bytes = term.serialized_value_bytes();
            hash.update(&term.field().field_id().to_le_bytes());
            hash.update(&(bytes.len() as u32).to_le_bytes());
            hash.update(bytes);
        }
        AnyOf {
            key: hash.digest128(),
            terms,
            maps: Arc::clone(maps),
        }
    }

    /// The pages of a segment.
    fn map(&self, reader: &SegmentReader) -> tantivy::Result<BitSet> {
        let segment = reader.segment_id();
        if let Some(map) = self.maps.get(self.key, segment) {
            return Ok(map);
        }
        let mut map = BitSet::with_max_value(reader.max_doc());
        for term in &self.terms {
            let index = reader.inverted_index(term.field())?;
            let Some(mut postings) = index.read_postings(term, IndexRecordOption::Basic)? else {
                continue;
            };
            let mut page = postings.doc();
            while page != TERMINATED {
                map.insert(page);
                page = postings.advance();
            }
        }
        self.maps.keep(self.key, segment, &map);
        Ok(map)
    }
}

impl Query for AnyOf {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for AnyOf {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let pages = BitSetDocSet::from(self.map(reader)?);
        Ok(Box::new(ConstScorer::new(pages, boost)))
    }

    fn explain(&self, reader: &SegmentReader, page: DocId) -> tantivy::Result<Explanation> {
        match self.map(reader)?.contains(page) {
            true => Ok(Explanation::new("any of some terms", 1.0)),
            false => Err(TantivyError::InvalidArgument("no such page".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::collector::Count;
    use tantivy::schema::{INDEXED, Schema};
    use tantivy::{Index, TantivyDocument};

    #[test]
    fn a_map_is_made_once_and_the_first_go_first() {
        let mut schema = Schema::builder();
        let field = schema.add_u64_field("number", INDEXED);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for number in 0..300_u64 {
            let mut document = TantivyDocument::new();
            document.add_u64(field, number % 10);
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
        let searcher = index.reader().unwrap().searcher();
        let maps = Arc::new(Maps::default());
        let count = |numbers: &[u64]| {
            let terms = numbers.iter().map(|n| Term::from_field_u64(field, *n));
            let query = AnyOf::new(terms.collect(), &maps);
            searcher.search(&query, &Count).unwrap()
        };
        for _ in 0..2 {
            assert_eq!(count(&[1, 2, 77]), 60);
            assert_eq!(count(&[3]), 30);
            assert_eq!(count(&[]), 0);
        }
        let n_segments = searcher.segment_readers().len();
        assert_eq!(maps.kept().maps.len(), 3 * n_segments);

        let segment = searcher.segment_reader(0).segment_id();
        let large = BitSet::with_max_value((MOST_BYTES * 8 / 3) as u32);
        for key in 0..5 {
            maps.keep(key, segment, &large);
        }
        let there = (0..5).filter(|key| maps.get(*key, segment).is_some());
        assert_eq!(there.collect::<Vec<_>>(), [3, 4]);
        assert!(maps.kept().n_bytes <= MOST_BYTES);
    }
}
