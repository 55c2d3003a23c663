//! Puts a reference behind its base without the URL parser, when it can.
//!
//! Sound, not complete: `None` means "ask the parser", and whatever is
//! answered is what the parser would have answered (the tests draw both from
//! the same inputs). A text with anything unusual in it, from a `%` to a dot
//! at the start of a segment, is left to the parser.

use super::{CanonicalUrl, assemble, clean};

/// An absolute URL that is canonical already, but perhaps for its bare host.
pub(super) fn absolute(text: &str) -> Option<CanonicalUrl> {
    let host_start = if text.starts_with("http://") {
        7
    } else if text.starts_with("https://") {
        8
    } else {
        return None;
    };
    let after = &text[host_start..];
    let host_len = after.find(['/', '?']).unwrap_or(after.len());
    let (host, asked) = after.split_at(host_len);
    if !is_plain_host(host) || !is_plain(asked) {
        return None;
    }
    let path_start = host_start + host_len;
    let mut whole = String::with_capacity(text.len() + 1);
    whole.push_str(&text[..path_start]);
    if !asked.starts_with('/') {
        whole.push('/');
    }
    whole.push_str(asked);
    assemble(whole, host_start, path_start, path_start).ok()
}

/// A reference of letters, digits and mild punctuation.
pub(super) fn join(base: &CanonicalUrl, reference: &str) -> Option<CanonicalUrl> {
    let bytes = reference.as_bytes();
    let origin = base.origin();
    match bytes {
        [] => Some(base.clone()),
        [b'/', b'/' | b'\\', ..] => None,
        [b'/', ..] => concatenate(base, origin, reference),
        [b'?', ..] => concatenate(
            base,
            &base.text[..origin.len() + base.path().len()],
            reference,
        ),
        _ if reference.starts_with("http://") || reference.starts_with("https://") => {
            absolute(reference)
        }
        _ => {
            let (mut folder, mut rest) = (folder(base.path()), reference);
            loop {
                if let Some(after) = rest.strip_prefix("./") {
                    rest = after;
                } else if let Some(after) = rest.strip_prefix("../") {
                    rest = after;
                    folder = self::folder(&folder[..folder.len() - 1]);
                } else {
                    break;
                }
            }
            // `mailto:x` is no file name; `a/b:c` is, but rare.
            if rest.contains(':') || rest.starts_with('/') {
                return None;
            }
            concatenate(base, &base.text[..origin.len() + folder.len()], rest)
        }
    }
}

/// The path up to and with its last slash; `/` for the empty path above the root.
fn folder(path: &str) -> &str {
    path.rfind('/').map_or("/", |slash| &path[..=slash])
}

fn concatenate(base: &CanonicalUrl, front: &str, reference: &str) -> Option<CanonicalUrl> {
    if !is_plain(reference) {
        return None;
    }
    let mut whole = String::with_capacity(front.len() + reference.len());
    whole.push_str(front);
    whole.push_str(reference);
    let [host_start, host_end, path_start] =
        [base.host_start, base.host_end, base.path_start].map(usize::from);
    assemble(whole, host_start, host_end, path_start).ok()
}

/// Lower-case labels, none of them empty or punycode, and no number at the end
/// that would make it an IPv4 address.
fn is_plain_host(host: &str) -> bool {
    let mut label_start = true;
    for byte in host.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => label_start = false,
            // Leading hyphens are left to the parser.
            b'-' if !label_start => {}
            b'.' if !label_start => label_start = true,
            _ => return false,
        }
    }
    let last_label = host.rsplit('.').next().unwrap_or(host);
    !label_start && last_label.bytes().all(|byte| byte.is_ascii_lowercase()) && !host.contains("--")
}

/// Path and query that no rule touches: see `PLAIN`; no segment begins with a
/// dot, and every parameter is meant.
fn is_plain(asked: &str) -> bool {
    let mut previous = b'/';
    for (at, byte) in asked.bytes().enumerate() {
        if byte == b'?' {
            let query = &asked[at + 1..];
            return query
                .bytes()
                .all(|byte| PLAIN[usize::from(byte)] || byte == b'?')
                && query.split('&').all(clean::is_meant);
        }
        if !PLAIN[usize::from(byte)] || (byte == b'.' && previous == b'/') {
            return false;
        }
        previous = byte;
    }
    true
}

/// Never encoded, decoded or given a meaning by any step. `;` is absent for
/// the session id that may follow, `'` because queries encode it.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let allowed = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&()*+,=:@";
    let mut at = 0;
    while at < allowed.len() {
        plain[allowed[at] as usize] = true;
        at += 1;
    }
    plain
};
