//! What each stage of a page's way costs, in CPU time of the thread that did it.
//!
//! Wall time would count the neighbours on a shared machine.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The stages a page passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Asking the web; for a made-up web, making the page up.
    Fetch,
    /// HTML to text and links.
    Parse,
    /// Finding addresses and places.
    Geoparse,
    /// Giving each link a node.
    Assign,
    /// Looking at links, judging them, and learning what came of them.
    Order,
    /// Building and compressing WARC records.
    Archive,
    /// Offering links, choosing the next.
    Frontier,
    /// Committing to disk.
    Store,
}

impl Stage {
    /// Every stage, in the order a page passes them.
    pub const ALL: [Stage; 8] = [
        Stage::Fetch,
        Stage::Parse,
        Stage::Geoparse,
        Stage::Assign,
        Stage::Order,
        Stage::Archive,
        Stage::Frontier,
        Stage::Store,
    ];

    /// Lower-case name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Fetch => "fetch",
            Stage::Parse => "parse",
            Stage::Geoparse => "geoparse",
            Stage::Assign => "assign",
            Stage::Order => "order",
            Stage::Archive => "archive",
            Stage::Frontier => "frontier",
            Stage::Store => "store",
        }
    }
}

/// CPU time by stage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings([Duration; Stage::ALL.len()]);

impl Timings {
    /// Time spent in one stage.
    pub fn get(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// All stages together.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    pub(crate) fn add(&mut self, other: &Timings) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// Reads the thread's CPU clock and books what passed since the last reading.
pub(crate) struct Stopwatch {
    last: Duration,
    pub(crate) timings: Timings,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch {
            last: thread_cpu_time(),
            timings: Timings::default(),
        }
    }

    /// Books everything since the last call under `stage`.
    pub(crate) fn lap(&mut self, stage: Stage) {
        let now = thread_cpu_time();
        self.timings.0[stage as usize] += now.saturating_sub(self.last);
        self.last = now;
    }
}

/// CPU time of the whole process so far, user and system.
pub fn process_cpu_time() -> Duration {
    cpu_time(ClockId::ProcessCPUTime)
}

/// The most bytes the process has held at once, as the kernel counts them;
/// zero where there is no `/proc`.
pub fn peak_memory() -> u64 {
    memory_line("VmHWM:")
}

/// The bytes the process holds now; zero where there is no `/proc`.
pub fn memory() -> u64 {
    memory_line("VmRSS:")
}

fn memory_line(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}

fn thread_cpu_time() -> Duration {
    cpu_time(ClockId::ThreadCPUTime)
}

fn cpu_time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}
