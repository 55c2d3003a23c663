//! The hosts of a frontier: how many URLs wait at each, which is best, and
//! which host may be asked next.
//!
//! A host is *idle*, *ready*, *waiting* until a time, *parked* or *leased*.
//! It takes some 300 bytes here whatever its queue holds: all rows are on disk.

use super::Resting;
use super::changed::Changed;
use super::front::Front;
use super::row::RowKey;
use std::collections::{BTreeSet, HashMap};
use store::index::Short;
use store::line::Place;
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

/// A ready host's best key and its number, in one: a million of these are
/// gone through with every ticket, and waiting for memory is what that costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn(u128);

impl Turn {
    fn of(best: RowKey, host_idx: u32) -> Turn {
        Turn(best.bits() << 32 | u128::from(host_idx))
    }

    fn host_idx(self) -> u32 {
        self.0 as u32
    }

    fn rank(self) -> u32 {
        RowKey::of_bits(self.0 >> 32).rank
    }
}

/// All hosts of one frontier.
#[derive(Default)]
pub(super) struct Hosts {
    list: Vec<Host>,
    /// The origins of all hosts, one after the other.
    origins: String,
    by_origin: HashMap<NameHash, u32>,
    ready: BTreeSet<Turn>,
    waiting: BTreeSet<(Time, u32)>,
    n_waiting: u64,
    n_parked: usize,
    n_leased: usize,
    /// Hosts whose summaries are to be written.
    changed: Changed,
}

struct Host {
    /// Where its origin ends; it begins where that of the host before ends.
    origin_end: usize,
    front: Front,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) n_waiting: u32,
    pub(super) front: Front,
}

impl Summary {
    pub(super) fn encode(&self) -> Short {
        Short::of(&[&self.n_waiting.to_be_bytes(), &self.front.keys()])
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Summary> {
        let (n_waiting, front) = bytes.split_first_chunk()?;
        Some(Summary {
            n_waiting: u32::from_be_bytes(*n_waiting),
            front: Front::of_keys(front),
        })
    }
}

impl Hosts {
    pub(super) fn find(&self, origin: &str) -> Option<u32> {
        self.by_origin.get(&name_hash(origin)).copied()
    }

    pub(super) fn add(&mut self, origin: &str, domain_idx: u32) -> u32 {
        let host_idx = self.list.len() as u32;
        self.by_origin.insert(name_hash(origin), host_idx);
        self.origins.push_str(origin);
        self.list.push(Host {
            origin_end: self.origins.len(),
            front: Front::default(),
            n_waiting: 0,
            domain_idx,
            state: HostState::Idle,
        });
        host_idx
    }

    /// Scheme, name and port of a host.
    pub(super) fn origin(&self, host_idx: u32) -> &str {
        let idx = host_idx as usize;
        let end_of = |host: &Host| host.origin_end;
        let start = idx.checked_sub(1).and_then(|before| self.list.get(before));
        let range = start.map_or(0, end_of)..self.list.get(idx).map_or(0, end_of);
        self.origins.get(range).unwrap_or_default()
    }

    /// Takes over what was kept of a host's queue.
    pub(super) fn restore(&mut self, host_idx: u32, summary: Summary) {
        let Some(host) = self.list.get_mut(host_idx as usize) else {
            return;
        };
        self.n_waiting += u64::from(summary.n_waiting);
        host.n_waiting = summary.n_waiting;
        host.front = summary.front;
    }

