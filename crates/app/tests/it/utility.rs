//! Topic against importance, through the program: crawls, training, mistakes.

use crate::program::{Place, Run, signal, wait_for_visits};
use lab::topics;
use lab::world::{World, WorldSettings};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use std::collections::BTreeMap;
use std::fs;
use store::visit::Visit;

const N_SITES: u64 = 5_000;

/// A crawl of a small made-up web for one city.
fn crawl<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = [
        "crawl",
        "Houston, TX",
        "--web",
        "lab",
        "--world-sites",
        "5000",
        "--out",
        out,
    ];
    [&usual, more].concat()
}

/// What a command that could not start says.
fn refusal(run: &Run) -> String {
    let complaint = run.complaint();
    let said = complaint.strip_prefix("exit 2\nerror: ");
    said.unwrap_or(&complaint).trim_end().to_owned()
}

fn pages(place: &Place, dir: &str) -> Vec<Visit> {
    let visits = place.visits(dir).into_iter();
    visits.filter(Visit::is_page).collect()
}

/// The share of pages that are about a topic by the made-up web's own truth.
fn share_about(pages: &[Visit], topic: &str) -> f64 {
    let settings = WorldSettings {
        n_sites: N_SITES,
        ..WorldSettings::default()
    };
    let world = World::new(settings, Gazetteer::built_in());
    let topic_idx = topics::names().position(|name| name == topic).unwrap();
    let is_about = |visit: &&Visit| {
        let url = CanonicalUrl::parse(&visit.url).unwrap();
        world
            .truth(&url)
            .is_some_and(|truth| truth.topic == topic_idx)
    };
    pages.iter().filter(is_about).count() as f64 / pages.len() as f64
}

/// α as the log has it is α as the log's topicalities make it, for every node
/// by its own pages.
fn check_elasticity(pages: &[Visit], delta: f64) -> BTreeMap<u16, f64> {
    let mut nodes: BTreeMap<u16, (f64, Vec<f64>)> = BTreeMap::new();
    for page in pages {
        let (alpha, topicalities) = nodes.entry(page.node).or_insert((0.5, Vec::new()));
        let on_record = f64::from(page.alpha.unwrap());
        assert!(
            (on_record - *alpha).abs() < 1e-6,
            "{on_record} {alpha} {}",
            page.url
        );
        topicalities.push(f64::from(page.topicality.unwrap()));
        let last = &topicalities[topicalities.len().saturating_sub(25)..];
        let mean = last.iter().sum::<f64>() / last.len() as f64;
        *alpha = (*alpha + 0.01 * (delta - mean)).clamp(0.0, 1.0);
    }
    nodes
        .into_iter()
        .map(|(node, (alpha, _))| (node, alpha))
        .collect()
}

#[test]
fn a_topic_brings_more_pages_about_it_and_alpha_adapts() {
    let place = Place::new();
    let asked = ["--topic", "restaurants", "--pages", "500", "--slots", "4"];
    let breadth = [&asked[..], &["--order", "breadth"]].concat();
    place.run(&crawl("breadth", &breadth)).expect_done();
    let utility = ["--order", "utility", "--topicality", "0.7"];
    let utility = [&asked[..], &utility].concat();
    let run = place.run(&crawl("utility", &utility)).expect_done();
    assert!(
        run.stderr.contains(", about `restaurants`"),
        "{}",
        run.stderr
    );
    let [plain, topical] = ["breadth", "utility"].map(|dir| pages(&place, dir));
    assert!(
        plain
            .iter()
            .all(|page| page.topicality.is_some() && page.alpha.is_none())
    );
    let shares = [&plain, &topical].map(|pages| share_about(pages, "restaurants"));
    assert!(shares[1] > 2.0 * shares[0], "{shares:?}");
    assert!(topical.iter().all(|page| page.importance.is_some()));
    let alphas = check_elasticity(&topical, 0.7);
    assert_eq!(alphas.len(), 1);
    assert!((alphas[&0] - 0.5).abs() > 0.1, "{alphas:?}");

    let why = place
        .run(&["why", "utility", &topical[400].url])
        .expect_done();
    for part in [
        "  utility   0.",
        "importance 0.",
        "(cobb-douglas), of http://",
        "  worth     topicality 0.",
    ] {
        assert!(why.stdout.contains(part), "{part}\n{}", why.stdout);
    }
    let why = place
        .run(&["why", "utility", &topical[400].url, "--json"])
        .expect_done();
    let visit = &why.json()["visits"][0];
    let utility = &visit["utility"];
    let number = |name: &str| utility[name].as_f64().unwrap();
    let alpha = number("alpha");
    let value = number("topicality").powf(alpha) * number("importance").powf(1.0 - alpha);
    assert!((number("value") - value).abs() < 1e-4, "{utility}");
    // Ties take away a little of the priority.
    let priority = visit["priority"].as_f64().unwrap();
    assert!((priority / value - 1.0).abs() < 0.01, "{visit}");
}

