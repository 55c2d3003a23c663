//! A model that learns no more, with every logarithm taken: a term costs a
//! look-up and a few additions.

use super::{NaiveBayes, Prediction};

/// What a model knew when it was frozen.
#[derive(Debug, Clone, PartialEq)]
pub struct Frozen {
    log_priors: Vec<f64>,
    /// Positions in `rows`, plus one, by term; at most half of them are taken.
    slots: Vec<(u32, u32)>,
    /// What an occurrence of each term adds to each class.
    rows: Vec<f32>,
}

impl NaiveBayes {
    /// The model as it is now, faster to ask.
    pub fn freeze(&self) -> Frozen {
        let n_slots = (self.counts.len() * 2).next_power_of_two();
        let mut frozen = Frozen {
            log_priors: self.log_priors(),
            slots: vec![(0, 0); n_slots],
            rows: Vec::with_capacity(self.counts.len() * self.classes.len()),
        };
        // In the order of their numbers: the same model freezes to the same.
        let mut terms: Vec<(&u32, &Box<[f64]>)> = self.counts.iter().collect();
        terms.sort_unstable_by_key(|(term, _)| **term);
        for (row_idx, (&term, counts)) in (1..).zip(terms) {
            let slot_idx = frozen.slot_of(term);
            frozen.slots[slot_idx] = (term, row_idx);
            let weights = self.log_weights(counts).map(|weight| weight as f32);
            frozen.rows.extend(weights);
        }
        frozen
    }
}

impl Frozen {
    /// Weighs the classes for terms, each as often as it comes; none if it
    /// knows none of them.
    pub fn predict(&self, terms: impl IntoIterator<Item = u32>) -> Option<Prediction> {
        let n_classes = self.log_priors.len();
        let mut log_joint = self.log_priors.clone();
        let mut is_known = false;
        for term in terms {
            let (_, row_idx @ 1..) = self.slots[self.slot_of(term)] else {
                continue;
            };
            is_known = true;
            let start = (row_idx as usize - 1) * n_classes;
            let row = &self.rows[start..start + n_classes];
            for (log, weight) in log_joint.iter_mut().zip(row) {
                *log += f64::from(*weight);
            }
        }
        is_known.then(|| Prediction::of(log_joint))
    }

    /// Where a term is, or would be: terms that meet move on to the next slot.
    fn slot_of(&self, term: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot_idx = (term.wrapping_mul(0x9e37_79b9) >> 7) as usize & mask;
        loop {
            let (known, row_idx) = self.slots[slot_idx];
            if row_idx == 0 || known == term {
                return slot_idx;
            }
            slot_idx = (slot_idx + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> NaiveBayes {
        let mut bayes = NaiveBayes::new(3);
        bayes.learn(0, &[(0, 3.0), (7, 1.0), (u32::MAX, 2.0)]);
        bayes.learn(1, &[(7, 2.0), (9, 4.0)]);
        bayes.learn(1, &[(1, 1.0)]);
        bayes
    }

    #[test]
    fn frozen_and_not_agree() {
        let terms = [0, 7, 7, 9, u32::MAX, 1, 1234];
        let counted: Vec<(u32, f32)> = terms.iter().map(|&term| (term, 1.0)).collect();
        let slow = model().predict(&counted);
        let fast = model().freeze().predict(terms).unwrap();
        for (fast, slow) in fast.log_joint.iter().zip(&slow.log_joint) {
            let is_close = (fast - slow).abs() < 1e-5 || fast == slow;
            assert!(is_close, "{fast} {slow}");
        }
    }

    #[test]
    fn nothing_known_is_no_prediction() {
        let frozen = model().freeze();
        assert_eq!(frozen.predict([5, 6]), None);
        assert_eq!(NaiveBayes::new(2).freeze().predict([1]), None);
    }

    #[test]
    fn counts_make_the_model_that_examples_would() {
        let counts = [(0, vec![3.0, 0.0]), (4, vec![1.0, 2.0]), (5, vec![1.0])];
        let mut learned = NaiveBayes::new(2);
        learned.learn(0, &[(0, 3.0), (4, 1.0)]);
        learned.learn(1, &[(4, 2.0)]);
        assert_eq!(NaiveBayes::from_counts(&[1, 1], counts), learned);
    }
}
