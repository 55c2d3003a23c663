//! Finds the names of places in text and decides which place is meant.
//!
//! Three steps: `scan.rs` finds words that are a name in the gazetteer;
//! `around.rs` and `whole.rs` say whether they are meant as one ("Paris
//! Hilton" is not); `which.rs` says which place of that name. `reading.rs`
//! puts them together. What counts how much was learned (`signs.rs`).
//!
//! Addresses are found before (`address.rs`): they tell what a page is about.

mod around;
mod candidate;
mod everyday;
mod leap;
mod lessons;
mod lexicon;
mod reading;
mod scan;
mod signs;
mod spots;
mod table;
mod which;
mod whole;
mod words;

use crate::address::Address;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use candidate::Candidate;
pub(crate) use everyday::{Everyday, Usage};
pub use lessons::{Choice, Example, Gold, Labels, Lessons, SAME_PLACE_KM};
use lexicon::{
    BUILT, COMMON, COMPANY, Classes, DATE, FAMILY, FEATURE, GIVEN, Lexicon, PAPER, ROAD, SHOP,
    SIDE, TITLE, VERY_COMMON,
};
use reading::Reading;

pub use signs::{Part, SignList, Weights};
use spots::{Spot, Spots};
use std::ops::Range;
use table::{Doubt, Table};
use words::hash_normal;

/// A name in a text, and the place it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// Byte range of the name in the text.
    pub span: Range<usize>,
    /// The place that is meant.
    pub place: PlaceId,
    /// How sure we are that this is a name of a place and of this one, 0 to 1.
    pub confidence: f32,
    /// The next best place of that name.
    pub runner_up: Option<PlaceId>,
    /// What spoke for it, strongest first; empty strings fill up.
    pub because: [&'static str; 3],
}

/// What is known about a text beside its words.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'c> {
    /// Host of the page, e.g. `www.houstontx.gov`; empty where there is none.
    pub host: &'c str,
    /// Addresses found in the text, in order.
    pub addresses: &'c [Address],
    /// Places that are known to matter to the page: from its structured data.
    pub places: &'c [PlaceId],
}

/// Finds names of places; made once, used for every text.
pub struct Toponyms<'g> {
    gazetteer: &'g Gazetteer,
    table: Table,
    lexicon: Lexicon,
    spots: Spots,
    weights: Weights,
    /// All countries by their ISO codes.
    countries: Vec<(&'static str, PlaceId)>,
}

const LEARNED: &str = include_str!("toponym/weights.txt");

impl<'g> Toponyms<'g> {
    /// Prepares all names of the gazetteer.
    pub fn new(gazetteer: &'g Gazetteer) -> Toponyms<'g> {
        Toponyms::with_weights(gazetteer, Weights::parse(LEARNED))
    }

    /// The same with other weights: for measuring.
    pub fn with_weights(gazetteer: &'g Gazetteer, weights: Weights) -> Toponyms<'g> {
        Toponyms::prepared(gazetteer, weights, doubt)
    }

    /// The same without the short cut around doubtful names, so that learning
    /// sees why they are doubtful.
    pub fn without_doubts(gazetteer: &'g Gazetteer, weights: Weights) -> Toponyms<'g> {
        Toponyms::prepared(gazetteer, weights, |_, _| Doubt::None)
    }

    fn prepared(
        gazetteer: &'g Gazetteer,
        weights: Weights,
        doubt: impl Fn(Classes, &Spot) -> Doubt,
    ) -> Toponyms<'g> {
        let lexicon = Lexicon::new(&weights.words);
        let spots = Spots::new(gazetteer);
        let table = Table::new(gazetteer, |name, bearers| {
            let classes = lexicon.get(hash_normal(name)).classes;
            let known = spots.widely_known(bearers);
            doubt(classes, known.unwrap_or(spots.get(bearers[0].place)))
        });
        Toponyms {
            gazetteer,
            table,
            lexicon,
            spots,
            weights,
            countries: gazetteer
                .ids()
                .filter(|&id| gazetteer.kind(id) == Kind::Country)
                .map(|id| (gazetteer.country(id), id))
                .collect(),
        }
    }

    /// Replaces the weights.
    pub fn set_weights(&mut self, weights: Weights) {
        self.lexicon = Lexicon::new(&weights.words);
        self.weights = weights;
    }

    /// All mentions of places outside addresses, in order; they do not overlap.
    pub fn find(&self, text: &str, context: &Context<'_>) -> Vec<Mention> {
        let mut candidates = scan::candidates(text, &self.table, &self.lexicon);
        leave_addresses(&mut candidates, context.addresses);
        if candidates.is_empty() {
            return Vec::new();
        }
        Reading::new(self, candidates, context).mentions()
    }

    /// The country a host's last part stands for; `.com` and the like for none.
    fn country_of_host(&self, host: &str) -> Option<PlaceId> {
        let (_, last) = host.trim_end_matches('.').rsplit_once('.')?;
        let code = match last {
            "gov" | "mil" | "edu" => "US".to_owned(),
            "uk" => "GB".to_owned(),
            _ if last.len() == 2 => last.to_ascii_uppercase(),
            _ => return None,
        };
        let known = self.countries.iter().find(|(known, _)| *known == code);
        known.map(|&(_, country)| country)
    }
}

/// Leaves out what stands inside addresses, which know their own city: any
/// other name there is part of a street.
fn leave_addresses(candidates: &mut Vec<Candidate>, addresses: &[Address]) {
    let mut next = 0;
    candidates.retain(|candidate| {
        let is_before = |address: &Address| address.span.end <= candidate.start;
        while addresses.get(next).is_some_and(is_before) {
            next += 1;
        }
        let address = addresses.get(next);
        address.is_none_or(|address| candidate.end <= address.span.start)
    });
}

/// How rarely a name is meant as a place.
///
/// In labelled texts fewer than one in a hundred of the words that need a
/// state beside them are places, and looking at all of them would take a
/// third of the time.
fn doubt(classes: Classes, foremost: &Spot) -> Doubt {
    let is = |class: Classes| classes & class != 0;
    if matches!(foremost.kind, Kind::Country | Kind::Continent) {
        return Doubt::None;
    }
    let is_unknown = !foremost.in_wordnet
        && matches!(foremost.kind, Kind::City | Kind::Section | Kind::Division2);
    let is_tiny = foremost.log_people < 3.0;
    let is_small = foremost.log_people < 4.0;
    let is_large = foremost.log_people > 5.3;
    let rarely_meant =
        VERY_COMMON | (DATE | TITLE | FEATURE | BUILT | ROAD | COMPANY | PAPER | SIDE | SHOP);
    let is_rare = !is_large && is(rarely_meant)
        || is_unknown && is_small && is(COMMON | FAMILY)
        || is_unknown && is_tiny && is(GIVEN);
    match () {
        () if is_rare => Doubt::Large,
        () if is_unknown && is_small => Doubt::Small,
        () => Doubt::None,
    }
}

impl std::fmt::Debug for Toponyms<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Toponyms").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
