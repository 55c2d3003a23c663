//! Cuts the text around a postal code into words.
//!
//! A soft hyphen is no part of a word, and a space that does not break is a
//! space like any other.

use super::words;
use crate::names::{fold, is_invisible};
use std::ops::Range;

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Spaces, or a dot and spaces.
    Space,
    /// A comma, a tab, a bar, a bullet, a bracket, a dash between spaces.
    Comma,
    /// One line break.
    Line,
    /// One blank line.
    Blank,
    /// Something that stands in no address.
    Break,
}

/// One word of [`Words`].
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Byte range in the text.
    pub(super) span: Range<usize>,
    /// Byte range in the plain letters.
    plain: Range<usize>,
    /// What stands before it.
    pub(super) gap: Gap,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
}

/// Words of a stretch of text, in plain letters; kept to be filled again.
#[derive(Debug, Default)]
pub(super) struct Words {
    plain: String,
    pub(super) list: Vec<Word>,
    /// What stands between the last word and the end of the stretch.
    pub(super) last_gap: Option<Gap>,
}

impl Words {
    /// The word in plain letters.
    pub(super) fn plain(&self, word: &Word) -> &str {
        &self.plain[word.plain.clone()]
    }

    /// Reads at most so many words of a range.
    pub(super) fn fill(&mut self, text: &str, range: Range<usize>, max_words: usize) {
        self.plain.clear();
        self.list.clear();
        self.last_gap = None;
        let mut at = range.start;
        while self.list.len() < max_words {
            let (gap, start) = gap(text, at..range.end);
            let gap = self.without_label(text, gap, start);
            if start >= range.end {
                self.last_gap = Some(gap);
                break;
            }
            let end = word_end(text, start..range.end);
            self.push(text, start..end, gap);
            at = end;
        }
    }

    /// Takes back the label before a colon, which is all that parts two lines:
    /// `Straße: Am Markt 1`, `PLZ/Ort: 26121 Oldenburg`.
    fn without_label(&mut self, text: &str, gap: Gap, start: usize) -> Gap {
        let Some(last) = self.list.last().filter(|_| gap == Gap::Break) else {
            return gap;
        };
        let between = &text[last.span.end..start];
        if !words::is_label(self.plain(last)) || between.trim() != ":" {
            return gap;
        }
        let before = last.gap;
        self.list.pop();
        before
    }

    fn push(&mut self, text: &str, span: Range<usize>, gap: Gap) {
        let written = &text[span.clone()];
        let start = self.plain.len();
        for c in written.chars() {
            match c {
                'A'..='Z' => self.plain.push(c.to_ascii_lowercase()),
                _ if c.is_ascii() => self.plain.push(c),
                '–' | '‐' | '‑' => self.plain.push('-'),
                _ if is_invisible(c) => {}
                _ => self.plain.push_str(&fold(c)),
            }
        }
        self.list.push(Word {
            span,
            plain: start..self.plain.len(),
            gap,
            capital: written.starts_with(char::is_uppercase),
        });
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}')
}

/// What stands before the next word, and where that begins.
fn gap(text: &str, range: Range<usize>) -> (Gap, usize) {
    let mut gap = Gap::Space;
    let mut n_lines = 0;
    for (offset, c) in text[range.clone()].char_indices() {
        match c {
            '\n' => {
                n_lines += 1;
                gap = gap.max(match n_lines {
                    1 => Gap::Line,
                    2 => Gap::Blank,
                    _ => Gap::Break,
                });
            }
            // `Hansa- Ring`
            '-' if offset == 0 => {}
            '\t' | ',' | ';' | '|' | '(' | ')' | '-' | '/' | '&' | '+' | '*' | '~' => {
                gap = gap.max(Gap::Comma);
            }
            '·' | '•' | '●' | '▪' | '∙' | '–' | '—' | '‐' | '‑' | '¦' | '│' => {
                gap = gap.max(Gap::Comma);
            }
            '.' | '\'' | '’' => {}
            _ if c.is_whitespace() || is_invisible(c) => {}
            _ if is_letter(c) => return (gap, range.start + offset),
            _ => gap = Gap::Break,
        }
    }
    (gap, range.end)
}

/// A word is letters and digits, with hyphens, slashes and apostrophes inside.
fn word_end(text: &str, range: Range<usize>) -> usize {
    let mut chars = text[range.clone()].char_indices().peekable();
    let mut n_letters = 0;
    let mut n_digits = 0;
    while let Some((offset, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |&(_, next)| next);
        let inside = match c {
            // `Hauptstraße5` is two words, `A100` is one.
            _ if c.is_ascii_digit() && n_digits == 0 && n_letters > 3 => false,
            _ if c.is_ascii_digit() => {
                n_digits += 1;
                true
            }
            _ if is_letter(c) => {
                n_letters += 1;
                true
            }
            '-' | '–' | '‐' | '‑' | '/' | '\'' | '’' | '+' => is_letter(next),
            // `Dr.-Behring-Straße`
            '.' => next == '-',
            _ => is_invisible(c),
        };
        if !inside {
            return range.start + offset;
        }
    }
    range.end
}
