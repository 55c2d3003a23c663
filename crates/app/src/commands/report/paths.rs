//! How crawls came by their geo pages: bridges, tails and recall, where the
//! logs tell.

use crate::text::percent;
use lab::measure::{Distances, Report};

/// A measure by name, and how a report says it.
type Row = (String, Box<dyn Fn(&Report) -> String>);

/// A column for each crawl; nothing if no log has trails and no recall is known.
pub(super) fn side_by_side(
    reports: &[&Report],
    names: &[String],
) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    if !reports.iter().any(|report| is_told(report)) {
        return None;
    }
    let mut header = vec!["paths".to_owned()];
    header.extend(names.iter().cloned());
    let cells = |(name, write): &Row| {
        let values = reports.iter().map(|report| write(report));
        std::iter::once(name.clone()).chain(values).collect()
    };
    let rows = rows(reports);
    Some((header, rows.iter().map(cells).collect()))
}

fn is_told(report: &Report) -> bool {
    report.seed_distances.is_some() || report.tail_lengths.is_some() || report.recall.is_some()
}

fn rows(reports: &[&Report]) -> Vec<Row> {
    let share = |name: &str, value: fn(&Report) -> Option<f64>| -> Row {
        (
            name.to_owned(),
            Box::new(move |report| percent(value(report))),
        )
    };
    let lengths = |name: &str, value: fn(&Report) -> Option<&Distances>| -> Row {
        let name = format!("{name}: median, 95 %, most");
        (name, Box::new(move |report| written(value(report))))
    };
    let mut rows = vec![
        share("geo pages behind bridges", |report| report.over_bridges),
        lengths("pages between geo pages", |report| {
            report.bridge_distances.as_ref()
        }),
        lengths("links from a seed", |report| report.seed_distances.as_ref()),
        lengths("links of a tail", |report| report.tail_lengths.as_ref()),
        share("accuracy", |report| report.accuracy),
        share("geographic coverage", |report| report.geographic_coverage),
    ];
    if reports.iter().any(|report| report.recall.is_some()) {
        rows.push(share("recall", |report| report.recall));
    }
    let furthest = reports.iter().map(|report| &report.recall_at);
    let furthest = furthest.max_by_key(|points| points.len());
    for (idx, point) in furthest.into_iter().flatten().enumerate() {
        let recall = move |report: &Report| report.recall_at.get(idx).map(|point| point.recall);
        rows.push((
            format!("recall after {:.0} % of all pages", point.share * 100.0),
            Box::new(move |report| percent(recall(report))),
        ));
    }
    rows
}

fn written(distances: Option<&Distances>) -> String {
    let quantiles = |lengths: &Distances| {
        let Distances {
            median, p95, most, ..
        } = lengths;
        format!("{median}, {p95}, {most}")
    };
    distances.map_or_else(|| "–".to_owned(), quantiles)
}

