//! Items that live on elements: which are open, and the text of their properties.
//!
//! A property's value is mostly the text of its element, so its end matters.
//! From the first item on, every element is remembered until it ends; as long
//! as no item is open, a start tag costs a look at its attributes.

use super::items::Items;
use super::references::References;
use super::words::{Class, Word};
use super::{Facts, Kind, microdata, microformats, rdfa, values};
use crate::html::tags::{Shape, Tag};
use crate::html::tokens::{Attribute, AttributeSet, Attributes};

/// Elements within elements beyond this depth are not followed.
const MAX_DEPTH: usize = 256;

/// How many open elements an end tag looks at before it is ignored.
const MAX_SEARCH: usize = 64;

/// Properties within properties beyond this many are not read.
const MAX_CAPTURES: usize = 8;

/// How much text of a property is looked at, white space included.
const MAX_TEXT: usize = 4 * values::MAX_VALUE;

/// The longest text that is taken for an address because its element is one.
const MAX_IMPLIED: usize = 200;

/// Any of these may open an item; so may a class.
const OPENERS: AttributeSet =
    AttributeSet::of(&[Attribute::ItemScope, Attribute::ItemType, Attribute::TypeOf]);

/// Without one of these, an element says nothing in microdata.
const MICRODATA: AttributeSet = AttributeSet::of(&[
    Attribute::ItemProp,
    Attribute::ItemScope,
    Attribute::ItemType,
]);

/// Without one of these, an element says nothing in RDFa.
const RDFA: AttributeSet = AttributeSet::of(&[Attribute::Property, Attribute::TypeOf]);

const KINDS: [Kind; 3] = [Kind::Microdata, Kind::Rdfa, Kind::Microformat];

/// Those of the `KINDS` that know of borrowing from other elements.
const BORROWING: [usize; 2] = [0, 2];

/// What one start tag says in one of the three ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said<'a> {
    /// It opens an item, perhaps of a known kind.
    pub(super) item: Option<Option<Class>>,
    /// What others call the item that it opens.
    pub(super) id: Option<&'a str>,
    /// It is this property of the item around it.
    pub(super) word: Option<Word>,
    /// The property's value, unless that is the element's text.
    pub(super) value: Option<&'a str>,
}

/// An open element.
#[derive(Debug)]
struct Level {
    tag: Tag,
    /// Which of the `KINDS` it opened an item of.
    opened: [bool; KINDS.len()],
    /// How many captures end with it.
    n_captures: usize,
    /// Identifiers of the elements that its items borrow from.
    borrows: Option<Box<str>>,
    /// Its identifier, if others borrow from it.
    lends: Option<Box<str>>,
}

/// A property whose text is being read.
#[derive(Debug)]
struct Capture {
    kind_idx: usize,
    word: Word,
    text: Vec<u8>,
    /// The value was given on an element inside; text no longer counts.
    is_final: bool,
    /// Nobody said that the text is a value: it is one where there is no other.
    is_implied: bool,
    /// The item had an address before.
    had_address: bool,
}

/// The items on elements of a page.
#[derive(Debug)]
pub(super) struct Markup {
    levels: Vec<Level>,
    items: [Items; KINDS.len()],
    captures: Vec<Capture>,
    references: References,
}

impl Markup {
    pub(super) fn new(references: References) -> Markup {
        Markup {
            levels: Vec::new(),
            items: KINDS.map(Items::new),
            captures: Vec::new(),
            references,
        }
    }

    /// Text is wanted.
    pub(super) fn is_capturing(&self) -> bool {
        !self.captures.is_empty()
    }

