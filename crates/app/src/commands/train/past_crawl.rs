//! Pages of an earlier crawl, with the addresses found on them as teacher.
//!
//! A page is about the target with most of its addresses, and about none if
//! it has no address in any. There are many more of the latter: of those a
//! sample is taken, by their address, so that it is the same every time.

use crate::commands::report;
use crate::progress::watch;
use page::html;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::{TargetId, Targets};
use std::collections::BTreeMap;
use std::path::Path;
use store::crawl_dir::StoreError;
use store::visit::Visit;
use store::warc::{self, ArchivedResponse};
use strategy::model::{Label, Trainer};

/// Learns from what the crawl has archived.
pub(super) fn learn(
    trainer: &mut Trainer,
    targets: &Targets,
    dir: &Path,
    n_others: usize,
) -> anyhow::Result<()> {
    let others =
        report::visits(dir)?.filter(|visit| is_example(visit) && visit.entities.is_empty());
    let n_all_others = watch("visit", others).count() as u64;
    let mut reader = report::visits(dir)?;
    for visit in watch("visit", reader.by_ref().filter(is_example)) {
        let label = match subject(targets, &visit) {
            Some(target) => Label::Target(target),
            None if !visit.entities.is_empty() => continue,
            None if is_sampled(&visit, n_others as u64, n_all_others) => Label::None,
            None => continue,
        };
        if let Some(text) = text_of(dir, &visit)? {
            trainer.learn(label, &text);
        }
    }
    report::inspect(&reader);
    Ok(())
}

/// A copy would be learned twice.
fn is_example(visit: &Visit) -> bool {
    visit.is_page() && visit.copy.is_none() && visit.archived.is_some()
}

/// The target with most addresses on a page; of equals the first.
fn subject(targets: &Targets, visit: &Visit) -> Option<TargetId> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for entity in &visit.entities {
        *counts.entry(entity.target).or_default() += 1;
    }
    let (&geonameid, _) = counts.iter().rev().max_by_key(|(_, count)| **count)?;
    let place = Gazetteer::built_in().by_geonameid(geonameid)?;
    targets.of_place(place)
}

fn is_sampled(visit: &Visit, n_wanted: u64, n_all: u64) -> bool {
    let url = CanonicalUrl::parse(&visit.url);
    url.is_ok_and(|url| url.fingerprint().short() % n_all.max(1) < n_wanted)
}

/// The visit log has the type without the charset; the archive has both.
fn read(response: &ArchivedResponse, url: &CanonicalUrl) -> String {
    let content_type = response.content_type();
    html::read(&response.body, url, content_type.as_deref()).text
}

fn text_of(dir: &Path, visit: &Visit) -> Result<Option<String>, StoreError> {
    let Some(shelf) = visit.archived else {
        return Ok(None);
    };
    let Some(response) = warc::read_at(dir, shelf)? else {
        return Ok(None);
    };
    let Ok(url) = CanonicalUrl::parse(&visit.url) else {
        return Ok(None);
    };
    Ok(Some(read(&response, &url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_charset_is_the_one_of_the_header() {
        let response = ArchivedResponse {
            status: 200,
            head: b"HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=koi8-r\r\n\r\n".to_vec(),
            body: b"<p>\xed\xcf\xd3\xcb\xd7\xc1</p>".to_vec(),
            refers_to: None,
        };
        let url = CanonicalUrl::parse("http://a.example/").unwrap();
        assert_eq!(read(&response, &url).trim(), "Москва");
    }
}
