//! Puts countries, divisions and cities into one hierarchy.

use super::raw::{RawCity, RawData};
use place::gazetteer::Kind;
use place::names::normalise;
use place::pack::PlaceRow;
use std::collections::{BTreeMap, HashMap};

/// US entries that carry the population of the city or metropolis they lie
/// in, and a second Lexington; the Census knows none of them as a place of
/// that size.
const WRONG_POPULATION: &[u32] = &[
    4300488, // Meads, KY
    7289169, // Tri-Cities, WA
    4297999, // Lexington-Fayette, KY
    5317071, // Tempe Junction, AZ
    4619947, // East Chattanooga, TN
    4756955, // East Hampton, VA
    4333190, // Metairie Terrace, LA
    4839745, // North Stamford, CT
    4903976, // North Peoria, IL
    4385018, // East Independence, MO
    4780011, // Portsmouth Heights, VA
    5143620, // West Albany, NY
    7839240, // Enchanted Hills, NM
    4833505, // East Norwalk, CT
    4786714, // South Suffolk, VA
    4450687, // West Gulfport, MS
    4792867, // West Lynchburg, VA
    4937232, // Framingham Center, MA
    5052361, // West Coon Rapids, MN
];

/// Feature codes of what is no city of its own: sections of cities (which
/// repeat the city's population), abandoned, historical and destroyed places.
const NO_CITY: &[&str] = &["PPLX", "PPLQ", "PPLH", "PPLW", "PPLCH"];

/// Names by hand: usual names that differ from GeoNames' and aliases.
const HAND_NAMES: &str = include_str!("hand_names.tsv");

/// Places before they are sorted; parents are positions in `rows`.
#[derive(Default)]
pub(super) struct Places {
    pub(super) rows: Vec<PlaceRow>,
    /// Other names of each row.
    pub(super) aliases: Vec<Vec<String>>,
    divisions: HashMap<String, u32>,
}

impl Places {
    /// All places, most populous first.
    pub(super) fn read(raw: &RawData) -> anyhow::Result<Places> {
        let mut places = Places::default();
        places.read_countries(raw)?;
        places.read_divisions(raw)?;
        places.read_cities(raw)?;
        places.apply_hand_names()?;
        places.fill_in_divisions();
        Ok(places.sorted())
    }

    fn push(&mut self, row: PlaceRow, aliases: Vec<String>) -> u32 {
        let position = u32::try_from(self.rows.len()).expect("far fewer than four billion places");
        self.rows.push(row);
        self.aliases.push(aliases);
        position
    }

    fn read_countries(&mut self, raw: &RawData) -> anyhow::Result<()> {
        for cells in raw.rows("gazetteer/countryInfo.txt", '\t')? {
            if cells[0].starts_with('#') || cells.len() < 17 {
                continue;
            }
            let row = PlaceRow {
                geonameid: cells[16].parse().unwrap_or(0),
                name: cells[4].clone(),
                kind: Kind::Country,
                lat: 0.0,
                lon: 0.0,
                population: cells[7].parse().unwrap_or(0),
                country: cells[0].clone(),
                division: String::new(),
                time_zone: String::new(),
                parent: None,
            };
            let position = self.push(row, Vec::new());
            self.divisions.insert(cells[0].clone(), position);
        }
        Ok(())
    }

    fn read_divisions(&mut self, raw: &RawData) -> anyhow::Result<()> {
        let files = [
            ("gazetteer/admin1CodesASCII.txt", Kind::Division1),
            ("gazetteer/admin2Codes.txt", Kind::Division2),
        ];
        for (file, kind) in files {
            for cells in raw.rows(file, '\t')? {
                let [code, name, ascii, geonameid] = cells.as_slice() else {
                    continue;
                };
                let Some(parent) =
                    self.nearest_division(code.rsplit_once('.').map_or("", |(above, _)| above))
                else {
                    continue;
                };
                let mut parts = code.split('.');
                let country = parts.next().unwrap_or_default().to_owned();
                let row = PlaceRow {
                    geonameid: geonameid.parse().unwrap_or(0),
                    name: name.clone(),
                    kind,
                    lat: 0.0,
                    lon: 0.0,
                    population: 0,
                    country,
                    division: parts.next().unwrap_or_default().to_owned(),
                    time_zone: String::new(),
                    parent: Some(parent),
                };
                let position = self.push(row, vec![ascii.clone()]);
                self.divisions.insert(code.clone(), position);
            }
        }
        Ok(())
    }

