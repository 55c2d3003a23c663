//! How good a list of pages is, by what each of them is worth.

use serde::Serialize;

/// Hits that are looked at.
pub(super) const N_HITS: usize = 10;

/// A page of this grade answers the query.
pub(super) const ANSWERS: u8 = 2;

/// Normalised discounted cumulative gain of the first ten hits: a page of grade
/// g is worth 2^g − 1, the n-th hit log₂(n + 1) times less (Burges and others,
/// *Learning to rank using gradient descent*, 2005). `best` are the grades of all
/// pages that could be found, in any order.
pub(super) fn ndcg(found: &[u8], best: &[u8]) -> f64 {
    let mut best = best.to_vec();
    best.sort_unstable_by(|a, b| b.cmp(a));
    match gain(&best) {
        0.0 => 0.0,
        most => gain(found) / most,
    }
}

fn gain(grades: &[u8]) -> f64 {
    let ranked = grades.iter().take(N_HITS).zip(2_u32..);
    let gains =
        ranked.map(|(&grade, rank)| (2_f64.powi(i32::from(grade)) - 1.0) / f64::from(rank).log2());
    // A sum of nothing would be −0.
    gains.fold(0.0, |sum, gain| sum + gain)
}

/// One over the position of the first page that answers; zero if none of the
/// first ten does.
pub(super) fn reciprocal_rank(found: &[u8]) -> f64 {
    let mut first = found.iter().take(N_HITS);
    let first = first.position(|&grade| grade >= ANSWERS);
    first.map_or(0.0, |position| 1.0 / (position as f64 + 1.0))
}

/// A mean over queries.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Mean {
    /// Queries.
    pub n: usize,
    /// Their mean; zero where there are none.
    pub mean: f64,
    /// Its standard error; none for fewer than two queries.
    pub error: Option<f64>,
}

impl FromIterator<f64> for Mean {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Mean {
        let values: Vec<f64> = values.into_iter().collect();
        let n = values.len() as f64;
        if values.is_empty() {
            return Mean::default();
        }
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Mean {
            n: values.len(),
            mean,
            error: (values.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt()),
        }
    }
}

impl Mean {
    /// The share of what is true.
    pub(super) fn of_true(values: impl IntoIterator<Item = bool>) -> Mean {
        let values = values.into_iter();
        values.map(|is_true| f64::from(u8::from(is_true))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(value: f64, by_hand: f64) {
        assert!((value - by_hand).abs() < 1e-4, "{value} is not {by_hand}");
    }

    #[test]
    fn gain_is_as_computed_by_hand() {
        about(ndcg(&[3, 2, 0], &[0, 2, 3]), 1.0);
        // 7/log2(3) + 3/log2(2) of 7/log2(2) + 3/log2(3)
        about(ndcg(&[2, 3], &[3, 2]), 0.83399);
        // 1/log2(4) of 7 + 1/log2(3)
        about(ndcg(&[0, 0, 1], &[3, 1]), 0.06552);
        about(ndcg(&[], &[3]), 0.0);
        about(ndcg(&[0], &[0]), 0.0);
        let late = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3];
        about(ndcg(&late, &[3]), 0.0);
    }

    #[test]
    fn rank_is_that_of_the_first_answer() {
        about(reciprocal_rank(&[0, 1, 2, 3]), 1.0 / 3.0);
        about(reciprocal_rank(&[3]), 1.0);
        about(reciprocal_rank(&[1, 1, 0]), 0.0);
    }

    #[test]
    fn means_know_their_error() {
        let mean: Mean = [1.0, 2.0, 3.0].into_iter().collect();
        about(mean.mean, 2.0);
        // Variance 1, of three.
        about(mean.error.unwrap(), 0.57735);
        assert_eq!(Mean::of_true([true]).error, None);
        assert_eq!(Mean::of_true([]), Mean::default());
    }
}
