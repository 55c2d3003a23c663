//! Large lakes and rivers, from the maps of Natural Earth.
//!
//! A river is drawn in pieces that share its name; its place is the middle of
//! its longest piece, half-way along the line. A lake's is the middle of its
//! area.

use super::near::{Near, km};
use super::places::{OtherNames, Places, blank};
use super::raw::RawData;
use place::gazetteer::{Kind, Role};
use place::names::normalise;
use place::pack::PlaceRow;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

type Point = [f64; 2];

/// Water of the same name this near is the same water.
const SAME_KM: f64 = 600.0;

/// Pieces of one river begin or end this near to each other.
const PIECE_KM: f64 = 400.0;

/// The city whose country a bank is taken to belong to lies within this distance.
const BANK_KM: f64 = 250.0;

/// A name shared with a city of so many people, or any state, is not given to water alone.
const MIN_KNOWN_CITY: u32 = 50_000;

#[derive(Deserialize)]
struct Map<G> {
    features: Vec<Feature<G>>,
}

#[derive(Deserialize)]
struct Feature<G> {
    properties: Names,
    geometry: Option<G>,
}

#[derive(Deserialize)]
struct Names {
    name: Option<String>,
    name_en: Option<String>,
    name_alt: Option<String>,
    name_de: Option<String>,
}

