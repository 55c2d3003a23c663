//! From a plan to a running crawl, and from a finished one to its summary.

mod about;
mod equipment;
mod web;

pub(crate) use web::{PrivateSeeds, seeds};

use equipment::Ordered;

use crate::broadcast::Broadcast;
use crate::cli::LeftOutArgs;
use crate::interrupt;
use crate::live::View;
use crate::message;
use crate::metrics::{Listener, Server};
use crate::plan::{Plan, Web};
use crate::text::{count, moment, span, thousands};
use crate::topics;
use anyhow::{Context, anyhow};
use crawl::clock::{Clock, SystemClock, VirtualClock};
use crawl::conductor::{self, Parts, Refresh};
use crawl::error::CrawlError;
use crawl::fetch::Fetcher;
use crawl::fetch::address::OpenRange;
use crawl::learner;
use crawl::progress::{LostLinks, Progress, Rebuilding, StopReason};
use crawl::settings::Settings;
use crawl::stage::process_cpu_time;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::crawl_dir::{CrawlDir, StoreError, VisitReader, free_space};
use store::note;
use store::visit::Time;
use strategy::appraise::Appraiser;
use strategy::assign;
use strategy::assign::Assign;
use strategy::order::{self, Order};
use strategy::roster::Roster;

/// The note that says how a crawl ended.
pub(crate) const STATE_NOTE: &str = "state.json";

/// Virtual clocks start on the first of May 2006, when the first paper came out.
const VIRTUAL_START: Time = Time(1_146_441_600_000);

/// A disk that damages tables again and again is one to give up on.
const MOST_REBUILDINGS: usize = 3;

/// What a plan resolves to: everything is checked before anything is written.
pub(crate) struct Session {
    plan: Plan,
    targets: Targets,
    roster: Roster,
    assign: Box<dyn Assign>,
    /// Whether URLs have to be claimed.
    claims: bool,
    order: Order,
    /// What pages are worth, where the crawl has a topic.
    appraiser: Option<Appraiser>,
    fetcher: Arc<dyn Fetcher>,
    /// Hosts are not asked more often, but for those of one's own network.
    least_delay: Duration,
    seeds: Vec<CanonicalUrl>,
    refresh: Option<Refresh>,
    left_out: LeftOutArgs,
    metrics: Option<Listener>,
}

/// How a crawl ended, for `status` and resuming.
#[derive(Debug, Serialize)]
struct State {
    /// None while the crawl runs.
    reason: Option<String>,
}

/// A session that has ended.
pub(crate) struct Ended {
    /// Seeds given by the user, whose loss must be told.
    pub(crate) has_own_seeds: bool,
    /// Where the crawl started.
    pub(crate) seeds: Vec<CanonicalUrl>,
    pub(crate) reason: StopReason,
    pub(crate) progress: Progress,
    /// Visits on record when this session began.
    n_visits_before: u64,
    /// User and system time of the process.
    pub(crate) cpu: Duration,
}

impl Session {
    /// Checks a plan: places, nodes, strategies, the web and its seeds.
    pub(crate) fn prepare(mut plan: Plan, refresh: Option<Refresh>) -> anyhow::Result<Session> {
        let targets = plan.targets()?;
        let roster = plan.roster(&targets)?;
        let entry = assign::by_name(&plan.assign).ok_or_else(|| {
            let names = assign::ALL
                .iter()
                .map(|entry| entry.name.to_owned())
                .collect::<Vec<_>>();
            anyhow!(
                "no assign strategy named `{}`: {}",
                plan.assign,
                message::list(&names, "or")
            )
        })?;
        let order = order::by_name(&plan.order).ok_or_else(|| {
            let names = order::ALL
                .iter()
                .map(|entry| entry.name.to_owned())
                .collect::<Vec<_>>();
            anyhow!(
                "no order named `{}`: {}",
                plan.order,
                message::list(&names, "or")
            )
        })?;
        let web = web::open(&plan, &targets)?;
        let assign = equipment::build(entry, &plan, &targets, &roster, web.servers)?;
        let Ordered {
            order,
            appraiser,
            topic,
        } = equipment::order(order, &mut plan, &targets, &roster)?;
        if let Some(topic) = &topic {
            topics::warn_of_language(topic, plan.ordering.languages(), &targets);
        }
        let seeds = web::choose_seeds(&plan, &targets, web.seeds);
        if seeds.is_empty() {
            return Err(anyhow!(
                "no built-in seeds for {}: give some with `--seeds FILE`",
                message::list(&plan.places, "and")
            ));
        }
        let seeds = in_scope(&plan, seeds)?;
        if let Web::Proxy { world, .. } = &mut plan.web {
            *world = web.world;
        }
        web::check_private(&plan, &seeds)?;
        web::tell_budget(&plan);
        let is_taken = |seed: &CanonicalUrl| conductor::takes_seed(&order, &targets, &roster, seed);
        if !seeds.iter().any(is_taken) {
            return Err(anyhow!(
                "`--order {}` starts from seeds whose address names a place, and none of the {} \
                 does: give others with `--seeds FILE`, or say whose they are with `--whois FILE`",
                plan.order,
                count(seeds.len() as u64, "seed"),
            ));
        }
        Ok(Session {
            claims: plan.assigning.needs_claims(entry),
            plan,
            targets,
            roster,
            assign,
            order,
            appraiser,
            fetcher: web.fetcher,
            least_delay: web.least_delay,
            seeds,
            refresh,
            left_out: LeftOutArgs::default(),
            metrics: None,
        })
    }

