//! What the choice of strategy, policy and overlap does to whole crawls.

// Helpers of tests may panic like tests.
#![allow(clippy::unwrap_used)]

use crawl::clock::VirtualClock;
use crawl::conductor::{self, Parts};
use crawl::settings::Settings;
use lab::shelves::{self, Wanted};
use lab::world::{MadeUpWeb, World, WorldSettings};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::HashSet;
use std::sync::Arc;
use store::crawl_dir::{CrawlDir, VisitReader};
use store::visit::{Time, Visit};
use strategy::assign::{self, Policy};
use strategy::means::Means;
use strategy::model::{Label, Trainer};
use strategy::order;
use strategy::roster::Roster;

fn world(n_sites: u64) -> Arc<World> {
    let settings = WorldSettings {
        seed: 3,
        n_sites,
        ..WorldSettings::default()
    };
    Arc::new(World::new(settings, Gazetteer::built_in()))
}

/// A small web without traps or copies: whoever crawls it to the end
/// finds the same pages in whatever order.
fn plain_world() -> Arc<World> {
    let settings = WorldSettings {
        seed: 3,
        n_sites: 15,
        min_population: 400_000,
        german_min_population: u32::MAX,
        max_pages: 60,
        near_copies: 0,
        syndicated: 0,
        calendars: 0,
        session_ids: 0,
        facets: 0,
        ..WorldSettings::default()
    };
    Arc::new(World::new(settings, Gazetteer::built_in()))
}

/// The pages that a crawl for the 100 cities with six nodes brings.
fn crawl(assign: &str, world: Arc<World>, settings: Settings) -> Vec<Visit> {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 6).unwrap();
    let mut trainer = Trainer::new(&targets, &roster);
    let wanted = Wanted {
        of_target: 2,
        of_none: 20,
    };
    shelves::examples(&world, &targets, wanted, &mut |target, page| {
        trainer.learn(target.map_or(Label::None, Label::Target), &page.text);
    });
    let means = Means {
        model: Some(Arc::new(trainer.finish("2006-05-23"))),
        servers: Some(world.clone()),
        ..Means::new(&targets, &roster)
    };
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    let seeds = world.seeds(&targets);
    let parts = Parts {
        dir: CrawlDir::create(&dir, "").unwrap(),
        settings,
        assign: (assign::by_name(assign).unwrap().build)(&means).unwrap(),
        order: (order::by_name("breadth").unwrap().build)(&means).unwrap(),
        roster,
        targets,
        fetcher: Arc::new(MadeUpWeb(world)),
        clock: Box::new(VirtualClock::starting_at(Time(0))),
        stop: Arc::default(),
        appraiser: None,
        refresh: None,
    };
    conductor::run(parts, &seeds, &mut |_| {}).unwrap();
    let visits = VisitReader::open(&dir).unwrap();
    visits.filter(Visit::is_page).collect()
}

fn n_repeats(pages: &[Visit]) -> usize {
    let distinct: HashSet<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    pages.len() - distinct.len()
}

#[test]
fn with_claims_no_page_is_fetched_twice_whatever_the_strategy() {
    let world = world(2_000);
    for entry in assign::ALL.iter().filter(|entry| !entry.by_url_alone) {
        let settings = |claims| Settings {
            n_pages: Some(1_500),
            claims,
            ..Settings::default()
        };
        let pages = crawl(entry.name, world.clone(), settings(true));
        assert_eq!(pages.len(), 1_500);
        assert_eq!(n_repeats(&pages), 0, "`{}` with claims", entry.name);
        let pages = crawl(entry.name, world.clone(), settings(false));
        assert!(n_repeats(&pages) > 0, "`{}` as in the paper", entry.name);
    }
}

#[test]
fn strategies_that_go_by_the_url_never_overlap() {
    let world = world(2_000);
    for entry in assign::ALL.iter().filter(|entry| entry.by_url_alone) {
        let settings = Settings {
            n_pages: Some(800),
            ..Settings::default()
        };
        assert_eq!(n_repeats(&crawl(entry.name, world.clone(), settings)), 0);
    }
}

/// What a crawl cost: downloads, and links handed from node to node.
#[derive(Debug)]
struct Costs {
    n_downloads: u64,
    n_handed_over: u64,
}

impl Costs {
    fn of(pages: &[Visit]) -> Costs {
        let handed_over = pages.iter().flat_map(|page| {
            let links = page.links.iter().filter(|link| link.refused.is_none());
            links.filter(|link| link.node != page.node)
        });
        Costs {
            n_downloads: pages.len() as u64,
            n_handed_over: handed_over.count() as u64,
        }
    }

    /// With the cost of a download and of a hand-over.
    fn total(&self, download: u64, hand_over: u64) -> u64 {
        self.n_downloads * download + self.n_handed_over * hand_over
    }
}

/// "A link goes to one node" costs at most b + l(c + b) for a page with l
/// links, "to every node that may want it" at least m·b + l·m·b for m nodes.
#[test]
fn policy_a_is_cheaper_than_policy_b_when_downloads_cost_more_than_hand_overs() {
    let run = |policy| {
        let settings = Settings {
            policy,
            // Else which way a page was found first tells what is too deep.
            max_depth: 100,
            ..Settings::default()
        };
        crawl("content", plain_world(), settings)
    };
    let (a, b) = (run(Policy::A), run(Policy::B));
    let n_given = |page: &Visit| page.links.len();
    let n_urls = |page: &Visit| {
        let urls: HashSet<u64> = page.links.iter().map(|link| link.url).collect();
        urls.len()
    };
    assert!(
        a.iter().all(|page| n_given(page) == n_urls(page)),
        "one node"
    );
    assert!(b.iter().any(|page| n_given(page) > n_urls(page)), "several");
    let urls = |pages: &[Visit]| -> HashSet<String> {
        pages.iter().map(|page| page.url.clone()).collect()
    };
    let of_one: Vec<String> = urls(&a).symmetric_difference(&urls(&b)).cloned().collect();
    assert!(of_one.is_empty(), "both find all there is: {of_one:?}");
    let (a, b) = (Costs::of(&a), Costs::of(&b));
    assert!(a.n_downloads < b.n_downloads, "{a:?} {b:?}");
    for (download, hand_over) in [(2, 1), (10, 1), (1000, 1)] {
        let (a_total, b_total) = (a.total(download, hand_over), b.total(download, hand_over));
        assert!(a_total < b_total, "{a:?} {b:?}");
    }
}

#[test]
fn pages_are_mapped_to_targets_by_every_strategy_but_hash() {
    let world = world(2_000);
    for entry in assign::ALL {
        let settings = Settings {
            n_pages: Some(800),
            ..Settings::default()
        };
        let pages = crawl(entry.name, world.clone(), settings);
        let n_mapped = pages.iter().filter(|page| page.mapped.is_some()).count();
        assert_eq!(n_mapped > 0, entry.name != "hash", "`{}`", entry.name);
    }
}
