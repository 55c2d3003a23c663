//! What telling copies and traps costs: the shape of a page, looking it up and
//! entering it, judging a link.
//!
//! `cargo bench -p bench --bench copies`. Real pages are used where they lie
//! beside the repository (`LOCAVORE_EVAL` says where), and the made-up web;
//! LOCAVORE_BENCH_PAGES sets how many pages the book is filled with.
//! LOCAVORE_SHOW=1 names near copies and missing pages, to be looked at.

#![allow(clippy::print_stdout)]

use bench::pages::{Corpus, real_pages};
use bench::{corpus, cpu_time_of, size};
use crawl::copies::{Arrival, CopyBook};
use crawl::error::CrawlError;
use crawl::stage::peak_memory;
use crawl::trap::{Traps, address, is_missing};
use page::html::{self, Page};
use page::shape::Shape;
use page::url::CanonicalUrl;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::visit::{Refusal, Time};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;
/// Pages between two commits.
const N_GROUP: u64 = 512;
/// Links judged between two commits, all on different pages.
const N_LINK_GROUP: usize = 20_000;
/// Start of 2026.
const NOW: Time = Time(1_767_225_600_000);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("one thread, CPU time of the process, user and system; pages are read before\n");
    let mut corpora = real_pages()?;
    if corpora.is_empty() {
        println!("no real pages: `LOCAVORE_EVAL` names no folder of them\n");
    }
    corpora.push(made_up_pages());
    for corpus in &corpora {
        shapes(corpus);
    }
    println!();
    for corpus in &corpora {
        near_copies(corpus)?;
    }
    println!();
    let folder = tempfile::tempdir()?;
    let mut dir = CrawlDir::create(&folder.path().join("crawl"), "")?;
    let pages: Vec<&Page> = corpora.iter().flat_map(|corpus| &corpus.pages).collect();
    book(&mut dir, &pages)?;
    println!();
    for corpus in &corpora {
        links(&mut dir, corpus)?;
    }
    println!("\nmost memory held: {} MiB", peak_memory() >> 20);
    Ok(())
}

fn made_up_pages() -> Corpus {
    let bodies = corpus(2_000);
    let read = |(url, body): &(_, Vec<u8>)| html::read(body, url, Some("text/html"));
    Corpus {
        name: "made-up web",
        pages: bodies.iter().map(read).collect(),
    }
}

/// The cost of a shape, and of looking for signs of a missing page.
fn shapes(Corpus { name, pages }: &Corpus) {
    let n_bytes: usize = pages.iter().map(|page| page.text.len()).sum();
    let n_shapes = pages.iter().filter_map(Shape::of).count();
    let n_missing = pages.iter().filter(|page| is_missing(page)).count();
    let shape = best(|| {
        for page in pages {
            black_box(Shape::of(page));
        }
    });
    let missing = best(|| {
        for page in pages {
            black_box(is_missing(page));
        }
    });
    println!(
        "{name:<22} {:>5} pages of {:>5.1} KB text, {n_shapes:>5} with a shape: {:>5.2} µs a page, \
         {:>4.0} MB/s; missing? {:>5.2} µs a page, {n_missing} are",
        pages.len(),
        n_bytes as f64 / 1e3 / pages.len() as f64,
        microseconds(shape, pages.len()),
        n_bytes as f64 / 1e6 / shape.as_secs_f64(),
        microseconds(missing, pages.len()),
    );
}

/// What of a corpus would be called a near copy of something before it.
fn near_copies(Corpus { name, pages }: &Corpus) -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let dir = CrawlDir::create(&folder.path().join("crawl"), "")?;
    let book = CopyBook::open(&dir)?;
    let mut n_found = 0;
    for (idx, page) in pages.iter().enumerate() {
        // Some sets have one address for all pages.
        let url = CanonicalUrl::parse(&format!("http://a.example/{idx}"))?;
        let shape = Shape::of(page);
        let arrival = Arrival {
            url: &url,
            digest: &[0; 20],
            n_bytes: 0,
            shape: shape.as_ref(),
        };
        let found = book.find(&arrival)?;
        if let Some(found) = &found {
            n_found += 1;
            let of = &pages[found.copy.of as usize];
            show(&format!(
                "near  {} [{}]\n   of {} [{}]",
                page.url, page.title, of.url, of.title
            ));
        }
        if is_missing(page) {
            show(&format!(
                "missing {} [{}] {:.300?}",
                page.url, page.title, page.text
            ));
        }
        let mut batch = dir.batch();
        book.learn(&mut batch, &arrival, idx as u64, NOW, found.as_ref());
        dir.apply(batch)?;
    }
    println!(
        "{name:<22} {n_found:>5} of {:>5} pages are near copies by their text",
        pages.len()
    );
    Ok(())
}

