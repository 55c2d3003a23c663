//! Strategies with their settings, and training a model, through the program.

use crate::program::{Place, Run};
use std::fs;

/// A crawl of a small made-up web.
fn crawl<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = [
        "crawl",
        "us-top100",
        "--web",
        "lab",
        "--world-sites",
        "2000",
        "--json",
        "--out",
        out,
    ];
    [&usual, more].concat()
}

/// What a command that could not start says.
fn only(run: &Run) -> String {
    let complaint = run.complaint();
    let said = complaint.strip_prefix("exit 2\n").unwrap_or(&complaint);
    said.trim_end().to_owned()
}

#[test]
fn pages_are_fetched_once_unless_the_paper_is_to_be_followed() {
    let place = Place::new();
    let asked = ["--assign", "content", "--pages", "1000"];
    let once = place.run(&crawl("once", &asked)).expect_done();
    assert_eq!(once.json()["overlap"], 0.0);
    let asked = [&asked[..], &["--overlap", "paper"]].concat();
    let paper = place.run(&crawl("paper", &asked)).expect_done();
    assert!(paper.json()["overlap"].as_f64().unwrap() > 0.0);
    let refused = place.run(&["crawl", "--out", "paper", "--overlap", "none"]);
    assert_eq!(
        only(&refused),
        "error: this crawl was started with --overlap `paper`, not `none`: choose another `--out`"
    );
}

#[test]
fn a_model_is_made_from_examples_and_refused_for_another_crawl() {
    let place = Place::new();
    let line = |text: &str, label: &str| {
        let line = serde_json::json!({ "text": text, "label": label });
        format!("{line}\n")
    };
    let houston = line("Houston space oil Houston rodeo Houston", "Houston, TX").repeat(4);
    let boston = serde_json::json!({ "html": "<p>Boston chowder Boston", "label": "Boston, MA" });
    let other = line("engines engines recipes", "none").repeat(4);
    let file = place.path("pages.jsonl");
    fs::write(&file, format!("{houston}{boston}\n{other}")).unwrap();
    let train = |places: &[&'static str], out: &'static str| {
        let tail = ["--examples", "pages.jsonl", "--out", out];
        place.run(&[&["train"], places, &tail].concat())
    };
    let trained = train(&["Houston, TX; Boston, MA", "--nodes", "3"], "model.txt");
    trained.expect_done();
    let model = fs::read_to_string(place.path("model.txt")).unwrap();
    assert!(
        model.starts_with("locavore classifier 2\nmade 2"),
        "{model}"
    );
    assert!(model.contains("\nword houston 0 "), "{model}");
    let refused = place.run(&crawl(
        "out",
        &["--assign", "classifier", "--model", "model.txt"],
    ));
    assert_eq!(
        only(&refused),
        "error: the model of `--model` was trained for other targets: it does not know \
         `Washington, DC`\nhint: `locavore train` takes the same places as the crawl"
    );
    let refused = train(&["Houston, TX"], "other.txt");
    assert_eq!(
        only(&refused),
        "error: bad lines in `pages.jsonl`\n  5: `Boston, MA` is none of the places asked for"
    );
}

#[test]
fn a_model_can_be_trained_for_any_split() {
    let place = Place::new();
    let examples = ["Houston", "Boston", "Denver"].map(|city| {
        let state = match city {
            "Houston" => "TX",
            "Boston" => "MA",
            _ => "CO",
        };
        let text = format!("{city} news of {city}");
        let line = serde_json::json!({ "text": text, "label": format!("{city}, {state}") });
        format!("{line}\n")
    });
    let none = serde_json::json!({ "text": "engines", "label": "none" });
    fs::write(
        place.path("pages.jsonl"),
        format!("{}{none}\n", examples.concat()),
    )
    .unwrap();
    fs::write(
        place.path("table.tsv"),
        "East\tBoston, MA\nWest\tHouston, TX\tDenver, CO\n",
    )
    .unwrap();
    let cities = "Houston, TX; Boston, MA; Denver, CO";
    let split = ["--split", "table.tsv", "--general", "2"];
    let train = ["train", cities, "--examples", "pages.jsonl"];
    place.run(&[&train[..], &split].concat()).expect_done();
    let crawl = ["crawl", cities, "--web", "lab", "--world-sites", "500"];
    let model = ["--assign", "classifier", "--model", "model.txt"];
    let tail = ["--pages", "20", "--json", "--out"];
    let with = |split: &[&'static str], out: &'static str| {
        place.run(&[&crawl[..], &model, split, &tail, &[out]].concat())
    };
    with(&split, "out").expect_done();
    let refused = with(&["--split", "state"], "other");
    assert_eq!(
        only(&refused),
        "error: the model of `--model` was trained for another split of the targets: there \
         `Denver, CO` and `Houston, TX` belong to one node\nhint: `locavore train` takes the same \
         `--nodes`, `--general` and `--split` as the crawl"
    );
}

#[test]
fn an_earlier_crawl_teaches_the_next_one() {
    let place = Place::new();
    let two = ["--nodes", "2", "--pages"];
    let asked = [&two[..], &["1500"]].concat();
    place.run(&crawl("first", &asked)).expect_done();
    place
        .run(&["train", "--crawl", "first", "--out", "model.txt"])
        .expect_done();
    let asked = [
        &two[..],
        &["100", "--assign", "classifier", "--model", "model.txt"],
    ]
    .concat();
    let second = place.run(&crawl("second", &asked)).expect_done();
    assert_eq!(second.json()["pages"], 100);
}

#[test]
fn what_a_strategy_lacks_or_does_not_know_is_named() {
    let place = Place::new();
    let complaint = |asked: &[&'static str]| only(&place.run(&crawl("out", asked)));
    assert_eq!(
        complaint(&["--assign", "classifier"]),
        "error: `--assign classifier` needs `--model FILE`: made by `locavore train`"
    );
    assert_eq!(
        complaint(&["--assign", "hash", "--alpha", "0.3"]),
        "error: `--alpha` belongs to `--assign content`, not to `hash`"
    );
    assert_eq!(
        complaint(&["--assign", "ip", "--mmdb", "servers.mmdb"]),
        "error: the made-up web knows where its servers stand: leave out `--mmdb`"
    );
    assert_eq!(
        complaint(&["--policy", "c"]),
        "error: no policy named `c`: `a` or `b`"
    );
}