#[derive(Deserialize)]
struct Lines {
    coordinates: Vec<Vec<Point>>,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Areas {
    Polygon(Vec<Vec<Point>>),
    MultiPolygon(Vec<Vec<Vec<Point>>>),
}

/// Water before it is a place: where it is, points along it, and its names.
struct Water {
    middle: Point,
    banks: Vec<Point>,
    name: String,
    aliases: Vec<String>,
}

/// Adds the water that is not there yet; of the rest, the other names.
pub(super) fn add(
    raw: &RawData,
    common_nouns: &HashSet<String>,
    places: &mut Places,
) -> anyhow::Result<()> {
    let mut all = lakes(raw)?;
    all.extend(rivers(raw)?);
    let near = Near::cities(&places.rows);
    let mut index = places.index();
    for mut water in all {
        let own = normalise(&water.name);
        water.aliases.retain(|alias| {
            let normal = normalise(alias);
            normal != own && !common_nouns.contains(&normal) && is_free(places, &index, alias)
        });
        let known = std::iter::once(&water.name)
            .chain(&water.aliases)
            .find_map(|name| known_water(places, &index, name, water.middle));
        match known {
            Some(position) => {
                let mut names = water.aliases;
                names.push(water.name);
                places.names[position as usize].aliases.extend(names);
            }
            None => {
                let key = normalise(&water.name);
                let position = push(places, &near, water);
                index.entry(key).or_default().push((position, Role::Name));
            }
        }
    }
    Ok(())
}

fn known_water(
    places: &Places,
    index: &HashMap<String, Vec<(u32, Role)>>,
    name: &str,
    [lon, lat]: Point,
) -> Option<u32> {
    let bearers = index.get(&normalise(name))?;
    bearers
        .iter()
        .map(|&(position, _)| position)
        .find(|&position| {
            let row = places.row(position);
            row.kind == Kind::Water && km((row.lat, row.lon), (lat, lon)) < SAME_KM
        })
}

/// Whether no country, state or large city has this name.
fn is_free(places: &Places, index: &HashMap<String, Vec<(u32, Role)>>, name: &str) -> bool {
    let bearers = index.get(&normalise(name)).map_or(&[][..], Vec::as_slice);
    !bearers.iter().any(|&(position, _)| {
        let row = places.row(position);
        row.kind <= Kind::Division1 || (row.kind == Kind::City && row.population >= MIN_KNOWN_CITY)
    })
}

fn push(places: &mut Places, near: &Near, water: Water) -> u32 {
    let parent = common_division(places, near, &water.banks);
    let around = parent.map(|parent| places.row(parent));
    let row = PlaceRow {
        name: water.name,
        lat: water.middle[1],
        lon: water.middle[0],
        country: around.map_or_else(String::new, |row| row.country.clone()),
        division: around.map_or_else(String::new, |row| row.division.clone()),
        parent,
        ..blank(Kind::Water)
    };
    let names = OtherNames {
        aliases: water.aliases,
        ..OtherNames::default()
    };
    places.push(row, names)
}

/// The state or country in which all banks lie.
fn common_division(places: &Places, near: &Near, banks: &[Point]) -> Option<u32> {
    let mut common: Option<Vec<u32>> = None;
    for &[lon, lat] in banks {
        let city = near.nearest(lat, lon, BANK_KM)?;
        let above: Vec<u32> = places
            .chain(city)
            .filter(|&above| places.row(above).kind <= Kind::Division1)
            .collect();
        common = Some(match common {
            Some(common) => common
                .into_iter()
                .filter(|one| above.contains(one))
                .collect(),
            None => above,
        });
    }
    common?.first().copied()
}

fn rivers(raw: &RawData) -> anyhow::Result<Vec<Water>> {
    let map: Map<Lines> = raw.json("basemap/ne_50m_rivers_lake_centerlines.geojson")?;
    let mut pieces: BTreeMap<String, (Vec<Vec<Point>>, Vec<String>)> = BTreeMap::new();
    for Feature {
        properties,
        geometry,
    } in map.features
    {
        let usual = properties.name_en.as_ref().or(properties.name.as_ref());
        let (Some(usual), Some(lines)) = (usual.cloned(), geometry) else {
            continue;
        };
        let (known, names) = pieces.entry(tidy(&usual)).or_default();
        known.extend(lines.coordinates);
        names.extend(properties.all());
    }
    let mut water = Vec::new();
    for (usual, (lines, names)) in pieces {
        for longest in longest_of_each(lines) {
            water.extend(river(&usual, &names, &longest));
        }
    }
    Ok(water)
}

fn river(usual: &str, names: &[String], line: &[Point]) -> Option<Water> {
    let bare = || std::iter::once(usual).chain(names.iter().map(String::as_str));
    let with_word = |name: &str| {
        if has_water_word(name) {
            name.to_owned()
        } else {
            format!("{name} River")
        }
    };
    let aliases = bare().map(with_word).chain(bare().map(str::to_owned));
    Some(Water {
        middle: half_way(line),
        banks: vec![*line.first()?, half_way(line), *line.last()?],
        name: with_word(usual),
        aliases: distinct(aliases.collect()),
    })
}

/// The longest piece of each river: pieces far from each other are different rivers.
fn longest_of_each(mut lines: Vec<Vec<Point>>) -> Vec<Vec<Point>> {
    lines.retain(|line| line.len() > 1);
    lines.sort_by(|a, b| length(b).total_cmp(&length(a)));
    let mut rivers: Vec<Vec<Vec<Point>>> = Vec::new();
    for line in lines {
        let near = |other: &Vec<Point>| {
            let ends = [line[0], line[line.len() - 1]];
            let mut points = other.iter().step_by(5).chain(other.last());
            points.any(|&point| ends.iter().any(|&end| step(end, point) < PIECE_KM))
        };
        match rivers.iter_mut().find(|pieces| pieces.iter().any(near)) {
            Some(pieces) => pieces.push(line),
            None => rivers.push(vec![line]),
        }
    }
    rivers
        .into_iter()
        .filter_map(|pieces| pieces.into_iter().next())
        .collect()
}

fn lakes(raw: &RawData) -> anyhow::Result<Vec<Water>> {
    let map: Map<Areas> = raw.json("basemap/ne_50m_lakes.geojson")?;
    let water = map.features.into_iter().filter_map(|feature| {
        let ring = match feature.geometry? {
            Areas::Polygon(rings) => rings.into_iter().next()?,
            Areas::MultiPolygon(parts) => parts
                .into_iter()
                .filter_map(|rings| rings.into_iter().next())
                .max_by(|a, b| length(a).total_cmp(&length(b)))?,
        };
        let name = tidy(feature.properties.name.as_ref()?);
        let names = feature.properties.all();
        let with_word = names.iter().filter(|name| !has_water_word(name));
        let mut aliases: Vec<String> = with_word.map(|name| format!("Lake {name}")).collect();
        aliases.extend(names.into_iter().filter(|name| has_water_word(name)));
        let quarter = ring.len() / 4;
        Some(Water {
            middle: middle(&ring),
            banks: (0..4).map(|corner| ring[corner * quarter]).collect(),
            name: if has_water_word(&name) {
                name
            } else {
                format!("Lake {name}")
            },
            aliases: distinct(aliases),
        })
    });
    Ok(water.collect())
}

impl Names {
    fn all(&self) -> Vec<String> {
        let known = [&self.name, &self.name_en, &self.name_de, &self.name_alt];
        let plain = |name: &&String| !name.contains(['|', ',', '/']);
        known
            .into_iter()
            .flatten()
            .filter(plain)
            .map(|name| tidy(name))
            .collect()
    }
}

/// `Keuka L.` and `Amu  Darya` as people write them.
fn tidy(name: &str) -> String {
    let words = name.split_whitespace().map(|word| match word {
        "L." => "Lake",
        "Ft." => "Fort",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

fn has_water_word(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "lake",
        "lakes",
        "lac",
        "lago",
        "laguna",
        "lagoa",
        "lagoon",
        "reservoir",
        "sea",
        "river",
        "bay",
        "hu",
        "ko",
        "co",
        "nuur",
        "canal",
        "nile",
        "fork",
        "branch",
        "delta",
        "jiang",
        "danau",
        "ozero",
        "flowage",
        "depression",
        "darya",
        "bahr",
        "rio",
        "creek",
    ];
    normalise(name).split(' ').any(|word| WORDS.contains(&word))
        || ["sjön", "meer", "järvi", "köl"]
            .iter()
            .any(|end| name.ends_with(end))
}

fn distinct(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| step(pair[0], pair[1])).sum()
}

fn step(from: Point, to: Point) -> f64 {
    km((from[1], from[0]), (to[1], to[0]))
}

/// The point at half the length of a line.
fn half_way(line: &[Point]) -> Point {
    let mut left = length(line) / 2.0;
    for pair in line.windows(2) {
        let step = step(pair[0], pair[1]);
        if step >= left && step > 0.0 {
            let part = left / step;
            return [0, 1].map(|axis| pair[0][axis] + part * (pair[1][axis] - pair[0][axis]));
        }
        left -= step;
    }
    line.last().copied().unwrap_or_default()
}

/// Centroid of the area inside a ring.
fn middle(ring: &[Point]) -> Point {
    let mut area = 0.0;
    let mut sum = [0.0, 0.0];
    for pair in ring.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let cross = from[0] * to[1] - to[0] * from[1];
        area += cross;
        for axis in [0, 1] {
            sum[axis] += (from[axis] + to[axis]) * cross;
        }
    }
    if area == 0.0 {
        return ring.first().copied().unwrap_or_default();
    }
    sum.map(|sum| sum / (3.0 * area))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_line_is_half_way_along_it() {
        let bent = [[0.0, 0.0], [0.0, 1.0], [0.0, 4.0]];
        assert_eq!(half_way(&bent), [0.0, 2.0]);
    }

    #[test]
    fn the_middle_of_a_square_is_its_centre() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 0.0]];
        assert_eq!(middle(&square), [1.0, 1.0]);
    }
}
