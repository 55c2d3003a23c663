//! Learns the weights by which names of places are read.
//!
//! Every set of labelled texts is cut into five parts by newspaper or site.
//! The weights that ship are learned from all of them; the figures that are
//! printed come from five runs in which the part that is measured was held out.

use crate::eval::names::{self, NameTally, NamedText, SETS};
use learn::linear::{Question, Selection, Settings, logistic, selection};
use place::gazetteer::Gazetteer;
use place::names::normalise;
use place::toponym::{Choice, Context, Example, Lessons, Part, Toponyms, Weights};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
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
    let mut texts = Vec::new();
    for &kind in SETS {
        texts.extend(names::read(dir, kind)?);
    }
    let gazetteer = Gazetteer::built_in();
    let mut toponyms = Toponyms::with_weights(gazetteer, Weights::blank(Vec::new()));
    let mut learner = Toponyms::without_doubts(gazetteer, Weights::blank(Vec::new()));
    let mut held_out: BTreeMap<&str, NameTally> = BTreeMap::new();
    let mut misses = Vec::new();
    for fold in 0..N_FOLDS {
        let (taught, measured): (Vec<&NamedText>, Vec<&NamedText>) =
            texts.iter().partition(|text| fold_of(&text.site) != fold);
        let weights = learn(&mut learner, &taught);
        toponyms.set_weights(weights);
        for kind in SETS {
            let of_set: Vec<&NamedText> = measured
                .iter()
                .copied()
                .filter(|text| text.set == kind.name)
                .collect();
            let mut of_fold = Vec::new();
            let tally = names::measure(&toponyms, gazetteer, &of_set, &mut of_fold);
            misses.extend(
                of_fold
                    .into_iter()
                    .map(|miss| format!("{} {miss}", kind.name)),
            );
            held_out.entry(kind.name).or_default().add(&tally);
        }
    }
    let all: Vec<&NamedText> = texts.iter().collect();
    let weights = learn(&mut learner, &all);
    Ok(Report {
        weights: weights.to_text(),
        table: table(&held_out)?,
        misses,
    })
}

fn fold_of(site: &str) -> usize {
    let hash = site.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 20) as usize % N_FOLDS
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
        let mut lessons = Lessons::default();
        for text in &texts {
            let mut of_text = toponyms.lessons(&text.text, &Context::default(), &text.labels);
            if !text.labels.complete {
                of_text.weigh_choices(HOMONYMS);
            }
            lessons.extend(of_text);
        }
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

fn table(tallies: &BTreeMap<&str, NameTally>) -> anyhow::Result<String> {
    let mut table = String::new();
    writeln!(
        table,
        "{:<28} {:>5} {:>5}  {:>5} {:>5} {:>5}  {:>6} {:>10}",
        "names, held out", "gold", "found", "P", "R", "F1", "placed", "end to end"
    )?;
    let mut all = NameTally::default();
    for (name, tally) in tallies {
        let [p, r, f1, placed, whole] = tally.measures();
        writeln!(
            table,
            "{name:<28} {:>5} {:>5}  {p:>5.3} {r:>5.3} {f1:>5.3}  {placed:>6.3} {whole:>10.3}",
            tally.n_gold, tally.n_found
        )?;
        if *name == "lgl_dev" || *name == "geowebnews_dev" {
            all.add(tally);
        }
    }
    writeln!(
        table,
        "\nreliability on lgl and geowebnews: claimed, right, how many"
    )?;
    for (claimed, n_right, n) in all.bins {
        if n > 0 {
            writeln!(
                table,
                "  {:.2} {:.2} {n:>6}",
                claimed / n as f64,
                n_right as f64 / n as f64
            )?;
        }
    }
    Ok(table)
}
