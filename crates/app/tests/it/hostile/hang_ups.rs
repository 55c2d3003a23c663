//! Servers that hang up when a connection is used again.

use super::crossroads::{Asked, Crossroads, Reply, assert_spaced, links};
use crate::program::Place;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;
use store::visit::{Errand, Outcome};

const DELAY: Duration = Duration::from_millis(250);

#[test]
fn a_repeat_waits_its_turn_and_is_on_record() {
    let server = Crossroads::at(Ipv4Addr::LOCALHOST, |asked, _| {
        match (asked.path.as_str(), asked.n_before) {
            (_, 1..) => Reply::HangUp,
            ("/robots.txt", _) => Reply::Missing,
            ("/", _) => Reply::Page(links((0..5).map(|nth| format!("/{nth}")))),
            (path, _) => Reply::Page(format!("page {path}")),
        }
    });
    let place = Place::new();
    place.write("seeds.txt", &format!("http://127.0.0.1:{}/\n", server.port));
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
        "--tries",
        "1",
        "--out",
        "c",
    ];
    place.run(&args).expect_done();
    let asked = server.asked();
    assert_spaced(&asked, |asked: &Asked| asked.host.clone(), DELAY);
    let visits = place.visits("c");
    let n_sent = visits.iter().filter(|visit| visit.is_sent).count();
    assert_eq!(n_sent, asked.len(), "every request is on record");
    let mut ends: BTreeMap<String, Vec<(u8, bool)>> = BTreeMap::new();
    for visit in visits {
        if visit.errand == Errand::Page {
            let is_fetched = visit.outcome == Outcome::Fetched;
            assert_eq!(visit.retry_at.is_some(), !is_fetched, "{}", visit.url);
            ends.entry(visit.url)
                .or_default()
                .push((visit.tries, is_fetched));
        }
    }
    assert_eq!(ends.len(), 6);
    let n_repeated = ends.values().filter(|tries| tries.len() > 1).count();
    assert_eq!(
        n_repeated, 1,
        "from then on each page gets a connection: {ends:?}"
    );
    for (url, tries) in ends {
        assert_eq!(
            tries.last().map(|(_, is_fetched)| *is_fetched),
            Some(true),
            "{url}"
        );
    }
}
