//! One JSON object per document, for other programs.
//!
//! The fields are a contract: they are added to, never renamed.

use super::Excerpt;
use super::document::{BadLine, Document};
use super::parts::{Parts, said};
use super::position::Positions;
use crate::cli::Finding;
use crate::output::json_line;
use page::structured::Fact;
use place::address::Address;
use place::evidence::Evidence;
use place::gazetteer::{Gazetteer, PlaceId};
use place::geography::Node;
use place::geoparse::Findings;
use place::precision::Precision;
use place::toponym::Mention;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What was found in one document; of a long one `long.rs` writes the same.
#[derive(Serialize, ToSchema)]
#[schema(as = Geoparsed)]
pub(in crate::commands) struct Line<'d> {
    /// As it was sent.
    #[schema(value_type = Value)]
    id: &'d Value,
    /// Of a page.
    title: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'d str>,
    /// The smallest place with most of the weight, where there is one.
    focus: Option<AboutObject>,
    /// The places it is about, each after the one that contains it.
    about: Vec<AboutObject>,
    addresses: Vec<AddressObject<'d>>,
    places: Vec<PlaceObject<'d>>,
    structured: Vec<FactObject<'d>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = GeoparsedAddress)]
pub(super) struct AddressObject<'d> {
    start: usize,
    end: usize,
    text: &'d str,
    #[serde(flatten)]
    parts: Parts<'d>,
    lat: Option<f64>,
    lon: Option<f64>,
    /// `page`, `postcode` or `place`: what the coordinates are those of.
    precision: Option<&'static str>,
    geonameid: Option<u32>,
}

/// A place that a document is about.
#[derive(Serialize, ToSchema)]
#[schema(as = GeoparsedAbout)]
pub(super) struct AboutObject {
    /// For people: `Houston, Texas, United States`.
    name: String,
    kind: &'static str,
    geonameid: Option<u32>,
    lat: f64,
    lon: f64,
    /// Share of all evidence that lies in it.
    weight: f64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = GeoparsedPlace)]
pub(super) struct PlaceObject<'d> {
    start: usize,
    end: usize,
    name: &'d str,
    kind: &'static str,
    geonameid: Option<u32>,
    lat: f64,
    lon: f64,
    confidence: f64,
}

/// What the page states, in its own words but for the state; the coordinates
/// are its own, never looked up.
#[derive(Serialize, ToSchema)]
#[schema(as = GeoparsedFact)]
struct FactObject<'d> {
    kind: &'static str,
    street: Option<&'d str>,
    city: Option<&'d str>,
    state: Option<&'d str>,
    zip: Option<&'d str>,
    country: Option<&'d str>,
    lat: Option<f64>,
    lon: Option<f64>,
}

#[derive(Serialize)]
struct BadObject<'d> {
    id: &'d Value,
    error: &'d str,
}

pub(super) fn render(
    gazetteer: &Gazetteer,
    document: &Document,
    findings: &Findings,
    excerpt: &Excerpt,
) -> String {
    let positions = Positions::new(&document.text);
    let address = |address| address_object(gazetteer, &document.text, &positions, address);
    let place = |mention: &Mention| {
        let named = Named::of(mention);
        place_object(gazetteer, &document.text, &positions, named)
    };
    let facts = document.facts.iter().zip(&findings.evidence);
    let about = |node: &Node| about_object(gazetteer, node);
    let geography = &findings.geography;
    let is_focus = |node: &&Node| Some(node.place) == geography.focus;
    let addresses = excerpt.of(Finding::Addresses, &findings.addresses);
    let mentions = excerpt.of(Finding::Names, &findings.mentions);
    line(&Line {
        id: &document.id,
        title: document.title.as_deref(),
        text: excerpt.text.then_some(&document.text),
        focus: geography.nodes.iter().find(is_focus).map(about),
        about: geography.nodes.iter().map(about).collect(),
        addresses: addresses.iter().map(address).collect(),
        places: mentions.iter().map(place).collect(),
        structured: facts
            .filter(|_| excerpt.has(Finding::Markup))
            .map(|(fact, evidence)| fact_object(fact, evidence.as_ref()))
            .collect(),
    })
}

