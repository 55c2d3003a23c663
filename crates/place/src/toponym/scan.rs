//! Finds where a text may name a place, and what stands around each spot.

use super::around::is_part_of_name;
use super::lexicon::{Classes, Lexicon, NO_WORD};
use super::table::{Doubt, May, NameId, Table, abbreviation_hash};
use super::words::{
    CLASSES, Gap, LEAD, Shape, UPPER, Word, join, next_word, previous_word, word_at,
};

/// Names have at most so many words.
const MAX_WORDS: usize = 7;

/// `upon`, `auf`: longer words inside a name have a capital.
const MAX_PARTICLE: usize = 4;

/// Some words that are a name in the gazetteer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) name: NameId,
    pub(super) n_words: u8,
    pub(super) shape: Shape,
    /// Classes of its only word; none where there are several.
    pub(super) classes: Classes,
    pub(super) is_abbreviation: bool,
    pub(super) is_possessive: bool,
    /// A longer name begins with the same word.
    pub(super) has_longer: bool,
    pub(super) before: [Neighbour; 2],
    pub(super) after: [Neighbour; 2],
}

/// Where a name may end.
#[derive(Debug, Clone, Copy)]
struct Ending {
    end: usize,
    name: NameId,
    n_words: u8,
    is_possessive: bool,
    doubt: Doubt,
}

/// A word beside a candidate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) gap: Gap,
    /// `None` where there is no word.
    pub(super) shape: Option<Shape>,
    pub(super) classes: Classes,
    pub(super) word_idx: u16,
    pub(super) hash: u64,
    /// One letter: `J.`
    pub(super) is_letter: bool,
}

const NOBODY: Neighbour = Neighbour {
    gap: Gap::Other,
    shape: None,
    classes: 0,
    word_idx: NO_WORD,
    hash: 0,
    is_letter: false,
};

impl Neighbour {
    /// Whether it stands beside the name with nothing but a space between.
    pub(super) fn is_beside(&self) -> bool {
        self.gap == Gap::Space && self.shape.is_some()
    }

    pub(super) fn is_large(&self) -> bool {
        matches!(self.shape, Some(Shape::Capital | Shape::Capitals))
    }
}

/// Goes through a text once.
pub(super) struct Scan<'s> {
    text: &'s str,
    table: &'s Table,
    lexicon: &'s Lexicon,
    found: Vec<Candidate>,
    /// End of the longest candidate so far.
    reach: usize,
}

