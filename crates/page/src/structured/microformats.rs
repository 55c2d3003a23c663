//! Microformats, old and new: `vcard`, `adr`, `geo`; `h-card`, `h-adr`, `h-geo`.

use super::markup::Said;
use super::values;
use super::words::{self, Class, Word};
use crate::html::tags::Tag;
use crate::html::tokens::{Attribute, Attributes};

/// The item that a class opens: of which kind, and as which property of the
/// item around it.
fn root(class: &[u8]) -> Option<(Option<Class>, Option<Word>)> {
    match class {
        b"adr" | b"h-adr" => Some((Some(Class::Address), Some(Word::Address))),
        b"geo" | b"h-geo" => Some((Some(Class::Point), Some(Word::Point))),
        b"vcard" | b"h-card" => Some((None, None)),
        _ => None,
    }
}

/// Whether a class attribute opens an item. Asked of every element of every
/// page, hence one comparison per byte: what separates words is at most a space.
pub(super) fn has_root(classes: &[u8]) -> bool {
    classes
        .split(|&byte| byte <= b' ')
        .any(|class| (3..=6).contains(&class.len()) && root(class).is_some())
}

/// What a start tag says.
pub(super) fn read(tag: Tag, attributes: &Attributes) -> Said<'_> {
    let classes = attributes.get(Attribute::Class).unwrap_or_default();
    // `vcard adr` is an address.
    let roots = classes
        .split_ascii_whitespace()
        .filter_map(|class| root(class.as_bytes()));
    let item = roots.max_by_key(|(class, _)| class.is_some());
    let word = match item {
        Some((_, word)) => word,
        None => classes.split_ascii_whitespace().find_map(words::class_word),
    };
    // `<a class="u-geo" href="geo:51.5,-0.1">`
    let target = attributes
        .get(Attribute::Href)
        .filter(|target| word == Some(Word::Point) && target.starts_with("geo:"));
    let title = attributes.get(Attribute::Title).filter(|title| match word {
        _ if tag == Tag::Abbr => true,
        Some(Word::Lat | Word::Lon) => values::degrees(title).is_some(),
        Some(Word::Point) => values::point(title).is_some(),
        _ => false,
    });
    Said {
        item: item.map(|(class, _)| class),
        id: None,
        word,
        value: title.or(target).or(attributes.get(Attribute::Value)),
    }
}

/// The identifier of the element that is included here.
pub(super) fn included(attributes: &Attributes) -> Option<&str> {
    let target = attributes.get(Attribute::Href)?.strip_prefix('#')?;
    let classes = attributes.get(Attribute::Class)?;
    let mut classes = classes.split_ascii_whitespace();
    classes.any(|class| class == "include").then_some(target)
}

/// The value that an element inside a property gives to that property.
pub(super) fn value_title(attributes: &Attributes) -> Option<&str> {
    let classes = attributes.get(Attribute::Class)?;
    let is_value = classes
        .split_ascii_whitespace()
        .any(|class| class == "value-title");
    if is_value {
        attributes.get(Attribute::Title)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn roots_are_found_among_any_classes(classes in "((adr|geo|vcard|h-card|h-geo|adrs|é|long-name|x)[ \t\n]{0,3}){0,6}") {
            let slow = classes.split_ascii_whitespace().any(|class| root(class.as_bytes()).is_some());
            prop_assert_eq!(has_root(classes.as_bytes()), slow);
        }
    }
}
