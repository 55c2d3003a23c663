//! Chooses the next URL a node may fetch: the best one among the hosts that
//! may be asked now.
//!
//! A URL is *unseen*, *waiting*, *taken*, then *done*. Waiting URLs sit in
//! one queue per host, on disk, best first; those beyond their domain's budget
//! in a cold queue per domain, and those that failed in a table ordered by
//! time. A `Ticket` is the lease of a URL and its host: until its outcome is
//! committed its URL stays in the table of open tickets, and opening the
//! frontier again puts it back in line, the only step back there is.
//!
//! Every call makes its changes visible at once, whichever batch they are
//! written to; they are durable with the commit that follows, and with `save`.
//!
//! Memory grows with hosts, not with URLs, and with those only that a domain's
//! budget has had room for: a host that is first heard of when there is none is
//! *unlisted*, and its URLs wait under their domain alone. When a host may be asked is the
//! gate's affair, and what a URL is worth the strategy's.

mod berths;
mod changed;
mod distinct;
mod domains;
mod front;
mod hosts;
mod line;
mod opening;
mod reasons;
mod row;
mod rows;
mod seen;

use crate::clock::Jump;
use crate::error::CrawlError;
use crate::gate::{Acquaintance, Aftermath, Gate, Permit, RulesWanted};
use berths::Berth;
use domains::Domains;
use hosts::Hosts;
use page::url::CanonicalUrl;
use reasons::Reasons;
use row::{Parcel, RowKey, Standing};
use rows::Rows;
use seen::Seen;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::index::Index;
use store::line::Line;
use store::table::{Batch, Table};
use store::visit::{Errand, Outcome, Time, Trail};
use strategy::roster::NodeId;

/// What a URL is to be fetched for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// As a page, or whatever it turns out to be.
    #[default]
    Page,
    /// As a list of its site's pages.
    Sitemap,
    /// As a page that was fetched before and may have changed.
    Refresh,
}

impl Purpose {
    /// As what it goes on record.
    pub fn errand(self) -> Errand {
        match self {
            Purpose::Page | Purpose::Refresh => Errand::Page,
            Purpose::Sitemap => Errand::Sitemap,
        }
    }
}

/// Which of the waiting URLs `next` chooses from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    #[default]
    Everything,
    /// Those that were fetched before and are to be fetched again.
    Refresh,
}

/// A link on its way into a frontier.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Where it leads.
    pub url: CanonicalUrl,
    /// The page it stands on; none for a seed.
    pub from: Option<CanonicalUrl>,
    /// Links followed since its site was entered.
    pub depth: u16,
    /// Redirects that led here in a row.
    pub hops: u8,
    /// How often it was fetched in vain.
    pub tries: u8,
    /// What it is to be fetched for.
    pub purpose: Purpose,
    /// GeoNames id of the target it was taken to be about.
    pub target: Option<u32>,
    /// From 0 (last) to 1 (first).
    pub priority: f32,
    /// Why this node, and why so soon.
    pub because: String,
    /// How it was come by.
    pub trail: Trail,
}

/// What a URL waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wait {
    /// Its turn, at its host.
    Hot,
    /// Its domain's budget to grow.
    Cold,
    /// To be tried again.
    Retry,
}

/// What became of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// Not seen before: it waits now.
    New,
    /// It waits already; the better priority counts from now on.
    Raised,
    /// Seen before.
    Known,
    /// Not seen before, and over its domain's budget: it waits in the cold queue.
    Cold,
}

/// The right to fetch one URL.
#[derive(Debug, Clone)]
pub struct Ticket {
    pub(crate) host_idx: u32,
    pub(crate) key: RowKey,
    /// The link that is being followed.
    pub offer: Offer,
}

/// What the frontier has for a node that asks for work.
#[derive(Debug)]
pub enum Next {
    /// Fetch this.
    Fetch(Ticket),
    /// Fetch robots rules first, from this address.
    Robots(HostLease, CanonicalUrl),
    /// The rules of this host have moved to this address, which may not be
    /// asked for; put it on record.
    RobotsRefused(HostLease, CanonicalUrl, Outcome),
    /// This one may not be fetched; put it on record.
    Refused(Ticket, Outcome),
    /// Nothing before that time.
    NotBefore(Time),
    /// Nothing before that time, and then only what has failed before: dead
    /// hosts and pages to be tried again.
    Parked(Time),
    /// Every waiting URL belongs to a host that is leased, or there is none.
    Nothing,
}

