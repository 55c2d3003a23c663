//! The measures of crawls, as tables, values and a page.

use crate::program::{Place, small_crawl};
use page::html;
use page::url::CanonicalUrl;
use serde_json::Value;

fn crawled(dirs: &[(&str, &str)]) -> Place {
    let place = Place::new();
    for (dir, assign) in dirs {
        let flags = ["--pages", "400", "--assign", assign, "--out", dir];
        place.run(&small_crawl(&flags)).expect_done();
    }
    place
}

/// The text of a page that needs nothing from elsewhere.
fn text_of(file: &std::path::Path) -> String {
    let page = std::fs::read_to_string(file).unwrap();
    for bad in ["<script", "src=", "href=", "url(", "@import", "NaN"] {
        assert!(!page.contains(bad), "{bad} in the page");
    }
    let url = CanonicalUrl::parse("http://localhost/").unwrap();
    html::read(page.as_bytes(), &url, None).text
}

fn percent(value: &Value) -> String {
    match value.as_f64() {
        Some(share) => format!("{:.2} %", share * 100.0),
        None => "–".to_owned(),
    }
}

#[test]
fn the_page_says_what_the_object_says() {
    let place = crawled(&[("c", "url")]);
    let report = place.run(&["report", "c", "--json", "--html", "c.html"]);
    assert!(
        report.stderr.contains("plots in `c.html`"),
        "{}",
        report.stderr
    );
    let json = report.expect_done().json();
    let text = text_of(&place.path("c.html"));
    for name in ["geo_coverage", "geo_coverage_without_general", "geo_focus"] {
        assert!(text.contains(&percent(&json[name])), "{name} in {text}");
    }
    for name in [
        "unique_entities",
        "geo_centrality",
        "diversity",
        "communication_overhead",
    ] {
        let number = format!("{:.4}", json[name].as_f64().unwrap());
        assert!(text.contains(&number), "{name}, {number} in {text}");
    }
    for node in json["nodes"].as_array().unwrap() {
        assert!(text.contains(node["name"].as_str().unwrap()));
        assert!(text.contains(&percent(&node["geo_coverage"])), "{node}");
    }
    assert!(text.contains("the pages asked for are fetched"), "{text}");
    // The same targets and strategy as in the paper.
    assert!(text.contains("7.25 %") && text.contains("0.1754"), "{text}");
}

