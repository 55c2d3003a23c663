//! Microdata: `itemscope`, `itemtype`, `itemprop`.

use super::markup::Said;
use super::words::{self, Word};
use crate::html::tokens::{Attribute, Attributes};

/// What a start tag says. A type without `itemscope` was meant to have one.
pub(super) fn read(attributes: &Attributes) -> Said<'_> {
    let types = attributes.get(Attribute::ItemType);
    let is_item = types.is_some() || attributes.has(Attribute::ItemScope);
    let properties = attributes.get(Attribute::ItemProp).unwrap_or_default();
    let word = properties.split_ascii_whitespace().find_map(words::word);
    let map = attributes
        .get(Attribute::Href)
        .filter(|_| word == Some(Word::Map));
    Said {
        item: is_item.then(|| types.and_then(words::class)),
        id: None,
        word,
        value: attributes
            .get(Attribute::Content)
            .or(attributes.get(Attribute::Value))
            .or(map),
    }
}
