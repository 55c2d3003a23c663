//! A query for pages that have any of some terms.
//!
//! Looks up each term and marks its pages in a map of the segment. The
//! library's own query of that kind first builds an automaton of the terms,
//! which takes longer than looking up a thousand.

use tantivy::query::{
    BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{BitSet, DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term};

/// Pages that have any of these; all score the same.
#[derive(Debug, Clone)]
pub(crate) struct AnyOf(pub(crate) Vec<Term>);

impl Query for AnyOf {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for AnyOf {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut pages = BitSet::with_max_value(reader.max_doc());
        for term in &self.0 {
            let index = reader.inverted_index(term.field())?;
            let Some(mut postings) = index.read_postings(term, IndexRecordOption::Basic)? else {
                continue;
            };
            let mut page = postings.doc();
            while page != TERMINATED {
                pages.insert(page);
                page = postings.advance();
            }
        }
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(pages), boost)))
    }

    fn explain(&self, reader: &SegmentReader, page: DocId) -> tantivy::Result<Explanation> {
        match self.scorer(reader, 1.0)?.seek(page) == page {
            true => Ok(Explanation::new("any of some terms", 1.0)),
            false => Err(TantivyError::InvalidArgument("no such page".to_owned())),
        }
    }
}
