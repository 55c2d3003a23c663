//! Tells text, HTML and everything else apart by the first bytes.

/// How far is looked.
const LOOK: usize = 1 << 12;

/// Elements that a page without a head may begin with.
const FIRST_TAGS: [&[u8]; 24] = [
    b"html", b"head", b"body", b"title", b"meta", b"link", b"script", b"style", b"div", b"span",
    b"p", b"a", b"ul", b"ol", b"table", b"h1", b"h2", b"h3", b"br", b"b", b"img", b"section",
    b"article", b"address",
];

/// Begins of files that are full of text and yet no text.
const OTHER_FORMATS: [&[u8]; 4] = [b"%PDF-", b"{\\rtf", b"%!PS", b"filedesc://"];

/// Whether the bytes are no text in any encoding.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOK)];
    // UTF-16 is full of zeros, so it is known by its mark alone.
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return false;
    }
    let is_odd = |byte: &&u8| matches!(byte, 0..=8 | 14..=26 | 28..=31);
    let n_odd = start.iter().filter(is_odd).count();
    // Old texts have a stray control character now and then; a zero never.
    start.contains(&0)
        || n_odd > start.len() / 32
        || OTHER_FORMATS.iter().any(|format| start.starts_with(format))
}

/// Whether the bytes are a page or a part of one.
pub(super) fn is_html(bytes: &[u8]) -> bool {
    let start = bytes[..bytes.len().min(LOOK)].to_ascii_lowercase();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    let start = start.trim_ascii_start();
    let begins_with_tag = start.strip_prefix(b"<").is_some_and(|rest| {
        let ends = |after: Option<&u8>| after.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        FIRST_TAGS
            .iter()
            .any(|tag| rest.starts_with(tag) && ends(rest.get(tag.len())))
    });
    let has = |needle: &[u8]| start.windows(needle.len()).any(|window| window == needle);
    begins_with_tag || has(b"<!doctype html") || has(b"<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_known_by_their_first_tags() {
        for html in [
            "<!DOCTYPE html><p>x",
            "\u{feff}\n<HTML lang=en>",
            "<?xml version='1.0'?>\n<!-- made by hand -->\n<html>",
            "<p>Houston",
            "<h1>Houston</h1>",
            "<a href=/>Houston</a>",
        ] {
            assert!(is_html(html.as_bytes()), "{html}");
        }
        for text in [
            "Houston",
            "a < b and c > d",
            "<none@example.org> wrote:",
            "<pizza>",
        ] {
            assert!(!is_html(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_is_no_text_is_known() {
        for binary in [
            &b"\x89PNG\r\n\x1a\n\0\0"[..],
            b"%PDF-1.4 all ASCII",
            b"a\0b",
        ] {
            assert!(is_binary(binary), "{binary:?}");
        }
        for text in [
            "Büro in Köln\tund Bonn\r\n".as_bytes(),
            b"B\xfcro in K\xf6ln",
            b"\xff\xfeK\0\xf6\0l\0n\0",
        ] {
            assert!(!is_binary(text), "{text:?}");
        }
    }
}
