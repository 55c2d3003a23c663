//! Signs: what speaks for or against a reading, and how much each counts.
//!
//! Five small linear models share one file of weights (`weights.txt`, written
//! by `cargo xtask train`): is this word a name of a place by what stands
//! around it (*local*); which place has that name, at first sight (*prior*)
//! and knowing the page (*place*); is it a name after all, knowing the page
//! (*page*); how sure of both may we be (*sure*). Every weight has a name, so
//! that an answer can be explained.

use crate::gazetteer::Kind;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Collects the signs of one reading: sums their weights, lists them, or explains.
pub(super) trait Sink {
    /// One sign with its strength.
    fn add(&mut self, sign: u16, value: f32);

    /// One sign that is there or not.
    #[inline]
    fn flag(&mut self, sign: u16, is_there: bool) {
        if is_there {
            self.add(sign, 1.0);
        }
    }

    /// The sign of a kind of place; cities have none, since most places are one.
    #[inline]
    fn kind(&mut self, kind: Kind, signs: &KindSigns) {
        let [continent, country, state, county, section, ..] = *signs;
        let [.., region, island, mountain, water, landmark] = *signs;
        let sign = match kind {
            Kind::Continent => continent,
            Kind::Country => country,
            Kind::Division1 => state,
            Kind::Division2 => county,
            Kind::City => return,
            Kind::Section => section,
            Kind::Region => region,
            Kind::Island => island,
            Kind::Mountain => mountain,
            Kind::Water => water,
            Kind::Landmark => landmark,
        };
        self.add(sign, 1.0);
    }
}

/// A model's signs of kinds, in the order of [`Kind`] without cities.
pub(super) type KindSigns = [u16; 10];

/// Sums weights.
pub(super) struct Sum<'w> {
    pub(super) weights: &'w [f32],
    pub(super) score: f32,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, sign: u16, value: f32) {
        self.score += self.weights[sign as usize] * value;
    }
}

/// Sums the weights of two models that share their signs.
pub(super) struct TwoSums<'w> {
    pub(super) weights: [&'w [f32]; 2],
    pub(super) scores: [f32; 2],
}

impl Sink for TwoSums<'_> {
    #[inline]
    fn add(&mut self, sign: u16, value: f32) {
        for (score, weights) in self.scores.iter_mut().zip(self.weights) {
            *score += weights[sign as usize] * value;
        }
    }
}

/// Signs with their strengths, for learning.
pub type SignList = Vec<(u16, f32)>;

impl Sink for SignList {
    fn add(&mut self, sign: u16, value: f32) {
        self.push((sign, value));
    }
}

/// Keeps the three signs that speak most for a reading.
pub(super) struct Strongest<'w> {
    weights: &'w [f32],
    names: &'static [&'static str],
    kept: [(f32, &'static str); 3],
}

impl<'w> Strongest<'w> {
    pub(super) fn new(weights: &'w [f32], names: &'static [&'static str]) -> Strongest<'w> {
        Strongest {
            weights,
            names,
            kept: [(0.0, ""); 3],
        }
    }

    pub(super) fn because(&self) -> [&'static str; 3] {
        self.kept.map(|(_, name)| name)
    }
}

impl Sink for Strongest<'_> {
    fn add(&mut self, sign: u16, value: f32) {
        let mut entry = (
            self.weights[sign as usize] * value,
            self.names[sign as usize],
        );
        for kept in &mut self.kept {
            if entry.0 > kept.0 {
                std::mem::swap(kept, &mut entry);
            }
        }
    }
}

/// Names a model's signs: constants by position, and the names that people read.
macro_rules! signs {
    ($names:ident: $($sign:ident $name:literal,)*) => {
        signs!(@number 0; $($sign)*);
        pub(super) const $names: &[&str] = &[$($name),*];
    };
    (@number $n:expr; $sign:ident $($rest:ident)*) => {
        pub(super) const $sign: u16 = $n;
        signs!(@number $n + 1; $($rest)*);
    };
    (@number $n:expr;) => {};
}
pub(super) use signs;

/// Words in one of these places around a name have a weight of their own.
pub(super) const POSITIONS: [&str; 4] = ["before", "after", "two before", "two after"];

/// One model of a [`Weights`] file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Is it a name, by what stands around it?
    Local,
    /// Which place, at first sight?
    Prior,
    /// Which place, knowing the page?
    Place,
    /// Is it a name, knowing the page?
    Page,
    /// Is all of it right, name and place?
    Sure,
}

impl Part {
    /// All parts, in the order in which each needs the ones before.
    pub const ALL: [Part; 5] = [
        Part::Local,
        Part::Prior,
        Part::Place,
        Part::Page,
        Part::Sure,
    ];

    fn heading(self) -> &'static str {
        match self {
            Part::Local => "local",
            Part::Prior => "prior",
            Part::Place => "place",
            Part::Page => "page",
            Part::Sure => "sure",
        }
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Part::Local => super::around::NAMES,
            Part::Prior | Part::Place => super::which::NAMES,
            Part::Page => super::whole::NAMES,
            Part::Sure => super::whole::SURE_NAMES,
        }
    }
}

