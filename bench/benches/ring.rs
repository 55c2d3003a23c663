//! The whole ring in-process: six nodes crawl the made-up web for the 100
//! cities, every page generated, parsed, geoparsed, assigned, archived, stored.
//!
//! `cargo bench -p bench --bench ring`; LOCAVORE_BENCH_PAGES sets the number.

#![allow(clippy::print_stdout)]

use bench::{cpu_time_of, made_up_crawl, size};
use crawl::conductor;
use crawl::settings::Settings;
use crawl::stage::{Stage, peak_memory};
use std::path::Path;
use std::time::Instant;
use store::crawl_dir::{CrawlDir, StoreError, VisitReader};
use store::visit::Visit;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 20_000);
    println!(
        "{n_pages} pages of the default made-up web, six nodes, `url` and `breadth`, virtual \
         clock, WARC and visit log synced to disk; CPU time of the process"
    );
    let folder = tempfile::tempdir()?;
    let dir = folder.path().join("crawl");
    let settings = Settings {
        n_pages: Some(n_pages),
        ..Settings::default()
    };
    let (parts, seeds) = made_up_crawl(CrawlDir::create(&dir, "")?, settings)?;
    let started = Instant::now();
    let (time, ended) = cpu_time_of(|| conductor::run(parts, &seeds, &mut |_| {}));
    let (reason, progress) = ended?;
    println!(
        "stopped: {reason}; {} visits stored; pages of {:.1} KB and {:.1} links on average",
        progress.n_stored,
        mean(&dir, |visit| f64::from(visit.bytes) / 1e3)?,
        mean(&dir, |visit| visit.links.len() as f64)?,
    );
    let n_fetched = progress.n_pages().max(1) as f64;
    for stage in Stage::ALL {
        let seconds = progress.timings.get(stage).as_secs_f64();
        println!(
            "{:<9} {:>7.4} CPU ms per page",
            stage.name(),
            seconds * 1e3 / n_fetched
        );
    }
    println!(
        "all       {:>7.4} CPU ms per page",
        time.as_secs_f64() * 1e3 / n_fetched
    );
    println!(
        "{:.0} pages/s on the wall, most memory held: {} MiB",
        n_fetched / started.elapsed().as_secs_f64(),
        peak_memory() >> 20
    );
    Ok(())
}

/// The mean of something over all pages on record.
fn mean(dir: &Path, of: impl Fn(&Visit) -> f64) -> Result<f64, StoreError> {
    let values: Vec<f64> = VisitReader::open(dir)?
        .filter(Visit::is_page)
        .map(|visit| of(&visit))
        .collect();
    Ok(values.iter().sum::<f64>() / values.len().max(1) as f64)
}
