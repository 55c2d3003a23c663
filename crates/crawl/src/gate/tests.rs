//! Politeness and robots rules, question by question.

mod detours;
mod jumps;
mod memory;
mod parking;
mod ports;
mod waits;

use super::*;
use crate::fetch::{Answer, Fetched};
use bytes::Bytes;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

struct Door {
    _folder: TempDir,
    dir: CrawlDir,
    settings: Settings,
    room: usize,
    gate: Gate,
}

fn door() -> Door {
    door_with(Settings {
        delay: Duration::from_secs(1),
        server_delay: Duration::from_millis(400),
        ..Settings::default()
    })
}

fn door_with(settings: Settings) -> Door {
    let folder = TempDir::new().unwrap();
    let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
    let gate = Gate::open(&dir, &settings, None, Box::new(|_| Machine::Unknown)).unwrap();
    Door {
        _folder: folder,
        dir,
        settings,
        room: ROOM,
        gate,
    }
}

fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(text).unwrap()
}

fn answered(status: u16, body: &str) -> Fetched {
    answered_with(status, "", body)
}

fn answered_with(status: u16, headers: &str, body: &str) -> Fetched {
    Fetched::Answer(Answer {
        status,
        head: format!("HTTP/1.1 {status} X\r\n{headers}\r\n\r\n").into_bytes(),
        content_type: None,
        location: (300..400).contains(&status).then(|| body.to_owned()),
        body: Bytes::copy_from_slice(body.as_bytes()),
    })
}

/// A landing from machine number so-and-so.
fn from(machine: u8, fetched: Fetched) -> Landing {
    let server = Some(IpAddr::from([11, 0, 0, machine]));
    Landing {
        fetched,
        server,
        took: Duration::ZERO,
        recorded: None,
    }
}

impl Door {
    fn ask(&mut self, wanted: &str, now: u64) -> String {
        match self.gate.ask(&url(wanted), Time(now)).unwrap() {
            Permit::Fetch => "fetch".into(),
            Permit::Robots(RulesWanted { by, at }) if by == url(wanted) => format!("robots {at}"),
            Permit::Robots(RulesWanted { by, at }) => format!("robots {at} for {by}"),
            Permit::RobotsRefused(at, outcome) => format!("refused robots {at} {outcome:?}"),
            Permit::NotBefore(time) => format!("not before {}", time.0),
            Permit::Sought(time) => format!("sought until {}", time.0),
            Permit::Parked(time) => format!("parked until {}", time.0),
            Permit::Refused(outcome) => format!("refused {outcome:?}"),
        }
    }

    fn robots(&mut self, wanted: &str, asked: &str, landing: &Landing, now: u64) -> u64 {
        let mut batch = self.dir.batch();
        let (wanted, asked) = (url(wanted), url(asked));
        let aftermath = self
            .gate
            .robots_landed(&mut batch, &wanted, &asked, landing, Time(now));
        self.dir.apply(batch).unwrap();
        aftermath.free_at.0
    }

    fn page(&mut self, wanted: &str, landing: &Landing, now: u64) -> u64 {
        self.gate
            .page_landed(&url(wanted), landing, Time(now))
            .free_at
            .0
    }

    /// Gets the rules of a host out of the way: there are none.
    fn open_host(&mut self, page: &str, machine: u8, now: u64) {
        let robots = url(page).join("/robots.txt").unwrap();
        assert_eq!(self.ask(page, now), format!("robots {robots}"));
        self.robots(
            page,
            robots.as_str(),
            &from(machine, answered(404, "")),
            now,
        );
    }

    fn reopen(&mut self, crashed: Option<u64>) {
        if crashed.is_none() {
            self.save();
        }
        let crashed = crashed.map(Time);
        let look_up = Box::new(|_: &CanonicalUrl| Machine::Unknown);
        let gate = Gate::open_with_room(&self.dir, &self.settings, crashed, look_up, self.room);
        self.gate = gate.unwrap();
    }

    fn save(&mut self) {
        let mut batch = self.dir.batch();
        self.gate.save(&mut batch);
        self.dir.apply(batch).unwrap();
    }
}

