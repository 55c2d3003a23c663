//! The frontier on a real folder: order, delays, budgets, retries and sudden death.

mod model;
mod unlisted;

use super::*;
use crate::fetch::{Fetched, Landing, Machine};
use crate::settings::Settings;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use tempfile::TempDir;

/// One node's frontier on a real folder, on a web without robots rules.
struct Desk {
    dir: CrawlDir,
    gate: Gate,
    frontier: Frontier,
    now: Time,
}

impl Desk {
    fn open(folder: &TempDir, delay: Duration) -> Desk {
        Desk::open_with(
            folder,
            &Settings {
                delay,
                server_delay: Duration::ZERO,
                ..Settings::default()
            },
        )
    }

    fn open_with(folder: &TempDir, settings: &Settings) -> Desk {
        let path = folder.path().join("crawl");
        let dir = match CrawlDir::open(&path) {
            Ok((dir, damage)) => {
                assert_eq!(damage, vec![]);
                dir
            }
            Err(_) => CrawlDir::create(&path, "").unwrap(),
        };
        let gate = Gate::open(&dir, settings, None, Box::new(|_| Machine::Unknown)).unwrap();
        let frontier = Frontier::open(&dir, NodeId(3), settings).unwrap();
        Desk {
            dir,
            gate,
            frontier,
            now: Time(1_000_000),
        }
    }

    fn offer(&mut self, url: &str, priority: f32) -> Offered {
        self.offer_whole(offer(url, priority))
    }

    fn offer_whole(&mut self, offer: Offer) -> Offered {
        let mut batch = self.dir.batch();
        let offered = self.frontier.offer(&mut batch, offer).unwrap();
        self.dir.apply(batch).unwrap();
        offered
    }

    /// The next ticket, fetching robots rules where they are wanted.
    fn next(&mut self) -> Option<Ticket> {
        loop {
            let mut batch = self.dir.batch();
            let next = self
                .frontier
                .next(&mut batch, self.now, &mut self.gate)
                .unwrap();
            match next {
                Next::Fetch(ticket) => {
                    self.dir.apply(batch).unwrap();
                    return Some(ticket);
                }
                Next::Robots(lease, url) => {
                    let none = landing(Fetched::Answer(answer(404)));
                    let aftermath = self
                        .gate
                        .robots_landed(&mut batch, &lease.by, &url, &none, self.now);
                    self.frontier.release_host(&lease, aftermath);
                }
                Next::Refused(ticket, outcome) => {
                    panic!("{} refused: {outcome:?}", ticket.offer.url)
                }
                Next::RobotsRefused(_, url, outcome) => panic!("{url} refused: {outcome:?}"),
                Next::NotBefore(time) | Next::Parked(time) => {
                    self.dir.apply(batch).unwrap();
                    assert!(time > self.now, "a host to wait for is not free yet");
                    self.now = time;
                    continue;
                }
                Next::Nothing => return None,
            }
            self.dir.apply(batch).unwrap();
        }
    }

    fn land(&mut self, ticket: &Ticket) {
        let page = landing(Fetched::Answer(answer(200)));
        let aftermath = self.gate.page_landed(&ticket.offer.url, &page, self.now);
        self.frontier.release(ticket, aftermath);
        let mut batch = self.dir.batch();
        self.frontier.close(&mut batch, ticket);
        self.dir.apply(batch).unwrap();
    }

    fn retry(&mut self, ticket: &Ticket, at: Time) {
        let page = landing(Fetched::Answer(answer(200)));
        let aftermath = self.gate.page_landed(&ticket.offer.url, &page, self.now);
        self.frontier.release(ticket, aftermath);
        let mut batch = self.dir.batch();
        self.frontier.retry(&mut batch, ticket, at).unwrap();
        self.dir.apply(batch).unwrap();
    }

    fn reward(&mut self, url: &str, address: u64) {
        let mut batch = self.dir.batch();
        let url = CanonicalUrl::parse(url).unwrap();
        let addresses = [address];
        self.frontier.reward(&mut batch, &url, &addresses).unwrap();
        self.dir.apply(batch).unwrap();
    }

    fn mark_done(&mut self, url: &str) {
        let mut batch = self.dir.batch();
        let url = CanonicalUrl::parse(url).unwrap();
        self.frontier.mark_done(&mut batch, &url).unwrap();
        self.dir.apply(batch).unwrap();
    }

