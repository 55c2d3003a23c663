use super::*;
use crate::experiment::tests::bench;
use crate::experiment::{Outcome, Trial};
use crate::measure::HarvestPoint;
use std::sync::Arc;

/// Some outcome, to be filled with other numbers.
fn some_outcome() -> Outcome {
    let text = "title = 'One'\npages = 20\nseeds = [1]\nassign = ['hash']\nnodes = 1\nplaces = ['Houston, TX']\nworld = 'world.toml'\n";
    let (_folder, bench) = bench(text);
    let bench = bench.unwrap();
    let outcome = bench.run(&bench.trials()[0], Arc::default(), &mut |_| {});
    outcome.unwrap().unwrap()
}

/// A group whose harvest is `rates` for seeds 1, 2, … all along.
fn group(some: &Outcome, spec: &OrderSpec, rates: &[f64]) -> Group {
    let outcome = |(rate, seed): (&f64, u64)| {
        let mut outcome = some.clone();
        outcome.trial = Trial {
            assign: "hash".into(),
            order: spec.label(),
            seed,
            topic: None,
        };
        outcome.report.harvest_rate = Some(*rate);
        outcome.report.harvest_curve = (1..=4)
            .map(|quarter| HarvestPoint {
                ms: quarter,
                pages: quarter * 250,
                geo_pages: (quarter as f64 * 250.0 * rate) as u64,
                rate: Some(*rate),
                recall: None,
            })
            .collect();
        outcome
    };
    Group {
        assign: "hash".into(),
        order: spec.label(),
        outcomes: rates.iter().zip(1..).map(outcome).collect(),
    }
}

fn judged(orders: &[(OrderSpec, &[f64])]) -> String {
    let some = some_outcome();
    let specs: Vec<OrderSpec> = orders.iter().map(|(spec, _)| spec.clone()).collect();
    let groups: Vec<Group> = orders
        .iter()
        .map(|(spec, rates)| group(&some, spec, rates))
        .collect();
    let line = |claim: Claim| format!("{}: {}; {}", claim.claim, claim.verdict.name(), claim.by);
    let lines: Vec<String> = judge(&groups, &specs, 1000).into_iter().map(line).collect();
    lines.join("\n")
}

fn adaptive(steps: Option<u32>, train_pages: Option<u64>) -> OrderSpec {
    OrderSpec {
        steps,
        train_pages,
        ..OrderSpec::plain("adaptive")
    }
}

#[test]
fn orders_are_compared_all_along() {
    insta::assert_snapshot!(judged(&[
        (OrderSpec::plain("breadth"), &[0.04, 0.05, 0.04]),
        (OrderSpec::plain("distance"), &[0.06, 0.07, 0.05]),
    ]), @r"
    distance harvests more than breadth: holds; 0.0600 ± 0.0058 against 0.0433 ± 0.0033 (published 0.055 against 0.04)
    distance harvests more than breadth after 25 % of the pages: holds; 0.0587 ± 0.0058 against 0.0427 ± 0.0027
    distance harvests more than breadth after 50 % of the pages: holds; 0.0600 ± 0.0058 against 0.0433 ± 0.0033
    distance harvests more than breadth after 75 % of the pages: holds; 0.0596 ± 0.0058 against 0.0431 ± 0.0031
    ");
}

#[test]
fn variants_are_told_apart_by_their_parameters() {
    insta::assert_snapshot!(judged(&[
        (OrderSpec::plain("breadth"), &[0.04, 0.05, 0.04]),
        (adaptive(Some(1), None), &[0.08, 0.09, 0.08]),
        (adaptive(Some(2), None), &[0.10, 0.10, 0.10]),
        (adaptive(None, None), &[0.10, 0.09, 0.10]),
        (adaptive(None, Some(100_000)), &[0.10, 0.09, 0.11]),
        (OrderSpec::plain("focus"), &[0.20, 0.20, 0.20]),
    ]), @r"
    adaptive harvests more than breadth: holds; 0.0967 ± 0.0033 against 0.0433 ± 0.0033 (published 0.12 against 0.04)
    adaptive harvests more than breadth after 25 % of the pages: holds; 0.0960 ± 0.0040 against 0.0427 ± 0.0027
    adaptive harvests more than breadth after 50 % of the pages: holds; 0.0967 ± 0.0033 against 0.0433 ± 0.0033
    adaptive harvests more than breadth after 75 % of the pages: holds; 0.0964 ± 0.0036 against 0.0431 ± 0.0031
    adaptive with 3 steps harvests more than with 2: does not hold, within the error; 0.0967 ± 0.0033 against 0.1000 ± 0.0000
    adaptive with 2 steps harvests more than with 1: holds; 0.1000 ± 0.0000 against 0.0833 ± 0.0033
    adaptive harvests as much after 30000 training pages as after 100000: holds; 0.0967 ± 0.0033 against 0.1000 ± 0.0058
    adaptive harvests at least 2.5 times as much as breadth: does not hold, within the error; a factor of 2.27 ± 0.23 (published 3.0)
    focus harvests at least 4 times as much as breadth: holds; a factor of 4.67 ± 0.33
    focus harvests more than adaptive: holds; 0.2000 ± 0.0000 against 0.0967 ± 0.0033
    ");
}

#[test]
fn one_seed_cannot_tell_and_missing_orders_are_not_judged() {
    let text = judged(&[
        (OrderSpec::plain("breadth"), &[0.04]),
        (OrderSpec::plain("focus"), &[0.2]),
    ]);
    insta::assert_snapshot!(text, @"focus harvests at least 4 times as much as breadth: one seed cannot tell; a factor of 5.00");
}
