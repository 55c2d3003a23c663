//! How soon a link should be fetched: the orders, by name.
//!
//! To add one, write a file like `breadth.rs` and name it twice below.

mod breadth;

use crate::scene::Scene;
use page::html::Link;

/// Gives every link a priority; the frontier takes the highest first and,
/// among equals, the one it heard of first.
pub trait Order: Send {
    /// Judges one link.
    fn order(&self, scene: &Scene<'_>, link: &Link) -> Priority;

    /// Hears what came of a fetch, before the links of that page are ordered. An order that learns, learns here.
    fn observe(&mut self, _scene: &Scene<'_>) {}
}

/// A link's priority, with the reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Priority {
    /// From 0 (last) to 1 (first).
    pub value: f32,
    /// Why, for people.
    pub because: &'static str,
}

/// An order as the registry knows it.
pub struct Entry {
    /// What users write after `--order`.
    pub name: &'static str,
    /// One line for the manual.
    pub summary: &'static str,
    /// Makes one, for one node.
    pub build: fn() -> Box<dyn Order>,
    /// The order's own source, from which the manual takes its headings.
    pub source: &'static str,
}

/// Every order there is.
pub const ALL: &[&Entry] = &[&breadth::ENTRY];

/// The order of this name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ALL.iter().copied().find(|entry| entry.name == name)
}
