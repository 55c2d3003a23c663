//! Items with properties, and how they become facts.
//!
//! An item is opened, given properties, and closed. Its type may become known
//! at any time before that, as in JSON. When it closes, it is either part of
//! the item around it (an address of a shop, its coordinates) or a fact.

use super::words::{Class, Word};
use super::{Fact, Facts, Kind, maps, values};

#[derive(Debug)]
struct Item {
    /// As which property of the item around it this one was opened.
    property: Option<Word>,
    class: Option<Class>,
    name: Option<String>,
    extended: Option<String>,
    fact: Fact,
}

/// The open items of one kind, the innermost last.
#[derive(Debug)]
pub(super) struct Items {
    kind: Kind,
    open: Vec<Item>,
}

impl Items {
    pub(super) fn new(kind: Kind) -> Items {
        Items {
            kind,
            open: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The innermost item has an address, or a part of one.
    pub(super) fn has_address(&self) -> bool {
        self.open.last().is_some_and(|item| item.fact.has_address())
    }

    /// Opens an item; the caller sees to it that there are not too many.
    pub(super) fn open(&mut self, property: Option<Word>, class: Option<Class>) {
        self.open.push(Item {
            property,
            class,
            name: None,
            extended: None,
            fact: Fact::new(self.kind),
        });
    }

    pub(super) fn set_class(&mut self, class: Class) {
        if let Some(item) = self.open.last_mut() {
            item.class.get_or_insert(class);
        }
    }

    /// Gives the innermost item a property. What is said twice counts once,
    /// except that a second whole address is a fact of its own.
    pub(super) fn set(&mut self, word: Word, value: &str, facts: &mut Facts) {
        let Some(item) = self.open.last_mut() else {
            return;
        };
        let set = |part: &mut Option<String>| {
            if part.is_none() {
                *part = values::text(value);
            }
        };
        match word {
            Word::Extended => set(&mut item.extended),
            Word::Name => set(&mut item.name),
            Word::Lat => item.fact.lat = item.fact.lat.or(values::degrees(value)),
            Word::Lon => item.fact.lon = item.fact.lon.or(values::degrees(value)),
            Word::Point => {
                if let Some(point) = values::point(value)
                    && !item.fact.has_point()
                {
                    item.fact.set_point(point);
                }
            }
            Word::Map => {
                if let Some(map) = maps::read(value)
                    && let (Some(lat), Some(lon)) = (map.lat, map.lon)
                    && !item.fact.has_point()
                {
                    item.fact.set_point((lat, lon));
                }
            }
            // A reference to an address that is told elsewhere.
            Word::Address if value.trim_start().starts_with("http") => {}
            Word::Address if item.fact.has_address() => facts.push(Fact {
                street: values::text(value),
                ..Fact::new(self.kind)
            }),
            Word::Address => set(&mut item.fact.street),
            Word::Street | Word::City | Word::State | Word::Zip | Word::Country => {
                if let Some(part) = part(&mut item.fact, word) {
                    set(part);
                }
            }
            Word::Location | Word::Type | Word::Graph => {}
        }
    }

    pub(super) fn close(&mut self, facts: &mut Facts) {
        let Some(mut item) = self.open.pop() else {
            return;
        };
        if let (Some(Class::Area(word)), Some(name)) = (item.class, &item.name)
            && !item.fact.has_address()
            && let Some(part) = part(&mut item.fact, word)
        {
            *part = Some(name.clone());
        }
        if item.fact.street.is_none() {
            item.fact.street = item.extended.take();
        }
        match self.open.last_mut() {
            Some(around) => fold(around, item, facts),
            None => facts.push(item.fact),
        }
    }
}

/// Makes an item part of the one around it, as far as there is room for it;
/// the rest is a fact.
fn fold(around: &mut Item, item: Item, facts: &mut Facts) {
    let mut fact = item.fact;
    let outer = &mut around.fact;
    let is_part = match (item.property, item.class) {
        // `"addressCountry": {"@type": "Country", "name": "US"}`
        (Some(word), _) if let Some(part) = part(outer, word) => {
            let name = item.name.or(fact.country).or(fact.state).or(fact.city);
            *part = part.take().or(name);
            return;
        }
        (Some(Word::Location), _) => !outer.has_address() && !outer.has_point(),
        (Some(Word::Address | Word::Point), _) | (None, Some(Class::Address | Class::Point)) => {
            true
        }
        _ => false,
    };
    if is_part {
        if !outer.has_point() && fact.has_point() {
            (outer.lat, outer.lon) = (fact.lat.take(), fact.lon.take());
        }
        if !outer.has_address() && fact.has_address() {
            outer.street = fact.street.take();
            outer.city = fact.city.take();
            outer.state = fact.state.take();
            outer.zip = fact.zip.take();
            outer.country = fact.country.take();
        }
    }
    facts.push(fact);
}

fn part(fact: &mut Fact, word: Word) -> Option<&mut Option<String>> {
    match word {
        Word::Street => Some(&mut fact.street),
        Word::City => Some(&mut fact.city),
        Word::State => Some(&mut fact.state),
        Word::Zip => Some(&mut fact.zip),
        Word::Country => Some(&mut fact.country),
        _ => None,
    }
}
