//! Tables that are lost are worked out again as they were.

// Helpers of tests may panic like tests.
#![allow(clippy::unwrap_used)]

use bytes::Bytes;
use crawl::clock::VirtualClock;
use crawl::conductor::{self, Parts};
use crawl::fetch::{Answer, Fetched, Fetcher, Landing, Machine, Reply, Request};
use crawl::frontier::{Frontier, Wait};
use crawl::progress::{LostLinks, Progress, Rebuilding};
use crawl::settings::Settings;
use lab::world::{MadeUpWeb, World, WorldSettings};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use store::crawl_dir::{CrawlDir, VisitReader};
use store::visit::{Errand, Outcome, Time, Visit};
use strategy::means::Means;
use strategy::roster::{NodeId, Roster};
use strategy::{assign, order};

const N_NODES: usize = 4;

/// A made-up web where some pages ask not to be archived, rules name sitemaps,
/// and some pages come at the second try only.
struct Wayward {
    web: MadeUpWeb,
    tried: Mutex<HashSet<String>>,
}

impl Wayward {
    fn answer(&self, request: &Request, landing: Landing) -> Landing {
        let Fetched::Answer(answer) = landing.fetched else {
            return landing;
        };
        let url = &request.url;
        let is_shy = url.fingerprint().short().is_multiple_of(7);
        let answer = match (url.path_and_query(), request.errand) {
            ("/robots.txt", _) if answer.status == 200 => Answer {
                body: [&answer.body, &b"\nSitemap: /sitemap.txt\n"[..]]
                    .concat()
                    .into(),
                ..answer
            },
            (_, Errand::Page) if is_shy && answer.status == 200 => Answer {
                head: with_header(&answer.head, "x-robots-tag: noarchive"),
                ..answer
            },
            _ => answer,
        };
        Landing {
            fetched: Fetched::Answer(answer),
            ..landing
        }
    }
}

fn with_header(head: &[u8], header: &str) -> Vec<u8> {
    let end = head.len() - b"\r\n".len();
    assert!(head.ends_with(b"\r\n\r\n"));
    [&head[..end], header.as_bytes(), b"\r\n\r\n"].concat()
}

fn sitemap(url: &CanonicalUrl) -> Answer {
    let listed = |nth: usize| format!("{}/listed/{nth}\n", url.origin());
    Answer {
        status: 200,
        head: b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n".to_vec(),
        content_type: Some("text/plain".into()),
        location: None,
        body: Bytes::from((0..9).map(listed).collect::<String>()),
    }
}

