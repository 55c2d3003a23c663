//! What the words in and around a link are, as numbers.
//!
//! Each word counts apart by where it came from: the host's name, the path,
//! the link's own text and title, the text around it. Words are runs of
//! letters in lower case; a number is a number, whichever it is. A sign is a
//! word's hash, cut to fit the learners' tables.

use page::html::{Link, Page};
use std::ops::Range;

/// Signs there may be: two learned words in a thousand share a number after
/// ten million links of a made-up web.
pub(crate) const N_SIGNS: usize = 1 << 20;

/// Words before and after a link that belong to it. Those of lists are the
/// words of its neighbours: more would say less.
const AROUND: usize = 5;

/// Words of one kind that are read: an anchor around a whole article says no
/// more than its beginning.
const MOST_WORDS: usize = 12;

/// Letters of a word that count.
const MOST_LETTERS: usize = 24;

/// Where a word came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Host,
    Path,
    Anchor,
    Around,
    /// No word: whether the link leaves the domain.
    Domain,
}

impl Source {
    /// For people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Source::Host => "host",
            Source::Path => "path",
            Source::Anchor => "anchor",
            Source::Around => "around",
            Source::Domain => "link",
        }
    }
}

/// A word of a page: where it begins, and its hash.
#[derive(Debug, Clone, Copy)]
struct Word {
    start: u32,
    end: u32,
    hash: u32,
}

/// A page cut into words, for all of its links.
pub(crate) struct Words<'a> {
    page: &'a Page,
    words: Vec<Word>,
}

impl<'a> Words<'a> {
    /// Reads the words near some links of a page, which are in its order;
    /// prose far from any link is passed over.
    pub(crate) fn near_links(page: &'a Page, links: &[&Link]) -> Words<'a> {
        let mut words = Vec::with_capacity(links.len() * 8);
        let mut done = 0;
        for link in links {
            let reach = words_within(&page.text, link, REACH);
            let start = reach.start.max(done);
            done = done.max(reach.end);
            let Some(text) = page.text.get(start..reach.end) else {
                continue;
            };
            each_word(text, |from, to, hash| {
                words.push(Word {
                    start: (start + from) as u32,
                    end: (start + to) as u32,
                    hash,
                });
            });
        }
        Words { page, words }
    }

    /// All signs of a link.
    pub(crate) fn signs(&self, link: &Link) -> Vec<u32> {
        let mut signs = Vec::with_capacity(32);
        self.each_sign(link, |source, hash, _| signs.push(sign(source, hash)));
        signs
    }

    /// The same with the words they stand for.
    pub(crate) fn named(&self, link: &Link) -> Vec<(u32, String)> {
        let mut named = Vec::new();
        self.each_sign(link, |source, hash, word| {
            named.push((sign(source, hash), format!("{} {word}", source.name())));
        });
        named
    }

    /// Whether one of these names stands in a link's own text, and whether one
    /// stands beside it.
    pub(crate) fn names_any(&self, link: &Link, names: &Names) -> (bool, bool) {
        let (before, own, after) = self.near(link);
        (
            names.any_in(own),
            names.any_in(before) || names.any_in(after),
        )
    }

    fn each_sign(&self, link: &Link, mut hear: impl FnMut(Source, u32, &str)) {
        let url = &link.url;
        let host = url.host().strip_prefix("www.").unwrap_or(url.host());
        hear_words(host, Source::Host, &mut hear);
        hear_words(url.path_and_query(), Source::Path, &mut hear);
        let (before, own, after) = self.near(link);
        let text = &self.page.text;
        let mut hear_all = |source: Source, words: &[Word]| {
            for word in words {
                let letters = text.get(word.start as usize..word.end as usize);
                hear(source, word.hash, letters.unwrap_or_default());
            }
        };
        hear_all(Source::Anchor, &own[..own.len().min(MOST_WORDS)]);
        hear_all(Source::Around, before);
        hear_all(Source::Around, after);
        if let Some(title) = link.title.as_deref() {
            hear_words(title, Source::Anchor, &mut hear);
        }
        match link.leaves_domain {
            true => hear(Source::Domain, 1, "leaves its domain"),
            false => hear(Source::Domain, 0, "stays in its domain"),
        }
    }

    /// The words before, in and after a link's own text.
    fn near(&self, link: &Link) -> (&[Word], &[Word], &[Word]) {
        let first = self
            .words
            .partition_point(|word| word.start < link.span.start);
        let end = self
            .words
            .partition_point(|word| word.start < link.span.end);
        let end = end.max(first);
        (
            &self.words[first.saturating_sub(AROUND)..first],
            &self.words[first..end],
            &self.words[end..(end + AROUND).min(self.words.len())],
        )
    }
}

/// Bytes before and after a link that are read: enough for the words around
/// it unless they are very long.
const REACH: usize = 80;

/// The text up to so many bytes before and after a link, from space to space.
pub(crate) fn words_within(text: &str, link: &Link, n_bytes: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = (link.span.start as usize).min(bytes.len());
    let end = (link.span.end as usize).clamp(start, bytes.len());
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let before = &bytes[start.saturating_sub(n_bytes)..start];
    let after = &bytes[end..(end + n_bytes).min(bytes.len())];
    let first = match before.len() < n_bytes {
        true => 0,
        // A word may have begun before.
        false => before.iter().position(is_space).unwrap_or(before.len()),
    };
    let last = match after.len() < n_bytes {
        true => after.len(),
        false => after.iter().rposition(is_space).unwrap_or(0),
    };
    start - before.len() + first..end + last
}

/// Names to be looked for.
pub(crate) struct Names {
    /// The words of each, as hashes, in order.
    names: Vec<Vec<u32>>,
    beginnings: Beginnings,
}

impl Names {
    pub(crate) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Names {
        let words = |name: &str| {
            let mut hashes = Vec::new();
            each_word(name, |_, _, hash| hashes.push(hash));
            hashes
        };
        let mut names: Vec<Vec<u32>> = names.map(words).filter(|name| !name.is_empty()).collect();
        names.sort();
        let mut beginnings = Beginnings::new(12);
        for name in &names {
            beginnings.add(name[0]);
        }
        Names { names, beginnings }
    }

