//! Names that a query nearly has: `hotels near Chicgo`.
//!
//! Hardly anything but a place follows `near`, so a word there that is no
//! ordinary one is held against names of some size. Elsewhere any brand is
//! nearly a town: there only large cities are offered, and only where nothing
//! was found.

use super::name::Names;
use super::token::Tokens;
use super::{Helps, QuestionReader, lead};
use crate::gazetteer::{Kind, PlaceId};
use crate::toponym::Usage;
use std::ops::Range;

/// Names have at most so many words here.
const MAX_WORDS: usize = 3;
/// Shorter words are a slip away from too much.
const MIN_LETTERS: usize = 5;
/// From so many letters on, two slips are believed.
const MIN_LETTERS_OF_TWO: usize = 8;
/// People of a place that somebody may have meant behind `in` or `near`, and elsewhere.
const LEAST_LED: u32 = 15_000;
const LEAST_ELSEWHERE: u32 = 100_000;
/// Nobody means one with so many times fewer people than the likeliest.
const LEAST_SHARE: u32 = 10;
/// So many places are offered at most.
const MAX_OFFERED: usize = 3;
/// So many names are looked at for one word.
const MAX_NEAR: usize = 12;

/// Where a query may have a slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Behind a word that leads to a place.
    Led,
    /// Wherever places stand.
    Anywhere,
}

/// A query as it may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The query with the name put right.
    pub query: String,
    /// The place it then names.
    pub place: PlaceId,
}

impl QuestionReader<'_> {
    /// What a query in which no place was read may have meant, likeliest first.
    pub fn suggest(&self, query: &str, doubt: Doubt) -> Vec<Suggestion> {
        let tokens = Tokens::new(query);
        let names = Names {
            reader: self,
            tokens: &tokens,
            home: None,
        };
        let mut led_spans = spans(&tokens, |start| led(&tokens, start));
        let led = led_spans.find_map(|span| names.offered(span, LEAST_LED));
        let elsewhere = || {
            let at_border =
                |span: &Range<usize>| tokens.begins(span.start) || tokens.ends(span.end);
            let mut spans = spans(&tokens, |_| true).filter(at_border);
            spans.find_map(|span| names.offered(span, LEAST_ELSEWHERE))
        };
        let offered = match doubt {
            Doubt::Led => led,
            Doubt::Anywhere => led.or_else(elsewhere),
        };
        let Some((span, places)) = offered else {
            return Vec::new();
        };
        let put_right = |place| self.put_right(&tokens, &span, place);
        places.into_iter().filter_map(put_right).collect()
    }

    /// The query with a place's name in it; with its state where the name
    /// alone would mean another.
    fn put_right(
        &self,
        tokens: &Tokens<'_>,
        span: &Range<usize>,
        place: PlaceId,
    ) -> Option<Suggestion> {
        let list = &tokens.list;
        let (start, end) = (list[span.start].word.start, list[span.end - 1].word.end);
        let with = |name: &str| format!("{}{name}{}", &tokens.query[..start], &tokens.query[end..]);
        let gazetteer = self.gazetteer;
        let queries = [
            with(gazetteer.place(place).name),
            with(&gazetteer.describe(place)),
        ];
        let is_read = |query: &String| {
            let location = self.read(query, &Helps::NONE).location;
            location.is_some_and(|location| location.place() == Some(place))
        };
        let query = queries.into_iter().find(is_read)?;
        Some(Suggestion { query, place })
    }
}

/// Whether a word before this position says that a place follows.
fn led(tokens: &Tokens<'_>, start: usize) -> bool {
    lead::before(tokens, start).is_some_and(|lead| lead.is_strong)
}

/// Runs of words that begin where they may, the longest first.
fn spans(
    tokens: &Tokens<'_>,
    mut may_begin: impl FnMut(usize) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let n_tokens = tokens.list.len();
    let starts = (0..n_tokens).filter(move |start| may_begin(*start));
    let spans = starts.flat_map(move |start| {
        let longest = (start + MAX_WORDS).min(n_tokens);
        (start + 1..=longest).rev().map(move |end| start..end)
    });
    spans.filter(move |span| tokens.are_joined(span.clone()))
}

impl Names<'_> {
    /// Places whose names these words nearly are, if they are no others.
    fn offered(&self, span: Range<usize>, least: u32) -> Option<(Range<usize>, Vec<PlaceId>)> {
        let gazetteer = self.gazetteer();
        let name = self.tokens.name(span.clone());
        let n_letters = name.chars().count();
        let everyday = &self.reader.everyday;
        let mut words = self.tokens.list[span.clone()].iter();
        let is_odd = words.any(|token| everyday.usage(&token.normal) == Usage::Unknown);
        let is_word = name.chars().all(|c| c.is_alphabetic() || c == ' ');
        if !is_odd || !is_word || n_letters < MIN_LETTERS || !self.bearers(span.clone()).is_empty()
        {
            return None;
        }
        let mut near = gazetteer.nearest_slips(&name, MAX_NEAR);
        near.retain(|&(n_slips, id)| {
            let is_believed = n_slips <= 1 || n_letters >= MIN_LETTERS_OF_TWO;
            let is_wide = matches!(
                gazetteer.kind(id),
                Kind::Country | Kind::Division1 | Kind::City
            );
            is_believed && is_wide && gazetteer.population(id) >= least
        });
        let &(fewest, first) = near.first()?;
        let least = gazetteer.population(first) / LEAST_SHARE;
        near.retain(|&(n_slips, id)| n_slips == fewest && gazetteer.population(id) >= least);
        let places = near.into_iter().map(|(_, id)| id).take(MAX_OFFERED);
        let places = places.collect();
        Some((span, places))
    }
}
