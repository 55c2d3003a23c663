//! Measures as one page with plots, for any browser and without a network.

use super::{Measured, rows};
use crate::text::{percent, span, thousands};
use lab::measure::{HarvestPoint, Locality, NodeReport};
use lab::plot::page::Page;
use lab::plot::{
    Axis, BarSeries, Bars, Dot, Estimate, Frame, HeatMap, Lines, Map, Point, Series, Unit,
};
use lab::published::Published;
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
    push_nodes(&mut page, crawls, &names);
    push_harvest(&mut page, crawls, &names);
    push_exchange(&mut page, crawls, &names);
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
        "{start}assigned by {}, ordered by {}, {} nodes, {} targets; {} pages in {}. It ended: {}.",
        crawl.plan.assign,
        crawl.plan.order,
        crawl.plan.nodes,
        crawl.targets.list().len(),
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

fn push_nodes(page: &mut Page, crawls: &[Measured], names: &[String]) {
    page.heading("Nodes");
    let coverage = |node: &NodeReport| node.geo_coverage;
    let focus = |node: &NodeReport| node.geo_focus;
    page.figures(&[
        (
            node_bars(
                crawls,
                names,
                "geo-coverage",
                coverage,
                |paper, node_idx| paper.node_coverage.get(node_idx).copied(),
            ),
            "Geo-coverage: pages with an address in a target",
        ),
        (
            node_bars(crawls, names, "geo-focus", focus, |paper, node_idx| {
                let own = node_idx.checked_sub(1)?;
                paper.node_focus?.get(own).copied()
            }),
            "Geo-focus: of those, pages with an address in the node's own targets",
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

/// A measure of every node: one bar for each crawl, and for the paper where
/// one crawl alone is shown beside it.
fn node_bars(
    crawls: &[Measured],
    names: &[String],
    label: &str,
    measure: fn(&NodeReport) -> Option<f64>,
    published: fn(&Published, usize) -> Option<f64>,
) -> String {
    let groups = crawls.iter().map(|crawl| &crawl.report.nodes);
    let longest = groups.max_by_key(|nodes| nodes.len());
    let groups: Vec<String> = longest
        .into_iter()
        .flatten()
        .map(|node| node.name.clone())
        .collect();
    let mut series: Vec<BarSeries> = crawls
        .iter()
        .zip(names)
        .map(|(crawl, name)| BarSeries {
            name: name.clone(),
            values: crawl
                .report
                .nodes
                .iter()
                .map(|node| measure(node).map(Estimate::exact))
                .collect(),
        })
        .collect();
    if let [only] = crawls
        && let Some(paper) = only.published_nodes()
    {
        let values = (0..groups.len()).map(|node_idx| published(paper, node_idx));
        series.push(BarSeries {
            name: "2006 paper".to_owned(),
            values: values.map(|value| value.map(Estimate::exact)).collect(),
        });
    }
    let bars = Bars {
        title: format!("{label} of each node"),
        x: Axis::new(label, Unit::Percent),
        groups,
        series,
    };
    bars.render()
}

fn push_harvest(page: &mut Page, crawls: &[Measured], names: &[String]) {
    let curves = |x: fn(&HarvestPoint) -> f64| {
        let curve = |(crawl, name): (&Measured, &String)| {
            let points = &crawl.report.harvest_curve;
            series(name, points, x, |point| point.geo_pages as f64)
        };
        crawls.iter().zip(names).map(curve).collect::<Vec<_>>()
    };
    let by_pages = Lines {
        title: "geo pages found by pages downloaded".to_owned(),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new("geo pages", Unit::Count),
        series: curves(|point| point.pages as f64),
    };
    let by_time = Lines {
        title: "geo pages found by time".to_owned(),
        x: Axis::new("time since the start", Unit::Time),
        y: Axis::new("geo pages", Unit::Count),
        series: curves(|point| point.ms as f64 / 1000.0),
    };
    let mut figures = vec![
        (by_pages.render(), "Geo pages found, by pages downloaded"),
        (by_time.render(), "Geo pages found, by time"),
    ];
    if let [only] = crawls
        && only.report.nodes.len() > 1
    {
        figures.push((coverage_so_far(only), "Geo-coverage of each node so far"));
    }
    page.heading("Harvest").figures(&figures);
}

fn coverage_so_far(crawl: &Measured) -> String {
    let nodes = crawl.report.nodes.iter().map(|node| {
        // The first pages of a node say nothing yet.
        let settled = node.harvest_curve.iter().filter(|point| point.pages >= 50);
        let settled: Vec<HarvestPoint> = settled.copied().collect();
        series(&node.name, &settled, |point| point.pages as f64, coverage)
    });
    let lines = Lines {
        title: "geo-coverage of each node so far".to_owned(),
        x: Axis::new("pages of the node", Unit::Count),
        y: Axis::new("geo-coverage so far", Unit::Percent),
        series: nodes.collect(),
    };
    lines.render()
}

fn coverage(point: &HarvestPoint) -> f64 {
    point.geo_pages as f64 / point.pages.max(1) as f64
}

fn series(
    name: &str,
    points: &[HarvestPoint],
    x: fn(&HarvestPoint) -> f64,
    y: fn(&HarvestPoint) -> f64,
) -> Series {
    let point = |at: &HarvestPoint| Point {
        x: x(at),
        y: Estimate::exact(y(at)),
    };
    Series {
        name: name.to_owned(),
        points: points.iter().map(point).collect(),
    }
}

fn push_exchange(page: &mut Page, crawls: &[Measured], names: &[String]) {
    page.heading("Exchange and locality");
    let mut figures: Vec<(String, &str)> = Vec::new();
    for (crawl, name) in crawls.iter().zip(names) {
        if crawl.report.nodes.len() > 1 {
            let what = match crawls.len() {
                1 => "links handed over".to_owned(),
                _ => format!("links handed over, {name}"),
            };
            figures.push((hand_overs(crawl, &what), "Links handed from node to node"));
        }
    }
    figures.push((
        locality(crawls, names),
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

fn hand_overs(crawl: &Measured, title: &str) -> String {
    let names: Vec<String> = crawl
        .report
        .nodes
        .iter()
        .map(|node| node.name.clone())
        .collect();
    let rows = crawl.report.hand_overs.iter().enumerate();
    let heat_map = HeatMap {
        title: title.to_owned(),
        labels: ("from".to_owned(), "to".to_owned()),
        rows: names.clone(),
        columns: names,
        cells: rows
            .map(|(from, row)| {
                let cells = row.iter().enumerate();
                let cell = |(to, n): (usize, &u64)| (from != to).then_some(*n as f64);
                cells.map(cell).collect()
            })
            .collect(),
    };
    heat_map.render()
}

fn locality(crawls: &[Measured], names: &[String]) -> String {
    let pair = |locality: &Locality| {
        let estimate = |value: Option<f64>, error| value.map(|mean| Estimate { mean, error });
        vec![
            estimate(locality.linked, locality.linked_error),
            estimate(locality.unlinked, locality.unlinked_error),
        ]
    };
    let mut series: Vec<BarSeries> = crawls
        .iter()
        .zip(names)
        .map(|(crawl, name)| BarSeries {
            name: name.clone(),
            values: pair(&crawl.report.locality),
        })
        .collect();
    if let [only] = crawls
        && let Some((linked, unlinked)) = only.published().and_then(|paper| paper.locality)
    {
        series.push(BarSeries {
            name: "2006 paper".to_owned(),
            values: [linked, unlinked].map(Estimate::exact).map(Some).into(),
        });
    }
    let bars = Bars {
        title: "locality of links".to_owned(),
        x: Axis::new("share with the same target", Unit::Number),
        groups: vec!["linked, δ".to_owned(), "not linked, δ̃".to_owned()],
        series,
    };
    bars.render()
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
            (map(crawl, colour), caption)
        })
        .collect();
    page.figures(&maps);
    if let [only] = crawls {
        push_targets(page, only);
    }
}

fn map(crawl: &Measured, colour: usize) -> String {
    let gazetteer = Gazetteer::built_in();
    let targets = crawl.report.targets.iter().filter_map(|target| {
        let place = gazetteer.place(gazetteer.by_geonameid(target.geonameid)?);
        let dot = Dot {
            name: place.name.to_owned(),
            lat: f64::from(place.lat),
            lon: f64::from(place.lon),
            value: target.geo_pages as f64,
            colour,
        };
        Some((place.country, dot))
    });
    let (countries, dots): (Vec<&str>, Vec<Dot>) = targets.unzip();
    let frame = match countries.iter().all(|country| *country == "US") {
        true => Frame::UnitedStates,
        false => Frame::World,
    };
    let map = Map {
        title: "geo pages at the targets they are about".to_owned(),
        what: "geo pages".to_owned(),
        frame,
        dots,
    };
    map.render()
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
