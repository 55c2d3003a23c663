//! Brings damaged tables up to date with the visit log.
//!
//! The log and the archive may know of visits that the tables have lost: a
//! damaged journal, a deleted folder. What those visits changed is worked out
//! again from the archived pages, with the code that did it the first time,
//! so that nothing is fetched twice and no link is lost.

use super::{Conductor, Ending};
use crate::error::CrawlError;
use crate::fetch::{Answer, Fetched, Landing, Request};
use crate::frontier::{Offer, Purpose};
use crate::reading::Mission;
use crate::stage::Stopwatch;
use bytes::Bytes;
use page::media::taken_for;
use page::url::CanonicalUrl;
use std::time::Duration;
use store::crawl_dir::VisitReader;
use store::visit::{Errand, Outcome, Visit};
use store::warc;
use strategy::roster::NodeId;

impl Conductor {
    /// Works out again what the tables do not know.
    pub(super) fn replay(&mut self) -> Result<(), CrawlError> {
        let n_visits = self.dir.n_visits();
        if self.n_known >= n_visits {
            return Ok(());
        }
        // All that was fetched is seen before any link is offered again. What
        // was to be tried again is not done.
        for visit in self.forgotten_visits()? {
            let Some((node, url)) = self.page_of(&visit) else {
                continue;
            };
            let mut batch = self.dir.batch();
            if let Some(claims) = &mut self.claims {
                claims.settle(&mut batch, &url, node)?;
            }
            if visit.retry_at.is_none() {
                let node = &mut self.nodes[usize::from(node.0)];
                node.frontier.mark_done(&mut batch, &url)?;
            }
            self.dir.apply(batch)?;
            self.commit_when_full()?;
        }
        for visit in self.forgotten_visits()? {
            self.n_known = visit.seq;
            if let Some((node, url)) = self.page_of(&visit) {
                self.redo(node, &url, &visit)?;
            }
            self.n_known = visit.seq + 1;
            self.commit_when_full()?;
        }
        self.n_known = n_visits;
        Ok(())
    }

    /// Keeps memory bounded; dying here goes on with the visits still unknown.
    pub(super) fn commit_when_full(&mut self) -> Result<(), CrawlError> {
        if self.is_group_full() {
            self.commit(Ending::Open)?;
        }
        Ok(())
    }

    fn forgotten_visits(&self) -> Result<impl Iterator<Item = Visit> + use<>, CrawlError> {
        let n_known = self.n_known;
        let visits = VisitReader::open_at(self.dir.path(), n_known)?;
        Ok(visits.filter(move |visit| visit.seq >= n_known))
    }

    fn page_of(&self, visit: &Visit) -> Option<(NodeId, CanonicalUrl)> {
        let is_ours = visit.errand == Errand::Page && usize::from(visit.node) < self.nodes.len();
        let url = CanonicalUrl::parse(&visit.url).ok()?;
        is_ours.then_some((NodeId(visit.node), url))
    }

    fn redo(&mut self, node: NodeId, url: &CanonicalUrl, visit: &Visit) -> Result<(), CrawlError> {
        let via = Offer {
            url: url.clone(),
            from: visit
                .from
                .as_deref()
                .and_then(|from| CanonicalUrl::parse(from).ok()),
            depth: visit.depth,
            hops: 0,
            tries: visit
                .tries
                .saturating_add(u8::from(visit.retry_at.is_some())),
            purpose: Purpose::Page,
            target: visit.target,
            priority: visit.priority,
            because: visit.because.clone(),
            trail: visit.trail.clone().unwrap_or_default(),
        };
        let Some(fetched) = self.fetched_again(visit)? else {
            let counts = &mut self.nodes[usize::from(node.0)].counts;
            match visit.outcome {
                Outcome::Fetched => counts.n_pages += 1,
                _ => counts.n_other += 1,
            }
            return match visit.retry_at {
                Some(_) => self.take_in(node, vec![via]).map(drop),
                None => Ok(()),
            };
        };
        let mission = Mission {
            flight: 0,
            node,
            request: Request::page(url),
            at: visit.at,
            because: String::new(),
            from: None,
            target: visit.target,
            hops: 0,
        };
        let landing = Landing {
            fetched,
            server: visit.server,
            took: Duration::ZERO,
        };
        let mut reading = self.reader.read(&mission, landing, Stopwatch::start());
        self.absorb(node, &via, &mut reading, &mut Stopwatch::start())?;
        while let Some(hand_over) = self.exchange.receive() {
            self.receive(hand_over)?;
        }
        Ok(())
    }

    /// The answer that a visit got, where it led anywhere.
    fn fetched_again(&self, visit: &Visit) -> Result<Option<Fetched>, CrawlError> {
        let answer = match (&visit.outcome, visit.archived) {
            (Outcome::Redirected(to), _) => Answer {
                status: visit.status.unwrap_or(301),
                head: Vec::new(),
                content_type: None,
                location: Some(to.clone()),
                body: Bytes::new(),
            },
            (Outcome::Fetched, Some(shelf)) => {
                let response = warc::read_at(self.dir.path(), shelf)?;
                // A revisit has no body, and its links were those of another.
                let Some(response) = response.filter(|found| found.refers_to.is_none()) else {
                    return Ok(None);
                };
                Answer {
                    status: response.status,
                    content_type: taken_for(response.content_type().as_deref(), &response.body),
                    head: response.head,
                    location: None,
                    body: Bytes::from(response.body),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(Fetched::Answer(answer)))
    }
}
