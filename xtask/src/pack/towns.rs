//! Towns that only the post knows.
//!
//! GeoNames' list ends at five hundred people; the names that stand in
//! addresses do not. A name of a ZIP code that is no city of its state near
//! by becomes a city without people, in the code's county. Names that only
//! spell a city otherwise become its aliases; spellings without a city and
//! organisations are left out (`zip.rs`).

use super::near::km;
use super::places::{OtherNames, Places, blank};
use super::raw::{RawData, RawZip};
use super::zip::{is_of_a_place, shared_names};
use place::gazetteer::Kind;
use place::names::normalise;
use place::pack::PlaceRow;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A city of the same name this near is the same one.
const SAME_KM: f64 = 40.0;

/// How the post shortens words of names.
const SHORT: &[(&str, &str)] = &[
    ("afb", "air force base"),
    ("bch", "beach"),
    ("bluf", "bluff"),
    ("br", "branch"),
    ("brk", "brook"),
    ("cors", "corners"),
    ("cor", "corner"),
    ("crk", "creek"),
    ("cty", "city"),
    ("e", "east"),
    ("ests", "estates"),
    ("est", "estates"),
    ("fls", "falls"),
    ("fld", "field"),
    ("gdns", "gardens"),
    ("grv", "grove"),
    ("hbr", "harbor"),
    ("hgts", "heights"),
    ("hls", "hills"),
    ("hl", "hill"),
    ("hts", "heights"),
    ("is", "island"),
    ("isl", "island"),
    ("jct", "junction"),
    ("lk", "lake"),
    ("lks", "lakes"),
    ("mdws", "meadows"),
    ("mtn", "mountain"),
    ("mnt", "mountain"),
    ("n", "north"),
    ("pk", "park"),
    ("plns", "plains"),
    ("pt", "point"),
    ("rdg", "ridge"),
    ("rd", "road"),
    ("riv", "river"),
    ("s", "south"),
    ("shrs", "shores"),
    ("spg", "spring"),
    ("spgs", "springs"),
    ("spngs", "springs"),
    ("sta", "station"),
    ("twp", "township"),
    ("vlg", "village"),
    ("vl", "village"),
    ("vly", "valley"),
    ("vle", "ville"),
    ("vw", "view"),
    ("w", "west"),
    ("xing", "crossing"),
    ("crossng", "crossing"),
    ("mc", "mc"),
];

/// Words after which two names are still one town.
const SAME_TOWN: &[&str] = &["city", "town", "township", "village", "borough"];

/// Words of schools, bases and estates rather than towns, in normal form.
const NO_TOWN: &[&str] = &[
    "afb",
    "air",
    "airport",
    "apartments",
    "army",
    "barracks",
    "base",
    "branch",
    "brm",
    "campus",
    "cities",
    "courthouse",
    "fleet",
    "estates",
    "homes",
    "lodge",
    "mall",
    "management",
    "manor",
    "marine",
    "mobile",
    "naval",
    "navy",
    "plaza",
    "post",
    "rural",
    "shopping",
    "subdivision",
    "subdiv",
    "trailer",
    "yard",
    "institute",
    "army",
    "depot",
    "club",
    "resort",
];

/// Adds the towns and aliases.
pub(super) fn add(raw: &RawData, places: &mut Places) -> anyhow::Result<()> {
    let raw_zips = raw.zips()?;
    let shared = shared_names(&raw_zips);
    let mut towns: BTreeMap<(String, String), Vec<Mention<'_>>> = BTreeMap::new();
    for zip in &raw_zips {
        for mention in mentions(zip, &shared) {
            let key = (despaced(&mention.full), zip.state.clone());
            towns.entry(key).or_default().push(mention);
        }
    }
    let cities = Cities::new(places);
    for ((key, state), mentions) in towns {
        add_town(places, &cities, &key, &state, &mentions);
    }
    add_aliases(raw, places, &cities)
}

