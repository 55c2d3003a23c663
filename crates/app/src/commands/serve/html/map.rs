//! Where the hits are, as dots on a map.

use lab::plot::{Dot, Frame, Map};
use search::ask::Hit;
use std::collections::BTreeMap;

/// A map of the hits that are somewhere; nothing where all are in one place.
pub(super) fn draw(hits: &[Hit]) -> String {
    let mut dots: BTreeMap<&str, Dot> = BTreeMap::new();
    for hit in hits {
        let (Some(lat), Some(lon), Some(place)) = (hit.lat, hit.lon, hit.places.first()) else {
            continue;
        };
        let name = place.split(',').next().unwrap_or_default();
        let dot = dots.entry(place).or_insert_with(|| Dot {
            name: name.to_owned(),
            lat,
            lon,
            value: 0.0,
            colour: 0,
        });
        dot.value += 1.0;
    }
    if dots.len() < 2 {
        return String::new();
    }
    let is_american =
        |dot: &Dot| (18.0..72.0).contains(&dot.lat) && (-180.0..-66.0).contains(&dot.lon);
    let frame = match dots.values().all(is_american) {
        true => Frame::UnitedStates,
        false => Frame::World,
    };
    let map = Map {
        title: "where these pages are about".into(),
        what: "of these pages".into(),
        frame,
        dots: dots.into_values().collect(),
    };
    format!("<figure>{}</figure>\n", map.render())
}