const HOUR: u64 = 3_600_000;
const A: &str = "http://a.example.com/x";
const A_ROBOTS: &str = "http://a.example.com/robots.txt";
const B: &str = "http://b.example.com/";
const C: &str = "http://c.example.com/";

#[test]
fn empty_rules_of_any_type_are_no_rules() {
    let mut door = door();
    door.ask("http://a.example/p", 0);
    let mut empty = answered(200, "");
    if let Fetched::Answer(answer) = &mut empty {
        answer.content_type = Some("application/octet-stream".into());
    }
    let robots = "http://a.example/robots.txt";
    let free_at = door.robots("http://a.example/p", robots, &from(1, empty), 0);
    assert_eq!(door.ask("http://a.example/p", free_at), "fetch");
}

#[test]
fn rules_come_first_and_every_request_counts() {
    let mut door = door();
    assert_eq!(door.ask(A, 0), "robots http://a.example.com/robots.txt");
    assert_eq!(door.ask(A, 0), "not before 1000", "the host is leased");
    let rules = "User-agent: *\nDisallow: /private/\n";
    assert_eq!(
        door.robots(A, A_ROBOTS, &from(1, answered(200, rules)), 200),
        1200
    );
    assert_eq!(door.ask(A, 300), "not before 1200");
    assert_eq!(door.ask(A, 1200), "fetch");
    assert_eq!(door.page(A, &from(1, answered(200, "")), 1300), 2300);
    assert_eq!(
        door.ask("http://a.example.com/private/1", 2300),
        "refused Forbidden { line: 2 }"
    );
}

#[test]
fn crawl_delay_wins_over_a_shorter_delay() {
    let mut door = door();
    door.ask(A, 0);
    let rules = "User-agent: *\nCrawl-delay: 7\n";
    assert_eq!(
        door.robots(A, A_ROBOTS, &from(1, answered(200, rules)), 0),
        7000
    );
    assert_eq!(door.ask(A, 1000), "not before 7000");
}

#[test]
fn a_leased_machine_is_never_free_now_however_short_the_delay() {
    let mut door = door_with(Settings {
        delay: Duration::ZERO,
        server_delay: Duration::ZERO,
        ..Settings::default()
    });
    door.open_host(A, 1, 0);
    door.open_host(B, 1, 0);
    assert_eq!(door.ask(A, 100), "fetch");
    assert_eq!(door.ask(B, 100), "not before 150");
}

#[test]
fn hosts_on_one_machine_share_its_clock() {
    let mut door = door();
    door.open_host(A, 1, 0);
    door.open_host(B, 1, 0);
    assert_eq!(door.ask(A, 5000), "fetch");
    assert_eq!(door.ask(B, 5000), "not before 5400", "the machine is busy");
    door.page(A, &from(1, answered(200, "")), 5100);
    assert_eq!(door.ask(B, 5100), "not before 5500");
    assert_eq!(door.ask(B, 5500), "fetch");
}

#[test]
fn hosts_that_find_a_machine_busy_come_back_one_after_the_other() {
    let mut door = door();
    door.open_host(A, 1, 0);
    door.open_host(B, 1, 0);
    door.open_host(C, 1, 0);
    assert_eq!(door.ask(A, 5000), "fetch");
    assert_eq!(door.ask(B, 5000), "not before 5400");
    assert_eq!(door.ask(C, 5000), "not before 5800");
    door.page(A, &from(1, answered(200, "")), 5000);
    assert_eq!(door.ask(B, 5400), "fetch");
    door.page(B, &from(1, answered(200, "")), 5400);
    assert_eq!(door.ask(C, 5800), "fetch");
}

#[test]
fn a_newcomer_on_a_machine_does_not_end_anothers_lease() {
    let mut door = door();
    door.open_host(A, 1, 0);
    door.open_host(B, 1, 0);
    assert_eq!(door.ask(A, 5000), "fetch");
    door.open_host(C, 1, 5000);
    assert_eq!(
        door.ask(B, 5200),
        "not before 5400",
        "A is still being fetched"
    );
}

