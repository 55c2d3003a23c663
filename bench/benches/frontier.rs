//! Frontier push and next: links offered as a crawl offers them, mostly
//! repeats, then taken best first.
//!
//! `cargo bench -p bench --bench frontier`; LOCAVORE_BENCH_URLS sets the
//! number of different URLs.

#![allow(clippy::print_stdout)]

use bench::{cpu_time_of, size};
use crawl::error::CrawlError;
use crawl::fetch::{Answer, Fetched, Landing};
use crawl::frontier::{Frontier, Next, Offer};
use crawl::gate::Gate;
use crawl::settings::Settings;
use crawl::stage::peak_memory;
use page::url::CanonicalUrl;
use std::path::Path;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::visit::Time;
use strategy::roster::NodeId;

/// Links on one page.
const N_LINKS: u64 = 40;
/// Pages between two commits.
const N_GROUP: u64 = 512;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_urls = size("LOCAVORE_BENCH_URLS", 500_000);
    let n_hosts = (n_urls / 100).max(1);
    let folder = tempfile::tempdir()?;
    let dir_path = folder.path().join("crawl");
    let mut dir = CrawlDir::create(&dir_path, "")?;
    let settings = Settings {
        delay: Duration::ZERO,
        server_delay: Duration::ZERO,
        ..Settings::default()
    };
    let mut gate = Gate::open(&dir, &settings, None, Box::new(|_| None))?;
    let mut frontier = Frontier::open(&dir, NodeId(0))?;
    println!(
        "{n_urls} URLs on {n_hosts} hosts, each offered three times, {N_LINKS} links a page, a \
         synced commit every {N_GROUP} pages; CPU time of the process"
    );
    let n_offers = n_urls * 3;
    let (time, pushed) = cpu_time_of(|| push(&mut dir, &mut frontier, n_urls, n_hosts, n_offers));
    pushed?;
    show("offer", time, n_offers);
    println!("        {} URLs wait", frontier.n_waiting());
    println!(
        "        {:.0} bytes on disk per URL",
        folder_size(&dir_path.join("tables")) as f64 / n_urls as f64
    );
    let n_pops = n_urls / 5;
    let (time, popped) = cpu_time_of(|| pop(&mut dir, &mut frontier, &mut gate, n_pops));
    popped?;
    show("next", time, n_pops);
    println!("        most memory held: {} MiB", peak_memory() >> 20);
    Ok(())
}

fn push(
    dir: &mut CrawlDir,
    frontier: &mut Frontier,
    n_urls: u64,
    n_hosts: u64,
    n_offers: u64,
) -> Result<(), CrawlError> {
    let mut batch = dir.batch();
    for offer_idx in 0..n_offers {
        // A multiplicative walk meets every URL, far from its last meeting.
        let url_idx = offer_idx.wrapping_mul(0x9e37_79b9_7f4a_7c15) % n_urls;
        let (host, path) = (url_idx % n_hosts, url_idx / n_hosts);
        let url = format!("http://host{host}.example.com/section/{path}.html");
        let url = CanonicalUrl::parse(&url).expect("a made-up URL is one");
        let priority = (url_idx % 97) as f32 / 97.0;
        frontier.offer(&mut batch, offer(url, priority))?;
        if offer_idx % N_LINKS == N_LINKS - 1 {
            dir.apply(std::mem::replace(&mut batch, dir.batch()))?;
        }
        if offer_idx % (N_LINKS * N_GROUP) == 0 {
            dir.commit(dir.batch())?;
        }
    }
    dir.apply(batch)?;
    dir.commit(dir.batch())?;
    Ok(())
}

fn pop(
    dir: &mut CrawlDir,
    frontier: &mut Frontier,
    gate: &mut Gate,
    n_pops: u64,
) -> Result<(), CrawlError> {
    let now = Time(1_000);
    let landing = Landing {
        fetched: Fetched::Answer(Answer {
            status: 404,
            head: Vec::new(),
            content_type: None,
            location: None,
            body: bytes::Bytes::new(),
        }),
        server: None,
        took: Duration::ZERO,
    };
    let mut n_popped = 0;
    while n_popped < n_pops {
        let mut batch = dir.batch();
        match frontier.next(&mut batch, now, gate)? {
            Next::Fetch(ticket) => {
                let free_at = gate.page_landed(&ticket.offer.url, &landing, now);
                frontier.release(&ticket, free_at);
                frontier.close(&mut batch, &ticket);
                n_popped += 1;
            }
            Next::Robots(lease, url) => {
                let free_at = gate.robots_landed(&mut batch, &lease.wanted, &url, &landing, now);
                frontier.release_host(&lease, free_at);
            }
            Next::Refused(..) | Next::NotBefore(_) | Next::Nothing => break,
        }
        dir.apply(batch)?;
        if n_popped % N_GROUP == 0 {
            dir.commit(dir.batch())?;
        }
    }
    assert_eq!(n_popped, n_pops, "the frontier ran dry");
    Ok(())
}

fn offer(url: CanonicalUrl, priority: f32) -> Offer {
    Offer {
        url,
        from: CanonicalUrl::parse("http://from.example.com/some/page.html").ok(),
        depth: 2,
        hops: 0,
        target: None,
        priority,
        because: "city in the URL; in order of discovery".into(),
    }
}

fn show(name: &str, time: Duration, n: u64) {
    let seconds = time.as_secs_f64();
    println!(
        "{name:<7} {:>6.2} µs, {:>9.0} per CPU second",
        seconds * 1e6 / n as f64,
        n as f64 / seconds
    );
}

fn folder_size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let sizes = entries.flatten().map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => folder_size(&entry.path()),
        _ => entry.metadata().map_or(0, |metadata| metadata.len()),
    });
    sizes.sum()
}
