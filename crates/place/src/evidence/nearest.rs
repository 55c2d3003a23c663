//! The city at a point.
//!
//! Towns are known by their middle only, and large cities reach far: a point
//! belongs to the city of which it is the least share of a radius away, where
//! the radius follows from how many people live there. In the US each ZIP
//! code's middle stands for its city too, which traces large cities well.

use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::sphere::kilometres;

/// A side of a cell, in cells a degree: 28 km from south to north.
const PER_DEGREE: f64 = 4.0;

/// Cells around the earth.
const AROUND: i32 = 360 * 4;

/// What is farther away than this, in kilometres, is no city that the point is in.
const MAX_DISTANCE: f64 = 25.0;

// The next three give the city of 90 % of 21,000 US hospitals, schools and
// museums; around these values little changes.

/// People a square kilometre, to guess how far a city reaches.
const DENSITY: f64 = 5_000.0;

/// How far the smallest village reaches, in kilometres.
const MIN_RADIUS: f64 = 0.5;

/// How far the area of a ZIP code counts, in kilometres.
const ZIP_RADIUS: f64 = 6.0;

/// Middles of cities and of ZIP codes by cell.
pub(super) struct Nearest {
    /// Sorted by cell.
    spots: Vec<Spot>,
}

struct Spot {
    cell: u32,
    lat: f32,
    lon: f32,
    radius: f32,
    city: PlaceId,
}

impl Nearest {
    pub(super) fn new(gazetteer: &Gazetteer) -> Nearest {
        let cities = gazetteer
            .ids()
            .filter(|&id| gazetteer.kind(id) == Kind::City);
        let cities = cities.map(|id| {
            let people = f64::from(gazetteer.population(id));
            let radius = (people / DENSITY / std::f64::consts::PI).sqrt();
            let (lat, lon) = gazetteer.coordinates(id);
            Spot::new(lat, lon, radius + MIN_RADIUS, id)
        });
        let zips = gazetteer.zip_areas().filter_map(|zip| {
            let city = zip.place.filter(|&id| gazetteer.kind(id) == Kind::City)?;
            Some(Spot::new(zip.lat, zip.lon, ZIP_RADIUS, city))
        });
        let mut spots: Vec<Spot> = cities.chain(zips).collect();
        spots.sort_unstable_by_key(|spot| (spot.cell, spot.city));
        Nearest { spots }
    }

    pub(super) fn find(&self, lat: f64, lon: f64) -> Option<PlaceId> {
        let (row, column) = cell_of(lat, lon);
        let mut best: Option<(f64, PlaceId)> = None;
        for cell in (-1..=1).flat_map(|up| (-1..=1).map(move |right| (row + up, column + right))) {
            let cell = number(cell);
            let start = self.spots.partition_point(|spot| spot.cell < cell);
            let spots = self.spots[start..]
                .iter()
                .take_while(|spot| spot.cell == cell);
            for spot in spots {
                let away = kilometres((lat, lon), (spot.lat, spot.lon));
                let share = away / f64::from(spot.radius);
                if away <= MAX_DISTANCE.max(f64::from(spot.radius))
                    && best.is_none_or(|(least, _)| share < least)
                {
                    best = Some((share, spot.city));
                }
            }
        }
        best.map(|(_, city)| city)
    }
}

impl Spot {
    fn new(lat: f32, lon: f32, radius: f64, city: PlaceId) -> Spot {
        Spot {
            cell: number(cell_of(f64::from(lat), f64::from(lon))),
            lat,
            lon,
            radius: radius as f32,
            city,
        }
    }
}

fn cell_of(lat: f64, lon: f64) -> (i32, i32) {
    let cell = |degrees: f64| (degrees * PER_DEGREE).floor() as i32;
    (cell(lat + 90.0), cell(lon + 180.0))
}

/// Rows one after the other; east of the last column is the first one.
fn number((row, column): (i32, i32)) -> u32 {
    let at = row.max(0) * AROUND + column.rem_euclid(AROUND);
    at.unsigned_abs()
}
