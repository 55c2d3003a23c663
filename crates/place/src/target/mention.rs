//! Finds targets' names in URLs and text.
//!
//! Both are reduced to their letters, with the places remembered where a word
//! begins or ends; a name is reduced to its letters too, with its *joints*,
//! the places where its own words meet. A name occurs where the letters are
//! the same and no word ends between them except at a joint, so `new-york`,
//! `New York` and `newyork` are one. Names are looked up by their first three
//! letters; a URL costs about as much as reading it. The letters are
//! `letters.rs`.
//!
//! A city's name alone means the most populous city of that name, as in the
//! 2006 paper. Where that one is no target, the name is *contested*: it says
//! something only to those who weigh it against what else a text names.
//!
//! Beside the targets' names stand *blockers*: names of other places that
//! contain one (Darlington, Glendale Heights; Portland with Maine, Paris with
//! France). They are found like names, and what they cover names no target. States by
//! themselves are found in texts (`text.rs`), where they help to tell which
//! city of a name is meant. Which other names places have is `aliases.rs`.

use super::aliases::{Aliases, with_umlauts};
use super::letters::{Letters, Name, StateWords};
use super::text::{Sieve, code_number};
use super::{StateId, Target, TargetId};
use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};
use crate::names::normalise;
use std::collections::HashMap;
use std::ops::Range;

/// A target named in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The target; where no state is given, the most populous city of that name.
    pub target: TargetId,
    /// Byte range in the text, of the city and the state given with it.
    pub span: Range<usize>,
    /// Whether a state or country beside the name decided.
    pub with_state: bool,
}

/// Names that are words of the web itself count only with their state.
const NEED_STATE: [&str; 1] = ["mobile"];

/// Smaller places do not block: nobody's URL means Houston Acres.
const MIN_BLOCKER_POPULATION_US: u32 = 5_000;
const MIN_BLOCKER_POPULATION: u32 = 50_000;

const LEAST_STATE_LETTERS: usize = 4;

/// Shorter aliases are not looked for inside words: `coloniale` is not Cologne.
const LEAST_ALIAS_LETTERS_INSIDE_WORD: usize = 8;

const N_LETTERS: usize = 26;
const N_HEADS: usize = N_LETTERS * N_LETTERS * N_LETTERS;

/// All names, ready to be found.
#[derive(Debug)]
pub(super) struct Finder {
    /// Sorted by their first three letters, then longest first.
    names: Vec<Name>,
    /// Names with head h lie at `heads[h]..heads[h + 1]`.
    heads: Vec<u32>,
    /// Two letters, looked for in text only: LA, SF.
    pub(super) short: Vec<Name>,
    /// What tells quickly that a word of a text begins none of them.
    pub(super) sieve: Sieve,
    /// States by their two letters.
    pub(super) codes: Vec<Option<StateId>>,
    /// The states of the targets' countries.
    pub(super) states: Vec<PlaceId>,
}

impl Finder {
    pub(super) fn new(gazetteer: &Gazetteer, targets: &[Target]) -> Finder {
        let states = states_around(gazetteer, targets);
        let sought = || targets.iter().filter(|target| target.is_sought);
        let cities = sought().map(|target| target.place);
        let countries = sought().flat_map(|target| {
            let above = gazetteer.chain(target.place);
            above.filter(|&above| gazetteer.kind(above) == Kind::Country)
        });
        let foreign = cities.chain(states.iter().copied()).chain(countries);
        let foreign = foreign.filter(|&place| gazetteer.country(place) != "US");
        let mut builder = Builder {
            gazetteer,
            names: HashMap::new(),
            aliases: Aliases::of(gazetteer, foreign),
            states,
        };
        // Most populous first: a name that is taken stays taken.
        let mut order: Vec<(PlaceId, TargetId)> = (0..)
            .map(TargetId)
            .zip(targets)
            .filter(|(_, target)| target.is_sought)
            .map(|(id, target)| (target.place, id))
            .collect();
        order.sort_unstable();
        for &(_, id) in &order {
            builder.add_target(id, &targets[id.0 as usize]);
        }
        // Behind all usual names, which are worth more.
        for &(_, id) in &order {
            builder.add_aliases(id, &targets[id.0 as usize]);
        }
        for target in sought() {
            builder.block_homonyms(target);
        }
        let finder = Finder::sorted(builder.names.values().cloned().collect());
        builder.block_longer_names(&finder);
        builder.add_states();
        let finder = Finder::sorted(builder.names.into_values().collect());
        Finder {
            codes: codes(gazetteer, &builder.states),
            states: builder.states,
            ..finder
        }
    }

