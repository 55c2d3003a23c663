//! Reads what the post delivers to: a house on a street, or a post box.

use super::street;
use super::tidy;
use super::token::{Gap, Word, Words};
use super::words;
use std::ops::Range;

/// Between a house number and its postal code stand at most so many words.
const MAX_EXTRA_WORDS: usize = 6;

/// A house or post box beside a postal code.
#[derive(Debug)]
pub(super) struct Delivery {
    /// Byte range in the text.
    pub(super) span: Range<usize>,
    /// As written, with single spaces; empty for a post box.
    pub(super) street: String,
    /// Upper case, without spaces.
    pub(super) number: String,
    pub(super) unit: Option<String>,
    pub(super) po_box: Option<String>,
    /// How surely this is what it seems.
    pub(super) points: i32,
    pub(super) crosses_blank_line: bool,
}

/// The house or box whose last word stands before a postal code.
pub(super) fn before_code(text: &str, words: &Words) -> Option<Delivery> {
    let code_gap = words.last_gap.filter(|gap| *gap < Gap::Break)?;
    let first = words.list.iter().rposition(|word| word.gap == Gap::Break);
    let list = &words.list[first.unwrap_or(0)..];
    let mut best: Option<Delivery> = None;
    let earliest = list.len().saturating_sub(MAX_EXTRA_WORDS + 3);
    for idx in (earliest..list.len()).rev() {
        let delivery = house(text, words, list, idx, code_gap)
            .or_else(|| post_box(text, words, list, idx, code_gap));
        if let Some(delivery) = delivery
            && best
                .as_ref()
                .is_none_or(|best| delivery.points > best.points)
        {
            best = Some(delivery);
        }
    }
    best
}

/// The street that follows the city: `26121 Oldenburg, Hauptstraße 5`.
pub(super) fn after_city(text: &str, words: &Words, n_city_words: usize) -> Option<Delivery> {
    let list = words.list.get(n_city_words..)?;
    let end = list.iter().position(|word| word.gap >= Gap::Blank);
    let list = &list[..end.unwrap_or(list.len())];
    let first = list.first()?;
    let number = (1..list.len().min(7)).find(|&idx| starts_with_digit(text, &list[idx]))?;
    let n_number = number_len(text, words, &list[number..])?;
    let street = street::read(words, &list[..number], list[number].gap)?;
    if street.start > 0 || street.points < 22 || first.gap == Gap::Space && street.points < 30 {
        return None;
    }
    // `Nebenstraße 7, 26122 Oldenburg` has a postal code of its own.
    let next = list.get(number + n_number);
    if next.is_some_and(|word| word.span.len() == 5 && starts_with_digit(text, word)) {
        return None;
    }
    let span = first.span.start..list[number + n_number - 1].span.end;
    Some(Delivery {
        street: street_text(text, &list[..number]),
        number: number_text(&text[list[number].span.start..span.end]),
        span,
        unit: None,
        po_box: None,
        points: street.points - 4,
        crosses_blank_line: false,
    })
}

/// A street, the house number at this position, and what follows it.
fn house(text: &str, words: &Words, list: &[Word], idx: usize, code_gap: Gap) -> Option<Delivery> {
    let n_number = number_len(text, words, &list[idx..])?;
    // `Hauptstr. Nr. 5`
    let is_nr = |word: &Word| matches!(words.plain(word), "nr" | "no" | "hausnummer");
    let (before, gap) = match list[..idx].split_last() {
        Some((nr, before)) if is_nr(nr) => (before, nr.gap),
        _ => (&list[..idx], list[idx].gap),
    };
    let street = street::read(words, before, gap)?;
    let after = &list[idx + n_number..];
    let extras = extras(text, words, after)?;
    let number = &list[idx].span;
    // A year after a word is most likely no house.
    let digits = text[number.clone()].bytes().take_while(u8::is_ascii_digit);
    if digits.count() > 3 && street.points < 20 {
        return None;
    }
    let n_blank = list[idx..]
        .iter()
        .skip(1)
        .map(|word| word.gap)
        .chain([code_gap])
        .filter(|gap| *gap == Gap::Blank)
        .count();
    Some(Delivery {
        span: before[street.start].span.start..list.last()?.span.end,
        street: street_text(text, &before[street.start..]),
        number: number_text(&text[number.start..list[idx + n_number - 1].span.end]),
        unit: extras.unit,
        po_box: extras.po_box,
        points: street.points - extras.penalty,
        crosses_blank_line: n_blank > 0,
    })
    .filter(|_| n_blank < 2)
}

/// `Postfach 12 34 56`, and nothing after it.
fn post_box(
    text: &str,
    words: &Words,
    list: &[Word],
    idx: usize,
    code_gap: Gap,
) -> Option<Delivery> {
    let number = box_number(text, words, &list[idx..])?;
    let n_words = 1 + number.1;
    (idx + n_words == list.len() && code_gap < Gap::Blank).then(|| Delivery {
        span: list[idx].span.start..list[list.len() - 1].span.end,
        street: String::new(),
        number: String::new(),
        unit: None,
        po_box: Some(number.0),
        points: 20,
        crosses_blank_line: false,
    })
}

