//! Six hours of polite crawling on the virtual clock: does memory stay flat?
//!
//! `cargo bench -p bench --bench soak` prints the memory held (VmRSS) every
//! half hour of virtual time, then how it grew after the first hour, as the
//! slope of a line through those points for each 100,000 pages, and for each new
//! host met. Ends badly if the former is steeper than `FLAT`. LOCAVORE_SOAK_HOURS sets how long,
//! LOCAVORE_SOAK_SLOTS how many fetches each of the six nodes has in the air:
//! more slots, more pages in an hour.

#![allow(clippy::print_stdout)]

use bench::{made_up_crawl, size};
use crawl::conductor;
use crawl::progress::Progress;
use crawl::settings::Settings;
use crawl::stage::{peak_memory, process_cpu_time};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::crawl_dir::CrawlDir;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Megabytes for each 100,000 pages. Hosts cost memory and URLs do not; a
/// crawl that meets new hosts all the time grows a little.
const FLAT: f64 = 16.0;

const HALF_HOUR: u64 = 30 * 60 * 1000;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let n_hours = size("LOCAVORE_SOAK_HOURS", 6);
    let n_slots = size("LOCAVORE_SOAK_SLOTS", 1) as usize;
    let folder = tempfile::tempdir()?;
    let settings = Settings {
        n_slots,
        ..Settings::default()
    };
    let dir = CrawlDir::create(&folder.path().join("crawl"), "")?;
    let (parts, seeds) = made_up_crawl(dir, settings)?;
    let stop = Arc::clone(&parts.stop);
    println!("hours     pages     hosts  waiting URLs  VmRSS MiB  CPU ms per page");
    let mut samples: Vec<Sample> = Vec::new();
    let (reason, _) = conductor::run(parts, &seeds, &mut |progress| {
        if progress.now.0 >= HALF_HOUR * (samples.len() as u64 + 1) {
            samples.push(Sample::take(progress));
        }
        if progress.now.0 >= n_hours * 2 * HALF_HOUR {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    let steady: Vec<&Sample> = samples
        .iter()
        .filter(|sample| sample.hours >= 1.0)
        .collect();
    let growth = slope(&steady, |sample| sample.n_pages) * 1e5;
    let of_host = slope(&steady, |sample| sample.n_hosts) * 1024.0;
    println!(
        "stopped: {reason}; most memory held: {} MiB",
        peak_memory() >> 20
    );
    println!(
        "after the first hour {growth:+.1} MiB for each 100,000 pages, or {of_host:+.2} KiB for \
         each new host: {}",
        if growth <= FLAT { "flat" } else { "not flat" }
    );
    Ok(if growth <= FLAT {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Memory at one moment.
struct Sample {
    hours: f64,
    n_pages: f64,
    n_hosts: f64,
    mebibytes: f64,
}

impl Sample {
    /// Takes and prints one.
    fn take(progress: &Progress) -> Sample {
        let n_hosts: u64 = progress.nodes.iter().map(|node| node.n_hosts).sum();
        let sample = Sample {
            hours: progress.now.0 as f64 / (2 * HALF_HOUR) as f64,
            n_pages: progress.n_pages() as f64,
            n_hosts: n_hosts as f64,
            mebibytes: memory() as f64 / f64::from(1 << 20),
        };
        let n_waiting: u64 = progress.nodes.iter().map(|node| node.n_waiting).sum();
        let cpu = process_cpu_time().as_secs_f64() * 1e3 / sample.n_pages.max(1.0);
        println!(
            "{:5.2} {:9} {n_hosts:9} {n_waiting:13} {:10.1} {cpu:16.3}",
            sample.hours, sample.n_pages, sample.mebibytes
        );
        sample
    }
}

/// The bytes the process holds now, as the kernel counts them.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}

/// Mebibytes for each one of something: the line with the least squared errors.
fn slope(samples: &[&Sample], of: fn(&Sample) -> f64) -> f64 {
    let n_samples = samples.len().max(1) as f64;
    let mean = |of: fn(&Sample) -> f64| {
        let values = samples.iter().map(|sample| of(sample));
        values.sum::<f64>() / n_samples
    };
    let (x, y) = (mean(of), mean(|sample| sample.mebibytes));
    let rise = samples
        .iter()
        .map(|one| (of(one) - x) * (one.mebibytes - y));
    let run = samples.iter().map(|one| (of(one) - x).powi(2));
    let (rise, run) = (rise.sum::<f64>(), run.sum::<f64>());
    if run > 0.0 { rise / run } else { 0.0 }
}
