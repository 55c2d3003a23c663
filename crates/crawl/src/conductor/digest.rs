//! What a landing changes: politeness, counts, links, archive, record.

use super::Conductor;
use super::flight::{Departure, Flight};
use crate::bounds::OutOfBounds;
use crate::clock::after;
use crate::error::CrawlError;
use crate::exchange::HandOver;
use crate::fetch::{Answer, Fetched};
use crate::frontier::{HostLease, Offer, Purpose, Ticket};
use crate::gate::Aftermath;
use crate::learner::Standpoint;
use crate::node::{Circumstances, LONG_REST, Outgoing, comes_from, leads_to};
use crate::reading::Reading;
use crate::retry;
use crate::stage::{Stage, Stopwatch};
use page::url::CanonicalUrl;
use place::address::Entity;
use store::table::Batch;
use store::visit::{
    Copy, Earlier, EntityRecord, Errand, KeptLink, Likeness, LinkRecord, Outcome, Refusal, Rest,
    RestCause, Time, Trail, Visit,
};
use store::warc::Bundle;
use strategy::order::Arrival;
use strategy::roster::NodeId;

impl Conductor {
    /// Digests one landing: politeness, counts, links, archive, record.
    pub(super) fn digest(&mut self, reading: Box<Reading>) -> Result<(), CrawlError> {
        let mut stopwatch = Stopwatch::start();
        let Some(flight) = self.flights.remove(&reading.mission.flight) else {
            return Ok(());
        };
        match flight {
            Flight::Page(node, ticket, departure) => {
                self.digest_page((node, &ticket, departure), *reading, &mut stopwatch)?;
            }
            Flight::Robots(node, lease, url, at) => {
                self.digest_robots(node, &lease, &url, at, *reading)?;
            }
        }
        stopwatch.lap(Stage::Frontier);
        self.timings.add(&stopwatch.timings);
        Ok(())
    }

    fn digest_page(
        &mut self,
        (node, ticket, departure): (NodeId, &Ticket, Departure),
        mut reading: Reading,
        watch: &mut Stopwatch,
    ) -> Result<(), CrawlError> {
        self.timings.add(&reading.timings);
        let now = self.clock.landed_at();
        let aftermath = self
            .gate
            .page_landed(&ticket.offer.url, &reading.landing, now);
        let free_at = aftermath.free_at;
        let mine = &mut self.nodes[usize::from(node.0)];
        mine.n_flights -= 1;
        mine.frontier.release(ticket, aftermath);
        let absorbed = self.absorb(node, &ticket.offer, &mut reading, watch)?;
        self.nodes[usize::from(node.0)].count(&reading, absorbed.earlier);
        let retry_at = self.conclude(node, ticket, &reading, aftermath)?;
        let rest = self.rest_of(&ticket.offer.url);
        let digest = reading.bundle.as_ref().map(Bundle::digest);
        let archived = match reading.bundle.take() {
            Some(bundle) => Some(self.dir.archive(&bundle)?),
            None => None,
        };
        let visit = Visit {
            depth: ticket.offer.depth,
            from: ticket.offer.from.as_ref().map(|from| from.as_str().into()),
            priority: ticket.offer.priority,
            because: ticket.offer.because.clone(),
            account: departure.account,
            target: ticket.offer.target,
            mapped: self.mapped(&reading),
            archived,
            entities: self.entity_records(&reading),
            links: absorbed.records,
            tries: ticket.offer.tries,
            // Not before its host may be asked again.
            retry_at: retry_at.map(|at| at.max(rest.map_or(free_at, |rest| rest.until))),
            rest,
            digest,
            copy: absorbed.copy,
            earlier: absorbed.earlier.filter(|_| is_page(&reading)),
            trail: Some(ticket.offer.trail.clone()),
            topicality: absorbed.worth.topicality,
            importance: absorbed.worth.importance,
            alpha: absorbed.worth.alpha,
            hops: ticket.offer.hops,
            is_refresh: ticket.offer.purpose == Purpose::Refresh,
            kept_links: absorbed.kept,
            ..visit_of(
                node,
                ticket.offer.purpose.errand(),
                departure.at,
                &ticket.offer.url,
                &reading,
            )
        };
        self.record(visit);
        Ok(())
    }

