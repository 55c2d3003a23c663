//! The hosts of a frontier: how many URLs wait at each, which is best, and
//! which host may be asked next.
//!
//! A host is *idle*, *ready*, *waiting* until a time, *parked* or *leased*.
//! It takes some 120 bytes here whatever its queue holds: the names are on
//! disk, and so are all rows.

use super::row::RowKey;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use store::visit::Time;
use xxhash_rust::xxh3::xxh3_128;

/// 96 bits that stand for a name: as exact as the seen set, and a map entry
/// of sixteen bytes.
pub(super) type NameHash = [u32; 3];

/// The hash of an origin or domain.
pub(super) fn name_hash(name: &str) -> NameHash {
    let hash = xxh3_128(name.as_bytes());
    [hash as u32, (hash >> 32) as u32, (hash >> 64) as u32]
}

/// All hosts of one frontier.
#[derive(Default)]
pub(super) struct Hosts {
    list: Vec<Host>,
    by_origin: HashMap<NameHash, u32>,
    ready: BTreeSet<(RowKey, u32)>,
    waiting: BTreeSet<(Time, u32)>,
    n_waiting: u64,
    n_parked: usize,
    n_leased: usize,
}

struct Host {
    /// Of the queue; means nothing when no URL waits.
    best: RowKey,
    n_waiting: u32,
    domain_idx: u32,
    state: HostState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostState {
    /// No URL waits.
    Idle,
    /// In `ready`, under its best key.
    Ready,
    /// Under this time in `waiting`.
    Waiting(Time),
    /// The same, because the host is dead for now.
    Parked(Time),
    Leased,
}

/// A host's queue in a few bytes, as kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Summary {
    pub(super) n_waiting: u32,
    pub(super) best: RowKey,
}

/// Stands where no URL waits.
const NO_KEY: RowKey = RowKey { rank: 0, seq: 0 };

impl Hosts {
    pub(super) fn find(&self, origin: &str) -> Option<u32> {
        self.by_origin.get(&name_hash(origin)).copied()
    }

    pub(super) fn add(&mut self, origin: &str, domain_idx: u32) -> u32 {
        let host_idx = self.list.len() as u32;
        self.by_origin.insert(name_hash(origin), host_idx);
        self.list.push(Host {
            best: NO_KEY,
            n_waiting: 0,
            domain_idx,
            state: HostState::Idle,
        });
        host_idx
    }

    /// Takes over what was kept of a host's queue.
    pub(super) fn restore(&mut self, host_idx: u32, summary: Summary) {
        let Some(host) = self.list.get_mut(host_idx as usize) else {
            return;
        };
        self.n_waiting += u64::from(summary.n_waiting);
        host.n_waiting = summary.n_waiting;
        host.best = summary.best;
    }

