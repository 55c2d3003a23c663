//! Outcomes of one strategy with several seeds, as means with errors.

use super::measures::Measure;
use super::{
    Claim, Experiment, MEASURES, OrderSpec, Outcome, STATUS_MEASURES, Subject, WORTH_MEASURES,
};
use super::{claims, file, order_claims, status, worth_claims};
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
    fn name(&self) -> String {
        format!("{}, {}", self.assign, self.order)
    }

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
}

/// Everything that came of an experiment.
#[derive(Debug, Clone)]
pub struct Summary {
    /// What it was about.
    pub title: String,
    /// What that is.
    pub subject: Subject,
    /// Pages of each trial.
    pub pages: u64,
    /// The orders, as the file has them.
    pub orders: Vec<OrderSpec>,
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
        experiment: &Experiment,
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
        let Experiment {
            title,
            places,
            nodes,
            pages,
            order,
            ..
        } = experiment;
        let is_paper = *places == file::us_top100() && *nodes == file::six();
        let subject = experiment.subject();
        let is_paper = is_paper && subject == Subject::Places;
        let mut claims = match is_paper {
            true => claims::judge(&groups),
            false => Vec::new(),
        };
        match subject {
            Subject::Places => claims.extend(order_claims::judge(&groups, order, *pages)),
            Subject::StatusLocality => {
                claims.extend(status::judge(&groups, Group::name));
            }
            Subject::Topics => claims.extend(worth_claims::judge(&groups, order, *pages)),
        }
        Summary {
            title: title.clone(),
            subject,
            pages: *pages,
            orders: order.clone(),
            n_missing,
            is_paper,
            groups,
            claims,
        }
    }

    /// Names of trials that went on after an interruption.
    pub fn resumed(&self) -> Vec<String> {
        let outcomes = self.groups.iter().flat_map(|group| &group.outcomes);
        let resumed = outcomes.filter(|outcome| outcome.resumed);
        resumed.map(|outcome| outcome.trial.name()).collect()
    }

    /// What its trials are compared by.
    pub fn measures(&self) -> &'static [Measure] {
        match self.subject {
            Subject::Places => &MEASURES,
            Subject::StatusLocality => &STATUS_MEASURES,
            Subject::Topics => &WORTH_MEASURES,
        }
    }

    /// What a strategy is called in tables: by what tells it from the others.
    pub fn name_of(&self, group: &Group) -> String {
        match (
            self.differ(|group| &group.assign),
            self.differ(|group| &group.order),
        ) {
            (true, true) => group.name(),
            (false, true) => group.order.clone(),
            (_, false) => group.assign.clone(),
        }
    }

    fn differ(&self, of: fn(&Group) -> &String) -> bool {
        let first = self.groups.first().map(of);
        self.groups.iter().any(|group| Some(of(group)) != first)
    }
}
