//! How much a page is about a topic.
//!
//! A linear support vector machine over TF-IDF vectors of words (`bag`),
//! trained beforehand on pages that are about the topic and pages that are
//! not (`training.rs`). Topicality is 1/(1 + e^−margin): one half on the
//! plane, and never quite 0 or 1. A topic is kept as bytes (`notation.rs`)
//! with what it was trained on, so that a crawl in another language can be
//! told.
//!
//! *Source*: spec, topicality τ; "Topical crawling" with SVM as classifier,
//! 250 examples of each side in the paper.

mod notation;
mod training;

pub use notation::TopicError;
pub use training::{Confusion, Trainer};

use crate::bag::Bag;
use learn::svm::Svm;
use learn::tfidf::Idf;
use page::html::Page;

/// Examples of each side that a topic needs at least: fewer say nothing
/// about anything but themselves.
pub const LEAST_EXAMPLES: usize = 10;

/// What a crawl is about, beside its places.
#[derive(Debug, Clone, PartialEq)]
pub struct Topic {
    name: String,
    /// What most of its positive examples are written in.
    language: Option<String>,
    n_positive: u32,
    n_negative: u32,
    idf: Idf,
    svm: Svm,
}

impl Topic {
    /// Learns from pages about the topic and pages about others.
    pub fn train<'p>(
        name: &str,
        positives: impl IntoIterator<Item = &'p Page>,
        negatives: impl IntoIterator<Item = &'p Page>,
    ) -> Result<Topic, TopicError> {
        let mut trainer = Trainer::default();
        for page in positives {
            trainer.learn(page, true);
        }
        for page in negatives {
            trainer.learn(page, false);
        }
        trainer.finish(name)
    }

    /// How much a page is about it, between 0 and 1.
    pub fn topicality(&self, page: &Page) -> f32 {
        self.topicality_of(&Bag::of(page))
    }

    /// The same of a page whose words are counted already.
    pub fn topicality_of(&self, bag: &Bag) -> f32 {
        sigmoid(self.svm.margin(&self.idf.weigh(&bag.terms)))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its positive examples are written in, as in `<html lang=…>`,
    /// where that could be told.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// Positive and negative examples it was trained on.
    pub fn n_examples(&self) -> (u32, u32) {
        (self.n_positive, self.n_negative)
    }
}

/// A number between 0 and 1 for any number: neither end is ever reached, so
/// that no power of it is nothing.
pub(crate) fn sigmoid(x: f32) -> f32 {
    let share = 1.0 / (1.0 + (-x.clamp(-LARGEST, LARGEST)).exp());
    share.min(1.0 - f32::EPSILON)
}

/// Beyond, a sigmoid is as good as 0 or 1.
const LARGEST: f32 = 30.0;

#[cfg(test)]
mod tests;
