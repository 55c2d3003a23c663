//! What the crawl's order learns, and how: the way every page was come by.
//!
//! A fetched page teaches the order something about the link that led to it,
//! and about the links before that one. Those wait in a table, by the page
//! they led to; whichever node fetched it, since all nodes of a process share
//! one mind. What was learned is written into the crawl's folder now and
//! then; what came after is learned again from the visit log.
//!
//! Where the order goes by links to a page, those found so far are counted in
//! a table too, by the page they lead to.

use crate::error::CrawlError;
use crate::frontier::{Offer, Purpose};
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::path::Path;
use store::crawl_dir::{CrawlDir, VisitReader};
use store::note;
use store::table::{Batch, Table};
use store::visit::{Trail, Visit};
use strategy::order::{
    Arrival, Clues, Judgement, Lesson, Mind, MindError, Sighting, Step, shorten,
};
use strategy::roster::NodeId;

/// The file in which an order's learning is kept.
pub const MODEL: &str = "order.model";

/// Visits after which that is written again: what a crash costs is learning
/// so many once more.
const SAVE_EVERY: u64 = 200_000;

pub(crate) struct Learner {
    mind: Box<dyn Mind>,
    ways: Table,
    /// Links to each page found so far, where the order goes by them.
    inlinks: Option<Table>,
    /// Visits learned from that are safe.
    n_saved: u64,
}

/// The page that links stand on, as far as the order looks at it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standpoint {
    /// Who fetched it.
    pub(crate) node: NodeId,
    /// What links to it say, where the order goes by them.
    pub(crate) importance: Option<f32>,
}

impl Standpoint {
    /// No page: that of a seed.
    pub(crate) fn nowhere(node: NodeId) -> Standpoint {
        Standpoint {
            node,
            importance: None,
        }
    }
}

/// How a page was come by.
#[derive(Serialize, Deserialize)]
struct Way {
    /// Short fingerprint of the page its link stands on.
    from: u64,
    distance: u16,
    clues: Clues,
}

impl Learner {
    /// Takes over what earlier sessions learned, up to visit `n_known`.
    pub(crate) fn open(
        dir: &CrawlDir,
        mind: Box<dyn Mind>,
        n_known: u64,
    ) -> Result<Learner, CrawlError> {
        let mut learner = Learner {
            ways: dir.table("ways")?,
            inlinks: match mind.importance(0) {
                Some(_) => Some(dir.table("inlinks")?),
                None => None,
            },
            mind,
            n_saved: 0,
        };
        if learner.mind.memory() > 0 {
            learner.restore(dir, n_known)?;
            learner.catch_up(dir, n_known)?;
        }
        Ok(learner)
    }

    fn restore(&mut self, dir: &CrawlDir, n_known: u64) -> Result<(), CrawlError> {
        let Some(bytes) = note::read_bytes(dir.path(), MODEL)? else {
            return Ok(());
        };
        // What the tables have forgotten is worked out again, and taught again.
        let is_known = |(n_visits, _): &(u64, &[u8])| *n_visits <= n_known;
        let Some((n_visits, saved)) = parts_of(&bytes).filter(is_known) else {
            return Ok(());
        };
        match self.mind.restore(saved) {
            Ok(()) => self.n_saved = n_visits,
            // It can all be learned again.
            Err(error) => tracing::warn!(%error, "what the order learned cannot be read"),
        }
        Ok(())
    }

    /// Learns again what came after the last saving.
    fn catch_up(&mut self, dir: &CrawlDir, n_known: u64) -> Result<(), CrawlError> {
        let from = self.n_saved;
        if from >= n_known {
            return Ok(());
        }
        let visits = VisitReader::open_at(dir.path(), from)?;
        let visits = visits.filter(|visit| (from..n_known).contains(&visit.seq));
        for visit in visits.filter(Visit::is_page) {
            let Some(trail) = &visit.trail else {
                continue;
            };
            let parent = visit.from.as_deref().and_then(fingerprint_of);
            self.take_lesson(trail, parent, !visit.entities.is_empty())?;
            self.mind.settle(&Arrival {
                node: NodeId(visit.node),
                topicality: visit.topicality,
            });
        }
        Ok(())
    }

    /// Judges a link by the way it was come by.
    pub(crate) fn judge(&self, url: &CanonicalUrl, trail: &Trail, on: Standpoint) -> Judgement {
        self.mind.judge(&Sighting {
            node: on.node,
            importance: on.importance,
            ..Sighting::new(url.fingerprint().short(), trail.distance, &trail.clues)
        })
    }

    /// What links found so far say of a page, where the order goes by them.
    pub(crate) fn importance(&self, page: &CanonicalUrl) -> Result<Option<f32>, CrawlError> {
        match &self.inlinks {
            Some(table) => Ok(self
                .mind
                .importance(n_inlinks(table, page.fingerprint().short())?)),
            None => Ok(None),
        }
    }

    /// Counts the links of a page by their short fingerprints, each URL once,
    /// where the order goes by them.
    pub(crate) fn count_links(
        &self,
        batch: &mut Batch,
        links: impl Iterator<Item = u64>,
    ) -> Result<(), CrawlError> {
        let Some(table) = &self.inlinks else {
            return Ok(());
        };
        for link in links {
            let n_links = n_inlinks(table, link)? + 1;
            batch.put(table, &link.to_be_bytes(), &n_links.to_le_bytes());
        }
        Ok(())
    }

