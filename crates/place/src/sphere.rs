//! Distances and boxes on the earth, taken as a sphere.

const EARTH_RADIUS: f64 = 6_371.0;

/// Kilometres between two points, given in degrees north and east.
///
/// ```
/// let (bremen, oldenburg) = ((53.08, 8.80), (53.14, 8.21));
/// assert_eq!(place::sphere::kilometres(bremen, oldenburg).round(), 40.0);
/// ```
pub fn kilometres<A: Into<f64>, B: Into<f64>>(from: (A, A), to: (B, B)) -> f64 {
    let (lat, lon) = (from.0.into().to_radians(), from.1.into().to_radians());
    let (to_lat, to_lon) = (to.0.into().to_radians(), to.1.into().to_radians());
    let half_lat = ((to_lat - lat) / 2.0).sin();
    let half_lon = ((to_lon - lon) / 2.0).sin();
    let chord = half_lat * half_lat + lat.cos() * to_lat.cos() * half_lon * half_lon;
    2.0 * EARTH_RADIUS * chord.sqrt().min(1.0).asin()
}

/// A part of the map between two circles of latitude and two meridians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapBox {
    /// Southern edge, in degrees north.
    pub south: f64,
    /// Western edge, in degrees east.
    pub west: f64,
    /// Northern edge.
    pub north: f64,
    /// Eastern edge; west of the western one where the 180th meridian lies between.
    pub east: f64,
}

impl MapBox {
    /// Whether a point lies in it.
    pub fn holds(&self, lat: f64, lon: f64) -> bool {
        let is_between = match self.west <= self.east {
            true => (self.west..=self.east).contains(&lon),
            false => lon >= self.west || lon <= self.east,
        };
        (self.south..=self.north).contains(&lat) && is_between
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_way_counts_whatever_the_sign_of_the_degrees() {
        let degree = EARTH_RADIUS.to_radians();
        let nearly = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(nearly(kilometres((0.0, 179.5), (0.0, -179.5)), degree));
        assert!(nearly(kilometres((89.5, 0.0), (89.5, 180.0)), degree));
        assert!(nearly(
            kilometres((0.0, 0.0), (0.0_f32, 180.0)),
            180.0 * degree
        ));
        assert_eq!(kilometres((52.0_f32, 13.0), (52.0, 13.0)), 0.0);
    }
}