    /// The division of this dotted code, or the next larger one that is known.
    fn nearest_division(&self, code: &str) -> Option<u32> {
        let mut code = code;
        loop {
            if let Some(&position) = self.divisions.get(code) {
                return Some(position);
            }
            code = code.rsplit_once('.')?.0;
        }
    }

    fn read_cities(&mut self, raw: &RawData) -> anyhow::Result<()> {
        let mut details: HashMap<u32, (String, String)> = HashMap::new();
        for cells in raw.rows("gazetteer/cities1000_2020-03.txt", '\t')? {
            if let (Some(Ok(id)), Some(feature), Some(county)) = (
                cells.first().map(|id| id.parse()),
                cells.get(7),
                cells.get(11),
            ) {
                details.insert(id, (feature.clone(), county.clone()));
            }
        }
        let mut counties = HashMap::new();
        for city in raw.city_counties()? {
            let (lat, lon) = (
                city.lat.parse().unwrap_or(0.0),
                city.lng.parse().unwrap_or(0.0),
            );
            counties.insert((city.country, city.name, grid(lat), grid(lon)), city.admin2);
        }
        for city in raw.cities()? {
            let (feature, county) = details.get(&city.geonameid).cloned().unwrap_or_default();
            if NO_CITY.contains(&feature.as_str()) || WRONG_POPULATION.contains(&city.geonameid) {
                continue;
            }
            let key = (
                city.countrycode.clone(),
                city.name.clone(),
                grid(city.latitude),
                grid(city.longitude),
            );
            let county = if county.is_empty() {
                counties.get(&key).cloned().unwrap_or_default()
            } else {
                county
            };
            self.push_city(city, &county);
        }
        Ok(())
    }

    fn push_city(&mut self, city: RawCity, county: &str) {
        let code = format!("{}.{}.{county}", city.countrycode, city.admin1code);
        let parent = self.nearest_division(&code);
        let aliases = aliases(&city);
        let row = PlaceRow {
            geonameid: city.geonameid,
            name: city.name,
            kind: Kind::City,
            lat: city.latitude,
            lon: city.longitude,
            population: city.population,
            country: city.countrycode,
            division: city.admin1code,
            time_zone: city.timezone,
            parent,
        };
        self.push(row, aliases);
    }

