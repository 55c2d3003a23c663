//! One crawling node: its frontier, its order, its counts.

mod judging;

pub(crate) use judging::{Circumstances, Outgoing, comes_from, leads_to};

use crate::clock::after;
use crate::error::CrawlError;
use crate::frontier::{Frontier, Offer, Offered, Purpose};
use crate::learner::{Learner, Standpoint};
use crate::progress::{Again, NodeProgress, Refusals};
use crate::reading::{Reader, Reading};
use crate::settings::Settings;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::table::Batch;
use store::visit::{Earlier, Errand, Outcome, PageCount, Refusal, Time, Trail, Visit};
use strategy::assign::Assignment;
use strategy::order::Judgement;
use strategy::roster::NodeId;

/// A host that is left alone for longer than this is worth telling of.
pub(crate) const LONG_REST: Duration = Duration::from_secs(60);

/// Hosts told of, those with the longest rest.
const MOST_RESTING: usize = 10;

pub(crate) struct Node {
    pub(crate) id: NodeId,
    name: String,
    pub(crate) frontier: Frontier,
    pub(crate) counts: Counts,
    pub(crate) n_flights: usize,
    /// Pages asked for again in this session.
    again: Again,
    last_url: String,
}

/// What a node has done, in all sessions; kept with every commit.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) n_pages: u64,
    pub(crate) n_geo_pages: u64,
    pub(crate) n_other: u64,
    pub(crate) n_received: u64,
    /// Links not followed, by reason.
    pub(crate) refusals: Refusals,
}

/// The same with fewer reasons: before orders and filters refused links, nine,
/// and before pages had too many of them, twelve.
#[derive(Deserialize)]
struct OldCounts<R> {
    n_pages: u64,
    n_geo_pages: u64,
    n_other: u64,
    n_received: u64,
    refusals: R,
}

impl<R: AsRef<[u64]>> From<OldCounts<R>> for Counts {
    fn from(old: OldCounts<R>) -> Counts {
        let mut refusals = Refusals::default();
        for (refusal, n_links) in Refusal::ALL.into_iter().zip(old.refusals.as_ref()) {
            refusals.add(refusal, *n_links);
        }
        Counts {
            n_pages: old.n_pages,
            n_geo_pages: old.n_geo_pages,
            n_other: old.n_other,
            n_received: old.n_received,
            refusals,
        }
    }
}

impl Counts {
    /// Counts a page, which may have been there before.
    pub(crate) fn add_page(&mut self, is_geo: bool, earlier: Option<Earlier>) {
        let mut pages = PageCount {
            n_pages: self.n_pages,
            n_geo_pages: self.n_geo_pages,
        };
        pages.add_page(is_geo, earlier);
        (self.n_pages, self.n_geo_pages) = (pages.n_pages, pages.n_geo_pages);
    }

    fn open(dir: &CrawlDir, node: NodeId) -> Result<Counts, CrawlError> {
        let table = dir.table("counters")?;
        if let Some(bytes) = table.get(&counts_key("counts-4", node))? {
            return Ok(postcard::from_bytes(&bytes).unwrap_or_default());
        }
        let twelve = table.get(&counts_key("counts-3", node))?;
        if let Some(bytes) = twelve {
            return Ok(from_old::<[u64; 12]>(&bytes));
        }
        let nine = table.get(&counts_key("counts-2", node))?;
        Ok(nine.map_or_else(Counts::default, |bytes| from_old::<[u64; 9]>(&bytes)))
    }
}

impl Node {
    pub(crate) fn open(
        dir: &CrawlDir,
        id: NodeId,
        name: String,
        settings: &Settings,
    ) -> Result<Node, CrawlError> {
        let frontier = Frontier::open(dir, id, settings)?;
        Ok(Node {
            id,
            name,
            frontier,
            counts: Counts::open(dir, id)?,
            n_flights: 0,
            again: Again::default(),
            last_url: String::new(),
        })
    }

    pub(crate) fn save(&mut self, dir: &CrawlDir, batch: &mut Batch) -> Result<(), CrawlError> {
        self.frontier.save(batch);
        let bytes = postcard::to_stdvec(&self.counts).expect("plain data always encodes");
        batch.put(
            &dir.table("counters")?,
            &counts_key("counts-4", self.id),
            &bytes,
        );
        Ok(())
    }

