//! Which place a page means by what it states for machines.
//!
//! A [`Claim`] holds the strings and coordinates as a page's markup gives
//! them; who reads markup is no affair of this crate. [`Understanding`] turns
//! a claim into [`Evidence`]: a place of the gazetteer, an address like those
//! found in text (the same address in both has the same key), coordinates,
//! and a note where the parts contradict each other. Nothing is repaired:
//! where they do, both sides are kept.
//!
//! What a template left unfilled is not looked at (`parts.rs`). Of the places
//! of a name, the one that agrees most with everything else that is said is
//! meant (`regions.rs`); where there is no name, the ZIP code's city, the city
//! around the coordinates (`nearest.rs`), the state or the country is.

mod nearest;
mod parts;
mod regions;

use crate::address::{Address, AddressKind, Addresses};
use crate::gazetteer::{Gazetteer, PlaceId, ZipArea};
use crate::precision::Precision;
use crate::sphere::kilometres;
use nearest::Nearest;
use parts::Parts;
use regions::{Named, Regions};

/// A point this far from the city that is stated, in kilometres, contradicts it.
const FAR: f64 = 50.0;

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
    /// Degrees north: the page's own, else of the address, else of the place.
    pub lat: Option<f64>,
    /// Degrees east: the page's own, else of the address, else of the place.
    pub lon: Option<f64>,
    /// What the coordinates are those of.
    pub precision: Option<Precision>,
    /// Two parts that cannot both be right.
    pub conflict: Option<Conflict>,
}

impl Evidence {
    /// Whether the coordinates are the page's own, not looked up.
    pub fn is_exact(&self) -> bool {
        self.precision == Some(Precision::Page)
    }
}

/// Parts of a claim that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conflict {
    /// The coordinates lie far (more than 50 km) from the stated city.
    PointAwayFromCity,
    /// The ZIP code belongs to another state than the one that is stated.
    ZipOfAnotherState,
    /// ZIP code or coordinates confirm a city outside the state that is stated.
    CityOutsideState,
    /// ZIP code or coordinates confirm a city outside the country that is stated.
    CityOutsideCountry,
}

/// Understands claims; made once, used for every page.
pub struct Understanding<'g> {
    gazetteer: &'g Gazetteer,
    regions: Regions<'g>,
    nearest: Nearest,
}

impl<'g> Understanding<'g> {
    /// Prepares what claims are looked up in.
    pub fn new(gazetteer: &'g Gazetteer) -> Understanding<'g> {
        Understanding {
            gazetteer,
            regions: Regions::new(gazetteer),
            nearest: Nearest::new(gazetteer),
        }
    }

    /// The city at a point, if one is near.
    pub fn city_at(&self, lat: f64, lon: f64) -> Option<PlaceId> {
        self.nearest.find(lat, lon)
    }

    /// What a claim means; none where it means nothing we know.
    pub fn understand(&self, claim: &Claim<'_>, addresses: &Addresses) -> Option<Evidence> {
        let parts = Parts::of(claim);
        let mut context = self.regions.context(&parts);
        let named = self.regions.city(&parts, &context);
        if let Some(named) = named {
            // Five digits are a postal code of many countries.
            context.zip = context
                .zip
                .filter(|_| self.regions.is_american(named.place));
        }
        let around = named
            .map(|named| named.place)
            .or(context.zip.and_then(|zip| zip.place));
        let address = self.address(&parts, &context.zip, around, addresses);
        let of_address = address.as_ref().and_then(|address| address.place);
        let at_point = || parts.point.and_then(|(lat, lon)| self.city_at(lat, lon));
        let place = around
            .or(of_address)
            .or_else(at_point)
            .or(context.state)
            .or(context.country);
        let looked_up = || {
            let of_address = address.as_ref().and_then(|found| {
                let (lat, lon) = found.lat.zip(found.lon)?;
                Some((lat, lon, found.precision?))
            });
            let of_zip = || {
                let zip = context.zip?;
                Some((zip.lat, zip.lon, Precision::Postcode))
            };
            let of_place = || {
                let place = self.gazetteer.place(place?);
                Some((place.lat, place.lon, Precision::Place))
            };
            let (lat, lon, precision) = of_address.or_else(of_zip).or_else(of_place)?;
            Some((f64::from(lat), f64::from(lon), precision))
        };
        let own = parts.point.map(|(lat, lon)| (lat, lon, Precision::Page));
        let point = own.or_else(looked_up);
        (place.is_some() || point.is_some()).then(|| Evidence {
            kind: claim.kind,
            place,
            lat: point.map(|(lat, ..)| lat),
            lon: point.map(|(_, lon, _)| lon),
            precision: point.map(|(.., precision)| precision),
            conflict: self.conflict(&parts, &context, named, around.or(of_address)),
            address,
        })
    }

    /// The address, found as it would be in a text that says the same.
    fn address(
        &self,
        parts: &Parts<'_>,
        zip: &Option<ZipArea<'_>>,
        place: Option<PlaceId>,
        addresses: &Addresses,
    ) -> Option<Address> {
        let has_number = parts.street.bytes().any(|byte| byte.is_ascii_digit());
        if !has_number || !parts.street.contains(char::is_alphabetic) {
            return None;
        }
        let known = place.map(|id| self.gazetteer.place(id));
        let or = |said: &str, known: Option<&str>| match said {
            "" => known.unwrap_or_default().to_owned(),
            _ => said.to_owned(),
        };
        let post_name = zip.and_then(|zip| zip.names().next());
        let city = or(parts.city, post_name.or(known.map(|place| place.name)));
        let division = known
            .filter(|place| place.country == "US")
            .map(|place| place.division);
        let state = or(parts.state, zip.map(|zip| zip.state).or(division));
        let Parts { street, zip, .. } = parts;
        let is_american = known.is_none_or(|place| place.country == "US");
        // What stands in one string is complete, or lacks its city.
        let texts = [
            is_american.then(|| format!("{street}, {city}, {state} {zip}")),
            Some(format!("{street}, {zip} {city}")),
            Some((*street).to_owned()),
        ];
        let on_a_street = |text: String| {
            let found = addresses.find(&text);
            found
                .into_iter()
                .find(|address| address.kind == AddressKind::Street)
        };
        let mut address = texts.into_iter().flatten().find_map(on_a_street)?;
        address.span = 0..0;
        address.crosses_blank_line = false;
        Some(address)
    }

    fn conflict(
        &self,
        parts: &Parts<'_>,
        context: &regions::Context<'_>,
        named: Option<Named>,
        city: Option<PlaceId>,
    ) -> Option<Conflict> {
        if let Some(point) = parts.point
            && let Some(place) = city.map(|id| self.gazetteer.place(id))
            && place.kind.is_settlement()
            && kilometres(point, (place.lat, place.lon)) > FAR
        {
            return Some(Conflict::PointAwayFromCity);
        }
        let state = context.state.map(|id| self.gazetteer.place(id));
        if let (Some(zip), Some(state)) = (context.zip, state)
            && state.country == "US"
            && state.division != zip.state
        {
            return Some(Conflict::ZipOfAnotherState);
        }
        named.and_then(|named| named.conflict)
    }
}

impl std::fmt::Debug for Understanding<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Understanding").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
