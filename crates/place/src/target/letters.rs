//! A URL or text reduced to its letters, and names laid over them.
//!
//! Which names there are is `mention.rs`; here it is decided whether one
//! stands at a position.

use super::escapes::{escaped, punycode_label};
use super::{Named, StateId, TargetId};
use crate::names::fold;
use std::ops::Range;

/// Shorter names count in a URL only as whole words: `mesaverde` is not Mesa.
const MIN_LETTERS_INSIDE_WORD: usize = 6;

/// States' two letters that are English words as well.
const CODES_LIKE_WORDS: [&[u8]; 6] = [b"hi", b"in", b"me", b"oh", b"ok", b"or"];

/// A name reduced to letters `a..=z`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) letters: Box<[u8]>,
    /// Bit i is set where a word begins at letter i.
    pub(super) joints: u64,
    /// Nothing for a blocker or a state.
    pub(super) target: Option<TargetId>,
    /// The state it is, or names; nothing where none is written.
    pub(super) state: Option<StateId>,
    pub(super) with_state: Option<StateWords>,
    /// A larger city that is no target has the same name.
    pub(super) is_contested: bool,
    /// Not looked for inside words: a state's two letters end or begin it, or it is a short alias.
    pub(super) whole_words: bool,
}

impl Name {
    /// The target it names where nothing but names can be seen.
    pub(super) fn means(&self) -> Option<TargetId> {
        self.target.filter(|_| !self.is_contested)
    }

    /// What it names; nothing for a blocker.
    pub(super) fn named(&self) -> Option<Named> {
        match (self.target, self.with_state, self.state) {
            (Some(target), None, _) if self.is_contested => Some(Named::Namesake(target)),
            (Some(target), None, _) => Some(Named::City(target)),
            (Some(target), Some(_), _) => Some(Named::Pair(target)),
            (None, Some(_), Some(state)) => Some(Named::Elsewhere(state)),
            (None, None, Some(state)) => Some(Named::State(state)),
            (None, _, None) => None,
        }
    }

    /// A state alone: looked for in texts only.
    pub(super) fn is_state(&self) -> bool {
        matches!(self.named(), Some(Named::State(_)))
    }
}

/// Where a name holds a state or country: written out, or as the state's two letters,
/// which count in a text only as capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateWords {
    Written,
    CodeLast,
    CodeFirst,
}

/// The letters of a URL or text and where words begin and end.
#[derive(Default)]
pub(super) struct Letters {
    pub(super) bytes: Vec<u8>,
    /// Byte position of each letter in what was read.
    pub(super) starts: Vec<u32>,
    /// Positions before which a word ends or begins.
    boundaries: Vec<bool>,
    pending: bool,
}

impl Letters {
    fn push(&mut self, letter: u8, start: usize) {
        self.bytes.push(letter);
        self.starts.push(u32::try_from(start).unwrap_or(u32::MAX));
        self.boundaries.push(self.pending || self.bytes.len() == 1);
        self.pending = false;
    }

    pub(super) fn is_boundary(&self, at: usize) -> bool {
        self.boundaries.get(at).copied().unwrap_or(true)
    }

    pub(super) fn read_url(&mut self, url: &[u8]) {
        self.bytes.reserve(url.len());
        self.starts.reserve(url.len());
        self.boundaries.reserve(url.len());
        // What follows the path is about the visitor more than about the
        // page: calendar links name their time zone, `America/Los_Angeles`.
        let path_end = url.iter().position(|byte| matches!(byte, b'?' | b'#'));
        let url = &url[..path_end.unwrap_or(url.len())];
        let mut at = after_scheme(url);
        let country = country_label(url, at);
        while at < url.len() {
            let byte = url[at];
            let mut len = 1;
            if byte == b'%' {
                // The two digits of what is no escape may be letters.
                let (c, n_bytes) = escaped(url, at).unwrap_or((' ', 3));
                self.read_decoded(c, at);
                len = n_bytes;
            } else if byte | 0x20 == b'x'
                && let Some((label, n_bytes)) = punycode_label(url, at)
            {
                label.into_iter().for_each(|c| self.read_decoded(c, at));
                len = n_bytes;
            } else if byte.is_ascii_alphabetic() && !country.contains(&at) {
                self.push(byte.to_ascii_lowercase(), at);
            } else {
                self.pending = true;
            }
            at += len;
        }
    }