    fn sorted(names: Vec<Name>) -> Finder {
        let sieve = Sieve::new(names.iter());
        let (mut names, mut short): (Vec<Name>, Vec<Name>) =
            names.into_iter().partition(|name| name.letters.len() >= 3);
        let order = |a: &Name, b: &Name| {
            let key = |name: &Name| (head(&name.letters), std::cmp::Reverse(name.letters.len()));
            key(a).cmp(&key(b)).then_with(|| a.letters.cmp(&b.letters))
        };
        names.sort_by(order);
        short.sort_by(|a, b| a.letters.cmp(&b.letters));
        let mut heads = vec![0; N_HEADS + 1];
        for name in &names {
            heads[head(&name.letters) + 1] += 1;
        }
        for idx in 1..heads.len() {
            heads[idx] += heads[idx - 1];
        }
        Finder {
            names,
            heads,
            short,
            sieve,
            codes: Vec::new(),
            states: Vec::new(),
        }
    }

    pub(super) fn find_in_url(&self, url: &str) -> Option<TargetId> {
        let mut letters = Letters::default();
        letters.read_url(url.as_bytes());
        let mut best: (usize, Option<TargetId>) = (0, None);
        for name in self.in_url(&letters, url) {
            let len = name.letters.len();
            if name.means().is_some() && len > best.0 {
                best = (len, name.means());
            }
        }
        best.1
    }

    pub(super) fn find_all_in_url(&self, url: &str) -> Vec<TargetId> {
        let mut letters = Letters::default();
        letters.read_url(url.as_bytes());
        let mut found: Vec<(usize, TargetId)> = self
            .in_url(&letters, url)
            .filter_map(|name| Some((name.letters.len(), name.means()?)))
            .collect();
        // Stable: of names of one length the first stays the first.
        found.sort_by_key(|&(len, _)| std::cmp::Reverse(len));
        let mut targets: Vec<TargetId> = Vec::new();
        for (_, target) in found {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        targets
    }

    /// Length of the longest valid name, blockers included, and whether any is a target's.
    fn longest_in(&self, letters: &Letters, url: &str) -> (usize, bool) {
        let mut is_any = false;
        let mut longest = 0;
        for name in self.in_url(letters, url) {
            longest = longest.max(name.letters.len());
            is_any |= name.target.is_some();
        }
        (longest, is_any)
    }

    /// The names in a URL, one behind the other.
    fn in_url<'f>(&'f self, letters: &'f Letters, url: &'f str) -> impl Iterator<Item = &'f Name> {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at + 3 <= letters.bytes.len() {
                let mut names = self.names_at(letters, at).filter(|name| !name.is_state());
                match names.find(|name| letters.holds_in_url(name, at, url)) {
                    Some(name) => {
                        at += name.letters.len();
                        return Some(name);
                    }
                    None => at += 1,
                }
            }
            None
        })
    }

    /// Names with the same first three letters, longest first.
    pub(super) fn names_with_head(&self, letters: &[u8]) -> &[Name] {
        if letters.len() < 3 {
            return &[];
        }
        let head = head(letters);
        &self.names[self.heads[head] as usize..self.heads[head + 1] as usize]
    }

    /// Names whose letters stand at a position, longest first.
    pub(super) fn names_at<'f, 'l>(
        &'f self,
        letters: &'l Letters,
        at: usize,
    ) -> impl Iterator<Item = &'f Name> + use<'f, 'l> {
        let rest = &letters.bytes[at..];
        self.names_with_head(rest)
            .iter()
            .filter(move |name| rest.starts_with(&name.letters))
    }
}

/// Number of the first three letters.
pub(super) fn head(letters: &[u8]) -> usize {
    let digit = |idx: usize| usize::from(letters[idx] - b'a');
    (digit(0) * N_LETTERS + digit(1)) * N_LETTERS + digit(2)
}

