//! Topic against importance: one number for a page, and who decides what
//! counts for more.
//!
//! τ is a page's topicality, σ its status, γ the geographic evidence on it
//! (`about`), all between 0 and 1. With elasticities a of the topic, b of
//! status and c of geography, which add up to one,
//!
//! ```text
//! Cobb-Douglas  U = τ^a · σ^b · γ^c        linear  U = a·τ + b·σ + c·γ
//! a = (1 − G)·α    b = (1 − G)·(1 − α)    c = G
//! ```
//!
//! G is zero unless told otherwise, which leaves the published form. α is
//! given, or adapts: it starts at one half, and after every page that a node
//! has fetched it becomes clamp(α + Δ·(δ − t̂), 0, 1), t̂ being the mean τ of
//! the node's last M pages and δ the topicality that is wanted. Every node
//! adapts its own.

use crate::learned::{Learned, Reader};
use crate::means::{Means, MeansError};
use crate::order::MindError;
use crate::roster::NodeId;
use std::collections::VecDeque;

/// α where nothing else is said, and where it starts to adapt from.
pub const ALPHA: f64 = 0.5;

/// M: pages whose topicality α is adapted to, as in the paper.
pub const WINDOW: usize = 25;

/// Δ: how fast α adapts, as in the paper.
pub const STEP: f64 = 0.01;

/// Most pages that may be looked back on.
pub const MOST_WINDOW: usize = 100_000;

/// How a utility adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// A product: a page that has nothing of one is worth nothing.
    #[default]
    CobbDouglas,
    /// A sum: what is lacking of one can be made up for by the others.
    Linear,
}

impl Form {
    /// Every form, the usual one first.
    pub const ALL: [Form; 2] = [Form::CobbDouglas, Form::Linear];

    /// What users write.
    pub fn name(self) -> &'static str {
        match self {
            Form::CobbDouglas => "cobb-douglas",
            Form::Linear => "linear",
        }
    }

    /// The form of that name.
    pub fn named(name: &str) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.name() == name)
    }
}

/// How a page's utility is made up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Utility {
    /// Product or sum.
    pub form: Form,
    /// α, from 0 (status alone) to 1 (topic alone); where it starts if it adapts.
    pub alpha: f64,
    /// δ: the topicality that α adapts to, between 0 and 1; none if it is fixed.
    pub delta: Option<f64>,
    /// M: the last pages of a node that count.
    pub window: usize,
    /// Δ: how fast α adapts.
    pub step: f64,
    /// G: what geographic evidence counts, from 0 to 1.
    pub geography: f64,
}

impl Default for Utility {
    /// The published form with a fixed α of one half.
    fn default() -> Utility {
        Utility {
            form: Form::default(),
            alpha: ALPHA,
            delta: None,
            window: WINDOW,
            step: STEP,
            geography: 0.0,
        }
    }
}

/// What is known of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// τ
    pub topicality: f32,
    /// σ
    pub status: f32,
    /// γ
    pub geography: f32,
}

impl Utility {
    /// U of a page with this α.
    pub fn of(&self, worth: Worth, alpha: f64) -> f32 {
        let c = self.geography;
        let (a, b) = ((1.0 - c) * alpha, (1.0 - c) * (1.0 - alpha));
        let parts = [
            (worth.topicality, a),
            (worth.status, b),
            (worth.geography, c),
        ];
        let value: f64 = match self.form {
            Form::CobbDouglas => {
                let parts = parts.iter();
                parts
                    .map(|(part, share)| f64::from(*part).powf(*share))
                    .product()
            }
            Form::Linear => {
                let parts = parts.iter();
                parts.map(|(part, share)| f64::from(*part) * share).sum()
            }
        };
        value.clamp(0.0, 1.0) as f32
    }

    /// The same, if it makes sense.
    pub(crate) fn checked(&self) -> Result<Utility, MeansError> {
        let shares = [
            ("--elasticity", Some(self.alpha)),
            ("--topicality", self.delta),
            ("--geography", Some(self.geography)),
        ];
        for (flag, share) in shares {
            if let Some(value) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                return Err(MeansError::Weight { flag, value });
            }
        }
        if !(self.step > 0.0 && self.step <= 1.0) {
            return Err(MeansError::Step(self.step));
        }
        if !(1..=MOST_WINDOW).contains(&self.window) {
            return Err(MeansError::Window(self.window));
        }
        Ok(*self)
    }
}

/// The α of every node.
#[derive(Debug, Clone)]
pub(crate) struct Elasticity {
    utility: Utility,
    /// By node, as far as any has fetched something.
    nodes: Vec<Adapting>,
}

/// The α of one node, and what it adapts to.
#[derive(Debug, Clone, PartialEq)]
struct Adapting {
    alpha: f64,
    /// Topicality of its last pages, the latest at the end.
    recent: VecDeque<f32>,
}

impl Elasticity {
    pub(crate) fn new(means: &Means<'_>) -> Result<Elasticity, MeansError> {
        Ok(Elasticity {
            utility: means.utility.checked()?,
            nodes: Vec::new(),
        })
    }

    pub(crate) fn utility(&self) -> &Utility {
        &self.utility
    }

    pub(crate) fn adapts(&self) -> bool {
        self.utility.delta.is_some()
    }

    pub(crate) fn alpha(&self, node: NodeId) -> f64 {
        let adapting = self.nodes.get(usize::from(node.0));
        adapting.map_or(self.utility.alpha, |adapting| adapting.alpha)
    }

