//! One GeoJSON collection of points, for maps.
//!
//! What a document mentions more than once is one feature with a count.
//! Names inside addresses are left out: the address is there. GeoJSON wants
//! longitude first.

use super::Excerpt;
use super::document::Document;
use super::json_lines::{degrees, geonameid, share};
use super::parts::Parts;
use crate::cli::Finding;
use crate::output::json_line;
use place::address::Address;
use place::evidence::Evidence;
use place::gazetteer::{Gazetteer, PlaceId};
use place::geoparse::{Findings, Piece};
use place::precision::Precision;
use place::toponym::Mention;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::hash::Hash;

#[derive(Serialize)]
struct Feature<'d> {
    r#type: &'static str,
    geometry: Point,
    properties: Properties<'d>,
}

#[derive(Serialize)]
struct Point {
    r#type: &'static str,
    coordinates: [f64; 2],
}

#[derive(Serialize)]
struct Properties<'d> {
    document: &'d Value,
    /// `address`, a kind of place, or a kind of markup.
    kind: &'static str,
    /// As the document has it, the first time.
    text: String,
    /// The city or other place, with what contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    geonameid: Option<u32>,
    /// Of a name: the highest of its mentions.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// What the point is: the page's own coordinates, or the middle of a
    /// postal code or place.
    precision: &'static str,
    /// Of an address, and of what markup states.
    #[serde(flatten)]
    parts: Option<Parts<'d>>,
    /// How often the document has it.
    count: u32,
}

/// The features of one document, without what holds them together.
pub(super) fn features(
    gazetteer: &Gazetteer,
    document: &Document,
    findings: &Findings,
    excerpt: &Excerpt,
) -> String {
    let maker = Maker {
        gazetteer,
        document,
    };
    let mut merged = Merged::default();
    for address in excerpt.of(Finding::Addresses, &findings.addresses) {
        merged.add(Key::Address(address.key()), maker.address(address));
    }
    for (fact_idx, evidence) in findings.evidence.iter().enumerate() {
        if let Some(evidence) = evidence
            && excerpt.has(Finding::Markup)
        {
            merged.add(Key::of(evidence), maker.evidence(fact_idx, evidence));
        }
    }
    for mention in findings.names().filter(|_| excerpt.has(Finding::Names)) {
        merged.add(Key::Place(mention.place), Some(maker.mention(mention)));
    }
    let lines = merged.features.iter().map(json);
    lines.collect::<Vec<_>>().join(",\n")
}

/// The features of a long text: its addresses, once it is known how often it
/// has each, then its names.
pub(super) struct LongFeatures<'d> {
    maker: Maker<'d>,
    n_addresses: HashMap<u64, u32>,
    names: HashMap<PlaceId, Mentioned>,
}

/// All mentions of a place.
struct Mentioned {
    first: Mention,
    confidence: f32,
    count: u32,
}

impl<'d> LongFeatures<'d> {
    pub(super) fn of(gazetteer: &'d Gazetteer, document: &'d Document) -> LongFeatures<'d> {
        LongFeatures {
            maker: Maker {
                gazetteer,
                document,
            },
            n_addresses: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// Counts what is in a piece.
    pub(super) fn count(&mut self, piece: &Piece, excerpt: &Excerpt) {
        for address in excerpt.of(Finding::Addresses, &piece.addresses) {
            *self.n_addresses.entry(address.key()).or_default() += 1;
        }
        for mention in piece.names().filter(|_| excerpt.has(Finding::Names)) {
            let known = self.names.entry(mention.place);
            let known = known.or_insert_with(|| Mentioned {
                first: mention.clone(),
                confidence: 0.0,
                count: 0,
            });
            known.count += 1;
            known.confidence = known.confidence.max(mention.confidence);
        }
    }

    /// The features of the addresses that a piece has for the first time.
    pub(super) fn addresses(&mut self, piece: &Piece) -> String {
        let mut features = Vec::new();
        for address in &piece.addresses {
            if let Some(count) = self.n_addresses.remove(&address.key())
                && let Some(mut feature) = self.maker.address(address)
            {
                feature.properties.count = count;
                features.push(json(&feature));
            }
        }
        features.join(",\n")
    }

    /// The features of the names, in the order of the text.
    pub(super) fn names(self) -> String {
        let mut names: Vec<Mentioned> = self.names.into_values().collect();
        names.sort_by_key(|mentioned| mentioned.first.span.start);
        let features = names.iter().map(|mentioned| {
            let mut feature = self.maker.mention(&mentioned.first);
            feature.properties.confidence = Some(share(mentioned.confidence));
            feature.properties.count = mentioned.count;
            json(&feature)
        });
        features.collect::<Vec<_>>().join(",\n")
    }
}

fn json(feature: &Feature<'_>) -> String {
    json_line(feature).expect("strings and numbers are always JSON")
}

/// Puts the features of all documents into one collection.
#[derive(Default)]
pub(super) struct Collection {
    has_features: bool,
}

const HEAD: &str = "{\"type\":\"FeatureCollection\",\"features\":[";

impl Collection {
    /// What to write for the features of the next document.
    pub(super) fn add(&mut self, features: &str) -> String {
        if features.is_empty() {
            return String::new();
        }
        let before = if self.has_features { "," } else { HEAD };
        self.has_features = true;
        format!("{before}\n{features}")
    }

