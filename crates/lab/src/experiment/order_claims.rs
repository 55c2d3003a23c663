//! What is claimed of orders, held against an experiment: by the 2009 paper on
//! adaptive geospatial focus, and by us of our own.
//!
//! A claim is judged where the orders that it names were run.

use super::claims::{compare, paired, write};
use super::ordering::OrderSpec;
use super::{Claim, Group, Verdict};
use crate::measure::Report;
use crate::plot::Estimate;

/// Harvest rates that the paper found, after 1,000,000 pages.
const PUBLISHED: [(&str, f64); 3] = [("breadth", 0.04), ("distance", 0.055), ("adaptive", 0.12)];

/// Orders of which one finds more than another, all along.
const ALL_ALONG: [(&str, &str); 3] = [
    ("adaptive", "distance"),
    ("distance", "breadth"),
    ("adaptive", "breadth"),
];

/// Our own orders, and what they find more than at the end.
const OURS: [(&str, &str); 2] = [("focus", "adaptive"), ("focus", "georank")];

/// How many times as much as breadth first: the paper's by its figures, with
/// room for another web, and ours.
const FACTORS: [(&str, f64); 2] = [("adaptive", 2.5), ("focus", 4.0)];

/// When it is looked at beside the end, in hundredths of the pages.
const ON_THE_WAY: [u64; 3] = [25, 50, 75];

/// Training pages of the paper, and those that bring no more.
const TRAINING: (u64, u64) = (30_000, 100_000);

/// Steps of the paper's model; fewer are worse.
const STEPS: u32 = 3;

/// Harvest rates that differ by less count as equal.
const ALIKE: f64 = 0.05;

/// Every claim about orders that are among the groups, for each way to assign
/// links. `pages` is what each trial was to fetch.
pub(super) fn judge(groups: &[Group], orders: &[OrderSpec], pages: u64) -> Vec<Claim> {
    let mut assigns: Vec<&str> = groups.iter().map(|group| group.assign.as_str()).collect();
    assigns.sort_unstable();
    assigns.dedup();
    let judge = |assign: &&str| {
        let field = Field {
            groups,
            orders,
            assign,
            pages,
            suffix: match assigns.len() {
                1 => String::new(),
                _ => format!(", assigned by `{assign}`"),
            },
        };
        field.judge()
    };
    assigns.iter().flat_map(judge).collect()
}

/// The orders that ran with one way to assign links.
struct Field<'a> {
    groups: &'a [Group],
    orders: &'a [OrderSpec],
    assign: &'a str,
    pages: u64,
    suffix: String,
}

