//! From what a user typed to the one place it means: a name, a path, a number.
//!
//! A name that several places share is refused with the candidates, unless
//! one of them is what nearly everybody means; see [`DOMINANCE`]. A name both
//! of a city and of the region around it means the city.
//!
//! A short form means what it abbreviates, in any case, before any place that
//! is called so: `USA` is no town in Japan. Two letters are a US state (`DE`,
//! `CA`, `IN`) before they are the code of a country (`FR`), as behind a comma;
//! a country's code comes before a town of that name if it is in capitals.
//!
//! What is offered instead of a name that says too little is `suggest.rs`.

use super::TargetError;
use super::suggest;
use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};
use crate::names::normalise;

/// A bare name means its most populous bearer when that one has so many times
/// the people of the next: `Houston` does (thousands of times), `Portland`
/// does not (ten times).
const DOMINANCE: u32 = 20;

/// Below this size nobody can be expected to mean a place by its bare name.
const DOMINANT_POPULATION: u32 = 100_000;

/// Within one state a smaller lead is enough: no more can be said in an address either.
const DOMINANCE_IN_STATE: u32 = 2;

/// Why a text means no one place.
pub(super) enum Failure {
    Unknown,
    /// Several, most populous first.
    Many(Vec<PlaceId>),
    /// A path or number that leads nowhere, which is known by its form.
    Nowhere(TargetError),
}

/// How many pages somebody has in a place: says which of several is meant.
pub type Holds<'h> = &'h dyn Fn(PlaceId) -> u64;

/// The place that a name, a path or a number means, of whatever kind.
pub(super) fn place(
    gazetteer: &Gazetteer,
    text: &str,
    holds: Holds<'_>,
) -> Result<PlaceId, TargetError> {
    find(gazetteer, text, holds).map_err(|failure| suggest::instead(gazetteer, text, failure))
}

/// The region that a name means, or what is wrong.
pub(super) fn region(gazetteer: &Gazetteer, name: &str) -> Result<PlaceId, TargetError> {
    let found = match is_name(name) {
        true => one_of(gazetteer, name, Wanted::Region),
        false => find(gazetteer, name, &|_| 0),
    };
    let is_city = |place| gazetteer.kind(place).is_settlement();
    let not_a_region = || TargetError::NotARegion {
        name: name.to_owned(),
    };
    match found {
        Ok(place) if is_city(place) => Err(not_a_region()),
        Ok(place) => Ok(place),
        // A city has no cities in it: better said than called unknown.
        Err(Failure::Unknown) => match find(gazetteer, name, &|_| 0) {
            Ok(_) | Err(Failure::Many(_)) => Err(not_a_region()),
            Err(failure) => Err(suggest::instead(gazetteer, name, failure)),
        },
        Err(failure) => Err(suggest::instead(gazetteer, name, failure)),
    }
}

/// Whether it is neither a path nor a number.
fn is_name(text: &str) -> bool {
    !text.starts_with('/') && !text.starts_with(NUMBER)
}

/// Before the number of a place in GeoNames.
pub(super) const NUMBER: &str = "geonames:";

pub(super) fn find(
    gazetteer: &Gazetteer,
    text: &str,
    holds: Holds<'_>,
) -> Result<PlaceId, Failure> {
    let text = without_people(text.trim());
    if let Some(digits) = text.strip_prefix(NUMBER) {
        let number = digits.parse().ok().filter(|number| *number != 0);
        let place = number.and_then(|number| gazetteer.by_geonameid(number));
        let number = digits.to_owned();
        return place.ok_or(Failure::Nowhere(TargetError::NoNumber { number }));
    }
    if text.starts_with('/') {
        return at_path(gazetteer, text, holds).map_err(Failure::Nowhere);
    }
    match one_of(gazetteer, text, Wanted::Place) {
        Err(Failure::Unknown) => without_comma(gazetteer, text).unwrap_or(Err(Failure::Unknown)),
        found => found,
    }
}

/// The place of a path; of towns that share one, that with most pages.
fn at_path(gazetteer: &Gazetteer, path: &str, holds: Holds<'_>) -> Result<PlaceId, TargetError> {
    let path = path.trim_end_matches('/');
    if path.eq_ignore_ascii_case("/Earth") {
        return Err(TargetError::Everything {
            path: path.to_owned(),
        });
    }
    let mut places = gazetteer.at_path(path);
    if places.len() > 1 {
        // Stable: of equals the most populous stays first.
        places.sort_by_key(|place| std::cmp::Reverse(holds(*place)));
    }
    places.first().copied().ok_or_else(|| TargetError::NoPath {
        path: path.to_owned(),
    })
}

