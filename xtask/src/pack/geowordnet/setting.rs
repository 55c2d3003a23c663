//! What a synset says about where it is: its holonyms and its gloss.

use super::super::near::km;
use super::super::places::Places;
use super::super::wordnet::Synset;
use super::{Index, KNOWN_CITY};
use place::gazetteer::{Kind, Role};
use place::names::normalise;

/// Names in glosses have up to this many words.
const MAX_WORDS: usize = 4;

/// What is said to be part of a region without borders lies at most this far off.
const MAX_KM: f64 = 3_000.0;

/// What is part of a city lies this near to its middle.
const CITY_KM: f64 = 60.0;

/// Places around a synset.
pub(super) struct Setting {
    /// What it is part of.
    holonyms: Vec<u32>,
    /// Countries and states that its gloss names.
    named: Vec<u32>,
    /// Cities that its gloss names, in one of these.
    cities: Vec<u32>,
}

impl Setting {
    pub(super) fn new(
        places: &Places,
        index: &Index,
        synset: &Synset,
        holonyms: &[u32],
    ) -> Setting {
        let mut setting = Setting {
            holonyms: holonyms.to_vec(),
            named: Vec::new(),
            cities: Vec::new(),
        };
        let own: Vec<String> = synset.lemmas.iter().map(|lemma| normalise(lemma)).collect();
        for name in names(&synset.gloss) {
            let normal = normalise(&name);
            if own.contains(&normal) {
                continue;
            }
            let bearers = index.get(&normal).map_or(&[][..], Vec::as_slice);
            setting.named.extend(named(places, bearers));
            setting.cities.extend(largest_city(places, bearers));
        }
        let Setting {
            holonyms, named, ..
        } = &setting;
        let around: Vec<u32> = if holonyms.is_empty() { named } else { holonyms }.clone();
        setting.cities.retain(|&city| {
            around.is_empty() || around.iter().any(|&one| inside(places, city, one))
        });
        setting
    }

    /// How well a place lies where the synset says: none where it does not.
    pub(super) fn nearness(&self, places: &Places, wanted: Kind, position: u32) -> Option<u8> {
        let row = places.row(position);
        if row.kind <= Kind::Country {
            // Countries have names of their own; but `Georgia` is also a state.
            return Some(if wanted <= Kind::Country { 4 } else { 1 });
        }
        let lies_in = |around: &[u32]| around.iter().any(|&one| inside(places, position, one));
        let borders = self.holonyms.iter().any(|&one| {
            places.row(one).kind <= Kind::City && places.row(one).kind != Kind::Continent
        });
        if !self.holonyms.is_empty() && lies_in(&self.holonyms) {
            return Some(3);
        }
        if self
            .holonyms
            .iter()
            .any(|&one| touches(places, position, one))
        {
            return Some(2);
        }
        if borders && !row.country.is_empty() {
            return self.lies_beyond_a_border(places, position).then_some(1);
        }
        if lies_in(&self.named) {
            return Some(2);
        }
        if self.named.is_empty() || row.country.is_empty() {
            return Some(u8::from(row.country.is_empty()));
        }
        // A feature of the globe may be named beside any country.
        (row.kind > Kind::Section).then_some(0)
    }

    /// Borders have moved since WordNet was written: the West Bank, Mariehamn.
    fn lies_beyond_a_border(&self, places: &Places, position: u32) -> bool {
        let row = places.row(position);
        let max_km = match row.kind {
            Kind::City => 1_500.0,
            Kind::Division1 => 300.0,
            _ => return false,
        };
        self.holonyms.iter().any(|&one| {
            let other = places.row(one);
            other.kind == Kind::Country && km((row.lat, row.lon), (other.lat, other.lon)) < max_km
        })
    }

    /// Where it is, as far as its surroundings tell.
    pub(super) fn middle(&self, places: &Places) -> Option<(f64, f64)> {
        let finest = |around: &[u32]| {
            let kind = around.iter().map(|&one| places.row(one).kind).max()?;
            let finest = around.iter().filter(|&&one| places.row(one).kind == kind);
            mean(places, finest.copied())
        };
        let states: Vec<u32> = self
            .named
            .iter()
            .copied()
            .filter(|&one| {
                self.holonyms
                    .iter()
                    .any(|&around| inside(places, one, around))
            })
            .collect();
        finest(&self.cities)
            .or_else(|| finest(&states))
            .or_else(|| finest(&self.holonyms))
            .or_else(|| finest(&self.named))
    }