impl Fetcher for Wayward {
    fn fetch(&self, request: &Request, reply: Reply) {
        let url = &request.url;
        let server = self.web.0.server_of(url);
        let took = Duration::from_millis(40);
        if url.path_and_query() == "/sitemap.txt" {
            let fetched = Fetched::Answer(sitemap(url));
            return reply(Landing {
                fetched,
                server,
                took,
                recorded: None,
            });
        }
        let is_slow = request.errand == Errand::Page && url.as_str().len().is_multiple_of(16);
        if is_slow && self.tried.lock().unwrap().insert(url.as_str().into()) {
            let fetched = Fetched::TimedOut;
            return reply(Landing {
                fetched,
                server,
                took,
                recorded: None,
            });
        }
        reply(self.answer(request, self.web.0.answer(url)));
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

static WORLD: LazyLock<Arc<World>> = LazyLock::new(|| {
    let settings = WorldSettings {
        seed: 7,
        n_sites: 300,
        ..WorldSettings::default()
    };
    Arc::new(World::new(settings, Gazetteer::built_in()))
});

fn settings(n_pages: u64) -> Settings {
    Settings {
        n_pages: Some(n_pages),
        n_slots: 4,
        domain_budget: 20,
        commit_visits: 100,
        ..Settings::default()
    }
}

/// Crawls on to so many pages; also tells what was said of the tables.
fn crawl(dir: &Path, order: &str, settings: &Settings) -> (Progress, Vec<Rebuilding>) {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, N_NODES).unwrap();
    let dir = match dir.exists() {
        true => CrawlDir::open(dir).unwrap().0,
        false => CrawlDir::create(dir, "").unwrap(),
    };
    let seeds = WORLD.seeds(&targets);
    let means = Means::new(&targets, &roster);
    let start = conductor::last_time(&dir).unwrap().unwrap_or(Time(0));
    let parts = Parts {
        dir,
        settings: settings.clone(),
        assign: (assign::by_name("url").unwrap().build)(&means).unwrap(),
        order: (order::by_name(order).unwrap().build)(&means).unwrap(),
        appraiser: None,
        roster,
        targets,
        fetcher: Arc::new(Wayward {
            web: MadeUpWeb(WORLD.clone()),
            tried: Mutex::default(),
        }),
        clock: Box::new(VirtualClock::starting_at(start)),
        stop: Arc::default(),
        refresh: None,
    };
    let mut told = Vec::new();
    let mut watch = |progress: &Progress| told.extend(progress.rebuilding.clone());
    let (_, progress) = conductor::run(parts, &seeds, &mut watch).unwrap();
    (progress, told)
}

fn changes_its_mind(order: &str) -> bool {
    order == "focus"
}

/// Everything that waits, and all that is counted.
fn standing(dir: &Path, order: &str, progress: &Progress, settings: &Settings) -> Vec<String> {
    let (crawl_dir, damage) = CrawlDir::open(dir).unwrap();
    assert_eq!(damage, []);
    let mut lines = Vec::new();
    for (node_idx, node) in progress.nodes.iter().enumerate() {
        let frontier = Frontier::open(&crawl_dir, NodeId(node_idx as u16), settings).unwrap();
        let waiting = frontier.waiting().unwrap().into_iter();
        lines.extend(waiting.map(|(wait, mut offer)| {
            // An order that changes its mind judges again when a link has its
            // turn, which is not on record.
            if changes_its_mind(order) {
                offer.priority = 0.0;
            }
            // What is due waits at its host as soon as somebody asks for work.
            let is_cold = wait == Wait::Cold;
            format!(
                "{node_idx} {} {offer:?}",
                if is_cold { "cold" } else { "hot" }
            )
        }));
        lines.push(format!(
            "{node_idx}: {} {} {} {} {:?} {} {} {}",
            node.n_pages,
            node.n_geo_pages,
            node.n_other,
            node.n_received,
            node.refusals,
            node.n_waiting + node.n_retrying,
            node.n_cold,
            node.n_hosts,
        ));
    }
    lines.sort();
    lines
}

fn lose_tables(dir: &Path) {
    std::fs::remove_dir_all(dir.join("tables")).unwrap();
}

fn visits(dir: &Path) -> Vec<Visit> {
    VisitReader::open(dir).unwrap().collect()
}

/// What differs, line by line, so that a failure can be read.
fn assert_same(before: &[String], after: &[String], what: &str) {
    let known: HashSet<&String> = before.iter().collect();
    let found: HashSet<&String> = after.iter().collect();
    let lost: Vec<_> = before.iter().filter(|line| !found.contains(line)).collect();
    let new: Vec<_> = after.iter().filter(|line| !known.contains(line)).collect();
    assert!(
        lost.is_empty() && new.is_empty() && before.len() == after.len(),
        "{what}: of {} lines {} are lost and {} new: {:#?} {:#?}",
        before.len(),
        lost.len(),
        new.len(),
        &lost[..lost.len().min(4)],
        &new[..new.len().min(4)],
    );
}

#[test]
fn links_from_pages_that_are_not_archived_and_from_sitemaps_wait_on_when_tables_are_lost() {
    let folder = tempfile::tempdir().unwrap();
    for (order, archive) in [("breadth", true), ("focus", true), ("adaptive", false)] {
        let what = format!("{order}, archive: {archive}");
        let dir = folder.path().join(&what);
        let settings = Settings {
            archive,
            ..settings(500)
        };
        let (progress, _) = crawl(&dir, order, &settings);
        let before = standing(&dir, order, &progress, &settings);
        let log = visits(&dir);
        lose_tables(&dir);
        let (progress, told) = crawl(&dir, order, &settings);
        assert_same(&before, &standing(&dir, order, &progress, &settings), &what);
        let n_visits = log.len() as u64;
        assert_eq!(
            told,
            [
                Rebuilding::Begun(n_visits),
                Rebuilding::Done(n_visits, LostLinks::default())
            ]
        );
        assert_eq!(visits(&dir).len(), log.len(), "nothing is fetched again");
        // All kinds are there that were lost once.
        for kind in ["cold Offer", "tries: 1", "/listed/"] {
            assert!(before.iter().any(|line| line.contains(kind)), "{kind}");
        }
        assert!(log.iter().any(|visit| !visit.kept_links.is_empty()));
        assert!(log.iter().any(|visit| visit.copy.is_some()) || !archive);
    }
}

#[test]
fn links_that_nothing_gives_back_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("crawl");
    let settings = settings(300);
    let (progress, _) = crawl(&dir, "breadth", &settings);
    let before = progress.n_geo_pages();
    lose_tables(&dir);
    let archive = dir.join("warc").join("locavore-00001.warc.gz");
    let bytes = std::fs::read(&archive).unwrap();
    std::fs::write(&archive, &bytes[..bytes.len() / 2]).unwrap();
    let log = visits(&dir);
    let (progress, told) = crawl(&dir, "breadth", &settings);
    assert_eq!(progress.n_geo_pages(), before, "counts come from the log");
    let Some(Rebuilding::Done(_, lost)) = told.last() else {
        panic!("{told:?}");
    };
    let is_cut = |visit: &&Visit| {
        let end = visit
            .archived
            .map(|shelf| shelf.offset + u64::from(shelf.len));
        end.is_some_and(|end| end > bytes.len() as u64 / 2)
    };
    let n_links = |visit: &Visit| {
        let followed = visit.links.iter().filter(|link| link.refused.is_none());
        followed.count() - visit.kept_links.len()
    };
    // Sitemaps too; rules will be asked for again.
    let is_read = |visit: &&Visit| {
        visit.outcome == Outcome::Fetched && visit.errand != Errand::Robots && n_links(visit) > 0
    };
    let cut: Vec<_> = log.iter().filter(is_cut).filter(is_read).collect();
    assert!(cut.len() > 50);
    assert_eq!(lost.n_pages, cut.len() as u64);
    assert_eq!(
        lost.n_links,
        cut.iter().map(|visit| n_links(visit) as u64).sum::<u64>()
    );
    assert_eq!(lost.page.as_ref(), cut.first().map(|visit| &visit.url));
}
