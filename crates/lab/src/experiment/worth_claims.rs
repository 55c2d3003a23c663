//! What the paper on utility-biased crawling claims, held against crawls for
//! the same topics: paired t-tests over topics, at the level of 5 %.

use super::claims::write;
use super::ordering::OrderSpec;
use super::worth::{Field, mean};
use super::{Claim, Group, Outcome, Verdict};
use crate::measure::Worth;
use learn::paired::{TTest, t_test};
use strategy::utility::Form;

/// Differences this likely by chance are none.
const LEVEL: f64 = 0.05;

/// How far from 70 % is still near it.
const NEAR: f64 = 0.1;

/// Sites of 10,000 pages in the paper, at least.
const SITES: f64 = 1_100.0;

/// A number of an outcome.
type Number = fn(&Outcome) -> Option<f64>;

const TOPICALITY: Number = |outcome| worth(outcome)?.average_topicality;
const STATUS: Number = |outcome| worth(outcome)?.average_status;
const LONG_TOPICALITY: Number = |outcome| outcome.long.as_ref()?.average_topicality;
const LONG_STATUS: Number = |outcome| outcome.long.as_ref()?.average_status;
const RELIABILITY: Number = |outcome| worth(outcome)?.reliability;

fn worth(outcome: &Outcome) -> Option<&Worth> {
    outcome.report.worth.as_ref()
}

/// Every claim whose variants were run.
pub(super) fn judge(groups: &[Group], orders: &[OrderSpec], pages: u64) -> Vec<Claim> {
    let field = Field::new(groups, orders);
    let mut claims = Vec::new();
    for (form, name) in [
        (Form::CobbDouglas, "Cobb-Douglas"),
        (Form::Linear, "linear"),
    ] {
        claims.extend(goes(
            &field,
            form,
            name,
            ("topicality rises", TOPICALITY, 1.0),
        ));
        claims.extend(goes(&field, form, name, ("status falls", STATUS, -1.0)));
    }
    claims.extend(half_is_near(&field));
    claims.extend(more(
        "α = 0.5 has more status than α = 1",
        (
            field.fixed(Form::CobbDouglas, 0.5),
            field.fixed(Form::CobbDouglas, 1.0),
        ),
        STATUS,
    ));
    for delta in [0.7, 0.8] {
        let pair = (
            field.adaptive("utility", delta),
            field.fixed(Form::CobbDouglas, 0.5),
        );
        claims.extend(more(
            &format!("δ = {delta} has more status than α = 0.5"),
            pair,
            STATUS,
        ));
        claims.extend(not_less(
            &format!("δ = {delta} is as topical as α = 0.5, or more"),
            pair,
            TOPICALITY,
        ));
    }
    claims.extend(against_in_links(&field, pages));
    claims.extend(sites(&field, pages));
    claims.extend(reliability(&field));
    claims.extend(pinned(&field));
    claims
}

/// Values of both for the topics and webs that both have.
fn pairs(one: &Group, other: &Group, number: Number) -> (Vec<f64>, Vec<f64>) {
    let pairs = one.outcomes.iter().filter_map(|a| {
        let mut others = other.outcomes.iter();
        let is_same = |b: &&Outcome| b.trial.seed == a.trial.seed && b.trial.topic == a.trial.topic;
        Some((number(a)?, number(others.find(is_same)?)?))
    });
    pairs.unzip()
}

fn difference(one: &Group, other: &Group, number: Number) -> (f64, Option<TTest>) {
    let (one, other) = pairs(one, other, number);
    let differences = one.iter().zip(&other).map(|(a, b)| a - b);
    let mean = differences.sum::<f64>() / one.len().max(1) as f64;
    (mean, t_test(&one, &other))
}

fn verdict(difference: f64, test: Option<TTest>) -> Verdict {
    match test {
        None => Verdict::Undecided,
        Some(test) if difference <= 0.0 => match test.p < LEVEL {
            true => Verdict::DoesNotHold,
            false => Verdict::DoesNotHoldBarely,
        },
        Some(test) if test.p < LEVEL => Verdict::Holds,
        Some(_) => Verdict::HoldsBarely,
    }
}

/// `p < 0.001`, `t(36) = 1.20, p = 0.240`
fn told(test: Option<TTest>) -> String {
    match test {
        None => "no test".to_owned(),
        Some(TTest { t, df, p }) if p < 0.001 => format!("t({df}) = {t:.1}, p < 0.001"),
        Some(TTest { t, df, p }) => format!("t({df}) = {t:.1}, p = {p:.3}"),
    }
}

fn beside(one: &Group, other: &Group, number: Number, test: Option<TTest>) -> Option<String> {
    let (one, other) = (mean(one, number)?, mean(other, number)?);
    Some(format!(
        "{} against {}; {}",
        write(one),
        write(other),
        told(test)
    ))
}