    /// An item is open.
    pub(super) fn is_active(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Whether this start tag may open an item.
    pub(super) fn opens(&self, attributes: &Attributes) -> bool {
        attributes.has_any(OPENERS)
            || attributes
                .bytes(Attribute::Class)
                .is_some_and(microformats::has_root)
            || self.references.wanted(attributes).is_some()
    }

    /// Identifiers of elements matter.
    pub(super) fn wants_ids(&self) -> bool {
        self.references.wants_ids()
    }

    pub(super) fn text(&mut self, piece: &[u8]) {
        for capture in &mut self.captures {
            if !capture.is_final {
                let room = MAX_TEXT.saturating_sub(capture.text.len());
                capture
                    .text
                    .extend_from_slice(&piece[..piece.len().min(room)]);
            }
        }
    }

    /// A start tag, while an item is open or because one opens.
    pub(super) fn start(&mut self, tag: Tag, attributes: &Attributes, facts: &mut Facts) {
        self.close_implied(tag, facts);
        self.separate(tag);
        if self.is_capturing()
            && let Some(value) = microformats::value_title(attributes)
            && let Some(capture) = self.captures.last_mut()
        {
            capture.text.clear();
            capture.text.extend_from_slice(value.as_bytes());
            capture.is_final = true;
        }
        if let Some(ids) = microformats::included(attributes) {
            self.include(ids);
        }
        let has_content = !matches!(tag.shape(), Shape::Void | Shape::Raw);
        if has_content && self.levels.len() == MAX_DEPTH {
            return;
        }
        let mut level = Level {
            tag,
            opened: [false; KINDS.len()],
            n_captures: 0,
            borrows: attributes.get(Attribute::ItemRef).map(Box::from),
            lends: self.references.wanted(attributes).map(Box::from),
        };
        if level.lends.is_some() {
            for kind_idx in BORROWING {
                self.items[kind_idx].open(None, None);
            }
        }
        for (kind_idx, said) in self.said(tag, attributes).into_iter().enumerate() {
            if let Some(said) = said {
                self.take(kind_idx, said, has_content.then_some(&mut level), facts);
            }
        }
        if let Some(ids) = &level.borrows
            && level.opened.contains(&true)
        {
            self.references.note(ids);
        }
        if has_content {
            self.levels.push(level);
        } else if let Some(id) = level.lends {
            self.lend(&id);
        }
    }

    /// Borrows for the innermost microformat, in the midst of it.
    fn include(&mut self, ids: &str) {
        let [.., kind_idx] = BORROWING;
        self.references.note(ids);
        for fact in self.references.said(ids, kind_idx) {
            self.items[kind_idx].borrow(fact);
        }
    }

    /// An element that others borrow from is over.
    fn lend(&mut self, id: &str) {
        for kind_idx in BORROWING {
            if let Some(fact) = self.items[kind_idx].close_fragment() {
                self.references.hear(id, kind_idx, fact);
            }
        }
    }

    /// What a start tag says in each of the `KINDS`.
    fn said<'a>(&self, tag: Tag, attributes: &'a Attributes) -> [Option<Said<'a>>; KINDS.len()] {
        let has_classes = attributes
            .bytes(Attribute::Class)
            .is_some_and(|classes| !self.items[2].is_empty() || microformats::has_root(classes));
        [
            attributes
                .has_any(MICRODATA)
                .then(|| microdata::read(attributes)),
            attributes.has_any(RDFA).then(|| rdfa::read(attributes)),
            has_classes.then(|| microformats::read(tag, attributes)),
        ]
    }

    /// Does what one start tag says. `level` is the element's, if it has content.
    fn take(
        &mut self,
        kind_idx: usize,
        said: Said<'_>,
        level: Option<&mut Level>,
        facts: &mut Facts,
    ) {
        let items = &mut self.items[kind_idx];
        let mut capture = None;
        match (said.item, said.word, said.value) {
            (Some(class), property, value) => {
                let Some(level) = level else {
                    return;
                };
                items.open(property, class);
                if let Some(id) = said.id {
                    items.set(Word::Id, id, facts);
                }
                level.opened[kind_idx] = true;
                let implied = match class {
                    Some(Class::Address) => Some(Word::Address),
                    Some(Class::Point) => Some(Word::Point),
                    _ => None,
                };
                match (implied, value) {
                    (Some(Word::Point), Some(value)) => items.set(Word::Point, value, facts),
                    (Some(word), _) => capture = Some((level, word, true)),
                    (None, _) => {}
                }
            }
            (None, Some(word), Some(value)) => items.set(word, value, facts),
            (None, Some(word), None) => {
                if let Some(level) = level
                    && !items.is_empty()
                {
                    capture = Some((level, word, false));
                }
            }
            (None, None, _) => {}
        }
        if let Some((level, word, is_implied)) = capture
            && self.captures.len() < MAX_CAPTURES
        {
            level.n_captures += 1;
            self.captures.push(Capture {
                kind_idx,
                word,
                text: Vec::new(),
                is_final: false,
                is_implied,
                had_address: items.has_address(),
            });
        }
    }

