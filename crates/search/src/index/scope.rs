//! Where a page is about, small enough to be looked at for every page that a
//! query matches: a number for each place, and one for each address.

use place::gazetteer::Gazetteer;
use place::geoparse::Findings;
use place::precision::Precision;

/// A place of a page's geography.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Share {
    /// GeoNames id.
    pub(crate) place: u32,
    /// Share of the page's evidence that lies in it, from 0 to 1.
    pub(crate) weight: f32,
    /// The same without what lies in its parts that are listed too.
    pub(crate) own: f32,
}

/// A point of a page: one of its addresses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) lat: f32,
    pub(crate) lon: f32,
    /// What the coordinates are those of.
    pub(crate) precision: Precision,
}

/// Evidence that a page needs to be quite sure of where it belongs, in addresses.
const SURE: f32 = 1.0;

/// Points of one page that are kept.
const MOST_POINTS: usize = 16;

/// What of a place a page needs to be about by itself.
const LEAST_OWN: f32 = 0.02;

impl Share {
    /// Whether a page is about the place as a whole, not by its parts.
    pub(crate) fn is_own(&self) -> bool {
        self.own > LEAST_OWN
    }

    /// Whether a page has anything to do with the place, itself or its parts.
    pub(crate) fn counts(&self) -> bool {
        self.weight > 0.0
    }

    pub(crate) fn pack(self) -> u64 {
        let byte = |share: f32| (share.clamp(0.0, 1.0) * 255.0).round() as u64;
        u64::from(self.place) << 16 | byte(self.weight) << 8 | byte(self.own)
    }

    pub(crate) fn unpack(number: u64) -> Share {
        let share = |byte: u64| (byte & 255) as f32 / 255.0;
        Share {
            place: (number >> 16) as u32,
            weight: share(number >> 8),
            own: share(number),
        }
    }
}

impl Point {
    /// Degrees take 26 bits at most, so the precision has room above them.
    pub(crate) fn pack(self) -> u64 {
        let precision = Precision::ALL.iter().position(|one| *one == self.precision);
        (precision.unwrap_or_default() as u64) << 62 | self.place()
    }

    pub(crate) fn unpack(number: u64) -> Point {
        let degrees = |number: u64| (number & 0x3fff_ffff) as f64 / 1e5;
        let precision = Precision::ALL.get((number >> 62) as usize);
        Point {
            lat: (degrees(number >> 32) - 90.0) as f32,
            lon: (degrees(number) - 180.0) as f32,
            precision: precision.copied().unwrap_or(Precision::Place),
        }
    }

    /// Equal for points that are the same to a metre.
    fn place(self) -> u64 {
        let (lat, lon) = (self.lat + 90.0, self.lon + 180.0);
        u64::from((lat * 1e5) as u32) << 32 | u64::from((lon * 1e5) as u32)
    }
}

/// The places of a page; a page with little evidence weighs less.
pub(crate) fn shares(gazetteer: &Gazetteer, findings: &Findings) -> Vec<Share> {
    let geography = &findings.geography;
    let certainty = (geography.amount / SURE).min(1.0).sqrt();
    let nodes = &geography.nodes;
    let share = |(nth, node): (usize, &place::geography::Node)| {
        let inner = nodes[nth + 1..].iter();
        let inner = inner.take_while(|inner| inner.depth > node.depth);
        let parts = inner.filter(|inner| inner.depth == node.depth + 1);
        let in_parts: f32 = parts.map(|part| part.weight).sum();
        Share {
            place: gazetteer.geonameid(node.place),
            weight: node.weight * certainty,
            own: (node.weight - in_parts).max(0.0) * certainty,
        }
    };
    let shares = nodes.iter().enumerate().map(share);
    shares.filter(|share| share.place != 0).collect()
}

/// Where a page's addresses are, each once.
pub(crate) fn points(findings: &Findings) -> Vec<Point> {
    let stated = findings.evidence.iter().flatten();
    let stated = stated.filter_map(|piece| {
        // A city in markup is a place, not a point.
        let is_point = piece.is_exact() || piece.address.is_some();
        let (lat, lon, precision) = (piece.lat?, piece.lon?, piece.precision?);
        is_point.then_some((lat as f32, lon as f32, precision))
    });
    let addresses = findings.addresses.iter();
    let written =
        addresses.filter_map(|address| Some((address.lat?, address.lon?, address.precision?)));
    let mut points: Vec<Point> = Vec::new();
    for (lat, lon, precision) in stated.chain(written) {
        let point = Point {
            lat,
            lon,
            precision,
        };
        let is_known = points.iter().any(|known| known.place() == point.place());
        let is_on_earth = lat.abs() <= 90.0 && lon.abs() <= 180.0;
        if is_on_earth && !is_known && points.len() < MOST_POINTS {
            points.push(point);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use place::geoparse::{Geoparser, Source};

    #[test]
    fn numbers_say_what_they_were_made_of() {
        let share = Share {
            place: 4_699_066,
            weight: 1.0,
            own: 51.0 / 255.0,
        };
        assert_eq!(Share::unpack(share.pack()), share);
        for precision in Precision::ALL {
            let point = Point {
                lat: -33.865,
                lon: 151.209,
                precision,
            };
            let back = Point::unpack(point.pack());
            assert!((back.lat - point.lat).abs() < 1e-4 && (back.lon - point.lon).abs() < 1e-4);
            assert_eq!(back.precision, precision);
        }
    }

    #[test]
    fn a_state_that_holds_only_a_city_has_nothing_of_its_own() {
        let gazetteer = Gazetteer::built_in();
        let geoparser = Geoparser::new(gazetteer);
        let findings = geoparser.read(&Source {
            text: "901 Bagby St, Houston, TX 77002",
            ..Source::default()
        });
        let shares = shares(gazetteer, &findings);
        let name = |share: &Share| {
            let id = gazetteer.by_geonameid(share.place).unwrap();
            (gazetteer.place(id).name, share.weight, share.own)
        };
        let shares: Vec<_> = shares.iter().map(name).collect();
        assert_eq!(
            shares,
            [
                ("United States", 1.0, 0.0),
                ("Texas", 1.0, 0.0),
                ("Houston", 1.0, 1.0)
            ]
        );
        assert_eq!(points(&findings).len(), 1);
    }
}
