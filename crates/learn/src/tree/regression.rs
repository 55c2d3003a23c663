//! A linear model of some rows, with no more attributes than earn their place.
//!
//! Least squares on attributes brought to mean zero and deviation one, with a
//! ridge so small that it only decides between attributes that say the same.
//! Then the attribute without which the expected error is least is dropped, as
//! long as the error does not rise ("Learning with continuous classes",
//! Quinlan, 1992).

use super::split::mean_and_deviation;

/// Against exactly collinear attributes.
const RIDGE: f64 = 1e-10;

/// Attributes that deviate by less would have factors beyond all measure.
const MIN_DEVIATION: f64 = 1e-100;

/// What is always added, and the factors of some attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Linear {
    pub(super) base: f64,
    pub(super) factors: Vec<(usize, f64)>,
}

/// A model and its mean absolute error.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) linear: Linear,
    pub(super) error: f64,
}

/// The error to expect on rows not seen, given that on those fitted with v
/// parameters: times (n + penalty·v) / (n − v).
pub(super) fn corrected(error: f64, n_rows: usize, n_parameters: usize, penalty: f64) -> f64 {
    if n_rows <= n_parameters {
        return f64::INFINITY;
    }
    let (n, v) = (n_rows as f64, n_parameters as f64);
    error * (n + penalty * v) / (n - v)
}

/// Rows of a node with attributes brought to a common measure, one row after
/// the other.
struct Standard {
    /// Attribute, mean, deviation.
    columns: Vec<(usize, f64, f64)>,
    values: Vec<f64>,
    /// Less their mean.
    targets: Vec<f64>,
    mean: f64,
    /// Mean products of columns with each other, row by row.
    products: Vec<f64>,
    /// Mean products of columns with targets.
    goals: Vec<f64>,
}

/// Fits rows, given by their positions, on these attributes. Errors that
/// differ by less than `blur` are the same.
pub(super) fn fit(
    columns: &[Vec<f64>],
    targets: &[f64],
    rows: &[u32],
    attributes: &[usize],
    blur: f64,
) -> Fit {
    let standard = Standard::of(columns, targets, rows, attributes);
    let mut kept: Vec<usize> = (0..standard.columns.len()).collect();
    let mut factors = standard.solve(&kept);
    let mut error = standard.error(&kept, &factors);
    while !kept.is_empty() {
        let without = |at: usize| {
            let mut kept = kept.clone();
            kept.remove(at);
            let factors = standard.solve(&kept);
            (standard.error(&kept, &factors), kept, factors)
        };
        let candidates = (0..kept.len()).map(without);
        let Some(best) = candidates.min_by(|one, other| one.0.total_cmp(&other.0)) else {
            break;
        };
        let expected = |error, n_kept| corrected(error, rows.len(), n_kept + 1, 1.0);
        if expected(best.0, best.1.len()) > expected(error, kept.len()) + blur {
            break;
        }
        (error, kept, factors) = best;
    }
    Fit {
        linear: standard.unscaled(&kept, &factors),
        error,
    }
}

impl Standard {
    fn of(columns: &[Vec<f64>], targets: &[f64], rows: &[u32], attributes: &[usize]) -> Standard {
        let of_rows = |column: &'_ [f64]| -> Vec<f64> {
            rows.iter().map(|row| column[*row as usize]).collect()
        };
        let mut targets = of_rows(targets);
        let (mean, _) = mean_and_deviation(targets.iter().copied());
        targets.iter_mut().for_each(|target| *target -= mean);

