//! Many patterns, looked up at once.

use super::PatternError;
use super::pattern::{Key, Pattern, Port, Whose};
use crate::robots::pattern::matches;
use page::url::CanonicalUrl;
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

/// Patterns of addresses, each known by its position.
#[derive(Debug, Clone, Default)]
pub(super) struct Patterns {
    /// As they were written.
    texts: Vec<Box<str>>,
    /// Beginnings of keys.
    keys: Beginnings,
    /// Beginnings of keys with their port, where ports were written.
    ported: Beginnings,
    /// Beginnings of paths, on any host.
    paths: Beginnings,
    /// Beginnings of the hosts of all of these and the following.
    hosts: Beginnings,
    /// Whether some pattern is of any host.
    is_of_any_host: bool,
    /// Wildcards on paths of one host.
    on_host: HashMap<Box<str>, Vec<Wild>>,
    /// Wildcards on paths of other hosts, tried one by one.
    wild: Vec<Wild>,
}

#[derive(Debug, Clone)]
struct Wild {
    whose: Whose,
    path: String,
    pattern_idx: usize,
}

impl Patterns {
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub(super) fn add(&mut self, text: &str) -> Result<(), PatternError> {
        let pattern_idx = self.texts.len();
        match Pattern::read(text)? {
            Pattern::Beginning(beginning, port) => {
                self.hosts.add(host_of(&beginning), pattern_idx);
                match port {
                    Port::Any => self.keys.add(beginning, pattern_idx),
                    Port::Written => self.ported.add(beginning, pattern_idx),
                }
            }
            Pattern::Path(path) => {
                self.is_of_any_host = true;
                self.paths.add(path, pattern_idx);
            }
            Pattern::Wild(whose, path) => self.add_wild(whose, path, pattern_idx),
        }
        self.texts.push(text.trim().into());
        Ok(())
    }

    fn add_wild(&mut self, whose: Whose, path: String, pattern_idx: usize) {
        self.is_of_any_host |= whose == Whose::Anybodys;
        let wild = Wild {
            path,
            pattern_idx,
            whose,
        };
        match &wild.whose {
            Whose::Host(host, _) => self.on_host.entry(host.clone()).or_default().push(wild),
            Whose::Anybodys | Whose::Domain(_) | Whose::Like(_) => self.wild.push(wild),
        }
    }

    /// The pattern that an address is of, as it was written.
    pub(super) fn find(&self, url: &CanonicalUrl, key: &Key) -> Option<&str> {
        let ported = || match self.ported.is_empty() {
            true => None,
            false => self.ported.find(&key.text_with_port(url.port())),
        };
        let found = self.keys.find(key.text());
        let found = found.or_else(|| self.paths.find(key.path()));
        let found = found.or_else(ported).or_else(|| {
            let mut wild = self.wild_on(url).filter(|wild| wild.whose.is_of(url));
            let wild = wild.find(|wild| matches(&wild.path, key.path()))?;
            Some(wild.pattern_idx)
        });
        found.map(|pattern_idx| &*self.texts[pattern_idx])
    }

    /// Whether there may be such addresses on the host of this one.
    pub(super) fn may_be_on(&self, url: &CanonicalUrl, key: &Key) -> bool {
        self.is_of_any_host
            || self.hosts.find(key.host()).is_some()
            || self.wild_on(url).any(|wild| wild.whose.is_of(url))
    }

    fn wild_on(&self, url: &CanonicalUrl) -> impl Iterator<Item = &Wild> {
        let on_host = self.on_host.get(url.host()).into_iter().flatten();
        on_host.chain(&self.wild)
    }
}

impl Whose {
    fn is_of(&self, url: &CanonicalUrl) -> bool {
        let host = url.host();
        match self {
            Whose::Anybodys => true,
            Whose::Host(name, port) => {
                **name == *host && port.is_none_or(|port| port == url.port())
            }
            Whose::Domain(domain) => host
                .strip_suffix(&**domain)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.')),
            Whose::Like(like) => matches(like, host),
        }
    }
}

/// The part of a key's beginning that is about its host, without a port.
fn host_of(beginning: &str) -> String {
    match beginning.split_once(')') {
        Some((host, _)) => host.split(':').next().unwrap_or(host).to_owned() + ")",
        None => beginning.to_owned(),
    }
}

/// Beginnings of texts, none of which begins with another: the one that sorts
/// just before a text is then the only one that it can begin with.
#[derive(Debug, Clone, Default)]
struct Beginnings(BTreeMap<Box<str>, usize>);

impl Beginnings {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, beginning: String, pattern_idx: usize) {
        if self.find(&beginning).is_some() {
            return;
        }
        let from = (Bound::Included(&*beginning), Bound::Unbounded);
        let longer = self.0.range::<str, _>(from).map(|(known, _)| known);
        let longer = longer.take_while(|known| known.starts_with(&beginning));
        let longer: Vec<Box<str>> = longer.cloned().collect();
        for known in longer {
            self.0.remove(&known);
        }
        self.0.insert(beginning.into(), pattern_idx);
    }

    fn find(&self, text: &str) -> Option<usize> {
        let to = (Bound::Unbounded, Bound::Included(text));
        let (beginning, pattern_idx) = self.0.range::<str, _>(to).next_back()?;
        text.starts_with(&**beginning).then_some(*pattern_idx)
    }
}