    /// Accents of their own (`u%CC%88`) belong to the letter before them.
    fn read_decoded(&mut self, c: char, start: usize) {
        let is_accent = !c.is_ascii() && fold(c).is_empty();
        if !is_accent {
            self.read_other(c, start);
        }
    }

    /// Reads the first letters of a text, in place of what was read before.
    pub(super) fn reread_text(&mut self, text: &str, n_letters: usize) {
        self.bytes.clear();
        self.starts.clear();
        self.boundaries.clear();
        self.pending = false;
        for (start, c) in text.char_indices() {
            if self.bytes.len() >= n_letters {
                break;
            }
            match c {
                'a'..='z' | 'A'..='Z' => self.push(c.to_ascii_lowercase() as u8, start),
                // `L.A.` and `O'Fallon` are one word, but a dot before a
                // space ends one; the boundary is set by the space.
                '.' | '\'' | '’' => {}
                _ if c.is_ascii() => self.pending = true,
                _ => self.read_other(c, start),
            }
        }
    }

    /// Whether a character outside ASCII is a letter here, nothing where it
    /// goes unnoticed; and how many bytes it takes.
    pub(super) fn look_at_other(text: &str) -> (Option<bool>, usize) {
        let c = text.chars().next().unwrap_or('\u{fffd}');
        let is_letter = match c {
            '’' => None,
            // What pages are full of: spaces, quotes, dashes and bullets.
            '\u{a0}'..='\u{bf}' | '\u{2000}'..='\u{20ff}' => Some(false),
            _ => Some(fold(c).bytes().any(|byte| byte.is_ascii_lowercase())),
        };
        (is_letter, c.len_utf8())
    }

    fn read_other(&mut self, c: char, start: usize) {
        let folded = fold(c);
        if folded.bytes().any(|byte| byte.is_ascii_lowercase()) {
            for byte in folded.bytes().filter(u8::is_ascii_lowercase) {
                self.push(byte, start);
            }
        } else {
            self.pending = true;
        }
    }

    /// No word ends inside the name except where its own words meet.
    fn joints_fit(&self, name: &Name, at: usize) -> bool {
        let inner = &self.boundaries[at..at + name.letters.len()];
        inner
            .iter()
            .enumerate()
            .skip(1)
            .all(|(idx, &boundary)| !boundary || name.joints >> idx & 1 == 1)
    }

    pub(super) fn holds_in_url(&self, name: &Name, at: usize, url: &str) -> bool {
        let (starts, ends) = (
            self.is_boundary(at),
            self.is_boundary(at + name.letters.len()),
        );
        let inside_word = name.letters.len() >= MIN_LETTERS_INSIDE_WORD && !name.whole_words;
        let held = (starts && ends) || (inside_word && (starts || ends));
        held && self.joints_fit(name, at) && !self.is_phrase_in_url(name, at, url)
    }

    /// The state's two letters of a name that stands at a position, if they
    /// are a word as well.
    fn code_like_word(&self, name: &Name, at: usize) -> Option<Range<usize>> {
        let end = at + name.letters.len();
        let code = match name.with_state? {
            StateWords::CodeFirst => at..at + 2,
            StateWords::CodeLast => end - 2..end,
            StateWords::Written => return None,
        };
        CODES_LIKE_WORDS
            .contains(&&self.bytes[code.clone()])
            .then_some(code)
    }