        let mut standard = Standard {
            columns: Vec::new(),
            values: Vec::new(),
            targets,
            mean,
            products: Vec::new(),
            goals: Vec::new(),
        };
        let mut scaled: Vec<Vec<f64>> = Vec::new();
        for &attribute in attributes {
            let mut column = of_rows(&columns[attribute]);
            let (mean, deviation) = mean_and_deviation(column.iter().copied());
            // All the same here, but for rounding.
            if deviation <= 1e-12 * mean.abs() || deviation < MIN_DEVIATION {
                continue;
            }
            let scale = |value: &mut f64| *value = (*value - mean) / deviation;
            column.iter_mut().for_each(scale);
            standard.columns.push((attribute, mean, deviation));
            scaled.push(column);
        }
        for at in 0..rows.len() {
            standard
                .values
                .extend(scaled.iter().map(|column| column[at]));
        }
        standard.multiply();
        standard
    }

    fn multiply(&mut self) {
        let width = self.columns.len();
        self.products = vec![0.0; width * width];
        self.goals = vec![0.0; width];
        let n = self.targets.len() as f64;
        // Nothing to multiply, and chunks of nothing are none.
        for (row, target) in self.values.chunks_exact(width.max(1)).zip(&self.targets) {
            for (one, value) in row.iter().enumerate() {
                self.goals[one] += value * target / n;
                for (other, product) in row[..=one].iter().zip(&mut self.products[one * width..]) {
                    *product += value * other / n;
                }
            }
        }
        for one in 0..width {
            for other in 0..one {
                self.products[other * width + one] = self.products[one * width + other];
            }
        }
    }

    /// Factors of the columns kept, by Cholesky's decomposition.
    fn solve(&self, kept: &[usize]) -> Vec<f64> {
        let (n, width) = (kept.len(), self.columns.len());
        let mut lower = vec![0.0; n * n];
        for (i, one) in kept.iter().enumerate() {
            for (j, other) in kept[..=i].iter().enumerate() {
                let ridge = if i == j { RIDGE } else { 0.0 };
                let known: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
                let rest = self.products[one * width + other] + ridge - known;
                lower[i * n + j] = if i == j {
                    rest.max(RIDGE).sqrt()
                } else {
                    rest / lower[j * n + j]
                };
            }
        }
        let mut factors: Vec<f64> = kept.iter().map(|one| self.goals[*one]).collect();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| lower[i * n + k] * factors[k]).sum();
            factors[i] = (factors[i] - known) / lower[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| lower[k * n + i] * factors[k]).sum();
            factors[i] = (factors[i] - known) / lower[i * n + i];
        }
        factors
    }

    fn error(&self, kept: &[usize], factors: &[f64]) -> f64 {
        let width = self.columns.len();
        let miss = |(at, target): (usize, &f64)| {
            let row = &self.values[at * width..][..width];
            let terms = kept.iter().zip(factors);
            let told: f64 = terms.map(|(column, factor)| row[*column] * factor).sum();
            (target - told).abs()
        };
        let n_rows = self.targets.len();
        let sum: f64 = self.targets.iter().enumerate().map(miss).sum();
        sum / n_rows as f64
    }

    /// The model in the attributes' own measure.
    fn unscaled(&self, kept: &[usize], factors: &[f64]) -> Linear {
        let mut linear = Linear {
            base: self.mean,
            factors: Vec::with_capacity(kept.len()),
        };
        for (column, factor) in kept.iter().zip(factors) {
            let (attribute, mean, deviation) = self.columns[*column];
            linear.base -= factor / deviation * mean;
            linear.factors.push((attribute, factor / deviation));
        }
        linear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit_all(columns: &[Vec<f64>], targets: &[f64]) -> Fit {
        let rows: Vec<u32> = (0..targets.len() as u32).collect();
        let attributes: Vec<usize> = (0..columns.len()).collect();
        fit(columns, targets, &rows, &attributes, 1e-8)
    }

    fn noise(n: usize, salt: u64) -> Vec<f64> {
        let mut order: Vec<f64> = (0..n).map(|nth| nth as f64 / n as f64).collect();
        crate::shuffle::shuffle(&mut order, &mut (salt * 77 + 5));
        order
    }

    #[test]
    fn what_says_nothing_is_dropped() {
        let x = noise(200, 1);
        let columns = [noise(200, 2), x.clone(), vec![3.0; 200], noise(200, 3)];
        let targets: Vec<f64> = x.iter().map(|x| 2.0 - 5.0 * x).collect();
        let fit = fit_all(&columns, &targets);
        let [(1, slope)] = fit.linear.factors[..] else {
            panic!("{fit:?}")
        };
        assert!((slope + 5.0).abs() < 1e-8, "{fit:?}");
        assert!((fit.linear.base - 2.0).abs() < 1e-8, "{fit:?}");
        assert!(fit.error < 1e-8, "{fit:?}");
    }

    #[test]
    fn of_two_that_say_the_same_one_is_kept() {
        let x = noise(100, 1);
        let columns = [x.clone(), x.iter().map(|x| 1e6 * x - 7.0).collect()];
        let targets: Vec<f64> = x.iter().map(|x| 4.0 * x).collect();
        let fit = fit_all(&columns, &targets);
        assert_eq!(fit.linear.factors.len(), 1, "{fit:?}");
        assert!(fit.error < 1e-6, "{fit:?}");
    }

    #[test]
    fn errors_are_corrected_for_parameters() {
        let fit = fit_all(&[], &[0.0, 1.0, 5.0]);
        assert_eq!((fit.linear.base, fit.error), (2.0, 2.0));
        assert_eq!(corrected(2.0, 3, 1, 1.0), 4.0);
        assert_eq!(corrected(2.0, 3, 1, 2.0), 5.0);
        assert_eq!(corrected(2.0, 3, 3, 1.0), f64::INFINITY);
        // A line through two points says nothing of a third.
        let line = fit_all(&[vec![1.0, 2.0]], &[1.0, 2.0]);
        assert_eq!(line.linear.factors, []);
    }
}
