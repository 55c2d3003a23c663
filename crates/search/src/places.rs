//! The tree of places that pages are filed in.

use crate::ask::READER;
use crate::index::{Index, SearchError, name};
use crate::look::Look;
use place::gazetteer::{Gazetteer, PlaceId};
use place::question::{Helps, Location};
use serde::Serialize;
use tantivy::collector::{Count, FacetCollector};
use tantivy::query::{AllQuery, TermQuery};
use tantivy::schema::{Facet, IndexRecordOption};
use tantivy::{TantivyError, Term};

/// A place with pages filed under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlaceCount {
    /// Its path from the root, e.g. `/Earth/US/Texas`.
    pub path: String,
    /// Pages about it or anything inside.
    pub n_pages: u64,
}

/// Where an address or a postal code is, in degrees north and east, as queries
/// read them; none for anything else.
pub fn spot(text: &str) -> Option<(f64, f64)> {
    let question = READER.read(text, &Helps::NONE);
    match question.location? {
        Location::Address { lat, lon, .. } | Location::Postcode { lat, lon, .. } => {
            question.words.trim().is_empty().then_some((lat, lon))
        }
        Location::Place(_) => None,
    }
}

impl Index {
    /// The places directly under a path that have pages, most first, e.g. under `/Earth/US`; empty for an unknown path.
    pub fn places(&self, under: &str) -> Result<Vec<PlaceCount>, SearchError> {
        let Ok(under) = Facet::from_text(under) else {
            return Ok(Vec::new());
        };
        let mut collector = FacetCollector::for_field(name::PLACE);
        collector.add_facet(under.clone());
        let counts = self
            .look
            .searcher
            .search(&AllQuery, &collector)
            .map_err(|source| self.read_error(source))?;
        let count = |(facet, n_pages): (&Facet, u64)| PlaceCount {
            path: facet.to_path_string(),
            n_pages,
        };
        let mut places: Vec<PlaceCount> = counts.get(under).map(count).collect();
        places.sort_by(|a, b| b.n_pages.cmp(&a.n_pages).then_with(|| a.path.cmp(&b.path)));
        Ok(places)
    }

    /// The path of a place in that tree.
    pub fn path_of(&self, place: PlaceId) -> String {
        Gazetteer::built_in().path(place)
    }

    /// Pages about a place or anything inside.
    pub fn n_pages_within(&self, place: PlaceId) -> u64 {
        let geonameid = Gazetteer::built_in().geonameid(place);
        let term = Term::from_field_u64(self.fields.within, u64::from(geonameid));
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        let counted = self.look.searcher.search(&query, &Count);
        counted.map_or(0, |n| n as u64)
    }

    pub(crate) fn read_error(&self, source: TantivyError) -> SearchError {
        SearchError::Read {
            home: self.home.clone(),
            source,
        }
    }
}

impl Look {
    /// About the same, at once: with pages that were replaced since.
    pub(crate) fn n_filed_within(&self, place: PlaceId) -> u64 {
        let geonameid = Gazetteer::built_in().geonameid(place);
        let term = Term::from_field_u64(self.fields.within, u64::from(geonameid));
        let count = || self.searcher.doc_freq(&term);
        self.filed.get_or(&geonameid, count).unwrap_or(0)
    }
}
