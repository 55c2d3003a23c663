//! The shape of a page's text: a few numbers that are equal, or nearly so, for
//! pages that say nearly the same.
//!
//! Runs of `RUN` words are hashed, and the least hash of each of 128 bins is
//! kept: the share of bins on which two pages agree is close to the share of
//! runs that they have in common (one permutation hashing with rotation,
//! Shrivastava and Li 2014). Two bits of each bin are enough to tell likeness
//! (b-bit minwise hashing, Li and König 2010); two *keys*, each made of six
//! whole bins, are enough to find the pages worth comparing by exact look-up.
//!
//! A site's pages share menus and footers, and a list may consist of links
//! alone. So the text of links is kept apart from the text between them: alike
//! are two pages that agree in both. Numbers count as words, since in an
//! address they are the difference.

mod bins;
pub(crate) mod words;

use crate::html::Page;
use bins::Bins;
use words::{Words, mix};

/// Look-up keys of one shape.
pub const N_KEYS: usize = 2;

/// Bytes of a shape on disk.
pub const N_BYTES: usize = 8 * N_WORDS;

/// Words in a row that are hashed together.
const RUN: usize = 4;

/// With fewer words between its links a page has no shape: one sentence and a
/// site's footer are alike too easily.
const MIN_WORDS: u32 = 50;

/// Runs of words that near copies share, at least. From 0.90 to 0.94 lie the
/// pages of a group's members, and lists of what is tagged with this or that.
const MIN_LIKENESS: f32 = 0.95;

/// Anchors that near copies share, at least. Copies differ in a few links, as
/// in the way back; a page of a list and a story in it in more.
const MIN_ANCHOR_LIKENESS: f32 = 0.9;

/// Bins that go into one key. Two keys of six find 97 of 100 pages with 97 %
/// of their runs in common, 93 with 95 %, and 3 with half. Every key is a row
/// to write and a look-up for each page.
const KEY_BINS: usize = 6;

/// Keep what is hashed for different ends apart.
const MARK: u64 = 0x9e37_79b9_7f4a_7c15;
const ANCHOR: u64 = 0x2545_f491_4f6c_dd1d;

const TEXT_BINS: usize = 128;
const ANCHOR_BINS: usize = 64;
const TEXT_WORDS: usize = TEXT_BINS / 32;
const ANCHOR_WORDS: usize = ANCHOR_BINS / 32;
const N_WORDS: usize = TEXT_WORDS + ANCHOR_WORDS;

/// What a page's text is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    keys: [u64; N_KEYS],
    sketch: Sketch,
}

/// The part of a shape that is compared, once a key was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sketch {
    text: [u64; TEXT_WORDS],
    anchors: [u64; ANCHOR_WORDS],
}

impl Shape {
    /// The shape of a page with enough text between its links.
    pub fn of(page: &Page) -> Option<Shape> {
        let mut text = Bins::<TEXT_BINS>::new();
        let mut anchors = Bins::<ANCHOR_BINS>::new();
        let mut runs = Runs::default();
        let mut at = 0;
        for link in &page.links {
            let (start, end) = (link.span.start as usize, link.span.end as usize);
            // Links come in the order of the text; whatever else is left out.
            if start < at || end <= start {
                continue;
            }
            runs.read(&page.text, at, start, &mut text);
            add_anchor(&page.text, start, end, &mut anchors);
            at = end;
        }
        runs.read(&page.text, at, page.text.len(), &mut text);
        if runs.n_words < MIN_WORDS {
            return None;
        }
        text.fill();
        anchors.fill();
        Some(Shape {
            keys: std::array::from_fn(|key_idx| text.key(key_idx * KEY_BINS, KEY_BINS)),
            sketch: Sketch {
                text: text.two_bits(),
                anchors: anchors.two_bits(),
            },
        })
    }

    /// The same shape under other keys: shapes with different marks never share
    /// one. Marks are what tells pages apart however alike they look, such as
    /// the addresses found on them; their order does not matter.
    pub fn marked(mut self, marks: impl IntoIterator<Item = u64>) -> Shape {
        let add = |sum: u64, mark| sum.wrapping_add(mix(mark, MARK));
        let sum = marks.into_iter().fold(0, add);
        self.keys = self.keys.map(|key| mix(key, sum));
        self
    }

    /// Near copies most probably share one of these.
    pub fn keys(&self) -> [u64; N_KEYS] {
        self.keys
    }

    /// What to keep with the keys.
    pub fn sketch(&self) -> &Sketch {
        &self.sketch
    }
}

impl Sketch {
    /// Whether two pages differ in a few words only.
    pub fn is_near(&self, other: &Sketch) -> bool {
        self.likeness(other) >= MIN_LIKENESS && self.anchor_likeness(other) >= MIN_ANCHOR_LIKENESS
    }

    /// The share of runs of words that two pages have in common, within a few
    /// hundredths; below zero by chance where they have none.
    pub fn likeness(&self, other: &Sketch) -> f32 {
        bins::likeness(&self.text, &other.text)
    }

    /// The share of anchors that two pages have in common, more coarsely.
    pub fn anchor_likeness(&self, other: &Sketch) -> f32 {
        bins::likeness(&self.anchors, &other.anchors)
    }

    /// As kept on disk.
    pub fn to_bytes(&self) -> [u8; N_BYTES] {
        let mut bytes = [0; N_BYTES];
        let words = self.text.iter().chain(&self.anchors);
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// As read back; none if it was never one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Sketch> {
        let bytes: &[u8; N_BYTES] = bytes.try_into().ok()?;
        let (text, anchors) = bytes.split_at(8 * TEXT_WORDS);
        Some(Sketch {
            text: numbers(text),
            anchors: numbers(anchors),
        })
    }
}

fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut numbers = [0; N];
    for (number, chunk) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = u64::from_le_bytes(*chunk);
    }
    numbers
}

/// The last few words, across links.
#[derive(Default)]
struct Runs {
    n_words: u32,
    last: [u64; RUN - 1],
}

impl Runs {
    fn read(&mut self, text: &str, start: usize, end: usize, bins: &mut Bins<TEXT_BINS>) {
        for word in Words::new(text.as_bytes(), start, end) {
            let [first, second, third] = self.last;
            let run = mix(
                first.rotate_left(23) ^ second,
                third.rotate_left(41) ^ word.hash,
            );
            self.n_words += 1;
            if self.n_words >= RUN as u32 {
                bins.add(run);
            }
            self.last = [second, third, word.hash];
        }
    }
}

/// A whole anchor counts once; numbers of pages and days do not.
fn add_anchor(text: &str, start: usize, end: usize, bins: &mut Bins<ANCHOR_BINS>) {
    let mut anchor = 0_u64;
    let mut says_something = false;
    for word in Words::new(text.as_bytes(), start, end) {
        anchor = mix(anchor.rotate_left(29), word.hash);
        says_something |= !word.is_number;
    }
    if says_something {
        bins.add(mix(anchor, ANCHOR));
    }
}

#[cfg(test)]
mod tests;
