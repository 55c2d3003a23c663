//! Crawls of a web under attack: half a minute of what
//! `bench/benches/siege.rs` does for an hour.

// Helpers of tests may panic like tests.
#![allow(clippy::unwrap_used)]

use crawl::clock::VirtualClock;
use crawl::conductor::{self, Parts};
use crawl::fetch::Fetcher;
use crawl::progress::Progress;
use crawl::settings::Settings;
use lab::siege::{Attack, Siege};
use lab::world::{MadeUpWeb, World, WorldSettings};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::crawl_dir::{CrawlDir, VisitReader};
use store::visit::{Outcome, Time, Visit};
use strategy::means::Means;
use strategy::roster::Roster;
use strategy::{assign, order};

/// How long a crawl takes, in milliseconds of its own clock.
const SPAN: u64 = 30_000;

/// A domain's budget, small enough for minutes.
const BUDGET: u32 = 300;

struct Ended {
    visits: Vec<Visit>,
    progress: Progress,
}

/// What was visited in the first minutes, and how the crawl stood then.
fn crawl(fetcher: Arc<dyn Fetcher>, seeds: &[CanonicalUrl]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl");
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 6).unwrap();
    let means = Means::new(&targets, &roster);
    let assign = (assign::by_name("url").unwrap().build)(&means).unwrap();
    let order = (order::by_name("breadth").unwrap().build)(&means).unwrap();
    let parts = Parts {
        dir: CrawlDir::create(&path, "").unwrap(),
        settings: Settings {
            domain_budget: BUDGET,
            ..Settings::default()
        },
        assign,
        order,
        roster,
        targets,
        fetcher,
        clock: Box::new(VirtualClock::starting_at(Time(0))),
        stop: Arc::default(),
        appraiser: None,
        refresh: None,
    };
    let stop = parts.stop.clone();
    let (_, progress) = conductor::run(parts, seeds, &mut |progress| {
        if progress.now.0 >= SPAN {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .unwrap();
    let visits = VisitReader::open(&path).unwrap();
    // Watchers look when they like: what came later does not count.
    let visits = visits.filter(|visit| visit.at.0 < SPAN);
    Ended {
        visits: visits.collect(),
        progress,
    }
}

fn attack(visit: &Visit) -> Option<Attack> {
    Siege::attack(&CanonicalUrl::parse(&visit.url).unwrap())
}

/// Pages of honest sites.
fn n_honest(ended: &Ended) -> usize {
    let pages = ended.visits.iter().filter(|visit| visit.is_page());
    pages.filter(|visit| attack(visit).is_none()).count()
}

/// A web of honest sites, and where a crawl of it begins.
fn honest_web() -> (Arc<World>, Vec<CanonicalUrl>) {
    let settings = WorldSettings {
        seed: 3,
        n_sites: 1_000,
        ..WorldSettings::default()
    };
    let world = Arc::new(World::new(settings, Gazetteer::built_in()));
    let seeds = world.seeds(&Targets::us_top100(Gazetteer::built_in()));
    (world, seeds)
}

fn crawl_alone() -> Ended {
    let (world, seeds) = honest_web();
    crawl(Arc::new(MadeUpWeb(world)), &seeds)
}

fn crawl_beside(attacks: &[Attack]) -> Ended {
    let (world, honest) = honest_web();
    let siege = Siege::around(world, attacks);
    let seeds = [siege.seeds(), honest].concat();
    crawl(Arc::new(siege), &seeds)
}

/// Requests by what those who were asked do.
fn asked(ended: &Ended) -> BTreeMap<Attack, usize> {
    let mut asked: BTreeMap<Attack, usize> = BTreeMap::new();
    for visit in ended.visits.iter().filter(|visit| visit.is_sent) {
        if let Some(attack) = attack(visit) {
            *asked.entry(attack).or_default() += 1;
        }
    }
    asked
}

/// Attacks beside which honest hosts do not keep four pages of five yet, and
/// what they do keep, in percent. Nobody has answered yet when a crawl begins:
/// silent hosts that are met first hold all slots for hosts that never
/// answered, each for as long as one is waited for. Endless names and detours
/// of robots rules cost a request for every host.
const KNOWN_FAULTS: [(Attack, std::ops::RangeInclusive<usize>); 3] = [
    (Attack::Wildcard, 65..=84),
    (Attack::Rules, 65..=84),
    (Attack::Silence, 1..=79),
];

fn is_slow_wanted() -> bool {
    std::env::var_os("LOCAVORE_SLOW_TESTS").is_some()
}

#[test]
fn honest_hosts_keep_their_pages_beside_any_attack() {
    if !is_slow_wanted() {
        return;
    }
    let n_alone = n_honest(&crawl_alone());
    assert!(n_alone > 1_000, "only {n_alone} pages");
    let mut shares = Vec::new();
    for attack in Attack::ALL {
        let besieged = crawl_beside(&[attack]);
        assert!(asked(&besieged).contains_key(&attack), "{attack:?} unmet");
        let percent = n_honest(&besieged) * 100 / n_alone;
        println!(
            "{attack:?}: {percent} % of {n_alone} pages, {:?}",
            asked(&besieged)
        );
        shares.push((attack, percent));
    }
    for (attack, percent) in &shares {
        let known = KNOWN_FAULTS.iter().find(|(fault, _)| fault == attack);
        let range = known.map_or(80..=100, |(_, range)| range.clone());
        assert!(range.contains(percent), "{attack:?} in {shares:?}");
    }
}

#[test]
fn attackers_take_no_room_and_send_nobody_astray() {
    if !is_slow_wanted() {
        return;
    }
    let alone = crawl_alone();
    let besieged = crawl_beside(&Attack::ALL);
    let asked = asked(&besieged);
    println!(
        "{} of {} honest pages; {asked:?}",
        n_honest(&besieged),
        n_honest(&alone)
    );
    assert!(
        asked.len() == Attack::ALL.len(),
        "not all were met: {asked:?}"
    );
    // Nobody was sent to where rules forbid, or to many ports of one host.
    let mut ports: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for visit in besieged.visits.iter().filter(|visit| visit.is_sent) {
        let url = CanonicalUrl::parse(&visit.url).unwrap();
        ports
            .entry(url.host().into())
            .or_default()
            .insert(url.port());
    }
    let most = ports.values().map(BTreeSet::len).max();
    assert!(most <= Some(10), "{most:?} ports of one host");
    let refused = |outcome: Outcome| {
        let visits = besieged.visits.iter();
        visits.filter(|visit| visit.outcome == outcome).count()
    };
    assert!(refused(Outcome::BadPort) > 10);
    // Endless names take no more room than their domains are given.
    let nodes = besieged.progress.nodes.iter();
    let n_hosts: u64 = nodes.map(|node| node.n_hosts).sum();
    let nodes = alone.progress.nodes.iter();
    let n_alone: u64 = nodes.map(|node| node.n_hosts).sum();
    let n_attackers = 8 * 32;
    let most = n_alone * 2 + 6 * n_attackers * u64::from(BUDGET);
    assert!(n_hosts < most, "{n_hosts} hosts, {n_alone} alone");
}
