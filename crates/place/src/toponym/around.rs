//! Signs in and around a candidate that it names a place.

use super::candidate::Candidate;
use super::lexicon::{
    AND, BUILT, COMMON, COMPANY, DATE, FAMILY, FEATURE, GIVEN, NO_WORD, PAPER, ROAD, SHOP, SIDE,
    SPEAKS, TEAM, TITLE, VERY_COMMON, WHERE,
};
use super::signs::{KindSigns, Sink, Weights, signs};
use super::words::{Gap, Shape};
use crate::gazetteer::Kind;

signs! { NAMES:
    ANY "any name",
    PEOPLE "people of its largest place",
    SHARED "many places share it",
    TINY "under 1,000 people",
    SMALL "under 20,000 people",
    LARGE "over 300,000 people",
    CONTINENT "a continent",
    COUNTRY "a country",
    STATE "a state",
    COUNTY "a county",
    SECTION "part of a city",
    REGION "a region",
    ISLAND "an island",
    MOUNTAIN "a mountain",
    WATER "a river or lake",
    LANDMARK "a landmark",
    WORDNET "in WordNet",
    TWO_WORDS "two words",
    MORE_WORDS "three words or more",
    ALIAS "only a second name",
    DEMONYM "people or adjective of a place",
    ABBREVIATION "an abbreviation",
    CODE "a state's two letters",
    IS_COMMON "also a common word",
    IS_VERY_COMMON "mostly a common word",
    IS_GIVEN "also a given name",
    IS_FAMILY "also a family name",
    IS_DATE "also a date",
    IS_FEATURE "also a kind of place",
    IS_TITLE "also a title",
    COMMON_AND_SMALL "a common word and a small place",
    FAMILY_AND_SMALL "a family name and a small place",
    CAPITALS "in capitals",
    CAPITALS_AROUND "in capitals among capitals",
    BEGINS "begins a sentence",
    BEGINS_COMMON "a common word begins a sentence",
    POSSESSIVE "with 's",
    HAS_LONGER "a longer name begins here",
    AFTER_GIVEN "after a given name",
    AFTER_TITLE "after a title",
    AFTER_LETTER "after an initial",
    AFTER_LARGE "after a capital",
    AFTER_COMPANY "after a word of organisations",
    AFTER_OF_COMPANY "after `University of`",
    AFTER_WHERE "after `in`, `near`, …",
    AFTER_WHERE_COMMON "a common word after `in`",
    AFTER_SIDE "after `north`, `downtown`, …",
    AFTER_AND "after `and`",
    AFTER_AND_LARGE "after a capital and `and`",
    AFTER_FEATURE "after a kind of place",
    AFTER_COMMA "after a comma",
    AFTER_COMMA_LARGE "after a capital and a comma",
    AFTER_HYPHEN "after a hyphen",
    AFTER_OPEN "after a parenthesis or quotation mark",
    AFTER_NUMBER "after a number",
    AFTER_OTHER "after another mark",
    BEFORE_LARGE "before a capital",
    BEFORE_FAMILY "before a family name",
    BEFORE_GIVEN "before a given name",
    GIVEN_BEFORE_LARGE "a given name before a capital",
    BEFORE_COMPANY "before a word of organisations",
    BEFORE_ROAD "before a word for roads",
    BEFORE_BUILT "before a word for buildings",
    BEFORE_TEAM "before a team's name",
    BEFORE_PAPER "before a newspaper's name",
    BEFORE_FEATURE "before a kind of place",
    BEFORE_LARGE_FEATURE "before a kind of place in capitals",
    BEFORE_SPEAKS "before `said`",
    BEFORE_AND "before `and`",
    BEFORE_AND_LARGE "before `and` and a capital",
    BEFORE_COMMA "before a comma",
    BEFORE_COMMA_LARGE "before a comma and a capital",
    BEFORE_HYPHEN "before a hyphen",
    BEFORE_HYPHEN_LARGE "before a hyphen and a capital",
    BEFORE_STOP "before a full stop",
    BEFORE_CLOSE "before a closing mark",
    BEFORE_NUMBER "before a number",
    BEFORE_OTHER "before another mark",
    OWN_LINE "a line of its own",
    ENDS_LINE "ends a line",
    BEGINS_LINE "begins a line",
    CONTAINED "the state or country follows",
    CONTAINS "the city stands before",
    NAMES_BESIDE "two names side by side",
}

const KINDS: KindSigns = [
    CONTINENT, COUNTRY, STATE, COUNTY, SECTION, REGION, ISLAND, MOUNTAIN, WATER, LANDMARK,
];

/// What a name is, whoever writes it: worked out once for every name of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameFacts {
    pub(super) log_people: f32,
    pub(super) n_bearers: usize,
    pub(super) kind: Kind,
    pub(super) in_wordnet: bool,
    pub(super) only_alias: bool,
    pub(super) demonym: bool,
}

/// How a candidate stands to its neighbours among the candidates.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Company {
    /// What follows contains it: `Albany, Georgia`.
    pub(super) contained: bool,
    /// It contains what stands before.
    pub(super) contains: bool,
    /// Another name follows or precedes without a mark between.
    pub(super) beside: bool,
}

