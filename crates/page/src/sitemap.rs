//! Sitemaps and feeds: what a site says its pages are.
//!
//! Reads `urlset` and `sitemapindex` of sitemaps.org, RSS, Atom, and plain text
//! with one URL per line, whichever the bytes are: labels are often wrong.
//! Fetching and unpacking are the caller's; `store::packing::unpacked(..)`
//! with `take(MAX_LEN + 1)` gives bytes that are safe to hand in, the last of
//! which shows that there are more; and what was unpacked of a damaged file is
//! worth handing in too.
//!
//! `markup.rs` cuts XML into tags and text, `document.rs` decides what they
//! mean, `date.rs` reads dates. Nobody's XML is well-formed for long, so neither
//! insists on it. A tokenizer for HTML would not do: to it `&section=2` begins
//! with a section sign, and sites write bare ampersands into their addresses.

mod date;
mod document;
mod markup;

use crate::html;
use crate::url::CanonicalUrl;

/// Entries beyond this many, usable or not, are not read, as sitemaps.org has it.
pub const MAX_ENTRIES: usize = 50_000;

/// Bytes beyond this many are not read, as sitemaps.org has it.
pub const MAX_LEN: usize = 50 << 20;

/// How much an entry that says nothing matters among those of its site.
pub const DEFAULT_PRIORITY: f32 = 0.5;

/// How far a first tag is looked for; before it may stand what a server
/// complains about.
const SNIFF_LEN: usize = 1024;

/// What one file lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Sitemap {
    /// What the entries are.
    pub kind: Kind,
    /// The entries that can be used, in the file's order.
    pub entries: Vec<SitemapEntry>,
    /// What was odd.
    pub complaints: Vec<Complaint>,
}

/// What the entries of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Other sitemaps.
    Index,
    /// Pages.
    Pages,
    /// Pages, only the newest.
    Feed,
    /// None: this is no list of addresses.
    Unknown,
}

/// An address with what the site says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct SitemapEntry {
    /// The address, of the sitemap's own registrable domain.
    pub url: CanonicalUrl,
    /// How much it matters among those of its site, from 0 to 1;
    /// [`DEFAULT_PRIORITY`] is meant where there is none.
    pub priority: Option<f32>,
    /// When it last changed, in milliseconds since 1970.
    pub lastmod: Option<u64>,
    /// How often it changes.
    pub changefreq: Option<ChangeFreq>,
}

/// How often a page changes, by its site's own word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words of sitemaps.org")]
pub enum ChangeFreq {
    Always,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Never,
}

impl ChangeFreq {
    fn parse(text: &str) -> Option<ChangeFreq> {
        let names = [
            ("always", ChangeFreq::Always),
            ("hourly", ChangeFreq::Hourly),
            ("daily", ChangeFreq::Daily),
            ("weekly", ChangeFreq::Weekly),
            ("monthly", ChangeFreq::Monthly),
            ("yearly", ChangeFreq::Yearly),
            ("never", ChangeFreq::Never),
        ];
        let found = names
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text));
        found.map(|(_, frequency)| *frequency)
    }
}

/// Something odd about a sitemap that did not stop it from being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Complaint {
    /// Gzip that was not unpacked, or was packed twice.
    Packed,
    /// It is something else, an error page perhaps.
    NotASitemap,
    /// So many entries have no URL or one that cannot be crawled.
    BadUrls(usize),
    /// So many entries belong to another registrable domain.
    OtherSites(usize),
    /// Entries beyond [`MAX_ENTRIES`] were left out.
    TooManyEntries,
    /// Bytes beyond [`MAX_LEN`] were left out.
    TooLong,
    /// The file ends within an entry.
    BreaksOff,
}

/// Whether the bytes begin like gzip and have to be unpacked first.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Reads a sitemap or feed. `content_type` is the HTTP header, where there was one.
pub fn read(bytes: &[u8], url: &CanonicalUrl, content_type: Option<&str>) -> Sitemap {
    let mut list = List::new(url);
    if is_gzip(bytes) {
        list.complaints.push(Complaint::Packed);
        return list.finish(Kind::Unknown);
    }
    let is_cut = bytes.len() > MAX_LEN;
    if is_cut {
        list.complaints.push(Complaint::TooLong);
    }
    let text = html::decode_xml(up_to(bytes, MAX_LEN), content_type);
    let start = text.as_bytes().get(..SNIFF_LEN).unwrap_or(text.as_bytes());
    let kind = if start.contains(&b'<') {
        document::read(&text, &mut list)
    } else if is_cut {
        read_lines(whole_lines(&text), &mut list)
    } else {
        read_lines(&text, &mut list)
    };
    list.finish(kind)
}

