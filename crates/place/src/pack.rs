//! The data pack: how a gazetteer is laid out in bytes.
//!
//! A pack is a header and named sections. The header holds a magic number, a
//! version, a checksum over all that follows it, and the sections' tags and
//! lengths. A section is a column of numbers, all of one width and
//! little-endian, or a list of strings. Both are read where they lie: the
//! program carries the pack as plain bytes, and what nobody asks for is
//! never brought into memory. Names are found through an `fst` map from
//! their normal form to their first posting.
//!
//! [`Contents::encode`] writes what `Pack::decode` reads; nobody else knows
//! the layout. Where the facts come from is the affair of `cargo xtask pack`.

mod column;
mod postcodes;
mod read;
mod section;
mod write;

use crate::gazetteer::{Kind, PlaceId, Role};
pub(crate) use column::{Column, Strings};
pub use postcodes::PostcodeRow;
pub(crate) use read::{Lists, Pack};
use std::collections::BTreeMap;

/// Stands in a column of positions for "no place".
pub(crate) const NO_PLACE: u32 = 0xFF_FFFF;

/// Stands in a code column for "the same as what contains it".
const INHERITED: u32 = 0xFFFF;

/// Coordinates are stored in ten-thousandths of a degree: eleven metres.
const COORDINATE_SCALE: f64 = 10_000.0;

/// Added before storing, so that coordinates are never negative.
const COORDINATE_ZERO: f64 = 2_000_000.0;

/// Why bytes are not a pack this program can read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PackError {
    /// These bytes are something else.
    #[error("not a data pack")]
    Magic,
    /// Written by another version of the program.
    #[error("data pack has version {found}, this program reads version {expected}")]
    Version {
        /// The pack's version.
        found: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// Bytes are missing or changed.
    #[error("data pack is damaged (checksum)")]
    Checksum,
    /// A section is absent, too short, or contradicts another one.
    #[error("data pack is damaged in section `{section}`")]
    Section {
        /// The section's tag.
        section: &'static str,
    },
}

/// One place as the builder of a pack knows it.
#[derive(Debug, Clone)]
pub struct PlaceRow {
    /// GeoNames identifier, zero where there is none.
    pub geonameid: u32,
    /// Usual name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
    /// People, zero where unknown.
    pub population: u32,
    /// ISO country code, empty for what lies in no single country.
    pub country: String,
    /// First-level code.
    pub division: String,
    /// IANA time zone, empty for all but cities.
    pub time_zone: String,
    /// Position of the place that contains it, of a larger kind.
    pub parent: Option<u32>,
    /// Offset of its WordNet 3.1 noun synset.
    pub synset: Option<u32>,
}

/// One ZIP code as the builder of a pack knows it.
#[derive(Debug, Clone)]
pub struct ZipRow {
    /// The five digits as a number.
    pub code: u32,
    /// Position of its city, where that is a place of the pack.
    pub city: Option<u32>,
    /// Two letters of its state, territory or military region.
    pub state: String,
    /// Names of cities in its addresses, the post's own first.
    pub names: Vec<String>,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

/// Everything that goes into a pack.
///
/// Places come most populous first: their position is their [`PlaceId`], and
/// every list of positions is therefore sorted by population.
#[derive(Debug, Default)]
pub struct Contents {
    /// All places, most populous first.
    pub places: Vec<PlaceRow>,
    /// Normal form of a name to ascending positions of the places it names.
    pub names: BTreeMap<String, Vec<(u32, Role)>>,
    /// Abbreviations in exactly their spelling, sorted, with positions.
    pub abbreviations: Vec<(String, u32)>,
    /// What else a place is part of, beside its parents.
    pub part_of: BTreeMap<u32, Vec<u32>>,
    /// Street names by position of a city or county.
    pub streets: BTreeMap<u32, Vec<String>>,
    /// Street names common everywhere in the US, most common first.
    pub common_streets: Vec<String>,
    /// ZIP codes.
    pub zips: Vec<ZipRow>,
    /// Postal codes of countries other than the US.
    pub postcodes: Vec<PostcodeRow>,
    /// Web addresses to start a crawl from, by position of a city.
    pub seeds: BTreeMap<u32, Vec<String>>,
}

/// One bearer of a name in three bytes: whether it is the name's last, its
/// role, and its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting(u32);

impl Posting {
    const LAST: u32 = 1 << 23;
    const ROLE_SHIFT: u32 = 21;
    const POSITION: u32 = (1 << Self::ROLE_SHIFT) - 1;

    fn new(position: u32, role: Role, is_last: bool) -> Posting {
        assert!(position <= Self::POSITION, "fewer than two million places");
        let last = if is_last { Self::LAST } else { 0 };
        Posting(position | (role as u32) << Self::ROLE_SHIFT | last)
    }

    pub(crate) fn place(self) -> PlaceId {
        PlaceId(self.0 & Self::POSITION)
    }

    pub(crate) fn role(self) -> Role {
        Role::ALL[(self.0 >> Self::ROLE_SHIFT & 3) as usize]
    }

    pub(crate) fn is_last(self) -> bool {
        self.0 & Self::LAST != 0
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "degrees times 10,000 plus two million are between zero and four million"
)]
fn fixed_point(degrees: f64) -> u32 {
    (degrees * COORDINATE_SCALE + COORDINATE_ZERO).round() as u32
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "f32 holds a coordinate to a metre"
)]
fn degrees(fixed_point: u32) -> f32 {
    ((f64::from(fixed_point) - COORDINATE_ZERO) / COORDINATE_SCALE) as f32
}

#[cfg(test)]
mod tests;
