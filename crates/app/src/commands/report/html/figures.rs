//! The figures of a report, each one of the kinds that `lab::plot` draws.

use super::Measured;
use lab::measure::{HarvestPoint, Locality, NodeReport};
use lab::plot::{
    Axis, BarSeries, Bars, Dot, Estimate, Frame, HeatMap, Lines, Map, Point, Series, Unit,
};
use lab::published::Published;
use place::gazetteer::Gazetteer;

/// A measure of every node: one bar for each crawl, and for the paper where
/// one crawl alone is shown beside it.
pub(super) fn node_bars(
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

/// Geo pages found by pages downloaded, a curve for each crawl.
pub(super) fn geo_pages_by_pages(crawls: &[Measured], names: &[String]) -> String {
    let x = Axis::new("pages", Unit::Count);
    geo_pages(crawls, names, x, |point| point.pages as f64)
}

/// Geo pages found by time, a curve for each crawl.
pub(super) fn geo_pages_by_time(crawls: &[Measured], names: &[String]) -> String {
    let x = Axis::new("time since the start", Unit::Time);
    geo_pages(crawls, names, x, |point| point.ms as f64 / 1000.0)
}

fn geo_pages(
    crawls: &[Measured],
    names: &[String],
    x: Axis,
    place: fn(&HarvestPoint) -> f64,
) -> String {
    let curve = |(crawl, name): (&Measured, &String)| {
        let points = &crawl.report.harvest_curve;
        series(name, points, place, |point| point.geo_pages as f64)
    };
    let lines = Lines {
        title: format!("geo pages found by {}", x.label),
        x,
        y: Axis::new("geo pages", Unit::Count),
        series: crawls.iter().zip(names).map(curve).collect(),
    };
    lines.render()
}

/// Geo-coverage of each node so far, by pages of the node.
pub(super) fn coverage_so_far(crawl: &Measured) -> String {
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

pub(super) fn coverage(point: &HarvestPoint) -> f64 {
    point.geo_pages as f64 / point.pages.max(1) as f64
}

/// A curve through some moments of a crawl.
pub(super) fn series(
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

/// Links handed from node to node.
pub(super) fn hand_overs(crawl: &Measured, title: &str) -> String {
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

/// Shares of linked and other pairs of pages with the same target.
pub(super) fn locality(crawls: &[Measured], names: &[String]) -> String {
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

/// Geo pages at the targets they are about.
pub(super) fn map(crawl: &Measured, colour: usize) -> String {
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
