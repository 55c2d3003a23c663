//! Measures the address finder on labelled data that lies outside the repository.
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

/// The table to print, and what is wrong in the half that may be looked at.
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
    speed::measure(dir, &finder, &texts, &mut report.table)?;
    Ok(report)
}

fn row(table: &mut String, name: &str, tally: Tally) -> std::fmt::Result {
    let [p, r, f1] = tally.measures(tally.n_detected);
    let [strict_p, strict_r, strict_f1] = tally.measures(tally.n_strict);
    writeln!(
        table,
        "{name:<40} {:>5} {:>5}  {p:>5.3} {r:>5.3} {f1:>5.3}   {strict_p:>5.3} {strict_r:>5.3} {strict_f1:>5.3}",
        tally.n_wanted, tally.n_found
    )
}

fn html_text(html: &str) -> String {
    let url = CanonicalUrl::parse("http://example.com/").expect("a plain URL");
    page::html::read(html.as_bytes(), &url, Some("text/html; charset=utf-8")).text
}
