//! What a page says about places in words meant for machines.
//!
//! Facts, not places: a street, a city, a pair of coordinates, as the page
//! gives them. Which place that is, others decide.
//!
//! | kind | read from | file |
//! | --- | --- | --- |
//! | JSON-LD | `script type=application/ld+json`, however sloppy | `jsonld.rs` |
//! | microdata | `itemscope`, `itemprop`, `itemtype`, `itemref` | `microdata.rs` |
//! | RDFa | `typeof`, `property`, `rel` | `rdfa.rs` |
//! | microformats | classes: `vcard`, `adr`, `geo`, `h-card`, `h-adr`, `h-geo` | `microformats.rs` |
//! | meta | `geo.position`, `ICBM`, `og:latitude`, … | `meta.rs` |
//! | map links | where links to maps and frames of maps point | `maps.rs` |
//!
//! The first four share one idea, an item with properties (`items.rs`), and
//! one vocabulary (`words.rs`): schema.org's names and vCard's. An address and
//! coordinates of one item become one fact. The three that live on elements
//! share the bookkeeping of where an element ends (`markup.rs`), which costs
//! nothing before the first item opens.
//!
//! An address that is one string is the fact's `street`.

mod graph;
mod items;
mod jsonld;
mod maps;
mod markup;
mod meta;
mod microdata;
mod microformats;
mod rdfa;
mod references;
mod values;
mod words;

use crate::html::tags::Tag;
use crate::html::tokens::{Attribute, Attributes};

use jsonld::JsonLd;
use markup::Markup;
use meta::Metas;
pub(crate) use references::References;

/// Facts beyond this many are not read.
pub const MAX_FACTS: usize = 500;

/// How many earlier facts a new one is compared with, so that what a page
/// repeats is there once and a page of repetitions costs no square.
const N_COMPARED: usize = 32;

/// How a page stated a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A JSON-LD script.
    JsonLd,
    /// `itemscope` and `itemprop`.
    Microdata,
    /// `typeof` and `property`.
    Rdfa,
    /// Classes such as `vcard`, `adr`, `h-geo`.
    Microformat,
    /// `meta` elements.
    Meta,
    /// The target of a link to a map, or of an embedded one.
    MapLink,
}

impl Kind {
    /// The name that listings show, e.g. `json-ld`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::JsonLd => "json-ld",
            Kind::Microdata => "microdata",
            Kind::Rdfa => "rdfa",
            Kind::Microformat => "microformat",
            Kind::Meta => "meta",
            Kind::MapLink => "map-link",
        }
    }
}

/// A place as a page states it. `lat` and `lon` are both there or both absent.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// How it was stated.
    pub kind: Kind,
    /// Street and number, or a whole address given as one string.
    pub street: Option<String>,
    /// City, town or village.
    pub city: Option<String>,
    /// State, region or province, as written.
    pub state: Option<String>,
    /// Postal code.
    pub zip: Option<String>,
    /// Country, as written: a name or a code.
    pub country: Option<String>,
    /// Degrees north, within ±90.
    pub lat: Option<f64>,
    /// Degrees east, within ±180.
    pub lon: Option<f64>,
}

impl Fact {
    fn new(kind: Kind) -> Fact {
        Fact {
            kind,
            street: None,
            city: None,
            state: None,
            zip: None,
            country: None,
            lat: None,
            lon: None,
        }
    }

    fn has_address(&self) -> bool {
        let parts = [
            &self.street,
            &self.city,
            &self.state,
            &self.zip,
            &self.country,
        ];
        parts.into_iter().any(Option::is_some)
    }

    fn has_point(&self) -> bool {
        self.lat.is_some() && self.lon.is_some()
    }

    fn point(&self) -> Option<(f64, f64)> {
        self.lat.zip(self.lon)
    }

    /// Takes over what it lacks: parts of the address one by one, coordinates together.
    fn complete(&mut self, other: &Fact) {
        let fill = |part: &mut Option<String>, other: &Option<String>| {
            if part.is_none() {
                part.clone_from(other);
            }
        };
        fill(&mut self.street, &other.street);
        fill(&mut self.city, &other.city);
        fill(&mut self.state, &other.state);
        fill(&mut self.zip, &other.zip);
        fill(&mut self.country, &other.country);
        if let Some(point) = other.point()
            && !self.has_point()
        {
            self.set_point(point);
        }
    }

