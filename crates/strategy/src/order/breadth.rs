//! *Idea*: first found, first fetched.
//!
//! *Evidence*: none.
//!
//! *Wins when*: relevant pages are near the seeds, or nothing is known yet.
//!
//! *Loses when*: relevant pages are rare: most of the time goes elsewhere.
//!
//! *Source*: the baseline of every paper; Adaptive Geospatially Focused Crawling, section on harvest rates.

use super::{Entry, Order, Priority};
use crate::scene::Scene;
use page::html::Link;

pub(crate) const ENTRY: Entry = Entry {
    name: "breadth",
    summary: "fetches links in the order in which they were found",
    build: || Box::new(Breadth),
    source: include_str!("breadth.rs"),
};

struct Breadth;

impl Order for Breadth {
    fn order(&self, _scene: &Scene<'_>, _link: &Link) -> Priority {
        // Equal priorities: the frontier's own order of arrival decides.
        Priority {
            value: 0.5,
            because: "in order of discovery",
        }
    }
}
