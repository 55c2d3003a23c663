//! Finds where a text may name a place.
//!
//! In two rounds, because looking a name up means waiting for memory: the
//! first collects what may be names by filters that fit the cache; then all
//! look-ups are started together; the second round takes what was found.

use super::around::is_part_of_name;
use super::candidate::{Candidate, Surroundings};
use super::leap::Leap;
use super::lexicon::Lexicon;
use super::table::{Doubt, May, NameId, Table, abbreviation_hash};
use super::words::{CLASSES, Gap, LEAD, Shape, UPPER, Word, join, next_word, word_at};
use std::ops::Range;

/// Names have at most so many words.
const MAX_WORDS: u8 = 7;

/// `upon`, `auf`: longer words inside a name have a capital.
const MAX_PARTICLE: usize = 4;

/// All candidates in order, longer ones first.
pub(super) fn candidates(text: &str, table: &Table, lexicon: &Lexicon) -> Vec<Candidate> {
    let mut scan = Scan {
        text,
        table,
        starts: Vec::new(),
        endings: Vec::new(),
    };
    scan.run();
    table.touch(scan.endings.iter().map(|ending| ending.hash));
    let mut choice = Choice {
        table,
        surroundings: Surroundings { text, lexicon },
        found: Vec::with_capacity(scan.starts.len()),
        reach: 0,
    };
    for start in &scan.starts {
        choice.take(&start.word, &scan.endings[start.endings.clone()]);
    }
    choice.found
}

/// A word that may begin a name, and where the name may end.
struct Start {
    word: Word,
    endings: Range<usize>,
}

/// Where a name may end.
struct Ending {
    hash: u64,
    end: usize,
    /// Behind `'s`.
    after: usize,
    n_words: u8,
    is_abbreviation: bool,
}

/// The first round.
struct Scan<'s> {
    text: &'s str,
    table: &'s Table,
    starts: Vec<Start>,
    endings: Vec<Ending>,
}

impl Scan<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut leap = Leap::new(bytes);
        let mut at = leap.next(0);
        while let Some(&byte) = bytes.get(at) {
            let behind = match CLASSES[byte as usize] {
                UPPER => self.read_word(at),
                LEAD => self.read_other(at),
                _ => after_word(bytes, at),
            };
            at = leap.next(behind);
        }
    }

    /// Looks for names from this capital on; where to go on.
    fn read_word(&mut self, start: usize) -> usize {
        let word = word_at(self.text, start);
        let first_ending = self.endings.len();
        self.abbreviations(&word);
        let table = self.table;
        let mut may = table.may_begin(word.hash);
        if word.end - word.start <= 3 {
            may = may.or(table.may_begin(table.written_out(word.hash)));
        }
        if word.possessive_end > word.end {
            may = may.or(table.may_begin(word.possessive_hash));
        }
        if may.matter() || is_set_off(self.text.as_bytes(), word.end) {
            self.names_from(&word, may);
        }
        if self.endings.len() > first_ending {
            self.starts.push(Start {
                word,
                endings: first_ending..self.endings.len(),
            });
        }
        // What is left of a word that ends oddly is not looked at again.
        word.end.max(start + 1)
    }

    /// Goes on from a character outside ASCII; only Latin letters begin names.
    fn read_other(&mut self, start: usize) -> usize {
        match self.text[start..].chars().next() {
            Some(c) if c.is_uppercase() && matches!(u32::from(c), 0xC0..0x250 | 0x1E00..0x1F00) => {
                self.read_word(start)
            }
            Some(c) => start + c.len_utf8(),
            None => start + 1,
        }
    }

    /// Names that begin with this word, shorter ones first.
    fn names_from(&mut self, first: &Word, may_begin: May) {
        let mut hash = 0;
        let mut word = *first;
        for n_words in 1..=MAX_WORDS {
            let may_end = word.shape != Shape::Small;
            if !may_end && word.end - word.start > MAX_PARTICLE {
                break;
            }
            if may_end {
                self.end_name(&word, n_words, hash, may_begin);
            }
            if n_words == 1 && !may_begin.begin() {
                break;
            }
            let (gap, next) = next_word(self.text, word.possessive_end);
            let shortened = gap == Gap::Stop && word.end - word.start <= 3;
            let goes_on = |next: &Word| {
                let table = self.table;
                (matches!(gap, Gap::Space | Gap::Hyphen) || shortened)
                    && (table.may_follow(next.hash) || table.may_follow(next.possessive_hash))
            };
            let Some(next) = next.filter(goes_on) else {
                break;
            };
            // `St. Paul`: inside a name a shortened word is written out.
            hash = join(hash, self.table.written_out(word.possessive_hash));
            if !self.table.may(hash).begin() {
                break;
            }
            word = next;
        }
    }

    /// A name may end with this word, with or without its `'s`.
    fn end_name(&mut self, word: &Word, n_words: u8, before: u64, may_begin: May) {
        let is_set_off = is_set_off(self.text.as_bytes(), word.end);
        let mut end_with = |hash: u64, end: usize| {
            let hash = join(before, hash);
            let may_be_name = match n_words {
                1 => may_begin.be_name() || is_set_off,
                _ => self.table.may(hash).be_name(),
            };
            if may_be_name {
                self.endings.push(Ending {
                    hash,
                    end,
                    after: word.possessive_end,
                    n_words,
                    is_abbreviation: false,
                });
            }
        };
        end_with(word.hash, word.end);
        if word.possessive_end > word.end {
            end_with(word.possessive_hash, word.possessive_end);
        }
    }

    /// `U.S.`, `Minn.`, `UK`: only as they are written.
    fn abbreviations(&mut self, word: &Word) {
        let bytes = self.text.as_bytes();
        if word.end - word.start > 5 {
            return;
        }
        let dotted = dotted_end(bytes, word.start);
        if dotted <= word.end && word.shape != Shape::Capitals {
            return;
        }
        // `U.S` at the end of a quotation has lost its last dot.
        let mut ends = [word.end, dotted.saturating_sub(1), dotted];
        ends.sort_unstable();
        for end in ends {
            let written = self.text.get(word.start..end).unwrap_or_default();
            if end < word.end || !self.table.may_abbreviate(written) {
                continue;
            }
            self.endings.push(Ending {
                hash: abbreviation_hash(written),
                end,
                after: word.possessive_end.max(end),
                n_words: 1,
                is_abbreviation: true,
            });
        }
    }
}

