//! Finds where addresses end: a state, a ZIP code, a country, in their usual orders.
//!
//! This is the only part that looks at every byte of a text; everything else
//! happens in the few words before an end that was found here.

use super::scan::{CLASSES, DIGIT, OTHER, Telling, UPPER, next_number, number_word};
use super::words;
use std::ops::Range;

/// The end of a possible address: all that follows the city.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tail {
    /// From the state, or the ZIP code where there is no state, to the end.
    pub(super) span: Range<usize>,
    /// Two letters; `None` where only a ZIP code says it.
    pub(super) state: Option<&'static str>,
    /// Five digits, or with four more.
    pub(super) zip: Option<Range<usize>>,
    /// A ZIP code after a blank line: some pages set each part as a paragraph.
    pub(super) zip_below: Option<Range<usize>>,
    /// Whether a word follows on the same line as if it belonged to a name.
    pub(super) runs_on: bool,
}

/// Goes through a text once.
pub(super) struct Tails<'t> {
    bytes: &'t [u8],
    telling: Telling<'t>,
    /// An address ends at most so many bytes after its house number.
    max_len: usize,
    at: usize,
    /// Start of the last word that may be a house number.
    pub(super) last_number: Option<usize>,
    /// Start of the last number in words.
    pub(super) last_number_word: Option<usize>,
    /// A ZIP code that may turn out to be the next address's house number.
    last_zip: Option<usize>,
}

impl<'t> Tails<'t> {
    pub(super) fn new(text: &'t str, max_len: usize) -> Tails<'t> {
        Tails {
            bytes: text.as_bytes(),
            telling: Telling::new(text.as_bytes()),
            max_len,
            at: 0,
            last_number: None,
            last_number_word: None,
            last_zip: None,
        }
    }

    /// The next end of an address that has a number not too far before it.
    pub(super) fn next(&mut self) -> Option<Tail> {
        let bytes = self.bytes;
        let mut at = self.at;
        self.last_number = self.last_number.max(self.last_zip.take());
        while at < bytes.len() {
            let is_near = |at: usize, number: usize| at <= number + self.max_len;
            if !self.last_number.is_some_and(|number| is_near(at, number)) {
                at = next_number(bytes, at);
                self.last_number = Some(at);
                continue;
            }
            at = self.telling.next(at);
            let Some(&byte) = bytes.get(at) else {
                break;
            };
            if !self.last_number.is_some_and(|number| is_near(at, number)) {
                continue;
            }
            let start = at;
            match CLASSES[byte as usize] {
                DIGIT => {
                    at += 1;
                    while at < bytes.len() && CLASSES[bytes[at] as usize] == DIGIT {
                        at += 1;
                    }
                    if at - start == 5
                        && let Some(tail) = from_zip(bytes, start)
                    {
                        self.last_zip = Some(start);
                        self.at = tail.span.end;
                        return Some(tail);
                    }
                    self.last_number = Some(start);
                }
                UPPER => {
                    at += 1;
                    let second = bytes.get(at).copied().unwrap_or(b' ');
                    if may_be_state(bytes, start)
                        && let Some(tail) = from_state(bytes, start)
                    {
                        self.at = tail.span.end;
                        return Some(tail);
                    }
                    if second | 0x20 == b'n' && byte == b'O' || byte == b'T' {
                        let in_words = number_word(bytes, start);
                        self.last_number_word = in_words.or(self.last_number_word);
                        self.last_number = self.last_number.max(in_words);
                    }
                }
                _ => {
                    at += 1;
                    if start > 1
                        && bytes[start - 1] == b' '
                        && bytes[start - 2] == b','
                        && let Some(tail) = from_small_state(bytes, start)
                    {
                        self.at = tail.span.end;
                        return Some(tail);
                    }
                }
            }
            // The rest of the word; `W239N3490` is a number too.
            while at < bytes.len() {
                match CLASSES[bytes[at] as usize] {
                    OTHER => break,
                    DIGIT => self.last_number = Some(start),
                    _ => {}
                }
                at += 1;
            }
        }
        self.at = at;
        None
    }
}

/// Whether a state may begin here; most words do not get further.
fn may_be_state(bytes: &[u8], start: usize) -> bool {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let (first, second, third) = (byte(start), byte(start + 1), byte(start + 2));
    second == b'.'
        || second.is_ascii_alphabetic() && !third.is_ascii_alphabetic()
        || words::begins_state([first, second, third])
}

fn from_state(bytes: &[u8], start: usize) -> Option<Tail> {
    let (state, end) = state_at(bytes, start)?;
    let tail = complete(bytes, start..end, Some(state));
    // `Washington, DC`, `New York, NY`: the first one is the city.
    if tail.zip.is_none() && next_is_state(bytes, end) {
        return None;
    }
    Some(tail)
}

/// `, tx` in small letters, where it is no English word.
fn from_small_state(bytes: &[u8], start: usize) -> Option<Tail> {
    let code = bytes.get(start..start + 2)?;
    if bytes.get(start + 2).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let code = str::from_utf8(code).ok()?.to_ascii_uppercase();
    let state = words::state_by_code(&code).filter(|state| !words::is_english(state))?;
    Some(complete(bytes, start..start + 2, Some(state)))
}

/// A ZIP code that follows no state in capitals.
fn from_zip(bytes: &[u8], start: usize) -> Option<Tail> {
    let free = start == 0 || !matches!(bytes[start - 1], b'-' | b'$' | b'#' | b'.' | b'/' | b'=');
    let end = zip_end(bytes, start).filter(|_| free)?;
    let zip = Some(start..end);
    let mut before = start;
    while before > 0
        && start - before < 6
        && matches!(bytes[before - 1], b' ' | b',' | b'\t' | b'\n' | b'-' | b'.')
    {
        before -= 1;
    }
    let small_state = (2..=MAX_STATE_LEN.min(before)).find_map(|len| {
        let from = before - len;
        let free = from == 0 || !bytes[from - 1].is_ascii_alphanumeric();
        let word = free.then(|| &bytes[from..before])?;
        Some((written_state(word)?, from))
    });
    let (state, from) = match small_state {
        Some((state, from)) if before < start => (Some(state), from),
        _ => (None, start),
    };
    Some(Tail {
        span: from..after_country(bytes, end),
        state,
        zip,
        zip_below: None,
        runs_on: false,
    })
}

/// Longer names of states are seldom written in small letters.
const MAX_STATE_LEN: usize = 14;

/// The state with this name or code, in any case.
fn written_state(word: &[u8]) -> Option<&'static str> {
    let mut capitals = [0; MAX_STATE_LEN];
    let capitals = capitals.get_mut(..word.len())?;
    capitals.copy_from_slice(word);
    capitals.make_ascii_uppercase();
    let word = str::from_utf8(capitals).ok()?;
    words::state_by_code(word).or_else(|| words::state_by_name(word))
}