    fn any_in(&self, words: &[Word]) -> bool {
        (0..words.len()).any(|at| self.begin(&words[at..]))
    }

    fn begin(&self, words: &[Word]) -> bool {
        let Some(first) = words.first() else {
            return false;
        };
        if !self.beginnings.may_have(first.hash) {
            return false;
        }
        let start = self.names.partition_point(|name| name[0] < first.hash);
        let alike = self.names[start..].iter();
        let mut alike = alike.take_while(|name| name[0] == first.hash);
        let is_here = |name: &Vec<u32>| {
            let hashes = words.iter().map(|word| word.hash);
            name.len() <= words.len() && hashes.take(name.len()).eq(name.iter().copied())
        };
        alike.any(is_here)
    }
}

/// Tells words that begin a name from nearly all others: a bit for each of
/// them, which by chance a few others share.
pub(crate) struct Beginnings {
    blocks: Vec<u64>,
    shift: u32,
}

impl Beginnings {
    /// Of no word yet, with two to the power of so many bits, six at least.
    pub(crate) fn new(n_bits: u32) -> Beginnings {
        Beginnings {
            blocks: vec![0; 1 << (n_bits - 6)],
            shift: 64 - n_bits,
        }
    }

    pub(crate) fn add(&mut self, word: u32) {
        let (block, bit) = self.place(word);
        self.blocks[block] |= bit;
    }

    pub(crate) fn may_have(&self, word: u32) -> bool {
        let (block, bit) = self.place(word);
        self.blocks[block] & bit != 0
    }

