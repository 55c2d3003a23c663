//! Outcomes of one strategy with several seeds, as means with errors.

use super::measures::Measure;
use super::{Claim, Outcome, claims};
use crate::measure::Report;
use crate::plot::Estimate;

/// All trials of one strategy and order.
#[derive(Debug, Clone)]
pub struct Group {
    /// Which node gets a link.
    pub assign: String,
    /// Which link is next.
    pub order: String,
    /// Its trials, by seed.
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

    /// The mean of a measure over the seeds; of one seed alone, with the error
    /// of its sample, if it is one.
    pub fn estimate(&self, measure: &Measure) -> Option<Estimate> {
        match self.outcomes.as_slice() {
            [only] => Some(Estimate {
                mean: (measure.ours)(&only.report)?,
                error: (measure.error)(&only.report),
            }),
            _ => self.mean(measure.ours),
        }
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
#[derive(Debug, Clone)]
pub struct Summary {
    /// What it was about.
    pub title: String,
    /// Pages of each trial.
    pub pages: u64,
    /// Trials that have not ended.
    pub n_missing: usize,
    /// Whether it is the 2006 paper's: its cities and nodes.
    pub is_paper: bool,
    /// The strategies, in the order of the file.
    pub groups: Vec<Group>,
    /// What was published, held against it.
    pub claims: Vec<Claim>,
}

impl Summary {
    /// Sums up outcomes, in the order of their trials.
    pub(super) fn new(
        title: &str,
        pages: u64,
        is_paper: bool,
        n_missing: usize,
        outcomes: Vec<Outcome>,
    ) -> Summary {
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
        let claims = match is_paper {
            true => claims::judge(&groups),
            false => Vec::new(),
        };
        Summary {
            title: title.to_owned(),
            pages,
            n_missing,
            is_paper,
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
