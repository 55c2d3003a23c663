//! Joins WordNet's geographic synsets to places.
//!
//! A synset says what it is an instance of, what it is part of, and has a
//! gloss that names places around it. A place of one of its names is meant
//! when it is of a fitting kind and lies where the synset says. What no place
//! fits becomes one: a region, a ruin, a mountain, in what the synset is part
//! of. What is nowhere on the globe, or says nothing about where, is listed.

mod kinds;
mod setting;

use super::places::{OtherNames, Places, blank};
use super::raw::RawData;
use super::wordnet::{self, Synset};
use kinds::{Class, class, is_mythical};
use place::gazetteer::{Kind, Role};
use place::names::normalise;
use place::pack::PlaceRow;
use setting::Setting;
use std::collections::{HashMap, HashSet};

/// Bearers of every name.
type Index = HashMap<String, Vec<(u32, Role)>>;

/// A synset that became no place, and why.
pub(super) struct Unplaced {
    pub(super) offset: u32,
    pub(super) name: String,
    pub(super) reason: &'static str,
}

/// How many synsets found a place, how many became one, and the rest.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) n_found: usize,
    pub(super) n_made: usize,
    pub(super) unplaced: Vec<Unplaced>,
}

/// Cities below this size need something that speaks for them.
const KNOWN_CITY: u32 = 100_000;

/// Joins all synsets.
pub(super) fn join(
    raw: &RawData,
    common_nouns: &HashSet<String>,
    places: &mut Places,
) -> anyhow::Result<Joined> {
    let synsets = wordnet::synsets(raw)?;
    let index = places.index();
    let by_offset = (0..synsets.len())
        .map(|idx| (synsets[idx].offset, idx))
        .collect();
    let mut joiner = Joiner {
        synsets: &synsets,
        by_offset,
        common_nouns,
        places,
        index,
        state: vec![State::Open; synsets.len()],
        joined: Joined::default(),
    };
    for idx in 0..synsets.len() {
        joiner.join(idx);
    }
    let mut joined = joiner.joined;
    joined.unplaced.sort_by_key(|unplaced| unplaced.offset);
    Ok(joined)
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    /// Its holonyms are being joined: parts that contain each other end here.
    Waiting,
    At(u32),
    Nowhere,
}

struct Joiner<'w> {
    synsets: &'w [Synset],
    by_offset: HashMap<u32, usize>,
    common_nouns: &'w HashSet<String>,
    places: &'w mut Places,
    index: Index,
    state: Vec<State>,
    joined: Joined,
}

