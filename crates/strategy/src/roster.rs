//! Who crawls for which targets.
//!
//! A node with targets is geographic, one without is general. A roster is
//! never empty, every target has exactly one owner, and there is always a
//! node that takes what is about no target: a general one or, in a crawl
//! without any, the first. Several general nodes share it by the hash of the
//! URL, so that each page is still one node's affair. A region's places are
//! shared out; what lies in none of them belongs to its largest place's node.
//!
//! Ways to share targets out are `roster/split.rs`, what is wrong with one
//! that was asked for is `roster/error.rs`.

mod error;
mod split;
mod table;
#[cfg(test)]
mod tests;
mod zone;

pub use error::RosterError;

use page::url::CanonicalUrl;
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
    /// Never empty.
    generals: Vec<NodeId>,
}

/// How many nodes there are to be, and what each is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seating {
    /// All nodes, general ones among them. Default: what the split comes to,
    /// one node alone where that is [`Split::Usual`].
    pub n_nodes: Option<usize>,
    /// General nodes. Default: one, none where one node is alone.
    pub n_general: Option<usize>,
    /// How targets are shared out.
    pub split: Split,
}

/// How targets are shared out over the geographic nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Split {
    /// The ready-made shares where the targets have as many, else stripes of
    /// equally many targets from west to east.
    #[default]
    Usual,
    /// By time zone, neighbouring zones together where nodes are fewer; the
    /// 2006 paper's cities over five nodes as in the paper, which files
    /// Indiana under Central.
    TimeZone,
    /// By state or what a country has instead, neighbours together where nodes are fewer.
    State,
    /// So that every node has about equally many people, wherever they live.
    Population,
    /// As somebody has written down.
    Table(Vec<Share>),
}

/// One line of a table: a node and the cities it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The node's name.
    pub node: String,
    /// Cities, as one may type them: `Portland, OR`.
    pub cities: Vec<String>,
}

/// More than positions can tell apart, and far more than make sense.
const MAX_NODES: usize = 10_000;

impl Roster {
    /// Shares the targets out over `n_nodes` nodes in the usual way.
    ///
    /// One node alone takes everything. Otherwise the first is general, and
    /// the others take the ready-made shares where the targets have as many,
    /// else stripes of equally many targets from west to east.
    pub fn split(
        gazetteer: &Gazetteer,
        targets: &Targets,
        n_nodes: usize,
    ) -> Result<Roster, RosterError> {
        let seating = Seating {
            n_nodes: Some(n_nodes),
            ..Seating::default()
        };
        Roster::seat(gazetteer, targets, &seating)
    }

    /// Shares the targets out as asked.
    pub fn seat(
        gazetteer: &Gazetteer,
        targets: &Targets,
        seating: &Seating,
    ) -> Result<Roster, RosterError> {
        let n_general = seating.n_general();
        let n_geographic = seating.n_geographic(n_general, targets.places().count())?;
        let shares = split::shares(gazetteer, targets, &seating.split, n_geographic)?;
        if n_general + shares.len() > MAX_NODES {
            return Err(RosterError::Crowd { most: MAX_NODES });
        }
        let is_alone = n_general == 0 && shares.len() == 1;
        let general = (0..n_general).map(|seat_idx| Seat {
            name: format!("Cn{seat_idx} general"),
            targets: Vec::new(),
        });
        let geographic = (n_general..).zip(shares).map(|(seat_idx, share)| Seat {
            name: match share.name {
                Some(name) if !is_alone => format!("Cn{seat_idx} {name}"),
                _ => format!("Cn{seat_idx}"),
            },
            targets: share.targets,
        });
        let seats = general.chain(geographic).collect();
        Ok(Roster::seated(seats, targets.list().len()))
    }

    fn seated(mut seats: Vec<Seat>, n_targets: usize) -> Roster {
        let mut owner = vec![NodeId(0); n_targets];
        for (seat_idx, seat) in seats.iter_mut().enumerate() {
            seat.targets.sort_unstable();
            for target in &seat.targets {
                owner[target.0 as usize] = NodeId(seat_idx as u16);
            }
        }
        let generals = (0..).map(NodeId).zip(&seats);
        let mut generals: Vec<NodeId> = generals
            .filter(|(_, seat)| seat.targets.is_empty())
            .map(|(node, _)| node)
            .collect();
        if generals.is_empty() {
            generals.push(NodeId(0));
        }
        Roster {
            seats,
            owner,
            generals,
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

    /// The first of the nodes that take what is about no target.
    pub fn general(&self) -> NodeId {
        self.generals[0]
    }

    /// Whether a node takes what is about no target.
    pub fn is_general(&self, node: NodeId) -> bool {
        self.generals.contains(&node)
    }

    /// The node that takes this URL if it is about no target.
    pub fn general_for(&self, url: &CanonicalUrl) -> NodeId {
        match &self.generals[..] {
            [only] => *only,
            generals => {
                // Other bits than those by which the hash strategy chooses a node.
                let hash = (url.fingerprint().0 >> 32) as u32;
                generals[hash as usize % generals.len()]
            }
        }
    }
}

impl Seating {
    fn n_general(&self) -> usize {
        let is_alone = match self.n_nodes {
            Some(n_nodes) => n_nodes == 1,
            None => self.split == Split::Usual,
        };
        self.n_general.unwrap_or(usize::from(!is_alone))
    }

    /// How many geographic nodes are asked for; none: as many as there are shares.
    fn n_geographic(
        &self,
        n_general: usize,
        n_targets: usize,
    ) -> Result<Option<usize>, RosterError> {
        let n_nodes = match (self.n_nodes, &self.split) {
            (Some(n_nodes), _) => n_nodes,
            (None, Split::Usual) => n_general + 1,
            (None, Split::Population) => {
                return Err(RosterError::HowMany);
            }
            (None, _) => return Ok(None),
        };
        match n_nodes.checked_sub(n_general) {
            _ if n_nodes == 0 => Err(RosterError::NoNodes),
            None | Some(0) => Err(RosterError::OnlyGeneral { n_nodes, n_general }),
            Some(n_geographic) if n_geographic > n_targets => Err(RosterError::TooMany {
                n_nodes,
                n_general,
                n_targets,
            }),
            n_geographic => Ok(n_geographic),
        }
    }
}
