//! What other sites call a page: the texts of links that lead to it.
//!
//! One text is kept for each page and each domain that links to it, so a
//! domain that links from every page speaks once. Texts are noted as the
//! linking pages are read; a page is indexed with what was noted by then, up to
//! the end of the batch that it is read in, and again when much came later.

use page::html::{Link, Page};
use page::url::CanonicalUrl;
use std::path::Path;
use store::crawl_dir::StoreError;
use store::ledger::Ledger;
use store::table::{Batch, Table};
use xxhash_rust::xxh3::xxh3_64;

/// Letters of a link's text that are kept.
const MOST_BYTES: usize = 100;

/// Links of one page that are noted.
const MOST_LINKS: usize = 200;

/// Domains whose texts are read.
const MOST_DOMAINS: usize = 64;

/// All texts noted so far.
pub(super) struct Anchors {
    ledger: Ledger,
    table: Table,
}

/// What is known of the links to a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct InLinks {
    /// Their texts, each once.
    pub(super) texts: Vec<String>,
    /// Domains that they come from; no more than a few dozen are counted.
    pub(super) n_domains: u64,
}

/// A text, before it is noted.
pub(super) struct Noted {
    key: [u8; 16],
    text: String,
}

impl Anchors {
    pub(super) fn open(path: &Path) -> Result<Anchors, StoreError> {
        let ledger = Ledger::open(path)?;
        let table = ledger.table("anchors")?;
        Ok(Anchors { ledger, table })
    }

    pub(super) fn note(&self, noted: Vec<Noted>) -> Result<(), StoreError> {
        let mut batch: Batch = self.ledger.batch();
        for Noted { key, text } in noted {
            batch.put(&self.table, &key, text.as_bytes());
        }
        self.ledger.commit(batch)
    }

    /// Whether so many domains link to the page of this fingerprint. More than
    /// a few dozen are not counted.
    pub(super) fn has_at_least(&self, key: u64, n: u64) -> Result<bool, StoreError> {
        if n > MOST_DOMAINS as u64 {
            return Ok(false);
        }
        let found = self.table.scan(&key.to_be_bytes(), None, n as usize)?;
        Ok(found.len() as u64 == n)
    }

    /// Of a page.
    pub(super) fn to(&self, url: &CanonicalUrl) -> Result<InLinks, StoreError> {
        let prefix = url.fingerprint().short().to_be_bytes();
        let found = self.table.scan(&prefix, None, MOST_DOMAINS)?;
        let mut texts: Vec<String> = Vec::new();
        for (_, text) in &found {
            let text = String::from_utf8_lossy(text).into_owned();
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        Ok(InLinks {
            texts,
            n_domains: found.len() as u64,
        })
    }
}

/// The links of a page into other domains.
pub(super) fn outward(page: &Page) -> Vec<Noted> {
    let from = xxh3_64(page.url.registrable_domain().as_bytes());
    let links = page.links.iter().filter(|link| link.leaves_domain);
    let note = |link: &Link| {
        let mut key = [0; 16];
        key[..8].copy_from_slice(&link.url.fingerprint().short().to_be_bytes());
        key[8..].copy_from_slice(&from.to_be_bytes());
        Noted {
            key,
            text: text_of(page, link),
        }
    };
    links.take(MOST_LINKS).map(note).collect()
}

fn text_of(page: &Page, link: &Link) -> String {
    let own = page
        .text
        .get(link.span.start as usize..link.span.end as usize);
    let own = own.map(str::trim).filter(|text| !text.is_empty());
    let text = own.or(link.title.as_deref()).unwrap_or_default();
    text[..text.floor_char_boundary(MOST_BYTES)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::html;

    fn page(url: &str, html: &str) -> Page {
        let url = CanonicalUrl::parse(url).unwrap();
        html::read(html.as_bytes(), &url, None)
    }

    #[test]
    fn a_domain_speaks_once_and_not_of_itself() {
        let folder = tempfile::tempdir().unwrap();
        let anchors = Anchors::open(&folder.path().join("anchors")).unwrap();
        let link = "<a href='http://joe.example/'>Joe's Pizza</a>";
        for from in [
            "http://a.one.example/",
            "http://b.one.example/x",
            "http://two.example/",
        ] {
            anchors.note(outward(&page(from, link))).unwrap();
        }
        let other = "<a href='http://joe.example/'><img alt='Joe'></a>";
        anchors
            .note(outward(&page("http://three.example/", other)))
            .unwrap();
        anchors
            .note(outward(&page("http://joe.example/menu", link)))
            .unwrap();
        let joe = CanonicalUrl::parse("http://joe.example/").unwrap();
        let mut found = anchors.to(&joe).unwrap();
        found.texts.sort();
        assert_eq!(found.n_domains, 3);
        assert_eq!(found.texts, ["Joe", "Joe's Pizza"]);
    }
}
