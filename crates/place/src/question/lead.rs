//! Words that lead to a place: `in`, `near`, `bei`, `cerca de`.

use super::token::Tokens;
use std::ops::Range;

/// How much such words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lead {
    /// How many tokens they are.
    pub(super) n_tokens: usize,
    /// Hardly anything but a place follows; after `of` or `from`, anything may.
    pub(super) is_strong: bool,
    /// What is around the place is wanted too.
    pub(super) is_near: bool,
    /// An article follows: `in the`.
    pub(super) has_article: bool,
}

const IN: &[&str] = &[
    "in",
    "im",
    "within",
    "en",
    "dans",
    "inside",
    "across",
    "throughout",
    "em",
];
const NEAR: &[&str] = &[
    "near",
    "near to",
    "nearby",
    "close to",
    "next to",
    "around",
    "outside",
    "outside of",
    "bei",
    "beim",
    "nahe",
    "nahe bei",
    "nähe",
    "in der nähe von",
    "in der nähe",
    "rund um",
    "um",
    "cerca de",
    "près de",
    "à côté de",
    "autour de",
    "vicino a",
    "not far from",
    "in the vicinity of",
    "perto de",
];
const WEAK: &[&str] = &[
    "at", "of", "from", "to", "for", "aus", "nach", "von", "für", "à", "de", "city of", "town of",
    "state of", "stadt",
];
const ARTICLES: &[&str] = &[
    "the",
    "der",
    "den",
    "dem",
    "la",
    "le",
    "el",
    "city of",
    "the city of",
    "town of",
    "the town of",
    "state of",
    "the state of",
    "der stadt",
];

/// What may stand between such words and a city, and means a part of it.
const PARTS: &[&str] = &[
    "downtown",
    "uptown",
    "midtown",
    "central",
    "greater",
    "metro",
    "inner",
    "the heart of",
    "the center of",
    "the centre of",
    "the middle of",
    "der innenstadt von",
];

/// What says that the reader's own surroundings are meant.
const NEAR_ME: &[&str] = &[
    "near me",
    "nearby me",
    "close to me",
    "around me",
    "near here",
    "around here",
    "near by",
    "in my area",
    "in my city",
    "in meiner nähe",
    "in der nähe",
    "hier in der nähe",
    "cerca de mí",
    "cerca de mi",
    "près de moi",
    "nearby",
];

/// Behind these and `of`, a place is part of a name: `university of Houston`.
const NAMES_BEFORE_OF: &[&str] = &[
    "university",
    "bank",
    "duke",
    "prince",
    "king",
    "queen",
    "college",
    "battle",
    "treaty",
    "merchant",
    "out",
    "because",
    "instead",
    "lots",
    "best",
];

/// What leads to the token at this position.
pub(super) fn before(tokens: &Tokens<'_>, start: usize) -> Option<Lead> {
    if let Some(n_part) = longest(tokens, start, PARTS)
        && let Some(lead) = before(tokens, start - n_part).filter(|lead| lead.is_strong)
    {
        return Some(Lead {
            n_tokens: lead.n_tokens + n_part,
            has_article: false,
            ..lead
        });
    }
    if let Some(lead) = directly_before(tokens, start) {
        return Some(lead);
    }
    let n_article = longest(tokens, start, ARTICLES)?;
    let lead = directly_before(tokens, start - n_article).filter(|lead| lead.is_strong)?;
    Some(Lead {
        n_tokens: lead.n_tokens + n_article,
        has_article: true,
        ..lead
    })
}

fn directly_before(tokens: &Tokens<'_>, start: usize) -> Option<Lead> {
    let found = |n_tokens, is_strong, is_near| Lead {
        n_tokens,
        is_strong,
        is_near,
        has_article: false,
    };
    let near = longest(tokens, start, NEAR).map(|n| found(n, true, true));
    let inside = longest(tokens, start, IN).map(|n| found(n, true, false));
    if let Some(lead) = near.or(inside) {
        return Some(lead);
    }
    let n = longest(tokens, start, WEAK)?;
    (!is_in_name(tokens, start)).then(|| found(n, false, false))
}

/// Whether what begins here is part of a name: `university of Houston`.
pub(super) fn is_in_name(tokens: &Tokens<'_>, start: usize) -> bool {
    let word = |back: usize| {
        let idx = start.checked_sub(back)?;
        Some(tokens.list[idx].lower.as_str())
    };
    word(1) == Some("of") && word(2).is_some_and(|word| NAMES_BEFORE_OF.contains(&word))
}

/// Whether these tokens are an institution's name: `University of Texas`,
/// whatever post office or quarter is called so.
pub(super) fn is_institution(tokens: &Tokens<'_>, name: &Range<usize>) -> bool {
    name.len() > 2 && is_in_name(tokens, name.start + 2)
}

/// Whether these tokens mean a part of a city, and not which: `in downtown`.
pub(super) fn is_part(tokens: &Tokens<'_>, name: &Range<usize>) -> bool {
    name.len() == 1 && PARTS.contains(&tokens.list[name.start].lower.as_str())
}

/// Whether a token is such a word itself, and so hardly a name.
pub(super) fn is_lead(tokens: &Tokens<'_>, idx: usize) -> bool {
    let lists = [IN, NEAR, WEAK];
    lists
        .iter()
        .any(|phrases| phrases.contains(&tokens.list[idx].lower.as_str()))
}

/// Tokens that say `near me`, if any do.
pub(super) fn near_me(tokens: &Tokens<'_>) -> Option<Range<usize>> {
    (1..=tokens.list.len()).find_map(|end| {
        let n = longest(tokens, end, NEAR_ME)?;
        // `nearby Houston` and `in der Nähe von Bremen` go on.
        let is_last = tokens.ends(end) || tokens.list[end - 1].is_closed;
        let says_me = matches!(
            tokens.list[end - 1].lower.as_str(),
            "me" | "here" | "mi" | "mí" | "moi" | "area"
        );
        (is_last || says_me).then_some(end - n..end)
    })
}

/// How many tokens the longest of these phrases has that ends before this position.
fn longest(tokens: &Tokens<'_>, end: usize, phrases: &[&str]) -> Option<usize> {
    let lengths = phrases.iter().filter_map(|phrase| {
        let n = phrase.split(' ').count();
        let words = tokens.list.get(end.checked_sub(n)?..end)?;
        let is_same = words
            .iter()
            .zip(phrase.split(' '))
            .all(|(token, word)| !token.is_fixed && token.lower == word);
        is_same.then_some(n)
    });
    lengths.max()
}
