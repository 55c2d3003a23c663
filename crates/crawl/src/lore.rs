//! What a crawl knows of the pages it has fetched: copies, traps, and how
//! each page was the last time.
//!
//! `recognise` says what a landing is in the light of all earlier ones;
//! `learn` takes it in. Both belong to the thread that owns the nodes, so
//! that on the virtual clock the same crawl always knows the same.

use crate::copies::{self, Arrival, CopyBook};
use crate::error::CrawlError;
use crate::fetch::{Fetched, Known};
use crate::frontier::{Offer, Purpose};
use crate::history::{History, Past, Sight};
use crate::reading::Reading;
use crate::trap::Traps;
use store::crawl_dir::CrawlDir;
use store::table::Batch;
use store::visit::{Copy, Earlier, Errand, Likeness, Outcome, Visit};
use store::warc::{Profile, RefersTo};

/// Everything remembered about pages.
pub(crate) struct Lore {
    copies: CopyBook,
    pub(crate) traps: Traps,
    pub(crate) history: History,
}

/// What a landing is in the light of earlier ones.
#[derive(Default)]
pub(crate) struct Recognition {
    found: Option<copies::Found>,
    past: Option<Past>,
    /// What the archive need not keep twice.
    pub(crate) repeats: Option<(RefersTo, Profile)>,
}

impl Recognition {
    /// The earlier page that this one is a copy of.
    pub(crate) fn copy(&self) -> Option<Copy> {
        Some(self.found.as_ref()?.copy)
    }

    /// What the page was when it was last fetched with success.
    pub(crate) fn earlier(&self) -> Option<Earlier> {
        let past = self.past.as_ref().filter(|past| !past.is_sitemap());
        past.map(Past::as_earlier)
    }
}

impl Lore {
    pub(crate) fn open(dir: &CrawlDir) -> Result<Lore, CrawlError> {
        Ok(Lore {
            copies: CopyBook::open(dir)?,
            traps: Traps::open(dir)?,
            history: History::open(dir)?,
        })
    }

    /// What to ask for a page with, when it is fetched again.
    pub(crate) fn known(&self, offer: &Offer) -> Result<Option<Known>, CrawlError> {
        Ok(self.past(offer)?.map(|past| past.known()))
    }

    /// A new link has no past, and nobody needs to look it up.
    fn past(&self, offer: &Offer) -> Result<Option<Past>, CrawlError> {
        match offer.purpose {
            Purpose::Refresh | Purpose::Sitemap => self.history.past(&offer.url),
            Purpose::Page => Ok(None),
        }
    }

    /// Looks a landing up, and corrects its outcome: a page may turn out to
    /// be an error page, or the same as ever.
    pub(crate) fn recognise(
        &mut self,
        reading: &mut Reading,
        offer: &Offer,
    ) -> Result<Recognition, CrawlError> {
        let past = self.past(offer)?;
        if reading.outcome == Outcome::Unchanged {
            return Ok(Recognition {
                repeats: past.as_ref().map(|past| {
                    let profile = Profile::ServerNotModified;
                    (refers_to(past), profile)
                }),
                found: None,
                past,
            });
        }
        if !is_page(reading) {
            return Ok(Recognition {
                past,
                ..Recognition::default()
            });
        }
        if self.traps.is_missing(&reading.found.page)? {
            reading.outcome = Outcome::SoftMissing;
            return Ok(Recognition {
                past,
                ..Recognition::default()
            });
        }
        let Some(digest) = digest_of(reading) else {
            return Ok(Recognition {
                past,
                ..Recognition::default()
            });
        };
        if let Some(past) = past.as_ref().filter(|past| past.digest() == Some(&digest)) {
            reading.outcome = Outcome::Unchanged;
            let repeats = Some((refers_to(past), Profile::IdenticalPayloadDigest));
            return Ok(Recognition {
                repeats,
                found: None,
                past: Some(past.clone()),
            });
        }
        let found = self.copies.find(&arrival(reading, &digest))?;
        let repeats = found.as_ref().and_then(|found| repeats(found, digest));
        Ok(Recognition {
            found,
            past,
            repeats,
        })
    }

