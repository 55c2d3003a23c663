//! Where a crawl stands, for other processes: the note beside it, and metrics.
//!
//! A running crawl's tables belong to its process, and its log lags a commit
//! behind; what it holds in memory is known from here alone.

use crawl::frontier::Resting;
use crawl::progress::{NodeProgress, Progress};
use crawl::stage::{Stage, memory, peak_memory, process_cpu_time};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::warc::date;

/// The name of the note.
pub(crate) const NOTE: &str = "progress.json";

/// How far back the recent rate looks.
const RECENT: Duration = Duration::from_secs(60);

/// The whole crawl at one moment. Unknown fields are passed over and missing
/// ones are zero, so that other versions' notes can be read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Snapshot {
    /// Milliseconds since 1970, on the wall.
    pub(crate) taken_at: u64,
    /// Milliseconds since 1970, by the crawl's own clock.
    pub(crate) clock: u64,
    /// Seconds since this session began, on the wall.
    pub(crate) elapsed: f64,
    pub(crate) goal: Option<u64>,
    pub(crate) pages: u64,
    pub(crate) geo_pages: u64,
    pub(crate) visits_stored: u64,
    /// Pages per second in this session.
    pub(crate) rate: f64,
    /// Pages per second in its last minute.
    pub(crate) rate_last_minute: f64,
    /// Geo pages among the pages.
    pub(crate) harvest: Option<f64>,
    pub(crate) seconds_left: Option<f64>,
    /// Milliseconds since 1970, by the crawl's own clock: when something is
    /// tried again, where only failed hosts and pages are left.
    pub(crate) next_try: Option<u64>,
    /// Why nothing is fetched for now.
    pub(crate) pause: Option<String>,
    /// CPU time of the whole process.
    pub(crate) cpu_seconds: f64,
    pub(crate) cpu_ms_per_page: Option<f64>,
    pub(crate) cpu_seconds_by_stage: BTreeMap<String, f64>,
    /// Bytes held.
    pub(crate) memory: u64,
    pub(crate) peak_memory: u64,
    pub(crate) nodes: Vec<NodeSnapshot>,
}

/// One node at one moment.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct NodeSnapshot {
    pub(crate) name: String,
    pub(crate) pages: u64,
    pub(crate) geo_pages: u64,
    /// Tickets that ended otherwise.
    pub(crate) other: u64,
    pub(crate) waiting: u64,
    pub(crate) cold: u64,
    pub(crate) retrying: u64,
    pub(crate) parked_hosts: u64,
    pub(crate) hosts: u64,
    pub(crate) flights: u64,
    /// Links received from peers.
    pub(crate) received: u64,
    /// Links not followed, by reason.
    pub(crate) refusals: BTreeMap<String, u64>,
    /// Some hosts that are left alone for long, the longest first.
    pub(crate) resting: Vec<RestingSnapshot>,
}

/// A host that is left alone, with URLs that wait there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RestingSnapshot {
    /// Scheme, name and port.
    pub(crate) origin: String,
    pub(crate) until: String,
    /// Whether that is because it does not answer.
    pub(crate) parked: bool,
    pub(crate) waiting: u64,
}

/// Remembers the last minute, and takes snapshots.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// Time since the session began and pages then, the oldest first.
    history: VecDeque<(Duration, u64)>,
}

impl Recorder {
    /// Takes a snapshot; about one a second makes a good memory.
    pub(crate) fn take(&mut self, progress: &Progress) -> Snapshot {
        let rate_last_minute = self.recent_rate(progress);
        let n_pages = progress.n_pages();
        let n_own = progress.n_in_session();
        let cpu = process_cpu_time().as_secs_f64();
        let n_left = progress.goal.map(|goal| goal.saturating_sub(n_pages));
        let stages = Stage::ALL.iter().map(|stage| {
            let seconds = progress.timings.get(*stage).as_secs_f64();
            (stage.name().to_owned(), seconds)
        });
        Snapshot {
            taken_at: wall_clock(),
            clock: progress.now.0,
            elapsed: progress.elapsed.as_secs_f64(),
            goal: progress.goal,
            pages: n_pages,
            geo_pages: progress.n_geo_pages(),
            visits_stored: progress.n_stored,
            rate: progress.rate(),
            rate_last_minute,
            harvest: ratio(progress.n_geo_pages() as f64, n_pages),
            pause: progress.pause.map(|pause| pause.to_string()),
            next_try: progress.next_try.map(|at| at.0),
            seconds_left: n_left
                .filter(|_| rate_last_minute > 0.0 && progress.next_try.is_none())
                .map(|n_left| n_left as f64 / rate_last_minute),
            cpu_seconds: cpu,
            cpu_ms_per_page: ratio(cpu * 1e3, n_own),
            cpu_seconds_by_stage: stages.collect(),
            memory: memory(),
            peak_memory: peak_memory(),
            nodes: progress.nodes.iter().map(NodeSnapshot::of).collect(),
        }
    }

