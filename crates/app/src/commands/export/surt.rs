//! Sort keys of addresses: `com,example)/path?a&b`, as archives sort by them.
//!
//! Keys must be those that tools for replay look up, so this follows the
//! Internet Archive's rules to the letter, odd ones included: hosts lose
//! `www.` and the like, everything is in lower case, percent-encoding is
//! undone until nothing changes and done again once, parameters are sorted,
//! and what were session ids on servers of 2005 goes.

use std::borrow::Cow;

/// The key of an `http` or `https` address; other texts are their own.
pub(super) fn surt(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let rest = rest.split('#').next().unwrap_or_default();
    let authority_end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(authority_end);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, port) = host_and_port(authority);
    let mut key = reversed_host(host);
    let implied = match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    if let Some(port) = port.filter(|&port| Some(port) != implied) {
        key.push_str(&format!(":{port}"));
    }
    key.push(')');
    key.push_str(&path_key(path));
    let query = query_key(query);
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    key
}

fn host_and_port(authority: &str) -> (&str, Option<u16>) {
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    if let Some(address) = authority.strip_prefix('[') {
        let (host, port) = address.split_once(']').unwrap_or((address, ""));
        return (host, port.trim_start_matches(':').parse().ok());
    }
    match authority.split_once(':') {
        Some((host, port)) => (host, port.parse().ok()),
        None => (authority, None),
    }
}

/// `www2.example.com` → `com,example`
fn reversed_host(host: &str) -> String {
    let host = String::from_utf8_lossy(&unescaped(host.as_bytes()))
        .to_lowercase()
        .replace("..", ".");
    let host = escaped(host.trim_matches('.').as_bytes());
    let host = without_www(&host);
    let parts: Vec<&str> = host.split('.').rev().collect();
    parts.join(",")
}

/// Without `www.`, `www2.` and so on.
fn without_www(host: &str) -> &str {
    let rest = host.strip_prefix("www");
    let rest = rest.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.and_then(|rest| rest.strip_prefix('.')).unwrap_or(host)
}

fn path_key(path: &str) -> String {
    let path = escaped(&normal_path(&unescaped(path.as_bytes()))).to_ascii_lowercase();
    let path = without_path_session(&path);
    match path.strip_suffix('/') {
        Some(shorter) if !shorter.is_empty() => shorter.to_owned(),
        _ => path.into_owned(),
    }
}

/// Without `.`, `..` and empty segments; what climbs above the root stays.
fn normal_path(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    let mut normal = b"/".to_vec();
    let Some((last, others)) = kept.split_last() else {
        return normal;
    };
    for segment in others.iter().filter(|segment| !segment.is_empty()) {
        normal.extend_from_slice(segment);
        normal.push(b'/');
    }
    normal.extend_from_slice(last);
    normal
}

/// `/(s(24 letters))/page.aspx` and `/(24 letters)/page.aspx` without the
/// parenthesis, where the last one is.
fn without_path_session(path: &str) -> Cow<'_, str> {
    let mut path = Cow::Borrowed(path);
    for skip in [skip_nested_session, skip_session] {
        let shorter = path.match_indices('/').rev().find_map(|(slash, _)| {
            let (before, after) = path.split_at(slash + 1);
            let rest = skip(after)?.strip_prefix(")/")?;
            let until_query = rest.split('?').next()?;
            let is_page = until_query.rfind(".aspx").is_some_and(|at| at > 0);
            is_page.then(|| format!("{before}{rest}"))
        });
        if let Some(shorter) = shorter {
            path = Cow::Owned(shorter);
        }
    }
    path
}

/// What follows `(a(24 letters)b(24 letters)`.
fn skip_nested_session(text: &str) -> Option<&str> {
    let mut rest = text.strip_prefix('(')?;
    let mut n_parts = 0;
    while let Some(part) = skip_part(rest) {
        rest = part;
        n_parts += 1;
    }
    (n_parts > 0).then_some(rest)
}

