//! What the benches share: honest clocks and a corpus that is always the same.
//!
//! Cost is CPU time, user and system, of the whole process: machines are
//! shared, and wall time would count the neighbours. Compare figures of one
//! run with each other, not with those of another day.
//!
//! Beside the benches: what must hold for any input (`fuzz.rs`), and inputs to
//! hold it against (`mutate.rs`, `hostile.rs`).

pub mod fuzz;
pub mod hostile;
pub mod mutate;
pub mod pages;

use crawl::clock::VirtualClock;
use crawl::conductor::Parts;
use crawl::settings::Settings;
use crawl::stage::process_cpu_time;
use lab::world::{MadeUpWeb, World, WorldSettings};
use page::html;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::visit::Time;
use strategy::means::Means;
use strategy::roster::{Roster, RosterError};
use strategy::{assign, order};

/// CPU time a piece of work takes.
pub fn cpu_time_of<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let before = process_cpu_time();
    let result = work();
    (process_cpu_time() - before, result)
}

/// A number from the environment, to make a bench larger or smaller.
pub fn size(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.replace('_', "").parse().ok())
        .unwrap_or(default)
}

/// A crawl of the default made-up web by six nodes for the 100 cities, with
/// `url` and `breadth` on the virtual clock, and where it begins.
pub fn made_up_crawl(
    dir: CrawlDir,
    settings: Settings,
) -> Result<(Parts, Vec<CanonicalUrl>), RosterError> {
    made_up_crawl_of(WorldSettings::default(), dir, settings)
}

/// The same of another made-up web.
pub fn made_up_crawl_of(
    world: WorldSettings,
    dir: CrawlDir,
    settings: Settings,
) -> Result<(Parts, Vec<CanonicalUrl>), RosterError> {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let world = Arc::new(World::new(world, gazetteer));
    let seeds = world.seeds(&targets);
    let roster = Roster::split(gazetteer, &targets, 6)?;
    let entry = assign::by_name("url").expect("registered");
    let means = Means::new(&targets, &roster);
    let assign = (entry.build)(&means).expect("it needs nothing");
    let order = order::by_name("breadth").expect("registered");
    let order = (order.build)(&means).expect("it needs nothing");
    let parts = Parts {
        dir,
        settings,
        roster,
        targets,
        assign,
        order,
        fetcher: Arc::new(MadeUpWeb(world)),
        clock: Box::new(VirtualClock::starting_at(Time(0))),
        stop: Arc::default(),
        appraiser: None,
        refresh: None,
    };
    Ok((parts, seeds))
}

/// The first pages of a breadth-first walk over the default made-up web.
pub fn corpus(n_pages: usize) -> Vec<(CanonicalUrl, Vec<u8>)> {
    let gazetteer = Gazetteer::built_in();
    let world = World::new(WorldSettings::default(), gazetteer);
    let mut queue = VecDeque::from(world.seeds(&Targets::us_top100(gazetteer)));
    let mut seen: HashSet<CanonicalUrl> = queue.iter().cloned().collect();
    let mut pages = Vec::with_capacity(n_pages);
    while let Some(url) = queue.pop_front() {
        if pages.len() == n_pages {
            break;
        }
        let crawl::fetch::Fetched::Answer(answer) = world.answer(&url).fetched else {
            continue;
        };
        if answer.status != 200 || !answer.is_text() {
            continue;
        }
        let page = html::read(&answer.body, &url, answer.content_type.as_deref());
        let links = page.links.into_iter().map(|link| link.url);
        queue.extend(links.filter(|link| seen.insert(link.clone())));
        pages.push((url, answer.body.to_vec()));
    }
    pages
}

/// The program, built if need be, in the folder this bench was built into;
/// LOCAVORE_BIN names one that is built already.
pub fn program() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(program) = std::env::var_os("LOCAVORE_BIN") {
        return Ok(program.into());
    }
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--package", "app", "--quiet"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()?;
    if !status.success() {
        return Err("the program cannot be built".into());
    }
    let own = std::env::current_exe()?;
    let release = own
        .parent()
        .and_then(Path::parent)
        .ok_or("no build folder")?;
    Ok(release.join("locavore"))
}
