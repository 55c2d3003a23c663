//! Cells of one size that the earth is cut into, to find what is near.
//!
//! They are those of H3: hexagons whose neighbours are all equally far. Two
//! sizes are used: *small* ones some seven kilometres across, for what is in
//! and around a town, and *large* ones some fifty, for regions.

use h3o::{CellIndex, LatLng, Resolution};

/// Cells of a town.
const SMALL: Resolution = Resolution::Six;

/// Cells of a region, each made of some fifty small ones.
const LARGE: Resolution = Resolution::Four;

/// Kilometres between the middles of two small cells, at least.
const SMALL_STEP: f64 = 5.5;

/// The same of large ones.
const LARGE_STEP: f64 = 39.0;

/// Rings of small cells around a point that are listed at most: sixty cells.
/// What lies further is as well found by a few large ones.
const MOST_SMALL_RINGS: u32 = 4;

/// Rings of large cells: some eight hundred cells.
const MOST_RINGS: u32 = 16;

/// The small and the large cell that a point lies in, as numbers of their
/// own; none if it is no point of the earth.
pub fn cells_at(lat: f64, lon: f64) -> Option<[u64; 2]> {
    let point = LatLng::new(lat, lon).ok()?;
    Some([SMALL, LARGE].map(|size| u64::from(point.to_cell(size))))
}

/// All cells, small or large, that may hold a point no further than some
/// kilometres away; none if they are too many, or there is no such point.
pub fn cells_within(lat: f64, lon: f64, kilometres: f64) -> Option<Vec<u64>> {
    let point = LatLng::new(lat, lon).ok()?;
    let rings = |step: f64| (kilometres / step).ceil() as u32 + 1;
    let (size, n_rings) = match rings(SMALL_STEP) <= MOST_SMALL_RINGS {
        true => (SMALL, rings(SMALL_STEP)),
        false => (LARGE, rings(LARGE_STEP)),
    };
    if n_rings > MOST_RINGS {
        return None;
    }
    let cells: Vec<CellIndex> = point.to_cell(size).grid_disk(n_rings);
    Some(cells.into_iter().map(u64::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sphere::kilometres;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_point_has_no_cell() {
        assert_eq!(cells_at(f64::NAN, 0.0), None);
        assert_eq!(cells_within(0.0, f64::INFINITY, 1.0), None);
        assert_eq!(cells_within(0.0, 0.0, 5_000.0), None);
    }

    proptest! {
        #[test]
        fn no_near_point_is_missed(lat in -70.0..70.0, lon in -179.0..179.0, north in -0.5..0.5, east in -0.5..0.5, radius in 1.0..300.0_f64) {
            let other: (f64, f64) = (lat + north, lon + east);
            if kilometres((lat, lon), other) <= radius {
                let cells = cells_within(lat, lon, radius).unwrap();
                let [small, large] = cells_at(other.0, other.1).unwrap();
                prop_assert!(cells.contains(&small) || cells.contains(&large));
            }
        }
    }
}
