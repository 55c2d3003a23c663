//! Linear support vector machine: on which side of a plane, and how far off?
//!
//! Minimises ½‖w‖² + C Σ max(0, 1 − y·w·x)², the squared hinge, the bias being
//! one more weight whose term every example has: what scikit-learn's
//! `LinearSVC` does unless told otherwise. Fitted example by example in the
//! dual ("A Dual Coordinate Descent Method for Large-scale Linear SVM", Hsieh
//! and others, 2008, algorithms 1 and 3), in an order that follows from a seed.
//!
//! A model may go on learning, an example at a time, without those it was
//! trained on: `learn` is the same step, taken once.

mod fit;

use crate::bytes::{Kind, ReadError, Reader};

/// Most terms there can be: 4 MB of weights.
pub const MAX_TERMS: u32 = 1 << 20;

const KIND: Kind = Kind {
    what: "support vector machine",
    mark: *b"LSVM",
    version: 1,
};

/// A vector and its side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Example<'a> {
    /// Its terms in ascending order, each once. Terms that the model has no
    /// room for are passed over.
    pub terms: &'a [(u32, f32)],
    /// Whether its margin should be positive.
    pub is_positive: bool,
}

impl Example<'_> {
    fn sign(&self) -> f64 {
        if self.is_positive { 1.0 } else { -1.0 }
    }
}

/// How to train.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// What an example on the wrong side costs: C. More follows the examples
    /// more closely; anything but a positive number means one.
    pub cost: f32,
    /// Looks at all examples at most so often.
    pub n_rounds: usize,
    /// Stops once no step of a round would have been steeper than this.
    pub tolerance: f64,
    /// What the order of examples follows from.
    pub seed: u64,
}

impl Default for Settings {
    /// Those of `LinearSVC`.
    fn default() -> Settings {
        Settings {
            cost: 1.0,
            n_rounds: 1000,
            tolerance: 1e-4,
            seed: 0,
        }
    }
}

/// Why there is no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TrainError {
    /// Nothing to learn from.
    #[error("no examples")]
    NoExamples,
    /// No plane can be laid between examples of one side.
    #[error("all {n_examples} examples are {}", if *.is_positive { "positive" } else { "negative" })]
    OneClass {
        /// How many there are.
        n_examples: usize,
        /// Their side.
        is_positive: bool,
    },
    /// More than there is room for.
    #[error("{n_terms} terms; {MAX_TERMS} are possible")]
    TooManyTerms {
        /// How many were asked for.
        n_terms: u32,
    },
    /// Terms not in ascending order, twice the same, or a value that is not
    /// finite.
    #[error("terms of example {example_idx} are out of order or not finite")]
    BadTerms {
        /// The first such example.
        example_idx: usize,
    },
}

/// A plane, and how to move it.
#[derive(Debug, Clone, PartialEq)]
pub struct Svm {
    weights: Vec<f32>,
    bias: f32,
    cost: f32,
}

