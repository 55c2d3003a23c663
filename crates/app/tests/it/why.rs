//! `why`: the story of a URL or a host.

use crate::program::{Place, small_crawl};
use insta::assert_snapshot;
use std::collections::HashSet;
use store::visit::{Errand, Outcome, Visit};

/// A crawl of the same made-up web, of so many pages.
fn crawl(place: &Place, pages: &str, dir: &str) -> Vec<Visit> {
    place
        .run(&small_crawl(&["--pages", pages, "--out", dir]))
        .expect_done();
    place.visits(dir)
}

#[test]
fn the_words_that_raised_a_link_are_named() {
    let place = Place::new();
    let learning = ["--order", "adaptive", "--train-pages", "100"];
    let more = [&learning[..], &["--pages", "300", "--out", "c"]].concat();
    place.run(&small_crawl(&more)).expect_done();
    let visits = place.visits("c");
    let followed = |visit: &&Visit| visit.is_page() && visit.from.is_some();
    let visit = visits.iter().rev().find(followed).unwrap();
    let run = place.run(&["why", "c", &visit.url, "--json"]).expect_done();
    let words = run.json()["visits"][0]["words"].clone();
    let words = words.as_array().unwrap();
    assert!(!words.is_empty());
    // Words of the host stand in every link, those of the page in its archive.
    let names: Vec<&str> = words
        .iter()
        .filter_map(|word| word["name"].as_str())
        .collect();
    let sources = ["host ", "path ", "anchor ", "around ", "link "];
    let is_known = |name: &&str| sources.iter().any(|source| name.starts_with(source));
    assert!(names.iter().all(is_known), "{names:?}");
    assert!(
        words.iter().all(|word| word["weight"].is_f64()),
        "{words:?}"
    );
    // A link that waits is judged by the page that has it: crawled further, the
    // last pages are links that wait here.
    let further = [&learning[..], &["--pages", "400", "--out", "d"]].concat();
    place.run(&small_crawl(&further)).expect_done();
    let known: HashSet<&str> = visits.iter().map(|visit| visit.url.as_str()).collect();
    let waiting = |visit: &&Visit| {
        let from = visit.from.as_deref();
        visit.is_page()
            && !known.contains(visit.url.as_str())
            && from.is_some_and(|from| known.contains(from))
    };
    let later = place.visits("d");
    let waits = later.iter().find(waiting).unwrap();
    let run = place.run(&["why", "c", &waits.url, "--json"]).expect_done();
    assert_eq!(run.json()["state"], "waiting");
    let words = run.json()["words"].clone();
    assert!(!words.as_array().unwrap().is_empty(), "{words}");
    let plain = crawl(&place, "50", "plain");
    let page = plain.iter().find(|visit| visit.is_page()).unwrap();
    let run = place
        .run(&["why", "plain", &page.url, "--json"])
        .expect_done();
    assert_eq!(run.json()["visits"][0]["words"], serde_json::json!([]));
}

#[test]
fn a_page_tells_when_and_why_it_was_fetched_and_who_links_to_it() {
    let place = Place::new();
    let visits = crawl(&place, "300", "c");
    let visit = visits
        .iter()
        .rev()
        .find(|visit| visit.is_page() && visit.from.is_some());
    let visit = visit.unwrap();
    let story = place
        .run(&["why", "c", &visit.url, "--json"])
        .expect_done()
        .json();
    assert_eq!(story["state"], "visited");
    let told = &story["visits"][0];
    assert_eq!(told["visit"], visit.seq);
    assert_eq!(told["outcome"], "fetched");
    assert_eq!(told["because"], visit.because);
    assert_eq!(told["from"].as_str(), visit.from.as_deref());
    assert_eq!(told["depth"], visit.depth);
    assert!(told["archived"]["offset"].is_u64(), "{told}");
    let linkers = story["links"]["first"].as_array().unwrap();
    let from = linkers
        .iter()
        .find(|linker| linker["url"].as_str() == visit.from.as_deref());
    assert!(from.is_some_and(|from| from["node"].is_string()), "{story}");

    let text = place.run(&["why", "c", &visit.url]).expect_done().stdout;
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(visit.url.as_str()));
    assert_eq!(lines.next(), Some("fetched"));
    assert!(text.contains("\nlinked from "), "{text}");
}

