//! Finds cities near a point.

use place::gazetteer::Kind;
use place::pack::PlaceRow;
use std::collections::HashMap;

/// Cells of the grid, in degrees.
const CELL: f64 = 0.5;

const KM_PER_DEGREE: f64 = 111.2;

/// Cities of a cell: position and coordinates.
type Cell = Vec<(u32, f64, f64)>;

/// Cities in a grid of coordinates.
pub(super) struct Near {
    cells: HashMap<(i32, i32), Cell>,
}

impl Near {
    /// All cities among these places.
    pub(super) fn cities(rows: &[PlaceRow]) -> Near {
        let mut cells: HashMap<(i32, i32), Cell> = HashMap::new();
        for (position, row) in (0..).zip(rows) {
            if row.kind == Kind::City {
                let cell = (cell(row.lat), cell(row.lon));
                cells
                    .entry(cell)
                    .or_default()
                    .push((position, row.lat, row.lon));
            }
        }
        Near { cells }
    }

    /// Cities around a point with their distances, in no useful order.
    pub(super) fn within(
        &self,
        lat: f64,
        lon: f64,
        max_km: f64,
    ) -> impl Iterator<Item = (u32, f64)> + '_ {
        let reach = max_km / KM_PER_DEGREE;
        let reach_lon = reach / lat.to_radians().cos().max(0.1);
        let rows = cell(lat - reach)..=cell(lat + reach);
        rows.flat_map(move |row| {
            (cell(lon - reach_lon)..=cell(lon + reach_lon)).map(move |column| (row, column))
        })
        .filter_map(|cell| self.cells.get(&cell))
        .flatten()
        .map(move |&(position, city_lat, city_lon)| {
            (position, km((lat, lon), (city_lat, city_lon)))
        })
        .filter(move |&(_, km)| km <= max_km)
    }

    /// The nearest city within a distance.
    pub(super) fn nearest(&self, lat: f64, lon: f64, max_km: f64) -> Option<u32> {
        self.within(lat, lon, max_km)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(position, _)| position)
    }
}

/// Kilometres between two points that are not too far from each other.
pub(super) fn km(from: (f64, f64), to: (f64, f64)) -> f64 {
    let middle = f64::midpoint(from.0, to.0).to_radians();
    let mut east = (to.1 - from.1).abs();
    if east > 180.0 {
        east = 360.0 - east;
    }
    (to.0 - from.0).hypot(east * middle.cos()) * KM_PER_DEGREE
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "degrees are between -540 and 540"
)]
fn cell(degrees: f64) -> i32 {
    (degrees / CELL).floor() as i32
}
