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
use std::collections::{BTreeMap, HashMap};
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::{Refusal, Time};

/// Hosts in memory.
const MAX_HOSTS: usize = 8_192;

/// What all of them may remember together: an entry takes a few dozen bytes.
const MAX_ENTRIES: usize = 1 << 20;

/// One link in so many is followed though its like brought copies.
const LET_THROUGH: u64 = 32;

/// The traps of a crawl, as far as they are known.
pub struct Traps {
    table: Table,
    hosts: HashMap<Box<str>, HostTraps>,
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
            hosts: HashMap::new(),
            put_aside: BTreeMap::new(),
            clock: 0,
        })
    }

    /// What speaks against following a link.
    pub fn judge(&mut self, url: &CanonicalUrl, now: Time) -> Result<Option<Refusal>, CrawlError> {
        if let Some(refusal) = address::judge(url, now) {
            return Ok(Some(refusal));
        }
        let Some(parts) = Parts::of(url) else {
            return Ok(None);
        };
        let date = date::find(url);
        let refusal = self.host(url)?.judge(&parts, date);
        let is_let_through = || url.fingerprint().short().is_multiple_of(LET_THROUGH);
        Ok(match refusal {
            Some(Refusal::CopyPattern) if is_let_through() => None,
            other => other,
        })
    }

    /// Hears that an address brought a page, on record as `seq`, and which page it is a copy of.
    pub fn learn(
        &mut self,
        url: &CanonicalUrl,
        seq: u64,
        found: Option<&Found>,
    ) -> Result<(), CrawlError> {
        let Some(parts) = Parts::of(url) else {
            return Ok(());
        };
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
        let n_entries: usize = self.hosts.values().map(HostTraps::len).sum();
        if n_entries > MAX_ENTRIES {
            self.make_room();
        }
    }

    fn host(&mut self, url: &CanonicalUrl) -> Result<&mut HostTraps, CrawlError> {
        self.clock += 1;
        // Looked up twice: the borrow checker cannot see that a host found
        // first is returned.
        if !self.hosts.contains_key(url.host()) {
            self.load(url.host())?;
        }
        let host = self.hosts.get_mut(url.host()).expect("loaded above");
        host.used = self.clock;
        Ok(host)
    }

    fn load(&mut self, host: &str) -> Result<(), CrawlError> {
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
        self.hosts.insert(host.into(), traps);
        Ok(())
    }

    /// Lets go of the half of the hosts that was not used for longest.
    fn make_room(&mut self) {
        let mut times: Vec<u64> = self.hosts.values().map(|host| host.used).collect();
        let middle = times.len() / 2;
        let (_, median, _) = times.select_nth_unstable(middle);
        let median = *median;
        let old = self.hosts.extract_if(|_, host| host.used < median);
        for (host, traps) in old.filter(|(_, traps)| traps.is_changed) {
            self.put_aside.insert(host, encode(&traps));
        }
    }
}

fn encode(traps: &HostTraps) -> Vec<u8> {
    postcard::to_stdvec(traps).expect("plain data always encodes")
}
