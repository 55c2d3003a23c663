//! Twelve hours of polite crawling on the virtual clock: does memory stay flat?
//!
//! `cargo bench -p bench --bench soak` crawls two made-up webs, each in a
//! process of its own: one whose sites are nearly all known after an hour,
//! where little is left to grow but URLs, and one with new sites on nearly
//! every page. It prints the memory held (VmRSS) for every half hour of virtual
//! time, the mean of a look each minute, since it goes up and down with what
//! waits to be written; then how it grew in the second half of the time, as the
//! slope of a line through those means, with its standard error, for each
//! 100,000 pages and each 100,000 URLs, and for each new host met. In the first
//! half what is kept in memory until there is enough of it to be written fills
//! up. Ends badly if the first web's is steeper than `FLAT`.
//! LOCAVORE_SOAK_HOURS sets how long,
//! LOCAVORE_SOAK_SITES how many sites the webs have (with commas),
//! LOCAVORE_SOAK_SLOTS how many fetches each of the six nodes has in the air:
//! more slots, more pages in an hour.

#![allow(clippy::print_stdout)]

use bench::{made_up_crawl_of, size};
use crawl::conductor;
use crawl::progress::Progress;
use crawl::settings::Settings;
use crawl::stage::{peak_memory, process_cpu_time};
use lab::world::WorldSettings;
use std::error::Error;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::crawl_dir::CrawlDir;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Mebibytes for each 100,000 pages that count as flat: 63 bytes a page. Filters
/// and indexes of what was fetched are in memory and take some forty.
const FLAT: f64 = 6.0;

/// How many sites a child process crawls.
const SITES: &str = "LOCAVORE_BENCH_SITES";

const MINUTE: u64 = 60 * 1000;
const HALF_HOUR: u64 = 30 * MINUTE;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if std::env::var_os(SITES).is_some() {
        return soak(size(SITES, 1));
    }
    let webs = std::env::var("LOCAVORE_SOAK_SITES").unwrap_or_else(|_| "8_000,2_000_000".into());
    let mut ending = None;
    for n_sites in webs.split(',') {
        let child = Command::new(std::env::current_exe()?)
            .env(SITES, n_sites.trim())
            .status()?;
        ending.get_or_insert(child.success());
    }
    Ok(match ending {
        Some(true) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn soak(n_sites: u64) -> Result<ExitCode, Box<dyn Error>> {
    let n_hours = size("LOCAVORE_SOAK_HOURS", 12);
    let n_slots = size("LOCAVORE_SOAK_SLOTS", 4) as usize;
    let folder = tempfile::tempdir()?;
    let settings = Settings {
        n_slots,
        ..Settings::default()
    };
    let usual = WorldSettings::default();
    let world = WorldSettings {
        n_sites,
        // The same part of all sites.
        top_sites: usual.top_sites * n_sites / usual.n_sites,
        ..usual
    };
    let dir = CrawlDir::create(&folder.path().join("crawl"), "")?;
    let (parts, seeds) = made_up_crawl_of(world, dir, settings)?;
    let stop = Arc::clone(&parts.stop);
    println!("a web of {n_sites} sites");
    println!("hours     pages     hosts  waiting URLs  VmRSS MiB  CPU ms per page");
    let mut samples: Vec<Sample> = Vec::new();
    let mut looks = Looks::default();
    let (reason, _) = conductor::run(parts, &seeds, &mut |progress| {
        looks.look(progress);
        if progress.now.0 >= HALF_HOUR * (samples.len() as u64 + 1) {
            samples.push(Sample::take(progress, looks.mean()));
        }
        if progress.now.0 >= n_hours * 2 * HALF_HOUR {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    let steady: Vec<&Sample> = samples
        .iter()
        .filter(|sample| sample.hours >= n_hours as f64 / 2.0)
        .collect();
    let (of_pages, error) = slope(&steady, |sample| sample.n_pages);
    let (of_pages, error) = (of_pages * 1e5, error * 1e5);
    let of_urls = slope(&steady, |sample| sample.n_pages + sample.n_waiting).0 * 1e5;
    let of_host = slope(&steady, |sample| sample.n_hosts).0 * 1024.0;
    let n_new = match (steady.first(), steady.last()) {
        (Some(first), Some(last)) => last.n_hosts - first.n_hosts,
        _ => 0.0,
    };
    println!(
        "stopped: {reason}; most memory held: {} MiB",
        peak_memory() >> 20
    );
    println!(
        "in the second half {of_pages:+.1} ± {error:.1} MiB for each 100,000 pages, {of_urls:+.1} \
         for each 100,000 URLs fetched or waiting, {of_host:+.2} KiB for each of {n_new} new \
         hosts: {}",
        if of_pages <= FLAT { "flat" } else { "not flat" }
    );
    Ok(if of_pages <= FLAT {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Looks at the memory, one a minute, until their mean is taken.
#[derive(Default)]
struct Looks {
    next: u64,
    n: u32,
    mebibytes: f64,
}

impl Looks {
    fn look(&mut self, progress: &Progress) {
        if progress.now.0 >= self.next {
            self.next = progress.now.0 + MINUTE;
            self.n += 1;
            self.mebibytes += memory() as f64 / f64::from(1 << 20);
        }
    }

    fn mean(&mut self) -> f64 {
        let mean = self.mebibytes / f64::from(self.n.max(1));
        (self.n, self.mebibytes) = (0, 0.0);
        mean
    }
}

/// Half an hour: its end, and the memory held in it.
struct Sample {
    hours: f64,
    n_pages: f64,
    n_hosts: f64,
    n_waiting: f64,
    mebibytes: f64,
}

impl Sample {
    /// Takes and prints one.
    fn take(progress: &Progress, mebibytes: f64) -> Sample {
        let n_hosts: u64 = progress.nodes.iter().map(|node| node.n_hosts).sum();
        let n_waiting: u64 = progress.nodes.iter().map(|node| node.n_waiting).sum();
        let sample = Sample {
            hours: progress.now.0 as f64 / (2 * HALF_HOUR) as f64,
            n_pages: progress.n_pages() as f64,
            n_hosts: n_hosts as f64,
            n_waiting: n_waiting as f64,
            mebibytes,
        };
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

/// Mebibytes for each one of something: the line with the least squared errors,
/// and its standard error.
fn slope(samples: &[&Sample], of: fn(&Sample) -> f64) -> (f64, f64) {
    let n_samples = samples.len().max(1) as f64;
    let mean = |of: fn(&Sample) -> f64| {
        let values = samples.iter().map(|sample| of(sample));
        values.sum::<f64>() / n_samples
    };
    let (x, y) = (mean(of), mean(|sample| sample.mebibytes));
    let sum_of = |term: &dyn Fn(&Sample) -> f64| -> f64 {
        samples.iter().map(|sample| term(sample)).sum::<f64>()
    };
    let run = sum_of(&|one| (of(one) - x).powi(2));
    if run == 0.0 {
        return (0.0, 0.0);
    }
    let slope = sum_of(&|one| (of(one) - x) * (one.mebibytes - y)) / run;
    let off = sum_of(&|one| (one.mebibytes - y - slope * (of(one) - x)).powi(2));
    (slope, (off / (n_samples - 2.0).max(1.0) / run).sqrt())
}
