//! Which country, state and city is called that.

use super::parts::Parts;
use super::{Conflict, FAR};
use crate::gazetteer::{Gazetteer, Kind, Place, PlaceId, ZipArea};
use crate::names::normalise;
use crate::sphere::kilometres;
use std::collections::HashMap;

/// Parts of the US that have country codes of their own.
const TERRITORIES: [&str; 5] = ["AS", "GU", "MP", "PR", "VI"];

/// Places of one name beyond this many are not compared.
const MAX_NAMESAKES: usize = 500;

/// Countries and states by their codes, and everything by its name.
pub(super) struct Regions<'g> {
    gazetteer: &'g Gazetteer,
    countries: HashMap<&'g str, PlaceId>,
    /// By code and by name, both in normal form.
    us_states: HashMap<String, PlaceId>,
}

/// What a claim says around the city's name.
#[derive(Debug)]
pub(super) struct Context<'g> {
    pub(super) country: Option<PlaceId>,
    pub(super) state: Option<PlaceId>,
    /// Only where something beside it says that it is one of the US.
    pub(super) zip: Option<ZipArea<'g>>,
}

/// A city that was found by its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub(super) place: PlaceId,
    pub(super) conflict: Option<Conflict>,
}

impl<'g> Regions<'g> {
    pub(super) fn new(gazetteer: &'g Gazetteer) -> Regions<'g> {
        let countries = gazetteer.all().filter(|place| place.kind == Kind::Country);
        let states = gazetteer
            .all()
            .filter(|place| place.kind == Kind::Division1 && place.country == "US");
        let by_both = |place: Place<'g>| {
            let names = [place.division, place.name].map(normalise);
            names.map(|name| (name, place.id))
        };
        Regions {
            gazetteer,
            countries: countries.map(|place| (place.country, place.id)).collect(),
            us_states: states.flat_map(by_both).collect(),
        }
    }

    pub(super) fn context(&self, parts: &Parts<'_>) -> Context<'g> {
        let (city_state, city_zip) = beside_the_city(parts.city);
        let state_name = first_said(parts.state, city_state);
        let country = self.country(parts.country);
        let state = self.state(state_name, country);
        let territory = TERRITORIES
            .iter()
            .find(|code| code.eq_ignore_ascii_case(state_name))
            .filter(|_| country.is_none_or(|id| self.gazetteer.place(id).country == "US"));
        let country = territory.map_or(country, |code| self.country(code));
        let of_state = state.map(|id| self.gazetteer.place(id).country);
        let code = country
            .map(|id| self.gazetteer.place(id).country)
            .or(of_state);
        let zip = self
            .zip(first_said(parts.zip, city_zip))
            .filter(|zip| match code {
                Some(code) => code == "US" || TERRITORIES.contains(&code),
                // Five digits alone are a postal code of many countries.
                None => {
                    let is_near = |point| kilometres(point, (zip.lat, zip.lon)) <= FAR;
                    let city = normalise(parts.city);
                    parts.point.is_some_and(is_near)
                        || zip.names().any(|name| normalise(name) == city)
                }
            });
        Context {
            country,
            state,
            zip,
        }
    }

    /// In the US or one of its territories.
    pub(super) fn is_american(&self, id: PlaceId) -> bool {
        let code = self.gazetteer.place(id).country;
        code == "US" || TERRITORIES.contains(&code)
    }

    /// A country by name or code.
    fn country(&self, text: &str) -> Option<PlaceId> {
        let code = text.to_ascii_uppercase();
        // People say UK, ISO says GB.
        let code = if code == "UK" { "GB" } else { code.as_str() };
        self.countries.get(code).copied().or_else(|| {
            let places = self.gazetteer.find(text);
            places
                .into_iter()
                .find(|&id| self.gazetteer.kind(id) == Kind::Country)
        })
    }

    /// A state by name or code; `US-CO` and `New Jersey (NJ)` are understood.
    fn state(&self, text: &str, country: Option<PlaceId>) -> Option<PlaceId> {
        let text = text.split('(').next().unwrap_or_default().trim();
        let (prefix, code) = text.split_once('-').unwrap_or(("", text));
        let (country, text) = match self.countries.get(prefix) {
            Some(&named) => (Some(named), code),
            None => (country, text),
        };
        if text.is_empty() {
            return None;
        }
        let code = country.map(|id| self.gazetteer.place(id).country);
        if code.is_none_or(|code| code == "US")
            && let Some(&state) = self.us_states.get(&normalise(text))
        {
            return Some(state);
        }
        let is_it = |id: &PlaceId| {
            let place = self.gazetteer.place(*id);
            place.kind == Kind::Division1 && code.is_none_or(|code| code == place.country)
        };
        let by_code = || {
            let mut inside = self.gazetteer.children(country?).iter().copied();
            inside.find(|id| {
                is_it(id)
                    && self
                        .gazetteer
                        .place(*id)
                        .division
                        .eq_ignore_ascii_case(text)
            })
        };
        self.gazetteer
            .find(text)
            .into_iter()
            .find(is_it)
            .or_else(by_code)
    }

    fn zip(&self, text: &str) -> Option<ZipArea<'g>> {
        let (five, rest) = text.split_at_checked(5)?;
        let is_zip = five.bytes().all(|byte| byte.is_ascii_digit())
            && (rest.is_empty() || rest.starts_with(['-', ' ']));
        let code = is_zip.then(|| five.parse().ok())??;
        self.gazetteer.zip_area(code)
    }

