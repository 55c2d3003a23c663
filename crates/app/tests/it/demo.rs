//! The first command of the README, in small.

use crate::program::{Place, Run, signal, wait_for_visits};

#[test]
fn demo_crawls_with_six_nodes_and_prints_the_measures() {
    let place = Place::new();
    let run = place
        .run(&["demo", "--pages", "400", "--timings"])
        .expect_done();
    for part in [
        "Cn0 general",
        "Cn5 Hawaii/Alaska",
        "geo-coverage",
        "geo-centrality",
        "overlap",
    ] {
        assert!(run.stdout.contains(part), "no {part} in\n{}", run.stdout);
    }
    assert!(
        run.stderr
            .contains("stopped: the pages asked for are fetched; 400 pages")
    );
    assert!(
        run.stderr.contains("geoparse"),
        "no timings in\n{}",
        run.stderr
    );
    assert!(!run.stderr.contains('\x1b'), "no colour when piped");
}

#[test]
fn demo_as_json_has_the_measures_of_the_spec() {
    let place = Place::new();
    let run = place
        .run(&["demo", "--pages", "1500", "--json"])
        .expect_done();
    let report = run.json();
    assert_eq!(report["pages"], 1500);
    assert_eq!(report["overlap"], 0.0);
    for name in [
        "geo_coverage",
        "geo_focus",
        "unique_entities",
        "geo_centrality",
        "diversity",
        "communication_overhead",
        "harvest_rate",
    ] {
        assert!(report[name].is_f64(), "{name} is {}", report[name]);
    }
    assert_eq!(report["nodes"].as_array().map(Vec::len), Some(6));
    let n_pages = |node: &serde_json::Value| node["pages"].as_u64().unwrap();
    let nodes = report["nodes"].as_array().unwrap();
    assert_eq!(nodes.iter().map(n_pages).sum::<u64>(), 1500);
}

#[test]
fn a_finished_demo_starts_over_and_a_foreign_crawl_is_left_alone() {
    let place = Place::new();
    place.run(&["demo", "--pages", "50"]).expect_done();
    let again = place
        .run(&["demo", "--pages", "60", "--json"])
        .expect_done();
    assert_eq!(again.json()["pages"], 60);
    place
        .run(&[
            "crawl",
            "us-top100",
            "--web",
            "lab",
            "--pages",
            "20",
            "--out",
            "mine",
        ])
        .expect_done();
    let refused = place.run(&["demo", "--out", "mine", "--fresh"]);
    assert_eq!(
        refused.complaint(),
        "exit 2\nerror: `mine` holds a crawl that is not a demo\n"
    );
    assert_eq!(place.pages("mine").len(), 20);
}

#[test]
fn a_demo_with_a_foreign_file_is_left_alone() {
    let place = Place::new();
    place.run(&["demo", "--pages", "50"]).expect_done();
    place.write("locavore-demo/thesis.txt", "years of work");
    let again = place.run(&["demo", "--pages", "50"]);
    insta::assert_snapshot!(again.complaint(), @r"
    exit 2
    error: `locavore-demo/thesis.txt` is no part of the demo in `locavore-demo`, so nothing was removed: move it away, or choose another `--out`
    ");
    let fresh = place.run(&["demo", "--pages", "50", "--fresh"]);
    assert_eq!(fresh.complaint(), again.complaint());
    assert_eq!(place.pages("locavore-demo").len(), 50);
    std::fs::rename(
        place.path("locavore-demo/thesis.txt"),
        place.path("locavore-demo/warc/thesis.txt"),
    )
    .unwrap();
    let again = place.run(&["demo", "--pages", "50"]);
    assert!(again.stderr.contains("warc/thesis.txt"), "{}", again.stderr);
    assert!(place.path("locavore-demo/warc/thesis.txt").exists());
}

#[test]
fn a_mistyped_demo_removes_nothing_and_announces_nothing() {
    let place = Place::new();
    place.run(&["demo", "--pages", "50"]).expect_done();
    let run = place.run(&["demo", "--pages", "50", "--assign", "hsah"]);
    insta::assert_snapshot!(run.complaint(), @r"
    exit 2
    error: no assign strategy named `hsah`: `hash`, `url`, `anchor`, `content`, `classifier` or `ip`
    ");
    assert_eq!(place.pages("locavore-demo").len(), 50);
}

#[test]
fn an_unfinished_demo_is_gone_on_with_or_left_alone() {
    let place = Place::new();
    let mut child = place.start(&["demo", "--pages", "100000", "--assign", "hash"]);
    wait_for_visits(&place, "locavore-demo", &mut child, 1);
    signal(&child, "-INT");
    let stopped = Run::from(child.wait_with_output().unwrap());
    let resume = "`locavore demo --pages 100000 --assign hash --order breadth --out locavore-demo`";
    assert!(stopped.stderr.contains(resume), "{}", stopped.stderr);
    let n_pages = place.pages("locavore-demo").len();
    let other = place.run(&["demo", "--pages", "100000"]);
    insta::assert_snapshot!(other.complaint(), @r"
    exit 2
    error: `locavore-demo` holds an unfinished demo with `hash` and `breadth`: `--fresh` removes it, or choose another `--out`
    ");
    assert_eq!(
        place.pages("locavore-demo").len(),
        n_pages,
        "nothing was removed"
    );
    let goal = (n_pages + 100).to_string();
    let on = place
        .run(&["demo", "--pages", &goal, "--assign", "hash", "--json"])
        .expect_done();
    assert_eq!(on.json()["pages"], n_pages + 100);
}

#[test]
fn help_and_completion_know_the_names() {
    let place = Place::new();
    let help = place.run(&["-h"]).expect_done().stdout;
    assert!(
        help.starts_with("A web crawler that eats local: "),
        "{help}"
    );
    let help = place.run(&["demo", "-h"]).expect_done().stdout;
    assert!(help.contains("[possible values: hash, url"), "{help}");
    let script = place.run(&["completions", "bash"]).expect_done().stdout;
    assert!(
        script.contains(r#"compgen -W "hash url"#),
        "no names in the script"
    );
    assert!(
        script.contains(r#"compgen -W "real lab"#),
        "no webs in the script"
    );
}

#[test]
fn the_example_of_the_help_finds_pages_in_the_demos_crawl() {
    let place = Place::new();
    place.run(&["demo", "--pages", "1500"]).expect_done();
    let help = place.run(&["search", "--help"]).expect_done().stdout;
    let example = help.split('"').nth(1).expect("an example in the help");
    assert!(example.ends_with("in Houston"), "{example}");
    let dirs = std::fs::read_dir(place.path("")).unwrap().flatten();
    let dir = dirs
        .map(|entry| entry.path())
        .find(|path| path.join("crawl.json").is_file())
        .expect("the demo's folder");
    let dir = dir.to_str().unwrap();
    let search = |query: &str| {
        place
            .run(&["search", dir, query, "--json"])
            .expect_done()
            .json()
    };
    let found = search(example);
    assert!(found["n_pages"].as_u64() > Some(0), "{found}");
    assert_eq!(
        found["understood"]["location"]["name"],
        "Houston, Texas, United States"
    );
    // Where the place has nothing it is left out, and that is told.
    let word = example.split(' ').next().unwrap();
    let elsewhere = search(&format!("{word} in Lisbon"));
    assert!(elsewhere["n_pages"].as_u64() > Some(0), "{elsewhere}");
    assert_eq!(elsewhere["widened"], "pages about anywhere");
}
