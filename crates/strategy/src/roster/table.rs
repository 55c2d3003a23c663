//! Shares that somebody has written down: every target once, no other city.
//!
//! A region has more places than anybody writes down: those left out go with
//! the nearest that is written.

use super::split::NamedShare;
use super::{RosterError, Share};
use place::gazetteer::{Gazetteer, PlaceId};
use place::sphere::kilometres;
use place::target::{self, Asked, Target, TargetId, Targets};

pub(super) fn shares(
    gazetteer: &Gazetteer,
    targets: &Targets,
    rows: &[Share],
    n_nodes: Option<usize>,
) -> Result<Vec<NamedShare>, RosterError> {
    if let Some(n_nodes) = n_nodes.filter(|n_nodes| *n_nodes != rows.len()) {
        return Err(RosterError::OtherNumber {
            n_shares: rows.len(),
            n_nodes,
        });
    }
    let mut owners: Vec<Option<&str>> = vec![None; targets.list().len()];
    let mut shares = Vec::with_capacity(rows.len());
    for row in rows {
        let mut share = NamedShare {
            name: Some(row.node.clone()),
            targets: Vec::new(),
        };
        for city in &row.cities {
            let target = find(gazetteer, targets, &row.node, city)?;
            if let Some(first) = owners[target.0 as usize].replace(&row.node) {
                return Err(twice(city, first, &row.node));
            }
            share.targets.push(target);
        }
        if share.targets.is_empty() {
            let node = row.node.clone();
            return Err(RosterError::NoCity { node });
        }
        shares.push(share);
    }
    let left_out = targets
        .places()
        .filter(|(id, _)| owners[id.0 as usize].is_none());
    let (of_region, unowned): (Vec<_>, Vec<_>) =
        left_out.partition(|(_, target)| target.asked == Asked::InRegion);
    if !unowned.is_empty() {
        let name = |(_, target): (_, &Target)| format!("{}, {}", target.city, target.state);
        let targets = unowned.into_iter().map(name).collect();
        return Err(RosterError::Unowned { targets });
    }
    let nearest: Vec<(usize, TargetId)> = of_region
        .into_iter()
        .filter_map(|(id, target)| {
            Some((
                nearest_share(gazetteer, targets, &shares, target.place)?,
                id,
            ))
        })
        .collect();
    for (share_idx, id) in nearest {
        shares[share_idx].targets.push(id);
    }
    Ok(shares)
}

/// The share with the city nearest to a place.
fn nearest_share(
    gazetteer: &Gazetteer,
    targets: &Targets,
    shares: &[NamedShare],
    place: PlaceId,
) -> Option<usize> {
    let point = |place: PlaceId| {
        let place = gazetteer.place(place);
        (place.lat, place.lon)
    };
    let written = shares.iter().enumerate().flat_map(|(share_idx, share)| {
        let cities = share.targets.iter().filter_map(|id| targets.get(*id));
        cities.map(move |city| (share_idx, city.place))
    });
    let distance = |city: PlaceId| kilometres(point(place), point(city));
    let nearest = written.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    nearest.map(|(share_idx, _)| share_idx)
}

fn twice(city: &str, first: &str, second: &str) -> RosterError {
    let (city, second) = (city.to_owned(), second.to_owned());
    match first == second {
        true => RosterError::Repeated { city, node: second },
        false => RosterError::Twice {
            city,
            first: first.to_owned(),
            second,
        },
    }
}

/// The target a city of the table is. Names that several places share are no
/// question where only one of them is a target.
fn find(
    gazetteer: &Gazetteer,
    targets: &Targets,
    node: &str,
    city: &str,
) -> Result<TargetId, RosterError> {
    let found = match target::resolve(gazetteer, city) {
        Ok(place) => targets.of_place(place),
        Err(source) => match by_own_name(targets, city) {
            Some(target) => Some(target),
            None => {
                let node = node.to_owned();
                return Err(RosterError::NoPlace { node, source });
            }
        },
    };
    let found = found.or_else(|| by_own_name(targets, city));
    found.ok_or_else(|| RosterError::NoTarget {
        node: node.to_owned(),
        city: city.to_owned(),
    })
}

/// The one target that is called `Portland` or `Portland, OR`.
fn by_own_name(targets: &Targets, name: &str) -> Option<TargetId> {
    let (city, state) = match name.split_once(',') {
        Some((city, state)) => (city.trim(), Some(state.trim())),
        None => (name.trim(), None),
    };
    let mut bearers = targets.iter().filter(|(_, target)| {
        target.city.eq_ignore_ascii_case(city)
            && state.is_none_or(|state| target.state.eq_ignore_ascii_case(state))
    });
    let (first, _) = bearers.next()?;
    bearers.next().is_none().then_some(first)
}
