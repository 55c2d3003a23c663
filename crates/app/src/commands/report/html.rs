//! Measures as one page with plots, for any browser and without a network.

mod figures;
mod kinship_figures;
mod path_figures;
mod worth_figures;

use super::{Measured, kinship, paths, rows, worth};
use crate::plan::Plan;
use crate::text::{percent, span, thousands};
use lab::measure::{HarvestPoint, NodeReport, Report};
use lab::plot::page::Page;
use place::gazetteer::Gazetteer;
use std::time::Duration;

/// Lines of the table of targets.
const MOST_TARGETS: usize = 25;

pub(super) fn render(crawls: &[Measured]) -> String {
    let names = match crawls {
        [_] => vec!["this crawl".to_owned()],
        several => rows::names(several),
    };
    let mut page = Page::new(&match crawls {
        [only] => format!("Crawl for {}", only.plan.places.join("; ")),
        _ => format!("{} crawls side by side", crawls.len()),
    });
    for (crawl, name) in crawls.iter().zip(&names) {
        page.paragraph(&summary(crawl, name, crawls.len()));
    }
    if let [only] = crawls {
        page.highlights(&highlights(only));
    }
    page.heading("Measures");
    push_measures(&mut page, crawls, &names);
    push_worth(&mut page, crawls, &names);
    push_nodes(&mut page, crawls, &names);
    push_harvest(&mut page, crawls, &names);
    push_paths(&mut page, crawls, &names);
    push_exchange(&mut page, crawls, &names);
    push_status(&mut page, crawls, &names);
    push_places(&mut page, crawls, &names);
    page.render()
}

fn summary(crawl: &Measured, name: &str, n_crawls: usize) -> String {
    let report = &crawl.report;
    let start = if n_crawls == 1 {
        String::new()
    } else {
        format!("{name}: ")
    };
    format!(
        "{start}for {}; assigned by {}, ordered by {}, {} nodes; {} pages in {}. It ended: {}.",
        Plan::name_targets(&crawl.targets),
        crawl.plan.assign,
        crawl.plan.order,
        crawl.plan.nodes,
        thousands(report.pages),
        took(&report.harvest_curve),
        crawl.stop_reason()
    )
}

fn took(curve: &[HarvestPoint]) -> String {
    let ms = curve.last().map_or(0, |last| last.ms);
    span(Duration::from_millis(ms))
}

fn highlights(crawl: &Measured) -> Vec<(String, String)> {
    let report = &crawl.report;
    let overhead = report.communication_overhead;
    let numbers = [
        ("pages", thousands(report.pages)),
        ("geo pages", thousands(report.geo_pages)),
        ("geo-coverage", percent(report.geo_coverage)),
        ("geo-focus", percent(report.geo_focus)),
        (
            "URLs handed over per page",
            overhead.map_or("–".to_owned(), |overhead| format!("{overhead:.2}")),
        ),
        ("crawl time", took(&report.harvest_curve)),
    ];
    numbers
        .map(|(name, number)| (name.to_owned(), number))
        .into()
}

fn push_measures(page: &mut Page, crawls: &[Measured], names: &[String]) {
    let (header, rows) = rows::side_by_side(crawls, names);
    page.table(&header, &rows);
    if crawls.iter().any(|crawl| crawl.published().is_some()) {
        page.paragraph(
            "The 2006 paper: Geographically Focused Collaborative Crawling (WWW 2006), 12.8 \
             million pages of the real web per strategy in two weeks. Other webs and shorter \
             crawls have other figures; what compares is which strategy leads.",
        );
    }
    if let Some(sampled) = crawls.iter().find_map(|crawl| crawl.report.sampled) {
        page.paragraph(&format!(
            "Geo-centrality and locality are estimated from {} and {} pages drawn at random, ± \
             one standard error; everything else is counted.",
            thousands(sampled.centrality_pages),
            thousands(sampled.locality_pages)
        ));
    }
}

