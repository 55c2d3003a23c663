//! Small learners on plain vectors: numbers in, numbers out.
//!
//! Which word is which term, and what a class stands for, is the caller's
//! affair. Everything is deterministic: the same examples in the same order
//! give the same model, bit for bit.

pub mod bayes;
pub mod bytes;
pub mod hashed;
pub mod linear;
pub mod paired;
pub mod rank;
mod shuffle;
mod student;
pub mod svm;
pub mod tfidf;
pub mod tree;