    /// The plan, with the content of the files that it names.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The same crawl without some of its stages.
    pub(crate) fn without(self, left_out: LeftOutArgs) -> Session {
        Session { left_out, ..self }
    }

    /// Whoever asks there is told how the crawl stands.
    pub(crate) fn tell(&mut self, metrics: Listener) {
        self.metrics = Some(metrics);
    }

    /// Runs in a folder that holds no crawl yet, or one of the same plan.
    /// Tables that turn out to be damaged on the way are worked out again.
    pub(crate) fn run(mut self, dir: &Path) -> anyhow::Result<Ended> {
        let stop = interrupt::flag()?;
        for _ in 1..MOST_REBUILDINGS {
            let (plan, refresh, left_out) = (self.plan.clone(), self.refresh, self.left_out);
            let metrics = self.metrics.as_ref().map(Listener::try_clone).transpose()?;
            match self.run_once(dir, stop.clone()) {
                Err(error) if is_of_damaged_tables(&error) => {}
                ended => return ended,
            }
            self = Session::prepare(plan, refresh)?.without(left_out);
            self.metrics = metrics;
        }
        self.run_once(dir, stop)
    }

    fn run_once(self, dir: &Path, stop: Arc<AtomicBool>) -> anyhow::Result<Ended> {
        let mut crawl_dir = open_or_create(dir, &self.plan)?;
        crawl_dir.set_about(about::about(&self.plan, &self.targets));
        write_state(dir, None)?;
        let clock: Box<dyn Clock> = match self.plan.web {
            Web::Lab(_) | Web::Recorded { .. } => {
                let start = conductor::last_time(&crawl_dir)?.unwrap_or(VIRTUAL_START);
                Box::new(VirtualClock::starting_at(start))
            }
            Web::Real { .. } | Web::Proxy { .. } => Box::new(SystemClock::default()),
        };
        let own_delay = self.plan.delay();
        let delay = own_delay.max(self.least_delay);
        let own = self.plan.own_network()?;
        let usual = Settings::default();
        let settings = Settings {
            // A refresh has its own idea of how many.
            n_pages: self.plan.pages.filter(|_| self.refresh.is_none()),
            delay,
            server_delay: delay / 2,
            own_delay,
            own_server_delay: own_delay / 2,
            own,
            max_tries: self.plan.tries.unwrap_or(usual.max_tries),
            retry_wait: self
                .plan
                .retry_wait_ms
                .map_or(usual.retry_wait, Duration::from_millis),
            sitemaps: !self.plan.no_sitemaps,
            max_depth: self.plan.depth,
            policy: self.plan.assigning.policy(),
            claims: self.claims,
            bounds: self.plan.scoping.bounds()?,
            filters: self.plan.ordering.filters(),
            patience: self.plan.ordering.patience.unwrap_or(usual.patience),
            n_slots: self.plan.ordering.n_slots().unwrap_or(usual.n_slots),
            archive: !self.left_out.no_archive,
            geoparse: !self.left_out.no_geoparse,
            ..usual
        };
        if !settings.own.is_empty() {
            let ranges: Vec<String> = settings.own.iter().map(OpenRange::to_string).collect();
            message::info(format!(
                "private addresses are open to this crawl: {}",
                ranges.join(", ")
            ));
        }
        if !self.plan.demo {
            let places = Plan::name_targets(&self.targets);
            let topic = self.plan.ordering.weighing.topic.as_ref();
            let about = topic.map(|topic| format!(", about `{}`", topic.what));
            let about = about.unwrap_or_default();
            message::info(format!("crawling for {places}{about}"));
            if matches!(self.plan.web, Web::Lab(_)) && !has_made_up_place(&self.targets) {
                message::warning(
                    "the made-up web has US and German cities only: no addresses will be found there",
                );
            }
        }
        let n_visits_before = crawl_dir.n_visits();
        let visits = VisitReader::open_at(dir, n_visits_before)?;
        let server = self.metrics.map(|metrics| metrics.serve(visits));
        let server = server.transpose().context("cannot serve metrics")?;
        let board = server.as_ref().map(Server::board);
        let mut broadcast = Broadcast::new(dir.to_path_buf(), board);
        let mut view = View::open(self.roster.seats().len());
        let parts = Parts {
            dir: crawl_dir,
            settings,
            targets: self.targets,
            roster: self.roster,
            assign: self.assign,
            order: self.order,
            fetcher: self.fetcher,
            clock,
            stop,
            appraiser: self.appraiser,
            refresh: self.refresh,
        };
        let ended = conductor::run(parts, &self.seeds, &mut |progress| {
            if let Some(rebuilding) = &progress.rebuilding {
                return tell_rebuilding(rebuilding);
            }
            view.show(progress);
            broadcast.tell(progress);
        });
        let ended = ended.map(|(reason, progress)| (told_reason(reason), progress));
        let state = match &ended {
            Ok((reason, _)) => reason.to_string(),
            Err(error) => error.to_string(),
        };
        if let Err(error) = write_state(dir, Some(state)) {
            // The crawl itself is safe; only `status` will know less.
            message::warning(format!("cannot note why the crawl stopped: {error}"));
        }
        let (reason, progress) = ended?;
        view.close(&progress);
        broadcast.finish(&progress);
        Ok(Ended {
            has_own_seeds: !self.plan.seeds.is_empty(),
            seeds: self.seeds,
            reason,
            progress,
            n_visits_before,
            cpu: process_cpu_time(),
        })
    }
}

