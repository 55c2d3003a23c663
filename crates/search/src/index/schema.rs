//! What is kept of a page: the fields of a document.

use crate::words::{self, ANALYSER};
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use std::collections::BTreeSet;
use store::visit::Visit;
use tantivy::schema::{
    FAST, FacetOptions, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema,
    TextFieldIndexing, TextOptions, Value,
};
use tantivy::{TantivyDocument, TantivyError, Term, schema::Facet};

/// A longer URL could not be a term, and a page that is no term can never be
/// replaced. Canonical URLs are far shorter.
pub(super) const MAX_URL_BYTES: usize = 32 << 10;
/// Name of the facet field, by which its collector knows it.
pub(crate) const PLACE: &str = "place";
/// Name of the field that decides between equal scores.
pub(crate) const SEQ: &str = "seq";

/// The fields of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// The URL as it is: the document's key.
    url: Field,
    pub(crate) url_words: Field,
    pub(crate) host: Field,
    pub(crate) title: Field,
    pub(crate) address: Field,
    /// `/Earth/US/Texas/Houston`: counted and shown as a tree. Two towns of one
    /// name in one state share a path, which is why queries do not use it.
    place: Field,
    /// GeoNames ids of all places that contain an address, counties included.
    pub(crate) within: Field,
    /// GeoNames ids of the addresses' targets.
    target: Field,
    seq: Field,
}

/// What a document gives back.
pub(crate) struct Stored {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) targets: Vec<u32>,
}

pub(super) fn schema() -> Schema {
    // Frequencies without positions: there are no phrase queries yet.
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(ANALYSER)
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = TextOptions::default().set_indexing_options(indexing);
    let mut schema = Schema::builder();
    schema.add_text_field("url", STRING | STORED);
    schema.add_text_field("url_words", text.clone());
    schema.add_text_field("host", STRING);
    schema.add_text_field("title", text.clone() | STORED);
    schema.add_text_field("address", text);
    schema.add_facet_field(PLACE, FacetOptions::default());
    schema.add_u64_field("within", INDEXED);
    schema.add_u64_field("target", STORED);
    schema.add_u64_field(SEQ, FAST);
    schema.build()
}

/// Makes the analyser known; an index on disk only has its name.
pub(super) fn register(index: &tantivy::Index) {
    index.tokenizers().register(ANALYSER, words::analyser());
}

impl Fields {
    pub(super) fn of(schema: &Schema) -> Result<Fields, TantivyError> {
        Ok(Fields {
            url: schema.get_field("url")?,
            url_words: schema.get_field("url_words")?,
            host: schema.get_field("host")?,
            title: schema.get_field("title")?,
            address: schema.get_field("address")?,
            place: schema.get_field(PLACE)?,
            within: schema.get_field("within")?,
            target: schema.get_field("target")?,
            seq: schema.get_field(SEQ)?,
        })
    }

    /// The term that only this page's document has.
    pub(super) fn key(&self, url: &str) -> Term {
        Term::from_field_text(self.url, url)
    }

    /// The document of a fetched page.
    pub(super) fn document(&self, visit: &Visit) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_text(self.url, &visit.url);
        document.add_text(self.url_words, words::readable(&visit.url));
        document.add_text(self.host, words::host(&visit.url));
        document.add_text(self.title, &visit.title);
        document.add_u64(self.seq, visit.seq);
        for entity in &visit.entities {
            document.add_text(self.address, &entity.text);
        }
        let targets: BTreeSet<u32> = visit.entities.iter().map(|entity| entity.target).collect();
        self.add_places(&mut document, &targets);
        document
    }

    fn add_places(&self, document: &mut TantivyDocument, targets: &BTreeSet<u32>) {
        let gazetteer = Gazetteer::built_in();
        let mut containing = BTreeSet::new();
        for &target in targets {
            document.add_u64(self.target, u64::from(target));
            // Its own id can be asked for even if this gazetteer lacks it.
            containing.insert(target);
            let Some(id) = gazetteer.by_geonameid(target) else {
                continue;
            };
            document.add_facet(self.place, facet(gazetteer, id));
            containing.extend(gazetteer.chain(id).map(|id| gazetteer.place(id).geonameid));
        }
        for geonameid in containing.into_iter().filter(|&geonameid| geonameid != 0) {
            document.add_u64(self.within, u64::from(geonameid));
        }
    }

    /// What was stored of a document.
    pub(crate) fn read(&self, document: &TantivyDocument) -> Stored {
        let text = |field| {
            let value = document.get_first(field);
            value.and_then(|value| value.as_str()).unwrap_or_default()
        };
        let targets = document
            .get_all(self.target)
            .filter_map(|value| u32::try_from(value.as_u64()?).ok());
        Stored {
            url: text(self.url).to_owned(),
            title: text(self.title).to_owned(),
            targets: targets.collect(),
        }
    }
}

/// `/Earth/US/Texas/Houston`: as people speak of places, so without county
/// unless it is the place itself.
fn facet(gazetteer: &Gazetteer, id: PlaceId) -> Facet {
    let mut steps: Vec<&str> = gazetteer
        .chain(id)
        .map(|inner| gazetteer.place(inner))
        .filter(|inner| inner.id == id || inner.kind != Kind::Division2)
        .map(|inner| match inner.kind {
            Kind::Country => inner.country,
            _ => inner.name,
        })
        .collect();
    steps.push("Earth");
    steps.reverse();
    Facet::from_path(steps)
}
