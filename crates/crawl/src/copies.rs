//! Knows every page by its bytes and by its shape, to tell copies when they come.
//!
//! Two tables: `digests` holds the first page with each body, for exact copies
//! and for the archive, which then need not keep the body twice; `shapes` the
//! last page under each key of a shape, for pages that differ in a few words
//! (see `page::shape`). Pages that are copies are not entered under their
//! shape, so that whatever is called an original is one.
//!
//! Only what is read here is on disk, or waits for the next commit: memory does
//! not grow with the number of pages.

mod row;

use crate::error::CrawlError;
use page::shape::Shape;
use page::url::CanonicalUrl;
use row::{DigestRow, ShapeRow};
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::{Copy, Likeness, Time};

/// Bodies shorter than this are equal by chance: an empty page, a frame, "OK".
const MIN_BYTES: usize = 256;

/// All pages of a crawl, by likeness.
pub struct CopyBook {
    digests: Table,
    shapes: Table,
}

/// A page that has just come.
#[derive(Debug, Clone, Copy)]
pub struct Arrival<'a> {
    /// Where from.
    pub url: &'a CanonicalUrl,
    /// SHA-1 of its body.
    pub digest: &'a [u8; 20],
    /// Bytes of its body.
    pub n_bytes: usize,
    /// The shape of its text, if it has one.
    pub shape: Option<&'a Shape>,
}

/// An earlier page like the one that has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Which visit, and how alike.
    pub copy: Copy,
    /// The visit that the earlier page is a near copy of itself, or else its
    /// own: the same for all copies of one page.
    pub first: u64,
    /// For equal bodies, the earlier visit's address and time. The address may
    /// be the same: then the page has not changed since.
    pub original: Option<(String, Time)>,
}

impl CopyBook {
    /// Opens the book of a crawl.
    pub fn open(dir: &CrawlDir) -> Result<CopyBook, CrawlError> {
        Ok(CopyBook {
            digests: dir.table("digests")?,
            shapes: dir.table("shapes")?,
        })
    }

    /// An earlier page like this one: one with the same body, or else with nearly the same text.
    pub fn find(&self, arrival: &Arrival<'_>) -> Result<Option<Found>, CrawlError> {
        if let Some(found) = self.find_exact(arrival)? {
            return Ok(Some(found));
        }
        match arrival.shape {
            Some(shape) => self.find_near(arrival.url, shape),
            None => Ok(None),
        }
    }

    /// Enters a page, on record as `seq`, with what `find` said about it.
    pub fn learn(
        &self,
        batch: &mut Batch,
        arrival: &Arrival<'_>,
        seq: u64,
        at: Time,
        found: Option<&Found>,
    ) {
        let likeness = found.map(|found| found.copy.likeness);
        if likeness != Some(Likeness::Exact) && arrival.n_bytes >= MIN_BYTES {
            let row = DigestRow {
                seq,
                first: found.map_or(seq, |found| found.first),
                at: at.0,
                url: arrival.url.as_str(),
            };
            batch.put(&self.digests, arrival.digest, &row.encode());
        }
        if let Some(shape) = arrival.shape.filter(|_| found.is_none()) {
            let row = ShapeRow {
                seq,
                url: arrival.url.fingerprint().short(),
                sketch: *shape.sketch(),
            };
            let bytes = row.encode();
            for key in shape.keys() {
                batch.put(&self.shapes, &key.to_be_bytes(), &bytes);
            }
        }
    }

    fn find_exact(&self, arrival: &Arrival<'_>) -> Result<Option<Found>, CrawlError> {
        if arrival.n_bytes < MIN_BYTES {
            return Ok(None);
        }
        let bytes = self.digests.get(arrival.digest)?;
        let row = bytes.as_deref().and_then(DigestRow::decode);
        Ok(row.map(|row| Found {
            copy: Copy {
                likeness: Likeness::Exact,
                of: row.seq,
            },
            first: row.first,
            original: Some((row.url.to_owned(), Time(row.at))),
        }))
    }

    /// The most alike of the pages that share a key; of two the earlier.
    fn find_near(&self, url: &CanonicalUrl, shape: &Shape) -> Result<Option<Found>, CrawlError> {
        let own_url = url.fingerprint().short();
        let mut best: Option<(f32, u64)> = None;
        for key in shape.keys() {
            let bytes = self.shapes.get(&key.to_be_bytes())?;
            let Some(row) = bytes.as_deref().and_then(ShapeRow::decode) else {
                continue;
            };
            // A page that has changed since is no copy of itself.
            if row.url == own_url || !shape.sketch().is_near(&row.sketch) {
                continue;
            }
            let likeness = shape.sketch().likeness(&row.sketch);
            let is_better = |(most, seq)| likeness > most || likeness == most && row.seq < seq;
            if best.is_none_or(is_better) {
                best = Some((likeness, row.seq));
            }
        }
        Ok(best.map(|(_, of)| Found {
            copy: Copy {
                likeness: Likeness::Near,
                of,
            },
            first: of,
            original: None,
        }))
    }
}

#[cfg(test)]
mod tests;