#[test]
fn a_machine_known_beforehand_counts_from_the_first_request() {
    let mut door = door();
    let look_up = |_: &CanonicalUrl| Machine::At([11, 0, 0, 1].into());
    door.gate = Gate::open(&door.dir, &door.settings, None, Box::new(look_up)).unwrap();
    assert!(door.ask(A, 0).starts_with("robots"));
    assert_eq!(door.ask(B, 0), "not before 400");
}

#[test]
fn the_first_request_waits_until_the_machine_is_known() {
    let mut door = door();
    let found = Arc::new(AtomicBool::new(false));
    let look_up = {
        let found = found.clone();
        move |_: &CanonicalUrl| match found.load(Ordering::Relaxed) {
            true => Machine::At([11, 0, 0, 1].into()),
            false => Machine::Sought,
        }
    };
    door.gate = Gate::open(&door.dir, &door.settings, None, Box::new(look_up)).unwrap();
    assert_eq!(door.ask(A, 1000), "sought until 1050");
    assert_eq!(door.ask(B, 1010), "sought until 1060");
    assert_eq!(door.ask(A, 1050), "sought until 1100");
    assert_eq!(
        door.ask(A, 1100),
        "sought until 1200",
        "less and less often"
    );
    found.store(true, Ordering::Relaxed);
    assert!(door.ask(A, 1200).starts_with("robots"));
    assert_eq!(door.ask(B, 1210), "not before 1600", "it is the same one");
}

#[test]
fn a_machine_that_is_never_found_is_not_waited_for_forever() {
    let mut door = door();
    let look_up = |_: &CanonicalUrl| Machine::Sought;
    door.gate = Gate::open(&door.dir, &door.settings, None, Box::new(look_up)).unwrap();
    assert_eq!(door.ask(A, 0), "sought until 50");
    assert_eq!(door.ask(A, 9_000), "sought until 14000");
    assert_eq!(door.ask(A, 599_000), "sought until 604000");
    assert!(door.ask(A, 604_000).starts_with("robots"));
}

/// The machines of every name, which may change.
fn with_machines(door: &mut Door, machines: &Arc<Mutex<Vec<u8>>>) {
    let machines = machines.clone();
    let look_up = move |_: &CanonicalUrl| {
        let machines = machines.lock().unwrap();
        Machine::Among(machines.iter().map(|nth| ip(*nth)).collect())
    };
    door.gate = Gate::open(&door.dir, &door.settings, None, Box::new(look_up)).unwrap();
}

fn ip(machine: u8) -> IpAddr {
    IpAddr::from([11, 0, 0, machine])
}

/// Nobody was reached.
fn unreached() -> Landing {
    Landing {
        server: None,
        ..from(0, Fetched::Unreachable("connection refused".into()))
    }
}

#[test]
fn the_next_address_of_a_name_waits_for_its_own_clock() {
    let mut door = door();
    with_machines(&mut door, &Arc::new(Mutex::new(vec![1, 2])));
    assert_eq!(door.ask(A, 0), format!("robots {A_ROBOTS}"));
    assert_eq!(door.gate.whom(&url(A)), Whom::Only(ip(1)));
    assert_eq!(door.robots(A, A_ROBOTS, &unreached(), 100), 1100);
    // B is led to the second at once: the first was asked a moment ago.
    assert!(door.ask(B, 600).starts_with("robots"));
    assert_eq!(door.gate.whom(&url(B)), Whom::Only(ip(1)));
    door.robots(B, "http://b.example.com/robots.txt", &unreached(), 700);
    assert_eq!(door.ask(A, 1100), format!("robots {A_ROBOTS}"));
    assert_eq!(door.gate.whom(&url(A)), Whom::Only(ip(2)));
    assert_eq!(
        door.ask(B, 1700),
        "not before 2000",
        "A is being asked there"
    );
    door.robots(A, A_ROBOTS, &from(2, answered(404, "")), 1800);
    assert_eq!(door.ask(B, 2100), "not before 2200");
    assert!(door.ask(B, 2200).starts_with("robots"));
    assert_eq!(door.gate.whom(&url(B)), Whom::Only(ip(2)));
    let view = door.gate.host_view(&url(A)).unwrap();
    assert_eq!((view.n_failures, view.machine), (0, Some(ip(2))));
}