    /// Pages per second since the oldest moment remembered.
    fn recent_rate(&mut self, progress: &Progress) -> f64 {
        let now = progress.elapsed;
        self.history.push_back((now, progress.n_in_session()));
        // One older than a minute is kept, to count from.
        while let Some((second, _)) = self.history.get(1)
            && now.saturating_sub(*second) >= RECENT
        {
            self.history.pop_front();
        }
        let (then, n_then) = self.history[0];
        let seconds = now.saturating_sub(then).as_secs_f64();
        if seconds < 0.1 {
            return progress.rate();
        }
        progress.n_in_session().saturating_sub(n_then) as f64 / seconds
    }
}

impl NodeSnapshot {
    fn of(node: &NodeProgress) -> NodeSnapshot {
        let refusals = node.refusals.iter().filter(|(_, count)| *count > 0);
        NodeSnapshot {
            name: node.name.clone(),
            pages: node.n_pages,
            geo_pages: node.n_geo_pages,
            other: node.n_other,
            waiting: node.n_waiting,
            cold: node.n_cold,
            retrying: node.n_retrying,
            parked_hosts: node.n_parked,
            hosts: node.n_hosts,
            flights: node.n_flights as u64,
            received: node.n_received,
            refusals: refusals
                .map(|(refusal, count)| (refusal.name().to_owned(), count))
                .collect(),
            resting: node.resting.iter().map(RestingSnapshot::of).collect(),
        }
    }
}

impl RestingSnapshot {
    fn of(host: &Resting) -> RestingSnapshot {
        RestingSnapshot {
            origin: host.origin.clone(),
            until: date(host.until),
            parked: host.is_parked,
            waiting: u64::from(host.n_waiting),
        }
    }
}

fn ratio(amount: f64, n_pages: u64) -> Option<f64> {
    (n_pages > 0).then(|| amount / n_pages as f64)
}

/// Milliseconds since 1970, on the wall.
pub(crate) fn wall_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64, n_pages: u64) -> Progress {
        Progress {
            nodes: vec![NodeProgress {
                n_pages,
                n_geo_pages: n_pages / 4,
                ..NodeProgress::default()
            }],
            goal: Some(2_000),
            elapsed: Duration::from_secs(seconds),
            ..Progress::default()
        }
    }

    #[test]
    fn the_recent_rate_forgets_what_is_over() {
        let mut recorder = Recorder::default();
        for second in 0..=100 {
            recorder.take(&at(second, 10 * second));
        }
        let snapshot = recorder.take(&at(160, 1_000));
        assert_eq!(snapshot.rate_last_minute, 0.0, "nothing came for a minute");
        assert_eq!(snapshot.seconds_left, None);
        assert_eq!(snapshot.rate, 6.25);
        let snapshot = recorder.take(&at(170, 1_350));
        assert_eq!(snapshot.rate_last_minute, 5.0, "350 pages in 70 s");
        assert_eq!(snapshot.seconds_left, Some(130.0));
        assert_eq!(snapshot.harvest, Some(337.0 / 1350.0));
        assert!(recorder.history.len() <= 3, "{:?}", recorder.history);
    }

    #[test]
    fn notes_of_other_versions_can_be_read() {
        let note = r#"{"pages": 7, "moons": 2, "nodes": [{"name": "a"}]}"#;
        let snapshot: Snapshot = serde_json::from_str(note).unwrap();
        assert_eq!((snapshot.pages, snapshot.nodes.len()), (7, 1));
    }
}
