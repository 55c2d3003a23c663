//! The paper's tables, ours beside the published figures.

use super::claims::write;
use super::{Group, Summary};
use crate::measure::Report;
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

type Ours = fn(&Report) -> Option<f64>;
type Theirs = fn(&Published) -> Option<f64>;

/// One measure of whole crawls.
const MEASURES: [(&str, Ours, Theirs); 10] = [
    ("Geo-coverage", |r| r.geo_coverage, |p| Some(p.geo_coverage)),
    (
        "Geo-coverage without the general node",
        |r| r.geo_coverage_without_general,
        |p| Some(p.geo_coverage_without_general),
    ),
    ("Geo-focus", |r| r.geo_focus, |p| p.geo_focus),
    (
        "Unique geo-entities",
        |r| r.unique_entities,
        |p| Some(p.unique_entities),
    ),
    (
        "Geo-centrality",
        |r| r.geo_centrality,
        |p| Some(p.geo_centrality),
    ),
    ("Overlap", |r| r.overlap, |p| Some(p.overlap)),
    ("Diversity", |r| r.diversity, |p| Some(p.diversity)),
    (
        "URLs exchanged per page",
        |r| r.communication_overhead,
        |p| Some(p.communication_overhead),
    ),
    (
        "Locality of linked pages, δ",
        |r| r.locality.linked,
        |p| p.locality.map(|(linked, _)| linked),
    ),
    (
        "Locality of other pages, δ̃",
        |r| r.locality.unlinked,
        |p| p.locality.map(|(_, unlinked)| unlinked),
    ),
];

/// Every table of an experiment.
pub fn tables(summary: &Summary) -> Vec<Table> {
    let mut tables = vec![whole(summary)];
    tables.push(by_node(
        summary,
        "Geo-coverage by node",
        |report, node| report.nodes.get(node)?.geo_coverage,
        |published, node| published.node_coverage.get(node).copied(),
    ));
    tables.push(by_node(
        summary,
        "Geo-focus by node",
        |report, node| report.nodes.get(node)?.geo_focus,
        |published, node| published.node_focus?.get(node.checked_sub(1)?).copied(),
    ));
    tables.push(by_node(
        summary,
        "Unique geo-entities by node",
        |report, node| report.nodes.get(node)?.unique_entities,
        |_, _| None,
    ));
    tables.push(speed(summary));
    tables.push(claims(summary));
    tables
}

fn show(estimate: Option<crate::plot::Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), write)
}

fn published(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}

/// One row for each measure, two columns for each strategy.
fn whole(summary: &Summary) -> Table {
    let mut header = vec!["Measure".to_owned()];
    for group in &summary.groups {
        header.push(group.name(summary.has_orders()));
        header.push("published".to_owned());
    }
    let row = |(name, ours, theirs): &(&str, Ours, Theirs)| {
        let mut row = vec![(*name).to_owned()];
        for group in &summary.groups {
            row.push(show(group.mean(ours)));
            row.push(published(
                published::by_name(&group.assign).and_then(theirs),
            ));
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
        let mut row = vec![group.name(summary.has_orders())];
        row.extend((0..nodes.len()).map(|node| show(group.mean(|report| ours(report, node)))));
        rows.push(row);
        let Some(paper) = published::by_name(&group.assign) else {
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

fn speed(summary: &Summary) -> Table {
    let row = |group: &Group| {
        let of = |number: fn(&super::Outcome) -> f64| {
            let values: Vec<f64> = group.outcomes.iter().map(number).collect();
            show(crate::plot::Estimate::of(&values))
        };
        vec![
            group.name(summary.has_orders()),
            of(|outcome| outcome.report.pages as f64 / outcome.seconds),
            of(|outcome| outcome.cpu_seconds * 1000.0 / outcome.report.pages as f64),
            of(|outcome| {
                outcome
                    .moments
                    .last()
                    .map_or(0.0, |last| last.memory as f64 / 1e6)
            }),
        ]
    };
    Table {
        title: "Speed".into(),
        header: [
            "Strategy",
            "pages a second",
            "CPU ms a page",
            "most memory so far, MB",
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
        title: "What the paper claims".into(),
        header: ["Claim", "here", "by"].map(String::from).to_vec(),
        rows: summary.claims.iter().map(row).collect(),
    }
}
