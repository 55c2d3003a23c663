//! Multinomial naive Bayes: which class do these terms come from?
//!
//! Learns one example at a time and can be asked at any moment. A class is as
//! probable as its share of examples, a term as its smoothed share of the
//! class's terms: "Introduction to Information Retrieval" (Manning, Raghavan
//! and Schütze, 2008), equations 13.5 and 13.7.
//!
//! The vocabulary is every term learned so far. A term nobody has seen says
//! nothing about any class and is left out of a prediction, so that how many
//! unknown words a page has cannot decide its class.

mod frozen;

pub use frozen::Frozen;

use std::collections::HashMap;

/// A sparse vector: terms with how often each occurs, in any order.
///
/// A term may appear more than once; its counts add up. Counts that are not
/// finite and positive are passed over.
pub type Terms<'a> = &'a [(u32, f32)];

/// Counts per class, from which everything else follows.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveBayes {
    classes: Vec<Class>,
    /// How often each term was seen, by class.
    counts: HashMap<u32, Box<[f64]>>,
    smoothing: f64,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Class {
    n_examples: u64,
    /// Count of all its terms.
    total: f64,
}

/// What a model thinks of one vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Natural logarithm of P(class) · P(terms | class), by class.
    /// Negative infinity for a class without examples.
    pub log_joint: Vec<f64>,
    /// P(class | terms), by class; sums to one.
    pub posterior: Vec<f64>,
}

impl Prediction {
    fn of(log_joint: Vec<f64>) -> Prediction {
        let posterior = normalise(&log_joint);
        Prediction {
            log_joint,
            posterior,
        }
    }

    /// The most probable class and its probability; the first among equals.
    pub fn best(&self) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (class_idx, &probability) in self.posterior.iter().enumerate() {
            if probability > best.1 {
                best = (class_idx, probability);
            }
        }
        best
    }
}

impl NaiveBayes {
    /// A model that has learned nothing, with Laplace's smoothing: every term
    /// counts once more than it was seen.
    pub fn new(n_classes: usize) -> NaiveBayes {
        NaiveBayes::with_smoothing(n_classes, 1.0)
    }

    /// Counts every term `smoothing` times more than it was seen. Less than
    /// one trusts rare terms more; anything but a positive number means one.
    pub fn with_smoothing(n_classes: usize, smoothing: f64) -> NaiveBayes {
        let smoothing = if smoothing.is_finite() && smoothing > 0.0 {
            smoothing
        } else {
            1.0
        };
        NaiveBayes {
            classes: vec![Class::default(); n_classes],
            counts: HashMap::new(),
            smoothing,
        }
    }

    /// A model from what one has counted, as `learn` would have: examples by
    /// class, and terms with how often each was seen, by class. A term with
    /// too many or too few counts is passed over.
    pub fn from_counts(
        n_examples: &[u64],
        terms: impl IntoIterator<Item = (u32, Vec<f64>)>,
    ) -> NaiveBayes {
        let mut bayes = NaiveBayes::new(n_examples.len());
        for (class, n_examples) in bayes.classes.iter_mut().zip(n_examples) {
            class.n_examples = *n_examples;
        }
        for (term, counts) in terms {
            if counts.len() != bayes.classes.len() {
                continue;
            }
            for (class, count) in bayes.classes.iter_mut().zip(&counts) {
                class.total += count;
            }
            let none = || vec![0.0; n_examples.len()].into_boxed_slice();
            let known = bayes.counts.entry(term).or_insert_with(none);
            for (known, count) in known.iter_mut().zip(counts) {
                *known += count;
            }
        }
        bayes
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// How many examples were learned.
    pub fn n_examples(&self) -> u64 {
        self.classes.iter().map(|class| class.n_examples).sum()
    }

    /// How many different terms were learned.
    pub fn n_terms(&self) -> usize {
        self.counts.len()
    }

    /// Learns one example. A class that does not exist learns nothing.
    pub fn learn(&mut self, class_idx: usize, terms: Terms<'_>) {
        let n_classes = self.classes.len();
        debug_assert!(class_idx < n_classes, "class {class_idx} of {n_classes}");
        let Some(class) = self.classes.get_mut(class_idx) else {
            return;
        };
        class.n_examples += 1;
        for (term, count) in counted(terms) {
            let none = || vec![0.0; n_classes].into_boxed_slice();
            self.counts.entry(term).or_insert_with(none)[class_idx] += count;
            class.total += count;
        }
    }

    /// Weighs the classes for one vector. A model without examples finds all
    /// classes equally probable.
    pub fn predict(&self, terms: Terms<'_>) -> Prediction {
        let mut log_joint = self.log_priors();
        for (term, count) in counted(terms) {
            let Some(counts) = self.counts.get(&term) else {
                continue;
            };
            for (log, weight) in log_joint.iter_mut().zip(self.log_weights(counts)) {
                *log += count * weight;
            }
        }
        Prediction::of(log_joint)
    }

    fn log_priors(&self) -> Vec<f64> {
        let n_examples = self.n_examples() as f64;
        // Zero examples of zero are a probability of nothing, not of NaN.
        let log_prior = |class: &Class| match class.n_examples {
            0 => f64::NEG_INFINITY,
            n => (n as f64 / n_examples).ln(),
        };
        self.classes.iter().map(log_prior).collect()
    }

    /// What one occurrence of a term adds to each class.
    fn log_weights(&self, counts: &[f64]) -> impl Iterator<Item = f64> {
        let n_terms = self.counts.len() as f64;
        self.classes.iter().zip(counts).map(move |(class, seen)| {
            let all = class.total + self.smoothing * n_terms;
            ((seen + self.smoothing) / all).ln()
        })
    }
}

fn counted(terms: Terms<'_>) -> impl Iterator<Item = (u32, f64)> {
    let usable = terms
        .iter()
        .filter(|(_, count)| count.is_finite() && *count > 0.0);
    usable.map(|&(term, count)| (term, f64::from(count)))
}

/// Probabilities from their logarithms, which may be far too small to raise:
/// only differences to the largest are.
fn normalise(logs: &[f64]) -> Vec<f64> {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return vec![1.0 / logs.len() as f64; logs.len()];
    }
    let shares: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHINESE: u32 = 0;
    const BEIJING: u32 = 1;
    const SHANGHAI: u32 = 2;
    const MACAO: u32 = 3;
    const TOKYO: u32 = 4;
    const JAPAN: u32 = 5;

