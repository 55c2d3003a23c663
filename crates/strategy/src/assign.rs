//! Which node should fetch a link: the strategies, by name.
//!
//! A strategy looks at each page once (`Assign::view`) and then answers for
//! its links one by one, so that what costs something, finding names in a
//! text, is done once. What a strategy may be given beside the page, from the
//! size of a window to a trained model, is `means.rs`.
//!
//! To add one, write a file like `url.rs` and name it twice below.

mod anchor;
mod classifier;
mod content;
mod hash;
mod ip;
mod url;

use crate::means::{Means, MeansError};
use crate::roster::NodeId;
use crate::scene::Scene;
use page::html::Link;
use place::target::TargetId;

/// Gives every link a node. Deterministic: the same scene and link, the same answer.
pub trait Assign: Send + Sync {
    /// Looks at a page, before its links are asked about.
    fn view<'a>(&'a self, scene: Scene<'a>) -> Box<dyn View + 'a>;

    /// Whether a link's URL decides, wherever it stands: what `Entry` says
    /// of the strategy, for those who have only the strategy.
    fn by_url_alone(&self) -> bool {
        false
    }
}

/// A page, as one strategy sees it.
pub trait View {
    /// Decides about one link, by policy A: the node of its most probable
    /// target. There is always an answer.
    fn assign(&self, link: &Link) -> Assignment;

    /// Decides about one link by policy B: every node with a target of
    /// non-zero probability, each once and the most probable first, which is
    /// the answer of `assign`. Never empty.
    fn assign_all(&self, link: &Link) -> Vec<Assignment> {
        vec![self.assign(link)]
    }

    /// The target that the page itself is mapped to: what geographic
    /// locality is measured by.
    fn mapped(&self) -> Option<TargetId>;
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

/// How many nodes get a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// One: the node of the most probable target.
    #[default]
    A,
    /// Every node whose target has non-zero probability.
    B,
}

/// A strategy as the registry knows it.
pub struct Entry {
    /// What users write after `--assign`.
    pub name: &'static str,
    /// One line for the manual.
    pub summary: &'static str,
    /// Makes one, or says what it lacks.
    pub build: fn(&Means<'_>) -> Result<Box<dyn Assign>, MeansError>,
    /// The settings it listens to, as users write them: `--window`.
    pub settings: &'static [&'static str],
    /// Whether a URL goes to the same node from wherever it is linked. Where
    /// it does not, two nodes may come to fetch one page.
    pub by_url_alone: bool,
    /// The strategy's own source, from which the manual takes its headings.
    pub source: &'static str,
}

/// Every strategy there is.
pub const ALL: &[&Entry] = &[
    &hash::ENTRY,
    &url::ENTRY,
    &anchor::ENTRY,
    &content::ENTRY,
    &classifier::ENTRY,
    &ip::ENTRY,
];

/// The strategy of this name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ALL.iter().copied().find(|entry| entry.name == name)
}
