//! Learners on hashed signs: fixed memory, however long they learn.
//!
//! A sign is a number below a power of two; two that share a number share
//! their fate. Both learners answer several yes-or-no questions about the
//! same signs, kept side by side so that asking all of them reads memory once.

/// Multinomial naive Bayes with Laplace's smoothing, yes or no, for several
/// questions ("Introduction to Information Retrieval", Manning, Raghavan and
/// Schütze, section 13.2). A sign never seen with a question says nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct HashedBayes {
    n_questions: usize,
    /// How often each sign was seen with no and with yes, by question.
    counts: Vec<[u32; 2]>,
    /// ln((yes + 1) / (no + 1)) of the same; not a number where both are zero.
    odds: Vec<f32>,
    tallies: Vec<Tally>,
    /// `Tally::log_odds` of each question.
    bases: Vec<(f32, f32)>,
}

/// The position of a cell, and its counts.
pub type CountedCell = (u32, [u32; 2]);

/// What one question has learned in all; no first, then yes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Tally {
    n_examples: [u64; 2],
    n_signs: [u64; 2],
    n_different: u64,
}

impl Tally {
    /// Log odds of yes before any sign, and what every known sign adds beside
    /// its own odds.
    fn log_odds(&self) -> (f32, f32) {
        let [no, yes] = self.n_examples.map(|n| n as f64);
        let different = self.n_different as f64;
        let [all_no, all_yes] = self.n_signs.map(|n| n as f64 + different);
        let per_sign = (all_no.max(1.0) / all_yes.max(1.0)).ln();
        ((yes / no).ln() as f32, per_sign as f32)
    }
}

impl HashedBayes {
    /// Has learned nothing; `n_signs` is a power of two.
    pub fn new(n_questions: usize, n_signs: usize) -> HashedBayes {
        let n_cells = n_questions * n_signs.next_power_of_two();
        HashedBayes {
            n_questions,
            counts: vec![[0; 2]; n_cells],
            odds: vec![f32::NAN; n_cells],
            tallies: vec![Tally::default(); n_questions],
            bases: vec![(f32::NAN, 0.0); n_questions],
        }
    }

    /// Questions it answers.
    pub fn n_questions(&self) -> usize {
        self.n_questions
    }

    /// Signs there may be.
    pub fn n_signs(&self) -> usize {
        self.counts.len() / self.n_questions.max(1)
    }

    /// Examples learned for a question.
    pub fn n_examples(&self, question: usize) -> u64 {
        let tally = self.tallies.get(question);
        tally.map_or(0, |tally| tally.n_examples.iter().sum())
    }

    /// Learns the answer to one question for one set of signs.
    pub fn learn(&mut self, question: usize, signs: &[u32], answer: bool) {
        let Some(tally) = self.tallies.get_mut(question) else {
            return;
        };
        let side = usize::from(answer);
        tally.n_examples[side] += 1;
        for &sign in signs {
            let cell = sign as usize * self.n_questions + question;
            let Some(counts) = self.counts.get_mut(cell) else {
                continue;
            };
            tally.n_different += u64::from(*counts == [0; 2]);
            tally.n_signs[side] += 1;
            counts[side] = counts[side].saturating_add(1);
            self.odds[cell] = odds(*counts);
        }
        self.bases[question] = tally.log_odds();
    }

    /// The probability of yes, for every question; one half where nothing was
    /// learned.
    pub fn predict(&self, signs: &[u32]) -> Vec<f32> {
        let mut sums: Vec<f32> = self.bases.iter().map(|(prior, _)| *prior).collect();
        for &sign in signs {
            let start = sign as usize * self.n_questions;
            let Some(cells) = self.odds.get(start..start + self.n_questions) else {
                continue;
            };
            for ((sum, odds), (_, per_sign)) in sums.iter_mut().zip(cells).zip(&self.bases) {
                if !odds.is_nan() {
                    *sum += odds + per_sign;
                }
            }
        }
        sums.into_iter().map(chance).collect()
    }

    /// What one sign adds to the log odds of yes; none where it was not seen.
    pub fn weight(&self, question: usize, sign: u32) -> Option<f32> {
        let cell = sign as usize * self.n_questions + question;
        let odds = self.odds.get(cell).filter(|odds| !odds.is_nan())?;
        let (_, per_sign) = self.bases.get(question)?;
        Some(odds + per_sign)
    }