#[test]
fn only_a_seed_is_told_to_come_from_nowhere() {
    let place = Place::new();
    let visits = crawl(&place, "20", "c");
    let story = |visit: &Visit| place.run(&["why", "c", &visit.url]).expect_done().stdout;
    let of = |errand| visits.iter().find(move |visit| visit.errand == errand);
    let rules = story(of(Errand::Robots).unwrap());
    assert!(rules.contains("robots rules come first"), "{rules}");
    assert!(!rules.contains("a seed"), "{rules}");
    let seed = visits
        .iter()
        .find(|visit| visit.because.starts_with("seed;"));
    let seed = story(seed.unwrap());
    assert!(seed.contains("nowhere: a seed"), "{seed}");
}

#[test]
fn spelling_does_not_matter() {
    let place = Place::new();
    let visits = crawl(&place, "30", "c");
    let url = &visits.iter().find(|visit| visit.is_page()).unwrap().url;
    let loud = url.replacen("http://", "HTTP://", 1) + "#top";
    let story = place
        .run(&["why", "c", &loud, "--json"])
        .expect_done()
        .json();
    assert_eq!(story["url"].as_str(), Some(url.as_str()));
}

#[test]
fn what_is_linked_and_not_visited_waits() {
    let place = Place::new();
    let early = crawl(&place, "100", "early");
    let late = crawl(&place, "600", "late");
    let known: HashSet<&str> = early.iter().map(|visit| visit.url.as_str()).collect();
    let linkers: HashSet<&str> = early
        .iter()
        .filter(|visit| visit.is_page())
        .map(|visit| visit.url.as_str())
        .collect();
    let waits = late.iter().find(|visit| {
        visit.errand == Errand::Page
            && !known.contains(visit.url.as_str())
            && visit
                .from
                .as_deref()
                .is_some_and(|from| linkers.contains(from))
    });
    let url = &waits
        .expect("a page that was found early and fetched late")
        .url;
    let story = place
        .run(&["why", "early", url, "--json"])
        .expect_done()
        .json();
    assert_eq!(story["state"], "waiting", "{story}");
    assert_eq!(story["n_visits"], 0);
    assert!(story["links"]["pages"].as_u64() > Some(0));
    let text = place.run(&["why", "early", url]).expect_done().stdout;
    assert!(text.contains("not visited yet: it waits with Cn"), "{text}");
}

#[test]
fn a_seed_that_a_recorded_web_brings_along_waits() {
    let place = Place::new();
    crawl(&place, "300", "lab");
    let archive = place.warc("lab");
    let archive = archive.to_str().unwrap();
    let replay = |pages: &str, dir: &str| -> HashSet<String> {
        let wish = ["crawl", "us-top100", "--pages", pages, "--out", dir];
        place.run(&[&wish[..], &["--web", archive]].concat());
        let visits = place.visits(dir).into_iter();
        let seeds = visits.filter(|visit| visit.because.starts_with("seed;"));
        seeds.map(|visit| visit.url).collect()
    };
    let (early, all) = (replay("1", "early"), replay("300", "all"));
    // Some are linked from the one page that is there: they wait with a node.
    let is_told = all.difference(&early).any(|url| {
        let story = place.run(&["why", "early", url]).expect_done().stdout;
        story.contains("not visited yet: a seed that waits")
    });
    assert!(is_told, "{} seeds", all.len());
}

#[test]
fn a_chain_of_redirects_is_told_from_both_ends() {
    let place = Place::new();
    let visits = crawl(&place, "3000", "c");
    let visited: HashSet<&str> = visits.iter().map(|visit| visit.url.as_str()).collect();
    let redirect = visits.iter().find_map(|visit| match &visit.outcome {
        Outcome::Redirected(to) if visit.errand == Errand::Page && visited.contains(&**to) => {
            Some((visit.url.as_str(), to.as_str()))
        }
        _ => None,
    });
    let (from, to) = redirect.expect("a redirect that was followed");
    let why = |url| place.run(&["why", "c", url, "--json"]).expect_done().json();
    let sources = why(to)["redirected_from"].clone();
    let last = sources.as_array().unwrap().last().unwrap();
    let sources: Vec<&str> = visits
        .iter()
        .filter(|visit| visit.outcome == Outcome::Redirected(to.to_owned()))
        .map(|visit| visit.url.as_str())
        .collect();
    assert!(sources.contains(&last.as_str().unwrap()), "{last}");
    assert_eq!(why(from)["redirects_to"][0], to);
}

