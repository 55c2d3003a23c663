//! Spearman's rank correlation: do two quantities rise together?
//!
//! Ties share their mean rank. The probability is that of Student's t, as in
//! SciPy's `spearmanr`; with fewer than about ten pairs it is rough.

use crate::student;

/// How two quantities go together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// From −1, each falls as the other rises, to 1, both rise together.
    pub rho: f64,
    /// Probability of a correlation at least as strong, either way, if the
    /// two had nothing to do with each other.
    pub p: f64,
}

/// The rank correlation of pairs. None for fewer than three, for slices of
/// different lengths, if either quantity never changes or is not a number.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<Correlation> {
    let is_usable = |values: &[f64]| values.len() > 2 && !values.iter().any(|x| x.is_nan());
    if a.len() != b.len() || !is_usable(a) || !is_usable(b) {
        return None;
    }
    let rho = pearson(&ranks(a), &ranks(b))?;
    let df = (a.len() - 2) as f64;
    let t = rho * (df / ((1.0 + rho) * (1.0 - rho))).sqrt();
    let p = student::two_sided(t, df);
    Some(Correlation { rho, p })
}

/// Ranks from zero up; those of equal values are their mean.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Minus zero and zero are the same to a reader: by value, not `total_cmp`.
    let compare = |x: &usize, y: &usize| {
        let ordering = values[*x].partial_cmp(&values[*y]);
        ordering.unwrap_or(std::cmp::Ordering::Equal)
    };
    order.sort_by(compare);
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for tied in order.chunk_by(|x, y| values[*x] == values[*y]) {
        for &at in tied {
            ranks[at] = first as f64 + (tied.len() - 1) as f64 / 2.0;
        }
        first += tied.len();
    }
    ranks
}

fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut squares_a, mut squares_b, mut products) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x - mean_a, y - mean_b);
        squares_a += x * x;
        squares_b += y * y;
        products += x * y;
    }
    let spread = (squares_a * squares_b).sqrt();
    (spread > 0.0).then(|| (products / spread).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rho(a: &[f64], b: &[f64]) -> Option<f64> {
        spearman(a, b).map(|correlation| correlation.rho)
    }

    #[test]
    fn ranks_decide_and_ties_share_theirs() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 0.0]), [2.5, 1.0, 2.5, 0.0]);
        assert_eq!(ranks(&[0.0, -0.0]), [0.5, 0.5]);
        let both = spearman(&[1.0, 2.0, 9.0], &[10.0, 20.0, 21.0]);
        assert_eq!(both, Some(Correlation { rho: 1.0, p: 0.0 }));
        assert_eq!(
            rho(&[1.0, 2.0, 9.0], &[3.0, 2.0, f64::NEG_INFINITY]),
            Some(-1.0)
        );
    }

    #[test]
    fn what_has_no_correlation_has_none() {
        assert_eq!(rho(&[], &[]), None);
        assert_eq!(rho(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(rho(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(rho(&[1.0, f64::NAN, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(rho(&[1.0, 2.0, 3.0], &[1.0, 2.0]), None);
    }

    proptest! {
        #[test]
        fn any_numbers_give_a_correlation_or_none(
            pairs in prop::collection::vec((any::<f64>(), -2_i8..3), 0..40),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.into_iter().map(|(a, b)| (a, f64::from(b))).unzip();
            if let Some(Correlation { rho, p }) = spearman(&a, &b) {
                prop_assert!((-1.0..=1.0).contains(&rho));
                prop_assert!((0.0..=1.0).contains(&p));
            }
        }
    }
}
