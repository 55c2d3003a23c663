//! What whole answers say: how a question was read, and what is shown once.

use super::*;
use crate::ask::Answer;
use crate::region::Area;
use store::visit::{Copy, Likeness};

fn answer(index: &Index, query: &str) -> Answer {
    let ask = Ask {
        query: query.to_owned(),
        n_hits: 10,
        ..Ask::default()
    };
    index.ask(&ask).unwrap()
}

fn where_read(index: &Index, query: &str) -> String {
    let location = answer(index, query).understood.location;
    location.map_or_else(String::new, |location| location.name)
}

fn hosts(answer: &Answer) -> Vec<String> {
    let hosts = answer.hits.iter().map(|hit| crate::words::host(&hit.url));
    hosts.map(|host| host.replace(".example", "")).collect()
}

#[test]
fn the_place_in_the_words_is_read_and_obeyed() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    let chicago = answer(&index, "pizza in Chicago");
    assert_eq!(hosts(&chicago)[0], "windy");
    assert_eq!(chicago.understood.words, "pizza");
    assert_snapshot!(where_read(&index, "pizza restaurant in Lisbon"), @"Lisbon, Lisbon, Portugal");
    assert_snapshot!(where_read(&index, "schools in Athens"), @"Athens, Attica, Greece");
    assert_eq!(where_read(&index, "reading glasses"), "");
}

#[test]
fn too_little_in_a_place_is_widened_and_said() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    // Nothing in Dallas, nor around it: Texas has two.
    let wider = answer(&index, "pizza in Dallas");
    assert_eq!(
        wider.widened.as_deref(),
        Some("all of Texas, United States")
    );
    let mut found = hosts(&wider);
    found.sort();
    assert_eq!(found, ["alamo", "luigi"]);
    // Three are enough.
    let texas = answer(&index, "pizza in Texas");
    assert_eq!(texas.widened.as_deref(), Some("all of United States"));
    assert_eq!(answer(&index, "pizza in the United States").widened, None);
}

#[test]
fn an_answer_is_remembered_until_something_is_added() {
    let (dir, mut crawl) = crawl_of(town());
    let mut index = open(&dir);
    let asked = |query: &str, n_hits| Ask {
        query: query.to_owned(),
        n_hits,
        ..Ask::default()
    };
    let first = index.ask_or_recall(&asked("pizza in Chicago", 10)).unwrap();
    let again = index.ask_or_recall(&asked("pizza in Chicago", 10)).unwrap();
    assert!(std::sync::Arc::ptr_eq(&first, &again));
    let other = index.ask_or_recall(&asked("pizza in Chicago", 1)).unwrap();
    assert_eq!(other.hits.len(), 1);
    // More than are remembered: the first ones are worked out again.
    for nth in 0..600 {
        index
            .ask_or_recall(&asked(&format!("pizza{nth}"), 1))
            .unwrap();
    }
    let forgotten = index.ask_or_recall(&asked("pizza in Chicago", 10)).unwrap();
    assert!(!std::sync::Arc::ptr_eq(&first, &forgotten));
    assert_eq!(forgotten.hits, first.hits);

    let lake = ("1 Lake St, Chicago, IL", CHICAGO);
    record(
        &mut crawl,
        vec![page("http://lake.example/", "Lake pizza", &[lake])],
    );
    index.update(dir.path()).unwrap();
    let after = index.ask_or_recall(&asked("pizza in Chicago", 10)).unwrap();
    assert_eq!(after.n_pages, first.n_pages + 1);
}

#[test]
fn what_other_sites_call_a_page_finds_it() {
    let (dir, mut crawl) = crawl_of(Vec::new());
    let link = "<a href='http://luigi.example/'>Gorgonzola palace</a>";
    let mut linking = page("http://guide.example/", "Guide", &[]);
    linking.title = format!("Guide</title>{link}<title>");
    record(&mut crawl, vec![linking]);
    record(&mut crawl, town());
    let index = open(&dir);
    assert!(hosts(&answer(&index, "gorgonzola")).contains(&"luigi".to_owned()));
}

