//! What a fetched page is about.
//!
//! For now: its geographic entities. Places, topicality and status join here.

use page::html::Page;
use place::address::{AddressFinder, Entity};
use place::gazetteer::Gazetteer;
use place::target::Targets;

/// What was found on one page.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// Addresses in one of the targets, in text order.
    pub entities: Vec<Entity>,
}

/// Looks at pages on behalf of one set of targets; shared by all threads.
pub struct Evaluator {
    finder: AddressFinder,
}

impl Evaluator {
    /// Prepares for a set of targets.
    pub fn new(gazetteer: &Gazetteer, targets: &Targets) -> Evaluator {
        Evaluator {
            finder: AddressFinder::new(gazetteer, targets),
        }
    }

    /// Evaluates a page.
    pub fn evaluate(&self, page: &Page) -> Evaluation {
        Evaluation {
            entities: self.finder.find(&page.text),
        }
    }
}
