//! `status`: what it counts, and what it knows of a crawl that still runs.

use crate::program::{Place, signal, small_crawl, wait_for_visits};
use crate::site::{Site, html, missing};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};
use store::visit::{Errand, Outcome, Visit};

#[test]
fn everything_counted_agrees_with_the_log() {
    let place = Place::new();
    place
        .run(&small_crawl(&[
            "--pages", "400", "--depth", "1", "--out", "c",
        ]))
        .expect_done();
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    let visits = place.visits("c");

    assert_eq!(status["visits"], visits.len());
    let outcomes = status["outcomes"].as_object().unwrap().values();
    let n_tickets: u64 = outcomes.map(|count| count.as_u64().unwrap()).sum();
    let pages = visits.iter().filter(|visit| visit.errand == Errand::Page);
    assert_eq!(n_tickets, pages.count() as u64);
    let links = visits.iter().flat_map(|visit| &visit.links);
    let n_refused = links.filter(|link| link.refused.is_some()).count() as u64;
    let refusals = status["refusals"].as_object().unwrap().values();
    let counted: u64 = refusals.map(|count| count.as_u64().unwrap()).sum();
    assert!(n_refused > 0, "sites go deeper than one link");
    assert_eq!(counted, n_refused);

    let mut by_host: BTreeMap<&str, u64> = BTreeMap::new();
    for visit in &visits {
        *by_host
            .entry(visit.url.split('/').nth(2).unwrap())
            .or_default() += 1;
    }
    let busiest = &status["busiest_hosts"][0];
    assert_eq!(busiest["visits"].as_u64(), by_host.values().max().copied());
    assert_eq!(status["busiest_hosts"].as_array().unwrap().len(), 10);
    assert_eq!(status["hosts_are_exact"], true);

    let nodes = status["progress"]["nodes"].as_array().unwrap();
    let n_pages: u64 = nodes
        .iter()
        .map(|node| node["pages"].as_u64().unwrap())
        .sum();
    assert_eq!(
        (n_pages, nodes.len()),
        (400, 6),
        "the last word is the last"
    );
    assert!(status["disk"]["warc"].as_u64().unwrap() > 10_000);
    assert!(status["disk"]["free"].as_u64().unwrap() > 0);
}

