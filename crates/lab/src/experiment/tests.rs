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
    let twice = SMALL.replace("'hash', 'url'", "'url', 'url'");
    assert_eq!(complaint(&twice), "`assign`: url is there twice");
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
    let summary = bench.summary(outcomes);
    assert!(summary.is_paper && summary.n_missing == 0);
    assert_eq!(summary.groups.len(), 2);
    assert_eq!(summary.groups[0].outcomes.len(), 2);
    let html = page(&summary, "made by a test");
    assert!(html.contains("Geo-coverage by node"));
}

#[test]
fn a_trial_that_was_stopped_goes_on() {
    let (_folder, halved) = bench(SMALL);
    let halved = halved.unwrap();
    let trial = &halved.trials()[1];
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let mut watch = move |progress: &crawl::progress::Progress| {
        flag.store(progress.n_pages() >= 100, Ordering::Relaxed);
    };
    let stopped = halved.run(trial, stop, &mut watch).unwrap();
    assert!(stopped.is_none());
    let later = halved.run(trial, Arc::default(), &mut |_| {}).unwrap();
    let later = later.unwrap();
    assert_eq!(later.report.pages, 300);
    assert!(later.pages_timed <= 200, "{} pages", later.pages_timed);
}

#[test]
fn a_trial_of_other_settings_starts_anew() {
    let (folder, first) = bench(SMALL);
    let first = first.unwrap();
    let trial = &first.trials()[0];
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let mut watch = move |progress: &crawl::progress::Progress| {
        flag.store(progress.n_pages() >= 100, Ordering::Relaxed);
    };
    assert!(first.run(trial, stop, &mut watch).unwrap().is_none());
    let file = folder.path().join("small.toml");
    std::fs::write(&file, format!("{SMALL}delay = 3\n")).unwrap();
    let second = Bench::open(&file, &folder.path().join("out")).unwrap();
    let outcome = second.run(trial, Arc::default(), &mut |_| {}).unwrap();
    assert!(
        outcome.unwrap().pages_timed > 200,
        "some pages are old ones"
    );
}
