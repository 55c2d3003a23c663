//! Where a hit is on the map, and what of it is there.
//!
//! A page may be about several towns and have addresses in some of them. What
//! is shown first of them is what its distance was measured to, so that the
//! two never speak of different towns.

use super::ADDRESSES;
use crate::index::{Point, Share};
use crate::region::Region;
use place::gazetteer::{Gazetteer, PlaceId};
use place::precision::Precision;
use place::sphere::kilometres;

/// Places of a hit that are named.
const MOST_PLACES: usize = 3;

/// Kilometres from the middle of a town that an address of it may be away.
const TOWN_REACH: f64 = 40.0;

/// Kilometres that the coordinates of an address may be wrong by: most are
/// those of its postal code, others stand in the page's markup.
const SAME_ADDRESS: f64 = 15.0;

type Degrees = (f64, f64);

/// What is shown of where a page is.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Spot {
    /// Degrees north and east.
    pub(super) at: Option<Degrees>,
    /// What these are the coordinates of.
    pub(super) precision: Option<Precision>,
    /// Kilometres from what was asked for.
    pub(super) distance: Option<f64>,
    /// What it is about, what lies at the spot first.
    pub(super) places: Vec<String>,
    /// The address at the spot.
    pub(super) address: Option<String>,
}

/// A point of a page: an address, or a town that none of its addresses is in.
#[derive(Clone, Copy)]
struct Candidate {
    at: Degrees,
    precision: Precision,
    town: Option<PlaceId>,
}

impl Spot {
    /// Of the places and addresses of a page those that fit the region best.
    pub(super) fn of(
        region: Option<&Region>,
        shares: &[Share],
        points: &[Point],
        addresses: Vec<String>,
    ) -> Spot {
        let own = own(shares);
        let candidates = candidates(&own, points);
        let chosen = match region {
            Some(region) => choose(region, &candidates),
            None => None,
        };
        let Some((chosen, distance)) = chosen else {
            return Spot {
                at: candidates.first().map(|first| first.at),
                precision: candidates.first().map(|first| first.precision),
                distance: None,
                places: described(&own),
                address: addresses.into_iter().next(),
            };
        };
        let rest = own.iter().filter(|place| chosen.town != Some(**place));
        let places: Vec<PlaceId> = chosen.town.into_iter().chain(rest.copied()).collect();
        Spot {
            at: Some(chosen.at),
            precision: Some(chosen.precision),
            distance,
            places: described(&places),
            address: address_at(chosen, &own, addresses),
        }
    }
}

/// The candidate that answers, and how far it is from what was asked for.
///
/// What lies in a state is no distance away from it: there what lies in it
/// answers, and the one that most of the page is about.
fn choose(region: &Region, candidates: &[Candidate]) -> Option<(Candidate, Option<f64>)> {
    let distance = |candidate: &Candidate| {
        let middle = region.middle();
        middle.map_or(f64::MAX, |middle| kilometres(middle, candidate.at))
    };
    let nearest = || {
        let all = candidates.iter().copied();
        all.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    if region.is_point() {
        return nearest().map(|nearest| (nearest, Some(distance(&nearest))));
    }
    let inside = candidates
        .iter()
        .find(|candidate| region.holds(candidate.at, candidate.town));
    inside.copied().or_else(nearest).map(|one| (one, None))
}

/// What a page is about by itself, the most first.
fn own(shares: &[Share]) -> Vec<PlaceId> {
    let gazetteer = Gazetteer::built_in();
    let mut own: Vec<&Share> = shares.iter().filter(|share| share.own > 0.0).collect();
    own.sort_by(|a, b| b.own.total_cmp(&a.own));
    let known = own.iter();
    known
        .filter_map(|share| gazetteer.by_geonameid(share.place))
        .collect()
}

/// The first of some places, for people.
fn described(places: &[PlaceId]) -> Vec<String> {
    let gazetteer = Gazetteer::built_in();
    let first = places.iter().take(MOST_PLACES);
    first.map(|place| gazetteer.describe(*place)).collect()
}

/// What a page is about by itself, the most first, for people.
pub(crate) fn places(shares: &[Share]) -> Vec<String> {
    described(&own(shares))
}

/// The addresses, then the towns that none of them is in.
fn candidates(own: &[PlaceId], points: &[Point]) -> Vec<Candidate> {
    let addresses = points.iter().map(|point| {
        let at = (f64::from(point.lat), f64::from(point.lon));
        Candidate {
            at,
            precision: point.precision,
            town: town_of(at, own),
        }
    });
    let mut candidates: Vec<Candidate> = addresses.collect();
    for (place, at) in towns(own) {
        let town = Some(place);
        if candidates.iter().all(|candidate| candidate.town != town) {
            candidates.push(Candidate {
                at,
                precision: Precision::Place,
                town,
            });
        }
    }
    candidates
}

fn towns(places: &[PlaceId]) -> impl Iterator<Item = (PlaceId, Degrees)> + '_ {
    places.iter().filter_map(|id| {
        let place = Gazetteer::built_in().place(*id);
        let at = (f64::from(place.lat), f64::from(place.lon));
        place.kind.is_settlement().then_some((*id, at))
    })
}

/// The town of a page that an address of it is in, as far as that can be told.
fn town_of(at: Degrees, own: &[PlaceId]) -> Option<PlaceId> {
    let distances = towns(own).map(|(place, middle)| (kilometres(at, middle), place));
    let near = distances.filter(|(distance, _)| *distance <= TOWN_REACH);
    let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, place)| place)
}

/// Of the addresses of a page the one that is at the spot.
fn address_at(spot: Candidate, own: &[PlaceId], addresses: Vec<String>) -> Option<String> {
    let distances = addresses.into_iter().filter_map(|address| {
        let found = ADDRESSES.find(&address).into_iter().next()?;
        let at = (f64::from(found.lat?), f64::from(found.lon?));
        let distance = kilometres(at, spot.at);
        let is_there =
            distance <= SAME_ADDRESS || spot.town.is_some() && town_of(at, own) == spot.town;
        is_there.then_some((distance, address))
    });
    // Of equally near ones the first.
    let nearest = distances.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, address)| address)
}
