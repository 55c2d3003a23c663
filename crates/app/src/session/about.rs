//! What the files of an archive say of their crawl: who sent it, and what for.

use super::web;
use crate::plan::{Plan, Web};
use crate::text::count;
use place::target::Targets;
use serde_json::json;
use store::warc::About;

/// The fields of a `warcinfo` that depend on the plan.
pub(super) fn about(plan: &Plan, targets: &Targets) -> About {
    let mut about = About::new();
    let contact = plan.contact();
    if let Some(contact) = contact {
        about.push(("operator", contact.to_owned()));
    }
    if matches!(plan.web, Web::Real { .. } | Web::Proxy { .. }) {
        about.push(("http-header-user-agent", web::user_agent(contact)));
    }
    let places = plan.places.join("; ");
    let description = describe(plan, targets);
    // As Webrecorder's tools write it, and read titles and pages by it.
    let collection = json!({ "type": "collection", "title": places, "desc": description });
    about.push(("description", description));
    about.push(("json-metadata", collection.to_string()));
    about
}

fn describe(plan: &Plan, targets: &Targets) -> String {
    let places = Plan::name_targets(targets);
    let web = match &plan.web {
        Web::Real { .. } => "",
        Web::Proxy { .. } => ", through a proxy",
        Web::Lab(_) => ", of a made-up web",
        Web::Recorded { .. } => ", of recorded pages, which keep their dates",
    };
    let topic = plan.ordering.weighing.topic.as_ref();
    let topic = topic.map(|topic| format!(", about `{}`", topic.what));
    format!(
        "Pages for {places}{}{web}: {}, links assigned by `{}`, ordered by `{}`",
        topic.unwrap_or_default(),
        count(plan.nodes as u64, "node"),
        plan.assign,
        plan.order,
    )
}
