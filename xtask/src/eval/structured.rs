//! Measures how much of a page's structured data is read.
//!
//! A labelled address counts as found when one fact of the page holds each of
//! its parts, white space and case apart; coordinates when a fact has them to
//! within a ten-thousandth of a degree. Facts come from the kind of markup
//! that the label is about, so that a map link does not answer for microdata.
//!
//! Labels are trees as other programs read them (`gold.rs`), or links, from
//! which we read what a careful person would (`links.rs`).

mod gold;
mod links;

use super::score::share;
use super::{Report, read_html, sets};
use gold::{Gold, Label};
use page::structured::{Fact, Kind};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// How far apart two coordinates may be and still be the same.
const TOLERANCE: f64 = 1e-4;

const MARKUP: &[Kind] = &[Kind::JsonLd, Kind::Microdata, Kind::Rdfa, Kind::Microformat];

/// A document with what another program reads from it.
#[derive(Debug, Deserialize)]
struct Expected {
    source: String,
    html: String,
    expected: Value,
}

/// One example of schema.org's documentation, in three dialects.
#[derive(Debug, Deserialize)]
struct Example {
    types: String,
    microdata: String,
    rdfa: String,
    jsonld: String,
    gold: Value,
}

/// A page with its links to maps.
#[derive(Debug, Deserialize)]
struct MapPage {
    id: String,
    html: String,
    links: Vec<String>,
}

/// A page with its addresses, coordinates and `meta` elements.
#[derive(Debug, Deserialize)]
struct MarkedPage {
    id: String,
    html: String,
    addresses: Vec<Value>,
    geo: Vec<Value>,
    meta: Vec<(String, String)>,
}

/// One line of the table.
#[derive(Debug, Default)]
struct Row {
    name: String,
    n_documents: usize,
    n_addresses: usize,
    n_addresses_found: usize,
    n_points: usize,
    n_points_found: usize,
}

/// Adds a section to the report.
pub(super) fn run(dir: &Path, report: &mut Report) -> anyhow::Result<()> {
    writeln!(
        report.table,
        "\n{:<40} {:>5} {:>16} {:>16}",
        "structured data", "docs", "addresses", "coordinates"
    )?;
    expected(dir, "extruct_geo", report)?;
    expected(dir, "microformats_geo_dev", report)?;
    examples(dir, report)?;
    marked_pages(dir, report)?;
    map_pages(dir, report)
}

fn expected(dir: &Path, name: &str, report: &mut Report) -> anyhow::Result<()> {
    let documents: Vec<Expected> = sets::read(dir, &format!("structured/{name}.jsonl"))?;
    let mut row = Row::new(name);
    for document in &documents {
        let gold = Gold::of_tree(&document.expected);
        row.score(&document.source, &document.html, MARKUP, &gold, report)?;
    }
    row.write(report)
}

/// The labels are those of the JSON-LD version. What another version does not
/// say at all is no label for it.
fn examples(dir: &Path, report: &mut Report) -> anyhow::Result<()> {
    let name = "schemaorg_geo_examples_dev";
    let examples: Vec<Example> = sets::read(dir, &format!("structured/{name}.jsonl"))?;
    type Version = fn(&Example) -> &str;
    let versions: [(Kind, Version); 3] = [
        (Kind::JsonLd, |example| &example.jsonld),
        (Kind::Microdata, |example| &example.microdata),
        (Kind::Rdfa, |example| &example.rdfa),
    ];
    for (kind, version) in versions {
        let mut row = Row::new(&format!("{name}, {}", kind.name()));
        for example in &examples {
            let html = in_script(kind, version(example));
            let mut gold = Gold::of_tree(&example.gold);
            if kind != Kind::JsonLd {
                gold.keep_said_in(&html);
            }
            if !gold.is_empty() {
                row.score(&example.types, &html, &[kind], &gold, report)?;
            }
        }
        row.write(report)?;
    }
    Ok(())
}

/// Some of the examples leave out the element around JSON.
fn in_script(kind: Kind, version: &str) -> Cow<'_, str> {
    if kind == Kind::JsonLd && !version.contains("<script") {
        return format!("<script type=application/ld+json>{version}</script>").into();
    }
    version.into()
}

fn marked_pages(dir: &Path, report: &mut Report) -> anyhow::Result<()> {
    let name = "real_pages_structured_dev";
    let pages: Vec<MarkedPage> = sets::read(dir, &format!("structured/{name}.jsonl"))?;
    let mut markup = Row::new(&format!("{name}, markup"));
    let mut meta = Row::new(&format!("{name}, meta"));
    for page in &pages {
        let gold = Gold::of_rows(&page.addresses, &page.geo);
        markup.score(&page.id, &page.html, MARKUP, &gold, report)?;
        let gold = Gold::of_meta(&page.meta);
        meta.score(&page.id, &page.html, &[Kind::Meta], &gold, report)?;
    }
    markup.write(report)?;
    meta.write(report)
}

fn map_pages(dir: &Path, report: &mut Report) -> anyhow::Result<()> {
    let name = "real_pages_maplinks_dev";
    let pages: Vec<MapPage> = sets::read(dir, &format!("structured/{name}.jsonl"))?;
    let mut row = Row::new(name);
    for page in &pages {
        let mut gold = Gold::default();
        for link in &page.links {
            links::read(link, &mut gold);
        }
        row.score(&page.id, &page.html, &[Kind::MapLink], &gold, report)?;
    }
    row.write(report)
}

impl Row {
    fn new(name: &str) -> Row {
        Row {
            name: name.to_owned(),
            ..Row::default()
        }
    }

    fn score(
        &mut self,
        id: &str,
        html: &str,
        kinds: &[Kind],
        gold: &Gold,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        let mut facts = read_html(html).structured;
        facts.retain(|fact| kinds.contains(&fact.kind));
        self.n_documents += 1;
        self.n_addresses += gold.labels.len();
        self.n_points += gold.points.len();
        for label in &gold.labels {
            if facts.iter().any(|fact| holds(fact, label)) {
                self.n_addresses_found += 1;
            } else {
                writeln!(report.misses, "{} {id:?} missed {label:?}", self.name)?;
            }
        }
        for &point in &gold.points {
            if facts.iter().any(|fact| is_at(fact, point)) {
                self.n_points_found += 1;
            } else {
                writeln!(report.misses, "{} {id:?} missed {point:?}", self.name)?;
            }
        }
        Ok(())
    }

    fn write(&self, report: &mut Report) -> anyhow::Result<()> {
        writeln!(
            report.table,
            "{:<40} {:>5} {:>5}/{:<4} {:.3} {:>6}/{:<4} {:.3}",
            self.name,
            self.n_documents,
            self.n_addresses_found,
            self.n_addresses,
            share(self.n_addresses_found, self.n_addresses),
            self.n_points_found,
            self.n_points,
            share(self.n_points_found, self.n_points)
        )?;
        Ok(())
    }
}

fn holds(fact: &Fact, label: &Label) -> bool {
    let parts = [
        (&fact.street, &label.street),
        (&fact.city, &label.city),
        (&fact.state, &label.state),
        (&fact.zip, &label.zip),
        (&fact.country, &label.country),
    ];
    parts.into_iter().all(|(found, wanted)| {
        wanted.is_empty() || found.as_deref().map(gold::plain).as_ref() == Some(wanted)
    })
}

fn is_at(fact: &Fact, (lat, lon): (f64, f64)) -> bool {
    let near = |found: Option<f64>, wanted: f64| {
        found.is_some_and(|found| (found - wanted).abs() <= TOLERANCE)
    };
    near(fact.lat, lat) && near(fact.lon, lon)
}