    fn commit(&mut self) {
        let mut batch = self.dir.batch();
        self.frontier.save(&mut batch);
        self.dir.commit(batch).unwrap();
    }

    fn drain(&mut self) -> Vec<String> {
        let mut urls = Vec::new();
        while let Some(ticket) = self.next() {
            self.land(&ticket);
            urls.push(ticket.offer.url.as_str().into());
        }
        urls
    }
}

fn offer(url: &str, priority: f32) -> Offer {
    Offer {
        url: CanonicalUrl::parse(url).unwrap(),
        from: None,
        depth: 0,
        hops: 0,
        tries: 0,
        purpose: Purpose::Page,
        target: None,
        priority,
        because: "test".into(),
        trail: Trail::default(),
    }
}

#[test]
fn what_is_worth_less_by_now_goes_back_in_line() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    for (page, priority) in [(0, 0.9), (1, 0.8), (2, 0.7)] {
        desk.offer(&url_of(1, page), priority);
    }
    // Rules first, by the priorities of old.
    let first = desk.next().unwrap();
    assert_eq!(first.offer.url.as_str(), url_of(1, 0));
    desk.land(&first);
    let stale = url_of(1, 1);
    let mut order = Vec::new();
    for _ in 0..2 {
        let mut batch = desk.dir.batch();
        let mut again = |offer: &Offer| (offer.url.as_str() == stale).then_some(0.1);
        let next = desk
            .frontier
            .next_by(&mut batch, desk.now, &mut desk.gate, &mut again)
            .unwrap();
        let Next::Fetch(ticket) = next else {
            panic!("{next:?}");
        };
        desk.dir.apply(batch).unwrap();
        order.push((ticket.offer.url.as_str().to_owned(), ticket.offer.priority));
        desk.land(&ticket);
    }
    assert_eq!(order[0].0, url_of(1, 2));
    assert_eq!(order[1].0, stale);
    assert!((order[1].1 - 0.1).abs() < 1e-6);
    assert_eq!(desk.frontier.n_waiting(), 0);
}

fn answer(status: u16) -> crate::fetch::Answer {
    crate::fetch::Answer {
        status,
        head: Vec::new(),
        content_type: None,
        location: None,
        body: bytes::Bytes::new(),
    }
}

fn landing(fetched: Fetched) -> Landing {
    Landing {
        fetched,
        server: None,
        took: Duration::ZERO,
        recorded: None,
    }
}

fn url_of(host: u8, page: u8) -> String {
    format!("http://host{host}.example.com/{page}")
}

#[test]
fn a_host_is_not_asked_before_its_delay() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::from_secs(10));
    for page in 0..3 {
        desk.offer(&url_of(1, page), 0.5);
    }
    let mut times = Vec::new();
    while let Some(ticket) = desk.next() {
        times.push(desk.now);
        desk.land(&ticket);
    }
    // Robots rules at 1,000 s, then a page every ten seconds.
    assert_eq!(times, [Time(1_010_000), Time(1_020_000), Time(1_030_000)]);
}

#[test]
fn a_slow_host_delays_nobody_but_itself() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::from_secs(10));
    desk.offer(&url_of(1, 0), 1.0);
    desk.offer(&url_of(2, 0), 0.1);
    let best = desk.next().unwrap();
    assert_eq!(best.offer.url.as_str(), url_of(1, 0));
    // The first host is leased and never lands; the second is served all the same.
    assert_eq!(desk.next().unwrap().offer.url.as_str(), url_of(2, 0));
}

#[test]
fn tickets_open_at_a_commit_wait_again_after_a_crash() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    for page in 0..5 {
        desk.offer(&url_of(1, page), 0.5);
    }
    let first = desk.next().unwrap();
    desk.land(&first);
    let second = desk.next().unwrap();
    assert_eq!(second.offer.url.as_str(), url_of(1, 1));
    desk.commit();
    drop(desk);
    let mut desk = Desk::open(&folder, Duration::ZERO);
    assert_eq!(desk.offer(&url_of(1, 0), 1.0), Offered::Known);
    assert_eq!(
        desk.drain(),
        (1..5).map(|page| url_of(1, page)).collect::<Vec<_>>()
    );
}

#[test]
fn what_was_not_committed_is_taken_back_as_a_whole() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    desk.offer(&url_of(1, 0), 0.5);
    desk.commit();
    let ticket = desk.next().unwrap();
    desk.land(&ticket);
    desk.offer(&url_of(1, 7), 0.5);
    drop(desk);
    let mut desk = Desk::open(&folder, Duration::ZERO);
    assert_eq!(desk.drain(), [url_of(1, 0)]);
}

