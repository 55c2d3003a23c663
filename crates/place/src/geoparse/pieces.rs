//! Reads a long text in pieces, so that memory holds what one of them needs.
//!
//! Pieces end at blank lines, line ends or spaces. Each is looked at with what
//! stands around it, so that addresses and names across its ends are found
//! once and whole: a piece has what begins in it. Addresses are those of the
//! whole text, since none is longer than what is looked at beyond the end.
//! Names are decided piece by piece, as those of a page are: a book may speak
//! of two Springfields.

use super::{Geoparser, Source, inside};
use crate::address::Address;
use crate::gazetteer::PlaceId;
use crate::geography::{Geography, Tally};
use crate::toponym::{Context, Mention};
use std::ops::Range;

/// Bytes that are read together. Longer pages are rare, and a text that is all
/// names takes a hundred times its length while it is read.
pub const PIECE: usize = 1 << 19;

/// What is looked at around a piece: several times the longest address.
const AROUND: usize = 1 << 10;

/// Where a piece may end early, at a better place.
const EARLY: usize = 1 << 14;

/// What was found in a part of a text; positions are those in the whole.
#[derive(Debug, Clone, Default)]
pub struct Piece {
    /// Addresses that begin in it, in order.
    pub addresses: Vec<Address>,
    /// Names that begin in it, in order, those inside addresses included.
    pub mentions: Vec<Mention>,
    /// Which of the mentions stand outside addresses.
    is_outside: Vec<bool>,
}

impl Piece {
    /// Mentions outside addresses.
    pub fn names(&self) -> impl Iterator<Item = &Mention> {
        let mentions = self.mentions.iter().zip(&self.is_outside);
        mentions.filter_map(|(mention, is_outside)| is_outside.then_some(mention))
    }
}

/// The pieces of one text, in order.
pub struct Pieces<'p> {
    geoparser: &'p Geoparser<'p>,
    text: &'p str,
    host: &'p str,
    /// What is known to matter beside the text.
    places: &'p [PlaceId],
    finds_names: bool,
    /// Addresses of the whole text, where they have been found already.
    known: Option<&'p [Address]>,
    most: usize,
    /// Where the next piece begins.
    start: usize,
    /// The last addresses before that, as far as they matter to what follows.
    before: Vec<Address>,
    /// Where the last mention ends.
    mentioned: usize,
    tally: Tally<'p>,
}

/// A piece, and the addresses around it.
struct Step {
    addresses: Vec<Address>,
    around: Vec<Address>,
    mentions: Vec<Mention>,
}

impl<'p> Pieces<'p> {
    pub(super) fn of(geoparser: &'p Geoparser<'p>, source: &Source<'p>) -> Pieces<'p> {
        Pieces {
            geoparser,
            text: source.text,
            host: source.host,
            places: &[],
            finds_names: geoparser.toponyms.is_some(),
            known: None,
            most: PIECE,
            start: 0,
            before: Vec::new(),
            mentioned: 0,
            tally: Tally::new(geoparser.gazetteer),
        }
    }

    /// The names alone of a text whose addresses have been found, given what
    /// else is known to matter to it.
    pub(super) fn names_beside(
        mut self,
        addresses: &'p [Address],
        places: &'p [PlaceId],
    ) -> Vec<Mention> {
        self.known = Some(addresses);
        self.places = places;
        let mut all = Vec::new();
        while let Some(Step { mentions, .. }) = self.step() {
            all.extend(mentions);
        }
        all
    }

    /// Leaves names alone.
    pub fn without_names(mut self) -> Pieces<'p> {
        self.finds_names = false;
        self
    }

