//! What assigning the links of a page costs, for each strategy.
//!
//! `cargo bench -p bench --bench assign`; LOCAVORE_BENCH_PAGES sets the number.

#![allow(clippy::print_stdout)]

use bench::{corpus, cpu_time_of, size};
use lab::shelves::{self, Wanted};
use lab::world::{World, WorldSettings};
use page::html::{self, Page};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::hint::black_box;
use std::net::IpAddr;
use std::sync::Arc;
use strategy::assign::{self, Assign};
use strategy::evaluate::Evaluation;
use strategy::means::Means;
use strategy::model::{Label, Model, Trainer};
use strategy::roster::Roster;
use strategy::scene::Scene;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: u32 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 2_000) as usize;
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 6)?;
    let world = Arc::new(World::new(WorldSettings::default(), gazetteer));
    let means = Means {
        model: Some(Arc::new(model(&world, &targets, &roster))),
        servers: Some(world.clone()),
        ..Means::new(&targets, &roster)
    };
    let bodies = corpus(n_pages);
    let n_bytes: usize = bodies.iter().map(|(_, body)| body.len()).sum();
    let read = |(url, body): &(_, Vec<u8>)| {
        let server = world.server_of(url);
        (html::read(body, url, Some("text/html")), server)
    };
    let pages: Vec<(Page, Option<IpAddr>)> = bodies.iter().map(read).collect();
    let n = pages.len() as f64;
    let n_text: usize = pages.iter().map(|(page, _)| page.text.len()).sum();
    let n_links: usize = pages.iter().map(|(page, _)| page.links.len()).sum();
    println!(
        "{n} pages of the default made-up web, {:.1} KB, {:.1} KB of it text, and {:.1} links \
         each; the best of {ROUNDS} rounds, one thread, CPU time of the process",
        n_bytes as f64 / 1e3 / n,
        n_text as f64 / 1e3 / n,
        n_links as f64 / n,
    );
    for entry in assign::ALL {
        let strategy = (entry.build)(&means)?;
        let rounds = (0..ROUNDS).map(|_| assign_all(&*strategy, &targets, &roster, &pages));
        let best = rounds.fold(f64::INFINITY, f64::min);
        println!("{:<10} {:>7.2} µs a page", entry.name, best * 1e6 / n);
    }
    Ok(())
}

/// Seconds for all links of all pages.
fn assign_all(
    strategy: &dyn Assign,
    targets: &Targets,
    roster: &Roster,
    pages: &[(Page, Option<IpAddr>)],
) -> f64 {
    let evaluation = Evaluation::default();
    let (time, ()) = cpu_time_of(|| {
        for (page, server) in pages {
            let view = strategy.view(Scene {
                page,
                evaluation: &evaluation,
                targets,
                roster,
                node: roster.general(),
                via: None,
                server: *server,
            });
            for link in &page.links {
                black_box(view.assign(link));
            }
            black_box(view.mapped());
        }
    });
    time.as_secs_f64()
}

fn model(world: &World, targets: &Targets, roster: &Roster) -> Model {
    let mut trainer = Trainer::new(targets, roster);
    let wanted = Wanted {
        of_target: 50,
        of_none: 2_000,
    };
    shelves::examples(world, targets, wanted, &mut |target, page| {
        trainer.learn(target.map_or(Label::None, Label::Target), &page.text);
    });
    trainer.finish("bench")
}
