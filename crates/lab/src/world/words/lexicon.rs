//! What a language needs for sentences and for the frame of a page.

/// A piece of a sentence.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece {
    Word(&'static str),
    Adjective,
    Verb,
    /// A word of the topic.
    Thing,
    /// An everyday word.
    Noun,
    Opener,
    Tail,
    Number,
}

/// One language.
pub(crate) struct Lexicon {
    /// As in `<html lang=…>`.
    pub(crate) code: &'static str,
    pub(crate) sentences: &'static [&'static [Piece]],
    pub(crate) adjectives: &'static [&'static str],
    pub(crate) verbs: &'static [&'static str],
    pub(crate) nouns: &'static [&'static str],
    pub(crate) openers: &'static [&'static str],
    pub(crate) tails: &'static [&'static str],
    /// Sentences in which a city is named, before and after its name.
    pub(crate) city_sentences: &'static [(&'static str, &'static str)],
    pub(crate) labels: Labels,
}

/// Words of menus, headings and footers.
pub(crate) struct Labels {
    pub(crate) home: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) contact_slug: &'static str,
    pub(crate) welcome: &'static str,
    pub(crate) inside: &'static str,
    pub(crate) related: &'static str,
    pub(crate) rights: &'static str,
    pub(crate) in_city: &'static str,
    pub(crate) of_city: &'static str,
    pub(crate) phone: &'static str,
    pub(crate) elsewhere: &'static str,
    pub(crate) by: &'static str,
    pub(crate) nearby: &'static str,
    pub(crate) directions: &'static str,
    pub(crate) questions: &'static str,
    pub(crate) print: &'static str,
}