    /// The smallest place around all that it is part of, of a larger kind.
    pub(super) fn parent(&self, places: &Places, kind: Kind) -> Option<u32> {
        let around = if self.holonyms.is_empty() {
            &self.named
        } else {
            &self.holonyms
        };
        let (first, others) = around.split_first()?;
        let holds_all = |&candidate: &u32| {
            others
                .iter()
                .all(|&other| places.chain(other).any(|above| above == candidate))
        };
        places
            .chain(*first)
            .filter(|&above| places.row(above).kind < kind)
            .find(holds_all)
    }
}

/// Countries and states that a name means: `Georgia` both, `Mexican` one.
fn named(places: &Places, bearers: &[(u32, Role)]) -> Vec<u32> {
    let known = bearers
        .iter()
        .filter(|&&(position, role)| match places.row(position).kind {
            Kind::Country => role != Role::Abbreviation,
            Kind::Division1 => role == Role::Name,
            _ => false,
        });
    known.map(|&(position, _)| position).collect()
}

/// The most populous city of a name, where no country or state has it.
fn largest_city(places: &Places, bearers: &[(u32, Role)]) -> Option<u32> {
    if !named(places, bearers).is_empty() {
        return None;
    }
    let cities = bearers.iter().filter(|&&(position, role)| {
        let row = places.row(position);
        role <= Role::Alias && row.kind == Kind::City && row.population >= KNOWN_CITY
    });
    cities
        .map(|&(position, _)| position)
        .max_by_key(|&position| places.row(position).population)
}

/// Whether a place lies in another, or near one that has no borders.
fn inside(places: &Places, position: u32, around: u32) -> bool {
    if places.chain(position).any(|above| above == around) {
        return true;
    }
    let (row, other) = (places.row(position), places.row(around));
    let near = |max_km: f64| km((row.lat, row.lon), (other.lat, other.lon)) < max_km;
    match other.kind {
        Kind::Country => row.country == other.country,
        // Boroughs are cities of their own here.
        Kind::City => row.division == other.division && near(CITY_KM),
        Kind::Division1 | Kind::Division2 | Kind::Section => false,
        Kind::Continent => row.parent.is_none(),
        _ => near(MAX_KM),
    }
}

/// Whether a feature of the globe may belong to a place: rivers and ranges do
/// not end at the borders by which they are filed.
fn touches(places: &Places, position: u32, around: u32) -> bool {
    let (row, other) = (places.row(position), places.row(around));
    let max_km = match other.kind {
        Kind::Country => 1_500.0,
        Kind::Division1 => 600.0,
        _ => CITY_KM,
    };
    row.kind > Kind::Section && km((row.lat, row.lon), (other.lat, other.lon)) < max_km
}

#[expect(clippy::cast_precision_loss, reason = "a handful of places")]
fn mean(places: &Places, positions: impl Iterator<Item = u32>) -> Option<(f64, f64)> {
    let (mut lat, mut lon, mut n) = (0.0, 0.0, 0_usize);
    for position in positions {
        let row = places.row(position);
        lat += row.lat;
        lon += row.lon;
        n += 1;
    }
    (n > 0).then(|| (lat / n as f64, lon / n as f64))
}

/// Runs of capitalised words in a text, longest first at each place.
fn names(text: &str) -> Vec<String> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-' | '.'))
        .filter(|word| !word.is_empty())
        .collect();
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let mut names = Vec::new();
    for start in 0..words.len() {
        for n_words in (1..=MAX_WORDS).rev() {
            let Some(run) = words.get(start..start + n_words) else {
                continue;
            };
            let joins = |word: &&str| matches!(*word, "of" | "and" | "the");
            let ends = is_capital(run[0]) && is_capital(run[n_words - 1]);
            if ends && run.iter().all(|word| is_capital(word) || joins(word)) {
                names.push(run.join(" ").trim_end_matches('.').to_owned());
            }
        }
    }
    names
}
