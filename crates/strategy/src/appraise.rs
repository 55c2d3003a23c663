//! What a page is worth to a crawl with a topic: how topical it is, and how
//! important it looks.
//!
//! Its words are counted once for both. How the two are weighed against each
//! other is the affair of `utility` and the orders.

use crate::about::Surroundings;
use crate::bag::Bag;
use crate::evaluate::Evaluation;
use crate::means::{Means, Subject};
use crate::status::{StatusModel, Traffic};
use crate::topic::Topic;
use page::html::Page;
use std::sync::Arc;

/// Appraises pages for one crawl; shared by all threads.
#[derive(Debug, Clone)]
pub struct Appraiser {
    topic: Judge,
    status: Option<Arc<StatusModel>>,
    traffic: Arc<Traffic>,
}

/// Who says how topical a page is.
#[derive(Debug, Clone)]
enum Judge {
    Words(Arc<Topic>),
    Geography(Surroundings),
}

impl Appraiser {
    /// For a crawl that has a topic; none for one that has not.
    pub fn of(means: &Means<'_>) -> Option<Appraiser> {
        let topic = match means.topic.as_ref()? {
            Subject::Topic(topic) => Judge::Words(topic.clone()),
            Subject::Geography => Judge::Geography(Surroundings::of(means.targets)),
        };
        Some(Appraiser {
            topic,
            status: means.status.clone(),
            traffic: means.traffic.clone(),
        })
    }

    /// Adds what a page is worth to what was found on it.
    pub fn appraise(&self, page: &Page, evaluation: &mut Evaluation) {
        let needs_words = self.status.is_some() || matches!(self.topic, Judge::Words(_));
        let bag = match needs_words {
            true => Bag::of(page),
            false => Bag::default(),
        };
        evaluation.topicality = Some(match &self.topic {
            Judge::Words(topic) => topic.topicality_of(&bag),
            Judge::Geography(surroundings) => surroundings.evidence(evaluation),
        });
        let status = self.status.as_ref();
        evaluation.importance = status.map(|status| status.status_of(page, &bag, &self.traffic));
    }
}
