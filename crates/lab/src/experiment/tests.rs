use super::*;
use std::sync::atomic::Ordering;

const SMALL: &str = "title = 'Small'\npages = 300\nseeds = [1, 2]\nassign = ['hash', 'url']\nworld = 'world.toml'\n";

fn bench(text: &str) -> (tempfile::TempDir, Result<Bench, ExperimentError>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("world.toml"), "n_sites = 3000\n").unwrap();
    let file = folder.path().join("small.toml");
    std::fs::write(&file, text).unwrap();
    let bench = Bench::open(&file, &folder.path().join("out"));
    (folder, bench)
}

/// Whole numbers: files round others.
fn hand_overs(outcome: &Option<Outcome>) -> Option<&Vec<Vec<u64>>> {
    outcome.as_ref().map(|outcome| &outcome.report.hand_overs)
}

fn complaint(text: &str) -> String {
    bench(text).1.err().unwrap().to_string()
}

#[test]
fn an_impossible_experiment_is_told_by_its_key() {
    let with = |more: &str| complaint(&format!("{SMALL}{more}"));
    assert!(with("colour = 1\n").contains("unknown field `colour`"));
    assert_eq!(
        with("order = ['fastest']\n"),
        "`order`: no order named `fastest`: breadth"
    );
    let twice = SMALL.replace("[1, 2]", "[3, 3]");
    assert_eq!(complaint(&twice), "`seeds`: 3 is there twice");
    let none = SMALL.replace("pages = 300", "pages = 0");
    assert_eq!(complaint(&none), "`pages` is 0; a crawl needs at least one");
    assert!(with("nodes = 200\n").starts_with("`nodes`: 200 nodes are too many"));
}

#[test]
fn trials_are_run_once_and_summed_up() {
    let (_folder, bench) = bench(SMALL);
    let bench = bench.unwrap();
    let trials = bench.trials();
    assert_eq!(trials.len(), 4);
    let mut outcomes = Vec::new();
    for trial in &trials {
        assert!(bench.outcome(trial).unwrap().is_none());
        let outcome = bench.run(trial, Arc::default(), &mut |_| {}).unwrap();
        let kept = bench.outcome(trial).unwrap();
        assert_eq!(hand_overs(&kept), hand_overs(&outcome));
        outcomes.extend(outcome);
    }
    let summary = Summary::new("Small", 300, outcomes);
    assert_eq!(summary.groups.len(), 2);
    assert_eq!(summary.groups[0].outcomes.len(), 2);
    let html = page(&summary, "made by a test");
    assert!(html.contains("Geo-coverage by node"));
}

#[test]
fn a_trial_that_was_stopped_comes_out_as_if_it_had_not_been() {
    let (_folder, whole) = bench(SMALL);
    let (_folder, halved) = bench(SMALL);
    let (whole, halved) = (whole.unwrap(), halved.unwrap());
    let trial = &whole.trials()[1];
    let at_once = whole.run(trial, Arc::default(), &mut |_| {}).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let mut watch = move |progress: &crawl::progress::Progress| {
        flag.store(progress.n_pages() >= 100, Ordering::Relaxed);
    };
    let stopped = halved.run(trial, stop, &mut watch).unwrap();
    assert!(stopped.is_none());
    let later = halved.run(trial, Arc::default(), &mut |_| {}).unwrap();
    let pages = |outcome: &Option<Outcome>| outcome.as_ref().map(|outcome| outcome.report.pages);
    assert_eq!(pages(&at_once), Some(300));
    assert_eq!(pages(&later), Some(300));
}
