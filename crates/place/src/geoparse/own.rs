//! Gives addresses the coordinates that their page states for them.
//!
//! The same address in text and markup has the same key, so a claim's
//! coordinates are those of its address wherever it stands. Coordinates
//! without an address (a `meta` element, a link to a map) belong to the page's
//! address where it has one alone: of several, nobody knows which.

use crate::address::Address;
use crate::evidence::{Conflict, Evidence};
use crate::precision::Precision;
use crate::sphere::kilometres;
use std::collections::BTreeMap;

/// Coordinates of one address, in kilometres, that contradict each other.
const APART: f64 = 1.0;

/// An address this far from the middle of its postal code or city, in
/// kilometres, is not where the page's coordinates are.
const FAR: f64 = 50.0;

type Degrees = (f64, f64);

/// Puts the page's own coordinates in the place of those that were looked up.
pub(super) fn give_points(addresses: &mut [Address], evidence: &mut [Option<Evidence>]) {
    let points = points(addresses, evidence);
    if points.is_empty() {
        return;
    }
    let point_of = |address: &Address| {
        let point = *points.get(&address.key())?;
        let known = address.lat.zip(address.lon);
        let is_near = known.is_none_or(|known| kilometres(point, known) <= FAR);
        is_near.then_some(point)
    };
    for address in addresses {
        if let Some(point) = point_of(address) {
            place_at(address, point);
        }
    }
    for piece in evidence.iter_mut().flatten() {
        if let Some(address) = &mut piece.address
            && let Some(point) = point_of(address)
        {
            place_at(address, point);
            if !piece.is_exact() {
                (piece.lat, piece.lon) = (Some(point.0), Some(point.1));
                piece.precision = Some(Precision::Page);
            }
        }
    }
}

/// The coordinates that the page states, by the key of their address.
fn points(addresses: &[Address], evidence: &[Option<Evidence>]) -> BTreeMap<u64, Degrees> {
    let mut stated: BTreeMap<Option<u64>, Vec<Degrees>> = BTreeMap::new();
    for piece in evidence.iter().flatten().filter(|piece| is_believed(piece)) {
        if let Some(point) = piece.lat.zip(piece.lon) {
            let address = piece.address.as_ref().map(Address::key);
            stated.entry(address).or_default().push(point);
        }
    }
    if stated.is_empty() {
        return BTreeMap::new();
    }
    let alone = stated.remove(&None).unwrap_or_default();
    let with_address = stated
        .iter()
        .filter_map(|(key, points)| Some(((*key)?, agreed(points)?)));
    let mut points: BTreeMap<u64, Degrees> = with_address.collect();
    let in_markup = evidence.iter().flatten();
    let in_markup = in_markup.filter_map(|piece| piece.address.as_ref());
    let mut keys = addresses.iter().chain(in_markup).map(Address::key);
    if let Some(first) = keys.next()
        && keys.all(|key| key == first)
        && let Some(point) = agreed(&alone)
    {
        points.entry(first).or_insert(point);
    }
    points
}

fn is_believed(piece: &Evidence) -> bool {
    piece.is_exact() && piece.conflict != Some(Conflict::PointAwayFromCity)
}

/// The first of some points, if all are about the same.
fn agreed(points: &[Degrees]) -> Option<Degrees> {
    let first = *points.first()?;
    let is_same = |point: &Degrees| kilometres(first, *point) <= APART;
    points.iter().all(is_same).then_some(first)
}

fn place_at(address: &mut Address, (lat, lon): Degrees) {
    address.lat = Some(lat as f32);
    address.lon = Some(lon as f32);
    address.precision = Some(Precision::Page);
}
