//! The general directory whose regional pages are the seeds of a crawl.
//!
//! Built after the Open Directory's *Top/Regional/North_America/United_States*
//! and *Top/Regional/Europe/Germany*: states, their cities, and topics of a city, each with links to sites but
//! no addresses. Beside them stand topics of no place. Like the original it
//! lists only some of the sites there are.

use super::pen::Pen;
use super::{FRONT, prose};
use crate::world::geography::Country;
use crate::world::words::english::ENGLISH;
use crate::world::words::{N_TOPICS, TOPICS};
use crate::world::{Tag, World};

/// Pages of each topic of no place.
const PAGES_OF_TOPIC: u32 = 6;
/// Entries of a city's topic page at most.
const MAX_ENTRIES: usize = 60;
/// Businesses of a topic that make a page of their own worthwhile.
const MIN_SLOTS: u64 = 60;

const COUNTRIES: [Country; 2] = [Country::Us, Country::De];

fn region(country: Country) -> &'static str {
    match country {
        Country::Us => "/Regional/North_America/United_States/",
        Country::De => "/Regional/Europe/Germany/",
    }
}

/// What a page of the directory lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shelf {
    Front,
    Country(Country),
    State(usize),
    City(usize),
    CityTopic(usize, usize),
    Topic(usize, u32),
}

fn n_states(world: &World) -> u32 {
    world.geography.states.len() as u32
}

fn n_cities(world: &World) -> u32 {
    world.geography.cities.len() as u32
}

pub(crate) fn n_pages(world: &World) -> u32 {
    3 + n_states(world) + n_cities(world) * (1 + N_TOPICS as u32) + N_TOPICS as u32 * PAGES_OF_TOPIC
}

fn number(world: &World, shelf: Shelf) -> u32 {
    let states = 3;
    let cities = states + n_states(world);
    let city_topics = cities + n_cities(world);
    let topics = city_topics + n_cities(world) * N_TOPICS as u32;
    match shelf {
        Shelf::Front => FRONT,
        Shelf::Country(Country::Us) => 1,
        Shelf::Country(Country::De) => 2,
        Shelf::State(state) => states + state as u32,
        Shelf::City(city) => cities + city as u32,
        Shelf::CityTopic(city, topic) => city_topics + (city * N_TOPICS + topic) as u32,
        Shelf::Topic(topic, nth) => topics + topic as u32 * PAGES_OF_TOPIC + nth,
    }
}

fn shelf(world: &World, page: u32) -> Shelf {
    let first = |shelf| number(world, shelf);
    if page == FRONT {
        Shelf::Front
    } else if page < first(Shelf::State(0)) {
        Shelf::Country(COUNTRIES[page as usize - 1])
    } else if page < first(Shelf::City(0)) {
        Shelf::State((page - first(Shelf::State(0))) as usize)
    } else if page < first(Shelf::CityTopic(0, 0)) {
        Shelf::City((page - first(Shelf::City(0))) as usize)
    } else if page < first(Shelf::Topic(0, 0)) {
        let at = (page - first(Shelf::CityTopic(0, 0))) as usize;
        Shelf::CityTopic(at / N_TOPICS, at % N_TOPICS)
    } else {
        let at = page - first(Shelf::Topic(0, 0));
        Shelf::Topic((at / PAGES_OF_TOPIC) as usize, at % PAGES_OF_TOPIC)
    }
}

pub(crate) fn write_path(world: &World, page: u32, out: &mut String) {
    write_shelf_path(world, shelf(world, page), out);
}

fn write_shelf_path(world: &World, shelf: Shelf, out: &mut String) {
    match shelf {
        Shelf::Front => out.push('/'),
        Shelf::Country(country) => out.push_str(region(country)),
        Shelf::State(state) => {
            let state = &world.geography.states[state];
            out.push_str(region(state.country));
            push_name(&state.name, out);
            out.push('/');
        }
        Shelf::City(city) => {
            let city = &world.geography.cities[city];
            write_shelf_path(world, Shelf::State(city.state_idx), out);
            out.push_str("Localities/");
            push_name(city.name, out);
            out.push('/');
        }
        Shelf::CityTopic(city, topic) => {
            write_shelf_path(world, Shelf::City(city), out);
            push_name(TOPICS[topic].name, out);
            out.push('/');
        }
        Shelf::Topic(topic, nth) => {
            out.push('/');
            push_name(TOPICS[topic].name, out);
            out.push('/');
            if nth > 0 {
                out.push(char::from(b'A' + nth as u8));
                out.push('/');
            }
        }
    }
}

