//! Which node should fetch a link: the strategies, by name.
//!
//! To add one, write a file like `url.rs` and name it twice below.

mod hash;
mod url;

use crate::roster::NodeId;
use crate::scene::Scene;
use page::html::Link;
use place::target::TargetId;

/// Gives every link a node. Deterministic: the same scene and link, the same answer.
pub trait Assign: Send + Sync {
    /// Decides about one link; there is always an answer.
    fn assign(&self, scene: &Scene<'_>, link: &Link) -> Assignment;
}

/// A link's node, with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// Who should fetch it.
    pub node: NodeId,
    /// The target it was taken to be about.
    pub target: Option<TargetId>,
    /// Why, for people.
    pub because: &'static str,
}

/// A strategy as the registry knows it.
pub struct Entry {
    /// What users write after `--assign`.
    pub name: &'static str,
    /// One line for the manual.
    pub summary: &'static str,
    /// Makes one.
    pub build: fn() -> Box<dyn Assign>,
    /// The strategy's own source, from which the manual takes its headings.
    pub source: &'static str,
}

/// Every strategy there is.
pub const ALL: &[&Entry] = &[&hash::ENTRY, &url::ENTRY];

/// The strategy of this name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ALL.iter().copied().find(|entry| entry.name == name)
}
