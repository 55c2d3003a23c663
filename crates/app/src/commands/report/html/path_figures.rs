//! Figures of best-first crawls, as their papers have them: rates over the
//! crawl, and how long paths are.

use super::super::Measured;
use super::figures::{coverage, series};
use lab::measure::{Distances, HarvestPoint, Report};
use lab::plot::{Axis, BarSeries, Columns, Estimate, Lines, Point, Series, Unit};

/// Pages before which a rate says nothing yet.
const FEW_PAGES: u64 = 50;

/// Stretches that a crawl is cut into, at most.
const N_STRETCHES: u64 = 25;

/// Geo pages ÷ pages so far, a curve for each crawl.
pub(super) fn rate_so_far(crawls: &[Measured], names: &[String]) -> String {
    let curves = crawls.iter().zip(names).map(|(crawl, name)| {
        let points = crawl.report.harvest_curve.iter();
        let settled: Vec<HarvestPoint> = points
            .filter(|point| point.pages >= FEW_PAGES)
            .copied()
            .collect();
        series(name, &settled, |point| point.pages as f64, coverage)
    });
    rates("harvest rate so far", curves.collect())
}

/// Geo pages ÷ pages of one stretch after the other, a curve for each crawl.
pub(super) fn rate_by_stretches(crawls: &[Measured], names: &[String]) -> String {
    let curves = crawls.iter().zip(names).map(|(crawl, name)| Series {
        name: name.clone(),
        points: stretches(&crawl.report.harvest_curve),
    });
    rates("harvest rate of stretches", curves.collect())
}

fn rates(label: &str, series: Vec<Series>) -> String {
    let lines = Lines {
        title: label.to_owned(),
        x: Axis::new("pages", Unit::Count),
        y: Axis::new(label, Unit::Percent),
        series,
    };
    lines.render()
}

/// The rate of every stretch, in its middle. What remains after the last
/// whole one is too short to say anything.
fn stretches(curve: &[HarvestPoint]) -> Vec<Point> {
    let n_pages = curve.last().map_or(0, |last| last.pages);
    let least = (n_pages / N_STRETCHES).max(FEW_PAGES.min(n_pages)).max(1);
    let (mut pages, mut geo_pages) = (0, 0);
    let mut points = Vec::new();
    for moment in curve {
        let n_pages = moment.pages - pages;
        if n_pages < least {
            continue;
        }
        let rate = (moment.geo_pages - geo_pages) as f64 / n_pages as f64;
        points.push(Point {
            x: (pages + moment.pages) as f64 / 2.0,
            y: Estimate::exact(rate),
        });
        (pages, geo_pages) = (moment.pages, moment.geo_pages);
    }
    points
}

/// Different geo pages found ÷ those that can be, a curve for each crawl.
pub(super) fn recall(crawls: &[Measured], names: &[String]) -> String {
    let curves = crawls.iter().zip(names).map(|(crawl, name)| {
        let points = crawl.report.harvest_curve.iter();
        Series {
            name: name.clone(),
            points: points
                .filter_map(|point| {
                    let recall = Estimate::exact(point.recall?);
                    let x = point.pages as f64;
                    Some(Point { x, y: recall })
                })
                .collect(),
        }
    });
    rates("recall", curves.collect())
}

/// Where lengths are in a report.
type Find = fn(&Report) -> Option<&Distances>;

/// The three histograms, each with its caption; none of what no log tells.
pub(super) fn distances(reports: &[&Report], names: &[String]) -> Vec<(String, &'static str)> {
    let kinds: [(_, _, Find); 3] = [
        (
            "Bridges: pages between a geo page and the last one before it",
            "pages between",
            |report| report.bridge_distances.as_ref(),
        ),
        (
            "Tails: links after the last geo page of a path",
            "links",
            |report| report.tail_lengths.as_ref(),
        ),
        ("Links from a seed to a geo page", "links", |report| {
            report.seed_distances.as_ref()
        }),
    ];
    let figures = kinds.into_iter().filter_map(|(caption, x, find)| {
        let found: Vec<Option<&Distances>> = reports.iter().map(|report| find(report)).collect();
        let svg = histogram(caption, x, &found, names)?;
        Some((svg, caption))
    });
    figures.collect()
}

/// Shares of lengths, a column for each crawl; nothing if there is none.
fn histogram(
    title: &str,
    x: &str,
    found: &[Option<&Distances>],
    names: &[String],
) -> Option<String> {
    let lengths = || found.iter().flatten();
    let n_counted = lengths().map(|lengths| lengths.counts.len()).max()?;
    let mut groups: Vec<String> = (0..n_counted).map(|length| length.to_string()).collect();
    if lengths().any(|lengths| lengths.more > 0) {
        groups.push(format!(">{}", Distances::LONGEST));
    }
    let shares = |lengths: &Distances| {
        let mut counts = lengths.counts.clone();
        counts.resize(n_counted, 0);
        counts.push(lengths.more);
        let total = lengths.total() as f64;
        let share = |count: u64| Some(Estimate::exact(count as f64 / total));
        counts.into_iter().take(groups.len()).map(share).collect()
    };
    let series = names.iter().zip(found).map(|(name, lengths)| BarSeries {
        name: name.clone(),
        values: lengths.map(shares).unwrap_or_default(),
    });
    let columns = Columns {
        title: title.to_owned(),
        x: x.to_owned(),
        y: Axis::new("share", Unit::Percent),
        series: series.collect(),
        groups,
    };
    Some(columns.render())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(pages: u64, geo_pages: u64) -> HarvestPoint {
        HarvestPoint {
            pages,
            geo_pages,
            ms: 0,
            rate: None,
            recall: None,
        }
    }

    #[test]
    fn stretches_are_long_enough_to_say_something() {
        // Every fiftieth page of 500, then a rest of twenty.
        let mut curve: Vec<HarvestPoint> = (1..=50).map(|n| moment(n * 10, n / 5)).collect();
        curve.push(moment(520, 30));
        let points = stretches(&curve);
        assert_eq!(points.len(), 10);
        assert_eq!((points[0].x, points[9].x), (25.0, 475.0));
        assert!(points.iter().all(|point| point.y.mean == 0.02));
        assert_eq!(stretches(&[]), []);
        // A crawl of three pages is one stretch.
        assert_eq!(stretches(&[moment(1, 0), moment(3, 1)]).len(), 1);
    }

    #[test]
    fn histograms_show_shares_and_what_is_longer() {
        let lengths = |counts: &[u64], more| Distances {
            counts: counts.to_vec(),
            more,
            median: 0,
            p95: 0,
            most: 0,
            one_in: None,
        };
        let names = ["a".to_owned(), "b".to_owned()];
        let (one, two) = (lengths(&[3, 1], 0), lengths(&[1, 0, 1], 2));
        let svg = histogram("tails", "links", &[Some(&one), Some(&two)], &names).unwrap();
        for title in ["0, a: 75.00 %", "1, a: 25.00 %", "2, a: 0.00 %"] {
            assert!(svg.contains(title), "{title} in {svg}");
        }
        assert!(svg.contains("&gt;30, b: 50.00 %"), "{svg}");
        assert_eq!(histogram("tails", "links", &[None, None], &names), None);
    }
}
