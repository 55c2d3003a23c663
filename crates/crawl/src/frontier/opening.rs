//! Opens a frontier: reads what is kept of its hosts and domains, and puts
//! tickets that were open back in line.
//!
//! Queues are not touched: a summary of each host tells how long its queue is
//! and where it begins.

use super::berths::Berths;
use super::domains::{Domain, Domains};
use super::hosts::{Hosts, Summary};
use super::reasons::Reasons;
use super::row::{self, Parcel};
use super::rows::Rows;
use super::seen::Seen;
use super::{Frontier, RECENT, Scope, Tables};
use crate::error::CrawlError;
use crate::retry;
use crate::settings::Settings;
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use strategy::roster::NodeId;

/// The first sequence number; zero comes before all.
const FIRST_SEQ: u64 = 1;

/// Entries read at a time when a whole table is walked.
const CHUNK: usize = 4096;

impl Frontier {
    /// Opens a node's frontier, putting tickets that were open back in line.
    pub fn open(dir: &CrawlDir, node: NodeId, settings: &Settings) -> Result<Frontier, CrawlError> {
        let tables = Tables {
            queue: dir.line("frontier-queue")?,
            cold: dir.line("frontier-cold")?,
            retries: dir.table("frontier-retries")?,
            open: dir.table("frontier-open")?,
            hosts: dir.table("frontier-hosts")?,
            heads: dir.index("frontier-heads")?,
            domains: dir.table("frontier-domains")?,
            reasons: dir.table("frontier-reasons")?,
            counters: dir.table("counters")?,
        };
        let seen = dir.index("frontier-seen")?;
        let mut frontier = Frontier {
            node,
            seen: Seen::new(node, seen),
            tables,
            hosts: Hosts::new(Berths::new(settings)),
            domains: Domains::new(settings),
            reasons: Reasons::default(),
            rows: Rows::default(),
            recent: vec![(0, 0); RECENT],
            next_seq: 0,
            reserved_seq: 0,
            n_retrying: 0,
            next_retry: None,
            longest_retry: retry::longest(settings),
            scope: Scope::default(),
        };
        frontier.load_counters()?;
        frontier.load_members()?;
        let mut batch = dir.batch();
        frontier.reopen_tickets(&mut batch)?;
        dir.apply(batch)?;
        Ok(frontier)
    }

    fn load_counters(&mut self) -> Result<(), CrawlError> {
        self.next_seq = self.counter("seq")?.unwrap_or(FIRST_SEQ);
        self.reserved_seq = self.next_seq;
        self.n_retrying = self.counter("retrying")?.unwrap_or(0);
        let first = self
            .tables
            .retries
            .scan(&row::node_prefix(self.node), None, 1)?;
        self.next_retry = first.first().and_then(|(key, _)| row::due(key));
        Ok(())
    }

    fn counter(&self, name: &str) -> Result<Option<u64>, CrawlError> {
        let key = row::counter_key(name, self.node);
        let stored = self.tables.counters.get(&key)?;
        Ok(stored.and_then(|bytes| row::read_u64(&bytes)))
    }

    fn load_members(&mut self) -> Result<(), CrawlError> {
        let prefix = row::node_prefix(self.node);
        let (hosts, domains, reasons) = (&mut self.hosts, &mut self.domains, &mut self.reasons);
        walk(&self.tables.reasons, &prefix, |_, text| {
            reasons.push(&String::from_utf8_lossy(text));
        })?;
        walk(&self.tables.domains, &prefix, |_, bytes| {
            // Every one is restored: they are known by their place.
            domains.restore(Domain::decode(bytes).unwrap_or_default());
        })?;
        walk(&self.tables.hosts, &prefix, |_, bytes| {
            let (domain_idx, origin) = bytes.split_first_chunk().unwrap_or((&[0; 4], &[]));
            let origin = String::from_utf8_lossy(origin);
            hosts.add(&origin, u32::from_be_bytes(*domain_idx));
        })?;
        for host_idx in 0..hosts.len() as u32 {
            let short = self.tables.heads.get(row::head_key(self.node, host_idx))?;
            let summary = short.and_then(|short| Summary::decode(short.as_slice()));
            if let Some(summary) = summary {
                hosts.restore(host_idx, summary);
            }
        }
        hosts.start();
        Ok(())
    }

    fn reopen_tickets(&mut self, batch: &mut Batch) -> Result<(), CrawlError> {
        let mut parcels = Vec::new();
        walk(
            &self.tables.open,
            &row::node_prefix(self.node),
            |key, value| {
                batch.delete(&self.tables.open, key);
                parcels.extend(Parcel::decode(value));
            },
        )?;
        for parcel in parcels {
            self.enqueue(batch, &parcel);
        }
        batch.settle()?;
        Ok(())
    }
}

/// Shows every entry under a prefix, in order.
fn walk(
    table: &Table,
    prefix: &[u8],
    mut visit: impl FnMut(&[u8], &[u8]),
) -> Result<(), CrawlError> {
    let mut after: Option<Vec<u8>> = None;
    loop {
        let chunk = table.scan(prefix, after.as_deref(), CHUNK)?;
        for (key, value) in &chunk {
            visit(key, value);
        }
        if chunk.len() < CHUNK {
            return Ok(());
        }
        after = chunk.into_iter().next_back().map(|(key, _)| key);
    }
}