struct Builder<'g> {
    gazetteer: &'g Gazetteer,
    names: HashMap<Box<[u8]>, Name>,
    /// Of targets and their states outside the US.
    aliases: Aliases,
    states: Vec<PlaceId>,
}

/// What a name means.
#[derive(Clone, Copy, Default)]
struct Sense {
    /// Nothing for a blocker or a state.
    target: Option<TargetId>,
    state: Option<StateId>,
    with_state: Option<StateWords>,
    is_contested: bool,
    whole_words: bool,
}

/// A state as names of cities are written with it.
struct State {
    id: Option<StateId>,
    names: Vec<String>,
    /// Two letters, in the US.
    code: Option<String>,
}

impl Builder<'_> {
    fn add_target(&mut self, id: TargetId, target: &Target) {
        let state = self.state_of(target.place);
        let countries = self.telling_countries(target);
        let city = Sense {
            target: Some(id),
            is_contested: is_contested(self.gazetteer, target),
            ..Sense::default()
        };
        for name in city_names(self.gazetteer, target) {
            if !NEED_STATE.contains(&name.as_str()) {
                self.add(&[&name], city);
            }
            self.add_with_state(&name, &state, Some(id));
            self.add_with_country(&name, &countries, Some(id));
        }
    }

    fn add_aliases(&mut self, id: TargetId, target: &Target) {
        let state = self.state_of(target.place);
        let countries = self.telling_countries(target);
        for alias in self.aliases.get(target.place).to_vec() {
            for name in spellings(&alias) {
                let city = Sense {
                    target: Some(id),
                    whole_words: name.len() < LEAST_ALIAS_LETTERS_INSIDE_WORD,
                    ..Sense::default()
                };
                self.add(&[&name], city);
                self.add_with_state(&name, &state, Some(id));
                self.add_with_country(&name, &countries, Some(id));
            }
        }
    }

    /// Names of a target's country, if they say which city is meant: outside
    /// the US, where states say it, and where the bare name does not.
    fn telling_countries(&self, target: &Target) -> Vec<String> {
        let place = self.gazetteer.place(target.place);
        let says_more = place.country != "US" || is_contested(self.gazetteer, target);
        let is_largest = || {
            !larger_namesakes(self.gazetteer, target)
                .any(|id| self.gazetteer.country(id) == place.country)
        };
        match says_more && is_largest() {
            true => self.names_of_country(target.place),
            false => Vec::new(),
        }
    }

    /// Its usual name first; `usa`, but not `us`.
    fn names_of_country(&self, city: PlaceId) -> Vec<String> {
        let mut above = self.gazetteer.chain(city);
        let Some(country) = above.find(|&above| self.gazetteer.kind(above) == Kind::Country) else {
            return Vec::new();
        };
        let mut names = vec![normalise(self.gazetteer.place(country).name)];
        names.extend_from_slice(self.aliases.get(country));
        let abbreviations = self.gazetteer.abbreviations();
        let abbreviations = abbreviations.filter(|&(_, place)| place == country);
        let abbreviations = abbreviations.map(|(text, _)| normalise(text));
        names.extend(abbreviations.filter(|name| name.len() > 2 || name == "uk"));
        names.sort();
        names.dedup();
        names
    }

    fn add_with_country(&mut self, city: &str, countries: &[String], target: Option<TargetId>) {
        let sense = Sense {
            target,
            with_state: Some(StateWords::Written),
            ..Sense::default()
        };
        for country in countries.iter().filter(|country| *country != city) {
            self.add(&[city, country], sense);
            self.add(&[country, city], sense);
        }
    }

    fn state_of(&self, id: PlaceId) -> State {
        let place = self.gazetteer.place(id);
        let mut above = self.gazetteer.chain(id);
        let division = above.find(|&above| self.gazetteer.kind(above) == Kind::Division1);
        let names = division.map(|division| self.names_of_state(division));
        State {
            id: division.and_then(|division| position(&self.states, division)),
            names: names.unwrap_or_default(),
            code: (place.country == "US").then(|| place.division.to_ascii_lowercase()),
        }
    }

    /// Its usual name first.
    fn names_of_state(&self, division: PlaceId) -> Vec<String> {
        let mut names = with_umlauts(self.gazetteer.place(division).name);
        names.extend_from_slice(self.aliases.get(division));
        names.retain(|name| !name.is_empty());
        names
    }

    fn add_with_state(&mut self, city: &str, state: &State, target: Option<TargetId>) {
        let State { id, names, code } = state;
        let sense = |words: StateWords| Sense {
            target,
            state: *id,
            with_state: Some(words),
            whole_words: words != StateWords::Written,
            ..Sense::default()
        };
        // `New York, New York` is the city, but `newyork` twice in a URL is no longer name of it.
        for name in names {
            self.add(&[city, name], sense(StateWords::Written));
            if name != city {
                self.add(&[name, city], sense(StateWords::Written));
            }
        }
        if let Some(code) = code {
            self.add(&[city, code], sense(StateWords::CodeLast));
            self.add(&[code, city], sense(StateWords::CodeFirst));
        }
    }

    /// States by themselves, where no city has the name: `New York` is one.
    fn add_states(&mut self) {
        for (state_idx, division) in self.states.clone().into_iter().enumerate() {
            let alone = Sense {
                state: Some(StateId(state_idx as u16)),
                ..Sense::default()
            };
            for name in self.names_of_state(division) {
                // Few letters are rather a word of some language than a state.
                if name.len() >= LEAST_STATE_LETTERS {
                    self.add(&[&name], alone);
                }
            }
        }
    }

    fn add(&mut self, parts: &[&str], sense: Sense) {
        let words = parts.iter().flat_map(|part| part.split(' '));
        let mut letters: Vec<u8> = Vec::new();
        let mut joints = 0_u64;
        for word in words {
            if letters.len() < 64 {
                joints |= 1 << letters.len();
            }
            letters.extend(word.bytes());
        }
        let plain = letters.iter().all(u8::is_ascii_lowercase);
        if !plain || letters.len() < 2 || letters.len() > 60 {
            return;
        }
        let letters: Box<[u8]> = letters.into();
        let name = Name {
            letters: letters.clone(),
            joints,
            target: sense.target,
            state: sense.state,
            with_state: sense.with_state,
            is_contested: sense.is_contested,
            whole_words: sense.whole_words,
        };
        self.names.entry(letters).or_insert(name);
    }

    /// Cities of the same name elsewhere, when their state or country is given.
    fn block_homonyms(&mut self, target: &Target) {
        let own_country = self.gazetteer.country(target.place);
        for id in self.gazetteer.find(&target.city) {
            let place = self.gazetteer.place(id);
            let least = match place.country {
                "US" => 0,
                country if country == own_country => MIN_BLOCKER_POPULATION_US,
                _ => MIN_BLOCKER_POPULATION,
            };
            if place.kind != Kind::City || id == target.place || place.population < least {
                continue;
            }
            let state = self.state_of(id);
            let countries = match place.country == own_country {
                true => Vec::new(),
                false => self.names_of_country(id),
            };
            for spelling in spellings(&normalise(&target.city)) {
                self.add_with_state(&spelling, &state, None);
                self.add_with_country(&spelling, &countries, None);
            }
        }
    }

    /// Other places in whose names a target's name would be found.
    fn block_longer_names(&mut self, finder: &Finder) {
        for place in self.gazetteer.all() {
            let min_population = if place.country == "US" {
                MIN_BLOCKER_POPULATION_US
            } else {
                MIN_BLOCKER_POPULATION
            };
            // Sorted by population, so nothing after this one is large enough.
            if place.population < MIN_BLOCKER_POPULATION_US {
                break;
            }
            if place.kind != Kind::City || place.population < min_population {
                continue;
            }
            for spelling in spellings(&normalise(place.name)) {
                let mut letters = Letters::default();
                letters.read_url(spelling.as_bytes());
                let (longest, holds_target) = finder.longest_in(&letters, &spelling);
                if holds_target && longest < letters.bytes.len() {
                    self.add(&[&spelling], Sense::default());
                }
            }
        }
    }
}

