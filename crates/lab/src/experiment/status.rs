//! Status locality as an experiment: tables, a figure, and what was published
//! of it, held against what came out.

use super::claims::{compare, write};
use super::measures::{Measure, Number};
use super::{Claim, Group, Table, Verdict};
use crate::measure::{Report, StatusPairs};
use crate::plot::{Axis, BarSeries, Bars, Estimate, Unit};
use crate::published::status as published;

/// Correlations this likely by chance are none.
const LEVEL: f64 = 0.05;

/// Where the other page of a pair is.
type Kind = fn(&crate::measure::StatusLocality) -> &[StatusPairs];

const ANYWHERE: Kind = |status| &status.anywhere;
const WITHIN: Kind = |status| &status.within;
const ACROSS: Kind = |status| &status.across;

fn pairs(report: &Report, kind: Kind, n_links: usize) -> Option<&StatusPairs> {
    kind(report.status_locality.as_ref()?).get(n_links - 1)
}

fn rho(report: &Report, kind: Kind, n_links: usize) -> Option<f64> {
    pairs(report, kind, n_links)?.rho
}

fn error(report: &Report, kind: Kind, n_links: usize) -> Option<f64> {
    pairs(report, kind, n_links)?.error()
}

fn random(report: &Report) -> Option<&StatusPairs> {
    Some(&report.status_locality.as_ref()?.random)
}

const fn measure(name: &'static str, title: &'static str, ours: Number, error: Number) -> Measure {
    Measure {
        name,
        title,
        ours,
        error,
        theirs: |_| None,
    }
}

macro_rules! correlation {
    ($name:literal, $title:literal, $kind:ident, $n_links:literal) => {
        measure(
            $name,
            $title,
            |report| rho(report, $kind, $n_links),
            |report| error(report, $kind, $n_links),
        )
    };
}

/// Spearman's ρ at every distance.
pub const STATUS_MEASURES: [Measure; 10] = [
    correlation!("status_locality_1", "One link away", ANYWHERE, 1),
    correlation!("status_locality_2", "Two links away", ANYWHERE, 2),
    correlation!("status_locality_3", "Three links away", ANYWHERE, 3),
    measure(
        "status_locality_random",
        "At random",
        |report| random(report)?.rho,
        |report| random(report)?.error(),
    ),
    correlation!(
        "status_locality_within_1",
        "One link away, within a domain",
        WITHIN,
        1
    ),
    correlation!(
        "status_locality_within_2",
        "Two links away, within a domain",
        WITHIN,
        2
    ),
    correlation!(
        "status_locality_within_3",
        "Three links away, within a domain",
        WITHIN,
        3
    ),
    correlation!(
        "status_locality_across_1",
        "One link away, across domains",
        ACROSS,
        1
    ),
    correlation!(
        "status_locality_across_2",
        "Two links away, across domains",
        ACROSS,
        2
    ),
    correlation!(
        "status_locality_across_3",
        "Three links away, across domains",
        ACROSS,
        3
    ),
];

/// Every correlation of a strategy, beside the published one.
pub(super) fn table(group: &Group, title: String) -> Table {
    let row = |measure: &Measure| {
        let outcomes = group.outcomes.iter();
        let values = outcomes.filter_map(|outcome| (measure.ours)(&outcome.report));
        let each: Vec<String> = values.map(|value| format!("{value:.3}")).collect();
        let estimate = group.estimate(measure);
        let theirs = published::by_name(measure.name);
        vec![
            measure.title.to_owned(),
            estimate.map_or_else(|| "–".to_owned(), write),
            each.join(", "),
            theirs.unwrap_or("–").to_owned(),
        ]
    };
    Table {
        title,
        header: ["Spearman's ρ of status", "mean", "of each web", "published"]
            .map(String::from)
            .to_vec(),
        rows: STATUS_MEASURES.iter().map(row).collect(),
    }
}