    /// Learns from a landing, and sends its links on their way.
    pub(super) fn absorb(
        &mut self,
        node: NodeId,
        offer: &Offer,
        reading: &mut Reading,
        watch: &mut Stopwatch,
    ) -> Result<Absorbed, CrawlError> {
        let recognition = self.lore.recognise(reading, offer)?;
        if let Some((refers_to, profile)) = &recognition.repeats {
            reading.bundle = self.reader.pack_revisit(reading, refers_to, *profile);
        }
        let copy = recognition.copy();
        let is_kept_whole = reading.bundle.is_some()
            && recognition.repeats.is_none()
            && !reading.found.page.robots.noarchive;
        let earlier = recognition.earlier();
        let mut batch = self.dir.batch();
        watch.lap(Stage::Frontier);
        self.learn(&mut batch, offer, reading)?;
        let worth = self.worth(node, reading)?;
        let now = self.now();
        let mut circumstances = Circumstances {
            learner: &self.learner,
            on: Standpoint {
                node,
                importance: worth.importance,
            },
            watch,
            reader: &self.reader,
            traps: &mut self.lore.traps,
            claims: self.claims.as_mut(),
            batch: &mut batch,
            max_depth: self.settings.max_depth,
            bounds: &self.settings.bounds,
            filters: &self.settings.filters,
            own: &self.settings.own,
            language: reading.found.page.language.as_deref(),
            now,
            // A near copy may have links of its own; those it shares are known.
            // A mirrored page may be the original.
            is_copy: copy.is_some_and(|copy| copy.likeness == Likeness::Exact),
        };
        let mine = &mut self.nodes[usize::from(node.0)];
        let Outgoing {
            mut records,
            offers,
        } = mine.judge(&mut circumstances, reading, offer)?;
        if is_page(reading) {
            let links = reading.found.links.iter();
            let links = links.map(|link| link.fingerprint.short());
            self.learner.count_links(&mut batch, links)?;
            self.learner.settle(&Arrival {
                node,
                topicality: worth.topicality,
            });
        }
        let seq = self.n_known;
        self.lore
            .learn(&mut batch, reading, recognition, offer, seq)?;
        self.dir.apply(batch)?;
        let kept = match reading.outcome {
            Outcome::Fetched | Outcome::Unchanged if !is_kept_whole => kept_links(&offers),
            // A redirect's address is on record.
            _ => Vec::new(),
        };
        let mut cold = self.spread(node, offers)?;
        cold.sort_unstable();
        for link in &mut records {
            let is_mine = link.node == node.0 && link.refused.is_none();
            link.is_cold = is_mine && cold.binary_search(&link.url).is_ok();
        }
        self.heed_dates(&reading.found)?;
        Ok(Absorbed {
            records,
            kept,
            copy,
            earlier,
            worth,
        })
    }

    /// What a page is worth; nothing else is worth anything.
    fn worth(&self, node: NodeId, reading: &Reading) -> Result<Worth, CrawlError> {
        let evaluation = &reading.found.evaluation;
        if !is_page(reading) {
            return Ok(Worth::default());
        }
        let by_links = self.learner.importance(&reading.found.page.url)?;
        Ok(Worth {
            topicality: evaluation.topicality,
            importance: by_links.or(evaluation.importance),
            alpha: self.learner.elasticity(node),
        })
    }

    /// Tells the order what came of a link.
    fn learn(
        &mut self,
        batch: &mut Batch,
        offer: &Offer,
        reading: &Reading,
    ) -> Result<(), CrawlError> {
        match (&reading.outcome, offer.purpose) {
            (Outcome::Fetched, Purpose::Page) => {
                let is_relevant = !reading.found.evaluation.entities.is_empty();
                self.learner.learn(batch, offer, is_relevant)
            }
            (Outcome::Redirected(_), Purpose::Page) => self.learner.pass_on(batch, offer),
            _ => Ok(()),
        }
    }

    /// Closes a ticket, or puts its URL back in line when the failure may
    /// pass: then returns when it is tried again.
    fn conclude(
        &mut self,
        node: NodeId,
        ticket: &Ticket,
        reading: &Reading,
        aftermath: Aftermath,
    ) -> Result<Option<Time>, CrawlError> {
        let status = reading.status();
        let now = self.clock.now();
        let tries = ticket.offer.tries;
        let retry_at = match aftermath.is_to_be_repeated && tries < MOST_REPEATS {
            true => Some(aftermath.free_at),
            false => retry::again_at(&self.settings, &reading.outcome, status, tries, now),
        };
        let frontier = &mut self.nodes[usize::from(node.0)].frontier;
        match retry_at {
            Some(at) => frontier.retry(&mut self.group, ticket, at)?,
            None => frontier.close(&mut self.group, ticket),
        }
        let entities = reading.found.evaluation.entities.iter();
        let addresses: Vec<u64> = entities.map(Entity::key).collect();
        if !addresses.is_empty() {
            frontier.reward(&mut self.group, &ticket.offer.url, &addresses)?;
        }
        Ok(retry_at)
    }

