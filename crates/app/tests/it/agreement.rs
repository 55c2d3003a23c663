//! A crawl's record says of every page what `geoparse` says of it.

use crate::program::{Place, files};
use crate::replay::town::{Site, TOWN};
use insta::assert_snapshot;
use serde_json::Value;
use std::collections::BTreeMap;
use store::visit::Visit;

/// A place that crawls are for.
#[derive(Clone, Copy)]
struct Target {
    geonameid: u32,
    city: &'static str,
    state: &'static str,
}

const PEORIA: Target = Target {
    geonameid: 4_905_687,
    city: "Peoria",
    state: "IL",
};

const HOUSTON: Target = Target {
    geonameid: 4_699_066,
    city: "Houston",
    state: "TX",
};

const HTML: &str = "text/html";

/// A page: path, type, body.
type Made = (&'static str, &'static str, &'static str);

/// Pages on which two readers of addresses could disagree.
const PAGES: [Made; 18] = [
    (
        "paragraphs",
        HTML,
        "<p>One Illini Drive</p><p>Peoria, IL 61605</p>",
    ),
    (
        "with-a-box",
        HTML,
        "<p>One Illini Drive<br>PO Box 1649<p>Peoria, IL 61656",
    ),
    (
        "three-paragraphs",
        HTML,
        "<p>One Illini Drive</p><p>Suite 5</p><p>Peoria, IL 61605</p>",
    ),
    (
        "zip-below",
        HTML,
        "<div>One Illini Drive</div><div>Peoria</div><div>IL</div><p>61605</p>",
    ),
    ("box", HTML, "<p>PO Box 1649, Peoria, IL 61656"),
    (
        "plain.txt",
        "text/plain",
        "Visit\n\n  One Illini Drive\r\n  Peoria, IL 61605\n",
    ),
    (
        "page.txt",
        "text/plain",
        "<!doctype html><p>One Illini Drive<p>Peoria, IL 61605",
    ),
    (
        "untyped",
        "",
        "<html><p>One Illini Drive<br>Peoria, IL 61605",
    ),
    ("words-untyped", "", "One Illini Drive, Peoria, IL 61605"),
    (
        "octets",
        "application/octet-stream",
        "<html><p>One Illini Drive, Peoria, IL 61605",
    ),
    (
        "feed",
        "text/xml",
        "<rss><item><p>One Illini Drive</p><p>Peoria, IL 61605</p></item></rss>",
    ),
    (
        "stated",
        HTML,
        r#"<script type="application/ld+json">{"@type": "PostalAddress", "streetAddress":
        "100 Illini Drive", "addressLocality": "Peoria", "addressRegion": "IL"}</script>"#,
    ),
    ("misspelled", HTML, "<p>1 Illini Drive, Peorria, IL 61605"),
    (
        "another-town",
        HTML,
        "<p>4541 N Prospect Rd, Peoria Heights, IL 61616",
    ),
    (
        "another-state",
        HTML,
        "<p>One Illini Drive<p>Peoria, AZ 85345",
    ),
    ("no-code", HTML, "<p>One Illini Drive</p><p>Peoria, IL</p>"),
    (
        "menu",
        HTML,
        "<nav><li><a href=/>10 Ways to Drive</a><li><a href=/>Peoria, IL 61605</a></nav>",
    ),
    (
        "heading",
        HTML,
        "<h2>12 Doctors</h2><p>Peoria, IL 61605</p>",
    ),
];

fn made_pages(place: &Place) -> Vec<u8> {
    let mut site = Site::create(&place.path("made"));
    let links = PAGES.map(|(path, ..)| format!("<a href=/{path}>{path}</a> "));
    site.page("http://made.example/", &links.concat());
    for (path, kind, body) in PAGES {
        let head = match kind {
            "" => "200 OK".to_owned(),
            _ => format!("200 OK\r\nContent-Type: {kind}"),
        };
        site.add(&format!("http://made.example/{path}"), &head, body);
    }
    site.finish()
}

