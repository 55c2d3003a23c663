//! `crawl::robots` on hostile patterns, and on the files of a folder.
//!
//! `cargo bench -p bench --bench robots`; LOCAVORE_BENCH_ROBOTS names a folder
//! with robots files, in any depth, such as a collection of real ones.

#![allow(clippy::print_stdout)]

use crawl::robots::Rules;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PATHS: [&str; 4] = [
    "/",
    "/index.html",
    "/search?q=town+hall&page=2",
    "/a/b/c/d/e/f/g.php?id=1234567890&session=abcdef#x",
];

const ROUNDS: u32 = 5;

fn main() {
    hostile();
    match std::env::var_os("LOCAVORE_BENCH_ROBOTS") {
        Some(folder) => real(Path::new(&folder)),
        None => println!("LOCAVORE_BENCH_ROBOTS is not set: no files are read"),
    }
}

/// Patterns on which a matcher that backtracks would take years.
fn hostile() {
    println!("one verdict on a path of 2,000 bytes, quickest of {ROUNDS}:");
    let path = format!("/{}", "a".repeat(2_000));
    let patterns = [
        ("/fish", "/fish".to_owned()),
        ("/*a*a…*b, 10 stars", format!("/{}*b", "*a".repeat(10))),
        (
            "/*a*a…*b, 1,000 stars",
            format!("/{}*b", "*a".repeat(1_000)),
        ),
        (
            "/*aa…ab, 1,000 letters",
            format!("/*{}b", "a".repeat(1_000)),
        ),
        (
            "/****…$, 100,000 stars",
            format!("/{}$", "*".repeat(100_000)),
        ),
    ];
    for (name, pattern) in patterns {
        let file = format!("user-agent: *\ndisallow: {pattern}\n");
        let rules = Rules::parse(file.as_bytes(), "locavore");
        let time = quickest(|| {
            black_box(rules.verdict(black_box(&path)));
        });
        println!("  {name:<24} {:>8.1} µs", time.as_secs_f64() * 1e6);
    }
    let line = format!("disallow: /{}*b\n", "*a".repeat(50));
    let file = format!("user-agent: *\n{}", line.repeat(500 * 1024 / line.len()));
    let rules = Rules::parse(file.as_bytes(), "locavore");
    let time = quickest(|| {
        black_box(rules.verdict(black_box(&path)));
    });
    println!(
        "  500 KiB of such lines    {:>8.1} µs",
        time.as_secs_f64() * 1e6
    );
}

/// Every file parsed and asked about some paths.
fn real(folder: &Path) {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let mut total = Duration::ZERO;
    let mut n_bytes = 0;
    let mut worst: Vec<(Duration, usize, &PathBuf)> = Vec::new();
    for file in &files {
        let Ok(bytes) = fs::read(file) else {
            println!("{} cannot be read", file.display());
            continue;
        };
        n_bytes += bytes.len();
        let time = quickest(|| {
            let rules = Rules::parse(black_box(&bytes), "locavore");
            for path in PATHS {
                black_box(rules.verdict(path));
            }
        });
        total += time;
        worst.push((time, bytes.len(), file));
    }
    worst.sort();
    println!(
        "{} files, {:.1} MB: {:.1} ms in all, parsed and asked about {} paths each; the slowest:",
        worst.len(),
        n_bytes as f64 / 1e6,
        total.as_secs_f64() * 1e3,
        PATHS.len(),
    );
    for (time, n_bytes, file) in worst.iter().rev().take(3) {
        let name = file.strip_prefix(folder).unwrap_or(file).display();
        let time = time.as_secs_f64() * 1e3;
        println!("  {time:>8.3} ms {n_bytes:>8} bytes  {name}");
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        println!("{} is no folder", folder.display());
        return;
    };
    for entry in entries.flatten() {
        match entry.path() {
            path if path.is_dir() => collect(&path, files),
            path => files.push(path),
        }
    }
}

fn quickest(mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..ROUNDS).map(time).min().unwrap_or_default()
}
