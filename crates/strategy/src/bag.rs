//! The words of a page, counted: what its topic and its status are told from.
//!
//! One pass over title and text. A word is known by its *term*, a number that
//! is its hash cut to `N_TERMS`; two words in a term are taken for one. Stop
//! words, of four languages at once, are no terms and count nowhere; numbers
//! are counted and are no terms either.

use page::html::Page;
use page::words::each_word;
use std::cell::Cell;
use std::sync::LazyLock;

/// Terms there may be.
pub const N_TERMS: u32 = 1 << 18;

/// Bytes of a text that are read: what a page is about it says before that,
/// and a page of megabytes should not cost more than others.
const MOST_BYTES: usize = 32 << 10;

/// Longer runs of letters are no words that come again.
const LONGEST: usize = 48;

/// The words of one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bag {
    /// Terms in the order in which they first occur, each with how often.
    pub terms: Vec<(u32, u32)>,
    /// Words without stop words and numbers.
    pub n_words: u32,
    /// Numbers: `1,200.50` is one.
    pub n_numbers: u32,
}

impl Bag {
    /// The words of a page's title and text.
    pub fn of(page: &Page) -> Bag {
        Bag::of_texts(&[&page.title, &page.text])
    }

    /// The words of some texts.
    pub fn of_texts(texts: &[&str]) -> Bag {
        let mut tally = Tally::new();
        let mut n_numbers = 0;
        for text in texts {
            let text = &text[..text.floor_char_boundary(MOST_BYTES)];
            let mut number_end = None;
            each_word(text, |word| {
                let len = word.end - word.start;
                if word.is_number {
                    let goes_on = number_end.is_some_and(|end| is_inside(text, end, word.start));
                    n_numbers += u32::from(!goes_on);
                    number_end = Some(word.end);
                } else if (2..=LONGEST).contains(&len) {
                    tally.add(term(word.hash));
                }
            });
        }
        let mut terms = tally.finish();
        terms.retain(|(term, _)| !STOP_WORDS.has(*term));
        Bag {
            n_words: terms.iter().map(|(_, count)| count).sum(),
            terms,
            n_numbers,
        }
    }

    /// Its terms in ascending order.
    pub(crate) fn into_sorted_terms(mut self) -> Vec<(u32, u32)> {
        self.terms.sort_unstable();
        self.terms
    }
}

/// Counts terms: a number for each there may be, all zero between pages, since
/// setting so many to zero for each page would cost more than the page.
struct Tally {
    counts: Vec<u16>,
    /// Terms that have a count.
    terms: Vec<u32>,
}

thread_local! {
    static COUNTS: Cell<Vec<u16>> = const { Cell::new(Vec::new()) };
}

impl Tally {
    fn new() -> Tally {
        // Whoever dies while counting takes the numbers with it.
        let mut counts = COUNTS.take();
        counts.resize(N_TERMS as usize, 0);
        Tally {
            counts,
            terms: Vec::with_capacity(512),
        }
    }

    fn add(&mut self, term: u32) {
        let count = &mut self.counts[term as usize];
        if *count == 0 {
            self.terms.push(term);
        }
        *count = count.saturating_add(1);
    }

    fn finish(mut self) -> Vec<(u32, u32)> {
        let counts = &mut self.counts;
        let take = |term: u32| (term, u32::from(std::mem::take(&mut counts[term as usize])));
        let counted = self.terms.into_iter().map(take).collect();
        COUNTS.set(self.counts);
        counted
    }
}

/// Whether nothing but a point or a comma lies between two runs of digits.
fn is_inside(text: &str, end: usize, start: usize) -> bool {
    matches!(&text.as_bytes()[end..start], [b'.' | b','])
}

/// The term of a word's hash.
fn term(hash: u64) -> u32 {
    (hash >> (u64::BITS - N_TERMS.trailing_zeros())) as u32
}

