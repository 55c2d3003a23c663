//! What was asked for since the tally was last begun anew.

use std::fmt::Write;

/// Counts requests, and each page once.
pub(crate) struct Tally {
    seen: Vec<bool>,
    n_distinct: usize,
    n_pages: usize,
    n_robots: usize,
    n_missing: usize,
    n_connections: usize,
}

impl Tally {
    pub(crate) fn of(n_pages: usize) -> Tally {
        Tally {
            seen: vec![false; n_pages],
            n_distinct: 0,
            n_pages: 0,
            n_robots: 0,
            n_missing: 0,
            n_connections: 0,
        }
    }

    pub(crate) fn page(&mut self, page: usize) {
        self.n_pages += 1;
        if !std::mem::replace(&mut self.seen[page], true) {
            self.n_distinct += 1;
        }
    }

    pub(crate) fn robots(&mut self) {
        self.n_robots += 1;
    }

    pub(crate) fn missing(&mut self) {
        self.n_missing += 1;
    }

    pub(crate) fn connection(&mut self) {
        self.n_connections += 1;
    }

    /// As one JSON object; the tally then begins anew.
    pub(crate) fn take(&mut self) -> String {
        let taken = std::mem::replace(self, Tally::of(self.seen.len()));
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{{\"distinct\": {}, \"pages\": {}, \"robots\": {}, \"missing\": {}, \"connections\": {}}}",
            taken.n_distinct, taken.n_pages, taken.n_robots, taken.n_missing, taken.n_connections
        );
        text
    }
}
