//! How rows move: into line and out of it, into the cold and back, to later.
//!
//! Whatever moves a row tells the tables and the seen set in one batch, so that
//! no commit can part them; summaries of hosts and domains are written with it.

use super::front::{Front, N_KEYS};
use super::row::{self, Parcel, Reason, Referrer, Row, RowKey, Standing, UNLISTED};
use super::{Frontier, Offer};
use crate::clock::after;
use crate::error::CrawlError;
use page::url::CanonicalUrl;
use store::table::Batch;
use store::visit::Time;

/// Sequence numbers set aside at a time, so that a crash never reuses one.
const SEQ_BLOCK: u64 = 1 << 20;

/// Rows moved at a time.
const CHUNK: usize = 256;

/// Domains given another budget at once, when nothing hot is left: enough to
/// keep a node's slots busy.
const THAW_DOMAINS: usize = 32;

impl Frontier {
    /// A link as a row. Its host is known from now on.
    pub(super) fn pack(&mut self, batch: &mut Batch, offer: &Offer, key: RowKey) -> Parcel {
        let host_idx = self.host_of(batch, &offer.url);
        self.pack_at(batch, offer, key, host_idx)
    }

    /// A link as a row of a cold queue. Its host is known no more than before.
    pub(super) fn pack_cold(&mut self, batch: &mut Batch, offer: &Offer, key: RowKey) -> Parcel {
        let known = self.hosts.find(offer.url.origin());
        let mut parcel = self.pack_at(batch, offer, key, known.unwrap_or(UNLISTED));
        if known.is_none() {
            parcel.origin = offer.url.origin().to_owned();
        }
        parcel
    }

    fn pack_at(&mut self, batch: &mut Batch, offer: &Offer, key: RowKey, host_idx: u32) -> Parcel {
        let from = match &offer.from {
            None => Referrer::Nobody,
            Some(from) if from.origin() == offer.url.origin() => {
                Referrer::Here(from.path_and_query())
            }
            Some(from) => match self.hosts.find(from.origin()) {
                Some(host_idx) => Referrer::Host(host_idx, from.path_and_query()),
                None => Referrer::Elsewhere(from.as_str()),
            },
        };
        let because = match self.reasons.place(&offer.because) {
            Some((place, is_new)) => {
                if is_new {
                    let key = row::member_key(self.node, u32::from(place));
                    batch.put(&self.tables.reasons, &key, offer.because.as_bytes());
                }
                Reason::Listed(place)
            }
            None => Reason::Text(&offer.because),
        };
        let row = Row {
            path: offer.url.path_and_query(),
            from,
            depth: offer.depth,
            hops: offer.hops,
            tries: offer.tries,
            purpose: offer.purpose,
            target: offer.target,
            because,
        };
        Parcel {
            host_idx,
            origin: String::new(),
            key,
            fingerprint: offer.url.fingerprint().short(),
            tries: offer.tries,
            row: row.encode(&offer.trail),
        }
    }

    /// A row as a link; none if it makes no sense.
    pub(super) fn unpack(&self, host_idx: u32, key: RowKey, row: &[u8]) -> Option<Offer> {
        let (row, trail) = Row::decode(row)?;
        let origin = self.hosts.origin(host_idx);
        let url = CanonicalUrl::parse(&[origin, row.path].concat()).ok()?;
        let from = match row.from {
            Referrer::Nobody => None,
            Referrer::Here(path) => Some([origin, path].concat()),
            Referrer::Host(host_idx, path) => Some([self.hosts.origin(host_idx), path].concat()),
            Referrer::Elsewhere(text) => Some(text.to_owned()),
        };
        Some(Offer {
            url,
            from: from.and_then(|from| CanonicalUrl::parse(&from).ok()),
            depth: row.depth,
            hops: row.hops,
            tries: row.tries,
            purpose: row.purpose,
            target: row.target,
            priority: row::priority(key.rank),
            because: self.reasons.text(&row.because).to_owned(),
            trail,
        })
    }

    /// The same of a row on its own.
    pub(super) fn unpack_parcel(&self, bytes: &[u8]) -> Option<Offer> {
        let parcel = Parcel::decode(bytes)?;
        self.unpack(parcel.host_idx, parcel.key, &parcel.row)
    }

