//! What the addresses of one host have taught.

use super::copying::Copying;
use super::date::Dated;
use super::facets::Facets;
use super::parts::Parts;
use super::recent::Recent;
use super::voids::Voids;
use serde::{Deserialize, Serialize};
use store::visit::Refusal;

/// Patterns of addresses whose copies are counted.
const MAX_PATTERNS: usize = 64;

/// Paths whose combinations of parameters are counted.
const MAX_FACETS: usize = 8;

/// Calendars whose dates are counted.
const MAX_CALENDARS: usize = 8;

/// Dates that are followed in one calendar: a year of days and then some.
const MAX_DATES: usize = 400;

/// Texts that may be error pages.
const MAX_HINTS: usize = 32;

/// Addresses with one such text that make it one.
const MIN_MISSING: usize = 3;

/// What is known about one host; kept on disk as it is in memory.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct HostTraps {
    copying: Recent<Copying, MAX_PATTERNS>,
    facets: Recent<Facets, MAX_FACETS>,
    /// Dates by pattern, sorted.
    calendars: Recent<Vec<u32>, MAX_CALENDARS>,
    voids: Voids,
    /// Addresses by text, sorted.
    hints: Recent<Vec<u64>, MAX_HINTS>,
    /// Something has changed since it was last on disk.
    #[serde(skip)]
    pub(super) is_changed: bool,
    /// When it was last asked for.
    #[serde(skip)]
    pub(super) used: u64,
}

impl HostTraps {
    /// What the host's past says against an address.
    pub(super) fn judge(&mut self, parts: &Parts, date: Option<Dated>) -> Option<Refusal> {
        let copying = self.copying.get(parts.pattern);
        if copying.is_some_and(|copying| copying.is_hopeless()) {
            return Some(Refusal::CopyPattern);
        }
        if date.is_some_and(|date| self.is_one_more_date(parts, date)) {
            return Some(Refusal::Calendar);
        }
        if parts.parameters().is_empty() {
            return None;
        }
        if self.is_void(parts) {
            return Some(Refusal::CopyPattern);
        }
        if Facets::concern(parts) && self.is_one_more_combination(parts) {
            return Some(Refusal::Facets);
        }
        None
    }

    /// Hears which page an address brought: its own, or the one it is a copy of.
    pub(super) fn learn(&mut self, parts: &Parts, page: u64, is_copy: bool) {
        self.copying.change(parts.pattern).learn(is_copy);
        self.voids.learn(parts, page);
        self.is_changed = true;
    }

    /// Whether a text that hints at a missing page has come under enough addresses.
    pub(super) fn is_missing(&mut self, text: u64, address: u64) -> bool {
        let known = self.hints.get(text).map_or(&[][..], Vec::as_slice);
        if known.len() >= MIN_MISSING {
            return true;
        }
        if let Err(place) = known.binary_search(&address) {
            self.hints.change(text).insert(place, address);
            self.is_changed = true;
        }
        self.hints
            .get(text)
            .is_some_and(|known| known.len() >= MIN_MISSING)
    }

    fn is_one_more_date(&mut self, parts: &Parts, date: Dated) -> bool {
        let number = date.number();
        let dates = self
            .calendars
            .get(parts.pattern)
            .map_or(&[][..], Vec::as_slice);
        let Err(place) = dates.binary_search(&number) else {
            return false;
        };
        if dates.len() >= MAX_DATES {
            return true;
        }
        self.calendars.change(parts.pattern).insert(place, number);
        self.is_changed = true;
        false
    }

    fn is_void(&mut self, parts: &Parts) -> bool {
        let n_before = self.voids.len();
        let is_void = self.voids.is_void(parts);
        self.is_changed |= n_before != self.voids.len();
        is_void
    }

    fn is_one_more_combination(&mut self, parts: &Parts) -> bool {
        let facets = self.facets.change(parts.path);
        let n_before = facets.len();
        let is_one_more = facets.is_one_more(parts);
        self.is_changed |= n_before != facets.len();
        is_one_more
    }

    /// Entries held in memory.
    pub(super) fn len(&self) -> usize {
        let facets: usize = self.facets.values().map(Facets::len).sum();
        let dates: usize = self.calendars.values().map(Vec::len).sum();
        let hints: usize = self.hints.values().map(Vec::len).sum();
        self.copying.len() + self.voids.len() + facets + dates + hints
    }
}
