//! How far a long job is, on a terminal that nothing else is written to.

use crate::message::is_fancy_terminal;
use crate::text::{count, thousands};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::time::{Duration, Instant};

/// Nobody wonders before that.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the line is drawn at most.
const FRAME_EVERY: Duration = Duration::from_millis(200);

/// A line on standard error that redraws itself.
pub(super) struct Progress {
    /// None where there is nobody to see it.
    start: Option<Instant>,
    last: Option<Instant>,
    n_documents: u64,
    n_bytes: u64,
    is_shown: bool,
}

impl Progress {
    pub(super) fn start() -> Progress {
        // Findings that scroll by on the same terminal are progress enough.
        let is_seen = is_fancy_terminal() && !stdout().is_terminal();
        Progress {
            start: is_seen.then(Instant::now),
            last: None,
            n_documents: 0,
            n_bytes: 0,
            is_shown: false,
        }
    }

    pub(super) fn add(&mut self, n_bytes: usize) {
        self.n_documents += 1;
        self.n_bytes += n_bytes as u64;
    }

    /// Draws the line where it is time to.
    pub(super) fn show(&mut self) {
        let Some(start) = self.start else {
            return;
        };
        let elapsed = start.elapsed();
        let is_due = self.last.is_none_or(|last| last.elapsed() >= FRAME_EVERY);
        if elapsed < PATIENCE || !is_due {
            return;
        }
        self.last = Some(Instant::now());
        self.is_shown = true;
        let megabytes = self.n_bytes as f64 / 1e6;
        let line = format!(
            "{}, {} MB, {:.1} MB/s",
            count(self.n_documents, "document"),
            thousands(megabytes as u64),
            megabytes / elapsed.as_secs_f64()
        );
        let _ = write!(stderr(), "\r\x1b[2K{line}");
    }

    /// Makes room for a message, or for the end.
    pub(super) fn hide(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(stderr(), "\r\x1b[2K");
        }
    }
}
