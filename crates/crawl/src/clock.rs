//! Time, and the order in which fetches land.
//!
//! On the system clock a landing is an event when it happens. On the virtual
//! clock fetches foresee how long they take, so events come in the order of
//! virtual time whatever the threads do: the same crawl gives the same log,
//! on one thread or ten, and a day passes as fast as pages can be read.
//!
//! The clock on the wall may be set while a crawl runs, or a machine may have
//! slept. Such a jump voids no delay and lengthens none: until somebody has
//! heard of it, time goes on as if nothing had happened.

use crate::reading::Reading;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
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

    /// A jump that nobody has heard of yet. From now on time is as it was set.
    fn jump(&mut self) -> Option<Jump> {
        None
    }

    /// Hears that a fetch has started.
    fn launched(&mut self, flight: u64, foreseen: Option<Duration>);

    /// Waits for the next landing, at most until `until`.
    fn wait(&mut self, landings: &Receiver<Box<Reading>>, until: Option<Time>) -> Tick;
}

/// The time was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jump {
    /// What it would have been.
    pub from: Time,
    /// What it is.
    pub to: Time,
}

impl Jump {
    /// A time noted before the jump: what lay ahead lies as far ahead.
    pub(crate) fn carry(self, time: Time) -> Time {
        match time.0.checked_sub(self.from.0) {
            Some(ahead) if ahead > 0 => Time(self.to.0.saturating_add(ahead)),
            _ => time,
        }
    }

    /// A time read after the jump, whenever it was noted. Only what lay ahead
    /// then and has been jumped over is surely older.
    pub(crate) fn carry_old(self, time: Time) -> Time {
        match time < self.to {
            true => self.carry(time),
            false => time,
        }
    }

    /// How far, in either direction.
    pub fn span(self) -> Duration {
        Duration::from_millis(self.from.0.abs_diff(self.to.0))
    }
}

/// Later by a span.
pub(crate) fn after(time: Time, span: Duration) -> Time {
    Time(
        time.0
            .saturating_add(u64::try_from(span.as_millis()).unwrap_or(u64::MAX)),
    )
}

/// The clock on the wall.
pub struct SystemClock {
    wall: Box<dyn Fn() -> SystemTime + Send>,
    /// What the wall said, and when that was.
    set: (Time, Instant),
}

/// Steps smaller than this are the clock being kept right.
const STEP: Duration = Duration::from_millis(500);

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock::on(Box::new(SystemTime::now))
    }
}

impl SystemClock {
    /// A clock on some wall.
    fn on(wall: Box<dyn Fn() -> SystemTime + Send>) -> SystemClock {
        let set = (time_of(wall()), Instant::now());
        SystemClock { wall, set }
    }

    /// What time it is, and what it would be had nobody set the clock.
    fn times(&self) -> (Time, Time) {
        let (time, since) = self.set;
        let expected = after(time, since.elapsed());
        (time_of((self.wall)()), expected)
    }
}

fn time_of(wall: SystemTime) -> Time {
    after(Time(0), wall.duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn is_small(jump: Jump) -> bool {
    jump.span() < STEP
}

/// How long the system clock sleeps at most, so that an interrupt is noticed.
const LOOK_AROUND: Duration = Duration::from_millis(100);

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let (to, from) = self.times();
        if is_small(Jump { from, to }) {
            to
        } else {
            from
        }
    }

    fn jump(&mut self) -> Option<Jump> {
        let (to, from) = self.times();
        self.set = (to, Instant::now());
        Some(Jump { from, to }).filter(|jump| !is_small(*jump))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    const DAY: u64 = 24 * 3_600_000;

    #[test]
    fn time_goes_on_until_a_jump_is_heard_of() {
        let wall = Arc::new(AtomicU64::new(1000 * DAY));
        let clock_wall = wall.clone();
        let mut clock = SystemClock::on(Box::new(move || {
            UNIX_EPOCH + Duration::from_millis(clock_wall.load(Ordering::Relaxed))
        }));
        assert_eq!(clock.jump(), None);
        for day in [1030, 1000] {
            let before = clock.now();
            wall.store(day * DAY, Ordering::Relaxed);
            assert!(clock.now().0.abs_diff(before.0) < DAY, "nobody has heard");
            let jump = clock.jump().expect("the clock was set");
            assert_eq!(jump.to, Time(day * DAY));
            assert!(jump.from.0.abs_diff(before.0) < DAY);
            assert!(clock.now().0.abs_diff(day * DAY) < DAY);
            assert_eq!(clock.jump(), None, "told once");
        }
    }

    #[test]
    fn what_lay_ahead_lies_as_far_ahead_after_a_jump() {
        let forward = Jump {
            from: Time(1000),
            to: Time(9000),
        };
        let back = Jump {
            from: Time(9000),
            to: Time(1000),
        };
        assert_eq!(forward.carry(Time(1300)), Time(9300));
        assert_eq!(forward.carry(Time(900)), Time(900));
        assert_eq!(back.carry(Time(9300)), Time(1300));
        assert_eq!(forward.carry_old(Time(9300)), Time(9300), "noted since");
        assert_eq!(back.carry_old(Time(9300)), Time(9300));
    }
}
