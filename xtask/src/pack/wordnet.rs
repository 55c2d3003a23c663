//! Reads WordNet: its geographic synsets, its common nouns, its inhabitants.
//!
//! Which place a synset means is decided in `geowordnet.rs`.

use super::raw::RawData;
use anyhow::Context;
use std::collections::HashSet;

/// An instance of something geographic.
pub(super) struct Synset {
    pub(super) offset: u32,
    /// Its names, the usual one first.
    pub(super) lemmas: Vec<String>,
    /// What it is an instance of: `city`, `river`.
    pub(super) types: Vec<String>,
    /// Offsets of what it is part of.
    pub(super) holonyms: Vec<u32>,
    pub(super) gloss: String,
}

/// All geographic instances.
pub(super) fn synsets(raw: &RawData) -> anyhow::Result<Vec<Synset>> {
    let rows = raw.rows("wordnet/geo_instance_synsets_wn31.tsv", '\t')?;
    rows.iter().skip(1).map(|cells| synset(cells)).collect()
}

fn synset(cells: &[String]) -> anyhow::Result<Synset> {
    let [offset, _, lemmas, types, holonyms, gloss] = cells else {
        anyhow::bail!("a synset has six cells, not {}", cells.len());
    };
    let bars = |cell: &str| -> Vec<String> {
        cell.split('|')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let pairs = |cell: &str| -> Vec<(String, String)> {
        let parts = bars(cell).into_iter();
        parts
            .filter_map(|part| {
                let (offset, name) = part.split_once(':')?;
                Some((offset.to_owned(), name.to_owned()))
            })
            .collect()
    };
    Ok(Synset {
        offset: offset
            .parse()
            .with_context(|| format!("`{offset}` is no offset"))?,
        lemmas: bars(&lemmas.replace('_', " ")),
        types: pairs(types).into_iter().map(|(_, name)| name).collect(),
        holonyms: pairs(holonyms)
            .iter()
            .filter_map(|(offset, _)| offset.parse().ok())
            .collect(),
        gloss: gloss.clone(),
    })
}

/// Nouns written without a capital: `milk`, `salmon`, `man`.
pub(super) fn common_nouns(raw: &RawData) -> anyhow::Result<HashSet<String>> {
    let text = raw.text("wordnet/data.noun")?;
    let lemmas = lines(&text).flat_map(|line| line.lemmas);
    let common = lemmas.filter(|lemma| lemma.starts_with(|c: char| c.is_lowercase()));
    Ok(common.collect())
}

/// Words for people with the place they are from: `Londoner`, `London`.
pub(super) fn inhabitants(raw: &RawData) -> anyhow::Result<Vec<(Vec<String>, String)>> {
    const PEOPLE: &str = "18";
    let text = raw.text("wordnet/data.noun")?;
    let people = lines(&text).filter(|line| line.file == PEOPLE);
    Ok(people
        .filter_map(|line| Some((line.lemmas, home(line.gloss)?.to_owned())))
        .collect())
}

/// `London` of `a native or resident of London`.
fn home(gloss: &str) -> Option<&str> {
    const OPENINGS: &[&str] = &[
        "native or inhabitant of ",
        "inhabitant or native of ",
        "native or resident of ",
        "resident or native of ",
        "inhabitant of ",
        "resident of ",
        "native of ",
    ];
    let rest = gloss.strip_prefix("a ").or(gloss.strip_prefix("an "))?;
    let home = OPENINGS
        .iter()
        .find_map(|opening| rest.strip_prefix(opening))?;
    let ends = [";", ",", "(", " who ", " in ", " or ", " and ", "\""];
    let end = ends.iter().filter_map(|end| home.find(end)).min();
    let mut home = home[..end.unwrap_or(home.len())].trim();
    let fillers = [
        "the ",
        "state of ",
        "American state of ",
        "city of ",
        "island of ",
        "modern ",
    ];
    while let Some(rest) = fillers.iter().find_map(|filler| home.strip_prefix(filler)) {
        home = rest;
    }
    // Ancient homes and former republics are not today's.
    let proper = home.starts_with(char::is_uppercase);
    proper.then_some(home)
}

struct Line<'t> {
    file: &'t str,
    lemmas: Vec<String>,
    gloss: &'t str,
}

/// Lines of `data.noun`: offset, file, kind, number of words in base sixteen,
/// then each word with a number.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| {
            let (head, gloss) = line.split_once(" | ")?;
            let cells: Vec<&str> = head.split(' ').collect();
            let n_words = usize::from_str_radix(cells.get(3)?, 16).ok()?;
            let lemmas = (0..n_words)
                .filter_map(|word| cells.get(4 + 2 * word))
                .map(|lemma| lemma.replace('_', " "))
                .collect();
            Some(Line {
                file: cells.get(1)?,
                lemmas,
                gloss,
            })
        })
}

#[cfg(test)]
mod tests {
    use super::home;

    #[test]
    fn a_gloss_says_where_people_are_from() {
        assert_eq!(home("a native or resident of London  "), Some("London"));
        assert_eq!(
            home("a native or resident of the American state of Georgia  "),
            Some("Georgia")
        );
        assert_eq!(home("an inhabitant of ancient Thebes  "), None);
        assert_eq!(home("elected Vice President of the United States"), None);
    }
}
