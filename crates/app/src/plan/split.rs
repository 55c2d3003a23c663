//! How targets are shared out over nodes, as it is asked for and kept.
//!
//! A table is kept with the plan, not its file's name: a crawl that goes on
//! next month must find the same nodes.

use super::agree_if_given;
use crate::cli::CrawlArgs;
use anyhow::{Context, anyhow};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use serde::{Deserialize, Serialize};
use std::path::Path;
use strategy::roster::{Roster, Seating, Share, Split};

/// A way to share targets out, as kept in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum KeptSplit {
    Named(Name),
    Table(Vec<Row>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Name {
    TimeZone,
    State,
    Population,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Row {
    node: String,
    cities: Vec<String>,
}

impl From<KeptSplit> for Split {
    fn from(kept: KeptSplit) -> Split {
        match kept {
            KeptSplit::Named(Name::TimeZone) => Split::TimeZone,
            KeptSplit::Named(Name::State) => Split::State,
            KeptSplit::Named(Name::Population) => Split::Population,
            KeptSplit::Table(rows) => {
                let share = |Row { node, cities }| Share { node, cities };
                Split::Table(rows.into_iter().map(share).collect())
            }
        }
    }
}

/// Reads what stands after `--split`.
pub(crate) fn read(asked: &str) -> anyhow::Result<KeptSplit> {
    let name = match asked {
        "time-zone" => Name::TimeZone,
        "state" => Name::State,
        "population" => Name::Population,
        file => return read_table(file),
    };
    Ok(KeptSplit::Named(name))
}

/// Whether what is asked for now is what was asked for then.
pub(super) fn agree(kept: Option<&KeptSplit>, asked: Option<&str>) -> anyhow::Result<()> {
    let Some(asked) = asked else {
        return Ok(());
    };
    if kept == Some(&read(asked)?) {
        return Ok(());
    }
    let kept = match kept {
        None => "the usual way".to_owned(),
        Some(KeptSplit::Named(name)) => match name {
            Name::TimeZone => "time-zone".to_owned(),
            Name::State => "state".to_owned(),
            Name::Population => "population".to_owned(),
        },
        Some(KeptSplit::Table(_)) => "another table".to_owned(),
    };
    agree_if_given("--split", &kept, Some(&asked.to_owned()))
}

/// How many nodes there are to be: what a split comes to if nobody says.
pub(super) fn n_nodes(
    args: &CrawlArgs,
    split: Option<&KeptSplit>,
    is_paper: bool,
) -> anyhow::Result<usize> {
    if let Some(n_nodes) = args.nodes {
        return Ok(n_nodes);
    }
    let n_general = args.general.unwrap_or(1);
    match split {
        None if is_paper => Ok(n_general.saturating_add(5)),
        None => Ok(args.general.unwrap_or(0).saturating_add(1)),
        Some(split) => {
            let gazetteer = Gazetteer::built_in();
            let targets = Targets::parse(gazetteer, &args.places)?;
            let seating = Seating {
                n_nodes: None,
                n_general: args.general,
                split: split.clone().into(),
            };
            let roster = Roster::seat(gazetteer, &targets, &seating)?;
            Ok(roster.seats().len())
        }
    }
}

fn read_table(file: &str) -> anyhow::Result<KeptSplit> {
    let path = Path::new(file);
    if looks_like_name(file) {
        return Err(anyhow!(
            "no split named `{file}`: `time-zone`, `state`, `population` or a file's name"
        ));
    }
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the table of nodes `{file}`"))?;
    let is_toml = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    let rows = match is_toml {
        true => from_toml(&text).with_context(|| format!("bad table of nodes `{file}`"))?,
        false => from_lines(&text).map_err(|bad| {
            let bad = bad.join("\n  ");
            anyhow!("bad lines in the table of nodes `{file}`\n  {bad}")
        })?,
    };
    match rows.is_empty() {
        true => Err(anyhow!("no node in the table of nodes `{file}`")),
        false => Ok(KeptSplit::Table(rows)),
    }
}

fn looks_like_name(file: &str) -> bool {
    file.chars().all(|c| c.is_alphanumeric() || c == '-') && !Path::new(file).exists()
}

/// `East = ["Boston, MA", "New York, NY"]`; nodes come in the order of their names.
fn from_toml(text: &str) -> anyhow::Result<Vec<Row>> {
    let table: toml::Table = toml::from_str(text)?;
    let row = |(node, cities): (String, toml::Value)| {
        let cities = cities
            .try_into()
            .with_context(|| format!("node `{node}` needs a list of cities"))?;
        Ok(Row { node, cities })
    };
    table.into_iter().map(row).collect()
}

/// Lines of a node and its cities, separated by tabs; a node may have several lines.
fn from_lines(text: &str) -> Result<Vec<Row>, Vec<String>> {
    let (mut rows, mut bad): (Vec<Row>, Vec<String>) = (Vec::new(), Vec::new());
    for (line_idx, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut cells = line.split('\t').map(str::trim);
        let node = cells.next().unwrap_or_default();
        let cities: Vec<String> = cells
            .filter(|cell| !cell.is_empty())
            .map(ToOwned::to_owned)
            .collect();
        if node.is_empty() || cities.is_empty() {
            let line = line.trim();
            bad.push(format!(
                "{}: `{line}`: no tab and city after the node",
                line_idx + 1
            ));
            continue;
        }
        match rows.iter_mut().find(|row| row.node == node) {
            Some(row) => row.cities.extend(cities),
            None => rows.push(Row {
                node: node.to_owned(),
                cities,
            }),
        }
    }
    if bad.is_empty() { Ok(rows) } else { Err(bad) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_may_have_several_lines() {
        let text = "# who has what\nsouth\tHouston, TX\nnorth\tBoise, ID\n\nsouth\tDallas, TX\tAustin, TX\n";
        let rows = from_lines(text).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].cities, ["Houston, TX", "Dallas, TX", "Austin, TX"]);
        let bad = from_lines("south Houston\nnorth\t\n").unwrap_err();
        assert_eq!(bad.len(), 2, "{bad:?}");
    }

    #[test]
    fn a_table_may_be_toml() {
        let rows = from_toml("south = ['Houston, TX']\n'far north' = ['Boise, ID']").unwrap();
        assert_eq!(rows.len(), 2);
        assert!(from_toml("south = 'Houston, TX'").is_err());
    }
}
