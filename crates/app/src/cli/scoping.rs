//! What links have to keep to.

use clap::Args;

/// How hosts, domains and patterns are written, behind the options.
pub(super) const PATTERNS: &str = "\
Scope: /path/ as a pattern is the start of paths, with * and $ as in robots.txt; example.org is a \
host and *.example.org a domain, both also with a path behind them; org,example, or \
http://(org,example,)/path is a SURT prefix. Schemes do not matter. In place of a host, domain or \
pattern, @FILE names a file with one on each line.";

/// Hosts, domains and patterns, or files of them, all optional.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct ScopingArgs {
    /// Keep to these hosts, e.g. `www.example.org,example.org:8080`
    #[arg(long, value_name = "HOST|@FILE", value_delimiter = ',')]
    pub(crate) only_hosts: Vec<String>,
    /// Keep to these domains with all hosts below them, e.g. `example.org,example.com`
    #[arg(long, value_name = "DOMAIN|@FILE", value_delimiter = ',')]
    pub(crate) only_domains: Vec<String>,
    /// Keep to links of this pattern (see the end of this help), or of any of several
    #[arg(long, value_name = "PATTERN|@FILE")]
    pub(crate) include: Vec<String>,
    /// Leave out links of this pattern, whatever else is said of them
    #[arg(long, value_name = "PATTERN|@FILE")]
    pub(crate) exclude: Vec<String>,
}