fn skip_part(text: &str) -> Option<&str> {
    let text = text.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
    skip_session(text)?.strip_prefix(')')
}

/// What follows `(24 letters`.
fn skip_session(text: &str) -> Option<&str> {
    skip_exactly(text.strip_prefix('(')?, 24, |byte| {
        byte.is_ascii_alphanumeric()
    })
}

fn skip_exactly(text: &str, n_bytes: usize, is_wanted: fn(&u8) -> bool) -> Option<&str> {
    let start = text.as_bytes().get(..n_bytes)?;
    // All of them are ASCII, so this is the end of a character.
    start.iter().all(is_wanted).then(|| &text[n_bytes..])
}

fn query_key(query: &str) -> String {
    if query.is_empty() {
        return String::new();
    }
    let query = escaped(&unescaped(query.as_bytes()));
    let query = without_query_session(query).to_ascii_lowercase();
    let mut parameters: Vec<Vec<&str>> = query
        .split('&')
        .map(|parameter| parameter.splitn(2, '=').collect())
        .collect();
    parameters.sort();
    let parameters: Vec<String> = parameters.iter().map(|parts| parts.join("=")).collect();
    parameters.join("&")
}

/// Finds what follows a session id at the start of a text.
type SkipSession = fn(&str) -> Option<&str>;

const QUERY_SESSIONS: [SkipSession; 5] = [
    |text| skip_id(text, "jsessionid="),
    |text| skip_id(text, "phpsessid="),
    |text| skip_id(text, "sid="),
    |text| {
        let rest = skip_word(text, "aspsessionid")?;
        let rest = skip_exactly(rest, 8, u8::is_ascii_alphabetic)?.strip_prefix('=')?;
        skip_exactly(rest, 24, u8::is_ascii_alphabetic)
    },
    |text| {
        let rest = skip_value(skip_word(text, "cfid=")?)?.strip_prefix('&')?;
        skip_value(skip_word(rest, "cftoken=")?)
    },
];

fn skip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let start = text.get(..word.len())?;
    start
        .eq_ignore_ascii_case(word)
        .then(|| &text[word.len()..])
}

fn skip_id<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    skip_exactly(skip_word(text, name)?, 32, u8::is_ascii_alphanumeric)
}

/// What follows a value of at least one character.
fn skip_value(text: &str) -> Option<&str> {
    let end = text.find('&').unwrap_or(text.len());
    (end > 0).then(|| &text[end..])
}

/// A query without the last session id of each kind.
fn without_query_session(mut query: String) -> String {
    for skip in QUERY_SESSIONS {
        let shorter = (0..query.len()).rev().find_map(|start| {
            let rest = skip(query.get(start..)?)?;
            let rest = match rest.strip_prefix('&') {
                Some(rest) => rest,
                None if rest.is_empty() => rest,
                None => return None,
            };
            Some(format!("{}{rest}", &query[..start]))
        });
        query = shorter.unwrap_or(query);
    }
    query
}

/// Percent-encoding undone, again and again until nothing changes.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    loop {
        let shorter = unescaped_once(&text);
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

fn unescaped_once(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let code = match (byte, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        rest = match code {
            Some((high, low)) => {
                out.push(high << 4 | low);
                &after[2..]
            }
            None => {
                out.push(*byte);
                after
            }
        };
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

/// Everything that is no printable ASCII, `#` and `%` in percent-encoding.
fn escaped(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'#' | b'%' => out.push_str(&format!("%{byte:02X}")),
            b'!'..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::surt;

    /// Addresses with the keys that the `surt` package for Python gives them.
    #[test]
    fn keys_are_those_of_the_field() {
        for (url, key) in include!("surt/keys.rs") {
            assert_eq!(surt(url), key, "{url}");
        }
    }

    #[test]
    fn nothing_panics() {
        for url in [
            "",
            "http://",
            "http://%",
            "http://a/%e",
            "http://[/?%zz&=&",
            "a://ü/ü?ü",
        ] {
            surt(url);
        }
    }
}
