//! Where the hits are, as dots on a map that bear their numbers.

use lab::plot::{Dot, Frame, Map};
use search::ask::Hit;
use std::collections::BTreeMap;

/// A map of the hits that are somewhere, the first of which has this number;
/// nothing where all are at one spot.
pub(super) fn draw(hits: &[Hit], first: usize) -> String {
    let mut dots: BTreeMap<(i64, i64), Dot> = BTreeMap::new();
    for (hit, number) in hits.iter().zip(first..) {
        let (Some(lat), Some(lon)) = (hit.lat, hit.lon) else {
            continue;
        };
        let hundredth = |degrees: f64| (degrees * 100.0).round() as i64;
        let spot = (hundredth(lat), hundredth(lon));
        let known = dots.get_mut(&spot);
        match known {
            Some(dot) => dot.name += &format!(", {number}"),
            None => {
                let dot = Dot {
                    name: number.to_string(),
                    lat,
                    lon,
                    value: 1.0,
                    colour: 0,
                };
                dots.insert(spot, dot);
            }
        }
    }
    if dots.len() < 2 {
        return String::new();
    }
    let is_american =
        |dot: &Dot| (18.0..72.0).contains(&dot.lat) && (-180.0..-66.0).contains(&dot.lon);
    let map = Map {
        title: "where these pages are about".into(),
        what: "spot".into(),
        frame: match dots.values().all(is_american) {
            true => Frame::UnitedStates,
            false => Frame::World,
        },
        dots: dots.into_values().collect(),
    };
    format!("<figure>{}</figure>\n", map.render())
}
