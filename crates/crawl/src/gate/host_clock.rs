//! One host's clock: when it may be asked again, and how its origins fare.
//!
//! Every request counts for the host, whatever the scheme or port, and so does
//! being asked to leave it alone. Failures count for the origin that failed.

use super::bearing::{Bearing, Failure};
use super::health::Health;
use super::machine_clock::LEASE;
use super::recent::Forgettable;
use super::{Acquaintance, HostView};
use crate::clock::after;
use crate::fetch::{Fetched, Landing, Machine};
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;
use store::visit::{Outcome, Time};

/// Quick answers shorten the delay by this part of the difference.
const SMOOTHING: u64 = 8;

/// Origins of one host that are remembered to fail; a page may name thousands
/// of ports.
const MOST_ILL: usize = 32;

/// Ports that a host is asked at, 80 and 443 aside: a page may name
/// thousands, and behind most of them is no web server to bear it.
const MOST_PORTS: usize = 8;

/// A host's clock, and who holds it.
#[derive(Default)]
pub(super) struct HostClock {
    pub(super) memory: HostMemory,
    pub(super) is_leased: bool,
    /// The machine that was leased together with the host.
    pub(super) leased_machine: Option<IpAddr>,
    pub(super) is_unsaved: bool,
    pub(super) search: Search,
    /// Addresses found, in the order in which to try them.
    addresses: Box<[IpAddr]>,
    /// Those of them that could not be reached since one was.
    unreached: Vec<IpAddr>,
}

/// How the search for a host's machine stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Search {
    #[default]
    NotBegun,
    Since(Time),
    /// Found at that time; or else the host's first answer will tell.
    Over(Time),
}

/// Hosts move: after this long their addresses are asked for again.
const ADDRESSES_AGE: Duration = Duration::from_secs(60);

/// A host whose machine is not found by then is asked all the same: its
/// answer, if any, will tell. Look-ups may have to wait for their turn.
const SEARCH: Duration = Duration::from_secs(600);

/// A search is asked about no more seldom.
const LONGEST_LOOK: Duration = Duration::from_secs(5);

impl HostClock {
    pub(super) fn of(memory: HostMemory) -> HostClock {
        HostClock {
            memory,
            ..HostClock::default()
        }
    }

    /// Finds out a host's machines, unless they are known, or cannot be:
    /// returns when to try again.
    pub(super) fn seek(&mut self, look_up: impl FnOnce() -> Machine, now: Time) -> Option<Time> {
        if let Search::Over(since) = self.search
            && now < after(since, ADDRESSES_AGE)
        {
            return None;
        }
        let addresses = match (look_up(), self.search) {
            (Machine::At(address), _) => [address].into(),
            (Machine::Among(addresses), _) => addresses.iter().copied().collect(),
            (Machine::Sought, Search::Since(start)) if now < after(start, SEARCH) => {
                let so_far = Duration::from_millis(now.0.saturating_sub(start.0));
                return Some(after(now, so_far.clamp(LEASE, LONGEST_LOOK)));
            }
            (Machine::Sought, Search::NotBegun | Search::Over(_)) => {
                self.search = Search::Since(now);
                return Some(after(now, LEASE));
            }
            (Machine::Sought | Machine::Unknown, _) => Box::default(),
        };
        self.search = Search::Over(now);
        self.unreached.retain(|address| addresses.contains(address));
        self.addresses = addresses;
        None
    }

    /// Hears that the clock was set, to this time.
    pub(super) fn search_anew_since(&mut self, now: Time) {
        match &mut self.search {
            Search::NotBegun => {}
            Search::Since(start) | Search::Over(start) => *start = now,
        }
    }

    /// Whether its name leads anywhere.
    pub(super) fn is_found(&self) -> bool {
        !self.addresses.is_empty()
    }

    /// The machine to ask: the one that answered last, as long as the name
    /// leads there, or else the first that is not known to be out of reach.
    pub(super) fn choice(&self) -> Option<IpAddr> {
        let is_open = |address: &IpAddr| !self.unreached.contains(address);
        let last = self
            .memory
            .machine
            .filter(|last| self.addresses.contains(last));
        let mut open = self.addresses.iter().copied().filter(is_open);
        last.filter(is_open).or_else(|| open.next())
    }

    /// Hears what came of asking the leased machine: whether another address
    /// of the host is to be asked before anything is said about it.
    pub(super) fn has_other(&mut self, landing: &Landing) -> bool {
        let Some(asked) = self.leased_machine.filter(|_| self.is_found()) else {
            // Nothing was known of its name, which may be otherwise next time.
            self.search = Search::NotBegun;
            return false;
        };
        let is_unreached = landing.server.is_none()
            && matches!(landing.fetched, Fetched::Unreachable(_) | Fetched::TimedOut);
        if !is_unreached {
            self.unreached.clear();
            return false;
        }
        self.unreached.push(asked);
        let has_other = self.choice().is_some();
        if !has_other {
            self.unreached.clear();
        }
        has_other
    }
}