    /// Hears how topical a page was that a node has fetched.
    pub(crate) fn adapt(&mut self, node: NodeId, topicality: f32) {
        let Some(delta) = self.utility.delta else {
            return;
        };
        let fresh = Adapting {
            alpha: self.utility.alpha,
            recent: VecDeque::new(),
        };
        let node_idx = usize::from(node.0);
        if self.nodes.len() <= node_idx {
            self.nodes.resize(node_idx + 1, fresh);
        }
        let Adapting { alpha, recent } = &mut self.nodes[node_idx];
        if recent.len() == self.utility.window {
            recent.pop_front();
        }
        recent.push_back(topicality);
        // Added up anew each time: a running sum would depend on where a
        // resumed crawl began to add.
        let sum: f64 = recent.iter().map(|part| f64::from(*part)).sum();
        let mean = sum / recent.len() as f64;
        *alpha = (*alpha + self.utility.step * (delta - mean)).clamp(0.0, 1.0);
    }

    /// Writes down what every node has adapted to.
    pub(crate) fn save(&self, learned: &mut Learned) {
        learned.number(self.nodes.len() as u64);
        for Adapting { alpha, recent } in &self.nodes {
            learned.number(alpha.to_bits());
            learned.number(recent.len() as u64);
            for topicality in recent {
                learned.small(topicality.to_bits());
            }
        }
    }

    /// Takes over what was written down.
    pub(crate) fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), MindError> {
        let mut nodes = Vec::new();
        for _ in 0..reader.number()? {
            let alpha = f64::from_bits(reader.number()?);
            let n_recent = reader.number()?;
            if !(0.0..=1.0).contains(&alpha) || n_recent > self.utility.window as u64 {
                return Err(MindError::Garbled);
            }
            let mut recent = VecDeque::new();
            for _ in 0..n_recent {
                recent.push_back(f32::from_bits(reader.small()?));
            }
            nodes.push(Adapting { alpha, recent });
        }
        self.nodes = nodes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elasticity(utility: Utility) -> Elasticity {
        Elasticity {
            utility,
            nodes: Vec::new(),
        }
    }

    const WORTH: Worth = Worth {
        topicality: 0.8,
        status: 0.5,
        geography: 0.1,
    };

    #[test]
    fn both_forms_are_those_of_the_paper() {
        let near = |found: f32, expected: f64| (f64::from(found) - expected).abs() < 1e-6;
        let cobb = Utility::default();
        assert!(near(
            cobb.of(WORTH, 0.25),
            0.8_f64.powf(0.25) * 0.5_f64.powf(0.75)
        ));
        assert!(near(cobb.of(WORTH, 1.0), 0.8) && near(cobb.of(WORTH, 0.0), 0.5));
        let linear = Utility {
            form: Form::Linear,
            ..cobb
        };
        assert!(near(linear.of(WORTH, 0.25), 0.25 * 0.8 + 0.75 * 0.5));
    }

    #[test]
    fn geography_is_a_third_elasticity_and_all_add_up_to_one() {
        let utility = |form, geography| Utility {
            form,
            geography,
            ..Utility::default()
        };
        for form in Form::ALL {
            let equal = Worth {
                topicality: 0.4,
                status: 0.4,
                geography: 0.4,
            };
            assert!((utility(form, 0.3).of(equal, 0.6) - 0.4).abs() < 1e-6);
            assert!((utility(form, 1.0).of(WORTH, 0.6) - 0.1).abs() < 1e-6);
        }
        let linear = utility(Form::Linear, 0.5).of(WORTH, 0.5);
        assert!((linear - (0.25 * 0.8 + 0.25 * 0.5 + 0.5 * 0.1)).abs() < 1e-6);
    }

    #[test]
    fn alpha_adapts_to_the_topicality_that_is_wanted_by_hand() {
        let mut adapting = elasticity(Utility {
            delta: Some(0.7),
            window: 2,
            ..Utility::default()
        });
        let node = NodeId(1);
        let mut expected = 0.5;
        for (topicality, mean) in [(0.2, 0.2), (0.4, 0.3), (1.0, 0.7), (0.8, 0.9)] {
            adapting.adapt(node, topicality);
            expected += 0.01 * (0.7 - mean);
            assert!((adapting.alpha(node) - expected).abs() < 1e-7);
        }
        assert_eq!(adapting.alpha(NodeId(0)), 0.5, "every node its own");
        for _ in 0..500 {
            adapting.adapt(node, 0.0);
        }
        assert_eq!(adapting.alpha(node), 1.0);
        for _ in 0..500 {
            adapting.adapt(node, 1.0);
        }
        assert_eq!(adapting.alpha(node), 0.0);
    }

    #[test]
    fn a_fixed_alpha_stays() {
        let mut fixed = elasticity(Utility {
            alpha: 0.25,
            ..Utility::default()
        });
        fixed.adapt(NodeId(0), 0.9);
        assert_eq!(fixed.alpha(NodeId(0)), 0.25);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_the_flag() {
        let refusal = |utility: Utility| utility.checked().unwrap_err().to_string();
        let usual = Utility::default();
        assert_eq!(
            refusal(Utility {
                delta: Some(1.5),
                ..usual
            }),
            "`--topicality 1.5` is not between 0 and 1"
        );
        assert_eq!(
            refusal(Utility {
                geography: -1.0,
                ..usual
            }),
            "`--geography -1` is not between 0 and 1"
        );
        assert_eq!(
            refusal(Utility { step: 0.0, ..usual }),
            "`--adapt-step 0` is not above 0 and at most 1"
        );
        assert_eq!(
            refusal(Utility { window: 0, ..usual }),
            "`--adapt-window 0` is not from 1 to 100000"
        );
    }
}
