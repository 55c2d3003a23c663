//! Everything that a page or a text says about places, found in one go.
//!
//! The one path for crawls and for people who ask: addresses first, then what
//! markup claims, then names, which the first two help to decide; last what
//! all of it together is about. Where a page gives coordinates of an address
//! itself, they are the address's (`own.rs`).

mod inside;
mod own;
mod pieces;

use crate::address::{Address, Addresses};
use crate::evidence::{Claim, Evidence, Understanding};
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::geography::{Geography, Spans};
use crate::toponym::{Mention, Toponyms};
pub use pieces::{PIECE, Piece, Pieces};
use std::sync::Arc;

/// What there is to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Source<'s> {
    /// The text, as people see it.
    pub text: &'s str,
    /// What markup states about places.
    pub claims: &'s [Claim<'s>],
    /// Host of the page, empty where there is none.
    pub host: &'s str,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Addresses in the text, in order.
    pub addresses: Vec<Address>,
    /// Names in the text, in order, those inside addresses included; empty
    /// where nobody looked for names.
    pub mentions: Vec<Mention>,
    /// What each claim means, by its position; none where it means nothing known.
    pub evidence: Vec<Option<Evidence>>,
    /// What all of it is about.
    pub geography: Geography,
}

impl Findings {
    /// Mentions outside addresses.
    pub fn names(&self) -> impl Iterator<Item = &Mention> {
        let spans = Spans::of(&self.addresses);
        let mentions = self.mentions.iter();
        mentions.filter(move |mention| !spans.contain(&mention.span))
    }
}

/// Reads texts and pages; made once, used for every one, by any thread.
pub struct Geoparser<'g> {
    gazetteer: &'g Gazetteer,
    addresses: Arc<Addresses>,
    understanding: Understanding<'g>,
    toponyms: Option<Toponyms<'g>>,
}

impl<'g> Geoparser<'g> {
    /// Finds everything.
    pub fn new(gazetteer: &'g Gazetteer) -> Geoparser<'g> {
        Geoparser::without_names(gazetteer, Arc::new(Addresses::new(gazetteer))).with_names()
    }

    /// Leaves names alone, which cost the most to find.
    pub fn without_names(gazetteer: &'g Gazetteer, addresses: Arc<Addresses>) -> Geoparser<'g> {
        Geoparser {
            gazetteer,
            addresses,
            understanding: Understanding::new(gazetteer),
            toponyms: None,
        }
    }

    /// Looks for names too.
    pub fn with_names(mut self) -> Geoparser<'g> {
        self.toponyms = Some(Toponyms::new(self.gazetteer));
        self
    }

    /// Finds what a source says about places.
    pub fn read(&self, source: &Source<'_>) -> Findings {
        let mut addresses = self.addresses.find(source.text);
        let understand = |claim| self.understanding.understand(claim, &self.addresses);
        let mut evidence: Vec<Option<Evidence>> = source.claims.iter().map(understand).collect();
        own::give_points(&mut addresses, &mut evidence);
        let known: Vec<Evidence> = evidence.iter().flatten().cloned().collect();
        let mentions = self.mentions(source, &addresses, &known);
        let geography = Geography::of(self.gazetteer, &addresses, &mentions, &known);
        Findings {
            addresses,
            mentions,
            evidence,
            geography,
        }
    }

    /// Reads a text of any length piece by piece; claims beside it are not
    /// looked at.
    pub fn pieces<'s>(&'s self, source: &Source<'s>) -> Pieces<'s> {
        Pieces::of(self, source)
    }

    fn mentions(
        &self,
        source: &Source<'_>,
        addresses: &[Address],
        evidence: &[Evidence],
    ) -> Vec<Mention> {
        if self.toponyms.is_none() {
            return Vec::new();
        }
        let mut places: Vec<PlaceId> = evidence.iter().filter_map(|piece| piece.place).collect();
        places.sort_unstable();
        places.dedup();
        Pieces::of(self, source).names_beside(addresses, &places)
    }
}

impl std::fmt::Debug for Geoparser<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Geoparser")
            .field("finds_names", &self.toponyms.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
