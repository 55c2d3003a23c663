//! RDFa: `typeof`, `property`, and `rel` where it names what a typed item is.
//!
//! Prefixes go by their usual names: nobody binds `schema:` to anything else.

use super::markup::Said;
use super::words::{self, Word};
use crate::html::tokens::{Attribute, Attributes};

/// What a start tag says.
pub(super) fn read(attributes: &Attributes) -> Said<'_> {
    let types = attributes.get(Attribute::TypeOf);
    let word = |attribute| {
        let names = attributes.get(attribute).unwrap_or_default();
        names.split_ascii_whitespace().find_map(words::word)
    };
    let relation = if types.is_some() {
        word(Attribute::Rel)
    } else {
        None
    };
    let word = word(Attribute::Property).or(relation);
    let map = attributes
        .get(Attribute::Href)
        .filter(|_| word == Some(Word::Map));
    // A thing's own name, or the name of a thing that is told elsewhere.
    let resource = attributes.get(Attribute::Resource);
    Said {
        item: types.map(words::class),
        id: resource.filter(|_| types.is_some()),
        word,
        value: attributes
            .get(Attribute::Content)
            .or(attributes.get(Attribute::Value))
            .or(map)
            .or(resource.filter(|_| types.is_none())),
    }
}
