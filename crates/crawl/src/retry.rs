//! Which failures may pass, and when to try again.
//!
//! A page that failed for a reason of its own is tried again after a growing
//! wait. When its whole host fails, that is the gate's affair: it parks the
//! host, and every URL of it waits.

use crate::clock::after;
use crate::settings::Settings;
use std::time::Duration;
use store::visit::{Outcome, Time};

/// Each wait is this many times the one before.
const GROWTH: u32 = 8;

/// When a URL that ended so is to be tried again; none if that would be vain.
pub(crate) fn again_at(
    settings: &Settings,
    outcome: &Outcome,
    status: Option<u16>,
    tries: u8,
    now: Time,
) -> Option<Time> {
    if u32::from(tries) + 1 >= settings.max_tries || !may_pass(outcome, status) {
        return None;
    }
    let factor = GROWTH.saturating_pow(u32::from(tries));
    Some(after(now, settings.retry_wait.saturating_mul(factor)))
}

/// The longest that a page waits to be tried again. A record says so much
/// later as its host has to be left alone, which is the gate's affair.
pub(crate) fn longest(settings: &Settings) -> Duration {
    let factor = GROWTH.saturating_pow(settings.max_tries.saturating_sub(2));
    settings.retry_wait.saturating_mul(factor)
}

/// Whether it may be otherwise another time.
fn may_pass(outcome: &Outcome, status: Option<u16>) -> bool {
    match outcome {
        Outcome::TimedOut | Outcome::Unreachable(_) => true,
        Outcome::Status => matches!(status, Some(408 | 425 | 429 | 500 | 502 | 503 | 504)),
        // Broken HTTP is seldom better the next time, and a name without an
        // address is the host's affair.
        _ => false,
    }
}

/// Beyond this a crawl does not wait for what failed when nothing else is left.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(outcome: &Outcome, status: Option<u16>) -> Vec<u64> {
        let settings = Settings::default();
        let again = |tries| again_at(&settings, outcome, status, tries, Time(0));
        (0..=255).map_while(again).map(|at| at.0 / 1000).collect()
    }

    #[test]
    fn waits_grow_and_end() {
        assert_eq!(waits(&Outcome::TimedOut, None), [30, 240]);
        assert_eq!(waits(&Outcome::Status, Some(503)), [30, 240]);
    }

    #[test]
    fn what_is_gone_is_not_asked_for_again() {
        for status in [400, 401, 403, 404, 410, 451, 501] {
            assert_eq!(waits(&Outcome::Status, Some(status)), [0; 0]);
        }
        for outcome in [
            Outcome::Fetched,
            Outcome::TooLarge,
            Outcome::PrivateAddress,
            Outcome::Forbidden { line: 1 },
            Outcome::Untrusted("expired".into()),
            Outcome::NotArchived,
            Outcome::BadPort,
        ] {
            assert_eq!(waits(&outcome, None), [0; 0]);
        }
    }
}
