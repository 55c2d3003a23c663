//! US pages, sentences, strings and restaurants.

use super::score::{Comparison, Labelled, StringTally, Tally, compare, share};
use super::sets::{self, AddressPage, RestaurantPage, TestString};
use super::{Report, TUNED, by_half, detection, html_text};
use place::address::{Address, AddressKind, Addresses};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// Adds the rows of the web pages; gives back their texts.
pub(super) fn pages(
    dir: &Path,
    finder: &Addresses,
    report: &mut Report,
) -> anyhow::Result<Vec<String>> {
    let pages: Vec<AddressPage> = sets::read(dir, "addresses/split_webstruct_dev.jsonl")?;
    let from_html: Vec<String> = pages
        .iter()
        .map(|page| html_text(page.html.as_deref().unwrap_or_default()))
        .collect();
    for (source, of_html) in [("text", false), ("html", true)] {
        let mut tallies = [Tally::default(), Tally::default()];
        for (page, html_text) in pages.iter().zip(&from_html) {
            let half = sets::half(&page.site);
            let text = if of_html { html_text } else { &page.text };
            let (wanted, ignored) = if of_html {
                sets::labels_in(page, text)
            } else {
                sets::labels(page)
            };
            let found: Vec<Labelled> = on_streets(finder, text);
            let comparison = compare(text, &wanted, &ignored, &found);
            tallies[half].add(comparison.tally);
            if half == TUNED {
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
        by_half(
            &mut report.table,
            &format!("split_webstruct_dev, {source}"),
            tallies,
        )?;
    }
    Ok(from_html)
}

/// Adds the sentences.
pub(super) fn sentences(dir: &Path, finder: &Addresses, report: &mut Report) -> anyhow::Result<()> {
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
    detection(&mut report.table, "split_lexnlp_us_dev", tally)?;
    writeln!(report.table)?;
    Ok(())
}

/// Adds the strings.
pub(super) fn strings(dir: &Path, finder: &Addresses, report: &mut Report) -> anyhow::Result<()> {
    writeln!(
        report.table,
        "\n{:<40} {:>12} {:>18}",
        "strings", "found", "refused"
    )?;
    for name in ["pyap2_us", "pyap_us"] {
        let strings: Vec<TestString> = sets::read(dir, &format!("addresses/{name}.jsonl"))?;
        let mut tally = StringTally::default();
        for string in strings.iter().filter(|string| string.level == "address") {
            let text = &string.text;
            let whole = [Labelled {
                span: 0..text.len(),
                ..Labelled::default()
            }];
            let found: Vec<Labelled> = finder.find(text).iter().map(labelled).collect();
            let right = if string.expect.is_empty() {
                tally.refused(found.is_empty())
            } else {
                tally.found(compare(text, &whole, &[], &found).tally.n_detected == 1)
            };
            if !right {
                writeln!(report.misses, "{name}: {text:?}")?;
            }
        }
        tally.write(&mut report.table, name)?;
    }
    Ok(())
}

/// Adds the restaurants.
pub(super) fn restaurants(
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