    /// All it has learned, as numbers: for each question no, yes, for both the
    /// signs seen; then for every cell that was ever seen its position and
    /// counts.
    pub fn dump(&self) -> (Vec<[u64; 2]>, Vec<CountedCell>) {
        let examples = self.tallies.iter().map(|tally| tally.n_examples).collect();
        let cells = (0..).zip(&self.counts);
        let seen = cells.filter(|(_, counts)| **counts != [0; 2]);
        (
            examples,
            seen.map(|(cell, counts)| (cell, *counts)).collect(),
        )
    }

    /// Takes over what `dump` gave, in place of what was learned; cells that
    /// do not exist are passed over.
    pub fn load(&mut self, examples: &[[u64; 2]], cells: &[CountedCell]) {
        *self = HashedBayes::new(self.n_questions, self.n_signs());
        for (tally, examples) in self.tallies.iter_mut().zip(examples) {
            tally.n_examples = *examples;
        }
        for &(cell, counts) in cells {
            let cell = cell as usize;
            let Some(known) = self.counts.get_mut(cell).filter(|_| counts != [0; 2]) else {
                continue;
            };
            *known = counts;
            self.odds[cell] = odds(counts);
            let tally = &mut self.tallies[cell % self.n_questions];
            tally.n_different += 1;
            for (all, count) in tally.n_signs.iter_mut().zip(counts) {
                *all += u64::from(count);
            }
        }
        self.bases = self.tallies.iter().map(Tally::log_odds).collect();
    }
}

fn odds([no, yes]: [u32; 2]) -> f32 {
    ((f64::from(yes) + 1.0) / (f64::from(no) + 1.0)).ln() as f32
}

/// A probability from its log odds; one half from nothing at all.
fn chance(log_odds: f32) -> f32 {
    match log_odds.is_nan() {
        true => 0.5,
        false => 1.0 / (1.0 + (-log_odds).exp()),
    }
}

/// Logistic regression that learns one example at a time, with a step per
/// weight that shrinks as the weight is used ("Adaptive Subgradient Methods",
/// Duchi, Hazan and Singer, 2011).
#[derive(Debug, Clone, PartialEq)]
pub struct HashedLogistic {
    n_questions: usize,
    step: f32,
    /// Weight and sum of squared gradients, by sign and question.
    cells: Vec<[f32; 2]>,
}

impl HashedLogistic {
    /// Has learned nothing; `n_signs` is a power of two, `step` the first step
    /// of every weight.
    pub fn new(n_questions: usize, n_signs: usize, step: f32) -> HashedLogistic {
        HashedLogistic {
            n_questions,
            step,
            cells: vec![[0.0; 2]; n_questions * n_signs.next_power_of_two()],
        }
    }

    /// Signs there may be.
    pub fn n_signs(&self) -> usize {
        self.cells.len() / self.n_questions.max(1)
    }

    /// The log odds of yes for one question.
    pub fn log_odds(&self, question: usize, signs: &[(u32, f32)]) -> f32 {
        let weight = |&(sign, value): &(u32, f32)| {
            let cell = self.cells.get(sign as usize * self.n_questions + question);
            cell.map_or(0.0, |[weight, _]| weight * value)
        };
        signs.iter().map(weight).sum()
    }

    /// The probability of yes for one question.
    pub fn predict(&self, question: usize, signs: &[(u32, f32)]) -> f32 {
        chance(self.log_odds(question, signs))
    }

    /// The probability of yes for the first two questions at once.
    pub fn predict_both(&self, signs: &[(u32, f32)]) -> [f32; 2] {
        let mut sums = [0.0; 2];
        for &(sign, value) in signs {
            let start = sign as usize * self.n_questions;
            if let Some([first, second]) = self.cells.get(start..start + 2) {
                sums[0] += first[0] * value;
                sums[1] += second[0] * value;
            }
        }
        sums.map(chance)
    }

    /// What one sign at strength one adds to the log odds.
    pub fn weight(&self, question: usize, sign: u32) -> f32 {
        let cell = self.cells.get(sign as usize * self.n_questions + question);
        cell.map_or(0.0, |[weight, _]| *weight)
    }

    /// Learns the answer to one question; `importance` scales the step.
    pub fn learn(&mut self, question: usize, signs: &[(u32, f32)], answer: bool, importance: f32) {
        let wanted = f32::from(u8::from(answer));
        let error = (self.predict(question, signs) - wanted) * importance;
        for &(sign, value) in signs {
            let cell = sign as usize * self.n_questions + question;
            if let Some([weight, squares]) = self.cells.get_mut(cell) {
                let gradient = error * value;
                *squares += gradient * gradient;
                *weight -= self.step * gradient / (squares.sqrt() + 1e-3);
            }
        }
    }

