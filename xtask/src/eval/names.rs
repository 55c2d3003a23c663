//! Measures names of places on labelled texts.
//!
//! Recognition counts exact spans. *Placed* is the share of recognised names
//! with a labelled point that lie within 161 km of it; *end to end* is recall
//! times that share. Reliability compares the confidence that was claimed
//! with how often it was right.
//!
//! One text is compared in `compare.rs`; counts and the table that both
//! `eval` and `train` print are in `tally.rs`.

mod compare;
mod tally;

use super::{Report, sets};
use place::gazetteer::{Gazetteer, Role};
use place::toponym::{Context, Gold, Labels, Toponyms};
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;
pub(crate) use tally::{NameTally, table};

/// The sets, with what their labels cover.
pub(crate) const SETS: &[(&str, Cover)] = &[
    ("lgl_dev", Cover::NamesAndDemonyms),
    ("geowebnews_dev", Cover::NamesAndDemonyms),
    ("geovirus_dev", Cover::Names),
    ("tud_train_dev", Cover::Names),
    ("tud_val_dev", Cover::Names),
    ("wiktor_dev", Cover::SomeNames),
    ("mobie_de_dev", Cover::SomeNames),
];

/// What the labels of a set cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cover {
    /// All names of places, and words like `German`.
    NamesAndDemonyms,
    /// All names of places.
    Names,
    /// Some names only: what is found beside them may be right.
    SomeNames,
}

/// A labelled text.
#[derive(Debug, Clone)]
pub(crate) struct NamedText {
    pub(crate) set: &'static str,
    /// Texts of one site stay together when some are held out.
    pub(crate) site: String,
    id: String,
    pub(crate) text: String,
    pub(crate) labels: Labels,
}

#[derive(Deserialize)]
struct RawText {
    id: String,
    #[serde(default)]
    domain: String,
    text: String,
    toponyms: Vec<RawLabel>,
}

#[derive(Deserialize)]
struct RawLabel {
    start: usize,
    end: usize,
    lat: Option<f32>,
    lon: Option<f32>,
}

/// Adds a row for each set, how reliable the confidence is, and what is wrong.
pub(super) fn run(dir: &Path, report: &mut Report) -> anyhow::Result<()> {
    let gazetteer = Gazetteer::built_in();
    let toponyms = Toponyms::new(gazetteer);
    let texts = read(dir)?;
    let mut misses = Vec::new();
    let tallies = measure(&toponyms, gazetteer, &texts, &mut misses);
    write!(report.table, "\n{}", table("names of places", &tallies)?)?;
    for miss in misses {
        writeln!(report.misses, "{miss}")?;
    }
    Ok(())
}

/// The texts of all sets.
pub(crate) fn read(dir: &Path) -> anyhow::Result<Vec<NamedText>> {
    let mut texts = Vec::new();
    for &(set, cover) in SETS {
        let raws: Vec<RawText> = sets::read(dir, &format!("toponyms/{set}.jsonl"))?;
        texts.extend(raws.into_iter().map(|raw| raw.named(set, cover)));
    }
    Ok(texts)
}

impl RawText {
    fn named(self, set: &'static str, cover: Cover) -> NamedText {
        let has_site = !self.domain.is_empty();
        NamedText {
            set,
            site: if has_site {
                self.domain
            } else {
                self.id.clone()
            },
            id: self.id,
            labels: Labels {
                gold: gold(&self.text, &self.toponyms),
                complete: cover != Cover::SomeNames,
                demonyms: cover == Cover::NamesAndDemonyms,
            },
            text: self.text,
        }
    }
}

/// Labels by bytes; the sets count characters.
fn gold(text: &str, labels: &[RawLabel]) -> Vec<Gold> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let byte = |at: usize| starts.get(at).copied().unwrap_or(text.len());
    let gold = labels.iter().map(|label| Gold {
        span: byte(label.start)..byte(label.end),
        point: label.lat.zip(label.lon),
    });
    gold.collect()
}

/// Reads texts and counts by set, in the order of [`SETS`]; wrong ones go to `misses`.
pub(crate) fn measure<'t>(
    toponyms: &Toponyms<'_>,
    gazetteer: &Gazetteer,
    texts: impl IntoIterator<Item = &'t NamedText>,
    misses: &mut Vec<String>,
) -> Vec<(&'static str, NameTally)> {
    let new = |&(set, _): &(&'static str, Cover)| (set, NameTally::default());
    let mut tallies: Vec<(&'static str, NameTally)> = SETS.iter().map(new).collect();
    for text in texts {
        let mut found = toponyms.find(&text.text, &Context::default());
        if !text.labels.demonyms {
            found.retain(|mention| !is_demonym(gazetteer, &text.text[mention.span.clone()]));
        }
        if let Some((_, tally)) = tallies.iter_mut().find(|(set, _)| *set == text.set) {
            tally.add(&compare::compare(gazetteer, text, &found, misses));
        }
    }
    tallies
}

/// Whether a name is an adjective or a people, which some sets do not label.
fn is_demonym(gazetteer: &Gazetteer, name: &str) -> bool {
    let largest = gazetteer.bearers(name).next();
    largest.is_some_and(|(_, role)| role == Role::Demonym)
}