    fn digest_robots(
        &mut self,
        node: NodeId,
        lease: &HostLease,
        url: &CanonicalUrl,
        at: Time,
        mut reading: Reading,
    ) -> Result<(), CrawlError> {
        self.timings.add(&reading.timings);
        let now = self.clock.landed_at();
        let landing = &reading.landing;
        let aftermath = self
            .gate
            .robots_landed(&mut self.group, &lease.by, url, landing, now);
        let mine = &mut self.nodes[usize::from(node.0)];
        mine.n_flights -= 1;
        mine.frontier.release_host(lease, aftermath);
        // Whoever made us ask for the rules has led us here; where they may
        // lead is theirs.
        let trail = Trail {
            is_own: comes_from(&reading, &self.settings.own),
            ..lease.trail.clone()
        };
        // The sitemaps of a host that rules have moved to are its own affair.
        let is_own = lease.by == lease.wanted;
        let named = match is_own {
            true => self.gate.sitemaps(&lease.wanted),
            false => Vec::new(),
        };
        let sitemaps = sitemap_offers(&named, &lease.wanted, &trail);
        let kept_links = match reading.bundle {
            Some(_) => Vec::new(),
            None => kept_links(&on_node(node, &sitemaps)),
        };
        let links = self.offer_sitemaps(node, sitemaps)?;
        let parked_until = self
            .gate
            .host_view(&lease.wanted)
            .and_then(|host| host.parked_until)
            .filter(|until| *until > now);
        let archived = match reading.bundle.take() {
            Some(bundle) => Some(self.dir.archive(&bundle)?),
            None => None,
        };
        let visit = Visit {
            from: Some(lease.wanted.as_str().into()),
            because: "robots rules come first".into(),
            archived,
            links,
            rest: self.rest_of(url),
            // Whoever made us ask for the rules leads us to its sitemaps.
            trail: is_own.then_some(trail),
            kept_links,
            ..visit_of(node, Errand::Robots, at, url, &reading)
        };
        self.record(visit);
        if let Some(until) = parked_until {
            self.record_parked(node, &lease.wanted, at, until, &reading);
        }
        Ok(())
    }

    /// Puts on record that a URL was wanted in vain: its host is dead for now.
    /// The URL itself stays in line.
    fn record_parked(
        &mut self,
        node: NodeId,
        wanted: &CanonicalUrl,
        at: Time,
        until: Time,
        reading: &Reading,
    ) {
        let outcome = match &reading.outcome {
            Outcome::Fetched | Outcome::Status | Outcome::Redirected(_) => {
                Outcome::Forbidden { line: 0 }
            }
            other => other.clone(),
        };
        self.nodes[usize::from(node.0)].counts.n_other += 1;
        self.record(Visit {
            is_sent: false,
            because: "its host does not answer, and is tried again later".into(),
            retry_at: Some(until),
            rest: self.rest_of(wanted),
            server: reading.landing.server,
            ..Visit::new(node.0, Errand::Page, at, wanted.as_str(), outcome)
        });
    }

    /// Puts the sitemaps in line that a host's rules name; returns those that
    /// are refused.
    pub(super) fn offer_sitemaps(
        &mut self,
        node: NodeId,
        sitemaps: Vec<Offer>,
    ) -> Result<Vec<LinkRecord>, CrawlError> {
        if !self.settings.sitemaps {
            return Ok(Vec::new());
        }
        let (mut offers, mut refused) = (Vec::new(), Vec::new());
        for offer in sitemaps {
            match self.refusal_of_list(&offer.url, &offer.trail) {
                Some(refusal) => {
                    let mine = &mut self.nodes[usize::from(node.0)];
                    refused.push(mine.refuse(offer.url.fingerprint().short(), refusal));
                }
                None => offers.push(offer),
            }
        }
        if !offers.is_empty() {
            self.take_in(node, offers)?;
        }
        Ok(refused)
    }

    fn refusal_of_list(&self, url: &CanonicalUrl, trail: &Trail) -> Option<Refusal> {
        if !trail.is_own && leads_to(url, &self.settings.own) {
            return Some(Refusal::FromOutside);
        }
        let out = self.settings.bounds.judge_list(url);
        out.map(OutOfBounds::refusal)
    }

