//! Knows every page by its bytes and by its shape, to tell copies when they come.
//!
//! Two tables: `digests` holds the first page with each body, for exact copies
//! and for the archive, which then need not keep the body twice; `shapes` the
//! last page under each key of a shape, for pages that differ in a few words
//! (see `page::shape`). Pages that are copies are not entered under their
//! shape, so that whatever is called an original is one.
//!
//! A copy is looked for at home first, in its own registrable domain. What a
//! page elsewhere brought may be a copy of it as well as the other way round,
//! whichever came first: that is on record, and nothing is left out for it. A
//! page like one elsewhere therefore has a row of its own domain, beside that
//! of all.
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
use xxhash_rust::xxh3::xxh3_64;

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
    /// For exact copies, the earlier visit's address and time. The address may
    /// be the same: then the page has not changed since.
    pub original: Option<(String, Time)>,
    /// Whether the earlier page is of the same registrable domain.
    pub is_at_home: bool,
    /// Whether its body has come from another one before.
    is_mirrored: bool,
}

impl Found {
    /// A copy of an earlier page of the same domain, for tests of what is
    /// learned from it.
    #[cfg(test)]
    pub(crate) fn at_home(copy: Copy) -> Found {
        Found {
            copy,
            first: copy.of,
            original: None,
            is_at_home: true,
            is_mirrored: false,
        }
    }
}

impl CopyBook {
    /// Opens the book of a crawl.
    pub fn open(dir: &CrawlDir) -> Result<CopyBook, CrawlError> {
        Ok(CopyBook {
            digests: dir.table("digests")?,
            shapes: dir.table("shapes")?,
        })
    }

    /// An earlier page like this one: one of its domain with the same body, or
    /// else with nearly the same text, or else one elsewhere.
    pub fn find(&self, arrival: &Arrival<'_>) -> Result<Option<Found>, CrawlError> {
        let exact = self.find_exact(arrival)?;
        if exact.as_ref().is_some_and(|found| found.is_at_home) {
            return Ok(exact);
        }
        let near = match arrival.shape {
            Some(shape) => self.find_near(arrival.url, shape)?,
            None => None,
        };
        Ok(match (exact, near) {
            (Some(_), Some(near)) if near.is_at_home => Some(Found {
                is_mirrored: true,
                ..near
            }),
            (exact, near) => exact.or(near),
        })
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
        let known = found.filter(|found| found.is_at_home);
        let domain = domain_of(arrival.url);
        if likeness != Some(Likeness::Exact) && arrival.n_bytes >= MIN_BYTES {
            let row = DigestRow {
                seq,
                first: known.map_or(seq, |found| found.first),
                at: at.0,
                url: arrival.url.as_str(),
                domain,
            };
            let (of_all, at_home) = (arrival.digest, row::at_home(arrival.digest, domain));
            let key = match found.is_some_and(|found| found.is_mirrored) {
                true => &at_home[..],
                false => &of_all[..],
            };
            batch.put(&self.digests, key, &row.encode());
        }
        if let Some(shape) = arrival.shape.filter(|_| known.is_none()) {
            let row = ShapeRow {
                seq,
                url: arrival.url.fingerprint().short(),
                domain,
                sketch: *shape.sketch(),
            };
            let bytes = row.encode();
            for key in shape.keys().iter().map(|key| key.to_be_bytes()) {
                match found {
                    None => batch.put(&self.shapes, &key, &bytes),
                    Some(_) => batch.put(&self.shapes, &row::at_home(&key, domain), &bytes),
                }
            }
        }
    }

    fn find_exact(&self, arrival: &Arrival<'_>) -> Result<Option<Found>, CrawlError> {
        if arrival.n_bytes < MIN_BYTES {
            return Ok(None);
        }
        let domain = domain_of(arrival.url);
        let bytes = self.digests.get(arrival.digest)?;
        let Some(row) = bytes.as_deref().and_then(DigestRow::decode) else {
            return Ok(None);
        };
        if row.domain == domain {
            return Ok(Some(exact(&row)));
        }
        let bytes = self.digests.get(&row::at_home(arrival.digest, domain))?;
        if let Some(own) = bytes.as_deref().and_then(DigestRow::decode) {
            return Ok(Some(exact(&own)));
        }
        Ok(Some(Found {
            copy: Copy {
                likeness: Likeness::Mirrored,
                of: row.seq,
            },
            // The archive keeps both: either has to stand by itself.
            original: None,
            is_at_home: false,
            is_mirrored: true,
            ..exact(&row)
        }))
    }

    /// The most alike of the pages that share a key, of two the earlier; those
    /// of the same domain before all others.
    fn find_near(&self, url: &CanonicalUrl, shape: &Shape) -> Result<Option<Found>, CrawlError> {
        let own_url = url.fingerprint().short();
        let domain = domain_of(url);
        let mut best: Option<Near> = None;
        for key in shape.keys().iter().map(|key| key.to_be_bytes()) {
            let of_all = self.shape_row(&key)?;
            let at_home = match &of_all {
                Some(row) if row.domain != domain => self.shape_row(&row::at_home(&key, domain))?,
                _ => None,
            };
            for row in of_all.into_iter().chain(at_home) {
                // A page that has changed since is no copy of itself.
                if row.url == own_url || !shape.sketch().is_near(&row.sketch) {
                    continue;
                }
                let near = Near {
                    is_at_home: row.domain == domain,
                    likeness: shape.sketch().likeness(&row.sketch),
                    seq: row.seq,
                };
                if best.as_ref().is_none_or(|best| near.is_better_than(best)) {
                    best = Some(near);
                }
            }
        }
        Ok(best.map(|near| Found {
            copy: Copy {
                likeness: Likeness::Near,
                of: near.seq,
            },
            first: near.seq,
            original: None,
            is_at_home: near.is_at_home,
            is_mirrored: false,
        }))
    }

    fn shape_row(&self, key: &[u8]) -> Result<Option<ShapeRow>, CrawlError> {
        let bytes = self.shapes.get(key)?;
        Ok(bytes.as_deref().and_then(ShapeRow::decode))
    }
}

/// A page with nearly the same text.
struct Near {
    is_at_home: bool,
    likeness: f32,
    seq: u64,
}

impl Near {
    fn is_better_than(&self, other: &Near) -> bool {
        let rank = |near: &Near| (near.is_at_home, near.likeness);
        rank(self) > rank(other) || rank(self) == rank(other) && self.seq < other.seq
    }
}

fn exact(row: &DigestRow<'_>) -> Found {
    Found {
        copy: Copy {
            likeness: Likeness::Exact,
            of: row.seq,
        },
        first: row.first,
        original: Some((row.url.to_owned(), Time(row.at))),
        is_at_home: true,
        is_mirrored: false,
    }
}

fn domain_of(url: &CanonicalUrl) -> u64 {
    xxh3_64(url.registrable_domain().as_bytes())
}

#[cfg(test)]
mod tests;
