//! A postal code as a wish: `77002`, `26121 Oldenburg`, `77002, Houston, TX`.

use super::resolve::{self, Failure};
use super::wish::{Granted, target};
use super::{Asked, TargetError};
use crate::gazetteer::{Gazetteer, PlaceId, Postcode};

/// The target of a wish that holds a postal code; none if it is something else.
pub(super) fn read(gazetteer: &Gazetteer, wish: &str) -> Option<Result<Granted, TargetError>> {
    let (code, beside) = split(wish)?;
    let us = gazetteer.city_of_zip(code);
    let german = gazetteer.postcode("DE", code);
    let german = german.and_then(|postcode: Postcode<'_>| postcode.place);
    let mut cities: Vec<PlaceId> = us.into_iter().chain(german).collect();
    if !beside.is_empty() {
        let around = match resolve::find(gazetteer, &beside, &|_| 0) {
            Ok(place) => vec![place],
            Err(Failure::Many(places)) => places,
            Err(_) => return None,
        };
        cities.retain(|&city| gazetteer.chain(city).any(|above| around.contains(&above)));
    }
    Some(match cities[..] {
        [] => return None,
        [city] => {
            let asked = Asked::ByCode(vec![code.to_owned()]);
            let mut granted = Granted::of(wish, vec![target(gazetteer, city, asked)]);
            granted.grant.code = Some(code.to_owned());
            Ok(granted)
        }
        _ => Err(TargetError::Ambiguous {
            name: wish.to_owned(),
            n_places: cities.len(),
            candidates: cities
                .iter()
                .map(|&city| format!("{code}, {}", gazetteer.describe(city)))
                .collect(),
        }),
    })
}

/// Five digits at one end of a wish, and the rest.
fn split(wish: &str) -> Option<(&str, String)> {
    let is_code = |word: &str| word.len() == 5 && word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = wish
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let (first, last) = (*words.first()?, *words.last()?);
    let code = [first, last].into_iter().find(|word| is_code(word))?;
    let beside = match code == first {
        true => wish.trim_start().get(code.len()..)?,
        false => wish.trim_end().strip_suffix(code)?,
    };
    let is_between = |c: char| c == ',' || c.is_whitespace();
    Some((code, beside.trim_matches(is_between).to_owned()))
}
