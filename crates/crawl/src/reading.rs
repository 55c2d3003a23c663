//! What a reader thread makes of a landing: everything about a page that can
//! be worked out without touching the node's state.
//!
//! Pure given its inputs, so that on the virtual clock it does not matter
//! which thread reads which page, or when.

mod archive;
mod listing;
mod signpost;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use signpost::{blank, signpost};

use self::signpost::Signpost;
use crate::fetch::{Answer, Fetched, Fetcher, Landing, Request};
use crate::frontier::Purpose;
use crate::stage::{Stage, Stopwatch, Timings};
use page::html::{self, Link, Page};
use page::shape::Shape;
use page::url::{CanonicalUrl, Fingerprint};
use place::address::Entity;
use place::target::{TargetId, Targets};
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use store::packing::Packing;
use store::visit::{Errand, Outcome, Refusal, Time};
use store::warc::Bundle;
use strategy::appraise::Appraiser;
use strategy::assign::{Assign, Assignment, Policy, View};
use strategy::evaluate::{Evaluation, Evaluator};
use strategy::order::{Clues, Eye};
use strategy::roster::{NodeId, Roster};
use strategy::scene::Scene;

/// Everything a reader thread needs to know about the crawl.
pub(crate) struct Reader {
    pub(crate) fetcher: Arc<dyn Fetcher>,
    /// None where pages are not evaluated.
    pub(crate) evaluator: Option<Evaluator>,
    /// None where the crawl has no topic.
    pub(crate) appraiser: Option<Appraiser>,
    pub(crate) assign: Box<dyn Assign>,
    /// Looks at links for the order.
    pub(crate) eye: Box<dyn Eye>,
    pub(crate) policy: Policy,
    pub(crate) targets: Targets,
    pub(crate) roster: Roster,
    /// GeoNames id of each target, by position.
    pub(crate) geonameids: Vec<u32>,
    /// The other way round.
    pub(crate) by_geonameid: HashMap<u32, TargetId>,
    /// Our name in headers that speak to one robot only.
    pub(crate) agent: String,
    /// How the archive is compressed.
    pub(crate) packing: Packing,
    /// Whether answers are packed for the archive.
    pub(crate) archive: bool,
}

/// A fetch that has been sent off.
#[derive(Debug, Clone)]
pub(crate) struct Mission {
    pub(crate) flight: u64,
    pub(crate) node: NodeId,
    pub(crate) request: Request,
    pub(crate) at: Time,
    pub(crate) because: String,
    pub(crate) from: Option<CanonicalUrl>,
    /// The target that its link was taken to be about, as a GeoNames id.
    pub(crate) target: Option<u32>,
    /// Redirects in a row that led here; more than none and `from` is the last of them.
    pub(crate) hops: u8,
}

/// Redirects followed in a row, as browsers and RFC 9309 have it.
pub(crate) const MAX_HOPS: u8 = 5;

/// A landing, read.
#[derive(Debug)]
pub struct Reading {
    pub(crate) mission: Mission,
    pub(crate) landing: Landing,
    pub(crate) outcome: Outcome,
    pub(crate) found: Found,
    pub(crate) bundle: Option<Bundle>,
    pub(crate) timings: Timings,
}

/// What stands on a page. A redirect is a page without text and with one link.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) page: Page,
    pub(crate) evaluation: Evaluation,
    /// The target that the strategy maps the page to.
    pub(crate) mapped: Option<TargetId>,
    /// Links to follow, each URL once.
    pub(crate) links: Vec<FoundLink>,
    /// Links that are not followed whatever they are worth, each URL once.
    pub(crate) left_out: Vec<(Fingerprint, Refusal)>,
    /// The shape of its text, to tell copies by.
    pub(crate) shape: Option<Shape>,
    /// What a sitemap says of each of its addresses.
    pub(crate) hints: Vec<Hint>,
}

/// What a site says of one of its addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hint {
    pub(crate) purpose: Purpose,
    /// How much it matters among those of its site, from 0 to 1.
    pub(crate) weight: f32,
    /// When it last changed.
    pub(crate) changed: Option<Time>,
}

