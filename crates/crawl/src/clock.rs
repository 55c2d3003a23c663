//! Time, and the order in which fetches land.
//!
//! On the system clock a landing is an event when it happens. On the virtual
//! clock fetches foresee how long they take, so events come in the order of
//! virtual time whatever the threads do: the same crawl gives the same log,
//! on one thread or ten, and a day passes as fast as pages can be read.

use crate::reading::Reading;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::visit::Time;

/// What waiting brought.
pub enum Tick {
    /// A fetch has landed and its page has been read.
    Landed(Box<Reading>),
    /// The time waited for has come, or it is time to look around.
    Reached,
}

/// Tells the time and waits for it.
pub trait Clock: Send {
    /// The crawl's time.
    fn now(&self) -> Time;

    /// The first moment that is surely not past: a span counted from it is
    /// never shorter than it should be.
    fn landed_at(&self) -> Time {
        self.now()
    }

    /// Whether time passes by itself.
    fn is_real(&self) -> bool;

    /// Hears that a fetch has started.
    fn launched(&mut self, flight: u64, foreseen: Option<Duration>);

    /// Waits for the next landing, at most until `until`.
    fn wait(&mut self, landings: &Receiver<Box<Reading>>, until: Option<Time>) -> Tick;
}

/// Later by a span.
pub(crate) fn after(time: Time, span: Duration) -> Time {
    Time(
        time.0
            .saturating_add(u64::try_from(span.as_millis()).unwrap_or(u64::MAX)),
    )
}

/// The clock on the wall.
#[derive(Debug, Default)]
pub struct SystemClock;

/// How long the system clock sleeps at most, so that an interrupt is noticed.
const LOOK_AROUND: Duration = Duration::from_millis(100);

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        after(Time(0), since_epoch)
    }

    fn landed_at(&self) -> Time {
        // The time told is up to a millisecond ago.
        after(self.now(), Duration::from_millis(1))
    }

    fn is_real(&self) -> bool {
        true
    }

    fn launched(&mut self, _flight: u64, _foreseen: Option<Duration>) {}

    fn wait(&mut self, landings: &Receiver<Box<Reading>>, until: Option<Time>) -> Tick {
        let longest = until.map_or(LOOK_AROUND, |until| {
            Duration::from_millis(until.0.saturating_sub(self.now().0)).min(LOOK_AROUND)
        });
        match landings.recv_timeout(longest) {
            Ok(reading) => Tick::Landed(reading),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Tick::Reached,
        }
    }
}

/// A clock that jumps to the next event.
#[derive(Debug)]
pub struct VirtualClock {
    now: Time,
    due: BTreeSet<(Time, u64)>,
    early: HashMap<u64, Box<Reading>>,
}

impl VirtualClock {
    /// Starts at a given time.
    pub fn starting_at(now: Time) -> VirtualClock {
        VirtualClock {
            now,
            due: BTreeSet::new(),
            early: HashMap::new(),
        }
    }

    fn landing_of(
        &mut self,
        flight: u64,
        landings: &Receiver<Box<Reading>>,
    ) -> Option<Box<Reading>> {
        loop {
            if let Some(reading) = self.early.remove(&flight) {
                return Some(reading);
            }
            let reading = landings.recv().ok()?;
            self.early.insert(reading.mission.flight, reading);
        }
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Time {
        self.now
    }

    fn is_real(&self) -> bool {
        false
    }

    fn launched(&mut self, flight: u64, foreseen: Option<Duration>) {
        debug_assert!(
            foreseen.is_some(),
            "only a fetcher that foresees runs on the virtual clock"
        );
        self.due
            .insert((after(self.now, foreseen.unwrap_or_default()), flight));
    }

    fn wait(&mut self, landings: &Receiver<Box<Reading>>, until: Option<Time>) -> Tick {
        let first = self.due.first().copied();
        match (first, until) {
            (Some((due, flight)), until) if until.is_none_or(|until| due <= until) => {
                self.due.remove(&(due, flight));
                self.now = due;
                self.landing_of(flight, landings)
                    .map_or(Tick::Reached, Tick::Landed)
            }
            (_, Some(until)) => {
                self.now = self.now.max(until);
                Tick::Reached
            }
            (_, None) => Tick::Reached,
        }
    }
}
