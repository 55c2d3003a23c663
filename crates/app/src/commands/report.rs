//! `locavore report`: the measures of crawls, from their visit logs alone.
//!
//! What is shown is `report/rows.rs`; how, in a terminal, as comma separated
//! values or as a page with plots, is a file each.

mod csv;
mod html;
mod kinship;
mod paths;
mod rows;
mod terminal;
mod witness;
mod worth;

use super::INCOMPLETE;
use super::status::{self, State};
use crate::cli::ReportArgs;
use crate::message;
use crate::output::{self, print_json, stream};
use crate::plan::Plan;
use crate::progress::watch;
use crate::session::Ended;
use anyhow::{Context, anyhow};
use lab::measure::{Centrality, Measures, NodeShare, Report, Settings, Witness};
use lab::published::{self, Published};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::crawl_dir::{self, VisitReader};
use store::visit::Visit;
use witness::Knowledge;

pub(crate) use witness::read_in_links;

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let settings = Settings {
        centrality: Centrality {
            max_distance: args.centrality_k,
            damping: args.centrality_m,
        },
        n_relevant: args.relevant,
        n_reachable: args.reachable,
        ..Settings::default()
    };
    let knowledge = Knowledge::read(args)?;
    let measured: Vec<Measured> = args
        .dirs
        .iter()
        .map(|dir| Measured::look(dir, settings, &knowledge))
        .collect::<anyhow::Result<_>>()?;
    if let Some(path) = &args.html {
        let file = html_file(path);
        write_page(&file, &html::render(&measured))?;
        message::info(format_args!("plots in `{}`", file.display()));
    }
    if args.json {
        let object = match &measured[..] {
            [only] => only.as_json()?,
            several => {
                let crawls: Result<Vec<_>, _> = several.iter().map(Measured::as_json).collect();
                json!({ "crawls": crawls? })
            }
        };
        print_json(&object)?;
    } else if args.csv {
        let _ = stream(&csv::render(&measured))?;
    } else {
        output::show(&terminal::render(&measured))?;
    }
    let is_damaged = measured.iter().any(|crawl| crawl.log == Log::Damaged);
    Ok(match is_damaged {
        true => Log::Damaged.exit_code(),
        false => Log::Whole.exit_code(),
    })
}

/// A crawl and its measures.
struct Measured {
    dir: PathBuf,
    plan: Plan,
    targets: Targets,
    report: Report,
    state: State,
    log: Log,
}

/// The state a visit log was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Log {
    Whole,
    /// Some visits are lost, so everything counted is too little.
    Damaged,
}

impl Log {
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Log::Whole => ExitCode::SUCCESS,
            Log::Damaged => ExitCode::from(INCOMPLETE),
        }
    }
}

impl Measured {
    fn look(dir: &Path, settings: Settings, knowledge: &Knowledge) -> anyhow::Result<Measured> {
        let plan = Plan::from_text(&crawl_dir::read_settings(dir)?)?;
        let targets = plan.targets()?;
        let state = status::state(dir)?;
        let (report, log) = measure(dir, shares(&plan, &targets)?, settings, knowledge)?;
        Ok(Measured {
            dir: dir.to_owned(),
            plan,
            targets,
            report,
            state,
            log,
        })
    }

    /// What the 2006 paper found with the same targets and strategy.
    fn published(&self) -> Option<&'static Published> {
        let is_paper =
            self.plan.places.len() == 1 && self.plan.places[0].eq_ignore_ascii_case("us-top100");
        let published = published::by_name(&self.plan.assign);
        published.filter(|_| is_paper)
    }

    /// The same, where the nodes are the paper's too.
    fn published_nodes(&self) -> Option<&'static Published> {
        let is_paper = self.plan.nodes == 6
            && self.plan.general.is_none_or(|general| general == 1)
            && self.plan.split.is_none();
        self.published().filter(|_| is_paper)
    }

    /// Why it stopped, if it says so.
    fn stop_reason(&self) -> &str {
        match &self.state {
            State::Running => "it is running",
            State::Stopped { reason } => reason,
            State::Killed => "it was killed",
        }
    }

    fn as_json(&self) -> anyhow::Result<serde_json::Value> {
        let gazetteer = Gazetteer::built_in();
        let mut object = serde_json::to_value(&self.report)?;
        object["dir"] = json!(self.dir.display().to_string());
        object["wishes"] = json!(Plan::targets_as_json(&self.targets));
        object["assign"] = json!(self.plan.assign);
        object["order"] = json!(self.plan.order);
        if let State::Stopped { reason } = &self.state {
            object["stop_reason"] = json!(reason);
        }
        let targets = object["targets"].as_array_mut().into_iter().flatten();
        for (target, report) in targets.zip(&self.report.targets) {
            if let Some(id) = gazetteer.by_geonameid(report.geonameid) {
                let place = gazetteer.place(id);
                target["name"] = json!(gazetteer.describe(id));
                target["lat"] = json!(place.lat);
                target["lon"] = json!(place.lon);
            }
        }
        Ok(object)
    }
}