/// What a text is written in by its stop words, as in `<html lang=…>`: the
/// language that has most of them, if it is one of four and any are there.
pub fn language_of(text: &str) -> Option<&'static str> {
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    let mut counts = [0_u32; LANGUAGES.len()];
    each_word(text, |word| {
        let languages = STOP_WORDS.languages(word.hash);
        for (language_idx, count) in counts.iter_mut().enumerate() {
            *count += u32::from(languages >> language_idx & 1);
        }
    });
    let (most, language) = counts
        .into_iter()
        .zip(LANGUAGES)
        .rev()
        .max_by_key(|(count, _)| *count)?;
    (most > 0).then_some(language)
}

const LANGUAGES: [&str; 4] = ["en", "de", "es", "fr"];

static STOP_WORDS: LazyLock<StopWords> =
    LazyLock::new(|| StopWords::parse(include_str!("bag/stop_words.txt")));

struct StopWords {
    /// A bit for each term that is a stop word's.
    terms: Vec<u64>,
    /// Hash of each word, in ascending order, with a bit for each language.
    words: Vec<(u64, u8)>,
}

impl StopWords {
    fn parse(table: &str) -> StopWords {
        let mut stop_words = StopWords {
            terms: vec![0; N_TERMS as usize / 64],
            words: Vec::new(),
        };
        for line in table.lines() {
            let Some((language, words)) = line.split_once(": ") else {
                continue;
            };
            let Some(language_idx) = LANGUAGES.iter().position(|known| *known == language) else {
                continue;
            };
            each_word(words, |word| stop_words.add(word.hash, language_idx));
        }
        stop_words
    }

    fn add(&mut self, hash: u64, language_idx: usize) {
        let term = term(hash);
        self.terms[term as usize / 64] |= 1 << (term % 64);
        let language = 1 << language_idx;
        match self.words.binary_search_by_key(&hash, |(known, _)| *known) {
            Ok(at) => self.words[at].1 |= language,
            Err(at) => self.words.insert(at, (hash, language)),
        }
    }

    fn has(&self, term: u32) -> bool {
        self.terms[term as usize / 64] >> (term % 64) & 1 == 1
    }

    /// A bit for each language that has this stop word.
    fn languages(&self, hash: u64) -> u8 {
        let found = self.words.binary_search_by_key(&hash, |(known, _)| *known);
        found.map_or(0, |at| self.words[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_and_numbers_are_no_terms() {
        let bag = Bag::of_texts(&[
            "The menu of the kitchen",
            "Menu: 3 dishes, $1,200.50 in 2006.",
        ]);
        assert_eq!((bag.n_words, bag.n_numbers), (4, 3));
        let counts: Vec<u32> = bag.terms.iter().map(|(_, count)| *count).collect();
        assert_eq!(counts.iter().max(), Some(&2), "menu, in any case");
        let again = Bag::of_texts(&["dishes"]);
        assert_eq!(again.terms.len(), 1, "nothing is left of the page before");
        assert!(bag.terms.contains(&again.terms[0]));
        assert_eq!(Bag::of_texts(&["", "and the der und"]), Bag::default());
    }

    #[test]
    fn words_of_other_languages_are_words() {
        // German and French stop words that are things in English.
        let bag = Bag::of_texts(&["war car son pour die"]);
        assert_eq!(bag.n_words, 5);
        assert_eq!(Bag::of_texts(&["Käse käse KÄSE"]).terms.len(), 1);
    }

    #[test]
    fn a_long_page_costs_what_others_cost() {
        let text = "kitchen ".repeat(1 << 20);
        assert_eq!(Bag::of_texts(&[&text]).n_words as usize, MOST_BYTES / 8);
        assert_eq!(Bag::of_texts(&[&"x".repeat(1000)]).n_words, 0);
    }

    #[test]
    fn a_language_is_known_by_its_stop_words() {
        assert_eq!(
            language_of("What is the best way to the station?"),
            Some("en")
        );
        assert_eq!(
            language_of("Die Küche ist nicht weit vom Bahnhof"),
            Some("de")
        );
        assert_eq!(
            language_of("La cocina está cerca de la estación"),
            Some("es")
        );
        assert_eq!(language_of("La cuisine est dans votre maison"), Some("fr"));
        assert_eq!(language_of("Москва 77002"), None);
    }
}
