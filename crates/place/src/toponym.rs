//! Finds the names of places in text and decides which place is meant.
//!
//! Addresses are found before (`address.rs`): the city in one is known already.

use crate::address::Address;
use crate::gazetteer::{Gazetteer, PlaceId};
use std::ops::Range;

/// A name in a text, and the place it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// Byte range of the name in the text.
    pub span: Range<usize>,
    /// The place that is meant.
    pub place: PlaceId,
    /// How sure we are that this is a name of a place and of this one, 0 to 1.
    pub confidence: f32,
    /// The next best place of that name.
    pub runner_up: Option<PlaceId>,
    /// What spoke for it, strongest first; empty strings fill up.
    pub because: [&'static str; 3],
}

/// What is known about a text beside its words.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'c> {
    /// Host of the page, e.g. `www.houstontx.gov`; empty where there is none.
    pub host: &'c str,
    /// Addresses found in the text, in order.
    pub addresses: &'c [Address],
    /// Places that are known to matter to the page: from its structured data.
    pub places: &'c [PlaceId],
}

/// Finds names of places; made once, used for every text.
pub struct Toponyms<'g> {
    gazetteer: &'g Gazetteer,
}

impl<'g> Toponyms<'g> {
    /// Prepares all names of the gazetteer.
    pub fn new(gazetteer: &'g Gazetteer) -> Toponyms<'g> {
        Toponyms { gazetteer }
    }

    /// All mentions of places in the text, in order; they do not overlap.
    pub fn find(&self, text: &str, _context: &Context<'_>) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut at = 0;
        for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            if name.starts_with(char::is_uppercase)
                && let Some(&place) = self.gazetteer.find(name).first()
            {
                found.push(Mention {
                    span: at..at + name.len(),
                    place,
                    confidence: 0.5,
                    runner_up: None,
                    because: ["largest of its name", "", ""],
                });
            }
            at += word.len();
        }
        found
    }
}

impl std::fmt::Debug for Toponyms<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Toponyms").finish_non_exhaustive()
    }
}
