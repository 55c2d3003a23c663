//! Chooses the next URL a node may fetch: the best one among the hosts that
//! may be asked now.
//!
//! A URL is *unseen*, *waiting*, *taken*, then *done*. Waiting URLs sit in
//! one queue per host, on disk, best first; a host is *ready*, *waiting* until
//! a time, or *leased*. A `Ticket` is the lease: until its outcome is
//! committed its URL stays in the table of open tickets, and opening the
//! frontier again puts it back in line, the only step back there is.
//!
//! Memory grows with hosts, not with URLs. When a host may be asked is the
//! gate's affair, and what a URL is worth the strategy's.

mod host_queue;
mod row;

use crate::error::CrawlError;
use crate::gate::{Gate, Permit};
use host_queue::HostQueue;
use page::url::{CanonicalUrl, Fingerprint};
use row::{OpenRow, Row, RowKey};
use std::collections::{BTreeSet, HashMap};
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::{Outcome, Time};
use strategy::roster::NodeId;

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
    /// GeoNames id of the target it was taken to be about.
    pub target: Option<u32>,
    /// From 0 (last) to 1 (first).
    pub priority: f32,
    /// Why this node, and why so soon.
    pub because: String,
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
    /// Fetch the robots rules of this host first, from this address.
    Robots(HostLease, CanonicalUrl),
    /// This one may not be fetched; put it on record.
    Refused(Ticket, Outcome),
    /// Nothing before that time.
    NotBefore(Time),
    /// Every waiting URL belongs to a host that is leased, or there is none.
    Nothing,
}

/// A host that robots rules are being fetched for.
#[derive(Debug, Clone)]
pub struct HostLease {
    host_idx: u32,
    /// A URL of the host: the one that wants to be fetched.
    pub wanted: CanonicalUrl,
}

/// Sequence numbers set aside at a time, so that a crash never reuses one.
const SEQ_BLOCK: u64 = 1 << 20;

/// Above `RowKey::BEST`, behind which the first scan of a queue starts.
const FIRST_SEQ: u64 = 1;

/// Slots of the cache of URLs seen lately: most links on a site repeat.
const RECENT: usize = 1 << 14;

/// One node's frontier.
pub struct Frontier {
    node: NodeId,
    tables: Tables,
    hosts: Vec<Host>,
    host_idx: HashMap<Box<str>, u32>,
    ready: BTreeSet<(RowKey, u32)>,
    waiting: BTreeSet<(Time, u32)>,
    recent: Vec<(Fingerprint, u32)>,
    next_seq: u64,
    reserved_seq: u64,
    n_waiting: u64,
}

struct Tables {
    seen: Table,
    queue: Table,
    open: Table,
    hosts: Table,
    counters: Table,
}

struct Host {
    queue: HostQueue,
    state: HostState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostState {
    /// No URL waits.
    Idle,
    /// Under this key in `ready`.
    Ready(RowKey),
    /// Under this time in `waiting`.
    Waiting(Time),
    Leased,
}

impl Frontier {
    /// Opens a node's frontier, putting tickets that were open back in line.
    pub fn open(dir: &CrawlDir, node: NodeId) -> Result<Frontier, CrawlError> {
        let tables = Tables {
            seen: dir.table("seen")?,
            queue: dir.table("queue")?,
            open: dir.table("open")?,
            hosts: dir.table("hosts")?,
            counters: dir.table("counters")?,
        };
        let mut frontier = Frontier {
            node,
            tables,
            hosts: Vec::new(),
            host_idx: HashMap::new(),
            ready: BTreeSet::new(),
            waiting: BTreeSet::new(),
            recent: vec![(Fingerprint(0), 0); RECENT],
            next_seq: 0,
            reserved_seq: 0,
            n_waiting: 0,
        };
        frontier.load_counters()?;
        let mut batch = dir.batch();
        frontier.reopen_tickets(&mut batch)?;
        dir.apply(batch)?;
        frontier.load_hosts()?;
        Ok(frontier)
    }

