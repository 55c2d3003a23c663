//! The made-up web over real sockets.

use crate::program::Place;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr};

/// A small world that can be crawled to its end; none of its hosts asks for a
/// long delay, which on the system clock would be a long test.
pub(crate) const WORLD: [&str; 4] = ["--world-seed", "31", "--world-sites", "10"];

/// `locavore lab web`, until it is dropped.
pub(crate) struct LabWeb {
    child: Child,
    pub(crate) address: String,
    /// Kept open: a server that nobody reads ends.
    _stderr: BufReader<ChildStderr>,
}

impl LabWeb {
    fn start(place: &Place) -> LabWeb {
        LabWeb::start_with(place, &[])
    }

    pub(crate) fn start_with(place: &Place, more: &[&str]) -> LabWeb {
        let usual = ["lab", "web", "--port", "0", "--pace", "0"];
        let args = [&usual, &WORLD[..], more].concat();
        let mut child = place.start(&args);
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut line).unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let address = address
            .unwrap_or_else(|| panic!("no address in `{line}`"))
            .to_owned();
        LabWeb {
            child,
            address,
            _stderr: stderr,
        }
    }

    fn get(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{request}\r\nConnection: close\r\n\r\n").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The seeds that the web's own front page lists.
    pub(crate) fn seeds(&self) -> String {
        let index = self.get(&format!("GET / HTTP/1.1\r\nHost: {}", self.address));
        let words = index.split(|c: char| c.is_whitespace() || "\"'<>".contains(c));
        let mut urls: Vec<&str> = words
            .filter(|word| word.starts_with("http://") && !word.contains("127.0.0.1"))
            .collect();
        urls.sort_unstable();
        urls.dedup();
        assert!(!urls.is_empty(), "no seeds in {index}");
        urls.join("\n")
    }
}

impl Drop for LabWeb {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Arguments of a crawl of all that the seeds of `seeds.txt` lead to.
pub(crate) fn whole_crawl<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let seeds = ["crawl", "us-top100", "--seeds", "seeds.txt"];
    // On the wall's clock nobody wants to wait for the second try.
    let all = ["--depth", "10000", "--tries", "1"];
    [&seeds[..], &all, more].concat()
}

#[test]
fn over_sockets_and_in_process_the_same_pages_are_found() {
    let place = Place::new();
    let web = LabWeb::start(&place);
    place.write("seeds.txt", &web.seeds());
    let proxy = format!("http://{}", web.address);
    let inside = ["--web", "lab", "--delay", "1ms", "--out", "inside"];
    let inside = whole_crawl(&[&inside, &WORLD[..]].concat());
    let outside = ["--proxy", &proxy, "--delay", "1ms", "--out", "outside"];
    let outside = whole_crawl(&outside);
    let inside = place.run(&inside);
    let outside = place.run(&outside);
    assert!(
        inside.stderr.contains("stopped: nothing is left to fetch"),
        "{}",
        inside.stderr
    );
    assert!(
        // On the wall's clock nobody waits for a host that does not answer.
        outside
            .stderr
            .contains("stopped: only hosts and pages that failed are left"),
        "{}",
        outside.stderr
    );
    let pages = place.pages("inside");
    assert!(pages.len() > 50, "only {} pages", pages.len());
    assert_eq!(pages, place.pages("outside"));
}

#[test]
fn without_seeds_a_made_up_web_behind_a_proxy_is_begun_where_it_begins() {
    let place = Place::new();
    let web = LabWeb::start(&place);
    let proxy = format!("http://{}", web.address);
    let seeds = |web: &[&str], out: &str| {
        let few = ["--pages", "20", "--delay", "1ms", "--out", out];
        let crawl = [&["crawl", "Houston, TX"], &few[..], web].concat();
        place.run(&crawl).expect_done();
        let visits = place.visits(out).into_iter();
        let seeds = visits.filter(|visit| visit.because.starts_with("seed;"));
        let mut seeds: Vec<String> = seeds.map(|visit| visit.url).collect();
        seeds.sort();
        seeds
    };
    let inside = seeds(&[&["--web", "lab"], &WORLD[..]].concat(), "inside");
    assert!(!inside.is_empty());
    assert_eq!(seeds(&["--proxy", &proxy], "outside"), inside);
    assert_eq!(place.pages("outside").len(), 20);
    // What it began with is known later, when the proxy is gone.
    drop(web);
    let why = place
        .run(&["why", "outside", &inside[0], "--json"])
        .expect_done();
    assert_eq!(why.json()["state"], "visited");
}

#[test]
fn any_http_client_can_browse_it() {
    let place = Place::new();
    let web = LabWeb::start(&place);
    let seeds = web.seeds();
    let seed = seeds.lines().next().unwrap();
    let host = seed.split('/').nth(2).unwrap();
    let page = web.get(&format!("GET {seed} HTTP/1.1\r\nHost: {host}"));
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains("<title>"), "{page}");
    let unknown = web.get("GET http://nowhere.invalid/ HTTP/1.1\r\nHost: nowhere.invalid");
    assert!(unknown.starts_with("HTTP/1.1 502"), "{unknown}");
}
