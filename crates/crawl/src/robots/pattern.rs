//! Path patterns: one spelling for both sides, then a match that never backtracks.
//!
//! RFC 9309 compares octets after unreserved characters are unescaped and
//! everything outside US-ASCII is escaped. A literal `*` or `$` is spelt
//! `%2A` or `%24`, so that in a spelt pattern those two are always wildcard
//! and anchor, and in a spelt path they never occur.

use std::fmt::Write;

/// Spells a path with its query for comparison.
pub(crate) fn spell_path(path_and_query: &str) -> String {
    let mut spelt = String::with_capacity(path_and_query.len() + 16);
    // `http://a.com?q` asks for `/?q`.
    if !path_and_query.starts_with('/') {
        spelt.push('/');
    }
    spell(path_and_query.as_bytes(), &mut spelt);
    spelt
}

/// Appends a rule's pattern, spelt for comparison, to `spelt`.
pub(crate) fn spell_pattern(raw: &[u8], spelt: &mut String) {
    let (body, anchored) = match raw.strip_suffix(b"$") {
        Some(body) => (body, true),
        None => (raw, false),
    };
    let start = spelt.len();
    for (piece_idx, piece) in body.split(|&byte| byte == b'*').enumerate() {
        // A run of stars is one star: each piece between stars then takes at
        // least one byte of the path, which bounds the work of `matches`.
        if piece_idx > 0 && !spelt[start..].ends_with('*') {
            spelt.push('*');
        }
        spell(piece, spelt);
    }
    if anchored {
        spelt.push('$');
    }
}

/// Whether a spelt pattern describes a spelt path, from its first byte on.
///
/// Taking each piece between stars at its first occurrence leaves the most
/// room for the next, so there is nothing to go back to. `str::find` is
/// linear, therefore so is the whole.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let (body, anchored) = match pattern.strip_suffix('$') {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    let Some((prefix, mut tail)) = body.split_once('*') else {
        return if anchored {
            path == body
        } else {
            path.starts_with(body)
        };
    };
    let Some(mut rest) = path.strip_prefix(prefix) else {
        return false;
    };
    while let Some((piece, after)) = tail.split_once('*') {
        let Some(found) = find(rest, piece) else {
            return false;
        };
        rest = &rest[found + piece.len()..];
        tail = after;
    }
    if anchored {
        rest.ends_with(tail)
    } else {
        find(rest, tail).is_some()
    }
}

/// `str::find`, but a piece longer than the text is not even prepared for.
fn find(text: &str, piece: &str) -> Option<usize> {
    if piece.len() > text.len() {
        return None;
    }
    text.find(piece)
}

fn spell(raw: &[u8], spelt: &mut String) {
    let mut rest = raw;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'%' => match escaped(after) {
                Some(octet) => {
                    rest = &after[2..];
                    if is_unreserved(octet) {
                        spelt.push(char::from(octet));
                    } else {
                        escape(octet, spelt);
                    }
                }
                None => spelt.push('%'),
            },
            _ if is_unreserved(byte) || is_reserved(byte) => spelt.push(char::from(byte)),
            _ => escape(byte, spelt),
        }
    }
}

/// The octet that two hexadecimal digits at the start of `digits` stand for.
fn escaped(digits: &[u8]) -> Option<u8> {
    let high = char::from(*digits.first()?).to_digit(16)?;
    let low = char::from(*digits.get(1)?).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

fn escape(octet: u8, spelt: &mut String) {
    write!(spelt, "%{octet:02X}").expect("writing to a String never fails");
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Reserved characters of RFC 3986 that stay as they are: all but `*` and `$`.
fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!&'()+,;=".contains(&byte)
}
