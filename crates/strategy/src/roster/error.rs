//! Why targets cannot be shared out as asked.

use place::target::TargetError;

/// The targets cannot be shared out as asked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RosterError {
    /// A crawl needs a node.
    #[error("a crawl needs at least one node")]
    NoNodes,
    /// More nodes than anybody can want.
    #[error("more than {most} nodes")]
    Crowd {
        /// The limit.
        most: usize,
    },
    /// Nothing says how many nodes there are to be.
    #[error("a split by population needs the number of nodes")]
    HowMany,
    /// Nobody is left for the targets.
    #[error("{n_general} general of {n_nodes} nodes leave none for the targets")]
    OnlyGeneral {
        /// Nodes asked for.
        n_nodes: usize,
        /// General nodes among them.
        n_general: usize,
    },
    /// Some node would have nothing to do.
    #[error(
        "{n_nodes} nodes are too many for the targets ({n_targets}): {} general and each other needs a target",
        if *.n_general == 1 { "one is".to_owned() } else { format!("{n_general} are") }
    )]
    TooMany {
        /// Nodes asked for.
        n_nodes: usize,
        /// General nodes among them.
        n_general: usize,
        /// Targets there are.
        n_targets: usize,
    },
    /// The targets fall into fewer groups than there are nodes.
    #[error(
        "a split by {by} fills {n_groups} of {n_nodes} geographic nodes, and every node needs a target"
    )]
    TooFew {
        /// What was split by: `time zone`.
        by: &'static str,
        /// How many of them the targets lie in.
        n_groups: usize,
        /// Geographic nodes asked for.
        n_nodes: usize,
    },
    /// The table has another number of nodes than was asked for.
    #[error("the table has {n_shares} nodes, but {n_nodes} geographic nodes are asked for")]
    OtherNumber {
        /// Nodes of the table.
        n_shares: usize,
        /// Geographic nodes asked for.
        n_nodes: usize,
    },
    /// A node of the table has no city.
    #[error("node `{node}` of the table has no city")]
    NoCity {
        /// The node.
        node: String,
    },
    /// A city of the table is no place.
    #[error("node `{node}` of the table")]
    NoPlace {
        /// The node.
        node: String,
        /// What is wrong with the name.
        source: TargetError,
    },
    /// A place of the table is not crawled for.
    #[error("`{city}` (node `{node}` of the table) is no target of this crawl")]
    NoTarget {
        /// The node.
        node: String,
        /// The city, as written.
        city: String,
    },
    /// A node of the table has a city twice.
    #[error("`{city}` is in node `{node}` of the table twice")]
    Repeated {
        /// The city, as written the second time.
        city: String,
        /// The node.
        node: String,
    },
    /// Two nodes of the table have one city.
    #[error("`{city}` is in two nodes of the table: `{first}` and `{second}`")]
    Twice {
        /// The city, as written the second time.
        city: String,
        /// The node that has it.
        first: String,
        /// The node that wants it too.
        second: String,
    },
    /// Targets that no node of the table has.
    #[error("no node of the table has {}", some(targets))]
    Unowned {
        /// The cities, with their states.
        targets: Vec<String>,
    },
}

/// Names shown of a long list.
const MOST_NAMES: usize = 5;

fn some(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(MOST_NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    let shown = shown.join(", ");
    match names.len().checked_sub(MOST_NAMES) {
        Some(n_more @ 1..) => format!("{shown} and {n_more} more targets"),
        _ => shown,
    }
}
