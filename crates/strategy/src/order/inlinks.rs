//! *Idea*: as `utility`, but a page is as important as the links that have
//! been found to it so far: the benchmark for estimates of status.
//!
//! *Evidence*: topicality of the page a link stands on, and how many of the
//! pages fetched before link to it, counted in a table on disk. Status is
//! 1/(1 + e^−(ln(1 + n) − θ)) for n links, with θ = ln 3: a page that two
//! others link to has one half. That was the median of n over pages fetched
//! from a made-up web; on the whole graph it would be more, but a crawler
//! knows only what it has fetched. All else is as in `utility`.
//!
//! *Wins when*: a crawl is long, and has seen much of the link graph.
//!
//! *Loses when*: it begins: nearly all pages have one link or two, and menus
//! of large sites have most of them.
//!
//! *Source*: utility-biased crawling, the in-links crawler.

use super::{Arrival, Entry, Judgement, Mind, MindError, Order, Sighting};
use crate::roster::NodeId;
use crate::standing::{Standing, WorthEye};
use crate::status::status;

/// ln(1 + n) of the links that half of the pages have when they are fetched.
const THETA: f32 = 1.098_612_3;

pub(crate) const ENTRY: Entry = Entry {
    name: "inlinks",
    summary: "as `utility`, by the links to a page that were found so far",
    build: |means| {
        Ok(Order {
            eye: Box::new(WorthEye::new(means)),
            mind: Box::new(ByLinks(Standing::new("inlinks", means)?)),
        })
    },
    settings: &[
        "--topic",
        "--utility",
        "--elasticity",
        "--topicality",
        "--adapt-window",
        "--adapt-step",
        "--geography",
        "--order-seed",
    ],
    source: include_str!("inlinks.rs"),
};

/// Goes by the links to a page.
struct ByLinks(Standing);

impl Mind for ByLinks {
    fn judge(&self, sighting: &Sighting<'_>) -> Judgement {
        self.0.judge(sighting)
    }

    fn importance(&self, n_inlinks: u64) -> Option<f32> {
        Some(status((n_inlinks as f32).ln_1p(), THETA))
    }

    fn settle(&mut self, arrival: &Arrival) {
        self.0.settle(arrival);
    }

    fn elasticity(&self, node: NodeId) -> Option<f32> {
        Some(self.0.alpha(node))
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.0.save()
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), MindError> {
        self.0.restore(saved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;

    fn value(importance: Option<f32>) -> f32 {
        let mind = Stage::top100().order("inlinks").mind;
        // The page looks important; that does not count here.
        let clues = [0.5_f32, 0.99].map(f32::to_bits);
        let sighting = Sighting {
            importance,
            ..Sighting::new(7, 1, &clues)
        };
        match mind.judge(&sighting) {
            Judgement::Follow(priority) => priority.value,
            Judgement::Leave => panic!("left"),
        }
    }

    #[test]
    fn more_links_to_a_page_make_its_links_better() {
        let mind = Stage::top100().order("inlinks").mind;
        let status: Vec<f32> = [0, 1, 2, 30].map(|n| mind.importance(n).unwrap()).to_vec();
        assert!(
            status.is_sorted() && (status[2] - 0.5).abs() < 1e-6,
            "{status:?}"
        );
        assert!(value(Some(0.9)) > value(Some(0.3)));
        let expected = (0.5_f32 * 0.3).sqrt();
        assert!((value(Some(0.3)) - expected).abs() < expected / 256.0);
    }
}
