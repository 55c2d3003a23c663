//! Heads of messages, as bytes: header lines found, renamed and counted.
//!
//! Servers send what they like, so a head is any bytes; lines end in a line
//! feed and nothing more is assumed.

use super::body;

/// A response head that is true of the decoded body: encodings that are undone
/// are kept under `X-Archive-Orig-…`, and the length is the body's.
pub(super) fn archived_head(head: &[u8], body_len: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(head.len() + 96);
    let right_len = body_len.to_string();
    let mut has_len = false;
    for line in head.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        let name = name_of(line);
        let is = |other: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(other.as_bytes()));
        let is_len = is("content-length");
        let is_right = is_len && !has_len && value_of(line) == right_len.as_bytes();
        has_len |= is_right;
        let is_wrapping =
            is("transfer-encoding") || is("content-encoding") && body::is_undone(value_of(line));
        if is_wrapping || (is_len && !is_right) {
            out.extend_from_slice(b"X-Archive-Orig-");
        }
        out.extend_from_slice(line);
        out.extend_from_slice(b"\r\n");
    }
    if !has_len {
        out.extend_from_slice(format!("Content-Length: {right_len}\r\n").as_bytes());
    }
    out.extend_from_slice(b"\r\n");
    out
}

/// The head of an answer that has no body by its nature, in whole lines; what
/// it says of a length is about the body that was not sent.
pub(super) fn bodiless_head(head: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(head.len() + 4);
    for line in head.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.is_empty() {
            out.extend_from_slice(line);
            out.extend_from_slice(b"\r\n");
        }
    }
    out.extend_from_slice(b"\r\n");
    out
}

/// Everything up to and with the first empty line, and the rest.
pub(super) fn split_head(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some(bytes.split_at(end + 4))
}

/// A head and its body; also where a server ended its lines without `\r`.
pub(super) fn split_any_head(block: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut end = 0;
    for line in block.split_inclusive(|&byte| byte == b'\n') {
        end += line.len();
        if line.trim_ascii().is_empty() {
            return Some(block.split_at(end));
        }
    }
    None
}

/// The value of the first field of that name.
pub(super) fn field<'a>(head: &'a [u8], name: &str) -> Option<&'a [u8]> {
    head.split(|&byte| byte == b'\n')
        .find(|line| name_of(line).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes())))
        .map(value_of)
}

/// The status in a status line; zero if there is none.
pub(super) fn status(head: &[u8]) -> u16 {
    let code = head.split(|&byte| byte == b' ').nth(1).unwrap_or_default();
    let code = code.get(..3).and_then(|code| str::from_utf8(code).ok());
    code.and_then(|code| code.parse().ok()).unwrap_or(0)
}

fn name_of(line: &[u8]) -> Option<&[u8]> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    Some(line[..colon].trim_ascii())
}

fn value_of(line: &[u8]) -> &[u8] {
    let colon = line.iter().position(|&byte| byte == b':').unwrap_or(0);
    line.get(colon + 1..).unwrap_or_default().trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archived(head: &str, body_len: usize) -> String {
        String::from_utf8(archived_head(head.as_bytes(), body_len))
            .unwrap()
            .replace("\r\n", "|")
    }

    #[test]
    fn encodings_are_set_aside_and_the_length_is_the_bodys() {
        assert_eq!(
            archived(
                "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\ntransfer-encoding: chunked\r\nContent-Length: 7\r\n\r\n",
                20
            ),
            "HTTP/1.1 200 OK|X-Archive-Orig-Content-Encoding: br|X-Archive-Orig-transfer-encoding: chunked|\
             X-Archive-Orig-Content-Length: 7|Content-Length: 20||"
        );
    }

    #[test]
    fn an_encoding_that_nobody_undoes_is_still_there() {
        assert_eq!(
            archived("HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\n\r\n", 9),
            "HTTP/1.1 200 OK|Content-Encoding: compress|Content-Length: 9||"
        );
    }

    #[test]
    fn a_right_length_is_left_alone_once() {
        assert_eq!(
            archived(
                "HTTP/1.1 200 OK\nContent-length: 20\nContent-Length: 20\nX: y",
                20
            ),
            "HTTP/1.1 200 OK|Content-length: 20|X-Archive-Orig-Content-Length: 20|X: y||"
        );
    }

    #[test]
    fn status_is_read_from_any_version() {
        let status = |head: &str| status(head.as_bytes());
        assert_eq!(status("HTTP/1.1 404 Not Found\r\n\r\n"), 404);
        assert_eq!(status("HTTP/2 200\r\n\r\n"), 200);
        assert_eq!(status("nonsense"), 0);
    }
}