impl Joiner<'_> {
    /// The place of a synset; what it is part of is joined before it.
    fn join(&mut self, idx: usize) -> Option<u32> {
        match self.state[idx] {
            State::At(position) => return Some(position),
            State::Nowhere | State::Waiting => return None,
            State::Open => self.state[idx] = State::Waiting,
        }
        let synset = &self.synsets[idx];
        let holonyms: Vec<u32> = synset
            .holonyms
            .iter()
            .filter_map(|offset| {
                let holonym = *self.by_offset.get(offset)?;
                self.join(holonym)
            })
            .collect();
        match self.place(synset, &holonyms) {
            Ok(position) => {
                self.link(position, synset.offset, &holonyms);
                self.state[idx] = State::At(position);
                Some(position)
            }
            Err(reason) => {
                self.state[idx] = State::Nowhere;
                self.joined.unplaced.push(Unplaced {
                    offset: synset.offset,
                    name: synset.lemmas.first().cloned().unwrap_or_default(),
                    reason,
                });
                None
            }
        }
    }

    fn place(&mut self, synset: &Synset, holonyms: &[u32]) -> Result<u32, &'static str> {
        let class = class(synset)?;
        let setting = Setting::new(self.places, &self.index, synset, holonyms);
        if let Some(position) = self.best(synset, &class, &setting) {
            self.joined.n_found += 1;
            self.add_names(position, synset);
            return Ok(position);
        }
        let position = self.make(synset, &class, &setting)?;
        self.joined.n_made += 1;
        Ok(position)
    }

    /// The known place that a synset means.
    fn best(&self, synset: &Synset, class: &Class, setting: &Setting) -> Option<u32> {
        let mut candidates: HashMap<u32, Rank> = HashMap::new();
        for (lemma_idx, lemma) in synset.lemmas.iter().enumerate() {
            for &(position, role) in self.index.get(&normalise(lemma)).into_iter().flatten() {
                if role > Role::Alias {
                    continue;
                }
                let usual = role == Role::Name && lemma_idx == 0;
                if let Some(rank) = candidates.get_mut(&position) {
                    rank.n_lemmas += 1;
                    rank.usual |= usual;
                } else if let Some(rank) = self.rank(class, setting, position) {
                    candidates.insert(position, Rank { usual, ..rank });
                }
            }
        }
        let best = candidates.into_iter().max_by_key(|(_, rank)| *rank);
        best.map(|(position, _)| position)
    }

    /// How well a place fits; none where it does not.
    fn rank(&self, class: &Class, setting: &Setting, position: u32) -> Option<Rank> {
        let row = self.places.row(position);
        let n_kind = class.accepts.iter().position(|&kind| kind == row.kind)?;
        let nearness = setting.nearness(self.places, class.accepts[0], position)?;
        let unsure = nearness == 0 && row.kind == Kind::City && row.population < KNOWN_CITY;
        (!unsure).then_some(Rank {
            nearness,
            kind: std::cmp::Reverse(n_kind),
            n_lemmas: 1,
            usual: false,
            population: row.population,
            first: std::cmp::Reverse(position),
        })
    }

    /// A new place where the synset says.
    fn make(
        &mut self,
        synset: &Synset,
        class: &Class,
        setting: &Setting,
    ) -> Result<u32, &'static str> {
        if is_mythical(synset) {
            return Err("no place on the globe");
        }
        let (lat, lon) = setting
            .middle(self.places)
            .ok_or("nothing says where it is")?;
        let parent = setting.parent(self.places, class.makes);
        let around = parent.map(|parent| self.places.row(parent));
        let name = self.new_name(synset)?;
        let row = PlaceRow {
            name: name.clone(),
            lat,
            lon,
            country: around.map_or_else(String::new, |row| row.country.clone()),
            division: around.map_or_else(String::new, |row| row.division.clone()),
            parent,
            ..blank(class.makes)
        };
        let position = self.places.push(row, OtherNames::default());
        let key = normalise(&name);
        self.index
            .entry(key)
            .or_default()
            .push((position, Role::Name));
        self.add_names(position, synset);
        Ok(position)
    }

    /// The first lemma that means nothing else: `Yellowstone River`.
    fn new_name(&self, synset: &Synset) -> Result<String, &'static str> {
        let lemmas = || synset.lemmas.iter().filter(|lemma| !self.is_common(lemma));
        let free = lemmas().find(|lemma| !self.is_taken(&normalise(lemma), KNOWN_CITY));
        let usual = free.or_else(|| lemmas().next());
        let name = usual.ok_or("its name is a common noun")?;
        // An ancient Memphis is one beside others, another Colorado is not.
        if self.is_taken(&normalise(name), u32::MAX) {
            return Err("its only name is that of a country or state");
        }
        Ok(name.clone())
    }

    /// Lemmas become aliases, capitals become abbreviations.
    fn add_names(&mut self, position: u32, synset: &Synset) {
        let own = normalise(&self.places.row(position).name);
        for lemma in &synset.lemmas {
            let normal = normalise(lemma);
            let letters: Vec<char> = lemma.chars().filter(|c| c.is_alphabetic()).collect();
            if normal == own || !lemma.starts_with(char::is_uppercase) {
                continue;
            }
            let names = &mut self.places.names[position as usize];
            let short = letters.iter().all(|c| c.is_uppercase()) || lemma.ends_with('.');
            if letters.len() < 6 && short {
                if !names.abbreviations.contains(lemma) {
                    names.abbreviations.push(lemma.clone());
                }
            } else if letters.len() > 2
                && !names.aliases.iter().any(|known| normalise(known) == normal)
                && !self.is_common(lemma)
                && !self.is_taken(&normal, KNOWN_CITY)
            {
                self.places.names[position as usize]
                    .aliases
                    .push(lemma.clone());
            }
        }
    }

    /// `Milk` is no good name of a river, `man` none of an island.
    fn is_common(&self, lemma: &str) -> bool {
        !lemma.starts_with(char::is_uppercase) || self.common_nouns.contains(&lemma.to_lowercase())
    }

    /// Whether a country, a state or a city of so many people has this name.
    fn is_taken(&self, normal: &str, min_city: u32) -> bool {
        let bearers = self.index.get(normal).map_or(&[][..], Vec::as_slice);
        bearers.iter().any(|&(position, role)| {
            let row = self.places.row(position);
            role <= Role::Alias
                && (row.kind <= Kind::Division1
                    || (row.kind == Kind::City && row.population >= min_city))
        })
    }

    fn link(&mut self, position: u32, offset: u32, holonyms: &[u32]) {
        let row = &mut self.places.rows[position as usize];
        row.synset.get_or_insert(offset);
        let chain: Vec<u32> = self.places.chain(position).collect();
        for &holonym in holonyms {
            if !chain.contains(&holonym) {
                let parts = self.places.part_of.entry(position).or_default();
                if !parts.contains(&holonym) {
                    parts.push(holonym);
                }
            }
        }
    }
}

/// What makes one candidate better than another, most important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    nearness: u8,
    kind: std::cmp::Reverse<usize>,
    n_lemmas: u8,
    usual: bool,
    population: u32,
    first: std::cmp::Reverse<u32>,
}
