//! What the 2006 paper claims of its strategies, held against an experiment.

use super::Group;
use crate::measure::Report;
use crate::plot::Estimate;
use serde::Serialize;

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// By more than two standard errors.
    Holds,
    /// As far as the means tell, but within two standard errors.
    HoldsBarely,
    /// The other way round.
    DoesNotHold,
}

impl Verdict {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsBarely => "holds, within the error",
            Verdict::DoesNotHold => "does not hold",
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

type Measure = fn(&Report) -> Option<f64>;

const COVERAGE: (&str, Measure) = ("geo-coverage", |report| report.geo_coverage);
const FOCUS: (&str, Measure) = ("geo-focus", |report| report.geo_focus);
const CENTRALITY: (&str, Measure) = ("geo-centrality", |report| report.geo_centrality);
const UNIQUE: (&str, Measure) = ("unique entities", |report| report.unique_entities);
const OVERHEAD: (&str, Measure) = ("URLs exchanged", |report| report.communication_overhead);

/// Claims that one strategy has more of something than another.
const ORDERINGS: [((&str, Measure), &str, &str); 22] = [
    (COVERAGE, "url", "content"),
    (COVERAGE, "anchor", "content"),
    (COVERAGE, "content", "ip"),
    (COVERAGE, "content", "classifier"),
    (COVERAGE, "ip", "hash"),
    (COVERAGE, "classifier", "hash"),
    (FOCUS, "url", "content"),
    (FOCUS, "anchor", "content"),
    (FOCUS, "content", "ip"),
    (FOCUS, "content", "classifier"),
    (CENTRALITY, "url", "content"),
    (CENTRALITY, "anchor", "content"),
    (CENTRALITY, "content", "ip"),
    (CENTRALITY, "content", "classifier"),
    (CENTRALITY, "ip", "hash"),
    (CENTRALITY, "classifier", "hash"),
    (UNIQUE, "hash", "url"),
    (UNIQUE, "hash", "anchor"),
    (UNIQUE, "ip", "url"),
    (UNIQUE, "ip", "anchor"),
    (OVERHEAD, "url", "hash"),
    (OVERHEAD, "anchor", "hash"),
];

/// Every claim about strategies that are among the groups.
pub(super) fn judge(groups: &[Group]) -> Vec<Claim> {
    let find = |assign: &str| groups.iter().find(|group| group.assign == assign);
    let mut claims = Vec::new();
    for ((what, measure), more, less) in ORDERINGS {
        let mean = |assign| find(assign).and_then(|group| group.mean(measure));
        if let (Some(a), Some(b)) = (mean(more), mean(less)) {
            claims.push(Claim {
                claim: format!("{more} has more {what} than {less}"),
                verdict: compare(a, b),
                by: format!("{} against {}", write(a), write(b)),
            });
        }
    }
    let coverage = |assign| find(assign).and_then(|group| group.mean(COVERAGE.1));
    for leader in ["url", "anchor", "content"] {
        if let (Some(a), Some(b)) = (coverage(leader), coverage("hash"))
            && b.mean > 0.0
        {
            let factor = a.mean / b.mean;
            claims.push(Claim {
                claim: format!("{leader} beats hash on geo-coverage by a factor of 3 to 8"),
                verdict: match (3.0..=8.0).contains(&factor) {
                    true => Verdict::Holds,
                    false => Verdict::DoesNotHold,
                },
                by: format!("a factor of {factor:.1}"),
            });
        }
    }
    claims
}

fn compare(more: Estimate, less: Estimate) -> Verdict {
    let error = |estimate: Estimate| estimate.error.unwrap_or(0.0).powi(2);
    let margin = 2.0 * (error(more) + error(less)).sqrt();
    match more.mean - less.mean {
        difference if difference <= 0.0 => Verdict::DoesNotHold,
        difference if difference > margin => Verdict::Holds,
        _ => Verdict::HoldsBarely,
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
        let less = estimate(1.0, 0.1);
        assert_eq!(compare(estimate(2.0, 0.1), less), Verdict::Holds);
        assert_eq!(compare(estimate(1.1, 0.1), less), Verdict::HoldsBarely);
        assert_eq!(compare(estimate(0.9, 0.1), less), Verdict::DoesNotHold);
    }

    #[test]
    fn estimates_are_written_with_what_counts() {
        assert_eq!(write(estimate(0.07249, 0.0012)), "0.0725 ± 0.0012");
        assert_eq!(write(Estimate::exact(13.888)), "13.9");
    }
}
