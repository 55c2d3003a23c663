//! Answers given lately. People turn back to the list they came from, and ask
//! what others have asked.

use crate::ask::{Answer, Ask};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Answers kept, of some ten kilobytes each.
const MOST: usize = 512;

/// Questions longer than this are nobody else's.
const LONGEST: usize = 200;

/// Some answers, by what was asked.
#[derive(Default)]
pub(crate) struct Remembered(Mutex<Answers>);

#[derive(Default)]
struct Answers {
    by_question: HashMap<String, Arc<Answer>>,
    /// The first goes first.
    order: VecDeque<String>,
}

impl Remembered {
    /// What was answered to the same question.
    pub(crate) fn answer(&self, ask: &Ask) -> Option<Arc<Answer>> {
        let question = question(ask)?;
        self.answers().by_question.get(&question).cloned()
    }

    pub(crate) fn keep(&self, ask: &Ask, answer: &Arc<Answer>) {
        let Some(question) = question(ask) else {
            return;
        };
        let mut answers = self.answers();
        let answer = Arc::clone(answer);
        if answers
            .by_question
            .insert(question.clone(), answer)
            .is_some()
        {
            return;
        }
        answers.order.push_back(question);
        if answers.order.len() > MOST
            && let Some(first) = answers.order.pop_front()
        {
            answers.by_question.remove(&first);
        }
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All of a question in words; none if it is too long to be kept.
fn question(ask: &Ask) -> Option<String> {
    let question = format!("{ask:?}");
    let is_area = question.len() > ask.query.len() + 4 * LONGEST;
    (ask.query.len() <= LONGEST && !is_area).then_some(question)
}
