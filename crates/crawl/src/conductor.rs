//! The loop: keeps every node's slots full and digests what lands.
//!
//! One thread owns all nodes of a process, the gate and the crawl folder, so
//! nothing is locked and, on the virtual clock, nothing is left to chance.
//! Fetching, parsing and compressing happen elsewhere and come back as events.
//!
//! A group commit joins all that a group of visits changed: archive, records,
//! frontier and clocks, all or nothing (see `store`). Links handed over are
//! delivered first, so a page is never on record without its links. Dying
//! between two commits costs fetching that group again and loses nothing.

mod digest;
mod flight;
mod refresh;
mod replay;

pub use refresh::Refresh;

use crate::claims::Claims;
use crate::clock::{Clock, Jump, Tick, after};
use crate::disk::{self, DiskWatch};
use crate::error::CrawlError;
use crate::exchange::{Exchange, HandOver};
use crate::fetch::Fetcher;
use crate::frontier::Next;
use crate::gate::Gate;
use crate::learner::Learner;
use crate::lore::Lore;
use crate::node::Node;
use crate::pool::Pool;
use crate::progress::{Pause, Progress, StopReason};
use crate::reading::{Reader, Reading, signpost};
use crate::retry;
use crate::settings::Settings;
use crate::stage::{Stage, Stopwatch, Timings};
use crossbeam_channel::{Receiver, Sender, unbounded};
use flight::Flight;
use page::html::Link;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::{TargetId, Targets};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::crawl_dir::{CrawlDir, condemn_tables};
use store::table::Batch;
use store::visit::Time;
use strategy::appraise::Appraiser;
use strategy::assign::Assign;
use strategy::evaluate::{Evaluation, Evaluator};
use strategy::order::{Judgement, Order, Sighting};
use strategy::roster::{NodeId, Roster};
use strategy::scene::Scene;

/// What a crawl is made of.
pub struct Parts {
    /// Where it lives.
    pub dir: CrawlDir,
    /// Its dials.
    pub settings: Settings,
    /// What it is for.
    pub targets: Targets,
    /// Who crawls for what.
    pub roster: Roster,
    /// Which node gets a link.
    pub assign: Box<dyn Assign>,
    /// How soon.
    pub order: Order,
    /// What pages are worth, for a crawl that has a topic.
    pub appraiser: Option<Appraiser>,
    /// Who answers for the web.
    pub fetcher: Arc<dyn Fetcher>,
    /// What time it is.
    pub clock: Box<dyn Clock>,
    /// Visits pages again, instead of going on.
    pub refresh: Option<Refresh>,
    /// Set from outside to end the crawl cleanly.
    pub stop: Arc<AtomicBool>,
}

/// What the loop wakes up for.
enum Event {
    /// A fetch has landed and been read.
    Landed(Box<Reading>),
    /// Links have come from a peer.
    HandedOver(HandOver),
    /// A host may be asked again, or it is time to look around.
    Woke,
    /// Somebody wants the crawl to end.
    Interrupted,
}

/// Whether more is to come after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Clean = 0,
    Open = 1,
}

/// Where the last commit's `Ending` is kept.
const ENDING: &[u8] = b"ending";

/// Where the time is kept at which a crash was last found.
const CRASHED: &[u8] = b"crashed";

/// Where it is kept how many visits the tables know of. It changes with the
/// frontier's tables: those of an older crawl are worked out again.
const N_KNOWN: &[u8] = b"known-2";

/// Where the time of the last commit is kept.
const CLOCK: &[u8] = b"clock";

/// When there is more to do.
#[derive(Debug, Clone, Copy)]
struct Wake {
    at: Time,
    /// Only dead hosts and failed pages wait for it.
    is_for_failed: bool,
}

impl Wake {
    fn at(at: Time) -> Wake {
        Wake {
            at,
            is_for_failed: false,
        }
    }

    fn or(self, other: Wake) -> Wake {
        Wake {
            at: self.at.min(other.at),
            is_for_failed: self.is_for_failed && other.is_for_failed,
        }
    }
}

/// Jumps of the clock that people hear of.
const WORTH_TELLING: Duration = Duration::from_secs(10);

/// How often watchers hear of progress.
const WATCH_EVERY: Duration = Duration::from_millis(100);

/// Bytes held back for the next commit at most.
const BUFFERED: usize = 32 << 20;

