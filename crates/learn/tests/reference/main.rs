//! What scikit-learn and SciPy say of the same numbers.
//!
//! `recorded/` is written by `bench/learn_reference/reference.py`, which says
//! where the numbers come from and how to have them anew.

#![allow(clippy::unwrap_used)]

mod statistics;
mod text;
mod tree;

/// Lines that are no comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split_whitespace();
    words.map(|word| word.parse().unwrap()).collect()
}