    /// `hotels-in-columbus` and `columbus-in-winter` are not in Indiana;
    /// `in/columbus`, `columbus.in.gov` and what ends with `columbus-in` are.
    fn is_phrase_in_url(&self, name: &Name, at: usize, url: &str) -> bool {
        let Some(code) = self.code_like_word(name, at) else {
            return false;
        };
        let goes_on = self.goes_on(code.end, url);
        goes_on && (code.start == at || self.goes_on(code.start, url))
    }

    /// Whether a word begins at a letter, in the same part of a URL as the one before it.
    fn goes_on(&self, at: usize, url: &str) -> bool {
        let (Some(&before), Some(&start)) = (self.starts.get(at - 1), self.starts.get(at)) else {
            return false;
        };
        let gap = url.as_bytes().get(before as usize + 1..start as usize);
        self.is_boundary(at) && gap.is_some_and(|gap| !gap.iter().any(|byte| b"/.".contains(byte)))
    }

    pub(super) fn holds_in_text(&self, name: &Name, at: usize, text: &str) -> bool {
        let end = at + name.letters.len();
        let code = match name.with_state {
            Some(StateWords::CodeFirst) => Some(at..at + 2),
            Some(StateWords::CodeLast) => Some(end - 2..end),
            _ if name.letters.len() <= 3 => Some(at..end),
            _ => None,
        };
        self.is_boundary(at)
            && self.is_boundary(end)
            && self.joints_fit(name, at)
            && self.lies_close(at..end, text)
            && code.is_none_or(|code| self.in_capitals(code, text))
            && !self.is_phrase_in_text(name, at, text)
    }

    /// Where all is in capitals, so are words: `HOTELS IN COLUMBUS`, but
    /// `COLUMBUS, IN` and `COLUMBUS IN 47201`.
    fn is_phrase_in_text(&self, name: &Name, at: usize, text: &str) -> bool {
        let Some(code) = self.code_like_word(name, at) else {
            return false;
        };
        let end = at + name.letters.len();
        if code.start == at {
            return self.in_capitals(code.end..end, text);
        }
        let before_code = self.end_of(code.start - 1, text)..self.starts[code.start] as usize;
        let rest = text[self.end_of(end - 1, text)..].trim_start();
        self.in_capitals(at..code.start, text)
            && !text[before_code].contains(',')
            && rest.starts_with(char::is_alphabetic)
    }

    /// Between the words of a name stands a space, a comma, little more.
    fn lies_close(&self, range: Range<usize>, text: &str) -> bool {
        range
            .clone()
            .skip(1)
            .filter(|&at| self.boundaries[at])
            .all(|at| {
                let gap = &text[self.end_of(at - 1, text)..self.starts[at] as usize];
                let n_chars = gap.chars().count();
                n_chars <= 3
                    && !gap.contains("\n\n")
                    && gap.chars().all(|c| c.is_whitespace() || ",-.(".contains(c))
            })
    }

    fn in_capitals(&self, range: Range<usize>, text: &str) -> bool {
        range
            .into_iter()
            .all(|at| text.as_bytes()[self.starts[at] as usize].is_ascii_uppercase())
    }

    /// Where the character of letter `at` ends.
    pub(super) fn end_of(&self, at: usize, text: &str) -> usize {
        let start = self.starts[at] as usize;
        start + text[start..].chars().next().map_or(0, char::len_utf8)
    }
}

fn after_scheme(url: &[u8]) -> usize {
    let scheme = url.windows(3).take(10).position(|window| window == b"://");
    scheme.map_or(0, |at| at + 3)
}

/// The host's last label when it has two letters: `portland.me` is not in Maine.
fn country_label(url: &[u8], host_start: usize) -> Range<usize> {
    if host_start == 0 {
        return 0..0;
    }
    let host = &url[host_start..];
    let host_len = host
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#' | b':'))
        .unwrap_or(host.len());
    let label_start = host[..host_len]
        .iter()
        .rposition(|&byte| byte == b'.')
        .map_or(0, |dot| dot + 1);
    if host_len - label_start == 2 {
        host_start + label_start..host_start + host_len
    } else {
        0..0
    }
}
