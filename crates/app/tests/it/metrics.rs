//! Metrics of a crawl while it runs.

use crate::program::Place;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr};
use std::time::{Duration, Instant};

/// A crawl that goes on until it is dropped.
struct Crawl {
    child: Child,
    address: String,
    /// Kept open: what is written there must find a reader.
    _stderr: BufReader<ChildStderr>,
}

impl Crawl {
    fn start(place: &Place) -> Crawl {
        let wish = ["crawl", "us-top100", "--web", "lab", "--pages", "1000000"];
        let metrics = ["--out", "c", "--metrics", "127.0.0.1:0"];
        let mut child = place.start(&[&wish[..], &metrics[..]].concat());
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("metrics at http://") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "no address");
        }
        let address = line.trim().split("http://").nth(1).unwrap();
        Crawl {
            child,
            address: address.strip_suffix("/metrics").unwrap().to_owned(),
            _stderr: stderr,
        }
    }

    fn ask(&self, line: &str) -> String {
        self.ask_as(line, &self.address)
    }

    fn ask_as(&self, line: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{line} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All samples of a metric, added up.
fn sum(metrics: &str, name: &str) -> f64 {
    let samples = metrics.lines().filter(|line| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['{', ' ']))
    });
    let values = samples.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    values.sum()
}

#[test]
fn a_running_crawl_can_be_scraped_past_clients_that_say_nothing() {
    let place = Place::new();
    let crawl = Crawl::start(&place);
    let silent: Vec<TcpStream> = (0..5)
        .map(|_| TcpStream::connect(&crawl.address).unwrap())
        .collect();
    let start = Instant::now();
    let metrics = loop {
        let metrics = crawl.ask("GET /metrics");
        let is_counting = sum(&metrics, "locavore_visits_total") > 0.0
            && sum(&metrics, "locavore_pages_total") > 0.0;
        if is_counting {
            break metrics;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{metrics}");
        std::thread::sleep(Duration::from_millis(50));
    };
    drop(silent);
    assert!(metrics.starts_with("HTTP/1.1 200 OK\r\n"), "{metrics}");
    assert!(metrics.contains("text/plain; version=0.0.4"), "{metrics}");
    assert!(sum(&metrics, "locavore_waiting_urls") > 0.0, "{metrics}");
    assert!(sum(&metrics, "locavore_memory_bytes") > 0.0, "{metrics}");
    assert!(sum(&metrics, "locavore_stage_cpu_seconds_total") > 0.0);
    assert!(metrics.contains("locavore_visits_total{errand=\"page\",outcome=\"fetched\"}"));
    assert_eq!(
        metrics.matches("\nlocavore_flights_in_progress{").count(),
        6
    );
    assert!(crawl.ask("GET /other").starts_with("HTTP/1.1 404 "));
    let as_host = |host: &str| crawl.ask_as("GET /metrics", host);
    for (host, status) in [
        ("localhost:9090", "200"),
        ("127.0.0.1", "200"),
        ("evil.example", "403"),
        ("127.0.0.1.evil.example:80", "403"),
        ("", "403"),
    ] {
        let answer = as_host(host);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{host}: {answer}"
        );
        assert_eq!(
            answer.contains("locavore_pages_total"),
            status == "200",
            "{host}"
        );
        assert!(answer.contains("Cross-Origin-Resource-Policy: same-origin"));
    }
    assert!(crawl.ask("POST /metrics").starts_with("HTTP/1.1 405 "));
    assert!(crawl.ask("\x16\x03").starts_with("HTTP/1.1 400 "));
}

#[test]
fn an_address_that_cannot_be_had_is_told_before_anything_is_written() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let wish = [
        "crawl",
        "Houston, TX",
        "--web",
        "lab",
        "--out",
        "c",
        "--metrics",
    ];
    let run = place.run(&[&wish[..], &[&address]].concat());
    insta::assert_snapshot!(run.complaint().replace(&address, "ADDR"), @r"
    exit 2
    error: cannot listen for `--metrics` on `ADDR`: Address already in use
    ");
    assert!(!place.path("c").exists());
    let run = place.run(&[&wish[..], &["9090"]].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("such as `127.0.0.1:9090`"),
        "{}",
        run.stderr
    );
    assert!(!place.path("c").exists());
}
