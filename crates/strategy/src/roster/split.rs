//! Ways to share targets out over nodes.
//!
//! Time zones and states are groups that stay together: where nodes are fewer
//! than groups, the two neighbours with the fewest targets join until they
//! are not, neighbours from west to east.

use super::table;
use super::zone::zone_of;
use super::{RosterError, Split};
use place::gazetteer::{Gazetteer, Place};
use place::target::{Asked, Target, TargetId, Targets};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// What one geographic node is for.
#[derive(Debug)]
pub(super) struct NamedShare {
    pub(super) name: Option<String>,
    pub(super) targets: Vec<TargetId>,
}

/// Names of the ready-made shares, in the order of `Target::share`.
const READY_MADE: [&str; 5] = ["Eastern", "Pacific", "Mountain", "Central", "Hawaii/Alaska"];

/// Groups named in the name of a node; the others are counted.
const MOST_NAMES: usize = 3;

/// Shares for `n_nodes` geographic nodes, or as many as the split comes to.
pub(super) fn shares(
    gazetteer: &Gazetteer,
    targets: &Targets,
    split: &Split,
    n_nodes: Option<usize>,
) -> Result<Vec<NamedShare>, RosterError> {
    let mut shares = match split {
        Split::Usual => ready_made(targets, n_nodes)
            .unwrap_or_else(|| stripes(gazetteer, targets, n_nodes.unwrap_or(1))),
        Split::TimeZone => match ready_made(targets, n_nodes) {
            Some(shares) => shares,
            None => groups(gazetteer, targets, n_nodes, "time zone", |_, place| {
                zone_of(place)
            })?,
        },
        Split::State => groups(gazetteer, targets, n_nodes, "state", |target, _| {
            target.state.clone()
        })?,
        Split::Population => equal_people(gazetteer, targets, n_nodes.unwrap_or(1)),
        Split::Table(rows) => table::shares(gazetteer, targets, rows, n_nodes)?,
    };
    give_regions(gazetteer, targets, &mut shares);
    Ok(shares)
}

/// What lies in none of a region's places goes with its largest one.
fn give_regions(gazetteer: &Gazetteer, targets: &Targets, shares: &mut [NamedShare]) {
    for (id, region) in targets.iter().filter(|(_, it)| it.asked == Asked::AsRegion) {
        let lies_in = |place| gazetteer.chain(place).any(|above| above == region.place);
        let inside = targets.places().filter(|(_, target)| lies_in(target.place));
        let largest = inside.min_by_key(|(_, target)| target.place);
        let owner = shares
            .iter()
            .position(|share| largest.is_some_and(|(largest, _)| share.targets.contains(&largest)));
        if let Some(share) = shares.get_mut(owner.unwrap_or(0)) {
            share.targets.push(id);
        }
    }
}

/// The shares that the targets themselves bring along.
fn ready_made(targets: &Targets, n_nodes: Option<usize>) -> Option<Vec<NamedShare>> {
    if n_nodes.is_some_and(|n_nodes| n_nodes != READY_MADE.len()) {
        return None;
    }
    let mut shares: Vec<NamedShare> = READY_MADE
        .iter()
        .map(|name| NamedShare {
            name: Some((*name).to_owned()),
            targets: Vec::new(),
        })
        .collect();
    for (id, target) in targets.iter() {
        let share = shares.get_mut(usize::from(target.share?))?;
        share.targets.push(id);
    }
    let is_complete = shares.iter().all(|share| !share.targets.is_empty());
    is_complete.then_some(shares)
}

fn stripes(gazetteer: &Gazetteer, targets: &Targets, n_stripes: usize) -> Vec<NamedShare> {
    let longitude = |target: &TargetId| place_of(gazetteer, targets, *target).lon;
    let mut west_to_east: Vec<TargetId> = targets.places().map(|(id, _)| id).collect();
    west_to_east.sort_by(|a, b| longitude(a).total_cmp(&longitude(b)).then(a.cmp(b)));
    let n_targets = west_to_east.len();
    let stripe = |stripe_idx: usize| {
        let from = stripe_idx * n_targets / n_stripes;
        let to = (stripe_idx + 1) * n_targets / n_stripes;
        NamedShare {
            name: None,
            targets: west_to_east[from..to].to_vec(),
        }
    };
    (0..n_stripes).map(stripe).collect()
}