/// What was learned: a weight for every sign, and the words that are signs.
#[derive(Debug, Clone, Default)]
pub struct Weights {
    /// Words that count by themselves around a name, in normal form.
    pub words: Vec<String>,
    /// Weights of the parts; those of words follow the local ones,
    /// position by position.
    parts: [Vec<f32>; 5],
}

impl Weights {
    /// Nothing learned yet.
    pub fn blank(words: Vec<String>) -> Weights {
        let n_words = words.len() * POSITIONS.len();
        let blank = |part: Part| {
            let n_own = part.names().len();
            vec![0.0; n_own + if part == Part::Local { n_words } else { 0 }]
        };
        Weights {
            words,
            parts: Part::ALL.map(blank),
        }
    }

    /// The weights of one part, by sign.
    pub fn part(&self, part: Part) -> &[f32] {
        &self.parts[part as usize]
    }

    /// Replaces the weights of one part.
    pub fn set(&mut self, part: Part, weights: Vec<f32>) {
        debug_assert_eq!(weights.len(), self.part(part).len());
        self.parts[part as usize] = weights;
    }

    /// The sign of a word in a place around a name.
    pub(super) fn word_sign(&self, position: usize, word_idx: u16) -> u16 {
        let sign = super::around::NAMES.len() + position * self.words.len() + word_idx as usize;
        u16::try_from(sign).expect("a few thousand words")
    }

    /// The file's text; words without any weight are left out.
    pub fn to_text(&self) -> String {
        let mut text = String::from(
            "# What tells a name of a place from another word, and which place it names.\n\
             # Learned by `cargo xtask train`; read by `place::toponym`.\n",
        );
        for part in Part::ALL {
            let weights = self.part(part);
            writeln!(text, "\n[{}]", part.heading()).expect("a String takes everything");
            for (name, weight) in part.names().iter().zip(weights) {
                writeln!(text, "{weight:.3}\t{name}").expect("a String takes everything");
            }
        }
        writeln!(text, "\n[words]\t{}", POSITIONS.join("\t")).expect("a String takes everything");
        for (idx, word) in (0..).zip(&self.words) {
            let of = |position| self.part(Part::Local)[self.word_sign(position, idx) as usize];
            let weights: Vec<f32> = (0..POSITIONS.len()).map(of).collect();
            if weights.iter().any(|weight| weight.abs() >= 0.01) {
                text.push_str(word);
                for weight in weights {
                    write!(text, "\t{weight:.2}").expect("a String takes everything");
                }
                text.push('\n');
            }
        }
        text
    }

    /// Reads a file's text; signs it does not know stay without weight.
    pub fn parse(text: &str) -> Weights {
        let words: Vec<(&str, Vec<f32>)> = sections(text, "words")
            .filter_map(|line| {
                let mut cells = line.split('\t');
                let word = cells.next()?;
                Some((word, cells.filter_map(|cell| cell.parse().ok()).collect()))
            })
            .collect();
        let mut weights =
            Weights::blank(words.iter().map(|(word, _)| (*word).to_owned()).collect());
        for part in Part::ALL {
            let known: HashMap<&str, f32> = sections(text, part.heading())
                .filter_map(|line| line.split_once('\t'))
                .filter_map(|(weight, name)| Some((name, weight.parse().ok()?)))
                .collect();
            for (weight, name) in weights.parts[part as usize].iter_mut().zip(part.names()) {
                *weight = known.get(name).copied().unwrap_or(0.0);
            }
        }
        for (idx, (_, of_positions)) in (0..).zip(&words) {
            for (position, &weight) in of_positions.iter().enumerate().take(POSITIONS.len()) {
                let sign = weights.word_sign(position, idx);
                weights.parts[Part::Local as usize][sign as usize] = weight;
            }
        }
        weights
    }
}

/// Lines of one section of the file.
fn sections<'t>(text: &'t str, heading: &str) -> impl Iterator<Item = &'t str> {
    let opens = format!("[{heading}]");
    text.lines()
        .skip_while(move |line| !line.starts_with(&opens))
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Chance from log odds.
pub(super) fn chance(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}
