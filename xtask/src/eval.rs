//! Measures what finds addresses and names on labelled data outside the repository.
//!
//! Pages of one site are alike, so rules that were tuned on a site say little
//! about another: the web pages are also reported in two halves by site, of
//! which only the first is to be looked at while tuning.

mod german;
pub(crate) mod names;
mod score;
pub(crate) mod sets;
mod speed;
mod structured;
mod us;

use page::html::Page;
use page::url::CanonicalUrl;
use place::address::Addresses;
use place::gazetteer::Gazetteer;
use score::Tally;
use std::fmt::Write as _;
use std::path::Path;

/// The half of the sites that may be looked at while tuning.
const TUNED: usize = 0;
/// The half that may not.
const HELD_OUT: usize = 1;

/// What the figures are worth.
const LEGEND: &str = "\
what was tuned on what
  webstruct, German pages  rules were tuned on one half of the sites; the other was held out
  names of places          the weights were learned from these very texts, mobie apart:
                           `cargo xtask train` prints five-fold held-out figures; the word
                           counts of the lexicon use the texts too, without their labels;
                           wiktor and mobie label only some names, so their P says little
  structured data          development data, no held-out part
  lexnlp, strings,         no held-out part
  restaurants
";

/// The table to print, and what is wrong where it may be looked at.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) table: String,
    pub(crate) misses: String,
}

/// Runs everything there is in the folder.
pub(crate) fn run(dir: &Path) -> anyhow::Result<Report> {
    let finder = Addresses::new(Gazetteer::built_in());
    let mut report = Report::default();
    writeln!(
        report.table,
        "{:<40} {:>5} {:>5}  {:>5} {:>5} {:>5}   {:>5} {:>5} {:>5}",
        "addresses", "gold", "found", "det P", "R", "F1", "str P", "R", "F1"
    )?;
    let mut texts = us::pages(dir, &finder, &mut report)?;
    us::sentences(dir, &finder, &mut report)?;
    german::pages(dir, &finder, &mut report)?;
    us::strings(dir, &finder, &mut report)?;
    german::strings(dir, &finder, &mut report)?;
    us::restaurants(dir, &finder, &mut report, &mut texts)?;
    structured::run(dir, &mut report)?;
    names::run(dir, &mut report)?;
    writeln!(report.table)?;
    speed::measure(dir, &finder, &texts, &mut report.table)?;
    write!(report.table, "\n{LEGEND}")?;
    Ok(report)
}

/// A row for all sites and one for each half.
fn by_half(table: &mut String, name: &str, tallies: [Tally; 2]) -> std::fmt::Result {
    let mut all = tallies[TUNED];
    all.add(tallies[HELD_OUT]);
    row(table, name, all)?;
    row(table, "  sites of the tuned half", tallies[TUNED])?;
    row(table, "  sites held out", tallies[HELD_OUT])
}

fn row(table: &mut String, name: &str, tally: Tally) -> std::fmt::Result {
    detection(table, name, tally)?;
    let [p, r, f1] = tally.measures(tally.n_strict);
    writeln!(table, "   {p:>5.3} {r:>5.3} {f1:>5.3}")
}

/// The first part of a row, and all of it where parts of addresses are not labelled.
fn detection(table: &mut String, name: &str, tally: Tally) -> std::fmt::Result {
    let [p, r, f1] = tally.measures(tally.n_detected);
    write!(
        table,
        "{name:<40} {:>5} {:>5}  {p:>5.3} {r:>5.3} {f1:>5.3}",
        tally.n_wanted, tally.n_found
    )
}

fn html_text(html: &str) -> String {
    read_html(html).text
}

fn read_html(html: &str) -> Page {
    let url = CanonicalUrl::parse("http://example.com/").expect("a plain URL");
    page::html::read(html.as_bytes(), &url, Some("text/html; charset=utf-8"))
}
