//! The universities and hospitals that made-up webs have sites of.
//!
//! Real names and addresses, so that a made-up page reads like a real one. Of
//! each city's the first few by name are enough.

use crate::pack::raw::RawData;
use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Of one kind in one city.
const MOST: usize = 3;

const HEAD: &str = "# kind\tstate\tcity\tzip\tstreet\tname; built by `cargo xtask institutions`\n";

/// Columns of a source: name, street, city, state, ZIP code.
struct Source {
    kind: &'static str,
    file: &'static str,
    columns: [&'static str; 5],
}

const SOURCES: [Source; 2] = [
    Source {
        kind: "hospital",
        file: "pois/hospitals_hifld.csv",
        columns: ["NAME", "ADDRESS", "CITY", "STATE", "ZIP"],
    },
    Source {
        kind: "university",
        file: "pois/ipeds_hd2019.csv",
        columns: ["INSTNM", "ADDR", "CITY", "STABBR", "ZIP"],
    },
];

/// The table, one institution a line.
pub(crate) fn build(dir: &Path) -> anyhow::Result<String> {
    let raw = RawData::new(dir);
    let mut lines: BTreeMap<[String; 3], Vec<[String; 3]>> = BTreeMap::new();
    for source in &SOURCES {
        for [name, street, city, state, zip] in rows(&raw, source)? {
            // Some lists have lost the zeros that codes begin with.
            let zip = format!("{zip:0>5}");
            let is_street = street.starts_with(|c: char| c.is_ascii_digit());
            let is_school = source.kind == "hospital" || is_university(&name);
            if is_street && is_school && zip != "00000" && name.len() <= 60 {
                let group = [source.kind.to_owned(), state, capitalised(&city)];
                let list = lines.entry(group).or_default();
                list.push([zip, capitalised(&street), capitalised(&name)]);
            }
        }
    }
    let mut table = HEAD.to_owned();
    for ([kind, state, city], mut list) in lines {
        list.sort_by(|a, b| a[2].cmp(&b[2]));
        list.dedup_by(|a, b| a[2] == b[2]);
        for [zip, street, name] in list.into_iter().take(MOST) {
            writeln!(table, "{kind}\t{state}\t{city}\t{zip}\t{street}\t{name}")?;
        }
    }
    Ok(table)
}

fn rows(raw: &RawData, source: &Source) -> anyhow::Result<Vec<[String; 5]>> {
    let rows = raw.rows(source.file, ',')?;
    let head = rows.first().context("an empty file")?;
    let position = |name: &str| head.iter().position(|column| column == name);
    let columns: Option<Vec<usize>> = source.columns.iter().map(|name| position(name)).collect();
    let columns = columns.with_context(|| format!("`{}` has other columns", source.file))?;
    let cell = |row: &Vec<String>, nth: usize| row.get(columns[nth]).cloned().unwrap_or_default();
    let row = |row: &Vec<String>| {
        let mut cells = std::array::from_fn(|nth| cell(row, nth).trim().to_owned());
        cells[4].truncate(5);
        cells
    };
    Ok(rows[1..].iter().map(row).collect())
}

/// Beauty schools and driving schools are schools of another kind.
fn is_university(name: &str) -> bool {
    ["University", "College"]
        .iter()
        .any(|word| name.contains(word))
        && !name.contains("Beauty")
}

/// `SAINT MARY'S` → `Saint Mary's`; what is not all capitals stays.
fn capitalised(text: &str) -> String {
    if text.chars().any(char::is_lowercase) {
        return text.to_owned();
    }
    let mut before = ' ';
    let next = |c: char| {
        let starts = !before.is_alphanumeric() && !matches!(before, '\'' | '\u{2019}');
        before = c;
        if starts { c } else { c.to_ascii_lowercase() }
    };
    text.chars().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shouting_is_toned_down() {
        assert_eq!(capitalised("ST. MARY'S HOSPITAL"), "St. Mary's Hospital");
        assert_eq!(capitalised("McKenna College"), "McKenna College");
    }
}
