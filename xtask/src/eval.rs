//! Measures the address finder on labelled data that lies outside the repository.
//!
//! Pages of one site are alike, so rules that were tuned on a site say little
//! about another: the web pages are also reported in two halves by site, of
//! which only the first is to be looked at while tuning.

pub(crate) mod names;
mod score;
pub(crate) mod sets;
mod structured;

use page::url::CanonicalUrl;
use place::address::{Address, AddressKind, Addresses};
use place::gazetteer::Gazetteer;
use score::{Comparison, Labelled, Tally, compare, share};
use sets::{AddressPage, RestaurantPage, TestString};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

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
    let pages: Vec<AddressPage> = sets::read(dir, "addresses/split_webstruct_dev.jsonl")?;
    let from_html: Vec<String> = pages
        .iter()
        .map(|page| html_text(page.html.as_deref().unwrap_or_default()))
        .collect();
    for (source, of_html) in [("text", false), ("html", true)] {
        for half in [None, Some(0), Some(1)] {
            let mut tally = Tally::default();
            for (page, html_text) in pages.iter().zip(&from_html) {
                if half.is_some_and(|half| half != sets::half(&page.site)) {
                    continue;
                }
                let text = if of_html { html_text } else { &page.text };
                let (wanted, ignored) = if of_html {
                    sets::labels_in(page, text)
                } else {
                    sets::labels(page)
                };
                let found: Vec<Labelled> = on_streets(&finder, text);
                let comparison = compare(text, &wanted, &ignored, &found);
                tally.add(comparison.tally);
                if half == Some(0) {
                    let name = format!("{source} {}", page.id);
                    list(
                        &mut report.misses,
                        &name,
                        text,
                        &wanted,
                        &found,
                        &comparison,
                    )?;
                }
            }
            let name = match half {
                None => format!("split_webstruct_dev, {source}"),
                Some(0) => "  sites of the tuned half".to_owned(),
                Some(_) => "  sites held out".to_owned(),
            };
            row(&mut report.table, &name, tally)?;
        }
    }
    sentences(dir, &finder, &mut report)?;
    strings(dir, &finder, &mut report)?;
    let mut texts = from_html;
    restaurants(dir, &finder, &mut report, &mut texts)?;
    structured::run(dir, &mut report)?;
    speed(&finder, &texts, &mut report.table)?;
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

fn sentences(dir: &Path, finder: &Addresses, report: &mut Report) -> anyhow::Result<()> {
    let pages: Vec<AddressPage> = sets::read(dir, "addresses/split_lexnlp_us_dev.jsonl")?;
    let mut tally = Tally::default();
    for page in &pages {
        let (wanted, ignored) = sets::labels(page);
        let found = on_streets(finder, &page.text);
        let comparison = compare(&page.text, &wanted, &ignored, &found);
        tally.add(comparison.tally);
        // The parts of these labels are not given: only detection counts.
        let detection = Comparison {
            differing: Vec::new(),
            ..comparison
        };
        list(
            &mut report.misses,
            &page.id,
            &page.text,
            &wanted,
            &found,
            &detection,
        )?;
    }
    let [p, r, f1] = tally.measures(tally.n_detected);
    writeln!(
        report.table,
        "{:<40} {:>5} {:>5}  {p:>5.3} {r:>5.3} {f1:>5.3}",
        "split_lexnlp_us_dev", tally.n_wanted, tally.n_found
    )?;
    Ok(())
}

fn strings(dir: &Path, finder: &Addresses, report: &mut Report) -> anyhow::Result<()> {
    writeln!(
        report.table,
        "\n{:<40} {:>12} {:>18}",
        "strings", "found", "refused"
    )?;
    for name in ["pyap2_us", "pyap_us"] {
        let strings: Vec<TestString> = sets::read(dir, &format!("addresses/{name}.jsonl"))?;
        let (mut n, mut n_found, mut n_bad, mut n_refused) = (0, 0, 0, 0);
        for string in strings.iter().filter(|string| string.level == "address") {
            let text = &string.text;
            let whole = [Labelled {
                span: 0..text.len(),
                ..Labelled::default()
            }];
            let found: Vec<Labelled> = finder.find(text).iter().map(labelled).collect();
            let right = if string.expect.is_empty() {
                n_bad += 1;
                n_refused += usize::from(found.is_empty());
                found.is_empty()
            } else {
                n += 1;
                let detected = compare(text, &whole, &[], &found).tally.n_detected == 1;
                n_found += usize::from(detected);
                detected
            };
            if !right {
                writeln!(report.misses, "{name}: {text:?}")?;
            }
        }
        writeln!(
            report.table,
            "{name:<40} {n_found:>4}/{n:<4} {:.3} {n_refused:>5}/{n_bad:<4} {:.3}",
            share(n_found, n),
            share(n_refused, n_bad)
        )?;
    }
    Ok(())
}

