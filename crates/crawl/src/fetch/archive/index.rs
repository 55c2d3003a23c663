//! Which record answers for an address: the best capture of each, in 24 bytes.

use page::url::CanonicalUrl;
use std::collections::HashMap;
use store::warc::{Kind, Listed};

/// What a record is worth as an answer; the last of the best is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Rank {
    /// A server's word that nothing has changed.
    Unchanged,
    /// An error or a redirect.
    Status,
    /// A copy of another page, archived without its body.
    Copy,
    /// A document archived without HTTP, perhaps made from the page.
    Document,
    /// A page.
    Page,
}

/// Where an address's answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// Fingerprint of the address.
    url: u64,
    pub(super) rank: Rank,
    /// Seconds since 1970.
    at: u32,
    pub(super) file: u16,
    pub(super) offset: u64,
}

// Ten million pages are 240 MB.
const _: () = assert!(size_of::<Entry>() == 24);

/// The entries by address, one for each.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<Entry>,
}

impl Index {
    pub(super) fn get(&self, url: &CanonicalUrl) -> Option<Entry> {
        let url = url.fingerprint().short();
        let entry_idx = self
            .entries
            .binary_search_by_key(&url, |entry| entry.url)
            .ok()?;
        Some(self.entries[entry_idx])
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// An index in the making.
#[derive(Debug, Default)]
pub(super) struct Builder {
    entries: Vec<Entry>,
    n_answers: u64,
    /// One page of every site, in the order in which sites were met.
    seeds: Vec<CanonicalUrl>,
    /// Position of a site's seed, by origin.
    seed_of: HashMap<Box<str>, usize>,
}

impl Builder {
    /// Answers met so far.
    pub(super) fn n_answers(&self) -> u64 {
        self.n_answers
    }

    /// Takes a record in, if it is an answer for an address.
    pub(super) fn add(&mut self, file: u16, listed: &Listed) {
        let Some(rank) = rank_of(listed) else {
            return;
        };
        let Ok(url) = CanonicalUrl::parse(&listed.head.url()) else {
            return;
        };
        self.n_answers += 1;
        let at = listed.head.at().map_or(0, |at| at.0 / 1000);
        self.entries.push(Entry {
            url: url.fingerprint().short(),
            rank,
            at: u32::try_from(at).unwrap_or(u32::MAX),
            file,
            offset: listed.offset,
        });
        if rank >= Rank::Copy && url.path() != "/robots.txt" {
            self.consider_seed(url);
        }
    }

    /// Keeps the front page of a site, or else what comes first.
    fn consider_seed(&mut self, url: CanonicalUrl) {
        match self.seed_of.get(url.origin()) {
            Some(&seed_idx) if url.path_and_query() == "/" => self.seeds[seed_idx] = url,
            Some(_) => {}
            None => {
                self.seed_of.insert(url.origin().into(), self.seeds.len());
                self.seeds.push(url);
            }
        }
    }

    /// The index, and a page of every site.
    pub(super) fn finish(mut self) -> (Index, Vec<CanonicalUrl>) {
        self.entries.sort_unstable();
        self.entries.dedup_by(|later, kept| {
            let is_same = later.url == kept.url;
            if is_same {
                *kept = *later;
            }
            is_same
        });
        self.entries.shrink_to_fit();
        let entries = self.entries;
        (Index { entries }, self.seeds)
    }
}

fn rank_of(listed: &Listed) -> Option<Rank> {
    let is_page = (200..300).contains(&listed.status());
    match listed.head.kind() {
        Kind::Response if is_page => Some(Rank::Page),
        Kind::Response => Some(Rank::Status),
        Kind::Revisit => {
            let profile = listed.head.field("WARC-Profile").unwrap_or_default();
            // WARC 1.0 and 1.1 name profiles alike but for the number.
            let is_copy = is_page && !profile.ends_with("/server-not-modified");
            Some(if is_copy { Rank::Copy } else { Rank::Unchanged })
        }
        Kind::Document => Some(Rank::Document),
        Kind::Other => None,
    }
}
