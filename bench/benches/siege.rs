//! An hour of crawling on the virtual clock on a web half of which means harm:
//! what do attackers cost?
//!
//! `cargo bench -p bench --bench siege` crawls a made-up web twice, each time in
//! a process of its own: alone, and with attackers around it (`lab::siege`).
//! It prints the memory held (VmRSS) each minute of virtual time, and at the end
//! the honest pages fetched beside those of the crawl alone. Ends badly if more
//! than `MOST` was held at any time, or honest sites kept less than `KEPT`.
//! LOCAVORE_SIEGE_MINUTES sets how long, LOCAVORE_SIEGE_SITES how many honest
//! sites there are, LOCAVORE_SIEGE_SLOTS how many fetches each of the six nodes
//! has in the air.

#![allow(clippy::print_stdout)]

use bench::{made_up_crawl_of, size};
use crawl::conductor;
use crawl::progress::Progress;
use crawl::settings::Settings;
use crawl::stage::peak_memory;
use lab::siege::{Attack, Siege};
use lab::world::{World, WorldSettings};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use std::collections::BTreeMap;
use std::error::Error;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::crawl_dir::{CrawlDir, VisitReader};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Mebibytes held at most.
const MOST: u64 = 800;

/// Percent of their pages that honest sites keep.
const KEPT: u64 = 80;

/// Which of the two a child process crawls.
const SIDE: &str = "LOCAVORE_BENCH_SIEGE";

const MINUTE: u64 = 60 * 1000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if let Ok(side) = std::env::var(SIDE) {
        return crawl(&side);
    }
    let mut results = Vec::new();
    for side in ["besieged", "alone"] {
        let child = Command::new(std::env::current_exe()?)
            .env(SIDE, side)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        print!("{text}");
        let last = text.lines().last().unwrap_or_default();
        let numbers = last.split(' ').filter_map(|word| word.parse::<u64>().ok());
        results.push((output.status.success(), numbers.collect::<Vec<u64>>()));
    }
    let [(_, besieged), (_, alone)] = &results[..] else {
        return Err("a crawl is missing".into());
    };
    let (&[besieged, memory], &[alone, _]) = (&besieged[..], &alone[..]) else {
        return Err("a crawl did not come to its end".into());
    };
    let kept = 100 * besieged / alone.max(1);
    println!(
        "honest sites keep {kept} % of their pages ({KEPT} asked for); most memory held {memory} \
         MiB ({MOST} allowed)"
    );
    Ok(match kept >= KEPT && memory <= MOST {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn crawl(side: &str) -> Result<ExitCode, Box<dyn Error>> {
    let n_minutes = size("LOCAVORE_SIEGE_MINUTES", 60);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("crawl");
    let settings = Settings {
        n_slots: size("LOCAVORE_SIEGE_SLOTS", 8) as usize,
        ..Settings::default()
    };
    let world = WorldSettings {
        n_sites: size("LOCAVORE_SIEGE_SITES", 20_000),
        ..WorldSettings::default()
    };
    let dir = CrawlDir::create(&path, "")?;
    let (mut parts, mut seeds) = made_up_crawl_of(world.clone(), dir, settings)?;
    if side == "besieged" {
        let world = World::new(world, Gazetteer::built_in());
        let siege = Siege::around(Arc::new(world), &Attack::ALL);
        seeds.splice(0..0, siege.seeds());
        parts.fetcher = Arc::new(siege);
    }
    let stop = Arc::clone(&parts.stop);
    println!("{side}");
    println!("minute     pages     hosts      waiting         cold  VmRSS MiB");
    let mut minute = 0;
    let mut most = 0;
    conductor::run(parts, &seeds, &mut |progress| {
        most = most.max(memory());
        while progress.now.0 >= minute * MINUTE && minute <= n_minutes {
            print_minute(minute, progress);
            minute += 1;
        }
        if minute > n_minutes {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    let mut honest = 0;
    let mut attacks: BTreeMap<&str, u64> = BTreeMap::new();
    for visit in VisitReader::open(&path)?.filter(|visit| visit.at.0 < n_minutes * MINUTE) {
        let url = CanonicalUrl::parse(&visit.url)?;
        match Siege::attack(&url) {
            Some(attack) => *attacks.entry(Attack::name(attack)).or_default() += 1,
            None => honest += u64::from(visit.is_page()),
        }
    }
    println!(
        "visits of attackers: {attacks:?}; peak of the system {} MiB",
        peak_memory() >> 20
    );
    println!(
        "{side}: {honest} honest pages, most memory {} MiB",
        most >> 20
    );
    Ok(ExitCode::SUCCESS)
}

fn print_minute(minute: u64, progress: &Progress) {
    let nodes = &progress.nodes;
    let n_hosts: u64 = nodes.iter().map(|node| node.n_hosts).sum();
    let n_waiting: u64 = nodes.iter().map(|node| node.n_waiting).sum();
    let n_cold: u64 = nodes.iter().map(|node| node.n_cold).sum();
    println!(
        "{minute:6} {:9} {n_hosts:9} {n_waiting:12} {n_cold:12} {:10.1}",
        progress.n_pages(),
        memory() as f64 / f64::from(1 << 20)
    );
}

/// The bytes the process holds now, as the kernel counts them.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}