/// What `geoparse` says of each page in the archive of the crawl `c`.
fn geoparsed(place: &Place) -> BTreeMap<String, Value> {
    let archive = files(&place.path("c").join("warc"));
    let archive = archive.iter().map(|file| file.to_str().unwrap());
    let args: Vec<&str> = ["geoparse", "--jsonl"].into_iter().chain(archive).collect();
    let run = place.run(&args).expect_done();
    let lines = run.stdout.lines();
    let parse = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
    let page = |line: Value| (line["id"].as_str().unwrap().to_owned(), line);
    lines.map(parse).map(page).collect()
}

/// Addresses of a page in a place, by `geoparse`: in its text, and those that
/// its markup states.
fn n_found(page: &Value, target: Target) -> (usize, usize) {
    let list = |key: &str| page[key].as_array().unwrap().clone();
    let in_text = list("addresses");
    let is_there =
        |address: &&Value| address["geonameid"].as_u64() == Some(target.geonameid.into());
    let is_stated = |fact: &&Value| {
        fact["street"].is_string() && fact["city"] == target.city && fact["state"] == target.state
    };
    let stated = list("structured");
    (
        in_text.iter().filter(is_there).count(),
        stated.iter().filter(is_stated).count(),
    )
}

/// Holds record and `geoparse` against each other, page by page; gives back
/// the pages with addresses.
fn compare(place: &Place, target: Target) -> Vec<String> {
    let geoparsed = geoparsed(place);
    let visits = place.visits("c");
    let visits: Vec<&Visit> = visits.iter().filter(|visit| visit.is_page()).collect();
    for visit in &visits {
        // A copy is archived as one: its page stands elsewhere in the archive.
        let Some(page) = geoparsed.get(&visit.url) else {
            assert!(visit.copy.is_some(), "{} is in no archive", visit.url);
            continue;
        };
        let (n_in_text, n_stated) = n_found(page, target);
        let most = n_in_text + n_stated;
        assert!(
            (n_in_text.max(n_stated.min(1))..=most).contains(&visit.entities.len()),
            "{}: {:?} on record, {page}",
            visit.url,
            visit.entities
        );
    }
    let with_addresses = visits.iter().filter(|visit| !visit.entities.is_empty());
    with_addresses.map(|visit| visit.url.clone()).collect()
}

#[test]
fn an_address_in_paragraphs_is_no_address_to_a_crawl() {
    let place = Place::new();
    let archive = made_pages(&place);
    std::fs::write(place.path("web.warc.gz"), archive).unwrap();
    let crawl = ["crawl", "Peoria, IL", "--web", "web.warc.gz", "--out", "c"];
    place.run(&crawl).expect_done();
    let mut pages = compare(&place, PEORIA);
    pages.sort();
    let paths: Vec<&str> = pages
        .iter()
        .filter_map(|url| url.strip_prefix("http://made.example/"))
        .collect();
    assert_snapshot!(paths.join("\n"), @r"
    box
    feed
    misspelled
    octets
    page.txt
    paragraphs
    plain.txt
    stated
    three-paragraphs
    untyped
    with-a-box
    words-untyped
    zip-below
    ");
}

#[test]
fn a_recorded_town_has_the_same_addresses_for_a_crawl_and_for_geoparse() {
    let place = Place::new();
    std::fs::write(place.path("town.warc.gz"), TOWN).unwrap();
    let crawl = [
        "crawl",
        "Houston, TX",
        "--web",
        "town.warc.gz",
        "--out",
        "c",
    ];
    place.run(&crawl).expect_done();
    assert_eq!(compare(&place, HOUSTON).len(), 13);
}

#[test]
fn a_made_up_web_has_the_same_addresses_for_a_crawl_and_for_geoparse() {
    let place = Place::new();
    let crawl = [
        "crawl",
        "Houston, TX",
        "--web",
        "lab",
        "--pages",
        "400",
        "--out",
        "c",
    ];
    place.run(&crawl).expect_done();
    assert!(!compare(&place, HOUSTON).is_empty());
}
