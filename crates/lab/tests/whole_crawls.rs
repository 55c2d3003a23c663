//! Whole crawls of a made-up web, on the virtual clock.

// Helpers of tests may panic like tests.
#![allow(clippy::unwrap_used)]

use crawl::clock::VirtualClock;
use crawl::conductor::{self, Parts};
use crawl::fetch::{Fetched, Fetcher, Landing, Machine, Reply, Request};
use crawl::progress::StopReason;
use crawl::settings::Settings;
use lab::world::{MadeUpWeb, World, WorldSettings};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::crawl_dir::{CrawlDir, VisitReader};
use store::visit::{Errand, Outcome, Time, Visit};
use strategy::means::Means;
use strategy::roster::Roster;
use strategy::{assign, order};

fn world() -> Arc<World> {
    let settings = WorldSettings {
        seed: 3,
        n_sites: 2_000,
        ..WorldSettings::default()
    };
    Arc::new(World::new(settings, Gazetteer::built_in()))
}

fn crawl_with(
    dir: &Path,
    fetcher: Arc<dyn Fetcher>,
    seeds: &[CanonicalUrl],
    settings: Settings,
) -> StopReason {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 6).unwrap();
    let entry = assign::by_name("url").unwrap();
    let means = Means::new(&targets, &roster);
    let parts = Parts {
        dir: CrawlDir::create(dir, "").unwrap(),
        settings,
        assign: (entry.build)(&means).unwrap(),
        order: (order::by_name("breadth").unwrap().build)(&means).unwrap(),
        roster,
        targets,
        fetcher,
        clock: Box::new(VirtualClock::starting_at(Time(0))),
        stop: Arc::default(),
        appraiser: None,
        refresh: None,
    };
    conductor::run(parts, seeds, &mut |_| {}).unwrap().0
}

fn seeds(world: &World) -> Vec<CanonicalUrl> {
    world.seeds(&Targets::us_top100(Gazetteer::built_in()))
}

fn log_of(n_readers: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    let world = world();
    let settings = Settings {
        n_pages: Some(800),
        n_readers,
        ..Settings::default()
    };
    let reason = crawl_with(
        &dir,
        Arc::new(MadeUpWeb(world.clone())),
        &seeds(&world),
        settings,
    );
    assert_eq!(reason, StopReason::Enough);
    std::fs::read(dir.join("visits").join("visits-00001.log")).unwrap()
}

#[test]
fn the_number_of_threads_does_not_show_in_the_log() {
    let log = log_of(1);
    assert!(log.len() > 100_000, "{} bytes", log.len());
    assert!(log == log_of(4), "the logs differ");
}

/// A web that panics where a hostile page might make a parser panic.
struct Trapdoor(MadeUpWeb);

impl Fetcher for Trapdoor {
    fn fetch(&self, request: &Request, reply: Reply) {
        self.0.fetch(request, reply);
    }

    fn foresee(&self, url: &CanonicalUrl) -> Option<Duration> {
        self.0.foresee(url)
    }

    fn machine(&self, url: &CanonicalUrl) -> Machine {
        self.0.machine(url)
    }

    fn request_head(&self, request: &Request) -> Vec<u8> {
        let is_trapped = is_trapped(request.url.as_str());
        assert!(!is_trapped, "a reader panics on purpose");
        self.0.request_head(request)
    }
}

/// One page in sixteen, by its address.
fn is_trapped(url: &str) -> bool {
    !url.ends_with("/robots.txt") && url.len().is_multiple_of(16)
}

#[test]
fn a_page_that_panics_a_reader_is_lost_alone() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    let world = world();
    let settings = Settings {
        n_pages: Some(300),
        ..Settings::default()
    };
    let fetcher = Arc::new(Trapdoor(MadeUpWeb(world.clone())));
    assert_eq!(
        crawl_with(&dir, fetcher, &seeds(&world), settings),
        StopReason::Enough
    );
    let visits: Vec<Visit> = VisitReader::open(&dir).unwrap().collect();
    let pages = visits.iter().filter(|visit| visit.errand == Errand::Page);
    let (mut n_trapped, mut n_fetched) = (0, 0);
    for visit in pages {
        match &visit.outcome {
            Outcome::Garbled(why) => {
                assert_eq!(why, "the page could not be read");
                assert!(is_trapped(&visit.url), "{} was lost too", visit.url);
                n_trapped += 1;
            }
            Outcome::Fetched => n_fetched += 1,
            _ => {}
        }
    }
    assert_eq!(n_fetched, 300);
    assert!(n_trapped > 0, "no trap was met");
}

