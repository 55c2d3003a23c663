//! What a plan's strategy is given beside the pages: settings, and what stands in files.

use crate::plan::{Plan, Web};
use crate::topics;
use crate::traffic::{read_traffic, traffic_of};
use anyhow::{Context, anyhow};
use crawl::learner;
use crawl::mmdb::Mmdb;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::path::Path;
use std::sync::Arc;
use strategy::appraise::Appraiser;
use strategy::assign::{Assign, Entry};
use strategy::means::{Locate, Means, Registrants, Subject};
use strategy::model::Model;
use strategy::order::{self, Order};
use strategy::roster::Roster;
use strategy::status::{StatusModel, Traffic};

/// Builds the strategy; `servers` is what the web itself knows of where they stand.
pub(super) fn build(
    entry: &Entry,
    plan: &Plan,
    targets: &Targets,
    roster: &Roster,
    servers: Option<Arc<dyn Locate>>,
) -> anyhow::Result<Box<dyn Assign>> {
    let assigning = &plan.assigning;
    let model = assigning.model.as_deref().map(read_model).transpose()?;
    let means = Means {
        window: assigning.window().into(),
        alpha: assigning.alpha(),
        beta: assigning.beta(),
        model: model.map(Arc::new),
        servers: locator(plan, servers)?,
        ..Means::new(targets, roster)
    };
    Ok((entry.build)(&means)?)
}

/// An order with what it is given.
pub(super) struct Ordered {
    pub(super) order: Order,
    /// Who says what pages are worth, where there is a topic.
    pub(super) appraiser: Option<Appraiser>,
    pub(super) topic: Option<Subject>,
}

/// Builds the order; what another crawl's order has learned is its start. What
/// is read goes on record in the plan, or has to be what is on record there.
pub(super) fn order(
    entry: &order::Entry,
    plan: &mut Plan,
    targets: &Targets,
    roster: &Roster,
) -> anyhow::Result<Ordered> {
    let whois = plan.ordering.whois.as_deref().map(read_whois).transpose()?;
    let usual = Means::new(targets, roster);
    let topic = topic(plan)?;
    let status = status(entry, plan)?;
    let traffic = match status {
        Some(_) => traffic(plan)?,
        None => usual.traffic.clone(),
    };
    let means = Means {
        registrants: whois.map(Arc::new),
        topic,
        status,
        traffic,
        ..plan.ordering.equip(usual)
    };
    let mut order = (entry.build)(&means)?;
    if let Some(file) = &plan.ordering.model {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read `{file}`"))?;
        learner::read_model(&mut *order.mind, &bytes)
            .map_err(|error| anyhow!("`{file}` is no model for this crawl: {error}"))?;
    }
    Ok(Ordered {
        order,
        appraiser: Appraiser::of(&means),
        topic: means.topic,
    })
}

fn topic(plan: &mut Plan) -> anyhow::Result<Option<Subject>> {
    let Some(kept) = &mut plan.ordering.weighing.topic else {
        return Ok(None);
    };
    let (topic, content) = topics::find(&kept.what, &plan.web)?;
    kept.check("--topic", &content)?;
    Ok(Some(topic))
}

/// The model that was asked for, or else the one that the order needs.
fn status(entry: &order::Entry, plan: &mut Plan) -> anyhow::Result<Option<Arc<StatusModel>>> {
    let Some(kept) = &mut plan.ordering.weighing.status else {
        let is_needed = entry.settings.contains(&"--status");
        return Ok(is_needed.then(StatusModel::built_in));
    };
    let cannot_read = || format!("cannot read the model of status `{}`", kept.what);
    let bytes = std::fs::read(&kept.what).with_context(cannot_read)?;
    let model = StatusModel::from_bytes(&bytes).with_context(cannot_read)?;
    kept.check("--status", &bytes)?;
    Ok(Some(Arc::new(model)))
}

/// The list that was asked for, or else the one that goes with the web.
fn traffic(plan: &mut Plan) -> anyhow::Result<Arc<Traffic>> {
    let Some(kept) = &mut plan.ordering.weighing.traffic else {
        return Ok(traffic_of(&plan.web));
    };
    let traffic = read_traffic(Path::new(&kept.what))?;
    let bytes =
        std::fs::read(&kept.what).with_context(|| format!("cannot read `{}`", kept.what))?;
    kept.check("--traffic", &bytes)?;
    Ok(Arc::new(traffic))
}

/// Reads where the owners of domains are.
fn read_whois(file: &str) -> anyhow::Result<Registrants> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read `{file}`"))?;
    let gazetteer = Gazetteer::built_in();
    let mut registrants = Registrants::new();
    let lines = text.lines().map(str::trim);
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let number = number + 1;
        let (domain, place) = line.split_once('\t').ok_or_else(|| {
            anyhow!("`{file}`, line {number}: write a domain, a tab and a place, not `{line}`")
        })?;
        let place = place::target::resolve(gazetteer, place.trim())
            .with_context(|| format!("`{file}`, line {number}"))?;
        registrants.insert(domain.trim().to_lowercase(), place);
    }
    Ok(registrants)
}

fn read_model(file: &str) -> anyhow::Result<Model> {
    let cannot_read = || format!("cannot read the model `{file}`");
    let bytes = std::fs::read(file).with_context(cannot_read)?;
    Model::from_text(&String::from_utf8_lossy(&bytes)).with_context(cannot_read)
}

fn locator(
    plan: &Plan,
    servers: Option<Arc<dyn Locate>>,
) -> anyhow::Result<Option<Arc<dyn Locate>>> {
    match (&plan.assigning.mmdb, &plan.web) {
        (None, _) => Ok(servers),
        (Some(_), Web::Lab(_)) => Err(anyhow!(
            "the made-up web knows where its servers stand: leave out `--mmdb`"
        )),
        (Some(_), Web::Proxy { .. }) => Err(anyhow!(
            "behind a proxy nobody sees which servers answer: `--assign ip` cannot work"
        )),
        (Some(file), _) => {
            let mmdb = Mmdb::open(Path::new(file), Gazetteer::built_in())?;
            Ok(Some(Arc::new(mmdb)))
        }
    }
}
