//! `locavore why`: the whole story of a URL or a host, from the visit log.
//!
//! One pass over the log, however long it is, with lists that stop growing:
//! what is left out is counted.

mod host;
mod link;
mod ranking;
mod redirects;
mod rest;
mod telling;
mod url;
mod weighing;

use super::INCOMPLETE;
use super::report::{Log, inspect, node_names, visits};
use crate::cli::{Subject, WhyArgs};
use crate::output::{print_json, show};
use crate::plan::Plan;
use crate::progress::watch;
use crate::session;
use host::HostStory;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use store::crawl_dir::{self, VisitReader};
use store::visit::Visit;
use url::UrlStory;

/// What is known beside the log.
struct Crawl<'d> {
    dir: &'d Path,
    nodes: Vec<String>,
    plan: Plan,
}

/// A story once it has been read to its end.
struct Story {
    text: String,
    json: Value,
    /// Whether the log knows anything of it.
    is_known: bool,
}

pub(crate) fn run(args: &WhyArgs) -> anyhow::Result<ExitCode> {
    let plan = Plan::from_text(&crawl_dir::read_settings(&args.dir)?)?;
    let crawl = Crawl::of(&args.dir, plan);
    let mut reader = visits(&args.dir)?;
    let story = match &args.subject {
        Subject::Url(url) => {
            let mut story = UrlStory::new(url);
            watch("visit", reader.by_ref()).for_each(|visit| story.add(visit));
            story.tell(&crawl)?
        }
        Subject::Host(host) => {
            let mut story = HostStory::new(host);
            watch("visit", reader.by_ref()).for_each(|visit| story.add(visit));
            story.tell(&crawl)
        }
    };
    if args.json {
        print_json(&story.json)?;
    } else {
        show(&story.text)?;
    }
    Ok(match inspect(&reader) {
        Log::Whole if story.is_known => ExitCode::SUCCESS,
        _ => ExitCode::from(INCOMPLETE),
    })
}

impl Crawl<'_> {
    fn of(dir: &Path, plan: Plan) -> Crawl<'_> {
        Crawl {
            dir,
            nodes: node_names(&plan),
            plan,
        }
    }

    /// Whether it began there. Nothing is sure where a recorded web is gone.
    fn is_seed_in_scope(&self, url: &CanonicalUrl) -> bool {
        let bounds = self.plan.scoping.bounds();
        bounds.is_ok_and(|bounds| bounds.judge(url).is_none())
            && session::seeds(&self.plan).is_ok_and(|seeds| seeds.contains(url))
    }

    fn node(&self, node: u16) -> String {
        let name = self.nodes.get(usize::from(node));
        name.cloned().unwrap_or_else(|| format!("node {node}"))
    }

    /// A place by its GeoNames id; unnamed if the gazetteer has forgotten it since.
    fn target(geonameid: u32) -> String {
        let gazetteer = Gazetteer::built_in();
        gazetteer.by_geonameid(geonameid).map_or_else(
            || format!("GeoNames {geonameid}"),
            |place| gazetteer.describe(place),
        )
    }

    /// The visit at a position of the log.
    fn visit_at(&self, seq: u64) -> anyhow::Result<Option<Visit>> {
        let found = VisitReader::open_at(self.dir, seq)?.next();
        Ok(found.filter(|visit| visit.seq == seq))
    }
}
