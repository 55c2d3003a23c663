//! One crawl of an experiment, from its world to its measures.

use super::kit::Kit;
use super::{Bench, ExperimentError, Settled, Trial, impossible};
use crate::measure::{
    NodeShare, Report, Settings as MeasureSettings, Truth, Witness, Worth, measure,
};
use crate::observe::{Reach, Wanted};
use crate::shelves;
use crate::world::World;
use crawl::clock::VirtualClock;
use crawl::conductor::{self, Parts};
use crawl::progress::{Progress, StopReason};
use crawl::settings::Settings;
use crawl::stage::{memory, process_cpu_time};
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use store::crawl_dir::{CrawlDir, StoreError, VisitReader};
use store::visit::Time;
use strategy::assign::{self, Assign};
use strategy::means::{Locate, Means};
use strategy::model::{Label, Model, Trainer};
use strategy::order::Order;

/// What came of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Which trial.
    pub trial: Trial,
    /// What else it depended on.
    pub experiment: Settled,
    /// Its measures.
    pub report: Report,
    /// Why it stopped.
    pub stop_reason: String,
    /// Whether it went on after an interruption: fetches in the air then were
    /// lost and made again later, so it is not quite what it would have been.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
    /// Pages of the last session.
    pub pages_timed: u64,
    /// Wall time that they took, in seconds, without the measuring.
    pub seconds: f64,
    /// User and system time that they took, in seconds.
    pub cpu_seconds: f64,
    /// Pages a second and memory, all along the last session.
    pub moments: Vec<Moment>,
    /// Pages that can be reached at all, where they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_reachable: Option<u64>,
    /// Those of them with an address of a target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_relevant: Option<u64>,
    /// For a crawl that was to fetch more pages than the others: what all of
    /// them are worth. The report is that of as many as the others have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long: Option<Worth>,
}

impl Outcome {
    /// Pages a second of the last session; none if it only measured.
    pub fn rate(&self) -> Option<f64> {
        (self.pages_timed > 0).then(|| self.pages_timed as f64 / self.seconds)
    }

    /// User and system milliseconds a page in the first and in the last tenth
    /// of the last session.
    pub fn pace(&self) -> Option<(f64, f64)> {
        let tenth = self.moments.len() / 10;
        let mean = |moments: &[Moment]| {
            let sum: Option<f64> = moments.iter().map(|moment| moment.cpu_ms).sum();
            Some(sum? / moments.len() as f64).filter(|mean| mean.is_finite())
        };
        let first = mean(self.moments.get(..tenth)?)?;
        let last = mean(&self.moments[self.moments.len() - tenth..])?;
        Some((first, last))
    }

    pub(super) fn set_reach(&mut self, reach: Option<Reach>) {
        self.n_reachable = reach.map(|reach| reach.pages);
        self.n_relevant = reach.map(|reach| reach.relevant);
    }
}

/// How a trial stood at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Pages so far.
    pub pages: u64,
    /// Pages a second since the moment before.
    pub rate: f64,
    /// Memory of the process, in bytes.
    pub memory: u64,
    /// User and system milliseconds a page since the moment before: unlike the
    /// rate, hardly moved by what else the machine does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<f64>,
}

/// Hears how a trial goes.
pub type Watch<'a> = &'a mut dyn FnMut(&Progress);

/// Moments kept of a trial.
const N_MOMENTS: u64 = 60;

/// Pages for the classifier: about each target, and about none. The paper had
/// 500 to 2,000 and 2,000.
const TRAINING: shelves::Wanted = shelves::Wanted {
    of_target: 500,
    of_none: 2_000,
};

