//! Finds targets, and the states around them, in running text.
//!
//! A page has thousands of words and few names, so most words must cost next
//! to nothing: a word is passed over unless its first three letters begin
//! some name, and then unless it is, by its hash, a name's first word. Only
//! then are letters laid out and names tried (`letters.rs`).

use super::letters::{Letters, Name, StateWords};
use super::mention::{Finder, head};
use super::{Mention, StateId, TargetId};
use std::ops::Range;

/// What a few words of a text name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A target's city without its state; the most populous city of that name.
    City(TargetId),
    /// The same where a larger city that is no target has the name; the most
    /// populous target of that name.
    Namesake(TargetId),
    /// A target's city with its state or country.
    Pair(TargetId),
    /// Another city of a target's name, with the state that says so.
    Elsewhere(StateId),
    /// A state by itself, or with a city that is no target.
    State(StateId),
}

/// Words of a text that name something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// What.
    pub named: Named,
    /// Byte range in the text; of a pair, the city and the state.
    pub span: Range<usize>,
}

impl Sighting {
    /// The target, where the words alone say that it is one.
    pub fn mention(&self) -> Option<Mention> {
        let (target, with_state) = match self.named {
            Named::City(target) => (target, false),
            Named::Pair(target) => (target, true),
            Named::Namesake(_) | Named::Elsewhere(_) | Named::State(_) => return None,
        };
        Some(Mention {
            target,
            span: self.span.clone(),
            with_state,
        })
    }
}

/// What a byte is to the words of a text; as in `Letters::read_text`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    /// `L.A.` is one word.
    Silent,
    Gap,
    /// Part of a character that has to be looked at.
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Gap; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'.' | b'\'' => Class::Silent,
            0x80.. => Class::Other,
            _ => Class::Gap,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// Bits of the set of first words: a false hit in thirty or so, in 16 KB.
const N_WORD_BITS: usize = 1 << 17;

/// What decides quickly that a word begins no name.
#[derive(Debug)]
pub(super) struct Sieve {
    /// By the number of the first three letters.
    heads: Box<[u64]>,
    /// By the hash of what may stand as the first word of a name.
    words: Box<[u64]>,
}

impl Sieve {
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n Name>) -> Sieve {
        let mut sieve = Sieve {
            heads: vec![0; (26 * 26 * 26_usize).div_ceil(64)].into(),
            words: vec![0; N_WORD_BITS / 64].into(),
        };
        for name in names {
            sieve.add(name);
        }
        sieve
    }

    /// A name's words may be written as one, so any number of them may be the first.
    fn add(&mut self, name: &Name) {
        let n_letters = name.letters.len();
        let ends = (1..=n_letters).filter(|&end| end == n_letters || name.joints >> end & 1 == 1);
        // `in` and `or` are states in capitals only, which always pass.
        let is_code = |&end: &usize| end == 2 && name.with_state == Some(StateWords::CodeFirst);
        for end in ends.filter(|end| !is_code(end)) {
            let word = &name.letters[..end];
            set(&mut self.words, hash(word) as usize % N_WORD_BITS);
            if end >= 3 {
                set(&mut self.heads, head(word));
            }
        }
    }

    /// Whether a name may begin with the word at a position.
    fn lets_pass(&self, bytes: &[u8], at: usize) -> bool {
        let rest = &bytes[at..];
        if let [a, b, c, ..] = *rest
            && [a, b, c].iter().all(u8::is_ascii_alphabetic)
            && !has(&self.heads, head(&[a | 0x20, b | 0x20, c | 0x20]))
        {
            return false;
        }
        let n_letters = rest.iter().position(|&byte| class(byte) != Class::Letter);
        let (word, after) = rest.split_at(n_letters.unwrap_or(rest.len()));
        let mut after = after.iter().map(|&byte| class(byte));
        let is_over = after
            .find(|&class| class != Class::Silent)
            .is_none_or(|class| class == Class::Gap);
        let is_code = word.len() == 2 && word.iter().all(u8::is_ascii_uppercase);
        !is_over || is_code || has(&self.words, hash(word) as usize % N_WORD_BITS)
    }
}

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