/// Prints the measures of a crawl that has just ended: a table for people or
/// one JSON object for programs.
pub(crate) fn show(dir: &Path, ended: Option<&Ended>, as_json: bool) -> anyhow::Result<Log> {
    let measured = Measured::look(dir, Settings::default(), &Knowledge::default())?;
    if as_json {
        let mut object = measured.as_json()?;
        if let Some(ended) = ended {
            object["stop_reason"] = json!(ended.reason.to_string());
            object["cpu_seconds"] = json!(ended.cpu.as_secs_f64());
        }
        print_json(&object)?;
    } else {
        output::show(&terminal::render(std::slice::from_ref(&measured)))?;
    }
    Ok(measured.log)
}

/// The committed visits of a crawl.
pub(crate) fn visits(dir: &Path) -> anyhow::Result<VisitReader> {
    Ok(VisitReader::open(dir)?)
}

/// Names what is wrong with a log that has been read to its end.
pub(crate) fn inspect(reader: &VisitReader) -> Log {
    let damages = reader.damage();
    for damage in damages {
        message::warning(format!("`{}`: {}", damage.file.display(), damage.what));
    }
    if damages.is_empty() {
        Log::Whole
    } else {
        Log::Damaged
    }
}

fn measure(
    dir: &Path,
    shares: Vec<NodeShare>,
    settings: Settings,
    knowledge: &Knowledge,
) -> anyhow::Result<(Report, Log)> {
    let topicality = |visit: &Visit| knowledge.topicality(dir, visit);
    let n_inlinks = |url: &str| knowledge.n_inlinks(url);
    let is_listed = |site: &str| knowledge.is_listed(site);
    let mut witness = Witness::default();
    if knowledge.evaluates() {
        let pages = visits(dir)?.filter(Visit::is_page);
        witness.one_in = Knowledge::one_in(watch("visit", pages).count() as u64);
        witness.topicality = Some(&topicality);
    }
    if knowledge.counts_links() {
        witness.n_inlinks = Some(&n_inlinks);
    }
    if knowledge.lists_sites() {
        witness.is_listed = Some(&is_listed);
    }
    let mut measures = Measures::new(shares, settings).judged_by(witness);
    let mut log = None;
    loop {
        let mut reader = visits(dir)?;
        for visit in watch("visit", reader.by_ref()) {
            measures.add(&visit);
        }
        // Later passes would say the same again.
        let log = *log.get_or_insert_with(|| inspect(&reader));
        if !measures.wants_another_pass() {
            return Ok((measures.finish(), log));
        }
    }
}

/// The nodes by name; none if the gazetteer has forgotten a place since.
pub(crate) fn node_names(plan: &Plan) -> Vec<String> {
    let shares = plan
        .targets()
        .ok()
        .and_then(|targets| shares(plan, &targets).ok());
    let shares = shares.unwrap_or_default();
    shares.into_iter().map(|share| share.name).collect()
}

/// Who was responsible for what, as the measures want it.
fn shares(plan: &Plan, targets: &Targets) -> anyhow::Result<Vec<NodeShare>> {
    Ok(NodeShare::of(&plan.roster(targets)?, targets))
}

/// A file, or `report.html` in a folder.
fn html_file(path: &Path) -> PathBuf {
    let ends_with_slash = path.to_string_lossy().ends_with('/');
    match path.is_dir() || ends_with_slash {
        true => path.join("report.html"),
        false => path.to_owned(),
    }
}

fn write_page(file: &Path, text: &str) -> anyhow::Result<()> {
    let write = || -> std::io::Result<()> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, text)
    };
    write()
        .map_err(|error| anyhow!(error))
        .with_context(|| format!("cannot write `{}`", file.display()))
}