    fn set_point(&mut self, (lat, lon): (f64, f64)) {
        (self.lat, self.lon) = (Some(lat), Some(lon));
    }
}

/// Reads one page's facts, as its document sees tags and text go by.
#[derive(Debug)]
pub(crate) struct Reader {
    facts: Facts,
    markup: Markup,
    metas: Metas,
    json_ld: JsonLd,
}

impl Reader {
    /// For a page whose elements are borrowed from as `references` knows.
    pub(crate) fn new(references: References) -> Reader {
        Reader {
            facts: Facts::default(),
            markup: Markup::new(references),
            metas: Metas::new(),
            json_ld: JsonLd::new(),
        }
    }

    /// Identifiers of elements matter.
    pub(crate) fn wants_ids(&self) -> bool {
        self.markup.wants_ids()
    }

    /// A start tag that counts.
    pub(crate) fn start(&mut self, tag: Tag, attributes: &Attributes, is_self_closing: bool) {
        let is_empty = tag == Tag::Svg && is_self_closing;
        if !is_empty && (self.markup.is_active() || self.markup.opens(attributes)) {
            self.markup.start(tag, attributes, &mut self.facts);
        }
        let targets: &[Attribute] = match tag {
            Tag::A | Tag::Area => &[Attribute::Href],
            // Frames that are filled in later keep their target elsewhere.
            Tag::Iframe | Tag::Frame => &[Attribute::Src, Attribute::DataSrc],
            Tag::Meta => return self.note_meta(attributes),
            _ => return,
        };
        for target in targets.iter().filter_map(|&name| attributes.bytes(name)) {
            if maps::may_be(target)
                && let Ok(target) = std::str::from_utf8(target)
                && let Some(fact) = maps::read(target)
            {
                self.facts.push(fact);
            }
        }
    }

    fn note_meta(&mut self, attributes: &Attributes) {
        let content = attributes.get(Attribute::Content).unwrap_or_default();
        for name in [Attribute::Name, Attribute::Property] {
            if let Some(name) = attributes.get(name) {
                self.metas.note(name, content, &mut self.facts);
            }
        }
    }

    pub(crate) fn end(&mut self, tag: Tag) {
        if self.markup.is_active() {
            self.markup.end(tag, &mut self.facts);
        }
    }

    /// Text of the page, shown or not.
    pub(crate) fn text(&mut self, piece: &[u8]) {
        if self.markup.is_capturing() {
            self.markup.text(piece);
        }
    }

    /// Whether a script with these attributes is one to read.
    pub(crate) fn wants_script(attributes: &Attributes) -> bool {
        attributes.get(Attribute::Type).is_some_and(JsonLd::is_type)
    }

    /// Text of such a script.
    pub(crate) fn script(&mut self, piece: &[u8]) {
        self.json_ld.push(piece);
    }

    pub(crate) fn end_script(&mut self) {
        self.json_ld.end(&mut self.facts);
    }

    /// The page is over.
    pub(crate) fn finish(mut self) -> (Vec<Fact>, References) {
        self.json_ld.finish(&mut self.facts);
        let references = self.markup.finish(&mut self.facts);
        self.metas.finish(&mut self.facts);
        (self.facts.0, references)
    }
}

/// The facts of one page, in the order in which they were complete.
#[derive(Debug, Default)]
struct Facts(Vec<Fact>);

impl Facts {
    /// Keeps a fact that says something and was not just said.
    fn push(&mut self, mut fact: Fact) {
        match (fact.lat, fact.lon) {
            (Some(lat), Some(lon)) if values::is_on_earth(lat, lon) => {}
            _ => (fact.lat, fact.lon) = (None, None),
        }
        let says_something = fact.has_point() || fact.has_address();
        if says_something
            && self.0.len() < MAX_FACTS
            && !self.0.iter().rev().take(N_COMPARED).any(|old| *old == fact)
        {
            self.0.push(fact);
        }
    }
}

#[cfg(test)]
mod tests;
