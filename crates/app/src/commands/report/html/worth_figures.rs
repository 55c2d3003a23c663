//! Figures of crawls with a topic: topicality, status and α over the crawl,
//! and the joint distribution of pages.

use super::super::Measured;
use lab::measure::{Worth, WorthPoint};
use lab::plot::{Axis, Estimate, HeatMap, Lines, Point, Series, Unit};

/// Every figure with its caption, as far as the logs and their witnesses tell.
pub(super) fn figures(crawls: &[Measured], names: &[String]) -> Vec<(String, String)> {
    let worths: Vec<(&String, &Worth)> = names
        .iter()
        .zip(crawls)
        .filter_map(|(name, crawl)| Some((name, crawl.report.worth.as_ref()?)))
        .collect();
    let is_evaluated = worths.iter().any(|(_, worth)| worth.evaluated_pages > 0);
    let is_counted = worths.iter().any(|(_, worth)| worth.counted_pages > 0);
    let topicality: fn(&WorthPoint) -> Option<f64> = match is_evaluated {
        true => |point| point.topicality,
        false => |point| point.estimated_topicality,
    };
    let status: (fn(&WorthPoint) -> Option<f64>, &str) = match is_counted {
        true => (|point| point.status, "ln(1 + in-links)"),
        false => (|point| point.estimated_status, "estimated status"),
    };
    let mut figures = vec![
        (
            over(&worths, "topicality", Unit::Percent, topicality),
            match is_evaluated {
                true => "Topicality of each stretch, as evaluated".to_owned(),
                false => "Topicality of each stretch, as the crawl judged".to_owned(),
            },
        ),
        (
            over(&worths, status.1, Unit::Number, status.0),
            "Status of each stretch".to_owned(),
        ),
        (
            over(&worths, "sites", Unit::Count, |point| {
                Some(point.sites as f64)
            }),
            "Sites visited so far".to_owned(),
        ),
    ];
    for (name, worth) in &worths {
        let suffix = match worths.len() {
            1 => String::new(),
            _ => format!(": {name}"),
        };
        if worth.alphas.iter().any(|node| node.len() > 1) {
            let caption = format!("Elasticity α of each node{suffix}");
            figures.push((alphas(worth), caption));
        }
        if let Some(joint) = &worth.joint {
            let caption = format!("Pages by topicality and status{suffix}");
            let cells = joint.cells.iter();
            let cells: Vec<Vec<f64>> = cells
                .map(|row| row.iter().map(|n| *n as f64).collect())
                .collect();
            let heat_map = HeatMap::of_topic_and_status(&caption, joint.is_estimated, &cells);
            figures.push((heat_map.render(), caption));
        }
    }
    figures
}

fn over(
    worths: &[(&String, &Worth)],
    label: &str,
    unit: Unit,
    of: fn(&WorthPoint) -> Option<f64>,
) -> String {
    let series = |(name, worth): &(&String, &Worth)| Series {
        name: (*name).clone(),
        points: worth
            .curve
            .iter()
            .filter_map(|point| {
                Some(Point {
                    x: point.pages as f64,
                    y: Estimate::exact(of(point)?),
                })
            })
            .collect(),
    };
    let lines = Lines {
        title: format!("{label} over the crawl"),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new(label, unit),
        series: worths.iter().map(series).collect(),
    };
    lines.render()
}

fn alphas(worth: &Worth) -> String {
    let nodes = worth.alphas.iter().enumerate();
    let nodes = nodes.filter(|(_, points)| !points.is_empty());
    let series = nodes.map(|(node, points)| Series {
        name: format!("node {node}"),
        points: points
            .iter()
            .map(|point| Point {
                x: point.pages as f64,
                y: Estimate::exact(point.alpha),
            })
            .collect(),
    });
    let lines = Lines {
        title: "elasticity of each node".to_owned(),
        x: Axis::new("pages of the node", Unit::Count),
        y: Axis::new("α", Unit::Number),
        series: series.collect(),
    };
    lines.render()
}
