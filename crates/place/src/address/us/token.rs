//! Cuts the text before a state into words.
//!
//! Blank lines, or a character that stands in no address, end what may belong
//! together: only the words after the last such break are kept. One blank
//! line is left to the reader of the words to judge.

use super::words::Meaning;
use crate::names::is_invisible;
use std::ops::Range;

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Spaces, or a dot and spaces.
    Space,
    /// A comma, a tab, a bar, a bullet, a bracket.
    Comma,
    /// One line break.
    Line,
    /// One blank line.
    Blank,
}

/// One word of a [`Window`].
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// Byte range in the text.
    pub(super) span: Range<usize>,
    /// Byte range in the window's capitals.
    capitals: Range<usize>,
    /// What stands before it.
    pub(super) gap: Gap,
    /// Whether it begins with a lower-case letter.
    pub(super) lower: bool,
    pub(super) meaning: &'static Meaning,
}

/// A word with all that is known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'w> {
    /// In capitals.
    pub(super) text: &'w str,
    pub(super) lower: bool,
    pub(super) meaning: &'static Meaning,
}

impl Word<'_> {
    pub(super) const NONE: Word<'static> = Word {
        text: "",
        lower: false,
        meaning: Meaning::NONE,
    };
}

/// Words in capitals, without dots and apostrophes; kept to be filled again.
#[derive(Debug, Default)]
pub(super) struct Window {
    capitals: String,
    pub(super) tokens: Vec<Token>,
}

/// Longer runs of letters are no words of an address.
const MAX_WORD_LEN: usize = 28;

/// Bytes that stand in no address.
static BREAKS: [bool; 128] = {
    let mut breaks = [false; 128];
    let signs = b"!?=<>{}[]@$%^_\\`+";
    let mut idx = 0;
    while idx < signs.len() {
        breaks[signs[idx] as usize] = true;
        idx += 1;
    }
    breaks
};

/// How many of these bytes follow the last break, without cutting them into words.
///
/// It may be more than belong together, never less.
pub(super) fn len_after_break(bytes: &[u8]) -> usize {
    let mut n_lines = 0;
    let is_break = |&byte: &u8| {
        match byte {
            b'\n' => n_lines += 1,
            b' ' | b'\t' | b'\r' => {}
            _ => n_lines = 0,
        }
        n_lines > 2 || byte < 128 && BREAKS[byte as usize]
    };
    let last = bytes.iter().rev().position(is_break);
    last.unwrap_or(bytes.len())
}

impl Window {
    /// The word in capitals.
    pub(super) fn word(&self, token: &Token) -> &str {
        &self.capitals[token.capitals.clone()]
    }

    /// The word with all that is known of it.
    pub(super) fn full_word(&self, token: &Token) -> Word<'_> {
        Word {
            text: self.word(token),
            lower: token.lower,
            meaning: token.meaning,
        }
    }

    /// Reads the words of a range that belong together up to its end, and the
    /// gap between the last one and that end; nothing if the end stands apart.
    pub(super) fn fill(&mut self, text: &str, range: Range<usize>) -> Option<Gap> {
        self.capitals.clear();
        self.tokens.clear();
        let mut at = range.start;
        let mut broken = true;
        while let Some(next) = gap(text, at, range.end) {
            let gap = match next {
                Next::Word(gap, start) => {
                    at = start;
                    gap
                }
                Next::Break(after) => {
                    self.tokens.clear();
                    broken = true;
                    at = after;
                    continue;
                }
            };
            if at == range.end {
                return (!broken).then_some(gap);
            }
            let end = word_end(text, at, range.end);
            if end - at > MAX_WORD_LEN {
                self.tokens.clear();
                broken = true;
            } else {
                self.push(text, at..end, gap);
                broken = false;
            }
            at = end;
        }
        None
    }

    fn push(&mut self, text: &str, span: Range<usize>, gap: Gap) {
        let written = &text[span.clone()];
        let start = self.capitals.len();
        if written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            self.capitals.push_str(written);
            self.capitals[start..].make_ascii_uppercase();
        } else {
            let dropped = |c: char| matches!(c, '.' | '\'' | '’') || is_invisible(c);
            let kept = written.chars().filter(|&c| !dropped(c));
            self.capitals.extend(kept.flat_map(char::to_uppercase));
        }
        self.tokens.push(Token {
            span,
            capitals: start..self.capitals.len(),
            gap,
            lower: written.starts_with(char::is_lowercase),
            meaning: Meaning::of(&self.capitals[start..]),
        });
    }
}

enum Next {
    /// A word, or the end, begins here.
    Word(Gap, usize),
    /// Nothing before this position belongs to what follows.
    Break(usize),
}

/// What stands between two words, and where the next one begins.
fn gap(text: &str, from: usize, end: usize) -> Option<Next> {
    let bytes = text.as_bytes().get(..end)?;
    let mut gap = Gap::Space;
    let mut n_lines = 0;
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let mut len = 1;
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'#' | b'&' => {
                return Some(Next::Word(gap, at));
            }
            b'\n' => {
                n_lines += 1;
                gap = match n_lines {
                    1 => Gap::Line,
                    2 => Gap::Blank,
                    _ => return Some(Next::Break(at + 1)),
                };
            }
            b' ' | b'\r' | b'.' | b'\'' => {}
            b',' | b'\t' | b'|' | b';' | b'(' | b')' | b'"' | b'*' | b':' | b'~' | b'-' | b'/' => {
                gap = gap.max(Gap::Comma);
            }
            0x80.. => {
                let c = text.get(at..end)?.chars().next()?;
                len = c.len_utf8();
                match c {
                    '•' | '·' | '♦' | '●' | '“' | '”' | '–' | '—' => {
                        gap = gap.max(Gap::Comma);
                    }
                    '’' => {}
                    _ if c.is_alphanumeric() => return Some(Next::Word(gap, at)),
                    _ if c.is_whitespace() || is_invisible(c) => {}
                    _ => return Some(Next::Break(at + len)),
                }
            }
            _ => return Some(Next::Break(at + 1)),
        }
        at += len;
        // Wide layouts pad with spaces, but not for ever.
        if at - from > 80 {
            return Some(Next::Break(at));
        }
    }
    Some(Next::Word(gap, end))
}

/// A word is letters and digits, dots between single letters (`N.W.`), and
/// hyphens, slashes and apostrophes inside; a sign (`#`) stands alone.
fn word_end(text: &str, start: usize, limit: usize) -> usize {
    let bytes = &text.as_bytes()[..limit];
    if matches!(bytes[start], b'#' | b'&') {
        return start + 1;
    }
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        let len = match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => 1,
            b'-' | b'/' | b'\'' if at > start && next.is_ascii_alphanumeric() => 1,
            b'.' if at > start
                && next.is_ascii_alphabetic()
                && single_letter_before(bytes, start, at) =>
            {
                1
            }
            0x80.. => match text[at..limit].chars().next() {
                Some('’') if at > start => '’'.len_utf8(),
                Some(c) if c.is_alphanumeric() || is_invisible(c) => c.len_utf8(),
                _ => break,
            },
            _ => break,
        };
        at += len;
    }
    at
}

/// `U.S.` is one word, `E.Flamingo` is two.
fn single_letter_before(bytes: &[u8], start: usize, dot: usize) -> bool {
    let letter = bytes[dot - 1].is_ascii_alphabetic();
    let alone = dot - 1 == start || bytes[dot - 2] == b'.';
    let single_after = bytes
        .get(dot + 2)
        .is_none_or(|byte| !byte.is_ascii_alphanumeric());
    letter && alone && single_after
}