/// The text up to its last line end: half a line is the address of another page.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind(['\n', '\r']).unwrap_or(0)]
}

/// The first bytes, without half a character at the end.
fn up_to(bytes: &[u8], max: usize) -> &[u8] {
    if bytes.len() <= max {
        return bytes;
    }
    let is_within = |at: &usize| bytes[*at] & 0xC0 == 0x80;
    let end = (max.saturating_sub(3)..=max)
        .rev()
        .find(|at| !is_within(at));
    &bytes[..end.unwrap_or(max)]
}

fn read_lines(text: &str, list: &mut List<'_>) -> Kind {
    let lines = text.split(['\n', '\r']).map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        list.push(line, Draft::default());
        if list.is_full() {
            break;
        }
    }
    // Prose, a script, binary data: a list of addresses has some.
    match list.n_urls() {
        0 => Kind::Unknown,
        _ => Kind::Pages,
    }
}

/// An entry whose address has not been looked at yet.
#[derive(Debug, Clone, Copy, Default)]
struct Draft {
    priority: Option<f32>,
    lastmod: Option<u64>,
    changefreq: Option<ChangeFreq>,
}

/// The entries so far, and those that cannot be used.
struct List<'u> {
    url: &'u CanonicalUrl,
    entries: Vec<SitemapEntry>,
    n_bad: usize,
    n_elsewhere: usize,
    has_more: bool,
    complaints: Vec<Complaint>,
}

impl<'u> List<'u> {
    fn new(url: &'u CanonicalUrl) -> List<'u> {
        List {
            url,
            entries: Vec::new(),
            n_bad: 0,
            n_elsewhere: 0,
            has_more: false,
            complaints: Vec::new(),
        }
    }

    /// Takes an entry if its address may be taken from this sitemap: anybody
    /// can list anybody's pages, and a site speaks for its own only.
    fn push(&mut self, address: &str, draft: Draft) {
        // Those that cannot be used count too: a file of nothing else must end.
        if self.n_urls() + self.n_bad == MAX_ENTRIES {
            self.has_more = true;
            return;
        }
        let Some(url) = self.read_url(address) else {
            self.n_bad += 1;
            return;
        };
        if url.registrable_domain() != self.url.registrable_domain() {
            self.n_elsewhere += 1;
        } else {
            self.entries.push(SitemapEntry {
                url,
                priority: draft.priority,
                lastmod: draft.lastmod,
                changefreq: draft.changefreq,
            });
        }
    }

    /// Addresses have to be absolute. From the root of the host on is as good;
    /// anything shorter is more often a mistake (`www.example.com/a`) than meant.
    fn read_url(&self, address: &str) -> Option<CanonicalUrl> {
        if address.starts_with('/') {
            self.url.join(address).ok()
        } else {
            CanonicalUrl::parse(address).ok()
        }
    }

    /// Whether more was listed than may be.
    fn is_full(&self) -> bool {
        self.has_more
    }

    fn n_urls(&self) -> usize {
        self.entries.len() + self.n_elsewhere
    }

    fn finish(mut self, kind: Kind) -> Sitemap {
        if kind == Kind::Unknown && self.complaints.is_empty() {
            self.complaints.push(Complaint::NotASitemap);
        } else if self.n_bad > 0 {
            self.complaints.push(Complaint::BadUrls(self.n_bad));
        }
        if self.n_elsewhere > 0 {
            self.complaints
                .push(Complaint::OtherSites(self.n_elsewhere));
        }
        if self.has_more {
            self.complaints.push(Complaint::TooManyEntries);
        }
        Sitemap {
            kind,
            entries: self.entries,
            complaints: self.complaints,
        }
    }
}

#[cfg(test)]
mod tests;
