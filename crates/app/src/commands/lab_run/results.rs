//! What came of an experiment, for programs.

use crate::text::{csv_cell, csv_number};
use lab::experiment::{Outcome, Subject, Summary};
use std::fmt::Write as _;

/// Measures under their names, mean and error over seeds, and every trial's own report.
pub(super) fn json(summary: &Summary) -> anyhow::Result<serde_json::Value> {
    let groups: anyhow::Result<Vec<serde_json::Value>> = summary
        .groups
        .iter()
        .map(|group| {
            let trials: Result<Vec<serde_json::Value>, serde_json::Error> = group
                .outcomes
                .iter()
                .map(|outcome| match summary.subject {
                    // They are too many to tell everything of each.
                    Subject::Topics => Ok(brief(summary, outcome)),
                    Subject::Places | Subject::StatusLocality => serde_json::to_value(outcome),
                })
                .collect();
            let mut object = serde_json::json!({"assign": group.assign, "order": group.order});
            for measure in summary.measures() {
                let estimate = group.estimate(measure);
                object[measure.name] = serde_json::json!({
                    "mean": estimate.map(|estimate| estimate.mean),
                    "error": estimate.and_then(|estimate| estimate.error),
                });
            }
            object["trials"] = serde_json::Value::Array(trials?);
            Ok(object)
        })
        .collect();
    Ok(serde_json::json!({
        "title": summary.title,
        "pages": summary.pages,
        "trials_missing": summary.n_missing,
        "strategies": groups?,
        "claims": summary.claims,
    }))
}

/// A trial by its measures alone.
fn brief(summary: &Summary, outcome: &Outcome) -> serde_json::Value {
    let mut object = serde_json::json!({
        "topic": outcome.trial.topic,
        "seed": outcome.trial.seed,
        "stop_reason": outcome.stop_reason,
        "resumed": outcome.resumed,
    });
    for measure in summary.measures() {
        object[measure.name] = serde_json::json!((measure.ours)(&outcome.report));
    }
    if let Some(long) = &outcome.long {
        object["long"] = serde_json::json!({
            "average_topicality": long.average_topicality,
            "true_topicality": long.true_topicality,
            "average_status": long.average_status,
            "sites": long.sites,
            "reliability": long.reliability,
        });
    }
    object
}

pub(super) fn csv(summary: &Summary) -> String {
    let has_topics = summary.subject == Subject::Topics;
    let mut text = String::from(if has_topics {
        "assign,order,seed,topic"
    } else {
        "assign,order,seed"
    });
    for measure in summary.measures() {
        let _ = write!(text, ",{}", measure.name);
    }
    text.push_str(",resumed\n");
    for outcome in summary.groups.iter().flat_map(|group| &group.outcomes) {
        let trial = &outcome.trial;
        let _ = write!(text, "{},{},{}", trial.assign, trial.order, trial.seed);
        if let Some(topic) = &trial.topic {
            let _ = write!(text, ",{topic}");
        }
        for measure in summary.measures() {
            let value = (measure.ours)(&outcome.report);
            let _ = write!(text, ",{}", csv_number(value));
        }
        let _ = writeln!(text, ",{}", outcome.resumed);
    }
    text
}

/// One row for each node of each trial, for experiments about places.
pub(super) fn nodes_csv(summary: &Summary) -> String {
    let mut text = String::from(
        "assign,order,seed,node,general,pages,geo_pages,geo_coverage,geo_focus,unique_entities,\
         geo_centrality,overlap,diversity,communication_overhead,handed_over,received\n",
    );
    for outcome in summary.groups.iter().flat_map(|group| &group.outcomes) {
        let trial = &outcome.trial;
        for node in &outcome.report.nodes {
            let _ = write!(text, "{},{},{}", trial.assign, trial.order, trial.seed);
            // A node is called what its share is called, with commas if somebody likes.
            let _ = write!(text, ",{},{}", csv_cell(&node.name), node.general);
            let _ = write!(text, ",{},{}", node.pages, node.geo_pages);
            let shares = [
                node.geo_coverage,
                node.geo_focus,
                node.unique_entities,
                node.geo_centrality,
                node.overlap,
                node.diversity,
                node.communication_overhead,
            ];
            for share in shares {
                let _ = write!(text, ",{}", csv_number(share));
            }
            let _ = writeln!(text, ",{},{}", node.handed_over, node.received);
        }
    }
    text
}
