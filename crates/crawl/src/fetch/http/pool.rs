//! Idle connections, kept for a host's next page.
//!
//! One per origin: politeness asks a host for one page at a time.

use super::link::Link;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Long enough for a host's next page at a polite pace, short enough that a
/// hundred pages a second leave fewer idle sockets than a usual `ulimit`.
pub(super) const IDLE: Duration = Duration::from_secs(5);

/// Origins remembered that hang up; should there be more, all are given
/// another chance.
const MOST_FICKLE: usize = 4096;

/// Idle connections by origin.
pub(super) struct Pool {
    idle: HashMap<Box<str>, Idle>,
    room: usize,
    /// Origins whose connections are of no use a second time.
    fickle: HashSet<Box<str>>,
}

struct Idle {
    link: Link,
    since: Instant,
}

impl Pool {
    /// Keeps so many connections at most.
    pub(super) fn with_room(room: usize) -> Pool {
        Pool {
            idle: HashMap::new(),
            room,
            fickle: HashSet::new(),
        }
    }

    /// Takes out the connection to an origin, if one is still usable.
    pub(super) fn take(&mut self, origin: &str) -> Option<Link> {
        let mut idle = self.idle.remove(origin)?;
        (idle.since.elapsed() < IDLE && idle.link.is_ready()).then_some(idle.link)
    }

    /// Keeps a connection whose exchange is over, if it can be used again.
    pub(super) fn keep(&mut self, origin: &str, mut link: Link) {
        if self.room == 0 || self.fickle.contains(origin) || !link.is_ready() {
            return;
        }
        if self.idle.len() >= self.room && !self.idle.contains_key(origin) {
            self.drop_oldest();
        }
        let since = Instant::now();
        self.idle.insert(origin.into(), Idle { link, since });
    }

    /// Hears that a server hung up on a second request: it gets a connection
    /// for each from now on.
    pub(super) fn hung_up(&mut self, origin: &str) {
        if self.fickle.len() >= MOST_FICKLE {
            self.fickle.clear();
        }
        self.fickle.insert(origin.into());
    }

    /// Closes what has been idle for too long.
    pub(super) fn sweep(&mut self) {
        self.idle.retain(|_, idle| idle.since.elapsed() < IDLE);
    }

    /// Closes all of them.
    pub(super) fn clear(&mut self) {
        self.idle.clear();
    }

    fn drop_oldest(&mut self) {
        let oldest = self.idle.iter().min_by_key(|(_, idle)| idle.since);
        if let Some(origin) = oldest.map(|(origin, _)| origin.clone()) {
            self.idle.remove(&origin);
        }
    }
}
