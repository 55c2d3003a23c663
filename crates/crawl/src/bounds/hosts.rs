//! The hosts and domains that a crawl keeps to.

use super::PatternError;
use page::url::CanonicalUrl;
use std::collections::{HashMap, HashSet};

/// Hosts that are kept to; all, where none is named.
#[derive(Debug, Clone, Default)]
pub(super) struct KeptHosts {
    hosts: HashSet<Box<str>>,
    /// Hosts that were named with a port, which then counts.
    ports: HashMap<Box<str>, Vec<u16>>,
    /// Hosts with all that is below them.
    domains: HashSet<Box<str>>,
}

impl KeptHosts {
    pub(super) fn add_host(&mut self, text: &str) -> Result<(), PatternError> {
        let (host, port) = read(text)?;
        match port {
            Some(port) => self.ports.entry(host).or_default().push(port),
            None => drop(self.hosts.insert(host)),
        }
        Ok(())
    }

    pub(super) fn add_domain(&mut self, text: &str) -> Result<(), PatternError> {
        let name = text.trim();
        let name = name.strip_prefix("*.").unwrap_or(name);
        match read(name.strip_prefix('.').unwrap_or(name))? {
            (domain, None) => self.domains.insert(domain),
            (_, Some(_)) => return Err(PatternError::NoHost(text.trim().into())),
        };
        Ok(())
    }

    pub(super) fn hold(&self, url: &CanonicalUrl) -> bool {
        let host = url.host();
        let are_all = self.hosts.is_empty() && self.ports.is_empty() && self.domains.is_empty();
        are_all || self.hosts.contains(host) || self.hold_port(url) || self.hold_domain(host)
    }

    fn hold_port(&self, url: &CanonicalUrl) -> bool {
        let ports = self.ports.get(url.host());
        ports.is_some_and(|ports| ports.contains(&url.port()))
    }

    fn hold_domain(&self, host: &str) -> bool {
        if self.domains.is_empty() {
            return false;
        }
        let above = |name: &&str| -> Option<&str> {
            // The suffixes of `name` are those of `host`.
            let start = host.len() - name.len();
            host[start..].split_once('.').map(|(_, rest)| rest)
        };
        std::iter::successors(Some(host), |name| above(name))
            .any(|name| self.domains.contains(name))
    }
}

/// A host as links have it, with its port where that was written.
pub(super) fn read(text: &str) -> Result<(Box<str>, Option<u16>), PatternError> {
    let text = text.trim();
    let no_host = || PatternError::NoHost(text.into());
    let authority = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = authority.strip_suffix('/').unwrap_or(authority);
    if authority.is_empty() || authority.contains(['/', '?', '#', '@', '*', ' ', ',', '(']) {
        return Err(no_host());
    }
    let url = CanonicalUrl::parse(&format!("http://{authority}/")).map_err(|_| no_host())?;
    // Port 80 goes without saying, and is not written.
    let is_written = url.origin().ends_with(&format!(":{}", url.port()));
    Ok((url.host().into(), is_written.then(|| url.port())))
}
