//! One host's clock: when it may be asked again, and whether it is dead for now.
//!
//! A host that fails is asked less and less; one that fails several times in
//! a row is *parked*: left alone for an hour, then six, then a day, with one
//! try in between. Its URLs wait. Only when that try fails the third time is
//! it *given up*, and its URLs are refused on record, for a week. Any good
//! answer makes it a host like all others.

use super::HostView;
use super::bearing::{Bearing, Failure};
use super::recent::Forgettable;
use crate::clock::after;
use crate::fetch::{Fetched, Landing};
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;
use store::visit::{Outcome, Time};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

/// How often a host is parked before it is given up.
const MOST_PARKINGS: u32 = 3;

/// Failures beyond this many lengthen the wait no more.
const MOST_FAILURES: u32 = 12;

/// Grows with every answer that says we ask too much.
const FIRST_REST: Duration = Duration::from_secs(1);

/// Quick answers shorten the delay by this part of the difference.
const SMOOTHING: u64 = 8;

/// A host's clock, and who holds it.
#[derive(Default)]
pub(super) struct HostClock {
    pub(super) memory: HostMemory,
    pub(super) is_leased: bool,
    /// The machine that was leased together with the host.
    pub(super) leased_machine: Option<IpAddr>,
    pub(super) is_unsaved: bool,
    pub(super) search: Search,
}

/// How the search for a host's machine stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Search {
    #[default]
    NotBegun,
    Since(Time),
    Over,
}

/// What is remembered of a host, also across restarts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HostMemory {
    pub(super) free_at: u64,
    pub(super) n_failures: u32,
    /// Parkings since its last good answer; one more than the most when given up.
    pub(super) n_parkings: u32,
    pub(super) parked_until: Option<u64>,
    pub(super) last_failure: Option<Failure>,
    /// The longest `Crawl-delay` of its rules.
    pub(super) crawl_delay_ms: u64,
    /// How long its answers take, of late.
    pub(super) answer_ms: u64,
    pub(super) answered_at: Option<u64>,
    pub(super) machine: Option<IpAddr>,
}

/// Whether a host may be asked.
pub(super) enum Readiness {
    Free,
    NotBefore(Time),
    /// Its machine is being looked up.
    Sought(Time),
    Parked(Time),
    GivenUp(Outcome),
}

impl Forgettable for HostClock {
    fn is_needed(&self) -> bool {
        self.is_leased || self.is_unsaved
    }
}

impl HostMemory {
    pub(super) fn readiness(&self, now: Time) -> Readiness {
        match self.parked_until() {
            Some(until) if until > now => match &self.last_failure {
                Some(failure) if self.n_parkings > MOST_PARKINGS => {
                    Readiness::GivenUp(failure.outcome())
                }
                _ => Readiness::Parked(until),
            },
            _ if self.free_at() > now => Readiness::NotBefore(self.free_at()),
            _ => Readiness::Free,
        }
    }

    /// Counts a request that is sent off now.
    pub(super) fn asked(&mut self, settings: &Settings, now: Time) {
        self.parked_until = None;
        self.free_at = after(now, self.wait(settings)).0;
    }

    /// Hears how a request ended, and counts from now.
    pub(super) fn heard(&mut self, settings: &Settings, bearing: Bearing, now: Time) {
        self.free_at = after(now, self.judge(settings, bearing, now)).0;
    }

    /// Hears something about the host though it was not asked itself.
    pub(super) fn heard_of(&mut self, settings: &Settings, bearing: Bearing, now: Time) {
        let is_ill = matches!(bearing, Bearing::Ill { .. });
        let wait = self.judge(settings, bearing, now);
        if is_ill {
            self.free_at = self.free_at.max(after(now, wait).0);
        }
    }

    /// Counts failures; returns how long to wait.
    fn judge(&mut self, settings: &Settings, bearing: Bearing, now: Time) -> Duration {
        let failure = self.last_failure.as_ref();
        match bearing {
            Bearing::Unclear => self.wait(settings),
            // The wait for its pages was over when its rules were asked for.
            Bearing::Reachable if failure.is_some_and(Failure::is_of_pages) => self.delay(settings),
            Bearing::Reachable | Bearing::Well => {
                self.n_failures = 0;
                self.n_parkings = 0;
                self.parked_until = None;
                self.last_failure = None;
                self.delay(settings)
            }
            Bearing::Ill { failure, rest } => self.failed(settings, failure, rest, now),
        }
    }

    /// Counts one more failure in a row.
    fn failed(
        &mut self,
        settings: &Settings,
        failure: Failure,
        rest: Option<Duration>,
        now: Time,
    ) -> Duration {
        self.n_failures = (self.n_failures + 1).min(MOST_FAILURES);
        let mut rest = rest.unwrap_or_default().max(self.wait(settings));
        if failure == Failure::Busy {
            // Whoever is asked too much is not asked at once, however short the delay.
            rest = rest.max(growing(FIRST_REST, self.n_failures));
        }
        let tries = failure.tries();
        self.last_failure = Some(failure);
        let is_dead = tries.is_some_and(|tries| self.n_parkings > 0 || self.n_failures >= tries);
        if is_dead || rest >= DAY {
            self.park(rest, now);
        }
        rest
    }

    fn park(&mut self, rest: Duration, now: Time) {
        self.n_parkings = (self.n_parkings + 1).min(MOST_PARKINGS + 1);
        let span = match self.n_parkings {
            1 => HOUR,
            2 => 6 * HOUR,
            3 => DAY,
            _ => WEEK,
        };
        self.parked_until = Some(after(now, span.max(rest)).0);
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
        self.free_at = self.free_at.max(after(crashed, self.wait(settings)).0);
    }

    /// The least time between two requests while all is well.
    pub(super) fn delay(&self, settings: &Settings) -> Duration {
        let factor = f64::from(settings.delay_factor.max(0.0));
        let strained = Duration::try_from_secs_f64(self.answer_time().as_secs_f64() * factor);
        let strained = strained
            .unwrap_or(Duration::MAX)
            .min(settings.longest_delay);
        settings
            .delay
            .max(Duration::from_millis(self.crawl_delay_ms))
            .max(strained)
    }

    /// The delay, and longer with every failure.
    pub(super) fn wait(&self, settings: &Settings) -> Duration {
        growing(self.delay(settings), self.n_failures)
    }

    pub(super) fn view(&self, settings: &Settings) -> HostView {
        HostView {
            free_at: self.free_at(),
            delay: self.delay(settings),
            n_failures: self.n_failures,
            last_failure: self.last_failure.as_ref().map(Failure::outcome),
            parked_until: self.parked_until(),
            is_given_up: self.is_parked() && self.n_parkings > MOST_PARKINGS,
            machine: self.machine,
            answer_time: self.answer_time(),
            answered_at: self.answered_at.map(Time),
        }
    }

    fn answer_time(&self) -> Duration {
        Duration::from_millis(self.answer_ms)
    }

    pub(super) fn free_at(&self) -> Time {
        Time(self.free_at)
    }

    pub(super) fn n_failures(&self) -> u32 {
        self.n_failures
    }

    pub(super) fn is_parked(&self) -> bool {
        self.parked_until.is_some()
    }

    pub(super) fn parked_until(&self) -> Option<Time> {
        self.parked_until.map(Time)
    }
}

/// Four times as long with every failure, up to a day.
fn growing(delay: Duration, n_failures: u32) -> Duration {
    let patience = 4_u32.pow(n_failures.min(MOST_FAILURES));
    delay.saturating_mul(patience).min(DAY.max(delay))
}
