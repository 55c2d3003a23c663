//! Labels of structured data, brought into one form.

use serde_json::{Map, Value};

/// What a document says about places.
#[derive(Debug, Default)]
pub(super) struct Gold {
    pub(super) labels: Vec<Label>,
    pub(super) points: Vec<(f64, f64)>,
}

/// An address in plain form, part by part; empty where the document is silent.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Label {
    pub(super) street: String,
    pub(super) city: String,
    pub(super) state: String,
    pub(super) zip: String,
    pub(super) country: String,
}

/// Lower case, single spaces, entities resolved, no comma at the ends.
pub(super) fn plain(text: &str) -> String {
    let text = super::super::html_text(&text.replace('<', "&lt;"));
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let text = words.join(" ");
    text.trim_matches([',', ';', ' ']).to_owned()
}

impl Label {
    fn parts(&self) -> [&String; 5] {
        [
            &self.street,
            &self.city,
            &self.state,
            &self.zip,
            &self.country,
        ]
    }

    fn is_empty(&self) -> bool {
        self.parts().iter().all(|part| part.is_empty())
    }
}

impl Gold {
    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.points.is_empty()
    }

    pub(super) fn add_label(&mut self, label: Label) {
        if !label.is_empty() && !self.labels.contains(&label) {
            self.labels.push(label);
        }
    }

    pub(super) fn add_point(&mut self, lat: f64, lon: f64) {
        let is_on_earth = lat.abs() <= 90.0 && lon.abs() <= 180.0 && (lat, lon) != (0.0, 0.0);
        if is_on_earth && !self.points.contains(&(lat, lon)) {
            self.points.push((lat, lon));
        }
    }

    /// Everything in a tree that has the names of an address or of coordinates.
    pub(super) fn of_tree(tree: &Value) -> Gold {
        let mut gold = Gold::default();
        gold.walk(tree);
        gold
    }

    fn walk(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.walk(value)),
            Value::Object(object) => {
                self.read_object(object);
                object.values().for_each(|value| self.walk(value));
            }
            _ => {}
        }
    }

    fn read_object(&mut self, object: &Map<String, Value>) {
        let get = |names: [&str; 2]| {
            let found = object.iter().find(|(key, _)| names.contains(&local(key)));
            found.map(|(_, value)| scalar(value)).unwrap_or_default()
        };
        let part = |names| plain(&get(names));
        self.add_label(Label {
            street: part(["streetAddress", "street-address"]),
            city: part(["addressLocality", "locality"]),
            state: part(["addressRegion", "region"]),
            zip: part(["postalCode", "postal-code"]),
            country: part(["addressCountry", "country-name"]),
        });
        let number = |names| get(names).trim().parse::<f64>().ok();
        if let (Some(lat), Some(lon)) = (number(["latitude", "lat"]), number(["longitude", "long"]))
        {
            self.add_point(lat, lon);
        }
        // An address that is an item has been seen to, and one by name is elsewhere.
        if let Some(Value::String(address)) = object.get("address")
            && !address.contains("://")
        {
            self.add_label(Label {
                street: plain(address),
                ..Label::default()
            });
        }
        if let Some((lat, lon)) = pair(&get(["geo", "name"])) {
            self.add_point(lat, lon);
        }
    }

    /// Rows with our own names for the parts.
    pub(super) fn of_rows(addresses: &[Value], points: &[Value]) -> Gold {
        let mut gold = Gold::default();
        for row in addresses {
            let part = |name: &str| plain(row[name].as_str().unwrap_or_default());
            gold.add_label(Label {
                street: part("street"),
                city: part("city"),
                state: part("state"),
                zip: part("zip"),
                country: part("country"),
            });
        }
        for row in points {
            let number = |name: &str| row[name].as_str().and_then(|text| text.parse().ok());
            if let (Some(lat), Some(lon)) = (number("lat"), number("lon")) {
                gold.add_point(lat, lon);
            }
        }
        gold
    }

    /// `meta` elements by name; each is a label of its own.
    pub(super) fn of_meta(elements: &[(String, String)]) -> Gold {
        let mut gold = Gold::default();
        let value = |suffix: &str| {
            let mut found = elements.iter().filter(|(name, _)| name.ends_with(suffix));
            found
                .next()
                .and_then(|(_, value)| value.parse::<f64>().ok())
        };
        if let (Some(lat), Some(lon)) = (value(":latitude"), value(":longitude")) {
            gold.add_point(lat, lon);
        }
        for (name, value) in elements {
            match name.as_str() {
                "geo.position" | "icbm" => {
                    if let Some((lat, lon)) = pair(value) {
                        gold.add_point(lat, lon);
                    }
                }
                "geo.placename" | "og:locality" => gold.add_label(Label {
                    city: plain(value),
                    ..Label::default()
                }),
                "geo.region" => {
                    let (country, state) = value.split_once('-').unwrap_or((value, ""));
                    gold.add_label(Label {
                        country: plain(country),
                        state: plain(state),
                        ..Label::default()
                    });
                }
                _ => {}
            }
        }
        gold
    }

    /// Forgets what the source of a document does not contain.
    pub(super) fn keep_said_in(&mut self, html: &str) {
        let source = plain(html);
        self.labels
            .retain(|label| label.parts().iter().all(|part| source.contains(*part)));
        self.points.retain(|(lat, lon)| {
            source.contains(&lat.to_string()) && source.contains(&lon.to_string())
        });
    }
}

/// `http://schema.org/geo` is `geo`.
fn local(key: &str) -> &str {
    key.rsplit(['/', '#']).next().unwrap_or(key)
}

/// The text of a value, of the first of several, of a thing with a name.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => values.first().map(scalar).unwrap_or_default(),
        Value::Object(object) => ["@value", "name"]
            .iter()
            .find_map(|name| object.get(*name))
            .map(scalar)
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// `48.1;11.5`, `48.1, 11.5`, `geo:48.1,11.5;u=40`.
pub(super) fn pair(text: &str) -> Option<(f64, f64)> {
    let text = text.trim().trim_start_matches("geo:");
    let mut numbers = text.split([';', ',']).map(|part| part.trim().parse().ok());
    Some((numbers.next()??, numbers.next()??))
}
