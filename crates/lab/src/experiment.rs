//! Experiments: strategies × seeds on a made-up web, measured and compared.
//!
//! An experiment file in TOML says what is crawled: worlds, or recorded pages
//! in their place. Every crawl of it is a *trial*: one assign strategy, one
//! order, one seed. A trial that has ended leaves a file of its own, so an
//! experiment that was stopped goes on where it was; one that was stopped
//! half-way goes on as any crawl does.

mod claims;
mod file;
mod ground;
mod kit;
mod measures;
mod order_claims;
mod ordering;
mod recall;
mod schooling;
mod source;
mod status;
mod summary;
mod tables;
mod trial;
mod worth;
mod worth_claims;
mod worth_figures;
mod write_up;

pub use claims::{Claim, Verdict};
pub use file::{Experiment, Subject};
pub use measures::{MEASURES, Measure};
pub use ordering::OrderSpec;
pub use schooling::Preparation;
pub use status::STATUS_MEASURES;
pub use summary::{Group, Summary};
pub use tables::{Table, tables};
pub use trial::{Moment, Outcome, Watch};
pub use worth::WORTH_MEASURES;
pub use write_up::page;

use crate::world::WorldSettings;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use schooling::School;
use serde::{Deserialize, Serialize};
use source::{ArchiveFile, Source};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use strategy::roster::Roster;

/// One crawl of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// Which node gets a link.
    pub assign: String,
    /// Which link is next: the label of an order with its parameters.
    pub order: String,
    /// The world's seed; 0 for recorded pages.
    pub seed: u64,
    /// What it is about, in an experiment with topics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
}

impl Trial {
    /// What its folder and files are called.
    pub fn name(&self) -> String {
        match &self.topic {
            Some(topic) => format!("{topic}-{}-{}", self.order, self.seed),
            None => format!("{}-{}-{}", self.assign, self.order, self.seed),
        }
    }
}