    /// Takes in again what a visit on record brought, where its body cannot be
    /// had: that of an exact copy, of a page that had not changed, or of one that
    /// was not to be kept.
    pub(crate) fn learn_again(
        &mut self,
        batch: &mut Batch,
        offer: &Offer,
        visit: &Visit,
    ) -> Result<(), CrawlError> {
        let past = self.past(offer)?;
        if let (Outcome::Unchanged, Some(past)) = (&visit.outcome, &past) {
            let past = past.clone();
            self.history
                .note_unchanged(batch, past, &offer.url, visit.at);
            return Ok(());
        }
        let is_copy = visit
            .copy
            .is_some_and(|copy| copy.likeness == Likeness::Exact);
        // Of what was not to be kept, nobody knows what it was like.
        let digest = visit.digest.filter(|_| is_copy);
        if let Some(digest) = &digest {
            let arrival = Arrival {
                url: &offer.url,
                digest,
                n_bytes: visit.bytes as usize,
                shape: None,
            };
            let found = self.copies.find(&arrival)?;
            self.traps.learn(&offer.url, visit.seq, found.as_ref())?;
        }
        if !visit.is_page() {
            return Ok(());
        }
        let sight = Sight {
            url: &offer.url,
            is_sitemap: false,
            node: visit.node,
            depth: offer.depth,
            at: visit.at,
            date: visit.date(),
            digest,
            is_geo: visit.is_geo(),
            is_own: offer.trail.is_own,
            known: Known {
                etag: visit.etag.clone(),
                last_modified: visit.last_modified.clone(),
            },
            seq: visit.seq,
        };
        self.history.note(batch, past, sight);
        Ok(())
    }

    /// Takes in a page that was recognised, on record as `seq`.
    pub(crate) fn learn(
        &mut self,
        batch: &mut Batch,
        reading: &Reading,
        recognition: Recognition,
        offer: &Offer,
        seq: u64,
    ) -> Result<(), CrawlError> {
        let at = reading.mission.at;
        let Recognition { found, past, .. } = recognition;
        if let (Outcome::Unchanged, Some(past)) = (&reading.outcome, &past) {
            let past = past.clone();
            self.history.note_unchanged(batch, past, &offer.url, at);
            return Ok(());
        }
        if reading.outcome != Outcome::Fetched {
            if let Some(past) = past {
                self.history.note_unchanged(batch, past, &offer.url, at);
            }
            return Ok(());
        }
        let digest = digest_of(reading);
        if let Some(digest) = digest.filter(|_| is_page(reading)) {
            let arrival = arrival(reading, &digest);
            let found = found.as_ref();
            self.copies
                .learn(batch, &arrival, seq, reading.date(), found);
            self.traps.learn(&offer.url, seq, found)?;
        }
        let sight = Sight {
            url: &offer.url,
            is_sitemap: reading.mission.request.errand == Errand::Sitemap,
            node: reading.mission.node.0,
            depth: offer.depth,
            at,
            date: reading.date(),
            digest,
            is_geo: !reading.found.evaluation.entities.is_empty(),
            is_own: offer.trail.is_own,
            known: known_of(reading),
            seq,
        };
        self.history.note(batch, past, sight);
        Ok(())
    }
}

fn is_page(reading: &Reading) -> bool {
    reading.outcome == Outcome::Fetched && reading.mission.request.errand == Errand::Page
}

/// None where the body was not to be kept.
fn digest_of(reading: &Reading) -> Option<[u8; 20]> {
    let is_kept = !reading.found.page.robots.noarchive;
    Some(reading.bundle.as_ref().filter(|_| is_kept)?.digest())
}

fn arrival<'a>(reading: &'a Reading, digest: &'a [u8; 20]) -> Arrival<'a> {
    Arrival {
        url: &reading.found.page.url,
        digest,
        n_bytes: match &reading.landing.fetched {
            Fetched::Answer(answer) => answer.body.len(),
            _ => 0,
        },
        shape: reading.found.shape.as_ref(),
    }
}

/// The archive keeps equal bodies once.
fn repeats(found: &copies::Found, digest: [u8; 20]) -> Option<(RefersTo, Profile)> {
    if found.copy.likeness != Likeness::Exact {
        return None;
    }
    let (url, at) = found.original.clone()?;
    let digest = Some(digest);
    Some((
        RefersTo { url, at, digest },
        Profile::IdenticalPayloadDigest,
    ))
}

fn refers_to(past: &Past) -> RefersTo {
    RefersTo {
        url: past.url().map_or(String::new(), |url| url.as_str().into()),
        at: past.archived_at(),
        digest: past.digest().copied(),
    }
}

fn known_of(reading: &Reading) -> Known {
    let Fetched::Answer(answer) = &reading.landing.fetched else {
        return Known::default();
    };
    Known {
        etag: answer.header("etag").map(str::to_owned),
        last_modified: answer.header("last-modified").map(str::to_owned),
    }
}
