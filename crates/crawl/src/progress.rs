//! Where a crawl stands, for whoever watches.

use crate::clock::Jump;
use crate::fetch::Outage;
use crate::frontier::Resting;
use crate::reading::Reading;
use crate::stage::Timings;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use store::visit::{Earlier, Errand, Outcome, Refusal, Time};

/// Why a crawl stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// As many pages as were asked for.
    Enough,
    /// No URL waits any more.
    NothingLeft,
    /// Somebody asked it to.
    Interrupted,
    /// Whoever read what it said has left.
    Unread,
    /// The way to the web is cut.
    Offline,
    /// The pages that were due have been visited again.
    Refreshed,
    /// Only hosts and pages that failed are left, and they are to be left in
    /// peace for a while.
    OnlyFailedLeft,
    /// So many pages, and not one of them relevant.
    NothingRelevant(u64),
}

impl StopReason {
    /// Whether the crawl has more to do, once it is started again.
    pub fn is_premature(self) -> bool {
        matches!(
            self,
            StopReason::Interrupted | StopReason::Unread | StopReason::Offline
        )
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let StopReason::NothingRelevant(n_pages) = self {
            return write!(f, "nothing relevant in {n_pages} pages");
        }
        f.write_str(match self {
            StopReason::NothingRelevant(_) => "nothing relevant",
            StopReason::Enough => "the pages asked for are fetched",
            StopReason::NothingLeft => "nothing is left to fetch",
            StopReason::Interrupted => "interrupted",
            StopReason::Unread => "nobody reads what it says any more",
            StopReason::Offline => "the proxy cannot be reached",
            StopReason::Refreshed => "the pages that were due are visited again",
            StopReason::OnlyFailedLeft => {
                "only hosts and pages that failed are left, to be tried again later"
            }
        })
    }
}

/// Why a crawl holds its breath, to go on by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The disk is nearly full.
    DiskFull {
        /// Bytes left.
        free: u64,
        /// Bytes needed to go on.
        needed: u64,
    },
    /// Nothing can be reached.
    NoNetwork(Outage),
}

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pause::DiskFull { free, needed } => write!(
                f,
                "the disk is nearly full: {} MB are left and {} MB needed",
                free >> 20,
                (needed >> 20) + 1
            ),
            Pause::NoNetwork(outage) => outage.fmt(f),
        }
    }
}

/// One node, now.
#[derive(Debug, Clone, Default)]
pub struct NodeProgress {
    /// Name from the roster.
    pub name: String,
    /// Pages fetched, in all sessions.
    pub n_pages: u64,
    /// Pages with an address in a target.
    pub n_geo_pages: u64,
    /// Tickets that ended otherwise.
    pub n_other: u64,
    /// URLs that wait.
    pub n_waiting: u64,
    /// URLs beyond their domain's budget, which wait for better times.
    pub n_cold: u64,
    /// URLs that failed and are tried again.
    pub n_retrying: u64,
    /// Hosts that are dead for now.
    pub n_parked: u64,
    /// Hosts heard of.
    pub n_hosts: u64,
    /// Fetches in the air.
    pub n_flights: usize,
    /// Links received from peers.
    pub n_received: u64,
    /// Pages asked for again, in this session.
    pub again: Again,
    /// The last page.
    pub last_url: String,
    /// Links not followed, by reason, in all sessions.
    pub refusals: Refusals,
    /// Some hosts that are left alone for long, the longest first.
    pub resting: Vec<Resting>,
}

/// Pages that were there before and were asked for again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Again {
    /// Those that were answered, one way or another.
    pub n_visits: u64,
    /// Those that had changed.
    pub n_changed: u64,
}

impl Again {
    /// Counts what came back, if it was there before.
    pub(crate) fn add(&mut self, reading: &Reading, earlier: Option<Earlier>) {
        if reading.mission.request.errand == Errand::Page && earlier.is_some() {
            self.n_visits += 1;
            self.n_changed += u64::from(reading.outcome == Outcome::Fetched);
        }
    }
}

/// How many links were not followed, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusals([u64; Refusal::ALL.len()]);

impl Refusals {
    /// Counts links refused for one reason.
    pub fn add(&mut self, refusal: Refusal, n_links: u64) {
        self.0[refusal as usize] += n_links;
    }

    /// Every reason with its count.
    pub fn iter(&self) -> impl Iterator<Item = (Refusal, u64)> {
        Refusal::ALL.into_iter().zip(self.0)
    }
}

/// The whole crawl, now.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Each node.
    pub nodes: Vec<NodeProgress>,
    /// Pages asked for.
    pub goal: Option<u64>,
    /// Visits that are safely on disk.
    pub n_stored: u64,
    /// Time since this session began, on the wall.
    pub elapsed: Duration,
    /// Pages when this session began.
    pub n_pages_before: u64,
    /// The crawl's own time.
    pub now: Time,
    /// CPU time by stage, in this session.
    pub timings: Timings,
    /// Why nothing is fetched for now.
    pub pause: Option<Pause>,
    /// When the next of them is tried, where only failed hosts and pages are
    /// left.
    pub next_try: Option<Time>,
    /// The last time in this session that the clock was set by much.
    pub jump: Option<Jump>,
    /// Said once when tables are to be worked out again, and once when they are.
    pub rebuilding: Option<Rebuilding>,
}

/// Tables that know less than the log are worked out again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuilding {
    /// From so many visits.
    Begun(u64),
    /// From so many visits, but for what was lost.
    Done(u64, LostLinks),
}

/// Links that neither the archive nor the log can give back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LostLinks {
    /// Pages they stand on.
    pub n_pages: u64,
    /// How many; others may link there too.
    pub n_links: u64,
    /// One of the pages.
    pub page: Option<String>,
}

impl Progress {
    /// Pages of all nodes.
    pub fn n_pages(&self) -> u64 {
        self.nodes.iter().map(|node| node.n_pages).sum()
    }

    /// Pages with an address in a target, of all nodes.
    pub fn n_geo_pages(&self) -> u64 {
        self.nodes.iter().map(|node| node.n_geo_pages).sum()
    }

    /// Pages asked for again in this session, by all nodes.
    pub fn again(&self) -> Again {
        let nodes = || self.nodes.iter().map(|node| node.again);
        Again {
            n_visits: nodes().map(|again| again.n_visits).sum(),
            n_changed: nodes().map(|again| again.n_changed).sum(),
        }
    }

    /// Pages of this session: those that are new and those asked for again.
    pub fn n_in_session(&self) -> u64 {
        self.n_pages().saturating_sub(self.n_pages_before) + self.again().n_visits
    }

    /// Pages per second on the wall, in this session.
    pub fn rate(&self) -> f64 {
        self.n_in_session() as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }

    /// Time until the goal at this rate. What failed has no rate.
    pub fn time_left(&self) -> Option<Duration> {
        if self.next_try.is_some() {
            return None;
        }
        let n_left = self.goal?.saturating_sub(self.n_pages());
        let rate = self.rate();
        (rate > 0.0).then(|| Duration::from_secs_f64((n_left as f64 / rate).min(1e9)))
    }
}
