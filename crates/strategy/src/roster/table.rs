//! Shares that somebody has written down: every target once, no other city.

use super::split::NamedShare;
use super::{RosterError, Share};
use place::gazetteer::Gazetteer;
use place::target::{self, TargetId, Targets};

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
    let unowned: Vec<String> = targets
        .list()
        .iter()
        .zip(&owners)
        .filter(|(_, owner)| owner.is_none())
        .map(|(target, _)| format!("{}, {}", target.city, target.state))
        .collect();
    if unowned.is_empty() {
        Ok(shares)
    } else {
        Err(RosterError::Unowned { targets: unowned })
    }
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
