//! Things that are described in one place and named in another.
//!
//! In JSON-LD a shop may say no more of its address than `{"@id": "#office"}`,
//! and the office stands elsewhere in the graph, before or after, perhaps in
//! another script. Facts that name something wait here for the page's end.

use super::{Fact, Facts, MAX_FACTS};
use std::collections::HashMap;

/// Things beyond this many are not remembered.
const MAX_THINGS: usize = 1_000;

/// An event names its place, that its address: nobody goes much further.
const MAX_STEPS: usize = 4;

/// What a page describes by name, and what waits for a description.
#[derive(Debug, Default)]
pub(super) struct Graph {
    things: HashMap<String, (Fact, Vec<String>)>,
    waiting: Vec<(Fact, Vec<String>)>,
}

impl Graph {
    /// Remembers what a thing is, and what that names in turn.
    pub(super) fn describe(&mut self, id: &str, fact: &Fact, named: &[String]) {
        let says_something = fact.has_address() || fact.has_point() || !named.is_empty();
        if says_something && self.things.len() < MAX_THINGS {
            let thing = || (fact.clone(), named.to_vec());
            self.things.entry(id.to_owned()).or_insert_with(thing);
        }
    }

    /// Keeps a fact until what it names is known.
    pub(super) fn defer(&mut self, fact: Fact, named: Vec<String>) {
        if self.waiting.len() < MAX_FACTS {
            self.waiting.push((fact, named));
        }
    }

    pub(super) fn finish(self, facts: &mut Facts) {
        for (mut fact, mut named) in self.waiting {
            for _ in 0..MAX_STEPS {
                let known = named.iter().filter_map(|id| self.things.get(id));
                let next = known.fold(Vec::new(), |mut next, (thing, named)| {
                    fact.complete(thing);
                    next.extend_from_slice(named);
                    next
                });
                named = next;
                named.truncate(MAX_STEPS * 2);
            }
            facts.push(fact);
        }
    }
}