#[test]
fn a_long_queue_is_read_from_disk_in_order() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    let urls: Vec<String> = (0..500)
        .map(|page| format!("http://long.example.com/{page}"))
        .collect();
    for url in &urls {
        desk.offer(url, 0.5);
    }
    desk.commit();
    assert_eq!(desk.drain(), urls);
}

#[test]
fn a_row_keeps_all_that_is_known_of_a_link() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    desk.offer(&url_of(1, 0), 0.9);
    let froms = [
        None,
        Some("http://host1.example.com/menu?x=1"),
        Some("https://host1.example.com/"),
        Some("https://never.heard/of"),
    ];
    for (page, from) in froms.into_iter().enumerate() {
        let full = Offer {
            from: from.map(|from| CanonicalUrl::parse(from).unwrap()),
            depth: 4,
            hops: 2,
            target: Some(page as u32),
            because: format!("{page} reasons {}", "x".repeat(100 * page)),
            trail: Trail {
                distance: page as u16,
                steps: 300,
                clues: vec![7, 1 << 19],
                is_own: page % 2 == 0,
            },
            ..offer(&format!("http://host1.example.com/a?b={page}"), 0.5)
        };
        let mut batch = desk.dir.batch();
        desk.frontier.offer(&mut batch, full.clone()).unwrap();
        desk.dir.apply(batch).unwrap();
    }
    desk.commit();
    drop(desk);
    let mut desk = Desk::open(&folder, Duration::ZERO);
    let first = desk.next().unwrap();
    desk.land(&first);
    for (page, from) in froms.into_iter().enumerate() {
        let ticket = desk.next().unwrap();
        desk.land(&ticket);
        let got = ticket.offer;
        assert_eq!(
            got.url.as_str(),
            format!("http://host1.example.com/a?b={page}")
        );
        assert_eq!(got.from.as_ref().map(AsRef::as_ref), from);
        assert_eq!((got.depth, got.hops, got.tries), (4, 2, 0));
        assert_eq!(got.target, Some(page as u32));
        assert_eq!(
            got.because,
            format!("{page} reasons {}", "x".repeat(100 * page))
        );
        assert!((got.priority - 0.5).abs() < 1e-6);
    }
}

#[test]
fn a_retried_url_comes_back_after_its_time_and_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    desk.offer(&url_of(1, 0), 0.5);
    desk.offer(&url_of(2, 0), 0.1);
    let ticket = desk.next().unwrap();
    let at = Time(desk.now.0 + 60_000);
    desk.retry(&ticket, at);
    assert_eq!(
        (desk.frontier.n_waiting(), desk.frontier.n_retrying()),
        (1, 1)
    );
    assert_eq!(desk.offer(&url_of(1, 0), 1.0), Offered::Known);
    desk.commit();
    drop(desk);
    let mut desk = Desk::open(&folder, Duration::ZERO);
    assert_eq!(desk.frontier.n_retrying(), 1);
    let other = desk.next().unwrap();
    assert_eq!(other.offer.url.as_str(), url_of(2, 0));
    assert!(desk.now < at);
    let again = desk.next().unwrap();
    assert_eq!(desk.now, at);
    assert_eq!(again.offer.url.as_str(), url_of(1, 0));
    assert_eq!(again.offer.tries, 1);
    assert_eq!(desk.frontier.n_retrying(), 0);
}

#[test]
fn a_better_link_does_not_make_tries_forgotten() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    desk.offer(&url_of(1, 0), 0.5);
    desk.offer(&url_of(1, 1), 0.6);
    let ticket = desk.next().unwrap();
    desk.retry(&ticket, desk.now);
    // The next ticket puts the other one back in line.
    let ticket = desk.next().unwrap();
    desk.retry(&ticket, Time(desk.now.0 + 9));
    let other = desk.next().unwrap();
    assert_eq!(
        (other.offer.url.as_str(), other.offer.tries),
        (&*url_of(1, 0), 0)
    );
    desk.offer(&url_of(2, 0), 0.1);
    desk.now = Time(desk.now.0 + 9);
    desk.next().unwrap();
    assert_eq!(desk.offer(&url_of(1, 1), 0.9), Offered::Raised);
    desk.land(&other);
    let again = desk.next().unwrap();
    assert_eq!(
        (again.offer.url.as_str(), again.offer.tries),
        (&*url_of(1, 1), 2)
    );
}