/// The page at a path.
pub(crate) fn find_path(world: &World, path: &str) -> Option<u32> {
    let strip = |country: &Country| Some((*country, path.strip_prefix(region(*country))?));
    let found = match COUNTRIES.iter().find_map(strip) {
        Some((country, "")) => Shelf::Country(country),
        Some((country, rest)) => find_region(world, country, rest)?,
        None => find_topic(path)?,
    };
    let mut own = String::with_capacity(96);
    write_shelf_path(world, found, &mut own);
    (own == path).then(|| number(world, found))
}

fn find_region(world: &World, country: Country, rest: &str) -> Option<Shelf> {
    let mut parts = rest.trim_end_matches('/').split('/');
    let name = parts.next()?;
    let states = &world.geography.states;
    let state = states
        .iter()
        .position(|state| state.country == country && is_name(&state.name, name))?;
    let (Some("Localities"), Some(name)) = (parts.next(), parts.next()) else {
        return Some(Shelf::State(state));
    };
    let city = *states[state]
        .cities
        .iter()
        .find(|city| is_name(world.geography.cities[**city].name, name))?;
    match parts.next() {
        None => Some(Shelf::City(city)),
        Some(name) => Some(Shelf::CityTopic(city, topic_named(name)?)),
    }
}

fn find_topic(path: &str) -> Option<Shelf> {
    let mut parts = path.trim_matches('/').split('/');
    let topic = topic_named(parts.next()?)?;
    let nth = match parts.next() {
        None => 0,
        Some(letter) => u32::from(letter.bytes().next()?.checked_sub(b'A')?),
    };
    (nth < PAGES_OF_TOPIC).then_some(Shelf::Topic(topic, nth))
}

fn topic_named(name: &str) -> Option<usize> {
    TOPICS.iter().position(|topic| is_name(topic.name, name))
}

/// `New York` → `New_York`; what would need escaping in a URL is left out.
fn push_name(name: &str, out: &mut String) {
    out.extend(name_chars(name));
}

fn name_chars(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '.'))
        .map(|c| if c == ' ' { '_' } else { c })
}

fn is_name(name: &str, written: &str) -> bool {
    name_chars(name).eq(written.chars())
}

pub(crate) fn push_title(pen: &mut Pen<'_>) {
    let world = pen.world();
    push_shelf_name(pen, shelf(world, pen.page));
}

fn push_shelf_name(pen: &mut Pen<'_>, shelf: Shelf) {
    let geography = &pen.world().geography;
    match shelf {
        Shelf::Front => pen.push("Top"),
        Shelf::Country(Country::Us) => pen.push("Regional: North America: United States"),
        Shelf::Country(Country::De) => pen.push("Regional: Europe: Germany"),
        Shelf::State(state) => pen.push(&geography.states[state].name),
        Shelf::City(city) => pen.push(geography.cities[city].name),
        Shelf::CityTopic(_, topic) | Shelf::Topic(topic, _) => pen.push(TOPICS[topic].name),
    }
}

fn link(pen: &mut Pen<'_>, shelf: Shelf) {
    let world = pen.world();
    pen.open_item();
    pen.open_link();
    write_shelf_path(world, shelf, &mut pen.html);
    pen.begin_anchor();
    push_shelf_name(pen, shelf);
    pen.close_link();
    pen.close_item();
}

