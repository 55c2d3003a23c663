//! Crawls on the made-up web: the same again, going on, sharing out.

use crate::program::{Place, small_crawl};
use std::collections::HashSet;
use store::visit::{Errand, Visit};

#[test]
fn same_seed_and_settings_give_the_same_log_byte_for_byte() {
    let place = Place::new();
    for dir in ["one", "two"] {
        place
            .run(&small_crawl(&["--pages", "700", "--out", dir]))
            .expect_done();
    }
    let log = place.log_bytes("one");
    assert!(log.len() > 100_000, "a log of {} bytes", log.len());
    assert!(log == place.log_bytes("two"), "the logs differ");
    let nodes: HashSet<u16> = place.visits("one").iter().map(|visit| visit.node).collect();
    assert!(nodes.len() > 3, "only {nodes:?} took part");
}

#[test]
fn who_crawls_the_made_up_web_for_another_country_is_told_that_it_has_none() {
    let place = Place::new();
    let about = |wish| {
        let run = place.run(&["crawl", wish, "--web", "lab", "--pages", "5", "--out", wish]);
        run.stderr
            .contains("the made-up web has US and German cities only")
    };
    assert!(about("Melbourne, Australia"));
    assert!(!about("Oldenburg, Germany"));
    assert!(!about("Houston, TX"));
}

#[test]
fn another_seed_gives_another_crawl() {
    let place = Place::new();
    place
        .run(&small_crawl(&["--pages", "100", "--out", "one"]))
        .expect_done();
    let other = ["crawl", "us-top100", "--web", "lab", "--world-seed", "12"];
    place
        .run(&[&other[..], &["--pages", "100", "--out", "two"]].concat())
        .expect_done();
    assert_ne!(place.pages("one"), place.pages("two"));
}

#[test]
fn the_same_command_twice_goes_on_where_it_stopped() {
    let place = Place::new();
    place
        .run(&small_crawl(&["--pages", "200", "--out", "c"]))
        .expect_done();
    let before = place.visits("c");
    place
        .run(&small_crawl(&["--pages", "200", "--out", "c"]))
        .expect_done();
    assert_eq!(
        place.visits("c"),
        before,
        "a finished crawl has nothing to do"
    );
    place
        .run(&small_crawl(&["--pages", "500", "--out", "c"]))
        .expect_done();
    let after = place.visits("c");
    assert_eq!(after[..before.len()], before[..], "what was there stays");
    assert_eq!(after.iter().filter(|visit| visit.is_page()).count(), 500);
    // What failed for a passing reason comes again.
    let settled = after.iter().filter(|visit| visit.retry_at.is_none());
    let fetched = settled.filter(|visit| visit.errand == Errand::Page);
    let mut seen = HashSet::new();
    for visit in fetched {
        assert!(seen.insert(&visit.url), "{} twice", visit.url);
    }
    let goal = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(goal["goal"], 500, "the new goal is kept");
    let short = place
        .run(&["crawl", "--out", "c", "--pages", "520", "--json"])
        .expect_done();
    assert_eq!(short.json()["pages"], 520);
}

#[test]
fn whoever_gives_a_contact_where_nobody_is_asked_may_give_it_again() {
    let place = Place::new();
    let contact = ["--contact", "you@example.org"];
    let lab = ["--pages", "20", "--out", "c"];
    let replay = [
        "crawl",
        "us-top100",
        "--web",
        "c/warc/locavore-00001.warc.gz",
    ];
    let replay = [&replay[..], &["--pages", "10", "--out", "r"], &contact].concat();
    for _ in 0..2 {
        place
            .run(&small_crawl(&[&lab[..], &contact].concat()))
            .expect_done();
    }
    for _ in 0..2 {
        place.run(&replay).expect_done();
    }
}

#[test]
fn no_host_is_asked_twice_within_its_delay() {
    let place = Place::new();
    place
        .run(&small_crawl(&["--pages", "600", "--out", "c"]))
        .expect_done();
    let mut last: std::collections::HashMap<String, u64> = std::collections::HashMap::new();
    let mut visits = place.visits("c");
    visits.retain(|visit| visit.status.is_some());
    visits.sort_by_key(|visit| visit.at);
    for visit in visits {
        let host = visit.url.split('/').nth(2).unwrap().to_owned();
        if let Some(before) = last.insert(host, visit.at.0) {
            assert!(
                visit.at.0 - before >= 1000,
                "{} after {} ms",
                visit.url,
                visit.at.0 - before
            );
        }
    }
}