/// A host that is left alone for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resting {
    /// Scheme, name and port.
    pub origin: String,
    /// When it may be asked again.
    pub until: Time,
    /// Whether that is because it is dead for now.
    pub is_parked: bool,
    /// URLs that wait there.
    pub n_waiting: u32,
}

/// A host that robots rules are being fetched for.
#[derive(Debug, Clone)]
pub struct HostLease {
    host_idx: u32,
    /// A URL of the host: the one that wants to be fetched.
    pub wanted: CanonicalUrl,
    /// A URL of the origin that the rules are for: the same, or one that the
    /// host's own rules have moved to.
    pub by: CanonicalUrl,
    /// How that was come by.
    pub trail: Trail,
}

/// What came of asking for a host's best URL.
enum Asked {
    Next(Next),
    /// The host has to wait.
    Waits,
}

/// What a priority has to fall below, of what it was, to count as changed.
const STEADY: f32 = 0.8;

/// Slots of the cache of URLs seen lately: most links on a site repeat, and
/// thousands of sites take turns.
const RECENT: usize = 1 << 20;

/// One node's frontier.
pub struct Frontier {
    node: NodeId,
    tables: Tables,
    hosts: Hosts,
    domains: Domains,
    reasons: Reasons,
    seen: Seen,
    rows: Rows,
    /// High half of the fingerprint and rank, placed by the low half: together
    /// more exact than the seen set.
    recent: Vec<(u64, u32)>,
    next_seq: u64,
    reserved_seq: u64,
    n_retrying: u64,
    /// When the first retry is due.
    next_retry: Option<Time>,
    /// The longest that a page waits to be tried again.
    longest_retry: Duration,
    scope: Scope,
}

struct Tables {
    /// Waiting URLs, by host.
    queue: Line,
    /// Waiting URLs beyond the budget, by domain.
    cold: Line,
    /// URLs to try again, by time.
    retries: Table,
    /// Tickets whose outcome is not committed.
    open: Table,
    /// Domain and origin of each host.
    hosts: Table,
    /// How many URLs wait at each host, and the best one's key.
    heads: Index,
    domains: Table,
    reasons: Table,
    counters: Table,
}

impl Frontier {
    /// Takes a link in, unless it is known with no lower priority.
    pub fn offer(&mut self, batch: &mut Batch, offer: Offer) -> Result<Offered, CrawlError> {
        let fingerprint = offer.url.fingerprint();
        let rank = row::rank(offer.priority);
        let recent = &mut self.recent[fingerprint.short() as usize % RECENT];
        let high = (fingerprint.0 >> 64) as u64;
        if recent.0 == high && recent.1 <= rank {
            return Ok(Offered::Known);
        }
        *recent = (high, rank);
        let offered = match self.standing_of(&offer.url)? {
            None => self.take_in(batch, &offer, rank),
            Some(standing) => self.raise(batch, offer, rank, standing)?,
        };
        batch.settle()?;
        Ok(offered)
    }

    /// A link that was not seen before.
    fn take_in(&mut self, batch: &mut Batch, offer: &Offer, rank: u32) -> Offered {
        let seq = self.take_seq(batch);
        let key = RowKey { rank, seq };
        let domain_idx = self.domain_of(&offer.url);
        if self.domains.room(domain_idx) == 0 {
            let parcel = self.pack_cold(batch, offer, key);
            self.chill(batch, domain_idx, &parcel);
            return Offered::Cold;
        }
        let parcel = self.pack(batch, offer, key);
        self.domains.heated(domain_idx);
        self.enqueue(batch, &parcel);
        Offered::New
    }

    /// Where a URL is; none if it was never offered. One that was cold when
    /// its host was unlisted is found with its domain, until it moves.
    fn standing_of(&self, url: &CanonicalUrl) -> Result<Option<Standing>, CrawlError> {
        let fingerprint = url.fingerprint().short();
        let domain_idx = match self.hosts.find(url.origin()) {
            Some(host_idx) => {
                let standing = self.seen.get(host_idx, fingerprint)?;
                if standing.is_some() {
                    return Ok(standing);
                }
                Some(self.hosts.domain_of(host_idx))
            }
            None => self.domains.find(url.registrable_domain()),
        };
        match domain_idx.filter(|domain_idx| self.domains.has_unlisted(*domain_idx)) {
            Some(domain_idx) => self.seen.get(row::unlisted_of(domain_idx), fingerprint),
            None => Ok(None),
        }
    }