/// Of two ways to crawl, the first has more of something.
fn more(claim: &str, groups: (Option<&Group>, Option<&Group>), number: Number) -> Option<Claim> {
    let (one, other) = (groups.0?, groups.1?);
    let (gain, test) = difference(one, other, number);
    Some(Claim {
        claim: claim.to_owned(),
        verdict: verdict(gain, test),
        by: beside(one, other, number, test)?,
    })
}

/// The first has not less of something, as far as a test can tell.
fn not_less(
    claim: &str,
    groups: (Option<&Group>, Option<&Group>),
    number: Number,
) -> Option<Claim> {
    let (one, other) = (groups.0?, groups.1?);
    let (gain, test) = difference(one, other, number);
    Some(Claim {
        claim: claim.to_owned(),
        verdict: match test {
            None => Verdict::Undecided,
            Some(_) if gain >= 0.0 => Verdict::Holds,
            Some(test) if test.p >= LEVEL => Verdict::HoldsBarely,
            Some(_) => Verdict::DoesNotHold,
        },
        by: beside(one, other, number, test)?,
    })
}

/// Something goes up or down with every step of α.
fn goes(
    field: &Field<'_>,
    form: Form,
    name: &str,
    (what, number, sign): (&str, Number, f64),
) -> Option<Claim> {
    let alphas = field.alphas(form);
    let groups: Option<Vec<&Group>> = alphas
        .iter()
        .map(|alpha| field.fixed(form, *alpha))
        .collect();
    let groups = groups?;
    if groups.len() < 3 {
        return None;
    }
    let steps = groups.windows(2).map(|pair| {
        let (change, test) = difference(pair[1], pair[0], number);
        verdict(change * sign, test)
    });
    let steps: Vec<Verdict> = steps.collect();
    let means: Option<Vec<String>> = groups
        .iter()
        .map(|group| mean(group, number).map(write))
        .collect();
    let alphas: Vec<String> = alphas.iter().map(ToString::to_string).collect();
    let (alphas, means) = (alphas.join(", "), means?.join(", "));
    Some(Claim {
        claim: format!("{what} with α, {name}"),
        verdict: match () {
            () if steps.contains(&Verdict::DoesNotHold) => Verdict::DoesNotHold,
            () if steps.contains(&Verdict::DoesNotHoldBarely) => Verdict::DoesNotHoldBarely,
            () if steps.contains(&Verdict::Undecided) => Verdict::Undecided,
            () if steps.contains(&Verdict::HoldsBarely) => Verdict::HoldsBarely,
            () => Verdict::Holds,
        },
        by: format!("{means} for α = {alphas}; each step tested"),
    })
}

fn half_is_near(field: &Field<'_>) -> Option<Claim> {
    let ours = mean(field.fixed(Form::CobbDouglas, 0.5)?, TOPICALITY)?;
    Some(Claim {
        claim: "α = 0.5 stays near 70 % topical".into(),
        verdict: match (ours.mean - 0.7).abs() <= NEAR {
            true => Verdict::Holds,
            false => Verdict::DoesNotHold,
        },
        by: format!("{} (within {NEAR} counts as near)", write(ours)),
    })
}

/// The estimate of status beats counts of links found so far.
fn against_in_links(field: &Field<'_>, pages: u64) -> Vec<Claim> {
    let mut claims = Vec::new();
    for delta in field.deltas("inlinks") {
        let pair = (
            field.adaptive("utility", delta),
            field.adaptive("inlinks", delta),
        );
        let numbers = [
            (format!("after {pages} pages"), STATUS, TOPICALITY),
            ("after all".to_owned(), LONG_STATUS, LONG_TOPICALITY),
        ];
        for (when, status, topicality) in numbers {
            claims.extend(more(
                &format!("δ = {delta} has more status than in-links, {when}"),
                pair,
                status,
            ));
            claims.extend(not_less(
                &format!("δ = {delta} is as topical as in-links, {when}"),
                pair,
                topicality,
            ));
        }
    }
    claims
}

fn sites(field: &Field<'_>, pages: u64) -> Option<Claim> {
    let adaptive = field.adaptive("utility", 0.7)?;
    let ours = mean(adaptive, |outcome| Some(worth(outcome)?.sites as f64))?;
    let wanted = SITES * pages as f64 / 10_000.0;
    Some(Claim {
        claim: format!("δ = 0.7 visits more than {wanted:.0} sites in {pages} pages"),
        verdict: match ours.mean > wanted {
            true => Verdict::Holds,
            false => Verdict::DoesNotHold,
        },
        by: write(ours),
    })
}

fn reliability(field: &Field<'_>) -> Vec<Claim> {
    let adaptive = field.adaptive("utility", 0.7);
    let share = adaptive.and_then(|group| mean(group, RELIABILITY));
    let of_all = share.map(|share| Claim {
        claim: "of the sites of δ = 0.7, 70 to 80 % are in the directory".into(),
        verdict: match (0.7..=0.8).contains(&share.mean) {
            true => Verdict::Holds,
            false => Verdict::DoesNotHold,
        },
        by: write(share),
    });
    let against = more(
        "δ = 0.7 is more reliable than in-links",
        (adaptive, field.adaptive("inlinks", 0.7)),
        RELIABILITY,
    );
    of_all.into_iter().chain(against).collect()
}

