//! The frontier against a sorted list, and against sudden death.

use super::*;
use crate::fetch::{Fetched, Landing};
use crate::settings::Settings;
use proptest::prelude::*;
use std::time::Duration;
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
        let path = folder.path().join("crawl");
        let dir = match CrawlDir::open(&path) {
            Ok((dir, damage)) => {
                assert_eq!(damage, vec![]);
                dir
            }
            Err(_) => CrawlDir::create(&path, "").unwrap(),
        };
        let settings = Settings {
            delay,
            server_delay: Duration::ZERO,
            ..Settings::default()
        };
        let gate = Gate::open(&dir, &settings, None, Box::new(|_| None)).unwrap();
        let frontier = Frontier::open(&dir, NodeId(3)).unwrap();
        Desk {
            dir,
            gate,
            frontier,
            now: Time(1_000_000),
        }
    }

    fn offer(&mut self, url: &str, priority: f32) -> Offered {
        let mut batch = self.dir.batch();
        let offered = self
            .frontier
            .offer(&mut batch, offer(url, priority))
            .unwrap();
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
                    let free_at =
                        self.gate
                            .robots_landed(&mut batch, &lease.wanted, &url, &none, self.now);
                    self.frontier.release_host(&lease, free_at);
                }
                Next::Refused(ticket, outcome) => {
                    panic!("{} refused: {outcome:?}", ticket.offer.url)
                }
                Next::NotBefore(time) => {
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
        let free_at = self.gate.page_landed(&ticket.offer.url, &page, self.now);
        self.frontier.release(ticket, free_at);
        let mut batch = self.dir.batch();
        self.frontier.close(&mut batch, ticket);
        self.dir.apply(batch).unwrap();
    }

    fn commit(&mut self) {
        self.dir.commit(self.dir.batch()).unwrap();
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
        target: None,
        priority,
        because: "test".into(),
    }
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
    }
}

fn url_of(host: u8, page: u8) -> String {
    format!("http://host{host}.example.com/{page}")
}

/// What a test does to the frontier and to the list beside it.
#[derive(Debug, Clone)]
enum Step {
    Offer { host: u8, page: u8, priority: u8 },
    Fetch,
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        12 => (0..4_u8, 0..60_u8, 0..4_u8)
            .prop_map(|(host, page, priority)| Step::Offer { host, page, priority }),
        5 => Just(Step::Fetch),
        1 => Just(Step::Reopen),
    ];
    proptest::collection::vec(step, 1..250)
}

/// The same in a sorted list: priority, then arrival.
#[derive(Default)]
struct Model {
    arrivals: Vec<(String, u8, bool)>,
}

impl Model {
    fn offer(&mut self, url: String, priority: u8) -> Offered {
        match self.arrivals.iter_mut().find(|(known, ..)| *known == url) {
            None => {
                self.arrivals.push((url, priority, true));
                Offered::New
            }
            Some((_, old, true)) if priority > *old => {
                *old = priority;
                Offered::Raised
            }
            Some(_) => Offered::Known,
        }
    }

    fn next(&mut self) -> Option<String> {
        let waiting = self
            .arrivals
            .iter_mut()
            .filter(|(.., is_waiting)| *is_waiting);
        let best = waiting.reduce(|best, other| if other.1 > best.1 { other } else { best })?;
        best.2 = false;
        Some(best.0.clone())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn frontier_agrees_with_a_sorted_list(steps in steps()) {
        let folder = TempDir::new().unwrap();
        let mut desk = Desk::open(&folder, Duration::ZERO);
        let mut model = Model::default();
        for step in steps {
            match step {
                Step::Offer { host, page, priority } => {
                    let url = url_of(host, page);
                    let offered = desk.offer(&url, f32::from(priority) / 4.0);
                    prop_assert_eq!(offered, model.offer(url, priority));
                }
                Step::Fetch => {
                    let ticket = desk.next();
                    let url = ticket.as_ref().map(|ticket| ticket.offer.url.as_str().to_owned());
                    prop_assert_eq!(url, model.next());
                    if let Some(ticket) = ticket {
                        desk.land(&ticket);
                    }
                }
                Step::Reopen => {
                    desk.commit();
                    drop(desk);
                    desk = Desk::open(&folder, Duration::ZERO);
                }
            }
            let n_waiting = model.arrivals.iter().filter(|arrival| arrival.2).count() as u64;
            prop_assert_eq!(desk.frontier.n_waiting(), n_waiting);
        }
    }
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