/// ρ by distance.
pub(super) fn figure(group: &Group) -> Bars {
    let of = |names: [&str; 4]| {
        let measures = names.map(|name| STATUS_MEASURES.iter().find(|one| one.name == name));
        let values = measures.map(|measure| group.estimate(measure?));
        values.to_vec()
    };
    let series = |name: &str, values: Vec<Option<Estimate>>| BarSeries {
        name: name.to_owned(),
        values,
    };
    let theirs = [
        Some(published::ONE_LINK),
        None,
        None,
        Some(published::RANDOM),
    ];
    Bars {
        title: "Status locality".into(),
        x: Axis::new("Spearman's ρ", Unit::Number),
        groups: ["one link", "two links", "three links", "at random"]
            .map(String::from)
            .to_vec(),
        series: vec![
            series(
                "anywhere",
                of([
                    "status_locality_1",
                    "status_locality_2",
                    "status_locality_3",
                    "status_locality_random",
                ]),
            ),
            series(
                "within a domain",
                of([
                    "status_locality_within_1",
                    "status_locality_within_2",
                    "status_locality_within_3",
                    "",
                ]),
            ),
            series(
                "across domains",
                of([
                    "status_locality_across_1",
                    "status_locality_across_2",
                    "status_locality_across_3",
                    "",
                ]),
            ),
            series(
                "published",
                theirs.map(|value| value.map(Estimate::exact)).to_vec(),
            ),
        ],
    }
}

/// The published claims, for every strategy.
pub(super) fn judge(groups: &[Group], name_of: impl Fn(&Group) -> String) -> Vec<Claim> {
    let mut claims = Vec::new();
    for group in groups {
        let suffix = match groups.len() {
            1 => String::new(),
            _ => format!(", {}", name_of(group)),
        };
        claims.extend(of_group(group, &suffix));
    }
    claims
}

fn of_group(group: &Group, suffix: &str) -> Vec<Claim> {
    let is_alike = |what: &str, kind: Kind, theirs: f64| {
        let ours = weighed(group, &[(1.0, kind, 1)])?;
        Some(Claim {
            claim: format!("pages one link away{what} are alike in status{suffix}"),
            verdict: compare(ours),
            by: format!("{} (published {theirs})", write(ours)),
        })
    };
    let falls = |what: &str, kind: Kind, share: f64, n_links: usize| {
        let near = weighed(group, &[(1.0, kind, 1)])?;
        let far = weighed(group, &[(1.0, kind, n_links)])?;
        let left = weighed(group, &[(1.0 - share, kind, 1), (-1.0, kind, n_links)])?;
        Some(Claim {
            claim: format!(
                "{n_links} links away{what} they are more than {:.0} % less so{suffix}",
                share * 100.0
            ),
            // What is not there cannot fall.
            verdict: match compare(near) {
                Verdict::Holds | Verdict::HoldsBarely => compare(left),
                other => other,
            },
            by: format!("{} against {}", write(far), write(near)),
        })
    };
    let claims = [
        is_alike("", ANYWHERE, published::ONE_LINK),
        falls("", ANYWHERE, published::FALL, 2),
        lower_still(group, suffix),
        at_random(group, suffix),
        is_alike(" in another domain", ACROSS, published::ONE_LINK_ACROSS),
        falls(" in another domain", ACROSS, published::FALL_ACROSS, 2),
        falls(" in another domain", ACROSS, published::FALL_ACROSS, 3),
    ];
    claims.into_iter().flatten().collect()
}

fn lower_still(group: &Group, suffix: &str) -> Option<Claim> {
    let [two, three] = [2, 3].map(|n_links| weighed(group, &[(1.0, ANYWHERE, n_links)]));
    let difference = weighed(group, &[(1.0, ANYWHERE, 2), (-1.0, ANYWHERE, 3)])?;
    Some(Claim {
        claim: format!("3 links away less than 2 links away{suffix}"),
        verdict: compare(difference),
        by: format!("{} against {}", write(three?), write(two?)),
    })
}

