//! What is offered where a text means no place, or several.
//!
//! Every suggestion means its place when it is typed: each is tried before it
//! is made.

use super::TargetError;
use super::resolve::{self, Failure};
use crate::gazetteer::{Gazetteer, Kind, PlaceId};

/// Places offered for a name that is none.
const MAX_NEAR: usize = 5;

/// Places offered for a name that several have.
const MAX_CANDIDATES: usize = 8;

/// What to say of a text that means no one place.
pub(super) fn instead(gazetteer: &Gazetteer, text: &str, failure: Failure) -> TargetError {
    match failure {
        Failure::Nowhere(error) => error,
        Failure::Unknown => TargetError::Unknown {
            name: text.to_owned(),
            n_places: gazetteer.len(),
            near: near(gazetteer, text),
        },
        Failure::Many(bearers) => TargetError::Ambiguous {
            name: text.to_owned(),
            n_places: bearers.len(),
            candidates: candidates(gazetteer, &bearers),
        },
    }
}

fn near(gazetteer: &Gazetteer, text: &str) -> Vec<String> {
    let (own, _) = resolve::parts(text);
    // The name may be right and what follows the comma wrong.
    let mut near = gazetteer.find_typed(own);
    if near.is_empty() {
        near = gazetteer.nearest_names(own, MAX_NEAR);
    }
    // Who nearly typed the name of a district may as well have meant its city.
    let is_accepted = |name: &String| resolve::find(gazetteer, name, &|_| 0).is_ok();
    let offered = |id| {
        let plain = Some(gazetteer.describe(id)).filter(is_accepted);
        plain.or_else(|| described(gazetteer, id))
    };
    let mut offered: Vec<String> = near
        .into_iter()
        .filter_map(offered)
        .take(MAX_NEAR)
        .collect();
    offered.dedup();
    offered
}

fn candidates(gazetteer: &Gazetteer, bearers: &[PlaceId]) -> Vec<String> {
    let candidate = |&id: &PlaceId| {
        let population = with_commas(gazetteer.population(id));
        Some(format!("{} ({population})", described(gazetteer, id)?))
    };
    bearers
        .iter()
        .filter_map(candidate)
        .take(MAX_CANDIDATES)
        .collect()
}

/// Words that mean the place when they are typed, the plainest there are; none
/// where nothing tells it from a neighbour.
pub(super) fn described(gazetteer: &Gazetteer, id: PlaceId) -> Option<String> {
    let whole_chain = || {
        let names = gazetteer.chain(id).map(|above| gazetteer.place(above).name);
        names.collect::<Vec<_>>().join(", ")
    };
    let with_continent = || {
        let mut around = resolve::around(gazetteer, id).into_iter();
        let continent = around.find(|&wider| gazetteer.kind(wider) == Kind::Continent);
        let continent = continent.map_or("", |continent| gazetteer.place(continent).name);
        format!("{}, {continent}", gazetteer.describe(id))
    };
    let numbered = || format!("{}{}", resolve::NUMBER, gazetteer.geonameid(id));
    let forms: [&dyn Fn() -> String; 5] = [
        &|| gazetteer.describe(id),
        &whole_chain,
        &with_continent,
        &|| gazetteer.path(id),
        &numbered,
    ];
    let means_it =
        |form: &String| matches!(resolve::find(gazetteer, form, &|_| 0), Ok(found) if found == id);
    forms.iter().map(|form| form()).find(means_it)
}

/// `169,176`
fn with_commas(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