/// The state that begins here, and where its name ends.
fn state_at(bytes: &[u8], start: usize) -> Option<(&'static str, usize)> {
    let first = bytes[start];
    let second = *bytes.get(start + 1)?;
    if second == b'.' {
        // `N.Y.`, `D. C.`
        let gap = usize::from(bytes.get(start + 2) == Some(&b' '));
        let letter = *bytes.get(start + 2 + gap)?;
        let end = start + 3 + gap;
        let closed = bytes.get(end) == Some(&b'.');
        let code = [first, letter];
        let state = words::state_by_code(str::from_utf8(&code).ok()?)?;
        return closed.then_some((state, end + 1));
    }
    let ends = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        match rest.first() {
            Some(byte) if byte.is_ascii_alphabetic() || *byte >= 0xC3 => false,
            Some(byte) if byte.is_ascii_digit() => zip_end(bytes, at).is_some(),
            Some(b'\'' | b'-' | b'_' | b'@') => {
                rest.get(1).is_some_and(|byte| !byte.is_ascii_alphabetic())
            }
            _ => true,
        }
    };
    if ends(start + 2) {
        let code = [first, second.to_ascii_uppercase()];
        let state = words::state_by_code(str::from_utf8(&code).ok()?)?;
        // `In`, `Or`, `Me` begin sentences; `Ma 02631` ends an address.
        let as_word = second.is_ascii_lowercase() && words::is_english(state);
        let before_zip = || zip_end(bytes, after_gap(bytes, start + 2)).is_some();
        return (!as_word || before_zip()).then_some((state, start + 2));
    }
    words::states_with(first).find_map(|(name, state)| {
        let end = match_name(bytes, start, name.as_bytes())?;
        ends(end).then_some((state, end))
    })
}

/// Where a name in capitals ends in the text, whatever its case and spaces.
fn match_name(bytes: &[u8], start: usize, name: &[u8]) -> Option<usize> {
    let mut at = start;
    for &letter in name {
        if letter == b' ' {
            let before = at;
            while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\t' | 0xC2 | 0xA0)) {
                at += 1;
            }
            if at == before || at > before + 4 {
                return None;
            }
        } else {
            if bytes.get(at)?.to_ascii_uppercase() != letter {
                return None;
            }
            at += 1;
        }
    }
    Some(at)
}

fn next_is_state(bytes: &[u8], end: usize) -> bool {
    let at = after_gap(bytes, end);
    at > end
        && bytes.get(at).is_some_and(u8::is_ascii_uppercase)
        && may_be_state(bytes, at)
        && state_at(bytes, at).is_some()
}