    fn load_counters(&mut self) -> Result<(), CrawlError> {
        let stored = self.tables.counters.get(&row::seq_key(self.node))?;
        self.next_seq = stored
            .and_then(|bytes| row::read_u64(&bytes))
            .unwrap_or(FIRST_SEQ);
        self.reserved_seq = self.next_seq;
        Ok(())
    }

    fn reopen_tickets(&mut self, batch: &mut Batch) -> Result<(), CrawlError> {
        for (key, value) in all(&self.tables.open, &row::node_prefix(self.node))? {
            batch.delete(&self.tables.open, &key);
            let Some(open) = OpenRow::decode(&value) else {
                continue;
            };
            let Some(url) = open.url() else { continue };
            batch.put(&self.tables.queue, open.queue_key(), open.row_bytes());
            batch.put(
                &self.tables.seen,
                &row::seen_key(self.node, url.fingerprint()),
                &open.seen(),
            );
        }
        Ok(())
    }

    fn load_hosts(&mut self) -> Result<(), CrawlError> {
        for (key, origin) in all(&self.tables.hosts, &row::node_prefix(self.node))? {
            let origin = String::from_utf8_lossy(&origin).into_owned();
            let host_idx = self.hosts.len() as u32;
            debug_assert_eq!(row::host_of(&key), Some(host_idx));
            self.host_idx.insert(origin.into_boxed_str(), host_idx);
            let mut queue = HostQueue::on_disk();
            queue.refill(&self.tables.queue, &row::host_prefix(self.node, host_idx))?;
            self.hosts.push(Host {
                queue,
                state: HostState::Idle,
            });
            self.make_ready(host_idx);
        }
        // Counted once at the start; from here on kept by pushes and pops.
        self.n_waiting = count(&self.tables.queue, &row::node_prefix(self.node))?;
        Ok(())
    }

    /// Takes a link in, unless it is known with no lower priority. The batch
    /// must be applied before `next` is called: queues are read from disk.
    pub fn offer(&mut self, batch: &mut Batch, offer: Offer) -> Result<Offered, CrawlError> {
        let fingerprint = offer.url.fingerprint();
        let rank = row::rank(offer.priority);
        let recent = &mut self.recent[fingerprint.short() as usize % RECENT];
        if recent.0 == fingerprint && recent.1 <= rank {
            return Ok(Offered::Known);
        }
        *recent = (fingerprint, rank);
        let seen_key = row::seen_key(self.node, fingerprint);
        let Some(seen) = self.tables.seen.get(&seen_key)? else {
            let key = RowKey {
                rank,
                seq: self.take_seq(batch),
            };
            self.enqueue(batch, key, offer, &seen_key)?;
            self.n_waiting += 1;
            return Ok(Offered::New);
        };
        match row::read_seen(&seen) {
            Some(old) if rank < old.rank => {
                self.dequeue(batch, old, &offer.url);
                self.enqueue(batch, RowKey { rank, seq: old.seq }, offer, &seen_key)?;
                Ok(Offered::Raised)
            }
            _ => Ok(Offered::Known),
        }
    }

    fn enqueue(
        &mut self,
        batch: &mut Batch,
        key: RowKey,
        offer: Offer,
        seen_key: &[u8],
    ) -> Result<(), CrawlError> {
        let host_idx = self.host_of(batch, offer.url.origin());
        let bytes = Row::from(offer).encode();
        batch.put(
            &self.tables.queue,
            &row::queue_key(self.node, host_idx, key),
            &bytes,
        );
        batch.put(&self.tables.seen, seen_key, &row::seen_value(key));
        self.hosts[host_idx as usize].queue.insert(key, bytes);
        if matches!(
            self.hosts[host_idx as usize].state,
            HostState::Idle | HostState::Ready(_)
        ) {
            self.make_ready(host_idx);
        }
        Ok(())
    }

    fn dequeue(&mut self, batch: &mut Batch, key: RowKey, url: &CanonicalUrl) {
        let host_idx = self.host_of(batch, url.origin());
        batch.delete(
            &self.tables.queue,
            &row::queue_key(self.node, host_idx, key),
        );
        self.hosts[host_idx as usize].queue.remove(key);
    }

