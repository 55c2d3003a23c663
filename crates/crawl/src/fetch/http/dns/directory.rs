//! What is known of names, for as long as it holds.

use crate::fetch::address::{self, OpenRange};
use crate::fetch::{Machine, Territory};
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A host's pages come seconds apart: asking anew for each would be rude.
const LEAST_TTL: Duration = Duration::from_secs(60);

/// Hosts do move.
const MOST_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a name that does not exist goes on not existing.
const NO_NAME_TTL: Duration = Duration::from_secs(10 * 60);

/// How long it is kept, for whoever wants the name, that nobody could say
/// anything about it.
const NO_ANSWER_TTL: Duration = Duration::from_secs(60);

/// How long nobody is asked again once that was told: less than a host that
/// fails is left alone, so that each of its tries is one.
const TOLD_TTL: Duration = Duration::from_secs(1);

/// How much longer an address serves while it is looked up again: nobody has
/// to wait for that.
const STALE: Duration = Duration::from_secs(10 * 60);

/// Names known at once, at some 200 bytes each.
const MAX_NAMES: usize = 100_000;

/// Addresses of one name that are worth trying.
const MAX_ADDRESSES: usize = 6;

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// To these addresses, in the order in which to try them.
    Open(Arc<[IpAddr]>),
    /// Inside a private network, and nowhere else.
    Private,
    /// Nowhere: it has no address.
    NoName,
    /// Nobody could say.
    NoAnswer,
}

/// Findings by name, shared by the network threads and whoever asks ahead.
#[derive(Debug)]
pub(crate) struct Directory {
    open_ranges: Vec<OpenRange>,
    entries: Mutex<HashMap<Box<str>, Entry>>,
    /// Names being looked up ahead.
    sought: Mutex<HashSet<Box<str>>>,
}

#[derive(Debug)]
struct Entry {
    finding: Finding,
    until: Instant,
}

impl Directory {
    /// An empty one, for a network of which so much was opened.
    pub(crate) fn new(open_ranges: Vec<OpenRange>) -> Directory {
        Directory {
            open_ranges,
            entries: Mutex::default(),
            sought: Mutex::default(),
        }
    }

    /// What is known of a host now; of an address always something.
    pub(crate) fn find(&self, host: &str, now: Instant) -> Option<Finding> {
        if let Some(ip) = address::literal(host) {
            return Some(self.open(&[ip]));
        }
        let entries = self.entries();
        let entry = entries.get(host).filter(|entry| now < entry.until)?;
        Some(entry.finding.clone())
    }

    /// Hears that whoever wanted a host was told what is known of it.
    pub(crate) fn told(&self, host: &str, now: Instant) {
        if let Some(entry) = self.entries().get_mut(host)
            && entry.finding == Finding::NoAnswer
        {
            entry.until = entry.until.min(now + TOLD_TTL);
        }
    }

    /// The machines that may be asked, where they are known or were until
    /// lately; sought while nothing is known.
    pub(crate) fn machine(&self, host: &str) -> Machine {
        match self.find(host, Instant::now()).or_else(|| self.stale(host)) {
            Some(Finding::Open(addresses)) => match *addresses {
                [address] => Machine::At(address),
                _ => Machine::Among(addresses),
            },
            Some(Finding::Private | Finding::NoName | Finding::NoAnswer) => Machine::Unknown,
            None => Machine::Sought,
        }
    }

    fn stale(&self, host: &str) -> Option<Finding> {
        let entries = self.entries();
        let entry = entries.get(host)?;
        let is_of_use =
            matches!(entry.finding, Finding::Open(_)) && Instant::now() < entry.until + STALE;
        is_of_use.then(|| entry.finding.clone())
    }

    /// Whether a host is to be looked up ahead, because what is known of it
    /// holds no longer and nobody does so already. Notes that somebody does
    /// from now on, until something is entered for it.
    pub(crate) fn begin(&self, host: &str) -> bool {
        if self.find(host, Instant::now()).is_some() {
            return false;
        }
        let mut sought = self.sought.lock().unwrap_or_else(PoisonError::into_inner);
        sought.insert(host.into())
    }

    /// Notes that a host is no longer being looked up ahead.
    pub(crate) fn end(&self, host: &str) {
        let mut sought = self.sought.lock().unwrap_or_else(PoisonError::into_inner);
        sought.remove(host);
    }

    /// Enters what a lookup found, without what may not be connected to.
    pub(crate) fn enter(&self, host: &str, found: &[IpAddr], valid_until: Instant) -> Finding {
        let now = Instant::now();
        let ttl = valid_until.saturating_duration_since(now);
        let finding = self.open(found);
        self.insert(host, finding, now, ttl.clamp(LEAST_TTL, MOST_TTL))
    }

    /// Enters that a lookup found nothing.
    pub(crate) fn enter_failure(&self, host: &str, finding: Finding) -> Finding {
        let ttl = match finding {
            Finding::NoAnswer => NO_ANSWER_TTL,
            Finding::Open(_) | Finding::Private | Finding::NoName => NO_NAME_TTL,
        };
        self.insert(host, finding, Instant::now(), ttl)
    }

