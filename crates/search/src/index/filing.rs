//! Under what a page is filed that is about a place, found out once for all
//! pages about it.

use super::scope::Point;
use crate::look::Numbered;
use place::cell;
use place::gazetteer::Gazetteer;
use place::precision::Precision;
use tantivy::schema::Facet;

/// Places that are kept: some 20 MB.
const MOST_PLACES: usize = 1 << 16;

/// What is known of places, by their GeoNames ids.
#[derive(Default)]
pub(super) struct Filing(Numbered<u32, Option<Filed>>);

/// Under what pages about a place are filed.
pub(super) struct Filed {
    /// GeoNames ids of what it lies in, itself first.
    pub(super) within: Vec<u32>,
    pub(super) facet: Facet,
    /// Where it is, if it is a town.
    pub(super) cells: Vec<u64>,
}

impl Filing {
    /// None if the gazetteer does not know the place.
    pub(super) fn of(&mut self, geonameid: u32) -> Option<&Filed> {
        if self.0.len() >= MOST_PLACES && !self.0.contains_key(&geonameid) {
            self.0.clear();
        }
        let filed = self.0.entry(geonameid);
        filed.or_insert_with(|| Filed::of(geonameid)).as_ref()
    }
}

impl Filed {
    fn of(geonameid: u32) -> Option<Filed> {
        let gazetteer = Gazetteer::built_in();
        let id = gazetteer.by_geonameid(geonameid)?;
        let place = gazetteer.place(id);
        let spot = place.kind.is_settlement().then_some(Point {
            lat: place.lat,
            lon: place.lon,
            precision: Precision::Place,
        });
        let chain = gazetteer.chain(id);
        Some(Filed {
            within: chain.map(|id| gazetteer.geonameid(id)).collect(),
            facet: Facet::from_path(gazetteer.steps(id)),
            cells: spot.iter().flat_map(cells_of).collect(),
        })
    }
}

pub(super) fn cells_of(point: &Point) -> impl Iterator<Item = u64> + use<> {
    let cells = cell::cells_at(f64::from(point.lat), f64::from(point.lon));
    cells.into_iter().flatten()
}
