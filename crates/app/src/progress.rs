//! How far a long job is, on a terminal that nothing else is written to.
//!
//! Jobs that count have a [`ProgressLine`], or are watched item by item; jobs
//! that cannot be looked into are waited for. Nobody sees anything of those
//! that take less than two seconds.

use crate::message::is_fancy_terminal;
use crate::screen;
use crate::text::{count, shorten, span, thousands};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Nobody wonders before that.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the line is drawn at most.
const FRAME_EVERY: Duration = Duration::from_millis(200);

/// A line on standard error that redraws itself, and is gone when dropped.
pub(crate) struct ProgressLine {
    noun: &'static str,
    /// None where there is nobody to see it.
    start: Option<Instant>,
    last: Option<Instant>,
    n_items: u64,
    n_bytes: u64,
    is_shown: bool,
}

impl ProgressLine {
    /// For a job whose output comes when it is over.
    pub(crate) fn start(noun: &'static str) -> ProgressLine {
        ProgressLine {
            noun,
            start: is_fancy_terminal().then(Instant::now),
            last: None,
            n_items: 0,
            n_bytes: 0,
            is_shown: false,
        }
    }

    /// For a job that writes as it goes: what scrolls by on the same terminal
    /// is progress enough.
    pub(crate) fn start_beside_output(noun: &'static str) -> ProgressLine {
        let mut line = ProgressLine::start(noun);
        line.start = line.start.filter(|_| !stdout().is_terminal());
        line
    }

    /// Counts an item of so many bytes, zero if that is not known.
    pub(crate) fn add(&mut self, n_bytes: usize) {
        self.n_items += 1;
        self.n_bytes += n_bytes as u64;
    }

    /// Counts up to so many items.
    pub(crate) fn reach(&mut self, n_items: u64) {
        self.n_items = n_items;
        self.show();
    }

    /// Draws the line where it is time to.
    pub(crate) fn show(&mut self) {
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
        redraw(&self.text(elapsed));
    }

    fn text(&self, elapsed: Duration) -> String {
        let items = count(self.n_items, self.noun);
        if self.n_bytes == 0 {
            return format!("{items}, {}", span(elapsed));
        }
        let megabytes = self.n_bytes as f64 / 1e6;
        format!(
            "{items}, {} MB, {:.1} MB/s",
            thousands(megabytes as u64),
            megabytes / elapsed.as_secs_f64()
        )
    }

    /// Makes room for a message, or for the end.
    pub(crate) fn hide(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            redraw("");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.hide();
    }
}

/// The same items, counted on the way.
pub(crate) fn watch<T>(
    noun: &'static str,
    mut items: impl Iterator<Item = T>,
) -> impl Iterator<Item = T> {
    let mut line = ProgressLine::start(noun);
    std::iter::from_fn(move || {
        let item = items.next()?;
        line.add(0);
        line.show();
        Some(item)
    })
}

/// Does something that takes its time and says nothing meanwhile.
pub(crate) fn wait_for<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !is_fancy_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        // Dropped when the work is done, or has panicked.
        let (_working, is_over) = channel::<()>();
        scope.spawn(move || show_time(what, &is_over));
        work()
    })
}

fn show_time(what: &str, is_over: &Receiver<()>) {
    let start = Instant::now();
    let mut wait = PATIENCE;
    while is_over.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        redraw(&format!("{what}, {}", span(start.elapsed())));
        wait = FRAME_EVERY;
    }
    if wait == FRAME_EVERY {
        redraw("");
    }
}

/// Puts a text in the place of the line that the cursor is on. A longer one
/// would leave lines behind that are never removed.
pub(crate) fn redraw(text: &str) {
    let room = screen::message_columns().unwrap_or(usize::MAX);
    let text = shorten(text, room.saturating_sub(1));
    let _ = write!(stderr(), "\r\x1b[2K{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_much_and_how_fast() {
        let mut line = ProgressLine::start("document");
        line.add(0);
        assert_eq!(line.text(Duration::from_secs(3)), "1 document, 3 s");
        line.add(12_000_000);
        assert_eq!(
            line.text(Duration::from_secs(3)),
            "2 documents, 12 MB, 4.0 MB/s"
        );
    }

    #[test]
    fn whatever_is_watched_or_waited_for_comes_through() {
        assert_eq!(watch("visit", 0..3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(wait_for("counting", || 4), 4);
    }
}
