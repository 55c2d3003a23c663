//! What English sentences are made of.

use super::lexicon::Piece::{Adjective, Noun, Number, Opener, Tail, Thing, Verb, Word};
use super::lexicon::{Labels, Lexicon, Piece};

pub(crate) static ENGLISH: Lexicon = Lexicon {
    code: "en",
    sentences: &SENTENCES,
    adjectives: &ADJECTIVES,
    verbs: &VERBS,
    nouns: &GENERAL_NOUNS,
    openers: &OPENERS,
    tails: &TAILS,
    city_sentences: &CITY_SENTENCES,
    labels: Labels {
        home: "Home",
        contact: "Contact us",
        contact_slug: "contact",
        welcome: "Welcome to ",
        inside: "In this section",
        related: "Related",
        rights: "All rights reserved.",
        in_city: " in ",
        of_city: " of ",
        phone: "Phone ",
        elsewhere: "Elsewhere",
        by: "By ",
        nearby: "Other cities",
        directions: "Visit us at ",
        questions: "Questions and answers",
        print: "Printer-friendly version",
    },
};

#[rustfmt::skip]
pub(crate) static ADJECTIVES: [&str; 40] = [
    "new", "local", "quiet", "popular", "careful", "friendly", "modern", "simple", "reliable", "seasonal",
    "annual", "early", "long", "short", "bright", "steady", "recent", "typical", "small", "large",
    "affordable", "complete", "regular", "practical", "familiar", "free", "extra", "useful", "honest", "busy",
    "open", "public", "private", "historic", "handmade", "original", "spare", "weekly", "careful", "proven",
];

#[rustfmt::skip]
pub(crate) static VERBS: [&str; 32] = [
    "improves", "replaces", "supports", "follows", "includes", "explains", "covers", "needs",
    "changes", "offers", "requires", "helps", "keeps", "finds", "brings", "shows",
    "takes", "starts", "holds", "makes", "protects", "describes", "reaches", "serves",
    "completes", "delivers", "compares", "reviews", "suggests", "prepares", "restores", "measures",
];

#[rustfmt::skip]
pub(crate) static GENERAL_NOUNS: [&str; 40] = [
    "idea", "question", "result", "week", "story", "project", "visitor", "reader", "answer", "family",
    "season", "detail", "price", "choice", "friend", "morning", "customer", "neighbor", "program", "plan",
    "report", "event", "member", "group", "day", "year", "photo", "letter", "reason", "problem",
    "office", "service", "number", "guide", "method", "budget", "weekend", "visit", "team", "update",
];

#[rustfmt::skip]
pub(crate) static OPENERS: [&str; 20] = [
    "In most cases", "Last year", "As a rule", "For many people", "After a while", "Without a doubt", "On most days",
    "By the end of the month", "At first", "From time to time", "According to our survey", "Once again", "In addition",
    "Before you decide", "When in doubt", "For this reason", "As always", "Over the years", "On the other hand", "To be fair",
];

#[rustfmt::skip]
pub(crate) static TAILS: [&str; 24] = [
    "and that makes a difference", "at no extra cost", "for the whole family", "in just a few days", "with great care",
    "because people ask for it", "as long as supplies last", "whatever the weather", "even on short notice",
    "if everything goes well", "and nobody has complained so far", "for more than twenty years", "in the usual way",
    "when the season starts", "with a little patience", "and we are proud of it", "unless you tell us otherwise",
    "just as we expected", "although opinions differ", "without any trouble", "to everyone's surprise",
    "which is good to know", "before the doors open", "as described below",
];

#[rustfmt::skip]
static SENTENCES: [&[Piece]; 14] = [
    &[Word("The "), Adjective, Word(" "), Thing, Word(" "), Verb, Word(" the "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(", the "), Noun, Word(" "), Verb, Word(" some "), Adjective, Word(" "), Thing, Word(". ")],
    &[Word("Every "), Thing, Word(" "), Verb, Word(" the "), Adjective, Word(" "), Noun, Word(", "), Tail, Word(". ")],
    &[Word("You can ask about the "), Thing, Word(" or the "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(", "), Number, Word(" people asked for this "), Adjective, Word(" "), Thing, Word(" "), Tail, Word(". ")],
    &[Word("Our "), Noun, Word(" "), Verb, Word(" each "), Thing, Word(" "), Tail, Word(". ")],
    &[Word("What is the "), Adjective, Word(" "), Noun, Word(" of this "), Thing, Word("? ")],
    &[Word("It "), Verb, Word(" the "), Thing, Word(", the "), Thing, Word(" and the "), Noun, Word(". ")],
    &[Word("This "), Noun, Word(" "), Verb, Word(" more than one "), Thing, Word(", and the "), Adjective, Word(" "), Noun, Word(" "), Verb, Word(" the rest. ")],
    &[Word("We don\u{2019}t think that the "), Thing, Word(" "), Verb, Word(" the "), Noun, Word(" "), Tail, Word(". ")],
    &[Word("One "), Adjective, Word(" "), Noun, Word(" "), Verb, Word(" the "), Thing, Word(" \u{2013} "), Tail, Word(". ")],
    &[Word("Read how one "), Noun, Word(" found the "), Adjective, Word(" "), Thing, Word(" in "), Number, Word(" days. ")],
    &[Opener, Word(", the "), Thing, Word(" costs less than the "), Adjective, Word(" "), Noun, Word(". ")],
    &[Word("Caf\u{e9} owners say the "), Thing, Word(" "), Verb, Word(" every "), Noun, Word(" "), Tail, Word(". ")],
];

/// Sentences in which the city is named, before and after its name.
static CITY_SENTENCES: [(&str, &str); 8] = [
    ("People in ", " have known this for years. "),
    ("We are happy to work in ", " and the towns around it. "),
    ("There is more to see in ", " than most visitors expect. "),
    ("It was a long day for ", ". "),
    ("Residents of ", " asked for it again and again. "),
    ("The best of ", " is often close to home. "),
    ("Nowhere but in ", " would you find this. "),
    ("Many newcomers to ", " start right here. "),
];
