//! What learning costs: a topic from pages, a model tree from tables, and
//! asking either.
//!
//! Documents are made up, with terms as common as in real text (Zipf): the
//! words of a topic are mixed into every document, more of them into positive
//! ones, and one in fifty has the wrong label. Training is counting terms,
//! TF-IDF and the support vector machine, all of it.
//!
//! `cargo bench -p bench --bench learn`; LOCAVORE_BENCH_DOCUMENTS sets the
//! largest collection.

#![allow(clippy::print_stdout)]

use bench::mutate::Dice;
use bench::{cpu_time_of, size};
use crawl::stage::memory;
use learn::svm::{Example, Settings, Svm};
use learn::tfidf::{self, Idf};
use learn::tree::{self, ModelTree};
use std::hint::black_box;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Terms there may be, by hash.
const N_TERMS: u32 = 1 << 20;

/// Words of a document, two in three of them different.
const N_WORDS: usize = 600;

const N_ROUNDS: usize = 3;

struct Document {
    words: Vec<u32>,
    is_positive: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "made-up documents of {N_WORDS} words, {N_TERMS} possible terms; CPU time of the process, \
         one thread; KB of both models as bytes, MiB the process grew by in training"
    );
    println!(
        "{:>9}{:>7}{:>11}{:>10}{:>8}{:>8}{:>10}{:>10}{:>9}{:>11}{:>11}",
        "documents",
        "terms",
        "counting s",
        "tf-idf s",
        "svm s",
        "all s",
        "model KB",
        "grew MiB",
        "right %",
        "tf-idf µs",
        "margin µs",
    );
    let largest = size("LOCAVORE_BENCH_DOCUMENTS", 50_000) as usize;
    for n_documents in [500, 5_000, 50_000] {
        if n_documents <= largest {
            measure_text(n_documents)?;
        }
    }
    measure_tree(size("LOCAVORE_BENCH_ROWS", 50_000) as usize)
}

fn measure_text(n_documents: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut dice = Dice::new(8);
    let documents: Vec<Document> = (0..n_documents + 500)
        .map(|_| document(&mut dice))
        .collect();
    let before = memory();
    let words = documents.iter().map(|document| document.words.clone());
    let words: Vec<Vec<u32>> = words.collect();
    let (counting, counted) =
        cpu_time_of(|| -> Vec<_> { words.into_iter().map(tfidf::count).collect() });
    let (learned, held_out) = counted.split_at(n_documents);
    let (weighing, (idf, vectors)) = cpu_time_of(|| {
        let idf = Idf::of(learned.iter().map(Vec::as_slice), N_TERMS);
        let vectors: Vec<_> = learned.iter().map(|terms| idf.weigh(terms)).collect();
        (idf, vectors)
    });
    let (fitting, svm) = cpu_time_of(|| {
        let pairs = vectors.iter().zip(&documents);
        let examples: Vec<Example<'_>> = pairs
            .map(|(terms, document)| Example {
                terms,
                is_positive: document.is_positive,
            })
            .collect();
        Svm::train(&examples, N_TERMS, Settings::default())
    });
    let svm = svm?;
    let grew = memory().saturating_sub(before) >> 20;

    let (weigh, unseen) =
        cpu_time_of(|| -> Vec<_> { held_out.iter().map(|terms| idf.weigh(terms)).collect() });
    let (ask, margins) =
        cpu_time_of(|| -> Vec<f32> { unseen.iter().map(|terms| svm.margin(terms)).collect() });
    let right = margins.iter().zip(&documents[n_documents..]);
    let right = right.filter(|(margin, document)| (**margin > 0.0) == document.is_positive);
    let n_held_out = held_out.len() as f64;
    let n_different: usize = learned.iter().map(Vec::len).sum();
    println!(
        "{n_documents:>9}{:>7.0}{:>11.2}{:>10.2}{:>8.2}{:>8.2}{:>10}{grew:>10}{:>9.1}{:>11.2}\
         {:>11.2}",
        n_different as f64 / n_documents as f64,
        counting.as_secs_f64(),
        weighing.as_secs_f64(),
        fitting.as_secs_f64(),
        (counting + weighing + fitting).as_secs_f64(),
        (svm.to_bytes().len() + idf.to_bytes().len()) >> 10,
        100.0 * right.count() as f64 / n_held_out,
        weigh.as_secs_f64() * 1e6 / n_held_out,
        ask.as_secs_f64() * 1e6 / n_held_out,
    );
    Ok(())
}

fn document(dice: &mut Dice) -> Document {
    let is_on_topic = dice.below(2) == 0;
    let share = if is_on_topic { 0.10 } else { 0.06 };
    let word = |dice: &mut Dice| {
        // Rank 1 … 200,000 with probability about 1/rank; a topic has words of
        // its own, 2,000 of them.
        let is_of_topic = unit(dice) < share;
        let n_ranks: f64 = if is_of_topic { 2_000.0 } else { 200_000.0 };
        let rank = n_ranks.powf(unit(dice)) as u32;
        let word = if is_of_topic { 1_000_000 + rank } else { rank };
        word.wrapping_mul(2_654_435_761) % N_TERMS
    };
    Document {
        words: (0..N_WORDS).map(|_| word(dice)).collect(),
        is_positive: is_on_topic != (dice.below(50) == 0),
    }
}

/// From zero up to one.
fn unit(dice: &mut Dice) -> f64 {
    dice.below(1 << 53) as f64 / (1_u64 << 53) as f64
}

/// Seven attributes, of which some bend what they tell, with noise.
fn measure_tree(n_rows: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut dice = Dice::new(5);
    let row = |_| -> [f64; 7] { std::array::from_fn(|_| 8.0 * unit(&mut dice)) };
    let rows: Vec<[f64; 7]> = (0..n_rows).map(row).collect();
    let target = |row: &[f64; 7]| {
        let base = if row[3] < 2.0 {
            0.2 * row[0]
        } else {
            3.0 - 0.5 * row[1]
        };
        base + (row[6] - 4.0).abs() + row[2] * row[4] / 20.0 + 0.5 * (unit(&mut dice) - 0.5)
    };
    let targets: Vec<f64> = rows.iter().map(target).collect();
    let settings = tree::Settings::default();
    let (grow, tree) = cpu_time_of(|| ModelTree::grow(&rows, &targets, settings));
    let tree = tree?;
    let best = (0..N_ROUNDS).map(|_| {
        let (time, _) = cpu_time_of(|| {
            for row in &rows {
                black_box(tree.predict(black_box(row)));
            }
        });
        time.as_secs_f64() * 1e9 / n_rows as f64
    });
    println!(
        "model tree on {n_rows} × 7: grown in {:.2} s, {} leaves, {} KB, {:.0} ns a prediction \
         (best of {N_ROUNDS})",
        grow.as_secs_f64(),
        tree.n_leaves(),
        tree.to_bytes().len() >> 10,
        best.fold(f64::INFINITY, f64::min),
    );
    Ok(())
}
