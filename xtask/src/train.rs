//! Learns the weights by which names of places are read.
//!
//! Every set of labelled texts is cut into five parts: LGL by newspaper, the
//! others by text, since they hardly have two texts of one site.
//! The weights that ship are learned from all of them; the figures that are
//! printed come from five runs in which the part that is measured was held out.

use crate::eval::names::{self, NameTally, NamedText};
use crate::eval::sets;
use learn::linear::{Question, Selection, Settings, logistic, selection};
use place::gazetteer::Gazetteer;
use place::names::normalise;
use place::toponym::{Choice, Context, Example, Lessons, Part, Toponyms, Weights};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

const N_FOLDS: usize = 5;

/// A word around names gets a weight of its own when so many texts have it there.
const MIN_TEXTS: usize = 12;

/// Sets that are only measured: tweets full of hashtags would teach odd things.
const UNTAUGHT: &[&str] = &["mobie_de_dev"];

/// Texts about places that share their name with a larger one teach to look
/// at the page, but the web has fewer of them than such a set.
const HOMONYMS: f32 = 0.3;

const YES_OR_NO: Settings = Settings {
    n_rounds: 12,
    step: 0.15,
    penalty: 2e-5,
};
const WHICH: Settings = Settings {
    n_rounds: 30,
    step: 0.1,
    penalty: 5e-3,
};

/// What came of it.
pub(crate) struct Report {
    pub(crate) weights: String,
    pub(crate) table: String,
    pub(crate) misses: Vec<String>,
}

/// Learns from everything, and measures on what was held out.
pub(crate) fn run(dir: &Path) -> anyhow::Result<Report> {
    let texts = names::read(dir)?;
    let gazetteer = Gazetteer::built_in();
    let mut learner = Toponyms::without_doubts(gazetteer, Weights::blank(Vec::new()));
    let mut misses = Vec::new();
    let held_out = measure_held_out(gazetteer, &mut learner, &texts, &mut misses);
    let all: Vec<&NamedText> = texts.iter().collect();
    Ok(Report {
        weights: learn(&mut learner, &all).to_text(),
        table: names::table("names of places, held out", &held_out)?,
        misses,
    })
}

/// Measures each part with what was learned from the others.
fn measure_held_out(
    gazetteer: &Gazetteer,
    learner: &mut Toponyms<'_>,
    texts: &[NamedText],
    misses: &mut Vec<String>,
) -> Vec<(&'static str, NameTally)> {
    let mut toponyms = Toponyms::with_weights(gazetteer, Weights::blank(Vec::new()));
    let mut held_out = names::measure(&toponyms, gazetteer, [], misses);
    for fold in 0..N_FOLDS {
        let (taught, measured): (Vec<&NamedText>, Vec<&NamedText>) =
            texts.iter().partition(|text| fold_of(&text.site) != fold);
        toponyms.set_weights(learn(learner, &taught));
        let of_fold = names::measure(&toponyms, gazetteer, measured, misses);
        for ((_, all), (_, tally)) in held_out.iter_mut().zip(&of_fold) {
            all.add(tally);
        }
    }
    held_out
}

fn fold_of(site: &str) -> usize {
    (sets::hash(site) >> 20) as usize % N_FOLDS
}

/// All models, each with the ones before it in place.
fn learn(toponyms: &mut Toponyms<'_>, texts: &[&NamedText]) -> Weights {
    let texts: Vec<&NamedText> = texts
        .iter()
        .copied()
        .filter(|text| !UNTAUGHT.contains(&text.set))
        .collect();
    let mut weights = Weights::blank(frequent_words(toponyms, &texts));
    for part in Part::ALL {
        toponyms.set_weights(weights.clone());
        let lessons = lessons(toponyms, &texts);
        let n_weights = weights.part(part).len();
        let learned = match part {
            Part::Local => yes_or_no(&lessons.local, n_weights),
            Part::Prior => which(&lessons.prior, n_weights),
            Part::Place => which(&lessons.place, n_weights),
            Part::Page => yes_or_no(&lessons.page, n_weights),
            Part::Sure => yes_or_no(&lessons.sure, n_weights),
        };
        weights.set(part, learned);
    }
    weights
}

fn lessons(toponyms: &Toponyms<'_>, texts: &[&NamedText]) -> Lessons {
    let mut lessons = Lessons::default();
    for text in texts {
        let mut of_text = toponyms.lessons(&text.text, &Context::default(), &text.labels);
        if !text.labels.complete {
            of_text.weigh_choices(HOMONYMS);
        }
        lessons.extend(of_text);
    }
    lessons
}

fn yes_or_no(examples: &[Example], n_weights: usize) -> Vec<f32> {
    let questions: Vec<Question<'_>> = examples
        .iter()
        .map(|example| Question {
            signs: &example.signs,
            answer: example.is_right,
            weight: 1.0,
        })
        .collect();
    logistic(&questions, n_weights, YES_OR_NO)
}

fn which(choices: &[Choice], n_weights: usize) -> Vec<f32> {
    let questions: Vec<Selection<'_>> = choices
        .iter()
        .map(|choice| Selection {
            options: choice
                .options
                .iter()
                .map(|(signs, is_right)| (signs.as_slice(), *is_right))
                .collect(),
            weight: choice.weight,
        })
        .collect();
    selection(&questions, n_weights, WHICH)
}

/// Words that stand beside names in many texts, most frequent first.
fn frequent_words(toponyms: &Toponyms<'_>, texts: &[&NamedText]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in texts.iter().filter(|text| text.labels.complete) {
        let words = toponyms.words_around(&text.text);
        let distinct: HashSet<String> = words.into_iter().map(normalise).collect();
        for word in distinct {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts.retain(|word, n_texts| *n_texts >= MIN_TEXTS && !word.contains(' '));
    let mut words: Vec<(usize, String)> = counts.into_iter().map(|(word, n)| (n, word)).collect();
    words.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    words.into_iter().map(|(_, word)| word).collect()
}