#[test]
fn what_robots_txt_forbids_is_told_with_its_line() {
    let place = Place::new();
    let visits = crawl(&place, "900", "c");
    let is_forbidden = |visit: &&Visit| matches!(visit.outcome, Outcome::Forbidden { line: 1.. });
    let url = &visits
        .iter()
        .find(is_forbidden)
        .expect("a forbidden page")
        .url;
    let story = place.run(&["why", "c", url, "--json"]).expect_done().json();
    let told = story["visits"].as_array().unwrap().last().unwrap();
    assert!(told["robots_line"].as_u64() > Some(0), "{told}");
    let rule = story["robots"]["rule"].as_str().unwrap_or_default();
    assert!(rule.to_lowercase().starts_with("disallow:"), "{story}");
    let text = place.run(&["why", "c", url]).expect_done().stdout;
    assert!(
        text.contains(&format!("its robots.txt says: {rule}")),
        "{text}"
    );
}

#[test]
fn a_host_tells_how_it_was_treated() {
    let place = Place::new();
    let visits = crawl(&place, "600", "c");
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    let host = status["busiest_hosts"][0]["host"].as_str().unwrap();
    let own = visits
        .iter()
        .filter(|visit| visit.url.split('/').nth(2) == Some(host));
    let story = place
        .run(&["why", "c", host, "--json"])
        .expect_done()
        .json();
    assert_eq!(story["visits"], own.clone().count());
    assert_eq!(story["pages"], own.filter(|visit| visit.is_page()).count());
    assert!(story["least_delay_ms"].as_u64() >= Some(1000), "{story}");
    assert!(story["median_delay_ms"].as_u64() >= story["least_delay_ms"].as_u64());
    assert!(!story["robots"].as_array().unwrap().is_empty(), "{story}");
    let text = place.run(&["why", "c", host]).expect_done().stdout;
    assert!(text.contains("ms apart"), "{text}");
}

#[test]
fn what_was_never_seen_is_said_so() {
    let place = Place::new();
    crawl(&place, "10", "c");
    let show = |subject| {
        let run = place.run(&["why", "c", subject]);
        format!("exit {}\n{}{}", run.code, run.stdout, run.stderr)
    };
    assert_snapshot!(show("http://nowhere.example/a"), @r"
    exit 1
    http://nowhere.example/a
    never seen: no visit, and no link to it on record
    ");
    assert_snapshot!(show("nowhere.example"), @r"
    exit 1
    nowhere.example
    never seen: no visit on record
    ");
    let bad = place.run(&["why", "c", "nowhere.example/a"]);
    assert_eq!(bad.code, 2, "{}", bad.stdout);
    assert!(bad.stderr.contains("write a URL such as"), "{}", bad.stderr);
    let missing = place.run(&["why", "nothing", "nowhere.example"]);
    assert_snapshot!(missing.complaint(), @r"
    exit 2
    error: there is no crawl in `nothing`
    ");
}

#[test]
fn what_decided_for_focus_multiplies_to_the_priority_shown() {
    let place = Place::new();
    let focus = ["--out", "c", "--pages", "600", "--order", "focus"];
    place.run(&small_crawl(&focus)).expect_done();
    let visits = place.visits("c");
    let pages: Vec<&Visit> = visits.iter().filter(|visit| visit.is_page()).collect();
    let mut named = String::new();
    for visit in pages.iter().step_by(pages.len() / 15) {
        let story = place.run(&["why", "c", &visit.url, "--json"]).expect_done();
        let told = story.json()["visits"][0].clone();
        let words = told["words"].as_array().unwrap();
        if visit.trail.as_ref().unwrap().distance == 0 {
            // It was fetched because it is a seed, and for nothing else.
            assert!(words.is_empty(), "{told}");
            continue;
        }
        let weights = words.iter().map(|word| word["weight"].as_f64().unwrap());
        let odds = weights.sum::<f64>().exp();
        let priority = told["priority"].as_f64().unwrap();
        assert!((odds / (1.0 + odds) - priority).abs() < 1e-3, "{told}");
        named += &told["words"].to_string();
    }
    for what in ["its host", "its pattern", "relevant", "any link"] {
        assert!(named.contains(what), "{what}: {named}");
    }
    let last = pages.iter().rev().find(|visit| !visit.account.is_empty());
    let last = last.unwrap();
    let text = place.run(&["why", "c", &last.url]).expect_done().stdout;
    let told = format!(", priority {:.3}", last.priority);
    assert!(
        text.contains(" = odds of ") && text.contains(&told),
        "{text}"
    );
}
