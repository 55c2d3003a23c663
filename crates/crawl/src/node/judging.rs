//! Decides about the links of a page: followed by whom and how soon, or not
//! followed and why.

use super::Node;
use crate::bounds::{Bounds, OutOfBounds};
use crate::claims::Claims;
use crate::error::CrawlError;
use crate::fetch::address::{self, OpenRange};
use crate::filters::Filters;
use crate::frontier::{Offer, Purpose};
use crate::learner::{Learner, Standpoint};
use crate::reading::{Found, FoundLink, Hint, MAX_HOPS, Reader, Reading};
use crate::stage::{Stage, Stopwatch};
use crate::trap::Traps;
use page::html::Link;
use page::url::CanonicalUrl;
use store::table::Batch;
use store::visit::{LinkRecord, Outcome, Refusal, Time, Trail};
use strategy::assign::Assignment;
use strategy::order::{Clues, Judgement, Priority};
use strategy::roster::NodeId;

/// What a judgement depends on beside the page.
pub(crate) struct Circumstances<'a> {
    pub(crate) reader: &'a Reader,
    pub(crate) traps: &'a mut Traps,
    /// Who gets links that are somebody's already; none where nobody cares.
    pub(crate) claims: Option<&'a mut Claims>,
    pub(crate) batch: &'a mut Batch,
    pub(crate) learner: &'a Learner,
    /// The page itself, as the order sees it.
    pub(crate) on: Standpoint,
    pub(crate) watch: &'a mut Stopwatch,
    pub(crate) max_depth: u16,
    pub(crate) bounds: &'a Bounds,
    pub(crate) filters: &'a Filters,
    /// What was opened of one's own network.
    pub(crate) own: &'a [OpenRange],
    /// What the page is written in, where it says so.
    pub(crate) language: Option<&'a str>,
    pub(crate) now: Time,
    /// The page is a copy: its links have been followed.
    pub(crate) is_copy: bool,
}

impl Circumstances<'_> {
    /// Gives a link to the node that its URL belongs to.
    fn claim(&mut self, link: &Link, assignment: Assignment) -> Result<Assignment, CrawlError> {
        let Some(claims) = &mut self.claims else {
            return Ok(assignment);
        };
        let node = claims.settle(self.batch, &link.url, assignment.node)?;
        Ok(match node == assignment.node {
            true => assignment,
            false => Assignment {
                node,
                because: "first offered to this node",
                ..assignment
            },
        })
    }
}

impl Circumstances<'_> {
    /// What the order makes of the links of a page.
    fn judge_all(&mut self, found: &Found, way: &Way<'_>) -> Vec<(Trail, Judgement)> {
        let judge = |found_link: &FoundLink| {
            let trail = way.trail_of(&found_link.clues);
            let url = &found.page.links[found_link.link_idx].url;
            let judgement = self.learner.judge(url, &trail, self.on);
            (trail, judgement)
        };
        let judged = found.links.iter().map(judge).collect();
        self.watch.lap(Stage::Order);
        judged
    }
}

/// The links of one page, on their way.
#[derive(Default)]
pub(crate) struct Outgoing {
    /// For the visit log: every link and the node it was given to.
    pub(crate) records: Vec<LinkRecord>,
    /// Each link with the node that gets it.
    pub(crate) offers: Vec<(NodeId, Offer)>,
}

/// How a page came to be fetched, as far as its links inherit it.
struct Way<'a> {
    is_redirect: bool,
    purpose: Purpose,
    depth: u16,
    hops: u8,
    trail: &'a Trail,
    is_relevant: bool,
    /// The page comes from one's own network.
    is_own: bool,
}

