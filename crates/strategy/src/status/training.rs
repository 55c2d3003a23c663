//! Learns what in-links look like, and says how well it can be learned.

use super::features::specificity;
use super::{Features, LEAST_PAGES, StatusError, StatusModel, Traffic};
use crate::bag::{Bag, N_TERMS};
use learn::rank::{Correlation, spearman};
use learn::tfidf::Idf;
use learn::tree::{ModelTree, Settings};
use page::html::Page;

/// One page in so many is held out to see what the others have taught.
const EVERY: usize = 5;

/// Collects pages with their in-links.
#[derive(Debug, Default)]
pub struct Trainer {
    pages: Vec<Seen>,
}

#[derive(Debug)]
struct Seen {
    /// All features but specificity.
    features: Features,
    bag: Bag,
    /// ln(1 + in-links).
    ln_links: f64,
}

/// How well pages were told that were held out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldOut {
    /// Pages held out.
    pub n_pages: usize,
    /// Spearman's ρ between predicted and counted in-links; none where all are equal.
    pub correlation: Option<Correlation>,
    /// Mean absolute error, in ln(1 + in-links).
    pub error: f64,
    /// The same for always guessing the mean.
    pub naive_error: f64,
}

impl Trainer {
    /// Takes one page in, with the number of links that lead to it.
    pub fn learn(&mut self, page: &Page, traffic: &Traffic, n_inlinks: u64) {
        let bag = Bag::of(page);
        self.pages.push(Seen {
            features: Features::of_unspecific(page, &bag, traffic),
            bag,
            ln_links: (n_inlinks as f64).ln_1p(),
        });
    }

    /// Pages so far.
    pub fn n_pages(&self) -> usize {
        self.pages.len()
    }

    /// The model that all pages teach.
    pub fn finish(&self) -> Result<StatusModel, StatusError> {
        train(&self.pages.iter().collect::<Vec<_>>())
    }

    /// How well every fifth page can be told by the others.
    pub fn evaluate(&self) -> Result<HeldOut, StatusError> {
        let is_held_out = |at: &usize| (at + 1).is_multiple_of(EVERY);
        let (held_out, kept): (Vec<usize>, Vec<usize>) =
            (0..self.pages.len()).partition(is_held_out);
        let of = |idxs: Vec<usize>| -> Vec<&Seen> {
            idxs.into_iter().map(|at| &self.pages[at]).collect()
        };
        let (held_out, kept) = (of(held_out), of(kept));
        let model = train(&kept)?;
        let mean = kept.iter().map(|seen| seen.ln_links).sum::<f64>() / kept.len() as f64;
        let predicted: Vec<f64> = held_out.iter().map(|seen| model.guess(seen)).collect();
        let counted: Vec<f64> = held_out.iter().map(|seen| seen.ln_links).collect();
        let error_of = |guess: &dyn Fn(usize) -> f64| {
            let errors = counted.iter().enumerate();
            let sum: f64 = errors.map(|(at, links)| (guess(at) - links).abs()).sum();
            sum / counted.len().max(1) as f64
        };
        Ok(HeldOut {
            n_pages: held_out.len(),
            correlation: spearman(&predicted, &counted),
            error: error_of(&|at| predicted[at]),
            naive_error: error_of(&|_| mean),
        })
    }
}

impl StatusModel {
    fn guess(&self, seen: &Seen) -> f64 {
        f64::from(self.predict(&inputs(seen, &self.idf)))
    }
}

fn inputs(seen: &Seen, idf: &Idf) -> Features {
    Features {
        specificity: specificity(&seen.bag, idf),
        ..seen.features
    }
}

fn train(pages: &[&Seen]) -> Result<StatusModel, StatusError> {
    if pages.len() < LEAST_PAGES {
        let found = pages.len();
        return Err(StatusError::TooFew { found });
    }
    let first = pages[0].ln_links;
    if pages.iter().all(|seen| seen.ln_links == first) {
        let n_pages = pages.len();
        let n_inlinks = first.exp_m1().round() as u64;
        return Err(StatusError::AllEqual { n_pages, n_inlinks });
    }
    let idf = Idf::of(pages.iter().map(|seen| seen.bag.terms.as_slice()), N_TERMS);
    let rows: Vec<Vec<f64>> = pages
        .iter()
        .map(|seen| inputs(seen, &idf).inputs().to_vec())
        .collect();
    let targets: Vec<f64> = pages.iter().map(|seen| seen.ln_links).collect();
    let tree = ModelTree::grow(&rows, &targets, Settings::default())
        .expect("rows are of one length, and logarithms of counts finite");
    let predictions = rows.iter().map(|row| tree.predict(row)).collect();
    Ok(StatusModel {
        n_pages: pages.len() as u32,
        theta: median(predictions) as f32,
        highest: targets.iter().copied().fold(0.0, f64::max) as f32,
        idf,
        tree,
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}
