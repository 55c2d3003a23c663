//! The hosts that were visited most, in bounded memory.
//!
//! Exact up to a number of hosts. Beyond it the less visited half is forgotten
//! whenever the table is full: a host that is among the busiest is visited too
//! often to be forgotten, at worst after its first few visits.

use crate::outcome::{is_failure, was_asked};
use crate::text::authority;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;
use store::visit::Visit;

/// Hosts remembered at once, some ten megabytes of them.
const MOST_HOSTS: usize = 1 << 16;

/// Counts by host.
#[derive(Debug)]
pub(super) struct Hosts {
    counts: HashMap<Box<str>, Counts>,
    most: usize,
    is_exact: bool,
}

/// What is known of one host.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Counts {
    pub(super) visits: u64,
    pub(super) pages: u64,
    pub(super) failures: u64,
    pub(super) bytes: u64,
    /// Requests that had time to take.
    #[serde(skip)]
    n_asked: u64,
    #[serde(skip)]
    took_ms: u64,
}

impl Default for Hosts {
    fn default() -> Hosts {
        Hosts::of_at_most(MOST_HOSTS)
    }
}

impl Hosts {
    fn of_at_most(most: usize) -> Hosts {
        Hosts {
            counts: HashMap::new(),
            most,
            is_exact: true,
        }
    }

    pub(super) fn add(&mut self, visit: &Visit) {
        let host = authority(&visit.url);
        if !self.counts.contains_key(host) {
            if self.counts.len() >= self.most {
                self.forget_half();
            }
            self.counts.insert(host.into(), Counts::default());
        }
        if let Some(counts) = self.counts.get_mut(host) {
            counts.add(visit);
        }
    }

    fn forget_half(&mut self) {
        self.is_exact = false;
        let mut visits: Vec<u64> = self.counts.values().map(|counts| counts.visits).collect();
        let middle = visits.len() / 2;
        let (_, median, _) = visits.select_nth_unstable(middle);
        let least = *median;
        self.counts.retain(|_, counts| counts.visits > least);
    }

    /// The busiest hosts, most visits first.
    pub(super) fn busiest(&self, n_hosts: usize) -> Vec<(&str, Counts)> {
        let mut hosts: Vec<(&str, Counts)> = self
            .counts
            .iter()
            .map(|(host, counts)| (&**host, *counts))
            .collect();
        hosts.sort_unstable_by_key(|(host, counts)| (Reverse(counts.visits), *host));
        hosts.truncate(n_hosts);
        hosts
    }

    /// Whether nothing was ever forgotten.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }
}

impl Counts {
    fn add(&mut self, visit: &Visit) {
        self.visits += 1;
        // What it takes the place of was a page of this host as well.
        self.pages += u64::from(visit.is_page() && visit.earlier.is_none());
        self.failures += u64::from(is_failure(visit));
        self.bytes += u64::from(visit.bytes);
        if was_asked(visit) {
            self.n_asked += 1;
            self.took_ms += u64::from(visit.took_ms);
        }
    }

    /// Milliseconds from request to last byte, on average.
    pub(super) fn average_ms(&self) -> Option<f64> {
        (self.n_asked > 0).then(|| self.took_ms as f64 / self.n_asked as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::visit::{Errand, Outcome, Time};

    fn visit(host: &str) -> Visit {
        let url = format!("http://{host}/a");
        Visit {
            status: Some(200),
            took_ms: 30,
            ..Visit::new(0, Errand::Page, Time(0), &url, Outcome::Fetched)
        }
    }

    #[test]
    fn a_busy_host_is_found_among_more_hosts_than_are_remembered() {
        let mut hosts = Hosts::of_at_most(100);
        for n in 0..5_000 {
            hosts.add(&visit(&format!("h{n}.example")));
            if n % 10 == 0 {
                hosts.add(&visit("busy.example:81"));
            }
        }
        assert!(hosts.counts.len() <= 100);
        assert!(!hosts.is_exact());
        let (host, counts) = hosts.busiest(1)[0];
        assert_eq!((host, counts.visits), ("busy.example:81", 500));
        assert_eq!(counts.average_ms(), Some(30.0));
    }

    #[test]
    fn few_hosts_are_counted_exactly() {
        let mut hosts = Hosts::of_at_most(100);
        let mut failed = visit("a.example");
        failed.outcome = Outcome::TimedOut;
        for visit in [visit("b.example"), visit("a.example"), failed] {
            hosts.add(&visit);
        }
        let busiest = hosts.busiest(10);
        assert_eq!(busiest.len(), 2);
        assert_eq!((busiest[0].0, busiest[0].1.failures), ("a.example", 1));
        assert!(hosts.is_exact());
    }
}