#[test]
fn a_page_is_repeated_at_every_address_and_then_its_host_has_failed() {
    let mut door = door();
    with_machines(&mut door, &Arc::new(Mutex::new(vec![1, 2, 3])));
    door.open_host(A, 2, 0);
    let mut now = 5000;
    let mut asked = Vec::new();
    let mut aftermath = Vec::new();
    for _ in 0..4 {
        assert_eq!(door.ask(A, now), "fetch");
        asked.push(door.gate.whom(&url(A)));
        let landed = door.gate.page_landed(&url(A), &unreached(), Time(now));
        aftermath.push((landed.is_to_be_repeated, landed.free_at.0 - now));
        now = landed.free_at.0;
    }
    assert_eq!(asked, [2, 1, 3, 2].map(|nth| Whom::Only(ip(nth))));
    assert_eq!(
        aftermath,
        [(true, 1000), (true, 1000), (false, 4000), (true, 4000)]
    );
}

#[test]
fn what_a_server_hung_up_on_is_repeated_when_its_turn_has_come() {
    let mut door = door();
    door.open_host(A, 1, 0);
    assert_eq!(door.ask(A, 5000), "fetch");
    let hung_up = from(1, Fetched::Again("hung up".into()));
    let aftermath = door.gate.page_landed(&url(A), &hung_up, Time(5000));
    assert_eq!(
        aftermath,
        Aftermath {
            free_at: Time(6000),
            is_to_be_repeated: true,
            acquaintance: Acquaintance::Known,
        }
    );
    assert_eq!(door.ask(A, 5500), "not before 6000");
}

#[test]
fn a_name_that_moves_is_asked_where_it_leads_now_by_the_clock_there() {
    let mut door = door();
    let machines = Arc::new(Mutex::new(vec![1]));
    with_machines(&mut door, &machines);
    door.open_host(A, 1, 0);
    *machines.lock().unwrap() = vec![2];
    door.open_host(B, 2, 99_900);
    assert_eq!(door.ask(A, 100_000), "not before 100300");
    assert_eq!(door.ask(A, 100_300), "fetch");
    assert_eq!(door.gate.whom(&url(A)), Whom::Only(ip(2)));
}

#[test]
fn domains_take_turns_at_a_machine_however_many_hosts_they_have() {
    let mut door = door_with(Settings {
        delay: Duration::from_millis(400),
        server_delay: Duration::from_millis(400),
        ..Settings::default()
    });
    let honest = "http://www.town.com/";
    let evil: Vec<String> = (0..50)
        .map(|nth| format!("http://h{nth}.evil.com/"))
        .collect();
    let mut due: Vec<(u64, &str)> = evil.iter().map(|host| (0, host.as_str())).collect();
    for (nth, host) in evil.iter().enumerate() {
        door.open_host(host, 1, nth as u64 * 1000);
    }
    door.open_host(honest, 1, 60_000);
    due.push((0, honest));
    let mut now = 100_000;
    let mut turns = Vec::new();
    while turns.len() < 40 {
        // Who is due first is asked about first, evil hosts before others.
        due.sort_by_key(|(at, host)| (*at, *host == honest));
        let (at, host) = due[0];
        now = now.max(at);
        let answer = door.ask(host, now);
        due[0].0 = match answer.strip_prefix("not before ") {
            Some(time) => time.parse().unwrap(),
            None => {
                assert_eq!(answer, "fetch");
                turns.push(host == honest);
                door.page(host, &from(1, answered(200, "")), now)
            }
        };
    }
    let n_honest = turns.iter().filter(|is_honest| **is_honest).count();
    assert!(n_honest >= 19, "{n_honest} turns of 40");
}