impl Svm {
    /// The plane that fits the examples best.
    pub fn train(
        examples: &[Example<'_>],
        n_terms: u32,
        settings: Settings,
    ) -> Result<Svm, TrainError> {
        check(examples, n_terms)?;
        let cost = usable(settings.cost);
        let fit = fit::fit(examples, n_terms as usize, Settings { cost, ..settings });
        Ok(Svm {
            weights: fit.weights.iter().map(|weight| *weight as f32).collect(),
            bias: fit.bias as f32,
            cost,
        })
    }

    /// How far a vector is on the positive side, in units of the margin that
    /// examples should keep. Terms the model has no room for say nothing.
    pub fn margin(&self, terms: &[(u32, f32)]) -> f32 {
        let add = |sum: f64, &(term, value): &(u32, f32)| match self.weights.get(term as usize) {
            Some(weight) => sum + f64::from(*weight) * f64::from(value),
            None => sum,
        };
        terms.iter().fold(f64::from(self.bias), add) as f32
    }

    /// Moves the plane for one more example, unless it keeps its margin: one
    /// step of the descent, as if its weight in the dual had been zero. Equal
    /// to rule PA-II of "Online Passive-Aggressive Algorithms" (Crammer and
    /// others, 2006). An example whose numbers are no use teaches nothing.
    pub fn learn(&mut self, example: &Example<'_>) {
        let sign = example.sign();
        let lack = 1.0 - sign * f64::from(self.margin(example.terms));
        let n_terms = self.n_terms();
        let known = || example.terms.iter().filter(|(term, _)| *term < n_terms);
        let squares: f64 = known().map(|(_, value)| square(*value)).sum();
        let step = lack / (1.0 + squares + fit::slack(self.cost)) * sign;
        if lack <= 0.0 || !step.is_finite() {
            return;
        }
        for &(term, value) in known() {
            shift(&mut self.weights[term as usize], step * f64::from(value));
        }
        shift(&mut self.bias, step);
    }

    /// What a term adds to the margin for each unit of its value.
    pub fn weight(&self, term: u32) -> f32 {
        self.weights.get(term as usize).copied().unwrap_or(0.0)
    }

    /// The margin of nothing.
    pub fn bias(&self) -> f32 {
        self.bias
    }

    /// Terms there may be.
    pub fn n_terms(&self) -> u32 {
        self.weights.len() as u32
    }

    /// As bytes, with a version.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = KIND.writer();
        writer.f32(self.cost);
        writer.f32(self.bias);
        writer.u32(self.n_terms());
        for (term, &weight) in (0..)
            .zip(&self.weights)
            .filter(|(_, weight)| **weight != 0.0)
        {
            writer.u32(term);
            writer.f32(weight);
        }
        writer.into_bytes()
    }

    /// What `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Svm, ReadError> {
        KIND.read(bytes, Svm::parse)
    }

    fn parse(reader: &mut Reader<'_>) -> Option<Svm> {
        let cost = reader.f32().filter(|cost| *cost > 0.0)?;
        let bias = reader.f32()?;
        let n_terms = reader.u32().filter(|n_terms| *n_terms <= MAX_TERMS)?;
        let mut weights = vec![0.0; n_terms as usize];
        while !reader.is_empty() {
            let weight = weights.get_mut(reader.u32()? as usize)?;
            *weight = reader.f32()?;
        }
        Some(Svm {
            weights,
            bias,
            cost,
        })
    }
}

fn check(examples: &[Example<'_>], n_terms: u32) -> Result<(), TrainError> {
    if n_terms > MAX_TERMS {
        return Err(TrainError::TooManyTerms { n_terms });
    }
    let Some(Example { is_positive, .. }) = examples.first().copied() else {
        return Err(TrainError::NoExamples);
    };
    if examples
        .iter()
        .all(|other| other.is_positive == is_positive)
    {
        let n_examples = examples.len();
        return Err(TrainError::OneClass {
            n_examples,
            is_positive,
        });
    }
    let is_bad = |example: &Example<'_>| {
        let is_ascending = example.terms.is_sorted_by(|one, next| one.0 < next.0);
        !is_ascending || example.terms.iter().any(|(_, value)| !value.is_finite())
    };
    match examples.iter().position(is_bad) {
        Some(example_idx) => Err(TrainError::BadTerms { example_idx }),
        None => Ok(()),
    }
}

fn usable(cost: f32) -> f32 {
    if cost.is_finite() && cost > 0.0 {
        cost
    } else {
        1.0
    }
}

/// Moves a weight, unless beyond what it can hold.
fn shift(weight: &mut f32, step: f64) {
    let moved = (f64::from(*weight) + step) as f32;
    if moved.is_finite() {
        *weight = moved;
    }
}

fn square(value: f32) -> f64 {
    f64::from(value) * f64::from(value)
}

#[cfg(test)]
mod tests;