#[derive(Debug)]
pub(crate) struct FoundLink {
    pub(crate) link_idx: usize,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) assignment: Assignment,
    /// The other nodes that get it, by policy B.
    pub(crate) also: Vec<Assignment>,
    /// What the order saw of it.
    pub(crate) clues: Clues,
}

impl FoundLink {
    /// Everybody who gets it.
    pub(crate) fn assignments(&self) -> impl Iterator<Item = Assignment> {
        std::iter::once(self.assignment).chain(self.also.iter().copied())
    }
}

/// Where a page came from, as far as strategies look at it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) node: NodeId,
    pub(crate) via: Option<TargetId>,
    pub(crate) server: Option<IpAddr>,
}

impl Origin {
    /// Of what was not fetched: a seed.
    pub(crate) fn nowhere(node: NodeId) -> Origin {
        Origin {
            node,
            via: None,
            server: None,
        }
    }
}

impl Reader {
    pub(crate) fn geonameid(&self, target: TargetId) -> u32 {
        self.geonameids[target.0 as usize]
    }

    pub(crate) fn scene<'a>(
        &'a self,
        page: &'a Page,
        evaluation: &'a Evaluation,
        origin: Origin,
    ) -> Scene<'a> {
        Scene {
            page,
            evaluation,
            targets: &self.targets,
            roster: &self.roster,
            node: origin.node,
            via: origin.via,
            server: origin.server,
        }
    }

    /// Where a landing came from.
    pub(crate) fn origin(&self, mission: &Mission, landing: &Landing) -> Origin {
        let via = mission
            .target
            .and_then(|target| self.by_geonameid.get(&target));
        Origin {
            node: mission.node,
            via: via.copied(),
            server: landing.server,
        }
    }

    /// Reads one landing; the time since `watch` was last read is the fetch's.
    pub(crate) fn read(
        &self,
        mission: &Mission,
        landing: Landing,
        mut watch: Stopwatch,
    ) -> Box<Reading> {
        watch.lap(Stage::Fetch);
        let outcome = outcome_of(mission, &landing);
        let found = match (&outcome, mission.request.errand) {
            (Outcome::Fetched, Errand::Page) => self.read_page(mission, &landing, &mut watch),
            (Outcome::Fetched, Errand::Sitemap) => self.read_listing(mission, &landing, &mut watch),
            (Outcome::Redirected(to), Errand::Page | Errand::Sitemap) => {
                self.follow(mission, &landing, to, &mut watch)
            }
            _ => Found::nothing(&mission.request.url),
        };
        watch.lap(Stage::Order);
        let bundle = match self.archive {
            true => self.pack(mission, &landing, &outcome, &found.page.robots),
            false => None,
        };
        watch.lap(Stage::Archive);
        Box::new(Reading {
            mission: mission.clone(),
            landing,
            outcome,
            found,
            bundle,
            timings: watch.timings,
        })
    }

    fn read_page(&self, mission: &Mission, landing: &Landing, watch: &mut Stopwatch) -> Found {
        let Fetched::Answer(answer) = &landing.fetched else {
            return Found::nothing(&mission.request.url);
        };
        let content_type = answer.content_type.as_deref();
        let mut page = html::read(&answer.body, &mission.request.url, content_type);
        for value in answer.headers("x-robots-tag") {
            page.robots.hear_header(value, &self.agent);
        }
        let shape = Shape::of(&page);
        watch.lap(Stage::Parse);
        let evaluator = self.evaluator.as_ref();
        let evaluation = evaluator.map(|evaluator| evaluator.evaluate(&page));
        let mut evaluation = evaluation.unwrap_or_default();
        watch.lap(Stage::Geoparse);
        if let Some(appraiser) = &self.appraiser {
            appraiser.appraise(&page, &mut evaluation);
            watch.lap(Stage::Order);
        }
        // The same page with other addresses is about another place.
        let addresses = evaluation.entities.iter().map(Entity::key);
        let shape = shape.map(|shape| shape.marked(addresses));
        Found {
            shape,
            ..self.assign_links(self.origin(mission, landing), page, evaluation, watch)
        }
    }

    fn follow(
        &self,
        mission: &Mission,
        landing: &Landing,
        to: &str,
        watch: &mut Stopwatch,
    ) -> Found {
        match CanonicalUrl::parse(to) {
            Ok(to) => self.assign_signpost(
                self.origin(mission, landing),
                signpost(&mission.request.url, to),
                watch,
            ),
            Err(_) => Found::nothing(&mission.request.url),
        }
    }

    /// Gives a seed its node, or nodes.
    pub(crate) fn assign_seed(&self, seed: &CanonicalUrl) -> Vec<Assignment> {
        let page = signpost(seed, seed.clone());
        let evaluation = Evaluation::default();
        let origin = Origin::nowhere(self.roster.general());
        let scene = self.scene(&page, &evaluation, origin);
        let (first, also) = self.decide(&*self.assign.view(scene), &page.links[0]);
        std::iter::once(first).chain(also).collect()
    }

    /// What the order sees of a seed.
    pub(crate) fn look_at_seed(&self, seed: &CanonicalUrl) -> Clues {
        let page = signpost(seed, seed.clone());
        let evaluation = Evaluation::default();
        let scene = self.scene(&page, &evaluation, Origin::nowhere(self.roster.general()));
        let links: Vec<&Link> = page.links.iter().collect();
        self.eye.look(&scene, &links).pop().unwrap_or_default()
    }

    /// Shares what is about no target among the general nodes: strategies
    /// know that there are some, not which of them has its turn.
    fn spread(&self, assignment: Assignment, link: &Link) -> Assignment {
        match assignment.target {
            None if self.roster.is_general(assignment.node) => Assignment {
                node: self.roster.general_for(&link.url),
                ..assignment
            },
            _ => assignment,
        }
    }

    /// A link's node and, by policy B, further ones.
    fn decide(&self, view: &dyn View, link: &Link) -> (Assignment, Vec<Assignment>) {
        let spread = |assignment: Assignment| self.spread(assignment, link);
        match self.policy {
            Policy::A => (spread(view.assign(link)), Vec::new()),
            Policy::B => {
                let mut all: Vec<Assignment> =
                    view.assign_all(link).into_iter().map(spread).collect();
                (all.remove(0), all)
            }
        }
    }

    /// Gives every link of a page its node, each URL once, the page itself never.
    fn assign_links(
        &self,
        origin: Origin,
        page: Page,
        evaluation: Evaluation,
        watch: &mut Stopwatch,
    ) -> Found {
        let scene = self.scene(&page, &evaluation, origin);
        let view = self.assign.view(scene);
        let mut assigned = self.assigned(&*view, &page);
        drop(view);
        watch.lap(Stage::Assign);
        self.look(&scene, &mut assigned);
        assigned.on(page, evaluation)
    }

    /// Has the order look at the links of a page.
    fn look(&self, scene: &Scene<'_>, assigned: &mut Assigned) {
        let links = assigned.links.iter();
        let links: Vec<&Link> = links.map(|link| &scene.page.links[link.link_idx]).collect();
        let clues = self.eye.look(scene, &links);
        for (link, clues) in assigned.links.iter_mut().zip(clues) {
            link.clues = clues;
        }
    }

    /// The same for a page without text, which shows most strategies nothing.
    fn assign_signpost(&self, origin: Origin, page: Page, watch: &mut Stopwatch) -> Found {
        let evaluation = Evaluation::default();
        let scene = self.scene(&page, &evaluation, origin);
        let view = self.assign.view(scene);
        let mut assigned = match self.assign.by_url_alone() {
            true => self.assigned(&*view, &page),
            false => self.assigned(&Signpost::new(&*view, &self.roster, origin), &page),
        };
        drop(view);
        watch.lap(Stage::Assign);
        self.look(&scene, &mut assigned);
        assigned.on(page, evaluation)
    }

    fn assigned(&self, view: &dyn View, page: &Page) -> Assigned {
        let mut seen = HashSet::with_capacity(page.links.len() + 1);
        seen.insert(page.url.fingerprint());
        let mut links = Vec::with_capacity(page.links.len());
        let mut left_out = Vec::new();
        for (link_idx, link) in page.links.iter().enumerate() {
            let fingerprint = link.url.fingerprint();
            if link.nofollow || page.robots.nofollow {
                left_out.push((fingerprint, Refusal::NoFollow));
                continue;
            }
            if seen.insert(fingerprint) {
                let (assignment, also) = self.decide(view, link);
                links.push(FoundLink {
                    link_idx,
                    fingerprint,
                    assignment,
                    also,
                    clues: Clues::new(),
                });
            }
        }
        let further = page.further_links.iter();
        left_out.extend(further.map(|fingerprint| (*fingerprint, Refusal::TooManyLinks)));
        // A page may ask of one link what it does not ask of another to the same URL.
        left_out.retain(|(fingerprint, _)| seen.insert(*fingerprint));
        Assigned {
            mapped: view.mapped(),
            links,
            left_out,
        }
    }
}

