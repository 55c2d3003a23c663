//! Where servers stand, from a file in MaxMind's format.
//!
//! Two layouts of records are read: flat ones, as DB-IP's city databases are
//! published (`city`, `state1`, `country_code`), and nested ones as in
//! GeoLite2 (`city.names.en`, `subdivisions`, `country.iso_code`). Either way
//! the names are looked up in the gazetteer; a city that is not there is
//! nowhere. A file without cities is refused when it is opened.

use maxminddb::{MaxMindDbError, Reader, WithinOptions};
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use strategy::means::Locate;

/// A database of where addresses are.
pub struct Mmdb {
    reader: Reader<Vec<u8>>,
    gazetteer: &'static Gazetteer,
}

/// Why a file does not tell where servers stand.
#[derive(Debug, thiserror::Error)]
pub enum MmdbError {
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// It is something else, or damaged.
    #[error("`{}` is no database in MaxMind's format: {why}", path.display())]
    Garbled {
        /// Which.
        path: PathBuf,
        /// What its reader says.
        why: String,
    },
    /// It is about something else than cities.
    #[error(
        "`{}` knows no cities: it is a database of type `{kind}`, and its records have \
         {fields} no `city`",
        path.display()
    )]
    NoCities {
        /// Which.
        path: PathBuf,
        /// What it calls itself.
        kind: String,
        /// What its records have, and `but`.
        fields: String,
    },
}

/// Records looked at for a city before a file counts as being without:
/// ranges that belong to nobody come first in some.
const MOST_LOOKED_AT: usize = 10_000;

impl Mmdb {
    /// Reads a file whole.
    pub fn open(path: &Path, gazetteer: &'static Gazetteer) -> Result<Mmdb, MmdbError> {
        let bytes = std::fs::read(path).map_err(|source| MmdbError::Read {
            path: path.to_owned(),
            source,
        })?;
        Mmdb::read(path, bytes, gazetteer)
    }

    fn read(path: &Path, bytes: Vec<u8>, gazetteer: &'static Gazetteer) -> Result<Mmdb, MmdbError> {
        let garbled = |error: MaxMindDbError| MmdbError::Garbled {
            path: path.to_owned(),
            why: error.to_string(),
        };
        let reader = Reader::from_source(bytes).map_err(garbled)?;
        if let Some(fields) = fields_without_city(&reader).map_err(garbled)? {
            return Err(MmdbError::NoCities {
                path: path.to_owned(),
                kind: reader.metadata().database_type.clone(),
                fields,
            });
        }
        Ok(Mmdb { reader, gazetteer })
    }

    fn record(&self, server: IpAddr) -> Option<Record> {
        // A damaged record is no reason to stop a crawl: nobody knows, then.
        self.reader.lookup(server).ok()?.decode().ok()?
    }
}

impl Locate for Mmdb {
    fn locate(&self, server: IpAddr) -> Option<PlaceId> {
        let record = self.record(server)?;
        find(self.gazetteer, &record)
    }
}

/// The fields of the first record, where none of the first few has a city.
fn fields_without_city(reader: &Reader<Vec<u8>>) -> Result<Option<String>, MaxMindDbError> {
    let mut fields: Option<Vec<String>> = None;
    let networks = reader.networks(WithinOptions::default())?;
    for found in networks.take(MOST_LOOKED_AT) {
        let found = found?;
        let Some(record) = found.decode::<BTreeMap<String, IgnoredAny>>()? else {
            continue;
        };
        if record.contains_key("city") {
            return Ok(None);
        }
        fields.get_or_insert_with(|| record.keys().map(|key| format!("`{key}`")).collect());
    }
    let fields = fields.unwrap_or_default();
    Ok(Some(match fields.is_empty() {
        true => "no fields and so".to_owned(),
        false => format!("{} but", fields.join(", ")),
    }))
}

/// What both layouts may hold.
#[derive(Deserialize)]
struct Record {
    city: Option<Name>,
    state1: Option<String>,
    country_code: Option<String>,
    #[serde(default)]
    subdivisions: Vec<Division>,
    country: Option<Country>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Name {
    Plain(String),
    Translated { names: BTreeMap<String, String> },
}

#[derive(Deserialize)]
struct Division {
    iso_code: Option<String>,
    names: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Country {
    Coded { iso_code: Option<String> },
    Other(IgnoredAny),
}

impl Record {
    /// DB-IP puts a part of the city behind it: `Houston (Downtown)`.
    fn city(&self) -> Option<&str> {
        let name = match self.city.as_ref()? {
            Name::Plain(name) => name,
            Name::Translated { names } => names.get("en")?,
        };
        let name = match name
            .strip_suffix(')')
            .and_then(|name| name.rsplit_once('('))
        {
            Some((city, _part)) => city,
            None => name,
        };
        Some(name.trim()).filter(|name| !name.is_empty())
    }

    /// Code or name of the state, whichever there is.
    fn states(&self) -> impl Iterator<Item = &str> {
        let nested = self.subdivisions.first().into_iter().flat_map(|division| {
            let name = division.names.as_ref().and_then(|names| names.get("en"));
            division.iso_code.iter().chain(name)
        });
        let states = self.state1.iter().chain(nested);
        states.map(String::as_str).filter(|state| !state.is_empty())
    }

    fn country(&self) -> Option<&str> {
        match (&self.country_code, &self.country) {
            (Some(code), _)
            | (
                None,
                Some(Country::Coded {
                    iso_code: Some(code),
                }),
            ) => Some(code),
            _ => None,
        }
    }
}

/// The most populous city that a record may mean.
fn find(gazetteer: &Gazetteer, record: &Record) -> Option<PlaceId> {
    let country = record.country()?;
    let mut cities = gazetteer.find(record.city()?).into_iter().filter(|&id| {
        let place = gazetteer.place(id);
        place.kind == Kind::City && place.country.eq_ignore_ascii_case(country)
    });
    if record.states().next().is_none() {
        return cities.next();
    }
    cities.find(|&city| record.states().any(|state| is_in(gazetteer, city, state)))
}

/// Whether a city lies in a state, given by its code or by one of its names.
fn is_in(gazetteer: &Gazetteer, city: PlaceId, state: &str) -> bool {
    if gazetteer.place(city).division.eq_ignore_ascii_case(state) {
        return true;
    }
    let mut above = gazetteer.chain(city);
    let division = above.find(|&id| gazetteer.kind(id) == Kind::Division1);
    division.is_some_and(|division| gazetteer.find(state).contains(&division))
}

#[cfg(test)]
mod tests;