/// A name in a ZIP code.
struct Mention<'z> {
    zip: &'z RawZip,
    lat: f64,
    lon: f64,
    name: &'z str,
    /// Its normal form with all words written out.
    full: String,
}

fn mentions<'z>(zip: &'z RawZip, shared: &HashSet<(String, &str)>) -> Vec<Mention<'z>> {
    let (Ok(lat), Ok(lon)) = (zip.lat.parse(), zip.long.parse()) else {
        return Vec::new();
    };
    let is_town = matches!(zip.zip_code_type.as_str(), "STANDARD" | "PO BOX");
    // In Puerto Rico the post lists every estate.
    let others = zip.unacceptable_cities.iter().filter(|name| {
        is_town && zip.state != "PR" && shared.contains(&(normalise(name), zip.state.as_str()))
    });
    let own = std::iter::once(&zip.city).chain(&zip.acceptable_cities);
    own.filter(|_| is_town)
        .chain(others)
        .map(|name| Mention {
            zip,
            lat,
            lon,
            name,
            full: written_out(name),
        })
        .filter(|mention| is_town_name(&mention.full))
        .collect()
}

fn is_town_name(full: &str) -> bool {
    let mut words = full.split(' ');
    is_of_a_place(full)
        && words.clone().all(|word| word.len() > 1 && has_vowel(word))
        && !words.any(|word| NO_TOWN.contains(&word))
}

/// `Wlks`, `Spngs` and `Mntpelier` are nobody's names.
fn has_vowel(word: &str) -> bool {
    let vowel = ['a', 'e', 'i', 'o', 'u', 'y'];
    let early = word.find(vowel).is_some_and(|at| at < 4) && !word.starts_with("mnt");
    early || word == "mc"
}