#[test]
fn every_node_adapts_its_own_and_goes_on_with_it_after_kill_9() {
    let place = Place::new();
    let asked = [
        "crawl",
        "Houston, TX; Boston, MA; Chicago, IL",
        "--nodes",
        "3",
        "--web",
        "lab",
        "--world-sites",
        "5000",
        "--order",
        "utility",
        "--topic",
        "books",
        "--topicality",
        "0.8",
        "--out",
        "c",
        "--pages",
    ];
    let with_pages = |n| [&asked[..], &[n]].concat();
    let mut child = place.start(&with_pages("100000"));
    wait_for_visits(&place, "c", &mut child, 600);
    signal(&child, "-9");
    child.wait().unwrap();
    let before = pages(&place, "c");
    let goal = (before.len() + 200).to_string();
    place.run(&with_pages(&goal)).expect_done();
    let after = pages(&place, "c");
    assert_eq!(
        after[..before.len()],
        before[..],
        "stored visits stay as they were"
    );
    let alphas = check_elasticity(&after, 0.8);
    assert!(alphas.len() > 1, "{alphas:?}");
}

#[test]
fn links_to_a_page_make_it_important_to_inlinks_also_those_found_before_a_stop() {
    let place = Place::new();
    let asked = [
        "--topic",
        "geography",
        "--order",
        "inlinks",
        "--elasticity",
        "0",
        "--pages",
    ];
    for n_pages in ["150", "300"] {
        place
            .run(&crawl("c", &[&asked[..], &[n_pages]].concat()))
            .expect_done();
    }
    let pages = pages(&place, "c");
    let mut n_links: BTreeMap<u64, u32> = BTreeMap::new();
    let fingerprint = |url: &str| CanonicalUrl::parse(url).unwrap().fingerprint().short();
    for page in &pages {
        let n = n_links.get(&fingerprint(&page.url)).copied().unwrap_or(0);
        let status = 1.0 / (1.0 + (3.0_f64.ln() - f64::from(n).ln_1p()).exp());
        let importance = f64::from(page.importance.unwrap());
        assert!(
            (importance - status).abs() < 1e-4,
            "{n} {importance} {}",
            page.url
        );
        page.links
            .iter()
            .for_each(|link| *n_links.entry(link.url).or_default() += 1);
    }
    assert!(pages.iter().any(|page| page.importance > Some(0.7)));
}

/// Writes pages about a topic; `n` of them, each with a word of its own.
fn write_pages(place: &Place, folder: &str, extension: &str, text: &str, n: usize) {
    fs::create_dir_all(place.path(folder)).unwrap();
    for nth in 0..n {
        place.write(
            &format!("{folder}/{nth}.{extension}"),
            &format!("{text} story{nth}"),
        );
    }
}

