//! One JSON object per document, for other programs.
//!
//! The fields are a contract: they are added to, never renamed.

use super::document::{BadLine, Document};
use super::position::Positions;
use page::structured::Fact;
use place::address::{Address, AddressKind};
use place::evidence::Evidence;
use place::gazetteer::{Gazetteer, PlaceId};
use place::geoparse::Findings;
use place::toponym::Mention;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What was found in one document.
#[derive(Serialize, ToSchema)]
#[schema(as = Geoparsed)]
pub(in crate::commands) struct Line<'d> {
    /// As it was sent.
    #[schema(value_type = Value)]
    id: &'d Value,
    text: &'d str,
    addresses: Vec<AddressObject<'d>>,
    places: Vec<PlaceObject<'d>>,
    structured: Vec<FactObject<'d>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = GeoparsedAddress)]
struct AddressObject<'d> {
    start: usize,
    end: usize,
    text: &'d str,
    number: Option<&'d str>,
    street: Option<&'d str>,
    unit: Option<&'d str>,
    city: &'d str,
    state: Option<&'d str>,
    zip: Option<&'d str>,
    country: &'d str,
    lat: Option<f64>,
    lon: Option<f64>,
    geonameid: Option<u32>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = GeoparsedPlace)]
struct PlaceObject<'d> {
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

pub(super) fn render(gazetteer: &Gazetteer, document: &Document, findings: &Findings) -> String {
    let positions = Positions::new(&document.text);
    let address = |address| address_object(gazetteer, &document.text, &positions, address);
    let place = |mention| place_object(gazetteer, &document.text, &positions, mention);
    let facts = document.facts.iter().zip(&findings.evidence);
    line(&Line {
        id: &document.id,
        text: &document.text,
        addresses: findings.addresses.iter().map(address).collect(),
        places: findings.mentions.iter().map(place).collect(),
        structured: facts
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
    let mut line = serde_json::to_string(object).expect("strings and numbers are always JSON");
    line.push('\n');
    line
}

fn address_object<'d>(
    gazetteer: &Gazetteer,
    text: &'d str,
    positions: &Positions<'_>,
    address: &'d Address,
) -> AddressObject<'d> {
    let street = match address.kind {
        AddressKind::Street => Some(address.street.as_str()),
        AddressKind::PoBox => address.po_box.as_deref(),
    };
    AddressObject {
        start: positions.code_point(address.span.start),
        end: positions.code_point(address.span.end),
        text: &text[address.span.clone()],
        number: said(&address.number),
        street,
        unit: address.unit.as_deref(),
        city: &address.city,
        state: said(address.state),
        zip: address.zip.as_deref(),
        country: address.country,
        lat: address.lat.map(|lat| degrees(f64::from(lat))),
        lon: address.lon.map(|lon| degrees(f64::from(lon))),
        geonameid: address.place.and_then(|place| geonameid(gazetteer, place)),
    }
}

fn place_object<'d>(
    gazetteer: &Gazetteer,
    text: &'d str,
    positions: &Positions<'_>,
    mention: &Mention,
) -> PlaceObject<'d> {
    let place = gazetteer.place(mention.place);
    PlaceObject {
        start: positions.code_point(mention.span.start),
        end: positions.code_point(mention.span.end),
        name: &text[mention.span.clone()],
        kind: place.kind.name(),
        geonameid: geonameid(gazetteer, mention.place),
        lat: degrees(f64::from(place.lat)),
        lon: degrees(f64::from(place.lon)),
        confidence: share(mention.confidence),
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

fn said(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
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
