//! Reads the raw files as their publishers wrote them.
//!
//! Nothing is judged here: a row in, a row out. Which rows are kept is
//! `places.rs` and `us.rs`.

use anyhow::Context;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of raw files; a file may lie there as it is or as `.zst`.
pub(crate) struct RawData {
    dir: PathBuf,
}

impl RawData {
    pub(crate) fn new(dir: &Path) -> RawData {
        RawData {
            dir: dir.to_owned(),
        }
    }

    /// The whole text of a file, without a byte order mark.
    pub(crate) fn text(&self, name: &str) -> anyhow::Result<String> {
        let plain = self.dir.join(name);
        let text = if plain.is_file() {
            std::fs::read_to_string(&plain)
                .with_context(|| format!("cannot read `{}`", plain.display()))?
        } else {
            let packed = self.dir.join(format!("{name}.zst"));
            let read = || -> anyhow::Result<String> {
                let bytes = zstd::stream::decode_all(std::fs::File::open(&packed)?)?;
                Ok(String::from_utf8(bytes).unwrap_or_else(|error| latin_1(error.as_bytes())))
            };
            read().with_context(|| format!("cannot read `{}`", packed.display()))?
        };
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    pub(crate) fn json<T: for<'de> Deserialize<'de>>(&self, name: &str) -> anyhow::Result<T> {
        serde_json::from_str(&self.text(name)?).with_context(|| format!("cannot parse `{name}`"))
    }

    /// Cells of a file with one row a line.
    pub(crate) fn rows(&self, name: &str, separator: char) -> anyhow::Result<Vec<Vec<String>>> {
        let text = self.text(name)?;
        let lines = text.lines().filter(|line| !line.is_empty());
        Ok(lines.map(|line| cells(line, separator)).collect())
    }

    pub(super) fn cities(&self) -> anyhow::Result<Vec<RawCity>> {
        let cities: BTreeMap<String, RawCity> = self.json("gazetteer/cities500.json")?;
        Ok(cities.into_values().collect())
    }

    pub(super) fn city_counties(&self) -> anyhow::Result<Vec<RawCityCounty>> {
        self.json("gazetteer/cities_admin2.json")
    }

    pub(super) fn zips(&self) -> anyhow::Result<Vec<RawZip>> {
        self.json("zip/us_zips.json")
    }
}

/// What is not UTF-8 is older.
fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// One line of comma separated values; quoted cells may hold the separator.
pub(crate) fn cells(line: &str, separator: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        let cell = cells.last_mut().expect("starts with one cell");
        match c {
            '"' if separator == ',' => quoted = !quoted,
            _ if c == separator && !quoted => cells.push(String::new()),
            _ => cell.push(c),
        }
    }
    cells
}

#[derive(Debug, Deserialize)]
pub(super) struct RawCity {
    pub(super) geonameid: u32,
    pub(super) name: String,
    pub(super) latitude: f64,
    pub(super) longitude: f64,
    pub(super) countrycode: String,
    pub(super) population: u32,
    pub(super) timezone: String,
    pub(super) admin1code: String,
    #[serde(default)]
    pub(super) alternatenames: Vec<String>,
}

/// A city with its second-level code, known by name and coordinates only.
#[derive(Debug, Deserialize)]
pub(super) struct RawCityCounty {
    pub(super) name: String,
    pub(super) lat: String,
    pub(super) lng: String,
    pub(super) country: String,
    pub(super) admin2: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawZip {
    pub(super) zip_code: String,
    pub(super) city: String,
    pub(super) zip_code_type: String,
    pub(super) acceptable_cities: Vec<String>,
    pub(super) unacceptable_cities: Vec<String>,
    pub(super) state: String,
    pub(super) county: String,
    pub(super) timezone: String,
    pub(super) lat: String,
    pub(super) long: String,
}
