//! Which pages of a segment have any of some terms, a bit for each page.
//!
//! Whether a page is marked is then told at once; where to leap in the lists
//! of a large place costs more than all else in a question. Maps of lately are
//! kept: people ask many things of few places.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tantivy::index::SegmentId;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentReader, TantivyError, Term};
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes of maps that are kept: of some three hundred places where there are a
/// million pages.
const MOST_BYTES: usize = 32 << 20;

/// Marked pages of one segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Map {
    bits: Box<[u64]>,
    n_pages: u32,
}

impl Map {
    /// For so many pages, none of them marked.
    pub(crate) fn empty(n_pages: DocId) -> Map {
        Map {
            bits: vec![0; n_pages.div_ceil(64) as usize].into(),
            n_pages: 0,
        }
    }

    pub(crate) fn mark(&mut self, page: DocId) {
        let bits = &mut self.bits[page as usize / 64];
        let bit = 1 << (page % 64);
        self.n_pages += u32::from(*bits & bit == 0);
        *bits |= bit;
    }

    /// Leaves the pages that are marked in another one too.
    pub(crate) fn restrict(&mut self, other: &Map) {
        for (bits, other) in self.bits.iter_mut().zip(&other.bits) {
            *bits &= other;
        }
        self.n_pages = self.bits.iter().map(|bits| bits.count_ones()).sum();
    }

    #[inline]
    pub(crate) fn has(&self, page: DocId) -> bool {
        self.bits[page as usize / 64] >> (page % 64) & 1 != 0
    }

    /// How many are marked.
    pub(crate) fn n_pages(&self) -> u32 {
        self.n_pages
    }

    /// The marked ones, in order.
    pub(crate) fn pages(&self) -> impl Iterator<Item = DocId> + '_ {
        (0..).zip(&self.bits).flat_map(|(nth, bits)| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(nth * 64 + bit)
            })
        })
    }

    /// Marks all pages of a term.
    fn mark_term(&mut self, segment: &SegmentReader, term: &Term) -> Result<(), TantivyError> {
        let index = segment.inverted_index(term.field())?;
        let Some(mut list) = index.read_block_postings(term, IndexRecordOption::Basic)? else {
            return Ok(());
        };
        while list.block_len() > 0 {
            list.docs().iter().for_each(|page| self.mark(*page));
            list.advance();
        }
        Ok(())
    }
}

/// What terms are known by.
type Key = u128;

/// Maps of lately, by terms and segment. Segments do not change, and numbers
/// of those that are gone do not come again.
#[derive(Default)]
pub(crate) struct Maps(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    maps: HashMap<(Key, SegmentId), Arc<Map>>,
    /// The first goes first.
    order: VecDeque<(Key, SegmentId)>,
    n_bytes: usize,
}

impl fmt::Debug for Maps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Maps").finish_non_exhaustive()
    }
}

impl Maps {
    /// The pages of a segment that have any of these terms, deleted ones too.
    pub(crate) fn any_of(
        &self,
        terms: &[Term],
        segment: &SegmentReader,
    ) -> Result<Arc<Map>, TantivyError> {
        let key = key(terms);
        if let Some(map) = self.get(key, segment.segment_id()) {
            return Ok(map);
        }
        let mut map = Map::empty(segment.max_doc());
        for term in terms {
            map.mark_term(segment, term)?;
        }
        let map = Arc::new(map);
        self.keep(key, segment.segment_id(), &map);
        Ok(map)
    }

    fn get(&self, key: Key, segment: SegmentId) -> Option<Arc<Map>> {
        self.kept().maps.get(&(key, segment)).cloned()
    }

    fn keep(&self, key: Key, segment: SegmentId, map: &Arc<Map>) {
        let mut kept = self.kept();
        let is_known = kept.maps.insert((key, segment), Arc::clone(map)).is_some();
        if is_known {
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

fn bytes_of(map: &Map) -> usize {
    map.bits.len() * 8 + 64
}

fn key(terms: &[Term]) -> Key {
    let mut hash = Xxh3Default::new();
    for term in terms {
        let bytes = term.serialized_value_bytes();
        hash.update(&term.field().field_id().to_le_bytes());
        hash.update(&(bytes.len() as u32).to_le_bytes());
        hash.update(bytes);
    }
    hash.digest128()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::schema::{INDEXED, Schema};
    use tantivy::{Index, TantivyDocument};

    #[test]
    fn a_map_is_made_once_and_the_first_go_first() {
        let mut schema = Schema::builder();
        let field = schema.add_u64_field("number", INDEXED);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for number in 0..3_000_u64 {
            let mut document = TantivyDocument::new();
            document.add_u64(field, number % 10);
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
        let searcher = index.reader().unwrap().searcher();
        let segment = searcher.segment_reader(0);
        let maps = Maps::default();
        let marked = |numbers: &[u64]| {
            let terms = numbers.iter().map(|n| Term::from_field_u64(field, *n));
            let terms: Vec<Term> = terms.collect();
            maps.any_of(&terms, segment).unwrap()
        };
        for _ in 0..2 {
            let some = marked(&[1, 2, 77]);
            let expected = (0..3_000).filter(|page| matches!(page % 10, 1 | 2));
            assert!(some.pages().eq(expected));
            assert_eq!(some.n_pages(), 600);
            assert_eq!(marked(&[3]).n_pages(), 300);
            assert_eq!(marked(&[]).n_pages(), 0);
        }
        assert_eq!(maps.kept().maps.len(), 3);
        let mut both = (*marked(&[1, 2, 77])).clone();
        both.restrict(&marked(&[2]));
        assert_eq!(both, *marked(&[2]));

        let large = Arc::new(Map::empty((MOST_BYTES * 8 / 3) as u32));
        for key in 0..5 {
            maps.keep(key, segment.segment_id(), &large);
        }
        let there = (0..5).filter(|key| maps.get(*key, segment.segment_id()).is_some());
        assert_eq!(there.collect::<Vec<_>>(), [3, 4]);
        assert!(maps.kept().n_bytes <= MOST_BYTES);
    }
}
