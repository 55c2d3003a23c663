//! The measures in the order in which they are shown, whatever shows them.

use super::Measured;
use crate::text::percent;
use lab::measure::{NodeReport, Report};
use lab::published::Published;

/// One measure of a crawl.
pub(super) struct Row {
    /// Its name for programs.
    pub(super) key: &'static str,
    /// Its name for people.
    name: String,
    pub(super) value: Option<f64>,
    /// Standard error, where it is estimated.
    pub(super) error: Option<f64>,
    /// What the 2006 paper found.
    published: Option<f64>,
    form: Form,
}

/// How a measure is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Percent,
    Number,
}

impl Form {
    fn write(self, value: Option<f64>) -> String {
        match self {
            Form::Percent => percent(value),
            Form::Number => value.map_or_else(|| "–".into(), |value| format!("{value:.4}")),
        }
    }
}

impl Row {
    /// The value, with its error where it has one.
    fn text(&self) -> String {
        match self.error {
            Some(error) => format!("{} ± {error:.4}", self.form.write(self.value)),
            None => self.form.write(self.value),
        }
    }

    /// What the paper found.
    fn published_text(&self) -> String {
        self.form.write(self.published)
    }
}

/// All measures of a crawl as a whole.
pub(super) fn of_crawl(crawl: &Measured) -> Vec<Row> {
    let report = &crawl.report;
    let published = crawl.published();
    let paper = |find: fn(&Published) -> Option<f64>| published.and_then(find);
    let row = |key, name: &str, form, value, published| Row {
        key,
        name: name.to_owned(),
        value,
        error: None,
        published,
        form,
    };
    let Report {
        centrality_k: k,
        centrality_m: m,
        locality,
        ..
    } = report;
    let is_papers_centrality = *m == 10;
    vec![
        row(
            "geo_coverage",
            "geo-coverage",
            Form::Percent,
            report.geo_coverage,
            paper(|paper| Some(paper.geo_coverage)),
        ),
        row(
            "geo_coverage_without_general",
            "geo-coverage without general nodes",
            Form::Percent,
            report.geo_coverage_without_general,
            paper(|paper| Some(paper.geo_coverage_without_general)),
        ),
        row(
            "geo_focus",
            "geo-focus",
            Form::Percent,
            report.geo_focus,
            paper(|paper| paper.geo_focus),
        ),
        row(
            "unique_entities",
            "unique entities",
            Form::Number,
            report.unique_entities,
            paper(|paper| Some(paper.unique_entities)),
        ),
        Row {
            error: report.geo_centrality_error,
            ..row(
                "geo_centrality",
                &format!("geo-centrality (k = {k}, m = {m})"),
                Form::Number,
                report.geo_centrality,
                paper(|paper| Some(paper.geo_centrality)).filter(|_| is_papers_centrality),
            )
        },
        row(
            "overlap",
            "overlap",
            Form::Number,
            report.overlap,
            paper(|paper| Some(paper.overlap)),
        ),
        row(
            "diversity",
            "diversity",
            Form::Number,
            report.diversity,
            paper(|paper| Some(paper.diversity)),
        ),
        row(
            "communication_overhead",
            "URLs handed over per page",
            Form::Number,
            report.communication_overhead,
            paper(|paper| Some(paper.communication_overhead)),
        ),
        Row {
            error: locality.linked_error,
            ..row(
                "locality.linked",
                "locality δ (linked pages)",
                Form::Number,
                locality.linked,
                paper(|paper| paper.locality.map(|(linked, _)| linked)),
            )
        },
        Row {
            error: locality.unlinked_error,
            ..row(
                "locality.unlinked",
                "locality δ̃ (other pages)",
                Form::Number,
                locality.unlinked,
                paper(|paper| paper.locality.map(|(_, unlinked)| unlinked)),
            )
        },
    ]
}

/// All measures with a column for each crawl and, where its targets and
/// strategy are the paper's, one for what the paper found.
pub(super) fn side_by_side(
    crawls: &[Measured],
    names: &[String],
) -> (Vec<String>, Vec<Vec<String>>) {
    let mut header = vec!["measure".to_owned()];
    for (crawl, name) in crawls.iter().zip(names) {
        header.push(name.clone());
        header.extend(crawl.published().map(|_| "2006 paper".to_owned()));
    }
    let columns: Vec<Vec<Row>> = crawls.iter().map(of_crawl).collect();
    let row = |row_idx: usize| {
        let mut cells = vec![columns[0][row_idx].name.clone()];
        for (crawl, column) in crawls.iter().zip(&columns) {
            let row = &column[row_idx];
            cells.push(row.text());
            cells.extend(crawl.published().map(|_| row.published_text()));
        }
        cells
    };
    let n_rows = columns.first().map_or(0, Vec::len);
    (header, (0..n_rows).map(row).collect())
}

/// All measures of one node, by name.
pub(super) fn of_node(node: &NodeReport) -> Vec<(&'static str, Option<f64>, Option<f64>)> {
    let count = |number: u64| Some(number as f64);
    vec![
        ("pages", count(node.pages), None),
        ("geo_pages", count(node.geo_pages), None),
        ("geo_coverage", node.geo_coverage, None),
        ("geo_focus", node.geo_focus, None),
        ("entities", count(node.entities), None),
        ("unique_entities", node.unique_entities, None),
        (
            "geo_centrality",
            node.geo_centrality,
            node.geo_centrality_error,
        ),
        ("overlap", node.overlap, None),
        ("diversity", node.diversity, None),
        ("handed_over", count(node.handed_over), None),
        ("received", count(node.received), None),
        ("communication_overhead", node.communication_overhead, None),
    ]
}

/// What crawls are called when they stand side by side: their strategies
/// where these differ, else their folders.
pub(super) fn names(crawls: &[Measured]) -> Vec<String> {
    let strategies: Vec<String> = crawls
        .iter()
        .map(|crawl| match crawl.plan.order.as_str() {
            "breadth" => crawl.plan.assign.clone(),
            order => format!("{}, {order}", crawl.plan.assign),
        })
        .collect();
    let mut different = strategies.clone();
    different.sort();
    different.dedup();
    if different.len() == crawls.len() {
        return strategies;
    }
    let folder = |crawl: &Measured| crawl.dir.display().to_string();
    crawls.iter().map(folder).collect()
}
