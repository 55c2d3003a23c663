//! Geoparsing, stage by stage: addresses, names of places, structured data.
//!
//! `cargo bench -p bench --bench geoparse`. Real pages are used where they
//! lie beside the repository (`LOCAVORE_EVAL` says where), the made-up web
//! otherwise; LOCAVORE_BENCH_PAGES sets how many of those.

#![allow(clippy::print_stdout)]

use bench::fuzz::TARGETS;
use bench::hostile::{DOCUMENTS, Hostile, TEXTS};
use bench::pages::{Corpus, real_pages};
use bench::{corpus, cpu_time_of, size};
use crawl::stage::peak_memory;
use page::html::{self, Page};
use place::address::Addresses;
use place::evidence::Understanding;
use place::gazetteer::Gazetteer;
use place::toponym::{Context, Toponyms};
use std::hint::black_box;
use strategy::evidence::claim;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;

/// The two sizes of hostile inputs, in KB: what takes more a KB at the second is not linear.
const SIZES: [usize; 2] = [32, 512];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "one thread, text in; best of {ROUNDS} rounds in CPU time of the process, user and \
         system; HTML is read before and does not count\n"
    );
    let tools = prepare();
    let mut corpora = real_pages()?;
    if corpora.is_empty() {
        println!(
            "\nno real pages (`LOCAVORE_EVAL` names no folder of them): pages of the made-up web"
        );
        corpora.push(made_up_pages());
    }
    println!(
        "\n{:<22} {:>6} {:>8}  {:<12} {:>8} {:>10} {:>9}",
        "pages", "pages", "MB text", "stage", "MB/s", "µs a page", "found"
    );
    let mut all = (0.0, 0.0);
    for corpus in &corpora {
        let (megabytes, seconds) = measure(corpus, &tools);
        all = (all.0 + megabytes, all.1 + seconds);
    }
    let (megabytes, seconds) = all;
    println!(
        "{:<22} {:>6} {megabytes:>8.2}  {:<12} {:>8.1}",
        "all of them",
        "",
        "addr. + names",
        megabytes / seconds
    );
    println!(
        "\n{:<12} {:<28} {:>9} KB {:>6} KB   µs a KB, at the two sizes",
        "hostile", "", SIZES[0], SIZES[1]
    );
    for input in &TEXTS {
        hostile("addresses", input, |text| {
            drop(black_box(tools.addresses.find(text)));
        });
        hostile("names", input, |text| {
            drop(black_box(tools.toponyms.find(text, &Context::default())));
        });
    }
    for input in &DOCUMENTS {
        let target = TARGETS.iter().find(|target| target.name == input.target);
        let run = target.ok_or("every input has a target")?.run;
        hostile(input.target, input, |text| run(text.as_bytes()));
    }
    println!("\nmost memory held: {} MiB", peak_memory() >> 20);
    Ok(())
}

struct Tools {
    addresses: Addresses,
    toponyms: Toponyms<'static>,
    understanding: Understanding<'static>,
}

/// Makes everything that is made once, and says what that costs.
fn prepare() -> Tools {
    fn step<T>(name: &str, work: impl FnOnce() -> T) -> T {
        let before = memory_held();
        let (time, made) = cpu_time_of(work);
        let milliseconds = time.as_secs_f64() * 1e3;
        let grown = memory_held() - before;
        println!("{name:<28} {milliseconds:>6.0} ms, {grown:>6.1} MiB");
        made
    }
    let gazetteer = step("open the gazetteer", Gazetteer::built_in);
    Tools {
        addresses: step("prepare addresses", || Addresses::new(gazetteer)),
        toponyms: step("prepare names", || Toponyms::new(gazetteer)),
        understanding: step("prepare structured data", || Understanding::new(gazetteer)),
    }
}

/// MiB of memory in use now; zero where the system does not say.
fn memory_held() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1024.0
}

fn made_up_pages() -> Corpus {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 2_000) as usize;
    let bodies = corpus(n_pages);
    let read = |(url, body): &(_, Vec<u8>)| html::read(body, url, Some("text/html"));
    Corpus {
        name: "made-up web",
        pages: bodies.iter().map(read).collect(),
    }
}

/// Prints every stage; megabytes of text, and seconds for addresses and names.
fn measure(corpus: &Corpus, tools: &Tools) -> (f64, f64) {
    let Corpus { name, pages } = corpus;
    let n_bytes: usize = pages.iter().map(|page| page.text.len()).sum();
    let megabytes = n_bytes as f64 / 1e6;
    let mut label = format!("{name:<22} {:>6} {megabytes:>8.2}", pages.len());
    let addresses: Vec<_> = pages
        .iter()
        .map(|page| tools.addresses.find(&page.text))
        .collect();
    let find_addresses = |page: &Page, _: usize| tools.addresses.find(&page.text).len();
    let find_names = |page: &Page, idx: usize| {
        let context = Context {
            host: page.url.host(),
            addresses: &addresses[idx],
            places: &[],
        };
        tools.toponyms.find(&page.text, &context).len()
    };
    let understand = |page: &Page, _: usize| {
        let claims = page.structured.iter().map(claim);
        let known = |claim| tools.understanding.understand(&claim, &tools.addresses);
        claims.filter_map(known).count()
    };
    type Stage<'s> = (&'static str, &'s dyn Fn(&Page, usize) -> usize);
    let stages: [Stage<'_>; 4] = [
        ("addresses", &find_addresses),
        ("names", &find_names),
        ("structured", &understand),
        ("all", &|page, idx| {
            find_addresses(page, idx) + find_names(page, idx) + understand(page, idx)
        }),
    ];
    let mut text_seconds = 0.0;
    for (stage, work) in stages {
        let run = || {
            pages
                .iter()
                .enumerate()
                .map(|(idx, page)| work(page, idx))
                .sum::<usize>()
        };
        let (seconds, n_found) = best(run);
        println!(
            "{label}  {stage:<12} {:>8.1} {:>10.1} {n_found:>9}",
            megabytes / seconds,
            seconds * 1e6 / pages.len().max(1) as f64,
        );
        label = " ".repeat(label.chars().count());
        if matches!(stage, "addresses" | "names") {
            text_seconds += seconds;
        }
    }
    (megabytes, text_seconds)
}

fn hostile(stage: &str, input: &Hostile, work: impl Fn(&str)) {
    let cost = SIZES.map(|kilobytes| {
        let text = input.of_size(kilobytes << 10);
        let (seconds, ()) = best(|| work(&text));
        seconds * 1e6 / kilobytes as f64
    });
    println!(
        "{stage:<12} {:<28} {:>12.2} {:>9.2}",
        input.name, cost[0], cost[1]
    );
}

/// The least CPU time of several rounds: whatever disturbs only adds.
fn best<T>(work: impl Fn() -> T) -> (f64, T) {
    let (mut time, mut result) = cpu_time_of(&work);
    for _ in 1..ROUNDS {
        let (again, same) = cpu_time_of(&work);
        (time, result) = (time.min(again), same);
    }
    (time.as_secs_f64(), result)
}
