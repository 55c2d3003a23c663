//! Measures as comma separated values: one line for each measure of a crawl
//! or a node, so that any number of crawls is one table.

use super::{Measured, kinship, paths, rows, worth};
use crate::text::{csv_cell, csv_number};
use std::fmt::Write;

const HEADER: &str = "crawl,assign,order,node,measure,value,error\n";

pub(super) fn render(crawls: &[Measured]) -> String {
    let mut text = HEADER.to_owned();
    for crawl in crawls {
        let mut push = |node: &str, measure: &str, value: Option<f64>, error: Option<f64>| {
            let cells = [
                csv_cell(&crawl.dir.display().to_string()),
                csv_cell(&crawl.plan.assign),
                csv_cell(&crawl.plan.order),
                csv_cell(node),
                csv_cell(measure),
                csv_number(value),
                csv_number(error),
            ];
            let _ = writeln!(text, "{}", cells.join(","));
        };
        let report = &crawl.report;
        let counts = [
            ("pages", report.pages),
            ("distinct_pages", report.distinct_pages),
            ("geo_pages", report.geo_pages),
            ("entities", report.entities),
            ("hand_overs", report.costs.hand_overs),
        ];
        for (name, count) in counts {
            push("all", name, Some(count as f64), None);
        }
        for row in rows::of_crawl(crawl) {
            push("all", row.key, row.value, row.error);
        }
        for (name, value) in paths::numbers(report) {
            push("all", &name, Some(value), None);
        }
        for (name, value) in kinship::numbers(report) {
            push("all", &name, Some(value), None);
        }
        for (name, value, error) in worth::numbers(report) {
            push("all", &name, Some(value), error);
        }
        for node in &report.nodes {
            for (name, value, error) in rows::of_node(node) {
                push(&node.name, name, value, error);
            }
        }
    }
    text
}
