//! Cuts the text after a house number into words.

use std::ops::Range;

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Spaces, or a dot and spaces.
    Space,
    /// A comma, a tab, a bar or a bullet.
    Comma,
    /// One line break.
    Line,
}

/// One word in capitals, without its dots.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) word: String,
    pub(super) span: Range<usize>,
    /// What stands before it.
    pub(super) gap: Gap,
    /// Whether the text has it in capitals.
    pub(super) in_capitals: bool,
}

/// An address has at most so many words after its number.
const MAX_TOKENS: usize = 18;
/// Longer runs of letters are no words of an address.
const MAX_WORD_LEN: usize = 24;

/// The words from a position on, up to a blank line or anything that cannot stand in an address.
pub(super) fn tokens(text: &str, from: usize) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = from;
    while tokens.len() < MAX_TOKENS {
        let Some((gap, start)) = gap(text, at) else {
            break;
        };
        let end = word_end(text, start);
        if end == start || end - start > MAX_WORD_LEN {
            break;
        }
        // The first word decides whether there is a street at all.
        if tokens.is_empty() && (gap != Gap::Space || start == from) {
            break;
        }
        tokens.push(token(text, start..end, gap));
        at = end;
    }
    tokens
}

fn token(text: &str, span: Range<usize>, gap: Gap) -> Token {
    let written = &text[span.clone()];
    let kept = written.chars().filter(|c| !matches!(c, '.' | '\'' | '’'));
    let word = kept.flat_map(char::to_uppercase).collect();
    let in_capitals = !written.chars().any(char::is_lowercase);
    Token {
        word,
        span,
        gap,
        in_capitals,
    }
}

/// What stands between two words, and where the next one begins.
fn gap(text: &str, from: usize) -> Option<(Gap, usize)> {
    let mut gap = Gap::Space;
    let mut n_lines = 0;
    for (offset, c) in text[from..].char_indices() {
        match c {
            '\n' => {
                n_lines += 1;
                gap = Gap::Line;
                if n_lines > 1 {
                    return None;
                }
            }
            ',' | '\t' | '|' | '•' | '·' | ';' | '(' | ')' => gap = gap.max(Gap::Comma),
            '.' if offset == 0 => {}
            '-' | '–' | '—' if offset > 0 => gap = gap.max(Gap::Comma),
            _ if c.is_whitespace() => {}
            _ => return Some((gap, from + offset)),
        }
        // Wide layouts pad with spaces, but not for ever.
        if offset > 80 {
            return None;
        }
    }
    None
}

/// A word is letters and digits, dots between single letters (`N.W.`), and
/// hyphens, apostrophes and ampersands inside.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let rest = text[start..].char_indices();
    let mut end = start;
    for (offset, c) in rest {
        let at = start + offset;
        let next = bytes.get(at + c.len_utf8()).copied().unwrap_or(b' ');
        let inside = match c {
            '#' => offset == 0,
            '&' => offset == 0 && next == b' ',
            '-' | '/' | '\'' => offset > 0 && next.is_ascii_alphanumeric(),
            '’' => offset > 0 && next.is_ascii_alphabetic(),
            '.' => {
                offset > 0 && next.is_ascii_alphabetic() && single_letter_before(bytes, start, at)
            }
            _ => c.is_alphanumeric(),
        };
        if !inside || at - start > MAX_WORD_LEN {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

fn single_letter_before(bytes: &[u8], start: usize, dot: usize) -> bool {
    let letter = bytes[dot - 1].is_ascii_alphabetic();
    letter && (dot - 1 == start || bytes[dot - 2] == b'.')
}
