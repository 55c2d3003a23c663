//! Patterns of addresses, as people write them, and addresses in the spelling
//! that they are compared in.
//!
//! A host is compared from its end, as SURTs have it: `www.example.org` is
//! `org,example,www,`, so that a domain with all that is below it, a host and
//! a path on it are all beginnings of one text. Paths are spelt and matched as
//! those of robots.txt. The scheme never counts.

use super::hosts;
use crate::fetch::address;
use crate::robots::pattern::{spell_path, spell_pattern};
use page::url::CanonicalUrl;

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Nothing stands there.
    #[error("an empty pattern")]
    Empty,
    /// Meant as a host, and none.
    #[error("`{0}` is no host")]
    NoHost(String),
    /// One word may be anything.
    #[error("`{0}` may be a host, `{0}/`, or part of a path, `/*{0}`")]
    Word(String),
    /// Meant as a SURT, and none.
    #[error("`{0}` is no SURT, such as `org,example,` or `http://(org,example,)/path`")]
    NoSurt(String),
}

/// An address, spelt for comparison: its host's key, `)`, path and query.
pub(super) struct Key {
    text: String,
    host_len: usize,
}

impl Key {
    pub(super) fn of(url: &CanonicalUrl) -> Key {
        let mut text = String::with_capacity(url.as_str().len() + 16);
        push_host(url.host(), &mut text);
        let host_len = text.len();
        text.push(')');
        text.push_str(&spell_path(url.path_and_query()));
        Key { text, host_len }
    }

    /// `org,example,www,)/path?query`
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// `org,example,www,)`
    pub(super) fn host(&self) -> &str {
        &self.text[..=self.host_len]
    }

    /// `/path?query`
    pub(super) fn path(&self) -> &str {
        &self.text[self.host_len + 1..]
    }

    /// `org,example,www,:8080)/path?query`
    pub(super) fn text_with_port(&self, port: u16) -> String {
        let (host, rest) = self.text.split_at(self.host_len);
        format!("{host}:{port}{rest}")
    }
}

/// A pattern, read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// What begins so, of the whole key; with a port if the second says so.
    Beginning(String, Port),
    /// Paths that begin so, on any host.
    Path(String),
    /// Paths with a wildcard or an end, on some hosts.
    Wild(Whose, String),
}

/// Whether a port was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Port {
    Any,
    Written,
}

/// The hosts of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whose {
    Anybodys,
    /// This host's, at this port if one was written.
    Host(Box<str>, Option<u16>),
    /// Of this domain and all that is below it.
    Domain(Box<str>),
    /// Of hosts with a wildcard elsewhere in their name.
    Like(String),
}

impl Pattern {
    pub(super) fn read(text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        let bare = text.split_once("://").map_or(text, |(_, rest)| rest);
        let host_len = bare.find(['/', '?']).unwrap_or(bare.len());
        let (host, path) = bare.split_at(host_len);
        if host.contains(['(', ')', ',']) {
            return surt(bare).ok_or_else(|| PatternError::NoSurt(text.into()));
        }
        let whose = whose(host, path).ok_or_else(|| match is_word(host) && path.is_empty() {
            true => PatternError::Word(host.into()),
            false => PatternError::NoHost(host.into()),
        })?;
        Ok(Pattern::of(whose, spell_path_pattern(path)))
    }

    fn of(whose: Whose, path: String) -> Pattern {
        let is_wild = path.contains('*') || path.ends_with('$');
        match whose {
            Whose::Anybodys if !is_wild => Pattern::Path(path),
            Whose::Host(host, port) if !is_wild => {
                let mut beginning = String::new();
                push_host(&host, &mut beginning);
                if let Some(port) = port {
                    beginning.push_str(&format!(":{port}"));
                }
                beginning.push(')');
                beginning.push_str(&path);
                Pattern::Beginning(beginning, port.map_or(Port::Any, |_| Port::Written))
            }
            Whose::Domain(domain) if path == "/" => {
                let mut beginning = String::new();
                push_host(&domain, &mut beginning);
                Pattern::Beginning(beginning, Port::Any)
            }
            whose => Pattern::Wild(whose, path),
        }
    }
}

/// Whose paths are meant; none where that makes no sense.
fn whose(host: &str, path: &str) -> Option<Whose> {
    let read = |name: &str| hosts::read(name).ok();
    if host.is_empty() || host == "*" {
        return (!path.is_empty()).then_some(Whose::Anybodys);
    }
    if !host.contains('*') {
        let is_vague = is_word(host) && path.is_empty() && host != "localhost";
        let (host, port) = read(host).filter(|_| !is_vague)?;
        return Some(Whose::Host(host, port));
    }
    match host.strip_prefix("*.").filter(|rest| !rest.contains('*')) {
        Some(domain) => match read(domain)? {
            (domain, None) => Some(Whose::Domain(domain)),
            (_, Some(_)) => None,
        },
        None => {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.*".contains(c);
            let like = host.to_ascii_lowercase() + "$";
            host.chars().all(is_plain).then_some(Whose::Like(like))
        }
    }
}

fn is_word(host: &str) -> bool {
    !host.is_empty()
        && host
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

fn spell_path_pattern(path: &str) -> String {
    let mut spelt = String::new();
    if !path.starts_with('/') {
        spelt.push('/');
    }
    spell_pattern(path.as_bytes(), &mut spelt);
    spelt
}

/// `(org,example,)/path`, with or without parentheses, as others write it:
/// the last comma before the parenthesis may be missing.
fn surt(text: &str) -> Option<Pattern> {
    let text = text.strip_prefix('(').unwrap_or(text);
    let (host, path) = match text.split_once(')') {
        Some((host, path)) => (host, Some(path)),
        None => (text, None),
    };
    let (labels, port) = match host.split_once(':') {
        Some((labels, port)) => (labels, Some(port.parse::<u16>().ok()?)),
        None => (host, None),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_,.".contains(c);
    if labels.is_empty() || labels.starts_with(',') || !labels.chars().all(is_plain) {
        return None;
    }
    let mut beginning = labels.to_ascii_lowercase();
    let Some(path) = path else {
        return port
            .is_none()
            .then_some(Pattern::Beginning(beginning, Port::Any));
    };
    if !beginning.ends_with(',') {
        beginning.push(',');
    }
    if let Some(port) = port {
        beginning.push_str(&format!(":{port}"));
    }
    beginning.push(')');
    match path.is_empty() || path.starts_with('/') {
        true => beginning.push_str(&spell_path(path)),
        false => return None,
    }
    let port = port.map_or(Port::Any, |_| Port::Written);
    Some(Pattern::Beginning(beginning, port))
}

/// `www.example.org` → `org,example,www,`; addresses stay as they are.
fn push_host(host: &str, key: &mut String) {
    let may_be_address = host.contains(':') || host.ends_with(|c: char| c.is_ascii_digit());
    if may_be_address && address::literal(host).is_some() {
        key.push_str(host);
        key.push(',');
        return;
    }
    for label in host.rsplit('.') {
        key.push_str(label);
        key.push(',');
    }
}
