//! `page::html::read` and address finding on 2,000 made-up pages.
//!
//! `cargo bench -p bench --bench parse`; LOCAVORE_BENCH_PAGES sets the number.

#![allow(clippy::print_stdout)]

use bench::{corpus, cpu_time_of, size};
use page::html;
use place::address::AddressFinder;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::hint::black_box;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: u32 = 5;

fn main() {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 2_000) as usize;
    let pages = corpus(n_pages);
    let n_bytes: usize = pages.iter().map(|(_, body)| body.len()).sum();
    let mut n_links = 0;
    let mut texts = Vec::new();
    for (url, body) in &pages {
        let page = html::read(body, url, Some("text/html"));
        n_links += page.links.len();
        texts.push(page.text);
    }
    println!(
        "{} pages of the default made-up web, {:.1} KB and {:.1} links each; {ROUNDS} rounds, one \
         thread, CPU time of the process",
        pages.len(),
        n_bytes as f64 / 1e3 / pages.len() as f64,
        n_links as f64 / pages.len() as f64,
    );
    let mut parse = Vec::new();
    let mut find = Vec::new();
    let gazetteer = Gazetteer::built_in();
    let finder = AddressFinder::new(gazetteer, &Targets::us_top100(gazetteer));
    for _ in 0..ROUNDS {
        let (time, ()) = cpu_time_of(|| {
            for (url, body) in &pages {
                black_box(html::read(body, url, Some("text/html")));
            }
        });
        parse.push(time.as_secs_f64());
        let (time, ()) = cpu_time_of(|| {
            for text in &texts {
                black_box(finder.find(text));
            }
        });
        find.push(time.as_secs_f64());
    }
    let n_text: usize = texts.iter().map(String::len).sum();
    report("parse", &mut parse, pages.len(), n_bytes);
    report("find addresses", &mut find, pages.len(), n_text);
}

fn report(name: &str, seconds: &mut [f64], n_pages: usize, n_bytes: usize) {
    seconds.sort_by(f64::total_cmp);
    let median = seconds[seconds.len() / 2];
    println!(
        "{name:<15} {:>7.1} µs per page, {:>6.1} MB/s (median; best {:.1} µs)",
        median * 1e6 / n_pages as f64,
        n_bytes as f64 / 1e6 / median,
        seconds[0] * 1e6 / n_pages as f64,
    );
}
