//! Elements that items borrow properties from: `itemref`, and `class=include`.
//!
//! An item may borrow from an element that stands before it or after it, so
//! the few pages with such items are read three times: once to learn which
//! elements are wanted, once to hear what those say, once for the facts.
//! Every other page is read once and pays for nothing.

use super::Fact;
use crate::html::tokens::{Attribute, Attributes};
use std::collections::HashMap;

/// Elements beyond this many are not borrowed from.
const MAX_ELEMENTS: usize = 64;

/// Which of the three readings this is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Reading {
    #[default]
    Noting,
    Listening,
    Lending,
}

/// The elements of a page that are borrowed from.
#[derive(Debug, Default)]
pub(crate) struct References {
    reading: Reading,
    /// By identifier: what the element says, in which way.
    elements: HashMap<Box<str>, Vec<(usize, Fact)>>,
}

impl References {
    /// Nothing is borrowed, as on nearly all pages.
    pub(crate) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// For the next reading of the same page.
    pub(crate) fn next(mut self) -> References {
        self.reading = match self.reading {
            Reading::Noting => Reading::Listening,
            Reading::Listening | Reading::Lending => Reading::Lending,
        };
        self
    }

    /// Identifiers of elements matter in this reading.
    pub(crate) fn wants_ids(&self) -> bool {
        self.reading == Reading::Listening
    }

    /// Notes that an item borrows from the elements of these identifiers.
    pub(super) fn note(&mut self, ids: &str) {
        if self.reading != Reading::Noting {
            return;
        }
        for id in ids.split_ascii_whitespace() {
            if self.elements.len() < MAX_ELEMENTS {
                self.elements.entry(id.into()).or_default();
            }
        }
    }

    /// The identifier of an element, if it is one to listen to.
    pub(super) fn wanted<'a>(&self, attributes: &'a Attributes) -> Option<&'a str> {
        if !self.wants_ids() {
            return None;
        }
        let id = attributes.get(Attribute::Id)?;
        self.elements.contains_key(id).then_some(id)
    }

    /// Remembers what an element says; of two of one name, the first counts.
    pub(super) fn hear(&mut self, id: &str, kind_idx: usize, fact: Fact) {
        if let Some(said) = self.elements.get_mut(id)
            && !said.iter().any(|(known, _)| *known == kind_idx)
        {
            said.push((kind_idx, fact));
        }
    }

    /// What the elements of these identifiers say in one way.
    pub(super) fn said<'r>(
        &'r self,
        ids: &'r str,
        kind_idx: usize,
    ) -> impl Iterator<Item = &'r Fact> {
        let is_lending = self.reading == Reading::Lending;
        let known = ids
            .split_ascii_whitespace()
            .filter(move |_| is_lending)
            .filter_map(|id| self.elements.get(id));
        known
            .flatten()
            .filter(move |(known, _)| *known == kind_idx)
            .map(|(_, fact)| fact)
    }
}