/// Runs a crawl until it stops, and says why.
///
/// Seeds already known to the crawl change nothing, so that the same call
/// starts and resumes. Where the tables turn out to be damaged, the error says
/// so, what was fetched is kept, and the same call works the tables out again.
pub fn run(
    parts: Parts,
    seeds: &[CanonicalUrl],
    watch: &mut dyn FnMut(&Progress),
) -> Result<(StopReason, Progress), CrawlError> {
    let refresh = parts.refresh;
    let folder = parts.dir.path().to_path_buf();
    let mut conductor = match Conductor::open(parts) {
        Ok(conductor) => conductor,
        Err(error) => {
            if let Some(cause) = error.damage() {
                condemn_tables(&folder, cause)?;
            }
            return Err(error);
        }
    };
    let ended = conductor.crawl(seeds, refresh, watch);
    if let Some(cause) = ended.as_ref().err().and_then(CrawlError::damage) {
        conductor.dir.give_up_tables(cause)?;
    }
    ended
}

struct Conductor {
    dir: CrawlDir,
    settings: Settings,
    reader: Arc<Reader>,
    pool: Pool,
    clock: Box<dyn Clock>,
    stop: Arc<AtomicBool>,
    gate: Gate,
    nodes: Vec<Node>,
    exchange: Exchange,
    flights: HashMap<u64, Flight>,
    n_launched: u64,
    landings: (Sender<Box<Reading>>, Receiver<Box<Reading>>),
    /// What the next commit will add to the tables.
    group: Batch,
    n_grouped: usize,
    /// Visits whose consequences the tables know.
    n_known: u64,
    last_commit: Instant,
    started: Instant,
    n_pages_before: u64,
    timings: Timings,
    is_refresh: bool,
    /// Pages that may still be put in line again.
    n_again_left: u64,
    lore: Lore,
    learner: Learner,
    /// Where a URL belongs to one node.
    claims: Option<Claims>,
    disk: DiskWatch,
    pause: Option<Pause>,
    /// When something is tried again, where nothing else is left.
    next_try: Option<Time>,
    /// When it was that what is being worked out again happened.
    as_of: Option<Time>,
    jump: Option<Jump>,
}

impl Conductor {
    fn open(parts: Parts) -> Result<Conductor, CrawlError> {
        let Parts {
            dir,
            settings,
            targets,
            roster,
            assign,
            order,
            appraiser,
            fetcher,
            clock,
            stop,
            refresh,
        } = parts;
        let n_known = number_of(&dir, N_KNOWN)?.unwrap_or(0);
        let crashed = crash_time(&dir, n_known, clock.now())?;
        let look_up = {
            let fetcher = fetcher.clone();
            Box::new(move |url: &CanonicalUrl| fetcher.machine(url))
        };
        let gate = Gate::open(&dir, &settings, crashed, look_up)?;
        let mut nodes = Vec::new();
        for (seat_idx, seat) in roster.seats().iter().enumerate() {
            let id = NodeId(seat_idx as u16);
            let name = seat.name.clone();
            nodes.push(Node::open(&dir, id, name, &settings)?);
        }
        let gazetteer = Gazetteer::built_in();
        let places = targets.list().iter().map(|target| target.place);
        let geonameids: Vec<u32> = places.map(|place| gazetteer.geonameid(place)).collect();
        let reader = Reader {
            fetcher,
            evaluator: settings
                .geoparse
                .then(|| Evaluator::new(gazetteer, &targets)),
            appraiser,
            assign,
            eye: order.eye,
            policy: settings.policy,
            by_geonameid: geonameids
                .iter()
                .copied()
                .zip((0..).map(TargetId))
                .collect(),
            geonameids,
            targets,
            roster,
            agent: settings.agent.clone(),
            packing: dir.packing(),
            archive: settings.archive,
        };
        Ok(Conductor {
            group: crash_note(&dir, crashed)?,
            pool: Pool::start(settings.n_readers)?,
            reader: Arc::new(reader),
            exchange: Exchange::new(nodes.len()),
            lore: Lore::open(&dir)?,
            learner: Learner::open(&dir, order.mind, n_known)?,
            claims: match settings.claims {
                true => Some(Claims::open(&dir, nodes.len())?),
                false => None,
            },
            disk: DiskWatch::new(&dir, settings.disk_reserve),
            pause: None,
            next_try: None,
            as_of: None,
            jump: None,
            n_pages_before: nodes.iter().map(|node| node.counts.n_pages).sum(),
            dir,
            settings,
            clock,
            stop,
            gate,
            nodes,
            flights: HashMap::new(),
            n_launched: 0,
            landings: unbounded(),
            n_grouped: 0,
            n_known,
            is_refresh: refresh.is_some(),
            n_again_left: refresh
                .and_then(|refresh| refresh.n_pages)
                .unwrap_or(u64::MAX),
            last_commit: Instant::now(),
            started: Instant::now(),
            timings: Timings::default(),
        })
    }

