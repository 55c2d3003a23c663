//! How fast addresses are found.

use super::html_text;
use anyhow::Context;
use place::address::Addresses;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Runs over the same texts; other work on the machine only slows, so the best counts.
const N_RUNS: usize = 15;

/// Adds a row for each kind of text.
pub(super) fn measure(
    dir: &Path,
    finder: &Addresses,
    dense: &[String],
    table: &mut String,
) -> anyhow::Result<()> {
    let archive = dir.join("pages/university_web.warc.gz");
    if archive.is_file() {
        let pages = archived_pages(&archive)?;
        row(table, finder, "speed, pages of universities", &pages)?;
    }
    row(table, finder, "speed, pages with addresses", dense)?;
    let numbers = "1234 Main St 5 Oak Ave 99 North Foo TX 77002 AB CD ".repeat(5_000);
    row(
        table,
        finder,
        "speed, numbers and capitals only",
        &[numbers],
    )?;
    let german =
        "Am Markt 5, 26121 Oldenburg, Hauptstr. 12a, 10117 Berlin 12345 Abc ".repeat(5_000);
    row(table, finder, "speed, German addresses only", &[german])?;
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "megabytes")]
fn row(table: &mut String, finder: &Addresses, name: &str, texts: &[String]) -> std::fmt::Result {
    let n_bytes: usize = texts.iter().map(String::len).sum();
    let run = || {
        let start = Instant::now();
        let n_found: usize = texts.iter().map(|text| finder.find(text).len()).sum();
        (start.elapsed(), n_found)
    };
    let (best, n_found) = (0..N_RUNS).map(|_| run()).min().unwrap_or_default();
    writeln!(
        table,
        "{name:<40} {:.0} MB/s, {:.1} µs a text, {:.1} MB, {n_found} addresses",
        n_bytes as f64 / 1e6 / best.as_secs_f64(),
        best.as_secs_f64() * 1e6 / texts.len() as f64,
        n_bytes as f64 / 1e6
    )
}

/// The texts of all pages in an archive.
fn archived_pages(archive: &Path) -> anyhow::Result<Vec<String>> {
    let unpacked = Command::new("gzip")
        .arg("-dc")
        .arg(archive)
        .output()
        .with_context(|| format!("cannot unpack `{}`", archive.display()))?
        .stdout;
    let all = String::from_utf8_lossy(&unpacked);
    let records = all.split("WARC/1.0\r\n").skip(1);
    // After the record's own header comes that of the exchange, then the page.
    let page = |record: &str| Some(record.splitn(3, "\r\n\r\n").nth(2)?.to_owned());
    Ok(records
        .filter_map(page)
        .map(|page| html_text(&page))
        .collect())
}
