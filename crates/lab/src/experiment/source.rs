//! What the trials of an experiment crawl: made-up worlds, or recorded pages.

use super::{Experiment, ExperimentError, impossible, read};
use crate::world::{MadeUpWeb, World, WorldSettings};
use crawl::fetch::Fetcher;
use crawl::fetch::archive::Recorded;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::warc::{Contents, Kind};

/// Recorded bodies beyond this are no pages.
const MAX_BODY: usize = 10 << 20;

/// Where pages come from.
pub(super) enum Source {
    /// Worlds that differ in their seeds.
    MadeUp(Box<WorldSettings>),
    /// One recorded web.
    Recorded(Archive),
}

/// Recorded pages, open.
pub(super) struct Archive {
    pub(super) pages: Arc<Recorded>,
    pub(super) files: Vec<ArchiveFile>,
    start: Vec<CanonicalUrl>,
    /// What is wrong with its files, for people.
    pub(super) flaws: Vec<String>,
}

/// A recorded file, as far as an outcome depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ArchiveFile {
    /// As the experiment names it.
    path: PathBuf,
    n_bytes: u64,
}

/// A web that one trial crawls.
pub(super) struct Web {
    /// Who answers.
    pub(super) fetcher: Arc<dyn Fetcher>,
    /// Where the crawl starts.
    pub(super) seeds: Vec<CanonicalUrl>,
    /// The world behind it, where it was made up.
    pub(super) world: Option<Arc<World>>,
}

impl Source {
    /// Opens what an experiment in `folder` names.
    pub(super) fn open(experiment: &Experiment, folder: &Path) -> Result<Source, ExperimentError> {
        if !experiment.web.is_empty() {
            return Ok(Source::Recorded(Archive::open(experiment, folder)?));
        }
        let Some(world) = &experiment.world else {
            return Ok(Source::MadeUp(Box::default()));
        };
        let path = folder.join(world);
        let settings = WorldSettings::from_toml(&read(&path)?)
            .map_err(|error| impossible(format!("`{}` makes no world: {error}", path.display())))?;
        Ok(Source::MadeUp(Box::new(settings)))
    }

    /// The parameters of its worlds; recorded pages have none, and the usual
    /// ones stand for them.
    pub(super) fn world_settings(&self) -> WorldSettings {
        match self {
            Source::MadeUp(settings) => WorldSettings::clone(settings),
            Source::Recorded(_) => WorldSettings::default(),
        }
    }

    /// The world of a seed; none for recorded pages.
    pub(super) fn world(&self, seed: u64) -> Option<World> {
        match self {
            Source::MadeUp(settings) => Some(made_up(settings, seed)),
            Source::Recorded(_) => None,
        }
    }

    /// What a trial of this seed crawls.
    pub(super) fn web(&self, seed: u64, targets: &Targets) -> Web {
        match self {
            Source::Recorded(archive) => Web {
                fetcher: Arc::clone(&archive.pages) as Arc<dyn Fetcher>,
                seeds: archive.start.clone(),
                world: None,
            },
            Source::MadeUp(settings) => {
                let world = Arc::new(made_up(settings, seed));
                Web {
                    fetcher: Arc::new(MadeUpWeb(Arc::clone(&world))),
                    seeds: world.seeds(targets),
                    world: Some(world),
                }
            }
        }
    }
}

fn made_up(settings: &WorldSettings, seed: u64) -> World {
    let settings = WorldSettings {
        seed,
        ..settings.clone()
    };
    World::new(settings, Gazetteer::built_in())
}

impl Archive {
    fn open(experiment: &Experiment, folder: &Path) -> Result<Archive, ExperimentError> {
        let mut files = Vec::new();
        for path in &experiment.web {
            let whole = folder.join(path);
            let told = |error| impossible(format!("`web`: `{}`: {error}", whole.display()));
            files.push(ArchiveFile {
                path: path.clone(),
                n_bytes: std::fs::metadata(&whole).map_err(told)?.len(),
            });
        }
        let paths: Vec<PathBuf> = experiment
            .web
            .iter()
            .map(|path| folder.join(path))
            .collect();
        let (pages, flaws) = Recorded::open(&paths, MAX_BODY)
            .map_err(|error| impossible(format!("`web`: {error}")))?;
        let flaws = flaws.iter().map(|flaw| {
            let (file, error) = (flaw.file.display(), &flaw.error);
            format!(
                "`{file}` is {error}; {} answers could be read",
                flaw.n_answers
            )
        });
        let start = match experiment.starts_everywhere() {
            true => all_pages(&paths)?,
            false => experiment.start_urls()?,
        };
        let start = match start {
            told if !told.is_empty() => told,
            _ => pages.seeds().first().cloned().into_iter().collect(),
        };
        if start.is_empty() {
            return Err(impossible(
                "`web`: no page to start from; name one with `start`",
            ));
        }
        Ok(Archive {
            flaws: flaws.collect(),
            pages: Arc::new(pages),
            files,
            start,
        })
    }
}

/// Every page in some files, each once, in their order.
fn all_pages(paths: &[PathBuf]) -> Result<Vec<CanonicalUrl>, ExperimentError> {
    let mut seen = HashSet::new();
    let mut pages = Vec::new();
    for path in paths {
        let told = |error| impossible(format!("`web`: `{}`: {error}", path.display()));
        // A file that is damaged further on was complained of already.
        let records = Contents::of(path).map_err(told)?.map_while(Result::ok);
        let answers = records.filter(|record| {
            record.head.kind() == Kind::Response && (200..300).contains(&record.status())
        });
        for record in answers {
            let Ok(url) = CanonicalUrl::parse(&record.head.url()) else {
                continue;
            };
            if url.path() != "/robots.txt" && seen.insert(url.fingerprint()) {
                pages.push(url);
            }
        }
    }
    Ok(pages)
}
