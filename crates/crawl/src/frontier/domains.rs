//! What each registrable domain may take of a crawl.
//!
//! A domain's first URLs are *hot*: they wait in the queues of its hosts.
//! Once it has used up its budget, further ones are *cold*: they wait on
//! disk, best first, until a relevant page of the domain earns it more, by an
//! address that is new to the domain, or until nothing hot is left anywhere.
//! Nothing is dropped.

use super::changed::Changed;
use super::distinct::Distinct;
use super::hosts::{NameHash, name_hash};
use super::row::RowKey;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// All domains of one frontier.
pub(super) struct Domains {
    list: Vec<Domain>,
    by_name: HashMap<NameHash, u32>,
    /// Domains with cold URLs, by their best one.
    cold: BTreeSet<(RowKey, u32)>,
    n_cold: u64,
    budget: u32,
    budget_per_relevant: u32,
    /// Domains to be written.
    changed: Changed,
}

/// One domain, as kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Domain {
    name: NameHash,
    /// URLs ever let into a queue, those taken since included.
    n_hot: u32,
    /// Pages that brought an address the domain had not shown before.
    n_relevant: u32,
    /// How often it was given a whole budget anew.
    n_thaws: u32,
    n_cold: u32,
    /// Of the cold queue; means nothing when that is empty.
    best_cold: RowKey,
    /// The addresses on its relevant pages.
    addresses: Distinct,
    /// Whether URLs of hosts without a place in memory have been cold.
    has_unlisted: bool,
}

impl Domains {
    pub(super) fn new(settings: &Settings) -> Domains {
        Domains {
            list: Vec::new(),
            by_name: HashMap::new(),
            cold: BTreeSet::new(),
            n_cold: 0,
            // With none, thawing would never end.
            budget: settings.domain_budget.max(1),
            budget_per_relevant: settings.budget_per_relevant,
            changed: Changed::default(),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(&name_hash(name)).copied()
    }

    pub(super) fn add(&mut self, name: &str) -> u32 {
        let domain_idx = self.restore(Domain {
            name: name_hash(name),
            ..Domain::default()
        });
        self.changed.add(domain_idx);
        domain_idx
    }

    /// Takes over a domain that was kept.
    pub(super) fn restore(&mut self, domain: Domain) -> u32 {
        let domain_idx = self.list.len() as u32;
        self.by_name.insert(domain.name, domain_idx);
        if domain.n_cold > 0 {
            self.cold.insert((domain.best_cold, domain_idx));
            self.n_cold += u64::from(domain.n_cold);
        }
        self.list.push(domain);
        domain_idx
    }

    pub(super) fn get(&self, domain_idx: u32) -> &Domain {
        &self.list[domain_idx as usize]
    }

    fn change(&mut self, domain_idx: u32) -> &mut Domain {
        self.changed.add(domain_idx);
        &mut self.list[domain_idx as usize]
    }

    /// Domains that have changed since this was last asked.
    pub(super) fn take_changed(&mut self) -> Vec<u32> {
        self.changed.take()
    }

    pub(super) fn n_cold(&self) -> u64 {
        self.n_cold
    }

    /// URLs that may still become hot.
    pub(super) fn room(&self, domain_idx: u32) -> u32 {
        let domain = self.get(domain_idx);
        let given = domain.n_thaws.saturating_add(1).saturating_mul(self.budget);
        let earned = domain.n_relevant.saturating_mul(self.budget_per_relevant);
        given.saturating_add(earned).saturating_sub(domain.n_hot)
    }

    /// Hears that a URL became hot, or was taken without ever having been.
    pub(super) fn heated(&mut self, domain_idx: u32) {
        let domain = self.change(domain_idx);
        domain.n_hot = domain.n_hot.saturating_add(1);
    }

    /// Hears of a relevant page, and of its addresses by their keys. One that
    /// stands on every page of the domain earns it nothing more. Whether this
    /// one earned something.
    pub(super) fn reward(&mut self, domain_idx: u32, addresses: &[u64]) -> bool {
        let domain = &mut self.list[domain_idx as usize];
        let n_new = addresses.iter().filter(|key| domain.addresses.add(**key));
        if n_new.count() == 0 {
            return false;
        }
        domain.n_relevant = domain.n_relevant.saturating_add(1);
        self.changed.add(domain_idx);
        true
    }

    /// Gives a domain another whole budget.
    pub(super) fn renew(&mut self, domain_idx: u32) {
        let domain = self.change(domain_idx);
        domain.n_thaws = domain.n_thaws.saturating_add(1);
    }

    /// The domains with the best cold URLs, best first.
    pub(super) fn coldest(&self, n: usize) -> Vec<u32> {
        let best = self.cold.iter().take(n);
        best.map(|(_, domain_idx)| *domain_idx).collect()
    }

    /// Whether URLs of unlisted hosts have been cold.
    pub(super) fn has_unlisted(&self, domain_idx: u32) -> bool {
        self.get(domain_idx).has_unlisted
    }

    /// Hears that a URL of an unlisted host is cold.
    pub(super) fn set_unlisted(&mut self, domain_idx: u32) {
        self.change(domain_idx).has_unlisted = true;
    }

    /// The best key of a domain's cold queue.
    pub(super) fn best_cold(&self, domain_idx: u32) -> Option<RowKey> {
        let domain = self.get(domain_idx);
        (domain.n_cold > 0).then_some(domain.best_cold)
    }

    /// Hears that a row has joined a cold queue.
    pub(super) fn joined(&mut self, domain_idx: u32, key: RowKey) {
        let best = self.best_cold(domain_idx).map_or(key, |best| best.min(key));
        let n_cold = self.get(domain_idx).n_cold.saturating_add(1);
        self.set_cold(domain_idx, n_cold, Some(best));
    }

    /// Hears that rows have left a cold queue, and which is the best now; none
    /// means that nothing is left, whatever was counted.
    pub(super) fn left(&mut self, domain_idx: u32, n_rows: u32, best: Option<RowKey>) {
        let n_cold = match best {
            Some(_) => self.get(domain_idx).n_cold.saturating_sub(n_rows).max(1),
            None => 0,
        };
        self.set_cold(domain_idx, n_cold, best);
    }

    fn set_cold(&mut self, domain_idx: u32, n_cold: u32, best: Option<RowKey>) {
        self.changed.add(domain_idx);
        let domain = &mut self.list[domain_idx as usize];
        if domain.n_cold > 0 {
            self.cold.remove(&(domain.best_cold, domain_idx));
        }
        self.n_cold = self.n_cold - u64::from(domain.n_cold) + u64::from(n_cold);
        domain.n_cold = n_cold;
        if let Some(best) = best {
            domain.best_cold = best;
            self.cold.insert((best, domain_idx));
        }
    }
}

impl Domain {
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Domain> {
        postcard::from_bytes(bytes).ok()
    }
}
