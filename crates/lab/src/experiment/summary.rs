//! Outcomes of one strategy with several seeds, as means with errors.

use super::{Claim, Outcome, claims};
use crate::measure::Report;
use crate::plot::Estimate;
use serde::Serialize;

/// A number of a report.
pub type Measure = fn(&Report) -> Option<f64>;

/// The measures of the spec, by their names in files.
pub const MEASURES: [(&str, Measure); 11] = [
    ("geo_coverage", |report| report.geo_coverage),
    ("geo_coverage_without_general", |report| {
        report.geo_coverage_without_general
    }),
    ("geo_focus", |report| report.geo_focus),
    ("unique_entities", |report| report.unique_entities),
    ("geo_centrality", |report| report.geo_centrality),
    ("overlap", |report| report.overlap),
    ("diversity", |report| report.diversity),
    ("communication_overhead", |report| {
        report.communication_overhead
    }),
    ("locality_linked", |report| report.locality.linked),
    ("locality_unlinked", |report| report.locality.unlinked),
    ("harvest_rate", |report| report.harvest_rate),
];

/// All trials of one strategy and order.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// Which node gets a link.
    pub assign: String,
    /// Which link is next.
    pub order: String,
    /// Its trials, by seed.
    #[serde(skip)]
    pub outcomes: Vec<Outcome>,
}

impl Group {
    /// The mean of something over the seeds, where there is any.
    pub fn mean(&self, of: impl Fn(&Report) -> Option<f64>) -> Option<Estimate> {
        let values: Vec<f64> = self
            .outcomes
            .iter()
            .filter_map(|outcome| of(&outcome.report))
            .collect();
        Estimate::of(&values)
    }

    /// What it is called in tables.
    pub fn name(&self, has_orders: bool) -> String {
        match has_orders {
            true => format!("{}, {}", self.assign, self.order),
            false => self.assign.clone(),
        }
    }
}

/// Everything that came of an experiment.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// What it was about.
    pub title: String,
    /// Pages of each trial.
    pub pages: u64,
    /// The strategies, in the order of the file.
    pub groups: Vec<Group>,
    /// What was published, held against it.
    pub claims: Vec<Claim>,
}

impl Summary {
    /// Sums up outcomes, in the order of their trials.
    pub fn new(title: &str, pages: u64, outcomes: Vec<Outcome>) -> Summary {
        let mut groups: Vec<Group> = Vec::new();
        for outcome in outcomes {
            let trial = &outcome.trial;
            let known = groups
                .iter_mut()
                .find(|group| (&group.assign, &group.order) == (&trial.assign, &trial.order));
            match known {
                Some(group) => group.outcomes.push(outcome),
                None => groups.push(Group {
                    assign: trial.assign.clone(),
                    order: trial.order.clone(),
                    outcomes: vec![outcome],
                }),
            }
        }
        let claims = claims::judge(&groups);
        Summary {
            title: title.to_owned(),
            pages,
            groups,
            claims,
        }
    }

    /// Whether its strategies differ in their orders too.
    pub fn has_orders(&self) -> bool {
        let first = self.groups.first().map(|group| &group.order);
        self.groups.iter().any(|group| Some(&group.order) != first)
    }
}
