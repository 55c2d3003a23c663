//! A spot in a text that may name a place, and what stands around it.

use super::lexicon::{Classes, Lexicon, NO_WORD};
use super::table::NameId;
use super::words::{Gap, Shape, Word, next_word, previous_word};

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

/// Looks at the words around a candidate.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'s> {
    pub(super) text: &'s str,
    pub(super) lexicon: &'s Lexicon,
}

impl Surroundings<'_> {
    /// The two words before a position, nearest first; behind a mark only one.
    pub(super) fn before(&self, start: usize) -> [Neighbour; 2] {
        let (gap, word) = previous_word(self.text, start);
        let Some(word) = word else {
            return [Neighbour { gap, ..NOBODY }, NOBODY];
        };
        let first = self.neighbour(gap, Some(&word));
        if gap != Gap::Space {
            return [first, NOBODY];
        }
        let (gap, second) = previous_word(self.text, word.start);
        [first, self.neighbour(gap, second.as_ref())]
    }

    /// The two words behind a position, nearest first; behind a mark only one.
    pub(super) fn after(&self, end: usize) -> [Neighbour; 2] {
        let (gap, word) = next_word(self.text, end);
        let Some(word) = word else {
            return [Neighbour { gap, ..NOBODY }, NOBODY];
        };
        let first = self.neighbour(gap, Some(&word));
        if gap != Gap::Space {
            return [first, NOBODY];
        }
        let (gap, second) = next_word(self.text, word.possessive_end);
        [first, self.neighbour(gap, second.as_ref())]
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
