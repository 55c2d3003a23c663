//! The hosts of a frontier: how many URLs wait at each, which is best, and
//! which host may be asked next.
//!
//! A host is *idle*, *ready*, *held* until there is a berth for it, *waiting*
//! until a time, *parked* or *leased*.
//! It takes some 300 bytes here whatever its queue holds: all rows are on disk.

use super::Resting;
use super::berths::{Berths, Hold};
use super::changed::Changed;
use super::front::Front;
use super::row::RowKey;
use crate::clock::Jump;
use crate::gate::Acquaintance;
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
pub(super) struct Turn(u128);

impl Turn {
    fn of(best: RowKey, host_idx: u32) -> Turn {
        Turn(best.bits() << 32 | u128::from(host_idx))
    }

    pub(super) fn host_idx(self) -> u32 {
        self.0 as u32
    }

    fn rank(self) -> u32 {
        RowKey::of_bits(self.0 >> 32).rank
    }
}

impl HostState {
    /// Whether a host is found by its best key.
    fn is_in_line(self) -> bool {
        matches!(
            self,
            HostState::Ready | HostState::Strange | HostState::Held(_)
        )
    }
}

/// All hosts of one frontier.
pub(super) struct Hosts {
    list: Vec<Host>,
    /// The origins of all hosts, one after the other.
    origins: String,
    by_origin: HashMap<NameHash, u32>,
    ready: BTreeSet<Turn>,
    /// Those of them that have not answered yet, or not of late, and have no
    /// berth: there may be a million, and most of the time no room for any.
    strange: BTreeSet<Turn>,
    pub(super) berths: Berths,
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
    acquaintance: Acquaintance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostState {
    /// No URL waits.
    Idle,
    /// In `ready`, under its best key.
    Ready,
    /// The same in `strange`.
    Strange,
    /// The same among those that are held for this reason.
    Held(Hold),
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
    pub(super) fn new(berths: Berths) -> Hosts {
        Hosts {
            list: Vec::new(),
            origins: String::new(),
            by_origin: HashMap::new(),
            ready: BTreeSet::new(),
            strange: BTreeSet::new(),
            berths,
            waiting: BTreeSet::new(),
            n_waiting: 0,
            n_parked: 0,
            n_leased: 0,
            changed: Changed::default(),
        }
    }

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
            acquaintance: Acquaintance::Stranger,
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
            host.state = HostState::Strange;
            Some(Turn::of(best, host_idx as u32))
        });
        self.strange = ready.collect();
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
        let state = host.state;
        if !state.is_in_line() || old == new {
            return;
        }
        if let Some(old) = old {
            self.leave_line(state, Turn::of(old, host_idx));
        }
        match new {
            Some(new) => self.join_line(state, Turn::of(new, host_idx)),
            None => self.list[host_idx as usize].state = HostState::Idle,
        }
    }

    fn join_line(&mut self, state: HostState, turn: Turn) {
        match state {
            HostState::Held(hold) => self.berths.hold(hold, turn),
            HostState::Strange => _ = self.strange.insert(turn),
            _ => _ = self.ready.insert(turn),
        }
    }

    fn leave_line(&mut self, state: HostState, turn: Turn) {
        match state {
            HostState::Held(hold) => self.berths.let_go(hold, turn),
            HostState::Strange => _ = self.strange.remove(&turn),
            _ => _ = self.ready.remove(&turn),
        }
    }

    /// Leases the ready host with the best URL, unless that ranks below `worst`.
    pub(super) fn lease_best(&mut self, worst: u32) -> Option<u32> {
        let strange = match self.berths.are_strangers_welcome() {
            true => self.strange.first(),
            false => None,
        };
        let turn = *self.ready.first().into_iter().chain(strange).min()?;
        if turn.rank() > worst {
            return None;
        }
        let host_idx = turn.host_idx();
        self.leave_line(self.list[host_idx as usize].state, turn);
        self.list[host_idx as usize].state = HostState::Leased;
        self.n_leased += 1;
        Some(host_idx)
    }

    /// Whether no host can be asked, now or later, before somebody offers something.
    pub(super) fn is_exhausted(&self) -> bool {
        let are_ready = !self.ready.is_empty() || !self.strange.is_empty();
        !are_ready && self.waiting.is_empty() && self.n_leased == 0
    }

    /// A host may be asked now, if anything waits there.
    pub(super) fn make_ready(&mut self, host_idx: u32) {
        self.make_idle(host_idx);
        let Some(best) = self.best(host_idx) else {
            // It may have waited for a look-up that nobody wants any more.
            self.berths.free(host_idx);
            return;
        };
        let state = match self.acquaintance(host_idx) {
            Acquaintance::Stranger if !self.berths.has_berth(host_idx) => HostState::Strange,
            Acquaintance::Stranger | Acquaintance::Known => HostState::Ready,
        };
        self.join_line(state, Turn::of(best, host_idx));
        self.list[host_idx as usize].state = state;
    }

    /// Whether a host is known to answer, as far as was heard.
    pub(super) fn acquaintance(&self, host_idx: u32) -> Acquaintance {
        self.list[host_idx as usize].acquaintance
    }

    /// Hears whether a host that is leased answers.
    pub(super) fn heard(&mut self, host_idx: u32, acquaintance: Acquaintance) {
        self.list[host_idx as usize].acquaintance = acquaintance;
    }

    /// A host is not asked before there is a berth for it.
    pub(super) fn hold(&mut self, host_idx: u32, hold: Hold) {
        self.make_idle(host_idx);
        if let Some(best) = self.best(host_idx) {
            let state = HostState::Held(hold);
            self.join_line(state, Turn::of(best, host_idx));
            self.list[host_idx as usize].state = state;
        }
    }

    /// Makes hosts ready for which there is a berth now.
    pub(super) fn free_held(&mut self) {
        while let Some(host_idx) = self.berths.next_freed() {
            self.make_ready(host_idx);
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
            state @ (HostState::Ready | HostState::Strange | HostState::Held(_)) => {
                if let Some(best) = host.front.first() {
                    self.leave_line(state, Turn::of(best, host_idx));
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

    /// Hears that the clock was set: every host waits as long as before.
    pub(super) fn jumped(&mut self, jump: Jump) {
        for (time, host_idx) in std::mem::take(&mut self.waiting) {
            let later = jump.carry(time);
            let host = &mut self.list[host_idx as usize];
            host.state = match host.state {
                HostState::Parked(_) => HostState::Parked(later),
                _ => HostState::Waiting(later),
            };
            self.waiting.insert((later, host_idx));
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
