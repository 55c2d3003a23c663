//! What honest sites yield alone, and beside an attack, in the same time.
//!
//! An attack is another web on the same machines: names, and what is said when
//! they are asked. It has to leave honest sites four fifths of their pages.

use super::crossroads::{Asked, Crossroads, Reply, links};
use super::names::{Said, name_server};
use crate::program::{Place, signal};
use std::net::Ipv4Addr;
use std::process::Child;
use std::thread;
use std::time::Duration;
use store::visit::{Errand, Outcome};

/// Honest sites, each on a machine of its own: 127.0.1.1 and so on.
pub(crate) const N_HONEST: u8 = 6;

/// Long enough for a few hundred pages at a polite pace.
const SPAN: Duration = Duration::from_secs(12);

/// Least share of their pages that honest sites keep.
const LEAST_SHARE: f64 = 0.8;

/// Hosts without end that lead to where an attack wants them.
pub(crate) struct Attack {
    /// Hosts it starts from, beside the honest ones.
    pub(crate) seeds: &'static [&'static str],
    /// Where its names lead.
    pub(crate) names: fn(&str) -> Said,
    /// What it says to whom, at this port.
    pub(crate) answer: fn(&Asked, u16) -> Reply,
}

/// The machine of an honest site, from one.
pub(crate) fn honest_machine(nth: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 1, nth)
}

fn honest_host(nth: u8) -> String {
    format!("www.honest{nth}.test")
}

/// Runs both crawls at the same time, so that a busy machine is busy for both.
pub(crate) fn assert_honest_keep_their_share(attack: &'static Attack) {
    let alone = thread::spawn(|| n_honest_pages(None));
    let beside = n_honest_pages(Some(attack));
    let alone = alone.join().unwrap();
    let share = beside as f64 / alone as f64;
    eprintln!("{beside} pages beside the attack, {alone} alone: {share:.2}");
    assert!(alone > 20, "only {alone} pages alone");
    assert!(share >= LEAST_SHARE, "{beside} pages of {alone} are left");
}

/// The pages of honest sites that a crawl gets in a span.
fn n_honest_pages(attack: Option<&'static Attack>) -> usize {
    let crossroads = Crossroads::open(move |asked, port| match attack {
        Some(attack) if !asked.host.contains("honest") => (attack.answer)(asked, port),
        _ => honest(asked),
    });
    let dns = name_server(move |name| {
        let nth = name
            .strip_prefix("www.honest")
            .and_then(|rest| rest.strip_suffix(".test")?.parse().ok());
        match (nth, attack) {
            (Some(nth), _) => Said::At(vec![honest_machine(nth)]),
            (None, Some(attack)) => (attack.names)(name),
            (None, None) => Said::NoName,
        }
    });
    let place = Place::new();
    let honest = (1..=N_HONEST).map(honest_host);
    let evil = attack.map_or(&[][..], |attack| attack.seeds).iter();
    let hosts = evil.map(|host| (*host).to_owned()).chain(honest);
    let seeds: String = hosts
        .map(|host| format!("http://{host}:{}/\n", crossroads.port))
        .collect();
    place.write("seeds.txt", &seeds);
    let dns = dns.to_string();
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--allow-private",
        "127.0.0.0/8",
        "--contact",
        "test@example.org",
        "--delay",
        "250ms",
        "--dns",
        &dns,
        "--out",
        "c",
    ];
    let mut child = Ended(place.start(&args));
    thread::sleep(SPAN);
    signal(&child.0, "-INT");
    child.0.wait().unwrap();
    let visits = place.visits("c").into_iter();
    let fetched = visits.filter(|visit| {
        let is_page = visit.errand == Errand::Page && visit.outcome == Outcome::Fetched;
        is_page && visit.url.contains("honest")
    });
    fetched.count()
}

/// A process that a failing test does not leave behind.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn honest(asked: &Asked) -> Reply {
    match asked.path.as_str() {
        "/robots.txt" => Reply::Missing,
        "/" => Reply::Page(links((0..500).map(|nth| format!("/{nth}")))),
        path => Reply::Page(format!(
            "{} is page {path} of {}",
            asked.machine, asked.host
        )),
    }
}

/// A page of links to a thousand names of one domain, or of as many.
fn thousand(port: u16, name: fn(u32) -> String) -> Reply {
    Reply::Page(links(
        (0..1000).map(|nth| format!("http://{}:{port}/", name(nth))),
    ))
}

fn nth_of(name: &str) -> u32 {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

/// Another machine for every name.
fn machine_of(name: &str) -> Ipv4Addr {
    let [.., high, low] = nth_of(name).to_be_bytes();
    Ipv4Addr::new(127, 3, high, low)
}

#[test]
fn a_thousand_names_that_never_answer() {
    assert_honest_keep_their_share(&Attack {
        seeds: &["www.evil.test"],
        names: |name| Said::At(vec![machine_of(name)]),
        answer: |asked, port| match (asked.host.as_str(), asked.path.as_str()) {
            ("www.evil.test", "/robots.txt") => Reply::Missing,
            ("www.evil.test", "/") => thousand(port, |nth| format!("h{nth}.evil.test")),
            _ => Reply::Silence,
        },
    });
}

#[test]
fn a_thousand_domains_that_never_answer() {
    assert_honest_keep_their_share(&Attack {
        seeds: &["www.evil.test"],
        names: |name| Said::At(vec![machine_of(name)]),
        answer: |asked, port| match (asked.host.as_str(), asked.path.as_str()) {
            ("www.evil.test", "/robots.txt") => Reply::Missing,
            ("www.evil.test", "/") => thousand(port, |nth| format!("www.evil{nth}.test")),
            _ => Reply::Silence,
        },
    });
}

#[test]
fn a_thousand_names_that_nobody_knows() {
    assert_honest_keep_their_share(&Attack {
        seeds: &["www.evil.test"],
        names: |name| match name {
            "www.evil.test" => Said::At(vec![machine_of(name)]),
            _ => Said::Nothing,
        },
        answer: |asked, port| match asked.path.as_str() {
            "/" => thousand(port, |nth| format!("www.silent{nth}.test")),
            _ => Reply::Missing,
        },
    });
}

#[test]
fn a_thousand_names_that_lead_to_machines_of_honest_sites() {
    assert_honest_keep_their_share(&Attack {
        seeds: &["www.evil.test"],
        names: |name| match name {
            "www.evil.test" => Said::At(vec![machine_of(name)]),
            _ => {
                let honest = nth_of(name) as u8 % N_HONEST + 1;
                Said::At(vec![honest_machine(honest)])
            }
        },
        answer: |asked, port| match (asked.host.as_str(), asked.path.as_str()) {
            (_, "/robots.txt") => Reply::Missing,
            ("www.evil.test", "/") => thousand(port, |nth| format!("h{nth}.evil.test")),
            (host, path) => Reply::Page(format!("{path} of {host}")),
        },
    });
}

#[test]
fn a_thousand_names_that_hang_up_on_a_second_request() {
    assert_honest_keep_their_share(&Attack {
        seeds: &["www.evil.test"],
        names: |name| Said::At(vec![machine_of(name)]),
        answer: |asked, port| match (asked.n_before, asked.path.as_str()) {
            (1.., _) => Reply::HangUp,
            (_, "/robots.txt") => Reply::Missing,
            (_, "/") if asked.host == "www.evil.test" => {
                thousand(port, |nth| format!("h{nth}.evil.test"))
            }
            (_, path) => Reply::Page(format!("{path} of {}", asked.host)),
        },
    });
}
