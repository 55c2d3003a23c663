//! An experiment as a page with plots.

use super::tables::{node_names, tables};
use super::{Group, Moment, Subject, Summary, status, worth_figures};
use crate::plot::page::Page;
use crate::plot::{Axis, BarSeries, Bars, Dot, Estimate, Frame, Lines, Map, Point, Series, Unit};
use crate::published;
use place::gazetteer::Gazetteer;
use std::collections::BTreeMap;

/// Points of a harvest curve.
const N_POINTS: u64 = 50;

/// The report of an experiment; `how` says how it was made.
pub fn page(summary: &Summary, how: &str) -> String {
    let mut page = Page::new(&summary.title);
    page.paragraph(how);
    if summary.n_missing > 0 {
        page.paragraph(&format!(
            "Not finished: {} trials are missing.",
            summary.n_missing
        ));
    }
    let resumed = summary.resumed();
    if !resumed.is_empty() {
        page.paragraph(&format!(
            "Gone on with after an interruption, which loses what was in the air: {}. \
             Uninterrupted, they would have come out a little otherwise.",
            resumed.join(", ")
        ));
    }
    if summary.is_paper {
        page.paragraph(
            "Published figures: Gao, Lee, Miao, Geographically Focused Collaborative Crawling, \
             WWW 2006; 12.8 million pages of the real web per strategy. Errors are standard errors \
             over seeds; bars and bands show one.",
        );
    }
    match summary.subject {
        Subject::Places => push_places(&mut page, summary),
        Subject::StatusLocality => push_status(&mut page, summary),
        Subject::Topics => push_topics(&mut page, summary),
    }
    for table in tables(summary) {
        page.heading(&table.title);
        page.table(&table.header, &table.rows);
    }
    page.render()
}

fn push_status(page: &mut Page, summary: &Summary) {
    page.paragraph(
        "Status is ln(1 + in-links) among the pages of a crawl; ρ compares ranks of status over \
         pairs of pages so many links apart. Errors are standard errors over webs, or of the \
         sample where there is one web; bars show one.",
    );
    let names = summary
        .groups
        .iter()
        .map(|group| match summary.groups.len() {
            1 => "By links between two pages".to_owned(),
            _ => name(summary, group),
        });
    let names: Vec<String> = names.collect();
    let figures = summary.groups.iter().zip(&names);
    let figures: Vec<(String, &str)> = figures
        .map(|(group, name)| (status::figure(group).render(), name.as_str()))
        .collect();
    page.figures(&figures);
}

fn push_topics(page: &mut Page, summary: &Summary) {
    page.paragraph(
        "Average topicality is the share of pages that a classifier calls relevant which learned \
         from other sites than the crawl's own; average status the mean ln(1 + in-links) over the \
         whole web; sites are hosts, and reliability is the share of them that the directory \
         lists. Errors are standard errors over topics; bands show one.",
    );
    let figures = worth_figures::figures(summary);
    let figures: Vec<(String, &str)> = figures
        .iter()
        .map(|(figure, caption)| (figure.clone(), caption.as_str()))
        .collect();
    page.figures(&figures);
}

fn push_places(page: &mut Page, summary: &Summary) {
    let (map, best) = map(summary);
    let where_from = format!("Where the geo pages of {best} are");
    page.figures(&[
        (
            harvest(summary).render(),
            "Geo pages among the pages so far",
        ),
        (
            coverage(summary).render(),
            "Geo-coverage, beside the published",
        ),
        (by_node(summary).render(), "Geo-coverage by node"),
        (rates(summary).render(), "Pages a second, all along"),
        (memory(summary).render(), "Memory of the process, all along"),
        (map.render(), &where_from),
    ]);
}

fn name(summary: &Summary, group: &Group) -> String {
    summary.name_of(group)
}

/// Cumulative harvest at evenly spaced numbers of pages, mean over seeds.
fn harvest(summary: &Summary) -> Lines {
    let series = |group: &Group| Series {
        name: name(summary, group),
        points: (1..=N_POINTS)
            .filter_map(|nth| {
                let pages = summary.pages * nth / N_POINTS;
                let values: Vec<f64> = group
                    .outcomes
                    .iter()
                    .filter_map(|outcome| {
                        let curve = &outcome.report.harvest_curve;
                        let at = curve.iter().find(|point| point.pages >= pages)?;
                        Some(at.geo_pages as f64 / at.pages as f64)
                    })
                    .collect();
                Some(Point {
                    x: pages as f64,
                    y: Estimate::of(&values)?,
                })
            })
            .collect(),
    };
    Lines {
        title: "Harvest rate over the crawl".into(),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new("geo pages ÷ pages", Unit::Percent),
        series: summary.groups.iter().map(series).collect(),
    }
}

