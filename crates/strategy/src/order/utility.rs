//! *Idea*: links of pages that are both about the topic and important come
//! first; one number, a page's utility, weighs the two against each other.
//!
//! *Evidence*: topicality of the page a link stands on (`--topic`), its status
//! by what it looks like, and, with `--geography G`, how much speaks for its
//! being about a target. All links of a page have the page's utility U, as
//! the module `utility` has it: Cobb-Douglas or linear (`--utility`), with a
//! fixed elasticity α of the topic (`--elasticity`) or one that each node
//! adapts to the topicality that is wanted (`--topicality`, `--adapt-window`,
//! `--adapt-step`). Geographic evidence is 1/(1 + e^−g): g is 2 + ln n for n
//! addresses in targets, else 1, −1 or −2 where the page's geography has its
//! focus in a target, its region or its country, else −3. Seeds have U = 1; a
//! link of a site's own list has what the link to the site had, and one half
//! where that is unknown. Ties are broken by chance (`--order-seed`).
//!
//! *Wins when*: pages link to pages like themselves, in topic and in standing.
//!
//! *Loses when*: few pages are about the topic and they lie far apart, or what
//! makes pages important here is not what the model of status has learned.
//!
//! *Source*: utility-biased crawling, with an M5' estimate of status.

use super::{Arrival, Entry, Judgement, Mind, MindError, Order, Sighting};
use crate::means::MeansError;
use crate::roster::NodeId;
use crate::standing::{Standing, WorthEye};

pub(crate) const ENTRY: Entry = Entry {
    name: "utility",
    summary: "weighs how topical a page is against how important it looks",
    build: |means| {
        if means.status.is_none() {
            return Err(MeansError::Lacking {
                order: "utility",
                flag: "--status FILE",
                what: "a model of status made by `locavore train status`",
            });
        }
        Ok(Order {
            eye: Box::new(WorthEye::new(means)),
            mind: Box::new(ByStatus(Standing::new("utility", means)?)),
        })
    },
    settings: &[
        "--topic",
        "--status",
        "--traffic",
        "--utility",
        "--elasticity",
        "--topicality",
        "--adapt-window",
        "--adapt-step",
        "--geography",
        "--order-seed",
    ],
    source: include_str!("utility.rs"),
};

/// Goes by the status that a page looks to have.
struct ByStatus(Standing);

impl Mind for ByStatus {
    fn judge(&self, sighting: &Sighting<'_>) -> Judgement {
        self.0.judge(sighting)
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
    use crate::means::Means;
    use crate::testing::Stage;
    use crate::utility::Utility;

    const NODE: NodeId = NodeId(2);

    fn mind(utility: Utility) -> Box<dyn Mind> {
        let stage = Stage::top100();
        let means = Means {
            utility,
            ..stage.means()
        };
        (ENTRY.build)(&means).unwrap().mind
    }

    fn value(mind: &dyn Mind, worth: [f32; 2]) -> f32 {
        let clues = worth.map(f32::to_bits);
        let sighting = Sighting {
            node: NODE,
            ..Sighting::new(7, 1, &clues)
        };
        match mind.judge(&sighting) {
            Judgement::Follow(priority) => priority.value,
            Judgement::Leave => panic!("left"),
        }
    }

    #[test]
    fn a_link_has_the_utility_of_its_page() {
        let fixed = mind(Utility {
            alpha: 0.25,
            ..Utility::default()
        });
        let expected = 0.9_f32.powf(0.25) * 0.2_f32.powf(0.75);
        let found = value(&*fixed, [0.9, 0.2]);
        assert!(
            (found - expected).abs() < expected / 256.0,
            "{found} {expected}"
        );
        assert_eq!(fixed.memory(), 0, "nothing is learned");
        assert_eq!(fixed.elasticity(NODE), Some(0.25));
    }

    #[test]
    fn topic_alone_and_status_alone_are_the_ends() {
        let of = |alpha| {
            mind(Utility {
                alpha,
                ..Utility::default()
            })
        };
        let (topical, important) = ([0.9, 0.1], [0.1, 0.9]);
        assert!(value(&*of(1.0), topical) > value(&*of(1.0), important));
        assert!(value(&*of(0.0), topical) < value(&*of(0.0), important));
    }

    #[test]
    fn every_node_adapts_its_own_and_it_can_be_taken_over() {
        let adaptive = || {
            mind(Utility {
                delta: Some(0.7),
                ..Utility::default()
            })
        };
        let mut one = adaptive();
        for n in 0..100 {
            one.settle(&Arrival {
                node: NODE,
                topicality: Some(n as f32 / 200.0),
            });
        }
        let alpha = one.elasticity(NODE).unwrap();
        assert!(alpha > 0.8, "{alpha}");
        assert_eq!(one.elasticity(NodeId(0)), Some(0.5));
        let mut other = adaptive();
        other.restore(&one.save().unwrap()).unwrap();
        let later = Arrival {
            node: NODE,
            topicality: Some(0.9),
        };
        one.settle(&later);
        other.settle(&later);
        assert_eq!(other.save(), one.save());
    }

    #[test]
    fn a_crawl_without_a_topic_is_refused_by_the_flag_it_lacks() {
        let stage = Stage::top100();
        let means = Means {
            topic: None,
            ..stage.means()
        };
        let error = (ENTRY.build)(&means).err().unwrap().to_string();
        assert!(
            error.starts_with("`--order utility` needs `--topic`"),
            "{error}"
        );
    }
}