    /// A link that was seen before, perhaps with a lower priority.
    fn raise(
        &mut self,
        batch: &mut Batch,
        mut offer: Offer,
        rank: u32,
        standing: Standing,
    ) -> Result<Offered, CrawlError> {
        match standing {
            Standing::Hot(old, tries) if rank < old.rank => {
                let host_idx = self.host_of(batch, &offer.url);
                let Some(row) = self.row(host_idx, old)? else {
                    // Now that it is known to be taken, nobody has to look again.
                    let fingerprint = offer.url.fingerprint().short();
                    self.seen.set(batch, host_idx, fingerprint, Standing::Taken);
                    return Ok(Offered::Known);
                };
                // A better link to a dead page makes it no less dead.
                offer.tries = offer.tries.max(tries);
                row::keep_what_holds(&mut offer, Some(&row));
                let seq = old.seq;
                let parcel = self.pack(batch, &offer, RowKey { rank, seq });
                self.replace(batch, old, &parcel)?;
                Ok(Offered::Raised)
            }
            Standing::Cold(old) if rank < old.rank => {
                let domain_idx = self.domain_of(&offer.url);
                let parcel = self.cold_row(domain_idx, old)?;
                let row = parcel.as_ref().map(|parcel| parcel.row.as_slice());
                row::keep_what_holds(&mut offer, row);
                let seq = old.seq;
                let parcel = self.pack_cold(batch, &offer, RowKey { rank, seq });
                self.replace_cold(batch, domain_idx, old, &parcel);
                Ok(Offered::Raised)
            }
            _ => Ok(Offered::Known),
        }
    }

    /// Takes in a page that was fetched before, to be fetched again before
    /// any other; its priority is among those. False if it waits already.
    pub fn offer_again(&mut self, batch: &mut Batch, offer: &Offer) -> Result<bool, CrawlError> {
        let host_idx = self.host_of(batch, &offer.url);
        let standing = self.standing_of(&offer.url)?;
        let is_done = match standing {
            None | Some(Standing::Taken) => true,
            Some(Standing::Hot(key, _)) => self.row(host_idx, key)?.is_none(),
            Some(Standing::Cold(_) | Standing::Retrying(..)) => false,
        };
        if is_done {
            let seq = self.take_seq(batch);
            let rank = row::rank_again(offer.priority);
            let parcel = self.pack(batch, offer, RowKey { rank, seq });
            self.enqueue(batch, &parcel);
        }
        batch.settle()?;
        Ok(is_done)
    }

    /// Narrows what `next` chooses from, or widens it again.
    pub fn set_scope(&mut self, scope: Scope) {
        self.scope = scope;
    }

    /// The best URL that may be fetched now, by the priorities it was offered
    /// with.
    pub fn next(
        &mut self,
        batch: &mut Batch,
        now: Time,
        gate: &mut Gate,
    ) -> Result<Next, CrawlError> {
        self.next_by(batch, now, gate, &mut |_| None)
    }

    /// The same where somebody may have changed his mind: `again` says what a
    /// link is worth now. What is worth less than it was goes back in line.
    pub fn next_by(
        &mut self,
        batch: &mut Batch,
        now: Time,
        gate: &mut Gate,
        again: &mut dyn FnMut(&Offer) -> Option<f32>,
    ) -> Result<Next, CrawlError> {
        batch.settle()?;
        self.queue_due_retries(batch, now)?;
        self.hosts.wake(now);
        self.hosts.free_held();
        loop {
            while let Some(host_idx) = self.hosts.lease_best(row::worst_of(self.scope)) {
                let asked = self.ask(batch, host_idx, now, gate, again)?;
                self.hosts.berths.settled(self.hosts.domain_of(host_idx));
                self.hosts.free_held();
                if let Asked::Next(next) = asked {
                    return Ok(next);
                }
            }
            // Only when there is nothing else to do, now or later.
            let is_exhausted = self.hosts.is_exhausted() && self.n_retrying == 0;
            let is_thawing = is_exhausted && self.scope == Scope::Everything;
            if !is_thawing || !self.thaw_best(batch)? {
                return Ok(self.nothing_now());
            }
        }
    }

