//! The reasons why URLs wait, each kept once.
//!
//! Strategies give few different reasons; a list of them makes a reason two
//! bytes. Should one give more than the list holds, rows spell them out.

use super::row::Reason;
use std::collections::HashMap;

/// The longest list, and the longest reason on it.
const N_REASONS: usize = 1024;
const LONGEST: usize = 200;

#[derive(Default)]
pub(super) struct Reasons {
    list: Vec<Box<str>>,
    by_text: HashMap<Box<str>, u16>,
}

impl Reasons {
    pub(super) fn push(&mut self, text: &str) {
        self.by_text.insert(text.into(), self.list.len() as u16);
        self.list.push(text.into());
    }

    /// A reason's place in the list, and whether it was put there just now;
    /// none if it has no place.
    pub(super) fn place(&mut self, text: &str) -> Option<(u16, bool)> {
        if let Some(place) = self.by_text.get(text) {
            return Some((*place, false));
        }
        if self.list.len() >= N_REASONS || text.len() > LONGEST {
            return None;
        }
        self.push(text);
        Some(((self.list.len() - 1) as u16, true))
    }

    pub(super) fn text<'a>(&'a self, reason: &Reason<'a>) -> &'a str {
        match reason {
            Reason::Listed(place) => self.list.get(usize::from(*place)).map_or("", |text| text),
            Reason::Text(text) => text,
        }
    }
}