fn show(line: &str) {
    if size("LOCAVORE_SHOW", 0) > 0 {
        println!("{line}");
    }
}

/// Enters pages until the tables no longer fit into their buffers. Shapes are
/// those of real pages, under keys of their own each time round.
fn book(dir: &mut CrawlDir, pages: &[&Page]) -> Result<(), CrawlError> {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 200_000);
    let shapes: Vec<Shape> = pages.iter().filter_map(|page| Shape::of(page)).collect();
    let book = CopyBook::open(dir)?;
    let mut shown = 0;
    let mut n_copies = 0;
    let mut spent = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for seq in 0..n_pages {
        let (round, idx) = (seq / shapes.len() as u64, seq as usize % shapes.len());
        let shape = shapes[idx].marked([round]);
        let url = CanonicalUrl::parse(&format!("http://host{}.example/pages/{seq}", seq % 997));
        let url = url.expect("a made-up URL is one");
        let mut digest = [0; 20];
        digest[..16].copy_from_slice(&url.fingerprint().0.to_be_bytes());
        let arrival = Arrival {
            url: &url,
            digest: &digest,
            n_bytes: 20_000,
            shape: Some(&shape),
        };
        let (time, found) = cpu_time_of(|| book.find(&arrival));
        let found = found?;
        spent.0 += time;
        n_copies += u64::from(found.is_some());
        let (time, applied) = cpu_time_of(|| {
            let mut batch = dir.batch();
            book.learn(&mut batch, &arrival, seq, Time(seq), found.as_ref());
            dir.apply(batch)
        });
        applied?;
        spent.1 += time;
        if seq % N_GROUP == N_GROUP - 1 {
            let (time, committed) = cpu_time_of(|| dir.commit(dir.batch()));
            committed?;
            spent.2 += time;
        }
        let n_new = seq + 1 - shown;
        if n_new * 4 >= n_pages {
            let each = |time: Duration| microseconds(time, n_new as usize);
            println!(
                "book of {:>7} pages, {:>4.1} % near copies: find {:>5.2} µs, learn {:>5.2} µs, \
                 its part of commits {:>5.2} µs a page",
                seq + 1,
                100.0 * n_copies as f64 / n_new as f64,
                each(spent.0),
                each(spent.1),
                each(spent.2),
            );
            (shown, n_copies) = (seq + 1, 0);
            spent = Default::default();
        }
    }
    Ok(())
}

/// The links of all pages, judged in their order.
fn links(dir: &mut CrawlDir, Corpus { name, pages }: &Corpus) -> Result<(), CrawlError> {
    let urls: Vec<&CanonicalUrl> = pages
        .iter()
        .flat_map(|page| page.links.iter().map(|link| &link.url))
        .collect();
    if urls.is_empty() {
        return Ok(());
    }
    let alone = best(|| {
        for url in &urls {
            black_box(address::judge(url, NOW));
        }
    });
    let mut traps = Traps::open(dir)?;
    let mut refused = BTreeMap::<Refusal, usize>::new();
    let mut times = [Duration::ZERO; 2];
    // The second time every host is known.
    for time in &mut times {
        refused.clear();
        for group in urls.chunks(N_LINK_GROUP) {
            let (spent, judged) = cpu_time_of(|| -> Result<(), CrawlError> {
                for url in group {
                    if let Some(refusal) = traps.judge(url, NOW)? {
                        *refused.entry(refusal).or_default() += 1;
                    }
                }
                Ok(())
            });
            judged?;
            *time += spent;
            let mut batch = dir.batch();
            traps.save(&mut batch);
            dir.commit(batch)?;
        }
    }
    let nanoseconds = |time: Duration| 1e3 * microseconds(time, urls.len());
    println!(
        "{name:<22} {:>7} links: {:>4.0} ns a link by the address, {:>4.0} ns with what hosts \
         taught, {:>4.0} ns the second time",
        urls.len(),
        nanoseconds(alone),
        nanoseconds(times[0]),
        nanoseconds(times[1]),
    );
    for (refusal, n) in refused {
        let share = 100.0 * n as f64 / urls.len() as f64;
        println!("{:>40} {share:>6.2} %", refusal.name());
    }
    Ok(())
}

fn microseconds(time: Duration, n: usize) -> f64 {
    time.as_secs_f64() * 1e6 / n.max(1) as f64
}

/// The least CPU time of several rounds: whatever disturbs only adds.
fn best(work: impl Fn()) -> Duration {
    let rounds = (0..ROUNDS).map(|_| cpu_time_of(&work).0);
    rounds.min().unwrap_or_default()
}
