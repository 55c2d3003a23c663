//! From the bytes of a robots file to the rules of one agent.
//!
//! Two readings are kept while the lines go by, that of the groups naming
//! our agent and that of the groups naming `*`; which of them counts is known
//! only at the end. Bytes are compared, not characters: a Latin-1 path then
//! matches the Latin-1 URL it was meant for.

use super::{Access, MAX_BYTES, Rule, Rules, pattern};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Duration;

/// A site that asks for more is a site we visit once a day.
const MAX_DELAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Far beyond what sites list; keeps a hostile file from filling a queue.
const MAX_SITEMAPS: usize = 1_000;

/// Rules with a star that are tried in full. Each costs a search through the
/// path, and 500 KiB hold 50,000 of them; the longest honest files have a few
/// hundred.
const MAX_STARS: usize = 2_000;

pub(super) fn rules(bytes: &[u8], agent: &str) -> Rules {
    let text = decode(bytes);
    let token = product_token(agent.as_bytes());
    let mut ours = Reading::default();
    let mut everyone = Reading::default();
    let mut sitemaps: Vec<String> = Vec::new();
    let mut listed: HashSet<&[u8]> = HashSet::new();

    for (line, content) in (1..).zip(lines(&text)) {
        let Some((key, value)) = record(content) else {
            continue;
        };
        match key {
            Key::UserAgent => {
                ours.meet(names(value, token));
                everyone.meet(names_everyone(value));
            }
            Key::Rule(access) => {
                ours.rule(access, value, line);
                everyone.rule(access, value, line);
            }
            Key::CrawlDelay => {
                let delay = delay(value);
                ours.delay(delay);
                everyone.delay(delay);
            }
            Key::Sitemap => {
                if !value.is_empty() && sitemaps.len() < MAX_SITEMAPS && listed.insert(value) {
                    sitemaps.push(String::from_utf8_lossy(value).into_owned());
                }
            }
        }
    }
    let reading = if ours.named { ours } else { everyone };
    reading.into_rules(sitemaps)
}