impl Field<'_> {
    fn judge(&self) -> Vec<Claim> {
        let mut claims = Vec::new();
        for (more, less) in ALL_ALONG {
            claims.extend(self.more_at_the_end(more, less));
            let share = ON_THE_WAY.iter();
            claims.extend(share.filter_map(|share| self.more_on_the_way(more, less, *share)));
        }
        for steps in (2..=STEPS).rev() {
            claims.extend(self.deeper_is_better(steps));
        }
        claims.extend(self.training_is_enough());
        let factors = FACTORS.iter();
        claims.extend(factors.filter_map(|(order, factor)| self.times_breadth(order, *factor)));
        let ours = OURS.iter();
        claims.extend(ours.filter_map(|(more, less)| self.more_at_the_end(more, less)));
        claims
    }

    /// The trials of an order as the paper has it, or as it comes.
    fn usual(&self, name: &str) -> Option<&Group> {
        self.variant(name, STEPS, TRAINING.0)
    }

    fn variant(&self, name: &str, steps: u32, train_pages: u64) -> Option<&Group> {
        let is_meant = |spec: &&OrderSpec| {
            spec.name == name
                && spec.steps.unwrap_or(STEPS) == steps
                && spec.train_pages.unwrap_or(TRAINING.0) == train_pages
                && spec.decay.is_none()
        };
        let label = self.orders.iter().find(is_meant)?.label();
        let mut groups = self.groups.iter();
        groups.find(|group| group.assign == self.assign && group.order == label)
    }

    fn more_at_the_end(&self, more: &str, less: &str) -> Option<Claim> {
        let what = format!("{more} harvests more than {less}{}", self.suffix);
        let mut claim = ordering(what, self.usual(more)?, self.usual(less)?, |report| {
            report.harvest_rate
        })?;
        if let (Some(more), Some(less)) = (published(more), published(less)) {
            let beside = format!(" (published {more} against {less})");
            claim.by.push_str(&beside);
        }
        Some(claim)
    }

    fn more_on_the_way(&self, more: &str, less: &str, share: u64) -> Option<Claim> {
        let pages = (self.pages * share).div_ceil(100);
        let what = format!(
            "{more} harvests more than {less} after {share} % of the pages{}",
            self.suffix
        );
        let at = |report: &Report| harvest_at(report, pages);
        ordering(what, self.usual(more)?, self.usual(less)?, at)
    }

    fn deeper_is_better(&self, steps: u32) -> Option<Claim> {
        let variant = |steps| self.variant("adaptive", steps, TRAINING.0);
        let what = format!(
            "adaptive with {steps} steps harvests more than with {}{}",
            steps - 1,
            self.suffix
        );
        ordering(what, variant(steps)?, variant(steps - 1)?, |report| {
            report.harvest_rate
        })
    }

    fn training_is_enough(&self) -> Option<Claim> {
        let (usual, longer) = TRAINING;
        let one = self.variant("adaptive", STEPS, usual)?;
        let other = self.variant("adaptive", STEPS, longer)?;
        let harvest = |report: &Report| report.harvest_rate;
        let difference = paired(one, other, harvest, |a, b| a - b)?;
        let (usual_rate, longer_rate) = (one.mean(harvest)?, other.mean(harvest)?);
        Some(Claim {
            claim: format!(
                "adaptive harvests as much after {usual} training pages as after {longer}{}",
                self.suffix
            ),
            verdict: alike(difference, longer_rate.mean),
            by: format!("{} against {}", write(usual_rate), write(longer_rate)),
        })
    }

    fn times_breadth(&self, order: &str, factor: f64) -> Option<Claim> {
        let breadth = self.usual("breadth")?;
        let ratio = paired(
            self.usual(order)?,
            breadth,
            |report| report.harvest_rate,
            |a, b| a / b,
        )?;
        let theirs = published(order).zip(published("breadth"));
        let beside = theirs.map_or_else(String::new, |(order, breadth)| {
            format!(" (published {:.1})", order / breadth)
        });
        Some(Claim {
            claim: format!(
                "{order} harvests at least {factor} times as much as breadth{}",
                self.suffix
            ),
            verdict: match compare(over(ratio, factor)) {
                // Exactly as much is enough.
                _ if ratio.mean == factor && ratio.error.is_some() => Verdict::HoldsBarely,
                verdict => verdict,
            },
            by: format!("a factor of {}{beside}", write(ratio)),
        })
    }
}

fn published(order: &str) -> Option<f64> {
    let mut rates = PUBLISHED.iter();
    rates
        .find(|(name, _)| *name == order)
        .map(|(_, rate)| *rate)
}

/// Relevant pages among the first so many.
fn harvest_at(report: &Report, pages: u64) -> Option<f64> {
    let mut curve = report.harvest_curve.iter();
    let point = curve.find(|point| point.pages >= pages)?;
    Some(point.geo_pages as f64 / point.pages as f64)
}

fn ordering(
    claim: String,
    more: &Group,
    less: &Group,
    number: impl Fn(&Report) -> Option<f64>,
) -> Option<Claim> {
    let difference = paired(more, less, &number, |a, b| a - b)?;
    Some(Claim {
        claim,
        verdict: compare(difference),
        by: format!(
            "{} against {}",
            write(more.mean(&number)?),
            write(less.mean(&number)?)
        ),
    })
}

fn over(estimate: Estimate, threshold: f64) -> Estimate {
    Estimate {
        mean: estimate.mean - threshold,
        ..estimate
    }
}

/// Whether a difference is nothing beside what it is a difference of.
fn alike(difference: Estimate, whole: f64) -> Verdict {
    match difference.error {
        None => Verdict::Undecided,
        Some(_) if difference.mean.abs() < ALIKE * whole => Verdict::Holds,
        Some(error) if difference.mean.abs() <= 2.0 * error => Verdict::HoldsBarely,
        Some(_) => Verdict::DoesNotHold,
    }
}

#[cfg(test)]
mod tests;
