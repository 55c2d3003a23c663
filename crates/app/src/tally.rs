//! What a look through the visit log counts.

use crate::outcome;
use std::collections::BTreeMap;
use store::visit::{Errand, PageCount, Refusal, Visit};

/// Counts of visits, whoever they were to.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) n_visits: u64,
    pub(crate) pages: PageCount,
    /// Bytes of bodies.
    pub(crate) n_bytes: u64,
    /// Failures that are to be tried again.
    pub(crate) n_retries: u64,
    by_outcome: BTreeMap<(&'static str, &'static str), u64>,
    by_refusal: BTreeMap<Refusal, u64>,
    pub(crate) last_url: Option<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, visit: &Visit) {
        self.n_visits += 1;
        self.n_bytes += u64::from(visit.bytes);
        self.n_retries += u64::from(visit.retry_at.is_some());
        let key = (outcome::errand(visit.errand), outcome::name(&visit.outcome));
        *self.by_outcome.entry(key).or_default() += 1;
        for refusal in visit.links.iter().filter_map(|link| link.refused) {
            *self.by_refusal.entry(refusal).or_default() += 1;
        }
        self.pages.add(visit);
        if visit.is_page() {
            self.last_url = Some(visit.url.clone());
        }
    }

    /// Errand, outcome and count, in a fixed order.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        self.by_outcome
            .iter()
            .map(|((errand, outcome), count)| (*errand, *outcome, *count))
    }

    /// How the tickets for one kind of thing ended.
    pub(crate) fn outcomes_of(&self, errand: Errand) -> BTreeMap<&'static str, u64> {
        let wanted = outcome::errand(errand);
        let outcomes = self.outcomes().filter(|(errand, ..)| *errand == wanted);
        outcomes
            .map(|(_, outcome, count)| (outcome, count))
            .collect()
    }

    /// Tickets for one kind of thing.
    pub(crate) fn n_of(&self, errand: Errand) -> u64 {
        self.outcomes_of(errand).values().sum()
    }

    /// Links that were not followed, by reason.
    pub(crate) fn refusals(&self) -> BTreeMap<&'static str, u64> {
        let refusals = self.by_refusal.iter();
        refusals
            .map(|(refusal, count)| (refusal.name(), *count))
            .collect()
    }
}
