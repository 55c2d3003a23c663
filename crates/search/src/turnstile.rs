//! Lets in no more questions at once than there are cores, in the order they
//! came.
//!
//! An answer is a millisecond or two of work and no waiting. Many at once only
//! take each other's time: all are late where half of them could be early.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Thread, ThreadId, available_parallelism};

/// The way in.
pub(crate) struct Turnstile {
    room: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    n_inside: usize,
    /// Who waits, in order. Only the one whose turn it is is woken: for all
    /// others to look costs as much as a short answer.
    waiting: VecDeque<Thread>,
}

/// Being inside.
pub(crate) struct Inside<'t>(&'t Turnstile);

impl Turnstile {
    /// With room for one question a core.
    pub(crate) fn new() -> Turnstile {
        Turnstile {
            room: available_parallelism().map_or(1, usize::from),
            state: Mutex::default(),
        }
    }

    /// Waits for its turn.
    pub(crate) fn enter(&self) -> Inside<'_> {
        let mut state = self.state();
        if state.n_inside < self.room {
            state.n_inside += 1;
            return Inside(self);
        }
        let me = std::thread::current();
        let id = me.id();
        state.waiting.push_back(me);
        drop(state);
        // One may wake up without being called.
        while self.is_waiting(id) {
            std::thread::park();
        }
        Inside(self)
    }

    fn is_waiting(&self, id: ThreadId) -> bool {
        let state = self.state();
        state.waiting.iter().any(|thread| thread.id() == id)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inside<'_> {
    /// Whose turn it is gets the place.
    fn drop(&mut self) {
        let mut state = self.0.state();
        match state.waiting.pop_front() {
            Some(next) => next.unpark(),
            None => state.n_inside -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_are_inside_than_there_is_room_and_all_come_in() {
        let turnstile = Turnstile {
            room: 3,
            ..Turnstile::new()
        };
        let (n_inside, most, n_done) = <(AtomicUsize, AtomicUsize, AtomicUsize)>::default();
        std::thread::scope(|scope| {
            for nth in 0..12 {
                let (turnstile, n_inside, most, n_done) = (&turnstile, &n_inside, &most, &n_done);
                scope.spawn(move || {
                    for _ in 0..200 {
                        let _inside = turnstile.enter();
                        let n = n_inside.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(n, Ordering::SeqCst);
                        std::thread::yield_now();
                        n_inside.fetch_sub(1, Ordering::SeqCst);
                        n_done.fetch_add(1, Ordering::SeqCst);
                    }
                    // Who fails inside leaves too.
                    if nth == 0 {
                        let fails = || {
                            let _inside = turnstile.enter();
                            panic!("on purpose");
                        };
                        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(fails));
                    }
                });
            }
        });
        assert_eq!(n_done.into_inner(), 12 * 200);
        assert!((1..=3).contains(&most.into_inner()));
        assert_eq!(turnstile.state().n_inside, 0);
    }

    #[test]
    fn who_came_first_goes_first() {
        let turnstile = Turnstile {
            room: 1,
            ..Turnstile::new()
        };
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let inside = turnstile.enter();
            for nth in 0..8 {
                let (turnstile, order) = (&turnstile, &order);
                scope.spawn(move || {
                    let _inside = turnstile.enter();
                    order.lock().unwrap().push(nth);
                });
                while turnstile.state().waiting.len() == nth {
                    std::thread::yield_now();
                }
            }
            drop(inside);
        });
        assert_eq!(order.into_inner().unwrap(), (0..8).collect::<Vec<_>>());
    }
}
