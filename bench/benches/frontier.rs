//! What the frontier costs when it holds many URLs: links offered as a crawl
//! offers them, then taken best first, then opened again after `kill -9`.
//!
//! `cargo bench -p bench --bench frontier`; LOCAVORE_BENCH_URLS lists the
//! numbers of different URLs, with commas; LOCAVORE_BENCH_DIR is where the
//! crawls are put meanwhile. Every size runs in a process of its own, which
//! is killed at work; another one then opens what it left.

#![allow(clippy::print_stdout, reason = "the table is what the bench is for")]

#[path = "frontier/web.rs"]
mod web;

use crawl::error::CrawlError;
use crawl::fetch::{Answer, Fetched, Landing, Machine};
use crawl::frontier::{Frontier, Next};
use crawl::gate::Gate;
use crawl::settings::Settings;
use crawl::stage::{peak_memory, process_cpu_time};
use page::url::CanonicalUrl;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use store::crawl_dir::CrawlDir;
use store::visit::Time;
use strategy::roster::NodeId;
use web::{N_LINKS, Web};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pages between two commits.
const N_GROUP: u64 = 512;
/// Tickets taken from a small frontier: what they change goes into files a
/// quarter of a million entries at a time, and that is part of what they cost.
const FEWEST_TICKETS: u64 = 500_000;
/// What a child process does, and where.
const PART: &str = "LOCAVORE_BENCH_PART";
const FOLDER: &str = "LOCAVORE_BENCH_FOLDER";
const SIZE: &str = "LOCAVORE_BENCH_SIZE";
/// A child's last word before it is killed.
const AT_WORK: &str = "at work";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::var_os(FOLDER)
        .map(PathBuf::from)
        .unwrap_or_default();
    match std::env::var(PART).as_deref() {
        Ok("fill") => fill(&folder, bench::size(SIZE, 0)),
        Ok("reopen") => reopen(&folder),
        _ => compare_sizes(),
    }
}

fn compare_sizes() -> Result<(), Box<dyn Error>> {
    let sizes = std::env::var("LOCAVORE_BENCH_URLS").unwrap_or_else(|_| "1_000_000".into());
    let base =
        std::env::var_os("LOCAVORE_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    println!("{}", machine());
    println!(
        "a host for every hundred URLs, {N_LINKS} links a page, two in three known; a synced \
         commit every {N_GROUP} pages or tickets; {FEWEST_TICKETS} tickets, or one for every \
         twentieth URL if that is more; time is wall time, CPU time of all threads in brackets"
    );
    for size in sizes.split(',') {
        let size: u64 = size.trim().replace('_', "").parse()?;
        let folder = tempfile::tempdir_in(&base)?;
        run("fill", folder.path(), size)?;
        run("reopen", folder.path(), size)?;
    }
    Ok(())
}

/// Runs a part in a process of its own, which dies once it says it is at work.
fn run(part: &str, folder: &Path, size: u64) -> Result<(), Box<dyn Error>> {
    let mut child = Command::new(std::env::current_exe()?)
        .env(PART, part)
        .env(FOLDER, folder)
        .env(SIZE, size.to_string())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().ok_or("no output")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        if line == AT_WORK {
            std::thread::sleep(Duration::from_secs(1));
            // SIGKILL: nothing is closed, flushed or told.
            child.kill()?;
            break;
        }
        println!("{line}");
    }
    let status = child.wait()?;
    if part == "reopen" && !status.success() {
        return Err(format!("the frontier could not be opened again: {status}").into());
    }
    Ok(())
}

struct Desk {
    dir: CrawlDir,
    gate: Gate,
    frontier: Frontier,
}

impl Desk {
    fn open(dir: CrawlDir) -> Result<Desk, CrawlError> {
        let settings = Settings {
            delay: Duration::ZERO,
            server_delay: Duration::ZERO,
            ..Settings::default()
        };
        let gate = Gate::open(&dir, &settings, None, Box::new(|_| Machine::Unknown))?;
        let frontier = Frontier::open(&dir, NodeId(0), &settings)?;
        Ok(Desk {
            dir,
            gate,
            frontier,
        })
    }

    fn push(&mut self, web: &mut Web, n_urls: u64) -> Result<u64, CrawlError> {
        let mut n_pages = 0;
        while web.n_urls() < n_urls {
            let mut batch = self.dir.batch();
            for offer in web.page() {
                self.frontier.offer(&mut batch, offer)?;
            }
            self.dir.apply(batch)?;
            n_pages += 1;
            if n_pages % N_GROUP == 0 {
                self.commit()?;
            }
        }
        self.commit()?;
        Ok(n_pages * N_LINKS)
    }

    fn pop(&mut self, n_pops: u64) -> Result<u64, CrawlError> {
        let mut n_popped = 0;
        while n_popped < n_pops {
            let Some(_) = self.pop_one()? else { break };
            n_popped += 1;
            if n_popped % N_GROUP == 0 {
                self.commit()?;
            }
        }
        self.commit()?;
        Ok(n_popped)
    }

