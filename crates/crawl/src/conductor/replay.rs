//! Brings damaged tables up to date with the visit log.
//!
//! The log and the archive may know of visits that the tables have lost: a
//! damaged journal, a deleted folder. What those visits changed is worked out
//! again, visit by visit and with the code that did it the first time, so that
//! nothing is fetched twice and no link is lost: pages are read from the
//! archive once more. What the archive was asked not to keep is on record with
//! its links. Clocks are not worked out again: every host counts as asked now.

use super::digest::sitemap_offers;
use super::{Conductor, Ending};
use crate::clock::after;
use crate::error::CrawlError;
use crate::fetch::{Answer, Fetched, Landing, Request};
use crate::frontier::{Offer, Purpose};
use crate::gate::sitemaps_of;
use crate::progress::{LostLinks, Progress, Rebuilding};
use crate::reading::{Found, MAX_HOPS, Mission, Reading};
use crate::robots::Rules;
use crate::stage::{Stopwatch, Timings};
use bytes::Bytes;
use page::media::taken_for;
use page::url::CanonicalUrl;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use store::crawl_dir::VisitReader;
use store::visit::{Errand, KeptLink, Outcome, Refusal, Visit};
use store::warc::{self, ArchivedResponse};
use strategy::order::Arrival;
use strategy::roster::NodeId;

impl Conductor {
    /// Works out again what the tables do not know.
    pub(super) fn replay(
        &mut self,
        seeds: &[CanonicalUrl],
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), CrawlError> {
        let n_visits = self.dir.n_visits();
        let Some(n_unknown @ 1..) = n_visits.checked_sub(self.n_known) else {
            return Ok(());
        };
        self.tell(watch, Rebuilding::Begun(n_unknown));
        if self.n_known == 0 {
            // Before any visit seeds were planted.
            self.plant(seeds)?;
        }
        let n_again_left = std::mem::replace(&mut self.n_again_left, u64::MAX);
        let mut lost = LostLinks::default();
        let n_known = self.n_known;
        let visits = VisitReader::open_at(self.dir.path(), n_known)?;
        for visit in visits.filter(|visit| visit.seq >= n_known) {
            self.n_known = visit.seq;
            self.redo(&visit, &mut lost)?;
            self.n_known = visit.seq + 1;
            self.commit_when_full()?;
        }
        self.n_known = n_visits;
        self.n_again_left = n_again_left;
        self.as_of = None;
        self.n_pages_before = self.n_pages();
        self.tell(watch, Rebuilding::Done(n_unknown, lost));
        Ok(())
    }

    /// Keeps memory bounded; dying here goes on with the visits still unknown.
    pub(super) fn commit_when_full(&mut self) -> Result<(), CrawlError> {
        if self.is_group_full() {
            self.commit(Ending::Open)?;
        }
        Ok(())
    }

    fn tell(&self, watch: &mut dyn FnMut(&Progress), rebuilding: Rebuilding) {
        watch(&Progress {
            rebuilding: Some(rebuilding),
            ..self.progress()
        });
    }

    fn redo(&mut self, visit: &Visit, lost: &mut LostLinks) -> Result<(), CrawlError> {
        let node = NodeId(visit.node);
        let Ok(url) = CanonicalUrl::parse(&visit.url) else {
            return Ok(());
        };
        if usize::from(node.0) >= self.nodes.len() {
            return Ok(());
        }
        let took = Duration::from_millis(visit.took_ms.into());
        self.as_of = Some(after(visit.at, took));
        if visit.errand == Errand::Robots {
            self.redo_robots(node, &url, visit)?;
        } else {
            let mine = &mut self.nodes[usize::from(node.0)];
            match visit.is_sent {
                true => mine.count_visit(visit),
                false => mine.counts.n_other += 1,
            }
            // A URL that was wanted in vain waits on.
            if visit.is_sent || visit.retry_at.is_none() {
                self.redo_page(node, url, visit, lost)?;
            }
        }
        while let Some(hand_over) = self.exchange.receive() {
            self.receive(hand_over)?;
        }
        Ok(())
    }

    /// The sitemaps that rules name.
    fn redo_robots(
        &mut self,
        node: NodeId,
        asked: &CanonicalUrl,
        visit: &Visit,
    ) -> Result<(), CrawlError> {
        let from = visit.from.as_deref().map(CanonicalUrl::parse);
        // Without a trail they led to no sitemaps.
        let (Some(Ok(wanted)), Some(trail)) = (from, &visit.trail) else {
            return Ok(());
        };
        let sitemaps = match self.body_of(visit)? {
            Some(response) if visit.outcome == Outcome::Fetched => {
                let rules = Rules::parse(&response.body, &self.settings.agent);
                sitemap_offers(&sitemaps_of(&rules, &wanted), &wanted, trail)
            }
            _ => offers_of(visit, wanted.join("/robots.txt").as_ref().unwrap_or(asked))
                .map(|(_, offer)| offer)
                .collect(),
        };
        self.offer_sitemaps(node, sitemaps)?;
        Ok(())
    }

