//! Collects places in one hierarchy, with all their names.
//!
//! The readers of the sources push places here and look up what is there
//! already; parents and other links are positions in `rows`, which are put in
//! their final order at the end.

use super::hand;
use super::raw::RawData;
use super::{centres, cities};
use place::gazetteer::{Kind, Role};
use place::names::normalise;
use place::pack::PlaceRow;
use std::collections::{BTreeMap, HashMap};

/// What a place is called beside its usual name.
#[derive(Debug, Default, Clone)]
pub(super) struct OtherNames {
    pub(super) aliases: Vec<String>,
    pub(super) demonyms: Vec<String>,
    pub(super) abbreviations: Vec<String>,
}

/// Places before they are sorted; all links are positions in `rows`.
#[derive(Default)]
pub(super) struct Places {
    pub(super) rows: Vec<PlaceRow>,
    pub(super) names: Vec<OtherNames>,
    /// Countries, divisions and `@` continents by their codes: `US`, `US.TX`, `@EU`.
    pub(super) by_code: HashMap<String, u32>,
    /// What a place is part of beside its parents.
    pub(super) part_of: BTreeMap<u32, Vec<u32>>,
}

impl Places {
    /// The hierarchy of GeoNames: countries, divisions, cities and their sections.
    pub(super) fn read(raw: &RawData) -> anyhow::Result<Places> {
        let mut places = Places::default();
        places.read_countries(raw)?;
        places.read_divisions(raw)?;
        cities::read(raw, &mut places)?;
        hand::apply_names(&mut places)?;
        centres::fill_in(&mut places);
        hand::apply_codes(&mut places)?;
        Ok(places)
    }

    pub(super) fn push(&mut self, row: PlaceRow, names: OtherNames) -> u32 {
        let position = u32::try_from(self.rows.len()).expect("far fewer than four billion places");
        self.rows.push(row);
        self.names.push(names);
        position
    }

    pub(super) fn row(&self, position: u32) -> &PlaceRow {
        &self.rows[position as usize]
    }

    fn read_countries(&mut self, raw: &RawData) -> anyhow::Result<()> {
        for cells in raw.rows("gazetteer/countryInfo.txt", '\t')? {
            if cells[0].starts_with('#') || cells.len() < 17 {
                continue;
            }
            let row = PlaceRow {
                geonameid: cells[16].parse().unwrap_or(0),
                name: cells[4].trim().to_owned(),
                population: cells[7].parse().unwrap_or(0),
                country: cells[0].clone(),
                ..blank(Kind::Country)
            };
            let position = self.push(row, OtherNames::default());
            self.by_code.insert(cells[0].clone(), position);
        }
        Ok(())
    }

    fn read_divisions(&mut self, raw: &RawData) -> anyhow::Result<()> {
        let files = [
            ("gazetteer/admin1CodesASCII.txt", Kind::Division1),
            ("gazetteer/admin2Codes.txt", Kind::Division2),
        ];
        for (file, kind) in files {
            for cells in raw.rows(file, '\t')? {
                let [code, name, ascii, geonameid] = cells.as_slice() else {
                    continue;
                };
                let above = code.rsplit_once('.').map_or("", |(above, _)| above);
                let Some(parent) = self.nearest_division(above) else {
                    continue;
                };
                let mut parts = code.split('.');
                let row = PlaceRow {
                    geonameid: geonameid.parse().unwrap_or(0),
                    name: name.clone(),
                    country: parts.next().unwrap_or_default().to_owned(),
                    division: parts.next().unwrap_or_default().to_owned(),
                    parent: Some(parent),
                    ..blank(kind)
                };
                let aliases = super::names::of_division(name, ascii, &row);
                let position = self.push(
                    row,
                    OtherNames {
                        aliases,
                        ..OtherNames::default()
                    },
                );
                self.by_code.insert(code.clone(), position);
            }
        }
        Ok(())
    }

    /// The division of this dotted code, or the next larger one that is known.
    pub(super) fn nearest_division(&self, code: &str) -> Option<u32> {
        let mut code = code;
        loop {
            if let Some(&position) = self.by_code.get(code) {
                return Some(position);
            }
            code = code.rsplit_once('.')?.0;
        }
    }

    /// A place and everything that contains it, smallest first.
    pub(super) fn chain(&self, position: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(position), |&inner| self.row(inner).parent)
    }

    /// Places by the normal forms of their names, aliases and demonyms, in pushing order.
    pub(super) fn index(&self) -> HashMap<String, Vec<(u32, Role)>> {
        let mut index: HashMap<String, Vec<(u32, Role)>> = HashMap::new();
        for ((position, row), others) in (0..).zip(&self.rows).zip(&self.names) {
            let names = std::iter::once((&row.name, Role::Name))
                .chain(others.aliases.iter().map(|name| (name, Role::Alias)))
                .chain(others.demonyms.iter().map(|name| (name, Role::Demonym)));
            for (name, role) in names {
                let bearers = index.entry(normalise(name)).or_default();
                if bearers.last().is_none_or(|&(last, _)| last != position) {
                    bearers.push((position, role));
                }
            }
        }
        index.remove("");
        index
    }

    /// The same places, most populous first.
    pub(super) fn sorted(self) -> Places {
        let rank = |position: &u32| {
            let row = &self.rows[*position as usize];
            (
                std::cmp::Reverse(row.population),
                row.kind,
                row.geonameid,
                row.name.clone(),
            )
        };
        let mut order: Vec<u32> = (0..).take(self.rows.len()).collect();
        order.sort_by_cached_key(rank);
        let mut moved = vec![0; order.len()];
        for (to, &from) in (0..).zip(&order) {
            moved[from as usize] = to;
        }
        let at = |position: u32| moved[position as usize];
        let mut sorted = Places::default();
        for from in order {
            let mut row = self.rows[from as usize].clone();
            row.parent = row.parent.map(at);
            sorted.push(row, self.names[from as usize].clone());
        }
        for (place, around) in self.part_of {
            let around = around.into_iter().map(at).collect();
            sorted.part_of.insert(at(place), around);
        }
        sorted
    }
}

/// A place of which nothing is known yet.
pub(super) fn blank(kind: Kind) -> PlaceRow {
    PlaceRow {
        geonameid: 0,
        name: String::new(),
        kind,
        lat: 0.0,
        lon: 0.0,
        population: 0,
        country: String::new(),
        division: String::new(),
        time_zone: String::new(),
        parent: None,
        synset: None,
    }
}