fn restaurants(
    dir: &Path,
    finder: &Addresses,
    report: &mut Report,
    texts: &mut Vec<String>,
) -> anyhow::Result<()> {
    let pages: Vec<RestaurantPage> = sets::read(dir, "pages/restaurants_dev.jsonl")?;
    let mut sites: std::collections::BTreeMap<&str, (usize, usize)> = Default::default();
    for page in &pages {
        let text = html_text(&page.html);
        let (number, city) = sets::number_and_city(&page.gold.address);
        let normal = place::names::normalise(&city);
        let right = finder.find(&text).iter().any(|address| {
            address.number.eq_ignore_ascii_case(&number)
                && place::names::normalise(&address.city) == normal
        });
        let (n_right, n) = sites.entry(&page.site).or_default();
        *n += 1;
        *n_right += usize::from(right);
        if !right {
            writeln!(
                report.misses,
                "restaurants {}: {:?} ({number}, {city})",
                page.site, page.gold.address
            )?;
        }
        texts.push(text);
    }
    let n_right: usize = sites.values().map(|(right, _)| right).sum();
    writeln!(
        report.table,
        "\n{:<40} {n_right:>4}/{:<4} {:.3}",
        "restaurants_dev, pages",
        pages.len(),
        share(n_right, pages.len())
    )?;
    for (site, (n_right, n)) in sites {
        writeln!(
            report.table,
            "  {site:<38} {n_right:>4}/{n:<4} {:.3}",
            share(n_right, n)
        )?;
    }
    Ok(())
}

/// The best of fifteen runs over all pages, since other work on the machine only slows.
#[expect(clippy::cast_precision_loss, reason = "megabytes")]
fn speed(finder: &Addresses, texts: &[String], table: &mut String) -> std::fmt::Result {
    let n_bytes: usize = texts.iter().map(String::len).sum();
    let digits = "1234 Main St 5 Oak Ave 99 North Foo TX 77002 AB CD ".repeat(5_000);
    let mut measure = |name: &str, texts: &[&str], n_bytes: usize| {
        let run = || {
            let start = Instant::now();
            let n: usize = texts.iter().map(|text| finder.find(text).len()).sum();
            (start.elapsed(), n)
        };
        let (best, n) = (0..15).map(|_| run()).min().unwrap_or_default();
        writeln!(
            table,
            "{name:<40} {:.0} MB/s, {:.1} µs a page, {:.1} MB, {n} addresses",
            n_bytes as f64 / 1e6 / best.as_secs_f64(),
            best.as_secs_f64() * 1e6 / texts.len() as f64,
            n_bytes as f64 / 1e6
        )
    };
    let pages: Vec<&str> = texts.iter().map(String::as_str).collect();
    measure("speed, web pages, one thread", &pages, n_bytes)?;
    measure("speed, numbers and capitals only", &[&digits], digits.len())
}

fn html_text(html: &str) -> String {
    let url = CanonicalUrl::parse("http://example.com/").expect("a plain URL");
    page::html::read(html.as_bytes(), &url, Some("text/html; charset=utf-8")).text
}

fn on_streets(finder: &Addresses, text: &str) -> Vec<Labelled> {
    let found = finder.find(text);
    let streets = found
        .iter()
        .filter(|address| address.kind == AddressKind::Street);
    streets.map(labelled).collect()
}

fn labelled(address: &Address) -> Labelled {
    Labelled {
        span: address.span.clone(),
        number: address.number.clone(),
        city: address.city.clone(),
        state: address.state.to_owned(),
        zip: address.zip.clone().unwrap_or_default(),
    }
}

fn list(
    out: &mut String,
    name: &str,
    text: &str,
    wanted: &[Labelled],
    found: &[Labelled],
    comparison: &Comparison,
) -> std::fmt::Result {
    let part = |span: &Range<usize>| text.get(span.clone()).unwrap_or_default().to_owned();
    for &idx in &comparison.missed {
        writeln!(out, "{name} missed {:?}", part(&wanted[idx].span))?;
    }
    for &idx in &comparison.spurious {
        writeln!(out, "{name} spurious {:?}", part(&found[idx].span))?;
    }
    for &(wanted_idx, found_idx) in &comparison.differing {
        let (wanted, found) = (&wanted[wanted_idx], &found[found_idx]);
        writeln!(
            out,
            "{name} differs {:?}: {} {} {} {} / {} {} {} {}",
            part(&wanted.span),
            wanted.number,
            wanted.city,
            wanted.state,
            wanted.zip,
            found.number,
            found.city,
            found.state,
            found.zip
        )?;
    }
    Ok(())
}
