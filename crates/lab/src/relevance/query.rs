//! Queries, made from pages: somebody looks for what a page is about, where it is about.
//!
//! The words of a query are words of the page that mean its topic alone. Every
//! page of the collection is then graded for the query, not just that one.

use super::collection::{Collection, Fact, Spot, Words};
use super::grade::Wish;
use crate::world::Dice;
use page::html::Page;
use place::gazetteer::{Gazetteer, PlaceId};
use place::names::normalise;
use place::question::ambiguous;
use std::collections::{HashMap, HashSet};

/// How a query names its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    In,
    Plain,
    WithState,
    Point,
    Region,
    German,
    Shared,
}

impl Form {
    pub(super) const ALL: [Form; 7] = [
        Form::In,
        Form::Plain,
        Form::WithState,
        Form::Point,
        Form::Region,
        Form::German,
        Form::Shared,
    ];

    /// For tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Form::In => "topic in city",
            Form::Plain => "topic city",
            Form::WithState => "topic city, state",
            Form::Point => "topic near address or postcode",
            Form::Region => "topic in state",
            Form::German => "German topic and city",
            Form::Shared => "city of a shared name",
        }
    }
}

/// A query and what it is about.
#[derive(Debug, Clone)]
pub(super) struct Query {
    pub(super) form: Form,
    pub(super) text: String,
    pub(super) wish: Wish,
    /// What each page is worth; zero where it is not named.
    pub(super) grades: HashMap<Spot, u8>,
}

/// Other settlements of a name count from so many people on.
const LEAST_PEOPLE: u32 = 10_000;

/// A city of a shared name is meant if the collection has so many times as
/// many pages about it as about any other of the name.
const CLEARLY: usize = 5;

/// Of a thousand queries whose page has a name for its topic, those with that
/// name rather than with a thing.
const NAMED: u32 = 650;

/// Makes about `n` queries, as many of each form. A topic is asked for once in
/// a place, and with other words only if there are too few pages.
pub(super) fn queries(collection: &Collection, n: usize, seed: u64) -> Vec<Query> {
    let names = Names::new(collection);
    let n_wanted = n.div_ceil(Form::ALL.len());
    let mut all = Vec::new();
    for form in Form::ALL {
        let mut dice = Dice::new(&[seed, form as u64]);
        let mut seen = (HashSet::new(), HashSet::new());
        let mut of_form = Vec::new();
        for is_again in [false, true] {
            let mut facts: Vec<&Fact> = collection.facts.iter().collect();
            while !facts.is_empty() && of_form.len() < n_wanted {
                let fact = facts.swap_remove(dice.below(facts.len() as u64) as usize);
                let Some((text, wish)) = write(collection, &names, form, fact, &mut dice) else {
                    continue;
                };
                let is_new = seen.0.insert((wish.topic, wish.place));
                if seen.1.insert(text.clone()) && (is_new || is_again) {
                    of_form.push(Query {
                        form,
                        text,
                        grades: grades(&collection.facts, wish),
                        wish,
                    });
                }
            }
        }
        all.extend(of_form);
    }
    all
}

fn grades(facts: &[Fact], wish: Wish) -> HashMap<Spot, u8> {
    let mut grades = HashMap::new();
    for fact in facts {
        let grade = wish.grade(fact);
        if grade > 0 {
            let known: &mut u8 = grades.entry(fact.spot).or_default();
            *known = grade.max(*known);
        }
    }
    grades
}

/// Which cities share their names.
struct Names {
    /// Other settlements of a city's name, by normal form.
    bearers: HashMap<String, Vec<PlaceId>>,
    /// Pages about each city.
    n_pages: HashMap<PlaceId, usize>,
}

impl Names {
    fn new(collection: &Collection) -> Names {
        let mut n_pages: HashMap<PlaceId, usize> = HashMap::new();
        for city in collection.facts.iter().filter_map(|fact| fact.city) {
            *n_pages.entry(city).or_default() += 1;
        }
        let bearers = ambiguous(Gazetteer::built_in(), LEAST_PEOPLE);
        Names {
            bearers: bearers.into_iter().collect(),
            n_pages,
        }
    }

    fn n_pages(&self, city: PlaceId) -> usize {
        self.n_pages.get(&city).copied().unwrap_or(0)
    }

    fn rivals(&self, city: PlaceId) -> impl Iterator<Item = PlaceId> {
        let name = normalise(Gazetteer::built_in().place(city).name);
        let bearers = self.bearers.get(&name).into_iter().flatten();
        bearers.copied().filter(move |&other| other != city)
    }

