//! Names what the tokenizer reports, and hands it to the document.
//!
//! The tokenizer calls in pieces (half a name, a third of a value). Nothing is
//! copied that the document does not ask for: text goes straight through,
//! comments and the values of unknown attributes nowhere.

use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

use super::document::Document;
use super::tags::Tag;

/// Attribute names that mean something to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Attribute {
    Alt,
    Class,
    Content,
    Hidden,
    Href,
    HttpEquiv,
    Id,
    Lang,
    Name,
    Rel,
    Role,
    Src,
    Style,
    Title,
    XmlLang,
}

const N_ATTRIBUTES: usize = Attribute::XmlLang as usize + 1;

impl Attribute {
    fn of(name: &[u8]) -> Option<Attribute> {
        Some(match name {
            b"alt" => Attribute::Alt,
            b"class" => Attribute::Class,
            b"content" => Attribute::Content,
            b"hidden" => Attribute::Hidden,
            b"href" => Attribute::Href,
            b"http-equiv" => Attribute::HttpEquiv,
            b"id" => Attribute::Id,
            b"lang" => Attribute::Lang,
            b"name" => Attribute::Name,
            b"rel" => Attribute::Rel,
            b"role" => Attribute::Role,
            b"src" => Attribute::Src,
            b"style" => Attribute::Style,
            b"title" => Attribute::Title,
            b"xml:lang" => Attribute::XmlLang,
            _ => return None,
        })
    }
}

/// The attributes of one start tag; of two with one name the first counts.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    values: Vec<u8>,
    ranges: [Option<(usize, usize)>; N_ATTRIBUTES],
}

impl Attributes {
    /// The value, empty where the attribute has none.
    pub(super) fn get(&self, attribute: Attribute) -> Option<&str> {
        let (start, end) = self.ranges[attribute as usize]?;
        Some(std::str::from_utf8(&self.values[start..end]).unwrap_or_default())
    }

    pub(super) fn has(&self, attribute: Attribute) -> bool {
        self.ranges[attribute as usize].is_some()
    }

    fn clear(&mut self) {
        self.values.clear();
        self.ranges = [None; N_ATTRIBUTES];
    }
}

/// Reads `html` from first to last byte into the document.
pub(super) fn feed(html: &str, document: &mut Document<'_>) {
    let tokens = Tokens {
        document,
        name: Name::default(),
        is_end: false,
        is_self_closing: false,
        last_start: Tag::Other,
        attribute_name: Name::default(),
        current: Current::None,
        attributes: Attributes::default(),
    };
    match Tokenizer::new_with_emitter(html, tokens).finish() {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// A name of at most as many bytes as the longest one we know.
#[derive(Debug, Default)]
struct Name {
    bytes: [u8; Name::MAX],
    len: usize,
}

impl Name {
    const MAX: usize = 16;

    fn push(&mut self, piece: &[u8]) {
        let end = self.len + piece.len();
        if let Some(room) = self.bytes.get_mut(self.len..end) {
            room.copy_from_slice(piece);
            self.len = end;
        } else {
            // Too long to be known, and no longer a prefix that is.
            self.len = Name::MAX + 1;
        }
    }

    fn get(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// The attribute that is being read.
#[derive(Debug, Clone, Copy)]
enum Current {
    /// There is none, or it is not wanted.
    None,
    /// Its name is being read.
    Named,
    /// Its value is being read, and wanted.
    Valued(Attribute),
}

#[derive(Debug)]
struct Tokens<'d, 'u> {
    document: &'d mut Document<'u>,
    name: Name,
    is_end: bool,
    is_self_closing: bool,
    last_start: Tag,
    attribute_name: Name,
    current: Current,
    attributes: Attributes,
}

impl Tokens<'_, '_> {
    /// The name is complete: is the attribute wanted?
    fn end_name(&mut self) {
        if !matches!(self.current, Current::Named) {
            return;
        }
        self.current = match Attribute::of(self.attribute_name.get()) {
            Some(attribute) if !self.is_end && !self.attributes.has(attribute) => {
                let start = self.attributes.values.len();
                self.attributes.ranges[attribute as usize] = Some((start, start));
                Current::Valued(attribute)
            }
            _ => Current::None,
        };
    }

    fn begin_tag(&mut self) {
        self.name.len = 0;
        self.is_self_closing = false;
        self.current = Current::None;
        self.attributes.clear();
    }
}

impl Emitter for Tokens<'_, '_> {
    type Token = Infallible;

    fn emit_string(&mut self, piece: &[u8]) {
        self.document.text(piece);
    }

    fn init_start_tag(&mut self) {
        self.begin_tag();
        self.is_end = false;
    }

    fn init_end_tag(&mut self) {
        self.begin_tag();
        self.is_end = true;
    }

    fn push_tag_name(&mut self, piece: &[u8]) {
        self.name.push(piece);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn init_attribute(&mut self) {
        self.end_name();
        self.attribute_name.len = 0;
        self.current = Current::Named;
    }

    fn push_attribute_name(&mut self, piece: &[u8]) {
        self.attribute_name.push(piece);
    }

    fn push_attribute_value(&mut self, piece: &[u8]) {
        self.end_name();
        if let Current::Valued(attribute) = self.current {
            self.attributes.values.extend_from_slice(piece);
            let end = self.attributes.values.len();
            if let Some(range) = &mut self.attributes.ranges[attribute as usize] {
                range.1 = end;
            }
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_name();
        let tag = Tag::of(self.name.get());
        if self.is_end {
            self.document.end(tag);
            return None;
        }
        self.last_start = tag;
        self.document
            .start(tag, &self.attributes, self.is_self_closing)
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && self.last_start != Tag::Other && Tag::of(self.name.get()) == self.last_start
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.document.is_in_graphics()
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_error(&mut self, _: Error) {}
    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn emit_eof(&mut self) {}
    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
