//! What a page's topicality and status cost on top of parsing: counting its
//! words, the support vector machine, the seven features and the tree. And
//! what the models take to train and to hold.
//!
//! `cargo bench -p bench --bench utility`; LOCAVORE_BENCH_PAGES sets the number.

#![allow(clippy::print_stdout)]

use bench::{corpus, cpu_time_of, size};
use crawl::stage::memory;
use lab::exploration;
use lab::topics::{self, Examples};
use lab::world::{World, WorldSettings};
use page::html::{self, Page};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::hint::black_box;
use std::sync::Arc;
use strategy::appraise::Appraiser;
use strategy::bag::Bag;
use strategy::evaluate::Evaluation;
use strategy::means::{Means, Subject};
use strategy::roster::Roster;
use strategy::status::Traffic;
use strategy::topic::Topic;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: u32 = 5;

/// Pages of the exploratory crawl.
const N_EXPLORED: usize = 5_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 2_000) as usize;
    let gazetteer = Gazetteer::built_in();
    let world = World::new(WorldSettings::default(), gazetteer);
    let lessons = topics::lessons(&world, "restaurants", topics::N_EXAMPLES);
    let lessons = lessons.ok_or("no such topic")?;
    let before = memory();
    let (took, topic) = cpu_time_of(|| train(&lessons.training));
    let topic = Arc::new(topic?);
    println!(
        "topic: {} + {} pages in {:.2} s",
        topic.n_examples().0,
        topic.n_examples().1,
        took.as_secs_f64()
    );
    let traffic = Traffic::built_in();
    let explore = || exploration::status(&world, world.all_seeds(), &traffic, N_EXPLORED);
    let (took, status) = cpu_time_of(explore);
    let status = Arc::new(status?);
    println!(
        "status: {N_EXPLORED} pages made up, read and learned from in {:.2} s; θ {:.2}",
        took.as_secs_f64(),
        status.theta()
    );
    println!(
        "as files: {} and {} KB; the process grew by {} MiB",
        topic.to_bytes().len() >> 10,
        status.to_bytes().len() >> 10,
        memory().saturating_sub(before) >> 20,
    );
    let corpus = corpus(n_pages);
    let n_bytes: usize = corpus.iter().map(|(_, body)| body.len()).sum();
    let pages: Vec<Page> = corpus
        .iter()
        .map(|(url, body)| html::read(body, url, Some("text/html")))
        .collect();
    let n_text: usize = pages.iter().map(|page| page.text.len()).sum();
    println!(
        "{} pages of {} bytes, {} of them text; the best of {ROUNDS} rounds, one thread, CPU time \
         of the process",
        pages.len(),
        n_bytes / pages.len(),
        n_text / pages.len(),
    );
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 1)?;
    let means = Means {
        topic: Some(Subject::Topic(topic.clone())),
        status: Some(status.clone()),
        ..Means::new(&targets, &roster)
    };
    let appraiser = Appraiser::of(&means).ok_or("no topic")?;
    let bags: Vec<Bag> = pages.iter().map(Bag::of).collect();
    let both = || pages.iter().zip(&bags);
    println!("µs a page");
    tell("count words", &pages, || {
        pages.iter().for_each(|page| drop(black_box(Bag::of(page))));
    });
    tell("topicality", &pages, || {
        bags.iter().for_each(|bag| {
            black_box(topic.topicality_of(bag));
        });
    });
    tell("status", &pages, || {
        both().for_each(|(page, bag)| {
            black_box(status.status_of(page, bag, &traffic));
        });
    });
    tell("all", &pages, || {
        for page in &pages {
            let mut evaluation = Evaluation::default();
            appraiser.appraise(page, &mut evaluation);
            black_box(evaluation.topicality);
        }
    });
    Ok(())
}

fn train(examples: &Examples) -> Result<Topic, strategy::topic::TopicError> {
    Topic::train("restaurants", &examples.positives, &examples.negatives)
}

fn tell(what: &str, pages: &[Page], work: impl Fn()) {
    let times = (0..ROUNDS).map(|_| cpu_time_of(&work).0.as_secs_f64());
    let best = times.fold(f64::INFINITY, f64::min);
    println!("{what:<14} {:>8.2}", best * 1e6 / pages.len() as f64);
}
