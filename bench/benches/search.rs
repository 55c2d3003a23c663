//! The index: what it costs to build beside the crawl, how large it is, and how
//! fast it answers sixteen clients.
//!
//! `cargo bench -p bench --bench search`; LOCAVORE_BENCH_PAGES sets the number
//! of pages, LOCAVORE_BENCH_CRAWL names a crawl to take, made there if there is
//! none; with LOCAVORE_BENCH_ASK_ONLY its index is only asked, and with
//! LOCAVORE_BENCH_EACH every question also alone.

#![allow(clippy::print_stdout)]

use bench::{cpu_time_of, made_up_crawl, size};
use crawl::conductor;
use crawl::settings::Settings;
use crawl::stage::{memory, peak_memory};
use search::ask::Ask;
use search::index::Index;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};
use store::crawl_dir::CrawlDir;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Clients that ask at the same time.
const N_CLIENTS: usize = 16;

/// Questions of each client: the first ones make room for their threads.
const N_EACH: usize = 500;

/// Between two questions of a client who reads the answers, a fast one.
const PAUSE: Duration = Duration::from_millis(250);

/// What is asked for, in all combinations with where; some need widening, some
/// match a tenth of all pages, some nothing.
const WORDS: [&str; 8] = [
    "hotels",
    "pizza restaurant",
    "plumber",
    "public schools",
    "\"real estate\"",
    "lawyers OR dentists",
    "museum -art",
    "florist delivery open sunday",
];

const PLACES: [&str; 8] = [
    "in Houston",
    "in Texas",
    "near 100 Milam Street, Houston",
    "77002",
    "in Springfield",
    "portland oregon",
    "in Lisbon",
    "",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let dir = match std::env::var_os("LOCAVORE_BENCH_CRAWL") {
        Some(dir) if Path::new(&dir).exists() => PathBuf::from(dir),
        Some(dir) => crawl(Path::new(&dir))?,
        None => crawl(&folder.path().join("crawl"))?,
    };
    watch_memory();
    let index = build(&dir)?;
    let n_pages = index.n_pages().max(1);
    let per_page = |n_bytes: u64| n_bytes as f64 / n_pages as f64;
    let home = dir.join("index");
    println!(
        "{:.0} bytes a page on disk, {:.0} of them the text as people see it, {:.0} what others \
         call pages",
        per_page(size_of(&home, "")),
        per_page(size_of(&home, ".store")),
        per_page(size_of(&home.join("anchors"), "")),
    );
    // What is made on first use is made.
    ask(&index, Manner::Anew, 0);
    ask_all(&index, Manner::Anew, N_EACH, None);
    ask_all(&index, Manner::Anew, N_EACH / 10, Some(PAUSE));
    ask_all(&index, Manner::OrRecall, N_EACH, None);
    if std::env::var_os("LOCAVORE_BENCH_EACH").is_some() {
        ask_each(&index);
    }
    println!(
        "memory: {} MiB of its own at most, looked at ten times a second; with the pages of files \
         that the system keeps for it {} MiB now, {} MiB at most; the crawl's where one was made",
        OWN.load(Ordering::Relaxed) >> 10,
        memory() >> 20,
        peak_memory() >> 20
    );
    Ok(())
}

/// The most memory that was not the content of files, in KiB.
static OWN: AtomicU64 = AtomicU64::new(0);

/// Looks at the memory until the process ends.
fn watch_memory() {
    std::thread::spawn(|| {
        loop {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let own = status
                .lines()
                .find_map(|line| line.strip_prefix("RssAnon:"));
            let own = own.and_then(|own| own.trim().trim_end_matches(" kB").parse().ok());
            OWN.fetch_max(own.unwrap_or(0), Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(100));
        }
    });
}

fn crawl(dir: &Path) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 20_000);
    let settings = Settings {
        n_pages: Some(n_pages),
        ..Settings::default()
    };
    let (parts, seeds) = made_up_crawl(CrawlDir::create(dir, "")?, settings)?;
    let (time, ended) = cpu_time_of(|| conductor::run(parts, &seeds, &mut |_| {}));
    let (_, progress) = ended?;
    println!(
        "{} pages of the default made-up web crawled, {:.3} CPU ms each; CPU time of the process \
         here and below",
        progress.n_pages(),
        time.as_secs_f64() * 1e3 / progress.n_pages().max(1) as f64
    );
    Ok(dir.to_path_buf())
}

fn build(dir: &Path) -> Result<Index, Box<dyn std::error::Error>> {
    if std::env::var_os("LOCAVORE_BENCH_ASK_ONLY").is_some() {
        return Ok(Index::open_or_build(dir, &mut |_| {})?);
    }
    let start = Instant::now();
    let (time, index) = cpu_time_of(|| Index::rebuild(dir, &mut |_| {}));
    let index = index?;
    let n_pages = index.n_pages().max(1) as f64;
    println!(
        "{n_pages} pages indexed: {:.3} CPU ms each, {:.0} pages a second and core; {:.0} s on \
         the wall",
        time.as_secs_f64() * 1e3 / n_pages,
        n_pages / time.as_secs_f64(),
        start.elapsed().as_secs_f64(),
    );
    Ok(index)
}