/// Keeps one line out for each line in.
pub(super) fn render_bad(bad: &BadLine) -> String {
    line(&BadObject {
        id: &bad.id,
        error: &bad.what,
    })
}

fn line(object: &impl Serialize) -> String {
    let mut line = json_line(object).expect("strings and numbers are always JSON");
    line.push('\n');
    line
}

pub(super) fn address_object<'d>(
    gazetteer: &Gazetteer,
    text: &'d str,
    positions: &Positions<'_>,
    address: &'d Address,
) -> AddressObject<'d> {
    AddressObject {
        start: positions.code_point(address.span.start),
        end: positions.code_point(address.span.end),
        text: &text[address.span.clone()],
        parts: Parts::of(address),
        lat: address.lat.map(|lat| degrees(f64::from(lat))),
        lon: address.lon.map(|lon| degrees(f64::from(lon))),
        precision: address.precision.map(Precision::name),
        geonameid: address.place.and_then(|place| geonameid(gazetteer, place)),
    }
}

pub(super) fn about_object(gazetteer: &Gazetteer, node: &Node) -> AboutObject {
    let place = gazetteer.place(node.place);
    AboutObject {
        name: gazetteer.describe(node.place),
        kind: place.kind.name(),
        geonameid: geonameid(gazetteer, node.place),
        lat: degrees(f64::from(place.lat)),
        lon: degrees(f64::from(place.lon)),
        weight: share(node.weight),
    }
}

/// What is told of a mention, in few bytes: a text may have millions.
#[derive(Clone, Copy)]
pub(super) struct Named {
    start: u32,
    end: u32,
    place: PlaceId,
    confidence: f32,
}

impl Named {
    /// Documents are far below the four gigabytes that positions reach to.
    pub(super) fn of(mention: &Mention) -> Named {
        Named {
            start: mention.span.start as u32,
            end: mention.span.end as u32,
            place: mention.place,
            confidence: mention.confidence,
        }
    }
}

pub(super) fn place_object<'d>(
    gazetteer: &Gazetteer,
    text: &'d str,
    positions: &Positions<'_>,
    named: Named,
) -> PlaceObject<'d> {
    let (start, end) = (named.start as usize, named.end as usize);
    let place = gazetteer.place(named.place);
    PlaceObject {
        start: positions.code_point(start),
        end: positions.code_point(end),
        name: &text[start..end],
        kind: place.kind.name(),
        geonameid: geonameid(gazetteer, named.place),
        lat: degrees(f64::from(place.lat)),
        lon: degrees(f64::from(place.lon)),
        confidence: share(named.confidence),
    }
}

fn fact_object<'d>(fact: &'d Fact, evidence: Option<&'d Evidence>) -> FactObject<'d> {
    let address = evidence.and_then(|evidence| evidence.address.as_ref());
    let state = address.and_then(|address| said(address.state));
    FactObject {
        kind: fact.kind.name(),
        street: fact.street.as_deref(),
        city: fact.city.as_deref(),
        state: fact
            .state
            .as_deref()
            .map(|written| state.unwrap_or(written)),
        zip: fact.zip.as_deref(),
        country: fact.country.as_deref(),
        lat: fact.lat,
        lon: fact.lon,
    }
}

/// GeoNames' number of a place, where it has one.
pub(super) fn geonameid(gazetteer: &Gazetteer, place: PlaceId) -> Option<u32> {
    Some(gazetteer.place(place).geonameid).filter(|&geonameid| geonameid != 0)
}

/// To five decimals, which is a metre: more would be noise of the storage.
pub(super) fn degrees(degrees: f64) -> f64 {
    (degrees * 1e5).round() / 1e5
}

/// To three decimals.
pub(super) fn share(share: f32) -> f64 {
    (f64::from(share) * 1e3).round() / 1e3
}