/// Reads on after the state: ZIP code and country, in either order.
fn complete(bytes: &[u8], state_span: Range<usize>, state: Option<&'static str>) -> Tail {
    let mut end = state_span.end;
    let at = after_gap(bytes, end);
    let mut zip = zip_end(bytes, at).map(|zip_end| at..zip_end);
    if zip.is_none() {
        let after_country = after_country(bytes, end);
        if after_country > end {
            end = after_country;
            let at = after_gap(bytes, end);
            zip = zip_end(bytes, at).map(|zip_end| at..zip_end);
        }
    }
    if let Some(zip) = &zip {
        end = end.max(after_country(bytes, zip.end));
    }
    let next = bytes.get(end).copied().unwrap_or(b'\n');
    let runs_on =
        zip.is_none() && next == b' ' && bytes.get(end + 1).is_some_and(u8::is_ascii_uppercase);
    Tail {
        span: state_span.start..end,
        state,
        zip_below: zip.is_none().then(|| zip_below(bytes, end)).flatten(),
        zip,
        runs_on,
    }
}

/// A ZIP code alone in the paragraph below.
fn zip_below(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let rest = &bytes[from..(from + 16).min(bytes.len())];
    let gap = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    let n_gap = gap.count();
    let n_lines = rest[..n_gap].iter().filter(|byte| **byte == b'\n').count();
    let start = from + n_gap;
    let zip = start..zip_end(bytes, start)?;
    let alone = bytes.get(zip.end).is_none_or(u8::is_ascii_whitespace);
    (n_lines == 2 && alone).then_some(zip)
}

/// Past spaces, commas, dots, dashes and one line break.
fn after_gap(bytes: &[u8], from: usize) -> usize {
    let mut n_lines = 0;
    let mut at = from;
    while at < from + 12 {
        match bytes.get(at) {
            Some(b'\n') if n_lines > 0 => return from,
            Some(b'\n') => n_lines += 1,
            Some(b' ' | b',' | b'.' | b'\t' | b'-' | b'|' | b'\r' | 0xC2 | 0xA0 | 0xB7) => {}
            Some(0xE2) if bytes.get(at + 1) == Some(&0x80) => at += 2,
            _ => break,
        }
        at += 1;
    }
    at
}

/// `77002` or `77002-1234`, not part of a longer number.
fn zip_end(bytes: &[u8], start: usize) -> Option<usize> {
    let digits = |from: usize| {
        bytes
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take(10)
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    if digits(start) != 5 {
        return None;
    }
    let five = start + 5;
    match bytes.get(five) {
        Some(b'-') if digits(five + 1) == 4 => Some(five + 5),
        Some(b'-') if digits(five + 1) > 0 => None,
        Some(byte) if byte.is_ascii_alphabetic() => None,
        Some(b'.' | b'/') if digits(five + 1) > 0 => None,
        _ => Some(five),
    }
}

const COUNTRIES: &[&str] = &[
    "UNITED STATES OF AMERICA",
    "UNITED STATES",
    "U.S.A.",
    "U.S.A",
    "USA",
    "U.S.",
    "US",
];

/// Where the country ends that follows here, or the same position.
fn after_country(bytes: &[u8], from: usize) -> usize {
    let at = after_gap(bytes, from);
    if at == from
        || bytes
            .get(at)
            .is_none_or(|byte| !byte.eq_ignore_ascii_case(&b'U'))
    {
        return from;
    }
    let ends = |end: &usize| {
        bytes
            .get(*end)
            .is_none_or(|byte| !byte.is_ascii_alphanumeric())
    };
    COUNTRIES
        .iter()
        .find_map(|name| match_name(bytes, at, name.as_bytes()).filter(ends))
        // `us` is a word.
        .filter(|&end| end - at > 2 || bytes[at].is_ascii_uppercase() && bytes[at + 1] == b'S')
        .unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    fn read(text: &str) -> String {
        // An end without a number before it is none.
        let text = &format!("1 {text}");
        let mut tails = Tails::new(text, 1_000);
        let mut found = Vec::new();
        while let Some(tail) = tails.next() {
            let zip = tail.zip.map_or("-", |zip| &text[zip]);
            let state = tail.state.unwrap_or("-");
            found.push(format!("[{}] {state} {zip}", &text[tail.span]));
        }
        found.join("; ")
    }

    #[test]
    fn states_zips_and_countries_are_read_in_any_order() {
        assert_snapshot!(read("Mesa, AZ 85201"), @"[AZ 85201] AZ 85201");
        assert_snapshot!(read("Houston\nTexas77042 USA"), @"[Texas77042 USA] TX 77042");
        assert_snapshot!(read("Irving, Texas, USA 75039-5421."), @"[Texas, USA 75039-5421] TX 75039-5421");
        assert_snapshot!(read("New York, New York 10021"), @"[New York 10021] NY 10021");
        assert_snapshot!(read("Washington, D.C."), @"[D.C.] DC -");
        assert_snapshot!(read("lakewood nj 08701"), @"[nj 08701] NJ 08701");
        assert_snapshot!(read("houston, tx or, in"), @"[tx] TX -");
        assert_snapshot!(read("Norton Shores 49441"), @"[49441] - 49441");
        assert_snapshot!(read("Charleston, West  Virginia tell us"), @"[West  Virginia] WV -");
        assert_snapshot!(read("123456 $77002 12345-67890 Texans"), @"");
    }
}