#[test]
fn every_visit_says_why() {
    let place = Place::new();
    place
        .run(&small_crawl(&["--pages", "150", "--out", "c"]))
        .expect_done();
    for visit in place.visits("c") {
        assert!(!visit.because.is_empty(), "{} has no reason", visit.url);
    }
}

#[test]
fn one_city_and_one_node_is_enough() {
    let place = Place::new();
    let run = place
        .run(&[
            "crawl",
            "Houston, TX",
            "--web",
            "lab",
            "--pages",
            "60",
            "--json",
        ])
        .expect_done();
    assert_eq!(run.json()["pages"], 60);
    assert!(place.path("crawl-houston-tx").is_dir());
    let status = place
        .run(&["status", "crawl-houston-tx", "--json"])
        .expect_done()
        .json();
    assert_eq!(status["state"], "stopped");
    assert_eq!(status["stop_reason"], "the pages asked for are fetched");
    assert_eq!(status["pages"], 60);
}

#[test]
fn url_strategy_sends_pages_to_the_node_of_their_city() {
    let place = Place::new();
    let report = place
        .run(&small_crawl(&["--pages", "1500", "--out", "c", "--json"]))
        .expect_done();
    let hash = place
        .run(&small_crawl(&[
            "--pages", "1500", "--out", "h", "--assign", "hash", "--json",
        ]))
        .expect_done();
    let focus = report.json()["geo_focus"].as_f64().unwrap();
    let hash_focus = hash.json()["geo_focus"].as_f64().unwrap();
    assert!(focus > 2.0 * hash_focus, "url {focus}, hash {hash_focus}");
}

#[test]
fn a_seed_listed_twice_is_fetched_once() {
    let place = Place::new();
    let seed = "http://nowhere.invalid/";
    let others: String = (0..30_000)
        .map(|page| format!("http://nowhere.invalid/{page}\n"))
        .collect();
    place.write("seeds.txt", &format!("{seed}\n{others}{seed}\n"));
    let run = place.run(&small_crawl(&["--seeds", "seeds.txt", "--out", "c"]));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("and 29,991 seeds more"),
        "{}",
        run.stderr
    );
    let visits = place.visits("c");
    let is_last = |visit: &&Visit| visit.url == seed && visit.retry_at.is_none();
    assert_eq!(visits.iter().filter(is_last).count(), 1);
}

#[test]
fn nodes_are_split_as_asked_and_stay_so() {
    let place = Place::new();
    place.write(
        "nodes.toml",
        "south = ['Houston', 'Dallas']\nnorth = ['Boise, ID']\n",
    );
    let crawl = |flags: &[&str]| {
        let start = [
            "crawl",
            "Houston, TX; Dallas, TX; Boise, ID",
            "--web",
            "lab",
        ];
        place.run(&[&start, &["--world-sites", "3000", "--out", "c"], flags].concat())
    };
    let asked = ["--split", "nodes.toml", "--general", "2"];
    crawl(&[&asked[..], &["--pages", "60"]].concat()).expect_done();
    let names = |place: &Place| {
        let report = place.run(&["report", "c", "--json"]).json();
        let nodes = report["nodes"].as_array().unwrap().clone();
        let names = nodes
            .iter()
            .map(|node| node["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        names(&place),
        "Cn0 general, Cn1 general, Cn2 north, Cn3 south"
    );
    let general: HashSet<u16> = place.visits("c").iter().map(|visit| visit.node).collect();
    assert!(general.contains(&0) && general.contains(&1), "{general:?}");
    // The file is no longer needed, and another split is another crawl.
    std::fs::remove_file(place.path("nodes.toml")).unwrap();
    crawl(&["--pages", "80"]).expect_done();
    assert_eq!(
        names(&place),
        "Cn0 general, Cn1 general, Cn2 north, Cn3 south"
    );
    assert_eq!(crawl(&["--split", "state"]).code, 2);
    assert_eq!(crawl(&["--general", "1"]).code, 2);
}

#[test]
fn the_papers_cities_have_six_nodes_however_they_are_written() {
    let place = Place::new();
    let args = ["--web", "lab", "--pages", "20", "--out", "c"];
    place
        .run(&[&["crawl", "US-TOP100"], &args[..]].concat())
        .expect_done();
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(status["nodes"], 6);
    assert_eq!(status["targets"], 100);
    let status = place.run(&["status", "c"]).expect_done().stdout;
    let lines: Vec<&str> = status.lines().take(2).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    c: 6 nodes, assigned by `url`, ordered by `breadth`
    for us-top100: 100 places, the largest New York, Los Angeles, Chicago
    ");
}
