//! The paper's tables, ours beside the published figures.

use super::claims::write;
use super::measures::{MEASURES, Measure};
use super::{Group, Outcome, Subject, Summary, status, worth};
use crate::measure::Report;
use crate::plot::Estimate;
use crate::published::{self, Published};

/// A table for a report: text cells under headings.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Above the columns.
    pub header: Vec<String>,
    /// The first cell of each names it.
    pub rows: Vec<Vec<String>>,
}

/// Every table of an experiment.
pub fn tables(summary: &Summary) -> Vec<Table> {
    let mut tables = match summary.subject {
        Subject::Places => of_places(summary),
        Subject::StatusLocality => of_status(summary),
        Subject::Topics => worth::tables(summary),
    };
    // Trials with topics run beside each other: what one took nobody knows.
    if summary.subject != Subject::Topics {
        tables.push(speed(summary));
    }
    if !summary.claims.is_empty() {
        tables.push(claims(summary));
    }
    tables
}

fn of_status(summary: &Summary) -> Vec<Table> {
    let table = |group: &Group| {
        let title = match summary.groups.len() {
            1 => "Status locality".to_owned(),
            _ => format!("Status locality: {}", summary.name_of(group)),
        };
        status::table(group, title)
    };
    summary.groups.iter().map(table).collect()
}

fn of_places(summary: &Summary) -> Vec<Table> {
    let mut tables = vec![whole(summary)];
    tables.push(by_node(
        summary,
        "Geo-coverage by node",
        |report, node| report.nodes.get(node)?.geo_coverage,
        |published, node| published.node_coverage.get(node).copied(),
    ));
    tables.push(by_node(
        summary,
        "Geo-focus by node (in the mean over nodes above, one without geo pages counts as zero)",
        |report, node| report.nodes.get(node)?.geo_focus,
        |published, node| published.node_focus?.get(node.checked_sub(1)?).copied(),
    ));
    tables.push(by_node(
        summary,
        "Unique geo-entities by node",
        |report, node| report.nodes.get(node)?.unique_entities,
        |_, _| None,
    ));
    tables
}

fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), write)
}

fn published(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}

/// One row for each measure, a column for each strategy and its published figure.
fn whole(summary: &Summary) -> Table {
    let mut header = vec!["Measure".to_owned()];
    for group in &summary.groups {
        header.push(summary.name_of(group));
        if summary.is_paper {
            header.push("published".to_owned());
        }
    }
    let row = |measure: &Measure| {
        let mut row = vec![measure.title.to_owned()];
        for group in &summary.groups {
            row.push(show(group.estimate(measure)));
            if summary.is_paper {
                let paper = published::by_name(&group.assign);
                row.push(published(paper.and_then(measure.theirs)));
            }
        }
        row
    };
    Table {
        title: "All strategies".into(),
        header,
        rows: MEASURES.iter().map(row).collect(),
    }
}

fn by_node(
    summary: &Summary,
    title: &str,
    ours: impl Fn(&Report, usize) -> Option<f64>,
    theirs: impl Fn(&Published, usize) -> Option<f64>,
) -> Table {
    let nodes = node_names(&summary.groups);
    let mut header = vec!["Strategy".to_owned()];
    header.extend(nodes.iter().cloned());
    let mut rows = Vec::new();
    for group in &summary.groups {
        let mut row = vec![summary.name_of(group)];
        row.extend((0..nodes.len()).map(|node| show(group.mean(|report| ours(report, node)))));
        rows.push(row);
        let paper = published::by_name(&group.assign).filter(|_| summary.is_paper);
        let Some(paper) = paper else {
            continue;
        };
        let values: Vec<Option<f64>> = (0..nodes.len()).map(|node| theirs(paper, node)).collect();
        if values.iter().any(Option::is_some) {
            let mut row = vec!["published".to_owned()];
            row.extend(values.into_iter().map(published));
            rows.push(row);
        }
    }
    Table {
        title: title.to_owned(),
        header,
        rows,
    }
}

pub(super) fn node_names(groups: &[Group]) -> Vec<String> {
    let first = groups.iter().find_map(|group| group.outcomes.first());
    let nodes = first.map(|outcome| outcome.report.nodes.iter());
    nodes
        .into_iter()
        .flatten()
        .map(|node| node.name.clone())
        .collect()
}

/// Of each trial, what its last session did.
fn speed(summary: &Summary) -> Table {
    let row = |group: &Group| {
        let of = |number: fn(&Outcome) -> Option<f64>| {
            let values: Vec<f64> = group.outcomes.iter().filter_map(number).collect();
            show(Estimate::of(&values))
        };
        let moments = group.outcomes.iter().flat_map(|outcome| &outcome.moments);
        let most = moments.map(|moment| moment.memory >> 20).max();
        vec![
            summary.name_of(group),
            of(Outcome::rate),
            of(|outcome| Some(outcome.cpu_seconds * 1000.0 / outcome.pages_timed as f64)),
            of(|outcome| Some(outcome.pace()?.0)),
            of(|outcome| Some(outcome.pace()?.1)),
            most.map_or_else(|| "–".to_owned(), |most| most.to_string()),
        ]
    };
    Table {
        title: "Speed".into(),
        header: [
            "Strategy",
            "pages a second",
            "CPU ms a page",
            "in the first tenth",
            "in the last",
            "most memory, MiB",
        ]
        .map(String::from)
        .to_vec(),
        rows: summary.groups.iter().map(row).collect(),
    }
}

fn claims(summary: &Summary) -> Table {
    let row = |claim: &super::Claim| {
        vec![
            claim.claim.clone(),
            claim.verdict.name().to_owned(),
            claim.by.clone(),
        ]
    };
    Table {
        title: "What is claimed".into(),
        header: ["Claim", "here", "by"].map(String::from).to_vec(),
        rows: summary.claims.iter().map(row).collect(),
    }
}
