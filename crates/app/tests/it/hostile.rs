//! Crawls of a web that means harm: every misbehaviour is put on record with
//! its reason, costs no more than it must, and the crawl goes on.

mod addresses;
mod beside;
mod bodies;
mod crossroads;
mod descriptors;
mod framing;
mod hang_ups;
mod http2;
mod mirrors;
mod names;
mod pages;
mod ports;
mod redirects;
mod robots;
mod rules;
mod server;
mod tls;
mod web;

use crate::program::{Place, Run};
use server::{Server, Site};
use std::collections::BTreeMap;
use store::visit::{Errand, Outcome, Visit};
use tls::Authority;

/// The most that any site may get rid of: a page of the greatest size, and
/// what the sockets on the way hold.
const MOST_TAKEN: u64 = 32 << 20;

/// The most memory that the crawl may hold, in megabytes.
const MOST_MEMORY: u64 = 500;

/// Crawls these sites until nothing is left. An exchange may take long enough
/// for the largest pages on the slowest machine.
fn crawl(place: &Place, server: &Server) -> Run {
    place.write("seeds.txt", &server.seeds());
    let args = [
        "--seeds",
        "seeds.txt",
        "--allow-private",
        "127.0.0.0/8",
        "--contact",
        "test@example.org",
        "--delay",
        "250ms",
        "--timeout",
        "8s",
        "--roots",
        "roots.pem",
        "--depth",
        "1",
        "--tries",
        "2",
        "--retry-wait",
        "1s",
        "--timings",
        "--out",
        "c",
    ];
    let run = place.run(&[&["crawl", "Houston, TX"], &args[..]].concat());
    // Hosts without rules that can be had are left for another day.
    let is_done = run.stderr.contains("are left, to be tried again later");
    assert!(is_done, "{}", run.stderr);
    run
}

/// How the pages of a site ended, and those that it sent the crawl to.
type Ends = BTreeMap<String, (u8, String)>;

/// How each page ended, by site.
fn ends(place: &Place, server: &Server) -> BTreeMap<&'static str, Ends> {
    let mut ends: BTreeMap<&'static str, Ends> = BTreeMap::new();
    for visit in place.visits("c") {
        if visit.errand != Errand::Page {
            continue;
        }
        let from = visit.from.as_deref().unwrap_or_default();
        let site = server.site_of(&visit.url).or_else(|| server.site_of(from));
        let ends = ends.entry(site.expect("a site brought it up")).or_default();
        let url = server.without_origins(&visit.url);
        let end = server.without_origins(&describe(&visit));
        let before = ends.insert(url, (visit.tries, end));
        let n_tries = before.map_or(0, |(tries, _)| tries + 1);
        assert_eq!(visit.tries, n_tries, "{} is on record twice", visit.url);
    }
    ends
}

/// An outcome without what clients word as they like.
fn describe(visit: &Visit) -> String {
    let what = match &visit.outcome {
        Outcome::Fetched => "fetched".into(),
        Outcome::Status => "status".into(),
        Outcome::Redirected(to) => format!("redirected to {to}"),
        Outcome::BadRedirect(why) => format!("bad redirect: {why}"),
        Outcome::WrongType(content_type) => format!("wrong type: {content_type}"),
        Outcome::Forbidden { line: 0 } => "forbidden".into(),
        Outcome::Forbidden { line } => format!("forbidden by line {line}"),
        Outcome::Unreachable(_) => "unreachable".into(),
        Outcome::Garbled(_) => "garbled".into(),
        Outcome::Untrusted(_) => "untrusted".into(),
        Outcome::TimedOut => "timed out".into(),
        Outcome::TooLarge => "too large".into(),
        Outcome::PrivateAddress => "private address".into(),
        other => format!("{other:?}"),
    };
    match visit.status {
        Some(status) => format!("{what} ({status})"),
        None => what,
    }
}

/// That nobody could make the crawl take or hold more than it should.
fn assert_moderate(server: &Server, run: &Run) {
    let taken = server.taken().filter(|(_, n_bytes)| *n_bytes >= MOST_TAKEN);
    let greedy: Vec<(&str, u64)> = taken.collect();
    assert!(greedy.is_empty(), "too many bytes were taken: {greedy:?}");
    let memory = run.stderr.split("most memory held: ").nth(1);
    let memory = memory.and_then(|rest| rest.split(' ').next()?.replace(',', "").parse().ok());
    let memory: u64 = memory.unwrap_or_else(|| panic!("no memory in {}", run.stderr));
    assert!(memory < MOST_MEMORY, "{memory} MB of memory");
}

