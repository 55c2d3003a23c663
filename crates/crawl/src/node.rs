//! One crawling node: its frontier, its order, its counts.

mod judging;

pub(crate) use judging::{Circumstances, Outgoing};

use crate::error::CrawlError;
use crate::frontier::{Frontier, Offer, Purpose};
use crate::progress::{NodeProgress, Refusals};
use crate::reading::{Origin, Reader, Reading, signpost};
use crate::settings::Settings;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use store::crawl_dir::CrawlDir;
use store::table::Batch;
use store::visit::{Errand, Outcome, Refusal};
use strategy::assign::Assignment;
use strategy::evaluate::Evaluation;
use strategy::order::Order;
use strategy::roster::NodeId;

pub(crate) struct Node {
    pub(crate) id: NodeId,
    name: String,
    pub(crate) frontier: Frontier,
    order: Box<dyn Order>,
    pub(crate) counts: Counts,
    pub(crate) n_flights: usize,
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

impl Node {
    pub(crate) fn open(
        dir: &CrawlDir,
        id: NodeId,
        name: String,
        order: Box<dyn Order>,
        settings: &Settings,
    ) -> Result<Node, CrawlError> {
        let counts = dir.table("counters")?.get(&counts_key(id))?;
        let counts = counts
            .and_then(|bytes| postcard::from_bytes(&bytes).ok())
            .unwrap_or_default();
        let frontier = Frontier::open(dir, id, settings)?;
        Ok(Node {
            id,
            name,
            frontier,
            order,
            counts,
            n_flights: 0,
            last_url: String::new(),
        })
    }

    pub(crate) fn save(&self, dir: &CrawlDir, batch: &mut Batch) -> Result<(), CrawlError> {
        let bytes = postcard::to_stdvec(&self.counts).expect("plain data always encodes");
        batch.put(&dir.table("counters")?, &counts_key(self.id), &bytes);
        Ok(())
    }

    /// Takes links in, from a page of its own, a peer or a seed list.
    pub(crate) fn take_in(
        &mut self,
        batch: &mut Batch,
        offers: impl IntoIterator<Item = Offer>,
    ) -> Result<(), CrawlError> {
        for offer in offers {
            self.frontier.offer(batch, offer)?;
        }
        Ok(())
    }

    /// Counts what came back.
    pub(crate) fn count(&mut self, reading: &Reading) {
        match (&reading.outcome, reading.mission.request.errand) {
            (Outcome::Fetched, Errand::Page) => {
                self.counts.n_pages += 1;
                self.counts.n_geo_pages += u64::from(!reading.found.evaluation.entities.is_empty());
                self.last_url = reading.found.page.url.as_str().into();
            }
            (_, Errand::Page) => self.counts.n_other += 1,
            (_, Errand::Robots | Errand::Sitemap) => {}
        }
        let n_nofollow = u64::from(reading.found.n_nofollow);
        self.counts.refusals.add(Refusal::NoFollow, n_nofollow);
    }

    /// Judges a seed: a link that stands nowhere.
    pub(crate) fn judge_seed(
        &self,
        reader: &Reader,
        seed: &CanonicalUrl,
        assignment: Assignment,
    ) -> Offer {
        let page = signpost(seed, seed.clone());
        let evaluation = Evaluation::default();
        let priority = self.order.order(
            &reader.scene(&page, &evaluation, Origin::nowhere(self.id)),
            &page.links[0],
        );
        Offer {
            url: seed.clone(),
            from: None,
            depth: 0,
            hops: 0,
            tries: 0,
            purpose: Purpose::Page,
            target: assignment.target.map(|target| reader.geonameid(target)),
            priority: priority.value,
            because: format!("seed; {}; {}", assignment.because, priority.because),
        }
    }

    pub(crate) fn progress(&self) -> NodeProgress {
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
            last_url: self.last_url.clone(),
            refusals: self.counts.refusals,
        }
    }
}

fn counts_key(node: NodeId) -> Vec<u8> {
    let mut key = b"counts-2".to_vec();
    key.extend_from_slice(&node.0.to_be_bytes());
    key
}