/// All local signs of a candidate.
pub(super) fn signs_of(
    candidate: &Candidate,
    facts: &NameFacts,
    company: Company,
    weights: &Weights,
    sink: &mut impl Sink,
) {
    of_name(candidate, facts, sink);
    of_shape(candidate, sink);
    before(candidate, sink);
    after(candidate, sink);
    sink.flag(CONTAINED, company.contained);
    sink.flag(CONTAINS, company.contains);
    sink.flag(NAMES_BESIDE, company.beside);
    let around = [
        &candidate.before[0],
        &candidate.after[0],
        &candidate.before[1],
        &candidate.after[1],
    ];
    for (position, neighbour) in around.into_iter().enumerate() {
        if neighbour.word_idx != NO_WORD {
            sink.add(weights.word_sign(position, neighbour.word_idx), 1.0);
        }
    }
}

fn of_name(candidate: &Candidate, facts: &NameFacts, sink: &mut impl Sink) {
    sink.add(ANY, 1.0);
    sink.add(PEOPLE, facts.log_people / 8.0);
    sink.add(
        SHARED,
        if facts.n_bearers > 8 {
            1.0
        } else {
            facts.n_bearers as f32 / 8.0
        },
    );
    let is_small = facts.log_people < 4.3;
    sink.flag(TINY, facts.log_people < 3.0);
    sink.flag(SMALL, is_small);
    sink.flag(LARGE, facts.log_people > 5.5);
    sink.kind(facts.kind, &KINDS);
    sink.flag(WORDNET, facts.in_wordnet);
    sink.flag(TWO_WORDS, candidate.n_words == 2);
    sink.flag(MORE_WORDS, candidate.n_words > 2);
    sink.flag(ALIAS, facts.only_alias);
    sink.flag(DEMONYM, facts.demonym);
    sink.flag(ABBREVIATION, candidate.is_abbreviation);
    let is_code = candidate.end - candidate.start == 2 && facts.kind == Kind::Division1;
    sink.flag(CODE, candidate.is_abbreviation && is_code);
    let is = candidate.classes;
    sink.flag(IS_COMMON, is & COMMON != 0);
    sink.flag(IS_VERY_COMMON, is & VERY_COMMON != 0);
    sink.flag(IS_GIVEN, is & GIVEN != 0);
    sink.flag(IS_FAMILY, is & FAMILY != 0);
    sink.flag(IS_DATE, is & DATE != 0);
    sink.flag(IS_FEATURE, is & (FEATURE | BUILT | ROAD) != 0);
    sink.flag(IS_TITLE, is & (TITLE | COMPANY | PAPER | TEAM) != 0);
    sink.flag(COMMON_AND_SMALL, is & COMMON != 0 && is_small);
    sink.flag(FAMILY_AND_SMALL, is & FAMILY != 0 && is_small);
}

fn of_shape(candidate: &Candidate, sink: &mut impl Sink) {
    let in_capitals = candidate.shape == Shape::Capitals && !candidate.is_abbreviation;
    let capitals = |idx: usize, side: &[super::candidate::Neighbour; 2]| {
        side[idx].shape == Some(Shape::Capitals)
    };
    sink.flag(CAPITALS, in_capitals);
    sink.flag(
        CAPITALS_AROUND,
        in_capitals && (capitals(0, &candidate.before) || capitals(0, &candidate.after)),
    );
    let [previous, _] = &candidate.before;
    let begins = previous.shape.is_none() || matches!(previous.gap, Gap::Stop | Gap::Line);
    sink.flag(BEGINS, begins);
    sink.flag(BEGINS_COMMON, begins && candidate.classes & COMMON != 0);
    sink.flag(POSSESSIVE, candidate.is_possessive);
    sink.flag(HAS_LONGER, candidate.has_longer);
    let begins_line = previous.shape.is_none() || previous.gap == Gap::Line;
    let [next, _] = &candidate.after;
    let ends_line = next.shape.is_none() || next.gap == Gap::Line;
    sink.flag(OWN_LINE, begins_line && ends_line);
    sink.flag(BEGINS_LINE, begins_line && !ends_line);
    sink.flag(ENDS_LINE, ends_line && !begins_line);
}