/// The order of a crawl as it is now, with what it has learned.
pub(crate) fn order_of(
    dir: &Path,
    plan: &Plan,
    targets: &Targets,
    roster: &Roster,
) -> anyhow::Result<Order> {
    let entry = order::by_name(&plan.order).context("an order that is gone")?;
    let Ordered { mut order, .. } = equipment::order(entry, &mut plan.clone(), targets, roster)?;
    if let Some(bytes) = note::read_bytes(dir, learner::MODEL)? {
        learner::read_model(&mut *order.mind, &bytes)?;
    }
    Ok(order)
}

/// The seeds that are in scope; of the others it is told.
fn in_scope(plan: &Plan, seeds: Vec<CanonicalUrl>) -> anyhow::Result<Vec<CanonicalUrl>> {
    let (kept, out) = plan.scoping.sift(seeds)?;
    match out {
        Some(out) if kept.is_empty() => return Err(anyhow!(out.describe())),
        Some(out) => message::warning(out.describe()),
        None => {}
    }
    Ok(kept)
}

fn has_made_up_place(targets: &Targets) -> bool {
    let gazetteer = Gazetteer::built_in();
    let mut places = targets.list().iter().map(|target| target.place);
    places.any(|place| ["US", "DE"].contains(&gazetteer.place(place).country))
}

impl Ended {
    /// A refresh that found every page visited too lately.
    fn is_idle_refresh(&self) -> bool {
        self.reason == StopReason::Refreshed && self.progress.n_stored == self.n_visits_before
    }

    /// Says why the crawl stopped and how it goes on.
    pub(crate) fn explain(&self, resume: &str) {
        let progress = &self.progress;
        let reason = match self.is_idle_refresh() {
            true => "nothing was due".into(),
            false => self.reason.to_string(),
        };
        message::info(format!(
            "stopped: {reason}; {} in {}, {} stored",
            pages(progress),
            span(progress.elapsed),
            count(progress.n_stored, "visit"),
        ));
        if self.reason.is_premature() {
            message::hint(format!("`{resume}` resumes it"));
        } else if self.reason == StopReason::OnlyFailedLeft {
            let at = progress.next_try;
            let when = at.map_or("later".into(), |at| moment(at, progress.now));
            message::hint(format!("`{resume}` tries them again, the first {when}"));
        }
    }
}

