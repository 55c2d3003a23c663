//! What the classifier has learned: which words speak for which share of the
//! targets.
//!
//! Classes are the nodes' shares, and *none* for pages about no target, which
//! is class 0. A model is made by `training.rs` and kept as text
//! (`notation.rs`): for whom it was trained stands in it, so that it cannot be
//! taken for one of other targets or another split.

mod notation;
mod training;
mod words;

pub use training::{Label, Trainer};

use crate::roster::{NodeId, Roster};
use learn::bayes::{Frozen, NaiveBayes, Prediction};
use place::gazetteer::Gazetteer;
use place::target::{Target, Targets};
use std::collections::{HashMap, HashSet};

/// The class of pages about no target.
pub const NONE: usize = 0;

/// A trained classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The day it was made, e.g. `2006-05-23`.
    made: String,
    classes: Vec<Class>,
    /// Words with how often each was seen, by class.
    vocabulary: Vec<(String, Vec<u32>)>,
    bayes: Frozen,
}

/// What pages may be about.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Class {
    /// For people: `none`, or the node's name.
    name: String,
    n_examples: u64,
    /// GeoNames id and name of its targets.
    targets: Vec<(u32, String)>,
}

/// Why a text is no model, or no model for this crawl.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Something else.
    #[error("not a model made by `locavore train`")]
    NotAModel,
    /// Of another version of this program.
    #[error("a model of format {found}; this version reads format {known}")]
    OtherFormat {
        /// The format it has.
        found: u32,
        /// The format that is known.
        known: u32,
    },
    /// Damaged.
    #[error("damaged in line {line}")]
    Garbled {
        /// Counted from one.
        line: usize,
    },
    /// It lacks a target of the crawl.
    #[error("trained for other targets: it does not know `{city}`")]
    Unknown {
        /// The first such target.
        city: String,
    },
    /// It has targets that the crawl does not have.
    #[error("trained for other targets: `{city}` is none of this crawl's")]
    Extra {
        /// The first such target.
        city: String,
    },
    /// The same targets, shared out otherwise.
    #[error(
        "trained for another split of the targets: there `{city}` and `{other}` belong to {how}"
    )]
    OtherSplit {
        /// A target.
        city: String,
        /// One that it is together with in one split and not in the other.
        other: String,
        /// `one node` or `two nodes`.
        how: &'static str,
    },
}

impl Model {
    fn new(made: String, classes: Vec<Class>, vocabulary: Vec<(String, Vec<u32>)>) -> Model {
        let n_examples: Vec<u64> = classes.iter().map(|class| class.n_examples).collect();
        let terms = vocabulary.iter().map(|(word, counts)| {
            let counts = counts.iter().map(|&count| f64::from(count)).collect();
            (words::term(word), counts)
        });
        Model {
            bayes: NaiveBayes::from_counts(&n_examples, terms).freeze(),
            made,
            classes,
            vocabulary,
        }
    }

    /// The day it was made.
    pub fn made(&self) -> &str {
        &self.made
    }

    /// How many words it knows.
    pub fn n_words(&self) -> usize {
        self.vocabulary.len()
    }

    /// Name and number of examples of each class.
    pub fn classes(&self) -> impl Iterator<Item = (&str, u64)> {
        let classes = self.classes.iter();
        classes.map(|class| (class.name.as_str(), class.n_examples))
    }

    /// Which class a text is of; none if it knows none of its words.
    pub fn predict(&self, text: &str) -> Option<Prediction> {
        self.bayes.predict(words::terms(text))
    }

    /// The node of each class but the first, or what speaks against using
    /// this model for these targets and this split.
    pub(crate) fn nodes(
        &self,
        targets: &Targets,
        roster: &Roster,
    ) -> Result<Vec<NodeId>, ModelError> {
        let class_of = self.class_of_targets();
        let gazetteer = Gazetteer::built_in();
        let id = |target: &Target| gazetteer.place(target.place).geonameid;
        // Of other targets no split can be told.
        let mut all = targets.list().iter();
        if let Some(target) = all.find(|target| !class_of.contains_key(&id(target))) {
            let city = name(target);
            return Err(ModelError::Unknown { city });
        }
        let wanted: HashSet<u32> = targets.list().iter().map(id).collect();
        let mut all = self.classes.iter().flat_map(|class| &class.targets);
        if let Some((_, city)) = all.find(|(id, _)| !wanted.contains(id)) {
            let city = city.clone();
            return Err(ModelError::Extra { city });
        }
        let mut owners: HashMap<usize, (NodeId, &Target)> = HashMap::new();
        let mut classes: HashMap<NodeId, (usize, &Target)> = HashMap::new();
        for (target_id, target) in targets.iter() {
            let class = class_of[&id(target)];
            let node = roster.owner(target_id);
            let (owner, other) = *owners.entry(class).or_insert((node, target));
            if owner != node {
                return Err(other_split(target, other, "one node"));
            }
            let (known, other) = *classes.entry(node).or_insert((class, target));
            if known != class {
                return Err(other_split(target, other, "two nodes"));
            }
        }
        let share_classes = 1..self.classes.len();
        Ok(share_classes
            .filter_map(|class| owners.get(&class))
            .map(|&(node, _)| node)
            .collect())
    }

    fn class_of_targets(&self) -> HashMap<u32, usize> {
        let classes = self.classes.iter().enumerate();
        classes
            .flat_map(|(class_idx, class)| {
                let targets = class.targets.iter();
                targets.map(move |&(id, _)| (id, class_idx))
            })
            .collect()
    }
}

fn other_split(target: &Target, other: &Target, how: &'static str) -> ModelError {
    ModelError::OtherSplit {
        city: name(target),
        other: name(other),
        how,
    }
}

fn name(target: &Target) -> String {
    format!("{}, {}", target.city, target.state)
}

#[cfg(test)]
mod tests;
