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

/// Texts that are read at once where all are.
const AT_ONCE: usize = 4_096;

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

    /// Tells of every page that is linked to, by its short fingerprint in
    /// order, how many domains link to it. More than a few dozen are not counted.
    pub(super) fn count_all(&self, mut hear: impl FnMut(u64, u64)) -> Result<(), StoreError> {
        let mut counted: Option<(u64, u64)> = None;
        let mut after: Option<Vec<u8>> = None;
        loop {
            let found = self.table.scan(&[], after.as_deref(), AT_ONCE)?;
            for (key, _) in &found {
                let Some(page) = key.first_chunk().map(|key| u64::from_be_bytes(*key)) else {
                    continue;
                };
                match &mut counted {
                    Some((other, n_domains)) if *other == page => *n_domains += 1,
                    _ => {
                        let last = counted.replace((page, 1));
                        last.inspect(|(page, n)| hear(*page, (*n).min(MOST_DOMAINS as u64)));
                    }
                }
            }
            match found.into_iter().last() {
                Some((last, _)) => after = Some(last),
                None => break,
            }
        }
        counted.inspect(|(page, n)| hear(*page, (*n).min(MOST_DOMAINS as u64)));
        Ok(())
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

        let many = (0..70).map(|nth| format!("http://n{nth}.example/"));
        for from in many {
            let link = "<a href='http://ann.example/'>Ann</a>";
            anchors.note(outward(&page(&from, link))).unwrap();
        }
        let ann = CanonicalUrl::parse("http://ann.example/").unwrap();
        let mut counted = Vec::new();
        let hear = |page, n_domains| counted.push((page, n_domains));
        anchors.count_all(hear).unwrap();
        let mut expected = [(&joe, 3), (&ann, 64)].map(|(url, n)| (url.fingerprint().short(), n));
        expected.sort_unstable();
        assert_eq!(counted, expected);
    }
}