#[test]
fn a_domain_beyond_its_budget_waits_until_it_earns_more_or_nothing_else_is_left() {
    let folder = TempDir::new().unwrap();
    let settings = Settings {
        delay: Duration::ZERO,
        server_delay: Duration::ZERO,
        domain_budget: 2,
        budget_per_relevant: 1,
        ..Settings::default()
    };
    let mut desk = Desk::open_with(&folder, &settings);
    // All hosts of `url_of` are of one domain.
    assert_eq!(desk.offer(&url_of(1, 0), 0.1), Offered::New);
    assert_eq!(desk.offer(&url_of(2, 1), 0.1), Offered::New);
    assert_eq!(desk.offer(&url_of(1, 2), 0.5), Offered::Cold);
    assert_eq!(desk.offer(&url_of(2, 3), 0.6), Offered::Cold);
    assert_eq!(desk.offer(&url_of(2, 4), 0.4), Offered::Cold);
    assert_eq!(desk.offer("http://other.org/", 0.3), Offered::New);
    assert_eq!(desk.offer(&url_of(2, 4), 0.7), Offered::Raised);
    assert_eq!(desk.offer(&url_of(2, 4), 0.2), Offered::Known);
    assert_eq!((desk.frontier.n_waiting(), desk.frontier.n_cold()), (3, 3));
    desk.reward(&url_of(9, 9), 17);
    assert_eq!((desk.frontier.n_waiting(), desk.frontier.n_cold()), (4, 2));
    desk.commit();
    drop(desk);
    let mut desk = Desk::open_with(&folder, &settings);
    // One address on every page earns no more than on one.
    desk.reward(&url_of(9, 8), 17);
    assert_eq!((desk.frontier.n_waiting(), desk.frontier.n_cold()), (4, 2));
    let order = [
        url_of(2, 4),
        "http://other.org/".into(),
        url_of(1, 0),
        url_of(2, 1),
        url_of(2, 3),
        url_of(1, 2),
    ];
    assert_eq!(desk.drain(), order);
    assert_eq!((desk.frontier.n_waiting(), desk.frontier.n_cold()), (0, 0));
}

#[test]
fn when_every_host_that_waits_is_parked_the_frontier_says_so() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    desk.offer(&url_of(1, 0), 0.5);
    desk.offer(&url_of(2, 0), 0.1);
    let (now, later) = (desk.now, Time(desk.now.0 + 5));
    let ask = |desk: &mut Desk| {
        let mut batch = desk.dir.batch();
        desk.frontier.next(&mut batch, now, &mut desk.gate).unwrap()
    };
    desk.frontier.hosts.park(0, later);
    desk.frontier.hosts.make_wait(1, later);
    assert!(matches!(ask(&mut desk), Next::NotBefore(time) if time == later));
    assert_eq!(desk.frontier.n_parked(), 1);
    desk.frontier.hosts.park(1, later);
    assert!(matches!(ask(&mut desk), Next::Parked(time) if time == later));
    assert_eq!(desk.frontier.n_parked(), 2);
    assert_eq!(desk.drain(), [url_of(1, 0), url_of(2, 0)]);
    assert_eq!(desk.frontier.n_parked(), 0);
}

#[test]
fn a_better_link_leads_no_deeper_and_a_sitemap_stays_one() {
    for n_before in [0, 1] {
        let folder = TempDir::new().unwrap();
        let settings = Settings {
            domain_budget: 1,
            ..Settings::default()
        };
        let mut desk = Desk::open_with(&folder, &settings);
        for page in 0..n_before {
            desk.offer(&format!("http://b.example.com/{page}"), 0.1);
        }
        assert_eq!(desk.frontier.n_cold(), 0);
        let found = |depth, purpose, priority| Offer {
            depth,
            purpose,
            ..offer("http://a.example.com/sitemap.xml", priority)
        };
        desk.offer_whole(found(1, Purpose::Sitemap, 0.3));
        assert_eq!(desk.frontier.n_cold(), n_before);
        let offered = desk.offer_whole(found(5, Purpose::Page, 0.9));
        assert_eq!(offered, Offered::Raised);
        desk.reward("http://b.example.com/", 17);
        let ticket = desk.next().unwrap();
        assert_eq!(ticket.offer.depth, 1);
        assert_eq!(ticket.offer.purpose, Purpose::Sitemap);
        assert!(ticket.offer.priority > 0.8);
    }
}