    pub(super) fn host_of(&mut self, batch: &mut Batch, url: &CanonicalUrl) -> u32 {
        if let Some(host_idx) = self.hosts.find(url.origin()) {
            return host_idx;
        }
        let domain_idx = self.domain_of(url);
        self.list(batch, url.origin(), domain_idx)
    }

    /// Gives a host a place in memory.
    fn list(&mut self, batch: &mut Batch, origin: &str, domain_idx: u32) -> u32 {
        let host_idx = self.hosts.add(origin, domain_idx);
        let value = [&domain_idx.to_be_bytes(), origin.as_bytes()].concat();
        let key = row::member_key(self.node, host_idx);
        batch.put(&self.tables.hosts, &key, &value);
        host_idx
    }

    pub(super) fn domain_of(&mut self, url: &CanonicalUrl) -> u32 {
        if let Some(host_idx) = self.hosts.find(url.origin()) {
            return self.hosts.domain_of(host_idx);
        }
        let name = url.registrable_domain();
        let known = self.domains.find(name);
        known.unwrap_or_else(|| self.domains.add(name))
    }

    pub(super) fn take_seq(&mut self, batch: &mut Batch) -> u64 {
        if self.next_seq == self.reserved_seq {
            self.reserved_seq += SEQ_BLOCK;
            let bytes = self.reserved_seq.to_be_bytes();
            let key = row::counter_key("seq", self.node);
            batch.put(&self.tables.counters, &key, &bytes);
        }
        self.next_seq += 1;
        self.next_seq - 1
    }

    pub(super) fn count_as_hot(&mut self, host_idx: u32) {
        let domain_idx = self.hosts.domain_of(host_idx);
        self.domains.heated(domain_idx);
    }

    /// Puts a row into its host's queue.
    pub(super) fn enqueue(&mut self, batch: &mut Batch, parcel: &Parcel) {
        let Parcel { host_idx, key, .. } = *parcel;
        let queue_key = row::queue_key(self.node, host_idx, key);
        let place = batch.put_row(&self.tables.queue, queue_key, &parcel.row);
        self.seen.set(
            batch,
            host_idx,
            parcel.fingerprint,
            Standing::Hot(key, parcel.tries),
        );
        self.hosts.joined(host_idx, key, place);
    }

    /// Puts a row where a worse one of the same URL was.
    pub(super) fn replace(
        &mut self,
        batch: &mut Batch,
        old: RowKey,
        parcel: &Parcel,
    ) -> Result<(), CrawlError> {
        self.enqueue(batch, parcel);
        self.dequeue(batch, parcel.host_idx, old)
    }

    /// Takes a row out of its host's queue.
    pub(super) fn dequeue(
        &mut self,
        batch: &mut Batch,
        host_idx: u32,
        key: RowKey,
    ) -> Result<(), CrawlError> {
        let queue_key = row::queue_key(self.node, host_idx, key);
        batch.remove_row(&self.tables.queue, queue_key);
        self.rows.forget(host_idx, key);
        if !self.hosts.left(host_idx, key) {
            batch.settle()?;
            self.read_front(host_idx, key)?;
        }
        Ok(())
    }

    /// Reads the best keys of a queue, all of them behind `after`.
    fn read_front(&mut self, host_idx: u32, after: RowKey) -> Result<(), CrawlError> {
        // Starting there steps over what was taken out before.
        let after = row::queue_key(self.node, host_idx, after);
        let last = row::last_key(self.node, host_idx);
        let places = self.tables.queue.places(after, last, N_KEYS)?;
        let best = places
            .into_iter()
            .map(|(key, place)| (row::key_of(key), Some(place)));
        self.hosts.refill(host_idx, Front::of(best));
        Ok(())
    }

    /// A row of a queue, read unless it was lately.
    pub(super) fn row(
        &mut self,
        host_idx: u32,
        key: RowKey,
    ) -> Result<Option<Vec<u8>>, CrawlError> {
        if let Some(row) = self.rows.get(host_idx, key) {
            return Ok(Some(row.to_vec()));
        }
        let queue_key = row::queue_key(self.node, host_idx, key);
        let row = match self.hosts.place_of(host_idx, key) {
            Some(place) => Some(self.tables.queue.row_at(place)?),
            None => self.tables.queue.get(queue_key)?,
        };
        if let Some(row) = &row {
            self.rows.keep(host_idx, key, row.clone());
        }
        Ok(row)
    }

