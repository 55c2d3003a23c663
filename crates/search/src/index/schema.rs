//! What is kept of a page: the fields of a document.

use super::document::Document;
use super::filing::{Filing, cells_of};
use super::sheet::Sheet;
use crate::look::site;
use crate::region::LEAST_HOLDING;
use crate::words::Counted;
use std::collections::BTreeSet;
use tantivy::schema::document::{DeserializeError, DocumentDeserialize, DocumentDeserializer};
use tantivy::schema::{
    FAST, FacetOptions, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema,
    TextFieldIndexing, TextOptions,
};
use tantivy::{IndexBuilder, IndexSettings, TantivyError, Term};

/// A longer URL could not be a term, and a page that is no term can never be
/// replaced. Canonical URLs are far shorter.
pub(super) const MAX_URL_BYTES: usize = 32 << 10;

/// Name under which the tokeniser of stems is known to the index.
const STEMS: &str = "counted stems";

/// Names of the fields that collectors ask for.
pub(crate) mod name {
    pub(crate) const PLACE: &str = "place";
    pub(crate) const HOST: &str = "host";
    pub(crate) const LANGUAGE: &str = "language";
    pub(crate) const SHARE: &str = "share";
    pub(crate) const POINT: &str = "point";
    pub(crate) const IN_LINKS: &str = "in_links";
    pub(crate) const GROUP: &str = "group";
    pub(crate) const AT: &str = "at";
    pub(crate) const SEQ: &str = "seq";
    pub(crate) const SITE: &str = "site";
    pub(crate) const KEY: &str = "key";
}

/// Addresses of a page that are shown with it.
const MOST_ADDRESSES: usize = 8;

/// Bytes of stored text that are unpacked together, at least: most pages have
/// more, and are then unpacked without their neighbours.
const STORED_AT_ONCE: usize = 4 << 10;

/// The fields of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// The URL as it is: the document's key.
    pub(crate) url: Field,
    /// All words of the page, its title, its URL and the links to it, as stems.
    pub(crate) text: Field,
    pub(crate) host: Field,
    pub(crate) language: Field,
    title: Field,
    /// Addresses found on it, for people.
    address: Field,
    /// `/Earth/US/Texas/Houston`: counted and shown as a tree. Two towns of one
    /// name in one state share a path, which is why queries do not use it.
    place: Field,
    /// GeoNames ids of all places that hold something of what it is about,
    /// counties included.
    pub(crate) within: Field,
    /// GeoNames ids of places that it is mostly about as a whole, not by their
    /// parts: such a page says something of all of these.
    pub(crate) about: Field,
    /// Cells of its addresses, or of its cities where it has none.
    pub(crate) cell: Field,
    share: Field,
    point: Field,
    in_links: Field,
    /// How much it is what the crawl was for, in thousandths: by its topic
    /// where it had one, else by whether it has an address of a target.
    topicality: Field,
    /// Position of the first of its near-copies in the log.
    group: Field,
    /// When it was fetched, or recorded, in milliseconds.
    at: Field,
    node: Field,
    seq: Field,
    /// A number for its host.
    site: Field,
    /// Short fingerprint of its URL.
    key: Field,
    /// How important the crawl took it to be, in thousandths; none where it
    /// did not ask.
    importance: Field,
    /// Its text as people see it, for passages and phrases: reading it from
    /// the archive would take ten times as long.
    body: Field,
}

/// What a document gives back.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stored {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) addresses: Vec<String>,
    pub(crate) text: String,
}

/// A document as it is stored: nothing but texts.
pub(crate) struct Texts(Vec<(Field, String)>);

pub(super) fn schema() -> Schema {
    // Frequencies without positions: those would be four fifths of the whole.
    // Phrases are rare, and looked for in the text.
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(STEMS)
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = TextOptions::default().set_indexing_options(indexing);
    let mut schema = Schema::builder();
    schema.add_text_field("url", STRING | STORED);
    schema.add_text_field("text", text);
    schema.add_text_field(name::HOST, STRING | FAST);
    schema.add_text_field(name::LANGUAGE, STRING | FAST);
    schema.add_text_field("title", STORED);
    schema.add_text_field("address", STORED);
    schema.add_facet_field(name::PLACE, FacetOptions::default());
    schema.add_u64_field("within", INDEXED);
    schema.add_u64_field("about", INDEXED);
    schema.add_u64_field("cell", INDEXED);
    schema.add_u64_field(name::SHARE, FAST);
    schema.add_u64_field(name::POINT, FAST);
    schema.add_u64_field(name::IN_LINKS, FAST);
    schema.add_u64_field("topicality", FAST);
    schema.add_u64_field(name::GROUP, FAST);
    schema.add_u64_field(name::AT, FAST);
    schema.add_u64_field("node", FAST);
    schema.add_u64_field(name::SEQ, FAST);
    schema.add_u64_field(name::SITE, FAST);
    schema.add_u64_field(name::KEY, FAST);
    schema.add_u64_field("importance", FAST);
    schema.add_text_field("body", STORED);
    schema.build()
}

