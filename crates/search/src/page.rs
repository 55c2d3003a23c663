//! One page that the index knows, by its URL.

use crate::ask::places_of;
use crate::index::{Index, SearchError, Share};
use tantivy::collector::TopDocs;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{TantivyError, Term};

/// What is known of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRecord {
    /// Its canonical address.
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
    /// When it was fetched, in milliseconds since 1970.
    pub fetched: u64,
    /// Two letters, where it is known.
    pub language: Option<String>,
    /// Where it is about, the most first: `Houston, Texas, United States`.
    pub places: Vec<String>,
    /// Addresses on it, as it has them.
    pub addresses: Vec<String>,
    /// Its text, if the archive has it.
    pub text: Option<String>,
}

impl Index {
    /// A page by its canonical URL; none if the index does not know it.
    pub fn page(&self, url: &str) -> Result<Option<PageRecord>, SearchError> {
        self.find_page(url)
            .map_err(|source| self.read_error(source))
    }

    fn find_page(&self, url: &str) -> Result<Option<PageRecord>, TantivyError> {
        let searcher = &self.look.searcher;
        let term = Term::from_field_text(self.fields.url, url);
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        let best = TopDocs::with_limit(1).order_by_score();
        let Some((_, address)) = searcher.search(&query, &best)?.into_iter().next() else {
            return Ok(None);
        };
        let stored = self.fields.read(searcher.doc(address)?);
        let columns = self.look.of(address);
        let shares: Vec<Share> = columns.cards.shares(address.doc_id).collect();
        let language = self.look.language(address).to_owned();
        Ok(Some(PageRecord {
            url: stored.url,
            title: stored.title,
            fetched: columns.at.first(address.doc_id).unwrap_or(0),
            language: Some(language).filter(|language| !language.is_empty()),
            places: places_of(&shares),
            addresses: stored.addresses,
            text: Some(stored.text).filter(|text| !text.is_empty()),
        }))
    }
}