#[test]
fn people_see_tables() {
    let place = Place::new();
    place
        .run(&small_crawl(&[
            "--pages", "200", "--depth", "1", "--out", "c",
        ]))
        .expect_done();
    let status = place.run(&["status", "c"]).expect_done().stdout;
    let is_heading = |line: &&str| {
        let first = line.split("  ").next().unwrap_or_default();
        matches!(
            first,
            "node" | "outcome" | "link not followed" | "host" | "all"
        )
    };
    let lines = status.lines().filter(is_heading);
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let words: String = words
        .map(|line| line.replace(|c: char| c.is_ascii_digit() || "., ".contains(c), "_") + "\n")
        .collect();
    let headings: Vec<&str> = words
        .lines()
        .filter(|line| !line.starts_with("all"))
        .collect();
    insta::assert_snapshot!(headings.join("\n"), @r"
    node_pages_geo_harvest_other_waiting_cold_retrying_hosts_parked_flights_received
    outcome_tickets
    link_not_followed_links
    host_visits_pages_failures_bytes_average
    ");
    assert!(words.contains("\nall_"), "{status}");
    assert!(status.contains("\non disk: "), "{status}");
    assert!(status.contains(" in the last session of "), "{status}");
    assert!(!status.contains('\x1b'), "no colours in a pipe");
}

#[test]
fn a_running_crawl_says_what_waits_and_a_killed_one_what_waited() {
    let place = Place::new();
    let mut child = place.start(&small_crawl(&["--pages", "100000", "--out", "c"]));
    wait_for_visits(&place, "c", &mut child, 300);
    let start = Instant::now();
    let status = loop {
        let status = place.run(&["status", "c", "--json"]).expect_done().json();
        if status["progress"]["pages"].as_u64() > Some(0) {
            break status;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{status}");
    };
    signal(&child, "-9");
    child.wait().unwrap();
    assert_eq!(status["state"], "running");
    let progress = &status["progress"];
    assert!(
        progress["rate_last_minute"].as_f64() > Some(0.0),
        "{progress}"
    );
    assert!(progress["seconds_left"].as_f64() > Some(0.0), "{progress}");
    assert!(progress["memory"].as_u64() > Some(1 << 20), "{progress}");
    let nodes = progress["nodes"].as_array().unwrap();
    let n_waiting: u64 = nodes
        .iter()
        .filter_map(|node| node["waiting"].as_u64())
        .sum();
    assert!(n_waiting > 0, "{progress}");

    let after = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(after["state"], "killed");
    let description = after["description"].as_str().unwrap();
    assert!(
        description.starts_with("stopped without a word"),
        "{description}"
    );
    assert_eq!(after["running"], false);
    assert!(after["progress"]["pages"].as_u64() > Some(0));
}

#[test]
fn no_time_left_is_told_while_only_failed_pages_wait() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        "/" => html("<a href=/busy>1</a>"),
        _ => "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n".into(),
    });
    let place = Place::new();
    let mut crawl = site.begin(&place, &["--pages", "1000", "--retry-wait", "50s"]);
    let start = Instant::now();
    let status = loop {
        let status = place.run(&["status", "c", "--json"]);
        if status.code == 0 && !status.json()["next_try"].is_null() {
            break status.json();
        }
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "{}",
            status.stdout
        );
    };
    assert!(status["progress"]["seconds_left"].is_null(), "{status}");
    let told = "only failed hosts are left, next try at ";
    let text = place.run(&["status", "c"]).expect_done().stdout;
    assert!(text.contains(told), "{text}");
    // The next line but one says so, too.
    let lines = BufReader::new(crawl.stderr.take().unwrap()).lines();
    let mut lines = lines.map(|line| line.unwrap());
    let line = lines.find(|line| line.contains(told)).expect("it is said");
    assert!(
        !line.contains(" s left") && line.contains(" UTC (in "),
        "{line}"
    );
    crawl.kill().unwrap();
    crawl.wait().unwrap();
}

#[test]
fn a_crawl_that_stops_before_failed_hosts_says_when_they_are_tried() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        _ => "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n".into(),
    });
    let place = Place::new();
    let run = place.run(&site.args(&place, &["/"], &["--retry-wait", "600s"]));
    let hint = "`locavore crawl --out c` tries them again, the first at ";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    assert!(status["next_try"].is_string(), "{status}");
    let text = place.run(&["status", "c"]).expect_done().stdout;
    assert!(
        text.contains("only failed hosts are left, next try at "),
        "{text}"
    );
}

#[test]
fn who_watches_a_crawl_that_has_stopped_need_not_wait() {
    let place = Place::new();
    place
        .run(&small_crawl(&["--pages", "30", "--out", "c"]))
        .expect_done();
    let watched = place.run(&["status", "c", "--watch"]).expect_done();
    assert!(watched.stdout.contains("stopped: the pages"));
    let watched = place.run(&["status", "c", "--watch", "--json"]);
    let watched = watched.expect_done();
    assert_eq!(watched.stdout.lines().count(), 1, "{}", watched.stdout);
    assert_eq!(watched.json()["state"], "stopped");
}

#[test]
fn a_crawl_without_a_note_shows_what_the_log_knows() {
    let place = Place::new();
    place
        .run(&small_crawl(&["--pages", "60", "--out", "c"]))
        .expect_done();
    std::fs::remove_file(place.path("c").join("progress.json")).unwrap();
    let status = place.run(&["status", "c"]).expect_done().stdout;
    assert!(status.contains("\nnode "), "{status}");
    place.write("c/progress.json", "{");
    place.run(&["status", "c"]).expect_done();
    let pages = place.visits("c").into_iter().filter(Visit::is_page);
    assert_eq!(pages.count(), 60);
    let redirects = place.visits("c").into_iter();
    let n_redirects = redirects.filter(|visit| {
        visit.errand == Errand::Page && matches!(visit.outcome, Outcome::Redirected(_))
    });
    let n_redirects = n_redirects.count();
    let json = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(
        json["outcomes"]["redirected"].as_u64().unwrap_or(0),
        n_redirects as u64
    );
}