/// Makes an empty index.
pub(super) fn builder() -> IndexBuilder {
    let settings = IndexSettings {
        docstore_blocksize: STORED_AT_ONCE,
        // To hand every page to another thread takes as long as packing half
        // of it, and all cores have work.
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    IndexBuilder::new().schema(schema()).settings(settings)
}

/// Makes the tokeniser known; an index on disk only has its name.
pub(super) fn register(index: &tantivy::Index) {
    let tokenizers = index.tokenizers();
    tokenizers.register(STEMS, Counted::default());
}

impl Fields {
    pub(crate) fn of(schema: &Schema) -> Result<Fields, TantivyError> {
        Ok(Fields {
            url: schema.get_field("url")?,
            text: schema.get_field("text")?,
            host: schema.get_field(name::HOST)?,
            language: schema.get_field(name::LANGUAGE)?,
            title: schema.get_field("title")?,
            address: schema.get_field("address")?,
            place: schema.get_field(name::PLACE)?,
            within: schema.get_field("within")?,
            about: schema.get_field("about")?,
            cell: schema.get_field("cell")?,
            share: schema.get_field(name::SHARE)?,
            point: schema.get_field(name::POINT)?,
            in_links: schema.get_field(name::IN_LINKS)?,
            topicality: schema.get_field("topicality")?,
            group: schema.get_field(name::GROUP)?,
            at: schema.get_field(name::AT)?,
            node: schema.get_field("node")?,
            seq: schema.get_field(name::SEQ)?,
            site: schema.get_field(name::SITE)?,
            key: schema.get_field(name::KEY)?,
            importance: schema.get_field("importance")?,
            body: schema.get_field("body")?,
        })
    }

    /// The term that only this page's document has.
    pub(super) fn key(&self, url: &str) -> Term {
        Term::from_field_text(self.url, url)
    }

    /// The document of a page.
    pub(super) fn document(
        &self,
        sheet: Sheet,
        anchors: String,
        n_in_links: u64,
        filing: &mut Filing,
    ) -> Document {
        let mut document = Document::new();
        self.add_places(&mut document, &sheet, filing);
        let visit = sheet.visit;
        document.add_u64(self.in_links, n_in_links);
        let by_place = f32::from(u8::from(!visit.entities.is_empty()));
        let topicality = visit.topicality.unwrap_or(by_place);
        document.add_u64(self.topicality, thousandths(topicality));
        if let Some(importance) = visit.importance {
            document.add_u64(self.importance, thousandths(importance));
        }
        document.add_u64(self.group, visit.copy.map_or(visit.seq, |copy| copy.of));
        document.add_u64(self.at, visit.date().0);
        document.add_u64(self.node, u64::from(visit.node));
        document.add_u64(self.seq, visit.seq);
        document.add_u64(self.site, site(&sheet.host));
        if let Some(url) = &sheet.url {
            document.add_u64(self.key, url.fingerprint().short());
        }
        document.add_text(self.url, visit.url);
        document.add_text(self.host, sheet.host);
        if !sheet.language.is_empty() {
            document.add_text(self.language, sheet.language);
        }
        document.add_text(self.title, visit.title);
        document.add_text(self.text, anchors);
        document.add_text(self.text, sheet.stems);
        for address in sheet.addresses.into_iter().take(MOST_ADDRESSES) {
            document.add_text(self.address, address);
        }
        document.add_text(self.body, sheet.text);
        document
    }

    fn add_places(&self, document: &mut Document, sheet: &Sheet, filing: &mut Filing) {
        let mut containing = BTreeSet::new();
        let mut in_the_tree: BTreeSet<u32> = BTreeSet::new();
        let mut cells: BTreeSet<u64> = sheet.points.iter().flat_map(cells_of).collect();
        for share in &sheet.shares {
            document.add_u64(self.share, share.pack());
            containing.insert(share.place);
            let Some(filed) = filing.of(share.place) else {
                continue;
            };
            containing.extend(&filed.within);
            if share.own >= LEAST_HOLDING {
                document.add_u64(self.about, u64::from(share.place));
            }
            if share.is_own() {
                document.add_facet(self.place, filed.facet.clone());
                in_the_tree.extend(&filed.within);
                cells.extend(&filed.cells);
            }
        }
        // What the page says of places in them may have been too little to be kept.
        for share in &sheet.shares {
            if let Some(filed) = filing.of(share.place)
                && !in_the_tree.contains(&share.place)
            {
                document.add_facet(self.place, filed.facet.clone());
                in_the_tree.extend(&filed.within);
            }
        }
        for point in &sheet.points {
            document.add_u64(self.point, point.pack());
        }
        for cell in cells {
            document.add_u64(self.cell, cell);
        }
        for geonameid in containing.into_iter().filter(|&geonameid| geonameid != 0) {
            document.add_u64(self.within, u64::from(geonameid));
        }
    }

    /// What was stored of a document.
    pub(crate) fn read(&self, texts: Texts) -> Stored {
        let mut stored = Stored::default();
        for (field, text) in texts.0 {
            match field {
                field if field == self.url => stored.url = text,
                field if field == self.title => stored.title = text,
                field if field == self.address => stored.addresses.push(text),
                field if field == self.body => stored.text = text,
                _ => {}
            }
        }
        stored
    }
}

impl DocumentDeserialize for Texts {
    fn deserialize<'de, D>(mut document: D) -> Result<Texts, DeserializeError>
    where
        D: DocumentDeserializer<'de>,
    {
        let mut texts = Vec::with_capacity(document.size_hint());
        while let Some(text) = document.next_field()? {
            texts.push(text);
        }
        Ok(Texts(texts))
    }
}

fn thousandths(share: f32) -> u64 {
    (share.clamp(0.0, 1.0) * 1000.0).round() as u64
}