/// How topical and important pages are; nothing for crawls without a topic.
fn push_worth(page: &mut Page, crawls: &[Measured], names: &[String]) {
    let reports: Vec<&Report> = crawls.iter().map(|crawl| &crawl.report).collect();
    let Some((header, rows)) = worth::side_by_side(&reports, names) else {
        return;
    };
    page.heading("Topic and status").table(&header, &rows);
    let figures = worth_figures::figures(crawls, names);
    let figures: Vec<(String, &str)> = figures
        .iter()
        .map(|(figure, caption)| (figure.clone(), caption.as_str()))
        .collect();
    page.figures(&figures);
    page.paragraph(
        "Average topicality is the share of pages that the classifier of --evaluate calls \
         relevant, average status the mean ln(1 + in-links) of pages in --inlinks, reliability \
         the share of sites in --directory. All else is as the crawl itself judged.",
    );
}

fn push_nodes(page: &mut Page, crawls: &[Measured], names: &[String]) {
    page.heading("Nodes");
    let coverage = |node: &NodeReport| node.geo_coverage;
    let focus = |node: &NodeReport| node.geo_focus;
    page.figures(&[
        (
            figures::node_bars(
                crawls,
                names,
                "geo-coverage",
                coverage,
                |paper, node_idx| paper.node_coverage.get(node_idx).copied(),
            ),
            "Geo-coverage: pages with an address in a target",
        ),
        (
            figures::node_bars(crawls, names, "geo-focus", focus, |paper, node_idx| {
                let own = node_idx.checked_sub(1)?;
                paper.node_focus?.get(own).copied()
            }),
            "Geo-focus: of those, pages with an address in the node's own targets; in the mean over \
             nodes, one without geo pages counts as zero",
        ),
    ]);
    let header = [
        "node",
        "pages",
        "geo pages",
        "geo-coverage",
        "geo-focus",
        "unique entities",
        "geo-centrality",
        "diversity",
        "handed over",
        "received",
    ]
    .map(ToOwned::to_owned);
    for (crawl, name) in crawls.iter().zip(names) {
        if crawls.len() > 1 {
            page.paragraph(name);
        }
        let rows: Vec<Vec<String>> = crawl.report.nodes.iter().map(node_row).collect();
        page.table(&header, &rows);
    }
}

fn node_row(node: &NodeReport) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
    vec![
        node.name.clone(),
        thousands(node.pages),
        thousands(node.geo_pages),
        percent(node.geo_coverage),
        percent(node.geo_focus),
        number(node.unique_entities),
        number(node.geo_centrality),
        number(node.diversity),
        thousands(node.handed_over),
        thousands(node.received),
    ]
}

fn push_harvest(page: &mut Page, crawls: &[Measured], names: &[String]) {
    let mut figures = vec![
        (
            figures::geo_pages_by_pages(crawls, names),
            "Geo pages found, by pages downloaded",
        ),
        (
            figures::geo_pages_by_time(crawls, names),
            "Geo pages found, by time",
        ),
        (
            path_figures::rate_so_far(crawls, names),
            "Harvest rate so far, by pages downloaded",
        ),
        (
            path_figures::rate_by_stretches(crawls, names),
            "Harvest rate of each stretch of the crawl",
        ),
    ];
    if crawls.iter().any(|crawl| crawl.report.recall.is_some()) {
        figures.push((
            path_figures::recall(crawls, names),
            "Recall: found of the geo pages that can be reached",
        ));
    }
    if let [only] = crawls
        && only.report.nodes.len() > 1
    {
        figures.push((
            figures::coverage_so_far(only),
            "Geo-coverage of each node so far",
        ));
    }
    page.heading("Harvest").figures(&figures);
}

/// How geo pages were come by; nothing where no log tells.
fn push_paths(page: &mut Page, crawls: &[Measured], names: &[String]) {
    let reports: Vec<&Report> = crawls.iter().map(|crawl| &crawl.report).collect();
    let Some((header, rows)) = paths::side_by_side(&reports, names) else {
        return;
    };
    page.heading("Paths").table(&header, &rows);
    let figures = path_figures::distances(&reports, names);
    page.figures(&figures);
    page.paragraph(
        "Seeds count as geo pages here. Accuracy is the share of geo pages among those whose \
         link the order gave a priority of at least one half.",
    );
}

