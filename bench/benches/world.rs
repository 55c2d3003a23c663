//! How fast pages of a made-up web are made, and how large they are.
//!
//! `cargo bench -p bench --bench world` prints microseconds and kilobytes for
//! each page of a breadth-first walk from the seeds of the default world, and how
//! many have an address of one of the hundred targets.
#![allow(clippy::print_stdout, reason = "the table is what the bench is for")]

use crawl::fetch::Fetched;
use lab::world::{World, WorldSettings};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let started = Instant::now();
    let gazetteer = Gazetteer::built_in();
    println!("opening the gazetteer: {:?}", started.elapsed());
    let started = Instant::now();
    let world = World::new(WorldSettings::default(), gazetteer);
    println!("setting a world up:    {:?}", started.elapsed());
    let targets = Targets::us_top100(gazetteer);
    breadth_first(&world, &targets, 40_000);
}

fn breadth_first(world: &World, targets: &Targets, n_wanted: usize) {
    let wanted: HashSet<_> = targets.list().iter().map(|target| target.place).collect();
    let mut queue: VecDeque<CanonicalUrl> = world.seeds(targets).into();
    let mut seen: HashSet<CanonicalUrl> = queue.iter().cloned().collect();
    let (mut n_pages, mut n_bytes, mut n_links, mut n_geo, mut n_asked) = (0, 0, 0, 0, 0);
    let (mut making, mut foreseeing) = (Duration::ZERO, Duration::ZERO);
    while let Some(url) = queue.pop_front()
        && n_pages < n_wanted
    {
        let started = Instant::now();
        let foreseen = world.latency(&url);
        foreseeing += started.elapsed();
        n_asked += 1;
        let started = Instant::now();
        let landing = world.answer(&url);
        let took = started.elapsed();
        assert_eq!(foreseen, landing.took);
        let Fetched::Answer(answer) = landing.fetched else {
            continue;
        };
        let Some(truth) = world.truth(&url).filter(|_| answer.status == 200) else {
            continue;
        };
        making += took;
        n_pages += 1;
        n_bytes += answer.body.len();
        n_geo += usize::from(truth.addresses.iter().any(|place| wanted.contains(place)));
        let text = String::from_utf8_lossy(&answer.body).replace("<A HREF=", "<a href=\"");
        for reference in text.split("<a href=\"").skip(1) {
            n_links += 1;
            let reference = reference.split(['"', '>']).next().unwrap_or_default();
            if let Ok(link) = url.join(reference)
                && seen.insert(link.clone())
            {
                queue.push_back(link);
            }
        }
    }
    let each = |sum: f64| sum / n_pages as f64;
    println!("breadth first, {n_pages} pages:");
    println!(
        "  {:.1} µs to make a page",
        each(making.as_secs_f64() * 1e6)
    );
    println!(
        "  {:.2} µs to foresee its time",
        foreseeing.as_secs_f64() * 1e6 / f64::from(n_asked)
    );
    println!(
        "  {:.1} KB and {:.1} links in a page",
        each(n_bytes as f64 / 1000.0),
        each(f64::from(n_links))
    );
    println!(
        "  {:.2} % of pages with an address of a target",
        each(n_geo as f64) * 100.0
    );
}