    /// A host's best row, and the link it is; rows that make no sense go.
    pub(super) fn best_of(
        &mut self,
        batch: &mut Batch,
        host_idx: u32,
    ) -> Result<Option<(Parcel, Offer)>, CrawlError> {
        while let Some(key) = self.hosts.best(host_idx) {
            let offer = match self.row(host_idx, key)? {
                Some(row) => self.unpack(host_idx, key, &row).zip(Some(row)),
                None => None,
            };
            let Some((offer, row)) = offer else {
                self.dequeue(batch, host_idx, key)?;
                batch.settle()?;
                continue;
            };
            let parcel = Parcel {
                host_idx,
                origin: String::new(),
                key,
                fingerprint: offer.url.fingerprint().short(),
                tries: offer.tries,
                row,
            };
            return Ok(Some((parcel, offer)));
        }
        Ok(None)
    }

    /// Puts a row into its domain's cold queue.
    pub(super) fn chill(&mut self, batch: &mut Batch, domain_idx: u32, parcel: &Parcel) {
        let key = parcel.key;
        let cold_key = row::queue_key(self.node, domain_idx, key);
        batch.put_row(&self.tables.cold, cold_key, &parcel.encode());
        let standing = Standing::Cold(key);
        let member = match parcel.host_idx {
            UNLISTED => {
                self.domains.set_unlisted(domain_idx);
                row::unlisted_of(domain_idx)
            }
            host_idx => host_idx,
        };
        self.seen.set(batch, member, parcel.fingerprint, standing);
        self.domains.joined(domain_idx, key);
    }

    /// A row of a domain's cold queue.
    pub(super) fn cold_row(
        &self,
        domain_idx: u32,
        key: RowKey,
    ) -> Result<Option<Parcel>, CrawlError> {
        let cold_key = row::queue_key(self.node, domain_idx, key);
        let parcel = self.tables.cold.get(cold_key)?;
        Ok(parcel.and_then(|bytes| Parcel::decode(&bytes)))
    }

    /// Puts a row where a worse cold one of the same URL was.
    pub(super) fn replace_cold(
        &mut self,
        batch: &mut Batch,
        domain_idx: u32,
        old: RowKey,
        parcel: &Parcel,
    ) {
        self.chill(batch, domain_idx, parcel);
        let best = self.domains.best_cold(domain_idx);
        let old = row::queue_key(self.node, domain_idx, old);
        batch.remove_row(&self.tables.cold, old);
        self.domains.left(domain_idx, 1, best);
    }

    /// Takes a row out of a cold queue.
    pub(super) fn dequeue_cold(
        &mut self,
        batch: &mut Batch,
        domain_idx: u32,
        key: RowKey,
    ) -> Result<(), CrawlError> {
        let cold_key = row::queue_key(self.node, domain_idx, key);
        batch.remove_row(&self.tables.cold, cold_key);
        batch.settle()?;
        let best = match self.domains.best_cold(domain_idx) {
            Some(best) if best == key => {
                let last = row::last_key(self.node, domain_idx);
                let places = self.tables.cold.places(cold_key, last, 1)?;
                places.first().map(|(key, _)| row::key_of(*key))
            }
            best => best,
        };
        self.domains.left(domain_idx, 1, best);
        Ok(())
    }

    /// Gives the domains with the best cold URLs another budget; whether
    /// there was one.
    pub(super) fn thaw_best(&mut self, batch: &mut Batch) -> Result<bool, CrawlError> {
        let coldest = self.domains.coldest(THAW_DOMAINS);
        for &domain_idx in &coldest {
            self.domains.renew(domain_idx);
            self.thaw(batch, domain_idx)?;
        }
        Ok(!coldest.is_empty())
    }

    /// Whether `thaw_best` would give a domain another budget.
    pub(super) fn thaws_next(&self, domain_idx: u32) -> bool {
        self.domains.coldest(THAW_DOMAINS).contains(&domain_idx)
    }