/// Whether the bare name means another city, a larger one.
fn is_contested(gazetteer: &Gazetteer, target: &Target) -> bool {
    // The paper's own cities have the names that its gazetteer gave them,
    // which knew the US: Birmingham is in Alabama.
    let counts = |id: PlaceId| target.share.is_none() || gazetteer.country(id) == "US";
    larger_namesakes(gazetteer, target).any(counts)
}

/// Cities of the same usual name with more people.
fn larger_namesakes<'g>(
    gazetteer: &'g Gazetteer,
    target: &Target,
) -> impl Iterator<Item = PlaceId> + use<'g> {
    let place = target.place;
    let names = [target.city.as_str(), gazetteer.place(place).name];
    let bearers = names.map(|name| gazetteer.bearers(name));
    let cities = bearers.into_iter().flatten();
    cities
        .filter(move |&(id, role)| id < place && role == Role::Name)
        .filter(|&(id, _)| gazetteer.kind(id) == Kind::City)
        .map(|(id, _)| id)
}

/// The first-level divisions of the targets' countries.
fn states_around(gazetteer: &Gazetteer, targets: &[Target]) -> Vec<PlaceId> {
    let country_of = |target: &Target| {
        let mut above = gazetteer.chain(target.place);
        above.find(|&above| gazetteer.kind(above) == Kind::Country)
    };
    let mut countries: Vec<PlaceId> = targets.iter().filter_map(country_of).collect();
    countries.sort_unstable();
    countries.dedup();
    let below = countries
        .iter()
        .flat_map(|&country| gazetteer.children(country));
    let mut states: Vec<PlaceId> = below
        .copied()
        .filter(|&id| gazetteer.kind(id) == Kind::Division1)
        .collect();
    states.truncate(usize::from(u16::MAX));
    states.sort_unstable();
    states
}

