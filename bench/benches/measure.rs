//! How fast the measures of a crawl are computed, over a made-up visit log.
//!
//! `cargo bench -p bench --bench measure` prints, for each pass over the log,
//! pages per second and what of it was spent on making the log up, then the
//! memory held at most, over a million pages with forty links each, half of
//! them to pages of the same crawl. `LOCAVORE_BENCH_PAGES=12800000` is the
//! size of the crawls in the 2006 paper.
#![allow(clippy::print_stdout, reason = "the table is what the bench is for")]

use crawl::stage::peak_memory;
use lab::measure::{Measures, NodeShare, Settings};
use page::url::CanonicalUrl;
use std::time::Instant;
use store::visit::{EntityRecord, Errand, LinkRecord, Outcome, Time, Visit};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const N_PAGES: u64 = 1_000_000;
const N_LINKS: u64 = 40;

fn url(number: u64) -> String {
    format!("http://site{}.com/page/{number}", number % 1_000_000)
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
                0 => fingerprints[to as usize % fingerprints.len()],
                _ => to,
            },
            node: (to % 6) as u16,
            refused: None,
            is_cold: false,
        }
    });
    let entities = (0..5)
        .filter(|_| number.is_multiple_of(12))
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
        mapped: number.is_multiple_of(3).then_some((number % 100) as u32),
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
    let n_pages = std::env::var("LOCAVORE_BENCH_PAGES");
    let n_pages = n_pages
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(N_PAGES);
    let fingerprints: Vec<u64> = (0..n_pages)
        .map(|number| {
            let url = CanonicalUrl::parse(&url(number)).expect("a made-up URL is a URL");
            url.fingerprint().short()
        })
        .collect();
    let started = Instant::now();
    let n_links: usize = (0..n_pages)
        .map(|number| visit(number, &fingerprints).links.len())
        .sum();
    let making = started.elapsed();
    println!("{n_pages} pages, {n_links} links; made up in {making:?}");
    let before = peak_memory();
    let mut measures = Measures::new(vec![NodeShare::default(); 6], Settings::default());
    let mut is_over = false;
    while !is_over {
        let started = Instant::now();
        for number in 0..n_pages {
            measures.add(&visit(number, &fingerprints));
        }
        is_over = !measures.wants_another_pass();
        let took = started.elapsed();
        println!(
            "a pass:    {took:?}, {:.0} pages/s without making them up",
            n_pages as f64 / took.saturating_sub(making).as_secs_f64()
        );
    }
    let started = Instant::now();
    let report = measures.finish();
    println!("finishing: {:?}", started.elapsed());
    println!(
        "memory:    {} MB more than before; geo-centrality {:?} ± {:?}, locality {:?} ± {:?}",
        (peak_memory() - before) >> 20,
        report.geo_centrality,
        report.geo_centrality_error,
        report.locality.linked,
        report.locality.linked_error,
    );
}