/// Normal form with the post's short words written out.
fn written_out(name: &str) -> String {
    let normal = normalise(name);
    let words = normal.split(' ').map(|word| {
        let long = SHORT.iter().find(|(short, _)| *short == word);
        long.map_or(word, |(_, long)| long)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `la porte` and `laporte` are one.
fn despaced(name: &str) -> String {
    name.replace(' ', "")
}

/// US cities by name without spaces and state.
struct Cities {
    by_name: HashMap<(String, String), Vec<u32>>,
    counties: HashMap<(String, String), u32>,
}

impl Cities {
    fn new(places: &Places) -> Cities {
        let mut by_name: HashMap<(String, String), Vec<u32>> = HashMap::new();
        let mut counties = HashMap::new();
        for ((position, row), names) in (0..).zip(&places.rows).zip(&places.names) {
            let state = match row.country.as_str() {
                "US" => row.division.clone(),
                "PR" => "PR".to_owned(),
                _ => continue,
            };
            match row.kind {
                Kind::City => {
                    for name in std::iter::once(&row.name).chain(&names.aliases) {
                        let key = (despaced(&written_out(name)), state.clone());
                        by_name.entry(key).or_default().push(position);
                    }
                }
                Kind::Division2 => {
                    counties
                        .entry((normalise(&row.name), state))
                        .or_insert(position);
                }
                _ => {}
            }
        }
        Cities { by_name, counties }
    }

    fn near(&self, places: &Places, key: &str, state: &str, at: (f64, f64)) -> Option<u32> {
        let cities = self.by_name.get(&(key.to_owned(), state.to_owned()))?;
        cities.iter().copied().find(|&city| {
            let row = places.row(city);
            km((row.lat, row.lon), at) < SAME_KM
        })
    }
}

fn add_town(
    places: &mut Places,
    cities: &Cities,
    key: &str,
    state: &str,
    mentions: &[Mention<'_>],
) {
    // One name may stand for two far ends of a state: each is its own town.
    let mut left: Vec<&Mention<'_>> = mentions.iter().collect();
    while let Some(&first) = left.first() {
        let at = (first.lat, first.lon);
        let (same, others) = left
            .into_iter()
            .partition::<Vec<_>, _>(|other| km((other.lat, other.lon), at) < SAME_KM);
        left = others;
        if cities.near(places, key, state, at).is_none()
            && !spells_a_neighbour(cities, places, first)
        {
            push(places, cities, state, &same);
        }
    }
}

/// Whether a name is the code's own city said otherwise: `Boise City`.
fn spells_a_neighbour(cities: &Cities, places: &Places, mention: &Mention<'_>) -> bool {
    let stem = SAME_TOWN
        .iter()
        .find_map(|word| mention.full.strip_suffix(word))
        .map(str::trim_end);
    stem.is_some_and(|stem| {
        let at = (mention.lat, mention.lon);
        cities
            .near(places, &despaced(stem), &mention.zip.state, at)
            .is_some()
    })
}

#[expect(clippy::cast_precision_loss, reason = "a town has a handful of codes")]
fn push(places: &mut Places, cities: &Cities, state: &str, mentions: &[&Mention<'_>]) {
    let first = mentions[0];
    let code = if state == "PR" {
        "PR".to_owned()
    } else {
        format!("US.{state}")
    };
    // Military post and the free states of the Pacific are no part of a state.
    let Some(&division) = places.by_code.get(&code) else {
        return;
    };
    let county = (normalise(&first.zip.county), state.to_owned());
    let parent = cities.counties.get(&county).copied().unwrap_or(division);
    let n = mentions.len() as f64;
    // The longest spelling is the least abbreviated.
    let name = mentions
        .iter()
        .map(|mention| mention.name)
        .max_by_key(|name| (name.len(), std::cmp::Reverse(*name)))
        .unwrap_or(first.name);
    let name = if normalise(name) == first.full {
        name.to_owned()
    } else {
        capitalised(&first.full)
    };
    let row = PlaceRow {
        name,
        lat: mentions.iter().map(|mention| mention.lat).sum::<f64>() / n,
        lon: mentions.iter().map(|mention| mention.lon).sum::<f64>() / n,
        country: places.row(division).country.clone(),
        division: places.row(parent).division.clone(),
        time_zone: first.zip.timezone.clone(),
        parent: Some(parent),
        ..blank(Kind::City)
    };
    places.push(row, OtherNames::default());
}

fn capitalised(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        format!("{}{rest}", first.to_uppercase())
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Names of a city with its type: only where the post lists them for that city.
fn add_aliases(raw: &RawData, places: &mut Places, cities: &Cities) -> anyhow::Result<()> {
    let mut known = HashSet::new();
    let zips = raw.zips()?;
    let pairs = zips.iter().flat_map(|zip| {
        let others = zip.acceptable_cities.iter().chain(&zip.unacceptable_cities);
        others.map(move |other| (zip.city.clone(), zip.state.clone(), other.clone()))
    });
    let listed = raw.rows("zip/us_city_aliases.csv", '|')?.into_iter();
    let listed = listed.filter_map(|cells| match cells.as_slice() {
        [city, state, _, _, alias] => Some((city.clone(), state.clone(), alias.clone())),
        _ => None,
    });
    let pairs: Vec<(String, String, String)> = pairs.chain(listed).collect();
    for (city, state, alias) in pairs {
        let (own, other) = (written_out(&city), written_out(&alias));
        let key = (despaced(&own), state);
        let Some(&position) = cities.by_name.get(&key).and_then(|found| found.first()) else {
            continue;
        };
        let typed = SAME_TOWN
            .iter()
            .any(|word| other == format!("{own} {word}") || own == format!("{other} {word}"));
        let respaced = despaced(&own) == despaced(&other) && normalise(&alias) != normalise(&city);
        let taken = cities
            .by_name
            .contains_key(&(despaced(&other), key.1.clone()));
        if ((typed && !taken) || respaced) && known.insert((position, normalise(&alias))) {
            places.names[position as usize].aliases.push(alias);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_towns_are_told_from_spellings() {
        assert_eq!(written_out("W Gilgo Bch"), "west gilgo beach");
        assert!(is_town_name("west gilgo beach"));
        assert!(!is_town_name("wlks barr"));
        assert!(!is_town_name("roosevelt mobile homes"));
    }
}