/// US states by their two letters.
fn codes(gazetteer: &Gazetteer, states: &[PlaceId]) -> Vec<Option<StateId>> {
    let mut codes = vec![None; N_LETTERS * N_LETTERS];
    for (state_idx, &id) in states.iter().enumerate() {
        let place = gazetteer.place(id);
        if let ("US", &[a @ b'A'..=b'Z', b @ b'A'..=b'Z']) =
            (place.country, place.division.as_bytes())
        {
            codes[code_number(a, b)] = Some(StateId(state_idx as u16));
        }
    }
    codes
}

/// The state that a division is.
pub(super) fn position(states: &[PlaceId], division: PlaceId) -> Option<StateId> {
    let state_idx = states.binary_search(&division).ok()?;
    Some(StateId(state_idx as u16))
}

/// Every way of writing a target's city, in normal form but also with `st`
/// for `saint` and `ue` for `ü`; outside the US without its aliases.
pub(crate) fn city_names(gazetteer: &Gazetteer, target: &Target) -> Vec<String> {
    let place = gazetteer.place(target.place);
    let mut names = with_umlauts(&target.city);
    names.extend(with_umlauts(place.name));
    if place.country == "US" {
        names.extend(us_aliases(target));
    }
    let mut names: Vec<String> = names.iter().flat_map(|name| spellings(name)).collect();
    names.sort();
    names.dedup();
    names
}

/// A normal form and its abbreviated twin: `saint paul`, `st paul`.
fn spellings(name: &str) -> Vec<String> {
    let mut spellings = vec![name.to_owned()];
    for (long, short) in [("saint ", "st "), ("fort ", "ft "), ("mount ", "mt ")] {
        if let Some(rest) = name.strip_prefix(long) {
            spellings.push(format!("{short}{rest}"));
        }
    }
    spellings
}

/// Other names of US cities that are safe in a URL.
fn us_aliases(target: &Target) -> Vec<String> {
    let aliases: &[&str] = match (target.city.as_str(), target.state.as_str()) {
        ("New York", "NY") => &["nyc", "new york city"],
        ("Los Angeles", "CA") => &["la"],
        ("San Francisco", "CA") => &["sf", "san fran"],
        ("Washington", "DC") => &["washington dc"],
        ("Philadelphia", "PA") => &["philly"],
        ("New Orleans", "LA") => &["nola"],
        ("Las Vegas", "NV") => &["vegas"],
        ("Oklahoma City", "OK") => &["okc"],
        ("Indianapolis", "IN") => &["indy"],
        ("Boise", "ID") => &["boise city"],
        ("Albuquerque", "NM") => &["abq"],
        _ => &[],
    };
    aliases.iter().map(|&alias| alias.to_owned()).collect()
}
