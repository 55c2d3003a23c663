//! How important a page looks, from the page alone.
//!
//! A model tree (M5') predicts ln(1 + in-links) from seven features of the
//! page (`features.rs`), one of them the traffic of its domain
//! (`traffic.rs`). Status is 1/(1 + e^−(x − θ)) of that prediction x, where θ
//! is the median prediction over the pages of an exploratory crawl: half of
//! them have more than one half. Trained by `training.rs`, kept as bytes by
//! `notation.rs`.
//!
//! *Source*: spec, status σ; the paper has θ = 2.82.

mod features;
mod notation;
mod traffic;
mod training;

pub use features::{Features, N_FEATURES};
pub use notation::StatusError;
pub use traffic::{Traffic, TrafficError};
pub use training::{HeldOut, Trainer};

use crate::bag::Bag;
use crate::topic::sigmoid;
use learn::tfidf::Idf;
use learn::tree::ModelTree;
use page::html::Page;
use std::sync::{Arc, LazyLock};

/// Pages that a model needs at least.
pub const LEAST_PAGES: usize = 100;

/// What a page's features say of its in-links.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusModel {
    n_pages: u32,
    /// The median prediction.
    theta: f32,
    /// The most that any page of the training had: the tree's models go on
    /// beyond what they have seen.
    highest: f32,
    idf: Idf,
    tree: ModelTree,
}

impl StatusModel {
    /// The model that the program carries with it, learned from a made-up
    /// web: see `data/README.md`.
    pub fn built_in() -> Arc<StatusModel> {
        static BUILT_IN: LazyLock<Arc<StatusModel>> = LazyLock::new(|| {
            let bytes = include_bytes!("../../../data/status.model");
            let model = StatusModel::from_bytes(bytes);
            Arc::new(model.expect("the model that is built in is checked by a test"))
        });
        BUILT_IN.clone()
    }

    /// How important a page looks, between 0 and 1.
    pub fn status(&self, page: &Page, traffic: &Traffic) -> f32 {
        self.status_of(page, &Bag::of(page), traffic)
    }

    /// The same of a page whose words are counted already.
    pub fn status_of(&self, page: &Page, bag: &Bag, traffic: &Traffic) -> f32 {
        let features = Features::of(page, bag, &self.idf, traffic);
        status(self.predict(&features), self.theta)
    }

    /// ln(1 + in-links), as far as a page shows it.
    pub fn predict(&self, features: &Features) -> f32 {
        let predicted = self.tree.predict(&features.inputs()) as f32;
        // A number that is none would poison every order.
        match predicted.is_nan() {
            true => self.theta,
            false => predicted.clamp(0.0, self.highest),
        }
    }

    /// θ: the prediction at which status is one half.
    pub fn theta(&self) -> f32 {
        self.theta
    }

    /// Regions of its tree with a model of their own.
    pub fn n_leaves(&self) -> usize {
        self.tree.n_leaves()
    }

    /// Pages it was trained on.
    pub fn n_pages(&self) -> u32 {
        self.n_pages
    }
}

/// A number between 0 and 1 for ln(1 + in-links), one half at θ.
pub fn status(ln_links: f32, theta: f32) -> f32 {
    sigmoid(ln_links - theta)
}

#[cfg(test)]
mod tests;