    /// Moves the best cold URLs of a domain to the queues, as many as its budget has room for.
    pub(super) fn thaw(&mut self, batch: &mut Batch, domain_idx: u32) -> Result<(), CrawlError> {
        let last = row::last_key(self.node, domain_idx);
        while let Some(best) = self.domains.best_cold(domain_idx) {
            let n_rows = CHUNK.min(self.domains.room(domain_idx) as usize);
            if n_rows == 0 {
                break;
            }
            let after = row::queue_key(self.node, domain_idx, best.before());
            // One more than is moved: the next best one.
            let rows = self.tables.cold.scan(after, last, n_rows + 1)?;
            let next_best = rows.get(n_rows).map(|(key, _)| row::key_of(*key));
            for (key, value) in rows.iter().take(n_rows) {
                batch.remove_row(&self.tables.cold, *key);
                self.domains.heated(domain_idx);
                if let Some(mut parcel) = Parcel::decode(value) {
                    if parcel.host_idx == UNLISTED {
                        let origin = std::mem::take(&mut parcel.origin);
                        let known = self.hosts.find(&origin);
                        parcel.host_idx =
                            known.unwrap_or_else(|| self.list(batch, &origin, domain_idx));
                    }
                    self.enqueue(batch, &parcel);
                }
            }
            let n_moved = rows.len().min(n_rows) as u32;
            self.domains.left(domain_idx, n_moved, next_best);
            batch.settle()?;
        }
        Ok(())
    }

    /// Puts a row into the table of retries.
    pub(super) fn postpone(&mut self, batch: &mut Batch, parcel: &Parcel, at: Time) {
        let seq = parcel.key.seq;
        let key = row::retry_key(self.node, at, seq);
        batch.put(&self.tables.retries, &key, &parcel.encode());
        let standing = Standing::Retrying(at, seq);
        self.seen
            .set(batch, parcel.host_idx, parcel.fingerprint, standing);
        self.next_retry = Some(self.next_retry.map_or(at, |next| next.min(at)));
        self.set_n_retrying(batch, self.n_retrying + 1);
    }

    /// Takes a row out of the table of retries. That its time may remain the
    /// next one costs a look in vain.
    pub(super) fn drop_retry(&mut self, batch: &mut Batch, at: Time, seq: u64) {
        let key = row::retry_key(self.node, at, seq);
        batch.delete(&self.tables.retries, &key);
        let n_left = self.n_retrying.saturating_sub(1);
        self.set_n_retrying(batch, n_left);
        if n_left == 0 {
            self.next_retry = None;
        }
    }

    fn set_n_retrying(&mut self, batch: &mut Batch, n_retrying: u64) {
        self.n_retrying = n_retrying;
        let key = row::counter_key("retrying", self.node);
        batch.put(&self.tables.counters, &key, &n_retrying.to_be_bytes());
    }

    /// Puts retries in line whose time has come.
    pub(super) fn queue_due_retries(
        &mut self,
        batch: &mut Batch,
        now: Time,
    ) -> Result<(), CrawlError> {
        // Further ahead than any page waits is by a clock that was ahead.
        let latest = after(now, self.longest_retry);
        let is_due = |at: Time| at <= now || at > latest;
        while let Some(first) = self.next_retry.filter(|first| is_due(*first)) {
            let after = row::retry_key(self.node, first, 0);
            let prefix = row::node_prefix(self.node);
            let rows = self.tables.retries.scan(&prefix, Some(&after), CHUNK)?;
            let is_due = |key: &[u8]| row::due(key).is_none_or(is_due);
            let n_due = rows.iter().take_while(|(key, _)| is_due(key)).count();
            for (key, value) in &rows[..n_due] {
                batch.delete(&self.tables.retries, key);
                if let Some(parcel) = Parcel::decode(value) {
                    self.enqueue(batch, &parcel);
                }
            }
            self.next_retry = match rows.get(n_due) {
                Some((key, _)) => row::due(key),
                None if rows.len() == CHUNK => rows.last().and_then(|(key, _)| row::due(key)),
                None => None,
            };
            let n_left = match self.next_retry {
                Some(_) => self.n_retrying.saturating_sub(n_due as u64).max(1),
                None => 0,
            };
            self.set_n_retrying(batch, n_left);
            batch.settle()?;
        }
        Ok(())
    }
}
