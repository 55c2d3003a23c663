//! Threads that work answers out, one for each core, in the order they were
//! asked for.
//!
//! An answer is a millisecond or two of work and no waiting. Many at once only
//! take each other's time: all are late where half of them could be early. And
//! what a thread has worked with is still near it for the next question: when
//! sixteen clients worked theirs out themselves, two at a time, they got a
//! third fewer answers.

use crate::words::Cutter;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{Builder, available_parallelism};

/// The threads, started when first needed; they end with this.
#[derive(Default)]
pub(crate) struct Workers(OnceLock<Option<Sender<Job>>>);

/// Says whether it went well.
type Job = Box<dyn FnOnce(&mut Cutter) -> bool + Send>;

impl Workers {
    /// Has a thread do this when it is its turn, and waits for it.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Cutter) -> T + Send + 'static,
    ) -> T {
        let Some(jobs) = self.0.get_or_init(start) else {
            return work(&mut Cutter::new());
        };
        let (hand_in, result) = sync_channel(1);
        let job = Box::new(move |cutter: &mut Cutter| {
            let done = catch_unwind(AssertUnwindSafe(|| work(cutter)));
            let is_well = done.is_ok();
            // Nobody hears it who has failed meanwhile.
            let _ = hand_in.send(done);
            is_well
        });
        jobs.send(job).expect("a worker outlives who may ask it");
        let done = result.recv().expect("a worker always answers");
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// A thread for each core; none if there cannot be any.
fn start() -> Option<Sender<Job>> {
    let (jobs, waiting) = channel();
    let waiting = Arc::new(Mutex::new(waiting));
    let n_cores = available_parallelism().map_or(1, usize::from);
    let started = (0..n_cores).filter(|_| {
        let waiting = Arc::clone(&waiting);
        let builder = Builder::new().name("answers".to_owned());
        builder.spawn(move || work(&waiting)).is_ok()
    });
    (started.count() > 0).then_some(jobs)
}

fn work(waiting: &Mutex<Receiver<Job>>) {
    let next = || {
        let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.recv()
    };
    let mut cutter = Cutter::new();
    while let Ok(job) = next() {
        if !job(&mut cutter) {
            // Whatever it was left in the middle of.
            cutter = Cutter::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_work_than_there_are_cores_and_all_are_answered() {
        let workers = Workers::default();
        let counts = <Arc<(AtomicUsize, AtomicUsize)>>::default();
        std::thread::scope(|scope| {
            for nth in 0..12 {
                let (workers, counts) = (&workers, &counts);
                scope.spawn(move || {
                    for round in 0..100 {
                        let counts = Arc::clone(counts);
                        let answer = workers.run(move |_| {
                            let (n_inside, most) = &*counts;
                            let n = n_inside.fetch_add(1, Ordering::SeqCst) + 1;
                            most.fetch_max(n, Ordering::SeqCst);
                            std::thread::yield_now();
                            n_inside.fetch_sub(1, Ordering::SeqCst);
                            nth * round
                        });
                        assert_eq!(answer, nth * round);
                    }
                });
            }
        });
        let n_cores = available_parallelism().map_or(1, usize::from);
        assert!((1..=n_cores).contains(&counts.1.load(Ordering::SeqCst)));
    }

    #[test]
    fn who_fails_takes_nobody_along() {
        let workers = Workers::default();
        for _ in 0..20 {
            let fails = || workers.run(|_| -> u32 { panic!("on purpose") });
            let failed = catch_unwind(AssertUnwindSafe(fails));
            assert_eq!(failed.unwrap_err().downcast_ref(), Some(&"on purpose"));
            assert_eq!(workers.run(|_| 7), 7);
        }
    }
}