/// A topicality that cannot be had drives α up.
fn pinned(field: &Field<'_>) -> Option<Claim> {
    let last = |outcome: &Outcome| Some(worth(outcome)?.alphas.first()?.last()?.alpha);
    let ours = mean(field.adaptive("utility", 0.9)?, last)?;
    Some(Claim {
        claim: "δ = 0.9 pins α near 1".into(),
        verdict: match ours.mean > 0.9 {
            true => Verdict::Holds,
            false => Verdict::DoesNotHold,
        },
        by: format!("α is {} at the end", write(ours)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcome;
    use super::*;
    use crate::measure::AlphaPoint;

    /// Trials of one variant: topicality and status for each topic.
    fn group(spec: &OrderSpec, values: &[(f64, f64)]) -> Group {
        let outcomes = values
            .iter()
            .enumerate()
            .map(|(nth, (topicality, status))| {
                let mut outcome = outcome();
                outcome.trial.topic = Some(format!("topic {nth}"));
                outcome.report.worth = Some(Worth {
                    average_topicality: Some(*topicality),
                    average_status: Some(*status),
                    sites: 1_500,
                    reliability: Some(0.75),
                    alphas: vec![vec![AlphaPoint {
                        pages: 1,
                        alpha: 0.95,
                    }]],
                    ..Worth::default()
                });
                outcome
            });
        Group {
            assign: "hash".into(),
            order: spec.label(),
            outcomes: outcomes.collect(),
        }
    }

    fn fixed(alpha: f64) -> OrderSpec {
        OrderSpec {
            elasticity: Some(alpha),
            ..OrderSpec::plain("utility")
        }
    }

    fn adaptive(name: &str, delta: f64) -> OrderSpec {
        OrderSpec {
            topicality: Some(delta),
            ..OrderSpec::plain(name)
        }
    }

    fn verdicts(variants: &[(OrderSpec, [(f64, f64); 3])]) -> Vec<String> {
        let orders: Vec<OrderSpec> = variants.iter().map(|(spec, _)| spec.clone()).collect();
        let groups: Vec<Group> = variants
            .iter()
            .map(|(spec, values)| group(spec, values))
            .collect();
        let claims = judge(&groups, &orders, 10_000);
        let lines = claims.iter();
        lines
            .map(|claim| format!("{}: {}", claim.claim, claim.verdict.name()))
            .collect()
    }

    #[test]
    fn claims_are_judged_by_paired_tests() {
        let values = |topicality: f64, status: f64| {
            [-0.01, 0.0, 0.011].map(|shift| (topicality + shift, status + 2.0 * shift))
        };
        let jumping = [(0.9, 2.0), (0.6, 3.9), (0.7, 2.2)];
        let told = verdicts(&[
            (fixed(0.0), values(0.1, 4.0)),
            (fixed(0.5), [(0.69, 2.5), (0.71, 2.7), (0.72, 2.6)]),
            (fixed(1.0), [(0.9, 2.0), (0.95, 2.1), (0.93, 2.4)]),
            (
                adaptive("utility", 0.7),
                [(0.72, 3.0), (0.73, 3.3), (0.71, 3.1)],
            ),
            (adaptive("utility", 0.8), jumping),
            (
                adaptive("inlinks", 0.7),
                [(0.75, 2.9), (0.76, 3.0), (0.73, 2.9)],
            ),
        ]);
        insta::assert_snapshot!(told.join("\n"), @r"
        topicality rises with α, Cobb-Douglas: holds
        status falls with α, Cobb-Douglas: holds, within the error
        α = 0.5 stays near 70 % topical: holds
        α = 0.5 has more status than α = 1: holds, within the error
        δ = 0.7 has more status than α = 0.5: holds
        δ = 0.7 is as topical as α = 0.5, or more: holds
        δ = 0.8 has more status than α = 0.5: holds, within the error
        δ = 0.8 is as topical as α = 0.5, or more: holds
        δ = 0.7 has more status than in-links, after 10000 pages: holds, within the error
        δ = 0.7 is as topical as in-links, after 10000 pages: does not hold
        δ = 0.7 visits more than 1100 sites in 10000 pages: holds
        of the sites of δ = 0.7, 70 to 80 % are in the directory: holds
        δ = 0.7 is more reliable than in-links: one seed cannot tell
        ");
    }

    #[test]
    fn one_topic_cannot_tell() {
        let spec = [fixed(0.5), fixed(1.0)];
        let groups = [
            group(&spec[0], &[(0.7, 3.0)]),
            group(&spec[1], &[(0.9, 2.0)]),
        ];
        let claims = judge(&groups, &spec, 10_000);
        let claim = claims
            .iter()
            .find(|claim| claim.claim.contains("more status"));
        assert_eq!(claim.unwrap().verdict, Verdict::Undecided);
    }
}
