//! Robots rules that others would like to see bypassed.

use super::describe;
use super::web::{Say, Web};
use crate::program::Place;
use store::visit::Errand;

const VICTIM: usize = 8;

/// Eight hosts whose rules have moved to what the ninth forbids, or allows.
fn script(origins: &[String], host: usize, path: &str) -> Say {
    let victim = &origins[VICTIM];
    match (host, path) {
        (VICTIM, "/robots.txt") => Say::rules("User-agent: *\nDisallow: /desk\n"),
        (VICTIM, path) if path.starts_with("/rules") => {
            Say::rules("User-agent: *\nDisallow: /secret\n")
        }
        (VICTIM, _) => Say::page("<title>Mine</title>"),
        (0, "/robots.txt") => Say::see(&format!("{victim}/rules")),
        (1, "/robots.txt") => Say::see(&format!("{victim}/robots.txt")),
        (_, "/robots.txt") => Say::see(&format!("{victim}/desk?drop={host}")),
        _ => Say::page("<title>Bait</title><a href=/desk>1</a> <a href=/secret>2</a>"),
    }
}

#[test]
fn rules_of_others_do_not_lead_to_what_a_host_forbids() {
    let web = Web::start(VICTIM + 1, script);
    let place = Place::new();
    let attackers: Vec<usize> = (0..VICTIM).collect();
    let run = web.crawl(&place, &attackers, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut heard = web.heard(VICTIM);
    heard.sort();
    // Its rules for itself, and for a host whose rules are the same.
    assert_eq!(heard, ["/robots.txt", "/robots.txt", "/rules"]);
    let visits = place.visits("c");
    let of = [0, 1, 2].map(|host| format!("{}/", web.origins[host]));
    let desk = format!("{}/desk?drop=2", web.origins[VICTIM]);
    let record = visits.iter().filter(|visit| {
        let is_asked = visit.errand == Errand::Robots && visit.is_sent;
        let is_of = of.iter().any(|of| visit.url.starts_with(of));
        is_of || visit.url == desk || is_asked && visit.url.starts_with(&web.origins[VICTIM])
    });
    let record = record.map(|visit| {
        let sent = if visit.is_sent { "asked" } else { "not asked" };
        let url = web.without_origins(&visit.url);
        let end = web.without_origins(&describe(visit));
        format!("{url:<15} {sent:<9} {end}")
    });
    let mut record: Vec<String> = record.collect();
    record.sort();
    insta::assert_snapshot!(record.join("\n"), @r"
    0:/             asked     fetched (200)
    0:/desk         asked     fetched (200)
    0:/robots.txt   asked     redirected to 8:/rules (302)
    0:/secret       not asked forbidden by line 2
    1:/             asked     fetched (200)
    1:/desk         not asked forbidden by line 2
    1:/robots.txt   asked     redirected to 8:/robots.txt (302)
    1:/secret       asked     fetched (200)
    2:/             asked     fetched (200)
    2:/desk         asked     fetched (200)
    2:/robots.txt   asked     redirected to 8:/desk?drop=2 (302)
    2:/secret       asked     fetched (200)
    8:/desk?drop=2  not asked forbidden by line 2
    8:/robots.txt   asked     fetched (200)
    8:/robots.txt   asked     fetched (200)
    8:/rules        asked     fetched (200)
    ");
}
