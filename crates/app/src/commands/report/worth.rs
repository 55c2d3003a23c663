//! How topical and how important the pages of a crawl are, where it had a
//! topic or somebody knows.

use crate::text::{percent, thousands};
use lab::measure::{Report, Worth};

/// A measure by name, for people and for programs, and its value.
type Row = (&'static str, &'static str, fn(&Worth) -> Option<f64>, Form);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Percent,
    Number,
    Count,
}

const ROWS: [Row; 8] = [
    (
        "average topicality",
        "average_topicality",
        |worth| worth.average_topicality,
        Form::Percent,
    ),
    (
        "topicality, as the crawl judged",
        "estimated_topicality",
        |worth| worth.estimated_topicality,
        Form::Percent,
    ),
    (
        "average status, ln(1 + in-links)",
        "average_status",
        |worth| worth.average_status,
        Form::Number,
    ),
    (
        "pages whose in-links are known",
        "counted_pages",
        |worth| (worth.counted_pages > 0).then_some(worth.counted_pages as f64),
        Form::Count,
    ),
    (
        "status, as the crawl estimated",
        "estimated_status",
        |worth| worth.estimated_status,
        Form::Number,
    ),
    (
        "sites",
        "sites",
        |worth| Some(worth.sites as f64),
        Form::Count,
    ),
    (
        "reliability: sites in the directory",
        "reliability",
        |worth| worth.reliability,
        Form::Percent,
    ),
    (
        "mean elasticity of the topic, α",
        "alpha",
        |worth| worth.alpha,
        Form::Number,
    ),
];

/// A column for each crawl; nothing if none had a topic.
pub(super) fn side_by_side(
    reports: &[&Report],
    names: &[String],
) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let worths: Vec<Option<&Worth>> = reports.iter().map(|report| report.worth.as_ref()).collect();
    worths.iter().flatten().next()?;
    let mut header = vec!["topic and status".to_owned()];
    header.extend(names.iter().cloned());
    let is_known = |(_, _, of, _): &&Row| worths.iter().flatten().any(|worth| of(worth).is_some());
    let row = |(name, key, of, form): &Row| {
        let mut row = vec![(*name).to_owned()];
        row.extend(worths.iter().map(|worth| {
            let Some(worth) = worth else {
                return "–".to_owned();
            };
            let error = match *key {
                "average_topicality" => worth.average_topicality_error,
                _ => None,
            };
            written(of(worth), error, *form)
        }));
        row
    };
    Some((header, ROWS.iter().filter(is_known).map(row).collect()))
}

fn written(value: Option<f64>, error: Option<f64>, form: Form) -> String {
    let Some(value) = value else {
        return "–".to_owned();
    };
    let text = match form {
        Form::Percent => percent(Some(value)),
        Form::Number => format!("{value:.4}"),
        Form::Count => thousands(value as u64),
    };
    match error {
        Some(error) => format!("{text} ± {:.2}", error * 100.0),
        None => text,
    }
}

/// All that is known of a crawl, by names for programs.
pub(super) fn numbers(report: &Report) -> Vec<(String, f64, Option<f64>)> {
    let Some(worth) = &report.worth else {
        return Vec::new();
    };
    let numbers = ROWS.iter().filter_map(|(_, key, of, _)| {
        let error = match *key {
            "average_topicality" => worth.average_topicality_error,
            _ => None,
        };
        Some((format!("worth.{key}"), of(worth)?, error))
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use lab::measure::{Measures, Settings, Witness};
    use store::visit::{Errand, Outcome, Time, Visit};

    fn report(witness: Witness<'_>, topicality: Option<f32>) -> Report {
        let mut measures = Measures::new(Vec::new(), Settings::default()).judged_by(witness);
        for url in ["http://a.com/", "http://b.com/1", "http://b.com/2"] {
            measures.add(&Visit {
                topicality,
                importance: topicality.map(|_| 0.25),
                alpha: topicality.map(|_| 0.5),
                ..Visit::new(0, Errand::Page, Time(0), url, Outcome::Fetched)
            });
        }
        measures.finish()
    }

    #[test]
    fn what_is_known_stands_in_a_table() {
        let n_inlinks = |url: &str| url.contains("b.com").then_some(2);
        let is_listed = |site: &str| site == "a.com";
        let witness = Witness {
            n_inlinks: Some(&n_inlinks),
            is_listed: Some(&is_listed),
            ..Witness::default()
        };
        let (one, other) = (report(witness, Some(0.9)), report(Witness::default(), None));
        let names = ["with".to_owned(), "without".to_owned()];
        let (header, rows) = side_by_side(&[&one, &other], &names).unwrap();
        let mut table = Table::of(header);
        for row in rows {
            table.push(row);
        }
        insta::assert_snapshot!(table.render(), @r"
        topic and status                         with  without
        ──────────────────────────────────────────────────────
        topicality, as the crawl judged      100.00 %        –
        average status, ln(1 + in-links)       1.0986        –
        pages whose in-links are known              2        –
        status, as the crawl estimated         0.2500        –
        sites                                       2        –
        reliability: sites in the directory   50.00 %        –
        mean elasticity of the topic, α        0.5000        –
        ");
        assert_eq!(side_by_side(&[&other], &names), None);
        assert!(numbers(&other).is_empty());
        let keys: Vec<String> = numbers(&one).into_iter().map(|(key, ..)| key).collect();
        assert!(keys.contains(&"worth.reliability".to_owned()), "{keys:?}");
    }
}
