//! What is known of every page fetched: when, how it was, how often it changed.
//!
//! A refresh asks for the pages most likely to have changed first, and asks
//! with what the server said of them the last time. One row per page, on
//! disk; nothing is held in memory.

use crate::error::CrawlError;
use crate::fetch::Known;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::{Earlier, Time};

/// A page nobody has asked for twice is taken to change about this often.
const USUAL_LIFE: Duration = Duration::from_secs(30 * 24 * 3600);

/// Rows read at a time when all are walked.
const CHUNK: usize = 1024;

/// The pages of one crawl.
pub(crate) struct History {
    table: Table,
}

/// One page's past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Past {
    url: String,
    is_sitemap: bool,
    node: u16,
    depth: u16,
    /// First and last time it was asked for.
    first: u64,
    last: u64,
    /// Times it was found changed.
    n_changes: u32,
    /// Times it was asked for again.
    n_revisits: u32,
    /// None where the body was not to be kept.
    digest: Option<[u8; 20]>,
    etag: Option<String>,
    last_modified: Option<String>,
    /// Whether it has an address in a target.
    is_geo: bool,
    /// Whether its link may lead into one's own network.
    is_own: bool,
    /// Position of the visit that brought its present body, and of when that is.
    seq: u64,
    archived: u64,
}

/// What a fetch found of a page.
pub(crate) struct Sight<'a> {
    pub(crate) url: &'a CanonicalUrl,
    pub(crate) is_sitemap: bool,
    pub(crate) node: u16,
    pub(crate) depth: u16,
    pub(crate) at: Time,
    /// When it was like that, which is long ago for a recording.
    pub(crate) date: Time,
    pub(crate) digest: Option<[u8; 20]>,
    pub(crate) is_geo: bool,
    pub(crate) is_own: bool,
    pub(crate) known: Known,
    pub(crate) seq: u64,
}

impl History {
    pub(crate) fn open(dir: &CrawlDir) -> Result<History, CrawlError> {
        Ok(History {
            table: dir.table("pages")?,
        })
    }

    /// What is known of a page.
    pub(crate) fn past(&self, url: &CanonicalUrl) -> Result<Option<Past>, CrawlError> {
        let row = self.table.get(&key(url))?;
        Ok(row.and_then(|bytes| postcard::from_bytes(&bytes).ok()))
    }

    /// Hears of a page that came with a body.
    pub(crate) fn note(&self, batch: &mut Batch, past: Option<Past>, sight: Sight<'_>) {
        match past {
            Some(past) => self.note_again(batch, past, sight),
            // Nothing is known that it could be compared with.
            None if sight.digest.is_none() => {}
            None => self.note_first(batch, sight),
        }
    }

    /// Hears of a page fetched for the first time.
    fn note_first(&self, batch: &mut Batch, sight: Sight<'_>) {
        let past = Past {
            url: sight.url.as_str().to_owned(),
            is_sitemap: sight.is_sitemap,
            node: sight.node,
            depth: sight.depth,
            first: sight.at.0,
            last: sight.at.0,
            n_changes: 0,
            n_revisits: 0,
            digest: sight.digest,
            etag: sight.known.etag,
            last_modified: sight.known.last_modified,
            is_geo: sight.is_geo,
            is_own: sight.is_own,
            seq: sight.seq,
            archived: sight.date.0,
        };
        self.put(batch, sight.url, &past);
    }

    /// Hears of a page asked for again that came with a body.
    fn note_again(&self, batch: &mut Batch, mut past: Past, sight: Sight<'_>) {
        let has_changed = past.digest.is_none() || past.digest != sight.digest;
        past.last = sight.at.0;
        past.n_revisits = past.n_revisits.saturating_add(1);
        past.n_changes = past.n_changes.saturating_add(u32::from(has_changed));
        past.etag = sight.known.etag;
        past.last_modified = sight.known.last_modified;
        past.is_geo = sight.is_geo;
        past.is_own |= sight.is_own;
        if has_changed {
            past.digest = sight.digest;
            past.seq = sight.seq;
            past.archived = sight.date.0;
        }
        self.put(batch, sight.url, &past);
    }

    /// Hears that a page asked for again has not changed, or did not come: in
    /// either case there is nothing new.
    pub(crate) fn note_unchanged(
        &self,
        batch: &mut Batch,
        mut past: Past,
        url: &CanonicalUrl,
        at: Time,
    ) {
        past.last = at.0;
        past.n_revisits = past.n_revisits.saturating_add(1);
        self.put(batch, url, &past);
    }

    fn put(&self, batch: &mut Batch, url: &CanonicalUrl, past: &Past) {
        let bytes = postcard::to_stdvec(past).expect("plain data always encodes");
        batch.put(&self.table, &key(url), &bytes);
    }