    fn redo_page(
        &mut self,
        node: NodeId,
        url: CanonicalUrl,
        visit: &Visit,
        lost: &mut LostLinks,
    ) -> Result<(), CrawlError> {
        let mut batch = self.dir.batch();
        let frontier = &mut self.nodes[usize::from(node.0)].frontier;
        frontier.take_again(&mut batch, &url)?;
        self.dir.apply(batch)?;
        if !visit.is_sent {
            return Ok(());
        }
        let offer = offer_of(url, visit);
        let (mut reading, basis) = self.read_again(node, &offer, visit)?;
        match basis {
            Basis::Archive => {
                self.absorb(node, &offer, &mut reading, &mut Stopwatch::start())?;
            }
            Basis::Log => self.absorb_record(node, &offer, visit, lost)?,
        }
        let mut batch = self.dir.batch();
        let frontier = &mut self.nodes[usize::from(node.0)].frontier;
        if let Some(at) = visit.retry_at {
            let tries = offer.tries.saturating_add(1);
            let again = Offer {
                tries,
                ..offer.clone()
            };
            frontier.postpone_again(&mut batch, &again, at)?;
        }
        let addresses: Vec<u64> = visit.entities.iter().map(|entity| entity.key).collect();
        if !addresses.is_empty() {
            frontier.reward(&mut batch, &offer.url, &addresses)?;
        }
        self.dir.apply(batch)?;
        Ok(())
    }

    /// What a visit brought, read once more as far as it can be had.
    fn read_again(
        &self,
        node: NodeId,
        offer: &Offer,
        visit: &Visit,
    ) -> Result<(Box<Reading>, Basis), CrawlError> {
        let mission = Mission {
            flight: 0,
            node,
            request: Request::of(&offer.url, visit.errand),
            at: visit.at,
            because: String::new(),
            from: offer.from.clone(),
            target: visit.target,
            hops: visit.hops.min(MAX_HOPS),
        };
        let has_body = matches!(visit.outcome, Outcome::Fetched | Outcome::SoftMissing);
        let response = match has_body {
            true => self.body_of(visit)?,
            false => None,
        };
        let is_redirect = matches!(visit.outcome, Outcome::Redirected(_));
        let is_read = response.is_some() || is_redirect;
        let landing = Landing {
            fetched: fetched_again(visit, response),
            server: visit.server,
            took: Duration::from_millis(visit.took_ms.into()),
            recorded: visit.recorded,
        };
        if is_read {
            let read = || {
                self.reader
                    .read(&mission, landing.clone(), Stopwatch::start())
            };
            // A page that defeats its reader costs that page alone.
            if let Ok(mut reading) = catch_unwind(AssertUnwindSafe(read)) {
                if visit.archived.is_some() && reading.bundle.is_none() {
                    reading.bundle = self.reader.pack_again(&reading);
                }
                return Ok((reading, Basis::Archive));
            }
        }
        let is_lacking = visit.outcome == Outcome::Fetched || !visit.kept_links.is_empty();
        let reading = Reading {
            found: Found::nothing(&mission.request.url),
            mission,
            landing,
            outcome: visit.outcome.clone(),
            bundle: None,
            timings: Timings::default(),
        };
        let basis = match is_lacking {
            true => Basis::Log,
            false => Basis::Archive,
        };
        Ok((Box::new(reading), basis))
    }

    /// The archived answer to a visit, if all of it is there.
    fn body_of(&self, visit: &Visit) -> Result<Option<ArchivedResponse>, CrawlError> {
        let Some(shelf) = visit.archived else {
            return Ok(None);
        };
        let response = warc::read_at(self.dir.path(), shelf)?;
        let is_whole = |response: &ArchivedResponse| {
            response.refers_to.is_none() && response.body.len() == visit.bytes as usize
        };
        Ok(response.filter(is_whole))
    }