/// What is remembered of a host, also across restarts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HostMemory {
    pub(super) free_at: u64,
    /// The longest `Crawl-delay` of its rules.
    pub(super) crawl_delay_ms: u64,
    /// How long its answers take, of late.
    pub(super) answer_ms: u64,
    pub(super) answered_at: Option<u64>,
    pub(super) machine: Option<IpAddr>,
    /// Its origins that failed when they were last asked.
    pub(super) ill: Vec<(Box<str>, Health)>,
    /// Ports it has been asked at, 80 and 443 aside.
    pub(super) ports: Vec<u16>,
}

/// Whether a host may be asked.
pub(super) enum Readiness {
    Free,
    NotBefore(Time),
    /// Its machine is being looked up.
    Sought(Time),
    Parked(Time),
    /// Not at all, and why.
    Never(Outcome),
}

impl Forgettable for HostClock {
    fn is_needed(&self) -> bool {
        self.is_leased || self.is_unsaved
    }
}

fn is_odd(port: u16) -> bool {
    !matches!(port, 80 | 443)
}

impl HostMemory {
    pub(super) fn readiness(&self, origin: &str, now: Time) -> Readiness {
        let readiness = match self.health(origin) {
            Some(health) => health.readiness(now),
            None => Readiness::Free,
        };
        match readiness {
            Readiness::Free if self.free_at > now.0 => Readiness::NotBefore(Time(self.free_at)),
            Readiness::NotBefore(time) => Readiness::NotBefore(time.max(Time(self.free_at))),
            other => other,
        }
    }

    /// Whether the host has been asked at too many other ports to be asked at
    /// this one.
    pub(super) fn is_one_port_too_many(&self, port: u16) -> bool {
        self.ports.len() >= MOST_PORTS && is_odd(port) && !self.ports.contains(&port)
    }

    /// Hears at which port the host is asked.
    pub(super) fn asked_at(&mut self, port: u16) {
        if is_odd(port) && !self.ports.contains(&port) {
            self.ports.push(port);
        }
    }

    /// Counts a request that is sent off now.
    pub(super) fn asked(&mut self, settings: &Settings, origin: &str, now: Time) {
        let delay = self.delay(settings);
        self.free_at = after(now, delay).0;
        if let Some(health) = self.health_mut(origin) {
            health.asked(delay, now);
        }
    }

    /// Hears how a request ended, and counts from now.
    pub(super) fn heard(&mut self, settings: &Settings, origin: &str, bearing: Bearing, now: Time) {
        self.free_at = after(now, self.delay(settings)).0;
        self.heard_of(settings, origin, bearing, now);
    }

    /// Hears something about an origin though it was not asked itself.
    pub(super) fn heard_of(
        &mut self,
        settings: &Settings,
        origin: &str,
        bearing: Bearing,
        now: Time,
    ) {
        let delay = self.delay(settings);
        match bearing {
            Bearing::Unclear => {
                if let Some(health) = self.health_mut(origin) {
                    health.rest(health.wait(delay), now);
                }
            }
            // The wait for its pages was over when its rules were asked for.
            Bearing::Reachable if self.is_of_pages(origin) => {
                if let Some(health) = self.health_mut(origin) {
                    health.rest(delay, now);
                }
            }
            Bearing::Reachable | Bearing::Well => self.ill.retain(|(name, _)| **name != *origin),
            Bearing::Ill { failure, rest } => {
                let is_for_all = failure == Failure::Busy || rest.is_some();
                let rest = self.fallen_ill(origin).failed(failure, rest, delay, now);
                // Who is asked too much is so whatever the scheme or port.
                if is_for_all {
                    self.free_at = self.free_at.max(after(now, rest).0);
                }
            }
        }
    }

    fn is_of_pages(&self, origin: &str) -> bool {
        let failure = self
            .health(origin)
            .and_then(|ill| ill.last_failure.as_ref());
        failure.is_some_and(Failure::is_of_pages)
    }

    fn health(&self, origin: &str) -> Option<&Health> {
        let mut ill = self.ill.iter();
        ill.find_map(|(name, health)| (**name == *origin).then_some(health))
    }

    fn health_mut(&mut self, origin: &str) -> Option<&mut Health> {
        let mut ill = self.ill.iter_mut();
        ill.find_map(|(name, health)| (**name == *origin).then_some(health))
    }

    /// The health of an origin that has failed.
    fn fallen_ill(&mut self, origin: &str) -> &mut Health {
        let nth = self.ill.iter().position(|(name, _)| **name == *origin);
        let nth = nth.unwrap_or_else(|| {
            if self.ill.len() == MOST_ILL {
                self.ill.remove(0);
            }
            self.ill.push((origin.into(), Health::default()));
            self.ill.len() - 1
        });
        &mut self.ill[nth].1
    }

