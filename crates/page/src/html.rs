//! One streaming pass over HTML: title, text, links with their context, facts.
//!
//! No tree is built. The tokenizer calls `tokens.rs`, which names what it saw;
//! `document.rs` decides what that means, with `outline.rs` for the elements
//! that are open and `text.rs` for the text so far. Bytes become characters
//! before that, in `charset.rs`.
//!
//! **Text** keeps as much layout as somebody looking for an address needs. A
//! gap between two words is the widest one that any markup between them asks
//! for:
//!
//! | gap | asked for by | an address may cross it |
//! | --- | --- | --- |
//! | ` ` | white space, `&nbsp;`, neighbouring links | yes |
//! | `\t` | `td`, `th` | yes |
//! | `\n` | `br`, `div`, `tr`, `li`, `dt`, `dd`, lines of `pre`, … | yes |
//! | `\n\n` | `p`, headings, lists, tables, sections, forms, `hr`, `br` twice | only if ZIP code, city and street are beyond doubt |
//!
//! An `li` is wider, `\n\n`, where it is a menu item: inside `nav` or `menu`, a
//! list whose class or id says so, or when all its text is one link.
//!
//! **Left out** are comments, scripts, styles, templates, vector graphics,
//! what is typed or chosen from (`textarea`, `select`: fifty states to choose
//! from say nothing about a place) and what stands in for media. `noscript`
//! and `noframes` are read as ordinary markup: we run no scripts and show no
//! frames. An element with `hidden` or an inline `display:none` gives no text;
//! its links are kept with an empty anchor, since menus often unfold.
//!
//! Plain text (`text/plain`) is no HTML: it is its own text, line by line.
//!
//! **Structured data** is read in the same pass: `document.rs` hands scripts of
//! its type, attributes and the text of open items to `structured.rs`. Hidden
//! elements count there: they are often hidden because they are for machines.

mod charset;
mod document;
mod meta;
mod outline;
pub(crate) mod tags;
mod text;
pub(crate) mod tokens;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::media;
use crate::structured::{Fact, References};
use crate::url::{CanonicalUrl, Fingerprint};

/// Links beyond this many are told apart from others, and nothing more.
pub const MAX_LINKS: usize = 5_000;

/// Links beyond that are not read at all.
pub const MAX_FURTHER_LINKS: usize = 20_000;

/// Text beyond this many bytes is not read.
pub const MAX_TEXT: usize = 2 << 20;

/// What one document says, once read.
#[derive(Debug, Clone)]
pub struct Page {
    /// The address it was read from.
    pub url: CanonicalUrl,
    /// Text of the first `title` element.
    pub title: String,
    /// Visible text; of plain text, all of it. ` `, `\t` and `\n` may lie within one
    /// address; `\n\n` separates.
    pub text: String,
    /// Links in document order.
    pub links: Vec<Link>,
    /// Where further ones lead, which are too many.
    pub further_links: Vec<Fingerprint>,
    /// Places that the page states for machines.
    pub structured: Vec<Fact>,
    /// `rel=canonical`, when it is a URL.
    pub canonical: Option<CanonicalUrl>,
    /// What `meta robots` asks for.
    pub robots: MetaRobots,
    /// Declared language, lower case, e.g. `en-us`.
    pub language: Option<String>,
    /// Name of the encoding that was used.
    pub charset: &'static str,
    /// What was odd.
    pub complaints: Vec<Complaint>,
}

/// What one page asks of robots, in its markup or in its header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MetaRobots {
    /// The page asks not to be kept.
    pub noindex: bool,
    /// The page asks that its links be left alone.
    pub nofollow: bool,
    /// The page asks that no copy of it be kept.
    pub noarchive: bool,
}

impl MetaRobots {
    /// Hears one `X-Robots-Tag` header, which may speak to one agent only.
    pub fn hear_header(&mut self, value: &str, agent: &str) {
        meta::ask_robots_by_header(self, value, agent);
    }
}