    /// Every host with waiting URLs becomes ready; all at once is cheaper.
    pub(super) fn start(&mut self) {
        let hosts = self.list.iter_mut().enumerate();
        let ready = hosts.filter_map(|(host_idx, host)| {
            let best = host.front.first()?;
            host.state = HostState::Ready;
            Some(Turn::of(best, host_idx as u32))
        });
        self.ready = ready.collect();
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

    /// Hosts whose summaries have changed since this was last asked.
    pub(super) fn take_changed(&mut self) -> Vec<u32> {
        self.changed.take()
    }

    pub(super) fn summary(&self, host_idx: u32) -> Summary {
        let host = &self.list[host_idx as usize];
        Summary {
            n_waiting: host.n_waiting,
            front: host.front,
        }
    }

    /// The best key of a host's queue.
    pub(super) fn best(&self, host_idx: u32) -> Option<RowKey> {
        self.list[host_idx as usize].front.first()
    }

    /// Where one of the best rows of a host's queue is, if that is known.
    pub(super) fn place_of(&self, host_idx: u32, key: RowKey) -> Option<Place> {
        self.list[host_idx as usize].front.place_of(key)
    }

    /// Hears that a row has joined a host's queue.
    pub(super) fn joined(&mut self, host_idx: u32, key: RowKey, place: Place) {
        let host = &mut self.list[host_idx as usize];
        let mut front = host.front;
        front.joined(key, place, host.n_waiting);
        host.n_waiting = host.n_waiting.saturating_add(1);
        self.n_waiting += 1;
        self.set_front(host_idx, front);
        if self.list[host_idx as usize].state == HostState::Idle {
            self.make_ready(host_idx);
        }
    }

    /// Hears that a row has left a host's queue. False means that others wait
    /// and none of them is known: somebody has to `refill` the front.
    #[must_use]
    pub(super) fn left(&mut self, host_idx: u32, key: RowKey) -> bool {
        let host = &mut self.list[host_idx as usize];
        let mut front = host.front;
        front.left(key);
        if host.n_waiting > 0 {
            host.n_waiting -= 1;
            self.n_waiting -= 1;
        }
        let is_known = front.len() > 0 || host.n_waiting == 0;
        self.set_front(host_idx, front);
        is_known
    }

    /// Takes over the best keys as they are on disk; where there are none,
    /// nothing waits, whatever was counted.
    pub(super) fn refill(&mut self, host_idx: u32, front: Front) {
        let host = &mut self.list[host_idx as usize];
        let n_waiting = match front.len() {
            0 => 0,
            len => host.n_waiting.max(len as u32),
        };
        self.n_waiting = self.n_waiting - u64::from(host.n_waiting) + u64::from(n_waiting);
        host.n_waiting = n_waiting;
        self.set_front(host_idx, front);
        if self.list[host_idx as usize].state == HostState::Idle {
            self.make_ready(host_idx);
        }
    }

    /// A ready host is found by its best key.
    fn set_front(&mut self, host_idx: u32, front: Front) {
        self.changed.add(host_idx);
        let host = &mut self.list[host_idx as usize];
        let (old, new) = (host.front.first(), front.first());
        host.front = front;
        if host.state != HostState::Ready || old == new {
            return;
        }
        if let Some(old) = old {
            self.ready.remove(&Turn::of(old, host_idx));
        }
        match new {
            Some(new) => {
                self.ready.insert(Turn::of(new, host_idx));
            }
            None => host.state = HostState::Idle,
        }
    }

    /// Leases the ready host with the best URL, unless that ranks below `worst`.
    pub(super) fn lease_best(&mut self, worst: u32) -> Option<u32> {
        let turn = *self.ready.first()?;
        if turn.rank() > worst {
            return None;
        }
        self.ready.pop_first();
        let host_idx = turn.host_idx();
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
            self.ready.insert(Turn::of(best, host_idx));
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
                if let Some(best) = host.front.first() {
                    self.ready.remove(&Turn::of(best, host_idx));
                }
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

    /// The hosts that wait for their time, those with the longest wait first.
    pub(super) fn resting(&self) -> impl Iterator<Item = Resting> {
        self.waiting.iter().rev().map(move |&(until, host_idx)| {
            let host = &self.list[host_idx as usize];
            Resting {
                origin: self.origin(host_idx).to_owned(),
                until,
                is_parked: matches!(host.state, HostState::Parked(_)),
                n_waiting: host.n_waiting,
            }
        })
    }

    /// Whether every host that waits for its time is parked.
    pub(super) fn are_all_parked(&self) -> bool {
        self.n_parked > 0 && self.waiting.len() == self.n_parked
    }
}
