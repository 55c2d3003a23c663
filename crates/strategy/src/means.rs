//! What a strategy may be given beside the pages: settings, and knowledge
//! that somebody else has read from files.
//!
//! Every setting has a default; a strategy that cannot do without something
//! says so when it is built, naming the flag.

use crate::model::{Model, ModelError};
use crate::roster::Roster;
use place::gazetteer::PlaceId;
use place::target::Targets;
use std::net::IpAddr;
use std::sync::Arc;

/// Tokens before and after a link that belong to its extended anchor text,
/// unless told otherwise. The paper gives no number. "Automatic resource
/// compilation by analyzing hyperlink structure and associated text"
/// (Chakrabarti and others, 1998) finds what says most about a link within 50
/// bytes of it: some eight to ten words.
pub const WINDOW: usize = 10;

/// The weight of a city with its state against one without, as in the paper.
pub const ALPHA: f64 = 0.7;

/// The weight of a city's population against the states that a page
/// mentions, as in the paper.
pub const BETA: f64 = 0.5;

/// Everything a strategy may be built from.
#[derive(Clone)]
pub struct Means<'a> {
    /// What the crawl is for.
    pub targets: &'a Targets,
    /// Who crawls for what.
    pub roster: &'a Roster,
    /// Tokens before and after a link that are read with it.
    pub window: usize,
    /// α of `content`, from 0 to 1.
    pub alpha: f64,
    /// β of `content`, from 0 to 1.
    pub beta: f64,
    /// What the classifier has learned.
    pub model: Option<Arc<Model>>,
    /// Where servers stand.
    pub servers: Option<Arc<dyn Locate>>,
}

/// Knows where servers stand.
pub trait Locate: Send + Sync {
    /// The city of a server, where it is known and in the gazetteer.
    fn locate(&self, server: IpAddr) -> Option<PlaceId>;
}

impl<'a> Means<'a> {
    /// The defaults.
    pub fn new(targets: &'a Targets, roster: &'a Roster) -> Means<'a> {
        Means {
            targets,
            roster,
            window: WINDOW,
            alpha: ALPHA,
            beta: BETA,
            model: None,
            servers: None,
        }
    }

    /// α, checked.
    pub(crate) fn alpha(&self) -> Result<f64, MeansError> {
        weight("--alpha", self.alpha)
    }

    /// β, checked.
    pub(crate) fn beta(&self) -> Result<f64, MeansError> {
        weight("--beta", self.beta)
    }
}

fn weight(flag: &'static str, value: f64) -> Result<f64, MeansError> {
    match (0.0..=1.0).contains(&value) {
        true => Ok(value),
        false => Err(MeansError::Weight { flag, value }),
    }
}

/// Why a strategy cannot be built from what it was given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeansError {
    /// Something it cannot do without.
    #[error("`--assign {assign}` needs `{flag}`: {what}")]
    Missing {
        /// The strategy.
        assign: &'static str,
        /// What to write.
        flag: &'static str,
        /// What that is.
        what: &'static str,
    },
    /// A weight that is none.
    #[error("`{flag} {value}` is not between 0 and 1")]
    Weight {
        /// What was written.
        flag: &'static str,
        /// With which value.
        value: f64,
    },
    /// A model that was trained for something else.
    #[error("the model of `--model` was {0}")]
    Model(#[from] ModelError),
}
