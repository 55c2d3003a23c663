//! One machine's clock: when it may be asked again, and whose turn it is.
//!
//! A thousand hosts of one machine need not all ask again at once: those that
//! find it busy are sent away for longer and longer. They take turns by
//! registrable domain, so that a domain with a thousand names keeps nobody
//! else from the machine that it shares, or that its names were led to.

use super::recent::Forgettable;
use crate::clock::after;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;
use store::visit::Time;
use xxhash_rust::xxh3::xxh3_64;

/// Whoever finds a host or machine leased asks again no sooner: nobody knows
/// when a fetch lands, and asking without pause would be a busy wait.
pub(super) const LEASE: Duration = Duration::from_millis(50);

/// Whoever finds a machine busy asks again no later than this.
const LONGEST_TURN: Duration = Duration::from_secs(60);

/// Domains that take turns at one machine; of more, those that came last for a
/// turn are forgotten.
const MOST_QUEUED: usize = 32;

#[derive(Default)]
pub(super) struct MachineClock {
    pub(super) memory: MachineMemory,
    pub(super) n_leases: usize,
    pub(super) is_unsaved: bool,
}

/// What is remembered of a machine, also across restarts.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct MachineMemory {
    pub(super) free_at: u64,
    queue: Vec<Queued>,
    /// Requests sent and ended, by which turns are told apart.
    n_counted: u64,
}

/// A domain that has found the machine busy.
#[derive(Serialize, Deserialize)]
struct Queued {
    domain: u32,
    /// Its hosts that were sent away since the last request.
    n_refused: u32,
    /// When the first of them comes back, unless it has had its turn.
    back_at: Option<u64>,
    /// The request that was its turn; zero for none.
    turn: u64,
}

impl Forgettable for MachineClock {
    fn is_needed(&self) -> bool {
        self.n_leases > 0 || self.is_unsaved
    }
}

/// Stands for a domain.
pub(super) fn domain_key(domain: &str) -> u32 {
    xxh3_64(domain.as_bytes()) as u32
}

impl MachineMemory {
    /// Carries what lies ahead over a jump of the clock.
    pub(super) fn carry(&mut self, carry: impl Fn(Time) -> Time) {
        self.free_at = carry(Time(self.free_at)).0;
        for queued in &mut self.queue {
            queued.back_at = queued.back_at.map(|at| carry(Time(at)).0);
        }
    }

    /// Times further ahead than anybody is sent away for are of a clock that
    /// was ahead.
    pub(super) fn clamp(&mut self, settings: &Settings, now: Time) {
        let delay = settings.server_delay.max(LEASE);
        self.free_at = self.free_at.min(after(now, delay).0);
        let latest = after(now, delay + LONGEST_TURN).0;
        for queued in &mut self.queue {
            queued.back_at = queued.back_at.filter(|at| *at <= latest);
        }
    }
}

impl MachineClock {
    pub(super) fn of(memory: MachineMemory) -> MachineClock {
        MachineClock {
            memory,
            ..MachineClock::default()
        }
    }

    /// Whether anybody may ask it now, whoever comes.
    pub(super) fn is_free(&self, settings: &Settings, now: Time) -> bool {
        let has_room = self.n_leases < settings.machine_connections.max(1);
        has_room && self.memory.free_at <= now.0 && self.memory.queue.len() < 2
    }

    /// When a host of a domain is to come back to the machine at this address;
    /// none if it may be asked now.
    pub(super) fn refusal(
        &mut self,
        settings: &Settings,
        address: IpAddr,
        domain: u32,
        now: Time,
    ) -> Option<Time> {
        let delay = settings.server_delay_at(address).max(LEASE);
        let mut free_at = Time(self.memory.free_at);
        if self.n_leases >= settings.machine_connections.max(1) {
            // Nobody knows when it answers: asked less often the longer it takes.
            let so_far = Duration::from_millis(now.0.saturating_sub(free_at.0)) + delay;
            free_at = free_at.max(after(now, (so_far / 2).clamp(LEASE, delay)));
        }
        if free_at > now {
            return Some(self.send_away(domain, free_at, delay));
        }
        self.is_turn_of_another(domain, delay, now)
            .then(|| after(now, LEASE))
    }

    fn send_away(&mut self, domain: u32, free_at: Time, delay: Duration) -> Time {
        let waits = |queued: &&Queued| queued.domain == domain || queued.back_at.is_some();
        let n_domains = self.memory.queue.iter().filter(waits).count().max(1) as u32;
        let queued = self.queued(domain);
        let n_turns = queued.n_refused.saturating_mul(n_domains);
        queued.n_refused = queued.n_refused.saturating_add(1);
        let back_at = after(free_at, delay.saturating_mul(n_turns).min(LONGEST_TURN));
        let first = queued
            .back_at
            .map_or(back_at.0, |first| first.min(back_at.0));
        queued.back_at = Some(first.max(free_at.0));
        back_at
    }

    /// Whether somebody is due at this moment whose last turn was longer ago.
    /// Who is late has lost his turn: nobody may be waited for that is busy
    /// elsewhere.
    fn is_turn_of_another(&self, domain: u32, delay: Duration, now: Time) -> bool {
        let turn_of = |domain| {
            let mut queue = self.memory.queue.iter();
            queue.find_map(|queued: &Queued| (queued.domain == domain).then_some(queued.turn))
        };
        let mine = turn_of(domain).unwrap_or_default();
        self.memory.queue.iter().any(|queued| {
            let is_due = |back_at| back_at <= now.0 && now < after(Time(back_at), delay);
            queued.domain != domain && queued.turn < mine && queued.back_at.is_some_and(is_due)
        })
    }

    fn queued(&mut self, domain: u32) -> &mut Queued {
        let queue = &mut self.memory.queue;
        let nth = queue.iter().position(|queued| queued.domain == domain);
        let nth = nth.unwrap_or_else(|| {
            if queue.len() == MOST_QUEUED {
                queue.remove(0);
            }
            queue.push(Queued {
                domain,
                n_refused: 0,
                back_at: None,
                turn: 0,
            });
            queue.len() - 1
        });
        &mut queue[nth]
    }

    /// Whether it matters to which domain the next request goes.
    pub(super) fn has_queue(&self) -> bool {
        !self.memory.queue.is_empty()
    }

    /// Hears that a request to a host of this domain was sent.
    pub(super) fn had_turn(&mut self, domain: u32) {
        let turn = self.memory.n_counted;
        let queued = self.queued(domain);
        queued.turn = turn;
        queued.back_at = None;
    }

    /// Counts a request that was sent to the machine at this address, or has
    /// ended.
    pub(super) fn count(&mut self, settings: &Settings, address: IpAddr, now: Time) {
        let free_at = after(now, settings.server_delay_at(address)).0;
        let memory = &mut self.memory;
        memory.free_at = memory.free_at.max(free_at);
        memory.n_counted += 1;
        let long_ago = memory.n_counted.saturating_sub(2 * MOST_QUEUED as u64);
        memory.queue.retain(|queued| {
            let waits = |back_at| now < after(Time(back_at), LONGEST_TURN);
            queued.turn > long_ago || queued.back_at.is_some_and(waits)
        });
        for queued in &mut memory.queue {
            queued.n_refused = 0;
        }
    }
}