/// Sixteen clients who each ask again as soon as they are answered, or who
/// each ask so often.
fn ask_all(index: &Index, manner: Manner, n_each: usize, every: Option<Duration>) {
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let client = |nth_client: usize| {
        let mut times = Vec::with_capacity(n_each);
        for round in 0..n_each {
            if let Some(every) = every {
                // Not all at the same moment.
                let due = every.mul_f64(round as f64 + nth_client as f64 / N_CLIENTS as f64);
                std::thread::sleep(due.saturating_sub(start.elapsed()));
            }
            let nth = next.fetch_add(1, Ordering::Relaxed);
            times.push(ask(index, manner, nth));
        }
        times
    };
    let (cpu, mut times) = cpu_time_of(|| {
        std::thread::scope(|scope| {
            let client = &client;
            let clients: Vec<_> = (0..N_CLIENTS)
                .map(|nth| scope.spawn(move || client(nth)))
                .collect();
            let times = clients.into_iter().flat_map(ScopedJoinHandle::join);
            times.flatten().collect::<Vec<(Duration, u64)>>()
        })
    });
    let took = start.elapsed();
    times.sort();
    let at = |share: f64| {
        let (time, _) = times[(times.len() as f64 * share) as usize];
        time.as_secs_f64() * 1e3
    };
    let n_hits: u64 = times.iter().map(|(_, n_hits)| n_hits).sum();
    println!(
        "{} questions by {N_CLIENTS} clients, {}, {}: p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms; \
         {:.0} answers a second, {:.2} CPU ms each, {:.0} pages match on average",
        times.len(),
        match every {
            None => "each without a pause".to_owned(),
            Some(every) => format!("each every {} ms", every.as_millis()),
        },
        match manner {
            Manner::Anew => "every answer worked out".to_owned(),
            Manner::OrRecall => {
                let n_different = WORDS.len() * PLACES.len();
                format!("{n_different} different ones, remembered as by `locavore serve`")
            }
        },
        at(0.5),
        at(0.9),
        at(0.99),
        times.len() as f64 / took.as_secs_f64(),
        cpu.as_secs_f64() * 1e3 / times.len() as f64,
        n_hits as f64 / times.len() as f64,
    );
}

/// CPU time of every single question when nobody else asks: the least of
/// twenty, since other work on the machine only adds.
fn ask_each(index: &Index) {
    const N_TIMES: u32 = 20;
    let n_questions = WORDS.len() * PLACES.len();
    let mut each: Vec<(Duration, u64, usize)> = (0..n_questions)
        .map(|nth| {
            let asks = (0..N_TIMES).map(|_| cpu_time_of(|| ask(index, Manner::Anew, nth).1));
            let (time, n_pages) = asks.min().unwrap_or_default();
            (time, n_pages, nth)
        })
        .collect();
    each.sort();
    let sum: Duration = each.iter().map(|(time, ..)| *time).sum();
    println!(
        "{:8.3} CPU ms a question on average, of each the least of {N_TIMES}",
        sum.as_secs_f64() * 1e3 / each.len() as f64
    );
    for (time, n_pages, nth) in each {
        let (words, place) = question(nth);
        let time = time.as_secs_f64() * 1e3;
        println!("{time:8.2} CPU ms, {n_pages:7} pages: {words} {place}");
    }
}

fn question(nth: usize) -> (&'static str, &'static str) {
    (
        WORDS[nth % WORDS.len()],
        PLACES[nth / WORDS.len() % PLACES.len()],
    )
}

/// Whether an answer given before is given again.
#[derive(Clone, Copy)]
enum Manner {
    Anew,
    OrRecall,
}

fn ask(index: &Index, manner: Manner, nth: usize) -> (Duration, u64) {
    let (words, place) = question(nth);
    let ask = Ask {
        query: format!("{words} {place}"),
        n_hits: 10,
        ..Ask::default()
    };
    let start = Instant::now();
    let n_pages = match manner {
        Manner::Anew => index.ask(&ask).map(|answer| answer.n_pages),
        Manner::OrRecall => index.ask_or_recall(&ask).map(|answer| answer.n_pages),
    };
    let n_pages = n_pages.expect("an index that was just built");
    (start.elapsed(), n_pages)
}

/// Bytes of all files in a folder whose names end so.
fn size_of(folder: &Path, ending: &str) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => size_of(&entry.path(), ending),
        _ if !entry.file_name().to_string_lossy().ends_with(ending) => 0,
        _ => entry.metadata().map_or(0, |metadata| metadata.len()),
    });
    sizes.sum()
}
