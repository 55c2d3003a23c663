//! Which URL leads to which, by redirects.

use page::url::CanonicalUrl;
use std::collections::HashMap;

/// Redirects remembered, some ten megabytes of them; chains through later ones
/// are told from their last step on.
const MOST: usize = 100_000;

/// No chain is followed further: it may be a circle.
const LONGEST: usize = 10;

/// Where redirects come from, by where they lead.
#[derive(Debug, Default)]
pub(super) struct Redirects {
    sources: HashMap<u64, Box<str>>,
}

impl Redirects {
    pub(super) fn add(&mut self, from: &str, to: &str) {
        if self.sources.len() < MOST {
            self.sources.entry(short(to)).or_insert_with(|| from.into());
        }
    }

    /// The URLs that led to this one, the first first.
    pub(super) fn to(&self, url: &str) -> Vec<String> {
        let mut chain: Vec<String> = Vec::new();
        let mut last = url;
        while let Some(source) = self.sources.get(&short(last)) {
            let is_circle = &**source == url || chain.iter().any(|url| **url == **source);
            if is_circle || chain.len() == LONGEST {
                break;
            }
            chain.push(source.to_string());
            last = source;
        }
        chain.reverse();
        chain
    }
}

/// Short fingerprint of a URL that may not have been written canonically.
fn short(url: &str) -> u64 {
    CanonicalUrl::parse(url).map_or(0, |url| url.fingerprint().short())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_followed_back_and_circles_are_left() {
        let mut redirects = Redirects::default();
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "a"), ("x", "c")] {
            redirects.add(
                &format!("http://{from}.example/"),
                &format!("http://{to}.example/"),
            );
        }
        let chain = redirects.to("http://c.example/");
        assert_eq!(chain, ["http://a.example/", "http://b.example/"]);
        assert!(redirects.to("http://x.example/").is_empty());
    }
}
