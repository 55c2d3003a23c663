//! Lets in no more questions at once than there are cores, in the order they
//! came.
//!
//! An answer is a millisecond of work and no waiting. Many at once only take
//! each other's time: all are late where half of them could be early.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

/// The way in.
pub(crate) struct Turnstile {
    room: usize,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    /// Who has come so far, and who has left.
    n_came: usize,
    n_left: usize,
}

/// Being inside.
pub(crate) struct Inside<'t>(&'t Turnstile);

impl Turnstile {
    /// With room for one question a core.
    pub(crate) fn new() -> Turnstile {
        Turnstile {
            room: available_parallelism().map_or(1, usize::from),
            state: Mutex::default(),
            moved: Condvar::new(),
        }
    }

    /// Waits for its turn.
    pub(crate) fn enter(&self) -> Inside<'_> {
        let mut state = self.state();
        let turn = state.n_came;
        state.n_came += 1;
        let waits = |state: &mut State| turn >= state.n_left + self.room;
        let entered = self.moved.wait_while(state, waits);
        drop(entered.unwrap_or_else(PoisonError::into_inner));
        Inside(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.state().n_left += 1;
        self.0.moved.notify_all();
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
    }
}