    /// The next ticket's URL, fetched at once.
    fn pop_one(&mut self) -> Result<Option<CanonicalUrl>, CrawlError> {
        let now = Time(1_000);
        let landing = not_found();
        loop {
            let mut batch = self.dir.batch();
            match self.frontier.next(&mut batch, now, &mut self.gate)? {
                Next::Fetch(ticket) => {
                    let aftermath = self.gate.page_landed(&ticket.offer.url, &landing, now);
                    self.frontier.release(&ticket, aftermath);
                    self.frontier.close(&mut batch, &ticket);
                    self.dir.apply(batch)?;
                    return Ok(Some(ticket.offer.url));
                }
                Next::Robots(lease, url) => {
                    let aftermath = self
                        .gate
                        .robots_landed(&mut batch, &lease.by, &url, &landing, now);
                    self.frontier.release_host(&lease, aftermath);
                }
                _ => return Ok(None),
            }
            self.dir.apply(batch)?;
        }
    }

    fn commit(&mut self) -> Result<(), CrawlError> {
        let mut batch = self.dir.batch();
        self.gate.save(&mut batch);
        self.frontier.save(&mut batch);
        self.dir.commit(batch)?;
        Ok(())
    }
}

/// Offers, then takes, then works on until it is killed.
fn fill(folder: &Path, n_urls: u64) -> Result<(), Box<dyn Error>> {
    let path = folder.join("crawl");
    let mut desk = Desk::open(CrawlDir::create(&path, "")?)?;
    let mut web = Web::new(1);
    let offering = Span::start();
    let mut n_offers = 0;
    for tenth in 1..=10 {
        let span = Span::start();
        let n_more = desk.push(&mut web, n_urls * tenth / 10)?;
        n_offers += n_more;
        let name = format!("{tenth}/10");
        span.show(&name, n_more);
    }
    println!("{} URLs on {} hosts", web.n_urls(), web.n_hosts());
    offering.show("offer", n_offers);
    println!(
        "  lines   {} wait, {} cold",
        desk.frontier.n_waiting(),
        desk.frontier.n_cold()
    );
    show_space(&path, n_urls);
    let taking = Span::start();
    let n_popped = desk.pop((n_urls / 20).max(FEWEST_TICKETS))?;
    taking.show("next", n_popped);
    show_space(&path, n_urls);
    println!("{AT_WORK}");
    loop {
        let goal = web.n_urls() + 10 * N_GROUP;
        desk.push(&mut web, goal)?;
        desk.pop(N_GROUP)?;
    }
}

/// Opens what a killed process left.
fn reopen(folder: &Path) -> Result<(), Box<dyn Error>> {
    let opening = Span::start();
    let (dir, damage) = CrawlDir::open(&folder.join("crawl"))?;
    let tables = opening.started.elapsed();
    let mut desk = Desk::open(dir)?;
    let first = desk.pop_one()?.ok_or("nothing to fetch")?;
    let all = opening.started.elapsed();
    println!(
        "  restart {:.2} s ({:.2} s) after kill -9, {:.2} s of it the tables, first ticket {first}{}; {}",
        all.as_secs_f64(),
        (process_cpu_time() - opening.cpu).as_secs_f64(),
        tables.as_secs_f64(),
        if damage.is_empty() { "" } else { ", DAMAGED" },
        load()
    );
    println!("  lines   {} wait", desk.frontier.n_waiting());
    show_memory();
    Ok(())
}

/// Wall and CPU time since a moment.
struct Span {
    started: Instant,
    cpu: Duration,
}

impl Span {
    fn start() -> Span {
        Span {
            started: Instant::now(),
            cpu: process_cpu_time(),
        }
    }

    fn show(&self, what: &str, n: u64) {
        let wall = self.started.elapsed().as_secs_f64();
        let cpu = (process_cpu_time() - self.cpu).as_secs_f64();
        println!(
            "  {what:<7} {:.2} µs ({:.2} µs), {:.0} a second: {n} in {wall:.1} s; {} MiB; {}",
            wall * 1e6 / n as f64,
            cpu * 1e6 / n as f64,
            n as f64 / wall,
            proc_kilobytes("/proc/self/status", "VmRSS:") >> 10,
            load()
        );
    }
}

fn show_space(crawl: &Path, n_urls: u64) {
    let n_bytes = folder_size(&crawl.join("tables")) as f64;
    println!("  disk    {:.0} bytes per URL", n_bytes / n_urls as f64);
    show_memory();
}

fn show_memory() {
    println!(
        "  memory  {} MiB resident, {} MiB at most",
        proc_kilobytes("/proc/self/status", "VmRSS:") >> 10,
        peak_memory() >> 20
    );
}

/// Which machine this is, as far as the kernel tells.
fn machine() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("?", |line| line.trim_start_matches([' ', '\t', ':']));
    let n_cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = proc_kilobytes("/proc/meminfo", "MemTotal:") >> 20;
    format!("{n_cores} cores of {model}, {memory} GiB; {}", load())
}

fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!("load {}", load.split(' ').next().unwrap_or("?"))
}

fn proc_kilobytes(file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    number.unwrap_or(0)
}

fn not_found() -> Landing {
    Landing {
        fetched: Fetched::Answer(Answer {
            status: 404,
            head: Vec::new(),
            content_type: None,
            location: None,
            body: bytes::Bytes::new(),
        }),
        server: None,
        took: Duration::ZERO,
        recorded: None,
    }
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