    /// Pieces of at most so many bytes.
    #[cfg(test)]
    pub(super) fn of_most(mut self, most: usize) -> Pieces<'p> {
        self.most = most;
        self
    }

    /// What all pieces so far are about.
    pub fn geography(self) -> Geography {
        self.tally.finish()
    }

    fn step(&mut self) -> Option<Step> {
        if self.start >= self.text.len() {
            return None;
        }
        let piece = self.start..cut(self.text, self.start, self.most);
        let (addresses, around) = match self.known {
            Some(known) => (Vec::new(), near(known, &piece)),
            None => self.addresses(&piece),
        };
        let mentions = self.mentions(&piece, &around);
        self.start = piece.end;
        Some(Step {
            addresses,
            around,
            mentions,
        })
    }

    /// The addresses that begin in a piece, and those around it.
    fn addresses(&mut self, piece: &Range<usize>) -> (Vec<Address>, Vec<Address>) {
        let floor = piece.start.saturating_sub(AROUND);
        let after_last = self.before.last().map_or(0, |last| last.span.end);
        let window = after_last.max(begin(self.text, floor))..end(self.text, piece.end + AROUND);
        let mut found = self.geoparser.addresses.find(&self.text[window.clone()]);
        for address in &mut found {
            shift(&mut address.span, window.start);
        }
        found.retain(|address| address.span.start >= piece.start);
        let n_own = found.partition_point(|address| address.span.start < piece.end);
        let mut around = std::mem::take(&mut self.before);
        around.extend(found.iter().cloned());
        found.truncate(n_own);
        let matters = |address: &&Address| address.span.end + 2 * AROUND > piece.end;
        self.before = found.iter().filter(matters).cloned().collect();
        (found, around)
    }

    fn mentions(&mut self, piece: &Range<usize>, around: &[Address]) -> Vec<Mention> {
        let Some(toponyms) = self
            .geoparser
            .toponyms
            .as_ref()
            .filter(|_| self.finds_names)
        else {
            return Vec::new();
        };
        let floor = begin(self.text, piece.start.saturating_sub(AROUND));
        let window = floor..end(self.text, piece.end + AROUND);
        let text = &self.text[window.clone()];
        let is_inside = |address: &&Address| {
            window.start <= address.span.start && address.span.end <= window.end
        };
        let mut addresses: Vec<Address> = around.iter().filter(is_inside).cloned().collect();
        for address in &mut addresses {
            address.span = address.span.start - window.start..address.span.end - window.start;
        }
        let context = Context {
            host: self.host,
            addresses: &addresses,
            places: self.places,
        };
        let found = toponyms.find(text, &context);
        let gazetteer = self.geoparser.gazetteer;
        let mut found = inside::with_parts_of_addresses(gazetteer, text, &addresses, found);
        for mention in &mut found {
            shift(&mut mention.span, window.start);
        }
        let from = piece.start.max(self.mentioned);
        found.retain(|mention| (from..piece.end).contains(&mention.span.start));
        self.mentioned = found.last().map_or(self.mentioned, |last| last.span.end);
        found
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let Step {
            addresses,
            around,
            mentions,
        } = self.step()?;
        self.tally.add_addresses(&addresses);
        let is_outside = self.tally.add_mentions(&mentions, &around);
        Some(Piece {
            addresses,
            mentions,
            is_outside,
        })
    }
}

impl std::fmt::Debug for Pieces<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pieces")
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

/// Addresses in a piece and a little around it.
fn near(all: &[Address], piece: &Range<usize>) -> Vec<Address> {
    let from = all.partition_point(|address| address.span.end + AROUND <= piece.start);
    let to = all.partition_point(|address| address.span.start < piece.end + AROUND);
    all[from..to].to_vec()
}

fn shift(span: &mut Range<usize>, by: usize) {
    *span = span.start + by..span.end + by;
}

/// Where a piece ends: at the last blank line that is not too early, else at
/// a line's end, else between words.
fn cut(text: &str, start: usize, most: usize) -> usize {
    if text.len() - start <= most {
        return text.len();
    }
    let limit = text.floor_char_boundary(start + most);
    let early = text.ceil_char_boundary(limit - EARLY.min(most / 2));
    let last = &text[early..limit];
    let after = |sign: &str| last.rfind(sign).map(|at| early + at + sign.len());
    after("\n\n")
        .or_else(|| after("\n"))
        .or_else(|| after(" "))
        .filter(|end| *end > start)
        .unwrap_or(limit.max(text.ceil_char_boundary(start + 1)))
}

/// The first word's start from a position on, if one is near.
fn begin(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    if at == 0 {
        return 0;
    }
    let near = &text[at..text.floor_char_boundary(at + AROUND / 2)];
    let gap = near.find(char::is_whitespace);
    gap.map_or(at, |gap| at + gap)
}

/// The last word's end before a position, if one is near.
fn end(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let at = text.floor_char_boundary(at);
    let near_start = text.ceil_char_boundary(at - AROUND / 4);
    let gap = text[near_start..at].rfind(char::is_whitespace);
    gap.map_or(at, |gap| near_start + gap)
}