pub(super) fn run(
    bench: &Bench,
    trial: &Trial,
    stop: Arc<AtomicBool>,
    watch: Watch<'_>,
) -> Result<Option<Outcome>, ExperimentError> {
    let kit = Kit::of(bench, trial)?;
    let web = match &kit {
        Some(kit) => kit.web(trial),
        None => bench.source.web(trial.seed, &bench.targets),
    };
    let path = bench.crawl_path(trial);
    let dir = open(&path, &bench.settled_text())?;
    let last_time = conductor::last_time(&dir)?;
    let start = last_time.unwrap_or(Time(0));
    let experiment = &bench.experiment;
    let usual = Settings::default();
    let settings = Settings {
        n_pages: Some(bench.pages_of(trial)),
        delay: Duration::from_secs(experiment.delay),
        server_delay: Duration::from_millis(experiment.delay.saturating_mul(500)),
        // No delay means none, however slow a host is.
        delay_factor: match experiment.delay {
            0 => 0.0,
            _ => usual.delay_factor,
        },
        n_slots: experiment.slots.unwrap_or(usual.n_slots),
        domain_budget: experiment.budget.unwrap_or(usual.domain_budget),
        claims: !experiment.overlap && !entry_of(trial)?.by_url_alone,
        archive: false,
        geoparse: experiment.subject().is_places(),
        // Who is not after places finds none, and is not at fault.
        patience: match experiment.subject().is_places() {
            true => usual.patience,
            false => u64::MAX,
        },
        // Trials with topics are short, and run beside each other.
        n_readers: if kit.is_some() { 1 } else { usual.n_readers },
        commit_visits: match kit {
            Some(_) => 4_096,
            None => usual.commit_visits,
        },
        ..usual
    };
    let parts = Parts {
        dir,
        settings,
        assign: strategy_of(bench, trial, web.world.as_ref())?,
        targets: bench.targets.clone(),
        roster: bench.roster.clone(),
        order: order_of(bench, trial, kit.as_ref())?,
        fetcher: web.fetcher,
        clock: Box::new(VirtualClock::starting_at(start)),
        stop,
        appraiser: kit.as_ref().and_then(|kit| kit.appraiser(bench)),
        refresh: None,
    };
    let mut log = MomentLog::new(bench.pages_of(trial));
    let (reason, _) = conductor::run(parts, &web.seeds, &mut |progress| {
        log.hear(progress.n_pages());
        watch(progress);
    })?;
    if reason.is_premature() {
        return Ok(None);
    }
    let (seconds, cpu_seconds) = log.took();
    let (report, long) = match &kit {
        Some(kit) => kit.report(bench, trial, &path)?,
        None => {
            let world = web.world.as_deref();
            (report(bench, trial, (&path, world), reason)?, None)
        }
    };
    Ok(Some(Outcome {
        trial: trial.clone(),
        experiment: bench.settled(),
        pages_timed: log.n_pages(),
        seconds,
        cpu_seconds,
        moments: log.moments,
        report,
        long,
        stop_reason: reason.to_string(),
        resumed: last_time.is_some(),
        n_reachable: None,
        n_relevant: None,
    }))
}

/// Opens what an earlier session left of the same trial, or starts it anew.
fn open(path: &Path, settled: &str) -> Result<CrawlDir, ExperimentError> {
    match CrawlDir::open(path) {
        Ok((dir, damage)) if damage.is_empty() && dir.settings() == settled => Ok(dir),
        // Of another experiment, or damaged: without an archive nothing can be
        // mended, and nothing is lost.
        Ok((dir, _)) => {
            drop(dir);
            std::fs::remove_dir_all(path).map_err(|error| ExperimentError::File {
                path: path.to_owned(),
                error,
            })?;
            Ok(CrawlDir::create(path, settled)?)
        }
        Err(StoreError::Missing { .. } | StoreError::NotACrawl { .. }) => {
            if let Some(folder) = path.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            Ok(CrawlDir::create(path, settled)?)
        }
        Err(error) => Err(error.into()),
    }
}

fn entry_of(trial: &Trial) -> Result<&'static assign::Entry, ExperimentError> {
    assign::by_name(&trial.assign)
        .ok_or_else(|| impossible(format!("no strategy named `{}`", trial.assign)))
}

/// The order whose label a trial has.
fn strategy_of(
    bench: &Bench,
    trial: &Trial,
    world: Option<&Arc<World>>,
) -> Result<Box<dyn Assign>, ExperimentError> {
    let entry = entry_of(trial)?;
    let mut means = Means::new(&bench.targets, &bench.roster);
    if let Some(world) = world {
        means.servers = Some(Arc::clone(world) as Arc<dyn Locate>);
        if trial.assign == "classifier" {
            means.model = Some(Arc::new(model(bench, world)?));
        }
    }
    (entry.build)(&means).map_err(|error| impossible(error.to_string()))
}

