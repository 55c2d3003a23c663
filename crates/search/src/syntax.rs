//! What people type between words: quotes, AND, OR, NOT, minus, star.
//!
//! Words beside each other are wanted together; of three and more, two thirds
//! will do. `OR` joins its two neighbours, `NOT` and `-` forbid what follows,
//! quotes ask for the words in their order, a star for all words that begin
//! so. What makes no sense in that is a word like any other or nothing: no
//! query is wrong.

use crate::words::{Cutter, is_common};
use std::iter::Peekable;

/// Words of a query beyond this are ignored: each costs a look-up in every
/// segment, and nobody types so many.
const MAX_WORDS: usize = 32;

/// Bytes of a query that are looked at.
pub(crate) const MAX_QUERY_BYTES: usize = 4 << 10;

/// One thing that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// A word, as the stems it may have.
    Word(Vec<String>),
    /// Words in this order; once for every language they may be in.
    Phrase(Vec<Vec<String>>),
    /// All words that begin so.
    Prefix(Vec<String>),
}

/// A query's words, understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// Each is to be met, by any of its alternatives.
    pub(crate) wanted: Vec<Vec<Wish>>,
    pub(crate) forbidden: Vec<Wish>,
    /// Whether every one has to be met: somebody said AND.
    pub(crate) is_strict: bool,
}

/// A piece of a query.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'q> {
    Word(&'q str),
    Quoted(&'q str),
    And,
    Or,
    Not,
}

impl Wishes {
    pub(crate) fn read(cutter: &mut Cutter, query: &str) -> Wishes {
        let query = &query[..query.floor_char_boundary(MAX_QUERY_BYTES)];
        let pieces = pieces(query);
        let says_something = |piece: &Piece<'_>| match piece {
            Piece::Word(word) => !is_common(word.trim_matches(is_punctuation)),
            Piece::Quoted(_) => true,
            _ => false,
        };
        // Common words count only where there is nothing else.
        let drops_common = pieces.iter().any(says_something);
        let mut wishes = Wishes::default();
        let mut pieces = pieces.into_iter().take(MAX_WORDS * 2).peekable();
        let mut joins = false;
        while let Some(piece) = pieces.next() {
            let forbids = piece == Piece::Not || is_minus(&piece);
            let piece = match piece {
                Piece::And => {
                    wishes.is_strict |= !wishes.wanted.is_empty() && pieces.peek().is_some();
                    continue;
                }
                Piece::Or => {
                    joins = !wishes.wanted.is_empty();
                    continue;
                }
                Piece::Not => match next_thing(&mut pieces) {
                    Some(piece) => piece,
                    None => break,
                },
                piece => piece,
            };
            if let Piece::Word(word) = piece
                && drops_common
                && is_common(word.trim_matches(is_punctuation))
            {
                continue;
            }
            for wish in wish(cutter, &piece) {
                wishes.add(wish, forbids, joins);
            }
            joins = false;
        }
        wishes
    }

    fn add(&mut self, wish: Wish, forbids: bool, joins: bool) {
        if forbids {
            self.forbidden.push(wish);
            return;
        }
        if self.wanted.iter().flatten().any(|known| *known == wish) {
            return;
        }
        if let Some(last) = self.wanted.last_mut().filter(|_| joins) {
            last.push(wish);
        } else if self.wanted.len() < MAX_WORDS {
            self.wanted.push(vec![wish]);
        }
    }

    /// Whether the order of words matters anywhere.
    pub(crate) fn has_phrases(&self) -> bool {
        let is_phrase = |wish: &Wish| matches!(wish, Wish::Phrase(_));
        self.wanted
            .iter()
            .flatten()
            .chain(&self.forbidden)
            .any(is_phrase)
    }

    /// Whether there are phrases that a page must not have.
    pub(crate) fn forbids_phrases(&self) -> bool {
        let mut forbidden = self.forbidden.iter();
        forbidden.any(|wish| matches!(wish, Wish::Phrase(_)))
    }

    /// Whether a text has the phrases that are wanted and none that is
    /// forbidden, by those of its words that are asked for: which word each is,
    /// and its stem.
    pub(crate) fn phrases_hold(&self, words: &[(usize, &str)]) -> bool {
        let has = |wish: &Wish| match wish {
            Wish::Phrase(readings) => readings.iter().any(|phrase| has_phrase(words, phrase)),
            // Whether words are there was looked up in the index.
            _ => true,
        };
        let is_phrase = |wish: &&Wish| matches!(wish, Wish::Phrase(_));
        let forbidden = self.forbidden.iter().filter(is_phrase);
        self.wanted.iter().all(|wanted| wanted.iter().any(has)) && !forbidden.into_iter().any(has)
    }

    /// How many of the wanted must be met.
    pub(crate) fn n_needed(&self) -> usize {
        let n = self.wanted.len();
        match self.is_strict || n < 3 {
            true => n,
            false => (n * 2).div_ceil(3),
        }
    }
}

fn has_phrase(words: &[(usize, &str)], phrase: &[String]) -> bool {
    let is_here = |window: &[(usize, &str)]| {
        let mut pairs = (window[0].0..).zip(window).zip(phrase);
        pairs.all(|((nth, (at, stem)), word)| *at == nth && stem == word)
    };
    words.windows(phrase.len().max(1)).any(is_here)
}

/// The next piece that is no operator.
fn next_thing<'q>(pieces: &mut Peekable<impl Iterator<Item = Piece<'q>>>) -> Option<Piece<'q>> {
    pieces.find(|piece| matches!(piece, Piece::Word(_) | Piece::Quoted(_)))
}