impl<'a> Way<'a> {
    fn of(reading: &Reading, via: &'a Offer, own: &[OpenRange]) -> Way<'a> {
        let is_redirect = matches!(reading.outcome, Outcome::Redirected(_));
        // Sitemaps that name sitemaps are signposts as well.
        let is_signpost = is_redirect || via.purpose == Purpose::Sitemap;
        let is_seed = via.purpose == Purpose::Page && via.trail.steps == 0;
        Way {
            trail: &via.trail,
            is_own: comes_from(reading, own),
            is_relevant: is_seed || !reading.found.evaluation.entities.is_empty(),
            is_redirect,
            purpose: via.purpose,
            depth: via.depth,
            hops: if is_signpost { via.hops + 1 } else { 0 },
        }
    }

    fn depth_of(&self, link: &Link) -> u16 {
        match (link.leaves_domain, self.is_redirect) {
            (true, _) => 0,
            (false, true) => self.depth,
            (false, false) => self.depth.saturating_add(1),
        }
    }

    /// How a link was come by. A redirect is the same link continued.
    fn trail_of(&self, clues: &Clues) -> Trail {
        if self.is_redirect {
            return Trail {
                is_own: self.is_own,
                ..self.trail.clone()
            };
        }
        Trail {
            is_own: self.is_own,
            distance: match self.is_relevant {
                true => 1,
                false => self.trail.distance.saturating_add(1),
            },
            steps: self.trail.steps.saturating_add(1),
            // A list shows some orders nothing: what led to it has to do.
            clues: match clues.is_empty() {
                true => self.trail.clues.clone(),
                false => clues.clone(),
            },
        }
    }

    fn purpose_of(&self, hint: Option<&Hint>) -> Purpose {
        match (hint, self.purpose) {
            (Some(hint), _) => hint.purpose,
            (None, Purpose::Sitemap) if self.is_redirect => Purpose::Sitemap,
            _ => Purpose::Page,
        }
    }

    /// Only redirects and sitemaps that name sitemaps count hops.
    fn hops_of(&self, purpose: Purpose) -> u8 {
        match self.is_redirect || purpose == Purpose::Sitemap {
            true => self.hops,
            false => 0,
        }
    }
}

impl Node {
    /// Learns from a page and judges its links.
    pub(crate) fn judge(
        &mut self,
        circumstances: &mut Circumstances<'_>,
        reading: &Reading,
        via: &Offer,
    ) -> Result<Outgoing, CrawlError> {
        let found = &reading.found;
        let way = Way::of(reading, via, circumstances.own);
        let mut outgoing = Outgoing::default();
        if way.hops > MAX_HOPS || reading.outcome == Outcome::SoftMissing {
            return Ok(outgoing);
        }
        let judged = circumstances.judge_all(found, &way);
        for (found_link, (trail, judgement)) in found.links.iter().zip(judged) {
            let link = &found.page.links[found_link.link_idx];
            let hint = found.hints.get(found_link.link_idx);
            let url = found_link.fingerprint.short();
            let refusal = self.refusal(circumstances, &way, (link, judgement), hint)?;
            if let Some(refusal) = refusal {
                outgoing.records.push(self.refuse(url, refusal));
                continue;
            }
            let assignments = match way.purpose_of(hint) {
                // Whoever read one list of a site reads its others, once.
                Purpose::Sitemap => vec![Assignment {
                    node: self.id,
                    ..found_link.assignment
                }],
                Purpose::Page | Purpose::Refresh => found_link
                    .assignments()
                    .map(|assignment| circumstances.claim(link, assignment))
                    .collect::<Result<_, _>>()?,
            };
            for assignment in assignments {
                outgoing.records.push(LinkRecord {
                    url,
                    node: assignment.node.0,
                    refused: None,
                    is_cold: false,
                });
                let standing = Standing {
                    link,
                    hint,
                    trail: &trail,
                    judgement,
                };
                let offer = standing.offer(circumstances.reader, reading, &way, assignment);
                outgoing.offers.push((assignment.node, offer));
            }
        }
        for (fingerprint, refusal) in &found.left_out {
            let record = self.refuse(fingerprint.short(), *refusal);
            outgoing.records.push(record);
        }
        Ok(outgoing)
    }

    /// Counts a link that is not followed. It is part of the link graph all
    /// the same, and handed to nobody.
    pub(crate) fn refuse(&mut self, url: u64, refusal: Refusal) -> LinkRecord {
        self.counts.refusals.add(refusal, 1);
        LinkRecord {
            url,
            node: self.id.0,
            refused: Some(refusal),
            is_cold: false,
        }
    }

    fn refusal(
        &self,
        circumstances: &mut Circumstances<'_>,
        way: &Way<'_>,
        (link, judgement): (&Link, Judgement),
        hint: Option<&Hint>,
    ) -> Result<Option<Refusal>, CrawlError> {
        if circumstances.is_copy {
            return Ok(Some(Refusal::OnCopy));
        }
        if way.depth_of(link) > circumstances.max_depth {
            return Ok(Some(Refusal::TooDeep));
        }
        if !way.is_own && leads_to(&link.url, circumstances.own) {
            return Ok(Some(Refusal::FromOutside));
        }
        let bounds = circumstances.bounds;
        // A sitemap's address may look like anything.
        if way.purpose_of(hint) == Purpose::Sitemap {
            return Ok(bounds.judge_list(&link.url).map(OutOfBounds::refusal));
        }
        if let Some(out) = bounds.judge(&link.url) {
            return Ok(Some(out.refusal()));
        }
        let filters = circumstances.filters;
        if let Some(refusal) = filters.refusal(&link.url, circumstances.language) {
            return Ok(Some(refusal));
        }
        // A redirect is followed wherever its link was.
        if judgement == Judgement::Leave && !way.is_redirect {
            return Ok(Some(Refusal::NotGeographic));
        }
        circumstances.traps.judge(&link.url, circumstances.now)
    }
}

/// Whether a page comes from one's own network: only such a page may lead
/// there.
pub(crate) fn comes_from(reading: &Reading, own: &[OpenRange]) -> bool {
    let host = reading.mission.request.url.host();
    let server = reading.landing.server;
    !own.is_empty()
        && server
            .or_else(|| address::betrayed(host))
            .is_some_and(|ip| address::is_own(ip, own))
}

/// Whether it can be seen that a link leads there. What else does is refused
/// when its name is looked up.
pub(crate) fn leads_to(url: &CanonicalUrl, own: &[OpenRange]) -> bool {
    !own.is_empty() && address::betrayed(url.host()).is_some_and(|ip| address::is_own(ip, own))
}

/// A link that is followed, with all that is known of it.
struct Standing<'a> {
    link: &'a Link,
    hint: Option<&'a Hint>,
    trail: &'a Trail,
    judgement: Judgement,
}