/// The box at the start of these words, and how many more words it takes.
fn box_number(text: &str, words: &Words, list: &[Word]) -> Option<(String, usize)> {
    let (first, rest) = list.split_first()?;
    if !matches!(words.plain(first), "postfach" | "postbox" | "pf") {
        return None;
    }
    let digits: Vec<&str> = rest
        .iter()
        .take_while(|word| word.gap == Gap::Space)
        .map(|word| &text[word.span.clone()])
        .take_while(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        .take(4)
        .collect();
    let n_words = digits.len();
    let number = digits.concat();
    (matches!(number.len(), 1..=8)).then(|| (format!("POSTFACH {number}"), n_words))
}

#[derive(Default)]
struct Extras {
    unit: Option<String>,
    po_box: Option<String>,
    penalty: i32,
}

/// Everything between the house number and the postal code.
fn extras(text: &str, words: &Words, list: &[Word]) -> Option<Extras> {
    let mut extras = Extras::default();
    let mut unit: Option<Range<usize>> = None;
    let mut n_other = 0;
    let mut idx = 0;
    while let Some(word) = list.get(idx) {
        let plain = words.plain(word);
        if let Some((po_box, n_words)) = box_number(text, words, &list[idx..]) {
            extras.po_box = Some(po_box);
            idx += n_words;
        } else if words::is_extra(plain) || unit.is_some() && is_part(word) {
            let start = unit.map_or(word.span.start, |unit| unit.start);
            unit = Some(start..word.span.end);
        } else if is_floor(words, &list[idx..]) {
            unit = Some(unit.map_or(word.span.start, |unit| unit.start)..word.span.end);
        } else if word.capital && !words::is_no_street(plain) && word.gap != Gap::Blank {
            n_other += 1;
        } else {
            return None;
        }
        idx += 1;
    }
    extras.penalty = match n_other {
        0 => 0,
        // A district stands apart from the house: `Hauptstr. 5, Eversten`.
        1..=3 if list[0].gap != Gap::Space => 6,
        1 => 10,
        _ => return None,
    };
    extras.unit = unit.map(|span| tidy(&text[span]));
    Some(extras)
}

/// `Haus 3`, `Aufgang B`
fn is_part(word: &Word) -> bool {
    word.gap == Gap::Space && word.span.len() <= 3
}

/// `2. OG`, `3. Stock`
fn is_floor(words: &Words, list: &[Word]) -> bool {
    let number = |word: &Word| matches!(words.plain(word).as_bytes(), [b'0'..=b'9', ..]);
    match list {
        [first, second, ..] => {
            number(first) && first.span.len() < 3 && words::is_extra(words.plain(second))
        }
        _ => false,
    }
}

fn starts_with_digit(text: &str, word: &Word) -> bool {
    text.as_bytes()[word.span.start].is_ascii_digit()
}

/// How many words the house number at the start takes: `12`, `12 a`, `12 - 14`, `12 1/2`.
fn number_len(text: &str, words: &Words, list: &[Word]) -> Option<usize> {
    let first = list.first()?;
    if !is_number(words.plain(first)) {
        return None;
    }
    let mut n = 1;
    while let Some(next) = list.get(n) {
        let between = &text[list[n - 1].span.end..next.span.start];
        let sign = between.trim();
        let plain = words.plain(next);
        let joined = matches!(sign, "-" | "–" | "—" | "/" | "+" | "&");
        let letter = matches!(plain.as_bytes(), [b'a'..=b'z'])
            || matches!(plain.as_bytes(), [b'a'..=b'z', b'-' | b'/', b'a'..=b'z']);
        let fraction = matches!(plain, "1/2" | "1/3" | "1/4" | "3/4");
        let more =
            joined && (is_number(plain) || letter) || sign.is_empty() && (letter || fraction);
        if !more || n > 3 || next.gap > Gap::Comma {
            break;
        }
        n += 1;
    }
    Some(n)
}

/// `12`, `12a`, `12-14`, `178/179`, `12a-c`; in plain letters.
fn is_number(plain: &str) -> bool {
    let mut parts = plain.split(['-', '/', '+']);
    let digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count();
    let part = |part: &str| {
        let n_digits = digits(part);
        n_digits <= 4
            && part.len() <= n_digits + 1
            && part[n_digits..]
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic())
    };
    let first = parts.next().unwrap_or_default();
    let n_digits = digits(first);
    n_digits > 0
        && !first.starts_with('0')
        && plain.len() <= 12
        && part(first)
        && parts.all(|next| !next.is_empty() && part(next))
}

/// `12a`, `12 – 14` and `12 1/2` as `12A`, `12-14` and `12 1/2`.
fn number_text(written: &str) -> String {
    let mut number = String::with_capacity(written.len());
    for word in tidy(written).split(' ') {
        let joins = number.ends_with(['-', '/', '+', '&']);
        if word.contains('/') && word.len() == 3 && !number.is_empty() && !joins {
            number.push(' ');
        }
        number.push_str(&word.replace(['–', '—', '‐', '‑'], "-").to_uppercase());
    }
    number
}

/// The words as written, with the dot of an abbreviation.
fn street_text(text: &str, list: &[Word]) -> String {
    let (Some(first), Some(last)) = (list.first(), list.last()) else {
        return String::new();
    };
    let dot = usize::from(text[last.span.end..].starts_with('.'));
    tidy(&text[first.span.start..last.span.end + dot])
}