/// What a strategy says of a page and its links.
struct Assigned {
    mapped: Option<TargetId>,
    links: Vec<FoundLink>,
    left_out: Vec<(Fingerprint, Refusal)>,
}

impl Assigned {
    fn on(self, page: Page, evaluation: Evaluation) -> Found {
        Found {
            page,
            evaluation,
            mapped: self.mapped,
            links: self.links,
            left_out: self.left_out,
            shape: None,
            hints: Vec::new(),
        }
    }
}

impl Reading {
    /// The HTTP status, where there was an answer.
    pub(crate) fn status(&self) -> Option<u16> {
        match &self.landing.fetched {
            Fetched::Answer(answer) => Some(answer.status),
            _ => None,
        }
    }

    /// When what came back was like that.
    pub(crate) fn date(&self) -> Time {
        self.landing.recorded.unwrap_or(self.mission.at)
    }

    /// Whether this says nothing about the host: it was never asked.
    pub(crate) fn is_offline(&self) -> bool {
        matches!(self.landing.fetched, Fetched::Offline(_))
    }
}

impl Found {
    pub(crate) fn nothing(url: &CanonicalUrl) -> Found {
        Found {
            page: blank(url),
            evaluation: Evaluation::default(),
            mapped: None,
            links: Vec::new(),
            left_out: Vec::new(),
            shape: None,
            hints: Vec::new(),
        }
    }
}

