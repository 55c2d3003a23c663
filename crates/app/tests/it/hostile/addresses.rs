//! Names that lead to the machines of others.

use super::crossroads::{Asked, Crossroads, Reply, assert_spaced};
use super::names::{Said, name_server};
use crate::program::Place;
use std::net::Ipv4Addr;
use std::time::Duration;
use store::visit::{Errand, Outcome};

const VICTIM: Ipv4Addr = Ipv4Addr::new(127, 0, 1, 1);
const N_NAMES: usize = 30;

/// Half of `--delay`, which a machine is owed.
const OWED: Duration = Duration::from_millis(125);

#[test]
fn falling_over_to_a_next_address_waits_for_the_clock_there() {
    let victim = Crossroads::at(VICTIM, |asked, _| match asked.path.as_str() {
        "/robots.txt" => Reply::Missing,
        _ => Reply::Page("hello".into()),
    });
    // Nobody listens at the first address, which is another one for each name.
    let dns = name_server(|name| {
        let nth = name.split('.').next().and_then(|nth| nth.parse().ok());
        let first = nth.map(|nth| Ipv4Addr::new(127, 9, 9, nth));
        Said::At(first.into_iter().chain([VICTIM]).collect())
    });
    let place = Place::new();
    let seeds = (1..=N_NAMES).map(|nth| format!("http://{nth}.evil{nth}.test:{}/\n", victim.port));
    place.write("seeds.txt", &seeds.collect::<String>());
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
        &dns.to_string(),
        "--out",
        "c",
    ];
    place.run(&args).expect_done();
    let asked = victim.asked();
    assert_eq!(asked.len(), 2 * N_NAMES, "rules and a page of every name");
    assert_spaced(&asked, |asked: &Asked| asked.machine, OWED);
    let visits = place.visits("c").into_iter();
    let pages: Vec<_> = visits
        .filter(|visit| visit.errand == Errand::Page)
        .collect();
    assert_eq!(pages.len(), N_NAMES);
    for page in pages {
        assert_eq!(page.outcome, Outcome::Fetched, "{}", page.url);
        assert_eq!(page.server, Some(VICTIM.into()), "{}", page.url);
    }
}
