//! Linear models of sparse signs: yes or no, and one out of several.
//!
//! Both are fitted by stochastic gradient descent with a step per weight that
//! shrinks as the weight is used ("Adaptive Subgradient Methods", Duchi,
//! Hazan and Singer, 2011), pulled towards zero by a quadratic penalty.
//! Examples are taken in a fixed shuffled order: the same input gives the
//! same weights.

use crate::shuffle::shuffle;

/// A sparse vector: positions of weights and how strongly each sign is there.
pub type Signs<'a> = &'a [(u16, f32)];

/// A question with yes or no for an answer.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Its signs.
    pub signs: Signs<'a>,
    /// The answer.
    pub answer: bool,
    /// How much it counts.
    pub weight: f32,
}

/// A question with several possible answers, of which at least one is right.
#[derive(Debug, Clone)]
pub struct Selection<'a> {
    /// The signs of each answer and whether it is right.
    pub options: Vec<(Signs<'a>, bool)>,
    /// How much it counts.
    pub weight: f32,
}

/// How to learn.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How often every example is looked at.
    pub n_rounds: usize,
    /// First step of every weight.
    pub step: f32,
    /// Pull towards zero, per example.
    pub penalty: f32,
}

struct Fit {
    weights: Vec<f32>,
    /// Squared gradients so far.
    seen: Vec<f32>,
    settings: Settings,
}

impl Fit {
    fn new(n_weights: usize, settings: Settings) -> Fit {
        Fit {
            weights: vec![0.0; n_weights],
            seen: vec![1e-6; n_weights],
            settings,
        }
    }

    fn score(&self, signs: Signs<'_>) -> f32 {
        signs
            .iter()
            .map(|&(sign, value)| self.weights[sign as usize] * value)
            .sum()
    }

    /// Moves the weights of these signs against a gradient of their score.
    fn learn(&mut self, signs: Signs<'_>, gradient: f32) {
        for &(sign, value) in signs {
            let sign = sign as usize;
            let slope = gradient * value + self.settings.penalty * self.weights[sign];
            self.seen[sign] += slope * slope;
            self.weights[sign] -= self.settings.step * slope / self.seen[sign].sqrt();
        }
    }
}

/// Fits the log odds of yes (logistic regression).
pub fn logistic(questions: &[Question<'_>], n_weights: usize, settings: Settings) -> Vec<f32> {
    let mut fit = Fit::new(n_weights, settings);
    for round in 0..settings.n_rounds {
        for idx in shuffled(questions.len(), round) {
            let Question {
                signs,
                answer,
                weight,
            } = questions[idx];
            let chance = 1.0 / (1.0 + (-fit.score(signs)).exp());
            let wanted = if answer { 1.0 } else { 0.0 };
            fit.learn(signs, weight * (chance - wanted));
        }
    }
    fit.weights
}

/// Fits scores so that right answers have the largest ones (conditional logit).
pub fn selection(questions: &[Selection<'_>], n_weights: usize, settings: Settings) -> Vec<f32> {
    let mut fit = Fit::new(n_weights, settings);
    for round in 0..settings.n_rounds {
        for idx in shuffled(questions.len(), round) {
            let Selection { options, weight } = &questions[idx];
            let scores: Vec<f32> = options.iter().map(|(signs, _)| fit.score(signs)).collect();
            let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
            let total: f32 = shares.iter().sum();
            let right = options.iter().zip(&shares);
            let right: f32 = right
                .filter(|((_, is), _)| *is)
                .map(|(_, share)| share)
                .sum();
            if right <= 0.0 {
                continue;
            }
            for ((signs, is_right), share) in options.iter().zip(&shares) {
                let wanted = if *is_right { share / right } else { 0.0 };
                fit.learn(signs, weight * (share / total - wanted));
            }
        }
    }
    fit.weights
}

/// All positions in an order that looks random and is always the same.
fn shuffled(n: usize, round: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(round as u64 + 1);
    shuffle(&mut order, &mut state);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings {
        n_rounds: 50,
        step: 0.3,
        penalty: 1e-5,
    };

    fn question(signs: Signs<'_>, answer: bool) -> Question<'_> {
        Question {
            signs,
            answer,
            weight: 1.0,
        }
    }

    #[test]
    fn odds_follow_the_shares() {
        // The second sign is there in nine yes out of ten.
        let mut questions = Vec::new();
        for n in 0..1000 {
            questions.push(question(&[(0, 1.0), (1, 1.0)], n % 10 != 0));
            questions.push(question(&[(0, 1.0)], n % 2 == 0));
        }
        let weights = logistic(&questions, 2, SETTINGS);
        assert!(weights[0].abs() < 0.2, "{weights:?}");
        assert!((weights[1] - 9.0_f32.ln()).abs() < 0.3, "{weights:?}");
    }

    #[test]
    fn right_answers_win() {
        let selection_of = |right: bool| Selection {
            options: vec![(&[(0, 1.0)][..], right), (&[(1, 1.0)][..], !right)],
            weight: 1.0,
        };
        let questions: Vec<Selection<'_>> = (0..100).map(|n| selection_of(n % 4 != 0)).collect();
        let weights = selection(&questions, 2, SETTINGS);
        // Three to one.
        assert!(
            (weights[0] - weights[1] - 3.0_f32.ln()).abs() < 0.3,
            "{weights:?}"
        );
    }

    #[test]
    fn the_same_examples_give_the_same_weights() {
        let questions = [question(&[(0, 1.0)], true), question(&[(1, 0.5)], false)];
        let once = logistic(&questions, 2, SETTINGS);
        assert_eq!(once, logistic(&questions, 2, SETTINGS));
    }
}
