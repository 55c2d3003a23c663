//! Reads sitemaps and feeds: pages that consist of links with hints.

use super::{Found, Hint, Mission, Reader, blank};
use crate::fetch::{Fetched, Landing};
use crate::frontier::Purpose;
use crate::stage::Stopwatch;
use page::html::{Link, Page};
use page::sitemap::{self, DEFAULT_PRIORITY, Kind, MAX_LEN, Sitemap};
use std::io::Read;
use std::sync::Arc;
use store::packing;
use store::visit::Time;

impl Reader {
    /// The addresses that a sitemap lists, each with its node.
    pub(super) fn read_listing(
        &self,
        mission: &Mission,
        landing: &Landing,
        watch: &mut Stopwatch,
    ) -> Found {
        let url = &mission.request.url;
        let Fetched::Answer(answer) = &landing.fetched else {
            return Found::nothing(url);
        };
        let bytes = unpacked(&answer.body);
        let listing = sitemap::read(&bytes, url, answer.content_type.as_deref());
        let hints = listing.entries.iter().map(|entry| Hint {
            purpose: match listing.kind {
                Kind::Index => Purpose::Sitemap,
                _ => Purpose::Page,
            },
            weight: entry.priority.unwrap_or(DEFAULT_PRIORITY),
            changed: entry.lastmod.map(Time),
        });
        let hints = hints.collect();
        let page = Page {
            links: links_of(&listing),
            ..blank(url)
        };
        Found {
            hints,
            ..self.assign_signpost(self.origin(mission, landing), page, watch)
        }
    }
}

/// Sitemaps are of one registrable domain; `page::sitemap` sees to that.
fn links_of(listing: &Sitemap) -> Vec<Link> {
    let tag_path: Arc<str> = Arc::from("");
    let entries = listing.entries.iter();
    entries
        .map(|entry| Link {
            url: entry.url.clone(),
            span: 0..0,
            title: None,
            nofollow: false,
            tag_path: Arc::clone(&tag_path),
            leaves_domain: false,
        })
        .collect()
}

/// Many sitemaps are compressed files. What could be unpacked of a damaged
/// one is worth reading too. Of one that is too long a byte more is unpacked
/// than is read, which shows it.
fn unpacked(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(stream) = packing::unpacked(body) {
        let _ = stream.take(MAX_LEN as u64 + 1).read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    #[test]
    fn a_sitemap_that_unpacks_to_too_much_shows_it() {
        let url = page::url::CanonicalUrl::parse("http://a.com/sitemap.txt").unwrap();
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(b"http://a.com/1\n").unwrap();
        gzip.write_all(&vec![b' '; MAX_LEN]).unwrap();
        let bytes = unpacked(&gzip.finish().unwrap());
        let listing = sitemap::read(&bytes, &url, None);
        assert_eq!(listing.complaints, [sitemap::Complaint::TooLong]);
        assert_eq!(listing.entries.len(), 1);
    }
}