/// All that is known of a crawl, by names for programs.
pub(super) fn numbers(report: &Report) -> Vec<(String, f64)> {
    if !is_told(report) {
        return Vec::new();
    }
    let shares = [
        ("over_bridges", report.over_bridges),
        ("accuracy", report.accuracy),
        ("geographic_coverage", report.geographic_coverage),
        ("recall", report.recall),
    ];
    let shares = shares.into_iter();
    let mut numbers: Vec<(String, f64)> = shares
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect();
    for point in &report.recall_at {
        numbers.push((format!("recall_at.{}", point.share), point.recall));
    }
    let lengths = [
        ("bridge_distances", &report.bridge_distances),
        ("tail_lengths", &report.tail_lengths),
        ("seed_distances", &report.seed_distances),
    ];
    for (name, lengths) in lengths {
        let Some(lengths) = lengths else {
            continue;
        };
        numbers.push((format!("{name}.median"), f64::from(lengths.median)));
        numbers.push((format!("{name}.p95"), f64::from(lengths.p95)));
        numbers.push((format!("{name}.most"), f64::from(lengths.most)));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use lab::measure::{Measures, Settings};
    use store::visit::{EntityRecord, Errand, Outcome, Time, Trail, Visit};

    /// A seed, a page, a geo page behind it and one that leads nowhere.
    fn log() -> Vec<Visit> {
        let visit = |url: &str, from: Option<&str>, distance| Visit {
            from: from.map(ToOwned::to_owned),
            trail: Some(Trail {
                distance,
                steps: distance,
                ..Trail::default()
            }),
            ..Visit::new(0, Errand::Page, Time(0), url, Outcome::Fetched)
        };
        let mut found = visit("http://a.com/3", Some("http://a.com/2"), 2);
        found.entities.push(EntityRecord {
            key: 1,
            target: 1,
            text: String::new(),
        });
        vec![
            visit("http://a.com/1", None, 0),
            visit("http://a.com/2", Some("http://a.com/1"), 1),
            found,
            visit("http://a.com/4", Some("http://a.com/1"), 1),
        ]
    }

    fn measure(visits: &[Visit], n_relevant: Option<u64>) -> Report {
        let settings = Settings {
            n_relevant,
            n_reachable: Some(8),
            ..Settings::default()
        };
        let mut measures = Measures::new(Vec::new(), settings);
        for visit in visits {
            measures.add(visit);
        }
        measures.finish()
    }

    fn show(reports: &[&Report]) -> String {
        let names: Vec<String> = (1..=reports.len()).map(|n| format!("crawl {n}")).collect();
        let Some((header, rows)) = side_by_side(reports, &names) else {
            return "nothing".to_owned();
        };
        let mut table = Table::of(header);
        for row in rows {
            table.push(row);
        }
        table.render()
    }

    #[test]
    fn logs_tell_how_pages_were_come_by() {
        let report = measure(&log(), None);
        insta::assert_snapshot!(show(&[&report]), @r"
        paths                                         crawl 1
        ─────────────────────────────────────────────────────
        geo pages behind bridges                     100.00 %
        pages between geo pages: median, 95 %, most   1, 1, 1
        links from a seed: median, 95 %, most         2, 2, 2
        links of a tail: median, 95 %, most           1, 1, 1
        accuracy                                      25.00 %
        geographic coverage                          100.00 %
        ");
        let told = measure(&log(), Some(2));
        insta::assert_snapshot!(show(&[&report, &told]), @r"
        paths                                         crawl 1   crawl 2
        ───────────────────────────────────────────────────────────────
        geo pages behind bridges                     100.00 %  100.00 %
        pages between geo pages: median, 95 %, most   1, 1, 1   1, 1, 1
        links from a seed: median, 95 %, most         2, 2, 2   2, 2, 2
        links of a tail: median, 95 %, most           1, 1, 1   1, 1, 1
        accuracy                                      25.00 %   25.00 %
        geographic coverage                          100.00 %  100.00 %
        recall                                              –   50.00 %
        recall after 5 % of all pages                       –    0.00 %
        recall after 10 % of all pages                      –    0.00 %
        recall after 20 % of all pages                      –    0.00 %
        recall after 50 % of all pages                      –   50.00 %
        ");
    }

    #[test]
    fn logs_without_trails_tell_nothing() {
        let trackless = |visit: Visit| Visit {
            trail: None,
            ..visit
        };
        let visits: Vec<Visit> = log().into_iter().map(trackless).collect();
        let report = measure(&visits, None);
        assert_eq!(show(&[&report]), "nothing");
        assert!(numbers(&report).is_empty());
    }

    #[test]
    fn programs_get_the_same_numbers() {
        let numbers = numbers(&measure(&log(), Some(2)));
        let lines = numbers
            .iter()
            .map(|(name, value)| format!("{name} {value}"));
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r"
        over_bridges 1
        accuracy 0.25
        geographic_coverage 1
        recall 0.5
        recall_at.0.05 0
        recall_at.0.1 0
        recall_at.0.2 0
        recall_at.0.5 0.5
        bridge_distances.median 1
        bridge_distances.p95 1
        bridge_distances.most 1
        tail_lengths.median 1
        tail_lengths.p95 1
        tail_lengths.most 1
        seed_distances.median 2
        seed_distances.p95 2
        seed_distances.most 2
        ");
    }
}
