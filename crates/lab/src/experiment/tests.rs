use super::*;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

const SMALL: &str = "title = 'Small'\npages = 300\nseeds = [1, 2]\nassign = ['hash', 'url']\nworld = 'world.toml'\n";

pub(super) fn bench(text: &str) -> (tempfile::TempDir, Result<Bench, ExperimentError>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("world.toml"), "n_sites = 3000\n").unwrap();
    let file = folder.path().join("small.toml");
    std::fs::write(&file, text).unwrap();
    let bench = Bench::open(&file, &folder.path().join("out"));
    (folder, bench)
}

/// What came of a crawl that fetched nothing, to be filled in.
pub(super) fn outcome() -> Outcome {
    let (_folder, bench) = bench(SMALL);
    let bench = bench.unwrap();
    let measures = crate::measure::Measures::new(Vec::new(), Default::default());
    Outcome {
        trial: bench.trials()[0].clone(),
        experiment: bench.settled(),
        report: measures.finish(),
        stop_reason: String::new(),
        resumed: false,
        pages_timed: 0,
        seconds: 0.0,
        cpu_seconds: 0.0,
        moments: Vec::new(),
        n_reachable: None,
        n_relevant: None,
        long: None,
    }
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
        "`order`: no order named `fastest`: breadth, distance, adaptive, georank, focus, utility, inlinks"
    );
    let twice = SMALL.replace("[1, 2]", "[3, 3]");
    assert_eq!(complaint(&twice), "`seeds`: 3 is there twice");
    let twice = SMALL.replace("'hash', 'url'", "'url', 'url'");
    assert_eq!(complaint(&twice), "`assign`: url is there twice");
    let none = SMALL.replace("pages = 300", "pages = 0");
    assert_eq!(complaint(&none), "`pages` is 0; a crawl needs at least one");
    assert!(with("nodes = 200\n").starts_with("`nodes`: 200 nodes are too many"));
    assert_eq!(
        with("slots = 0\n"),
        "`slots` is 0; a node fetches one page at least"
    );
}

#[test]
fn orders_may_have_parameters() {
    let with = |order: &str| bench(&format!("{SMALL}order = {order}\n")).1;
    let complaint = |order: &str| with(order).err().unwrap().to_string();
    let bench = with("['adaptive', {name = 'adaptive', steps = 2}]").unwrap();
    let names: Vec<String> = bench.trials().iter().map(Trial::name).collect();
    assert_eq!(names[..2], ["hash-adaptive-1", "hash-adaptive-steps2-1"]);
    assert_eq!(
        complaint("['breadth', {name = 'breadth'}]"),
        "`order`: breadth is there twice"
    );
    assert_eq!(
        complaint("[{name = 'adaptive', steps = 0}]"),
        "`order`: `steps` is 0; from 1 to 5 will do"
    );
    assert!(complaint("[{name = 'breadth', colour = 1}]").contains("unknown field `colour`"));
}

/// Three recorded pages, of which the first two link to the next.
fn record(path: &Path) {
    let mut bytes = Vec::new();
    for (page, next) in [("", "a"), ("a", "b"), ("b", "")] {
        let body = format!("<p>Page</p><a href=\"/{next}\">next</a>");
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:0000000{}-0000-0000-0000-000000000000>\r\nWARC-Date: 2006-05-01T00:00:00Z\r\nWARC-Target-URI: http://recorded.example/{page}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            page.len(),
            answer.len()
        );
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(answer.as_bytes());
        bytes.extend_from_slice(b"\r\n\r\n");
    }
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn recorded_pages_take_the_place_of_a_world() {
    const REPLAY: &str = "title = 'Replay'\npages = 100\ndelay = 0\nnodes = 1\nplaces = ['Irvine, CA']\nassign = ['hash']\nweb = ['pages.warc']\n";
    assert!(complaint(REPLAY).starts_with("`web`: `"));
    let seeds = format!("{REPLAY}seeds = [1]\n");
    assert_eq!(
        complaint(&seeds),
        "`seeds` is for made-up webs; `web` names recorded pages"
    );
    let pages_of = |more: &str| {
        let folder = tempfile::tempdir().unwrap();
        record(&folder.path().join("pages.warc"));
        let file = folder.path().join("replay.toml");
        std::fs::write(&file, format!("{REPLAY}{more}")).unwrap();
        let bench = Bench::open(&file, &folder.path().join("out")).unwrap();
        let [trial] = &bench.trials()[..] else {
            panic!("one trial for each order");
        };
        let outcome = bench.run(trial, Arc::default(), &mut |_| {}).unwrap();
        outcome.unwrap().report.pages
    };
    assert_eq!(pages_of(""), 3);
    // The last page leads back to the first.
    assert_eq!(pages_of("start = ['http://recorded.example/b']\n"), 3);
}

#[test]
fn what_can_be_reached_is_counted_once() {
    let whole = SMALL.replace("world.toml", "tiny.toml");
    let whole = whole.replace("pages = 300", "pages = 100_000");
    let text = format!("{whole}recall = true\nnodes = 1\nplaces = ['Houston, TX']\ndelay = 0\n");
    let (folder, _) = bench(SMALL);
    std::fs::write(
        folder.path().join("tiny.toml"),
        "n_sites = 60\nmax_pages = 40\nmin_population = 900_000\nsession_ids = 700\nfooter_address = 900\n",
    )
    .unwrap();
    let file = folder.path().join("small.toml");
    std::fs::write(&file, text).unwrap();
    let bench = Bench::open(&file, &folder.path().join("out")).unwrap();
    let trial = &bench.trials()[0];
    let go_on = |_| ControlFlow::Continue(());
    let reach = bench.count_reach(trial.seed, go_on).unwrap().unwrap();
    assert!(reach.relevant > 0 && reach.relevant < reach.pages);
    let never = |_| panic!("it was counted before");
    assert_eq!(bench.count_reach(trial.seed, never).unwrap(), Some(reach));
    let outcome = bench.run(trial, Arc::default(), &mut |_| {}).unwrap();
    let outcome = outcome.unwrap();
    assert_eq!(outcome.n_relevant, Some(reach.relevant));
    assert_eq!(outcome.n_reachable, Some(reach.pages));
    // Pages under many addresses are found once.
    assert_eq!(
        outcome.stop_reason,
        crawl::progress::StopReason::NothingLeft.to_string()
    );
    let report = &outcome.report;
    let recall = report.recall.unwrap();
    assert!(report.geo_pages > reach.relevant, "{reach:?} {report:?}");
    assert!((0.9..=1.0).contains(&recall), "{recall} of {reach:?}");
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
        // To the last digit of every number.
        assert_eq!(kept, outcome);
        assert!(outcome.as_ref().is_some_and(|outcome| !outcome.resumed));
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
    assert!(later.resumed);
    let kept = halved.outcome(trial).unwrap().unwrap();
    assert!(kept.resumed, "its file forgets that it was resumed");
    let summary = halved.summary(vec![later]);
    assert_eq!(summary.resumed(), [trial.name()]);
    assert!(page(&summary, "made by a test").contains("Gone on with after an interruption"));
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
