//! Where to split: the threshold that reduces the standard deviation of the
//! targets most.

/// A threshold for one attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Split {
    pub(super) attribute: usize,
    pub(super) threshold: f64,
    /// sd(T) − Σ |Tᵢ|/|T| · sd(Tᵢ).
    pub(super) reduction: f64,
}

/// Count, sum and sum of squares of targets.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Tally {
    fn add(&mut self, target: f64) {
        self.n += 1.0;
        self.sum += target;
        self.squares += target * target;
    }

    fn less(self, other: Tally) -> Tally {
        Tally {
            n: self.n - other.n,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
        }
    }

    fn mean(self) -> f64 {
        self.sum / self.n
    }

    fn deviation(self) -> f64 {
        let mean = self.mean();
        // Rounding may leave less than nothing.
        (self.squares / self.n - mean * mean).max(0.0).sqrt()
    }
}

/// Mean and standard deviation, in two passes.
pub(super) fn mean_and_deviation(targets: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let mut all = Tally::default();
    targets.clone().for_each(|target| all.add(target));
    let mean = all.mean();
    let mut centred = Tally::default();
    targets.for_each(|target| centred.add(target - mean));
    (mean, centred.deviation())
}

/// The best threshold for one attribute, given the rows in its order as pairs
/// of value and target; none if there is no room for one. Targets are less
/// their mean, so that squares do not swallow what is small.
pub(super) fn best(
    attribute: usize,
    rows: impl Iterator<Item = (f64, f64)> + Clone,
    min_rows: usize,
) -> Option<Split> {
    let mut all = Tally::default();
    rows.clone().for_each(|(_, target)| all.add(target));
    let deviation = all.deviation();
    let min_rows = min_rows.max(1) as f64;

    let mut best: Option<Split> = None;
    let mut low = Tally::default();
    for ((value, target), (next, _)) in rows.clone().zip(rows.skip(1)) {
        low.add(target);
        let high = all.less(low);
        if value == next || low.n < min_rows || high.n < min_rows {
            continue;
        }
        let left = (low.n * low.deviation() + high.n * high.deviation()) / all.n;
        let reduction = deviation - left;
        if reduction > best.map_or(0.0, |best| best.reduction) {
            best = Some(Split {
                attribute,
                threshold: between(value, next),
                reduction,
            });
        }
    }
    best
}

/// Half-way, but never as much as the larger one.
fn between(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    if (low..high).contains(&middle) {
        middle
    } else {
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(rows: &[(f64, f64)]) -> Option<Split> {
        let (mean, _) = mean_and_deviation(rows.iter().map(|(_, target)| *target));
        let rows = rows.iter().map(|(value, target)| (*value, target - mean));
        best(0, rows, 2)
    }

    #[test]
    fn a_step_is_split_where_it_is() {
        let rows = [(1.0, 5.0), (2.0, 5.0), (4.0, 9.0), (5.0, 9.0), (6.0, 9.0)];
        let split = split(&rows).unwrap();
        assert_eq!(split.threshold, 3.0);
        // All of the deviation: √(6/25)·4.
        assert!((split.reduction - 4.0 * 0.24_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn large_targets_are_split_like_small_ones() {
        let rows = [(1.0, 0.0), (2.0, 0.0), (4.0, 1.0), (5.0, 1.0)];
        let far = rows.map(|(value, target)| (value, target + 1e9));
        assert_eq!(split(&rows), split(&far));
    }

    #[test]
    fn there_must_be_room() {
        assert_eq!(
            split(&[(1.0, 0.0), (1.0, 9.0), (1.0, 3.0), (1.0, 4.0)]),
            None
        );
        assert_eq!(split(&[(1.0, 0.0), (2.0, 9.0), (3.0, 3.0)]), None);
        assert_eq!(split(&[]), None);
        // Only behind the second.
        let rows = [(1.0, 0.0), (2.0, 7.0), (3.0, 7.0), (4.0, 7.0)];
        assert_eq!(split(&rows).unwrap().threshold, 2.5);
    }

    #[test]
    fn neighbours_have_a_threshold_between() {
        let next = 1.0_f64.next_up();
        assert_eq!(between(1.0, next), 1.0);
        assert_eq!(between(-1e308, 1e308), 0.0);
        assert_eq!(between(0.0, f64::from_bits(1)), 0.0);
    }
}
