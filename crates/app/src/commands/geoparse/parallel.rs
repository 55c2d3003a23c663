//! Work on many things with all cores, results in the order of the inputs.
//!
//! Inputs are taken one at a time by whichever thread is free. What has been
//! taken and not yet delivered is bounded in number and size, so that one slow
//! document never lets the finished ones behind it pile up.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Taken and not delivered, for each thread: enough that a slow document does
/// not stop the others at once.
const IN_FLIGHT_PER_THREAD: usize = 16;

/// Bytes taken and not delivered, beyond which only one more is taken.
/// What is found may be many times as long as what it was found in.
const BYTES_IN_FLIGHT: usize = 16 << 20;

/// Puts every input through `work` and hands the results to `deliver`, in
/// order, until it breaks off.
pub(super) fn in_order<I: Send, O: Send>(
    inputs: impl Iterator<Item = I> + Send,
    size: impl Fn(&I) -> usize + Sync,
    work: impl Fn(I) -> O + Sync,
    deliver: impl FnMut(O) -> ControlFlow<()>,
) -> std::io::Result<()> {
    let n_threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let desk = Desk::new(inputs, n_threads * IN_FLIGHT_PER_THREAD);
    let (done, results) = channel();
    thread::scope(|scope| {
        for thread_idx in 0..n_threads {
            let (desk, size, work, done) = (&desk, &size, &work, done.clone());
            // The name keeps a panic, which is caught, from filling the screen.
            thread::Builder::new()
                .name(format!("reader-{thread_idx}"))
                .spawn_scoped(scope, move || run(desk, size, work, &done))?;
        }
        drop(done);
        collect(&desk, &results, deliver);
        Ok(())
    })
}

/// A result with its place in the order and the size of its input.
struct Done<O> {
    number: usize,
    n_bytes: usize,
    output: O,
}

fn run<I, O>(
    desk: &Desk<impl Iterator<Item = I>>,
    size: &impl Fn(&I) -> usize,
    work: &impl Fn(I) -> O,
    done: &Sender<Done<O>>,
) {
    while let Some((number, n_bytes, input)) = desk.take(size) {
        let output = work(input);
        if done
            .send(Done {
                number,
                n_bytes,
                output,
            })
            .is_err()
        {
            return;
        }
    }
}

fn collect<I, O>(
    desk: &Desk<impl Iterator<Item = I>>,
    results: &Receiver<Done<O>>,
    mut deliver: impl FnMut(O) -> ControlFlow<()>,
) {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for result in results {
        early.insert(result.number, (result.n_bytes, result.output));
        while let Some((n_bytes, output)) = early.remove(&next) {
            next += 1;
            let flow = deliver(output);
            desk.put_down(n_bytes);
            if flow.is_break() {
                return desk.close();
            }
        }
    }
}

/// Where threads take inputs from.
struct Desk<S> {
    state: Mutex<State<S>>,
    has_room: Condvar,
    max_in_flight: usize,
}

struct State<S> {
    inputs: S,
    next: usize,
    n_in_flight: usize,
    bytes_in_flight: usize,
    is_closed: bool,
}

impl<I, S: Iterator<Item = I>> Desk<S> {
    fn new(inputs: S, max_in_flight: usize) -> Desk<S> {
        Desk {
            state: Mutex::new(State {
                inputs,
                next: 0,
                n_in_flight: 0,
                bytes_in_flight: 0,
                is_closed: false,
            }),
            has_room: Condvar::new(),
            max_in_flight,
        }
    }

    /// The next input, with its number and size, once there is room for it.
    fn take(&self, size: &impl Fn(&I) -> usize) -> Option<(usize, usize, I)> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |state: &mut State<S>| {
            let is_full =
                state.n_in_flight >= self.max_in_flight || state.bytes_in_flight >= BYTES_IN_FLIGHT;
            is_full && !state.is_closed
        };
        let waited = self.has_room.wait_while(state, is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return None;
        }
        let Some(input) = state.inputs.next() else {
            state.is_closed = true;
            self.has_room.notify_all();
            return None;
        };
        let (number, n_bytes) = (state.next, size(&input));
        state.next += 1;
        state.n_in_flight += 1;
        state.bytes_in_flight += n_bytes;
        Some((number, n_bytes, input))
    }

    /// Room for another one of that size.
    fn put_down(&self, n_bytes: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.n_in_flight -= 1;
        state.bytes_in_flight -= n_bytes;
        self.has_room.notify_all();
    }

    /// Nothing more is taken.
    fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_closed = true;
        self.has_room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_inputs() {
        let mut delivered = Vec::new();
        let work = |number: usize| {
            // Every seventh is slow, and others overtake it.
            if number.is_multiple_of(7) {
                thread::sleep(Duration::from_millis(1));
            }
            number * 2
        };
        in_order(
            0..500,
            |_| 1,
            work,
            |double| {
                delivered.push(double);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert_eq!(
            delivered,
            (0..500).map(|number| number * 2).collect::<Vec<_>>()
        );
    }

    #[test]
    fn little_is_taken_ahead_of_what_is_delivered() {
        let (n_taken, mut n_delivered) = (AtomicUsize::new(0), 0);
        let inputs = (0..1000).inspect(|_| {
            n_taken.fetch_add(1, Ordering::SeqCst);
        });
        let mut most = 0;
        in_order(
            inputs,
            |_| BYTES_IN_FLIGHT / 4,
            |number| number,
            |_| {
                most = most.max(n_taken.load(Ordering::SeqCst) - n_delivered);
                n_delivered += 1;
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert!(most <= 5, "{most} taken at once");
    }

    #[test]
    fn nothing_more_is_taken_when_nobody_wants_it() {
        let mut n_delivered = 0;
        in_order(
            0..,
            |_| 1,
            |number: u64| number,
            |_| {
                n_delivered += 1;
                match n_delivered {
                    10 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            },
        )
        .unwrap();
        assert_eq!(n_delivered, 10);
    }
}
