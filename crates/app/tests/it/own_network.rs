//! One's own network: opened on demand, and only from within.
//!
//! A site that answers as a proxy is the web outside and the machines inside
//! at once, and knows what it was asked for.

use crate::program::{Place, Run};
use crate::site::{Site, html, missing};
use store::visit::{Errand, Outcome, Refusal, Visit};

/// A public page that reaches for what is inside, and inside a page that
/// links to its neighbours.
fn both_webs() -> Site {
    Site::start(|url, _| match url {
        "http://town.example/" => html(
            "<a href=http://127.0.0.2/linked>1</a> <a href=/moved>2</a>
             <a href=http://app.127.0.0.2.nip.io/linked>3</a>
             <a href=http://127.0.0.2/shared>4</a>
             <a href=http://nas.home.arpa/>5</a> <a href=http://10.0.0.1.nip.io/>6</a>
             <a href=http://www.lvh.me/>7</a> <a href=http://printer.lan/>8</a>",
        ),
        "http://town.example/moved" => moved("http://127.0.0.2/redirected"),
        "http://town.example/robots.txt" => answer("Sitemap: http://127.0.0.2/named.xml\n"),
        "http://127.0.0.1/" => html(
            "<a href=http://127.0.0.2/neighbour>1</a> <a href=/moved>2</a>
             <a href=http://10.0.0.1/closed>3</a> <a href=http://town.example/>4</a>
             <a href=http://127.0.0.2/shared>5</a>",
        ),
        "http://127.0.0.1/moved" => moved("http://localhost/new-home"),
        url if url.ends_with("/robots.txt") => missing(),
        _ => html("<p>found"),
    })
}

fn moved(to: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")
}

fn answer(text: &str) -> String {
    let n_bytes = text.len();
    format!("HTTP/1.1 200 OK\r\nContent-Length: {n_bytes}\r\n\r\n{text}")
}

fn crawl(place: &Place, proxy: &Site, seeds: &str, more: &[&str]) -> Run {
    place.write("seeds.txt", seeds);
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--proxy",
        &proxy.origin,
        "--contact",
        "test@example.org",
        "--out",
        "c",
    ];
    place.run(&[&args[..], more].concat())
}

const OPEN: [&str; 4] = ["--allow-private", "127.0.0.0/8", "--delay", "0s"];

#[test]
fn nothing_outside_leads_into_ones_own_network() {
    let (place, web) = (Place::new(), both_webs());
    let seeds = "http://town.example/\nhttp://127.0.0.1/\n";
    let run = crawl(&place, &web, seeds, &OPEN).expect_done();
    let told = "private addresses are open to this crawl: 127.0.0.0/8\n";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    let asked = |url: &str| !web.last_request(url).is_empty();
    for url in [
        "http://127.0.0.1/",
        "http://127.0.0.2/neighbour",
        "http://localhost/new-home",
        "http://127.0.0.2/shared",
    ] {
        assert!(asked(url), "{url} was named inside");
    }
    for url in [
        "http://127.0.0.2/linked",
        "http://127.0.0.2/redirected",
        "http://127.0.0.2/named.xml",
        "http://app.127.0.0.2.nip.io/linked",
        "http://10.0.0.1/closed",
    ] {
        assert!(!asked(url), "{url} was asked for");
    }
    let visits = place.visits("c");
    let visit = |url: &str| visits.iter().find(|visit| visit.url == url);
    let closed = visit("http://10.0.0.1/closed").expect("it is on record");
    assert_eq!(closed.outcome, Outcome::PrivateAddress);
    let refused = visit("http://town.example/moved").expect("it is on record");
    assert_eq!(refused.links[0].refused, Some(Refusal::FromOutside));
    let why = place.run(&["why", "c", "http://127.0.0.2/linked"]);
    let verdict = "no link to it was followed: into your own network, from outside";
    assert!(why.stdout.contains(verdict), "{}", why.stdout);
    // It is said again on every start.
    let again = place.run(&["crawl", "--out", "c"]);
    assert!(again.stderr.contains(told), "{}", again.stderr);
}

#[test]
fn names_that_look_private_are_not_passed_to_a_proxy() {
    let (place, web) = (Place::new(), both_webs());
    crawl(&place, &web, "http://town.example/\n", &[]).expect_done();
    let asked = |url: &str| !web.last_request(url).is_empty();
    assert!(asked("http://town.example/moved"));
    let visits = place.visits("c");
    for host in [
        "nas.home.arpa",
        "10.0.0.1.nip.io",
        "app.127.0.0.2.nip.io",
        "www.lvh.me",
        "printer.lan",
        "127.0.0.2",
    ] {
        let of_host = |visit: &&Visit| visit.url.starts_with(&format!("http://{host}/"));
        let mut pages = visits
            .iter()
            .filter(of_host)
            .filter(|visit| visit.errand == Errand::Page);
        let first = pages
            .next()
            .unwrap_or_else(|| panic!("{host} is not on record"));
        assert_eq!(first.outcome, Outcome::PrivateAddress, "{host}");
        for path in ["/", "/robots.txt", "/linked"] {
            assert!(!asked(&format!("http://{host}{path}")), "{host}{path}");
        }
    }
}

#[test]
fn hosts_of_others_keep_their_delay_beside_ones_own() {
    let web = Site::start(|url, _| match url {
        url if url.ends_with("/robots.txt") => missing(),
        url if url.ends_with("/") => html(
            // Many: on a busy machine few answers come soon, and slow ones lengthen delays.
            &(0..40)
                .map(|n| format!("<a href=/{n}>{n}</a> "))
                .collect::<String>(),
        ),
        _ => html("<p>found"),
    });
    let place = Place::new();
    let seeds = "http://town.example/\nhttp://127.0.0.1/\n";
    crawl(&place, &web, seeds, &OPEN).expect_done();
    let delay = |host: &str| {
        let why = place
            .run(&["why", "c", host, "--json"])
            .expect_done()
            .json();
        why["least_delay_ms"].as_u64().expect("it was asked often")
    };
    assert!(delay("town.example") >= 250);
    assert!(delay("127.0.0.1") < 250);
}

#[test]
fn a_hurried_crawl_of_others_hosts_is_refused() {
    let place = Place::new();
    place.write("seeds.txt", "http://town.example/\n");
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--delay",
        "0s",
    ];
    let run = place.run(&[&args[..], &["--contact", "test@example.org"]].concat());
    insta::assert_snapshot!(run.complaint(), @r"
    exit 2
    error: `--delay` under 250 ms is for made-up webs and your own network (`--allow-private`) only
    ");
}

#[test]
fn ranges_that_are_none_are_refused() {
    let refusal = |range: &str| {
        let run = Place::new().run(&["crawl", "Houston, TX", "--allow-private", range]);
        assert_eq!(run.code, 2);
        run.stderr.lines().next().unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(refusal("localhost"), @"error: invalid value 'localhost' for '--allow-private <CIDR>': write an address or a range of them, such as `127.0.0.1` or `10.0.0.0/8`");
    insta::assert_snapshot!(refusal("10.0.0.0/33"), @"error: invalid value '10.0.0.0/33' for '--allow-private <CIDR>': `33` is not a prefix length from 0 to 32");
    insta::assert_snapshot!(refusal("8.8.8.0/24"), @"error: invalid value '8.8.8.0/24' for '--allow-private <CIDR>': these addresses are public, and need not be opened");
}
