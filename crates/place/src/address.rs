//! Finds postal addresses in text.
//!
//! Each country has a file of its own behind `Country`; [`Addresses`] asks
//! all of them. [`AddressFinder`] keeps what lies in a crawl's targets
//! (`address/aims.rs`), and has no other notion of an address: whatever is
//! found counts.

mod aims;
mod de;
mod keys;
mod postcodes;
mod us;

use crate::gazetteer::{Gazetteer, PlaceId};
use crate::precision::Precision;
use crate::target::{TargetId, Targets};
use aims::Aims;
use de::GermanAddresses;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use us::UsAddresses;
use xxhash_rust::xxh3::xxh3_64;

/// What the post delivers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressKind {
    /// A house on a street.
    Street,
    /// A box at a post office: no place one could visit.
    PoBox,
}

/// How much of an address the gazetteer confirms, most last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    /// The city is unknown.
    Unknown,
    /// There is such a city.
    Known,
    /// The city is one of the postal code.
    OfCode,
}

/// An address found in a text, normalised but for its city.
#[derive(Debug, Clone, PartialEq)]
pub struct Address {
    /// Byte range in the text, from the number to the ZIP code or country.
    pub span: Range<usize>,
    /// House or post box.
    pub kind: AddressKind,
    /// House number, upper case; empty for a post box.
    pub number: String,
    /// Street: in the US upper case, suffix and directionals in their postal
    /// abbreviation; elsewhere as the text has it, with single spaces.
    pub street: String,
    /// The street in a form that is equal for two spellings, where `street` is not.
    plain_street: Option<String>,
    /// Unit, where there is one: `STE 300`.
    pub unit: Option<String>,
    /// Post box, also where one stands beside a street: `PO BOX 12`.
    pub po_box: Option<String>,
    /// City as the text has it, with single spaces.
    pub city: String,
    /// Equal for two names of one city.
    city_key: u64,
    /// How much of it is known.
    certainty: Certainty,
    /// Whether a blank line stands inside: some pages set each line as a paragraph.
    pub crosses_blank_line: bool,
    /// Two letters of the state or Land; empty where it is not known.
    pub state: &'static str,
    /// Two letters of the country.
    pub country: &'static str,
    /// Postal code, where there is one; a US ZIP code may have four more digits.
    pub zip: Option<String>,
    /// The city, or the city of the ZIP code, where the gazetteer knows it.
    pub place: Option<PlaceId>,
    /// Degrees north.
    pub lat: Option<f32>,
    /// Degrees east.
    pub lon: Option<f32>,
    /// What the coordinates are those of, where there are some.
    pub precision: Option<Precision>,
}

impl Address {
    /// Equal for two spellings of one address (number, street, city, state; not the unit).
    pub fn key(&self) -> u64 {
        let Address {
            number,
            street,
            po_box,
            city_key,
            state,
            ..
        } = self;
        let delivery = match (self.kind, po_box) {
            (AddressKind::PoBox, Some(po_box)) => po_box,
            _ => self.plain_street.as_ref().unwrap_or(street),
        };
        xxh3_64(format!("{number}\n{delivery}\n{city_key:016x}\n{state}").as_bytes())
    }
}

/// A postal address found in a text, normalised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// House number, upper case; empty for a post box.
    pub number: String,
    /// Street, as in [`Address`], or the post box.
    pub street: String,
    /// The street in a form that is equal for two spellings, where `street` is not.
    plain_street: Option<String>,
    /// Unit, where there is one.
    pub unit: Option<String>,
    /// The target's name.
    pub city: String,
    /// Two-letter state or Land.
    pub state: String,
    /// Postal code, where there is one.
    pub zip: Option<String>,
    /// The target it lies in.
    pub target: TargetId,
}