    fn insert(&self, host: &str, finding: Finding, now: Instant, ttl: Duration) -> Finding {
        let mut entries = self.entries();
        if entries.len() >= MAX_NAMES {
            entries.retain(|_, entry| now < entry.until);
        }
        // Still full: looking a few names up again is cheaper than an order of age.
        if entries.len() >= MAX_NAMES {
            entries.clear();
        }
        let until = now + ttl;
        let entry = Entry {
            finding: finding.clone(),
            until,
        };
        entries.insert(host.into(), entry);
        drop(entries);
        self.end(host);
        finding
    }

    /// Whether an address may be connected to.
    pub(crate) fn admits(&self, ip: IpAddr, territory: Territory) -> bool {
        address::is_public(ip)
            || territory == Territory::Own && address::is_own(ip, &self.open_ranges)
    }

    /// Addresses of one's own network count only where a name has no others:
    /// a name is either inside or outside.
    fn open(&self, found: &[IpAddr]) -> Finding {
        let public = |ip: &IpAddr| address::is_public(*ip);
        let own = |ip: &IpAddr| address::is_own(*ip, &self.open_ranges);
        let first = |is_open: &dyn Fn(&IpAddr) -> bool| -> Arc<[IpAddr]> {
            let open = found.iter().copied().filter(|ip| is_open(ip));
            open.take(MAX_ADDRESSES).collect()
        };
        let open = match found.iter().any(public) {
            true => first(&public),
            false => first(&own),
        };
        match (found.is_empty(), open.is_empty()) {
            (true, _) => Finding::NoName,
            (false, true) => Finding::Private,
            (false, false) => Finding::Open(open),
        }
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Box<str>, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ips(texts: &[&str]) -> Vec<IpAddr> {
        texts
            .iter()
            .map(|text| text.parse().expect("an address"))
            .collect()
    }

    fn open(texts: &[&str]) -> Finding {
        Finding::Open(ips(texts).into())
    }

    #[test]
    fn private_addresses_are_taken_out_before_anything_is_remembered() {
        let directory = Directory::new(Vec::new());
        let now = Instant::now();
        let mixed = ips(&["10.0.0.1", "1.1.1.1", "::1", "2606:4700::1111"]);
        let kept = open(&["1.1.1.1", "2606:4700::1111"]);
        assert_eq!(directory.enter("mixed.com", &mixed, now), kept);
        assert_eq!(directory.find("mixed.com", now), Some(kept));
        let inside = ips(&["10.0.0.1", "fd00:ec2::254", "100.100.100.200"]);
        assert_eq!(
            directory.enter("inside.com", &inside, now),
            Finding::Private
        );
        assert_eq!(directory.enter("empty.com", &[], now), Finding::NoName);
        let both = Machine::Among(ips(&["1.1.1.1", "2606:4700::1111"]).into());
        assert_eq!(directory.machine("mixed.com"), both);
        assert_eq!(directory.machine("inside.com"), Machine::Unknown);
        assert_eq!(directory.machine("unknown.com"), Machine::Sought);
        assert!(directory.begin("unknown.com"));
        assert!(!directory.begin("unknown.com"), "it is under way");
        directory.enter_failure("unknown.com", Finding::NoName);
        assert_eq!(directory.machine("unknown.com"), Machine::Unknown);
        assert!(!directory.begin("unknown.com"), "it is known");
    }

    #[test]
    fn opened_ranges_are_left_in() {
        let directory = Directory::new(vec!["127.0.0.2".parse().expect("a range")]);
        let found = ips(&["127.0.0.1", "127.0.0.2"]);
        let finding = directory.enter("a.com", &found, Instant::now());
        assert_eq!(finding, open(&["127.0.0.2"]));
        let mixed = ips(&["127.0.0.2", "1.1.1.1"]);
        let finding = directory.enter("mixed.com", &mixed, Instant::now());
        assert_eq!(finding, open(&["1.1.1.1"]), "it is outside");
        assert_eq!(
            directory.find("127.0.0.2", Instant::now()),
            Some(open(&["127.0.0.2"]))
        );
        assert_eq!(
            directory.find("127.0.0.1", Instant::now()),
            Some(Finding::Private)
        );
    }

    #[test]
    fn findings_hold_for_a_minute_at_least_and_a_day_at_most() {
        let directory = Directory::new(Vec::new());
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let found = ips(&["1.1.1.1"]);
        directory.enter("short.com", &found, start);
        directory.enter("hour.com", &found, after(3600));
        directory.enter("year.com", &found, after(365 * 86_400));
        directory.enter_failure("gone.com", Finding::NoName);
        directory.enter_failure("down.com", Finding::NoAnswer);
        let known = |host: &str, seconds| directory.find(host, after(seconds)).is_some();
        assert!(known("short.com", 55) && !known("short.com", 65));
        assert!(known("hour.com", 3595) && !known("hour.com", 3605));
        assert!(known("year.com", 86_395) && !known("year.com", 86_405));
        assert!(known("gone.com", 595) && !known("gone.com", 605));
        assert!(known("down.com", 55) && !known("down.com", 65));
        directory.told("down.com", start);
        directory.told("hour.com", start);
        assert!(known("down.com", 0) && !known("down.com", 5));
        assert!(known("hour.com", 3595), "what is known holds, told or not");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let directory = Directory::new(Vec::new());
        let found = ips(&["1.1.1.1"]);
        for n in 0..=MAX_NAMES {
            directory.enter(&format!("{n}.com"), &found, Instant::now());
        }
        assert!(directory.entries().len() <= MAX_NAMES);
        let last = format!("{MAX_NAMES}.com");
        assert!(directory.find(&last, Instant::now()).is_some());
    }
}
