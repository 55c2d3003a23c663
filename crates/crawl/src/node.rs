//! One crawling node: its frontier, its order, its counts.

use crate::error::CrawlError;
use crate::frontier::{Frontier, Offer};
use crate::progress::{NodeProgress, Refusals};
use crate::reading::{Reader, Reading, signpost};
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use store::crawl_dir::CrawlDir;
use store::table::Batch;
use store::visit::{LinkRecord, Outcome, Refusal};
use strategy::assign::Assignment;
use strategy::evaluate::Evaluation;
use strategy::order::Order;
use strategy::roster::NodeId;

/// Redirects followed in a row, as browsers and RFC 9309 have it.
const MAX_HOPS: u8 = 5;

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

/// The links of one page, on their way.
pub(crate) struct Outgoing {
    /// For the visit log: every link and the node it was given to.
    pub(crate) records: Vec<LinkRecord>,
    /// Each link with the node that gets it.
    pub(crate) offers: Vec<(NodeId, Offer)>,
}

impl Node {
    pub(crate) fn open(
        dir: &CrawlDir,
        id: NodeId,
        name: String,
        order: Box<dyn Order>,
    ) -> Result<Node, CrawlError> {
        let counts = dir.table("counters")?.get(&counts_key(id))?;
        let counts = counts
            .and_then(|bytes| postcard::from_bytes(&bytes).ok())
            .unwrap_or_default();
        let frontier = Frontier::open(dir, id)?;
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
        match reading.outcome {
            Outcome::Fetched => {
                self.counts.n_pages += 1;
                self.counts.n_geo_pages += u64::from(!reading.found.evaluation.entities.is_empty());
                self.last_url = reading.found.page.url.as_str().into();
            }
            _ => self.counts.n_other += 1,
        }
        let n_nofollow = u64::from(reading.found.n_nofollow);
        self.counts.refusals.add(Refusal::NoFollow, n_nofollow);
    }

    /// Learns from a page and judges its links.
    pub(crate) fn judge(
        &mut self,
        reader: &Reader,
        reading: &Reading,
        via: &Offer,
        max_depth: u16,
    ) -> Outgoing {
        let found = &reading.found;
        let scene = reader.scene(&found.page, &found.evaluation, self.id);
        self.order.observe(&scene);
        let is_redirect = matches!(reading.outcome, Outcome::Redirected(_));
        let hops = if is_redirect { via.hops + 1 } else { 0 };
        let mut outgoing = Outgoing {
            records: Vec::new(),
            offers: Vec::new(),
        };
        if hops > MAX_HOPS {
            return outgoing;
        }
        for found_link in &found.links {
            let link = &found.page.links[found_link.link_idx];
            let assignment = found_link.assignment;
            let depth = match (link.leaves_domain, is_redirect) {
                (true, _) => 0,
                (false, true) => via.depth,
                (false, false) => via.depth.saturating_add(1),
            };
            let url = found_link.fingerprint.short();
            if depth > max_depth {
                // Part of the link graph all the same, and handed to nobody.
                outgoing.records.push(LinkRecord {
                    url,
                    node: self.id.0,
                    refused: Some(Refusal::TooDeep),
                });
                self.counts.refusals.add(Refusal::TooDeep, 1);
                continue;
            }
            outgoing.records.push(LinkRecord {
                url,
                node: assignment.node.0,
                refused: None,
            });
            let priority = self.order.order(&scene, link);
            outgoing.offers.push((
                assignment.node,
                Offer {
                    url: link.url.clone(),
                    from: Some(found.page.url.clone()),
                    depth,
                    hops,
                    target: assignment.target.map(|target| reader.geonameid(target)),
                    priority: priority.value,
                    because: format!("{}; {}", assignment.because, priority.because),
                },
            ));
        }
        outgoing
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
        let priority = self
            .order
            .order(&reader.scene(&page, &evaluation, self.id), &page.links[0]);
        Offer {
            url: seed.clone(),
            from: None,
            depth: 0,
            hops: 0,
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
            // filled by the conductor
            n_cold: 0,
            n_retrying: 0,
            n_parked: 0,
            n_hosts: self.frontier.n_hosts() as u64,
            n_flights: self.n_flights,
            n_received: self.counts.n_received,
            last_url: self.last_url.clone(),
            refusals: self.counts.refusals,
        }
    }
}

fn counts_key(node: NodeId) -> Vec<u8> {
    let mut key = b"counts".to_vec();
    key.extend_from_slice(&node.0.to_be_bytes());
    key
}
