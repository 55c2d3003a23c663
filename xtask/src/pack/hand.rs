//! Facts written by hand: names, adjectives, short forms, middles of countries
//! and states, and the large features of the globe.
//!
//! The tables are text files beside this one; their first lines say what
//! their cells are.

use super::places::{OtherNames, Places, blank};
use anyhow::Context;
use place::gazetteer::Kind;
use place::pack::PlaceRow;
use std::collections::HashMap;

const NAMES: &str = include_str!("hand_names.tsv");
const COUNTRIES: &str = include_str!("countries.tsv");
const DIVISIONS: &str = include_str!("divisions.tsv");
const CONTINENTS: &str = include_str!("continents.tsv");
const FEATURES: &str = include_str!("features.tsv");

/// Usual names that differ from GeoNames', and other names, by GeoNames identifier.
pub(super) fn apply_names(places: &mut Places) -> anyhow::Result<()> {
    let mut by_id: HashMap<u32, u32> = HashMap::new();
    for (position, row) in (0..).zip(&places.rows) {
        // GeoNames gives some city-states one identifier at two levels; the
        // first, larger one has the name by which it is looked up.
        by_id.entry(row.geonameid).or_insert(position);
    }
    for cells in rows(NAMES) {
        let geonameid: u32 = cells[0].parse()?;
        let position = *by_id
            .get(&geonameid)
            .with_context(|| format!("no place for the hand-written names of `{geonameid}`"))?;
        let usual = cell(&cells, 1);
        if !usual.is_empty() {
            let row = &mut places.rows[position as usize];
            let official = std::mem::replace(&mut row.name, usual.to_owned());
            places.names[position as usize].aliases.push(official);
        }
        add_names(places, position, &cells[2.min(cells.len())..]);
    }
    Ok(())
}

/// Coordinates and other names of countries and divisions, by their codes.
pub(super) fn apply_codes(places: &mut Places) -> anyhow::Result<()> {
    for cells in rows(COUNTRIES).chain(rows(DIVISIONS)) {
        let code = cells[0];
        let position = *places
            .by_code
            .get(code)
            .with_context(|| format!("no place for the hand-written code `{code}`"))?;
        let row = &mut places.rows[position as usize];
        (row.lat, row.lon) = (cell(&cells, 1).parse()?, cell(&cells, 2).parse()?);
        add_names(places, position, &cells[3..]);
    }
    Ok(())
}

/// Adds the continents, and regions, ranges, seas and other large features.
pub(super) fn add_features(places: &mut Places) -> anyhow::Result<()> {
    for cells in rows(CONTINENTS) {
        let row = PlaceRow {
            geonameid: cell(&cells, 1).parse()?,
            name: cell(&cells, 2).to_owned(),
            lat: cell(&cells, 3).parse()?,
            lon: cell(&cells, 4).parse()?,
            population: cell(&cells, 5).parse()?,
            ..blank(Kind::Continent)
        };
        let position = places.push(row, OtherNames::default());
        places.by_code.insert(cells[0].to_owned(), position);
        add_names(places, position, &cells[6..]);
    }
    for cells in rows(FEATURES) {
        let kind = kind(cells[0]).with_context(|| format!("no kind of place `{}`", cells[0]))?;
        let within = cell(&cells, 4);
        let parent = places.by_code.get(within).copied();
        anyhow::ensure!(parent.is_some() || within == ".", "no place `{within}`");
        let around = parent.map(|parent| places.row(parent));
        let row = PlaceRow {
            name: cell(&cells, 1).to_owned(),
            lat: cell(&cells, 2).parse()?,
            lon: cell(&cells, 3).parse()?,
            country: around.map_or_else(String::new, |row| row.country.clone()),
            division: around.map_or_else(String::new, |row| row.division.clone()),
            parent,
            ..blank(kind)
        };
        let position = places.push(row, OtherNames::default());
        add_names(places, position, &cells[5.min(cells.len())..]);
    }
    Ok(())
}

/// Cells of demonyms, aliases and abbreviations.
fn add_names(places: &mut Places, position: u32, cells: &[&str]) {
    let split = |idx: usize| {
        let cell = cells.get(idx).copied().unwrap_or_default();
        cell.split('|')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
    };
    let names = &mut places.names[position as usize];
    names.demonyms.extend(split(0));
    names.aliases.extend(split(1));
    names.abbreviations.extend(split(2));
}

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}

fn cell<'t>(cells: &[&'t str], idx: usize) -> &'t str {
    cells.get(idx).copied().unwrap_or_default()
}

fn kind(word: &str) -> Option<Kind> {
    [
        Kind::Region,
        Kind::Island,
        Kind::Mountain,
        Kind::Water,
        Kind::Landmark,
    ]
    .into_iter()
    .find(|kind| kind.name() == word)
}