    /// Whether the collection has clearly more about it than about its rivals.
    fn is_held(&self, city: PlaceId) -> bool {
        let n_pages = self.n_pages(city);
        self.rivals(city)
            .all(|rival| n_pages >= CLEARLY * self.n_pages(rival))
    }

    /// Whether anybody would take the name for this city.
    fn is_plain(&self, city: PlaceId) -> bool {
        let people = |city| Gazetteer::built_in().place(city).population;
        self.is_held(city) && self.rivals(city).all(|rival| people(rival) < people(city))
    }

    /// Whether only the collection tells which city is meant.
    fn is_shared(&self, city: PlaceId) -> bool {
        self.is_held(city) && !self.is_plain(city)
    }
}

/// A query whose answer a page is; none if the form does not suit the page.
fn write(
    collection: &Collection,
    names: &Names,
    form: Form,
    fact: &Fact,
    dice: &mut Dice,
) -> Option<(String, Wish)> {
    let (city, state) = (fact.city?, fact.state?);
    let language = if form == Form::German { "de" } else { "en" };
    let suits = match form {
        Form::In | Form::Plain | Form::German => names.is_plain(city),
        Form::Shared => names.is_shared(city),
        Form::Region => is_region(state),
        Form::WithState | Form::Point => true,
    };
    if !suits || fact.language != language {
        return None;
    }
    let topic = dice.pick(&fact.topics);
    let page = collection.read(fact)?;
    let word = word(collection.vocabulary.get(&(topic, language))?, &page, dice)?;
    let word = match form {
        Form::German => word.to_owned(),
        _ => word.to_lowercase(),
    };
    let place = match form {
        Form::Region => state,
        _ => city,
    };
    let wish = Wish {
        topic,
        language,
        place,
    };
    Some((phrase(form, &word, fact, &page, dice)?, wish))
}

/// A state that shares its name with a large city is one no reader could tell.
fn is_region(state: PlaceId) -> bool {
    let gazetteer = Gazetteer::built_in();
    let bearers = gazetteer.find(gazetteer.place(state).name);
    !bearers.into_iter().any(|other| {
        gazetteer.kind(other).is_settlement() && gazetteer.place(other).population >= 100_000
    })
}

/// A word of the page that means the topic.
fn word<'w>(words: &Words, page: &Page, dice: &mut Dice) -> Option<&'w str>
where
    'static: 'w,
{
    let text = format!(" {} {} ", page.title, page.text).to_lowercase();
    let is_there = |word: &&&'static str| {
        let word = word.to_lowercase();
        let mut found = text.match_indices(&word);
        found.any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            is_apart(before) && is_apart(after)
        })
    };
    let names: Vec<&str> = words.names.iter().filter(is_there).copied().collect();
    let things: Vec<&str> = words.things.iter().filter(is_there).copied().collect();
    let by_name = !names.is_empty() && (things.is_empty() || dice.chance(NAMED));
    let list = if by_name { names } else { things };
    (!list.is_empty()).then(|| dice.pick(&list))
}

fn phrase(form: Form, word: &str, fact: &Fact, page: &Page, dice: &mut Dice) -> Option<String> {
    let gazetteer = Gazetteer::built_in();
    let city = gazetteer.place(fact.city?);
    let state = gazetteer.place(fact.state?);
    let (name, code) = (city.name, state.division);
    let is_first = dice.chance(500);
    Some(match form {
        Form::In => format!("{word} in {name}"),
        Form::Plain if is_first => format!("{name} {word}").to_lowercase(),
        Form::Plain => format!("{word} {name}").to_lowercase(),
        Form::WithState if is_first => format!("{word} {name} {code}").to_lowercase(),
        Form::WithState => format!("{word} in {name}, {}", state.name),
        Form::Region => format!("{word} in {}", state.name),
        Form::German | Form::Shared if is_first => format!("{word} {name}"),
        Form::German | Form::Shared => format!("{word} in {name}"),
        Form::Point => {
            let mut own = fact.streets.iter().filter(|(id, _)| *id == city.geonameid);
            let street = own.next().map(|(_, street)| street.as_str());
            let code = postcode(&page.text, &format!("{name}, {code} "));
            let (first, second) = match is_first {
                true => (code, street),
                false => (street, code),
            };
            format!("{word} near {}", first.or(second)?)
        }
    })
}

/// The five digits behind a city and state.
fn postcode<'t>(text: &'t str, city: &str) -> Option<&'t str> {
    let ends = text.match_indices(city).map(|(at, _)| at + city.len());
    let mut codes = ends.filter_map(|end| text.get(end..end + 5));
    codes.find(|code| code.bytes().all(|byte| byte.is_ascii_digit()))
}
