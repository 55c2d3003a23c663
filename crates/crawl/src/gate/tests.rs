//! Politeness and robots rules, question by question.

use super::*;
use crate::fetch::Answer;
use bytes::Bytes;
use tempfile::TempDir;

struct Door {
    _folder: TempDir,
    dir: CrawlDir,
    gate: Gate,
}

fn door() -> Door {
    let folder = TempDir::new().unwrap();
    let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
    let gate = Gate::open(&dir, &settings(), None).unwrap();
    Door {
        _folder: folder,
        dir,
        gate,
    }
}

fn settings() -> Settings {
    Settings {
        delay: Duration::from_secs(1),
        server_delay: Duration::from_millis(400),
        ..Settings::default()
    }
}

fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(text).unwrap()
}

fn answered(status: u16, body: &str) -> Fetched {
    Fetched::Answer(Answer {
        status,
        head: Vec::new(),
        content_type: None,
        location: (300..400).contains(&status).then(|| body.to_owned()),
        body: Bytes::copy_from_slice(body.as_bytes()),
    })
}

fn landing(fetched: Fetched) -> Landing {
    Landing {
        fetched,
        server: Some(IpAddr::from([11, 0, 0, 1])),
        took: Duration::ZERO,
    }
}

impl Door {
    fn ask(&mut self, wanted: &str, now: u64) -> String {
        match self.gate.ask(&url(wanted), Time(now)).unwrap() {
            Permit::Fetch => "fetch".into(),
            Permit::Robots(from) => format!("robots {from}"),
            Permit::NotBefore(time) => format!("not before {}", time.0),
            Permit::Refused(outcome) => format!("refused {outcome:?}"),
        }
    }

    fn robots(&mut self, wanted: &str, asked: &str, fetched: Fetched, now: u64) {
        let mut batch = self.dir.batch();
        self.gate
            .robots_landed(&mut batch, &url(wanted), &url(asked), &fetched, Time(now));
        self.gate.landed(&url(wanted), &landing(fetched), Time(now));
        self.gate.save(&mut batch);
        self.dir.apply(batch).unwrap();
    }

    fn page(&mut self, wanted: &str, fetched: Fetched, now: u64) -> u64 {
        self.gate
            .landed(&url(wanted), &landing(fetched), Time(now))
            .0
    }
}

const A: &str = "http://a.example.com/x";
const A_ROBOTS: &str = "http://a.example.com/robots.txt";

#[test]
fn rules_come_first_and_every_request_counts() {
    let mut door = door();
    assert_eq!(door.ask(A, 0), "robots http://a.example.com/robots.txt");
    assert_eq!(door.ask(A, 0), "not before 1000", "the host is leased");
    door.robots(
        A,
        A_ROBOTS,
        answered(200, "User-agent: *\nDisallow: /private/\n"),
        200,
    );
    assert_eq!(door.ask(A, 300), "not before 1200");
    assert_eq!(door.ask(A, 1200), "fetch");
    assert_eq!(door.page(A, answered(200, ""), 1300), 2300);
    assert_eq!(
        door.ask("http://a.example.com/private/1", 2300),
        "refused Forbidden { line: 2 }"
    );
}

#[test]
fn a_leased_machine_is_never_free_now_however_short_the_delay() {
    let mut door = door();
    door.gate.delay = Duration::ZERO;
    door.gate.server_delay = Duration::ZERO;
    let b = "http://b.example.com/";
    for (wanted, robots) in [(A, A_ROBOTS), (b, "http://b.example.com/robots.txt")] {
        door.ask(wanted, 0);
        door.robots(wanted, robots, answered(404, ""), 0);
    }
    assert_eq!(door.ask(A, 100), "fetch");
    assert_eq!(door.ask(b, 100), "not before 150");
}

#[test]
fn crawl_delay_wins_over_a_shorter_delay() {
    let mut door = door();
    door.ask(A, 0);
    door.robots(
        A,
        A_ROBOTS,
        answered(200, "User-agent: *\nCrawl-delay: 7\n"),
        0,
    );
    assert_eq!(door.ask(A, 1000), "not before 7000");
}

#[test]
fn hosts_on_one_machine_share_its_clock() {
    let mut door = door();
    let b = "http://b.example.com/";
    for (wanted, robots) in [(A, A_ROBOTS), (b, "http://b.example.com/robots.txt")] {
        door.ask(wanted, 0);
        door.robots(wanted, robots, answered(404, ""), 0);
    }
    assert_eq!(door.ask(A, 5000), "fetch");
    assert_eq!(door.ask(b, 5000), "not before 5400", "the machine is busy");
    door.page(A, answered(200, ""), 5100);
    assert_eq!(door.ask(b, 5100), "not before 5500");
    assert_eq!(door.ask(b, 5500), "fetch");
}

