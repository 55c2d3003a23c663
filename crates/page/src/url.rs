//! Canonical URLs: two spellings of one address are one value.
//!
//! Reading resolves and encodes by the WHATWG rules, then goes a little
//! further, always towards "these two surely name the same page": fragment,
//! user name, default port and the host's final dots go; percent-encoding is
//! reduced to one spelling; an empty query and the parameters listed in
//! `clean.rs` (campaign tags, session ids) go. What might matter to a server
//! stays: the order of parameters, double slashes, upper case in paths.
//!
//! Most links of a page are already canonical apart from the base in front of
//! them. `fast.rs` puts those together without the URL parser.

mod clean;
mod fast;
mod ports;

use std::fmt;

use ::url::{ParseError, Url};
use xxhash_rust::xxh3::xxh3_128;

/// The longest canonical URL, in bytes. Longer ones are traps or data in disguise.
pub const MAX_LEN: usize = 2048;

/// The longest text worth reading as a URL. Cleaning shortens a text to a
/// third at most (all of it percent-encoded letters), dropped parameters aside.
const MAX_RAW_LEN: usize = 3 * MAX_LEN;

/// An `http` or `https` address in its one canonical spelling.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CanonicalUrl {
    text: Box<str>,
    /// Where host and path lie in `text`; decided by `text`, so that
    /// comparing and hashing them changes nothing.
    host_start: u16,
    host_end: u16,
    path_start: u16,
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
    TooLong {
        /// The length that was exceeded.
        max: usize,
    },
    /// The URL parser's own words.
    #[error("{0}")]
    Syntax(String),
}

impl CanonicalUrl {
    /// Reads an absolute URL.
    pub fn parse(text: &str) -> Result<CanonicalUrl, UrlError> {
        match fast::absolute(strip(text)) {
            Some(url) => Ok(url),
            None => Self::parse_slowly(text),
        }
    }

    /// Reads a reference found on this page.
    pub fn join(&self, reference: &str) -> Result<CanonicalUrl, UrlError> {
        match fast::join(self, strip(reference)) {
            Some(url) => Ok(url),
            None => self.join_slowly(reference),
        }
    }

