//! Grows branches, and prunes them on the way back.
//!
//! The rows stand in one order for each attribute, sorted once. A node is a
//! stretch of all these orders; splitting it puts the rows of either side
//! together in each, in the order they had.

use super::regression::{self, Fit, Linear, corrected};
use super::split::{self, Split, mean_and_deviation};
use super::{MAX_DEPTH, Settings};
use std::ops::Range;

/// A node, its model, and what is below it.
pub(super) struct Branch {
    pub(super) n_rows: usize,
    pub(super) linear: Linear,
    pub(super) fork: Option<Fork>,
    /// Mean absolute error of the whole branch, and what it is made of.
    error: f64,
    n_parameters: usize,
    /// Attributes that were tested here or below, pruned since or not.
    tested: Vec<bool>,
}

pub(super) struct Fork {
    pub(super) attribute: usize,
    pub(super) threshold: f64,
    pub(super) low: Box<Branch>,
    pub(super) high: Box<Branch>,
}

struct Grower<'a> {
    columns: Vec<Vec<f64>>,
    targets: &'a [f64],
    settings: Settings,
    /// Positions of rows, sorted by each attribute; the last one as they came.
    orders: Vec<Vec<u32>>,
    /// Whether a row goes to the low side of the split at hand.
    is_low: Vec<bool>,
    /// Standard deviation of all targets.
    deviation: f64,
}

/// The root of a tree. Rows must be of one length and finite, and there must
/// be some.
pub(super) fn grow<R: AsRef<[f64]>>(rows: &[R], targets: &[f64], settings: Settings) -> Branch {
    let n_attributes = rows.first().map_or(0, |row| row.as_ref().len());
    let column = |attribute| rows.iter().map(|row| row.as_ref()[attribute]).collect();
    let columns: Vec<Vec<f64>> = (0..n_attributes).map(column).collect();
    let as_they_came: Vec<u32> = (0..rows.len() as u32).collect();
    let sorted = |column: &Vec<f64>| {
        let mut order = as_they_came.clone();
        order.sort_by(|one, other| column[*one as usize].total_cmp(&column[*other as usize]));
        order
    };
    let mut orders: Vec<Vec<u32>> = columns.iter().map(sorted).collect();
    orders.push(as_they_came);
    let mut grower = Grower {
        columns,
        targets,
        settings,
        orders,
        is_low: vec![false; rows.len()],
        deviation: mean_and_deviation(targets.iter().copied()).1,
    };
    grower.branch(0..rows.len(), 0)
}

impl Grower<'_> {
    fn branch(&mut self, range: Range<usize>, depth: usize) -> Branch {
        let n_rows = range.len();
        let mut tested = vec![false; self.columns.len()];
        let fork = match self.split(range.clone()) {
            Some(split) if depth < MAX_DEPTH => {
                let n_low = self.divide(range.clone(), &split);
                let middle = range.start + n_low;
                let low = self.branch(range.start..middle, depth + 1);
                let high = self.branch(middle..range.end, depth + 1);
                let below = low.tested.iter().zip(&high.tested);
                for (tested, (low, high)) in tested.iter_mut().zip(below) {
                    *tested = *low || *high;
                }
                tested[split.attribute] = true;
                Some(Fork {
                    attribute: split.attribute,
                    threshold: split.threshold,
                    low: Box::new(low),
                    high: Box::new(high),
                })
            }
            _ => None,
        };
        let Fit { linear, error } = self.fit(range, &tested);
        let mut branch = Branch {
            n_rows,
            n_parameters: linear.factors.len() + 1,
            linear,
            error,
            fork: None,
            tested,
        };
        if let Some(fork) = fork {
            branch.fork_unless_pruned(fork, &self.settings, self.blur());
        }
        branch
    }

    /// The best split of a node, if it should be split at all.
    fn split(&self, range: Range<usize>) -> Option<Split> {
        if range.len() < self.settings.min_rows.max(2) {
            return None;
        }
        let targets = self.rows(range.clone()).iter();
        let (mean, deviation) = mean_and_deviation(targets.map(|row| self.targets[*row as usize]));
        if deviation < self.settings.min_deviation * self.deviation {
            return None;
        }
        let mut best: Option<Split> = None;
        for (attribute, column) in self.columns.iter().enumerate() {
            let row = |row: &u32| {
                let row = *row as usize;
                (column[row], self.targets[row] - mean)
            };
            let rows = self.orders[attribute][range.clone()].iter().map(row);
            let found = split::best(attribute, rows, self.settings.min_rows / 2);
            let reduction = best.map_or(0.0, |best| best.reduction);
            best = found.filter(|found| found.reduction > reduction).or(best);
        }
        best
    }

    /// Puts the low rows of a stretch before the high ones, in all orders;
    /// says how many are low.
    fn divide(&mut self, range: Range<usize>, split: &Split) -> usize {
        let column = &self.columns[split.attribute];
        let mut n_low = 0;
        for &row in &self.orders[split.attribute][range.clone()] {
            let is_low = column[row as usize] <= split.threshold;
            self.is_low[row as usize] = is_low;
            n_low += usize::from(is_low);
        }
        let mut high = Vec::with_capacity(range.len() - n_low);
        for order in &mut self.orders {
            let stretch = &mut order[range.clone()];
            let mut at = 0;
            for from in 0..stretch.len() {
                let row = stretch[from];
                if self.is_low[row as usize] {
                    stretch[at] = row;
                    at += 1;
                } else {
                    high.push(row);
                }
            }
            stretch[at..].copy_from_slice(&high);
            high.clear();
        }
        n_low
    }

    fn fit(&self, range: Range<usize>, tested: &[bool]) -> Fit {
        let attributes: Vec<usize> = (0..tested.len()).filter(|at| tested[*at]).collect();
        let rows = self.rows(range);
        regression::fit(&self.columns, self.targets, rows, &attributes, self.blur())
    }

    /// The rows of a stretch, as they came.
    fn rows(&self, range: Range<usize>) -> &[u32] {
        &self.orders[self.columns.len()][range]
    }

    /// Errors closer than this are the same: what rounding and the ridge leave.
    fn blur(&self) -> f64 {
        1e-8 * self.deviation
    }
}

impl Branch {
    /// Takes the fork if it is to be expected to err less, on rows not seen,
    /// than the model of the node itself. If both err the same, but for
    /// rounding, the model is simpler.
    fn fork_unless_pruned(&mut self, fork: Fork, settings: &Settings, blur: f64) {
        let sides = [&fork.low, &fork.high];
        let errors = sides.iter().map(|side| side.n_rows as f64 * side.error);
        let error = errors.sum::<f64>() / self.n_rows as f64;
        // The threshold is one more.
        let n_parameters = 1 + sides.iter().map(|side| side.n_parameters).sum::<usize>();
        let expected =
            |error, n_parameters| corrected(error, self.n_rows, n_parameters, settings.penalty);
        let forked = expected(error, n_parameters);
        if settings.prune && expected(self.error, self.n_parameters) <= forked + blur {
            return;
        }
        self.error = error;
        self.n_parameters = n_parameters;
        self.fork = Some(fork);
    }
}
