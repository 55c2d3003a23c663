//! What whole answers say: how a question was read, and what is shown once.

use super::*;
use crate::ask::Answer;
use crate::region::Area;
use place::sphere::MapBox;
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
fn of_a_mirrored_page_either_can_be_found() {
    let mirrored = Visit {
        copy: Some(Copy {
            likeness: Likeness::Mirrored,
            of: 0,
        }),
        ..page("http://library.example/", "Luigi's Pizza", &[])
    };
    let (dir, mut crawl) = crawl_of(town());
    record(&mut crawl, vec![mirrored]);
    let index = open(&dir);
    assert_eq!(index.n_pages(), 6);
    let found = hosts(&answer(&index, "luigi"));
    assert_eq!(found.len(), 1, "{found:?}");
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

/// The addresses of the pages from this position on.
fn urls_from(index: &Index, query: &str, offset: usize, n_hits: usize) -> Vec<String> {
    let ask = Ask {
        query: query.to_owned(),
        offset,
        n_hits,
        ..Ask::default()
    };
    let hits = index.ask(&ask).unwrap().hits.into_iter();
    hits.map(|hit| hit.url).collect()
}

#[test]
fn pages_of_hits_neither_repeat_nor_drop_any() {
    // One host has the best pages and most of them; some are copies.
    let big = (0..70).map(|n| {
        let copy = (n % 10 == 9).then(|| Copy {
            likeness: Likeness::Near,
            of: n - 1,
        });
        let url = format!("http://big.example/{n}");
        Visit {
            copy,
            ..page(&url, "Green tacos, tacos", &[])
        }
    });
    let others = (0..50).map(|n| {
        let url = format!("http://other{}.example/{n}", n % 20);
        page(&url, "Green tacos here", &[])
    });
    let (dir, _crawl) = crawl_of(big.chain(others).collect());
    let index = open(&dir);
    for query in ["tacos", "\"green tacos\""] {
        let whole = urls_from(&index, query, 0, 100);
        assert_eq!(whole.len(), 100, "{query}");
        let distinct: std::collections::HashSet<&String> = whole.iter().collect();
        assert_eq!(distinct.len(), whole.len(), "{query}");
        for n_hits in [1, 7, 10, 30] {
            let offsets = (0..whole.len()).step_by(n_hits);
            let pages = offsets.map(|offset| urls_from(&index, query, offset, n_hits));
            let pages: Vec<String> = pages.flatten().take(whole.len()).collect();
            assert_eq!(pages, whole, "{query} by {n_hits}");
        }
    }
}

#[test]
fn a_widened_answer_still_has_pages_of_the_place_first() {
    const LUBBOCK: u32 = 5_525_577;
    // Two pages of San Antonio, the words of others are better.
    let pets = |host: &str, title: &str, place: (&str, u32)| {
        page(&format!("http://{host}.example/"), title, &[place])
    };
    let alamo = ("5 Commerce St, San Antonio, TX", SAN_ANTONIO);
    let far = ("9 Main St, Lubbock, TX", LUBBOCK);
    let near = ("3 Main St, Houston, TX", HOUSTON);
    let (dir, _crawl) = crawl_of(vec![
        pets("far1", "Pets pets", far),
        pets("far2", "Pets pets", far),
        pets("near", "Pets pets", near),
        pets("alamo", "Our favourite animals and other pets", alamo),
    ]);
    let index = open(&dir);
    let ask = Ask {
        query: "pets in San Antonio, TX".to_owned(),
        n_hits: 10,
        explain: true,
        ..Ask::default()
    };
    let answer = index.ask(&ask).unwrap();
    assert_eq!(
        answer.widened.as_deref(),
        Some("all of Texas, United States")
    );
    assert_eq!(hosts(&answer), ["alamo", "near", "far1", "far2"]);
    let whys = answer.hits.iter();
    let whys: Vec<&str> = whys
        .map(|hit| hit.explained.as_ref().unwrap().because)
        .collect();
    let elsewhere = "it is about a place in the same state";
    assert_eq!(
        whys,
        ["it is about the place", elsewhere, elsewhere, elsewhere]
    );
}

#[test]
fn a_distance_belongs_to_the_place_and_address_that_are_shown() {
    const ATLANTA: u32 = 4_180_439;
    let guide =
        |addresses: &[(&str, u32)], title: &str| page("http://guide.example/", title, addresses);
    let atlanta = [
        ("10 Peachtree St, Atlanta, GA", ATLANTA),
        ("11 Peachtree St, Atlanta, GA", ATLANTA),
    ];
    let chicago = ("1 Wacker Dr, Chicago, IL", CHICAGO);
    let shown = |visit: Visit, query: &str, within: Option<u32>| {
        let (dir, _crawl) = crawl_of(vec![visit]);
        let place = within.map(|within| Gazetteer::built_in().by_geonameid(within).unwrap());
        let ask = Ask {
            query: query.to_owned(),
            region: place.map(Region::Within),
            n_hits: 1,
            ..Ask::default()
        };
        let hit = open(&dir).ask(&ask).unwrap().hits.remove(0);
        let distance = hit.distance_km.map(|km| format!("{} km", km.round()));
        let parts = [hit.places.first().cloned(), hit.address, distance];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    };
    let all = [&atlanta[..], &[chicago]].concat();
    let branches = || guide(&all, "Our schools");
    assert_snapshot!(shown(branches(), "schools", None), @"Atlanta, Georgia, United States · 10 Peachtree St, Atlanta, GA");
    assert_snapshot!(shown(branches(), "schools in Chicago", None), @"Chicago, Illinois, United States · 1 Wacker Dr, Chicago, IL · 0 km");
    assert_snapshot!(shown(branches(), "schools in Atlanta", None), @"Atlanta, Georgia, United States · 10 Peachtree St, Atlanta, GA · 0 km");
    // It names the city and has its addresses elsewhere.
    let body = "Schools</title><p>Schools of Chicago, Illinois.</p><title>";
    let named = || guide(&atlanta, body);
    assert_snapshot!(shown(named(), "schools in Chicago", None), @"Chicago, Illinois, United States · 0 km");
    // What lies in a state is no distance away from it.
    for (query, within) in [("schools in Illinois", None), ("schools", Some(CHICAGO))] {
        let shown = shown(branches(), query, within);
        assert_eq!(
            shown,
            "Chicago, Illinois, United States · 1 Wacker Dr, Chicago, IL"
        );
    }
}

#[test]
fn phrases_are_found_and_counted_where_many_pages_have_their_words() {
    // The best pages have the words in another order.
    let title = |n: usize| match n % 20 {
        19 => "About the research group of somebody who is known to everybody",
        _ => "Group research or group research",
    };
    let pages = |n: usize| {
        let page = |n| {
            let url = format!("http://lab{n}.example/");
            page(&url, title(n), &[("1 Wacker Dr, Chicago, IL", CHICAGO)])
        };
        crawl_of((0..n).map(page).collect())
    };
    let (dir, _crawl) = pages(900);
    let found = answer(&open(&dir), "\"research group\"");
    assert_eq!((found.hits.len(), found.n_pages), (10, 45));
    assert_eq!(found.partly_read, None);
    let count = |counts: &[crate::ask::Count]| counts.iter().map(|count| count.n_pages).max();
    assert_eq!(count(&found.facets.languages), Some(45));
    assert_eq!(count(&found.facets.places), Some(45));
    assert!(!found.facets.is_estimate);
    // All others have it the other way round.
    let without = answer(&open(&dir), "research -\"group research\"");
    assert_eq!(without.n_pages, 45);

    let (dir, _crawl) = pages(1_040);
    let index = open(&dir);
    let found = answer(&index, "\"research group\"");
    let partly = found.partly_read.unwrap();
    assert_eq!((partly.n_read, partly.n_with_words), (1_000, 1_040));
    assert_eq!(found.n_pages as usize, 1_000 - 988);
}

#[test]
fn a_place_whose_pages_have_only_the_words_of_a_phrase_is_widened() {
    let town = |n: u32| {
        let url = format!("http://town{n}.example/");
        let address = ("7 Main St, Houston, TX", HOUSTON);
        page(&url, "Group of research", &[address])
    };
    let alamo = page(
        "http://alamo.example/",
        "A research group",
        &[("5 Commerce St, San Antonio, TX", SAN_ANTONIO)],
    );
    let (dir, _crawl) = crawl_of((0..5).map(town).chain([alamo]).collect());
    let found = answer(&open(&dir), "\"research group\" in Houston, TX");
    assert_eq!(hosts(&found), ["alamo"], "{:?}", found.widened);
    assert_eq!(found.n_pages, 1);
}

#[test]
fn a_facet_counts_what_a_click_on_it_finds() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    let facets = answer(&index, "example").facets.places;
    let shown = facets.iter().map(|facet| {
        let under = facet.name.rsplit_once('/').unwrap().0;
        let tree = index.places(under).unwrap();
        let node = tree.iter().find(|node| node.path == facet.name);
        let n_in_tree = node.map(|node| node.n_pages);
        assert_eq!(n_in_tree, Some(facet.n_pages), "{}", facet.name);
        format!("{} {}", facet.name, facet.n_pages)
    });
    assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r"
    /Earth/US 4
    /Earth/US/Texas 3
    /Earth/US/Illinois 2
    /Earth/US/Illinois/Chicago 2
    /Earth/US/Texas/Houston 2
    /Earth/US/Texas/San Antonio 1
    ");
    for (place, n_pages) in [(TEXAS, 3), (HOUSTON, 2), (CHICAGO, 2)] {
        let within = search(&index, "example", Some(place), 10);
        assert_eq!(within.len(), n_pages);
    }
}