fn at_random(group: &Group, suffix: &str) -> Option<Claim> {
    let ours = group.estimate(&STATUS_MEASURES[3])?;
    let chances = group.outcomes.iter();
    let chances: Option<Vec<f64>> = chances.map(|outcome| random(&outcome.report)?.p).collect();
    let least = chances?.into_iter().fold(1.0, f64::min);
    Some(Claim {
        claim: format!("any two pages are not alike{suffix}"),
        // As the paper has it: not significant, on any web.
        verdict: match least >= LEVEL {
            true => Verdict::Holds,
            false => Verdict::DoesNotHold,
        },
        by: format!(
            "{}, p = {least:.3} or more (published {})",
            write(ours),
            published::RANDOM
        ),
    })
}

/// A sum of correlations of each web; the mean over webs, or for one alone
/// with the error of its sample.
fn weighed(group: &Group, terms: &[(f64, Kind, usize)]) -> Option<Estimate> {
    let sum = |report: &Report| {
        let terms = terms.iter();
        let values =
            terms.map(|(weight, kind, n_links)| Some(weight * rho(report, *kind, *n_links)?));
        values.sum::<Option<f64>>()
    };
    match group.outcomes.as_slice() {
        [only] => {
            let squares = terms.iter().map(|(weight, kind, n_links)| {
                Some((weight * error(&only.report, *kind, *n_links)?).powi(2))
            });
            Some(Estimate {
                mean: sum(&only.report)?,
                error: squares.sum::<Option<f64>>().map(f64::sqrt),
            })
        }
        _ => group.mean(sum),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcome;
    use super::*;
    use crate::measure::StatusLocality;

    fn group(webs: &[([f64; 3], [f64; 3], f64)]) -> Group {
        let pairs = |rho: f64| StatusPairs {
            rho: Some(rho),
            p: Some(if rho.abs() < 0.02 { 0.3 } else { 0.001 }),
            pairs: 8_000,
        };
        let outcomes = webs.iter().map(|(anywhere, across, random)| {
            let mut outcome = outcome();
            outcome.report.status_locality = Some(StatusLocality {
                anywhere: anywhere.map(pairs).to_vec(),
                within: anywhere.map(pairs).to_vec(),
                across: across.map(pairs).to_vec(),
                random: pairs(*random),
            });
            outcome
        });
        Group {
            assign: "hash".into(),
            order: "breadth".into(),
            outcomes: outcomes.collect(),
        }
    }

    fn verdicts(group: Group) -> Vec<&'static str> {
        let claims = judge(&[group], |_| String::new());
        claims.iter().map(|claim| claim.verdict.name()).collect()
    }

    #[test]
    fn what_was_published_holds_where_it_comes_out() {
        let paper = ([0.36, 0.15, 0.10], [0.17, 0.02, 0.02], -0.01);
        assert_eq!(verdicts(group(&[paper])), ["holds"; 7]);
        let other = ([0.34, 0.14, 0.09], [0.18, 0.03, 0.02], 0.01);
        assert_eq!(verdicts(group(&[paper, other])), ["holds"; 7]);
    }

    #[test]
    fn what_does_not_come_out_does_not_hold() {
        let flat = ([0.30, 0.29, 0.35], [-0.05, -0.10, -0.20], 0.2);
        assert_eq!(
            verdicts(group(&[flat])),
            [
                "holds",
                "does not hold",
                "does not hold",
                "does not hold",
                "does not hold",
                "does not hold",
                "does not hold"
            ]
        );
    }

    #[test]
    fn tables_have_what_was_published_beside() {
        let paper = ([0.36, 0.18, 0.10], [0.17, 0.05, 0.04], -0.01);
        let table = table(&group(&[paper]), "Status".into());
        let near = table.rows[0].join(" | ");
        insta::assert_snapshot!(near, @"One link away | 0.3600 ± 0.0100 | 0.360 | 0.36");
        assert!(figure(&group(&[paper])).render().contains("one link"));
    }
}
