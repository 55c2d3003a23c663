//! `locavore report`: the measures of a crawl, from its visit log alone.

use super::INCOMPLETE;
use crate::cli::ReportArgs;
use crate::message;
use crate::output::print;
use crate::plan::Plan;
use crate::progress::watch;
use crate::session::Ended;
use crate::table::Table;
use crate::text::{percent, thousands};
use lab::measure::{Centrality, Measures, NodeShare, Report};
use place::gazetteer::Gazetteer;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use store::crawl_dir::{self, VisitReader};

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    Ok(show(&args.dir, None, args.json)?.exit_code())
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

/// Prints the measures: a table for people or one JSON object for programs.
pub(crate) fn show(dir: &Path, ended: Option<&Ended>, as_json: bool) -> anyhow::Result<Log> {
    let plan = Plan::from_text(&crawl_dir::read_settings(dir)?)?;
    let (report, log) = measure(dir, &plan)?;
    if as_json {
        let mut object = serde_json::to_value(&report)?;
        object["assign"] = json!(plan.assign);
        object["order"] = json!(plan.order);
        if let Some(ended) = ended {
            object["stop_reason"] = json!(ended.reason.to_string());
            object["cpu_seconds"] = json!(ended.cpu.as_secs_f64());
        }
        print(&serde_json::to_string_pretty(&object)?)?;
    } else {
        print(render(&plan, &report).trim_end())?;
    }
    Ok(log)
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

fn measure(dir: &Path, plan: &Plan) -> anyhow::Result<(Report, Log)> {
    let mut measures = Measures::new(shares(plan)?, Centrality::default());
    let mut reader = visits(dir)?;
    for visit in watch("visit", reader.by_ref()) {
        measures.add(&visit);
    }
    Ok((measures.finish(), inspect(&reader)))
}

/// The nodes by name; none if the gazetteer has forgotten a place since.
pub(crate) fn node_names(plan: &Plan) -> Vec<String> {
    let shares = shares(plan).unwrap_or_default();
    shares.into_iter().map(|share| share.name).collect()
}

/// Who was responsible for what, as the measures want it.
fn shares(plan: &Plan) -> anyhow::Result<Vec<NodeShare>> {
    let gazetteer = Gazetteer::built_in();
    let targets = plan.targets()?;
    let roster = plan.roster(&targets)?;
    let geonameid = |target: &place::target::TargetId| {
        gazetteer
            .place(targets.list()[target.0 as usize].place)
            .geonameid
    };
    let shares = roster.seats().iter().map(|seat| NodeShare {
        name: seat.name.clone(),
        general: seat.targets.is_empty(),
        targets: seat.targets.iter().map(geonameid).collect(),
    });
    Ok(shares.collect())
}

fn render(plan: &Plan, report: &Report) -> String {
    let mut nodes = Table::new([
        "node",
        "pages",
        "geo pages",
        "geo-coverage",
        "geo-focus",
        "unique entities",
    ]);
    for node in &report.nodes {
        nodes.row([
            node.name.clone(),
            thousands(node.pages),
            thousands(node.geo_pages),
            percent(node.geo_coverage),
            percent(node.geo_focus),
            number(node.unique_entities),
        ]);
    }
    nodes.row([
        "all".into(),
        thousands(report.pages),
        thousands(report.geo_pages),
        percent(report.geo_coverage),
        percent(report.geo_focus),
        number(report.unique_entities),
    ]);
    let mut crawl = Table::new(["measure", "value"]);
    crawl.row([
        "geo-coverage without the general node".into(),
        percent(report.geo_coverage_without_general),
    ]);
    crawl.row([
        "geo-centrality (k = 2, m = 10)".into(),
        number(report.geo_centrality),
    ]);
    crawl.row(["overlap".into(), number(report.overlap)]);
    crawl.row(["diversity".into(), number(report.diversity)]);
    crawl.row([
        "URLs handed over per page".into(),
        number(report.communication_overhead),
    ]);
    crawl.row([
        "locality δ (linked pages)".into(),
        number(report.locality.linked),
    ]);
    crawl.row([
        "locality δ̃ (other pages)".into(),
        number(report.locality.unlinked),
    ]);
    format!(
        "assigned by `{}`, ordered by `{}`\n\n{}\n{}",
        plan.assign,
        plan.order,
        nodes.render(),
        crawl.render()
    )
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.4}"))
}