    /// Every host with waiting URLs becomes ready; all at once is cheaper.
    pub(super) fn start(&mut self) {
        let is_waiting = |(_, host): &(usize, &mut Host)| host.n_waiting > 0;
        let waiting = self.list.iter_mut().enumerate().filter(is_waiting);
        self.ready = waiting
            .map(|(host_idx, host)| {
                host.state = HostState::Ready;
                (host.best, host_idx as u32)
            })
            .collect();
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn n_waiting(&self) -> u64 {
        self.n_waiting
    }

    pub(super) fn n_parked(&self) -> usize {
        self.n_parked
    }

    pub(super) fn domain_of(&self, host_idx: u32) -> u32 {
        self.list[host_idx as usize].domain_idx
    }

    pub(super) fn summary(&self, host_idx: u32) -> Summary {
        let host = &self.list[host_idx as usize];
        Summary {
            n_waiting: host.n_waiting,
            best: host.best,
        }
    }

    /// The best key of a host's queue.
    pub(super) fn best(&self, host_idx: u32) -> Option<RowKey> {
        let host = &self.list[host_idx as usize];
        (host.n_waiting > 0).then_some(host.best)
    }

    /// Hears that a row has joined a host's queue.
    pub(super) fn joined(&mut self, host_idx: u32, key: RowKey) {
        let best = self.best(host_idx).map_or(key, |best| best.min(key));
        self.list[host_idx as usize].n_waiting += 1;
        self.n_waiting += 1;
        self.set_best(host_idx, best);
        if self.list[host_idx as usize].state == HostState::Idle {
            self.make_ready(host_idx);
        }
    }

    /// Hears that a row has left a host's queue, and which is the best now;
    /// none means that nothing is left, whatever was counted.
    pub(super) fn left(&mut self, host_idx: u32, best: Option<RowKey>) {
        let host = &mut self.list[host_idx as usize];
        let n_left = match best {
            Some(_) => host.n_waiting.saturating_sub(1).max(1),
            None => 0,
        };
        self.n_waiting -= u64::from(host.n_waiting - n_left);
        host.n_waiting = n_left;
        match best {
            Some(best) => self.set_best(host_idx, best),
            None if host.state == HostState::Ready => self.make_idle(host_idx),
            None => {}
        }
    }

    fn set_best(&mut self, host_idx: u32, best: RowKey) {
        let host = &mut self.list[host_idx as usize];
        if host.state == HostState::Ready && host.best != best {
            self.ready.remove(&(host.best, host_idx));
            self.ready.insert((best, host_idx));
        }
        host.best = best;
    }

    /// Leases the ready host with the best URL, unless that ranks below `worst`.
    pub(super) fn lease_best(&mut self, worst: u32) -> Option<u32> {
        let &(best, host_idx) = self.ready.first()?;
        if best.rank > worst {
            return None;
        }
        self.leave_state(host_idx);
        self.list[host_idx as usize].state = HostState::Leased;
        self.n_leased += 1;
        Some(host_idx)
    }

    /// Whether no host can be asked, now or later, before somebody offers something.
    pub(super) fn is_exhausted(&self) -> bool {
        self.ready.is_empty() && self.waiting.is_empty() && self.n_leased == 0
    }

    /// A host may be asked now, if anything waits there.
    pub(super) fn make_ready(&mut self, host_idx: u32) {
        self.make_idle(host_idx);
        if let Some(best) = self.best(host_idx) {
            self.ready.insert((best, host_idx));
            self.list[host_idx as usize].state = HostState::Ready;
        }
    }

    /// A host may not be asked before a time.
    pub(super) fn make_wait(&mut self, host_idx: u32, until: Time) {
        self.make_idle(host_idx);
        // The gate remembers the time; where no URL waits, nobody needs to
        // wake up for it.
        if self.best(host_idx).is_some() {
            self.waiting.insert((until, host_idx));
            self.list[host_idx as usize].state = HostState::Waiting(until);
        }
    }

    /// A host is dead until a time.
    pub(super) fn park(&mut self, host_idx: u32, until: Time) {
        self.make_wait(host_idx, until);
        let host = &mut self.list[host_idx as usize];
        if host.state == HostState::Waiting(until) {
            host.state = HostState::Parked(until);
            self.n_parked += 1;
        }
    }

    fn make_idle(&mut self, host_idx: u32) {
        self.leave_state(host_idx);
        self.list[host_idx as usize].state = HostState::Idle;
    }

    fn leave_state(&mut self, host_idx: u32) {
        let host = &self.list[host_idx as usize];
        match host.state {
            HostState::Idle => {}
            HostState::Ready => {
                self.ready.remove(&(host.best, host_idx));
            }
            HostState::Waiting(time) => {
                self.waiting.remove(&(time, host_idx));
            }
            HostState::Parked(time) => {
                self.waiting.remove(&(time, host_idx));
                self.n_parked -= 1;
            }
            HostState::Leased => self.n_leased -= 1,
        }
    }

    /// Makes hosts ready whose time has come.
    pub(super) fn wake(&mut self, now: Time) {
        while let Some(&(time, host_idx)) = self.waiting.first() {
            if time > now {
                break;
            }
            self.make_ready(host_idx);
        }
    }

    /// When the next host wakes up.
    pub(super) fn next_wake(&self) -> Option<Time> {
        self.waiting.first().map(|(time, _)| *time)
    }

    /// Whether every host that waits for its time is parked.
    pub(super) fn are_all_parked(&self) -> bool {
        self.n_parked > 0 && self.waiting.len() == self.n_parked
    }
}
