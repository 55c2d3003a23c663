//! Microdata: `itemscope`, `itemtype`, `itemprop`.

use super::markup::Said;
use super::words;
use crate::html::tokens::{Attribute, Attributes};

/// What a start tag says. A type without `itemscope` was meant to have one.
pub(super) fn read(attributes: &Attributes) -> Said<'_> {
    let types = attributes.get(Attribute::ItemType);
    let is_item = types.is_some() || attributes.has(Attribute::ItemScope);
    let properties = attributes.get(Attribute::ItemProp).unwrap_or_default();
    Said {
        item: is_item.then(|| types.and_then(words::class)),
        word: properties.split_ascii_whitespace().find_map(words::word),
        value: attributes.get(Attribute::Content),
    }
}
