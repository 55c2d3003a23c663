//! Learns a topic from examples, and says how well it can be learned.

use super::{LEAST_EXAMPLES, Topic, TopicError};
use crate::bag::{self, Bag, N_TERMS};
use learn::svm::{Example, Settings, Svm};
use learn::tfidf::Idf;
use page::html::Page;
use std::collections::BTreeMap;

/// One example in so many is held out to see what the others have taught.
const HELD_OUT: usize = 5;

/// Collects examples.
#[derive(Debug, Default, Clone)]
pub struct Trainer {
    examples: Vec<Document>,
    /// What positive examples are written in.
    languages: BTreeMap<String, u32>,
}

#[derive(Debug, Clone)]
struct Document {
    terms: Vec<(u32, u32)>,
    is_positive: bool,
}

impl Trainer {
    /// Takes one page in.
    pub fn learn(&mut self, page: &Page, is_positive: bool) {
        if is_positive && let Some(language) = language_of(page) {
            *self.languages.entry(language).or_default() += 1;
        }
        self.examples.push(Document {
            terms: Bag::of(page).into_sorted_terms(),
            is_positive,
        });
    }

    /// Positive and negative examples so far.
    pub fn n_examples(&self) -> (usize, usize) {
        let n_positive = self.examples.iter().filter(|it| it.is_positive).count();
        (n_positive, self.examples.len() - n_positive)
    }

    /// What most positive examples so far are written in, where that can be told.
    pub fn language(&self) -> Option<&str> {
        let most = self.languages.iter().max_by_key(|(_, count)| **count);
        most.map(|(language, _)| language.as_str())
    }

    /// The topic that all examples teach.
    pub fn finish(&self, name: &str) -> Result<Topic, TopicError> {
        let all: Vec<&Document> = self.examples.iter().collect();
        self.train(name, &all)
    }

    /// How well examples can be told that were held out: every fifth of each
    /// side. The rest must be enough to learn from.
    pub fn evaluate(&self) -> Result<Confusion, TopicError> {
        let (mut kept, mut held_out) = (Vec::new(), Vec::new());
        let mut n_seen = [0_usize; 2];
        for document in &self.examples {
            let n_seen = &mut n_seen[usize::from(document.is_positive)];
            *n_seen += 1;
            match n_seen.is_multiple_of(HELD_OUT) {
                true => held_out.push(document),
                false => kept.push(document),
            }
        }
        let topic = self.train("", &kept)?;
        let mut confusion = Confusion::default();
        for document in held_out {
            let margin = topic.svm.margin(&topic.idf.weigh(&document.terms));
            confusion.add(document.is_positive, margin > 0.0);
        }
        Ok(confusion)
    }

    fn train(&self, name: &str, documents: &[&Document]) -> Result<Topic, TopicError> {
        let n_positive = documents.iter().filter(|it| it.is_positive).count();
        let n_negative = documents.len() - n_positive;
        check(n_positive, n_negative)?;
        let terms = documents.iter().map(|document| document.terms.as_slice());
        let idf = Idf::of(terms, N_TERMS);
        let vectors: Vec<Vec<(u32, f32)>> = documents
            .iter()
            .map(|document| idf.weigh(&document.terms))
            .collect();
        let examples: Vec<Example<'_>> = vectors
            .iter()
            .zip(documents)
            .map(|(terms, document)| Example {
                terms,
                is_positive: document.is_positive,
            })
            .collect();
        let svm = Svm::train(&examples, N_TERMS, Settings::default())
            .expect("both sides were counted, and terms are in order");
        Ok(Topic {
            name: name.to_owned(),
            language: self.language().map(str::to_owned),
            n_positive: n_positive as u32,
            n_negative: n_negative as u32,
            idf,
            svm,
        })
    }
}

fn check(n_positive: usize, n_negative: usize) -> Result<(), TopicError> {
    let n_examples = n_positive + n_negative;
    match (n_positive, n_negative) {
        (0, 0) => Err(TopicError::NoExamples),
        (0, _) => Err(TopicError::OneSide {
            n_examples,
            side: "negative",
        }),
        (_, 0) => Err(TopicError::OneSide {
            n_examples,
            side: "positive",
        }),
        (found, _) if found < LEAST_EXAMPLES => Err(TopicError::TooFew {
            side: "positive",
            found,
        }),
        (_, found) if found < LEAST_EXAMPLES => Err(TopicError::TooFew {
            side: "negative",
            found,
        }),
        _ => Ok(()),
    }
}

/// What a page is written in, by its own word or by its stop words.
fn language_of(page: &Page) -> Option<String> {
    let declared = page.language.as_deref();
    let declared = declared.and_then(|language| language.split('-').next());
    let told = declared.or_else(|| bag::language_of(&page.text));
    told.map(str::to_owned)
}

/// What became of examples that were held out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Confusion {
    /// About the topic, and found to be.
    pub true_positives: u32,
    /// About something else, and taken for the topic.
    pub false_positives: u32,
    /// About something else, and found to be.
    pub true_negatives: u32,
    /// About the topic, and missed.
    pub false_negatives: u32,
}

impl Confusion {
    /// Takes one more in: what it is, and what it was taken for.
    pub fn add(&mut self, is_positive: bool, is_taken: bool) {
        let count = match (is_positive, is_taken) {
            (true, true) => &mut self.true_positives,
            (false, true) => &mut self.false_positives,
            (false, false) => &mut self.true_negatives,
            (true, false) => &mut self.false_negatives,
        };
        *count += 1;
    }

    /// Of what was taken for the topic, the share that is; none if nothing was.
    pub fn precision(&self) -> Option<f64> {
        share(
            self.true_positives,
            self.true_positives + self.false_positives,
        )
    }

    /// Of what is about the topic, the share that was found.
    pub fn recall(&self) -> Option<f64> {
        share(
            self.true_positives,
            self.true_positives + self.false_negatives,
        )
    }

    /// The harmonic mean of both.
    pub fn f1(&self) -> Option<f64> {
        let (precision, recall) = (self.precision()?, self.recall()?);
        let sum = precision + recall;
        (sum > 0.0).then(|| 2.0 * precision * recall / sum)
    }

    /// The share that was told rightly.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.true_positives + self.true_negatives, self.n_examples())
    }

    /// Examples held out.
    pub fn n_examples(&self) -> u32 {
        self.true_positives + self.false_positives + self.true_negatives + self.false_negatives
    }
}

fn share(part: u32, all: u32) -> Option<f64> {
    (all > 0).then(|| f64::from(part) / f64::from(all))
}