fn push_exchange(page: &mut Page, crawls: &[Measured], names: &[String]) {
    page.heading("Exchange and locality");
    let caption = |name: &String| match crawls.len() {
        1 => "Links handed from node to node".to_owned(),
        _ => format!("Links handed from node to node: {name}"),
    };
    let captions: Vec<String> = names.iter().map(caption).collect();
    let mut figures: Vec<(String, &str)> = crawls
        .iter()
        .zip(&captions)
        .filter(|(crawl, _)| crawl.report.nodes.len() > 1)
        .map(|(crawl, caption)| (figures::hand_overs(crawl, caption), caption.as_str()))
        .collect();
    figures.push((
        figures::locality(crawls, names),
        "Locality: pairs of pages about the same target",
    ));
    page.figures(&figures);
    for (crawl, name) in crawls.iter().zip(names) {
        let costs = crawl.report.costs;
        let whose = if crawls.len() == 1 { "The crawl" } else { name };
        page.paragraph(&format!(
            "{whose} cost {} downloads and {} hand-overs.",
            thousands(costs.downloads),
            thousands(costs.hand_overs)
        ));
    }
}

/// Whether pages near each other are alike in status; nothing where no log tells.
fn push_status(page: &mut Page, crawls: &[Measured], names: &[String]) {
    let tables = crawls.iter().zip(names);
    let tables: Vec<_> = tables
        .filter_map(|(crawl, name)| {
            let corner = if crawls.len() == 1 { "pages" } else { name };
            kinship::table(&crawl.report, corner)
        })
        .collect();
    if tables.is_empty() {
        return;
    }
    page.heading("Status locality");
    for (header, rows) in &tables {
        page.table(header, rows);
    }
    let captions: Vec<String> = names
        .iter()
        .map(|name| match crawls.len() {
            1 => "Spearman's ρ of status, by links between two pages".to_owned(),
            _ => format!("Spearman's ρ of status, by links between two pages: {name}"),
        })
        .collect();
    let figures = crawls.iter().zip(&captions).filter_map(|(crawl, caption)| {
        let status = crawl.report.status_locality.as_ref()?;
        Some((kinship_figures::locality(status, caption), caption.as_str()))
    });
    page.figures(&figures.collect::<Vec<_>>());
    page.paragraph(
        "Status is ln(1 + in-links) among the pages of the crawl; p is the chance of a ρ as far \
         from zero if there were no relation.",
    );
}

fn push_places(page: &mut Page, crawls: &[Measured], names: &[String]) {
    page.heading("Places");
    let maps: Vec<(String, &str)> = crawls
        .iter()
        .zip(names)
        .enumerate()
        .map(|(colour, (crawl, name))| {
            let caption = match crawls.len() {
                1 => "Where the geo pages are",
                _ => name,
            };
            (figures::map(crawl, colour), caption)
        })
        .collect();
    page.figures(&maps);
    if let [only] = crawls {
        push_targets(page, only);
    }
}

fn push_targets(page: &mut Page, crawl: &Measured) {
    let gazetteer = Gazetteer::built_in();
    let mut targets = crawl.report.targets.clone();
    targets.sort_by_key(|target| std::cmp::Reverse(target.geo_pages));
    let n_empty = targets
        .iter()
        .filter(|target| target.geo_pages == 0)
        .count();
    let header = ["target", "geo pages", "addresses", "different ones"].map(ToOwned::to_owned);
    let name = |geonameid: u32| match gazetteer.by_geonameid(geonameid) {
        Some(id) => gazetteer.describe(id),
        None => geonameid.to_string(),
    };
    let rows: Vec<Vec<String>> = targets
        .iter()
        .take(MOST_TARGETS)
        .map(|target| {
            vec![
                name(target.geonameid),
                thousands(target.geo_pages),
                thousands(target.entities),
                thousands(target.distinct_entities),
            ]
        })
        .collect();
    page.table(&header, &rows);
    if let Some(n_more @ 1..) = targets.len().checked_sub(MOST_TARGETS) {
        page.paragraph(&format!(
            "And {n_more} more targets; {n_empty} of all have no geo page."
        ));
    }
}
