//! What the 2006 paper claims of its strategies, held against an experiment.

use super::Group;
use super::measures::{Number, by_name};
use crate::measure::Report;
use crate::plot::Estimate;
use crate::published;
use serde::Serialize;

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// By more than two standard errors.
    Holds,
    /// As far as the means tell, but within two standard errors.
    HoldsBarely,
    /// The other way round, by more than two standard errors.
    DoesNotHold,
    /// The other way round, but within two standard errors.
    DoesNotHoldBarely,
    /// One seed cannot tell.
    Undecided,
}

impl Verdict {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsBarely => "holds, within the error",
            Verdict::DoesNotHold => "does not hold",
            Verdict::DoesNotHoldBarely => "does not hold, within the error",
            Verdict::Undecided => "one seed cannot tell",
        }
    }
}

/// One claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// What is claimed.
    pub claim: String,
    /// Whether it holds here.
    pub verdict: Verdict,
    /// By how much: the numbers compared.
    pub by: String,
}

/// Claims that one strategy has more of something than another.
const ORDERINGS: [(&str, &str, &str); 22] = [
    ("geo_coverage", "url", "content"),
    ("geo_coverage", "anchor", "content"),
    ("geo_coverage", "content", "ip"),
    ("geo_coverage", "content", "classifier"),
    ("geo_coverage", "ip", "hash"),
    ("geo_coverage", "classifier", "hash"),
    ("geo_focus", "url", "content"),
    ("geo_focus", "anchor", "content"),
    ("geo_focus", "content", "ip"),
    ("geo_focus", "content", "classifier"),
    ("geo_centrality", "url", "content"),
    ("geo_centrality", "anchor", "content"),
    ("geo_centrality", "content", "ip"),
    ("geo_centrality", "content", "classifier"),
    ("geo_centrality", "ip", "hash"),
    ("geo_centrality", "classifier", "hash"),
    ("unique_entities", "hash", "url"),
    ("unique_entities", "hash", "anchor"),
    ("unique_entities", "ip", "url"),
    ("unique_entities", "ip", "anchor"),
    ("communication_overhead", "url", "hash"),
    ("communication_overhead", "anchor", "hash"),
];

/// Every claim about strategies that are among the groups, for each order.
pub(super) fn judge(groups: &[Group]) -> Vec<Claim> {
    let mut orders: Vec<&str> = groups.iter().map(|group| group.order.as_str()).collect();
    orders.sort_unstable();
    orders.dedup();
    let mut claims = Vec::new();
    for order in &orders {
        let find = |assign: &str| {
            let mut groups = groups.iter();
            groups.find(|group| group.assign == assign && group.order == *order)
        };
        let suffix = match orders.len() {
            1 => String::new(),
            _ => format!(", in `{order}` order"),
        };
        for (name, more, less) in ORDERINGS {
            if let (Some(measure), Some(more), Some(less)) = (by_name(name), find(more), find(less))
            {
                let title = measure.title.to_lowercase();
                let what = format!(
                    "{} has more {title} than {}{suffix}",
                    more.assign, less.assign
                );
                claims.extend(ordering(what, more, less, measure.ours));
            }
        }
        for leader in ["url", "anchor", "content"] {
            if let (Some(leader), Some(hash)) = (find(leader), find("hash")) {
                claims.extend(factor(leader, hash, &suffix));
            }
        }
    }
    claims
}

/// Both crawled the same worlds: what counts is the difference in each.
fn ordering(claim: String, more: &Group, less: &Group, number: Number) -> Option<Claim> {
    let difference = paired(more, less, number, |a, b| a - b)?;
    Some(Claim {
        claim,
        verdict: compare(difference),
        by: format!(
            "{} against {}",
            write(more.mean(number)?),
            write(less.mean(number)?)
        ),
    })
}

/// Geographic strategies beat hash by a factor of 3 to 8 (its own table: up to 9.2).
fn factor(leader: &Group, hash: &Group, suffix: &str) -> Option<Claim> {
    let factor = paired(leader, hash, |report| report.geo_coverage, |a, b| a / b)?;
    let paper = |assign: &str| published::by_name(assign).map(|paper| paper.geo_coverage);
    let theirs = paper(&leader.assign)? / paper("hash")?;
    let error = factor.error.unwrap_or(0.0);
    let is_between = factor.mean + 2.0 * error >= 3.0 && factor.mean - 2.0 * error <= 8.0;
    Some(Claim {
        claim: format!(
            "{} beats hash on geo-coverage by a factor of 3 to 8{suffix}",
            leader.assign
        ),
        verdict: match (factor.error, is_between) {
            (None, _) => Verdict::Undecided,
            (_, true) if (3.0..=8.0).contains(&factor.mean) => Verdict::Holds,
            (_, true) => Verdict::DoesNotHoldBarely,
            (_, false) => Verdict::DoesNotHold,
        },
        by: format!("a factor of {} (published {theirs:.1})", write(factor)),
    })
}

/// The mean over the seeds that both have, of what is made of both values.
pub(super) fn paired(
    one: &Group,
    other: &Group,
    number: impl Fn(&Report) -> Option<f64>,
    of: impl Fn(f64, f64) -> f64,
) -> Option<Estimate> {
    let values = one.outcomes.iter().filter_map(|a| {
        let mut others = other.outcomes.iter();
        let b = others.find(|b| b.trial.seed == a.trial.seed && b.trial.topic == a.trial.topic)?;
        Some(of(number(&a.report)?, number(&b.report)?))
    });
    let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    Estimate::of(&values)
}

/// Whether a difference that is claimed to be above 0 is.
pub(super) fn compare(difference: Estimate) -> Verdict {
    match difference.error {
        None => Verdict::Undecided,
        Some(error) if difference.mean > 2.0 * error => Verdict::Holds,
        Some(_) if difference.mean > 0.0 => Verdict::HoldsBarely,
        Some(error) if difference.mean > -2.0 * error => Verdict::DoesNotHoldBarely,
        Some(_) => Verdict::DoesNotHold,
    }
}

/// `0.0725 ± 0.0012`
pub(super) fn write(estimate: Estimate) -> String {
    let digits = match estimate.mean.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 4,
    };
    match estimate.error {
        Some(error) => format!("{:.digits$} ± {error:.digits$}", estimate.mean),
        None => format!("{:.digits$}", estimate.mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, error: f64) -> Estimate {
        Estimate {
            mean,
            error: Some(error),
        }
    }

    #[test]
    fn a_claim_holds_beyond_two_standard_errors() {
        assert_eq!(compare(estimate(1.0, 0.1)), Verdict::Holds);
        assert_eq!(compare(estimate(0.1, 0.1)), Verdict::HoldsBarely);
        assert_eq!(compare(estimate(-0.1, 0.1)), Verdict::DoesNotHoldBarely);
        assert_eq!(compare(estimate(-1.0, 0.1)), Verdict::DoesNotHold);
        assert_eq!(compare(estimate(0.0, 0.0)), Verdict::DoesNotHold);
        assert_eq!(compare(Estimate::exact(1.0)), Verdict::Undecided);
    }

    #[test]
    fn estimates_are_written_with_what_counts() {
        assert_eq!(write(estimate(0.07249, 0.0012)), "0.0725 ± 0.0012");
        assert_eq!(write(Estimate::exact(13.888)), "13.9");
    }
}
