//! The parts of a URL that do not say which page is meant.
//!
//! The table is short on purpose: a key belongs here when a widely used tool
//! adds it to links of sites it does not own, or a widely used server adds it
//! to every link of a visit. `sid` and its kin are also honest parameters
//! (`sid=12` for story 12), so they go only when their value looks drawn at
//! random.

/// Added to links by newsletters, advertisements and social networks.
const TRACKING: &[&str] = &[
    "__hsfp",
    "__hssc",
    "__hstc",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_kx",
    "_openstat",
    "dclid",
    "epik",
    "fb_action_ids",
    "fb_action_types",
    "fb_ref",
    "fb_source",
    "fbclid",
    "gad_campaignid",
    "gad_source",
    "gbraid",
    "gclid",
    "gclsrc",
    "hsctatracking",
    "igshid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "msclkid",
    "oly_anon_id",
    "oly_enc_id",
    "pk_campaign",
    "pk_cid",
    "pk_content",
    "pk_keyword",
    "pk_kwd",
    "pk_medium",
    "pk_source",
    "ref_src",
    "ref_url",
    "srsltid",
    "ttclid",
    "twclid",
    "vero_id",
    "wbraid",
    "wickedid",
    "wt_mc",
    "yclid",
    "ysclid",
];

/// Added to links by servers that could not set a cookie.
const SESSION: &[&str] = &[
    "bv_engineid",
    "bv_sessionid",
    "cfid",
    "cftoken",
    "jsessionid",
    "modsid",
    "oscsid",
    "phpsessid",
    "phpsessionid",
    "xtcsid",
    "zenid",
];

/// Session ids only if their value is long and without structure.
const PERHAPS_SESSION: &[&str] = &[
    "sesid",
    "sess",
    "sessid",
    "session",
    "session_id",
    "sessionid",
    "sid",
];

const PREFIXES: &[&str] = &["aspsessionid", "hsa_", "mtm_", "utm_"];

/// The session of a much used forum; elsewhere what was searched for, so it
/// goes only when its value is a digest.
const SESSION_DIGEST: &str = "s";

/// The path parameter of Java servers, as in `/a;jsessionid=1F00`.
const SESSION_IN_PATH: &str = ";jsessionid=";

/// One spelling of percent-encoding: unreserved characters plain, everything
/// else in upper-case hex, a stray `%` as `%25`, and the few characters the
/// URL parser lets through though RFC 3986 has no place for them encoded.
pub(super) fn percent_encoding(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some(&first) = rest.first() {
        let (byte, len, is_plain) = match escaped(rest) {
            Some(byte) => (byte, 3, is_unreserved(byte)),
            None => (first, 1, first != b'%' && !is_foreign(first)),
        };
        if is_plain {
            clean.push(char::from(byte));
        } else {
            encode(&mut clean, byte);
        }
        rest = &rest[len..];
    }
    clean
}

/// The byte behind `%2f`, if the text starts with one.
fn escaped(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else {
        return None;
    };
    Some(hex(*high)? << 4 | hex(*low)?)
}

fn encode(clean: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    clean.push('%');
    clean.push(char::from(DIGITS[usize::from(byte >> 4)]));
    clean.push(char::from(DIGITS[usize::from(byte & 15)]));
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

/// Letters, digits and `-._~`: the same page whether encoded or not.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// No part of RFC 3986's grammar.
fn is_foreign(byte: u8) -> bool {
    !byte.is_ascii_graphic()
        || matches!(
            byte,
            b'"' | b'<' | b'>' | b'[' | b'\\' | b']' | b'^' | b'`' | b'{' | b'|' | b'}'
        )
}

/// The path without its session parameters, if it has any.
pub(super) fn without_session(path: &str) -> Option<String> {
    let mut rest = path;
    let mut kept = String::new();
    while let Some(start) = find_ignoring_case(rest, SESSION_IN_PATH) {
        kept.push_str(&rest[..start]);
        let after = &rest[start + SESSION_IN_PATH.len()..];
        let end = after.find(['/', ';']).unwrap_or(after.len());
        rest = &after[end..];
    }
    if rest.len() == path.len() {
        return None;
    }
    kept.push_str(rest);
    Some(kept)
}

fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    let windows = text.as_bytes().windows(needle.len()).enumerate();
    let mut found = windows.filter(|(_, window)| window.eq_ignore_ascii_case(needle.as_bytes()));
    found.next().map(|(at, _)| at)
}

/// The query without empty, tracking and session parameters; order untouched.
pub(super) fn query(query: &str) -> String {
    let mut kept = String::with_capacity(query.len());
    for parameter in query.split('&').filter(|parameter| is_meant(parameter)) {
        if !kept.is_empty() {
            kept.push('&');
        }
        kept.push_str(parameter);
    }
    kept
}

/// A parameter that is not empty and has a say in which page is meant.
pub(super) fn is_meant(parameter: &str) -> bool {
    let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let is = |known: &&str| key.eq_ignore_ascii_case(known);
    let starts = |prefix: &&str| {
        key.as_bytes()
            .get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    !(parameter.is_empty()
        || PREFIXES.iter().any(starts)
        || TRACKING.iter().any(is)
        || SESSION.iter().any(is)
        || looks_random(value) && PERHAPS_SESSION.iter().any(is)
        || is(&SESSION_DIGEST) && is_digest(value))
}

/// At least sixteen letters and digits with two digits among them.
fn looks_random(value: &str) -> bool {
    value.len() >= 16
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && value.bytes().filter(u8::is_ascii_digit).count() >= 2
}

/// Thirty-two hexadecimal digits.
fn is_digest(value: &str) -> bool {
    value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}