/// A link with what surrounds it.
#[derive(Debug, Clone)]
pub struct Link {
    /// Where it leads.
    pub url: CanonicalUrl,
    /// Its anchor text, as a range of `Page::text`.
    pub span: Range<u32>,
    /// Its `title` attribute or, for an image link, the `alt`.
    pub title: Option<Box<str>>,
    /// `rel` says `nofollow`, `ugc` or `sponsored`.
    pub nofollow: bool,
    /// Elements from `body` down to the link, e.g. `body/div.menu/ul/li`.
    pub tag_path: Arc<str>,
    /// It leads to another registrable domain than the page's.
    pub leaves_domain: bool,
}

/// Something odd about a document that did not stop it from being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Complaint {
    /// The named encoding is unknown.
    UnknownCharset(String),
    /// Some bytes mean nothing in the document's encoding.
    MalformedBytes,
    /// So many references could not be read as URLs.
    BadLinks(usize),
    /// There are more than [`MAX_LINKS`].
    TooManyLinks,
    /// Text beyond [`MAX_TEXT`] was left out.
    TooMuchText,
}

/// Reads a document. `content_type` is the HTTP header, where there was one;
/// what it calls plain text has no markup.
pub fn read(bytes: &[u8], url: &CanonicalUrl, content_type: Option<&str>) -> Page {
    let decoded = charset::decode(bytes, content_type, url);
    let mut page = match media::is_plain(content_type, bytes) {
        true => plain(&decoded.text, url),
        false => marked_up(&decoded.text, url),
    };
    page.charset = decoded.charset;
    page.complaints.splice(0..0, decoded.complaints);
    page
}

/// Text as it stands: its line breaks are its layout.
fn plain(text: &str, url: &CanonicalUrl) -> Page {
    let mut page = read_once("", url, References::default()).0;
    page.text = text[..text.floor_char_boundary(MAX_TEXT)].to_owned();
    if page.text.len() < text.len() {
        page.complaints.push(Complaint::TooMuchText);
    }
    page
}

fn marked_up(html: &str, url: &CanonicalUrl) -> Page {
    let (mut page, mut references) = read_once(html, url, References::default());
    if !references.is_empty() {
        (_, references) = read_once(html, url, references.next());
        (page, _) = read_once(html, url, references.next());
    }
    page
}

/// Plain text as characters: by its byte order mark, as UTF-8, else by a guess.
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    charset::decode_text(bytes)
}

/// XML as characters: by its byte order mark, a label, as UTF-8, else by a guess.
pub(crate) fn decode_xml<'b>(bytes: &'b [u8], content_type: Option<&str>) -> Cow<'b, str> {
    charset::decode_xml(bytes, content_type)
}

fn read_once(html: &str, url: &CanonicalUrl, references: References) -> (Page, References) {
    let mut document = document::Document::new(url, references);
    tokens::feed(html, &mut document);
    document.finish()
}

impl Page {
    /// The link's anchor text.
    pub fn anchor(&self, link: &Link) -> &str {
        self.text
            .get(link.span.start as usize..link.span.end as usize)
            .unwrap_or_default()
    }

    /// Up to `n_tokens` tokens of text before the link.
    pub fn before(&self, link: &Link, n_tokens: usize) -> &str {
        let before = self
            .text
            .get(..link.span.start as usize)
            .unwrap_or_default()
            .trim_end();
        let mut rest = before;
        for _ in 0..n_tokens {
            let rest_len = rest.trim_end().rfind(char::is_whitespace).unwrap_or(0);
            rest = &rest[..rest_len];
        }
        before[rest.len()..].trim_start()
    }

    /// Up to `n_tokens` tokens of text after the link.
    pub fn after(&self, link: &Link, n_tokens: usize) -> &str {
        let after = self
            .text
            .get(link.span.end as usize..)
            .unwrap_or_default()
            .trim_start();
        let mut rest = after;
        for _ in 0..n_tokens {
            rest = rest.trim_start();
            let token_len = rest.find(char::is_whitespace).unwrap_or(rest.len());
            rest = &rest[token_len..];
        }
        after[..after.len() - rest.len()].trim_end()
    }
}

#[cfg(test)]
mod tests;