    fn host_of(&mut self, batch: &mut Batch, origin: &str) -> u32 {
        if let Some(host_idx) = self.host_idx.get(origin) {
            return *host_idx;
        }
        let host_idx = self.hosts.len() as u32;
        batch.put(
            &self.tables.hosts,
            &row::host_prefix(self.node, host_idx),
            origin.as_bytes(),
        );
        self.host_idx.insert(origin.into(), host_idx);
        self.hosts.push(Host {
            queue: HostQueue::empty(),
            state: HostState::Idle,
        });
        host_idx
    }

    fn take_seq(&mut self, batch: &mut Batch) -> u64 {
        if self.next_seq == self.reserved_seq {
            self.reserved_seq += SEQ_BLOCK;
            let bytes = self.reserved_seq.to_be_bytes();
            batch.put(&self.tables.counters, &row::seq_key(self.node), &bytes);
        }
        self.next_seq += 1;
        self.next_seq - 1
    }

    /// The best URL that may be fetched now.
    pub fn next(
        &mut self,
        batch: &mut Batch,
        now: Time,
        gate: &mut Gate,
    ) -> Result<Next, CrawlError> {
        self.wake(now);
        while let Some((_, host_idx)) = self.ready.pop_first() {
            self.hosts[host_idx as usize].state = HostState::Leased;
            let Some((key, bytes)) = self.pop(host_idx)? else {
                self.hosts[host_idx as usize].state = HostState::Idle;
                continue;
            };
            let Some(offer) = Row::decode(&bytes).and_then(|row| row.into_offer(key)) else {
                batch.delete(
                    &self.tables.queue,
                    &row::queue_key(self.node, host_idx, key),
                );
                self.n_waiting = self.n_waiting.saturating_sub(1);
                self.make_ready(host_idx);
                continue;
            };
            match gate.ask(&offer.url, now)? {
                Permit::Fetch => {
                    return Ok(Next::Fetch(self.take(batch, host_idx, key, offer, bytes)));
                }
                Permit::Refused(outcome) => {
                    let ticket = self.take(batch, host_idx, key, offer, bytes);
                    self.make_ready(host_idx);
                    return Ok(Next::Refused(ticket, outcome));
                }
                Permit::Robots(url) => {
                    self.hosts[host_idx as usize].queue.insert(key, bytes);
                    return Ok(Next::Robots(
                        HostLease {
                            host_idx,
                            wanted: offer.url,
                        },
                        url,
                    ));
                }
                Permit::NotBefore(time) | Permit::Parked(time) => {
                    self.hosts[host_idx as usize].queue.insert(key, bytes);
                    self.make_wait(host_idx, time);
                }
            }
        }
        Ok(match self.waiting.first() {
            Some((time, _)) => Next::NotBefore(*time),
            None => Next::Nothing,
        })
    }

    fn wake(&mut self, now: Time) {
        while let Some(&(time, host_idx)) = self.waiting.first() {
            if time > now {
                break;
            }
            self.waiting.pop_first();
            self.hosts[host_idx as usize].state = HostState::Idle;
            self.make_ready(host_idx);
        }
    }

    fn pop(&mut self, host_idx: u32) -> Result<Option<(RowKey, Vec<u8>)>, CrawlError> {
        let prefix = row::host_prefix(self.node, host_idx);
        self.hosts[host_idx as usize]
            .queue
            .pop(&self.tables.queue, &prefix)
    }

