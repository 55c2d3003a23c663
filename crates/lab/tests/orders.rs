//! Orders that learn, on whole crawls of a made-up web.

// Helpers of tests may panic like tests.
#![allow(clippy::unwrap_used)]

use crawl::clock::VirtualClock;
use crawl::conductor::{self, Parts};
use crawl::learner;
use crawl::progress::Progress;
use crawl::settings::Settings;
use lab::exploration;
use lab::topics::{self, Examples};
use lab::world::{MadeUpWeb, World, WorldSettings};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use store::crawl_dir::{CrawlDir, VisitReader};
use store::visit::{Time, Visit};
use strategy::appraise::Appraiser;
use strategy::means::{Means, Subject};
use strategy::roster::Roster;
use strategy::status::{StatusModel, Traffic};
use strategy::topic::Topic;
use strategy::utility::Utility;
use strategy::{assign, order};

fn world() -> Arc<World> {
    let settings = WorldSettings {
        seed: 5,
        n_sites: 2_000,
        ..WorldSettings::default()
    };
    Arc::new(World::new(settings, Gazetteer::built_in()))
}

static BOOKS: LazyLock<Arc<Topic>> = LazyLock::new(|| {
    let Examples {
        positives,
        negatives,
    } = topics::lessons(&world(), "books", 60).unwrap().training;
    Arc::new(Topic::train("books", &positives, &negatives).unwrap())
});

static STATUS: LazyLock<Arc<StatusModel>> = LazyLock::new(|| {
    let world = world();
    let seeds = world.all_seeds();
    Arc::new(exploration::status(&world, seeds, &Traffic::built_in(), 400).unwrap())
});

/// A crawl of two nodes for the 100 cities, new or resumed.
fn crawl(dir: &Path, name: &str, n_pages: u64, n_readers: usize) -> Progress {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 2).unwrap();
    let world = world();
    let dir = match dir.exists() {
        true => CrawlDir::open(dir).unwrap().0,
        false => CrawlDir::create(dir, "").unwrap(),
    };
    let seeds = world.seeds(&targets);
    let means = Means {
        train_pages: 100,
        topic: Some(Subject::Topic(BOOKS.clone())),
        status: Some(STATUS.clone()),
        utility: Utility {
            delta: Some(0.7),
            ..Utility::default()
        },
        ..Means::new(&targets, &roster)
    };
    let has_topic = ["utility", "inlinks"].contains(&name);
    let start = conductor::last_time(&dir).unwrap().unwrap_or(Time(0));
    let parts = Parts {
        dir,
        settings: Settings {
            n_pages: Some(n_pages),
            n_slots: 4,
            n_readers,
            archive: false,
            ..Settings::default()
        },
        assign: (assign::by_name("url").unwrap().build)(&means).unwrap(),
        order: (order::by_name(name).unwrap().build)(&means).unwrap(),
        appraiser: Appraiser::of(&means).filter(|_| has_topic),
        roster,
        targets,
        fetcher: Arc::new(MadeUpWeb(world)),
        clock: Box::new(VirtualClock::starting_at(start)),
        stop: Arc::default(),
        refresh: None,
    };
    conductor::run(parts, &seeds, &mut |_| {}).unwrap().1
}

fn visits(dir: &Path) -> Vec<Visit> {
    VisitReader::open(dir).unwrap().collect()
}

#[test]
fn the_number_of_threads_does_not_show_whatever_the_order() {
    for entry in order::ALL {
        let folder = tempfile::tempdir().unwrap();
        let logs = [1, 2].map(|n_readers| {
            let dir = folder.path().join(n_readers.to_string());
            crawl(&dir, entry.name, 400, n_readers);
            visits(&dir)
        });
        assert!(logs[0].len() > 20, "{}: {}", entry.name, logs[0].len());
        assert!(logs[0] == logs[1], "{}", entry.name);
    }
}

#[test]
fn what_was_learned_and_lost_is_learned_again_from_the_log() {
    for name in ["adaptive", "focus", "utility", "inlinks"] {
        let folder = tempfile::tempdir().unwrap();
        let logs = [false, true].map(|is_lost| {
            let dir = folder.path().join(is_lost.to_string());
            crawl(&dir, name, 300, 2);
            let model = dir.join(learner::MODEL);
            assert!(model.exists());
            if is_lost {
                std::fs::remove_file(model).unwrap();
            }
            crawl(&dir, name, 500, 2);
            (
                visits(&dir),
                std::fs::read(dir.join(learner::MODEL)).unwrap(),
            )
        });
        assert!(logs[0].0 == logs[1].0, "{name}: other pages");
        assert!(logs[0].1 == logs[1].1, "{name}: something else was learned");
    }
}

#[test]
fn bridges_and_seeds_are_counted_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    crawl(&dir, "distance", 400, 2);
    let visits = visits(&dir);
    let pages = || visits.iter().filter(|visit| visit.is_page());
    let trail = |visit: &Visit| visit.trail.clone().unwrap();
    for visit in pages().filter(|visit| visit.from.is_some()) {
        let from = visit.from.as_deref().unwrap();
        let Some(parent) = pages().find(|parent| parent.url == from) else {
            continue;
        };
        let is_start = !parent.entities.is_empty() || trail(parent).steps == 0;
        let (link, before) = (trail(visit), trail(parent));
        let expected = if is_start { 1 } else { before.distance + 1 };
        assert_eq!(link.distance, expected, "{}", visit.url);
        assert!(link.steps <= before.steps + 1);
    }
    assert!(pages().any(|visit| trail(visit).distance > 2));
}

#[test]
fn orders_that_look_find_more_than_one_that_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let n_relevant = |name: &str| {
        let dir = folder.path().join(name);
        crawl(&dir, name, 1_500, 2).n_geo_pages()
    };
    let breadth = n_relevant("breadth");
    for name in ["distance", "adaptive", "focus"] {
        let found = n_relevant(name);
        assert!(
            2 * found > 3 * breadth,
            "{name}: {found}, breadth: {breadth}"
        );
    }
}
