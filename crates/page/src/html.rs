//! One streaming pass over HTML: title, text, links with their context.

use crate::url::CanonicalUrl;
use std::ops::Range;
use std::sync::Arc;

/// What one document says, once read.
#[derive(Debug, Clone)]
pub struct Page {
    /// The address it was read from.
    pub url: CanonicalUrl,
    /// Text of the first `title` element.
    pub title: String,
    /// Visible text; block boundaries are `\n`, cells of one row and `<br>` keep an address together.
    pub text: String,
    /// Links in document order.
    pub links: Vec<Link>,
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

/// `noindex` and `nofollow` of one page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MetaRobots {
    /// The page asks not to be kept.
    pub noindex: bool,
    /// The page asks that its links be left alone.
    pub nofollow: bool,
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
}

/// Reads a document. `content_type` is the HTTP header, where there was one.
pub fn read(_bytes: &[u8], _url: &CanonicalUrl, _content_type: Option<&str>) -> Page {
    todo!()
}

impl Page {
    /// The link's anchor text.
    pub fn anchor(&self, link: &Link) -> &str {
        &self.text[link.span.start as usize..link.span.end as usize]
    }
    /// Up to `n_tokens` tokens of text before the link.
    pub fn before(&self, _link: &Link, _n_tokens: usize) -> &str {
        todo!()
    }
    /// Up to `n_tokens` tokens of text after the link.
    pub fn after(&self, _link: &Link, _n_tokens: usize) -> &str {
        todo!()
    }
}
