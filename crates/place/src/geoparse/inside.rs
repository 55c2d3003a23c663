//! The names inside addresses: city, state and country.
//!
//! An address has decided which places they are, so no other evidence is
//! asked. Names that were found there by other means stay.

use crate::address::Address;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::toponym::Mention;
use std::ops::Range;

/// A part of an address is the place that the address lies in, unless the
/// address itself was misread: about one in twenty is.
const CONFIDENCE: f32 = 0.95;

/// What countries are called at the end of an address.
const COUNTRY_WORDS: [(&str, &[&str]); 2] = [
    (
        "US",
        &[
            "united states of america",
            "united states",
            "u.s.a.",
            "u.s.a",
            "usa",
            "u.s.",
            "us",
        ],
    ),
    ("DE", &["deutschland", "germany", "brd", "d", "de"]),
];

/// Adds what the mentions lack of the names inside addresses; all stay in order.
pub(super) fn with_parts_of_addresses(
    gazetteer: &Gazetteer,
    text: &str,
    addresses: &[Address],
    found: Vec<Mention>,
) -> Vec<Mention> {
    let parts = addresses
        .iter()
        .flat_map(|address| parts(gazetteer, text, address));
    let overlaps = |part: &Mention| {
        // Mentions come in order and do not overlap, so one look suffices.
        let next = found.partition_point(|mention| mention.span.end <= part.span.start);
        found
            .get(next)
            .is_some_and(|mention| mention.span.start < part.span.end)
    };
    let missing: Vec<Mention> = parts.filter(|part| !overlaps(part)).collect();
    let mut all = found;
    all.extend(missing);
    all.sort_by_key(|mention| mention.span.start);
    all
}

/// City, state and country of an address, as far as it names them.
fn parts(gazetteer: &Gazetteer, text: &str, address: &Address) -> Vec<Mention> {
    let mut parts = Vec::new();
    let Some(city) = address.place else {
        return parts;
    };
    let Some(span) = last_words(text, &address.span, &address.city) else {
        return parts;
    };
    let around = |kind| {
        let mut chain = gazetteer.chain(city);
        chain.find(|&id| gazetteer.kind(id) == kind)
    };
    let mut push = |span, place: Option<PlaceId>| {
        if let Some(place) = place {
            parts.push(Mention {
                span,
                place,
                confidence: CONFIDENCE,
                runner_up: None,
                because: ["part of an address", "", ""],
            });
        }
    };
    let rest = span.end..address.span.end;
    push(span, Some(city));
    let (mut state, country) = state_and_country(text, rest, address.country);
    if address.state.is_empty() {
        state = None;
    }
    if let Some(state) = state {
        push(state, around(Kind::Division1));
    }
    if let Some(country) = country {
        push(country, around(Kind::Country));
    }
    parts
}

/// Where the words stand last within a span, whatever white space parts them.
fn last_words(text: &str, span: &Range<usize>, words: &str) -> Option<Range<usize>> {
    let within = text.get(span.clone())?;
    let first = words.split_whitespace().next()?;
    within.rmatch_indices(first).find_map(|(at, _)| {
        let mut rest = &within[at..];
        for word in words.split_whitespace() {
            rest = rest.trim_start().strip_prefix(word)?;
        }
        let end = within.len() - rest.len();
        let begins = !within[..at].ends_with(char::is_alphanumeric);
        let ends = !rest.starts_with(char::is_alphanumeric);
        (begins && ends).then(|| span.start + at..span.start + end)
    })
}

type Span = Range<usize>;

/// What follows the city: a state, a ZIP code, a country, each or none.
fn state_and_country(text: &str, rest: Span, country: &str) -> (Option<Span>, Option<Span>) {
    let (mut state, mut named) = (None, None);
    let is_between = |c: char| !(c.is_alphabetic() || c == '.' || c == ' ');
    for run in text[rest].split(is_between) {
        let start = run.as_ptr().addr() - text.as_ptr().addr();
        let blank = run.len() - run.trim_start_matches([' ', '.']).len();
        let mut span = start + blank..start + run.trim_end().len();
        if span.is_empty() {
            continue;
        }
        if let Some(len) = country_len(&text[span.clone()], country) {
            let at = span.end - len;
            named.get_or_insert(at..span.end);
            span.end = span.start + text[span.start..at].trim_end().len();
        }
        if !span.is_empty() && named.as_ref().is_none_or(|named| span.end <= named.start) {
            state.get_or_insert(span);
        }
    }
    (state, named)
}

/// Length of the country's name at the end of a text.
fn country_len(text: &str, country: &str) -> Option<usize> {
    let (_, words) = COUNTRY_WORDS.iter().find(|(code, _)| *code == country)?;
    let ends_with = |word: &&&str| {
        let start = text.len().checked_sub(word.len());
        start.is_some_and(|start| {
            let tail = text.get(start..).unwrap_or_default();
            tail.eq_ignore_ascii_case(word) && (start == 0 || text[..start].ends_with(' '))
        })
    };
    words.iter().find(ends_with).map(|word| word.len())
}
