//! Threads for work that computes: parsing, geoparsing, compressing.
//!
//! The queue needs no bound of its own: every job belongs to a flight, and
//! flights are bounded by the nodes' slots.

use crossbeam_channel::{Sender, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// Hands jobs to the threads; they end when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Pool {
    jobs: Sender<Job>,
}

impl Pool {
    pub(crate) fn start(n_threads: usize) -> std::io::Result<Pool> {
        let (jobs, queue) = unbounded::<Job>();
        for thread_idx in 0..n_threads.max(1) {
            let queue = queue.clone();
            thread::Builder::new()
                .name(format!("reader-{thread_idx}"))
                .spawn(move || {
                    for job in queue {
                        // A page that defeats its reader must not end the thread.
                        let _ = catch_unwind(AssertUnwindSafe(job));
                    }
                })?;
        }
        Ok(Pool { jobs })
    }

    pub(crate) fn run(&self, job: impl FnOnce() + Send + 'static) {
        // The threads live as long as this sender does.
        let _ = self.jobs.send(Box::new(job));
    }
}