/// A web on which some pages come only at the second try.
struct Flaky {
    web: MadeUpWeb,
    tried: Mutex<HashSet<String>>,
}

impl Fetcher for Flaky {
    fn fetch(&self, request: &Request, reply: Reply) {
        let url = request.url.as_str();
        let is_flaky = is_trapped(url) && self.tried.lock().unwrap().insert(url.to_owned());
        match is_flaky {
            true => reply(Landing {
                fetched: Fetched::TimedOut,
                server: self.web.0.server_of(&request.url),
                took: Duration::from_secs(1),
                recorded: None,
            }),
            false => self.web.fetch(request, reply),
        }
    }

    fn foresee(&self, url: &CanonicalUrl) -> Option<Duration> {
        self.web.foresee(url)
    }

    fn machine(&self, url: &CanonicalUrl) -> Machine {
        self.web.machine(url)
    }

    fn request_head(&self, request: &Request) -> Vec<u8> {
        self.web.request_head(request)
    }
}

#[test]
fn pages_that_fail_are_tried_again_later() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    // Few hosts: whoever waits for one has nothing else to do.
    let few = WorldSettings {
        seed: 3,
        n_sites: 40,
        ..WorldSettings::default()
    };
    let world = Arc::new(World::new(few, Gazetteer::built_in()));
    let settings = Settings {
        n_pages: Some(600),
        ..Settings::default()
    };
    let web = MadeUpWeb(world.clone());
    let tried = Mutex::default();
    crawl_with(
        &dir,
        Arc::new(Flaky { web, tried }),
        &seeds(&world),
        settings,
    );
    let visits: Vec<Visit> = VisitReader::open(&dir).unwrap().collect();
    let mut n_second = 0;
    for visit in visits.iter().filter(|visit| visit.tries == 1) {
        let is_first = |first: &&Visit| first.url == visit.url && first.tries == 0;
        let first = visits.iter().find(is_first).expect("a first try");
        assert!(first.retry_at.is_some_and(|at| visit.at >= at));
        // Some pages are broken for good.
        if first.outcome != Outcome::TimedOut {
            continue;
        }
        assert_eq!(visit.outcome, Outcome::Fetched);
        n_second += 1;
    }
    assert!(n_second > 2, "{n_second} pages were tried again");
}

#[test]
fn a_small_world_is_crawled_to_its_end_whoever_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    let settings = WorldSettings {
        seed: 31,
        n_sites: 10,
        ..WorldSettings::default()
    };
    let world = Arc::new(World::new(settings, Gazetteer::built_in()));
    let settings = Settings {
        delay: Duration::ZERO,
        server_delay: Duration::ZERO,
        max_depth: u16::MAX,
        ..Settings::default()
    };
    let reason = crawl_with(
        &dir,
        Arc::new(MadeUpWeb(world.clone())),
        &seeds(&world),
        settings,
    );
    assert_eq!(reason, StopReason::NothingLeft);
    let visits: Vec<Visit> = VisitReader::open(&dir).unwrap().collect();
    let is_last = |visit: &&Visit| visit.errand == Errand::Page && visit.retry_at.is_none();
    let pages = visits.iter().filter(is_last);
    let urls: Vec<&str> = pages.map(|visit| visit.url.as_str()).collect();
    let distinct: HashSet<&str> = urls.iter().copied().collect();
    assert_eq!(urls.len(), distinct.len(), "a ticket leaves one record");
    assert!(urls.len() > 1_000);
}

#[test]
fn no_machine_is_asked_twice_within_its_delay() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    let world = world();
    let settings = Settings {
        n_pages: Some(1_500),
        ..Settings::default()
    };
    let delay = settings.server_delay.as_millis() as u64;
    crawl_with(
        &dir,
        Arc::new(MadeUpWeb(world.clone())),
        &seeds(&world),
        settings,
    );
    let mut visits: Vec<Visit> = VisitReader::open(&dir).unwrap().collect();
    visits.retain(|visit| visit.server.is_some());
    visits.sort_by_key(|visit| visit.at);
    let mut free_at = std::collections::HashMap::new();
    for visit in &visits {
        let landed = visit.at.0 + u64::from(visit.took_ms);
        let before = free_at.insert(visit.server, landed + delay);
        assert!(
            before.is_none_or(|free_at| visit.at.0 >= free_at),
            "{} came too soon",
            visit.url
        );
    }
    assert!(free_at.len() < visits.len() / 2, "machines are met again");
}