    /// Learns from a page by its record alone, and sends the links on their
    /// way that are kept there.
    fn absorb_record(
        &mut self,
        node: NodeId,
        offer: &Offer,
        visit: &Visit,
        lost: &mut LostLinks,
    ) -> Result<(), CrawlError> {
        let mut batch = self.dir.batch();
        if visit.is_page() {
            if offer.purpose == Purpose::Page {
                let is_relevant = !visit.entities.is_empty();
                self.learner.learn(&mut batch, offer, is_relevant)?;
            }
            let mut seen = HashSet::new();
            let links = visit.links.iter().filter(|link| {
                let is_left_out = matches!(
                    link.refused,
                    Some(Refusal::NoFollow | Refusal::TooManyLinks)
                );
                !is_left_out && seen.insert(link.url)
            });
            self.learner
                .count_links(&mut batch, links.map(|link| link.url))?;
            self.learner.settle(&Arrival {
                node,
                topicality: visit.topicality,
            });
        }
        self.lore.learn_again(&mut batch, offer, visit)?;
        self.dir.apply(batch)?;
        let refusals = &mut self.nodes[usize::from(node.0)].counts.refusals;
        for refusal in visit.links.iter().filter_map(|link| link.refused) {
            refusals.add(refusal, 1);
        }
        let offers: Vec<(NodeId, Offer)> = offers_of(visit, &offer.url).collect();
        let n_followed = visit.links.iter().filter(|link| link.refused.is_none());
        let n_lost = n_followed.count().saturating_sub(offers.len()) as u64;
        if n_lost > 0 {
            lost.n_pages += 1;
            lost.n_links += n_lost;
            lost.page.get_or_insert_with(|| visit.url.clone());
        }
        let n_nodes = self.nodes.len();
        let is_ours = |(node, _): &(NodeId, Offer)| usize::from(node.0) < n_nodes;
        self.spread(node, offers.into_iter().filter(is_ours).collect())?;
        Ok(())
    }
}

/// Where it is known from what a visit brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// The archive has all that led anywhere.
    Archive,
    /// The archive lacks a page, whose record has to do.
    Log,
}

/// The link that a visit followed.
fn offer_of(url: CanonicalUrl, visit: &Visit) -> Offer {
    let from = visit.from.as_deref();
    Offer {
        url,
        from: from.and_then(|from| CanonicalUrl::parse(from).ok()),
        depth: visit.depth,
        hops: visit.hops,
        tries: visit.tries,
        purpose: match visit.errand {
            Errand::Sitemap => Purpose::Sitemap,
            _ if visit.is_refresh => Purpose::Refresh,
            _ => Purpose::Page,
        },
        target: visit.target,
        priority: visit.priority,
        because: visit.because.clone(),
        trail: visit.trail.clone().unwrap_or_default(),
    }
}

/// The links that a record keeps in full, each with its node.
fn offers_of<'a>(
    visit: &'a Visit,
    from: &'a CanonicalUrl,
) -> impl Iterator<Item = (NodeId, Offer)> + 'a {
    let offer = move |link: &KeptLink| {
        let offer = Offer {
            url: CanonicalUrl::parse(&link.url).ok()?,
            from: Some(from.clone()),
            depth: link.depth,
            hops: link.hops,
            tries: 0,
            purpose: match link.is_sitemap {
                true => Purpose::Sitemap,
                false => Purpose::Page,
            },
            target: link.target,
            priority: link.priority,
            because: link.because.clone(),
            trail: link.trail.clone(),
        };
        Some((NodeId(link.node), offer))
    };
    visit.kept_links.iter().filter_map(offer)
}

/// What a fetch came back with, as far as it is known.
fn fetched_again(visit: &Visit, response: Option<ArchivedResponse>) -> Fetched {
    match &visit.outcome {
        Outcome::Unresolved => Fetched::Unresolved,
        Outcome::Unreachable(why) => Fetched::Unreachable(why.clone()),
        Outcome::TimedOut => Fetched::TimedOut,
        Outcome::TooLarge => Fetched::TooLarge,
        Outcome::PrivateAddress => Fetched::PrivateAddress,
        Outcome::Garbled(why) => Fetched::Garbled(why.clone()),
        Outcome::Untrusted(why) => Fetched::Untrusted(why.clone()),
        Outcome::NotArchived => Fetched::NotArchived,
        outcome => Fetched::Answer(match response {
            Some(response) => Answer {
                status: response.status,
                content_type: taken_for(response.content_type().as_deref(), &response.body),
                head: response.head,
                location: None,
                body: Bytes::from(response.body),
            },
            None => Answer {
                status: visit.status.unwrap_or(0),
                head: Vec::new(),
                content_type: visit.content_type.clone(),
                location: match outcome {
                    Outcome::Redirected(to) => Some(to.clone()),
                    _ => None,
                },
                body: Bytes::new(),
            },
        }),
    }
}
