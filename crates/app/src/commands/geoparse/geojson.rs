//! One GeoJSON collection of points, for maps.
//!
//! What a document mentions more than once is one feature with a count.
//! Names inside addresses are left out: the address is there. GeoJSON wants
//! longitude first.

use super::document::Document;
use super::json_lines::{degrees, geonameid, share};
use place::address::Address;
use place::evidence::Evidence;
use place::gazetteer::{Gazetteer, PlaceId};
use place::geoparse::Findings;
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
    /// How often the document has it.
    count: u32,
}

/// The features of one document, without what holds them together.
pub(super) fn features(gazetteer: &Gazetteer, document: &Document, findings: &Findings) -> String {
    let maker = Maker {
        gazetteer,
        document,
    };
    let mut merged = Merged::default();
    for address in &findings.addresses {
        merged.add(Key::Address(address.key()), maker.address(address));
    }
    for (fact_idx, evidence) in findings.evidence.iter().enumerate() {
        if let Some(evidence) = evidence {
            merged.add(Key::of(evidence), maker.evidence(fact_idx, evidence));
        }
    }
    for mention in findings.names() {
        merged.add(Key::Place(mention.place), Some(maker.mention(mention)));
    }
    let lines = merged.features.iter().map(|feature| {
        serde_json::to_string(feature).expect("strings and numbers are always JSON")
    });
    lines.collect::<Vec<_>>().join(",\n")
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
        let point = evidence.lat.zip(evidence.lon).filter(|_| evidence.is_exact);
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

struct Maker<'d> {
    gazetteer: &'d Gazetteer,
    document: &'d Document,
}

impl<'d> Maker<'d> {
    fn address(&self, address: &Address) -> Option<Feature<'d>> {
        let (lat, lon) = address.lat.zip(address.lon)?;
        let text = self.document.text[address.span.clone()].to_owned();
        let point = (f64::from(lat), f64::from(lon));
        Some(self.feature("address", text, point, address.place))
    }

    fn evidence(&self, fact_idx: usize, evidence: &Evidence) -> Option<Feature<'d>> {
        let point = evidence.lat.zip(evidence.lon)?;
        let text = self.document.stated(fact_idx);
        Some(self.feature(evidence.kind.name(), text, point, evidence.place))
    }

    fn mention(&self, mention: &Mention) -> Feature<'d> {
        let place = self.gazetteer.place(mention.place);
        let text = self.document.text[mention.span.clone()].to_owned();
        let point = (f64::from(place.lat), f64::from(place.lon));
        let mut feature = self.feature(place.kind.name(), text, point, Some(mention.place));
        feature.properties.confidence = Some(share(mention.confidence));
        feature
    }

    fn feature(
        &self,
        kind: &'static str,
        text: String,
        (lat, lon): (f64, f64),
        place: Option<PlaceId>,
    ) -> Feature<'d> {
        Feature {
            r#type: "Feature",
            geometry: Point {
                r#type: "Point",
                coordinates: [degrees(lon), degrees(lat)],
            },
            properties: Properties {
                document: &self.document.id,
                kind,
                text,
                place: place.map(|place| self.gazetteer.describe(place)),
                geonameid: place.and_then(|place| geonameid(self.gazetteer, place)),
                confidence: None,
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
