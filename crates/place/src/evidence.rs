//! Which place a page means by what it states for machines.
//!
//! A [`Claim`] holds the strings and coordinates as a page's markup gives
//! them; who reads markup is no affair of this crate. [`Understanding`] turns
//! a claim into [`Evidence`]: a place of the gazetteer, an address like those
//! found in text (the same address in both has the same key), coordinates,
//! and a note where the parts contradict each other. Nothing is repaired:
//! where they do, both sides are kept.

use crate::address::{Address, Addresses};
use crate::gazetteer::{Gazetteer, PlaceId};

/// How a page stated something for machines; each kind is evidence of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// A place as a page states it, in the page's own words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim<'c> {
    /// How it was stated.
    pub kind: Kind,
    /// Street and number, or a whole address in one string; empty where there is none.
    pub street: &'c str,
    /// City, town or village.
    pub city: &'c str,
    /// State, region or province: a name or a code.
    pub state: &'c str,
    /// Postal code.
    pub zip: &'c str,
    /// Country: a name or a code.
    pub country: &'c str,
    /// Degrees north and east.
    pub point: Option<(f64, f64)>,
}

impl Claim<'_> {
    /// A claim that says nothing yet.
    pub fn new(kind: Kind) -> Claim<'static> {
        Claim {
            kind,
            street: "",
            city: "",
            state: "",
            zip: "",
            country: "",
            point: None,
        }
    }
}

/// What a claim means.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// How it was stated.
    pub kind: Kind,
    /// The city; a state or country where the claim goes no further.
    pub place: Option<PlaceId>,
    /// The address, normalised as those found in text are. Its span is empty:
    /// it lies in no text.
    pub address: Option<Address>,
    /// Degrees north: the claim's own, else of the address, else of the place.
    pub lat: Option<f64>,
    /// Degrees east: the claim's own, else of the address, else of the place.
    pub lon: Option<f64>,
    /// The coordinates are the claim's own, not looked up.
    pub is_exact: bool,
    /// Two parts that cannot both be right.
    pub conflict: Option<Conflict>,
}

/// Parts of a claim that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conflict {
    /// The coordinates lie far (more than 50 km) from the stated city.
    PointAwayFromCity,
    /// The ZIP code belongs to another state than the one that is stated.
    ZipOfAnotherState,
    /// The state that is stated has no city of that name.
    CityOutsideState,
    /// The country that is stated has no city of that name.
    CityOutsideCountry,
}

/// Understands claims; made once, used for every page.
pub struct Understanding<'g> {
    gazetteer: &'g Gazetteer,
}

impl<'g> Understanding<'g> {
    /// Prepares what claims are looked up in.
    pub fn new(gazetteer: &'g Gazetteer) -> Understanding<'g> {
        Understanding { gazetteer }
    }

    /// What a claim means; none where it means nothing we know.
    pub fn understand(&self, claim: &Claim<'_>, addresses: &Addresses) -> Option<Evidence> {
        let text = format!(
            "{}, {}, {} {}",
            claim.street, claim.city, claim.state, claim.zip
        );
        let address = addresses.find(&text).into_iter().next();
        let named = self.gazetteer.find(claim.city).first().copied();
        let place = address.as_ref().and_then(|address| address.place).or(named);
        let known = place.map(|id| self.gazetteer.place(id));
        let point = claim
            .point
            .or_else(|| known.map(|place| (f64::from(place.lat), f64::from(place.lon))));
        (place.is_some() || point.is_some()).then(|| Evidence {
            kind: claim.kind,
            place,
            address,
            lat: point.map(|(lat, _)| lat),
            lon: point.map(|(_, lon)| lon),
            is_exact: claim.point.is_some(),
            conflict: None,
        })
    }
}

impl std::fmt::Debug for Understanding<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Understanding").finish_non_exhaustive()
    }
}