impl Standing<'_> {
    fn offer(
        &self,
        reader: &Reader,
        reading: &Reading,
        way: &Way<'_>,
        assignment: Assignment,
    ) -> Offer {
        let &Standing { link, hint, .. } = self;
        let priority = match self.judgement {
            Judgement::Follow(priority) => priority,
            Judgement::Leave => Priority {
                value: 0.0,
                because: "sent there",
            },
        };
        let purpose = way.purpose_of(hint);
        Offer {
            url: link.url.clone(),
            from: Some(reading.found.page.url.clone()),
            depth: way.depth_of(link),
            hops: way.hops_of(purpose),
            tries: 0,
            purpose,
            target: assignment.target.map(|target| reader.geonameid(target)),
            priority: hint.map_or(priority.value, |hint| weigh(priority.value, *hint)),
            because: format!("{}; {}", assignment.because, priority.because),
            trail: self.trail.clone(),
        }
    }
}

/// What a site says of its own pages orders them among themselves; it does
/// not move them before links that somebody has set.
fn weigh(priority: f32, hint: Hint) -> f32 {
    let is_dated = if hint.changed.is_some() { 0.05 } else { 0.0 };
    priority * (0.7 + 0.25 * hint.weight + is_dated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::tests::{breadth, read, reader};
    use crate::settings::Settings;
    use store::crawl_dir::CrawlDir;
    use store::visit::Errand;
    use strategy::assign::Policy;

    const INDEX: &str = "<sitemapindex><sitemap><loc>http://a.example/houston-boston</loc></sitemap></sitemapindex>";
    const LIST: &str = "<urlset><url><loc>http://a.example/houston-boston</loc></url></urlset>";

    /// The nodes in the log, and those that get an offer.
    fn judged(sitemap: &'static str) -> (Vec<u16>, Vec<u16>) {
        let folder = tempfile::tempdir().unwrap();
        let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
        let reader = reader("url", Policy::B);
        let reading = read(&reader, Errand::Sitemap, 200, sitemap);
        let settings = Settings::default();
        let mut node = Node::open(&dir, NodeId(3), String::new(), &settings).unwrap();
        let learner = Learner::open(&dir, breadth().mind, 0).unwrap();
        let via = Offer {
            url: reading.mission.request.url.clone(),
            from: None,
            depth: 0,
            hops: 0,
            tries: 0,
            purpose: Purpose::Sitemap,
            target: None,
            priority: 0.0,
            because: String::new(),
            trail: Trail::default(),
        };
        let mut circumstances = Circumstances {
            reader: &reader,
            traps: &mut Traps::open(&dir).unwrap(),
            claims: None,
            batch: &mut dir.batch(),
            learner: &learner,
            on: Standpoint::nowhere(NodeId(3)),
            watch: &mut Stopwatch::start(),
            max_depth: 5,
            bounds: &settings.bounds,
            filters: &settings.filters,
            own: &settings.own,
            language: None,
            now: Time(0),
            is_copy: false,
        };
        let outgoing = node.judge(&mut circumstances, &reading, &via).unwrap();
        let records = outgoing.records.iter().map(|record| record.node);
        let offers = outgoing.offers.iter().map(|(node, _)| node.0);
        (records.collect(), offers.collect())
    }

    #[test]
    fn a_sitemap_named_by_a_sitemap_is_handed_to_nobody() {
        assert_eq!(judged(INDEX), (vec![3], vec![3]));
        let (records, offers) = judged(LIST);
        assert_eq!(records, offers);
        assert_eq!(records.len(), 2, "pages go to the nodes of both cities");
    }
}