    fn place(&self, word: u32) -> (usize, u64) {
        let mixed = mix(u64::from(word)) >> self.shift;
        ((mixed >> 6) as usize, 1 << (mixed & 63))
    }
}

fn hear_words(text: &str, source: Source, hear: &mut impl FnMut(Source, u32, &str)) {
    let mut n_left = MOST_WORDS;
    each_word(text, |start, end, hash| {
        if n_left > 0 {
            n_left -= 1;
            hear(source, hash, &text[start..end]);
        }
    });
}

/// A word of a source as one of so many numbers.
pub(crate) fn sign(source: Source, hash: u32) -> u32 {
    fold(mix(u64::from(hash) << 3 | source as u64))
}

/// Any number as a sign.
pub(crate) fn fold(hash: u64) -> u32 {
    (hash >> 32) as u32 & (N_SIGNS as u32 - 1)
}

/// Spreads a number over all bits.
pub(crate) fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

const START: u32 = 0x811c_9dc5;
const NUMBER: u32 = 1;

/// Cuts a text into words, each with its hash (FNV-1a of its letters in lower
/// case). Single letters are no words.
pub(crate) fn each_word(text: &str, mut hear: impl FnMut(usize, usize, u32)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut hash = START;
        let (mut n_letters, mut n_digits) = (0, 0);
        let mut n_between = 1;
        while let Some(&byte) = bytes.get(at) {
            let (small, n_bytes) = match SMALL[usize::from(byte)] {
                BETWEEN => break,
                // Plain letters are the most by far.
                ABROAD => {
                    let c = text[at..].chars().next().unwrap_or(' ');
                    if !c.is_alphanumeric() {
                        n_between = c.len_utf8();
                        break;
                    }
                    n_digits += usize::from(c.is_numeric());
                    n_letters += usize::from(!c.is_numeric());
                    let small = c.to_lowercase().next().unwrap_or(c);
                    (u32::from(small), c.len_utf8())
                }
                small => {
                    n_digits += usize::from(small <= b'9');
                    n_letters += usize::from(small > b'9');
                    (u32::from(small), 1)
                }
            };
            if n_letters <= MOST_LETTERS {
                hash = (hash ^ small).wrapping_mul(0x0100_0193);
            }
            at += n_bytes;
        }
        end_word(&mut hear, (start, at), hash, (n_letters, n_digits));
        at += n_between;
    }
}

/// Of a plain character that belongs to no word.
const BETWEEN: u8 = 0;

/// Of a byte that is only part of a character.
const ABROAD: u8 = 0xff;

/// What each plain letter or digit is in lower case.
const SMALL: [u8; 256] = {
    let mut small = [BETWEEN; 256];
    let mut byte = 0;
    while byte < 256 {
        small[byte] = match byte as u8 {
            byte if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            byte if byte.is_ascii() => BETWEEN,
            _ => ABROAD,
        };
        byte += 1;
    }
    small
};

fn end_word(
    hear: &mut impl FnMut(usize, usize, u32),
    (start, end): (usize, usize),
    hash: u32,
    (n_letters, n_digits): (usize, usize),
) {
    match (n_letters, n_digits) {
        (0, 0) => {}
        (0, _) => hear(start, end, NUMBER),
        (1, 0) => {}
        _ => hear(start, end, hash),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use page::html;
    use page::url::CanonicalUrl;

    fn named(html: &str) -> String {
        let url = CanonicalUrl::parse("http://www.town.example/").unwrap();
        let page = html::read(html.as_bytes(), &url, None);
        let link = &page.links[0];
        let words = Words::near_links(&page, &[link]);
        let named = words.named(link);
        let signs: Vec<u32> = named.iter().map(|(sign, _)| *sign).collect();
        assert_eq!(signs, words.signs(link));
        let names: Vec<String> = named.into_iter().map(|(_, name)| name).collect();
        names.join(", ")
    }

    #[test]
    fn words_are_kept_apart_by_where_they_came_from() {
        let page = "<p>One two three four five six <a href='http://www.stadt-oldenburg.example/Impressum/12.html' title='Mehr'>Über uns</a> seven eight";
        assert_snapshot!(named(page), @"host stadt, host oldenburg, host example, path Impressum, path 12, path html, anchor Über, anchor uns, around two, around three, around four, around five, around six, around seven, around eight, anchor Mehr, link leaves its domain");
    }

    #[test]
    fn case_and_numbers_do_not_matter() {
        let hashes = |text: &str| {
            let mut hashes = Vec::new();
            each_word(text, |_, _, hash| hashes.push(hash));
            hashes
        };
        assert_eq!(hashes("Straße 12 a"), hashes("STRAßE 4711"));
        assert_ne!(hashes("weg"), hashes("steg"));
        let long = "Donaudampfschifffahrtsgesellschaft42";
        assert_eq!(hashes(long)[0], hashes(&format!("{long} ä"))[0]);
        assert!(hashes("a b - .").is_empty());
    }

    #[test]
    fn an_empty_page_has_the_signs_of_the_address() {
        let page = "<a href='/oldenburg'></a>";
        assert_snapshot!(named(page), @"host town, host example, path oldenburg, link stays in its domain");
    }
}
