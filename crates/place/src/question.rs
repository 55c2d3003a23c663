//! Finds the place in a search query and takes it out: `pizza in Lisbon` asks for `pizza`, in Lisbon.
//!
//! Queries are short and mostly in small letters, so neither grammar nor
//! capitals help, as they do `toponym.rs` in texts. What counts instead, the
//! strongest first: a street address or a postal code; a state or country
//! behind a name (`athens ga`); a word that leads to one (`in`, `near`,
//! `bei`); and for a name alone, that it begins or ends the query, is well
//! known and is no ordinary word. So `nice hotels`, `orange juice` and
//! `buffalo wings` name no place, while `hotels in nice`, `orange ca` and
//! `buffalo ny` do. The price: `buffalo hotels` names none either, since
//! nothing tells it from the wings, and `boston baked beans` looks for baked
//! beans in Boston unless such a phrase is listed in `question/known.rs`.
//!
//! Which place of a name is meant is `question/choice.rs`; what may have been
//! meant where none was read, `question/slips.rs`. What stands in
//! quotes, operators, `-word` and `wor*` are left alone.

mod choice;
mod code;
mod homonyms;
mod known;
mod lead;
mod name;
mod qualifier;
mod slips;
mod street;
mod token;

use crate::address::Addresses;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::toponym::Everyday;
use choice::choose;
use code::GermanCodes;
pub use homonyms::ambiguous;
use name::{Names, Reading};
pub use slips::{Doubt, Suggestion};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use token::Tokens;

/// So many other places of a name are offered at most.
const MAX_ALTERNATIVES: usize = 5;

/// What else is known when a query is read.
#[derive(Clone, Copy)]
pub struct Helps<'h> {
    /// Where the reader is, in degrees north and east.
    pub home: Option<(f64, f64)>,
    /// How many pages the collection has in a place, anywhere inside it.
    pub holds: &'h dyn Fn(PlaceId) -> u64,
}

impl Helps<'static> {
    /// Nothing else is known.
    pub const NONE: Helps<'static> = Helps {
        home: None,
        holds: &|_| 0,
    };
}

impl std::fmt::Debug for Helps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Helps")
            .field("home", &self.home)
            .finish_non_exhaustive()
    }
}

/// Where a query asks for something.
#[derive(Debug, Clone, PartialEq)]
pub enum Location {
    /// A place of the gazetteer.
    Place(PlaceId),
    /// A street address.
    Address {
        /// Its city, where the gazetteer knows it.
        place: Option<PlaceId>,
        /// Degrees north.
        lat: f64,
        /// Degrees east.
        lon: f64,
        /// The address as the query has it.
        text: String,
        /// Whether the coordinates are the house's own, not the middle of its
        /// postal code or city; never, so far, for the pack knows no houses.
        is_exact: bool,
    },
    /// A postal code of the US or Germany, perhaps with its city.
    Postcode {
        /// Its city, where the gazetteer knows it.
        place: Option<PlaceId>,
        /// Degrees north, of its middle.
        lat: f64,
        /// Degrees east, of its middle.
        lon: f64,
        /// The code as the query has it, with the city beside it.
        text: String,
    },
}

impl Location {
    /// The place it is, or the city it lies in.
    pub fn place(&self) -> Option<PlaceId> {
        match self {
            Location::Place(place) => Some(*place),
            Location::Address { place, .. } | Location::Postcode { place, .. } => *place,
        }
    }
}

/// A query, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The query without the location and the words that led to it.
    pub words: String,
    /// Where, if the query says so.
    pub location: Option<Location>,
    /// Other places of that name, likeliest first, at most five.
    pub alternatives: Vec<PlaceId>,
    /// What is around the location is wanted too: `near`, `close to`, `bei`.
    ///
    /// Without a location it is `near me`: the reader's own surroundings.
    pub is_near: bool,
    /// Why it was read so, for people.
    pub because: Cow<'static, str>,
}

/// Reads queries; made once, used by any thread.
pub struct QuestionReader<'g> {
    gazetteer: &'g Gazetteer,
    addresses: Arc<Addresses>,
    german: GermanCodes,
    everyday: Everyday,
}

/// A location and the tokens it takes.
struct Found {
    location: Location,
    /// With the words that lead to it.
    tokens: Range<usize>,
    /// Without them.
    place: Range<usize>,
    /// What says where the place lies, if it stands apart: at the end.
    state: Range<usize>,
    is_near: bool,
    alternatives: Vec<PlaceId>,
    because: Cow<'static, str>,
}

impl<'g> QuestionReader<'g> {
    /// Prepares addresses, postal codes and words.
    pub fn new(gazetteer: &'g Gazetteer) -> QuestionReader<'g> {
        QuestionReader::with_addresses(gazetteer, Arc::new(Addresses::new(gazetteer)))
    }

    /// The same with a finder of addresses that is there already.
    pub fn with_addresses(
        gazetteer: &'g Gazetteer,
        addresses: Arc<Addresses>,
    ) -> QuestionReader<'g> {
        QuestionReader {
            gazetteer,
            addresses,
            german: GermanCodes::new(gazetteer),
            everyday: Everyday::new(),
        }
    }

