//! Learns from pages of which somebody knows what they are about.

use super::{Class, Model, NONE, name, words};
use crate::roster::Roster;
use place::gazetteer::Gazetteer;
use place::target::{TargetId, Targets};
use std::collections::HashMap;

/// Words that a model keeps at most: those that say most about the class.
const MOST_WORDS: usize = 50_000;

/// Words seen fewer times say something about one page, not about a class.
const LEAST_COUNT: u64 = 3;

/// Words held while learning; beyond, those seen least so far are forgotten.
const MOST_HELD: usize = 2_000_000;

/// What a page to learn from is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// No target.
    None,
    /// This one.
    Target(TargetId),
}

/// Counts words by class.
pub struct Trainer {
    classes: Vec<Class>,
    /// By target.
    class_of: Vec<usize>,
    counts: HashMap<String, Box<[u32]>>,
    most_held: usize,
    /// Reused, so that a word seen before costs no allocation.
    lower: String,
}

impl Trainer {
    /// Learns the shares of these nodes.
    pub fn new(targets: &Targets, roster: &Roster) -> Trainer {
        let mut classes = vec![Class {
            name: "none".to_owned(),
            n_examples: 0,
            targets: Vec::new(),
        }];
        let mut class_of = vec![NONE; targets.list().len()];
        let gazetteer = Gazetteer::built_in();
        for seat in roster
            .seats()
            .iter()
            .filter(|seat| !seat.targets.is_empty())
        {
            for &target in &seat.targets {
                class_of[target.0 as usize] = classes.len();
            }
            let of_seat = seat.targets.iter().filter_map(|&id| targets.get(id));
            classes.push(Class {
                name: seat.name.clone(),
                n_examples: 0,
                targets: of_seat
                    .map(|target| (gazetteer.place(target.place).geonameid, name(target)))
                    .collect(),
            });
        }
        Trainer {
            classes,
            class_of,
            counts: HashMap::new(),
            most_held: MOST_HELD,
            lower: String::new(),
        }
    }

    /// Learns from one page's text.
    pub fn learn(&mut self, label: Label, text: &str) {
        let class = match label {
            Label::None => NONE,
            Label::Target(target) => self.class_of[target.0 as usize],
        };
        self.classes[class].n_examples += 1;
        let n_classes = self.classes.len();
        for word in words::words(text) {
            self.lower.clear();
            self.lower.push_str(word);
            self.lower.make_ascii_lowercase();
            if let Some(counts) = self.counts.get_mut(&self.lower) {
                counts[class] = counts[class].saturating_add(1);
                continue;
            }
            let mut counts = vec![0; n_classes].into_boxed_slice();
            counts[class] = 1;
            self.counts.insert(self.lower.clone(), counts);
        }
        if self.counts.len() > self.most_held {
            self.forget();
        }
    }

    /// Forgets half of the words, and at least those seen once: room for many
    /// pages, since every word has to be looked at.
    fn forget(&mut self) {
        let mut seen_at_most = 1;
        while self.counts.len() > self.most_held / 2 {
            self.counts
                .retain(|_, counts| n_seen(counts) > seen_at_most);
            seen_at_most *= 2;
        }
    }

    /// How many pages of each class were learned from, *none* first.
    pub fn n_examples(&self) -> impl Iterator<Item = (&str, u64)> {
        let classes = self.classes.iter();
        classes.map(|class| (class.name.as_str(), class.n_examples))
    }

    /// The model, made on this day.
    pub fn finish(self, made: &str) -> Model {
        let totals = self.totals();
        let mut ranked: Vec<(f64, String, Vec<u32>)> = self
            .counts
            .into_iter()
            .filter(|(_, counts)| n_seen(counts) >= LEAST_COUNT)
            .map(|(word, counts)| (information(&counts, &totals), word, counts.into_vec()))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        ranked.truncate(MOST_WORDS);
        let mut vocabulary: Vec<(String, Vec<u32>)> = ranked
            .into_iter()
            .map(|(_, word, counts)| (word, counts))
            .collect();
        vocabulary.sort();
        Model::new(made.to_owned(), self.classes, vocabulary)
    }

    /// Words of each class.
    fn totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.classes.len()];
        for counts in self.counts.values() {
            for (total, &count) in totals.iter_mut().zip(counts) {
                *total += f64::from(count);
            }
        }
        totals
    }
}

/// How often a word was seen, in whatever class.
fn n_seen(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| u64::from(count)).sum()
}

/// What a word adds to the mutual information of words and classes: how much
/// knowing that a word is this one tells of its class, times how often it is.
fn information(counts: &[u32], totals: &[f64]) -> f64 {
    let all: f64 = totals.iter().sum();
    let n_word: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let of_class = |(&count, &total): (&u32, &f64)| match count {
        0 => 0.0,
        _ => f64::from(count) / all * (f64::from(count) * all / (n_word * total)).ln(),
    };
    counts.iter().zip(totals).map(of_class).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;

    #[test]
    fn words_that_are_held_are_bounded_however_often_they_are_seen() {
        let stage = Stage::top100();
        let mut trainer = Trainer::new(&stage.targets, &stage.roster);
        trainer.most_held = 8;
        trainer.learn(Label::None, &"often ".repeat(9));
        for page_idx in 10..40 {
            trainer.learn(Label::None, &format!("w{page_idx} ").repeat(3));
            assert!(trainer.counts.len() <= 8);
        }
        assert!(trainer.counts.contains_key("often"));
    }

    #[test]
    fn information_by_hand() {
        let totals = [4.0, 4.0];
        // Only ever in one class: 2/8 · ln(2·8/(2·4)).
        assert!((information(&[2, 0], &totals) - 0.25 * 2.0_f64.ln()).abs() < 1e-12);
        // As often in both: says nothing.
        assert!(information(&[1, 1], &totals).abs() < 1e-12);
    }
}