    /// Moves a URL from its queue to the open tickets, in one batch.
    fn take(
        &mut self,
        batch: &mut Batch,
        host_idx: u32,
        key: RowKey,
        offer: Offer,
        bytes: Vec<u8>,
    ) -> Ticket {
        let queue_key = row::queue_key(self.node, host_idx, key);
        let open = OpenRow::new(key, &queue_key, bytes);
        batch.delete(&self.tables.queue, &queue_key);
        batch.put(
            &self.tables.open,
            &row::open_key(self.node, key.seq),
            &open.encode(),
        );
        let seen_key = row::seen_key(self.node, offer.url.fingerprint());
        batch.put(&self.tables.seen, &seen_key, &[]);
        self.n_waiting = self.n_waiting.saturating_sub(1);
        Ticket {
            host_idx,
            key,
            offer,
        }
    }

    /// Closes a ticket for good; to be committed together with its visit.
    pub fn close(&mut self, batch: &mut Batch, ticket: &Ticket) {
        batch.delete(&self.tables.open, &row::open_key(self.node, ticket.key.seq));
    }

    /// Hears that a URL was fetched although no ticket is open for it: it is
    /// seen, and waits no more. The batch must be applied before `next`.
    pub fn mark_done(&mut self, batch: &mut Batch, url: &CanonicalUrl) -> Result<(), CrawlError> {
        let seen_key = row::seen_key(self.node, url.fingerprint());
        let seen = self.tables.seen.get(&seen_key)?;
        if let Some(key) = seen.and_then(|seen| row::read_seen(&seen)) {
            self.dequeue(batch, key, url);
            let host_idx = self.host_of(batch, url.origin());
            if let HostState::Ready(_) = self.hosts[host_idx as usize].state {
                self.make_ready(host_idx);
            }
            self.n_waiting = self.n_waiting.saturating_sub(1);
        }
        batch.put(&self.tables.seen, &seen_key, &[]);
        Ok(())
    }

    /// Hears that the ticket's host may be asked again at `free_at`.
    pub fn release(&mut self, ticket: &Ticket, free_at: Time) {
        self.make_wait(ticket.host_idx, free_at);
    }

    /// Hears that the robots rules of a host have come, and when it may be asked again.
    pub fn release_host(&mut self, lease: &HostLease, free_at: Time) {
        self.make_wait(lease.host_idx, free_at);
    }

    fn make_ready(&mut self, host_idx: u32) {
        let host = &mut self.hosts[host_idx as usize];
        if let HostState::Ready(old) = host.state {
            self.ready.remove(&(old, host_idx));
        }
        host.state = match host.queue.first() {
            Some(key) => {
                self.ready.insert((key, host_idx));
                HostState::Ready(key)
            }
            None => HostState::Idle,
        };
    }

    fn make_wait(&mut self, host_idx: u32, until: Time) {
        let host = &mut self.hosts[host_idx as usize];
        if host.queue.first().is_none() {
            // The gate remembers the time; nobody needs to wake up for it.
            host.state = HostState::Idle;
            return;
        }
        host.state = HostState::Waiting(until);
        self.waiting.insert((until, host_idx));
    }

    /// URLs that wait to be fetched.
    pub fn n_waiting(&self) -> u64 {
        self.n_waiting
    }

    /// Hosts heard of.
    pub fn n_hosts(&self) -> usize {
        self.hosts.len()
    }
}

/// Entries read at a time when a whole table is walked.
const CHUNK: usize = 4096;

type Entry = (Vec<u8>, Vec<u8>);

fn all(table: &Table, prefix: &[u8]) -> Result<Vec<Entry>, CrawlError> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let after = entries.last().map(|(key, _)| key.clone());
        let chunk = table.scan(prefix, after.as_deref(), CHUNK)?;
        let n_read = chunk.len();
        entries.extend(chunk);
        if n_read < CHUNK {
            return Ok(entries);
        }
    }
}

fn count(table: &Table, prefix: &[u8]) -> Result<u64, CrawlError> {
    let mut n_entries = 0;
    let mut after: Option<Vec<u8>> = None;
    loop {
        let chunk = table.scan(prefix, after.as_deref(), CHUNK)?;
        n_entries += chunk.len() as u64;
        if chunk.len() < CHUNK {
            return Ok(n_entries);
        }
        after = chunk.into_iter().next_back().map(|(key, _)| key);
    }
}

#[cfg(test)]
mod tests;