    /// An end tag, while an item is open.
    pub(super) fn end(&mut self, tag: Tag, facts: &mut Facts) {
        self.separate(tag);
        if let Some(distance) = self.distance(tag) {
            self.close(distance, facts);
        }
    }

    /// The page is over, and so is everything that is still open.
    pub(super) fn finish(mut self, facts: &mut Facts) -> References {
        self.close(self.levels.len(), facts);
        for items in &mut self.items {
            items.finish(facts);
        }
        self.references
    }

    /// Keeps words of different lines apart.
    fn separate(&mut self, tag: Tag) {
        if self.is_capturing() && (tag.shape() == Shape::Block || tag == Tag::Br) {
            self.text(b" ");
        }
    }

    /// Ends what the author left open, as a browser would.
    fn close_implied(&mut self, tag: Tag, facts: &mut Facts) {
        let is_in_paragraph = self.levels.last().is_some_and(|top| top.tag == Tag::P);
        if tag.shape() == Shape::Block && is_in_paragraph {
            self.close(1, facts);
        }
        if let Some((ended, barriers)) = tag.ends() {
            let levels = self.levels.iter().rev().take(MAX_SEARCH);
            let mut levels = levels.take_while(|level| !barriers.contains(&level.tag));
            if let Some(distance) = levels.position(|level| ended.contains(&level.tag)) {
                self.close(distance + 1, facts);
            }
        }
    }

    /// How many elements an end tag closes.
    fn distance(&self, tag: Tag) -> Option<usize> {
        let is_table = matches!(
            tag,
            Tag::Table | Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot
        );
        for (distance, level) in self.levels.iter().rev().take(MAX_SEARCH).enumerate() {
            if level.tag == tag {
                return Some(distance + 1);
            }
            let is_barrier = match level.tag.shape() {
                // What is inside graphics is not on our list.
                Shape::Absent => true,
                Shape::Block if tag.shape() != Shape::Block => true,
                _ => matches!(level.tag, Tag::Td | Tag::Th) && !is_table || level.tag == Tag::Table,
            };
            if is_barrier {
                return None;
            }
        }
        None
    }

    fn close(&mut self, n_levels: usize, facts: &mut Facts) {
        for _ in 0..n_levels {
            let Some(level) = self.levels.pop() else {
                return;
            };
            for _ in 0..level.n_captures {
                self.end_capture(facts);
            }
            let ids = level.borrows.as_deref().unwrap_or_default();
            for (kind_idx, items) in self.items.iter_mut().enumerate() {
                if level.opened[kind_idx] {
                    for fact in self.references.said(ids, kind_idx) {
                        items.borrow(fact);
                    }
                    items.close(facts);
                }
            }
            if let Some(id) = level.lends {
                self.lend(&id);
            }
        }
        // Between items there is nothing to follow.
        if self.items.iter().all(Items::is_empty) {
            self.close_rest();
        }
    }

    /// Forgets the elements that are open around no item.
    fn close_rest(&mut self) {
        self.levels.clear();
        self.captures.clear();
    }

    fn end_capture(&mut self, facts: &mut Facts) {
        let Some(capture) = self.captures.pop() else {
            return;
        };
        let items = &mut self.items[capture.kind_idx];
        let text = String::from_utf8_lossy(&capture.text);
        if capture.word == Word::Address {
            // An address in parts is not one string as well.
            let has_parts = items.has_address() && !capture.had_address;
            let is_likely = text.len() <= MAX_IMPLIED && text.bytes().any(|b| b.is_ascii_digit());
            if has_parts || capture.is_implied && !is_likely {
                return;
            }
        }
        items.set(capture.word, &text, facts);
    }
}