    /// The whole canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &str {
        let end = if self.text.starts_with("https") { 5 } else { 4 };
        &self.text[..end]
    }

    /// Host name or address, without port; an IPv6 address without brackets.
    pub fn host(&self) -> &str {
        &self.text[usize::from(self.host_start)..usize::from(self.host_end)]
    }

    /// The port that is asked, written or implied by the scheme.
    pub fn port(&self) -> u16 {
        let implied = if self.scheme() == "https" { 443 } else { 80 };
        let after_host = &self.text[usize::from(self.host_end)..usize::from(self.path_start)];
        after_host
            .trim_start_matches(']')
            .strip_prefix(':')
            .and_then(|port| port.parse().ok())
            .unwrap_or(implied)
    }

    /// Whether some other service than the web is at the port, by which
    /// browsers refuse to ask for pages there.
    pub fn has_bad_port(&self) -> bool {
        ports::is_bad(self.port())
    }

    /// Scheme, host and port: what robots rules and politeness are keyed by, e.g. `http://a.com:8080`.
    pub fn origin(&self) -> &str {
        &self.text[..usize::from(self.path_start)]
    }

    /// Path and query: what is asked of the host.
    pub fn path_and_query(&self) -> &str {
        &self.text[usize::from(self.path_start)..]
    }

    /// The path alone; at least `/`.
    pub fn path(&self) -> &str {
        let asked = self.path_and_query();
        asked.split_once('?').map_or(asked, |(path, _)| path)
    }

    /// The query without its question mark, where there is one.
    pub fn query(&self) -> Option<&str> {
        Some(self.path_and_query().split_once('?')?.1)
    }

    /// The registrable domain (`example.co.uk`), or the host where there is none.
    pub fn registrable_domain(&self) -> &str {
        let host = self.host();
        // The suffix list knows nothing of addresses: `1.2.3.4` would become `3.4`.
        let numeric = host.ends_with(|c: char| c.is_ascii_digit()) || host.contains(':');
        if numeric && host.parse::<std::net::IpAddr>().is_ok() {
            return host;
        }
        psl::domain_str(host).unwrap_or(host)
    }

    /// The URL's fingerprint.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(xxh3_128(self.text.as_bytes()))
    }

    fn parse_slowly(text: &str) -> Result<CanonicalUrl, UrlError> {
        check_raw_len(text)?;
        canonicalise(Url::parse(text).map_err(syntax)?)
    }

    fn join_slowly(&self, reference: &str) -> Result<CanonicalUrl, UrlError> {
        check_raw_len(reference)?;
        let base = Url::parse(&self.text).map_err(syntax)?;
        canonicalise(base.join(reference).map_err(syntax)?)
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

impl AsRef<str> for CanonicalUrl {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl std::str::FromStr for CanonicalUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<CanonicalUrl, UrlError> {
        CanonicalUrl::parse(text)
    }
}

/// Removes what the URL parser would ignore at both ends, and the fragment.
fn strip(text: &str) -> &str {
    let text = text.trim_matches(|c: char| c <= ' ');
    text.split_once('#').map_or(text, |(before, _)| before)
}

fn check_raw_len(text: &str) -> Result<(), UrlError> {
    if text.len() > MAX_RAW_LEN {
        return Err(UrlError::TooLong { max: MAX_LEN });
    }
    Ok(())
}

fn syntax(error: ParseError) -> UrlError {
    match error {
        ParseError::EmptyHost => UrlError::NoHost,
        other => UrlError::Syntax(other.to_string()),
    }
}

/// What the URL parser made of it, written the canonical way.
fn canonicalise(mut url: Url) -> Result<CanonicalUrl, UrlError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(UrlError::Scheme(url.scheme().to_owned()));
    }
    settle_host(&mut url)?;

    let mut path = clean::percent_encoding(url.path());
    if let Some(shorter) = clean::without_session(&path) {
        // `/..;jsessionid=1` has now become a dot segment: let the parser
        // resolve it. Decoded letters cannot form one, it knows `%2e`.
        url.set_path(&shorter);
        path = url.path().to_owned();
    }
    let query = url
        .query()
        .map(clean::percent_encoding)
        .map(|query| clean::query(&query));

    let host = url.host_str().ok_or(UrlError::NoHost)?;
    let mut text = String::with_capacity(url.as_str().len());
    text.push_str(url.scheme());
    text.push_str("://");
    let mut host_start = text.len();
    text.push_str(host);
    let mut host_end = text.len();
    if host.starts_with('[') {
        (host_start, host_end) = (host_start + 1, host_end - 1);
    }
    if let Some(port) = url.port() {
        text.push(':');
        text.push_str(&port.to_string());
    }
    let path_start = text.len();
    text.push_str(&path);
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        text.push('?');
        text.push_str(&query);
    }
    assemble(text, host_start, host_end, path_start)
}

/// Drops user name and final dots. A host with an empty label can never be
/// resolved, so it is refused here rather than by every name server.
fn settle_host(url: &mut Url) -> Result<(), UrlError> {
    let host = url.host_str().ok_or(UrlError::NoHost)?;
    let bare = host.trim_end_matches('.');
    if bare.is_empty() {
        return Err(UrlError::NoHost);
    }
    if bare.len() < host.len() {
        // Read again, not cut: `0x7f.1..` was a name and is now an address.
        let bare = bare.to_owned();
        url.set_host(Some(&bare)).map_err(syntax)?;
    }
    if url
        .host_str()
        .is_some_and(|host| host.starts_with('.') || host.contains(".."))
    {
        return Err(UrlError::Syntax("empty label in host".to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Both fail only without a host, and there is one.
        let _ = url.set_password(None);
        let _ = url.set_username("");
    }
    Ok(())
}

/// The last step of both ways: `text` is canonical and the offsets are its own.
fn assemble(
    text: String,
    host_start: usize,
    host_end: usize,
    path_start: usize,
) -> Result<CanonicalUrl, UrlError> {
    const TOO_LONG: UrlError = UrlError::TooLong { max: MAX_LEN };
    if text.len() > MAX_LEN {
        return Err(TOO_LONG);
    }
    let offset = |at: usize| u16::try_from(at).map_err(|_| TOO_LONG);
    Ok(CanonicalUrl {
        host_start: offset(host_start)?,
        host_end: offset(host_end)?,
        path_start: offset(path_start)?,
        text: text.into_boxed_str(),
    })
}

#[cfg(test)]
mod tests;