fn coverage(summary: &Summary) -> Bars {
    let ours = |group: &Group| group.mean(|report| report.geo_coverage);
    let theirs = |group: &Group| {
        let paper = published::by_name(&group.assign).filter(|_| summary.is_paper);
        paper.map(|paper| Estimate::exact(paper.geo_coverage))
    };
    Bars {
        title: "Geo-coverage of every strategy".into(),
        x: Axis::new("geo pages ÷ pages", Unit::Percent),
        groups: summary
            .groups
            .iter()
            .map(|group| name(summary, group))
            .collect(),
        series: vec![
            BarSeries {
                name: "here".into(),
                values: summary.groups.iter().map(ours).collect(),
            },
            BarSeries {
                name: "published".into(),
                values: summary.groups.iter().map(theirs).collect(),
            },
        ],
    }
}

fn by_node(summary: &Summary) -> Bars {
    let nodes = node_names(&summary.groups);
    let series = |group: &Group| BarSeries {
        name: name(summary, group),
        values: (0..nodes.len())
            .map(|node| group.mean(|report| report.nodes.get(node)?.geo_coverage))
            .collect(),
    };
    Bars {
        title: "Geo-coverage of every node".into(),
        x: Axis::new("geo pages ÷ pages", Unit::Percent),
        series: summary.groups.iter().map(series).collect(),
        groups: nodes,
    }
}

fn rates(summary: &Summary) -> Lines {
    Lines {
        title: "Pages a second over the crawl".into(),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new("pages a second", Unit::Count),
        series: along(summary, |moment| moment.rate),
    }
}

fn memory(summary: &Summary) -> Lines {
    Lines {
        title: "Memory over the crawl".into(),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new("MiB", Unit::Count),
        series: along(summary, |moment| (moment.memory >> 20) as f64),
    }
}

/// Something of every moment, for the trial of each strategy with most of them.
fn along(summary: &Summary, of: fn(&Moment) -> f64) -> Vec<Series> {
    let series = |group: &Group| {
        let outcomes = group.outcomes.iter();
        let longest = outcomes.max_by_key(|outcome| outcome.moments.len());
        let moments = longest.map(|outcome| outcome.moments.as_slice());
        let point = |moment: &Moment| Point {
            x: moment.pages as f64,
            y: Estimate::exact(of(moment)),
        };
        Series {
            name: name(summary, group),
            points: moments.unwrap_or_default().iter().map(point).collect(),
        }
    };
    summary.groups.iter().map(series).collect()
}

/// Geo pages at their targets, for the strategy that found most.
fn map(summary: &Summary) -> (Map, String) {
    let most = summary.groups.iter().max_by(|a, b| {
        let coverage = |group: &Group| group.mean(|report| report.geo_coverage);
        let value = |group: &Group| coverage(group).map_or(0.0, |estimate| estimate.mean);
        value(a).total_cmp(&value(b))
    });
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    let outcomes = most.into_iter().flat_map(|group| &group.outcomes);
    for target in outcomes.flat_map(|outcome| &outcome.report.targets) {
        *counts.entry(target.geonameid).or_default() += target.geo_pages;
    }
    let gazetteer = Gazetteer::built_in();
    let n_seeds = most.map_or(1, |group| group.outcomes.len().max(1));
    let dot = |(geonameid, n): (u32, u64)| {
        let place = gazetteer.place(gazetteer.by_geonameid(geonameid)?);
        Some(Dot {
            name: place.name.to_owned(),
            lat: f64::from(place.lat),
            lon: f64::from(place.lon),
            value: n as f64 / n_seeds as f64,
            colour: 0,
        })
    };
    let dots: Vec<Dot> = counts.into_iter().filter_map(dot).collect();
    let is_us = dots.iter().all(|dot| dot.lon < -60.0 && dot.lat > 15.0);
    let map = Map {
        title: "Geo pages by city".into(),
        what: "geo pages, mean over seeds".into(),
        frame: match is_us {
            true => Frame::UnitedStates,
            false => Frame::World,
        },
        dots,
    };
    (
        map,
        most.map_or_else(String::new, |group| name(summary, group)),
    )
}