    fn apply_hand_names(&mut self) -> anyhow::Result<()> {
        let mut by_id: HashMap<u32, usize> = HashMap::new();
        for (position, row) in self.rows.iter().enumerate() {
            // GeoNames gives some city-states one identifier at two levels;
            // the first, larger one has the name by which it is looked up.
            by_id.entry(row.geonameid).or_insert(position);
        }
        for line in HAND_NAMES
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            let mut cells = line.split('\t');
            let geonameid: u32 = cells.next().unwrap_or_default().parse()?;
            let position = *by_id
                .get(&geonameid)
                .ok_or_else(|| anyhow::anyhow!("no place for the hand-written names `{line}`"))?;
            if let Some(usual) = cells.next().filter(|usual| !usual.is_empty()) {
                let official = std::mem::replace(&mut self.rows[position].name, usual.to_owned());
                self.aliases[position].push(official);
            }
            self.aliases[position].extend(cells.map(str::to_owned));
        }
        Ok(())
    }

    /// Gives divisions the sum of their cities' people, and divisions and
    /// countries the mean of their cities' coordinates.
    fn fill_in_divisions(&mut self) {
        let mut sums: BTreeMap<u32, Sum> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.kind == Kind::City) {
            let mut above = row.parent;
            while let Some(position) = above {
                sums.entry(position).or_default().add(row);
                above = self.rows[position as usize].parent;
            }
        }
        // Parents come before their children here, so a division without
        // cities can take what its parent has just been given.
        for position in 0..self.rows.len() {
            let row = &self.rows[position];
            if row.kind == Kind::City {
                continue;
            }
            let own = u32::try_from(position)
                .ok()
                .and_then(|position| sums.get(&position));
            let above = row.parent.map(|parent| &self.rows[parent as usize]);
            let (lat, lon) = own
                .map(Sum::mean)
                .or(above.map(|row| (row.lat, row.lon)))
                .unwrap_or_default();
            let row = &mut self.rows[position];
            (row.lat, row.lon) = (lat, lon);
            if row.kind != Kind::Country {
                row.population = own.map_or(0, |sum| sum.people);
            }
        }
    }

    fn sorted(self) -> Places {
        let rank = |position: &u32| {
            let row = &self.rows[*position as usize];
            (
                std::cmp::Reverse(row.population),
                row.kind,
                row.geonameid,
                row.name.clone(),
            )
        };
        let mut order: Vec<u32> = (0..).take(self.rows.len()).collect();
        order.sort_by_cached_key(rank);
        let mut moved = vec![0; order.len()];
        for (to, &from) in (0..).zip(&order) {
            moved[from as usize] = to;
        }
        let mut sorted = Places::default();
        for from in order {
            let mut row = self.rows[from as usize].clone();
            row.parent = row.parent.map(|parent| moved[parent as usize]);
            sorted.push(row, self.aliases[from as usize].clone());
        }
        sorted
    }
}

/// Coordinates as a whole number, to compare two files' roundings.
#[expect(
    clippy::cast_possible_truncation,
    reason = "degrees times 1,000 fit an i32"
)]
fn grid(degrees: f64) -> i32 {
    (degrees * 1_000.0).round() as i32
}

/// The alternate names worth looking up.
///
/// US cities keep none: what GeoNames lists there are former names
/// (Terminus, Franklin, Milford) that name other cities today; their real
/// aliases are written by hand. Elsewhere we drop names without Latin
/// letters, short codes (IATA), and transliterations from other scripts,
/// which GeoNames writes without capitals.
fn aliases(city: &RawCity) -> Vec<String> {
    if city.countrycode == "US" {
        return Vec::new();
    }
    let own = normalise(&city.name);
    let latin = |name: &&String| {
        name.chars().all(|c| {
            !c.is_alphabetic() || u32::from(c) < 0x250 || (0x1E00..0x1F00).contains(&u32::from(c))
        })
    };
    let capital = |name: &&String| name.chars().any(char::is_uppercase);
    let long =
        |name: &&String| name.chars().filter(|c| c.is_alphabetic()).count() > 3 && name.len() < 60;
    let names = city
        .alternatenames
        .iter()
        .filter(latin)
        .filter(capital)
        .filter(long);
    names
        .filter(|name| normalise(name) != own)
        .cloned()
        .collect()
}

/// Mean of points on the sphere, weighted by people: right across the date line too.
#[derive(Default)]
struct Sum {
    people: u32,
    vector: [f64; 3],
}

impl Sum {
    fn add(&mut self, city: &PlaceRow) {
        let weight = f64::from(city.population.max(1));
        let (lat, lon) = (city.lat.to_radians(), city.lon.to_radians());
        let point = [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()];
        for (sum, part) in self.vector.iter_mut().zip(point) {
            *sum += weight * part;
        }
        self.people = self.people.saturating_add(city.population);
    }

    fn mean(&self) -> (f64, f64) {
        let [x, y, z] = self.vector;
        (z.atan2(x.hypot(y)).to_degrees(), y.atan2(x).to_degrees())
    }
}