impl<'s> Scan<'s> {
    /// All candidates in order, longer ones first.
    pub(super) fn candidates(
        text: &'s str,
        table: &'s Table,
        lexicon: &'s Lexicon,
    ) -> Vec<Candidate> {
        let mut scan = Scan {
            text,
            table,
            lexicon,
            found: Vec::new(),
            reach: 0,
        };
        scan.run();
        scan.found
    }

    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match CLASSES[byte as usize] {
                0 => at += 1,
                UPPER => at = self.read_word(at),
                LEAD => at = self.read_other(at),
                _ => at = after_word(bytes, at),
            }
        }
    }

    /// Looks for names from this capital on; where to go on.
    fn read_word(&mut self, start: usize) -> usize {
        let word = word_at(self.text, start);
        self.abbreviation(&word);
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

    /// Names that begin with this word: the longest two.
    fn names_from(&mut self, first: &Word, may_begin: May) {
        let mut ends: [Option<Ending>; 2] = [None; 2];
        let mut hash = 0;
        let mut word = *first;
        for n_words in 1..=MAX_WORDS {
            let plain = join(hash, word.hash);
            let mut keep = |end: usize, name: Option<(NameId, Doubt)>, is_possessive: bool| {
                if let Some((name, doubt)) = name
                    && (doubt != Doubt::Large || is_set_off(self.text.as_bytes(), end))
                {
                    // A small place gives way to a longer name.
                    let shorter = ends[0].filter(|shorter| shorter.doubt == Doubt::None);
                    let n_words = u8::try_from(n_words).expect("a few words");
                    let ending = Ending {
                        end,
                        name,
                        n_words,
                        is_possessive,
                        doubt,
                    };
                    ends = [Some(ending), shorter];
                }
            };
            let is_possessive = word.possessive_end > word.end;
            let may_end = word.shape != Shape::Small;
            if !may_end && word.end - word.start > MAX_PARTICLE {
                break;
            }
            let may_be_name = |hash: u64| match n_words {
                1 => may_begin.be_name() || is_set_off(self.text.as_bytes(), word.end),
                _ => self.table.may(hash).be_name(),
            };
            if may_end && may_be_name(plain) {
                keep(word.end, self.table.get(plain), is_possessive);
            }
            if may_end && is_possessive {
                let with_s = join(hash, word.possessive_hash);
                if may_be_name(with_s) {
                    keep(word.possessive_end, self.table.get(with_s), false);
                }
            }
            if n_words == MAX_WORDS || n_words == 1 && !may_begin.begin() {
                break;
            }
            let (gap, next) = next_word(self.text, word.possessive_end);
            let shortened = gap == Gap::Stop && word.end - word.start <= 3;
            let Some(next) = next.filter(|next| {
                (matches!(gap, Gap::Space | Gap::Hyphen) || shortened)
                    && (self.table.may_follow(next.hash)
                        || self.table.may_follow(next.possessive_hash))
            }) else {
                break;
            };
            // `St. Paul`: inside a name a shortened word is written out.
            hash = join(hash, self.table.written_out(word.possessive_hash));
            if !self.table.may(hash).begin() {
                break;
            }
            word = next;
        }
        for (idx, ending) in ends.into_iter().flatten().enumerate() {
            if ending.end > self.reach {
                self.push(first, &ending, idx > 0);
            }
        }
        if let Some(longest) = ends[0] {
            self.reach = self.reach.max(longest.end);
        }
    }

    /// `U.S.`, `Minn.`, `UK`: only as they are written.
    fn abbreviation(&mut self, word: &Word) {
        let bytes = self.text.as_bytes();
        if word.end - word.start > 5 || word.start < self.reach {
            return;
        }
        let dotted = dotted_end(bytes, word.start);
        if dotted <= word.end && word.shape != Shape::Capitals {
            return;
        }
        // `U.S` at the end of a quotation has lost its last dot.
        for end in [dotted, dotted.saturating_sub(1), word.end] {
            if end < word.end {
                continue;
            }
            let Some(written) = self.text.get(word.start..end) else {
                continue;
            };
            if let Some((name, _)) = self.table.get(abbreviation_hash(written)) {
                let n_before = self.found.len();
                let ending = Ending {
                    end,
                    name,
                    n_words: 1,
                    is_possessive: word.possessive_end > word.end,
                    doubt: Doubt::None,
                };
                self.push(word, &ending, false);
                for pushed in &mut self.found[n_before..] {
                    pushed.is_abbreviation = true;
                }
                self.reach = self.reach.max(end);
                return;
            }
        }
    }

    fn push(&mut self, first: &Word, ending: &Ending, has_longer: bool) {
        let &Ending {
            end,
            name,
            n_words,
            is_possessive,
            ..
        } = ending;
        let classes = match n_words {
            1 => self.lexicon.get(first.hash).classes,
            _ => 0,
        };
        let start = first.start;
        let before = self.before(start);
        let after = self.after(if is_possessive {
            first.possessive_end.max(end)
        } else {
            end
        });
        let candidate = Candidate {
            start,
            end,
            name,
            n_words,
            shape: first.shape,
            classes,
            is_abbreviation: false,
            is_possessive,
            has_longer,
            before,
            after,
        };
        if !is_part_of_name(&candidate) {
            self.found.push(candidate);
        }
    }

    fn before(&self, start: usize) -> [Neighbour; 2] {
        let (gap, word) = previous_word(self.text, start);
        let Some(word) = word else {
            return [Neighbour { gap, ..NOBODY }, NOBODY];
        };
        let (second_gap, second) = previous_word(self.text, word.start);
        [
            self.neighbour(gap, Some(&word)),
            self.neighbour(second_gap, second.as_ref()),
        ]
    }

    fn after(&self, end: usize) -> [Neighbour; 2] {
        let (gap, word) = next_word(self.text, end);
        let Some(word) = word else {
            return [Neighbour { gap, ..NOBODY }, NOBODY];
        };
        let (second_gap, second) = next_word(self.text, word.possessive_end);
        [
            self.neighbour(gap, Some(&word)),
            self.neighbour(second_gap, second.as_ref()),
        ]
    }

    fn neighbour(&self, gap: Gap, word: Option<&Word>) -> Neighbour {
        let Some(word) = word else {
            return Neighbour { gap, ..NOBODY };
        };
        let entry = self.lexicon.get(word.hash);
        Neighbour {
            gap,
            shape: Some(word.shape),
            classes: entry.classes,
            word_idx: entry.word_idx,
            hash: word.hash,
            is_letter: word.end - word.start == 1 && word.shape != Shape::Number,
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