#[test]
fn unreachable_rules_close_the_host_and_missing_ones_open_it() {
    let mut door = door();
    for (host, fetched, expected) in [
        ("c", answered(503, ""), "refused Forbidden { line: 0 }"),
        ("d", answered(404, ""), "fetch"),
        ("e", Fetched::Unresolved, "refused Unresolved"),
        ("f", Fetched::TimedOut, "refused TimedOut"),
        ("g", answered(200, ""), "fetch"),
    ] {
        let page = format!("http://{host}.example.com/");
        door.gate.servers.clear();
        door.ask(&page, 0);
        door.robots(&page, &format!("{page}robots.txt"), fetched, 0);
        assert_eq!(door.ask(&page, 60_000), expected, "{host}");
    }
}

#[test]
fn closed_hosts_are_tried_again_after_an_hour() {
    let mut door = door();
    door.ask(A, 0);
    door.robots(A, A_ROBOTS, answered(503, ""), 0);
    assert_eq!(door.ask(A, 3_600_000), format!("robots {A_ROBOTS}"));
}

#[test]
fn moved_rules_are_followed_and_the_other_host_is_owed_its_delay() {
    let mut door = door();
    let www = "http://www.example.com/";
    let moved = "http://www.example.com/robots.txt";
    door.ask(A, 0);
    door.robots(A, A_ROBOTS, answered(301, moved), 0);
    assert_eq!(door.ask(A, 1000), format!("robots {moved}"));
    assert_eq!(door.ask(www, 1500), "not before 2000");
    door.robots(
        A,
        moved,
        answered(200, "User-agent: *\nDisallow: /x\n"),
        1600,
    );
    assert_eq!(door.ask(A, 9000), "refused Forbidden { line: 2 }");
}

#[test]
fn endless_robots_redirects_end() {
    let mut door = door();
    let mut now = 0;
    for _ in 0..=ROBOTS_HOPS {
        assert!(door.ask(A, now).starts_with("robots"));
        door.robots(A, A_ROBOTS, answered(301, A_ROBOTS), now);
        now += 1000;
    }
    assert_eq!(door.ask(A, now), "fetch");
}

#[test]
fn failing_hosts_are_asked_less_and_less() {
    let mut door = door();
    door.ask(A, 0);
    door.robots(A, A_ROBOTS, answered(404, ""), 0);
    let mut waits = Vec::new();
    let mut now = 1000;
    for _ in 0..3 {
        assert_eq!(door.ask(A, now), "fetch");
        let free_at = door.page(A, Fetched::TimedOut, now);
        waits.push(free_at - now);
        now = free_at;
    }
    assert_eq!(waits, [4000, 16_000, 64_000]);
    assert_eq!(door.ask(A, now), "fetch");
    assert_eq!(door.page(A, answered(200, ""), now) - now, 1000);
}

#[test]
fn clocks_and_rules_are_remembered() {
    let mut door = door();
    door.ask(A, 0);
    door.robots(
        A,
        A_ROBOTS,
        answered(200, "User-agent: *\nCrawl-delay: 30\nDisallow: /p\n"),
        0,
    );
    door.gate = Gate::open(&door.dir, &settings(), None).unwrap();
    assert_eq!(door.ask(A, 1000), "not before 30000");
    assert_eq!(
        door.ask("http://a.example.com/p", 1000),
        "refused Forbidden { line: 3 }"
    );
}

#[test]
fn a_request_in_the_air_counts_after_a_clean_stop() {
    let mut door = door();
    door.ask(A, 0);
    let mut batch = door.dir.batch();
    door.gate.save(&mut batch);
    door.dir.apply(batch).unwrap();
    door.gate = Gate::open(&door.dir, &settings(), None).unwrap();
    assert_eq!(door.ask(A, 500), "not before 1000");
}

#[test]
fn after_a_crash_every_host_counts_as_asked_just_now() {
    let mut door = door();
    door.ask(A, 0);
    door.robots(
        A,
        A_ROBOTS,
        answered(200, "User-agent: *\nCrawl-delay: 30\n"),
        0,
    );
    door.gate = Gate::open(&door.dir, &settings(), Some(Time(50_000))).unwrap();
    assert_eq!(door.ask(A, 50_000), "not before 80000");
    assert_eq!(
        door.ask("http://new.example.com/", 50_000),
        "not before 51000"
    );
}
