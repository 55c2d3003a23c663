//! What a crawl keeps to: hosts, domains and patterns of addresses.
//!
//! A link is followed if its host is one of those that the crawl keeps to,
//! where it keeps to any; if a pattern to include is its own, where there is
//! any; and if no pattern to exclude is. A link costs a few look-ups in sets
//! and sorted tables, however many hosts and patterns there are; only
//! patterns with a `*` in them are tried one by one.

mod hosts;
mod pattern;
mod patterns;

pub use pattern::PatternError;

use hosts::KeptHosts;
use page::url::CanonicalUrl;
use pattern::Key;
use patterns::Patterns;
use store::visit::Refusal;

/// The hosts, domains and patterns that a crawl keeps to, or leaves out. None
/// of a kind: nothing is asked of links.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    hosts: KeptHosts,
    include: Patterns,
    exclude: Patterns,
}

/// Why an address is out of bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfBounds<'a> {
    /// Its host is none of those that the crawl keeps to.
    OtherHost,
    /// No pattern to include is its own.
    NotIncluded,
    /// This pattern excludes it.
    Excluded(&'a str),
}

impl OutOfBounds<'_> {
    /// How it is counted.
    pub fn refusal(self) -> Refusal {
        match self {
            OutOfBounds::OtherHost | OutOfBounds::NotIncluded => Refusal::OutOfScope,
            OutOfBounds::Excluded(_) => Refusal::Excluded,
        }
    }
}

impl Bounds {
    /// Keeps to this host, and others that were named so.
    pub fn keep_to_host(&mut self, text: &str) -> Result<(), PatternError> {
        self.hosts.add_host(text)
    }

    /// Keeps to this domain and all hosts below it, and others named so.
    pub fn keep_to_domain(&mut self, text: &str) -> Result<(), PatternError> {
        self.hosts.add_domain(text)
    }

    /// Keeps to what is of this pattern, and others to include.
    pub fn include(&mut self, text: &str) -> Result<(), PatternError> {
        self.include.add(text)
    }

    /// Leaves out what is of this pattern.
    pub fn exclude(&mut self, text: &str) -> Result<(), PatternError> {
        self.exclude.add(text)
    }

    /// Whether a page is out of bounds, and why.
    pub fn judge(&self, url: &CanonicalUrl) -> Option<OutOfBounds<'_>> {
        self.judge_by(url, |include, key| include.find(url, key).is_some())
    }

    /// Whether a list of pages is. It need not be one of the pages to include
    /// itself, as long as it is on the host of some.
    pub fn judge_list(&self, url: &CanonicalUrl) -> Option<OutOfBounds<'_>> {
        self.judge_by(url, |include, key| include.may_be_on(url, key))
    }

    fn judge_by(
        &self,
        url: &CanonicalUrl,
        is_included: impl FnOnce(&Patterns, &Key) -> bool,
    ) -> Option<OutOfBounds<'_>> {
        if !self.hosts.hold(url) {
            return Some(OutOfBounds::OtherHost);
        }
        if self.include.is_empty() && self.exclude.is_empty() {
            return None;
        }
        let key = Key::of(url);
        if !self.include.is_empty() && !is_included(&self.include, &key) {
            return Some(OutOfBounds::NotIncluded);
        }
        self.exclude.find(url, &key).map(OutOfBounds::Excluded)
    }
}

#[cfg(test)]
mod tests;
