//! Cuts a query into tokens: words, quoted phrases and operators.

use crate::names::{normalise, written_out};
use std::ops::Range;

/// What lies behind so many bytes is kept, but not looked at.
const MAX_BYTES: usize = 600;
/// The same for tokens.
const MAX_TOKENS: usize = 48;

/// A word with the marks around it, or a quoted phrase.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// Byte range in the query, marks included.
    pub(super) span: Range<usize>,
    /// Byte range of the word itself.
    pub(super) word: Range<usize>,
    /// The word in lower case, with its accents.
    pub(super) lower: String,
    /// The word in normal form.
    pub(super) normal: String,
    /// A quoted phrase, `-word`, `wor*`, `field:word` or an operator: stays as it is.
    pub(super) is_fixed: bool,
    /// A comma or the like stands behind it.
    pub(super) is_closed: bool,
}

impl Token {
    /// Whether it says how the words beside it are combined.
    pub(super) fn is_operator(&self, query: &str) -> bool {
        is_operator(&query[self.word.clone()])
    }

    /// Whether what stands next to it may still be called the border of the query.
    fn is_beside(&self) -> bool {
        let is_code = self.lower.len() == 5 && self.lower.bytes().all(|byte| byte.is_ascii_digit());
        self.is_fixed || is_code
    }
}

/// A query and the part of it that is looked at.
#[derive(Debug)]
pub(super) struct Tokens<'q> {
    pub(super) query: &'q str,
    pub(super) list: Vec<Token>,
    /// Where the part that is not looked at begins.
    pub(super) end: usize,
}

impl<'q> Tokens<'q> {
    pub(super) fn new(query: &'q str) -> Tokens<'q> {
        let mut list: Vec<Token> = Vec::new();
        let mut at = 0;
        while list.len() < MAX_TOKENS {
            let rest = &query[at..];
            let start = at + rest.len() - rest.trim_start().len();
            let end = token_end(query, start);
            if start == end || end > MAX_BYTES {
                return Tokens {
                    query,
                    list,
                    end: start,
                };
            }
            list.push(token(query, start..end));
            at = end;
        }
        Tokens {
            query,
            list,
            end: at,
        }
    }

    /// The words of some tokens as one text, without the marks at its ends.
    pub(super) fn text(&self, range: Range<usize>) -> &'q str {
        match self.list.get(range) {
            Some([first, .., last]) => &self.query[first.word.start..last.word.end],
            Some([only]) => &self.query[only.word.clone()],
            _ => "",
        }
    }

    /// The words of some tokens as one name in normal form.
    pub(super) fn name(&self, range: Range<usize>) -> String {
        let mut name = String::new();
        let last = range.end.saturating_sub(1);
        for idx in range {
            if !name.is_empty() {
                name.push(' ');
            }
            let normal = &self.list[idx].normal;
            name.push_str(if idx < last {
                written_out(normal)
            } else {
                normal
            });
        }
        name
    }

    /// Whether all of them may be part of a name, with nothing between them.
    pub(super) fn are_joined(&self, range: Range<usize>) -> bool {
        let Some((last, before)) = self.list[range].split_last() else {
            return false;
        };
        let is_word = |token: &Token| !token.is_fixed && !token.normal.is_empty();
        is_word(last)
            && before
                .iter()
                .all(|token| is_word(token) && !token.is_closed)
    }

    /// Whether nothing but fixed tokens and postal codes stands before this one.
    pub(super) fn begins(&self, idx: usize) -> bool {
        self.list[..idx].iter().all(Token::is_beside)
    }

    /// Whether nothing but such stands from this one on, and all was looked at.
    pub(super) fn ends(&self, idx: usize) -> bool {
        self.end == self.query.len() && self.list[idx..].iter().all(Token::is_beside)
    }
}

/// Where the token that begins here ends: at a space, or with its quotation mark.
fn token_end(query: &str, start: usize) -> usize {
    let rest = &query[start..];
    let first = rest.chars().next();
    if let Some(open) = first.filter(|&c| is_quote(c)) {
        let inside = start + open.len_utf8();
        // A mark without a partner quotes nothing.
        let close = query[inside..].char_indices().find(|&(_, c)| is_quote(c));
        if let Some((at, c)) = close {
            return inside + at + c.len_utf8();
        }
    }
    let is_end = |&(at, c): &(usize, char)| {
        let after_comma = at > 0 && rest.as_bytes()[at - 1] == b',' && c.is_alphabetic();
        c.is_whitespace() || after_comma || at > 0 && opens_quote(&rest[at..])
    };
    rest.char_indices()
        .find(is_end)
        .map_or(query.len(), |(at, _)| start + at)
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '«' | '»')
}

/// Whether a quoted phrase begins in the middle of a word.
fn opens_quote(rest: &str) -> bool {
    let mut chars = rest.chars();
    chars.next().is_some_and(is_quote) && chars.any(is_quote)
}

fn is_operator(word: &str) -> bool {
    matches!(word, "AND" | "OR" | "NOT")
}

fn token(query: &str, span: Range<usize>) -> Token {
    let text = &query[span.clone()];
    let is_mark = |c: char| !c.is_alphanumeric();
    let before = text.len() - text.trim_start_matches(is_mark).len();
    let word = text.trim_matches(is_mark);
    // A dot belongs to what it shortens: `U.S.`, `St.`
    let behind = &text[before + word.len()..];
    let dot = usize::from(behind.starts_with('.'));
    let start = span.start + before;
    let end = start + word.len() + if word.is_empty() { 0 } else { dot };
    let is_closed = behind.contains([',', ';', '(', ')', '/', '|', '?', '!']);
    let is_fixed = text.starts_with(['-', '+'])
        || text.contains('*')
        || word.contains(':')
        || is_operator(text)
        || text.starts_with(is_quote) && text.chars().skip(1).any(is_quote);
    Token {
        span,
        lower: word.to_lowercase(),
        normal: normalise(word),
        word: start..end,
        is_fixed,
        is_closed,
    }
}
