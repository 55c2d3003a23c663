//! Sends fetches off, and sees to it that every one of them lands.

use super::Conductor;
use crate::error::CrawlError;
use crate::fetch::{Fetched, Landing, Patience, Request, Territory};
use crate::frontier::{HostLease, Ticket};
use crate::gate::Acquaintance;
use crate::reading::{Mission, Reader, Reading};
use crate::stage::Stopwatch;
use crossbeam_channel::Sender;
use page::url::CanonicalUrl;
use std::sync::Arc;
use std::time::Duration;
use store::visit::{Errand, Time, Trail};
use strategy::roster::NodeId;

/// When a page was asked for, and what had decided about that.
pub(super) struct Departure {
    pub(super) at: Time,
    pub(super) account: Vec<(u32, f32)>,
}

/// A fetch in the air.
pub(super) enum Flight {
    Page(NodeId, Ticket, Departure),
    Robots(NodeId, HostLease, CanonicalUrl, Time),
}

impl Conductor {
    pub(super) fn launch_page(
        &mut self,
        node_idx: usize,
        ticket: Ticket,
    ) -> Result<(), CrawlError> {
        let node = NodeId(node_idx as u16);
        let mission = Mission {
            flight: self.n_launched,
            node,
            request: Request {
                known: self.lore.known(&ticket.offer)?,
                territory: territory_of(&ticket.offer.trail),
                ..self.request(&ticket.offer.url, ticket.offer.purpose.errand())?
            },
            at: self.clock.now(),
            because: ticket.offer.because.clone(),
            from: ticket.offer.from.clone(),
            target: ticket.offer.target,
            hops: ticket.offer.hops,
        };
        let departure = Departure {
            at: mission.at,
            account: self.learner.account(&ticket.offer),
        };
        self.launch(mission, Flight::Page(node, ticket, departure));
        Ok(())
    }

    /// A request as the gate has permitted it.
    fn request(&mut self, url: &CanonicalUrl, errand: Errand) -> Result<Request, CrawlError> {
        Ok(Request {
            whom: self.gate.whom(url),
            patience: match self.gate.acquaintance(url, self.clock.now())? {
                Acquaintance::Stranger => Patience::Short,
                Acquaintance::Known => Patience::Usual,
            },
            ..Request::of(url, errand)
        })
    }

    pub(super) fn launch_robots(
        &mut self,
        node_idx: usize,
        lease: HostLease,
        url: CanonicalUrl,
    ) -> Result<(), CrawlError> {
        let node = NodeId(node_idx as u16);
        let mission = Mission {
            flight: self.n_launched,
            node,
            request: Request {
                territory: self.territory_of_rules(&lease, &url),
                ..self.request(&url, Errand::Robots)?
            },
            at: self.clock.now(),
            because: "robots rules come first".into(),
            from: Some(lease.wanted.clone()),
            target: None,
            hops: 0,
        };
        self.launch(mission, Flight::Robots(node, lease, url, self.clock.now()));
        Ok(())
    }

    /// How far we go for rules. Only a host of one's own may have moved them
    /// to another one.
    fn territory_of_rules(&self, lease: &HostLease, url: &CanonicalUrl) -> Territory {
        let machine = self.gate.host_view(&lease.wanted);
        let machine = machine.and_then(|host| host.machine);
        let is_own = machine.is_some_and(|ip| self.settings.is_own(ip));
        match is_own || url.host() == lease.wanted.host() {
            true => territory_of(&lease.trail),
            false => Territory::Public,
        }
    }

    fn launch(&mut self, mission: Mission, flight: Flight) {
        self.n_launched += 1;
        self.nodes[usize::from(mission.node.0)].n_flights += 1;
        let foreseen = self.reader.fetcher.foresee(&mission.request.url);
        self.clock.launched(mission.flight, foreseen);
        self.flights.insert(mission.flight, flight);
        let fetcher = self.reader.fetcher.clone();
        let request = mission.request.clone();
        let promise = Promise {
            reader: self.reader.clone(),
            mission,
            landed: self.landings.0.clone(),
            is_kept: false,
        };
        if foreseen.is_some() {
            self.pool.run(move || {
                let watch = Stopwatch::start();
                fetcher.fetch(
                    &request,
                    Box::new(move |landing| promise.keep(landing, watch)),
                );
            });
        } else {
            let pool = self.pool.clone();
            let read = move |landing| pool.run(move || promise.keep(landing, Stopwatch::start()));
            fetcher.fetch(&request, Box::new(read));
        }
    }
}

/// How far a link may lead, given how it was come by.
fn territory_of(trail: &Trail) -> Territory {
    match trail.is_own {
        true => Territory::Own,
        false => Territory::Public,
    }
}

/// The promise that every flight lands: kept by reading what came back or,
/// should a page defeat its reader or a fetcher forget to reply, by a garbled
/// landing when it is dropped. That page alone is lost.
struct Promise {
    reader: Arc<Reader>,
    mission: Mission,
    landed: Sender<Box<Reading>>,
    is_kept: bool,
}

impl Promise {
    fn keep(mut self, landing: Landing, watch: Stopwatch) {
        let reading = self.reader.read(&self.mission, landing, watch);
        self.is_kept = true;
        // A crawl that has stopped listens no more.
        let _ = self.landed.send(reading);
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        let landing = Landing {
            fetched: Fetched::Garbled("the page could not be read".into()),
            server: None,
            took: Duration::ZERO,
            recorded: None,
        };
        let reading = self.reader.read(&self.mission, landing, Stopwatch::start());
        let _ = self.landed.send(reading);
    }
}
