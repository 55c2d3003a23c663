//! Links that lead nowhere new, told by their addresses: from the address
//! alone (`address.rs`), and from what other addresses of the host brought.
//!
//! What is learned of one host, all of it bounded: which patterns of addresses
//! bring copies (`copying.rs`), which parameters change nothing (`voids.rs`),
//! which paths multiply by their filters (`facets.rs`), which calendars go on
//! and on, and which text stands for a missing page (`missing.rs`). A small
//! share of the links refused for copies is followed all the same, always the
//! same ones, so that a wrong lesson can be unlearned.
//!
//! Hosts used lately are in memory; the others, and all of them at a commit,
//! in the table `traps`.

pub mod address;
mod copying;
mod date;
mod facets;
mod host;
mod missing;
mod parts;
mod recent;
#[cfg(test)]
mod tests;
mod voids;

pub use missing::is_missing;

use crate::copies::Found;
use crate::error::CrawlError;
use host::HostTraps;
use missing::Sign;
use page::html::Page;
use page::url::CanonicalUrl;
use parts::Parts;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::{Refusal, Time};

/// Hosts in memory.
const MAX_HOSTS: usize = 8_192;

/// What all of them may remember together: an entry takes a few dozen bytes.
const MAX_ENTRIES: usize = 1 << 18;

/// One link in so many is followed though its like brought copies.
const LET_THROUGH: u64 = 32;

/// The traps of a crawl, as far as they are known.
pub struct Traps {
    table: Table,
    hosts: Vec<(Box<str>, HostTraps)>,
    /// Where each host is in `hosts`.
    host_idx: HashMap<Box<str>, usize>,
    /// Changed hosts that had to make room, as they will be written.
    put_aside: BTreeMap<Box<str>, Vec<u8>>,
    /// Counts uses, to tell which host was used last.
    clock: u64,
}

impl Traps {
    /// Opens what a crawl knows.
    pub fn open(dir: &CrawlDir) -> Result<Traps, CrawlError> {
        Ok(Traps {
            table: dir.table("traps")?,
            hosts: Vec::new(),
            host_idx: HashMap::new(),
            put_aside: BTreeMap::new(),
            clock: 0,
        })
    }

    /// What speaks against following a link.
    pub fn judge(&mut self, url: &CanonicalUrl, now: Time) -> Result<Option<Refusal>, CrawlError> {
        let date = date::find(url);
        if let Some(refusal) = address::judge_dated(url, date, now) {
            return Ok(Some(refusal));
        }
        let Some(parts) = Parts::of(url) else {
            return Ok(None);
        };
        let refusal = self.host(url)?.judge(&parts, date);
        let is_let_through = || url.fingerprint().short().is_multiple_of(LET_THROUGH);
        Ok(match refusal {
            Some(Refusal::CopyPattern) if is_let_through() => None,
            other => other,
        })
    }

    /// Hears that an address brought a page, on record as `seq`, and which page
    /// it is a copy of. A copy of what is elsewhere teaches nothing of its own
    /// site, or any mirror could close the site it mirrors.
    pub fn learn(
        &mut self,
        url: &CanonicalUrl,
        seq: u64,
        found: Option<&Found>,
    ) -> Result<(), CrawlError> {
        let Some(parts) = Parts::of(url) else {
            return Ok(());
        };
        let found = found.filter(|found| found.is_at_home);
        let page = found.map_or(seq, |found| found.first);
        self.host(url)?.learn(&parts, page, found.is_some());
        Ok(())
    }

    /// Whether a page says "found" and shows that nothing was; learns from it.
    pub fn is_missing(&mut self, page: &Page) -> Result<bool, CrawlError> {
        Ok(match missing::sign_of(page) {
            Sign::None => false,
            Sign::Missing => true,
            Sign::Hint(text) => {
                let address = page.url.fingerprint().short();
                self.host(&page.url)?.is_missing(text, address)
            }
        })
    }

    /// Puts what has changed into a batch, and lets go of what was not used lately.
    pub fn save(&mut self, batch: &mut Batch) {
        for (host, bytes) in std::mem::take(&mut self.put_aside) {
            batch.put(&self.table, host.as_bytes(), &bytes);
        }
        for (host, traps) in &mut self.hosts {
            if std::mem::take(&mut traps.is_changed) {
                batch.put(&self.table, host.as_bytes(), &encode(traps));
            }
        }
        if self.n_entries() > MAX_ENTRIES {
            self.make_room();
        }
    }

    fn n_entries(&self) -> usize {
        self.hosts.iter().map(|(_, traps)| traps.len()).sum()
    }

    fn host(&mut self, url: &CanonicalUrl) -> Result<&mut HostTraps, CrawlError> {
        let host_idx = match self.host_idx.get(url.host()) {
            Some(host_idx) => *host_idx,
            None => self.load(url.host())?,
        };
        self.clock += 1;
        let (_, traps) = &mut self.hosts[host_idx];
        traps.used = self.clock;
        Ok(traps)
    }

    fn load(&mut self, host: &str) -> Result<usize, CrawlError> {
        if self.hosts.len() >= MAX_HOSTS {
            self.make_room();
        }
        let (bytes, is_changed) = match self.put_aside.remove(host) {
            Some(bytes) => (Some(bytes), true),
            None => (self.table.get(host.as_bytes())?, false),
        };
        // Lessons that cannot be read are learned again.
        let traps = bytes.and_then(|bytes| postcard::from_bytes(&bytes).ok());
        let mut traps: HostTraps = traps.unwrap_or_default();
        traps.is_changed = is_changed;
        let host_idx = self.hosts.len();
        self.host_idx.insert(host.into(), host_idx);
        self.hosts.push((host.into(), traps));
        Ok(host_idx)
    }

    /// Lets go of the half of the hosts that was not used for longest.
    fn make_room(&mut self) {
        self.hosts
            .sort_unstable_by_key(|(_, traps)| Reverse(traps.used));
        let old = self.hosts.split_off(self.hosts.len() / 2);
        for (host, traps) in old.into_iter().filter(|(_, traps)| traps.is_changed) {
            self.put_aside.insert(host, encode(&traps));
        }
        let places = self.hosts.iter().enumerate();
        self.host_idx = places.map(|(idx, (host, _))| (host.clone(), idx)).collect();
    }
}

fn encode(traps: &HostTraps) -> Vec<u8> {
    postcard::to_stdvec(traps).expect("plain data always encodes")
}
