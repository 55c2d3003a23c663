//! Finds pages by words and place.
//!
//! Any word may match, and more of them match better: BM25 in the title, the
//! addresses and the URL, of which the best counts most. A query has no
//! syntax: quotes, brackets and operators are punctuation like any other, so
//! no query is wrong. The place is given by its GeoNames id; finding it in the
//! words is left for later.

use crate::index::{Fields, Index, PLACE, SEQ, SearchError};
use crate::words;
use place::gazetteer::Gazetteer;
use tantivy::collector::sort_key::{SortBySimilarityScore, SortByStaticFastValue};
use tantivy::collector::{FacetCollector, TopDocs};
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, Query,
    TermQuery,
};
use tantivy::schema::{Facet, Field, IndexRecordOption};
use tantivy::{DocAddress, Order, Score, TantivyError, Term};

/// Words of a query beyond this are ignored: each costs a look-up in every
/// field of every segment, and nobody types so many.
const MAX_WORDS: usize = 32;
/// Bytes of a query that are looked at.
const MAX_QUERY_BYTES: usize = 16 << 10;

/// A title is written to say what a page is about, an address may be one of
/// many on it, and a URL repeats both.
const TITLE_WEIGHT: Score = 2.0;
const ADDRESS_WEIGHT: Score = 1.0;
const URL_WEIGHT: Score = 0.5;
/// What the other fields add when one has matched already.
const TIE_BREAKER: Score = 0.1;
/// Who types a host wants it: more than all words together are worth.
const HOST_SCORE: Score = 1000.0;

/// A page found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its canonical address.
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
    /// How well it matches; comparable within one answer only.
    pub score: f32,
    /// Places of the addresses on it, e.g. `Houston, Texas, United States`.
    pub places: Vec<String>,
}

/// A place with pages filed under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceCount {
    /// Its path from the root, e.g. `/Earth/US/Texas`.
    pub path: String,
    /// Pages with an address there or anywhere inside.
    pub n_pages: u64,
}

impl Index {
    /// The `n` best pages for these words, best first, if given only those with an address inside the place of a GeoNames id.
    ///
    /// Words without any letter or digit ask for nothing: the answer is then
    /// empty or, with a place, all its pages. Of equal pages the one visited
    /// first comes first.
    pub fn search(
        &self,
        words: &str,
        within: Option<u32>,
        n: usize,
    ) -> Result<Vec<Hit>, SearchError> {
        let Some(query) = self.query(words, within) else {
            return Ok(Vec::new());
        };
        self.best(query.as_ref(), n)
            .map_err(|source| self.read_error(source))
    }

    /// The places directly under a path that have pages, e.g. under `/Earth/US`; empty for an unknown path.
    pub fn places(&self, under: &str) -> Result<Vec<PlaceCount>, SearchError> {
        let Ok(under) = Facet::from_text(under) else {
            return Ok(Vec::new());
        };
        let mut collector = FacetCollector::for_field(PLACE);
        collector.add_facet(under.clone());
        let counts = self
            .reader
            .searcher()
            .search(&AllQuery, &collector)
            .map_err(|source| self.read_error(source))?;
        let count = |(facet, n_pages): (&Facet, u64)| PlaceCount {
            path: facet.to_path_string(),
            n_pages,
        };
        Ok(counts.get(under).map(count).collect())
    }

    fn query(&self, words: &str, within: Option<u32>) -> Option<Box<dyn Query>> {
        let wanted = match_words(&self.fields, words);
        let within = within.map(|geonameid| {
            let term = Term::from_field_u64(self.fields.within, u64::from(geonameid));
            let query = TermQuery::new(term, IndexRecordOption::Basic);
            // The place filters; how rare it is says nothing about a page.
            Box::new(ConstScoreQuery::new(Box::new(query), 0.0)) as Box<dyn Query>
        });
        match (wanted, within) {
            (Some(wanted), Some(within)) => Some(Box::new(BooleanQuery::new(vec![
                (Occur::Must, wanted),
                (Occur::Must, within),
            ]))),
            (wanted, within) => wanted.or(within),
        }
    }

    fn best(&self, query: &dyn Query, n: usize) -> Result<Vec<Hit>, TantivyError> {
        let searcher = self.reader.searcher();
        // The collector makes room for as many as it is asked for.
        let n = n.min(usize::try_from(searcher.num_docs()).unwrap_or(usize::MAX));
        if n == 0 {
            return Ok(Vec::new());
        }
        // Without the second key the order of equals would depend on how the
        // index was cut into segments, and change when it is built again.
        let first_visited = SortByStaticFastValue::<u64>::for_field(SEQ);
        let collector =
            TopDocs::with_limit(n).order_by((SortBySimilarityScore, (first_visited, Order::Asc)));
        let found = searcher.search(query, &collector)?;
        let hit = |((score, _), address): ((Score, Option<u64>), DocAddress)| {
            let stored = self.fields.read(&searcher.doc(address)?);
            Ok(Hit {
                url: stored.url,
                title: stored.title,
                score,
                places: describe(&stored.targets),
            })
        };
        found.into_iter().map(hit).collect()
    }

    fn read_error(&self, source: TantivyError) -> SearchError {
        SearchError::Read {
            home: self.home.clone(),
            source,
        }
    }
}

/// Pages with any of the words; none if there are no words.
fn match_words(fields: &Fields, words: &str) -> Option<Box<dyn Query>> {
    let words = &words[..words.floor_char_boundary(MAX_QUERY_BYTES)];
    let mut clauses: Vec<Box<dyn Query>> = distinct_words(words)
        .iter()
        .map(|word| match_word(fields, word))
        .collect();
    let is_host = |part: &&str| part.contains('.') && part.contains(char::is_alphanumeric);
    let hosts = words.split_whitespace().filter(is_host);
    for part in hosts.take(MAX_WORDS) {
        let term = Term::from_field_text(fields.host, &words::host(part));
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        clauses.push(Box::new(ConstScoreQuery::new(Box::new(query), HOST_SCORE)));
    }
    match clauses.len() {
        0 => None,
        _ => Some(Box::new(BooleanQuery::union(clauses))),
    }
}

fn match_word(fields: &Fields, word: &str) -> Box<dyn Query> {
    let in_field = |field: Field, weight: Score| {
        let term = Term::from_field_text(field, word);
        let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
        Box::new(BoostQuery::new(Box::new(query), weight)) as Box<dyn Query>
    };
    let fields = vec![
        in_field(fields.title, TITLE_WEIGHT),
        in_field(fields.address, ADDRESS_WEIGHT),
        in_field(fields.url_words, URL_WEIGHT),
    ];
    Box::new(DisjunctionMaxQuery::with_tie_breaker(fields, TIE_BREAKER))
}

fn distinct_words(text: &str) -> Vec<String> {
    let mut analyser = words::analyser();
    let mut stream = analyser.token_stream(text);
    let mut words = Vec::new();
    while words.len() < MAX_WORDS && stream.advance() {
        let word = &stream.token().text;
        if !words.contains(word) {
            words.push(word.clone());
        }
    }
    words
}

fn describe(targets: &[u32]) -> Vec<String> {
    let gazetteer = Gazetteer::built_in();
    let known = targets
        .iter()
        .filter_map(|&target| gazetteer.by_geonameid(target));
    known.map(|id| gazetteer.describe(id)).collect()
}
