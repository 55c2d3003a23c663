//! How fast the measures of a crawl are computed, over a made-up visit log.
//!
//! `cargo bench -p bench --bench measure` prints pages per second for reading
//! and the time of the last step, over a quarter of a million pages with
//! twenty links each, half of them to pages of the same crawl.
#![allow(clippy::print_stdout, reason = "the table is what the bench is for")]

use lab::measure::{Centrality, Measures, NodeShare};
use page::url::CanonicalUrl;
use std::time::Instant;
use store::visit::{EntityRecord, Errand, LinkRecord, Outcome, Time, Visit};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const N_PAGES: u64 = 250_000;
const N_LINKS: u64 = 20;

fn url(number: u64) -> String {
    format!("http://site{}.com/page/{number}", number % 20_000)
}

/// A number that looks random.
fn scatter(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 13
}

fn visit(number: u64, fingerprints: &[u64]) -> Visit {
    let links = (0..N_LINKS).map(|nth| {
        let to = scatter(number * N_LINKS + nth);
        LinkRecord {
            url: match nth % 2 {
                0 => fingerprints[(to % N_PAGES) as usize],
                _ => to,
            },
            node: (to % 6) as u16,
            refused: None,
        }
    });
    let entities = (0..2)
        .filter(|_| number.is_multiple_of(20))
        .map(|nth| EntityRecord {
            key: scatter(number + nth),
            target: (number % 100) as u32,
            text: String::new(),
        });
    let node = (number % 6) as u16;
    Visit {
        seq: number,
        status: Some(200),
        took_ms: 100,
        bytes: 20_000,
        depth: 2,
        priority: 0.0,
        target: number.is_multiple_of(3).then_some((number % 100) as u32),
        entities: entities.collect(),
        links: links.collect(),
        ..Visit::new(
            node,
            Errand::Page,
            Time(number),
            &url(number),
            Outcome::Fetched,
        )
    }
}

fn main() {
    let fingerprints: Vec<u64> = (0..N_PAGES)
        .map(|number| {
            let url = CanonicalUrl::parse(&url(number)).expect("a made-up URL is a URL");
            url.fingerprint().short()
        })
        .collect();
    let visits: Vec<Visit> = (0..N_PAGES)
        .map(|number| visit(number, &fingerprints))
        .collect();
    let mut measures = Measures::new(vec![NodeShare::default(); 6], Centrality::default());
    let started = Instant::now();
    for visit in &visits {
        measures.add(visit);
    }
    let reading = started.elapsed();
    let started = Instant::now();
    let report = measures.finish();
    println!(
        "reading:   {:.0} pages/s",
        N_PAGES as f64 / reading.as_secs_f64()
    );
    println!(
        "finishing: {:?} for {} pages",
        started.elapsed(),
        report.pages
    );
}