fn outcome_of(mission: &Mission, landing: &Landing) -> Outcome {
    match &landing.fetched {
        Fetched::Answer(answer) => outcome_of_answer(mission, answer),
        Fetched::Unresolved => Outcome::Unresolved,
        Fetched::Unreachable(why) | Fetched::Again(why) => Outcome::Unreachable(why.clone()),
        Fetched::TimedOut => Outcome::TimedOut,
        Fetched::TooLarge => Outcome::TooLarge,
        Fetched::PrivateAddress => Outcome::PrivateAddress,
        Fetched::Garbled(why) | Fetched::Offline(why) => Outcome::Garbled(why.clone()),
        Fetched::Untrusted(why) => Outcome::Untrusted(why.clone()),
        Fetched::NotArchived => Outcome::NotArchived,
    }
}

fn outcome_of_answer(mission: &Mission, answer: &Answer) -> Outcome {
    match answer.status {
        304 if mission.request.known.is_some() => Outcome::Unchanged,
        200..300 if mission.request.errand != Errand::Page || answer.is_text() => Outcome::Fetched,
        200..300 => Outcome::WrongType(answer.content_type.clone().unwrap_or_default()),
        300..400 => match &answer.location {
            Some(to) => outcome_of_redirect(mission, to),
            None => Outcome::Status,
        },
        _ => Outcome::Status,
    }
}

/// Whether a redirect leads anywhere. Longer circles end at pages already
/// seen; rules that have moved are followed, and counted, by the gate.
fn outcome_of_redirect(mission: &Mission, location: &str) -> Outcome {
    let url = &mission.request.url;
    let to = match url.join(location) {
        Ok(to) => to,
        Err(error) => return Outcome::BadRedirect(error.to_string()),
    };
    if mission.request.errand != Errand::Robots {
        if to == *url {
            return Outcome::BadRedirect("to itself".to_owned());
        }
        if mission.hops > 0 && mission.from.as_ref() == Some(&to) {
            return Outcome::BadRedirect("back to where it came from".to_owned());
        }
        if mission.hops >= MAX_HOPS {
            return Outcome::BadRedirect(format!("more than {MAX_HOPS} redirects"));
        }
    }
    Outcome::Redirected(to.as_str().into())
}
