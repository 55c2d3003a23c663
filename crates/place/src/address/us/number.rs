//! Finds where an address may begin: a house number or a post box.

use super::street;
use super::token::{Gap, Token, Window};
use std::ops::Range;

/// The first words of a possible address.
#[derive(Debug, Clone)]
pub(super) struct Start {
    /// Position of its first word.
    pub(super) idx: usize,
    pub(super) kind: StartKind,
}

/// What an address begins with.
#[derive(Debug, Clone)]
pub(super) enum StartKind {
    House {
        /// Byte range of the number in the text.
        number: Range<usize>,
        n_words: usize,
        /// `One`
        in_words: bool,
    },
    Box,
}

/// All starts among the words, in order; most ends that are found have none.
pub(super) fn starts(text: &str, window: &Window, found: &mut Vec<Start>) {
    found.clear();
    let mut second_number = usize::MAX;
    for idx in 0..window.tokens.len() {
        let tokens = &window.tokens[idx..];
        let kind = if let Some((number, n_words)) = house_number(text, window, tokens) {
            // `416 & 420 3rd Ave` begins once.
            if idx == second_number {
                continue;
            }
            if n_words == 3 {
                second_number = idx + 2;
            }
            StartKind::House {
                in_words: !text.as_bytes()[number.start].is_ascii_digit()
                    && window.word(&tokens[0]).len() > 2,
                number,
                n_words,
            }
        } else if street::post_box(window, tokens).is_some() {
            StartKind::Box
        } else {
            continue;
        };
        found.push(Start { idx, kind });
    }
}

/// The house number at the start of these words, and how many of them it takes.
fn house_number(text: &str, window: &Window, tokens: &[Token]) -> Option<(Range<usize>, usize)> {
    let first = tokens.first()?;
    let word = window.word(first);
    let bytes = text.as_bytes();
    let start = first.span.start;
    if start > 0 && is_joined(bytes[start - 1]) || in_thousands(bytes, start) {
        return None;
    }
    let second = tokens.get(1)?;
    let second_word = window.word(second);
    if first.meaning.is_number() {
        return (!first.lower && !second.lower && second.gap == Gap::Space)
            .then(|| (first.span.clone(), 1));
    }
    if is_grid_part(word) {
        // Wisconsin's grids: `N112 W16700`, `W239N3490`.
        return if is_grid_part(second_word) {
            Some((start..second.span.end, 2))
        } else {
            word[1..]
                .contains(|c: char| c.is_ascii_alphabetic())
                .then(|| (first.span.clone(), 1))
        };
    }
    if !is_house_number(word) {
        return None;
    }
    if second_word.len() == 3
        && second_word.contains('/')
        && second_word.as_bytes()[0].is_ascii_digit()
    {
        return Some((start..second.span.end, 2));
    }
    // `416 & 420 3rd Ave`
    let third = tokens.get(2).map(|token| window.word(token));
    if second_word == "&" && third.is_some_and(is_house_number) {
        return Some((first.span.clone(), 3));
    }
    Some((first.span.clone(), 1))
}

/// `1200`, `1200B`, `12-34`, `535-B`, `12½`; all but `000`.
fn is_house_number(word: &str) -> bool {
    let word = word.trim_end_matches(['½', '¼', '¾']);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if !matches!(digits, 1..=6) || word.len() > 1 && word[..digits].bytes().all(|byte| byte == b'0')
    {
        return false;
    }
    let rest = word[digits..].trim_start_matches('-');
    let letter =
        |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let joined = rest.len() < word.len() - digits;
    rest.is_empty()
        || letter(rest)
        || joined && rest.len() <= 5 && {
            let end = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            end.bytes().all(|byte| byte.is_ascii_digit()) && rest.len() <= end.len() + 1
        }
}

fn is_grid_part(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.len() >= 4
        && matches!(bytes[0], b'N' | b'S' | b'E' | b'W')
        && bytes[1..]
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'N' | b'S' | b'E' | b'W'))
        && bytes[1].is_ascii_digit()
        && bytes[word.len() - 1].is_ascii_digit()
}

/// What a house number is not joined to: amounts, dates, versions, other words.
fn is_joined(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'$' | b'#' | b'.' | b'-' | b'/' | b':' | b'+' | b'=' | b'_' | b'%' | b'@' | b'\''
        )
}

/// `1,200` is an amount.
fn in_thousands(bytes: &[u8], start: usize) -> bool {
    start > 1 && bytes[start - 1] == b',' && bytes[start - 2].is_ascii_digit()
}
