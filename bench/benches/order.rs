//! What ordering the links of a page costs, for each order: looking at the
//! page, judging its links, and learning what came of it. And what the model
//! holds after more words than it has room for.
//!
//! `cargo bench -p bench --bench order`; LOCAVORE_BENCH_PAGES sets the number,
//! LOCAVORE_BENCH_ORDER asks for one order only.

#![allow(clippy::print_stdout)]

use bench::{corpus, cpu_time_of, size};
use crawl::stage::memory;
use lab::exploration;
use lab::world::{World, WorldSettings};
use page::html::{self, Link, Page};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::hint::black_box;
use std::sync::Arc;
use strategy::evaluate::Evaluation;
use strategy::means::{Means, Subject};
use strategy::order::{self, Clues, Entry, Judgement, Lesson, Order, Sighting, Step};
use strategy::roster::Roster;
use strategy::scene::Scene;
use strategy::status::{StatusError, StatusModel, Traffic};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: u32 = 5;

/// Lessons with words of their own: more than a table has rows.
const N_LESSONS: u32 = 2_000_000;

struct Stage {
    targets: Targets,
    roster: Roster,
    pages: Vec<Page>,
    status: Arc<StatusModel>,
}

impl Stage {
    fn means(&self) -> Means<'_> {
        Means {
            // Judging is dearer once there is a model.
            train_pages: 0,
            topic: Some(Subject::Geography),
            status: Some(self.status.clone()),
            ..Means::new(&self.targets, &self.roster)
        }
    }

    fn scene<'a>(&'a self, page: &'a Page, evaluation: &'a Evaluation) -> Scene<'a> {
        Scene {
            page,
            evaluation,
            targets: &self.targets,
            roster: &self.roster,
            node: self.roster.general(),
            via: None,
            server: None,
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 2_000) as usize;
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let mut stage = Stage {
        roster: Roster::split(gazetteer, &targets, 1)?,
        targets,
        pages: Vec::new(),
        status: Arc::new(status()?),
    };
    if let Ok(name) = std::env::var("LOCAVORE_BENCH_GROWN") {
        let entry = order::by_name(&name).ok_or("no such order")?;
        println!("{}", grown(&stage, entry)?);
        return Ok(());
    }
    stage.pages = corpus(n_pages)
        .iter()
        .map(|(url, body)| html::read(body, url, Some("text/html")))
        .collect();
    let n_links: usize = stage.pages.iter().map(|page| page.links.len()).sum();
    println!(
        "{} pages of the default made-up web with {:.1} links each; the best of {ROUNDS} rounds, \
         one thread, CPU time of the process",
        stage.pages.len(),
        n_links as f64 / stage.pages.len() as f64,
    );
    println!("µs                  look    judge    learn   a page   a link    model");
    let only = std::env::var("LOCAVORE_BENCH_ORDER").ok();
    let is_wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
    for entry in order::ALL.iter().filter(|entry| is_wanted(entry.name)) {
        measure(&stage, entry)?;
    }
    println!("model: MiB that the process grew by in {N_LESSONS} lessons with words of their own");
    Ok(())
}

/// Some model of status: what it says takes as long as what a better one says.
fn status() -> Result<StatusModel, StatusError> {
    let world = World::new(WorldSettings::default(), Gazetteer::built_in());
    let seeds = world.all_seeds();
    exploration::status(&world, seeds, &Traffic::built_in(), 500)
}

fn measure(stage: &Stage, entry: &Entry) -> Result<(), Box<dyn std::error::Error>> {
    let mut order = (entry.build)(&stage.means())?;
    let mut best = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        for (best, time) in best.iter_mut().zip(round(stage, &mut order)) {
            *best = best.min(time);
        }
    }
    let n_pages = stage.pages.len() as f64;
    let n_links: usize = stage.pages.iter().map(|page| page.links.len()).sum();
    let [look, judge, learn] = best.map(|time| time * 1e6 / n_pages);
    let all = look + judge + learn;
    println!(
        "{:<14} {look:>9.2}{judge:>9.2}{learn:>9.2}{all:>9.2}{:>9.2}{:>9}",
        entry.name,
        all * n_pages / n_links as f64,
        grown_alone(entry)? >> 20,
    );
    Ok(())
}

/// Seconds for looking at all pages, judging all links, learning from all pages.
fn round(stage: &Stage, order: &mut Order) -> [f64; 3] {
    let evaluation = Evaluation::default();
    let (look, clues) = cpu_time_of(|| -> Vec<Vec<Clues>> {
        let look = |page: &Page| {
            let links: Vec<&Link> = page.links.iter().collect();
            order.eye.look(&stage.scene(page, &evaluation), &links)
        };
        stage.pages.iter().map(look).collect()
    });
    let (judge, ()) = cpu_time_of(|| {
        for (url, clues) in (0..).zip(clues.iter().flatten()) {
            black_box(order.mind.judge(&Sighting::new(url, 2, clues)) == Judgement::Leave);
        }
    });
    // Every page was found by some link: one of the page before it.
    let n_steps = order.mind.memory();
    let trails: Vec<Vec<Step>> = clues
        .windows(n_steps.max(1))
        .map(|window| {
            let links = window.iter().filter_map(|links| links.first());
            let step = |clues: &Clues| Step {
                distance: 1,
                clues: clues.clone(),
            };
            links.map(step).collect()
        })
        .collect();
    let (learn, ()) = cpu_time_of(|| {
        for (nth, trail) in trails.iter().enumerate().filter(|_| n_steps > 0) {
            let is_relevant = nth % 10 == 0;
            order.mind.learn(&Lesson { trail, is_relevant });
        }
    });
    [look, judge, learn].map(|time| time.as_secs_f64())
}

/// The same in a process of its own: no memory that was used before is used again.
fn grown_alone(entry: &Entry) -> Result<u64, Box<dyn std::error::Error>> {
    let child = std::process::Command::new(std::env::current_exe()?)
        .env("LOCAVORE_BENCH_GROWN", entry.name)
        .output()?;
    Ok(String::from_utf8(child.stdout)?.trim().parse()?)
}

/// Bytes that a model takes once all of its tables were written to.
fn grown(stage: &Stage, entry: &Entry) -> Result<u64, Box<dyn std::error::Error>> {
    let before = memory();
    let mut order = (entry.build)(&stage.means())?;
    let n_steps = order.mind.memory();
    for nth in (0..N_LESSONS).filter(|_| n_steps > 0) {
        let step = |step: u32| Step {
            distance: 1,
            clues: (0..8)
                .map(|clue| (nth * 8 + clue + step).wrapping_mul(2_654_435_761) >> 12)
                .collect(),
        };
        let trail: Vec<Step> = (0..n_steps as u32).map(step).collect();
        order.mind.learn(&Lesson {
            trail: &trail,
            is_relevant: nth % 10 == 0,
        });
    }
    let grown = memory().saturating_sub(before);
    drop(order);
    Ok(grown)
}