    /// Some pages beyond a key, in the order of keys; an empty list is the end.
    pub(crate) fn walk(&self, after: &mut Option<Vec<u8>>) -> Result<Vec<Past>, CrawlError> {
        let rows = self.table.scan(b"", after.as_deref(), CHUNK)?;
        *after = rows.last().map(|(key, _)| key.clone());
        let pasts = rows.iter().map(|(_, bytes)| postcard::from_bytes(bytes));
        Ok(pasts.filter_map(Result::ok).collect())
    }
}

impl Past {
    pub(crate) fn url(&self) -> Option<CanonicalUrl> {
        CanonicalUrl::parse(&self.url).ok()
    }

    /// Whether it is a list of pages.
    pub(crate) fn is_sitemap(&self) -> bool {
        self.is_sitemap
    }

    /// Whether its link may lead into one's own network.
    pub(crate) fn is_own(&self) -> bool {
        self.is_own
    }

    pub(crate) fn node(&self) -> u16 {
        self.node
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    /// When it was last asked for.
    pub(crate) fn last(&self) -> Time {
        Time(self.last)
    }

    /// When its present body was archived.
    pub(crate) fn archived_at(&self) -> Time {
        Time(self.archived)
    }

    pub(crate) fn digest(&self) -> Option<&[u8; 20]> {
        self.digest.as_ref()
    }

    /// The page as it was, for a visit that takes its place.
    pub(crate) fn as_earlier(&self) -> Earlier {
        Earlier {
            seq: self.seq,
            is_geo: self.is_geo,
        }
    }

    /// What to ask the server with.
    pub(crate) fn known(&self) -> Known {
        Known {
            etag: self.etag.clone(),
            last_modified: self.last_modified.clone(),
        }
    }

    /// The chance that it has changed since it was last asked for, if changes
    /// come as a Poisson process. Its rate is what was seen so far, with one
    /// change in `USUAL_LIFE` as the prior, so that a page seen once has an
    /// answer and one that never changes is asked for ever more seldom.
    pub(crate) fn chance_of_change(&self, now: Time) -> f64 {
        let usual = USUAL_LIFE.as_millis() as f64;
        let watched = self.last.saturating_sub(self.first) as f64;
        // Two changes between two looks are seen as one; at most one each look.
        let rate = (f64::from(self.n_changes) + 1.0) / (watched + usual);
        let age = now.0.saturating_sub(self.last) as f64;
        1.0 - (-rate * age).exp()
    }
}

fn key(url: &CanonicalUrl) -> [u8; 16] {
    url.fingerprint().0.to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 3600 * 1000;

    fn url(text: &str) -> CanonicalUrl {
        CanonicalUrl::parse(text).unwrap()
    }

    fn sight<'a>(url: &'a CanonicalUrl, day: u64, body: u8) -> Sight<'a> {
        Sight {
            url,
            is_sitemap: false,
            node: 1,
            depth: 2,
            at: Time(day * DAY),
            date: Time(day * DAY),
            digest: Some([body; 20]),
            is_geo: false,
            is_own: false,
            known: Known {
                etag: Some(format!("\"{}\"", char::from(body))),
                last_modified: None,
            },
            seq: day,
        }
    }

    /// A page looked at every ten days; the letters are its bodies.
    fn past_of(bodies: &[u8]) -> Past {
        let folder = tempfile::tempdir().unwrap();
        let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
        let history = History::open(&dir).unwrap();
        let url = url("http://a.example/");
        for (look_idx, &body) in bodies.iter().enumerate() {
            let sight = sight(&url, 10 * look_idx as u64, body);
            let mut batch = dir.batch();
            history.note(&mut batch, history.past(&url).unwrap(), sight);
            dir.apply(batch).unwrap();
        }
        history.past(&url).unwrap().unwrap()
    }

    #[test]
    fn what_changed_often_is_likely_to_have_changed_again() {
        let chance = |bodies: &[u8]| past_of(bodies).chance_of_change(Time(70 * DAY));
        let (busy, calm) = (chance(b"abcdef"), chance(b"aaaaaa"));
        let single = chance(b"a");
        assert!(busy > 2.0 * calm, "{busy} and {calm}");
        assert!(single > calm, "{single} and {calm}");
    }

    #[test]
    fn age_makes_change_likely() {
        let past = past_of(b"aa");
        let chance = |day| past.chance_of_change(Time(day * DAY));
        assert_eq!(chance(10), 0.0);
        assert!(chance(20) < chance(40) && chance(40) < chance(400));
        assert!(chance(400) < 1.0);
        // A clock that was set back is no reason to ask.
        assert_eq!(chance(5), 0.0);
    }

    #[test]
    fn the_last_answer_tells_what_to_ask_with() {
        let past = past_of(b"ab");
        assert_eq!(past.known().etag.as_deref(), Some("\"b\""));
        assert_eq!(past.seq, 10);
        let same = past_of(b"abb");
        assert_eq!((same.seq, same.n_changes, same.n_revisits), (10, 1, 2));
    }
}