    /// Takes links in, from a page of its own, a peer or a seed list. Returns
    /// the short fingerprints of those beyond the budget of their domain.
    pub(crate) fn take_in(
        &mut self,
        batch: &mut Batch,
        offers: impl IntoIterator<Item = Offer>,
    ) -> Result<Vec<u64>, CrawlError> {
        let mut cold = Vec::new();
        for offer in offers {
            let url = offer.url.fingerprint().short();
            if self.frontier.offer(batch, offer)? == Offered::Cold {
                cold.push(url);
            }
        }
        Ok(cold)
    }

    /// Counts what came back.
    pub(crate) fn count(&mut self, reading: &Reading, earlier: Option<Earlier>) {
        self.again.add(reading, earlier);
        let url = &reading.mission.request.url;
        let is_geo = !reading.found.evaluation.entities.is_empty();
        let errand = reading.mission.request.errand;
        self.count_ended(errand, &reading.outcome, (is_geo, earlier), url.as_str());
    }

    /// Counts what is on record.
    pub(crate) fn count_visit(&mut self, visit: &Visit) {
        let page = (visit.is_geo(), visit.earlier);
        self.count_ended(visit.errand, &visit.outcome, page, &visit.url);
    }

    fn count_ended(
        &mut self,
        errand: Errand,
        outcome: &Outcome,
        (is_geo, earlier): (bool, Option<Earlier>),
        url: &str,
    ) {
        match (outcome, errand) {
            (Outcome::Fetched, Errand::Page) => {
                self.counts.add_page(is_geo, earlier);
                self.last_url = url.into();
            }
            (_, Errand::Page) => self.counts.n_other += 1,
            (_, Errand::Robots | Errand::Sitemap) => {}
        }
    }

    /// Judges a seed: a link that stands nowhere. None if the order does not
    /// go there.
    pub(crate) fn judge_seed(
        &self,
        reader: &Reader,
        learner: &Learner,
        seed: &CanonicalUrl,
        assignment: Assignment,
    ) -> Option<Offer> {
        let trail = Trail {
            clues: reader.look_at_seed(seed),
            is_own: true,
            ..Trail::default()
        };
        let Judgement::Follow(priority) = learner.judge(seed, &trail, Standpoint::nowhere(self.id))
        else {
            return None;
        };
        Some(Offer {
            url: seed.clone(),
            from: None,
            depth: 0,
            hops: 0,
            tries: 0,
            purpose: Purpose::Page,
            target: assignment.target.map(|target| reader.geonameid(target)),
            priority: priority.value,
            because: format!("seed; {}; {}", assignment.because, priority.because),
            trail,
        })
    }

    pub(crate) fn progress(&self, now: Time) -> NodeProgress {
        NodeProgress {
            name: self.name.clone(),
            n_pages: self.counts.n_pages,
            n_geo_pages: self.counts.n_geo_pages,
            n_other: self.counts.n_other,
            n_waiting: self.frontier.n_waiting(),
            n_cold: self.frontier.n_cold(),
            n_retrying: self.frontier.n_retrying(),
            n_parked: self.frontier.n_parked() as u64,
            n_hosts: self.frontier.n_hosts() as u64,
            n_flights: self.n_flights,
            n_received: self.counts.n_received,
            again: self.again,
            last_url: self.last_url.clone(),
            refusals: self.counts.refusals,
            resting: self.frontier.resting(after(now, LONG_REST), MOST_RESTING),
        }
    }
}

fn from_old<R: AsRef<[u64]> + for<'a> Deserialize<'a>>(bytes: &[u8]) -> Counts {
    let old = postcard::from_bytes::<OldCounts<R>>(bytes);
    old.map_or_else(|_| Counts::default(), Counts::from)
}

fn counts_key(name: &str, node: NodeId) -> Vec<u8> {
    let mut key = name.as_bytes().to_vec();
    key.extend_from_slice(&node.0.to_be_bytes());
    key
}