#[test]
fn a_postal_code_with_too_little_around_it_is_widened_to_its_state() {
    let hotel = |host: &str, address: (&str, u32)| {
        page(
            &format!("http://{host}.example/"),
            "Hotels here",
            &[address],
        )
    };
    let (dir, _crawl) = crawl_of(vec![
        hotel("alamo1", ("5 Commerce St, San Antonio, TX", SAN_ANTONIO)),
        hotel("alamo2", ("6 Commerce St, San Antonio, TX", SAN_ANTONIO)),
        hotel("windy", ("1 Wacker Dr, Chicago, IL", CHICAGO)),
    ]);
    let index = open(&dir);
    for query in [
        "hotels in Houston, TX",
        "hotels houston tx 77002",
        "hotels near 100 Milam St, Houston, TX 77002",
        // No page has both words.
        "hotels near Houston airport",
    ] {
        let found = answer(&index, query);
        assert_eq!(hosts(&found), ["alamo1", "alamo2"], "{query}");
        let widened = found.widened.as_deref();
        assert_eq!(widened, Some("all of Texas, United States"), "{query}");
    }
    // Where there is something, it comes first.
    let found = answer(&index, "hotels 78205");
    assert_eq!(hosts(&found), ["alamo1", "alamo2"]);
}

#[test]
fn an_answer_goes_on_as_it_was_while_the_index_grows() {
    let tacos = |n: usize| {
        let title = [
            "Green tacos",
            "Tacos and green salsa",
            "Green green tacos here",
        ];
        page(&format!("http://taco{n}.example/"), title[n % 3], &[])
    };
    let (dir, mut crawl) = crawl_of((0..40).map(tacos).collect());
    let mut index = open(&dir);
    let view = index.view().unwrap();
    let ask = |offset, as_of| Ask {
        query: "green tacos".to_owned(),
        offset,
        n_hits: 20,
        as_of,
        ..Ask::default()
    };
    let as_of = view.ask(&ask(0, None)).unwrap().as_of;
    let next = view.ask(&ask(20, Some(as_of))).unwrap().hits;
    drop(view);
    // One word becomes rare, and a page is no longer what it was.
    let others = (0..200).map(|n| page(&format!("http://salad{n}.example/"), "Green", &[]));
    let changed = page("http://taco1.example/", "Closed", &[]);
    record(&mut crawl, others.chain([changed]).collect());
    assert!(index.update(dir.path()).unwrap());
    let view = index.view().unwrap();
    assert_eq!(view.ask(&ask(20, Some(as_of))).unwrap().hits, next);
    let now = view.ask(&ask(0, None)).unwrap();
    assert_eq!((now.as_of, now.n_pages), (240, 39));
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
    let south = Area::Box(MapBox {
        south: 29.0,
        west: -99.0,
        north: 30.5,
        east: -95.3,
    });
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

#[test]
fn a_place_without_pages_is_left_out_and_said_so() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    // Nothing in Portugal, and no page has the name as a word.
    let found = answer(&index, "pizza in Lisbon");
    assert!(found.n_pages > 0, "{found:?}");
    assert_eq!(found.widened.as_deref(), Some("pages about anywhere"));
    let both = answer(&index, "pizza zebra in Lisbon");
    assert!(both.n_pages > 0 && both.takes_any_word, "{both:?}");
    assert_eq!(both.widened.as_deref(), Some("pages about anywhere"));
    // Nothing at all is not called anything else.
    let nothing = answer(&index, "zebra in Lisbon");
    assert_eq!((nothing.n_pages, nothing.widened), (0, None));
}
