//! *Idea*: first found, first fetched.
//!
//! *Evidence*: none.
//!
//! *Wins when*: relevant pages are near the seeds, or nothing is known yet.
//!
//! *Loses when*: relevant pages are rare: most of the time goes elsewhere.
//!
//! *Source*: the baseline of every paper; Adaptive Geospatially Focused Crawling, section on harvest rates.

use super::{Closed, Entry, Judgement, Mind, Order, Priority, Sighting};

pub(crate) const ENTRY: Entry = Entry {
    name: "breadth",
    summary: "fetches links in the order in which they were found",
    build: |_| {
        Ok(Order {
            eye: Box::new(Closed),
            mind: Box::new(Breadth),
        })
    },
    settings: &[],
    source: include_str!("breadth.rs"),
};

struct Breadth;

impl Mind for Breadth {
    fn judge(&self, _sighting: &Sighting<'_>) -> Judgement {
        // Equal priorities: the frontier's own order of arrival decides.
        Judgement::Follow(Priority {
            value: 0.5,
            because: "in order of discovery",
        })
    }
}
