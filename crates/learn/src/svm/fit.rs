//! The descent: one dual weight at a time, each moved to where it is best
//! while all others stay.
//!
//! For each example y·w·x − 1 + α/2C is the slope of the dual in its weight α,
//! which must not be negative. The plane w = Σ α·y·x is kept up with every
//! step, so that a step costs as much as the example has terms.

use super::{Example, Settings, square};
use crate::shuffle::shuffle;

pub(super) struct Fit {
    pub(super) weights: Vec<f64>,
    pub(super) bias: f64,
}

impl Fit {
    fn margin(&self, terms: &[(u32, f32)]) -> f64 {
        let add =
            |sum, &(term, value): &(u32, f32)| sum + self.weights[term as usize] * f64::from(value);
        terms.iter().fold(self.bias, add)
    }

    fn add(&mut self, terms: &[(u32, f32)], step: f64) {
        self.bias += step;
        for &(term, value) in terms {
            self.weights[term as usize] += step * f64::from(value);
        }
    }
}

/// An example with its weight in the dual.
struct Support<'a> {
    terms: &'a [(u32, f32)],
    sign: f64,
    alpha: f64,
    /// How fast the slope changes with `alpha`.
    bend: f64,
}

impl<'a> Support<'a> {
    fn of(example: &Example<'a>, n_terms: usize, slack: f64) -> Support<'a> {
        let terms = known(example.terms, n_terms);
        let squares: f64 = terms.iter().map(|(_, value)| square(*value)).sum();
        Support {
            terms,
            sign: example.sign(),
            alpha: 0.0,
            bend: 1.0 + squares + slack,
        }
    }
}

/// What each unit of α adds to its own slope: 1/2C.
pub(super) fn slack(cost: f32) -> f64 {
    0.5 / f64::from(cost)
}

/// The terms there is room for.
fn known(terms: &[(u32, f32)], n_terms: usize) -> &[(u32, f32)] {
    &terms[..terms.partition_point(|(term, _)| (*term as usize) < n_terms)]
}

/// Examples must be in order and finite.
pub(super) fn fit(examples: &[Example<'_>], n_terms: usize, settings: Settings) -> Fit {
    let slack = slack(settings.cost);
    let mut supports: Vec<Support<'_>> = examples
        .iter()
        .map(|example| Support::of(example, n_terms, slack))
        .collect();
    let mut fit = Fit {
        weights: vec![0.0; n_terms],
        bias: 0.0,
    };
    let mut state = settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    state = state.max(1);

    // Examples far outside the margin are set aside, behind the active ones,
    // until those have settled; then all are looked at once more.
    let mut n_active = supports.len();
    let mut limit = f64::INFINITY;
    for _ in 0..settings.n_rounds {
        shuffle(&mut supports[..n_active], &mut state);
        let round = round(&mut fit, &mut supports, &mut n_active, slack, limit);
        if round.most - round.least > settings.tolerance {
            limit = if round.most > 0.0 {
                round.most
            } else {
                f64::INFINITY
            };
        } else if n_active == supports.len() {
            break;
        } else {
            n_active = supports.len();
            limit = f64::INFINITY;
        }
    }
    fit
}

/// The steepest slopes that were met, up and down.
struct Round {
    most: f64,
    least: f64,
}

fn round(
    fit: &mut Fit,
    supports: &mut [Support<'_>],
    n_active: &mut usize,
    slack: f64,
    limit: f64,
) -> Round {
    let mut round = Round {
        most: f64::NEG_INFINITY,
        least: f64::INFINITY,
    };
    let mut at = 0;
    while at < *n_active {
        let support = &mut supports[at];
        let slope = support.sign * fit.margin(support.terms) - 1.0 + slack * support.alpha;
        let is_at_zero = support.alpha == 0.0;
        if is_at_zero && slope > limit {
            *n_active -= 1;
            supports.swap(at, *n_active);
            continue;
        }
        // At zero there is no way down a rising slope.
        let downhill = if is_at_zero { slope.min(0.0) } else { slope };
        round.most = round.most.max(downhill);
        round.least = round.least.min(downhill);
        if downhill.abs() > 1e-12 {
            let alpha = (support.alpha - slope / support.bend).max(0.0);
            fit.add(support.terms, (alpha - support.alpha) * support.sign);
            support.alpha = alpha;
        }
        at += 1;
    }
    round
}