/// The largest city left goes to the node with the fewest people so far.
fn equal_people(gazetteer: &Gazetteer, targets: &Targets, n_nodes: usize) -> Vec<NamedShare> {
    let people = |target: TargetId| place_of(gazetteer, targets, target).population;
    let mut by_size: Vec<TargetId> = targets.places().map(|(id, _)| id).collect();
    by_size.sort_by_key(|target| (Reverse(people(*target)), *target));
    let mut shares: Vec<NamedShare> = (0..n_nodes)
        .map(|_| NamedShare {
            name: None,
            targets: Vec::new(),
        })
        .collect();
    // People, then targets: a node without any comes before one whose only
    // city has no known population.
    let mut emptiest: BinaryHeap<Reverse<(u64, usize, usize)>> = (0..n_nodes)
        .map(|share_idx| Reverse((0, 0, share_idx)))
        .collect();
    for target in by_size {
        let Some(Reverse((n_people, n_targets, share_idx))) = emptiest.pop() else {
            break;
        };
        shares[share_idx].targets.push(target);
        let n_people = n_people + u64::from(people(target));
        emptiest.push(Reverse((n_people, n_targets + 1, share_idx)));
    }
    shares
}

/// Targets of one zone or state, or of several that have joined.
struct Group {
    names: Vec<String>,
    targets: Vec<TargetId>,
}

fn groups(
    gazetteer: &Gazetteer,
    targets: &Targets,
    n_nodes: Option<usize>,
    by: &'static str,
    name_of: impl Fn(&Target, &Place<'_>) -> String,
) -> Result<Vec<NamedShare>, RosterError> {
    let mut by_name: BTreeMap<String, Vec<TargetId>> = BTreeMap::new();
    for (id, target) in targets.places() {
        let name = name_of(target, &gazetteer.place(target.place));
        by_name.entry(name).or_default().push(id);
    }
    let n_groups = by_name.len();
    let n_nodes = n_nodes.unwrap_or(n_groups);
    if n_nodes > n_groups {
        return Err(RosterError::TooFew {
            by,
            n_groups,
            n_nodes,
        });
    }
    let mut west_to_east: Vec<(f32, Group)> = by_name
        .into_iter()
        .map(|(name, members)| {
            let longitudes = members
                .iter()
                .map(|target| place_of(gazetteer, targets, *target).lon);
            let mean = longitudes.sum::<f32>() / members.len() as f32;
            let group = Group {
                names: vec![name],
                targets: members,
            };
            (mean, group)
        })
        .collect();
    west_to_east.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut joined: Vec<Group> = west_to_east.into_iter().map(|(_, group)| group).collect();
    while joined.len() > n_nodes {
        join_smallest(&mut joined);
    }
    Ok(joined.into_iter().map(Group::into_share).collect())
}

/// Joins the two neighbours that have the fewest targets together.
fn join_smallest(groups: &mut Vec<Group>) {
    let n_targets = |at: usize| groups[at].targets.len() + groups[at + 1].targets.len();
    let Some(at) = (0..groups.len().saturating_sub(1)).min_by_key(|&at| n_targets(at)) else {
        return;
    };
    let Group { names, targets } = groups.remove(at + 1);
    groups[at].names.extend(names);
    groups[at].targets.extend(targets);
}

impl Group {
    /// `Hawaii/Alaska`, `CA/NV/OR+2`
    fn into_share(self) -> NamedShare {
        let mut name = self.names[..self.names.len().min(MOST_NAMES)].join("/");
        if let Some(n_more @ 1..) = self.names.len().checked_sub(MOST_NAMES) {
            name.push_str(&format!("+{n_more}"));
        }
        NamedShare {
            name: Some(name),
            targets: self.targets,
        }
    }
}

fn place_of<'g>(gazetteer: &'g Gazetteer, targets: &Targets, target: TargetId) -> Place<'g> {
    gazetteer.place(targets.list()[target.0 as usize].place)
}
