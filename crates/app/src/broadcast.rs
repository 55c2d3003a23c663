//! Tells other processes where a running crawl stands.

use crate::metrics::Board;
use crate::snapshot::{NOTE, Recorder, Snapshot};
use crawl::progress::Progress;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::note;

/// How often a snapshot is taken, for metrics.
const TAKE_EVERY: Duration = Duration::from_secs(1);

/// How often the note is written.
const WRITE_EVERY: Duration = Duration::from_secs(2);

/// Writes the progress note, and keeps the metrics up to date.
pub(crate) struct Broadcast {
    dir: PathBuf,
    board: Option<Arc<Board>>,
    recorder: Recorder,
    taken: Option<Instant>,
    written: Option<Instant>,
}

impl Broadcast {
    /// For the crawl in a folder, with a board if somebody reads it.
    pub(crate) fn new(dir: PathBuf, board: Option<Arc<Board>>) -> Broadcast {
        Broadcast {
            dir,
            board,
            recorder: Recorder::default(),
            taken: None,
            written: None,
        }
    }

    /// Hears of progress, as often as one likes.
    pub(crate) fn tell(&mut self, progress: &Progress) {
        if !is_due(&mut self.taken, TAKE_EVERY) {
            return;
        }
        let snapshot = self.recorder.take(progress);
        if is_due(&mut self.written, WRITE_EVERY) {
            self.write(&snapshot);
        }
        if let Some(board) = &self.board {
            board.show(snapshot);
        }
    }

    /// The last word of a session.
    pub(crate) fn finish(mut self, progress: &Progress) {
        let snapshot = self.recorder.take(progress);
        self.write(&snapshot);
    }

    /// A note that cannot be written is no reason to stop crawling: where the
    /// disk is full or gone, the crawl itself will find out and say so.
    fn write(&self, snapshot: &Snapshot) {
        let written = serde_json::to_string(snapshot)
            .map_err(anyhow::Error::from)
            .and_then(|text| Ok(note::write(&self.dir, NOTE, &text)?));
        if let Err(error) = written {
            tracing::debug!(%error, "cannot write the progress note");
        }
    }
}

/// Whether it is time again; if so, it was done now.
fn is_due(last: &mut Option<Instant>, every: Duration) -> bool {
    let is_due = last.is_none_or(|last| last.elapsed() >= every);
    if is_due {
        *last = Some(Instant::now());
    }
    is_due
}
