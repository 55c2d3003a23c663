//! Robots rules (RFC 9309): may this agent ask for this path, and which line says so.
//!
//! Only the group that speaks to our agent is kept. The longest matching rule
//! decides and `allow` wins a tie; a verdict costs at most one pass over the
//! path for each of two thousand rules with a star, however the file was
//! written: further ones are cut short, to the strict side.
//!
//! Fetching `/robots.txt`, and what its absence or failure means, is left to
//! the caller: `Rules::allow_all` and `Rules::disallow_all` are its answers.

mod parse;
pub(crate) mod pattern;

use std::time::Duration;

/// How much of a file is read; RFC 9309 asks for at least this. A fetcher
/// brings a little more where there is more, which shows that it was cut.
pub(crate) const MAX_BYTES: usize = 500 * 1024;

/// What one site asks of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Every kept pattern in its compared spelling, end to end.
    patterns: Box<str>,
    /// Most specific first, so that the first match decides.
    rules: Box<[Rule]>,
    crawl_delay: Option<Duration>,
    sitemaps: Box<[String]>,
}

/// One `allow` or `disallow` line; its pattern is a span of `Rules::patterns`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rule {
    start: u32,
    end: u32,
    line: u32,
    access: Access,
}

/// Which of the two rules a line is. The order is that of a tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    Allow,
    Disallow,
}

/// Whether a path may be fetched, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the path may be fetched.
    pub allowed: bool,
    /// Line number of the rule that decided; 0 when no rule speaks of the path.
    pub line: u32,
}

impl Rules {
    /// Reads a robots file as `agent`, a product token such as `locavore`
    /// (what follows the token, as in `locavore/1.0`, is ignored).
    ///
    /// Never fails: what cannot be understood is skipped, as the protocol
    /// asks. Bytes after the first 500 KiB are not looked at.
    pub fn parse(text: &[u8], agent: &str) -> Rules {
        parse::rules(text, agent)
    }

    /// The rules of a site that has none.
    pub fn allow_all() -> Rules {
        Rules {
            patterns: Box::default(),
            rules: Box::default(),
            crawl_delay: None,
            sitemaps: Box::default(),
        }
    }

    /// The rules of a site whose robots file cannot be had for now.
    pub fn disallow_all() -> Rules {
        Rules {
            patterns: "/".into(),
            rules: Box::new([Rule {
                start: 0,
                end: 1,
                line: 0,
                access: Access::Disallow,
            }]),
            ..Rules::allow_all()
        }
    }

    /// Judges a path with its query, as in the request line.
    pub fn verdict(&self, path_and_query: &str) -> Verdict {
        let free = Verdict {
            allowed: true,
            line: 0,
        };
        // The file itself must stay readable, or a site could never change its mind.
        if path_and_query == "/robots.txt" {
            return free;
        }
        let path = pattern::spell_path(path_and_query);
        self.rules
            .iter()
            .find(|rule| pattern::matches(self.pattern(rule), &path))
            .map_or(free, |rule| Verdict {
                allowed: rule.access == Access::Allow,
                line: rule.line,
            })
    }

    /// Whether a line, with this text, counts with what stands before its
    /// first wildcard alone: further ones are too many.
    pub fn is_shortened(&self, line: u32, text: &str) -> bool {
        let text = text.split('#').next().unwrap_or_default();
        let mut rules = self.rules.iter().filter(|rule| rule.line == line);
        text.contains('*') && rules.any(|rule| !self.pattern(rule).contains('*'))
    }

    /// How long the site asks us to wait between requests, at most a day.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// Sitemaps named anywhere in the file, as written: some are relative.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// Memory taken by what is kept of the file, about.
    pub(crate) fn n_bytes(&self) -> usize {
        let sitemaps = self.sitemaps.iter();
        let n_sitemap_bytes: usize = sitemaps.map(|sitemap| sitemap.len() + 24).sum();
        self.patterns.len() + size_of_val(&*self.rules) + n_sitemap_bytes
    }

    fn pattern(&self, rule: &Rule) -> &str {
        &self.patterns[rule.start as usize..rule.end as usize]
    }
}

/// A line of a robots file by its number, as `Verdict` counts lines. Control
/// characters are the file's own.
pub fn line(text: &[u8], number: u32) -> Option<String> {
    parse::line(text, number)
}

#[cfg(test)]
mod tests;
