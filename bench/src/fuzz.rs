//! What must hold whatever bytes come in from the web.
//!
//! One function for each reader of foreign bytes, named in [`TARGETS`]. Each
//! takes any bytes and panics if the reader does, if a range lies outside the
//! text or within a character, or if more comes out than went in allows.
//! `fuzz/` drives them with libFuzzer, the tests of this package with a
//! mutator of our own (`mutate.rs`); how much work they take on inputs that
//! mean harm (`hostile.rs`) is counted by the one and timed by the bench.

use crawl::robots::Rules;
use page::html::{self, MAX_LINKS, MAX_TEXT, Page};
use page::sitemap::{self, MAX_ENTRIES};
use page::structured::MAX_FACTS;
use page::url::CanonicalUrl;
use place::address::Addresses;
use place::evidence::Understanding;
use place::gazetteer::Gazetteer;
use place::toponym::{Context, Toponyms};
use std::ops::Range;
use std::sync::LazyLock;
use strategy::evidence::claim;

/// A reader of foreign bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name that `fuzz/` and the tests use.
    pub name: &'static str,
    /// Reads the bytes and checks what came out.
    pub run: fn(&[u8]),
}

/// Everything that reads foreign bytes.
pub const TARGETS: [Target; 8] = [
    target("addresses", fuzz_addresses),
    target("toponyms", fuzz_toponyms),
    target("html", fuzz_html),
    target("json_ld", fuzz_json_ld),
    target("url", fuzz_url),
    target("robots", fuzz_robots),
    target("sitemap", fuzz_sitemap),
    target("warc", fuzz_warc),
];

const fn target(name: &'static str, run: fn(&[u8])) -> Target {
    Target { name, run }
}

static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| Addresses::new(Gazetteer::built_in()));
static TOPONYMS: LazyLock<Toponyms<'static>> =
    LazyLock::new(|| Toponyms::new(Gazetteer::built_in()));
static UNDERSTANDING: LazyLock<Understanding<'static>> =
    LazyLock::new(|| Understanding::new(Gazetteer::built_in()));
static URL: LazyLock<CanonicalUrl> =
    LazyLock::new(|| crate::pages::plain_url("http://www.example.org/a/b"));

/// Addresses in text.
pub fn fuzz_addresses(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let found = ADDRESSES.find(&text);
    check_ranges(&text, found.iter().map(|address| &address.span));
    for address in &found {
        let parts = [&address.number, &address.street, &address.city];
        let n_bytes: usize = parts.iter().map(|part| part.len()).sum();
        // Upper case is longer for some letters, an abbreviation for no street.
        assert!(n_bytes <= 3 * address.span.len() + 16, "{address:?}");
        assert_eq!(address.lat.is_some(), address.lon.is_some());
    }
}

/// Names of places in text.
pub fn fuzz_toponyms(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let addresses = ADDRESSES.find(&text);
    let context = Context {
        host: "www.example.org",
        addresses: &addresses,
        places: &[],
    };
    let found = TOPONYMS.find(&text, &context);
    check_ranges(&text, found.iter().map(|mention| &mention.span));
    for mention in &found {
        assert!((0.0..=1.0).contains(&mention.confidence), "{mention:?}");
        assert!((mention.place.0 as usize) < Gazetteer::built_in().len());
    }
}

/// A document, and what its facts mean.
pub fn fuzz_html(data: &[u8]) {
    check_page(&html::read(data, &URL, None), data.len());
}

/// A script, and what its facts mean.
pub fn fuzz_json_ld(data: &[u8]) {
    let script = [b"<script type=application/ld+json>", data, b"</script>"].concat();
    let page = html::read(&script, &URL, Some("text/html; charset=utf-8"));
    check_page(&page, script.len());
}

/// A URL, and one relative to another.
pub fn fuzz_url(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for url in [CanonicalUrl::parse(&text), URL.join(&text)]
        .into_iter()
        .flatten()
    {
        let again = CanonicalUrl::parse(url.as_str());
        assert_eq!(again.as_ref().ok(), Some(&url), "of {text:?}");
        assert!(url.path_and_query().starts_with('/'));
        assert!(url.as_str().contains(url.registrable_domain()));
        // A byte is at most `%00`; host names in other scripts grow less.
        assert!(url.as_str().len() <= 4 * text.len() + URL.as_str().len());
    }
}

