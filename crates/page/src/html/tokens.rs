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
pub(crate) enum Attribute {
    Alt,
    Class,
    Content,
    DataSrc,
    Hidden,
    Href,
    HttpEquiv,
    Id,
    ItemProp,
    ItemRef,
    ItemScope,
    ItemType,
    Lang,
    Name,
    Property,
    Rel,
    Resource,
    Role,
    Src,
    Style,
    Title,
    Type,
    TypeOf,
    Value,
    XmlLang,
}

const N_ATTRIBUTES: usize = Attribute::XmlLang as usize + 1;

impl Attribute {
    fn of(name: &[u8]) -> Option<Attribute> {
        Some(match name {
            b"alt" => Attribute::Alt,
            b"class" => Attribute::Class,
            b"content" => Attribute::Content,
            // Frames that are filled in later keep their target elsewhere.
            b"data-src" | b"data-lazy-src" | b"nitro-lazy-src" | b"lazy-src" => Attribute::DataSrc,
            b"hidden" => Attribute::Hidden,
            b"href" => Attribute::Href,
            b"http-equiv" => Attribute::HttpEquiv,
            b"id" => Attribute::Id,
            b"itemprop" => Attribute::ItemProp,
            b"itemref" => Attribute::ItemRef,
            b"itemscope" => Attribute::ItemScope,
            b"itemtype" => Attribute::ItemType,
            b"lang" => Attribute::Lang,
            b"name" => Attribute::Name,
            b"property" => Attribute::Property,
            b"rel" => Attribute::Rel,
            b"resource" | b"about" => Attribute::Resource,
            b"role" => Attribute::Role,
            b"src" => Attribute::Src,
            b"style" => Attribute::Style,
            b"title" => Attribute::Title,
            b"type" => Attribute::Type,
            b"typeof" => Attribute::TypeOf,
            b"value" => Attribute::Value,
            b"xml:lang" => Attribute::XmlLang,
            _ => return None,
        })
    }
}

/// A set of attribute names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AttributeSet(u32);

impl AttributeSet {
    pub(crate) const fn of(attributes: &[Attribute]) -> AttributeSet {
        let mut bits = 0;
        let mut at = 0;
        while at < attributes.len() {
            bits |= 1 << attributes[at] as u32;
            at += 1;
        }
        AttributeSet(bits)
    }

    /// Both sets in one.
    pub(super) const fn with(self, other: AttributeSet) -> AttributeSet {
        AttributeSet(self.0 | other.0)
    }

    fn has(self, attribute: Attribute) -> bool {
        self.0 & 1 << attribute as u32 != 0
    }
}

/// The wanted attributes of one start tag; of two with one name the first counts.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    present: AttributeSet,
    values: Vec<u8>,
    /// Start and end of each value; old where `present` says no.
    ranges: [(u32, u32); N_ATTRIBUTES],
}

impl Attributes {
    /// The value, empty where the attribute has none.
    pub(crate) fn get(&self, attribute: Attribute) -> Option<&str> {
        let value = self.bytes(attribute)?;
        Some(std::str::from_utf8(value).unwrap_or_default())
    }

    /// As `get`, for a first look that most values do not pass.
    pub(crate) fn bytes(&self, attribute: Attribute) -> Option<&[u8]> {
        if !self.has(attribute) {
            return None;
        }
        let (start, end) = self.ranges[attribute as usize];
        let value = self.values.get(start as usize..end as usize);
        Some(value.unwrap_or_default())
    }

    pub(crate) fn has(&self, attribute: Attribute) -> bool {
        self.present.has(attribute)
    }

    pub(crate) fn has_any(&self, attributes: AttributeSet) -> bool {
        self.present.0 & attributes.0 != 0
    }

    fn begin(&mut self, attribute: Attribute) {
        let start = self.values.len() as u32;
        self.ranges[attribute as usize] = (start, start);
        self.present.0 |= 1 << attribute as u32;
    }

    fn extend(&mut self, attribute: Attribute, piece: &[u8]) {
        self.values.extend_from_slice(piece);
        self.ranges[attribute as usize].1 = self.values.len() as u32;
    }

    fn clear(&mut self) {
        self.values.clear();
        self.present = AttributeSet::default();
    }
}

/// Reads `html` from first to last byte into the document.
pub(super) fn feed(html: &str, document: &mut Document<'_>) {
    let tokens = Tokens {
        document,
        name: Name::default(),
        tag: None,
        wanted: AttributeSet::default(),
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
    /// The name's meaning, once there are attributes.
    tag: Option<Tag>,
    wanted: AttributeSet,
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
            Some(attribute) if self.wanted.has(attribute) && !self.attributes.has(attribute) => {
                self.attributes.begin(attribute);
                Current::Valued(attribute)
            }
            _ => Current::None,
        };
    }

    fn begin_tag(&mut self) {
        self.name.len = 0;
        self.tag = None;
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
        if self.tag.is_none() {
            // The first attribute: the tag's name is complete.
            let tag = Tag::of(self.name.get());
            self.tag = Some(tag);
            self.wanted = if self.is_end {
                AttributeSet::default()
            } else if self.document.wants_ids() {
                tag.attributes()
                    .with(const { AttributeSet::of(&[Attribute::Id]) })
            } else {
                tag.attributes()
            };
        }
        self.attribute_name.len = 0;
        self.current = Current::Named;
    }

    fn push_attribute_name(&mut self, piece: &[u8]) {
        self.attribute_name.push(piece);
    }

    fn push_attribute_value(&mut self, piece: &[u8]) {
        self.end_name();
        if let Current::Valued(attribute) = self.current {
            self.attributes.extend(attribute, piece);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_name();
        let tag = self.tag.unwrap_or_else(|| Tag::of(self.name.get()));
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