    /// Example 13.1 of the same book: class 0 is China, class 1 is not.
    fn china() -> NaiveBayes {
        let mut bayes = NaiveBayes::new(2);
        bayes.learn(0, &[(CHINESE, 2.0), (BEIJING, 1.0)]);
        bayes.learn(0, &[(CHINESE, 2.0), (SHANGHAI, 1.0)]);
        bayes.learn(0, &[(CHINESE, 1.0), (MACAO, 1.0)]);
        bayes.learn(1, &[(TOKYO, 1.0), (JAPAN, 1.0), (CHINESE, 1.0)]);
        bayes
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-12
    }

    #[test]
    fn textbook_example_by_hand() {
        let prediction = china().predict(&[(CHINESE, 3.0), (TOKYO, 1.0), (JAPAN, 1.0)]);
        // P(Chinese|China) = (5+1)/(8+6), P(Tokyo|China) = 1/14; otherwise 2/9 each.
        let china = 3.0 / 4.0 * (6.0_f64 / 14.0).powi(3) * (1.0 / 14.0) * (1.0 / 14.0);
        let other = 1.0 / 4.0 * (2.0_f64 / 9.0).powi(3) * (2.0 / 9.0) * (2.0 / 9.0);
        assert!(close(prediction.log_joint[0], china.ln()));
        assert!(close(prediction.log_joint[1], other.ln()));
        assert!(close(prediction.posterior[0], china / (china + other)));
        assert_eq!(prediction.best().0, 0);
    }

    #[test]
    fn smoothing_is_a_choice() {
        let mut bayes = NaiveBayes::with_smoothing(2, 0.5);
        bayes.learn(0, &[(0, 3.0)]);
        bayes.learn(1, &[(1, 1.0)]);
        // 3.5 of 3 + 0.5·2 against 0.5 of 1 + 0.5·2, halves cancel.
        let posterior = bayes.predict(&[(0, 1.0)]).posterior;
        assert!(close(posterior[0], 0.875 / (0.875 + 0.25)));
    }

    #[test]
    fn unknown_terms_and_odd_counts_say_nothing() {
        let bayes = china();
        let plain = bayes.predict(&[(TOKYO, 1.0)]);
        let odd = [
            (TOKYO, 1.0),
            (99, 7.0),
            (JAPAN, 0.0),
            (MACAO, f32::NAN),
            (BEIJING, -1.0),
        ];
        assert_eq!(bayes.predict(&odd), plain);
        assert!(close(bayes.predict(&[]).posterior[0], 0.75));
        assert_eq!(
            (bayes.n_terms(), bayes.n_examples(), bayes.n_classes()),
            (6, 4, 2)
        );
    }

    #[test]
    fn classes_without_examples_are_never_chosen() {
        let mut bayes = NaiveBayes::new(3);
        assert!(
            bayes
                .predict(&[(0, 1.0)])
                .posterior
                .iter()
                .all(|&p| close(p, 1.0 / 3.0))
        );
        bayes.learn(1, &[(0, 1.0)]);
        assert_eq!(bayes.predict(&[(5, 1.0)]).posterior, [0.0, 1.0, 0.0]);
        assert_eq!(bayes.predict(&[]).best(), (1, 1.0));
    }

    #[test]
    fn long_vectors_do_not_underflow() {
        let prediction = china().predict(&[(CHINESE, 1e6), (TOKYO, 1.0)]);
        assert!(prediction.log_joint.iter().all(|log| log.is_finite()));
        assert!(close(prediction.posterior.iter().sum(), 1.0));
    }

    #[test]
    fn repeated_terms_add_up() {
        let once = china().predict(&[(TOKYO, 2.0)]);
        assert!(close(
            china().predict(&[(TOKYO, 1.0), (TOKYO, 1.0)]).log_joint[0],
            once.log_joint[0]
        ));
    }
}