/// The middle of a page of the directory.
pub(crate) fn write(pen: &mut Pen<'_>) {
    let world = pen.world();
    let shelf = shelf(world, pen.page);
    pen.push("<h1>");
    push_shelf_name(pen, shelf);
    pen.push("</h1>\n<ul>\n");
    match shelf {
        Shelf::Front => {
            for country in COUNTRIES {
                link(pen, Shelf::Country(country));
            }
            for topic in 0..N_TOPICS {
                link(pen, Shelf::Topic(topic, 0));
            }
        }
        Shelf::Country(country) => {
            link(pen, Shelf::Front);
            for (state, of) in world.geography.states.iter().enumerate() {
                if of.country == country {
                    link(pen, Shelf::State(state));
                }
            }
            general_entries(pen, 150);
        }
        Shelf::State(state) => {
            link(pen, Shelf::Country(world.geography.states[state].country));
            for city in &world.geography.states[state].cities {
                link(pen, Shelf::City(*city));
            }
            general_entries(pen, 40);
        }
        Shelf::City(city) => write_city(pen, city),
        Shelf::CityTopic(city, topic) => write_city_topic(pen, city, topic),
        Shelf::Topic(topic, nth) => write_topic(pen, topic, nth),
    }
    pen.push("</ul>\n");
}

fn entry(pen: &mut Pen<'_>, site: u64, topic: usize) {
    pen.open_item();
    pen.link_outside(site);
    pen.push(" - ");
    prose::sentence(&ENGLISH, &TOPICS[topic].nouns, &mut pen.dice, &mut pen.html);
    pen.close_item();
}

/// Well-known sites of no place.
fn general_entries(pen: &mut Pen<'_>, n: usize) {
    for _ in 0..n {
        let site = pen.world().layout.pick_general(&mut pen.dice);
        entry(pen, site, pen.world().layout.role(site).topic);
    }
}

fn write_city(pen: &mut Pen<'_>, city: usize) {
    let world = pen.world();
    link(pen, Shelf::State(world.geography.cities[city].state_idx));
    for topic in 0..N_TOPICS {
        if has_topic_page(world, city, topic) {
            link(pen, Shelf::CityTopic(city, topic));
        } else {
            listed(world, city, topic).for_each(|site| entry(pen, site, topic));
        }
    }
    for _ in 0..world.layout.n_of_city(city).min(4) {
        if let Some(site) = world.layout.pick_local(city, &mut pen.dice) {
            entry(pen, site, world.layout.role(site).topic);
        }
    }
}

/// Where there are few businesses, the city's own page lists them.
fn has_topic_page(world: &World, city: usize, topic: usize) -> bool {
    world.layout.n_business_slots(city, topic) >= MIN_SLOTS
}

fn listed(world: &World, city: usize, topic: usize) -> impl Iterator<Item = u64> {
    (0..world.layout.n_business_slots(city, topic))
        .filter_map(move |nth| world.layout.business(city, topic, nth))
        .filter(|site| {
            world
                .dice(Tag::Listed, *site, 0)
                .chance(world.settings.listed_sites)
        })
        .take(MAX_ENTRIES)
}

fn write_city_topic(pen: &mut Pen<'_>, city: usize, topic: usize) {
    let world = pen.world();
    link(pen, Shelf::City(city));
    for site in listed(world, city, topic) {
        entry(pen, site, topic);
    }
}

fn write_topic(pen: &mut Pen<'_>, topic: usize, nth: u32) {
    let world = pen.world();
    link(pen, Shelf::Front);
    if nth + 1 < PAGES_OF_TOPIC {
        link(pen, Shelf::Topic(topic, nth + 1));
    }
    for _ in 0..40 {
        let site = world.layout.pick_on_topic(topic, &mut pen.dice);
        entry(pen, site, topic);
    }
}

/// Paths of the pages a crawl starts from: those of the cities and states
/// given, and of the states' countries; of all countries where none is given.
pub(crate) fn seed_paths(world: &World, states: &[usize], cities: &[usize]) -> Vec<String> {
    let is_of = |country: &Country| {
        let mut countries = states
            .iter()
            .map(|state| world.geography.states[*state].country);
        (states.is_empty() && cities.is_empty()) || countries.any(|other| other == *country)
    };
    let countries = COUNTRIES.into_iter().filter(is_of).map(Shelf::Country);
    let states = states.iter().map(|state| Shelf::State(*state));
    let cities = cities.iter().map(|city| Shelf::City(*city));
    countries
        .chain(states)
        .chain(cities)
        .map(|shelf| {
            let mut path = String::new();
            write_shelf_path(world, shelf, &mut path);
            path
        })
        .collect()
}
