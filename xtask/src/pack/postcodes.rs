//! Postal codes of countries other than the US, from GeoNames' postal files.
//!
//! To add a country, put its file beside the others and name it in [`FILES`].

use super::places::Places;
use super::raw::RawData;
use place::gazetteer::Kind;
use place::names::normalise;
use place::pack::{PlaceRow, PostcodeRow};
use std::collections::{BTreeMap, HashMap};

/// Each country's file, in the twelve columns that GeoNames gives all of them.
const FILES: &[&str] = &["germany/postal_DE.txt"];

/// A city farther from its code's middle than this, in degrees, is another one of that name.
const MAX_DEGREES: f64 = 0.3;

/// Cities by country and name in normal form, most populous first.
type Cities<'p> = HashMap<(&'p str, String), Vec<u32>>;

/// All codes of all files.
pub(super) fn postcodes(raw: &RawData, places: &Places) -> anyhow::Result<Vec<PostcodeRow>> {
    let cities = cities(places);
    let mut found = Vec::new();
    for file in FILES {
        let mut lines: BTreeMap<(String, String), Vec<Vec<String>>> = BTreeMap::new();
        for cells in raw.rows(file, '\t')? {
            if cells.len() > 10 && !cells[4].is_empty() {
                let key = (cells[0].clone(), cells[1].clone());
                lines.entry(key).or_default().push(cells);
            }
        }
        for ((country, code), lines) in lines {
            found.push(row(country, code, &lines, &places.rows, &cities));
        }
    }
    Ok(found)
}

fn cities(places: &Places) -> Cities<'_> {
    let mut cities = Cities::new();
    for ((position, row), others) in (0..).zip(&places.rows).zip(&places.names) {
        if row.kind != Kind::City {
            continue;
        }
        for name in std::iter::once(&row.name).chain(&others.aliases) {
            let key = (row.country.as_str(), normalise(name));
            let positions = cities.entry(key).or_default();
            if positions.last() != Some(&position) {
                positions.push(position);
            }
        }
    }
    cities
}

/// One code with all its lines: each names a place in it.
fn row(
    country: String,
    code: String,
    lines: &[Vec<String>],
    places: &[PlaceRow],
    cities: &Cities<'_>,
) -> PostcodeRow {
    let point = |cells: &Vec<String>| {
        let degrees = |cell: &String| cell.parse().unwrap_or(0.0);
        (degrees(&cells[9]), degrees(&cells[10]))
    };
    let n_lines = lines.len() as f64;
    let lat = lines.iter().map(|cells| point(cells).0).sum::<f64>() / n_lines;
    let lon = lines.iter().map(|cells| point(cells).1).sum::<f64>() / n_lines;
    let city_of = |name: &String| {
        let near = |position: &u32| {
            let place = &places[*position as usize];
            (place.lat - lat).abs() < MAX_DEGREES && (place.lon - lon).abs() < 2.0 * MAX_DEGREES
        };
        let named = cities.get(&(country.as_str(), normalise(name)))?;
        named.iter().copied().find(near)
    };
    // Positions ascend with falling population: the largest city comes first.
    let mut names: Vec<(u32, String)> = lines
        .iter()
        .map(|cells| (city_of(&cells[2]).unwrap_or(u32::MAX), cells[2].clone()))
        .collect();
    names.sort();
    names.dedup();
    PostcodeRow {
        division: lines[0][4].clone(),
        city: names
            .first()
            .map(|(position, _)| *position)
            .filter(|&position| position != u32::MAX),
        names: names.into_iter().map(|(_, name)| name).collect(),
        country,
        code,
        lat,
        lon,
    }
}
