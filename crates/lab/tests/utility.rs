//! A small experiment with topics, from its file to its report.

// Helpers of tests may panic like tests.
#![allow(clippy::unwrap_used)]

use lab::experiment::{Bench, Outcome, Preparation, Trial, page, tables};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

const WORLD: &str = "n_sites = 700
top_sites = 4
max_pages = 60
german_local_sites = 0
german_sites = 0
spanish_sites = 0
french_sites = 0
min_population = 2_000_000
german_min_population = 3_000_000
";

const EXPERIMENT: &str = r#"
title = "Two topics"
world = "world.toml"
topics = ["restaurants", "books"]
nodes = 1
pages = 300
seeds = [3]
assign = ["hash"]
order = [
    { name = "utility", elasticity = 0.0 },
    { name = "utility", elasticity = 1.0 },
    { name = "utility", topicality = 0.7, pages = 400 },
    { name = "inlinks", topicality = 0.7 },
]
delay = 0
slots = 1
"#;

fn open(folder: &Path, out: &str) -> Bench {
    std::fs::write(folder.join("world.toml"), WORLD).unwrap();
    let file = folder.join("small.toml");
    std::fs::write(&file, EXPERIMENT).unwrap();
    Bench::open(&file, &folder.join(out)).unwrap()
}

fn prepare(bench: &Bench) -> Vec<Preparation> {
    let mut heard = Vec::new();
    let is_done = bench.prepare(&mut |preparation| {
        heard.push(preparation);
        ControlFlow::Continue(())
    });
    assert!(is_done.unwrap());
    heard
}

fn run(bench: &Bench, trial: &Trial) -> Outcome {
    let outcome = bench.run(trial, Arc::default(), &mut |_| {}).unwrap();
    outcome.unwrap()
}

/// Whole numbers: files round others.
fn told(outcome: &Outcome) -> String {
    let worth = outcome.report.worth.as_ref().unwrap();
    let sites: Vec<u64> = worth.curve.iter().map(|point| point.sites).collect();
    format!("{:?} {sites:?} {}", worth.joint, worth.evaluated_pages)
}

#[test]
fn crawls_for_topics_are_run_measured_and_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    let bench = open(folder.path(), "out");
    let heard = prepare(&bench);
    let counted = |preparation: &&Preparation| matches!(preparation, Preparation::InLinks(..));
    assert!(heard.iter().any(|preparation| counted(&preparation)));
    let trials = bench.trials();
    assert_eq!(trials.len(), 8);
    assert_eq!(trials[0].name(), "restaurants-utility-alpha0-3");
    // Two at a time, as they are run.
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let mut outcomes = Vec::new();
        for pair in trials.chunks(2) {
            let threads: Vec<_> = pair
                .iter()
                .map(|trial| scope.spawn(|| run(&bench, trial)))
                .collect();
            outcomes.extend(threads.into_iter().map(|thread| thread.join().unwrap()));
        }
        outcomes
    });
    let worth = |nth: usize| outcomes[nth].report.worth.as_ref().unwrap();
    for (trial, nth) in trials.iter().zip(0..) {
        let worth = worth(nth);
        assert_eq!(outcomes[nth].report.pages, 300, "{}", trial.name());
        assert!(worth.evaluated_pages > 40 && worth.counted_pages > 290);
        let joint = worth.joint.as_ref().unwrap();
        assert!(!joint.is_estimated);
    }
    for topic in [0, 4] {
        let [status, topical, adaptive] = [topic, topic + 1, topic + 2].map(worth);
        assert!(topical.true_topicality > status.true_topicality);
        assert!(topical.average_topicality > status.average_topicality);
        // A classifier that has seen other sites agrees with the truth.
        let apart = topical.average_topicality.unwrap() - topical.true_topicality.unwrap();
        assert!(apart.abs() < 0.15, "{apart}");
        let alphas = &adaptive.alphas[0];
        assert!(alphas.iter().any(|point| (point.alpha - 0.5).abs() > 0.01));
        let long = outcomes[topic + 2].long.as_ref().unwrap();
        assert_eq!(long.curve.last().unwrap().pages, 400);
    }
    let summary = bench.summary(outcomes);
    let titles: Vec<String> = tables(&summary)
        .into_iter()
        .map(|table| table.title)
        .collect();
    assert_eq!(
        titles,
        [
            "After 300 pages",
            "After all pages of longer crawls",
            "What is claimed"
        ]
    );
    assert_eq!(summary.claims.len(), 5);
    let html = page(&summary, "made by a test");
    assert!(html.contains("Pages by topicality and status: in-links, δ = 0.7"));
    // Crawls are gone, what was counted is kept.
    let crawls = std::fs::read_dir(folder.path().join("out/crawls")).unwrap();
    assert_eq!(crawls.count(), 0);
    let again = open(folder.path(), "out");
    let heard = prepare(&again);
    assert!(!heard.iter().any(|preparation| counted(&preparation)));
    let trial = &trials[3];
    let kept = again.outcome(trial).unwrap().unwrap();
    std::fs::remove_file(
        folder
            .path()
            .join(format!("out/trials/{}.json", trial.name())),
    )
    .unwrap();
    assert_eq!(told(&run(&again, trial)), told(&kept));
}

#[test]
fn what_makes_no_sense_is_told_by_its_key() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("world.toml"), WORLD).unwrap();
    let complaint = |from: &str, to: &str| {
        let file = folder.path().join("small.toml");
        std::fs::write(&file, EXPERIMENT.replace(from, to)).unwrap();
        let error = Bench::open(&file, &folder.path().join("out"))
            .err()
            .unwrap();
        error.to_string()
    };
    assert!(complaint("\"books\"", "\"bookes\"").starts_with("`topics`: no topic named `bookes`"));
    assert_eq!(
        complaint("topics = [\"restaurants\", \"books\"]\n", ""),
        "`order`: `utility` needs `topics`: `\"all\"`, or a list"
    );
    assert_eq!(
        complaint("seeds = [3]", "seeds = [3]\nteaching_seed = 3"),
        "`teaching_seed` is 3, which is crawled too: learn on another web"
    );
    assert_eq!(
        complaint("elasticity = 1.0", "elasticity = 1.5"),
        "`order`: `elasticity` is 1.5; it is between 0 and 1"
    );
}
