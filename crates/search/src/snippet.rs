//! The passage of a page that answers a query best, with the words that do.

use crate::words::{Cutter, Spot, Spots, each_word};
use page::words::each_span;
use serde::Serialize;
use std::ops::Range;

/// Words of a passage.
const N_WORDS: usize = 32;

/// Words before the first one that was asked for.
const LEAD: usize = 6;

/// Bytes before the first word that was asked for.
const MOST_LEAD: usize = 120;

/// Bytes of a page that are looked at.
const MOST_LOOKED_AT: usize = 36_000;

/// Bytes of a page in which most pages say what they are about.
const BEGINNING: usize = 2_500;

/// Bytes of a passage at most: words may be long.
const MOST_BYTES: usize = 400;

/// A passage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// The passage, with single spaces.
    pub text: String,
    /// Bytes of it that were asked for.
    pub marks: Vec<Range<usize>>,
}

/// The best passage of a text, given the stems that were asked for; its
/// beginning if none of them is there. What follows the part of the text in
/// which as many of them stand together as were `wanted` is not looked at.
pub(crate) fn best(
    cutter: &mut Cutter,
    text: &str,
    language: &str,
    asked: &[String],
    n_wanted: usize,
) -> Snippet {
    let text = &text[..text.floor_char_boundary(MOST_LOOKED_AT)];
    let mut spots = Spots::default();
    let mut first = None;
    for (from, end) in parts(text) {
        cutter.spot(&mut spots, (&text[..end], from), language, asked);
        let (best, n_together) = best_first(&spots.found, asked.len());
        first = best;
        if n_together >= n_wanted {
            break;
        }
    }
    let from = match first {
        Some(first) => lead_to(text, first.start),
        None => text.find(char::is_alphanumeric).unwrap_or(text.len()),
    };
    let is_asked = |start| {
        let found = spots.found.binary_search_by_key(&start, |spot| spot.start);
        found.is_ok()
    };
    let passage = &text[from..];
    let passage = &passage[..passage.floor_char_boundary(MOST_BYTES + 1)];
    let mut snippet = Snippet::default();
    if has_words(&text[..from]) {
        snippet.text.push_str("… ");
    }
    let (mut n_words, mut done) = (0, 0);
    each_word(passage, |word| {
        let (begin, end) = (word.start, word.end);
        let is_cut_off = end > MOST_BYTES;
        if n_words == N_WORDS || is_cut_off {
            return;
        }
        push_plain(&mut snippet.text, &passage[done..begin]);
        let mark = snippet.text.len();
        snippet.text.push_str(&passage[begin..end]);
        if is_asked(from + begin) {
            snippet.marks.push(mark..snippet.text.len());
        }
        (n_words, done) = (n_words + 1, end);
    });
    if has_words(&text[from + done..]) {
        snippet.text.push_str(" …");
    }
    snippet
}

fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Where a passage begins with the words before one that was asked for.
fn lead_to(text: &str, first: usize) -> usize {
    let from = text.floor_char_boundary(first.saturating_sub(MOST_LEAD));
    let mut starts = Vec::new();
    each_span(&text[from..first], |start, _| starts.push(from + start));
    // The first of them may be the rest of a word.
    let whole = &starts[usize::from(from > 0).min(starts.len())..];
    let lead = whole.get(whole.len().saturating_sub(LEAD));
    lead.copied().unwrap_or(first)
}

/// The parts of a text, each up to a space and as long as all before it.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        let most = text.floor_char_boundary((from * 2).max(BEGINNING));
        let space = text[from..most].rfind(char::is_whitespace);
        let end = match space {
            Some(space) if space > 0 && most < text.len() => from + space,
            _ => text.len(),
        };
        let part = (from < text.len()).then_some((from, end));
        from = end;
        part
    })
}

/// The first of those words that stand together of which most are different,
/// and among those of most words; and how many different ones.
fn best_first(spots: &[Spot], n_asked: usize) -> (Option<Spot>, usize) {
    let mut counts = vec![0; n_asked];
    let (mut n_different, mut end) = (0, 0);
    let (mut best, mut best_value) = (None, (0, 0));
    for (at, first) in spots.iter().enumerate() {
        while let Some(next) = spots.get(end)
            && next.nth < first.nth + N_WORDS - LEAD
        {
            n_different += usize::from(counts[next.which] == 0);
            counts[next.which] += 1;
            end += 1;
        }
        let value = (n_different, end - at);
        if value > best_value {
            (best, best_value) = (Some(*first), value);
        }
        counts[first.which] -= 1;
        n_different -= usize::from(counts[first.which] == 0);
    }
    (best, best_value.0)
}

/// What stands between two words: white space is one space, and nothing that
/// could do anything but be seen.
fn push_plain(text: &mut String, between: &str) {
    for c in between.chars().filter(|c| !is_unseen(*c)) {
        match c.is_whitespace() || c.is_control() {
            true if text.ends_with(' ') || text.is_empty() => {}
            true => text.push(' '),
            false => text.push(c),
        }
    }
}

/// Marks that turn the direction of text, or join and part it.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn show(text: &str, words: &str) -> String {
        let mut cutter = Cutter::new();
        let stems: Vec<String> = cutter.readings(words, 9).concat();
        let snippet = best(&mut cutter, text, "en", &stems, words.split(' ').count());
        let mut shown = String::new();
        let mut done = 0;
        for mark in &snippet.marks {
            shown.push_str(&snippet.text[done..mark.start]);
            shown.push('[');
            shown.push_str(&snippet.text[mark.clone()]);
            shown.push(']');
            done = mark.end;
        }
        shown + &snippet.text[done..]
    }

    #[test]
    fn the_passage_with_most_of_the_words_is_shown() {
        let filler = "nothing to see here ".repeat(30);
        let text =
            format!("A pizza. {filler}\n\nThe best   pizza restaurants\tof the town. {filler}");
        assert_snapshot!(show(&text, "pizza restaurant"), @"… nothing to see here The best [pizza] [restaurants] of the town. nothing to see here nothing to see here nothing to see here nothing to see here nothing to see here nothing …");
        assert_snapshot!(show("Short text.", "absent"), @"Short text");
        assert_snapshot!(show("", "absent"), @"");
    }

    #[test]
    fn a_text_is_cut_at_spaces() {
        let text = "the best pizza of the town ".repeat(1_000);
        let cut: Vec<(usize, usize)> = parts(&text).collect();
        assert_eq!(cut[0].0, 0);
        assert!(cut.windows(2).all(|pair| pair[0].1 == pair[1].0));
        assert!(
            cut[1..]
                .iter()
                .all(|(from, _)| text[*from..].starts_with(' '))
        );
        assert_eq!(cut.last().map(|(_, end)| *end), Some(text.len()));
        assert_eq!(cut.len(), 5);
        // Nowhere to cut.
        assert_eq!(parts(&"x".repeat(9_000)).count(), 1);
        assert_eq!(parts("").count(), 0);
    }

    proptest! {
        #[test]
        fn marks_lie_on_words(text in "([a-zéß]{1,6}[ \\n,.]{1,2}){0,80}", word in "[a-z]{1,2}") {
            let mut cutter = Cutter::new();
            let stems: Vec<String> = cutter.readings(&word, 2).concat();
            let snippet = best(&mut cutter, &text, "en", &stems, 1);
            for mark in snippet.marks {
                prop_assert!(!snippet.text[mark].contains(' '));
            }
        }
    }
}