#[test]
fn a_topic_is_learned_from_a_folder_and_kept_in_a_file() {
    let place = Place::new();
    write_pages(
        &place,
        "soup/positive",
        "html",
        "<p>The soup and the broth of the kitchen",
        30,
    );
    write_pages(
        &place,
        "soup/negative",
        "txt",
        "The engine & the <mechanic> of the garage",
        25,
    );
    let trained = place
        .run(&["train", "topic", "soup", "--json"])
        .expect_done()
        .json();
    assert_eq!(
        (&trained["positives"], &trained["negatives"]),
        (&30.into(), &25.into())
    );
    assert_eq!(trained["language"], "en");
    assert_eq!(trained["held_out"]["examples"], 6 + 5);
    assert_eq!(trained["held_out"]["f1"], 1.0);
    let crawled = place.run(&crawl(
        "c",
        &[
            "--topic",
            "soup.topic",
            "--order",
            "utility",
            "--pages",
            "60",
        ],
    ));
    crawled.expect_done();
    // The folder itself is as good as the file.
    let crawled = place.run(&crawl(
        "d",
        &["--topic", "soup/", "--order", "utility", "--pages", "60"],
    ));
    crawled.expect_done();
    // But for where pages lie in the archive, whose head names the topic.
    let visits = |dir: &str| -> Vec<Visit> {
        let pages = pages(&place, dir).into_iter();
        let anywhere = |visit| Visit {
            archived: None,
            ..visit
        };
        pages.map(anywhere).collect()
    };
    assert_eq!(visits("c"), visits("d"));
    write_pages(&place, "soup/positive", "html", "<p>Bread and butter", 12);
    let changed = place.run(&crawl("d", &["--pages", "80"]));
    assert!(
        refusal(&changed)
            .ends_with("is not what it was when this crawl was started: choose another `--out`"),
        "{}",
        changed.stderr
    );
}

#[test]
fn urls_of_an_earlier_crawl_are_examples_too_and_the_mix_is_what_they_are_not() {
    let place = Place::new();
    place
        .run(&crawl("first", &["--pages", "300"]))
        .expect_done();
    let first = pages(&place, "first");
    let urls: Vec<&str> = first
        .iter()
        .take(40)
        .map(|page| page.url.as_str())
        .collect();
    fs::create_dir(place.path("towns")).unwrap();
    place.write(
        "towns/positive.txt",
        &format!("{}\nhttp://gone.example/\n", urls.join("\n")),
    );
    let lists = place.run(&["train", "topic", "towns"]);
    assert!(
        refusal(&lists).contains("lists URLs: `locavore train topic"),
        "{}",
        lists.stderr
    );
    let trained = place
        .run(&["train", "topic", "towns", "--crawl", "first"])
        .expect_done();
    assert!(
        trained
            .stderr
            .contains("1 of 41 pages in the lists could not be had"),
        "{}",
        trained.stderr
    );
    assert!(
        trained
            .stderr
            .contains("a built-in mix of English texts has to do"),
        "{}",
        trained.stderr
    );
    assert!(
        trained.stdout.contains("negative examples"),
        "{}",
        trained.stdout
    );
}

#[test]
fn status_is_learned_from_a_crawls_own_links_or_from_a_file() {
    let place = Place::new();
    place
        .run(&crawl("first", &["--pages", "800"]))
        .expect_done();
    let trained = place
        .run(&["train", "status", "first", "--json"])
        .expect_done()
        .json();
    assert!(
        trained["held_out"]["rho"].as_f64().unwrap() > 0.1,
        "{trained}"
    );
    assert!(trained["theta"].as_f64().unwrap() > 0.0);
    let asked = [
        "--topic",
        "geography",
        "--order",
        "utility",
        "--status",
        "status.model",
        "--pages",
        "60",
    ];
    place.run(&crawl("c", &asked)).expect_done();

    // Pages deep in their sites are linked to less.
    let lines = pages(&place, "first").into_iter();
    let lines: String = lines
        .map(|page| format!("{}\t{}\n", page.url, 1000 >> page.url.matches('/').count()))
        .collect();
    place.write("counts.tsv", &lines);
    let train = |file| {
        place.run(&[
            "train",
            "status",
            "first",
            "--inlinks",
            file,
            "--out",
            "other.model",
        ])
    };
    assert!(
        train("counts.tsv")
            .expect_done()
            .stdout
            .contains("Spearman's ρ")
    );
    place.write("bad.tsv", "http://a.example/\tmany\n");
    assert_eq!(
        refusal(&train("bad.tsv")),
        "bad lines in `bad.tsv`: each is a URL, a tab and a number\n  1: `http://a.example/\tmany`"
    );
}