/// Pages of all sessions, and what this one did with them.
fn pages(progress: &Progress) -> String {
    let n_pages = progress.n_pages();
    let n_new = n_pages.saturating_sub(progress.n_pages_before);
    let again = progress.again();
    let mut text = count(n_pages, "page");
    if progress.n_pages_before > 0 && (n_new > 0 || again.n_visits == 0) {
        text += &format!(", {} of them", thousands(n_new));
    }
    if again.n_visits > 0 {
        let (n_visits, n_changed) = (thousands(again.n_visits), thousands(again.n_changed));
        text += &format!(", {n_visits} asked for again and {n_changed} changed,");
    }
    text
}

/// Says that tables are worked out again, and what is lost for good.
fn tell_rebuilding(rebuilding: &Rebuilding) {
    match rebuilding {
        Rebuilding::Begun(n_visits) => message::info(format!(
            "working the tables out again from {} and the archive",
            count(*n_visits, "visit")
        )),
        Rebuilding::Done(_, LostLinks { n_pages: 0, .. }) => {}
        Rebuilding::Done(_, lost) => message::warning(format!(
            "links of {} cannot be read again ({} at most), those of `{}` among them: \
             the archive is damaged there",
            count(lost.n_pages, "page"),
            count(lost.n_links, "link"),
            lost.page.as_deref().unwrap_or_default(),
        )),
    }
}

fn is_of_damaged_tables(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<CrawlError>();
    error.is_some_and(|error| error.damage().is_some())
}

/// A crawl knows that it was asked to end; who asked is known here.
fn told_reason(reason: StopReason) -> StopReason {
    match reason {
        StopReason::Interrupted if interrupt::is_unread() => StopReason::Unread,
        reason => reason,
    }
}

fn write_state(dir: &Path, reason: Option<String>) -> anyhow::Result<()> {
    Ok(note::write(
        dir,
        STATE_NOTE,
        &serde_json::to_string(&State { reason })?,
    )?)
}

fn open_or_create(dir: &Path, plan: &Plan) -> anyhow::Result<CrawlDir> {
    match CrawlDir::open(dir) {
        Ok((mut crawl_dir, damages)) => {
            if crawl_dir.settings() != plan.to_text() {
                crawl_dir.set_settings(&plan.to_text())?;
            }
            for damage in damages {
                message::warning(format!("`{}`: {}", damage.file.display(), damage.what));
            }
            Ok(crawl_dir)
        }
        Err(StoreError::Missing { .. }) => {
            check_space(dir, Settings::default().disk_reserve)?;
            Ok(CrawlDir::create_packed(
                dir,
                &plan.to_text(),
                plan.packing(),
            )?)
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether a crawl that is begun there could go on: it leaves the reserve free.
/// Asked before anything is written, of the folder that there is already.
fn check_space(dir: &Path, reserve: u64) -> anyhow::Result<()> {
    let dir_now = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    let there = dir_now.ancestors().find(|folder| folder.is_dir());
    // A disk that cannot be asked is not known to be full.
    let free = there.and_then(|folder| free_space(folder).ok());
    match free {
        Some(free) if free < reserve => Err(NoRoom {
            dir: dir.to_path_buf(),
            free,
            reserve,
        }
        .into()),
        _ => Ok(()),
    }
}

/// A disk that a crawl would fill.
#[derive(Debug, thiserror::Error)]
#[error(
    "the disk of `{}` has {} MB left, and a crawl leaves {} MB free",
    dir.display(), free >> 20, reserve >> 20
)]
pub(crate) struct NoRoom {
    dir: PathBuf,
    free: u64,
    reserve: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_without_room_says_so_before_it_leaves_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("deep/crawl");
        let error = check_space(&dir, u64::MAX).unwrap_err().to_string();
        let (start, end) = ("the disk of `", " MB free");
        assert!(error.starts_with(start) && error.ends_with(end), "{error}");
        assert!(!folder.path().join("deep").exists());
        check_space(&dir, 1).unwrap();
    }
}