    /// All weights that were ever moved: position, weight, squared gradients.
    pub fn dump(&self) -> Vec<(u32, [f32; 2])> {
        let cells = (0..).zip(&self.cells);
        let moved = cells.filter(|(_, cell)| cell[1] != 0.0);
        moved.map(|(position, cell)| (position, *cell)).collect()
    }

    /// Takes over what `dump` gave, in place of what was learned; positions
    /// and numbers that make no sense are passed over.
    pub fn load(&mut self, cells: &[(u32, [f32; 2])]) {
        self.cells.fill([0.0; 2]);
        for &(position, cell) in cells {
            let is_number = cell.iter().all(|number| number.is_finite());
            if let Some(known) = self.cells.get_mut(position as usize).filter(|_| is_number) {
                *known = cell;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::NaiveBayes;

    /// Example 13.1 of the book: Chinese, Beijing, Shanghai, Macao, Tokyo, Japan.
    const CHINA: [(&[u32], bool); 4] = [
        (&[0, 1, 0], true),
        (&[0, 0, 2], true),
        (&[0, 3], true),
        (&[4, 5, 0], false),
    ];

    fn china() -> HashedBayes {
        let mut bayes = HashedBayes::new(2, 8);
        for (signs, answer) in CHINA {
            bayes.learn(1, signs, answer);
        }
        bayes
    }

    #[test]
    fn the_textbook_example_comes_out() {
        let predicted = china().predict(&[0, 0, 0, 4, 5]);
        // P(yes) ∝ 3/4 · (3/7)³ · 1/14 · 1/14, P(no) ∝ 1/4 · (2/9)³ · 2/9 · 2/9.
        let (yes, no) = (0.000_301_2, 0.000_135_5);
        assert!(
            (predicted[1] - yes / (yes + no)).abs() < 1e-3,
            "{predicted:?}"
        );
        assert_eq!(
            predicted[0], 0.5,
            "nothing was learned of the other question"
        );
    }

    #[test]
    fn it_agrees_with_the_general_learner() {
        let mut general = NaiveBayes::new(2);
        for (signs, answer) in CHINA {
            let terms: Vec<(u32, f32)> = signs.iter().map(|sign| (*sign, 1.0)).collect();
            general.learn(usize::from(answer), &terms);
        }
        for signs in [&[0_u32][..], &[1, 4], &[2, 2, 5], &[7], &[]] {
            let terms: Vec<(u32, f32)> = signs.iter().map(|sign| (*sign, 1.0)).collect();
            let expected = general.predict(&terms).posterior[1] as f32;
            let found = china().predict(signs)[1];
            assert!(
                (found - expected).abs() < 1e-5,
                "{signs:?}: {found} {expected}"
            );
        }
    }

    #[test]
    fn what_was_learned_survives_being_written_down() {
        let bayes = china();
        let (examples, cells) = bayes.dump();
        let mut other = HashedBayes::new(2, 8);
        other.learn(0, &[7], true);
        other.load(&examples, &cells);
        let signs = [0, 1, 4];
        assert_eq!(other.predict(&signs), bayes.predict(&signs));
        assert_eq!(other.n_examples(1), 4);
        other.load(&examples, &[(999, [1, 1])]);
        assert_eq!(other.weight(1, 0), None);
    }

    #[test]
    fn odds_follow_the_shares() {
        let mut logistic = HashedLogistic::new(1, 4, 0.3);
        for n in 0..4000 {
            logistic.learn(0, &[(0, 1.0), (1, 1.0)], n % 10 != 0, 1.0);
            logistic.learn(0, &[(0, 1.0)], n % 4 == 0, 1.0);
        }
        let with = logistic.predict(0, &[(0, 1.0), (1, 1.0)]);
        let without = logistic.predict(0, &[(0, 1.0)]);
        assert!((with - 0.9).abs() < 0.05, "{with}");
        assert!((without - 0.25).abs() < 0.05, "{without}");
        let mut other = HashedLogistic::new(1, 4, 0.3);
        other.load(&logistic.dump());
        assert_eq!(other, logistic);
        other.load(&[(9, [1.0, 1.0]), (0, [f32::NAN, 1.0])]);
        assert_eq!(other.weight(0, 0), 0.0);
    }
}