    /// Hears how long an answer took, or that none came in so long. Slow
    /// answers count at once, quick ones little by little.
    pub(super) fn took(&mut self, landing: &Landing, now: Time) {
        match landing.fetched {
            Fetched::Answer(_) | Fetched::TooLarge => self.answered_at = Some(now.0),
            Fetched::TimedOut => {}
            // Says more about name servers, or about us.
            _ => return,
        }
        let took = u64::try_from(landing.took.as_millis()).unwrap_or(u64::MAX);
        let gain = self.answer_ms.saturating_sub(took).div_ceil(SMOOTHING);
        self.answer_ms = took.max(self.answer_ms - gain);
    }

    /// Hears that rules ask for a delay.
    pub(super) fn slow_down(&mut self, crawl_delay: Duration, now: Time) {
        let crawl_delay_ms = u64::try_from(crawl_delay.as_millis()).unwrap_or(u64::MAX);
        if crawl_delay_ms > self.crawl_delay_ms {
            self.crawl_delay_ms = crawl_delay_ms;
            self.free_at = self.free_at.max(after(now, crawl_delay).0);
        }
    }

    /// Hears of a crash: who knows what was asked just before.
    pub(super) fn survived(&mut self, settings: &Settings, crashed: Time) {
        let delay = self.delay(settings);
        self.free_at = self.free_at.max(after(crashed, delay).0);
        for (_, health) in &mut self.ill {
            health.survived(delay, crashed);
        }
    }

    /// Times further ahead than what they were noted for are of a clock that
    /// was ahead: all counts as noted just now.
    pub(super) fn clamp(&mut self, settings: &Settings, now: Time) {
        let mut longest = self.delay(settings);
        for (_, health) in &mut self.ill {
            health.clamp(now);
            longest = longest.max(health.longest_rest());
        }
        self.free_at = self.free_at.min(after(now, longest).0);
        self.answered_at = self.answered_at.map(|at| at.min(now.0));
    }

    /// Carries what lies ahead over a jump of the clock.
    pub(super) fn carry(&mut self, carry: impl Fn(Time) -> Time) {
        self.free_at = carry(Time(self.free_at)).0;
        for (_, health) in &mut self.ill {
            health.carry(&carry);
        }
    }

    /// The least time between two requests while all is well.
    pub(super) fn delay(&self, settings: &Settings) -> Duration {
        let factor = f64::from(settings.delay_factor.max(0.0));
        let strained = Duration::try_from_secs_f64(self.answer_time().as_secs_f64() * factor);
        let strained = strained
            .unwrap_or(Duration::MAX)
            .min(settings.longest_delay);
        settings
            .delay_at(self.machine)
            .max(Duration::from_millis(self.crawl_delay_ms))
            .max(strained)
    }

    /// The delay, and longer with every failure of the origin.
    pub(super) fn wait(&self, settings: &Settings, origin: &str) -> Duration {
        let delay = self.delay(settings);
        self.health(origin).map_or(delay, |ill| ill.wait(delay))
    }

    pub(super) fn view(&self, settings: &Settings, origin: &str) -> HostView {
        let health = self.health(origin);
        HostView {
            free_at: self.free_at(origin),
            delay: self.delay(settings),
            n_failures: self.n_failures(origin),
            last_failure: health
                .and_then(|health| health.last_failure.as_ref())
                .map(Failure::outcome),
            parked_until: health.and_then(Health::parked_until),
            is_given_up: health.is_some_and(Health::is_given_up),
            machine: self.machine,
            answer_time: self.answer_time(),
            answered_at: self.answered_at.map(Time),
        }
    }

    fn answer_time(&self) -> Duration {
        Duration::from_millis(self.answer_ms)
    }

    /// When an origin may be asked again, unless it is parked for longer.
    pub(super) fn free_at(&self, origin: &str) -> Time {
        let health = self.health(origin).map(Health::free_at);
        health.unwrap_or_default().max(Time(self.free_at))
    }

    pub(super) fn n_failures(&self, origin: &str) -> u32 {
        self.health(origin).map_or(0, |health| health.n_failures)
    }

    /// Whether an origin is known to answer.
    pub(super) fn acquaintance(&self, origin: &str) -> Acquaintance {
        match self.answered_at {
            Some(_) if self.n_failures(origin) == 0 => Acquaintance::Known,
            _ => Acquaintance::Stranger,
        }
    }

    /// Origins that are dead for now.
    pub(super) fn n_parked(&self) -> u64 {
        let ill = self.ill.iter();
        ill.filter(|(_, health)| health.is_parked()).count() as u64
    }
}