#[test]
fn a_folder_gets_a_page_of_its_own() {
    let place = crawled(&[("c", "url")]);
    place
        .run(&["report", "c", "--html", "pages/"])
        .expect_done();
    assert!(text_of(&place.path("pages/report.html")).contains("Measures"));
    place.write("file", "");
    let refused = place.run(&["report", "c", "--html", "file/x.html"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("cannot write `file/x.html`"),
        "{}",
        refused.stderr
    );
}

#[test]
fn values_have_a_line_for_each_measure() {
    let place = crawled(&[("c", "url")]);
    let json = place.run(&["report", "c", "--json"]).json();
    let csv = place.run(&["report", "c", "--csv"]).expect_done().stdout;
    let value = |node: &str, measure: &str| -> f64 {
        let start = format!("c,url,breadth,{node},{measure},");
        let line = csv.lines().find_map(|line| line.strip_prefix(&start));
        let line = line.unwrap_or_else(|| panic!("no {start} in {csv}"));
        line.trim_end_matches(',').parse().unwrap()
    };
    assert_eq!(json["geo_coverage"], value("all", "geo_coverage"));
    assert_eq!(
        json["nodes"][1]["pages"],
        value("Cn1 Eastern", "pages") as u64
    );
    let matrix = json["hand_overs"].as_array().unwrap();
    let n_handed_over: u64 = matrix
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .map(|cell| cell.as_u64().unwrap())
        .sum();
    assert_eq!(n_handed_over, value("all", "hand_overs") as u64);
}

#[test]
fn crawls_stand_side_by_side() {
    let place = crawled(&[("one", "url"), ("two", "hash")]);
    let table = place.run(&["report", "one", "two", "--html", "both.html"]);
    let table = table.expect_done().stdout;
    let header = table.lines().next().unwrap();
    let columns: Vec<&str> = header.split("  ").filter(|cell| !cell.is_empty()).collect();
    let columns: Vec<&str> = columns.iter().map(|cell| cell.trim()).collect();
    assert_eq!(
        columns,
        ["measure", "url", "2006 paper", "hash", "2006 paper"]
    );
    let json = place.run(&["report", "one", "two", "--json"]).json();
    assert_eq!(json["crawls"][1]["assign"], "hash");
    let text = text_of(&place.path("both.html"));
    for crawl in json["crawls"].as_array().unwrap() {
        assert!(text.contains(&percent(&crawl["geo_coverage"])), "{text}");
    }
}

#[test]
fn centrality_is_counted_as_far_as_asked() {
    let place = crawled(&[("c", "url")]);
    let centrality = |flags: &[&str]| {
        let run = place.run(&[&["report", "c", "--json"], flags].concat());
        run.json()["geo_centrality"].as_f64().unwrap()
    };
    let coverage = place.run(&["report", "c", "--json"]).json();
    let coverage = coverage["geo_coverage"].as_f64().unwrap();
    // At distance zero a page has itself, or nothing.
    assert!((centrality(&["--centrality-k", "0"]) - coverage).abs() < 1e-12);
    assert!(centrality(&[]) < centrality(&["--centrality-k", "3", "--centrality-m", "2"]));
}

#[test]
fn recall_is_told_where_it_is_known_what_can_be_found() {
    let place = crawled(&[("c", "url")]);
    let report = |flags: &[&str]| place.run(&[&["report", "c"], flags].concat());
    let recall = |n_relevant: &str| {
        let flags = ["--json", "--relevant", n_relevant, "--reachable", "1000"];
        report(&flags).expect_done().json()
    };
    let json = recall("100");
    let half = recall("200")["recall"].as_f64().unwrap();
    assert!(half > 0.0);
    assert_eq!(json["recall"].as_f64(), Some(2.0 * half));
    // Of a thousand pages four hundred were fetched.
    let points = json["recall_at"].as_array().unwrap();
    let pages: Vec<u64> = points.iter().flat_map(|at| at["pages"].as_u64()).collect();
    assert_eq!(pages, [50, 100, 200]);
    let flags = ["--relevant", "100", "--reachable", "1000"];
    let table = report(&flags).expect_done().stdout;
    let last = table.lines().last().unwrap();
    assert!(
        last.starts_with("recall after 20 % of all pages"),
        "{table}"
    );
    assert!(last.ends_with(&percent(&points[2]["recall"])), "{table}");
    report(&[&flags[..], &["--html", "c.html"]].concat()).expect_done();
    let text = text_of(&place.path("c.html"));
    assert!(text.contains("Recall: found of the geo pages"), "{text}");
    assert_eq!(report(&["--reachable", "9"]).code, 2);
    assert!(!report(&[]).expect_done().stdout.contains("recall"));
}

#[test]
fn what_the_user_knows_of_pages_is_measured_with() {
    let place = crawled(&[("c", "url")]);
    let plain = place.run(&["report", "c", "--json"]).expect_done().json();
    assert!(plain["worth"].is_null(), "no topic, and nobody knows");
    assert!(plain["status_locality"]["anywhere"][0]["pairs"].as_u64() > Some(0));
    // Whatever the crawl has exported is known to have been fetched.
    let export = place
        .run(&["export", "c", "--format", "cdxj"])
        .expect_done();
    let urls: Vec<String> = export
        .stdout
        .lines()
        .filter_map(|line| {
            let object: Value = serde_json::from_str(line.splitn(3, ' ').nth(2)?).ok()?;
            let is_page = object["mime"].as_str() == Some("text/html");
            is_page.then(|| object["url"].as_str().unwrap_or_default().to_owned())
        })
        .collect();
    let links: String = urls.iter().map(|url| format!("{url}\t19\n")).collect();
    place.write("links.tsv", &links);
    place.write("sites.txt", &urls.join("\n"));
    let flags = ["--inlinks", "links.tsv", "--directory", "sites.txt"];
    let json = place
        .run(&[&["report", "c", "--json"], &flags[..]].concat())
        .expect_done()
        .json();
    let worth = &json["worth"];
    assert_eq!(worth["reliability"].as_f64(), Some(1.0));
    let status = worth["average_status"].as_f64().unwrap();
    assert!((status - 20.0_f64.ln()).abs() < 1e-9, "{status}");
    assert!(worth["counted_pages"].as_u64() > Some(200), "{worth}");
    let run = place.run(&[&["report", "c", "--html", "c.html"], &flags[..]].concat());
    assert!(run.expect_done().stdout.contains("reliability"));
    assert!(text_of(&place.path("c.html")).contains("Topic and status"));
    place.write("bad.tsv", "http://a.com/ 3\n");
    let bad = place.run(&["report", "c", "--inlinks", "bad.tsv"]);
    assert_eq!(bad.code, 2);
    assert!(
        bad.stderr.contains("bad lines in `bad.tsv`"),
        "{}",
        bad.stderr
    );
    let no_topic = place.run(&["report", "c", "--evaluate", "bad.tsv"]);
    assert_eq!(no_topic.code, 2);
    assert!(
        no_topic.stderr.contains("is no topic"),
        "{}",
        no_topic.stderr
    );
}

#[test]
fn another_topic_evaluates_a_crawl() {
    let place = Place::new();
    let world = ["--world-sites", "3000"];
    for (seed, file) in [("8", "own.topic"), ("9", "other.topic")] {
        let train = ["train", "topic", "books", "--lab", "--world-seed", seed];
        let train = [&train[..], &world, &["--out", file]].concat();
        place.run(&train).expect_done();
    }
    let flags = ["--order", "utility", "--topic", "own.topic"];
    let flags = [&flags[..], &["--pages", "200", "--out", "c"]].concat();
    place.run(&small_crawl(&flags)).expect_done();
    let report = place.run(&["report", "c", "--json", "--evaluate", "other.topic"]);
    let worth = &report.expect_done().json()["worth"];
    assert_eq!(worth["evaluated_pages"].as_u64(), Some(200), "{worth}");
    // Two that have learned the same from different pages agree.
    let [ours, theirs] =
        ["estimated_topicality", "average_topicality"].map(|name| worth[name].as_f64().unwrap());
    assert!((ours - theirs).abs() < 0.1, "{ours} and {theirs}");
    let is_estimated = worth["joint"]["is_estimated"].as_bool();
    assert_eq!(is_estimated, Some(true), "nobody knows in-links");
}