    /// What to write at the end.
    pub(super) fn end(&self) -> String {
        match self.has_features {
            true => "\n]}\n".into(),
            false => format!("{HEAD}]}}\n"),
        }
    }
}

/// What makes two findings of one document the same thing.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Address(u64),
    Place(PlaceId),
    /// In hundred-thousandths of degrees.
    Point(i64, i64),
}

impl Key {
    fn of(evidence: &Evidence) -> Key {
        let point = evidence
            .lat
            .zip(evidence.lon)
            .filter(|_| evidence.is_exact());
        match (&evidence.address, point, evidence.place) {
            (Some(address), _, _) => Key::Address(address.key()),
            (None, None, Some(place)) => Key::Place(place),
            (None, point, _) => {
                let (lat, lon) = point.unwrap_or_default();
                Key::Point((lat * 1e5) as i64, (lon * 1e5) as i64)
            }
        }
    }
}

/// Features in the order in which they were first found.
#[derive(Default)]
struct Merged<'d> {
    features: Vec<Feature<'d>>,
    by_key: HashMap<Key, usize>,
}

impl<'d> Merged<'d> {
    fn add(&mut self, key: Key, feature: Option<Feature<'d>>) {
        let Some(feature) = feature else {
            return;
        };
        match self.by_key.get(&key) {
            Some(&idx) => {
                let known = &mut self.features[idx].properties;
                known.count += 1;
                let confidence = feature.properties.confidence;
                if known
                    .confidence
                    .is_some_and(|known| confidence > Some(known))
                {
                    known.confidence = confidence;
                }
            }
            None => {
                self.by_key.insert(key, self.features.len());
                self.features.push(feature);
            }
        }
    }
}

/// Where something is.
#[derive(Clone, Copy)]
struct Spot {
    lat: f64,
    lon: f64,
    precision: Precision,
}

struct Maker<'d> {
    gazetteer: &'d Gazetteer,
    document: &'d Document,
}

impl<'d> Maker<'d> {
    fn address<'a>(&'a self, address: &'a Address) -> Option<Feature<'a>> {
        let spot = Spot {
            lat: address.lat?.into(),
            lon: address.lon?.into(),
            precision: address.precision?,
        };
        let text = self.document.text[address.span.clone()].to_owned();
        let mut feature = self.feature("address", text, spot, address.place);
        feature.properties.parts = Some(Parts::of(address));
        Some(feature)
    }

    fn evidence<'a>(&'a self, fact_idx: usize, evidence: &'a Evidence) -> Option<Feature<'a>> {
        let spot = Spot {
            lat: evidence.lat?,
            lon: evidence.lon?,
            precision: evidence.precision?,
        };
        let text = self.document.stated(fact_idx);
        let mut feature = self.feature(evidence.kind.name(), text, spot, evidence.place);
        feature.properties.parts = Some(Parts::stated(self.document, fact_idx, evidence));
        Some(feature)
    }

    fn mention(&self, mention: &Mention) -> Feature<'_> {
        let place = self.gazetteer.place(mention.place);
        let text = self.document.text[mention.span.clone()].to_owned();
        let spot = Spot {
            lat: place.lat.into(),
            lon: place.lon.into(),
            precision: Precision::Place,
        };
        let mut feature = self.feature(place.kind.name(), text, spot, Some(mention.place));
        feature.properties.confidence = Some(share(mention.confidence));
        feature
    }

    fn feature(
        &self,
        kind: &'static str,
        text: String,
        spot: Spot,
        place: Option<PlaceId>,
    ) -> Feature<'_> {
        Feature {
            r#type: "Feature",
            geometry: Point {
                r#type: "Point",
                coordinates: [degrees(spot.lon), degrees(spot.lat)],
            },
            properties: Properties {
                document: &self.document.id,
                kind,
                text,
                place: place.map(|place| self.gazetteer.describe(place)),
                geonameid: place.and_then(|place| geonameid(self.gazetteer, place)),
                confidence: None,
                precision: spot.precision.name(),
                parts: None,
                count: 1,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_is_json_however_many_documents_have_features() {
        for pieces in [&[][..], &[""], &["1"], &["", "1,\n2", "", "3"]] {
            let mut collection = Collection::default();
            let mut text = String::new();
            for piece in pieces {
                text += &collection.add(piece);
            }
            text += &collection.end();
            let value: Value = serde_json::from_str(&text).unwrap();
            assert!(value["features"].is_array(), "{text}");
        }
    }
}