/// The text of a line, where there is one with that number.
pub(super) fn line(bytes: &[u8], number: u32) -> Option<String> {
    let text = decode(bytes);
    let line_idx = number.checked_sub(1)?;
    let line = lines(&text).nth(line_idx as usize)?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// What has been read so far on behalf of one agent.
#[derive(Default)]
struct Reading {
    /// Some group names this agent, even if it then says nothing.
    named: bool,
    /// The current group's rules are for this agent.
    listens: bool,
    /// The current group's crawl delay is for this agent.
    waits: bool,
    had_rule: bool,
    had_delay: bool,
    patterns: String,
    /// Each with its weight, which is the length of its pattern as written.
    rules: Vec<(usize, Rule)>,
    n_stars: usize,
    crawl_delay: Option<Duration>,
}

impl Reading {
    /// A user-agent line, which names this agent or another.
    fn meet(&mut self, named: bool) {
        // Agents named in a row share the rules that follow. A crawl delay
        // does not end the row, since RFC 9309 lets only rules do that; but it
        // is owed by the agents named before it, not by those after.
        if self.had_rule {
            self.listens = false;
        }
        if self.had_rule || self.had_delay {
            self.waits = false;
        }
        self.had_rule = false;
        self.had_delay = false;
        self.named |= named;
        self.listens |= named;
        self.waits |= named;
    }

    fn rule(&mut self, access: Access, value: &[u8], line: u32) {
        self.had_rule = true;
        // A pattern that can match no path, such as the empty one, is no rule.
        if !self.listens || !matches!(value.first(), Some(b'/' | b'*')) {
            return;
        }
        self.push(access, &[value], line);
        // Who allows a folder's index page allows the folder's own address,
        // which shows that page: the large parsers agree on this.
        if access == Access::Allow
            && let Some(folder) = folder_of_index(value)
        {
            self.push(access, &[folder, b"$"], line);
        }
    }

    fn push(&mut self, access: Access, pieces: &[&[u8]], line: u32) {
        let start = self.patterns.len();
        pattern::spell_pattern(&pieces.concat(), &mut self.patterns);
        let weight = self.patterns.len() - start;
        if let Some(star) = self.patterns[start..].find('*') {
            self.n_stars += 1;
            if self.n_stars > MAX_STARS && access == Access::Allow {
                self.patterns.truncate(start);
                return;
            }
            if self.n_stars > MAX_STARS {
                self.simplify(start, star);
            }
        }
        let rule = Rule {
            start: offset(start),
            end: offset(self.patterns.len()),
            line,
            access,
        };
        self.rules.push((weight, rule));
    }

    /// Cuts the last pattern off at its first star: it then matches all that
    /// it did and more, and keeps its weight, so that what it forbade stays
    /// forbidden.
    fn simplify(&mut self, start: usize, star: usize) {
        self.patterns.truncate(start + star);
        if star == 0 {
            self.patterns.push('/');
        }
    }

    fn delay(&mut self, delay: Option<Duration>) {
        self.had_delay = true;
        if self.waits {
            self.crawl_delay = self.crawl_delay.max(delay);
        }
    }

    fn into_rules(mut self, sitemaps: Vec<String>) -> Rules {
        // The sort is stable: among equals the earliest line gives the reason.
        self.rules
            .sort_by_key(|&(weight, rule)| (Reverse(weight), rule.access));
        Rules {
            patterns: self.patterns.into_boxed_str(),
            rules: self.rules.into_iter().map(|(_, rule)| rule).collect(),
            crawl_delay: self.crawl_delay,
            sitemaps: sitemaps.into_boxed_slice(),
        }
    }
}

fn offset(len: usize) -> u32 {
    u32::try_from(len).expect("spelling 500 KiB takes a few megabytes at most")
}

/// The records we act on; all others are skipped and end no group.
enum Key {
    UserAgent,
    Rule(Access),
    CrawlDelay,
    Sitemap,
}

impl Key {
    /// Knows the misspellings that the large parsers forgive.
    fn named(name: &[u8]) -> Option<Key> {
        let name = name.to_ascii_lowercase();
        Some(match name.as_slice() {
            b"user-agent" | b"useragent" | b"user agent" | b"user-agents" | b"useg-agent"
            | b"user-agnet" => Key::UserAgent,
            b"allow" => Key::Rule(Access::Allow),
            b"disallow" | b"dissallow" | b"dissalow" | b"disalow" | b"diasllow" | b"disallaw"
            | b"desallow" | b"dsallow" => Key::Rule(Access::Disallow),
            b"crawl-delay" | b"crawldelay" | b"crawl delay" => Key::CrawlDelay,
            b"sitemap" | b"site-map" => Key::Sitemap,
            _ => return None,
        })
    }
}

/// The part worth reading, without its byte order mark.
fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    let head = match bytes.get(..MAX_BYTES) {
        // Half a line is half a path, and would forbid or allow too much.
        Some(head) if bytes.len() > MAX_BYTES => {
            let end = head.iter().rposition(|&byte| is_line_end(byte));
            &head[..end.unwrap_or(0)]
        }
        _ => bytes,
    };
    match head {
        [0xFF, 0xFE, units @ ..] => Cow::Owned(from_utf16(units, u16::from_le_bytes)),
        [0xFE, 0xFF, units @ ..] => Cow::Owned(from_utf16(units, u16::from_be_bytes)),
        [0xEF, 0xBB, 0xBF, rest @ ..] => Cow::Borrowed(rest),
        _ => Cow::Borrowed(head),
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes.as_chunks::<2>().0.iter().copied().map(unit);
    char::decode_utf16(units)
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .into_bytes()
}

/// Lines ended by CR, LF or both, so that line numbers are an editor's.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.iter().position(|&byte| is_line_end(byte)) else {
            rest = None;
            return Some(text);
        };
        let after = &text[end..];
        rest = after.strip_prefix(b"\r\n").or(after.get(1..));
        Some(&text[..end])
    })
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Key and value of one line, comments and white space removed.
fn record(line: &[u8]) -> Option<(Key, &[u8])> {
    let content = line.split(|&byte| byte == b'#').next()?.trim_ascii();
    if let Some(colon) = content.iter().position(|&byte| byte == b':') {
        let key = Key::named(content[..colon].trim_ascii())?;
        return Some((key, content[colon + 1..].trim_ascii()));
    }
    // A forgotten colon is forgiven when the line is plainly two words.
    let gap = content.iter().position(u8::is_ascii_whitespace)?;
    let value = content[gap..].trim_ascii();
    if value.iter().any(u8::is_ascii_whitespace) {
        return None;
    }
    Some((Key::named(&content[..gap])?, value))
}

/// Whether a user-agent line lists the product token. Lists separated by
/// commas are not in the standard but are plainly meant.
fn names(value: &[u8], token: &[u8]) -> bool {
    !token.is_empty()
        && value
            .split(|&byte| byte == b',')
            .any(|name| product_token(name.trim_ascii()).eq_ignore_ascii_case(token))
}

fn names_everyone(value: &[u8]) -> bool {
    match value {
        [b'*'] => true,
        [b'*', next, ..] => next.is_ascii_whitespace() || *next == b',',
        _ => false,
    }
}

/// `/town/` of `/town/index.html`.
fn folder_of_index(value: &[u8]) -> Option<&[u8]> {
    let slash = value.iter().rposition(|&byte| byte == b'/')?;
    let (folder, page) = value.split_at(slash + 1);
    page.starts_with(b"index.htm").then_some(folder)
}

/// `locavore` of `locavore/1.0 (+http://…)`. Digits are no part of a token in
/// RFC 9309, but there are agents such as `MJ12bot`.
fn product_token(name: &[u8]) -> &[u8] {
    let end = name
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_'));
    &name[..end.unwrap_or(name.len())]
}

/// Seconds, perhaps with a fraction, perhaps with rubbish after them.
fn delay(value: &[u8]) -> Option<Duration> {
    let end = value
        .iter()
        .position(|byte| !byte.is_ascii_digit() && *byte != b'.')
        .unwrap_or(value.len());
    let seconds: f64 = str::from_utf8(&value[..end]).ok()?.parse().ok()?;
    Some(Duration::try_from_secs_f64(seconds).map_or(MAX_DELAY, |delay| delay.min(MAX_DELAY)))
}
