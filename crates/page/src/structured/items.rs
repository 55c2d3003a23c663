//! Items with properties, and how they become facts.
//!
//! An item is opened, given properties, and closed. Its type may become known
//! at any time before that, as in JSON. When it closes, it is either part of
//! the item around it (an address of a shop, its coordinates) or a fact.
//!
//! What an item only names (`"address": {"@id": "#office"}`) is looked up when
//! the page is over (`graph.rs`); what it borrows from another element
//! (`itemref`) is given to it when it closes (`references.rs`).

use super::graph::Graph;
use super::words::{Class, Word};
use super::{Fact, Facts, Kind, maps, values};

/// How many other things an item may name as its address or place.
const MAX_NAMED: usize = 8;

#[derive(Debug)]
struct Item {
    /// As which property of the item around it this one was opened.
    property: Option<Word>,
    class: Option<Class>,
    name: Option<String>,
    extended: Option<String>,
    fact: Fact,
    /// What others call this item.
    id: Option<String>,
    /// What it calls the things that its address or place is.
    named: Vec<String>,
}

/// The open items of one kind, the innermost last.
#[derive(Debug)]
pub(super) struct Items {
    kind: Kind,
    open: Vec<Item>,
    graph: Graph,
}

impl Items {
    pub(super) fn new(kind: Kind) -> Items {
        Items {
            kind,
            open: Vec::new(),
            graph: Graph::default(),
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
            id: None,
            named: Vec::new(),
        });
    }

    /// Gives the innermost item what it lacks of what another element says.
    pub(super) fn borrow(&mut self, said: &Fact) {
        if let Some(item) = self.open.last_mut() {
            item.fact.complete(said);
        }
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
            Word::Point | Word::Map | Word::Shape if item.fact.has_point() => {}
            Word::Point | Word::Map | Word::Shape => {
                let point = match word {
                    Word::Shape => values::middle(value),
                    _ => values::point(value).or_else(|| maps::read(value)?.point()),
                };
                if let Some(point) = point {
                    item.fact.set_point(point);
                } else if word == Word::Point {
                    item.refer(value);
                }
            }
            Word::Id => set(&mut item.id),
            // A reference to an address that is told elsewhere.
            Word::Address if is_reference(value) => item.refer(value),
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
            Word::Location => item.refer(value),
            Word::Type | Word::Graph => {}
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
        if let Some(id) = &item.id {
            self.graph.describe(id, &item.fact, &item.named);
        }
        let (fact, named) = match self.open.last_mut() {
            Some(around) => {
                let Some(rest) = fold(around, item) else {
                    return;
                };
                rest
            }
            None => (item.fact, item.named),
        };
        if named.is_empty() {
            facts.push(fact);
        } else {
            self.graph.defer(fact, named);
        }
    }

    /// Closes an item and says what it holds: for those that are fragments of another.
    pub(super) fn close_fragment(&mut self) -> Option<Fact> {
        self.open.pop().map(|item| item.fact)
    }

    /// The page is over: what is only named has been described by now, if ever.
    pub(super) fn finish(&mut self, facts: &mut Facts) {
        while !self.is_empty() {
            self.close(facts);
        }
        std::mem::take(&mut self.graph).finish(facts);
    }
}

impl Item {
    /// Notes that its address or place is the thing of that name.
    fn refer(&mut self, id: &str) {
        let id = id.trim();
        if is_reference(id) && self.named.len() < MAX_NAMED {
            self.named.push(id.to_owned());
        }
    }
}

/// A URL, a fragment, or a node without a name of its own.
fn is_reference(value: &str) -> bool {
    let value = value.trim_start();
    let is_url = value.starts_with("http://") || value.starts_with("https://");
    is_url || value.starts_with(['#', '/']) || value.starts_with("_:")
}

/// Makes an item part of the one around it, as far as there is room for it;
/// answers the rest, with what is named in it.
fn fold(around: &mut Item, item: Item) -> Option<(Fact, Vec<String>)> {
    let mut fact = item.fact;
    let outer = &mut around.fact;
    let is_part = match (item.property, item.class) {
        // `"addressCountry": {"@type": "Country", "name": "US"}`
        (Some(word), _) if let Some(part) = part(outer, word) => {
            let name = item.name.or(fact.country).or(fact.state).or(fact.city);
            *part = part.take().or(name);
            return None;
        }
        (Some(Word::Location), _) => !outer.has_address() && !outer.has_point(),
        (Some(Word::Address | Word::Point), _) | (None, Some(Class::Address | Class::Point)) => {
            true
        }
        _ => false,
    };
    let is_empty = !fact.has_address() && !fact.has_point() && item.named.is_empty();
    if let Some(id) = item.id
        && is_empty
        && is_part
    {
        around.refer(&id);
        return None;
    }
    if is_part {
        for id in &item.named {
            around.refer(id);
        }
        let outer = &mut around.fact;
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
        return Some((fact, Vec::new()));
    }
    Some((fact, item.named))
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