    /// Puts on record that a host's rules have moved to where robots may not go.
    pub(super) fn refuse_robots(
        &mut self,
        node_idx: usize,
        lease: &HostLease,
        url: &CanonicalUrl,
        outcome: Outcome,
    ) {
        let now = self.clock.now();
        self.gate
            .robots_refused(&mut self.group, &lease.wanted, &outcome, now);
        self.nodes[node_idx].frontier.release_unasked(lease, now);
        let errand = Errand::Robots;
        self.record(Visit {
            is_sent: false,
            from: Some(lease.wanted.as_str().into()),
            because: "robots rules have moved to where robots may not go".into(),
            ..Visit::new(node_idx as u16, errand, now, url.as_str(), outcome)
        });
    }

    /// Puts a ticket on record that was never fetched.
    pub(super) fn refuse(&mut self, node_idx: usize, ticket: &Ticket, outcome: Outcome) {
        let node = &mut self.nodes[node_idx];
        node.counts.n_other += 1;
        node.frontier.close(&mut self.group, ticket);
        let offer = &ticket.offer;
        let visit = Visit {
            is_sent: false,
            rest: self.rest_of(&ticket.offer.url),
            depth: offer.depth,
            from: offer.from.as_ref().map(|from| from.as_str().into()),
            priority: offer.priority,
            because: offer.because.clone(),
            target: offer.target,
            tries: offer.tries,
            trail: Some(offer.trail.clone()),
            ..Visit::new(
                node_idx as u16,
                offer.purpose.errand(),
                self.clock.now(),
                offer.url.as_str(),
                outcome,
            )
        };
        self.record(visit);
    }

    /// Puts links into the node's own frontier or hands them over. Returns
    /// the node's own links that are beyond the budget of their domain.
    pub(super) fn spread(
        &mut self,
        from: NodeId,
        offers: Vec<(NodeId, Offer)>,
    ) -> Result<Vec<u64>, CrawlError> {
        let mut cold = Vec::new();
        let mut by_node: Vec<Vec<Offer>> = self.nodes.iter().map(|_| Vec::new()).collect();
        for (to, offer) in offers {
            by_node[usize::from(to.0)].push(offer);
        }
        for (node_idx, offers) in by_node.into_iter().enumerate() {
            let to = NodeId(node_idx as u16);
            if offers.is_empty() {
                continue;
            }
            if to == from {
                cold = self.take_in(to, offers)?;
            } else if let Err(refused) = self.exchange.send(HandOver { to, offers }) {
                // A full mailbox makes the sender wait until it is emptied.
                self.receive(refused)?;
            }
        }
        Ok(cold)
    }

    pub(super) fn receive(&mut self, hand_over: HandOver) -> Result<(), CrawlError> {
        let mut stopwatch = Stopwatch::start();
        self.nodes[usize::from(hand_over.to.0)].counts.n_received += hand_over.offers.len() as u64;
        self.take_in(hand_over.to, hand_over.offers)?;
        stopwatch.lap(Stage::Frontier);
        self.timings.add(&stopwatch.timings);
        Ok(())
    }

    pub(super) fn take_in(
        &mut self,
        to: NodeId,
        offers: impl IntoIterator<Item = Offer>,
    ) -> Result<Vec<u64>, CrawlError> {
        let mut batch = self.dir.batch();
        let cold = self.nodes[usize::from(to.0)].take_in(&mut batch, offers)?;
        self.dir.apply(batch)?;
        Ok(cold)
    }

    /// How long a host is left alone from here on, where that is worth telling.
    fn rest_of(&self, url: &CanonicalUrl) -> Option<Rest> {
        let host = self.gate.host_view(url)?;
        let now = self.clock.landed_at();
        let (until, cause) = match host.parked_until {
            Some(until) if until > now && host.is_given_up => (until, RestCause::GivenUp),
            Some(until) if until > now => (until, RestCause::Parked),
            _ => (host.free_at, RestCause::Resting),
        };
        (until > after(now, LONG_REST)).then_some(Rest { until, cause })
    }

    fn record(&mut self, visit: Visit) {
        self.dir.record(visit);
        self.n_grouped += 1;
        self.n_known += 1;
    }

    /// What the strategy maps a page to; nothing else is mapped.
    fn mapped(&self, reading: &Reading) -> Option<u32> {
        let target = reading.found.mapped.filter(|_| is_page(reading))?;
        Some(self.reader.geonameid(target))
    }

    fn entity_records(&self, reading: &Reading) -> Vec<EntityRecord> {
        let entities = reading.found.evaluation.entities.iter();
        entities
            .map(|entity| EntityRecord {
                key: entity.key(),
                target: self.reader.geonameid(entity.target),
                text: entity.to_string(),
            })
            .collect()
    }
}