/// Robots rules, asked about paths and about themselves.
pub fn fuzz_robots(data: &[u8]) {
    let rules = Rules::parse(data, "locavore");
    let n_lines = data
        .iter()
        .filter(|byte| matches!(byte, b'\n' | b'\r'))
        .count()
        + 1;
    let text = String::from_utf8_lossy(data);
    let own_paths = text.split_whitespace().take(8);
    for path in ["/", "/a/b.html?c=d", "/%7Ejoe/é"]
        .into_iter()
        .chain(own_paths)
    {
        assert!(rules.verdict(path).line as usize <= n_lines, "{path:?}");
    }
    assert!(rules.verdict("/robots.txt").allowed);
    let n_bytes: usize = rules.sitemaps().iter().map(String::len).sum();
    assert!(n_bytes <= 3 * data.len());
}

/// A sitemap or feed.
pub fn fuzz_sitemap(data: &[u8]) {
    let sitemap = sitemap::read(data, &URL, None);
    // An entry is a line, or a tag with the start of another one.
    assert!(sitemap.entries.len() <= (data.len() / 2 + 1).min(MAX_ENTRIES));
    for entry in &sitemap.entries {
        assert_eq!(entry.url.registrable_domain(), URL.registrable_domain());
        let priority = entry.priority.unwrap_or(sitemap::DEFAULT_PRIORITY);
        assert!((0.0..=1.0).contains(&priority), "{entry:?}");
    }
}

/// A WARC record, packed as it is or, if it is none, as the content of one;
/// then the same as a file of records.
pub fn fuzz_warc(data: &[u8]) {
    /// Deflate packs no better than this; zstd knows no such limit.
    const MAX_RATIO: usize = 1_040;
    let packed = stored_gzip(data);
    for member in [data, &packed] {
        if let Some(response) = store::warc::read_member(member) {
            let n_bytes = response.head.len() + response.body.len();
            let is_gzip = member.starts_with(&[0x1f, 0x8b]);
            assert!(!is_gzip || n_bytes <= MAX_RATIO * member.len());
        }
        let contents = store::warc::Contents::new(member);
        let records = contents.into_iter().flatten().filter_map(Result::ok);
        let n_bytes: u64 = records.map(|record| record.len).sum();
        assert!(n_bytes <= member.len() as u64);
    }
}

fn check_page(page: &Page, n_bytes: usize) {
    // Latin letters of one byte become up to three; tags become line breaks.
    assert!(page.text.len() <= (4 * n_bytes + 16).min(MAX_TEXT + 16));
    assert!(page.links.len() <= MAX_LINKS);
    for link in &page.links {
        let span = link.span.start as usize..link.span.end as usize;
        assert!(page.text.get(span).is_some(), "{link:?}");
        let around = page.before(link, 5).len() + page.after(link, 5).len();
        assert!(around <= page.text.len());
    }
    assert!(page.structured.len() <= MAX_FACTS);
    for fact in &page.structured {
        assert_eq!(fact.lat.is_some(), fact.lon.is_some(), "{fact:?}");
        if let Some(evidence) = UNDERSTANDING.understand(&claim(fact), &ADDRESSES) {
            let is_on_earth = |lat: f64, lon: f64| lat.abs() <= 90.0 && lon.abs() <= 180.0;
            let point = evidence.lat.zip(evidence.lon);
            assert!(
                point.is_none_or(|(lat, lon)| is_on_earth(lat, lon)),
                "{evidence:?}"
            );
        }
    }
}

/// Ranges are in order, apart, within the text and between characters.
fn check_ranges<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>>) {
    let mut end = 0;
    for range in ranges {
        assert!(
            end <= range.start && range.start < range.end,
            "{range:?} after {end}"
        );
        assert!(text.get(range.clone()).is_some(), "{range:?} in {text:?}");
        end = range.end;
    }
}

/// A gzip member that holds the bytes as they are.
fn stored_gzip(bytes: &[u8]) -> Vec<u8> {
    let mut member = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut blocks = bytes.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let len = block.len() as u16;
        member.push(u8::from(blocks.peek().is_none()));
        member.extend_from_slice(&len.to_le_bytes());
        member.extend_from_slice(&(!len).to_le_bytes());
        member.extend_from_slice(block);
    }
    member.extend_from_slice(&crc32(bytes).to_le_bytes());
    member.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    member
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| (crc >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1));
    let next = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc));
    !bytes.iter().fold(u32::MAX, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_record_is_read_back() {
        let record = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 21\r\n\r\n\
            HTTP/1.1 200 OK\r\n\r\nhi\r\n\r\n";
        let response = store::warc::read_member(&stored_gzip(record)).unwrap();
        assert_eq!(
            (response.status, response.body.as_slice()),
            (200, &b"hi"[..])
        );
    }
}
