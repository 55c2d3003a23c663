//! How a host bore being asked: well, or not, and why not.

use super::retry_after::retry_after;
use crate::fetch::Fetched;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::visit::{Outcome, Time};

/// What an answer, or the lack of one, says about the host.
pub(super) enum Bearing {
    /// It is alive.
    Well,
    /// Its rules came: it is alive, but its pages may be as broken as before.
    Reachable,
    /// Nothing.
    Unclear,
    /// It fails, or wants to be left alone.
    Ill {
        failure: Failure,
        /// How long it asks to be left alone.
        rest: Option<Duration>,
    },
}

/// Why a host counts as failing; kept in its clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Failure {
    Unresolved,
    TimedOut,
    Unreachable(String),
    Garbled(String),
    Untrusted(String),
    /// A server error.
    Broken,
    /// It is asked too much.
    Busy,
    /// Its rules cannot be had.
    NoRules,
    /// New rules cannot be had while the old ones serve on.
    NoNewRules,
}

/// Bytes kept of what the system said.
const MOST_WORDS: usize = 200;

impl Bearing {
    /// What a landing says about the host that was asked.
    pub(super) fn of(fetched: &Fetched, now: Time) -> Bearing {
        let failure = match fetched {
            Fetched::Answer(answer) if answer.status == 429 => Failure::Busy,
            Fetched::Answer(answer) if answer.status >= 500 => Failure::Broken,
            Fetched::Answer(_) | Fetched::TooLarge => return Bearing::Well,
            Fetched::PrivateAddress
            | Fetched::NotArchived
            | Fetched::Offline(_)
            | Fetched::Again(_) => return Bearing::Unclear,
            Fetched::Unresolved => Failure::Unresolved,
            Fetched::TimedOut => Failure::TimedOut,
            Fetched::Unreachable(why) => Failure::Unreachable(shortened(why)),
            Fetched::Garbled(why) => Failure::Garbled(shortened(why)),
            Fetched::Untrusted(why) => Failure::Untrusted(shortened(why)),
        };
        let rest = match fetched {
            Fetched::Answer(answer) if matches!(answer.status, 429 | 503) => {
                retry_after(answer, now)
            }
            _ => None,
        };
        Bearing::Ill { failure, rest }
    }

    /// How long the host asks to be left alone, where it does.
    pub(super) fn rest(&self) -> Option<Duration> {
        match self {
            Bearing::Ill { rest, .. } => *rest,
            Bearing::Well | Bearing::Reachable | Bearing::Unclear => None,
        }
    }
}

impl Failure {
    /// After how many failures in a row the host counts as dead; none where
    /// this alone never means that.
    pub(super) fn tries(&self) -> Option<u32> {
        match self {
            // Name servers speak with authority, but may be asked at a bad moment.
            Failure::Unresolved => Some(2),
            Failure::Busy | Failure::NoNewRules => None,
            // One bad script after the other, while other pages may be as good as ever.
            Failure::Broken => Some(10),
            _ => Some(3),
        }
    }

    /// Whether pages fail though the host is there.
    pub(super) fn is_of_pages(&self) -> bool {
        matches!(self, Failure::Broken | Failure::Busy)
    }

    /// What goes on record for URLs that were never asked for because of it.
    pub(super) fn outcome(&self) -> Outcome {
        match self {
            Failure::Unresolved => Outcome::Unresolved,
            Failure::TimedOut => Outcome::TimedOut,
            Failure::Unreachable(why) => Outcome::Unreachable(why.clone()),
            Failure::Garbled(why) => Outcome::Garbled(why.clone()),
            Failure::Untrusted(why) => Outcome::Untrusted(why.clone()),
            Failure::Broken | Failure::Busy => Outcome::Status,
            // RFC 9309, section 2.3.1.4: rules that cannot be reached forbid everything.
            Failure::NoRules | Failure::NoNewRules => Outcome::Forbidden { line: 0 },
        }
    }
}

fn shortened(why: &str) -> String {
    let end = why.floor_char_boundary(MOST_WORDS);
    why[..end].to_owned()
}
