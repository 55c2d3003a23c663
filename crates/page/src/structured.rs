//! What a page says about places in words meant for machines.
//!
//! Facts, not places: a street, a city, a pair of coordinates, as the page
//! gives them. Which place that is, others decide.
//!
//! | kind | read from | file |
//! | --- | --- | --- |
//! | JSON-LD | `script type=application/ld+json`, however sloppy | `jsonld.rs` |
//! | microdata | `itemscope`, `itemprop`, `itemtype` | `microdata.rs` |
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

mod items;
mod jsonld;
mod maps;
mod markup;
mod meta;
mod microdata;
mod microformats;
mod rdfa;
mod values;
mod words;

pub(crate) use jsonld::JsonLd;
pub(crate) use markup::Markup;
pub(crate) use meta::Metas;

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

    fn set_point(&mut self, (lat, lon): (f64, f64)) {
        (self.lat, self.lon) = (Some(lat), Some(lon));
    }
}

/// The facts of one page, in the order in which they were complete.
#[derive(Debug, Default)]
pub(crate) struct Facts(Vec<Fact>);

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

    /// Reads the target of a link or frame, if it is a map.
    pub(crate) fn note_link(&mut self, target: &[u8]) {
        if maps::may_be(target)
            && let Ok(target) = std::str::from_utf8(target)
            && let Some(fact) = maps::read(target)
        {
            self.push(fact);
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Fact> {
        self.0
    }
}

#[cfg(test)]
mod tests;
