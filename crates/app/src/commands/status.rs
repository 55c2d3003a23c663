//! `locavore status`: where a crawl stands and why it stopped.

use super::report::{inspect, is_page, visits};
use crate::cli::StatusArgs;
use crate::output::print;
use crate::plan::Plan;
use crate::session::STATE_NOTE;
use crate::table::Table;
use crate::text::{count, thousands};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use store::crawl_dir;
use store::note;
use store::visit::{Errand, Outcome, Visit};

/// What a look into the visit log counts.
#[derive(Default)]
struct Counts {
    n_visits: u64,
    n_pages: u64,
    n_geo_pages: u64,
    n_robots: u64,
    by_outcome: BTreeMap<&'static str, u64>,
    last_url: Option<String>,
}

pub(crate) fn run(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let plan = Plan::from_text(&crawl_dir::read_settings(&args.dir)?)?;
    let state = state(&args.dir)?;
    let mut counts = Counts::default();
    let mut reader = visits(&args.dir)?;
    for visit in reader.by_ref() {
        counts.add(&visit);
    }
    let log = inspect(&reader);
    if args.json {
        print(&serde_json::to_string_pretty(&as_json(
            &plan, &state, &counts,
        ))?)?;
    } else {
        print(&render(&args.dir, &plan, &state, &counts))?;
    }
    Ok(log.exit_code())
}

/// Running, stopped for a reason, or dead.
fn state(dir: &Path) -> anyhow::Result<String> {
    if crawl_dir::is_in_use(dir)? {
        return Ok("running".into());
    }
    let note = note::read(dir, STATE_NOTE)?;
    let note: Option<Value> = note.and_then(|text| serde_json::from_str(&text).ok());
    Ok(
        match note.as_ref().and_then(|note| note["reason"].as_str()) {
            Some(reason) => format!("stopped: {reason}"),
            None => "stopped without a word: killed, or the machine went down".into(),
        },
    )
}

impl Counts {
    fn add(&mut self, visit: &Visit) {
        self.n_visits += 1;
        match visit.errand {
            Errand::Robots => self.n_robots += 1,
            Errand::Sitemap => {}
            Errand::Page => *self.by_outcome.entry(name(&visit.outcome)).or_default() += 1,
        }
        if is_page(visit) {
            self.n_pages += 1;
            self.n_geo_pages += u64::from(!visit.entities.is_empty());
            self.last_url = Some(visit.url.clone());
        }
    }
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Fetched => "fetched",
        Outcome::Status => "error status",
        Outcome::Redirected(_) => "redirected",
        Outcome::Forbidden { line: 0 } => "no robots.txt to be had",
        Outcome::Forbidden { .. } => "forbidden by robots.txt",
        Outcome::Unresolved => "host without address",
        Outcome::Unreachable(_) => "unreachable",
        Outcome::TimedOut => "timed out",
        Outcome::WrongType(_) => "not a page",
        Outcome::TooLarge => "too large",
        Outcome::PrivateAddress => "private address",
        Outcome::Garbled(_) => "garbled answer",
        Outcome::Untrusted(_) => "bad certificate",
        Outcome::BadRedirect(_) => "bad redirect",
        Outcome::SoftMissing => "error page that says 200",
        Outcome::Unchanged => "unchanged",
        Outcome::NotArchived => "not archived",
    }
}

fn as_json(plan: &Plan, state: &str, counts: &Counts) -> Value {
    json!({
        "state": state,
        "places": plan.places,
        "targets": plan.targets().map_or(0, |targets| targets.list().len()),
        "assign": plan.assign,
        "order": plan.order,
        "nodes": plan.nodes,
        "goal": plan.pages,
        "visits": counts.n_visits,
        "pages": counts.n_pages,
        "geo_pages": counts.n_geo_pages,
        "robots_files": counts.n_robots,
        "outcomes": counts.by_outcome,
        "last_page": counts.last_url,
    })
}

fn render(dir: &Path, plan: &Plan, state: &str, counts: &Counts) -> String {
    let mut outcomes = Table::new(["outcome", "tickets"]);
    for (name, count) in &counts.by_outcome {
        outcomes.row([(*name).into(), thousands(*count)]);
    }
    format!(
        "{}: {}, assigned by `{}`, ordered by `{}`\nfor {}\n{state}\n{}, {} with addresses in the \
         targets; {} robots.txt asked for\n{}\n{}",
        dir.display(),
        count(plan.nodes as u64, "node"),
        plan.assign,
        plan.order,
        // None if the gazetteer has forgotten a place since.
        plan.targets().map_or_else(
            |_| plan.places.join("; "),
            |targets| plan.name_targets(&targets)
        ),
        count(counts.n_pages, "page"),
        thousands(counts.n_geo_pages),
        thousands(counts.n_robots),
        counts
            .last_url
            .as_ref()
            .map_or(String::new(), |url| format!("last page: {url}\n")),
        outcomes.render()
    )
}