    /// Asks the gate for a leased host's best URL.
    fn ask(
        &mut self,
        batch: &mut Batch,
        host_idx: u32,
        now: Time,
        gate: &mut Gate,
        again: &mut dyn FnMut(&Offer) -> Option<f32>,
    ) -> Result<Asked, CrawlError> {
        let domain_idx = self.hosts.domain_of(host_idx);
        let acquaintance = self.hosts.acquaintance(host_idx);
        let lack = self.hosts.berths.lack(host_idx, domain_idx, acquaintance);
        if let Some(hold) = lack {
            self.hosts.hold(host_idx, hold);
            return Ok(Asked::Waits);
        }
        let Some((parcel, offer)) = self.best_of(batch, host_idx)? else {
            self.hosts.make_ready(host_idx);
            return Ok(Asked::Waits);
        };
        if let Some(priority) = again(&offer).filter(|now| *now < offer.priority * STEADY) {
            self.lower(batch, &parcel, offer, priority)?;
            self.hosts.make_ready(host_idx);
            return Ok(Asked::Waits);
        }
        // Other origins of its host, or an earlier session, may have heard more.
        let truly = gate.acquaintance(&offer.url, now)?;
        if truly != acquaintance {
            self.hosts.heard(host_idx, truly);
            self.hosts.make_ready(host_idx);
            return Ok(Asked::Waits);
        }
        let permit = gate.ask(&offer.url, now)?;
        self.berth(host_idx, &permit);
        Ok(Asked::Next(match permit {
            Permit::Fetch => Next::Fetch(self.take(batch, &parcel, offer)?),
            Permit::Refused(outcome) => {
                let ticket = self.take(batch, &parcel, offer)?;
                self.hosts.make_ready(host_idx);
                Next::Refused(ticket, outcome)
            }
            Permit::Robots(RulesWanted { by, at }) => {
                let lease = HostLease {
                    host_idx,
                    wanted: offer.url,
                    by,
                    trail: offer.trail,
                };
                Next::Robots(lease, at)
            }
            Permit::RobotsRefused(at, outcome) => {
                let lease = HostLease {
                    host_idx,
                    by: offer.url.clone(),
                    wanted: offer.url,
                    trail: offer.trail,
                };
                Next::RobotsRefused(lease, at, outcome)
            }
            Permit::NotBefore(time) | Permit::Sought(time) => {
                self.hosts.make_wait(host_idx, time);
                return Ok(Asked::Waits);
            }
            Permit::Parked(time) => {
                self.hosts.park(host_idx, time);
                return Ok(Asked::Waits);
            }
        }))
    }

    /// Gives a host the berth that it needs by what the gate has said.
    fn berth(&mut self, host_idx: u32, permit: &Permit) {
        let berth = match (permit, self.hosts.acquaintance(host_idx)) {
            (Permit::Fetch | Permit::Robots(_), Acquaintance::Known) => Berth::Known,
            (Permit::Fetch | Permit::Robots(_), Acquaintance::Stranger) => Berth::Stranger,
            (Permit::Sought(_), Acquaintance::Stranger) => Berth::LookUp,
            _ => return self.hosts.berths.free(host_idx),
        };
        let domain_idx = self.hosts.domain_of(host_idx);
        self.hosts.berths.take(host_idx, domain_idx, berth);
    }

    /// Puts a waiting row back in line with a lower priority.
    fn lower(
        &mut self,
        batch: &mut Batch,
        old: &Parcel,
        mut offer: Offer,
        priority: f32,
    ) -> Result<(), CrawlError> {
        offer.priority = priority;
        let (rank, seq) = (row::rank(priority), old.key.seq);
        let parcel = self.pack(batch, &offer, RowKey { rank, seq });
        self.replace(batch, old.key, &parcel)?;
        batch.settle()?;
        Ok(())
    }

    fn nothing_now(&self) -> Next {
        let wake = self.hosts.next_wake();
        match wake.into_iter().chain(self.next_retry).min() {
            None => Next::Nothing,
            Some(time) if wake.is_none() || self.hosts.are_all_parked() => Next::Parked(time),
            Some(time) => Next::NotBefore(time),
        }
    }

