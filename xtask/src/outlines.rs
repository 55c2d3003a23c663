//! Outlines for maps in reports: coasts, borders and US states, simplified
//! from Natural Earth until they are small.
//!
//! A line of the file is a layer's name and one polyline: a first point, then
//! steps from point to point, `east,north` in hundredths of a degree. Lines
//! keep the points without which they would stray by more than the layer's
//! tolerance (Douglas and Peucker, 1973).

use crate::pack::RawData;
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

type Point = [f64; 2];

#[derive(Deserialize)]
struct Map {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    properties: Properties,
    geometry: Option<Geometry>,
}

#[derive(Deserialize)]
struct Properties {
    #[serde(rename = "ADM0_A3")]
    country: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Polygon(Vec<Vec<Point>>),
    MultiPolygon(Vec<Vec<Vec<Point>>>),
    LineString(Vec<Point>),
    MultiLineString(Vec<Vec<Point>>),
}

/// How closely lines are followed, in degrees, and how large what they
/// enclose must be, in square degrees.
struct Detail {
    tolerance: f64,
    least_area: f64,
}

const UNITED_STATES: Detail = Detail {
    tolerance: 0.06,
    least_area: 0.08,
};
const STATES: Detail = Detail {
    tolerance: 0.05,
    least_area: 0.0,
};
const WORLD: Detail = Detail {
    tolerance: 0.4,
    least_area: 2.5,
};

/// The text of `data/outlines.txt`.
pub(crate) fn build(raw: &Path) -> anyhow::Result<String> {
    let raw = RawData::new(raw);
    let mut text = String::new();
    let countries: Map = raw.json("basemap/ne_50m_admin_0_countries_lakes.geojson")?;
    let states: Map = raw.json("basemap/ne_50m_admin_1_states_provinces_lines.geojson")?;
    let is_us = |feature: &&Feature| feature.properties.country.as_deref() == Some("USA");
    for feature in countries.features.iter().filter(is_us) {
        push(&mut text, "us", feature, &UNITED_STATES);
    }
    for feature in states.features.iter().filter(is_us) {
        push(&mut text, "us-states", feature, &STATES);
    }
    for feature in &countries.features {
        push(&mut text, "world", feature, &WORLD);
    }
    Ok(text)
}

fn push(text: &mut String, layer: &str, feature: &Feature, detail: &Detail) {
    let lines: Vec<&Vec<Point>> = match &feature.geometry {
        Some(Geometry::Polygon(rings)) => rings.iter().collect(),
        Some(Geometry::MultiPolygon(polygons)) => polygons.iter().flatten().collect(),
        Some(Geometry::LineString(line)) => vec![line],
        Some(Geometry::MultiLineString(lines)) => lines.iter().collect(),
        None => Vec::new(),
    };
    for line in lines {
        let is_ring = line.first() == line.last();
        if is_ring && area(line) < detail.least_area {
            continue;
        }
        let kept = simplify(line, detail.tolerance);
        if kept.len() >= if is_ring { 4 } else { 2 } {
            write_line(text, layer, &kept);
        }
    }
}

fn area(ring: &[Point]) -> f64 {
    let corners = ring.windows(2).map(|side| {
        let [[x1, y1], [x2, y2]] = [side[0], side[1]];
        x1 * y2 - x2 * y1
    });
    corners.sum::<f64>().abs() / 2.0
}

fn simplify(line: &[Point], tolerance: f64) -> Vec<Point> {
    let mut is_kept = vec![false; line.len()];
    let Some(last) = line.len().checked_sub(1) else {
        return Vec::new();
    };
    is_kept[0] = true;
    is_kept[last] = true;
    let mut open = vec![(0, last)];
    // A ring begins where it ends: without a third point it has no sides.
    if line[0] == line[last] && last > 1 {
        let far = farthest(line, 0, last).0;
        is_kept[far] = true;
        open = vec![(0, far), (far, last)];
    }
    while let Some((from, to)) = open.pop() {
        if to <= from + 1 {
            continue;
        }
        let (far, distance) = farthest(line, from, to);
        if distance > tolerance {
            is_kept[far] = true;
            open.extend([(from, far), (far, to)]);
        }
    }
    let points = line.iter().zip(is_kept);
    points
        .filter_map(|(point, is_kept)| is_kept.then_some(*point))
        .collect()
}

/// The point between two that strays most from the line through them.
fn farthest(line: &[Point], from: usize, to: usize) -> (usize, f64) {
    let mut found = (from, 0.0);
    for idx in from + 1..to {
        let distance = distance(line[idx], line[from], line[to]);
        if distance > found.1 {
            found = (idx, distance);
        }
    }
    found
}

fn distance([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point) -> f64 {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx * dx + dy * dy;
    let along = match length > 0.0 {
        true => (((x - x1) * dx + (y - y1) * dy) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    (x - x1 - along * dx).hypot(y - y1 - along * dy)
}

fn write_line(text: &mut String, layer: &str, line: &[Point]) {
    let hundredths = |degrees: f64| (degrees * 100.0).round() as i32;
    let (mut x, mut y) = (0, 0);
    text.push_str(layer);
    for [lon, lat] in line {
        let (next_x, next_y) = (hundredths(*lon), hundredths(*lat));
        let _ = write!(text, " {},{}", next_x - x, next_y - y);
        (x, y) = (next_x, next_y);
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The raw files lie outside the repository: `LOCAVORE_DATA` says where.
    #[test]
    fn rebuilding_gives_the_committed_text() {
        let raw = std::env::var_os(crate::RAW.1).map(std::path::PathBuf::from);
        let is_wanted = std::env::var_os("LOCAVORE_SLOW_TESTS").is_some();
        let Some(raw) = raw.filter(|_| is_wanted) else {
            return;
        };
        let committed = std::fs::read_to_string(crate::root().join("data/outlines.txt")).unwrap();
        assert!(
            build(&raw).unwrap() == committed,
            "`cargo xtask outlines` gives another text than data/outlines.txt"
        );
    }

    #[test]
    fn points_on_the_way_are_left_out() {
        let line = [[0.0, 0.0], [1.0, 0.01], [2.0, 0.0], [2.0, 3.0]];
        assert_eq!(simplify(&line, 0.1), [[0.0, 0.0], [2.0, 0.0], [2.0, 3.0]]);
    }

    #[test]
    fn a_ring_stays_a_ring() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]];
        assert_eq!(simplify(&square, 0.1), square);
        assert!((area(&square) - 16.0).abs() < 1e-9);
    }
}
