//! Trials beside each other, one on each core, and a line that says how all of
//! them go.
//!
//! A trial is the same whatever runs beside it: it has a thread for its state
//! and one that reads pages, and a clock of its own.

use super::{Line, headline};
use crate::message;
use crate::text::{span, thousands};
use lab::experiment::{Bench, ExperimentError, Outcome, Trial};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Runs what is left of some trials; those that were stopped are missing.
pub(super) fn run(
    bench: &Bench,
    trials: &[Trial],
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Vec<Outcome>> {
    let mut done: Vec<Option<Outcome>> = Vec::new();
    for trial in trials {
        done.push(bench.outcome(trial)?);
    }
    let left: Vec<usize> = (0..trials.len())
        .filter(|nth| done[*nth].is_none())
        .collect();
    let n_pages = left.iter().map(|nth| bench.pages_of(&trials[*nth])).sum();
    let board = Mutex::new(Board::new(trials.len(), left.len(), n_pages));
    let next = AtomicUsize::new(0);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = |worker: usize| -> Result<Vec<(usize, Outcome)>, ExperimentError> {
        let mut outcomes = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let Some(&nth) = left.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let trial = &trials[nth];
            let outcome = bench.run(trial, Arc::clone(stop), &mut |progress| {
                look(&board).hear(worker, &trial.name(), progress.n_pages());
            });
            if outcome.is_err() {
                // The others need not go on for a report that cannot be made.
                stop.store(true, Ordering::Relaxed);
            }
            if let Some(outcome) = outcome? {
                look(&board).finish(worker, bench, &outcome);
                outcomes.push((nth, outcome));
            }
        }
        Ok(outcomes)
    };
    let parts: Vec<_> = std::thread::scope(|scope| {
        let work = &work;
        let threads = (0..n_threads).map(|worker| scope.spawn(move || work(worker)));
        let threads: Vec<_> = threads.collect();
        threads
            .into_iter()
            .map(std::thread::ScopedJoinHandle::join)
            .collect()
    });
    look(&board).line.clear();
    for part in parts {
        let part = part.map_err(|_| anyhow::anyhow!("a trial has failed for no known reason"))?;
        for (nth, outcome) in part? {
            done[nth] = Some(outcome);
        }
    }
    Ok(done.into_iter().flatten().collect())
}

/// A panic elsewhere does not make a line unreadable.
fn look(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// How all trials go.
struct Board {
    n_trials: usize,
    n_ended: usize,
    /// Pages of all trials that were left, and those of trials that have ended since.
    n_pages: u64,
    n_fetched: u64,
    /// The trial of each worker and its pages, with those it had at first.
    current: BTreeMap<usize, (String, u64, u64)>,
    start: Instant,
    line: Line,
}

impl Board {
    fn new(n_trials: usize, n_left: usize, n_pages: u64) -> Board {
        Board {
            n_trials,
            n_ended: n_trials - n_left,
            n_pages,
            n_fetched: 0,
            current: BTreeMap::new(),
            start: Instant::now(),
            line: Line::default(),
        }
    }

    fn hear(&mut self, worker: usize, name: &str, n_pages: u64) {
        let current = self.current.entry(worker);
        let current = current.or_insert_with(|| (name.to_owned(), n_pages, n_pages));
        current.1 = n_pages;
        if self.line.is_due() {
            let text = self.text();
            self.line.put(&text);
        }
    }

    fn finish(&mut self, worker: usize, bench: &Bench, outcome: &Outcome) {
        self.n_ended += 1;
        self.current.remove(&worker);
        self.n_fetched += bench.pages_of(&outcome.trial);
        self.line.clear();
        message::info(format!(
            "{}/{} {}: {} pages, {}; {} left",
            self.n_ended,
            self.n_trials,
            outcome.trial.name(),
            thousands(outcome.pages_timed),
            headline(bench.experiment.subject(), &outcome.report),
            self.left()
        ));
    }

    fn text(&self) -> String {
        let current = self.current.values();
        let current: Vec<String> = current
            .map(|(name, n_pages, _)| format!("{name} {}", thousands(*n_pages)))
            .collect();
        format!(
            "{} of {} trials: {}; {} left",
            self.n_ended,
            self.n_trials,
            current.join(", "),
            self.left()
        )
    }

    fn left(&self) -> String {
        let started = self.current.values().map(|(_, now, first)| now - first);
        let n_here: u64 = self.n_fetched + started.sum::<u64>();
        let n_there: u64 =
            self.n_fetched + self.current.values().map(|(_, now, _)| now).sum::<u64>();
        let rate = n_here as f64 / self.start.elapsed().as_secs_f64();
        match rate > 0.0 {
            true => {
                let n_left = self.n_pages.saturating_sub(n_there);
                span(Duration::from_secs_f64(n_left as f64 / rate))
            }
            false => "?".to_owned(),
        }
    }
}
