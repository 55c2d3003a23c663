//! Notices a disk that fills up before the store fails.
//!
//! A database that cannot write can only give up. So a crawl keeps some space
//! in reserve, for what is in the air and for the database's own tidying, and
//! pauses when the reserve is touched: nothing is lost, and nothing has to be
//! started again.

use crate::progress::Pause;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use store::crawl_dir::{CrawlDir, free_space};

/// Asking the system costs microseconds, and a disk fills slowly.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How long a paused crawl sleeps before it looks again.
pub(crate) const NAP: Duration = Duration::from_millis(200);

/// Free space, looked up now and then.
pub(crate) struct DiskWatch {
    dir: PathBuf,
    reserve: u64,
    last_look: Option<Instant>,
    pause: Option<Pause>,
}

impl DiskWatch {
    pub(crate) fn new(dir: &CrawlDir, reserve: u64) -> DiskWatch {
        DiskWatch {
            dir: dir.path().to_path_buf(),
            reserve,
            last_look: None,
            pause: None,
        }
    }

    /// Why to pause, if the disk is nearly full. What waits in memory is on
    /// its way to the disk and counts as there.
    pub(crate) fn pause(&mut self, n_buffered: usize) -> Option<Pause> {
        let is_recent = |look: Instant| look.elapsed() < LOOK_EVERY;
        if !self.last_look.is_some_and(is_recent) {
            self.last_look = Some(Instant::now());
            // A disk that cannot be asked is not known to be full.
            let free = free_space(&self.dir).unwrap_or(u64::MAX);
            self.pause = pause_at(free, self.needed(n_buffered));
        }
        self.pause
    }

    /// Once paused, a little more is wanted, so that a crawl does not stutter.
    fn needed(&self, n_buffered: usize) -> u64 {
        let slack = match self.pause {
            Some(_) => self.reserve / 8,
            None => 0,
        };
        self.reserve + slack + n_buffered as u64
    }
}

fn pause_at(free: u64, needed: u64) -> Option<Pause> {
    (free < needed).then_some(Pause::DiskFull { free, needed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_pauses_while_its_reserve_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
        assert_eq!(DiskWatch::new(&dir, 1).pause(0), None);
        let mut greedy = DiskWatch::new(&dir, u64::MAX / 2);
        let Some(Pause::DiskFull { free, needed }) = greedy.pause(7) else {
            panic!("no disk is that large");
        };
        assert_eq!(needed, u64::MAX / 2 + 7);
        assert!(free > 0 && free < needed);
        // It wants more to go on than it wanted not to pause.
        assert!(greedy.needed(7) > needed);
    }
}
