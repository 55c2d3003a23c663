//! What a strategy may be given beside the pages: settings, and knowledge
//! that somebody else has read from files.
//!
//! Every setting has a default; a strategy that cannot do without something
//! says so when it is built, naming the flag.

use crate::model::{Model, ModelError};
use crate::roster::Roster;
use crate::status::{StatusModel, Traffic};
use crate::topic::Topic;
use crate::utility::{MOST_WINDOW, Utility};
use place::gazetteer::{Gazetteer, PlaceId};
use place::target::Targets;
use std::collections::{BTreeSet, HashMap};
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

/// What a link further away counts against a nearer one, as in the 2009 paper.
pub const DECAY: f64 = 0.5;

/// Links ahead that `adaptive` looks, as in the paper: fewer are worse, more
/// bring nothing.
pub const STEPS: usize = 3;

/// Most links ahead that anybody may look: each takes its share of memory.
pub const MOST_STEPS: usize = 5;

/// Pages to learn from before anything is predicted, as in the paper.
pub const TRAIN_PAGES: u64 = 30_000;

/// Spatial correlation that a link has to exceed for `georank`, as in the 2009 paper.
pub const MIN_CORRELATION: f64 = 0.5;

/// Location focus that a link has to exceed for `georank`, as in the paper.
pub const MIN_FOCUS: f64 = 0.0;

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
    /// What one more link since the last relevant page leaves of a score,
    /// between 0 and 1.
    pub decay: f64,
    /// Links ahead that are predicted.
    pub steps: usize,
    /// Pages to learn from before anything is predicted.
    pub train_pages: u64,
    /// Decides ties between links.
    pub order_seed: u64,
    /// How near to each other the places of a link have to be for `georank`,
    /// from 0 (antipodes) to 1 (one place); more than this.
    pub min_correlation: f64,
    /// How many words of a link's text have to be places for `georank`; a
    /// larger share than this.
    pub min_focus: f64,
    /// Where the owners of domains are.
    pub registrants: Option<Arc<Registrants>>,
    /// What pages should be about, beside the places.
    pub topic: Option<Subject>,
    /// What makes pages look important.
    pub status: Option<Arc<StatusModel>>,
    /// How many people visit domains.
    pub traffic: Arc<Traffic>,
    /// How topic and status are weighed.
    pub utility: Utility,
}

/// What the pages of a crawl should be about.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A topic that was learned.
    Topic(Arc<Topic>),
    /// The targets themselves: geographic evidence is the topicality.
    Geography,
}

/// Where the owners of domains are, by registrable domain, as whois tells.
pub type Registrants = HashMap<String, PlaceId>;

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
            decay: DECAY,
            steps: STEPS,
            train_pages: TRAIN_PAGES,
            order_seed: 0,
            min_correlation: MIN_CORRELATION,
            min_focus: MIN_FOCUS,
            registrants: None,
            topic: None,
            status: None,
            traffic: Traffic::built_in(),
            utility: Utility::default(),
        }
    }

    /// α, checked.
    pub(crate) fn alpha(&self) -> Result<f64, MeansError> {
        weight("--alpha", self.alpha)
    }

    /// The decay, checked.
    pub(crate) fn decay(&self) -> Result<f32, MeansError> {
        let is_between = self.decay > 0.0 && self.decay < 1.0;
        match is_between {
            true => Ok(self.decay as f32),
            false => Err(MeansError::Decay(self.decay)),
        }
    }

    /// Links ahead, checked.
    pub(crate) fn steps(&self) -> Result<usize, MeansError> {
        match (1..=MOST_STEPS).contains(&self.steps) {
            true => Ok(self.steps),
            false => Err(MeansError::Steps(self.steps)),
        }
    }

    /// The countries that targets are in, by their codes: `DE+US`.
    pub(crate) fn countries(&self) -> String {
        let gazetteer = Gazetteer::built_in();
        let places = self.targets.list().iter().map(|target| target.place);
        let countries: BTreeSet<&str> =
            places.map(|place| gazetteer.place(place).country).collect();
        countries.into_iter().collect::<Vec<_>>().join("+")
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
    /// Something that an order cannot do without.
    #[error("`--order {order}` needs `{flag}`: {what}")]
    Lacking {
        /// The order.
        order: &'static str,
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
    /// A decay that keeps everything or nothing.
    #[error("`--decay {0}` is not between 0 and 1")]
    Decay(f64),
    /// Too few links ahead, or too many.
    #[error("`--steps {0}` is not from 1 to {MOST_STEPS}")]
    Steps(usize),
    /// A pace that stands still or runs away.
    #[error("`--adapt-step {0}` is not above 0 and at most 1")]
    Step(f64),
    /// Too few pages to look back on, or too many.
    #[error("`--adapt-window {0}` is not from 1 to {MOST_WINDOW}")]
    Window(usize),
    /// A model that was trained for something else.
    #[error("the model of `--model` was {0}")]
    Model(#[from] ModelError),
}