/// What became of a landing.
pub(super) struct Absorbed {
    /// Its links, for the record.
    records: Vec<LinkRecord>,
    /// The same in full, where the archive cannot give them back.
    kept: Vec<KeptLink>,
    /// What it is a copy of.
    copy: Option<Copy>,
    /// What was there before.
    earlier: Option<Earlier>,
    worth: Worth,
}

/// What a page is worth to a crawl with a topic, for the record.
#[derive(Default)]
struct Worth {
    topicality: Option<f32>,
    importance: Option<f32>,
    alpha: Option<f32>,
}

fn is_page(reading: &Reading) -> bool {
    reading.mission.request.errand == Errand::Page && reading.outcome == Outcome::Fetched
}

/// Tries of a page beyond which nothing is repeated: more than any host has
/// addresses.
const MOST_REPEATS: u8 = 16;

/// Sitemaps that the rules of one origin name and that are read.
const MOST_SITEMAPS: usize = 500;

/// How soon a sitemap is fetched: before most pages, after the best.
const SITEMAP_PRIORITY: f32 = 0.75;

/// Sitemaps that come so soon; of more, each comes later than the one before,
/// so that a site's pages need not wait for all of them.
const FIRST_SITEMAPS: usize = 16;

fn sitemap_priority(sitemap_idx: usize) -> f32 {
    let later = (sitemap_idx + 1).max(FIRST_SITEMAPS);
    SITEMAP_PRIORITY * FIRST_SITEMAPS as f32 / later as f32
}

/// The sitemaps that the rules of an origin name, as links.
pub(super) fn sitemap_offers(named: &[String], wanted: &CanonicalUrl, trail: &Trail) -> Vec<Offer> {
    let urls = named.iter().take(MOST_SITEMAPS);
    let urls = urls.filter_map(|sitemap| CanonicalUrl::parse(sitemap).ok());
    let offers = urls.enumerate();
    let offers = offers.map(|(nth, url)| sitemap_offer(url, nth, wanted, trail));
    offers.collect()
}

fn sitemap_offer(
    url: CanonicalUrl,
    sitemap_idx: usize,
    wanted: &CanonicalUrl,
    trail: &Trail,
) -> Offer {
    Offer {
        url,
        from: wanted.join("/robots.txt").ok(),
        depth: 0,
        hops: 0,
        tries: 0,
        purpose: Purpose::Sitemap,
        target: None,
        priority: sitemap_priority(sitemap_idx),
        because: "named in robots.txt".into(),
        // Whoever made us ask for the rules has led us here.
        trail: trail.clone(),
    }
}

fn on_node(node: NodeId, offers: &[Offer]) -> Vec<(NodeId, Offer)> {
    let offers = offers.iter();
    offers.map(|offer| (node, offer.clone())).collect()
}

/// Links in full, for the record.
fn kept_links(offers: &[(NodeId, Offer)]) -> Vec<KeptLink> {
    let keep = |(node, offer): &(NodeId, Offer)| KeptLink {
        url: offer.url.as_str().into(),
        node: node.0,
        depth: offer.depth,
        hops: offer.hops,
        is_sitemap: offer.purpose == Purpose::Sitemap,
        target: offer.target,
        priority: offer.priority,
        because: offer.because.clone(),
        trail: offer.trail.clone(),
    };
    offers.iter().map(keep).collect()
}

fn visit_of(
    node: NodeId,
    errand: Errand,
    at: Time,
    url: &CanonicalUrl,
    reading: &Reading,
) -> Visit {
    let answer = match &reading.landing.fetched {
        Fetched::Answer(answer) => Some(answer),
        _ => None,
    };
    let n_bytes = answer.map_or(0, |answer| answer.body.len());
    let header = |name| Some(answer?.header(name)?.to_owned());
    Visit {
        status: answer.map(|answer| answer.status),
        etag: header("etag"),
        last_modified: header("last-modified"),
        content_type: answer.and_then(Answer::essence),
        noindex: reading.found.page.robots.noindex,
        took_ms: u32::try_from(reading.landing.took.as_millis()).unwrap_or(u32::MAX),
        bytes: u32::try_from(n_bytes).unwrap_or(u32::MAX),
        server: reading.landing.server,
        recorded: reading.landing.recorded,
        title: reading.found.page.title.clone(),
        language: reading.found.page.language.clone(),
        ..Visit::new(node.0, errand, at, url.as_str(), reading.outcome.clone())
    }
}