/// Why an experiment cannot be run; the text names the key.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file says something impossible.
    #[error("{0}")]
    Impossible(String),
    /// A file could not be read or written.
    #[error("`{path}`: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A crawl failed.
    #[error(transparent)]
    Crawl(#[from] crawl::error::CrawlError),
    /// A crawl's folder could not be used.
    #[error(transparent)]
    Store(#[from] store::crawl_dir::StoreError),
}

fn impossible(text: impl Into<String>) -> ExperimentError {
    ExperimentError::Impossible(text.into())
}

/// An experiment that was checked, with all it needs.
pub struct Bench {
    /// What its file says.
    pub experiment: Experiment,
    source: Source,
    targets: Targets,
    roster: Roster,
    dir: PathBuf,
    /// What was learned beforehand, for an experiment with topics.
    school: OnceLock<School>,
}

impl Bench {
    /// Reads and checks an experiment; its results go to `dir`.
    pub fn open(file: &Path, dir: &Path) -> Result<Bench, ExperimentError> {
        let text = read(file)?;
        let experiment: Experiment = toml::from_str(&text)
            .map_err(|error| impossible(error.to_string().trim_end().to_owned()))?;
        experiment.check()?;
        let gazetteer = Gazetteer::built_in();
        let targets = Targets::parse(gazetteer, &experiment.places)
            .map_err(|error| impossible(format!("`places`: {error}")))?;
        let roster = Roster::split(gazetteer, &targets, experiment.nodes)
            .map_err(|error| impossible(format!("`nodes`: {error}")))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        Ok(Bench {
            source: Source::open(&experiment, folder)?,
            experiment,
            targets,
            roster,
            dir: dir.to_owned(),
            school: OnceLock::new(),
        })
    }

    /// Every crawl, in the order in which they are run: a seed of all
    /// strategies before the next seed.
    pub fn trials(&self) -> Vec<Trial> {
        let Experiment {
            assign,
            order,
            topics,
            ..
        } = &self.experiment;
        let topics: Vec<Option<String>> = match topics.is_empty() {
            true => vec![None],
            false => topics.iter().cloned().map(Some).collect(),
        };
        let mut trials = Vec::new();
        for &seed in self.experiment.worlds() {
            for topic in &topics {
                for assign in assign {
                    for order in order {
                        trials.push(Trial {
                            assign: assign.clone(),
                            order: order.label(),
                            seed,
                            topic: topic.clone(),
                        });
                    }
                }
            }
        }
        trials
    }

    /// Pages that a trial is to fetch.
    pub fn pages_of(&self, trial: &Trial) -> u64 {
        let mut orders = self.experiment.order.iter();
        let order = orders.find(|order| order.label() == trial.order);
        let pages = order.and_then(|order| order.pages);
        pages.unwrap_or(self.experiment.pages)
    }

    /// What is wrong with recorded pages that can be used all the same.
    pub fn flaws(&self) -> &[String] {
        match &self.source {
            Source::Recorded(archive) => &archive.flaws,
            Source::MadeUp(_) => &[],
        }
    }

    /// What came of a trial that has ended.
    pub fn outcome(&self, trial: &Trial) -> Result<Option<Outcome>, ExperimentError> {
        let path = self.outcome_path(trial);
        if !path.exists() {
            return Ok(None);
        }
        let mut outcome: Outcome = serde_json::from_str(&read(&path)?)
            .map_err(|error| impossible(format!("`{}`: {error}", path.display())))?;
        if outcome.experiment != self.settled() {
            return Err(impossible(format!(
                "`{}` is the outcome of another experiment: give another folder with `--out`, or delete it",
                path.display()
            )));
        }
        // Whoever was killed right after the outcome was kept left its crawl.
        let _ = std::fs::remove_dir_all(self.crawl_path(trial));
        outcome.set_reach(self.kept_reach(trial.seed));
        Ok(Some(outcome))
    }

    /// Sums up what has come out so far.
    pub fn summary(&self, outcomes: Vec<Outcome>) -> Summary {
        let n_missing = self.trials().len() - outcomes.len();
        Summary::new(&self.experiment, n_missing, outcomes)
    }

    /// Where a file of the results goes, and puts it there whole.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, ExperimentError> {
        let path = self.dir.join(name);
        write(&path, text)?;
        Ok(path)
    }

    /// Runs a trial, or goes on with it, and keeps what came of it. None if it
    /// was told to stop.
    pub fn run(
        &self,
        trial: &Trial,
        stop: Arc<AtomicBool>,
        watch: Watch<'_>,
    ) -> Result<Option<Outcome>, ExperimentError> {
        let mut outcome = trial::run(self, trial, stop, watch)?;
        if let Some(outcome) = &mut outcome {
            outcome.set_reach(self.kept_reach(trial.seed));
            let text = serde_json::to_string_pretty(outcome).expect("plain data always encodes");
            write(&self.outcome_path(trial), &text)?;
            // The visit log has been measured; whoever wants it can crawl again.
            let _ = std::fs::remove_dir_all(self.crawl_path(trial));
        }
        Ok(outcome)
    }

    /// What decides how a trial comes out, as far as it is the same for all.
    fn settled(&self) -> Settled {
        let Experiment {
            places,
            nodes,
            pages,
            overlap,
            delay,
            slots,
            budget,
            start,
            ..
        } = self.experiment.clone();
        let subject = self.experiment.subject();
        let teaching_seed = self.experiment.teaching_seed;
        Settled {
            world: WorldSettings {
                seed: 0,
                ..self.source.world_settings()
            },
            places,
            nodes,
            pages,
            overlap,
            delay,
            slots,
            budget,
            web: match &self.source {
                Source::Recorded(archive) => archive.files.clone(),
                Source::MadeUp(_) => Vec::new(),
            },
            start,
            subject,
            teaching_seed: (subject == Subject::Topics).then_some(teaching_seed),
        }
    }

    fn settled_text(&self) -> String {
        serde_json::to_string(&self.settled()).expect("plain data always encodes")
    }

    fn outcome_path(&self, trial: &Trial) -> PathBuf {
        self.dir
            .join("trials")
            .join(format!("{}.json", trial.name()))
    }

    fn crawl_path(&self, trial: &Trial) -> PathBuf {
        self.dir.join("crawls").join(trial.name())
    }
}

/// What a trial's outcome depends on beside its strategy and seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    world: WorldSettings,
    places: Vec<String>,
    nodes: usize,
    pages: u64,
    overlap: bool,
    delay: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slots: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    web: Vec<ArchiveFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    start: Vec<String>,
    #[serde(default, skip_serializing_if = "Subject::is_places")]
    subject: Subject,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    teaching_seed: Option<u64>,
}

fn read(path: &Path) -> Result<String, ExperimentError> {
    std::fs::read_to_string(path).map_err(|error| ExperimentError::File {
        path: path.to_owned(),
        error,
    })
}

/// Writes a file whole: a reader never sees half of it.
fn write(path: &Path, text: &str) -> Result<(), ExperimentError> {
    write_bytes(path, text.as_bytes())
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), ExperimentError> {
    let failed = |error| ExperimentError::File {
        path: path.to_owned(),
        error,
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let fresh = path.with_extension("part");
    let mut file = std::fs::File::create(&fresh).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    std::fs::rename(&fresh, path).map_err(failed)
}

#[cfg(test)]
mod tests;
