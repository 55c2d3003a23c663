//! Crawls for topics as figures, after the paper's: topicality, status and α
//! over the crawl, one against the other, and both of every page.

use super::worth::{Field, mean};
use super::{Group, Outcome, Summary};
use crate::measure::{Joint, Worth, WorthPoint};
use crate::plot::{Axis, Estimate, HeatMap, Lines, Point, Series, Unit};
use strategy::utility::Form;

/// Points of a curve.
const N_POINTS: u64 = 40;

/// Every figure with its caption.
pub(super) fn figures(summary: &Summary) -> Vec<(String, String)> {
    let field = Field::of(summary);
    let mut figures = vec![(
        trade(&field).render(),
        "Topicality against status, a point for each α or δ".to_owned(),
    )];
    for (form, name) in [
        (Form::CobbDouglas, "Cobb-Douglas"),
        (Form::Linear, "linear"),
    ] {
        let groups = field
            .alphas(form)
            .into_iter()
            .filter_map(|alpha| Some((format!("α = {alpha}"), field.fixed(form, alpha)?)));
        let groups: Vec<(String, &Group)> = groups.collect();
        figures.extend(both_over(&groups, summary.pages, name, |outcome| {
            outcome.report.worth.as_ref()
        }));
    }
    let deltas = field
        .deltas("utility")
        .into_iter()
        .filter_map(|delta| Some((format!("δ = {delta}"), field.adaptive("utility", delta)?)));
    let deltas: Vec<(String, &Group)> = deltas.collect();
    figures.extend(both_over(&deltas, summary.pages, "adaptive", |outcome| {
        outcome.report.worth.as_ref()
    }));
    if !deltas.is_empty() {
        figures.push((
            over(
                &deltas,
                summary.pages,
                "α",
                Unit::Number,
                |outcome| outcome.report.worth.as_ref(),
                |point| point.alpha,
            )
            .render(),
            "α over the crawl, adaptive".to_owned(),
        ));
    }
    let longest: Vec<(String, &Group)> = field
        .named()
        .into_iter()
        .filter(|(_, group)| group.outcomes.iter().any(|one| one.long.is_some()))
        .collect();
    let most = summary.orders.iter().filter_map(|spec| spec.pages).max();
    if let Some(most) = most.filter(|_| !longest.is_empty()) {
        figures.extend(both_over(&longest, most, "longer crawls", |outcome| {
            outcome.long.as_ref()
        }));
    }
    for (name, group) in field.named() {
        if let Some(heat_map) = joint(&name, group) {
            figures.push((
                heat_map.render(),
                format!("Pages by topicality and status: {name}"),
            ));
        }
    }
    figures
}

/// One line for each family of variants.
fn trade(field: &Field<'_>) -> Lines {
    let point = |group: &Group| {
        let topicality = mean(group, |outcome| {
            outcome.report.worth.as_ref()?.average_topicality
        })?;
        let status = mean(group, |outcome| {
            outcome.report.worth.as_ref()?.average_status
        })?;
        // As a number of links: logarithms all look alike.
        let n_links = status.mean.exp();
        Some(Point {
            x: topicality.mean * 100.0,
            y: Estimate {
                mean: n_links,
                error: status.error.map(|error| error * n_links),
            },
        })
    };
    let series = |name: &str, groups: Vec<Option<&Group>>| {
        let mut points: Vec<Point> = groups.into_iter().flatten().filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series {
            name: name.to_owned(),
            points,
        }
    };
    let of = |form: Form| {
        let alphas = field.alphas(form);
        alphas
            .into_iter()
            .map(|alpha| field.fixed(form, alpha))
            .collect()
    };
    let adaptive = |order: &str| {
        let deltas = field.deltas(order);
        deltas
            .into_iter()
            .map(|delta| field.adaptive(order, delta))
            .collect()
    };
    let series = [
        series("Cobb-Douglas, α", of(Form::CobbDouglas)),
        series("linear, α", of(Form::Linear)),
        series("adaptive, δ", adaptive("utility")),
        series("in-links", adaptive("inlinks")),
    ];
    Lines {
        title: "Topicality against status".into(),
        x: Axis::new("average topicality, %", Unit::Number),
        y: Axis::new("geometric mean of 1 + in-links", Unit::Count),
        series: series
            .into_iter()
            .filter(|series| !series.points.is_empty())
            .collect(),
    }
}

type Find = fn(&Outcome) -> Option<&Worth>;

/// Topicality and status over the crawl.
fn both_over(
    groups: &[(String, &Group)],
    pages: u64,
    name: &str,
    find: Find,
) -> Vec<(String, String)> {
    if groups.is_empty() {
        return Vec::new();
    }
    let topicality = over(groups, pages, "topicality", Unit::Percent, find, |point| {
        point.topicality
    });
    let status = over(
        groups,
        pages,
        "status, ln(1 + in-links)",
        Unit::Number,
        find,
        |point| point.status,
    );
    vec![
        (
            topicality.render(),
            format!("Topicality over the crawl, {name}"),
        ),
        (status.render(), format!("Status over the crawl, {name}")),
    ]
}

/// Something of every stretch, the mean over topics.
fn over(
    groups: &[(String, &Group)],
    pages: u64,
    label: &str,
    unit: Unit,
    find: Find,
    of: fn(&WorthPoint) -> Option<f64>,
) -> Lines {
    let series = |(name, group): &(String, &Group)| {
        let points = (1..=N_POINTS).filter_map(|nth| {
            let at = pages * nth / N_POINTS;
            let y = mean(group, |outcome| {
                let mut curve = find(outcome)?.curve.iter();
                of(curve.find(|point| point.pages >= at)?)
            });
            Some(Point {
                x: at as f64,
                y: y?,
            })
        });
        Series {
            name: name.clone(),
            points: points.collect(),
        }
    };
    Lines {
        title: format!("{label} over the crawl"),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new(label, unit),
        series: groups.iter().map(series).collect(),
    }
}

/// Pages by topicality and status, the mean over topics.
fn joint(name: &str, group: &Group) -> Option<HeatMap> {
    let joints = group.outcomes.iter();
    let joints = joints.filter_map(|outcome| outcome.report.worth.as_ref()?.joint.as_ref());
    let joints: Vec<&Joint> = joints.collect();
    let is_estimated = joints.first()?.is_estimated;
    let n_bins = joints.first()?.cells.len();
    let cell = |status: usize, topicality: usize| {
        let of = |joint: &&Joint| joint.cells.get(status)?.get(topicality).copied();
        let sum: u64 = joints.iter().filter_map(of).sum();
        sum as f64 / joints.len() as f64
    };
    let row = |status: usize| (0..n_bins).map(|bin| cell(status, bin)).collect();
    let cells: Vec<Vec<f64>> = (0..n_bins).map(row).collect();
    let title = format!("Pages by topicality and status: {name}");
    Some(HeatMap::of_topic_and_status(&title, is_estimated, &cells))
}
