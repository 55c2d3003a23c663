//! Words for the people of a place, from WordNet; most are written by hand.

use super::places::Places;
use super::raw::RawData;
use super::wordnet;
use place::gazetteer::{Kind, Role};
use place::names::normalise;

/// Smaller cities have no word that readers elsewhere would know.
const MIN_CITY: u32 = 100_000;

/// Words that mean something else to most readers.
const OTHERWISE: &[&str] = &["lesbian", "norman", "hindu", "latin", "latino"];

/// Adds what is not there yet.
pub(super) fn add(raw: &RawData, places: &mut Places) -> anyhow::Result<()> {
    let index = places.index();
    for (lemmas, home) in wordnet::inhabitants(raw)? {
        let bearers = index.get(&normalise(&home)).map_or(&[][..], Vec::as_slice);
        let Some(position) = best(places, bearers) else {
            continue;
        };
        for lemma in lemmas {
            let normal = normalise(&lemma);
            if !sounds_alike(&normal, &home) || OTHERWISE.contains(&normal.as_str()) {
                continue;
            }
            let demonyms = &mut places.names[position as usize].demonyms;
            for word in std::iter::once(lemma.clone()).chain(plural(&lemma)) {
                if !demonyms.contains(&word) {
                    demonyms.push(word);
                }
            }
        }
    }
    Ok(())
}

/// Continents, countries and states before cities, larger before smaller.
fn best(places: &Places, bearers: &[(u32, Role)]) -> Option<u32> {
    let named = bearers.iter().filter(|&&(_, role)| role <= Role::Alias);
    let known = named.map(|&(position, _)| position).filter(|&at| {
        let row = places.row(at);
        row.kind != Kind::Division2
            && row.kind != Kind::Section
            && (row.kind != Kind::City || row.population >= MIN_CITY)
    });
    known.min_by_key(|&position| {
        let row = places.row(position);
        (row.kind, std::cmp::Reverse(row.population))
    })
}

/// Keeps nicknames out: a `Badger` is rarely from Wisconsin.
fn sounds_alike(demonym: &str, home: &str) -> bool {
    let home = normalise(home);
    let head = |text: &str| text.chars().take(3).collect::<String>();
    head(demonym) == head(&home)
}

fn plural(demonym: &str) -> Option<String> {
    if let Some(stem) = demonym.strip_suffix("man") {
        return Some(format!("{stem}men"));
    }
    let grows = [
        "an", "er", "ian", "ite", "ard", "ene", "ot", "eg", "i", "en",
    ];
    let same = demonym.ends_with("ese") || demonym.ends_with("ish");
    (!same && grows.iter().any(|end| demonym.ends_with(end))).then(|| format!("{demonym}s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demonyms_have_plurals() {
        assert_eq!(plural("Texan").as_deref(), Some("Texans"));
        assert_eq!(plural("Welshman").as_deref(), Some("Welshmen"));
        assert_eq!(plural("Chinese"), None);
    }
}