fn is_minus(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Word(word) if word.len() > 1 && word.starts_with('-'))
}

fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric()
}

fn pieces(query: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = query.trim_start();
    while let Some(first) = rest.chars().next() {
        if is_quote(first) {
            let inner = &rest[first.len_utf8()..];
            // A quote that nobody ends is none.
            rest = inner.trim_start();
            if let Some((quoted, behind)) = inner.split_once(is_quote) {
                pieces.push(Piece::Quoted(quoted));
                rest = behind.trim_start();
            }
            continue;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || is_quote(c))
            .unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        pieces.push(match word {
            "AND" | "&&" => Piece::And,
            "OR" | "||" => Piece::Or,
            "NOT" => Piece::Not,
            // Before a quoted phrase.
            "-" if behind.starts_with(is_quote) => Piece::Not,
            word => Piece::Word(word),
        });
        rest = behind.trim_start();
    }
    pieces
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '«' | '»')
}

/// What a piece asks for; a word such as `rock-n-roll` asks for several.
fn wish(cutter: &mut Cutter, piece: &Piece<'_>) -> Vec<Wish> {
    let (text, is_phrase) = match piece {
        Piece::Word(word) => (*word, false),
        Piece::Quoted(text) => (*text, true),
        _ => return Vec::new(),
    };
    let readings = cutter.readings(text, MAX_WORDS);
    let n_words = readings.first().map_or(0, Vec::len);
    if n_words == 0 {
        return Vec::new();
    }
    if is_phrase && n_words > 1 {
        return vec![Wish::Phrase(readings)];
    }
    let stems_of = |nth: usize| {
        let mut stems: Vec<String> = Vec::new();
        for reading in &readings {
            if let Some(stem) = reading.get(nth).filter(|stem| !stems.contains(stem)) {
                stems.push(stem.clone());
            }
        }
        stems
    };
    let is_prefix = !is_phrase && text.ends_with('*');
    let wish = |nth: usize| match is_prefix && nth + 1 == n_words {
        true => Wish::Prefix(prefixes(text, stems_of(nth))),
        false => Wish::Word(stems_of(nth)),
    };
    (0..n_words).map(wish).collect()
}

/// What words that begin with a text begin with in the index: with the text
/// itself, or with the stem that it is cut down to.
fn prefixes(text: &str, stems: Vec<String>) -> Vec<String> {
    let text = text.trim_end_matches('*');
    let last = text.rsplit(is_punctuation).next().unwrap_or(text);
    let mut prefixes = vec![last.to_lowercase()];
    for stem in stems {
        if !prefixes
            .iter()
            .any(|known| stem.starts_with(known.as_str()))
        {
            prefixes.push(stem);
        }
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn show(wish: &Wish) -> String {
        match wish {
            Wish::Word(stems) => stems.join("/"),
            Wish::Phrase(readings) => {
                let readings = readings.iter().map(|stems| stems.join(" "));
                format!("\"{}\"", readings.collect::<Vec<_>>().join("/"))
            }
            Wish::Prefix(stems) => format!("{}*", stems.join("/")),
        }
    }

    fn read(query: &str) -> String {
        let wishes = Wishes::read(&mut Cutter::new(), query);
        let all = |wishes: &[Wish]| wishes.iter().map(show).collect::<Vec<_>>().join(" or ");
        let mut parts: Vec<String> = wishes.wanted.iter().map(|wanted| all(wanted)).collect();
        parts.extend(
            wishes
                .forbidden
                .iter()
                .map(|wish| format!("not {}", show(wish))),
        );
        format!("{} of: {}", wishes.n_needed(), parts.join(" + "))
    }

    #[test]
    fn operators_mean_what_people_expect() {
        assert_snapshot!(read("pizza pasta"), @"2 of: pizza/pizz + pasta/past");
        assert_snapshot!(read("pizza OR pasta cheap"), @"2 of: pizza/pizz or pasta/past + cheap");
        assert_snapshot!(read("one two three four"), @"3 of: one + two + three/thre + four");
        assert_snapshot!(read("one AND two three four"), @"4 of: one + two + three/thre + four");
        assert_snapshot!(read("pizza -cheap NOT \"fast food\""), @r#"1 of: pizza/pizz + not cheap + not "fast food""#);
        assert_snapshot!(read("\"Rice Village\" shop"), @r#"2 of: "rice villag/ric villag" + shop"#);
        assert_snapshot!(read("restaurants*"), @"1 of: restaurants/restaur*");
    }

    #[test]
    fn what_makes_no_sense_is_no_mistake() {
        assert_snapshot!(read("\"broken quote"), @"2 of: broken/brok + quot");
        assert_snapshot!(read("OR pizza OR"), @"1 of: pizza/pizz");
        assert_snapshot!(read("NOT"), @"0 of: ");
        assert_snapshot!(read("- * \"\" && ||"), @"0 of: ");
        assert_snapshot!(read("the pizza"), @"1 of: pizza/pizz");
        assert_snapshot!(read("to be or not to be"), @"3 of: to + be + or + not");
        assert_snapshot!(read("rock-n-roll"), @"2 of: rock + n + roll");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,60}|([a-z]{1,5}|AND|OR|NOT|\"|-| ){0,30}") {
            let wishes = Wishes::read(&mut Cutter::new(), &text);
            prop_assert!(wishes.n_needed() <= wishes.wanted.len());
        }
    }
}