fn order_of(bench: &Bench, trial: &Trial, kit: Option<&Kit<'_>>) -> Result<Order, ExperimentError> {
    let mut orders = bench.experiment.order.iter();
    let spec = orders.find(|spec| spec.label() == trial.order);
    let (spec, entry) = spec
        .and_then(|spec| Some((spec, spec.entry()?)))
        .ok_or_else(|| impossible(format!("no order named `{}`", trial.order)))?;
    let usual = Means::new(&bench.targets, &bench.roster);
    let means = Means {
        steps: spec.steps.map_or(usual.steps, |steps| steps as usize),
        train_pages: spec.train_pages.unwrap_or(usual.train_pages),
        decay: spec.decay.unwrap_or(usual.decay),
        order_seed: trial.seed,
        utility: spec.utility(),
        ..kit.map_or(usual, |kit| kit.means(bench))
    };
    (entry.build)(&means).map_err(|error| impossible(error.to_string()))
}

/// Learns from the directory of the world that is crawled.
fn model(bench: &Bench, world: &World) -> Result<Model, ExperimentError> {
    let mut trainer = Trainer::new(&bench.targets, &bench.roster);
    shelves::examples(world, &bench.targets, TRAINING, &mut |target, page| {
        trainer.learn(target.map_or(Label::None, Label::Target), &page.text);
    });
    let empty = trainer.n_examples().find(|(_, n)| *n == 0);
    match empty {
        Some((class, _)) => Err(impossible(format!(
            "`assign`: the directory of this world has no page to learn `{class}` from"
        ))),
        None => Ok(trainer.finish("for this trial")),
    }
}

/// Measures a trial. Whoever has fetched all there was knows how much that is.
fn report(
    bench: &Bench,
    trial: &Trial,
    (path, world): (&Path, Option<&World>),
    reason: StopReason,
) -> Result<Report, ExperimentError> {
    let reach = bench.kept_reach(trial.seed);
    let wanted = Wanted::of(&bench.targets);
    let truth = |url: &str| wanted.number(world?, &CanonicalUrl::parse(url).ok()?);
    let truth: Option<Truth<'_>> = match reach {
        Some(_) => Some(&truth),
        None => None,
    };
    let of = |n_relevant: Option<u64>, n_reachable: Option<u64>| {
        let shares = NodeShare::of(&bench.roster, &bench.targets);
        let settings = MeasureSettings {
            n_relevant,
            n_reachable,
            ..MeasureSettings::default()
        };
        let witness = Witness {
            wanted: truth,
            ..Witness::default()
        };
        measure(shares, settings, witness, || VisitReader::open(path))
    };
    let known = reach.map(|reach| (reach.relevant, reach.pages));
    let report = of(
        known.map(|(relevant, _)| relevant),
        known.map(|(_, pages)| pages),
    )?;
    if known.is_some() || reason != StopReason::NothingLeft {
        return Ok(report);
    }
    Ok(of(Some(report.geo_pages), Some(report.distinct_pages))?)
}

/// Notes how fast a trial goes and what it holds, from its first word on.
struct MomentLog {
    first: Option<(Instant, u64)>,
    cpu: Duration,
    last: (Instant, u64),
    last_cpu: Duration,
    newest: (Instant, u64),
    every: u64,
    moments: Vec<Moment>,
}

impl MomentLog {
    fn new(n_pages: u64) -> MomentLog {
        let now = Instant::now();
        let cpu = process_cpu_time();
        MomentLog {
            first: None,
            cpu,
            last: (now, 0),
            last_cpu: cpu,
            newest: (now, 0),
            every: (n_pages / N_MOMENTS).max(1),
            moments: Vec::new(),
        }
    }

    fn hear(&mut self, pages: u64) {
        let now = Instant::now();
        self.newest = (now, pages);
        if self.first.is_none() {
            self.first = Some((now, pages));
            self.cpu = process_cpu_time();
            self.last_cpu = self.cpu;
            self.last = (now, pages);
        }
        let (before, n_before) = self.last;
        if pages < n_before + self.every {
            return;
        }
        let cpu = process_cpu_time();
        let n_pages = (pages - n_before) as f64;
        self.moments.push(Moment {
            pages,
            rate: n_pages / (now - before).as_secs_f64(),
            memory: memory(),
            cpu_ms: Some((cpu - self.last_cpu).as_secs_f64() * 1000.0 / n_pages),
        });
        self.last = (now, pages);
        self.last_cpu = cpu;
    }

    fn n_pages(&self) -> u64 {
        self.newest.1 - self.first.map_or(0, |(_, pages)| pages)
    }

    /// Wall and CPU seconds since the first word.
    fn took(&self) -> (f64, f64) {
        let start = self.first.map_or(self.newest.0, |(at, _)| at);
        let cpu = process_cpu_time() - self.cpu;
        ((self.newest.0 - start).as_secs_f64(), cpu.as_secs_f64())
    }
}
