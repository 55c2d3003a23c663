//! Measures in a terminal: who found how much, then how good that is.

use super::{Measured, kinship, paths, rows, worth};
use crate::plan::Plan;
use crate::table::Table;
use crate::text::{percent, thousands};
use lab::measure::Report;

pub(super) fn render(crawls: &[Measured]) -> String {
    match crawls {
        [only] => format!(
            "{}\n{}\n{}",
            title(only),
            nodes(&only.report),
            measures(crawls)
        ),
        several => measures(several),
    }
}

fn title(crawl: &Measured) -> String {
    format!(
        "for {}\nassigned by `{}`, ordered by `{}`\n",
        Plan::name_targets(&crawl.targets),
        crawl.plan.assign,
        crawl.plan.order
    )
}

fn nodes(report: &Report) -> String {
    let mut table = Table::new([
        "node",
        "pages",
        "geo pages",
        "geo-coverage",
        "geo-focus",
        "unique entities",
        "handed over",
    ]);
    for node in &report.nodes {
        table.row([
            node.name.clone(),
            thousands(node.pages),
            thousands(node.geo_pages),
            percent(node.geo_coverage),
            percent(node.geo_focus),
            number(node.unique_entities),
            thousands(node.handed_over),
        ]);
    }
    table.row([
        "all".into(),
        thousands(report.pages),
        thousands(report.geo_pages),
        percent(report.geo_coverage),
        percent(report.geo_focus),
        number(report.unique_entities),
        thousands(report.costs.hand_overs),
    ]);
    table.bars(bars(report));
    table.render()
}

/// Coverage beside the best one of all nodes, as bars.
fn bars(report: &Report) -> Vec<f64> {
    let coverages = report.nodes.iter().map(|node| node.geo_coverage);
    let coverages: Vec<f64> = coverages.map(|coverage| coverage.unwrap_or(0.0)).collect();
    let most = coverages.iter().copied().fold(0.0, f64::max);
    match coverages.len() < 2 || most == 0.0 {
        true => Vec::new(),
        false => coverages.iter().map(|coverage| coverage / most).collect(),
    }
}

fn measures(crawls: &[Measured]) -> String {
    let names = match crawls {
        [_] => vec!["value".to_owned()],
        several => rows::names(several),
    };
    let (header, rows) = rows::side_by_side(crawls, &names);
    let mut table = Table::of(header);
    if crawls.len() > 1 {
        for row in counts(crawls) {
            table.push(row);
        }
    }
    for row in rows {
        table.push(row);
    }
    let mut text = table.render();
    if crawls.iter().any(|crawl| crawl.published().is_some()) {
        text.push_str("the 2006 paper: 12.8 million pages of the real web in two weeks\n");
    }
    text + &worths(crawls, &names) + &statuses(crawls, &names) + &paths(crawls, &names)
}

/// How topical and important pages are; nothing for crawls without a topic.
fn worths(crawls: &[Measured], names: &[String]) -> String {
    let reports: Vec<&Report> = crawls.iter().map(|crawl| &crawl.report).collect();
    let Some((header, rows)) = worth::side_by_side(&reports, names) else {
        return String::new();
    };
    let mut table = Table::of(header);
    for row in rows {
        table.push(row);
    }
    format!("\n{}", table.render())
}

/// Whether pages near each other are alike in status, a table for each crawl.
fn statuses(crawls: &[Measured], names: &[String]) -> String {
    let mut text = String::new();
    for (crawl, name) in crawls.iter().zip(names) {
        let corner = match crawls.len() {
            1 => "status locality".to_owned(),
            _ => format!("status locality: {name}"),
        };
        let Some((header, rows)) = kinship::table(&crawl.report, &corner) else {
            continue;
        };
        let mut table = Table::of(header);
        for row in rows {
            table.push(row);
        }
        text.push('\n');
        text.push_str(&table.render());
    }
    text
}

/// How geo pages were come by; nothing where no log tells.
fn paths(crawls: &[Measured], names: &[String]) -> String {
    let reports: Vec<&Report> = crawls.iter().map(|crawl| &crawl.report).collect();
    let Some((header, rows)) = paths::side_by_side(&reports, names) else {
        return String::new();
    };
    let mut table = Table::of(header);
    for row in rows {
        table.push(row);
    }
    format!("\n{}", table.render())
}

/// How large crawls are, in the columns of their measures.
fn counts(crawls: &[Measured]) -> [Vec<String>; 3] {
    let row = |name: &str, count: fn(&Report) -> u64| {
        let mut cells = vec![name.to_owned()];
        for crawl in crawls {
            cells.push(thousands(count(&crawl.report)));
            cells.extend(crawl.published().map(|_| String::new()));
        }
        cells
    };
    [
        row("pages", |report| report.pages),
        row("geo pages", |report| report.geo_pages),
        row("URLs handed over", |report| report.costs.hand_overs),
    ]
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.4}"))
}