/// Case does not matter.
fn hash(word: &[u8]) -> u32 {
    let mix =
        |hash: u64, &byte: &u8| (hash ^ u64::from(byte | 0x20)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word.iter().fold(0, mix) >> 32) as u32
}

impl Finder {
    /// Shows everything that a text names, in order; nothing twice.
    pub(super) fn scan(&self, text: &str, mut show: impl FnMut(Sighting)) {
        let bytes = text.as_bytes();
        let mut letters = Letters::default();
        let (mut at, mut in_word) = (0, false);
        while at < bytes.len() {
            let (is_letter, len) = match class(bytes[at]) {
                Class::Letter => (true, 1),
                Class::Silent => {
                    at += 1;
                    continue;
                }
                Class::Gap => (false, 1),
                Class::Other => match Letters::look_at_other(&text[at..]) {
                    (None, len) => {
                        at += len;
                        continue;
                    }
                    (Some(is_letter), len) => (is_letter, len),
                },
            };
            if is_letter
                && !in_word
                && let Some((named, len)) = self.beginning(&mut letters, text, at)
            {
                let span = at..at + len;
                at = span.end;
                in_word = true;
                if let Some(named) = named {
                    show(Sighting { named, span });
                }
                continue;
            }
            in_word = is_letter;
            at += len;
            if in_word {
                // The rest of a word begins nothing.
                let rest = bytes[at..].iter();
                at += rest
                    .take_while(|&&byte| class(byte) == Class::Letter)
                    .count();
            }
        }
    }

    /// What the word at a position begins, and the bytes it takes; a blocker
    /// takes some and names nothing.
    fn beginning(
        &self,
        letters: &mut Letters,
        text: &str,
        at: usize,
    ) -> Option<(Option<Named>, usize)> {
        let bytes = text.as_bytes();
        if self.sieve.lets_pass(bytes, at)
            && let Some((name, len)) = self.name_at(letters, &text[at..])
            && !self.is_rather_a_code(name, bytes, at)
        {
            return Some((name.named(), len));
        }
        let state = self.code_at(bytes, at)?;
        Some((Some(Named::State(state)), 2))
    }

    /// The longest name that a text begins with, and the bytes it takes.
    fn name_at<'f>(&'f self, letters: &mut Letters, text: &str) -> Option<(&'f Name, usize)> {
        letters.reread_text(text, 3);
        let longest = self.names_with_head(&letters.bytes).first();
        let longest = longest.map_or(2, |name| name.letters.len());
        // One more letter shows where the name ends.
        letters.reread_text(text, longest + 1);
        let short = self
            .short
            .iter()
            .filter(|name| letters.bytes.starts_with(&name.letters));
        let mut names = self.names_at(letters, 0).chain(short);
        let name = names.find(|name| letters.holds_in_text(name, 0, text))?;
        Some((name, letters.end_of(name.letters.len() - 1, text)))
    }

    /// `LA` is Los Angeles, but in `Lafayette, LA 70501` it is Louisiana.
    pub(super) fn is_rather_a_code(&self, name: &Name, bytes: &[u8], at: usize) -> bool {
        name.letters.len() == 2 && self.code_at(bytes, at).is_some()
    }

    /// A state's two letters, in capitals and where addresses have them:
    /// behind a comma, or before a postcode. `OK` and `IN` are words.
    fn code_at(&self, bytes: &[u8], at: usize) -> Option<StateId> {
        let (&[a, b], rest) = bytes[at..].split_first_chunk()?;
        let mut after = rest.iter().map(|&byte| class(byte));
        let is_word = after
            .find(|&class| class != Class::Silent)
            .is_none_or(|class| class == Class::Gap);
        if !(a.is_ascii_uppercase() && b.is_ascii_uppercase() && is_word) {
            return None;
        }
        let postcode = rest.get(1..6).unwrap_or_default();
        let has_postcode = postcode.len() == 5 && postcode.iter().all(u8::is_ascii_digit);
        (has_postcode || bytes[..at].ends_with(b", "))
            .then(|| self.codes[code_number(a, b)])
            .flatten()
    }
}

/// Number of two capital letters.
pub(super) fn code_number(a: u8, b: u8) -> usize {
    usize::from(a - b'A') * 26 + usize::from(b - b'A')
}
