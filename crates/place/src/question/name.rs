//! Finds the names of places in a query, and which of them is meant.

use super::QuestionReader;
use super::lead::{self, Lead};
use super::qualifier;
use super::token::Tokens;
use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};
use std::ops::Range;

/// Names have at most so many words.
const MAX_WORDS: usize = 6;

/// A name may have thousands of bearers; the least of them need not be known.
const MAX_BEARERS: usize = 500;

/// Codes that are words too.
pub(super) const WORDY_CODES: [&str; 17] = [
    "al", "as", "co", "de", "hi", "id", "in", "is", "it", "la", "ma", "me", "oh", "ok", "or", "pa",
    "us",
];

/// What speaks for a reading, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    /// The name alone, or with `of` or `from` before it.
    Known,
    Lead,
    Qualifier,
    LeadAndQualifier,
}

/// One way to read some tokens as a place.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// All tokens that belong to it: the words that lead to it, name, state and country.
    pub(super) tokens: Range<usize>,
    /// Without the words that lead to it.
    pub(super) place: Range<usize>,
    pub(super) lead: Option<Lead>,
    /// The places it may mean, most populous first.
    pub(super) bearers: Vec<(PlaceId, Role)>,
    /// The other places of that name.
    pub(super) others: Vec<(PlaceId, Role)>,
    /// What kind of place stands behind the name, if one does.
    pub(super) qualifier: Option<Kind>,
    ground: Ground,
}

impl Reading {
    /// Whether a word or a state says that a place is meant.
    pub(super) fn is_sure(&self) -> bool {
        self.ground > Ground::Known
    }
}

/// All that is needed to judge names.
pub(super) struct Names<'n> {
    pub(super) reader: &'n QuestionReader<'n>,
    pub(super) tokens: &'n Tokens<'n>,
    pub(super) home: Option<(f64, f64)>,
}

impl Names<'_> {
    /// The reading with most to say for it; of equals the longest, then the last.
    pub(super) fn best(&self) -> Option<Reading> {
        let n_tokens = self.tokens.list.len();
        let starts = 0..n_tokens;
        let readings = starts.flat_map(|start| {
            let longest = (start + MAX_WORDS).min(n_tokens);
            (start + 1..=longest).filter_map(move |end| self.read(start..end))
        });
        readings.max_by_key(|reading| (reading.ground, reading.place.len(), reading.place.end))
    }

    /// Places of the name that these tokens are.
    pub(super) fn bearers(&self, name: Range<usize>) -> Vec<(PlaceId, Role)> {
        if !self.tokens.are_joined(name.clone()) {
            return Vec::new();
        }
        let found = self.gazetteer().bearers(&self.tokens.name(name));
        found
            .filter(|&(_, role)| role != Role::Demonym)
            .take(MAX_BEARERS)
            .collect()
    }

    pub(super) fn gazetteer(&self) -> &Gazetteer {
        self.reader.gazetteer
    }

    fn read(&self, name: Range<usize>) -> Option<Reading> {
        let bearers = self.bearers(name.clone());
        let is_lead = name.len() == 1 && lead::is_lead(self.tokens, name.start);
        let is_institution = lead::is_institution(self.tokens, &name);
        if bearers.is_empty() || is_lead || is_institution || self.is_combined(&name) {
            return None;
        }
        let qualified = qualifier::behind(self.gazetteer(), self.tokens, name.end, &bearers);
        let lead = lead::before(self.tokens, name.start);
        let n_lead = lead.map_or(0, |lead| lead.n_tokens);
        if let Some(qualified) = qualified
            && self.may_be_qualified(&name, &qualified.bearers, lead)
        {
            let is_led = lead.is_some_and(|lead| lead.is_strong);
            let is_kept = |bearer: &(PlaceId, Role)| !qualified.bearers.contains(bearer);
            return Some(Reading {
                tokens: name.start - n_lead..qualified.end,
                place: name.start..qualified.end,
                lead,
                others: bearers.into_iter().filter(is_kept).collect(),
                bearers: qualified.bearers,
                qualifier: Some(qualified.kind),
                ground: if is_led {
                    Ground::LeadAndQualifier
                } else {
                    Ground::Qualifier
                },
            });
        }
        let is_led = lead.is_some_and(|lead| lead.is_strong);
        let is_meant = match lead {
            Some(lead) if lead.is_strong => self.may_be_led(&name, &bearers, lead),
            _ => self.is_known(&name, &bearers, lead),
        };
        let is_meant = is_meant && !lead::is_part(self.tokens, &name);
        is_meant.then(|| Reading {
            tokens: name.start - n_lead..name.end,
            place: name,
            lead,
            bearers,
            others: Vec::new(),
            qualifier: None,
            ground: if is_led { Ground::Lead } else { Ground::Known },
        })
    }

    /// The city that begins a query which a state of it ends, with other words
    /// between: `Athens city public schools Alabama`.
    pub(super) fn city_before(&self, state: &Reading) -> Option<Reading> {
        let gazetteer = self.gazetteer();
        let is_division = |(id, _): &&(PlaceId, Role)| gazetteer.kind(*id) == Kind::Division1;
        let divisions: Vec<PlaceId> = state
            .bearers
            .iter()
            .filter(is_division)
            .map(|(id, _)| *id)
            .collect();
        if divisions.is_empty() || state.qualifier.is_some() || !self.tokens.ends(state.place.end) {
            return None;
        }
        let is_there = |(id, _): &(PlaceId, Role)| {
            let mut above = gazetteer.chain(*id).skip(1);
            gazetteer.kind(*id) == Kind::City && above.any(|above| divisions.contains(&above))
        };
        let longest = MAX_WORDS.min(state.tokens.start);
        (1..=longest).rev().find_map(|end| {
            let name = 0..end;
            let (bearers, others): (Vec<_>, Vec<_>) =
                self.bearers(name.clone()).into_iter().partition(is_there);
            let is_meant = !bearers.is_empty()
                && !self.is_combined(&name)
                && self.is_known(&name, &bearers, None);
            is_meant.then_some(Reading {
                tokens: name.clone(),
                place: name,
                lead: None,
                bearers,
                others,
                qualifier: Some(Kind::Division1),
                ground: Ground::Qualifier,
            })
        })
    }

    /// Whether an operator stands beside it: what it does to a place is not for us to say.
    fn is_combined(&self, name: &Range<usize>) -> bool {
        let is_operator = |idx: usize| {
            let is_last = idx + 1 == self.tokens.list.len();
            let token = self.tokens.list.get(idx);
            // At the end of a query, `OR` is Oregon.
            !is_last && token.is_some_and(|token| token.is_operator(self.tokens.query))
        };
        is_operator(name.end) || name.start.checked_sub(1).is_some_and(is_operator)
    }
}