/// The second round: takes the names that are known.
struct Choice<'s> {
    table: &'s Table,
    surroundings: Surroundings<'s>,
    found: Vec<Candidate>,
    /// End of the longest candidate so far.
    reach: usize,
}

/// A name that is known.
#[derive(Clone, Copy)]
struct Known<'s> {
    ending: &'s Ending,
    name: NameId,
    doubt: Doubt,
}

impl Choice<'_> {
    /// Takes the longest two names that begin with a word.
    fn take(&mut self, first: &Word, endings: &[Ending]) {
        let mut longest: [Option<Known<'_>>; 2] = [None; 2];
        for ending in endings {
            // Shorter ones come first, and an abbreviation before a name.
            let reach = longest[0].map_or(self.reach, |known| known.ending.end);
            if ending.end <= reach {
                continue;
            }
            let Some((name, doubt)) = self.table.get(ending.hash) else {
                continue;
            };
            let bytes = self.surroundings.text.as_bytes();
            if doubt == Doubt::Large && !is_set_off(bytes, ending.end) {
                continue;
            }
            // A small place gives way to a longer name.
            let shorter = longest[0].filter(|shorter| shorter.doubt == Doubt::None);
            longest = [
                Some(Known {
                    ending,
                    name,
                    doubt,
                }),
                shorter,
            ];
        }
        for (idx, known) in longest.into_iter().flatten().enumerate() {
            self.push(first, &known, idx > 0);
            self.reach = self.reach.max(known.ending.end);
        }
    }

    fn push(&mut self, first: &Word, known: &Known<'_>, has_longer: bool) {
        let ending = known.ending;
        let classes = match ending.n_words {
            1 => self.surroundings.lexicon.get(first.hash).classes,
            _ => 0,
        };
        let candidate = Candidate {
            start: first.start,
            end: ending.end,
            name: known.name,
            n_words: ending.n_words,
            shape: first.shape,
            classes,
            is_abbreviation: ending.is_abbreviation,
            is_possessive: ending.after > ending.end,
            has_longer,
            before: self.surroundings.before(first.start),
            after: self.surroundings.after(ending.after),
        };
        if !is_part_of_name(&candidate) {
            self.found.push(candidate);
        }
    }
}

/// Whether a comma or parenthesis follows: a state or country may come next.
fn is_set_off(bytes: &[u8], end: usize) -> bool {
    matches!(bytes.get(end..), Some([b',', ..] | [b' ', b'(', ..]))
}

/// Behind the last dot of `U.S.`, `W.Va.` or `Minn.`; the same position where there are none.
fn dotted_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    let mut at = start;
    while at < start + MAX_DOTTED && bytes.get(at).is_some_and(u8::is_ascii_uppercase) {
        let letters = bytes[at..]
            .iter()
            .take(6)
            .take_while(|byte| byte.is_ascii_alphabetic());
        at += letters.count();
        if bytes.get(at) != Some(&b'.') {
            break;
        }
        at += 1;
        end = at;
    }
    end
}

/// Abbreviations with dots begin within so many bytes.
const MAX_DOTTED: usize = 8;

/// Behind the word that stands here, cheaply: at least one byte further.
fn after_word(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match CLASSES[bytes[at] as usize] {
            0 => break,
            // Latin, Greek and Cyrillic letters; quotation marks and dashes end a word.
            LEAD if !matches!(bytes[at], 0xC3..=0xDF) => break,
            _ => at += 1,
        }
    }
    at
}