#[test]
fn few_machines_are_looked_up_at_once_and_fewer_of_one_domain() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    let n_asked = Arc::new(AtomicU32::new(0));
    let look_up = {
        let n_asked = n_asked.clone();
        move |_: &CanonicalUrl| {
            n_asked.fetch_add(1, Ordering::Relaxed);
            Machine::Sought
        }
    };
    let settings = Settings::default();
    desk.gate = Gate::open(&desk.dir, &settings, None, Box::new(look_up)).unwrap();
    let mut n_sought = |n_hosts, host: fn(u32) -> String| {
        n_asked.store(0, Ordering::Relaxed);
        for nth in 0..n_hosts {
            desk.offer(&host(nth), 0.5);
        }
        let mut batch = desk.dir.batch();
        let next = desk.frontier.next(&mut batch, desk.now, &mut desk.gate);
        assert!(matches!(next, Ok(Next::NotBefore(time)) if time > desk.now));
        n_asked.load(Ordering::Relaxed)
    };
    assert_eq!(n_sought(1000, |nth| format!("http://h{nth}.evil.com/")), 4);
    assert_eq!(n_sought(20, |nth| format!("http://www.town{nth}.com/")), 20);
    assert_eq!(
        n_sought(200, |nth| format!("http://www.city{nth}.com/")),
        40
    );
}

/// The hosts that a node with all its slots free asks at once.
fn asked_at_once(desk: &mut Desk) -> Vec<HostLease> {
    let mut leases = Vec::new();
    let mut batch = desk.dir.batch();
    while let Next::Robots(lease, _) = desk
        .frontier
        .next(&mut batch, desk.now, &mut desk.gate)
        .unwrap()
    {
        leases.push(lease);
    }
    desk.dir.apply(batch).unwrap();
    leases
}

fn n_of<'a>(leases: impl IntoIterator<Item = &'a HostLease>, domain: &str) -> usize {
    let is_of = |lease: &&HostLease| lease.wanted.registrable_domain() == domain;
    leases.into_iter().filter(is_of).count()
}

#[test]
fn a_thousand_hosts_of_one_domain_leave_slots_to_others() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    for nth in 0..1000 {
        desk.offer(&format!("http://h{nth}.evil.com/"), 0.9);
    }
    for nth in 0..100 {
        desk.offer(&format!("http://www.town{nth}.com/"), 0.5);
    }
    let leases = asked_at_once(&mut desk);
    assert_eq!(n_of(&leases, "evil.com"), 4);
    assert_eq!(leases.len(), 16, "hosts that have not answered");
    assert_eq!(desk.frontier.n_waiting(), 1100);
    // One of them fails, and another takes its berth.
    let silent = landing(Fetched::TimedOut);
    let lease = &leases[0];
    assert_eq!(n_of([lease], "evil.com"), 1);
    let robots = lease.wanted.join("/robots.txt").unwrap();
    let mut batch = desk.dir.batch();
    let aftermath = desk
        .gate
        .robots_landed(&mut batch, &lease.wanted, &robots, &silent, desk.now);
    desk.frontier.release_host(lease, aftermath);
    desk.dir.apply(batch).unwrap();
    let more = asked_at_once(&mut desk);
    assert_eq!(n_of(&more, "evil.com"), 1);
    assert_eq!(more.len(), 1);
}

#[test]
fn hosts_that_answer_are_asked_however_many_do_not() {
    let folder = TempDir::new().unwrap();
    let mut desk = Desk::open(&folder, Duration::ZERO);
    for page in 0..2 {
        for nth in 0..10 {
            desk.offer(&format!("http://www.town{nth}.com/{page}"), 0.1);
        }
        if page == 0 {
            assert_eq!(desk.drain().len(), 10);
        }
    }
    for nth in 0..1000 {
        desk.offer(&format!("http://www.evil{nth}.com/"), 0.9);
    }
    let mut n_strangers = 0;
    let mut n_known = 0;
    let mut batch = desk.dir.batch();
    loop {
        let next = desk.frontier.next(&mut batch, desk.now, &mut desk.gate);
        match next.unwrap() {
            Next::Robots(..) => n_strangers += 1,
            Next::Fetch(ticket) => {
                assert!(ticket.offer.url.host().contains("town"));
                n_known += 1;
            }
            _ => break,
        }
    }
    assert_eq!((n_strangers, n_known), (16, 10));
}
