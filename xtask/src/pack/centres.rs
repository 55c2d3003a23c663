//! Gives divisions and countries coordinates and people, from their cities.
//!
//! The middle of the box around the cities is nearer to what maps call the
//! middle of a state than the mean over its people, which sits in its largest
//! city. US counties are small and even: they have the mean of their places.
//! Where even the box is far off (most countries, states with empty halves),
//! hand-written values follow in `hand.rs`.

use super::places::Places;
use place::gazetteer::Kind;
use place::pack::PlaceRow;
use std::collections::HashMap;

/// Fills in all rows above the cities.
pub(super) fn fill_in(places: &mut Places) {
    let mut cities: HashMap<u32, Vec<u32>> = HashMap::new();
    for (position, row) in (0..).zip(&places.rows) {
        if row.kind == Kind::City {
            for above in places.chain(position).skip(1) {
                cities.entry(above).or_default().push(position);
            }
        }
    }
    // Parents come before their children here, so a division without cities
    // can take what its parent has just been given.
    for position in (0..).take(places.rows.len()) {
        let row = places.row(position);
        if row.kind > Kind::Division2 {
            continue;
        }
        let inside: Vec<&PlaceRow> = cities
            .get(&position)
            .into_iter()
            .flatten()
            .map(|&city| places.row(city))
            .collect();
        let above = row.parent.map(|parent| places.row(parent));
        let middle = match above {
            _ if !inside.is_empty() && row.kind == Kind::Division2 && row.country == "US" => {
                mean(&inside)
            }
            _ if !inside.is_empty() => middle_of_box(&inside),
            Some(above) => (above.lat, above.lon),
            None => (0.0, 0.0),
        };
        let people = inside
            .iter()
            .fold(0_u32, |sum, city| sum.saturating_add(city.population));
        let row = &mut places.rows[position as usize];
        (row.lat, row.lon) = middle;
        if row.kind != Kind::Country {
            row.population = people;
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a division has far fewer than 2^52 cities"
)]
fn mean(cities: &[&PlaceRow]) -> (f64, f64) {
    let shift = date_line_shift(cities);
    let n = cities.len() as f64;
    let lat = cities.iter().map(|city| city.lat).sum::<f64>() / n;
    let lon = cities.iter().map(|city| shift(city.lon)).sum::<f64>() / n;
    (lat, wrapped(lon))
}

fn middle_of_box(cities: &[&PlaceRow]) -> (f64, f64) {
    let shift = date_line_shift(cities);
    let middle = |numbers: &mut dyn Iterator<Item = f64>| {
        let (low, high) = numbers.fold((f64::MAX, f64::MIN), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        f64::midpoint(low, high)
    };
    let lat = middle(&mut cities.iter().map(|city| city.lat));
    let lon = middle(&mut cities.iter().map(|city| shift(city.lon)));
    (lat, wrapped(lon))
}

/// Alaska, Fiji and Chukotka lie on both sides of the date line.
fn date_line_shift(cities: &[&PlaceRow]) -> impl Fn(f64) -> f64 + use<> {
    let far_west = cities.iter().any(|city| city.lon < -120.0);
    let far_east = cities.iter().any(|city| city.lon > 120.0);
    let across = far_west && far_east;
    move |lon: f64| {
        if across && lon < 0.0 {
            lon + 360.0
        } else {
            lon
        }
    }
}

fn wrapped(lon: f64) -> f64 {
    if lon > 180.0 { lon - 360.0 } else { lon }
}
