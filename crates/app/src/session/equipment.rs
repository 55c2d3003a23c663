//! What a plan's strategy is given beside the pages: settings, and what stands in files.

use crate::plan::{Plan, Web};
use anyhow::{Context, anyhow};
use crawl::learner;
use crawl::mmdb::Mmdb;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::path::Path;
use std::sync::Arc;
use strategy::assign::{Assign, Entry};
use strategy::means::{Locate, Means, Registrants};
use strategy::model::Model;
use strategy::order::{self, Order};
use strategy::roster::Roster;

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

/// Builds the order; what another crawl's order has learned is its start.
pub(super) fn order(
    entry: &order::Entry,
    plan: &Plan,
    targets: &Targets,
    roster: &Roster,
) -> anyhow::Result<Order> {
    let whois = plan.ordering.whois.as_deref().map(read_whois).transpose()?;
    let means = Means {
        registrants: whois.map(Arc::new),
        ..plan.ordering.equip(Means::new(targets, roster))
    };
    let mut order = (entry.build)(&means)?;
    if let Some(file) = &plan.ordering.model {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read `{file}`"))?;
        learner::read_model(&mut *order.mind, &bytes)
            .map_err(|error| anyhow!("`{file}` is no model for this crawl: {error}"))?;
    }
    Ok(order)
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