    /// Moves a URL from its queue to the open tickets. The seen set goes on
    /// saying where it waited, which is where it is no more: a page fetched
    /// costs no write at a random place of the largest table.
    fn take(
        &mut self,
        batch: &mut Batch,
        parcel: &Parcel,
        offer: Offer,
    ) -> Result<Ticket, CrawlError> {
        let Parcel { host_idx, key, .. } = *parcel;
        let open_key = row::open_key(self.node, key.seq);
        batch.put_new(&self.tables.open, &open_key, &parcel.encode());
        self.dequeue(batch, host_idx, key)?;
        batch.settle()?;
        Ok(Ticket {
            host_idx,
            key,
            offer,
        })
    }

    /// Closes a ticket for good; to be committed together with its visit.
    pub fn close(&mut self, batch: &mut Batch, ticket: &Ticket) {
        batch.delete(&self.tables.open, &row::open_key(self.node, ticket.key.seq));
        // Not later: a URL that is tried again has the same key. What cannot
        // be done now fails when the batch is applied.
        let _ = batch.settle();
    }

    /// Puts a ticket's URL back in line, not before `at`; it will have been
    /// tried once more. This closes the ticket; its host is released as ever.
    pub fn retry(
        &mut self,
        batch: &mut Batch,
        ticket: &Ticket,
        at: Time,
    ) -> Result<(), CrawlError> {
        self.close(batch, ticket);
        let mut offer = ticket.offer.clone();
        offer.tries = offer.tries.saturating_add(1);
        let parcel = self.pack(batch, &offer, ticket.key);
        self.postpone(batch, &parcel, at);
        batch.settle()?;
        Ok(())
    }

    /// Hears that a page of this URL's registrable domain was relevant, and of
    /// the addresses on it by their keys: where one is new to the domain its
    /// budget grows, and the best of its cold queue thaw.
    pub fn reward(
        &mut self,
        batch: &mut Batch,
        url: &CanonicalUrl,
        addresses: &[u64],
    ) -> Result<(), CrawlError> {
        let domain_idx = self.domain_of(url);
        if !self.domains.reward(domain_idx, addresses) {
            return Ok(());
        }
        batch.settle()?;
        self.thaw(batch, domain_idx)
    }

    /// Hears of a fetch that is on record, while the tables are worked out
    /// again: takes its URL from where it waits, as its ticket did.
    pub fn take_again(&mut self, batch: &mut Batch, url: &CanonicalUrl) -> Result<(), CrawlError> {
        batch.settle()?;
        let host_idx = self.host_of(batch, url);
        let standing = self.seen.get(host_idx, url.fingerprint().short())?;
        let domain_idx = self.hosts.domain_of(host_idx);
        // A cold URL was fetched when nothing hot was left, and domains thawed.
        if matches!(standing, Some(Standing::Cold(_))) && self.thaws_next(domain_idx) {
            self.thaw_best(batch)?;
        }
        self.mark_done(batch, url)
    }

    /// Puts a URL that failed in line again, not before `at`, while the tables
    /// are worked out again.
    pub fn postpone_again(
        &mut self,
        batch: &mut Batch,
        offer: &Offer,
        at: Time,
    ) -> Result<(), CrawlError> {
        let rank = match offer.purpose {
            Purpose::Refresh => row::rank_again(offer.priority),
            Purpose::Page | Purpose::Sitemap => row::rank(offer.priority),
        };
        let seq = self.take_seq(batch);
        let parcel = self.pack(batch, offer, RowKey { rank, seq });
        self.postpone(batch, &parcel, at);
        batch.settle()?;
        Ok(())
    }

    /// Everything that waits, in no order: for whoever compares frontiers.
    pub fn waiting(&self) -> Result<Vec<(Wait, Offer)>, CrawlError> {
        let first = row::queue_key(self.node, 0, RowKey::default());
        let last = row::last_key(self.node, u32::MAX);
        let mut waiting = Vec::new();
        for (key, row) in self.tables.queue.scan(first, last, usize::MAX)? {
            let offer = self.unpack(row::member_of(key), row::key_of(key), &row);
            waiting.extend(offer.map(|offer| (Wait::Hot, offer)));
        }
        for (_, bytes) in self.tables.cold.scan(first, last, usize::MAX)? {
            waiting.extend(self.unpack_parcel(&bytes).map(|offer| (Wait::Cold, offer)));
        }
        let prefix = row::node_prefix(self.node);
        let retries = self.tables.retries.scan(&prefix, None, usize::MAX)?;
        for (_, bytes) in retries {
            waiting.extend(self.unpack_parcel(&bytes).map(|offer| (Wait::Retry, offer)));
        }
        Ok(waiting)
    }

