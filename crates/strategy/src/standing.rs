//! What `utility` and `inlinks` share: all links of a page have what the page
//! is worth.
//!
//! The clues of a link are its page's topicality and status and, where it
//! counts, the geographic evidence on it, as the bits of a number each.

use crate::about::Surroundings;
use crate::learned::{Learned, Reader};
use crate::means::{Means, MeansError};
use crate::order::{Arrival, Clues, Eye, Judgement, MindError, Priority, Sighting};
use crate::roster::NodeId;
use crate::scene::Scene;
use crate::ties::Ties;
use crate::utility::{Elasticity, Worth};
use page::html::Link;

/// Of what nothing is known.
const UNKNOWN: f32 = 0.5;

/// Sees what a page is worth.
pub(crate) struct WorthEye {
    /// Where geographic evidence counts.
    surroundings: Option<Surroundings>,
}

impl WorthEye {
    pub(crate) fn new(means: &Means<'_>) -> WorthEye {
        let counts = means.utility.geography > 0.0;
        WorthEye {
            surroundings: counts.then(|| Surroundings::of(means.targets)),
        }
    }
}

impl Eye for WorthEye {
    fn look(&self, scene: &Scene<'_>, links: &[&Link]) -> Vec<Clues> {
        let evaluation = scene.evaluation;
        let clues = match evaluation.topicality {
            Some(topicality) => {
                let status = evaluation.importance.unwrap_or(UNKNOWN);
                let surroundings = self.surroundings.as_ref();
                let geography = surroundings.map(|known| known.evidence(evaluation));
                [Some(topicality), Some(status), geography]
                    .into_iter()
                    .flatten()
                    .map(f32::to_bits)
                    .collect()
            }
            // A list, a redirect or a seed: no page that could be worth anything.
            None => Clues::new(),
        };
        vec![clues; links.len()]
    }
}

/// Judges links by what their page is worth.
pub(crate) struct Standing {
    order: &'static str,
    elasticity: Elasticity,
    countries: String,
    ties: Ties,
}

impl Standing {
    pub(crate) fn new(order: &'static str, means: &Means<'_>) -> Result<Standing, MeansError> {
        if means.topic.is_none() {
            return Err(MeansError::Lacking {
                order,
                flag: "--topic",
                what: "what pages should be about",
            });
        }
        Ok(Standing {
            order,
            elasticity: Elasticity::new(means)?,
            countries: means.countries(),
            ties: Ties::new(means.order_seed),
        })
    }

    pub(crate) fn judge(&self, sighting: &Sighting<'_>) -> Judgement {
        let (value, because) = match (worth(sighting), sighting.distance) {
            (Some(worth), _) => {
                let alpha = self.elasticity.alpha(sighting.node);
                let value = self.elasticity.utility().of(worth, alpha);
                (value, because(worth))
            }
            (None, 0) => (1.0, "a seed"),
            (None, _) => (UNKNOWN, "on a list that says nothing of its pages"),
        };
        Judgement::Follow(Priority {
            value: self.ties.broken(value, sighting.url),
            because,
        })
    }

    pub(crate) fn settle(&mut self, arrival: &Arrival) {
        if let Some(topicality) = arrival.topicality {
            self.elasticity.adapt(arrival.node, topicality);
        }
    }

    pub(crate) fn alpha(&self, node: NodeId) -> f32 {
        self.elasticity.alpha(node) as f32
    }

    /// A fixed elasticity needs no memory.
    pub(crate) fn memory(&self) -> usize {
        usize::from(self.elasticity.adapts())
    }

    pub(crate) fn save(&self) -> Option<Vec<u8>> {
        self.elasticity.adapts().then(|| {
            let mut learned = Learned::new(self.order, &self.countries);
            self.elasticity.save(&mut learned);
            learned.finish()
        })
    }

    pub(crate) fn restore(&mut self, saved: &[u8]) -> Result<(), MindError> {
        if !self.elasticity.adapts() {
            return Err(MindError::LearnsNothing);
        }
        let mut reader = Reader::open(saved, self.order, &self.countries)?;
        self.elasticity.restore(&mut reader)
    }
}

/// What a link's page is worth; in-links count for more than looks.
fn worth(sighting: &Sighting<'_>) -> Option<Worth> {
    let (&[topicality, status], rest) = sighting.clues.split_first_chunk()?;
    Some(Worth {
        topicality: f32::from_bits(topicality),
        status: sighting.importance.unwrap_or(f32::from_bits(status)),
        geography: rest.first().map_or(UNKNOWN, |bits| f32::from_bits(*bits)),
    })
}

fn because(worth: Worth) -> &'static str {
    match (worth.topicality >= 0.5, worth.status >= 0.5) {
        (true, true) => "on an important page on the topic",
        (true, false) => "on a page on the topic",
        (false, true) => "on an important page",
        (false, false) => "on a page of little worth",
    }
}
