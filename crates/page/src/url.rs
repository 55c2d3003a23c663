//! Canonical URLs: two spellings of one address are one value.

use std::fmt;

/// An `http` or `https` address in its one canonical spelling.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CanonicalUrl {
    text: Box<str>,
    host: (u32, u32),
}

/// 128 bits that stand for a URL in the seen set and in link lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// The low half, for lists where a rare collision does no harm.
    pub fn short(self) -> u64 {
        self.0 as u64
    }
}

/// Why a text is not a URL that can be crawled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// Neither `http` nor `https`.
    #[error("unknown scheme `{0}`")]
    Scheme(String),
    /// Nothing between the slashes.
    #[error("no host")]
    NoHost,
    /// Longer than any honest link.
    #[error("longer than {max} bytes")]
    TooLong { max: usize },
    /// The URL parser's own words.
    #[error("{0}")]
    Syntax(String),
}

impl CanonicalUrl {
    /// Reads an absolute URL.
    pub fn parse(_text: &str) -> Result<CanonicalUrl, UrlError> {
        todo!()
    }
    /// Reads a reference found on this page.
    pub fn join(&self, _reference: &str) -> Result<CanonicalUrl, UrlError> {
        todo!()
    }
    /// The whole canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
    /// Host name or address, without port.
    pub fn host(&self) -> &str {
        todo!()
    }
    /// Scheme, host and port: what robots rules and politeness are keyed by, e.g. `http://a.com:8080`.
    pub fn origin(&self) -> &str {
        todo!()
    }
    /// Path and query: what is asked of the host.
    pub fn path_and_query(&self) -> &str {
        todo!()
    }
    /// The registrable domain (`example.co.uk`), or the host where there is none.
    pub fn registrable_domain(&self) -> &str {
        todo!()
    }
    /// The URL's fingerprint.
    pub fn fingerprint(&self) -> Fingerprint {
        todo!()
    }
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
impl fmt::Debug for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