    /// The city that is meant by its name and all that is said beside it.
    pub(super) fn city(&self, parts: &Parts<'_>, context: &Context<'g>) -> Option<Named> {
        let names = std::iter::once(parts.city).chain(parts.city.split(',').take(4));
        let mut known = names
            .map(|name| self.gazetteer.find(without_code(name)))
            .filter(|places| !places.is_empty());
        let places = known.next()?;
        let agreements = places.iter().take(MAX_NAMESAKES).map(|&id| {
            let place = self.gazetteer.place(id);
            (self.agreement(&place, parts, context), place)
        });
        // Of equals the first, the most populous.
        let (agreement, place) = agreements.reduce(|best, next| {
            if next.0.score() > best.0.score() {
                next
            } else {
                best
            }
        })?;
        let is_doubtful = agreement.zip == Some(false) || agreement.state == Some(false);
        if is_doubtful && let Some(vouched) = self.vouched(parts, context) {
            return Some(vouched);
        }
        let conflict = match agreement {
            Agreement {
                country: Some(false),
                ..
            } => Some(Conflict::CityOutsideCountry),
            Agreement {
                state: Some(false), ..
            } => Some(Conflict::CityOutsideState),
            _ => None,
        };
        // A namesake elsewhere is no evidence unless something leads there:
        // more likely the place that is meant is too small to be known.
        (conflict.is_none() || agreement.is_confirmed()).then_some(Named {
            place: place.id,
            conflict,
        })
    }

    /// The ZIP code's city, where the post calls that as the claim does.
    fn vouched(&self, parts: &Parts<'_>, context: &Context<'g>) -> Option<Named> {
        let zip = context.zip?;
        let state = context.state.map(|id| self.gazetteer.place(id).division);
        let city = normalise(parts.city);
        let is_meant = state.is_none_or(|state| state == zip.state)
            && zip.names().any(|name| normalise(name) == city);
        let place = zip.place.filter(|_| is_meant)?;
        Some(Named {
            place,
            conflict: None,
        })
    }

    fn agreement(&self, place: &Place<'g>, parts: &Parts<'_>, context: &Context<'g>) -> Agreement {
        let middle = (place.lat, place.lon);
        let country = context.country.map(|id| {
            let code = self.gazetteer.place(id).country;
            code == place.country || code == "US" && self.is_american(place.id)
        });
        let within = |state: PlaceId| {
            // Some write the country's code into the field of the state.
            let is_country = place.country.eq_ignore_ascii_case(parts.state);
            is_country || self.gazetteer.chain(place.id).any(|around| around == state)
        };
        Agreement {
            country,
            state: context.state.map(within),
            zip: context.zip.map(|zip| {
                zip.place == Some(place.id) || kilometres(middle, (zip.lat, zip.lon)) <= FAR
            }),
            point: parts.point.map(|point| kilometres(point, middle) <= FAR),
            is_settlement: place.kind.is_settlement(),
        }
    }
}

/// What else of a claim agrees with a place; none where the claim is silent.
#[derive(Debug, Clone, Copy)]
struct Agreement {
    country: Option<bool>,
    state: Option<bool>,
    zip: Option<bool>,
    point: Option<bool>,
    is_settlement: bool,
}

impl Agreement {
    fn score(&self) -> u32 {
        let worth = |agrees: Option<bool>, points| if agrees == Some(true) { points } else { 0 };
        worth(self.country, 4)
            + worth(self.state, 4)
            + worth(self.zip, 4)
            + worth(self.point, 4)
            + worth(Some(self.is_settlement), 3)
    }

    /// Something that cannot be mistaken for another place leads there.
    fn is_confirmed(&self) -> bool {
        self.zip == Some(true) || self.point == Some(true)
    }
}

fn first_said<'c>(said: &'c str, beside: &'c str) -> &'c str {
    if said.is_empty() { beside } else { said }
}

/// A state and a postal code that were written into the city: `Tacoma, WA`, `8606 Uster`.
fn beside_the_city(city: &str) -> (&str, &str) {
    let (city, state) = city.split_once(',').unwrap_or((city, ""));
    let zip = city.len() - without_code(city).len();
    (state.trim(), city[..zip].trim())
}

/// A city's name without the postal code before it.
fn without_code(city: &str) -> &str {
    let city = city.trim();
    match city.split_once(' ') {
        Some((code, name)) if code.len() >= 4 && code.bytes().all(|byte| byte.is_ascii_digit()) => {
            name.trim_start()
        }
        _ => city,
    }
}
