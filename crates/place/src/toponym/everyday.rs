//! How ordinary a word is, for those who see it without a text around it.

use super::lexicon::{
    AND, BUILT, COMMON, COMPANY, Classes, DATE, FAMILY, FEATURE, GIVEN, Lexicon, PAPER, ROAD, SHOP,
    SIDE, SPEAKS, TEAM, TITLE, VERY_COMMON, WHERE,
};
use super::words::hash_normal;

/// What else a word may be, the more doubtful as a place the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Usage {
    /// Nothing that we know of.
    Unknown,
    /// The name of a person.
    Person,
    /// An ordinary word, now and then.
    Common,
    /// Mostly an ordinary word.
    VeryCommon,
}

/// The words that are more than names of places.
pub(crate) struct Everyday(Lexicon);

impl Everyday {
    pub(crate) fn new() -> Everyday {
        Everyday(Lexicon::new(&[]))
    }

    /// What else a word in normal form may be.
    pub(crate) fn usage(&self, word: &str) -> Usage {
        let is = |class: Classes| self.classes(word) & class != 0;
        let of_its_own = DATE | TITLE | FEATURE | BUILT | ROAD | COMPANY | PAPER | SIDE | SHOP;
        match () {
            () if is(VERY_COMMON | of_its_own | WHERE | AND | SPEAKS) => Usage::VeryCommon,
            () if is(COMMON) => Usage::Common,
            () if is(GIVEN | FAMILY) => Usage::Person,
            () => Usage::Unknown,
        }
    }

    /// Whether a place before it is part of a name: `Houston Rockets`, `Boston Globe`.
    pub(crate) fn ends_name(&self, word: &str) -> bool {
        // People also ask for the news of a place, and `city` ends more than teams.
        const ASKED_FOR: [&str; 7] = [
            "news", "today", "daily", "weekly", "review", "press", "record",
        ];
        let is = |class: Classes| self.classes(word) & class != 0;
        is(TEAM | PAPER) && !is(FEATURE) && !ASKED_FOR.contains(&word)
    }

    /// Whether two words are a person: `Whitney Houston`.
    pub(crate) fn are_person(&self, first: &str, last: &str) -> bool {
        let (first, last) = (self.classes(first), self.classes(last));
        let is_given = first & GIVEN != 0 && first & VERY_COMMON == 0;
        let is_family = last & FAMILY != 0 && last & VERY_COMMON == 0;
        is_given && is_family
    }

    fn classes(&self, word: &str) -> Classes {
        self.0.get(hash_normal(word)).classes
    }
}