    /// Hears that a URL was fetched although no ticket is open for it: it is
    /// seen, and waits no more.
    pub fn mark_done(&mut self, batch: &mut Batch, url: &CanonicalUrl) -> Result<(), CrawlError> {
        batch.settle()?;
        let host_idx = self.host_of(batch, url);
        let fingerprint = url.fingerprint().short();
        let standing = self.standing_of(url)?;
        self.seen.set(batch, host_idx, fingerprint, Standing::Taken);
        match standing {
            Some(Standing::Hot(key, _)) => {
                if self.row(host_idx, key)?.is_some() {
                    self.dequeue(batch, host_idx, key)?;
                }
            }
            Some(Standing::Cold(key)) => {
                self.count_as_hot(host_idx);
                self.dequeue_cold(batch, self.hosts.domain_of(host_idx), key)?;
            }
            Some(Standing::Retrying(at, seq)) => self.drop_retry(batch, at, seq),
            Some(Standing::Taken) => {}
            None => self.count_as_hot(host_idx),
        }
        batch.settle()?;
        Ok(())
    }

    /// Hears what the landing means for the ticket's host.
    pub fn release(&mut self, ticket: &Ticket, aftermath: Aftermath) {
        self.release_by(ticket.host_idx, aftermath);
    }

    /// Hears that the robots rules of a host have come, and what that means for it.
    pub fn release_host(&mut self, lease: &HostLease, aftermath: Aftermath) {
        if lease.by == lease.wanted {
            return self.release_by(lease.host_idx, aftermath);
        }
        // Another host was asked on its behalf.
        self.release_unasked(lease, aftermath.free_at);
    }

    /// Hears when a host may be asked again for which nobody was asked.
    pub fn release_unasked(&mut self, lease: &HostLease, free_at: Time) {
        self.hosts.berths.free(lease.host_idx);
        self.hosts.make_wait(lease.host_idx, free_at);
    }

    fn release_by(&mut self, host_idx: u32, aftermath: Aftermath) {
        self.hosts.berths.free(host_idx);
        self.hosts.heard(host_idx, aftermath.acquaintance);
        self.hosts.make_wait(host_idx, aftermath.free_at);
    }

    /// Hears that the clock was set: every host waits as long as before. Pages
    /// to be tried again may come sooner, as their hosts allow.
    pub fn jumped(&mut self, jump: Jump) {
        self.hosts.jumped(jump);
    }

    /// Writes what has changed of hosts and domains since the last commit, which
    /// is to come right after.
    pub fn save(&mut self, batch: &mut Batch) {
        for host_idx in self.hosts.take_changed() {
            let key = row::head_key(self.node, host_idx);
            let summary = self.hosts.summary(host_idx);
            batch.note(&self.tables.heads, key, summary.encode());
        }
        for domain_idx in self.domains.take_changed() {
            let key = row::member_key(self.node, domain_idx);
            let value = self.domains.get(domain_idx).encode();
            batch.put(&self.tables.domains, &key, &value);
        }
    }

    /// URLs that wait in the queues of their hosts.
    pub fn n_waiting(&self) -> u64 {
        self.hosts.n_waiting()
    }

    /// URLs beyond their domain's budget.
    pub fn n_cold(&self) -> u64 {
        self.domains.n_cold()
    }

    /// URLs that wait to be tried again.
    pub fn n_retrying(&self) -> u64 {
        self.n_retrying
    }

    /// Hosts heard of, but for those of domains that were over their budget.
    pub fn n_hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Hosts that are dead for now.
    pub fn n_parked(&self) -> usize {
        self.hosts.n_parked()
    }

    /// Hosts that may not be asked before a time although URLs wait there, the
    /// longest first, and so many at most.
    pub fn resting(&self, until: Time, most: usize) -> Vec<Resting> {
        let hosts = self.hosts.resting().take_while(|rest| rest.until > until);
        hosts.take(most).collect()
    }
}

#[cfg(test)]
mod tests;
