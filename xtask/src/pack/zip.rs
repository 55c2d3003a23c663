//! ZIP codes: their city, and the other names that stand in their addresses.
//!
//! The post knows one name of its own for each code, others it accepts, and
//! many it does not accept but people write: real villages and quarters,
//! abbreviations, and organisations that have a code to themselves. The
//! organisations are left out: they are told by their words, and by having
//! no other code.

use super::raw::{RawData, RawZip};
use super::us::UsPlaces;
use place::names::normalise;
use place::pack::ZipRow;
use std::collections::HashSet;

/// Words of organisations, in normal form.
const OF_ORGANISATIONS: &[&str] = &[
    "abc",
    "admin",
    "agency",
    "american",
    "assoc",
    "association",
    "at&t",
    "bank",
    "bureau",
    "business",
    "center",
    "citibank",
    "city of",
    "co",
    "college",
    "comm",
    "commission",
    "company",
    "corp",
    "corporation",
    "correction",
    "correctional",
    "county",
    "court",
    "credit",
    "ctr",
    "dept",
    "department",
    "district",
    "div",
    "electric",
    "exxon",
    "fac",
    "fed",
    "federal",
    "fin",
    "financial",
    "fund",
    "gas",
    "general",
    "gov",
    "govt",
    "hosp",
    "hospital",
    "inc",
    "ins",
    "insurance",
    "international",
    "intl",
    "irs",
    "lib",
    "library",
    "life",
    "light",
    "llc",
    "lottery",
    "ltd",
    "magazine",
    "mail",
    "med",
    "medical",
    "ministries",
    "mutual",
    "national",
    "office",
    "packaging",
    "plc",
    "power",
    "press",
    "products",
    "prudential",
    "publishing",
    "reply",
    "res",
    "revenue",
    "school",
    "sears",
    "services",
    "service",
    "social",
    "soc",
    "state",
    "store",
    "sweepstakes",
    "systems",
    "tax",
    "technology",
    "telephone",
    "time",
    "treasurer",
    "treasury",
    "trust",
    "univ",
    "university",
    "us",
    "usa",
    "usps",
    "utilities",
    "veterans",
];

/// All codes, ascending.
pub(super) fn zips(raw: &RawData, places: &UsPlaces<'_>) -> anyhow::Result<Vec<ZipRow>> {
    let raw_zips = raw.zips()?;
    let shared = shared_names(&raw_zips);
    let mut zips: Vec<ZipRow> = raw_zips
        .iter()
        .filter_map(|zip| row(zip, places, &shared))
        .collect();
    zips.sort_by_key(|zip| zip.code);
    zips.dedup_by_key(|zip| zip.code);
    Ok(zips)
}

/// Names the post does not accept, without those of codes that belong to one organisation.
pub(super) fn shared_names(zips: &[RawZip]) -> HashSet<(String, &str)> {
    zips.iter()
        .filter(|zip| zip.zip_code_type != "UNIQUE")
        .flat_map(|zip| {
            let names = zip.unacceptable_cities.iter();
            names.map(|name| (normalise(name), zip.state.as_str()))
        })
        .collect()
}

fn row(zip: &RawZip, places: &UsPlaces<'_>, shared: &HashSet<(String, &str)>) -> Option<ZipRow> {
    let (lat, lon) = (zip.lat.parse().ok()?, zip.long.parse().ok()?);
    let state = places
        .states
        .values()
        .copied()
        .find(|state| *state == zip.state);
    let own = || std::iter::once(&zip.city).chain(&zip.acceptable_cities);
    let city =
        state.and_then(|state| own().find_map(|name| places.city_near(name, state, lat, lon)));
    let other = |name: &&String| {
        let normal = normalise(name);
        is_of_a_place(&normal) && shared.contains(&(normal, zip.state.as_str()))
    };
    let mut seen = HashSet::new();
    let names = own()
        .chain(zip.unacceptable_cities.iter().filter(other))
        .filter(|name| seen.insert(normalise(name)))
        .cloned()
        .collect();
    Some(ZipRow {
        code: zip.zip_code.parse().ok()?,
        city,
        state: zip.state.clone(),
        names,
        lat,
        lon,
    })
}

/// Whether a name in normal form has none of the words of organisations.
pub(super) fn is_of_a_place(normal: &str) -> bool {
    let letters = normal.bytes().filter(u8::is_ascii_alphabetic).count();
    letters > 3
        && !normal.bytes().any(|byte| byte.is_ascii_digit())
        && !normal
            .split(' ')
            .any(|word| OF_ORGANISATIONS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn organisations_are_no_places() {
        for name in ["Arizona State Lottery", "Merrill Lynch Inc", "Hgn", "Hp 2"] {
            assert!(!is_of_a_place(&normalise(name)), "{name}");
        }
        for name in ["Ladies Island", "W Jordan", "Ft Ogden"] {
            assert!(is_of_a_place(&normalise(name)), "{name}");
        }
    }
}
