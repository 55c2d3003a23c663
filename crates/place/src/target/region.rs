//! What a region or a box comes to: its places, and itself for the rest of it.

use super::wish::{Granted, target};
use super::{Asked, Target, TargetError};
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::sphere::MapBox;

/// A region's places over this many people are targets of their own; what is
/// smaller belongs to the region as a whole.
pub const LEAST_PEOPLE: u32 = 500;

/// Names are looked for of places over this many people, and of the largest
/// so many: many a village is called like an ordinary word.
const SOUGHT_PEOPLE: u32 = 50_000;
const SOUGHT_LARGEST: usize = 100;

/// All of a region.
pub(super) fn whole(
    gazetteer: &Gazetteer,
    wish: &str,
    region: PlaceId,
) -> Result<Granted, TargetError> {
    let heads = heads(gazetteer, region);
    let mut cities: Vec<PlaceId> = heads
        .iter()
        .flat_map(|&head| gazetteer.cities_in(head))
        .collect();
    cities.sort_unstable();
    cities.dedup();
    let mut granted = places(gazetteer, wish, cities)?;
    granted.grant.region = Some(region);
    let as_region = heads.into_iter().map(|head| Target {
        is_sought: false,
        ..target(gazetteer, head, Asked::AsRegion)
    });
    granted.targets.extend(as_region);
    Ok(granted)
}

/// What a region consists of: itself, or the countries and states that are
/// part of it where it is no step of the hierarchy.
fn heads(gazetteer: &Gazetteer, region: PlaceId) -> Vec<PlaceId> {
    let mut heads = Vec::new();
    let mut known = vec![region];
    let mut at = 0;
    while let Some(&part) = known.get(at) {
        at += 1;
        if (Kind::Country..=Kind::City).contains(&gazetteer.kind(part)) {
            heads.push(part);
            continue;
        }
        let inner = gazetteer.children(part).iter().copied();
        for inner in inner.chain(gazetteer.parts(part)) {
            if !known.contains(&inner) {
                known.push(inner);
            }
        }
    }
    heads.retain(|&head| gazetteer.geonameid(head) != 0);
    heads
}

/// Everything in a box that the gazetteer knows.
pub(super) fn of_box(
    gazetteer: &Gazetteer,
    wish: &str,
    edges: MapBox,
) -> Result<Granted, TargetError> {
    let is_inside = |id: &PlaceId| {
        let (lat, lon) = gazetteer.coordinates(*id);
        gazetteer.kind(*id) == Kind::City && edges.holds(lat.into(), lon.into())
    };
    let cities = gazetteer.ids().filter(is_inside).collect();
    Ok(Granted {
        edges: Some(edges),
        ..places(gazetteer, wish, cities)?
    })
}

/// The cities of a region over some size, and nothing else of it.
pub(super) fn cities_over(
    gazetteer: &Gazetteer,
    wish: &str,
    region: PlaceId,
    min_population: u32,
) -> Result<Granted, TargetError> {
    let mut cities = gazetteer.cities_in(region);
    cities.retain(|&city| gazetteer.population(city) > min_population);
    if cities.is_empty() {
        return Err(TargetError::Empty {
            name: wish.to_owned(),
            min_population,
        });
    }
    let targets = cities
        .into_iter()
        .map(|city| target(gazetteer, city, Asked::ByName));
    let mut granted = Granted::of(wish, targets.collect());
    granted.grant.over = Some(min_population);
    granted.grant.region = Some(region);
    Ok(granted)
}

/// Targets for the places of a region, which come most populous first. Where
/// none has enough people all of them are.
fn places(
    gazetteer: &Gazetteer,
    wish: &str,
    mut cities: Vec<PlaceId>,
) -> Result<Granted, TargetError> {
    // A record names a place by its number.
    cities.retain(|&city| gazetteer.geonameid(city) != 0);
    let is_large = |city: &PlaceId| gazetteer.population(*city) > LEAST_PEOPLE;
    let has_large = cities.iter().any(is_large);
    if has_large {
        cities.retain(is_large);
    }
    if cities.is_empty() {
        return Err(TargetError::Barren {
            name: wish.to_owned(),
        });
    }
    let member = |(nth, city): (usize, PlaceId)| Target {
        is_sought: nth < SOUGHT_LARGEST || gazetteer.population(city) > SOUGHT_PEOPLE,
        ..target(gazetteer, city, Asked::InRegion)
    };
    let targets = cities.into_iter().enumerate().map(member).collect();
    let mut granted = Granted::of(wish, targets);
    granted.grant.over = has_large.then_some(LEAST_PEOPLE);
    Ok(granted)
}