#[test]
fn mistakes_are_named_with_the_number_that_is_needed() {
    let place = Place::new();
    let complain = |asked: &[&str]| refusal(&place.run(&crawl("c", asked)));
    assert_eq!(
        complain(&["--order", "utility"]),
        "`--order utility` needs `--topic`: what pages should be about"
    );
    assert_eq!(
        complain(&["--order", "focus", "--topicality", "0.7"]),
        "`--topicality` belongs to `--order utility` or `--order inlinks`, not to `focus`"
    );
    let unknown = complain(&["--topic", "resturants"]);
    assert!(
        unknown.starts_with("no topic `resturants`: ") && unknown.contains("`restaurants`"),
        "{unknown}"
    );
    for delta in ["1.5", "-0.1", "lots"] {
        let asked = [
            "--topic",
            "books",
            "--order",
            "utility",
            "--topicality",
            delta,
        ];
        let run = place.run(&crawl("c", &asked));
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains("a number from 0 to 1, such as `0.7`"),
            "{}",
            run.stderr
        );
    }
    place.write("traffic.csv", "GlobalRank,TldRank,Domain\n1,1,google.com\n");
    let asked = [
        "--topic",
        "books",
        "--order",
        "utility",
        "--traffic",
        "traffic.csv",
    ];
    let traffic = complain(&asked);
    assert!(
        traffic.ends_with("line 1: `GlobalRank,TldRank,Domain` is not `1,example.com`"),
        "{traffic}"
    );
    let train = |dir| refusal(&place.run(&["train", "topic", dir]));
    write_pages(&place, "few/positive", "txt", "soup", 3);
    let few = train("few");
    assert!(
        few.ends_with("a topic needs at least 10 positive examples, got 3"),
        "{few}"
    );
    write_pages(&place, "one/positive", "txt", "soup", 30);
    fs::create_dir(place.path("one/negative")).unwrap();
    let one = train("one");
    assert!(
        one.ends_with("all 30 examples are positive: a topic needs at least 10 of each side"),
        "{one}"
    );
    fs::create_dir(place.path("none")).unwrap();
    assert!(
        train("none").starts_with("no examples in `"),
        "{}",
        train("none")
    );
    place.write("broken.topic", "PNG");
    let broken = complain(&["--topic", "broken.topic"]);
    assert!(
        broken.ends_with("not a topic made by `locavore train topic`"),
        "{broken}"
    );
}

#[test]
fn a_topic_in_another_language_is_warned_of() {
    let place = Place::new();
    let text = "Die Suppe und das Brot sind in der Küche, und die Köchin ist nicht da";
    write_pages(&place, "suppe/positive", "txt", text, 15);
    write_pages(
        &place,
        "suppe/negative",
        "txt",
        "Der Motor ist nicht in der Werkstatt",
        15,
    );
    let run = place
        .run(&crawl("c", &["--topic", "suppe", "--pages", "20"]))
        .expect_done();
    let warning = "was learned from pages in `de`, and this crawl is for pages in `en`";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    fs::remove_dir_all(place.path("suppe/negative")).unwrap();
    let run = place.run(&["train", "topic", "suppe"]).expect_done();
    let warning = "the positive examples are in `de`, and the built-in mix is in `en`";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
}

#[test]
fn recorded_pages_are_replayed_for_a_topic() {
    let place = Place::new();
    place
        .run(&crawl("first", &["--pages", "400"]))
        .expect_done();
    let warc = place.warc("first");
    let asked = [
        "--topic",
        "books",
        "--order",
        "utility",
        "--topicality",
        "0.6",
        "--out",
        "again",
    ];
    let replay = [
        &["crawl", "Houston, TX", "--web", warc.to_str().unwrap()],
        &asked[..],
    ]
    .concat();
    place.run(&replay).expect_done();
    let pages = pages(&place, "again");
    assert!(pages.len() > 100, "{}", pages.len());
    check_elasticity(&pages, 0.6);
    let order =
        |pages: &[Visit]| -> Vec<String> { pages.iter().map(|page| page.url.clone()).collect() };
    assert_ne!(order(&pages), order(&self::pages(&place, "first")));
}

#[test]
fn the_demo_takes_a_topic_and_can_be_made_again() {
    let place = Place::new();
    let demo = [
        "demo",
        "--topic",
        "books",
        "--order",
        "utility",
        "--topicality",
        "0.7",
        "--pages",
    ];
    place.run(&[&demo[..], &["200"]].concat()).expect_done();
    let again = place.run(&[&demo[..], &["100"]].concat()).expect_done();
    assert!(
        again.stderr.contains("six nodes crawl "),
        "{}",
        again.stderr
    );
    let pages = pages(&place, "locavore-demo");
    assert_eq!(pages.len(), 100);
    assert!(check_elasticity(&pages, 0.7).len() > 1);
}
