//! The pages that link to a URL, and what became of those links.

use super::Crawl;
use crate::text::count;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use store::visit::{Outcome, Refusal, Visit};

/// Pages named one by one.
const MOST: usize = 20;

/// Links to one URL.
#[derive(Debug, Default)]
pub(super) struct Links {
    first: Vec<Linker>,
    /// What became of the link of each page, by the hash of its address: a
    /// page that was visited again is one page.
    fates: HashMap<u64, Fate>,
}

/// The node that was given a link, or why nobody was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Given(u16),
    Refused(Refusal),
}

/// A page with a link.
#[derive(Debug)]
struct Linker {
    url: String,
    node: u16,
    refused: Option<Refusal>,
    is_cold: bool,
    is_redirect: bool,
}

impl Links {
    /// Looks for links with this short fingerprint; a page counts once.
    pub(super) fn add(&mut self, visit: &Visit, url: u64) {
        let mut links = visit.links.iter().filter(|link| link.url == url);
        let Some(link) = links.next() else {
            return;
        };
        // A page may link twice, and only one of the links say `nofollow`.
        let link = links.fold(link, |best, other| match best.refused {
            Some(_) => other,
            None => best,
        });
        let fate = link.refused.map_or(Fate::Given(link.node), Fate::Refused);
        let known = self.fates.insert(hash(&visit.url), fate);
        // What was given once stays given.
        if let Some(known @ Fate::Given(_)) = known {
            self.fates.insert(hash(&visit.url), known);
            return;
        }
        let linker = Linker {
            url: visit.url.clone(),
            node: link.node,
            refused: link.refused,
            is_cold: link.is_cold,
            is_redirect: matches!(visit.outcome, Outcome::Redirected(_)),
        };
        let told = self.first.iter().position(|told| told.url == linker.url);
        match told {
            Some(nth) => self.first[nth] = linker,
            None if known.is_none() && self.first.len() < MOST => self.first.push(linker),
            None => {}
        }
    }

    fn n_pages(&self) -> u64 {
        self.fates.len() as u64
    }

    fn by_node(&self) -> BTreeMap<u16, u64> {
        self.counts(|fate| match fate {
            Fate::Given(node) => Some(node),
            Fate::Refused(_) => None,
        })
    }

    fn by_refusal(&self) -> BTreeMap<Refusal, u64> {
        self.counts(|fate| match fate {
            Fate::Given(_) => None,
            Fate::Refused(refusal) => Some(refusal),
        })
    }

    fn counts<K: Ord>(&self, key: impl Fn(Fate) -> Option<K>) -> BTreeMap<K, u64> {
        let mut counts = BTreeMap::new();
        for key in self.fates.values().filter_map(|fate| key(*fate)) {
            *counts.entry(key).or_default() += 1;
        }
        counts
    }

    /// The first node that was given a link.
    pub(super) fn taker(&self) -> Option<u16> {
        let given = self.first.iter().find(|linker| linker.refused.is_none());
        let given = given.map(|linker| linker.node);
        given.or_else(|| self.by_node().keys().next().copied())
    }

    /// Whether it was beyond the budget of its domain when it was found.
    pub(super) fn is_cold(&self) -> bool {
        let given = self.first.iter().find(|linker| linker.refused.is_none());
        given.is_some_and(|linker| linker.is_cold)
    }

    /// The most frequent reason not to follow a link.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let refusals = self.by_refusal().into_iter();
        let most = refusals.max_by_key(|(_, count)| *count);
        most.map(|(refusal, _)| refusal)
    }

    pub(super) fn text(&self, crawl: &Crawl<'_>) -> String {
        if self.fates.is_empty() {
            return "no page on record links to it\n".into();
        }
        let given = self.by_node().into_iter();
        let given = given.map(|(node, n)| format!("{n} given to {}", crawl.node(node)));
        let refused = self.by_refusal().into_iter();
        let refused = refused.map(|(refusal, n)| format!("{n} not followed: {}", refusal.name()));
        let fates: Vec<String> = given.chain(refused).collect();
        let pages = count(self.n_pages(), "page");
        let mut text = format!("linked from {pages}; {}\n", fates.join("; "));
        for linker in &self.first {
            let _ = writeln!(text, "  {}{}", linker.url, linker.remark(crawl));
        }
        if let Some(n_more @ 1..) = self.n_pages().checked_sub(self.first.len() as u64) {
            let _ = writeln!(text, "  and {} more", count(n_more, "page"));
        }
        text
    }

    pub(super) fn json(&self, crawl: &Crawl<'_>) -> Value {
        let pages = self.first.iter().map(|linker| {
            json!({
                "url": linker.url,
                "node": linker.refused.is_none().then(|| crawl.node(linker.node)),
                "refused": linker.refused.map(Refusal::name),
                "over_budget": linker.is_cold,
                "redirect": linker.is_redirect,
            })
        });
        let nodes = self.by_node().into_iter();
        let nodes = nodes.map(|(node, n)| (crawl.node(node), n));
        let refusals = self.by_refusal().into_iter();
        let refusals = refusals.map(|(refusal, n)| (refusal.name(), n));
        json!({
            "pages": self.n_pages(),
            "given_to": nodes.collect::<BTreeMap<_, _>>(),
            "refused": refusals.collect::<BTreeMap<_, _>>(),
            "first": pages.collect::<Vec<_>>(),
        })
    }
}

fn hash(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    hasher.finish()
}

impl Linker {
    fn remark(&self, crawl: &Crawl<'_>) -> String {
        let how = if self.is_redirect {
            " redirects here,"
        } else {
            ""
        };
        match self.refused {
            Some(refusal) => format!("{how} not followed: {}", refusal.name()),
            None if self.is_cold => {
                format!("{how} given to {}, over budget", crawl.node(self.node))
            }
            None => format!("{how} given to {}", crawl.node(self.node)),
        }
    }
}