impl Entity {
    /// Equal for two spellings of one address (number, street, city, state; not the unit).
    pub fn key(&self) -> u64 {
        let Entity {
            number,
            street,
            city,
            state,
            ..
        } = self;
        let street = self.plain_street.as_ref().unwrap_or(street);
        xxh3_64(format!("{number}\n{street}\n{city}\n{state}").as_bytes())
    }
}

/// `901 BAGBY ST, Houston, TX`, for people.
impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entity {
            number,
            street,
            city,
            state,
            ..
        } = self;
        let gap = if number.is_empty() { "" } else { " " };
        write!(f, "{number}{gap}{street}, {city}, {state}")
    }
}

/// The addresses of one country.
///
/// To add a country, write a file that implements this and name it in
/// [`Addresses::new`].
pub(crate) trait Country: Send + Sync {
    /// All addresses of the text, in order; they do not overlap.
    fn find(&self, text: &str) -> Vec<Address>;
}

/// Finds the addresses of every country we know; made once, used for every text.
pub struct Addresses {
    countries: Vec<Box<dyn Country>>,
}

impl Addresses {
    /// Prepares the names of all cities.
    pub fn new(gazetteer: &Gazetteer) -> Addresses {
        Addresses {
            countries: vec![
                Box::new(UsAddresses::new(gazetteer)),
                Box::new(GermanAddresses::new(gazetteer)),
            ],
        }
    }

    /// All addresses of the text, in order; they do not overlap.
    pub fn find(&self, text: &str) -> Vec<Address> {
        let mut found: Vec<Address> = Vec::new();
        for country in &self.countries {
            found.extend(country.find(text));
        }
        if !found.is_sorted_by(|a, b| a.span.end <= b.span.start) {
            found = without_overlaps(found);
        }
        found
    }
}

/// In the order of the text; where two overlap, the one of which more is known.
fn without_overlaps(mut found: Vec<Address>) -> Vec<Address> {
    found.sort_by_key(|address| address.span.start);
    let worth = |address: &Address| (address.certainty, address.span.len());
    let mut kept: Vec<Address> = Vec::with_capacity(found.len());
    for address in found {
        match kept.last_mut() {
            Some(last) if last.span.end > address.span.start => {
                if worth(&address) > worth(last) {
                    *last = address;
                }
            }
            _ => kept.push(address),
        }
    }
    kept
}

impl fmt::Debug for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Addresses").finish_non_exhaustive()
    }
}

/// Finds addresses in one of the targets.
pub struct AddressFinder {
    addresses: Arc<Addresses>,
    aims: Aims,
}

impl AddressFinder {
    /// Prepares for a set of targets.
    pub fn new(gazetteer: &'static Gazetteer, targets: &Targets) -> AddressFinder {
        AddressFinder {
            addresses: Arc::new(Addresses::new(gazetteer)),
            aims: Aims::of(gazetteer, targets),
        }
    }

    /// What finds the addresses, of targets and all others.
    pub fn addresses(&self) -> Arc<Addresses> {
        self.addresses.clone()
    }

    /// All addresses of the text, in order.
    pub fn find(&self, text: &str) -> Vec<Entity> {
        let found = self.addresses.find(text);
        let of_target = |address| self.entity(address);
        found.into_iter().filter_map(of_target).collect()
    }

    /// The address, if it lies in a target.
    pub fn entity(&self, address: Address) -> Option<Entity> {
        let target = self.aims.target_of(&address)?;
        let city = self.aims.city_of(&address, target);
        let street = match address.kind {
            AddressKind::Street => address.street,
            AddressKind::PoBox => address.po_box.unwrap_or_default(),
        };
        Some(Entity {
            city,
            span: address.span,
            number: address.number,
            street,
            plain_street: address
                .plain_street
                .filter(|_| address.kind == AddressKind::Street),
            unit: address.unit,
            state: address.state.to_owned(),
            zip: address.zip,
            target,
        })
    }
}

impl fmt::Debug for AddressFinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressFinder")
            .field("n_targets", &self.aims.n_targets())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