    fn crawl(
        &mut self,
        seeds: &[CanonicalUrl],
        refresh: Option<Refresh>,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(StopReason, Progress), CrawlError> {
        self.replay(seeds, watch)?;
        match refresh {
            None => self.plant(seeds)?,
            Some(refresh) => self.plant_again(&refresh)?,
        }
        // From here on hosts are asked: a crash must be noticed next time.
        self.commit(Ending::Open)?;
        let reason = self.turn(watch)?;
        self.commit(Ending::Clean)?;
        // What is still in the air will not be heard of.
        for node in &mut self.nodes {
            node.n_flights = 0;
        }
        let progress = self.progress();
        watch(&progress);
        Ok((reason, progress))
    }

    fn plant(&mut self, seeds: &[CanonicalUrl]) -> Result<(), CrawlError> {
        for seed in seeds {
            for assignment in self.reader.assign_seed(seed) {
                let mut batch = self.dir.batch();
                let id = match &mut self.claims {
                    Some(claims) => claims.settle(&mut batch, seed, assignment.node)?,
                    None => assignment.node,
                };
                self.dir.apply(batch)?;
                let node = &self.nodes[usize::from(id.0)];
                let offer = node.judge_seed(&self.reader, &self.learner, seed, assignment);
                // One by one: a list may name a seed twice.
                self.take_in(id, offer)?;
                self.commit_when_full()?;
            }
        }
        Ok(())
    }

    /// The loop itself.
    fn turn(&mut self, watch: &mut dyn FnMut(&Progress)) -> Result<StopReason, CrawlError> {
        let mut last_watched: Option<Instant> = None;
        loop {
            self.heed_jump();
            let mut stopwatch = Stopwatch::start();
            let wake = self.fill_slots()?;
            self.next_try = self.next_try_after(wake);
            stopwatch.lap(Stage::Frontier);
            self.timings.add(&stopwatch.timings);
            if last_watched.is_none_or(|last| last.elapsed() >= WATCH_EVERY) {
                last_watched = Some(Instant::now());
                watch(&self.progress());
            }
            if let Some(reason) = self.reason_to_stop(wake) {
                return Ok(reason);
            }
            match self.next_event(wake.map(|wake| wake.at)) {
                Event::Landed(reading) if reading.is_offline() => return Ok(StopReason::Offline),
                Event::Landed(reading) => self.digest(reading)?,
                Event::HandedOver(hand_over) => self.receive(hand_over)?,
                Event::Woke => {}
                Event::Interrupted => return Ok(StopReason::Interrupted),
            }
            if self.is_commit_due() {
                self.commit(Ending::Open)?;
            }
        }
    }

    /// When something is tried again, where nothing but what has failed waits
    /// or is in the air.
    fn next_try_after(&self, wake: Option<Wake>) -> Option<Time> {
        let at = match wake {
            Some(wake) if wake.is_for_failed => wake.at,
            Some(_) => return None,
            // All slots are taken, or nothing waits: as before, while those
            // in the air are of the same kind.
            None if self.flights.is_empty() => return None,
            None => self.next_try?,
        };
        let mut flights = self.flights.values();
        flights
            .all(|flight| self.is_of_failed(flight))
            .then_some(at)
    }

    /// Whether a fetch is another try, of a page or of its host.
    fn is_of_failed(&self, flight: &Flight) -> bool {
        let (url, tries) = match flight {
            Flight::Page(_, ticket, _) => (&ticket.offer.url, ticket.offer.tries),
            Flight::Robots(_, lease, ..) => (&lease.wanted, 0),
        };
        let host = self.gate.host_view(url);
        tries > 0 || host.is_some_and(|host| host.n_failures > 0)
    }

    /// Sees to it that nobody is asked sooner or later because the clock was set.
    fn heed_jump(&mut self) {
        let Some(jump) = self.clock.jump() else {
            return;
        };
        self.gate.jumped(jump);
        for node in &mut self.nodes {
            node.frontier.jumped(jump);
        }
        if jump.span() >= WORTH_TELLING {
            tracing::warn!(from = jump.from.0, to = jump.to.0, "the clock was set");
            self.jump = Some(jump);
        }
    }

    /// Whether there is nothing more to do, now or soon.
    fn reason_to_stop(&self, wake: Option<Wake>) -> Option<StopReason> {
        if !self.flights.is_empty() {
            return None;
        }
        let Some(wake) = wake else {
            return Some(match self.is_refresh {
                true => StopReason::Refreshed,
                false if self.has_enough() => StopReason::Enough,
                false if self.is_hopeless() => StopReason::NothingRelevant(self.n_pages()),
                false => StopReason::NothingLeft,
            });
        };
        // Dead hosts are tried again after hours: nobody should sit and wait.
        let patience = after(self.clock.now(), retry::PATIENCE);
        let is_far = wake.is_for_failed && wake.at > patience && self.clock.is_real();
        is_far.then_some(StopReason::OnlyFailedLeft)
    }

    fn next_event(&mut self, wake_at: Option<Time>) -> Event {
        if let Some(hand_over) = self.exchange.receive() {
            return Event::HandedOver(hand_over);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Event::Interrupted;
        }
        match self.clock.wait(&self.landings.1, wake_at) {
            Tick::Landed(reading) => Event::Landed(reading),
            Tick::Reached => Event::Woke,
        }
    }

    /// Sends off fetches while there is something to fetch and a slot for it.
    /// Returns when there is more to do, where something waits.
    fn fill_slots(&mut self) -> Result<Option<Wake>, CrawlError> {
        let outage = || self.reader.fetcher.outage().map(Pause::NoNetwork);
        self.pause = self.disk.pause(self.dir.buffered_bytes()).or_else(outage);
        if self.pause.is_some() {
            return Ok(self.nap());
        }
        if self.exchange.is_empty() {
            let mut wake: Option<Wake> = None;
            for node_idx in 0..self.nodes.len() {
                let other = self.fill_slots_of(node_idx)?;
                wake = wake.into_iter().chain(other).reduce(Wake::or);
            }
            return Ok(wake);
        }
        // Links under way come first: they may be better than what waits.
        Ok(Some(Wake::at(self.clock.now())))
    }

    /// Passes the time while nothing may be fetched; what is in the air lands
    /// meanwhile.
    fn nap(&self) -> Option<Wake> {
        let now = self.clock.now();
        if self.clock.is_real() {
            return Some(Wake::at(after(now, disk::NAP)));
        }
        // The virtual clock stands still unless something lands.
        if !self.flights.is_empty() {
            return None;
        }
        std::thread::sleep(disk::NAP);
        Some(Wake::at(now))
    }

    fn fill_slots_of(&mut self, node_idx: usize) -> Result<Option<Wake>, CrawlError> {
        let mut batch = self.dir.batch();
        let mut wake = None;
        let is_over =
            |conductor: &Conductor| conductor.will_have_enough() || conductor.is_hopeless();
        while self.nodes[node_idx].n_flights < self.settings.n_slots && !is_over(self) {
            if self.is_group_full() {
                // Refusals need no flight: a closed host could fill memory with them.
                wake = Some(Wake::at(self.clock.now()));
                break;
            }
            let node = &mut self.nodes[node_idx];
            let learner = &self.learner;
            let next = node.frontier.next_by(
                &mut batch,
                self.clock.now(),
                &mut self.gate,
                &mut |offer| learner.judge_again(offer),
            )?;
            match next {
                Next::Fetch(ticket) => self.launch_page(node_idx, ticket)?,
                Next::Robots(lease, url) => self.launch_robots(node_idx, lease, url)?,
                Next::RobotsRefused(lease, url, outcome) => {
                    self.refuse_robots(node_idx, &lease, &url, outcome);
                }
                Next::Refused(ticket, outcome) => self.refuse(node_idx, &ticket, outcome),
                Next::NotBefore(at) => {
                    wake = Some(Wake::at(at));
                    break;
                }
                Next::Parked(at) => {
                    let is_for_failed = true;
                    wake = Some(Wake { at, is_for_failed });
                    break;
                }
                Next::Nothing => break,
            }
        }
        self.dir.apply(batch)?;
        Ok(wake)
    }

    fn is_group_full(&self) -> bool {
        self.n_grouped >= self.settings.commit_visits || self.dir.buffered_bytes() >= BUFFERED
    }

    fn is_commit_due(&self) -> bool {
        let is_late = self.last_commit.elapsed() >= self.settings.commit_after;
        let is_due =
            self.is_group_full() || (is_late && self.n_grouped > 0 && self.clock.is_real());
        is_due && self.exchange.is_empty()
    }

    fn commit(&mut self, ending: Ending) -> Result<(), CrawlError> {
        while let Some(hand_over) = self.exchange.receive() {
            self.receive(hand_over)?;
        }
        let mut stopwatch = Stopwatch::start();
        let mut group = std::mem::replace(&mut self.group, self.dir.batch());
        self.gate.save(&mut group);
        self.lore.traps.save(&mut group);
        for node in &mut self.nodes {
            node.save(&self.dir, &mut group)?;
        }
        let counters = self.dir.table("counters")?;
        group.put(&counters, CLOCK, &self.clock.now().0.to_be_bytes());
        group.put(&counters, N_KNOWN, &self.n_known.to_be_bytes());
        group.put(&counters, ENDING, &[ending as u8]);
        self.dir.commit(group)?;
        let is_last = ending == Ending::Clean;
        self.learner.save(self.dir.path(), self.n_known, is_last)?;
        self.n_grouped = 0;
        self.last_commit = Instant::now();
        stopwatch.lap(Stage::Store);
        self.timings.add(&stopwatch.timings);
        Ok(())
    }

    fn n_pages(&self) -> u64 {
        self.nodes.iter().map(|node| node.counts.n_pages).sum()
    }

    /// Whether there is no relevant page where this crawl goes.
    fn is_hopeless(&self) -> bool {
        let mut nodes = self.nodes.iter();
        self.n_pages() >= self.settings.patience
            && self.settings.geoparse
            && nodes.all(|node| node.counts.n_geo_pages == 0)
    }

    fn has_enough(&self) -> bool {
        self.settings
            .n_pages
            .is_some_and(|goal| self.n_pages() >= goal)
    }

    /// Counts on every fetch in the air, so that a crawl never overshoots.
    fn will_have_enough(&self) -> bool {
        let n_hoped = self.n_pages() + self.flights.len() as u64;
        self.settings.n_pages.is_some_and(|goal| n_hoped >= goal)
    }

    fn progress(&self) -> Progress {
        let now = self.clock.now();
        Progress {
            nodes: self.nodes.iter().map(|node| node.progress(now)).collect(),
            goal: self.settings.n_pages,
            n_stored: self.dir.n_visits(),
            elapsed: self.started.elapsed(),
            n_pages_before: self.n_pages_before,
            now,
            timings: self.timings,
            pause: self.pause,
            next_try: self.next_try,
            rebuilding: None,
            jump: self.jump,
        }
    }

    /// What time it is, or was.
    fn now(&self) -> Time {
        self.as_of.unwrap_or_else(|| self.clock.now())
    }
}

/// Whether an order would start from a seed.
pub fn takes_seed(order: &Order, targets: &Targets, roster: &Roster, seed: &CanonicalUrl) -> bool {
    let page = signpost(seed, seed.clone());
    let scene = Scene {
        page: &page,
        evaluation: &Evaluation::default(),
        targets,
        roster,
        node: roster.general(),
        via: None,
        server: None,
    };
    let links: Vec<&Link> = page.links.iter().collect();
    let clues = order.eye.look(&scene, &links).pop().unwrap_or_default();
    let sighting = Sighting::new(seed.fingerprint().short(), 0, &clues);
    order.mind.judge(&sighting) != Judgement::Leave
}

/// The time at which a crawl on the virtual clock stopped; none when it is new.
pub fn last_time(dir: &CrawlDir) -> Result<Option<Time>, CrawlError> {
    Ok(number_of(dir, CLOCK)?.map(Time))
}

fn number_of(dir: &CrawlDir, key: &[u8]) -> Result<Option<u64>, CrawlError> {
    let number = dir.table("counters")?.get(key)?;
    Ok(number.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?))))
}

/// The first entry of a session's first group: a crash is remembered until the
/// next one, also by sessions that end well before its delays have passed.
/// When a process was last found to have died at work.
fn crash_time(dir: &CrawlDir, n_known: u64, now: Time) -> Result<Option<Time>, CrawlError> {
    let ending = dir.table("counters")?.get(ENDING)?;
    let has_crashed = ending.is_some_and(|ending| ending == [Ending::Open as u8]);
    // Tables that have lost visits have lost clocks as well.
    Ok(match has_crashed || n_known < dir.n_visits() {
        true => Some(now),
        false => number_of(dir, CRASHED)?.map(|time| Time(time).min(now)),
    })
}

fn crash_note(dir: &CrawlDir, crashed: Option<Time>) -> Result<Batch, CrawlError> {
    let mut batch = dir.batch();
    if let Some(crashed) = crashed {
        batch.put(&dir.table("counters")?, CRASHED, &crashed.0.to_be_bytes());
    }
    Ok(batch)
}
