//! Reads one visited page for the index: its words, and where it is about.
//!
//! The page itself is in the archive, as it came. Where there is no archive,
//! or its record is damaged, a page is known by what the visit says of it.

use super::anchors::{Noted, outward};
use super::scope::{self, Point, Share};
use crate::look::Look;
use crate::words::{self, Cutter};
use page::html::{self, Page};
use page::url::CanonicalUrl;
use place::evidence::{Evidence, Kind};
use place::gazetteer::{Gazetteer, PlaceId};
use place::geography::Geography;
use place::geoparse::{Findings, Geoparser};
use place::precision::Precision;
use std::path::Path;
use store::visit::Visit;
use store::warc;
use tantivy::{DocAddress, TantivyError};

/// Bytes of a page's text that are indexed: what nobody would read to the end
/// is known by its beginning.
const MOST_TEXT: usize = 64 << 10;

/// How often a title counts, beside text and URL: BM25F, as its authors do it
/// ("Simple BM25 extension to multiple weighted fields", Robertson, Zaragoza
/// and Taylor, 2004). A title is written to say what a page is about.
const TITLE_TIMES: u32 = 4;

/// A page from the archive.
struct Archived {
    page: Page,
    language: String,
}

/// One page, ready to be indexed.
pub(super) struct Sheet {
    pub(super) visit: Visit,
    pub(super) url: Option<CanonicalUrl>,
    pub(super) host: String,
    pub(super) language: String,
    /// Of title, URL and text, as often as they count.
    pub(super) stems: String,
    /// As people see it.
    pub(super) text: String,
    pub(super) addresses: Vec<String>,
    pub(super) shares: Vec<Share>,
    pub(super) points: Vec<Point>,
    /// What it calls other pages.
    pub(super) noted: Vec<Noted>,
}

/// Reads pages; every thread has its own.
pub(super) struct SheetReader<'r> {
    pub(super) dir: &'r Path,
    pub(super) geoparser: &'r Geoparser<'static>,
    pub(super) cutter: Cutter,
}

impl SheetReader<'_> {
    pub(super) fn read(&mut self, visit: Visit) -> Sheet {
        let archived = archived(self.dir, &visit);
        let (page, language) = match archived {
            Some(Archived { page, language }) => (Some(page), language),
            None => {
                let declared = visit.language.as_deref();
                (None, words::language(declared, &visit.title))
            }
        };
        let text = page.as_ref().map_or("", |page| page.text.as_str());
        let text = &text[..text.floor_char_boundary(MOST_TEXT)];
        let findings = match &page {
            Some(page) => strategy::evaluate::read(self.geoparser, page),
            None => findings_of_visit(&visit),
        };
        Sheet {
            host: words::host(&visit.url),
            stems: stems(&mut self.cutter, &visit, text, &language),
            addresses: addresses(page.as_ref(), &findings, &visit),
            shares: scope::shares(Gazetteer::built_in(), &findings),
            points: scope::points(&findings),
            noted: page.as_ref().map(outward).unwrap_or_default(),
            text: page.map(text_of).unwrap_or_default(),
            url: CanonicalUrl::parse(&visit.url).ok(),
            language,
            visit,
        }
    }
}

impl Sheet {
    /// Of a page that is indexed already, from what the index has of it: a
    /// third of the work.
    pub(super) fn again(
        look: &Look,
        page: DocAddress,
        visit: Visit,
        cutter: &mut Cutter,
    ) -> Result<Sheet, TantivyError> {
        let stored = look.fields.read(look.searcher.doc(page)?);
        let columns = look.of(page);
        let language = look.language(page).to_owned();
        Ok(Sheet {
            host: words::host(&visit.url),
            stems: stems(cutter, &visit, &stored.text, &language),
            text: stored.text,
            addresses: stored.addresses,
            shares: columns.cards.shares(page.doc_id).collect(),
            points: columns.points(page.doc_id).collect(),
            noted: Vec::new(),
            url: CanonicalUrl::parse(&visit.url).ok(),
            language,
            visit,
        })
    }
}

/// What of a page's text is indexed.
fn text_of(page: Page) -> String {
    let mut text = page.text;
    text.truncate(text.floor_char_boundary(MOST_TEXT));
    text
}

/// Of title, URL and text, as often as they count.
fn stems(cutter: &mut Cutter, visit: &Visit, text: &str, language: &str) -> String {
    let mut stems = String::with_capacity(text.len());
    let url = words::readable(&visit.url);
    for (text, times) in [(visit.title.as_str(), TITLE_TIMES), (&url, 1), (text, 1)] {
        cutter.add_stems(&mut stems, text, language, times);
    }
    stems
}

/// The page that a visit brought, from the archive.
fn archived(dir: &Path, visit: &Visit) -> Option<Archived> {
    let url = CanonicalUrl::parse(&visit.url).ok()?;
    let response = warc::read_at(dir, visit.archived?).ok()??;
    Some(page_of(&response, &url, visit.language.as_deref()))
}

fn page_of(
    response: &warc::ArchivedResponse,
    url: &CanonicalUrl,
    declared: Option<&str>,
) -> Archived {
    let content_type = response.content_type();
    let page = html::read(&response.body, url, content_type.as_deref());
    let declared = page.language.as_deref().or(declared);
    Archived {
        language: words::language(declared, &page.text),
        page,
    }
}

/// The addresses of a page as it has them, each once; those that the visit
/// knows where there is no page.
fn addresses(page: Option<&Page>, findings: &Findings, visit: &Visit) -> Vec<String> {
    let found = findings.addresses.iter();
    let found = found.filter_map(|address| page?.text.get(address.span.clone()));
    let found = found.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let known = visit.entities.iter().map(|entity| entity.text.clone());
    let mut addresses: Vec<String> = Vec::new();
    for address in found.chain(known.filter(|_| page.is_none())) {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// Where a page is about, as far as its addresses in targets tell.
fn findings_of_visit(visit: &Visit) -> Findings {
    let gazetteer = Gazetteer::built_in();
    let places = visit.entities.iter();
    let places = places.filter_map(|entity| gazetteer.by_geonameid(entity.target));
    let evidence: Vec<Evidence> = places.map(address_in).collect();
    Findings {
        geography: Geography::of(gazetteer, &[], &[], &evidence),
        ..Findings::default()
    }
}

/// An address of which no more than its city is known.
fn address_in(place: PlaceId) -> Evidence {
    Evidence {
        kind: Kind::Meta,
        place: Some(place),
        address: None,
        lat: None,
        lon: None,
        precision: Some(Precision::Page),
        conflict: None,
    }
}
