//! How an origin fares that fails: it is asked less and less, then left alone.
//!
//! One that fails several times in a row is *parked*: left alone for an hour,
//! then six, then a day, with one try in between. Its URLs wait. Only when
//! that try fails the third time is it *given up*, and its URLs are refused on
//! record, for a week. Any good answer makes it an origin like all others.
//!
//! This goes by origin and not by host: many a site answers over `http` while
//! nobody listens, or a certificate has expired, where `https` links lead to.

use super::bearing::Failure;
use super::host_clock::Readiness;
use crate::clock::after;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::visit::Time;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

/// How often an origin is parked before it is given up.
const MOST_PARKINGS: u32 = 3;

/// Failures beyond this many lengthen the wait no more.
const MOST_FAILURES: u32 = 12;

/// Grows with every answer that says we ask too much.
const FIRST_REST: Duration = Duration::from_secs(1);

/// What is remembered of an origin that failed when it was last asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Health {
    pub(super) n_failures: u32,
    /// Parkings since its last good answer; one more than the most when given up.
    n_parkings: u32,
    parked_until: Option<u64>,
    /// When it may be asked again, if its host may.
    free_at: u64,
    /// How long it was left alone for when these were set.
    rest_ms: u64,
    parked_ms: u64,
    pub(super) last_failure: Option<Failure>,
}

impl Health {
    pub(super) fn readiness(&self, now: Time) -> Readiness {
        match self.parked_until() {
            Some(until) if until > now => match &self.last_failure {
                Some(failure) if self.is_given_up() => Readiness::Never(failure.outcome()),
                _ => Readiness::Parked(until),
            },
            _ if self.free_at() > now => Readiness::NotBefore(self.free_at()),
            _ => Readiness::Free,
        }
    }

    /// Counts a request that is sent off now, where `delay` is kept while all is well.
    pub(super) fn asked(&mut self, delay: Duration, now: Time) {
        self.parked_until = None;
        self.rest(self.wait(delay), now);
    }

    /// Leaves it alone for so long from now on.
    pub(super) fn rest(&mut self, span: Duration, now: Time) {
        self.free_at = after(now, span).0;
        self.rest_ms = milliseconds(span);
    }

    /// The longest that it was left alone for.
    pub(super) fn longest_rest(&self) -> Duration {
        Duration::from_millis(self.rest_ms)
    }

    /// Nothing was noted after now: had the clock been ahead, all of it counts
    /// as noted just now.
    pub(super) fn clamp(&mut self, now: Time) {
        self.free_at = self.free_at.min(now.0.saturating_add(self.rest_ms));
        let latest = now.0.saturating_add(self.parked_ms);
        self.parked_until = self.parked_until.map(|until| until.min(latest));
    }

    /// Carries both times over a jump of the clock.
    pub(super) fn carry(&mut self, carry: impl Fn(Time) -> Time) {
        self.free_at = carry(Time(self.free_at)).0;
        let parked_until = self.parked_until();
        self.parked_until = parked_until.map(|until| carry(until).0);
    }

    /// Hears of a crash: who knows what was asked just before.
    pub(super) fn survived(&mut self, delay: Duration, crashed: Time) {
        let wait = self.wait(delay);
        self.free_at = self.free_at.max(after(crashed, wait).0);
        self.rest_ms = self.rest_ms.max(milliseconds(wait));
    }

    /// Counts one more failure in a row, and leaves the origin alone; returns
    /// for how long.
    pub(super) fn failed(
        &mut self,
        failure: Failure,
        asked_for: Option<Duration>,
        delay: Duration,
        now: Time,
    ) -> Duration {
        self.n_failures = (self.n_failures + 1).min(MOST_FAILURES);
        let tries = failure.tries();
        let is_busy = failure == Failure::Busy;
        self.last_failure = Some(failure);
        let mut rest = asked_for.unwrap_or_default().max(self.wait(delay));
        if is_busy {
            // Whoever is asked too much is not asked at once, however short the delay.
            rest = rest.max(self.wait(FIRST_REST));
        }
        let is_dead = tries.is_some_and(|tries| self.n_parkings > 0 || self.n_failures >= tries);
        if is_dead || rest >= DAY {
            self.park(rest, now);
        }
        self.rest(rest, now);
        rest
    }

    fn park(&mut self, rest: Duration, now: Time) {
        // Who answers at all may be broken for days, but is not gone.
        let most = match self.last_failure {
            Some(Failure::Broken) => MOST_PARKINGS,
            _ => MOST_PARKINGS + 1,
        };
        self.n_parkings = (self.n_parkings + 1).min(most);
        let span = match self.n_parkings {
            1 => HOUR,
            2 => 6 * HOUR,
            3 => DAY,
            _ => WEEK,
        };
        let span = span.max(rest);
        self.parked_until = Some(after(now, span).0);
        self.parked_ms = milliseconds(span);
    }

    /// The delay, and longer with every failure. Whether one page after the
    /// other is broken can be found out sooner than whether anybody is there.
    pub(super) fn wait(&self, delay: Duration) -> Duration {
        let growth = match self.last_failure {
            Some(Failure::Broken) => 2_u32,
            _ => 4,
        };
        let patience = growth.pow(self.n_failures.min(MOST_FAILURES));
        delay.saturating_mul(patience).min(DAY.max(delay))
    }

    pub(super) fn free_at(&self) -> Time {
        Time(self.free_at)
    }

    pub(super) fn is_parked(&self) -> bool {
        self.parked_until.is_some()
    }

    pub(super) fn parked_until(&self) -> Option<Time> {
        self.parked_until.map(Time)
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.is_parked() && self.n_parkings > MOST_PARKINGS
    }
}

fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