/// All kinds of misbehaviour; among the pages, a good one.
fn chapters(authority: &Authority) -> Vec<(&'static str, Vec<Site>)> {
    vec![
        ("framing", framing::sites()),
        ("bodies", bodies::sites()),
        ("redirects", redirects::sites()),
        ("certificates", tls::sites(authority)),
        ("HTTP/2", http2::sites(authority)),
        ("rules", robots::sites()),
        ("pages", pages::sites()),
    ]
}

/// The names of the sites of each chapter.
fn contents(chapters: &[(&'static str, Vec<Site>)]) -> Vec<(&'static str, Vec<&'static str>)> {
    let names = |sites: &[Site]| sites.iter().map(|site| site.name).collect();
    let chapters = chapters.iter();
    chapters
        .map(|(title, sites)| (*title, names(sites)))
        .collect()
}

fn render(contents: &[(&str, Vec<&str>)], ends: &BTreeMap<&str, Ends>) -> String {
    let mut table = String::new();
    for (title, names) in contents {
        table.push_str(&format!("{title}\n"));
        for (url, (_, end)) in names.iter().filter_map(|name| ends.get(name)).flatten() {
            table.push_str(&format!("  {url:<40} {end}\n"));
        }
    }
    table
}

#[test]
fn whatever_a_server_does_is_put_on_record_and_the_crawl_goes_on() {
    let authority = Authority::new();
    let chapters = chapters(&authority);
    let contents = contents(&chapters);
    let sites = chapters.into_iter().flat_map(|(_, sites)| sites);
    let server = Server::start(sites.collect());
    let place = Place::new();
    place.write("roots.pem", &authority.pem());
    let run = crawl(&place, &server);
    let table = render(&contents, &ends(&place, &server));
    // Who sends for ever, whatever we have room for, breaks the protocol when
    // we read slowly and our limit when we read fast.
    let for_ever = |end| format!("  {:<40} {end}\n", "/h2-body-for-ever");
    let table = table.replace(&for_ever("too large"), &for_ever("garbled"));
    insta::assert_snapshot!(table, @r"
    framing
      /noise                                   garbled
      /another-protocol                        garbled
      /no-head                                 garbled
      /no-answer                               garbled
      /body-too-short                          garbled
      /body-too-long                           fetched (200)
      /two-lengths                             garbled
      /negative-length                         garbled
      /chunk-size-in-words                     garbled
      /chunk-size-of-a-galaxy                  garbled
      /chunks-break-off                        garbled
      /chunks-dripping                         timed out
      /header-without-end                      garbled
      /headers-without-end                     garbled
      /hints-without-end                       garbled
      /head-dripping                           timed out
      /body-dripping                           timed out
      /silence                                 timed out
      /reset-in-head                           unreachable
      /reset-in-body                           unreachable
    bodies
      /gzip-bomb                               too large
      /gzip-bomb-in-one-chunk                  too large
      /br-bomb                                 too large
      /zstd-bomb                               too large
      /gzip-that-is-none                       fetched (200)
      /gzip-that-breaks-off                    fetched (200)
      /unknown-packing                         wrong type: application/vnd.rar (200)
      /ten-gigabytes-announced                 too large
      /chunks-for-ever                         too large
      /zeros-for-ever                          too large
      /error-for-ever                          too large
      /html-without-type                       fetched (200)
      /html-as-octets                          fetched (200)
      /png-as-html                             wrong type: image/png (200)
      /pdf                                     wrong type: application/pdf (200)
      /video-for-ever                          wrong type: video/mp4 (200)
    redirects
      /to-itself                               bad redirect: to itself (302)
      /to-and-fro                              redirected to /to-and-fro/there (302)
      /to-and-fro/there                        bad redirect: back to where it came from (302)
      /on-and-on                               redirected to /on-and-on/1 (302)
      /on-and-on/1                             redirected to /on-and-on/2 (302)
      /on-and-on/2                             redirected to /on-and-on/3 (302)
      /on-and-on/3                             redirected to /on-and-on/4 (302)
      /on-and-on/4                             redirected to /on-and-on/5 (302)
      /on-and-on/5                             bad redirect: more than 5 redirects (302)
      /to-nowhere                              bad redirect: to itself (302)
      /without-location                        status (302)
      /to-a-megabyte                           garbled
      /to-four-kilobytes                       bad redirect: longer than 2048 bytes (302)
      /to-file                                 bad redirect: unknown scheme `file` (302)
      /to-javascript                           bad redirect: unknown scheme `javascript` (302)
      /to-data                                 bad redirect: unknown scheme `data` (302)
      /to-ftp                                  bad redirect: unknown scheme `ftp` (302)
      /to-metadata                             redirected to http://169.254.169.254/latest/meta-data/ (302)
      http://169.254.169.254/latest/meta-data/ private address
      /to-metadata-as-ipv6                     redirected to http://[::ffff:a9fe:a9fe]/ (302)
      http://[::ffff:a9fe:a9fe]/               private address
      /to-inside-in-decimal                    redirected to http://10.0.0.1/in-decimal (302)
      http://10.0.0.1/in-decimal               private address
      /to-inside-in-hexadecimal                redirected to http://10.0.0.2/in-hexadecimal (302)
      http://10.0.0.2/in-hexadecimal           private address
      /to-inside-in-octal                      redirected to http://10.0.0.3/in-octal (302)
      http://10.0.0.3/in-octal                 private address
      /to-inside-in-short                      redirected to http://10.0.0.4/in-short (302)
      http://10.0.0.4/in-short                 private address
      /to-inside-behind-a-name                 redirected to http://10.0.0.5/behind-a-name (302)
      http://10.0.0.5/behind-a-name            private address
    certificates
      /certificate-in-order                    fetched (200)
      /certificate-of-another                  untrusted
      /certificate-expired                     untrusted
      /certificate-of-nobody                   untrusted
      /no-certificate                          garbled
    HTTP/2
      /h2-good                                 fetched (200)
      /h2-breaks-off                           garbled
      /h2-goes-away                            garbled
      /h2-closes                               garbled
      /h2-settings-for-ever                    garbled
      /h2-pings-for-ever                       garbled
      /h2-head-without-end                     garbled
      /h2-body-for-ever                        garbled
      /h2-noise                                garbled
    rules
      /robots-fail                             forbidden
      /robots-without-end                      fetched (200)
      /secret/robots-without-end               forbidden by line 2
      /robots-of-a-gigabyte                    fetched (200)
      /secret/robots-of-a-gigabyte             forbidden by line 2
      /robots-as-bomb                          fetched (200)
      /secret/robots-as-bomb                   forbidden by line 2
      /robots-in-circles                       fetched (200)
      /secret/robots-in-circles                fetched (200)
      /robots-as-html                          fetched (200)
      /secret/robots-as-html                   fetched (200)
      /robots-inside                           private address
    pages
      /good                                    fetched (200)
      /good/one                                fetched (200)
      /good/two                                fetched (200)
      /links                                   fetched (200)
      /links/all                               fetched (200)
      /nested                                  fetched (200)
      /zeros-between                           fetched (200)
      /zeros-between/%EF%BF%BD                 fetched (200)
      /wrong-charset                           fetched (200)
      /refresh-in-circles                      fetched (200)
      /busy                                    fetched (200)
      /out-of-order                            status (503)
    ");
    assert_moderate(&server, &run);
}

/// Every way to write an address that is not the public web's.
const INSIDE: [&str; 46] = [
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0X7F000001",
    "017700000001",
    "0x7f.0.0.1",
    "0177.0.0.01",
    "0x7f.1",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "127.255.255.254",
    "１２７.０.０.１",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "www.example.org@127.0.0.1",
    "www.example.org%40x:y@127.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "167772161",
    "10.1",
    "172.16.0.1",
    "0xac.0x10.1",
    "192.168.1.1",
    "3232235777",
    "100.64.0.1",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::a00:1]",
    "[2002:a9fe:a9fe::]",
    "[fd00:ec2::254]",
];

#[test]
fn no_spelling_of_an_inside_address_is_asked() {
    let place = Place::new();
    let seeds = INSIDE.iter().enumerate();
    let seeds =
        seeds.map(|(idx, host)| format!("http://{host}/{idx}\nhttps://{host}:8443/{idx}\n"));
    // One of one's own: of nothing but others' no crawl begins.
    let own = "http://127.7.7.7:8999/\n".to_owned();
    place.write("seeds.txt", &seeds.chain([own]).collect::<String>());
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--delay",
        "250ms",
        "--allow-private",
        "127.7.7.7",
    ];
    let more = ["--contact", "test@example.org", "--out", "c"];
    let run = place.run(&[&args[..], &more].concat());
    assert_eq!(run.code, 1, "{}", run.stderr);
    let visits = place.visits("c").into_iter();
    let pages: Vec<Visit> = visits
        .filter(|visit| visit.errand == Errand::Page && !visit.url.contains("127.7.7.7"))
        .collect();
    assert_eq!(pages.len(), 2 * INSIDE.len());
    for page in pages {
        assert_eq!(page.outcome, Outcome::PrivateAddress, "{}", page.url);
        assert_eq!(page.server, None, "{}", page.url);
    }
}
