//! Who crawls for which targets.
//!
//! A node with targets is geographic, one without is general. A roster is
//! never empty, every target has exactly one owner, and there is always a
//! node that takes what is about no target: the general one or, in a crawl
//! without one, the first.

use place::gazetteer::Gazetteer;
use place::target::{TargetId, Targets};

/// A node's position in the roster: `NodeId(0)` is Cn0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u16);

/// One node and its share of the targets.
#[derive(Debug, Clone)]
pub struct Seat {
    /// For people: `Cn1 Eastern`.
    pub name: String,
    /// What it is responsible for, in ascending order.
    pub targets: Vec<TargetId>,
}

/// All nodes of a crawl.
#[derive(Debug, Clone)]
pub struct Roster {
    seats: Vec<Seat>,
    owner: Vec<NodeId>,
    general: NodeId,
}

/// The targets cannot be shared out as asked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RosterError {
    /// A crawl needs a node.
    #[error("a crawl needs at least one node")]
    NoNodes,
    /// Some node would have nothing to do.
    #[error(
        "{n_nodes} nodes are too many for the targets ({n_targets}): one is general and each other needs a target"
    )]
    TooMany {
        /// Nodes asked for.
        n_nodes: usize,
        /// Targets there are.
        n_targets: usize,
    },
}

/// Names of the ready-made shares, in the order of `Target::share`.
const SHARE_NAMES: [&str; 5] = ["Eastern", "Pacific", "Mountain", "Central", "Hawaii/Alaska"];

impl Roster {
    /// Shares the targets out over `n_nodes` nodes.
    ///
    /// One node alone takes everything. Otherwise the first is general, and
    /// the others take the ready-made shares where the targets have as many,
    /// else stripes of equally many targets from west to east.
    pub fn split(
        gazetteer: &Gazetteer,
        targets: &Targets,
        n_nodes: usize,
    ) -> Result<Roster, RosterError> {
        let n_targets = targets.list().len();
        match n_nodes {
            0 => Err(RosterError::NoNodes),
            1 => Ok(Roster::single(n_targets)),
            _ if n_nodes - 1 > n_targets => Err(RosterError::TooMany { n_nodes, n_targets }),
            _ => Ok(ready_made(targets, n_nodes - 1)
                .unwrap_or_else(|| Roster::stripes(gazetteer, targets, n_nodes - 1))),
        }
    }

    fn single(n_targets: usize) -> Roster {
        Roster::seated(
            vec![Seat {
                name: "Cn0".into(),
                targets: (0..n_targets as u32).map(TargetId).collect(),
            }],
            n_targets,
        )
    }

    fn stripes(gazetteer: &Gazetteer, targets: &Targets, n_stripes: usize) -> Roster {
        let mut west_to_east: Vec<TargetId> =
            (0..targets.list().len() as u32).map(TargetId).collect();
        let longitude =
            |target: &TargetId| gazetteer.place(targets.list()[target.0 as usize].place).lon;
        west_to_east.sort_by(|a, b| longitude(a).total_cmp(&longitude(b)).then(a.cmp(b)));
        let n_targets = west_to_east.len();
        let mut seats = vec![Seat {
            name: "Cn0 general".into(),
            targets: Vec::new(),
        }];
        for stripe_idx in 0..n_stripes {
            let from = stripe_idx * n_targets / n_stripes;
            let to = (stripe_idx + 1) * n_targets / n_stripes;
            let mut share = west_to_east[from..to].to_vec();
            share.sort();
            seats.push(Seat {
                name: format!("Cn{}", stripe_idx + 1),
                targets: share,
            });
        }
        Roster::seated(seats, n_targets)
    }

    fn seated(seats: Vec<Seat>, n_targets: usize) -> Roster {
        let mut owner = vec![NodeId(0); n_targets];
        for (seat_idx, seat) in seats.iter().enumerate() {
            for target in &seat.targets {
                owner[target.0 as usize] = NodeId(seat_idx as u16);
            }
        }
        let general = seats
            .iter()
            .position(|seat| seat.targets.is_empty())
            .unwrap_or(0);
        Roster {
            seats,
            owner,
            general: NodeId(general as u16),
        }
    }

    /// All seats; `NodeId(i)` sits at position i.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The node responsible for a target.
    pub fn owner(&self, target: TargetId) -> NodeId {
        self.owner[target.0 as usize]
    }

    /// The node that takes what is about no target.
    pub fn general(&self) -> NodeId {
        self.general
    }
}

fn ready_made(targets: &Targets, n_shares: usize) -> Option<Roster> {
    if n_shares != SHARE_NAMES.len() {
        return None;
    }
    let mut seats = vec![Seat {
        name: "Cn0 general".into(),
        targets: Vec::new(),
    }];
    seats.extend(
        SHARE_NAMES
            .iter()
            .enumerate()
            .map(|(share_idx, name)| Seat {
                name: format!("Cn{} {name}", share_idx + 1),
                targets: Vec::new(),
            }),
    );
    for (target_idx, target) in targets.list().iter().enumerate() {
        seats
            .get_mut(usize::from(target.share?) + 1)?
            .targets
            .push(TargetId(target_idx as u32));
    }
    let complete = seats[1..].iter().all(|seat| !seat.targets.is_empty());
    complete.then(|| Roster::seated(seats, targets.list().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(wishes: &[&str], n_nodes: usize) -> Result<Vec<usize>, RosterError> {
        let gazetteer = Gazetteer::built_in();
        let wishes: Vec<String> = wishes.iter().map(ToString::to_string).collect();
        let targets = Targets::parse(gazetteer, &wishes).expect("wishes name places");
        let roster = Roster::split(gazetteer, &targets, n_nodes)?;
        Ok(roster
            .seats()
            .iter()
            .map(|seat| seat.targets.len())
            .collect())
    }

    #[test]
    fn the_papers_cities_keep_the_papers_split() {
        assert_eq!(shares(&["us-top100"], 6), Ok(vec![0, 33, 22, 10, 33, 2]));
    }

    #[test]
    fn other_numbers_of_nodes_get_equal_stripes() {
        assert_eq!(shares(&["us-top100"], 5), Ok(vec![0, 25, 25, 25, 25]));
        assert_eq!(shares(&["Houston, TX", "Dallas, TX"], 3), Ok(vec![0, 1, 1]));
    }

    #[test]
    fn one_node_takes_everything_and_is_general_too() {
        assert_eq!(shares(&["Houston, TX"], 1), Ok(vec![1]));
    }

    #[test]
    fn a_node_without_work_is_refused() {
        assert_eq!(
            shares(&["Houston, TX"], 3),
            Err(RosterError::TooMany {
                n_nodes: 3,
                n_targets: 1
            })
        );
        assert_eq!(shares(&["Houston, TX"], 0), Err(RosterError::NoNodes));
    }
}
