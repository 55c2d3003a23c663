//! What the places asked for came to, in words and for programs.

use crate::text::{count, thousands};
use place::gazetteer::{Gazetteer, PlaceId};
use place::target::{Grant, Targets};
use serde_json::{Value, json};

/// Wishes told in full.
const MOST_WISHES: usize = 3;

/// `Houston, Texas, United States`; `Bavaria, Germany: 1,933 places over 500
/// people, the largest Munich, Nuremberg, Augsburg`.
pub(super) fn in_words(targets: &Targets) -> String {
    let grants = targets.grants();
    let mut told: Vec<String> = grants.iter().take(MOST_WISHES).map(words).collect();
    if let Some(n_more @ 1..) = grants.len().checked_sub(MOST_WISHES) {
        told.push(format!("and {}", count(n_more as u64, "more wish")));
    }
    told.join("; ")
}

fn words(grant: &Grant) -> String {
    let title = title(grant);
    let is_one_place = grant.region.is_none() && grant.n_places == 1 && grant.over.is_none();
    if is_one_place {
        return title;
    }
    let places = count(grant.n_places as u64, "place");
    let size = grant.over.filter(|over| *over > 0);
    let size = size.map(|over| format!(" over {} people", thousands(over.into())));
    let names = names(grant).join(", ");
    let largest = match grant.n_places > grant.largest.len() {
        true => ", the largest",
        false => ":",
    };
    format!(
        "{title}: {places}{}{largest} {names}",
        size.unwrap_or_default()
    )
}

/// The place that was meant: `Houston` may not be the one that somebody had in
/// mind. What is no place by itself stays as it was typed.
fn title(grant: &Grant) -> String {
    let gazetteer = Gazetteer::built_in();
    let is_whole = grant
        .over
        .is_none_or(|over| over == place::target::LEAST_PEOPLE);
    match (grant.region, &grant.code, &grant.largest[..]) {
        (Some(region), ..) if is_whole => gazetteer.describe(region),
        (None, Some(code), [place]) => format!("{code}, {}", gazetteer.describe(*place)),
        (None, None, [place]) if grant.over.is_none() => gazetteer.describe(*place),
        _ => grant.wish.clone(),
    }
}

fn names(grant: &Grant) -> Vec<&'static str> {
    let name = |place: &PlaceId| Gazetteer::built_in().place(*place).name;
    grant.largest.iter().map(name).collect()
}

/// The same for programs: each wish with its places.
pub(super) fn as_json(targets: &Targets) -> Vec<Value> {
    let gazetteer = Gazetteer::built_in();
    let wish = |grant: &Grant| {
        let largest = grant.largest.iter().map(|place| gazetteer.describe(*place));
        json!({
            "wish": grant.wish,
            "region": grant.region.map(|region| gazetteer.describe(region)),
            "postcode": grant.code,
            "places": grant.n_places,
            "over_people": grant.over,
            "largest": largest.collect::<Vec<_>>(),
        })
    };
    targets.grants().iter().map(wish).collect()
}