fn before(candidate: &Candidate, sink: &mut impl Sink) {
    let [previous, second] = &candidate.before;
    let is = previous.classes;
    if previous.is_beside() {
        let large = previous.is_large();
        sink.flag(AFTER_GIVEN, large && is & GIVEN != 0);
        sink.flag(AFTER_TITLE, is & TITLE != 0);
        sink.flag(
            AFTER_LARGE,
            large && second.gap != Gap::Stop && second.shape.is_some(),
        );
        sink.flag(AFTER_COMPANY, large && is & COMPANY != 0);
        sink.flag(AFTER_WHERE, is & WHERE != 0 && !large);
        sink.flag(
            AFTER_WHERE_COMMON,
            is & WHERE != 0 && candidate.classes & COMMON != 0,
        );
        sink.flag(AFTER_SIDE, is & SIDE != 0);
        sink.flag(AFTER_AND, is & AND != 0);
        sink.flag(AFTER_AND_LARGE, is & AND != 0 && second.is_large());
        sink.flag(AFTER_FEATURE, is & FEATURE != 0);
        sink.flag(AFTER_NUMBER, previous.shape == Some(Shape::Number));
        let of_company = second.is_large() && second.classes & (COMPANY | BUILT) != 0;
        sink.flag(AFTER_OF_COMPANY, is & WHERE != 0 && of_company);
    }
    // `J. Houston`, `Gov. Houston`
    let shortened = previous.gap == Gap::Stop && previous.is_large();
    sink.flag(AFTER_LETTER, shortened && previous.is_letter);
    sink.flag(
        AFTER_TITLE,
        shortened && !previous.is_letter && is & TITLE != 0,
    );
    sink.flag(AFTER_COMMA, previous.gap == Gap::Comma);
    sink.flag(
        AFTER_COMMA_LARGE,
        previous.gap == Gap::Comma && previous.is_large(),
    );
    sink.flag(AFTER_HYPHEN, previous.gap == Gap::Hyphen);
    sink.flag(AFTER_OPEN, previous.gap == Gap::Open);
    sink.flag(
        AFTER_OTHER,
        previous.gap == Gap::Other && previous.shape.is_some(),
    );
}

fn after(candidate: &Candidate, sink: &mut impl Sink) {
    let [next, second] = &candidate.after;
    let is = next.classes;
    if next.is_beside() {
        let large = next.is_large();
        sink.flag(BEFORE_LARGE, large);
        sink.flag(BEFORE_FAMILY, large && is & FAMILY != 0);
        sink.flag(BEFORE_GIVEN, large && is & GIVEN != 0);
        sink.flag(GIVEN_BEFORE_LARGE, large && candidate.classes & GIVEN != 0);
        sink.flag(BEFORE_COMPANY, large && is & COMPANY != 0);
        sink.flag(BEFORE_ROAD, large && is & ROAD != 0);
        sink.flag(BEFORE_BUILT, large && is & BUILT != 0);
        sink.flag(BEFORE_TEAM, large && is & TEAM != 0);
        sink.flag(BEFORE_PAPER, large && is & PAPER != 0);
        sink.flag(BEFORE_FEATURE, !large && is & FEATURE != 0);
        sink.flag(BEFORE_LARGE_FEATURE, large && is & FEATURE != 0);
        sink.flag(BEFORE_SPEAKS, is & SPEAKS != 0);
        sink.flag(BEFORE_AND, is & AND != 0);
        sink.flag(BEFORE_AND_LARGE, is & AND != 0 && second.is_large());
        sink.flag(BEFORE_NUMBER, next.shape == Some(Shape::Number));
    }
    sink.flag(BEFORE_COMMA, next.gap == Gap::Comma);
    sink.flag(
        BEFORE_COMMA_LARGE,
        next.gap == Gap::Comma && next.is_large(),
    );
    sink.flag(BEFORE_HYPHEN, next.gap == Gap::Hyphen);
    sink.flag(
        BEFORE_HYPHEN_LARGE,
        next.gap == Gap::Hyphen && next.is_large(),
    );
    sink.flag(BEFORE_STOP, next.gap == Gap::Stop);
    sink.flag(BEFORE_CLOSE, next.gap == Gap::Close);
    sink.flag(BEFORE_OTHER, next.gap == Gap::Other && next.shape.is_some());
}

/// Whether a candidate stands where a person's last name does.
pub(super) fn is_in_person(candidate: &Candidate) -> bool {
    let [previous, _] = &candidate.before;
    let [next, _] = &candidate.after;
    let after_name = previous.is_beside() && previous.is_large() && previous.classes & GIVEN != 0;
    let after_title =
        previous.classes & TITLE != 0 && matches!(previous.gap, Gap::Space | Gap::Stop);
    let before_name = candidate.classes & GIVEN != 0 && next.is_beside() && next.is_large();
    after_name || after_title || before_name || previous.gap == Gap::Stop && previous.is_letter
}

/// Whether a candidate is surely part of another name: `Paris Hilton`, `New York Fries`.
///
/// Labelled texts have too few of these to teach it: of given names before
/// family names 8 in 276 are places, but none of those is a large one.
pub(super) fn is_part_of_name(candidate: &Candidate) -> bool {
    let [previous, _] = &candidate.before;
    let [next, _] = &candidate.after;
    if !next.is_beside() || !next.is_large() {
        return false;
    }
    let other = COMPANY | FEATURE | BUILT | ROAD | TEAM | PAPER | SIDE;
    let is_person =
        candidate.classes & GIVEN != 0 && next.classes & FAMILY != 0 && next.classes & other == 0;
    // In a heading every word has a capital: `Best Houston Pizza` is about Houston.
    let in_sentence = previous.is_beside() && !previous.is_large();
    is_person || in_sentence && next.classes & SHOP != 0
}

/// Whether another capital stands right before, inside a sentence.
pub(super) fn is_after_large(candidate: &Candidate) -> bool {
    let [previous, second] = &candidate.before;
    previous.is_beside() && previous.is_large() && second.gap == Gap::Space
}
