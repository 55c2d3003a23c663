//! Turns the names of all places into keys with roles.

use super::places::Places;
use place::gazetteer::{Kind, Role};
use place::names::normalise;
use place::pack::PlaceRow;
use std::collections::BTreeMap;

/// Bearers of every name, ascending, each in its strongest role.
pub(super) fn bearers(places: &Places) -> BTreeMap<String, Vec<(u32, Role)>> {
    let mut names: BTreeMap<String, Vec<(u32, Role)>> = BTreeMap::new();
    for ((position, row), others) in (0..).zip(&places.rows).zip(&places.names) {
        let of = |list: &'_ Vec<String>, role: Role| {
            list.iter()
                .map(|name| (normalise(name), role))
                .collect::<Vec<_>>()
        };
        // Strongest first: what is there already stays.
        let all = [
            vec![(normalise(&row.name), Role::Name)],
            of(&others.aliases, Role::Alias),
            of(&others.demonyms, Role::Demonym),
            of(&others.abbreviations, Role::Abbreviation),
        ];
        for (name, role) in all.into_iter().flatten() {
            let bearers = names.entry(name).or_default();
            if bearers.last().is_none_or(|&(last, _)| last != position) {
                bearers.push((position, role));
            }
        }
    }
    names.remove("");
    names
}

/// Short forms in exactly their spelling, sorted.
pub(super) fn abbreviations(places: &Places) -> Vec<(String, u32)> {
    let mut all: Vec<(String, u32)> = (0..)
        .zip(&places.names)
        .flat_map(|(position, names)| {
            let texts = names.abbreviations.iter();
            texts.map(move |text| (text.clone(), position))
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Words that say what kind of division a name belongs to, before it …
const TYPES_BEFORE: &[&str] = &[
    "Amphoe ",
    "Bezirk ",
    "Caza de ",
    "City of ",
    "Commune of ",
    "Comuna ",
    "Daïra de ",
    "Departamento de ",
    "Departamento del ",
    "Département de la ",
    "Département de ",
    "Département du ",
    "Distrito de ",
    "Gemeente ",
    "Gobernación de ",
    "Gorod ",
    "Huyện ",
    "Kabupaten ",
    "Komuna e ",
    "Kota ",
    "Kreis ",
    "Landkreis ",
    "Markaz ",
    "Muḩāfaz̧at ",
    "Municipio de ",
    "Municipio ",
    "Nomós ",
    "Obshtina ",
    "Okres ",
    "Općina ",
    "Oraş ",
    "Partido de ",
    "Politischer Bezirk ",
    "Powiat ",
    "Prefecture of ",
    "Province de ",
    "Province du ",
    "Province of ",
    "Provincia de ",
    "Provincia del ",
    "Provincia di ",
    "Quận ",
    "Região de ",
    "Région de ",
    "Republic of ",
    "Shahrestān-e ",
    "State of ",
    "Tỉnh ",
    "Wilaya de ",
    "Wojewodztwo ",
];

/// … and after it.
const TYPES_AFTER: &[&str] = &[
    " Autonomous Oblast",
    " Autonomous Okrug",
    " District",
    " Department",
    " Governorate",
    " Kommun",
    " Kommune",
    " Krai",
    " Kray",
    " Municipality",
    " Oblast",
    " oblast",
    " Oblast'",
    " Okrug",
    " Parish",
    " Prefecture",
    " Province",
    " Raion",
    " Rayon",
    " Region",
    " Republic",
    " Shi",
    " State",
    " İlçesi",
    " pagasts",
];

/// Other names of a division: in plain letters, without its type, and a few
/// in which the type is said otherwise.
pub(super) fn of_division(name: &str, ascii: &str, row: &PlaceRow) -> Vec<String> {
    let mut others = vec![ascii.to_owned()];
    // In the US `Orleans` is a city, and only `Orleans Parish` the parish.
    let plain = without_type(name).filter(|_| row.country != "US");
    others.extend(plain.map(str::to_owned));
    if row.kind == Kind::Division2 {
        if let Some(plain) = name.strip_suffix(" County") {
            others.push(format!("County of {plain}"));
        }
        if let Some(plain) = name.strip_prefix("Landkreis ") {
            others.push(format!("Kreis {plain}"));
        }
        if let Some(plain) = name.strip_prefix("Kreis ") {
            others.push(format!("Landkreis {plain}"));
        }
    }
    others
}

/// `Saratov Oblast` as `Saratov`.
fn without_type(name: &str) -> Option<&str> {
    let after = TYPES_AFTER.iter().find_map(|word| name.strip_suffix(word));
    let plain = after.or_else(|| TYPES_BEFORE.iter().find_map(|word| name.strip_prefix(word)))?;
    // `Central Region`, `Northern Province` are nothing without their types.
    let vague = [
        "Central", "Northern", "Southern", "Eastern", "Western", "North", "South", "East", "West",
        "Federal", "Capital", "Coast", "Lake", "River", "Upper", "Lower",
    ];
    (plain.chars().count() > 2 && !vague.contains(&plain)).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_division_is_also_called_without_its_type() {
        assert_eq!(without_type("Saratov Oblast"), Some("Saratov"));
        assert_eq!(without_type("Provincia di Lecce"), Some("Lecce"));
        assert_eq!(without_type("Landkreis Ammerland"), Some("Ammerland"));
        assert_eq!(without_type("Harris County"), None);
        assert_eq!(without_type("Northern Province"), None);
    }
}