    /// What the topic counts for a node now, where the order weighs it.
    pub(crate) fn elasticity(&self, node: NodeId) -> Option<f32> {
        self.mind.elasticity(node)
    }

    /// Hears of a page whose links are judged.
    pub(crate) fn settle(&mut self, arrival: &Arrival) {
        self.mind.settle(arrival);
    }

    /// What a link that waits is worth now; none if that cannot have changed.
    pub(crate) fn judge_again(&self, offer: &Offer) -> Option<f32> {
        let is_page = offer.purpose == Purpose::Page && offer.trail.steps > 0;
        if !is_page || !self.mind.changes() {
            return None;
        }
        // Orders that change their mind go by the link alone.
        let nowhere = Standpoint::nowhere(NodeId(0));
        match self.judge(&offer.url, &offer.trail, nowhere) {
            Judgement::Follow(priority) => Some(priority.value),
            Judgement::Leave => None,
        }
    }

    /// What decides about a link that is about to be followed, for the record.
    pub(crate) fn account(&self, offer: &Offer) -> Vec<(u32, f32)> {
        if offer.purpose != Purpose::Page {
            return Vec::new();
        }
        let url = offer.url.fingerprint().short();
        let sighting = Sighting::new(url, offer.trail.distance, &offer.trail.clues);
        shorten(self.mind.account(&sighting), offer.priority)
    }

    /// Hears that a page was fetched, and whether it was relevant.
    pub(crate) fn learn(
        &mut self,
        batch: &mut Batch,
        offer: &Offer,
        is_relevant: bool,
    ) -> Result<(), CrawlError> {
        if self.mind.memory() == 0 {
            return Ok(());
        }
        let from = offer.from.as_ref().map(|from| from.fingerprint().short());
        self.take_lesson(&offer.trail, from, is_relevant)?;
        self.remember(batch, offer, from);
        Ok(())
    }

    /// Hears that a page sends its visitors elsewhere: who comes there has
    /// come by the same link.
    pub(crate) fn pass_on(&self, batch: &mut Batch, offer: &Offer) -> Result<(), CrawlError> {
        let Some(from) = offer.from.as_ref().filter(|_| self.mind.memory() > 1) else {
            return Ok(());
        };
        let from = from.fingerprint().short();
        if let Some(bytes) = self.ways.get(&from.to_be_bytes())? {
            let key = offer.url.fingerprint().short().to_be_bytes();
            batch.put(&self.ways, &key, &bytes);
            batch.settle()?;
        }
        Ok(())
    }

    fn take_lesson(
        &mut self,
        trail: &Trail,
        from: Option<u64>,
        is_relevant: bool,
    ) -> Result<(), CrawlError> {
        // Nobody followed a link to a seed.
        if trail.steps == 0 {
            return Ok(());
        }
        let n_links = self.mind.memory().min(usize::from(trail.steps));
        let mut steps = vec![Step {
            distance: trail.distance,
            clues: trail.clues.clone(),
        }];
        let mut page = from;
        while let Some(at) = page.filter(|_| steps.len() < n_links) {
            let way = self.ways.get(&at.to_be_bytes())?;
            let way = way.and_then(|bytes| postcard::from_bytes::<Way>(&bytes).ok());
            page = way.as_ref().map(|way| way.from);
            steps.extend(way.map(|way| Step {
                distance: way.distance,
                clues: way.clues,
            }));
        }
        self.mind.learn(&Lesson {
            trail: &steps,
            is_relevant,
        });
        Ok(())
    }

    fn remember(&self, batch: &mut Batch, offer: &Offer, from: Option<u64>) {
        let Some(from) = from.filter(|_| self.mind.memory() > 1 && offer.trail.steps > 0) else {
            return;
        };
        let way = Way {
            from,
            distance: offer.trail.distance,
            clues: offer.trail.clues.clone(),
        };
        let key = offer.url.fingerprint().short().to_be_bytes();
        let bytes = postcard::to_stdvec(&way).expect("plain data always encodes");
        batch.put(&self.ways, &key, &bytes);
    }

    /// Writes down what was learned, when it is worth it or the crawl ends.
    pub(crate) fn save(
        &mut self,
        dir: &Path,
        n_visits: u64,
        is_last: bool,
    ) -> Result<(), CrawlError> {
        let is_due = is_last || n_visits >= self.n_saved + SAVE_EVERY;
        if self.mind.memory() == 0 || !is_due || n_visits == self.n_saved {
            return Ok(());
        }
        if let Some(saved) = self.mind.save() {
            let bytes = [&n_visits.to_le_bytes()[..], &saved].concat();
            note::write_bytes(dir, MODEL, &bytes)?;
            self.n_saved = n_visits;
        }
        Ok(())
    }
}

/// What the order of a crawl has learned, for another crawl or to look at.
pub fn read_model(mind: &mut dyn Mind, bytes: &[u8]) -> Result<(), MindError> {
    let (_, saved) = parts_of(bytes).ok_or(MindError::Garbled)?;
    mind.restore(saved)
}

fn parts_of(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (n_visits, saved) = bytes.split_first_chunk()?;
    Some((u64::from_le_bytes(*n_visits), saved))
}

fn n_inlinks(table: &Table, page: u64) -> Result<u64, CrawlError> {
    let row = table.get(&page.to_be_bytes())?;
    let n_links = row.and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)));
    Ok(n_links.unwrap_or(0))
}

fn fingerprint_of(url: &str) -> Option<u64> {
    let url = CanonicalUrl::parse(url).ok()?;
    Some(url.fingerprint().short())
}
