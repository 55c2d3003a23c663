//! Makes one run of several, on a thread of its own.

use super::run::{Run, Writer};
use super::{Order, Short};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Entries between two looks at whether to go on.
const PATIENCE: u32 = 4096;

/// A merge that is under way.
pub(super) struct Merge {
    /// Numbers of the runs that become one; neighbours.
    pub(super) of: Vec<u32>,
    /// Number of that one.
    pub(super) number: u32,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<()>>,
}

impl Merge {
    /// Begins to merge neighbours, the oldest first.
    pub(super) fn begin(
        runs: Vec<Arc<Run>>,
        gone: Gone,
        order: Order,
        number: u32,
        path: PathBuf,
    ) -> io::Result<Merge> {
        let of = runs.iter().map(|run| run.number).collect();
        let stop = Arc::new(AtomicBool::new(false));
        let is_stopped = Arc::clone(&stop);
        let work = move || merge(&runs, gone, Writer::create(&path, order)?, &is_stopped);
        let thread = std::thread::Builder::new()
            .name("store:merge".into())
            .spawn(work)?;
        Ok(Merge {
            of,
            number,
            stop,
            thread,
        })
    }

    pub(super) fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the end.
    pub(super) fn end(self) -> io::Result<()> {
        let ended = self.thread.join();
        ended.unwrap_or_else(|_| Err(io::Error::other("a merge came to nothing")))
    }

    /// Ends it before it is done; what it wrote is of no use.
    pub(super) fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.end();
    }
}

/// What becomes of entries that say that something is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gone {
    /// They stay: an older run may have what they take back.
    Stay,
    /// They go as well: there is no older run.
    Go,
}

/// How many runs of one size become one.
const N_ALIKE: u64 = 3;

/// Which runs to merge, by the entries of each, the oldest first: the newest
/// ones, as far back as all that are newer weigh twice as much as a run. So
/// every entry is written anew as often as its run has tripled, and runs are few.
pub(super) fn due(sizes: &[u64]) -> Option<usize> {
    let mut newer = *sizes.last()?;
    let mut first = None;
    for (nth, size) in sizes.iter().enumerate().rev().skip(1) {
        if *size * (N_ALIKE - 1) <= newer {
            first = Some(nth);
        }
        newer += size;
    }
    first
}

/// Of equal keys the newest entry counts.
fn merge(
    runs: &[Arc<Run>],
    gone: Gone,
    mut into: Writer,
    is_stopped: &AtomicBool,
) -> io::Result<()> {
    let mut sources = Vec::new();
    for run in runs {
        let mut entries = run.entries();
        let first = entries.next()?;
        sources.push((entries, first));
    }
    let mut patience = PATIENCE;
    loop {
        let heads = sources.iter().filter_map(|(_, head)| head.as_ref());
        let Some(key) = heads.map(|(key, _)| *key).min() else {
            break;
        };
        let mut newest = None;
        for (entries, head) in &mut sources {
            if let Some((_, value)) = head.filter(|(other, _)| *other == key) {
                newest = Some(value);
                *head = entries.next()?;
            }
        }
        let newest = newest.filter(|value| gone == Gone::Stay || *value != Short::GONE);
        newest.map_or(Ok(()), |value| into.push(key, value))?;
        patience -= 1;
        if patience == 0 {
            patience = PATIENCE;
            if is_stopped.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
    }
    into.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_merged_when_newer_ones_weigh_as_much() {
        assert_eq!(due(&[]), None);
        assert_eq!(due(&[5]), None);
        assert_eq!(due(&[5, 5]), None);
        assert_eq!(due(&[5, 5, 5]), Some(0));
        assert_eq!(due(&[6, 5, 5]), None);
        assert_eq!(due(&[40, 40, 10, 10, 9]), None);
        assert_eq!(due(&[40, 40, 10, 10, 10]), Some(2));
        assert_eq!(due(&[30, 30, 10, 10, 10]), Some(0), "thirty are as many");
        assert_eq!(due(&[90, 8, 7, 1]), None);
        assert_eq!(due(&[90, 5, 9, 1]), Some(1));
    }
}