/// `houston tx`, `charlotte north carolina`: up to three last words may say
/// where the place lies. None where they do not.
fn without_comma(gazetteer: &Gazetteer, name: &str) -> Option<Result<PlaceId, Failure>> {
    if name.contains(',') {
        return None;
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    (1..words.len().min(4)).find_map(|n_last| {
        let (own, around) = words.split_at(words.len() - n_last);
        let name = format!("{}, {}", own.join(" "), around.join(" "));
        match one_of(gazetteer, &name, Wanted::Place) {
            Err(Failure::Unknown) => None,
            found => Some(found),
        }
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Anything; a city before the region around it.
    Place,
    /// What has cities inside it.
    Region,
}

/// The one place meant by `Houston`, `Houston, TX` or `Lisbon, Portugal`.
fn one_of(gazetteer: &Gazetteer, name: &str, wanted: Wanted) -> Result<PlaceId, Failure> {
    let (own, around) = parts(name);
    let mut bearers = gazetteer.find_typed(own);
    let short = short_for(gazetteer, own);
    bearers.extend(&short);
    bearers.sort_unstable();
    bearers.dedup();
    if wanted == Wanted::Region || bearers.is_empty() {
        bearers.extend(gazetteer.us_state(own).filter(|id| !bearers.contains(id)));
    }
    bearers.retain(|&id| wanted == Wanted::Place || gazetteer.place(id).kind != Kind::City);
    for part in &around {
        // `CA` is California before it is Canada.
        prefer(&mut bearers, |&id| is_us_code(gazetteer, id, part));
        let named = gazetteer.find_typed(part);
        bearers
            .retain(|&id| is_us_code(gazetteer, id, part) || lies_in(gazetteer, id, part, &named));
    }
    match bearers.iter().any(|id| short.contains(id)) {
        true => bearers.retain(|id| short.contains(id)),
        false => prefer(&mut bearers, |&id| {
            normalise(gazetteer.place(id).name) == normalise(own)
        }),
    }
    prefer(&mut bearers, |&id| {
        gazetteer.place(id).kind != Kind::Division2
    });
    prefer(&mut bearers, |&id| gazetteer.population(id) > 0);
    if bearers.iter().all(|&id| gazetteer.population(id) == 0) {
        // Nobody counts the people of La Jolla, but as a part of San Diego it
        // is more than a hamlet of that name.
        prefer(&mut bearers, |&id| gazetteer.kind(id) == Kind::Section);
    }
    if wanted == Wanted::Place {
        drop_regions_around(gazetteer, &mut bearers);
    }
    if !around.is_empty() && bearers.len() > 1 {
        let typed: Vec<String> = std::iter::once(own)
            .chain(around.iter().copied())
            .map(normalise)
            .collect();
        prefer(&mut bearers, |&id| is_written_out(gazetteer, id, &typed));
    }
    let Some((&first, others)) = bearers.split_first() else {
        return Err(Failure::Unknown);
    };
    let Some(&second) = others.first() else {
        return Ok(first);
    };
    let (largest, next) = (gazetteer.place(first), gazetteer.place(second));
    let in_one_state = !around.is_empty()
        && bearers.iter().all(|&id| {
            let place = gazetteer.place(id);
            place.country == largest.country && place.division == largest.division
        });
    let leads_by = |times: u32| largest.population / next.population.max(1) >= times;
    let dominant = if in_one_state {
        leads_by(DOMINANCE_IN_STATE)
    } else {
        largest.population > DOMINANT_POPULATION && leads_by(DOMINANCE)
    };
    if dominant {
        Ok(first)
    } else {
        Err(Failure::Many(bearers))
    }
}

/// What a name is short for: `USA`, `U.K.`, `PA`, `FR`.
fn short_for(gazetteer: &Gazetteer, name: &str) -> Vec<PlaceId> {
    let letters = name.trim().replace('.', "");
    let is_short =
        (2..=3).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_short {
        return Vec::new();
    }
    let mut bearers: Vec<(PlaceId, Role)> = gazetteer.bearers(name).collect();
    let is_called_so = bearers.iter().any(|(_, role)| *role != Role::Demonym);
    bearers.retain(|(_, role)| *role == Role::Abbreviation);
    let mut short: Vec<PlaceId> = bearers.into_iter().map(|(id, _)| id).collect();
    if letters.len() == 2 {
        short.extend(gazetteer.us_state(name).filter(|id| !short.contains(id)));
        let in_capitals = letters.bytes().all(|byte| byte.is_ascii_uppercase());
        if short.is_empty() && (in_capitals || !is_called_so) {
            short.extend(gazetteer.country_of_code(&letters));
        }
    }
    short
}

/// Keeps the preferred ones where there are any.
fn prefer(bearers: &mut Vec<PlaceId>, preferred: impl Fn(&PlaceId) -> bool) {
    if bearers.iter().any(&preferred) {
        bearers.retain(preferred);
    }
}

/// New York lies in New York, Lisbon in Lisbon: the city is meant.
fn drop_regions_around(gazetteer: &Gazetteer, bearers: &mut Vec<PlaceId>) {
    let inner: Vec<PlaceId> = bearers
        .iter()
        .copied()
        .filter(|&id| gazetteer.place(id).kind == Kind::City)
        .collect();
    let same_people = |region: PlaceId, city: PlaceId| {
        // Many a country has a hamlet of its own name somewhere: that is not meant.
        gazetteer.place(city).population >= gazetteer.place(region).population / 20
    };
    bearers.retain(|&region| {
        gazetteer.place(region).kind == Kind::City
            || !inner.iter().any(|&city| {
                gazetteer.chain(city).any(|above| above == region) && same_people(region, city)
            })
    });
}

/// Whether a part after the comma is the two letters of the place's US state.
fn is_us_code(gazetteer: &Gazetteer, id: PlaceId, part: &str) -> bool {
    let place = gazetteer.place(id);
    place.country == "US" && part.replace('.', "").eq_ignore_ascii_case(place.division)
}

/// Whether a place lies in what a part after the comma names: `Texas`, `USA`,
/// `DE`, `Harris County`, `Asia`.
fn lies_in(gazetteer: &Gazetteer, id: PlaceId, part: &str, named: &[PlaceId]) -> bool {
    let mut around = around(gazetteer, id).into_iter();
    around.any(|wider| named.contains(&wider)) || part.eq_ignore_ascii_case(gazetteer.country(id))
}

/// All that a place lies in, smallest first: its chain, then the regions and
/// the continent that any of it is part of.
pub(super) fn around(gazetteer: &Gazetteer, id: PlaceId) -> Vec<PlaceId> {
    let mut around: Vec<PlaceId> = gazetteer.chain(id).collect();
    let mut at = 0;
    while let Some(&inner) = around.get(at) {
        let parent = gazetteer.parent(inner);
        let wider = gazetteer.part_of(inner).iter().copied().chain(parent);
        for wider in wider {
            if !around.contains(&wider) {
                around.push(wider);
            }
        }
        at += 1;
    }
    around.remove(0);
    around
}

/// Whether what was typed is just how the place is described, or all that it
/// lies in: of two places of that name the other would be described otherwise.
fn is_written_out(gazetteer: &Gazetteer, id: PlaceId, typed: &[String]) -> bool {
    let steps = |keeps: &dyn Fn(PlaceId) -> bool| -> Vec<String> {
        let chain = gazetteer
            .chain(id)
            .filter(|&above| above == id || keeps(above));
        chain
            .map(|above| normalise(gazetteer.place(above).name))
            .collect()
    };
    typed == steps(&|above| gazetteer.kind(above) != Kind::Division2) || typed == steps(&|_| true)
}

/// The name itself and the parts behind commas.
pub(super) fn parts(name: &str) -> (&str, Vec<&str>) {
    let mut parts = name.split(',').map(str::trim);
    let own = parts.next().unwrap_or_default();
    (own, parts.filter(|part| !part.is_empty()).collect())
}

/// `Georgia, Asia (3,704,500)`, as it is offered, without the people.
fn without_people(text: &str) -> &str {
    let inner = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("));
    let is_number = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',')
    };
    match inner {
        Some((name, people)) if is_number(people) => name,
        _ => text,
    }
}
