//! Student's t-test on pairs: is one treatment better than another on the
//! same subjects?

use crate::student;

/// What a test says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// Mean of the differences in units of its standard error; positive if
    /// the first of each pair tends to be larger.
    pub t: f64,
    /// Degrees of freedom: pairs less one.
    pub df: usize,
    /// Probability of a difference at least as large, either way, if there
    /// were none.
    pub p: f64,
}

/// Tests the differences a − b, as SciPy's `ttest_rel` does. None for fewer
/// than two pairs, for slices of different lengths, if every pair is equal or
/// a number is not finite.
///
/// If all differences are the same but not zero, t is infinite and p zero.
pub fn t_test(a: &[f64], b: &[f64]) -> Option<TTest> {
    if a.len() != b.len() || a.len() < 2 {
        return None;
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let squares = differences
        .iter()
        .map(|difference| (difference - mean).powi(2));
    let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
    // 0/0 for equal pairs; infinities of the input come out as no number too.
    let t = mean / error;
    if t.is_nan() || !mean.is_finite() {
        return None;
    }
    let p = student::two_sided(t, n - 1.0);
    let df = differences.len() - 1;
    Some(TTest { t, df, p })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Differences 1, 2, 3: mean 2, standard error 1/√3, two degrees of
    /// freedom, for which the probability is 1 − t/√(2 + t²).
    #[test]
    fn three_pairs_by_hand() {
        let test = t_test(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0]).unwrap();
        let t = 2.0 * 3.0_f64.sqrt();
        assert!((test.t - t).abs() < 1e-12, "{test:?}");
        assert_eq!(test.df, 2);
        assert!((test.p - (1.0 - t / (2.0 + t * t).sqrt())).abs() < 1e-12);
        let other = t_test(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]).unwrap();
        assert_eq!((other.t, other.p), (-test.t, test.p));
    }

    #[test]
    fn what_cannot_be_tested_is_not() {
        assert_eq!(t_test(&[], &[]), None);
        assert_eq!(t_test(&[1.0], &[2.0]), None);
        assert_eq!(t_test(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(t_test(&[1.0, 2.0], &[1.0]), None);
        assert_eq!(t_test(&[1.0, f64::NAN], &[1.0, 2.0]), None);
        assert_eq!(t_test(&[1.0, f64::INFINITY], &[1.0, 2.0]), None);
        let always = t_test(&[2.0, 3.0], &[1.0, 2.0]).unwrap();
        assert_eq!((always.t, always.p), (f64::INFINITY, 0.0));
    }

    proptest! {
        #[test]
        fn any_numbers_give_a_test_or_none(
            pairs in prop::collection::vec((any::<f64>(), any::<f64>()), 0..20),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            if let Some(test) = t_test(&a, &b) {
                prop_assert!(!test.t.is_nan());
                prop_assert!((0.0..=1.0).contains(&test.p));
            }
        }
    }
}