#[test]
fn a_host_that_moves_to_another_machine_is_counted_on_both() {
    let mut door = door();
    door.open_host(A, 1, 0);
    door.open_host(B, 2, 0);
    door.open_host(C, 1, 0);
    assert_eq!(door.ask(A, 5000), "fetch");
    door.page(A, &from(2, answered(200, "")), 5100);
    assert_eq!(door.ask(B, 5100), "not before 5500");
    assert_eq!(door.ask(C, 5100), "not before 5500");
}

#[test]
fn schemes_and_ports_of_one_host_share_its_clock_but_not_its_rules() {
    let mut door = door();
    door.open_host(A, 1, 0);
    let secure = "https://a.example.com/x";
    assert_eq!(door.ask(A, 5000), "fetch");
    door.page(A, &from(1, answered(301, secure)), 5000);
    assert_eq!(door.ask(secure, 5001), "not before 6000");
    assert_eq!(
        door.ask(secure, 6000),
        "robots https://a.example.com/robots.txt"
    );
}

#[test]
fn unreachable_rules_close_the_host_and_missing_ones_open_it() {
    for (fetched, expected) in [
        (answered(503, ""), "parked until 3620000"),
        (answered(429, ""), "parked until 3620000"),
        (answered(404, ""), "fetch"),
        (Fetched::Unresolved, "parked until 3604000"),
        (Fetched::TimedOut, "parked until 3620000"),
        (Fetched::TooLarge, "parked until 3620000"),
        (Fetched::PrivateAddress, "refused PrivateAddress"),
        (Fetched::NotArchived, "fetch"),
        (answered(200, ""), "fetch"),
    ] {
        let mut door = door();
        let mut now = 0;
        let mut answer = door.ask(A, now);
        while answer.starts_with("robots") {
            now = door.robots(A, A_ROBOTS, &from(1, fetched.clone()), now);
            answer = door.ask(A, now);
        }
        assert_eq!(answer, expected);
    }
}

#[test]
fn one_failure_closes_no_host() {
    let mut door = door();
    door.ask(A, 0);
    assert_eq!(
        door.robots(A, A_ROBOTS, &from(1, Fetched::TimedOut), 0),
        4000
    );
    assert_eq!(door.ask(A, 4000), format!("robots {A_ROBOTS}"));
    door.robots(A, A_ROBOTS, &from(1, answered(404, "")), 4000);
    assert_eq!(door.ask(A, 5000), "fetch");
}

#[test]
fn old_rules_serve_on_while_new_ones_cannot_be_had() {
    let mut door = door();
    door.ask(A, 0);
    door.robots(
        A,
        A_ROBOTS,
        &from(1, answered(200, "User-agent: *\nDisallow: /x\n")),
        0,
    );
    let mut now = 25 * HOUR;
    let mut n_asked = 0;
    while door.ask(A, now).starts_with("robots") {
        now = door.robots(A, A_ROBOTS, &from(1, answered(503, "")), now);
        n_asked += 1;
    }
    assert_eq!(n_asked, 3);
    assert_eq!(door.ask(A, now), "refused Forbidden { line: 2 }");
    door.reopen(None);
    assert_eq!(door.ask(A, now), "refused Forbidden { line: 2 }");
    let y = "http://a.example.com/y";
    assert_eq!(door.ask(y, now), "fetch");
    // Now it is the host that fails, not only its rules.
    door.page(y, &from(1, Fetched::TimedOut), now);
    assert_eq!(door.ask(y, now), format!("parked until {}", now + HOUR));
    assert_eq!(door.ask(A, now), "refused Forbidden { line: 2 }");
}

#[test]
fn moved_rules_take_the_time_of_both_hosts() {
    let mut door = door();
    let www = "http://www.example.com/";
    let moved = "http://www.example.com/robots.txt";
    door.ask(www, 0);
    door.robots(
        www,
        moved,
        &from(2, answered(200, "User-agent: *\nCrawl-delay: 30\n")),
        0,
    );
    door.ask(A, 0);
    door.robots(A, A_ROBOTS, &from(1, answered(301, moved)), 0);
    assert_eq!(door.ask(A, 1000), "not before 30000");
    assert_eq!(door.ask(A, 30_000), format!("robots {moved}"));
    assert_eq!(door.ask(www, 40_000), "not before 70000", "leased");
    door.robots(
        A,
        moved,
        &from(2, answered(200, "User-agent: *\nDisallow: /x\n")),
        41_000,
    );
    assert_eq!(door.ask(www, 50_000), "not before 71000");
    assert_eq!(door.ask(A, 50_000), "refused Forbidden { line: 2 }");
    // A still lives on its own machine.
    door.open_host(B, 1, 60_000);
    assert_eq!(
        door.ask("http://a.example.com/y", 60_100),
        "not before 60400"
    );
}

