//! German pages and strings: street with number, postal code and city must all be equal.

use super::{Report, TUNED, by_half, html_text, sets};
use crate::eval::score::{StringTally, Tally};
use place::address::{Address, AddressKind, Addresses};
use place::names::normalise;
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;

/// A page with its labels.
#[derive(Debug, Deserialize)]
struct GermanPage {
    id: String,
    html: Option<String>,
    text: String,
    addresses: Vec<Label>,
    /// Postal codes with a city and no street: neither wanted nor wrong.
    #[serde(default)]
    dontcare: Vec<Label>,
}

#[derive(Debug, Deserialize)]
struct Label {
    #[serde(default)]
    street: String,
    #[serde(default)]
    number: String,
    zip: String,
    city: String,
}

/// What must be equal: street and number, postal code, city.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Parts {
    house: String,
    zip: String,
    city: String,
}

impl Parts {
    fn of_label(label: &Label) -> Parts {
        Parts {
            house: house(&label.street, &label.number),
            zip: label.zip.clone(),
            city: normalise(&label.city),
        }
    }

    fn of_address(address: &Address) -> Parts {
        Parts {
            house: house(&address.street, &address.number),
            zip: address.zip.clone().unwrap_or_default(),
            city: normalise(&address.city),
        }
    }
}

/// Letters and digits alone, `Str.` written out.
fn house(street: &str, number: &str) -> String {
    let plain = |text: &str| normalise(&text.replace('.', " ")).replace(' ', "");
    let mut street = plain(street);
    if street.ends_with("str") {
        street.push_str("asse");
    }
    format!("{street} {}", plain(number))
}

/// Adds the rows, and what is wrong on the pages that may be looked at.
pub(super) fn pages(dir: &Path, finder: &Addresses, report: &mut Report) -> anyhow::Result<()> {
    let pages: Vec<GermanPage> = sets::read(dir, "addresses/split_de_pages_dev.jsonl")?;
    for source in ["text", "html"] {
        let mut tallies = [Tally::default(), Tally::default()];
        for page in &pages {
            // Identifiers begin with the host.
            let host = page.id.split('.').next().unwrap_or_default();
            let half = sets::half(host);
            let from_html;
            let text = if source == "html" {
                from_html = html_text(page.html.as_deref().unwrap_or_default());
                &from_html
            } else {
                &page.text
            };
            let wrong = compare(page, &finder.find(text), &mut tallies[half]);
            if half == TUNED {
                for line in wrong {
                    writeln!(report.misses, "{source} {} {line}", page.id)?;
                }
            }
        }
        by_half(
            &mut report.table,
            &format!("split_de_pages_dev, {source}"),
            tallies,
        )?;
    }
    Ok(())
}

/// Counts one page; the wrong ones in words.
fn compare(page: &GermanPage, found: &[Address], tally: &mut Tally) -> Vec<String> {
    let mut wanted: Vec<Parts> = page.addresses.iter().map(Parts::of_label).collect();
    let excused: Vec<Parts> = page.dontcare.iter().map(Parts::of_label).collect();
    tally.n_wanted += wanted.len();
    let mut wrong = Vec::new();
    for address in found
        .iter()
        .filter(|found| found.kind == AddressKind::Street)
    {
        let parts = Parts::of_address(address);
        let same = |label: &Parts| *label == parts;
        let excuses = |label: &Parts| label.zip == parts.zip && label.city == parts.city;
        if let Some(idx) = wanted.iter().position(same) {
            wanted.remove(idx);
            tally.n_strict += 1;
            tally.n_found += 1;
        } else if !excused.iter().any(excuses) {
            tally.n_found += 1;
            wrong.push(format!("spurious {parts:?} {}", address.country));
        }
    }
    wrong.extend(wanted.iter().map(|parts| format!("missed {parts:?}")));
    // Only what is equal counts; the columns of detection show the same.
    tally.n_detected = tally.n_strict;
    wrong
}

/// A string with the parts that stand in it.
#[derive(Debug, Deserialize)]
struct GermanString {
    text: String,
    expect: Vec<serde_json::Map<String, serde_json::Value>>,
}

impl GermanString {
    /// House number and postal code, if the string is a whole address.
    fn house(&self) -> Option<(&str, &str)> {
        let part = |name: &str| {
            let part = self.expect.first()?.get(name)?.as_str()?;
            self.text.contains(part).then_some(part)
        };
        Some((part("house_number")?, part("postcode")?))
    }
}

/// Adds the strings: whole addresses are to be found, all others refused.
pub(super) fn strings(dir: &Path, finder: &Addresses, report: &mut Report) -> anyhow::Result<()> {
    for name in ["opencage_de", "libpostal_de"] {
        let strings: Vec<GermanString> = sets::read(dir, &format!("addresses/{name}.jsonl"))?;
        let mut tally = StringTally::default();
        for string in &strings {
            let found = finder.find(&string.text);
            let right = match string.house() {
                Some((number, zip)) => {
                    let same = |found: &Address| {
                        found.number.eq_ignore_ascii_case(number)
                            && found.zip.as_deref() == Some(zip)
                    };
                    tally.found(found.iter().any(same))
                }
                None => tally.refused(found.is_empty()),
            };
            if !right {
                writeln!(report.misses, "{name}: {:?}", string.text)?;
            }
        }
        tally.write(&mut report.table, name)?;
    }
    Ok(())
}