    /// Finds the place in a query; of a very long one only the beginning is looked at.
    pub fn read(&self, query: &str, helps: &Helps<'_>) -> Question {
        let tokens = Tokens::new(query);
        let mut taken = vec![false; tokens.list.len()];
        let near_me = lead::near_me(&tokens);
        taken[near_me.clone().unwrap_or_default()].fill(true);
        let found = self.find(&tokens, helps).filter(|found| {
            let is_apart =
                |me: &Range<usize>| me.end <= found.tokens.start || found.tokens.end <= me.start;
            near_me.as_ref().is_none_or(is_apart)
        });
        let Some(found) = found else {
            let is_near = near_me.is_some();
            return Question {
                words: words_left(&tokens, &taken),
                location: None,
                alternatives: Vec::new(),
                is_near,
                because: if is_near {
                    "it is near you".into()
                } else {
                    "no place is named".into()
                },
            };
        };
        taken[found.tokens.clone()].fill(true);
        taken[found.state.clone()].fill(true);
        take_repeats(&tokens, &found.place, &mut taken);
        let mut alternatives = found.alternatives;
        alternatives.truncate(MAX_ALTERNATIVES);
        Question {
            words: words_left(&tokens, &taken),
            location: Some(found.location),
            alternatives,
            is_near: found.is_near || near_me.is_some(),
            because: found.because,
        }
    }

    fn find(&self, tokens: &Tokens<'_>, helps: &Helps<'_>) -> Option<Found> {
        let names = Names {
            reader: self,
            tokens,
            home: helps.home,
        };
        if let Some(found) = street::find(&names, helps) {
            return Some(found);
        }
        let name = names.best();
        code::find(&names, name.as_ref(), helps).or_else(|| {
            let name = name?;
            let Some(city) = names.city_before(&name) else {
                return self.place(name, helps);
            };
            let found = self.place(city, helps)?;
            Some(Found {
                state: name.tokens,
                ..found
            })
        })
    }

    /// The place that a name means.
    fn place(&self, name: Reading, helps: &Helps<'_>) -> Option<Found> {
        let choice = choose(self.gazetteer, &name.bearers, helps)?;
        let mut alternatives = choice.others;
        if let Some(elsewhere) = choose(self.gazetteer, &name.others, helps) {
            alternatives.push(elsewhere.place);
            alternatives.extend(elsewhere.others);
        }
        Some(Found {
            location: Location::Place(choice.place),
            tokens: name.tokens,
            place: name.place,
            state: 0..0,
            is_near: name.lead.is_some_and(|lead| lead.is_near),
            alternatives,
            because: Cow::Borrowed(match name.qualifier {
                Some(Kind::Country) => "the country is named",
                Some(Kind::Division1) => "the state is named",
                Some(_) => "the county is named",
                None => choice.because,
            }),
        })
    }
}

impl std::fmt::Debug for QuestionReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuestionReader").finish_non_exhaustive()
    }
}

/// Takes the place wherever it is named once more: `hotels berlin in berlin`.
fn take_repeats(tokens: &Tokens<'_>, place: &Range<usize>, taken: &mut [bool]) {
    let own: Vec<&str> = tokens.list[place.clone()]
        .iter()
        .map(|token| token.normal.as_str())
        .collect();
    loop {
        let left: Vec<usize> = (0..taken.len()).filter(|&idx| !taken[idx]).collect();
        let is_own = |idxs: &&[usize]| {
            let same = |(&idx, own): (&usize, &&str)| {
                let token = &tokens.list[idx];
                !token.is_fixed && token.normal == *own
            };
            idxs.iter().zip(&own).all(same)
        };
        let Some(again) = left.windows(own.len().max(1)).find(is_own) else {
            return;
        };
        let n_lead = lead::before(tokens, again[0]).map_or(0, |lead| lead.n_tokens);
        taken[again[0] - n_lead..again[0]].fill(true);
        for &idx in again {
            taken[idx] = true;
        }
    }
}

/// What is left of the query, in its own spelling.
fn words_left(tokens: &Tokens<'_>, taken: &[bool]) -> String {
    if !taken.contains(&true) {
        return tokens.query.trim().to_owned();
    }
    let mut words: Vec<&str> = Vec::new();
    for (idx, token) in tokens.list.iter().enumerate() {
        if taken[idx] {
            continue;
        }
        let text = &tokens.query[token.span.clone()];
        let is_before_gap = taken.get(idx + 1).is_some_and(|&next| next);
        let text = if is_before_gap {
            text.trim_end_matches([',', ';'])
        } else {
            text
        };
        if token.is_fixed || !token.normal.is_empty() {
            words.push(text);
        }
    }
    words.push(tokens.query[tokens.end..].trim());
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

#[cfg(test)]
mod tests;
