//! Shares a node's fetches out, so that nobody takes all of them.
//!
//! A name is cheap: a domain may have a thousand hosts that never answer, and
//! each would be waited for as long as the slowest honest one. So a domain
//! has a few berths, hosts that have not answered yet share some, and while a
//! host's name is looked up it takes one of another kind. A host whose domain
//! has no berth left is *held* until one is free, behind better ones.

use super::hosts::Turn;
use crate::gate::Acquaintance;
use crate::settings::Settings;
use std::collections::{BTreeSet, HashMap};

/// What a host is under way for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Berth {
    /// A fetch from a host that is known to answer.
    Known,
    /// A fetch from one that has not answered yet, or not of late.
    Stranger,
    /// Where its name leads.
    LookUp,
}

/// What a host is held for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Hold {
    /// Its domain has as many fetches as it may have.
    Domain(u32),
    /// The same, as strangers.
    DomainStrangers(u32),
    /// The same of look-ups.
    DomainLookUps(u32),
    /// It has been looked up, and there are as many strangers as there may be.
    Strangers,
}

/// All berths of one node.
pub(super) struct Berths {
    /// Who has one, and its domain.
    taken: HashMap<u32, (Berth, u32)>,
    by_domain: HashMap<u32, Load>,
    all: Load,
    held: HashMap<Hold, BTreeSet<Turn>>,
    /// Where a berth may have become free.
    freed: Vec<Hold>,
    most: Most,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Load {
    n_fetches: usize,
    n_strangers: usize,
    n_look_ups: usize,
}

/// How many of what there may be at once.
struct Most {
    strangers: usize,
    look_ups: usize,
    of_domain: Load,
}

impl Berths {
    /// Shares of the slots: for strangers a half, for one domain a quarter,
    /// and an eighth for its strangers. A look-up takes no slot, so there may
    /// be more of them than slots.
    pub(super) fn new(settings: &Settings) -> Berths {
        let share = |part: usize| (settings.n_slots / part).max(1);
        Berths {
            taken: HashMap::new(),
            by_domain: HashMap::new(),
            all: Load::default(),
            held: HashMap::new(),
            freed: Vec::new(),
            most: Most {
                strangers: share(2),
                look_ups: 2 * settings.n_slots.max(1),
                of_domain: Load {
                    n_fetches: share(4),
                    n_strangers: share(8),
                    n_look_ups: share(8),
                },
            },
        }
    }

    /// Why a host cannot be asked now. A stranger may have to be looked up
    /// first, unless that is under way.
    pub(super) fn lack(
        &self,
        host_idx: u32,
        domain_idx: u32,
        acquaintance: Acquaintance,
    ) -> Option<Hold> {
        let needed: &[Hold] = match acquaintance {
            Acquaintance::Known => &[Hold::Domain(domain_idx)],
            Acquaintance::Stranger if self.has_berth(host_idx) => &[
                Hold::Domain(domain_idx),
                Hold::DomainStrangers(domain_idx),
                Hold::Strangers,
            ],
            Acquaintance::Stranger => &[
                Hold::Domain(domain_idx),
                Hold::DomainStrangers(domain_idx),
                Hold::DomainLookUps(domain_idx),
            ],
        };
        needed.iter().copied().find(|hold| !self.has_room(*hold))
    }

    pub(super) fn has_berth(&self, host_idx: u32) -> bool {
        self.taken.contains_key(&host_idx)
    }

    /// Whether strangers may be asked at all.
    pub(super) fn are_strangers_welcome(&self) -> bool {
        self.has_room(Hold::Strangers) && self.all.n_look_ups < self.most.look_ups
    }

    fn has_room(&self, hold: Hold) -> bool {
        let of = |domain_idx| self.by_domain.get(&domain_idx).copied().unwrap_or_default();
        let (all, most) = (&self.all, &self.most);
        match hold {
            Hold::Domain(domain_idx) => of(domain_idx).n_fetches < most.of_domain.n_fetches,
            Hold::DomainStrangers(domain_idx) => {
                of(domain_idx).n_strangers < most.of_domain.n_strangers
            }
            Hold::DomainLookUps(domain_idx) => {
                of(domain_idx).n_look_ups < most.of_domain.n_look_ups
            }
            Hold::Strangers => all.n_strangers < most.strangers,
        }
    }

    /// Gives a host a berth, in place of the one it may have.
    pub(super) fn take(&mut self, host_idx: u32, domain_idx: u32, berth: Berth) {
        self.free(host_idx);
        self.taken.insert(host_idx, (berth, domain_idx));
        self.all.change(berth, usize::saturating_add);
        let load = self.by_domain.entry(domain_idx).or_default();
        load.change(berth, usize::saturating_add);
    }

    /// Takes a host's berth back, if it has one.
    pub(super) fn free(&mut self, host_idx: u32) {
        let Some((berth, domain_idx)) = self.taken.remove(&host_idx) else {
            return;
        };
        self.all.change(berth, usize::saturating_sub);
        if let Some(load) = self.by_domain.get_mut(&domain_idx) {
            load.change(berth, usize::saturating_sub);
            if *load == Load::default() {
                self.by_domain.remove(&domain_idx);
            }
        }
        self.settled(domain_idx);
    }

    /// Hears that a host of this domain has been asked about: whoever is held
    /// because of what it did not take may have it.
    pub(super) fn settled(&mut self, domain_idx: u32) {
        if !self.held.is_empty() {
            self.freed.extend([
                Hold::Domain(domain_idx),
                Hold::DomainStrangers(domain_idx),
                Hold::DomainLookUps(domain_idx),
                Hold::Strangers,
            ]);
        }
    }

    /// The next host that need not be held any longer.
    pub(super) fn next_freed(&mut self) -> Option<u32> {
        while let Some(hold) = self.freed.pop() {
            if !self.has_room(hold) {
                continue;
            }
            let best = self.held.get(&hold).and_then(BTreeSet::first);
            if let Some(turn) = best.copied() {
                return Some(turn.host_idx());
            }
        }
        None
    }

    /// Holds a host, by its best key.
    pub(super) fn hold(&mut self, hold: Hold, turn: Turn) {
        self.held.entry(hold).or_default().insert(turn);
    }

    /// Holds a host no longer.
    pub(super) fn let_go(&mut self, hold: Hold, turn: Turn) {
        if let Some(turns) = self.held.get_mut(&hold) {
            turns.remove(&turn);
            if turns.is_empty() {
                self.held.remove(&hold);
            }
        }
    }
}

impl Load {
    fn change(&mut self, berth: Berth, by: impl Fn(usize, usize) -> usize) {
        match berth {
            Berth::LookUp => self.n_look_ups = by(self.n_look_ups, 1),
            Berth::Known => self.n_fetches = by(self.n_fetches, 1),
            Berth::Stranger => {
                self.n_fetches = by(self.n_fetches, 1);
                self.n_strangers = by(self.n_strangers, 1);
            }
        }
    }
}