#[test]
fn endless_robots_redirects_end() {
    let mut door = door();
    let mut now = 0;
    let mut n_asked = 0;
    while door.ask(A, now).starts_with("robots") {
        now = door.robots(A, A_ROBOTS, &from(1, answered(301, A_ROBOTS)), now);
        n_asked += 1;
    }
    assert_eq!(n_asked, 6);
}

#[test]
fn a_delay_of_hours_is_kept() {
    let mut door = door_with(Settings {
        delay: Duration::from_secs(7200),
        ..Settings::default()
    });
    door.open_host(A, 1, 0);
    assert_eq!(door.ask(A, 3_600_000), "not before 7200000");
}

#[test]
fn clocks_and_rules_are_remembered() {
    let mut door = door();
    door.ask(A, 0);
    let rules = "User-agent: *\nCrawl-delay: 30\nDisallow: /p\n";
    door.robots(A, A_ROBOTS, &from(1, answered(200, rules)), 0);
    door.open_host(B, 1, 29_900);
    door.reopen(None);
    assert_eq!(door.ask(A, 1000), "not before 30000");
    assert_eq!(
        door.ask("http://a.example.com/p", 1000),
        "refused Forbidden { line: 3 }"
    );
    assert_eq!(
        door.ask(A, 30_000),
        "not before 30300",
        "the machine was asked for B"
    );
}

#[test]
fn a_request_in_the_air_counts_after_a_clean_stop() {
    let mut door = door();
    door.ask(A, 0);
    door.reopen(None);
    assert_eq!(door.ask(A, 500), "not before 1000");
}

#[test]
fn after_a_crash_every_host_counts_as_asked_when_it_was_found() {
    let mut door = door();
    door.ask(A, 0);
    let rules = "User-agent: *\nCrawl-delay: 30\n";
    door.robots(A, A_ROBOTS, &from(1, answered(200, rules)), 0);
    door.reopen(None);
    door.reopen(Some(50_000));
    assert_eq!(door.ask(A, 50_000), "not before 80000");
    assert_eq!(door.ask(B, 50_000), "not before 51000");
}

#[test]
fn rules_that_ask_for_a_day_still_let_a_page_through() {
    let mut door = door();
    door.ask(A, 0);
    let rules = "User-agent: *\nCrawl-delay: 86400\n";
    let free_at = door.robots(A, A_ROBOTS, &from(1, answered(200, rules)), 0);
    assert_eq!(free_at, 86_400_000);
    assert_eq!(door.ask(A, free_at), "fetch");
}

#[test]
fn sitemaps_are_those_of_the_origin_in_full() {
    let mut door = door();
    assert_eq!(door.gate.sitemaps(&url(A)), Vec::<String>::new());
    door.ask(A, 0);
    let rules = "Sitemap: /map.xml\nSitemap: map.xml\nsitemap: https://b.example.com/s.xml.gz\n\
                 Sitemap: mailto:me\nSitemap: ftp://a.example.com/\n";
    door.robots(A, A_ROBOTS, &from(1, answered(200, rules)), 0);
    let sitemaps = [
        "http://a.example.com/map.xml",
        "https://b.example.com/s.xml.gz",
    ];
    assert_eq!(
        door.gate.sitemaps(&url("http://a.example.com/z/1")),
        sitemaps
    );
    door.reopen(None);
    assert_eq!(door.gate.sitemaps(&url(A)), sitemaps);
    assert_eq!(door.gate.sitemaps(&url(B)), Vec::<String>::new());
}
