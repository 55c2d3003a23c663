//! Means and ratios of a population, from pages drawn without putting back.

use super::report::Mean;

/// Values of drawn pages, as far as a mean and its error need them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Values {
    n: u64,
    sum: f64,
    sum_of_squares: f64,
}

impl Values {
    pub(super) fn add(&mut self, value: f64) {
        self.n += 1;
        self.sum += value;
        self.sum_of_squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n as f64
    }

    /// Sum of squared distances from the mean ÷ (n − 1).
    fn variance(&self) -> Option<f64> {
        let n = self.n as f64;
        let spread = self.sum_of_squares - self.sum * self.mean();
        (self.n > 1).then(|| spread.max(0.0) / (n - 1.0))
    }

    /// The mean of a population of which this share was drawn.
    pub(super) fn estimate(&self, share_drawn: f64) -> Mean {
        if self.n == 0 {
            return Mean::default();
        }
        let left = (1.0 - share_drawn).max(0.0);
        let error = |variance: f64| (left * variance / self.n as f64).sqrt();
        Mean {
            value: Some(self.mean()),
            error: self.variance().map(error),
        }
    }

    /// Standard error of the sum over a population of this size.
    pub(super) fn error_of_total(&self, n_population: u64) -> Option<f64> {
        let share_drawn = self.n as f64 / n_population as f64;
        let mean = self.estimate(share_drawn);
        mean.error.map(|error| error * n_population as f64)
    }
}

impl FromIterator<f64> for Values {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Values {
        let mut all = Values::default();
        for value in values {
            all.add(value);
        }
        all
    }
}
