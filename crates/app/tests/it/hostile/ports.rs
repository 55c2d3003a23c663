//! Pages that send the crawl to every port of somebody else.

use super::web::{Say, Web};
use crate::program::Place;
use store::visit::{Errand, Outcome};

const ATTACKER: [u8; 4] = [127, 0, 9, 1];
const VICTIM: [u8; 4] = [127, 0, 9, 2];
const N_PORTS: usize = 40;

/// A page with links to forty ports of a victim, and to its mail.
fn script(origins: &[String], host: usize, path: &str) -> Say {
    match (host, path) {
        (_, "/robots.txt") => Say::missing(),
        (0, _) => {
            let mail = [
                "http://127.0.9.2:22".to_owned(),
                "http://127.0.9.2:25".to_owned(),
            ];
            let victims = mail.iter().chain(&origins[1..]);
            let links = victims.map(|victim| format!("<a href='{victim}/'>here</a> "));
            Say::page(links.collect::<String>())
        }
        _ => Say::page("<title>Not meant for you</title>"),
    }
}

#[test]
fn a_page_cannot_send_the_crawl_to_every_port_of_a_host() {
    let victims = std::iter::repeat_n(VICTIM, N_PORTS);
    let web = Web::start_at(std::iter::once(ATTACKER).chain(victims), script);
    let place = Place::new();
    let run = web.crawl(&place, &[0], &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let asked = (1..=N_PORTS).filter(|port| !web.heard(*port).is_empty());
    assert_eq!(asked.count(), 8);
    let visits = place.visits("c");
    let pages = visits.iter().filter(|visit| visit.errand == Errand::Page);
    let refused = pages.filter(|visit| visit.outcome == Outcome::BadPort && !visit.is_sent);
    assert_eq!(refused.count(), N_PORTS - 8 + 2, "each is on record");
}