#[test]
fn what_others_call_a_page_later_finds_it_too() {
    let (dir, mut crawl) = crawl_of(town());
    // All else that is known of it stays as it is.
    let shown = |index: &Index| {
        let mut hit = search(index, "luigi pizza", Some(HOUSTON), 1).remove(0);
        hit.score = 0.0;
        hit
    };
    let index = open(&dir);
    assert!(hosts(&answer(&index, "gorgonzola")).is_empty());
    let before = shown(&index);
    assert!(before.address.is_some() && before.lat.is_some());
    drop(index);
    // More than are read together, so that the links come too late.
    let between = (0..600).map(|n| page(&format!("http://x{n}.example/"), "Between", &[]));
    record(&mut crawl, between.collect());
    let link = "<a href='http://luigi.example/'>Gorgonzola palace</a>";
    let linking = |nth: u32| {
        let mut linking = page(&format!("http://guide{nth}.example/"), "Guide", &[]);
        linking.title = format!("Guide</title>{link}<title>");
        linking
    };
    record(&mut crawl, vec![linking(1), linking(2)]);
    let of_luigi = |index: &Index| {
        let found = hosts(&answer(index, "gorgonzola"));
        let of_luigi = found.iter().filter(|host| *host == "luigi");
        of_luigi.count()
    };
    assert_eq!(of_luigi(&open(&dir)), 1);
    assert_eq!(shown(&open(&dir)), before);
    let rebuilt = Index::rebuild(dir.path(), &mut |_| {}).unwrap();
    assert_eq!(of_luigi(&rebuilt), 1);
    assert_eq!(shown(&rebuilt), before);
}

#[test]
fn near_copies_are_shown_once_and_exact_ones_not_at_all() {
    let copy = |url: &str, likeness| Visit {
        copy: Some(Copy { likeness, of: 0 }),
        ..page(url, "Luigi's Pizza", &[])
    };
    let (dir, mut crawl) = crawl_of(town());
    record(
        &mut crawl,
        vec![
            copy("http://near.example/", Likeness::Near),
            copy("http://exact.example/", Likeness::Exact),
        ],
    );
    let index = open(&dir);
    assert_eq!(index.n_pages(), 6);
    let found = hosts(&answer(&index, "luigi"));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn one_host_does_not_fill_an_answer() {
    let many = (0..6).map(|n| page(&format!("http://big.example/{n}"), "Tacos here", &[]));
    let others = (0..6).map(|n| page(&format!("http://other{n}.example/"), "Tacos here", &[]));
    let (dir, _crawl) = crawl_of(many.chain(others).collect());
    let found = hosts(&answer(&open(&dir), "tacos"));
    // Ten are shown: eight of other hosts there are not, so the third of the
    // host comes when they are used up.
    assert_eq!(found.len(), 10);
    let first: Vec<&String> = found[..8].iter().filter(|host| *host == "big").collect();
    assert_eq!(first.len(), 2, "{found:?}");
}

#[test]
fn a_region_that_is_asked_for_again_has_the_same_answer() {
    let towns = [
        "Houston, TX 77002",
        "Houston, TX 77056",
        "Pasadena, TX 77502",
        "Austin, TX 78701",
        "Dallas, TX 75201",
        "Chicago, IL 60601",
    ];
    let page = |nth: usize| {
        let address = format!("{} Main St, {}", nth + 1, towns[nth % towns.len()]);
        let only_beside = if nth % 30 == 2 { "Zebra" } else { "" };
        let pizza = "Pizza ".repeat(1 + nth % 5);
        let title = format!("{pizza}Tacos {} {only_beside}", nth % 11);
        let url = format!("http://h{nth}.example/");
        page(&url, &title, &[(&address, HOUSTON)])
    };
    // Enough that the best of those about a place are judged first.
    let (dir, _crawl) = crawl_of((0..1_500).map(page).collect());
    let place = |geonameid| Gazetteer::built_in().by_geonameid(geonameid).unwrap();
    let near = |kilometres| Region::Near {
        lat: 29.76,
        lon: -95.37,
        kilometres,
    };
    let south = Area::Box {
        south: 29.0,
        west: -99.0,
        north: 30.5,
        east: -95.3,
    };
    let same_again = |asks: &[Ask]| {
        // Nothing is known of the region when it is asked for first.
        let index = open(&dir);
        for ask in asks {
            let fresh = open(&dir).ask(ask).unwrap();
            assert!(fresh.n_pages > 0);
            for _ in 0..3 {
                let again = index.ask(ask).unwrap();
                assert_eq!(again.n_pages, fresh.n_pages, "{ask:?}");
                assert_eq!(again.hits, fresh.hits, "{ask:?}");
                let facets = |answer: &Answer| format!("{:?}", answer.facets);
                assert_eq!(facets(&again), facets(&fresh));
            }
        }
    };
    let asked = |query: &str, region: Option<&Region>| Ask {
        query: query.to_owned(),
        region: region.cloned(),
        n_hits: 10,
        explain: true,
        ..Ask::default()
    };
    for region in [
        Region::About(place(HOUSTON)),
        Region::About(place(TEXAS)),
        Region::Within(place(TEXAS)),
        near(10.0),
        near(60.0),
        Region::Inside(south),
    ] {
        let queries = ["pizza", "tacos 7", "pizza 3 -7", "pizza"];
        same_again(&queries.map(|query| asked(query, Some(&region))));
    }
    // Further around, more pages have to do with it.
    let queries = ["pizza in Houston", "zebra in Houston", "tacos in Houston"];
    same_again(&queries.map(|query| asked(query, None)));
}
