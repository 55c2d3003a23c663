//! Reads the words after a postal code as a city.

use super::super::keys::Letters;
use super::super::postcodes::{Agreement, Known, Postcodes, Spelling};
use super::token::{Gap, Word, Words};
use super::words;
use crate::names::{is_invisible, normalise};
use std::ops::Range;

/// Cities have at most so many words.
const MAX_WORDS: usize = 5;

/// How German cities are compared.
pub(super) const SPELLING: Spelling = Spelling { key, short };

/// What follows a postal code.
#[derive(Debug)]
pub(super) struct City {
    /// Byte range of the name in the text.
    pub(super) span: Range<usize>,
    /// Equal for two spellings of it.
    pub(super) key: u64,
    /// What is known of that name.
    pub(super) known: Option<Known>,
    /// How surely this is the city of the postal code.
    pub(super) points: i32,
    /// How many of the words it takes.
    pub(super) n_words: usize,
}

impl City {
    /// Whether the postal code and the name agree.
    pub(super) fn is_of_code(&self) -> bool {
        self.known
            .is_some_and(|known| known.agreement == Agreement::OfCode)
    }
}

/// `ae` is another spelling of `ä`, which loses its dots in normal form.
pub(super) fn without_digraphs(plain: &str) -> String {
    let mut kept = String::with_capacity(plain.len());
    for c in plain.chars() {
        if !(c == 'e' && kept.ends_with(['a', 'o', 'u'])) {
            kept.push(c);
        }
    }
    kept
}

fn key(name: &str) -> u64 {
    let normal = if name.chars().any(is_invisible) {
        normalise(&name.replace(is_invisible, ""))
    } else {
        normalise(name)
    };
    let mut letters = Letters::EMPTY;
    let mut last = 0;
    for word in normal.split(' ') {
        let word = if word == "sankt" { "saint" } else { word };
        for byte in word.bytes() {
            if !(byte == b'e' && matches!(last, b'a' | b'o' | b'u')) {
                letters = letters.and(byte);
            }
            last = byte;
        }
    }
    letters.key("DE")
}

/// `Frankfurt` of `Frankfurt am Main`, `Halle` of `Halle (Saale)`.
fn short(name: &str) -> &str {
    const QUALIFIERS: &[&str] = &[
        " (", "/", ",", " am ", " an ", " auf ", " bei ", " im ", " in ", " ob ", " unter ",
        " vor ",
    ];
    let ends = QUALIFIERS.iter().filter_map(|start| name.find(start));
    let end = ends.min().filter(|&end| end > 0).unwrap_or(name.len());
    &name[..end]
}

/// The city at the start of these words.
pub(super) fn read(
    text: &str,
    words: &Words,
    code: &str,
    area: Option<usize>,
    postcodes: &Postcodes,
) -> Option<City> {
    let first = words.list.first()?;
    let is_word = |word: &&Word| !text.as_bytes()[word.span.start].is_ascii_digit();
    let more = words
        .list
        .iter()
        .skip(1)
        .take_while(|word| word.gap == Gap::Space);
    let n_words = std::iter::once(first)
        .chain(more)
        .take(MAX_WORDS)
        .take_while(is_word)
        .count();
    if n_words == 0 {
        return None;
    }
    let known = |span: Range<usize>| postcodes.known(key(&text[span]), code, area);
    let first_key = key(&text[first.span.start..district_start(text, first)]);
    let mut n_max = postcodes.name_len(first_key).clamp(1, n_words);
    if words::begins_city(words.plain(first)) {
        n_max = n_words;
    }
    let mut best: Option<City> = None;
    for n in (1..=n_max).rev() {
        let last = &words.list[n - 1];
        let whole = first.span.start..last.span.end;
        let short = whole.start..district_start(text, last);
        let whole_found = known(whole.clone());
        let is_best = |found: &Known| found.agreement == Agreement::OfCode;
        let found = if short == whole || whole_found.as_ref().is_some_and(is_best) {
            whole_found
        } else {
            known(short).filter(is_best).or(whole_found)
        };
        let Some(found) = found else {
            continue;
        };
        let points = points(found.agreement);
        if best.as_ref().is_none_or(|best| points > best.points) {
            best = Some(City {
                span: whole,
                key: found.city_key,
                known: Some(found),
                points,
                n_words: n,
            });
        }
    }
    let city = match best {
        Some(city) => with_qualifier(text, words, city),
        None => unknown(text, words, n_words, area)?,
    };
    // Across lines, or in small letters, only what agrees.
    let loose = first.gap > Gap::Comma || !first.capital;
    (city.is_of_code() || !loose).then_some(city)
}

fn points(agreement: Agreement) -> i32 {
    match agreement {
        Agreement::OfCode => 40,
        Agreement::Near => 32,
        Agreement::Elsewhere => 14,
    }
}

/// Where the district of `Oldenburg-Eversten` or the river of `Frankfurt/Main` begins.
fn district_start(text: &str, word: &Word) -> usize {
    let written = &text[word.span.clone()];
    let length = written.find(['-', '/', '–']).unwrap_or(written.len());
    word.span.start + length
}

/// A name nobody knows: a district or a village.
fn unknown(text: &str, words: &Words, n_words: usize, area: Option<usize>) -> Option<City> {
    area?;
    let first = &words.list[0];
    let plain = words.plain(first);
    if plain.len() < 3 && !words::begins_city(plain) || words::is_no_city(plain) || !first.capital {
        return None;
    }
    let n = if words::begins_city(plain) {
        2.min(n_words)
    } else {
        1
    };
    let span = first.span.start..words.list[n - 1].span.end;
    Some(City {
        key: key(&text[span.clone()]),
        span,
        known: None,
        points: 12,
        n_words: n,
    })
}

/// Takes what only tells the city from others: `Halle (Saale)`, `Freiburg i. Br.`
fn with_qualifier(text: &str, words: &Words, mut city: City) -> City {
    let rest = &text[city.span.end..];
    let bracket = rest.strip_prefix(' ').unwrap_or(rest);
    if let Some(inner) = bracket.strip_prefix('(')
        && let Some((inner, _)) = inner.split_once(')')
        && is_qualifier(inner)
    {
        let inner_end = text.len() - bracket.len() + 1 + inner.len();
        city.span.end = inner_end + 1;
        let inside = words.list.iter().filter(|word| word.span.start < inner_end);
        city.n_words = inside.count();
        return city;
    }
    let mut idx = city.n_words;
    while let Some(word) = words.list.get(idx).filter(|word| word.gap == Gap::Space) {
        let dotted = text[word.span.end..].starts_with('.');
        match words.plain(word) {
            "a" | "i" | "b" | "v" | "o" | "d" if dotted && !word.capital => idx += 1,
            _ if idx > city.n_words && word.capital => {
                city.span.end = word.span.end + usize::from(dotted && word.span.len() < 4);
                city.n_words = idx + 1;
                break;
            }
            _ => break,
        }
    }
    city
}

fn is_qualifier(inner: &str) -> bool {
    let plain = |c: char| c.is_alphabetic() || matches!(c, '.' | ' ' | '-');
    let normal = normalise(inner).replace(' ', "");
    inner.len() < 18
        && !inner.is_empty()
        && inner.chars().all(plain)
        && !words::is_country(&normal)
        && !words::is_land(&normal)
        && !normal.starts_with("tel")
}
