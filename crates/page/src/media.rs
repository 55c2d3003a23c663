//! Whether a body is something to read, by what it is called and how it starts.
//!
//! Small servers send pages without a type, as `application/octet-stream` or
//! as `application/x-httpd-php`, and images as `text/plain`. A type is believed
//! unless the first bytes plainly speak against it. A much shorter version of
//! the WHATWG's MIME Sniffing Standard: it has to tell pages from the rest,
//! not the rest from each other.

/// How many bytes are looked at.
pub const N_BYTES: usize = 512;

/// What a type promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// Something to read, unless it turns out to be binary.
    Text,
    /// It may be anything: the first bytes decide.
    Unsure,
    /// Nothing to read; it stays on the server.
    Other,
}

/// Starts of files that are surely no text.
const SIGNATURES: [(&[u8], &str); 17] = [
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"RIFF", "application/octet-stream"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1F\x8B", "application/gzip"),
    (b"7z\xBC\xAF", "application/x-7z-compressed"),
    (b"Rar!\x1A", "application/vnd.rar"),
    (b"BZh", "application/x-bzip2"),
    (b"\xD0\xCF\x11\xE0", "application/x-ole-storage"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x7FELF", "application/octet-stream"),
];

/// Tags that a page may start with.
const FIRST_TAGS: [&str; 20] = [
    "!doctype html",
    "html",
    "head",
    "body",
    "title",
    "meta",
    "link",
    "script",
    "style",
    "h1",
    "div",
    "p",
    "a",
    "b",
    "br",
    "font",
    "table",
    "center",
    "iframe",
    "main",
];

/// What a declared type promises.
pub fn promise(declared: Option<&str>) -> Promise {
    let essence = essence(declared).to_ascii_lowercase();
    match essence.as_str() {
        "application/xhtml+xml" => Promise::Text,
        "" | "application/octet-stream" | "application/xml" | "application/force-download" => {
            Promise::Unsure
        }
        essence if essence.starts_with("text/") => Promise::Text,
        // `html`, `application/html`, `application/x-httpd-php`, `unknown/unknown`.
        essence
            if ["html", "php", "unknown"]
                .iter()
                .any(|word| essence.contains(word)) =>
        {
            Promise::Unsure
        }
        essence if !essence.contains('/') => Promise::Unsure,
        _ => Promise::Other,
    }
}

/// The type a body is taken for, given its first bytes: the declared one, or
/// another that says better what it is. None where nothing is declared and
/// the bytes may be text.
pub fn taken_for(declared: Option<&str>, start: &[u8]) -> Option<String> {
    let start = &start[..start.len().min(N_BYTES)];
    let as_declared = || declared.map(str::to_owned);
    if start.is_empty() {
        return as_declared();
    }
    match promise(declared) {
        Promise::Other => as_declared(),
        Promise::Text => binary_type(start, declared)
            .map(str::to_owned)
            .or_else(as_declared),
        Promise::Unsure => match binary_type(start, declared) {
            Some(binary) => Some(binary.to_owned()),
            None if is_html(start) => Some(html_type(declared)),
            None => as_declared(),
        },
    }
}

/// Whether a page that is taken for this is left where it is. A small server's
/// text without a type is a page all the same.
pub fn is_unwanted(taken_for: Option<&str>) -> bool {
    taken_for.is_some_and(|taken| promise(Some(taken)) != Promise::Text)
}

/// The type without its parameters.
fn essence(declared: Option<&str>) -> &str {
    let essence = declared.and_then(|declared| declared.split(';').next());
    essence.unwrap_or_default().trim()
}

/// `text/html`, with the charset that was declared.
fn html_type(declared: Option<&str>) -> String {
    let parameters = declared.and_then(|declared| declared.split_once(';'));
    match parameters {
        Some((_, parameters)) => format!("text/html;{parameters}"),
        None => "text/html".to_owned(),
    }
}

/// Whether this is declared to be plain text, and does not begin as a page does.
pub(crate) fn is_plain(declared: Option<&str>, start: &[u8]) -> bool {
    essence(declared).eq_ignore_ascii_case("text/plain")
        && !is_html(&start[..start.len().min(N_BYTES)])
}

/// What kind of binary data this is, if it is.
fn binary_type(start: &[u8], declared: Option<&str>) -> Option<&'static str> {
    let known = SIGNATURES
        .iter()
        .find(|(signature, _)| start.starts_with(signature));
    if let Some((_, binary)) = known {
        return Some(binary);
    }
    // Whoever says HTML is taken at their word: pages with stray zeros exist,
    // and what goes on like this for ever is too large, not of a wrong type.
    let is_page = matches!(
        essence(declared).to_ascii_lowercase().as_str(),
        "text/html" | "application/xhtml+xml"
    );
    if is_page || is_wide(start, declared) {
        return None;
    }
    // Control characters that no text contains; escape sequences some do.
    let is_control = |byte: &u8| matches!(byte, 0x00..=0x08 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    let n_controls = start.iter().filter(|byte| is_control(byte)).count();
    // One stray control character in a page is a typing mistake.
    let is_binary = n_controls * 50 > start.len() || (n_controls > 0 && start.len() < 50);
    is_binary.then_some("application/octet-stream")
}

/// Whether every other byte may be zero.
fn is_wide(start: &[u8], declared: Option<&str>) -> bool {
    let has_mark = start.starts_with(&[0xFE, 0xFF]) || start.starts_with(&[0xFF, 0xFE]);
    let is_declared =
        declared.is_some_and(|declared| declared.to_ascii_lowercase().contains("utf-16"));
    let looks_so = start.starts_with(b"<\0") || start.starts_with(b"\0<");
    has_mark || is_declared || looks_so
}

/// Whether a text starts as a page does, comments and XML declaration aside.
fn is_html(start: &[u8]) -> bool {
    // The two wide encodings differ from plain ASCII in their zeros and mark.
    let narrow: Vec<u8> = start
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, 0x00 | 0xFE | 0xFF | 0xEF | 0xBB | 0xBF))
        .collect();
    let text = String::from_utf8_lossy(&narrow).to_ascii_lowercase();
    let mut rest = text.trim_start();
    while let Some(after) = skip_preamble(rest) {
        rest = after.trim_start();
    }
    rest.strip_prefix('<').is_some_and(|rest| {
        FIRST_TAGS.iter().any(|tag| {
            rest.strip_prefix(tag)
                .is_some_and(|after| after.starts_with(|c: char| !c.is_ascii_alphanumeric()))
        })
    })
}

/// What follows a comment or an XML declaration.
fn skip_preamble(text: &str) -> Option<&str> {
    let end = |start: &str, end: &str| {
        let inside = text.strip_prefix(start)?;
        inside.split_once(end).map(|(_, after)| after)
    };
    end("<!--", "-->").or_else(|| end("<?", "?>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(declared: &str, start: &[u8]) -> String {
        let declared = (!declared.is_empty()).then_some(declared);
        taken_for(declared, start).unwrap_or_else(|| "-".to_owned())
    }

    #[test]
    fn promises_follow_the_type() {
        use Promise::{Other, Text, Unsure};
        for (declared, expected) in [
            ("text/html; charset=utf-8", Text),
            ("TEXT/HTML", Text),
            ("text/plain", Text),
            ("application/xhtml+xml", Text),
            ("", Unsure),
            (";charset=utf-8", Unsure),
            ("application/octet-stream", Unsure),
            ("application/x-httpd-php", Unsure),
            ("application/xml", Unsure),
            ("html", Unsure),
            ("application/pdf", Other),
            ("image/png", Other),
            ("application/json", Other),
        ] {
            assert_eq!(promise(Some(declared)), expected, "{declared}");
        }
        assert_eq!(promise(None), Unsure);
    }

    #[test]
    fn pages_are_pages_whatever_they_are_called() {
        for start in [
            &b"<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">"[..],
            b"\n\n  <html lang=pt>",
            b"\xEF\xBB\xBF<!-- made by hand --><head>",
            b"<?xml version=\"1.0\"?>\n<!DOCTYPE html>",
            b"<P>Porto",
            b"<h1>Porto</h1>",
            b"\xFF\xFE<\0h\0t\0m\0l\0>\0",
        ] {
            let shown = String::from_utf8_lossy(start);
            assert_eq!(taken("", start), "text/html", "{shown}");
            assert_eq!(
                taken("application/octet-stream", start),
                "text/html",
                "{shown}"
            );
            let php = taken("application/x-httpd-php; charset=latin1", start);
            assert_eq!(php, "text/html; charset=latin1", "{shown}");
        }
    }

    #[test]
    fn what_is_no_page_keeps_its_name() {
        assert_eq!(
            taken("application/octet-stream", b"user-agent: *"),
            "application/octet-stream"
        );
        assert_eq!(
            taken("application/xml", b"<rss version=\"2.0\">"),
            "application/xml"
        );
        assert_eq!(taken("application/xml", b"<article>"), "application/xml");
        assert_eq!(taken("", b"just words"), "-");
        assert_eq!(taken("", b""), "-");
        assert_eq!(taken("text/plain", b"<html> as an example"), "text/plain");
        assert_eq!(taken("image/png", b"<html>"), "image/png");
    }

    #[test]
    fn plain_text_is_what_does_not_begin_as_a_page() {
        let plain = "Text/Plain; charset=utf-8";
        assert!(is_plain(Some(plain), b"1 < 2, says the <b>book</b>"));
        assert!(!is_plain(Some(plain), b"<!doctype html><p>Porto"));
        assert!(!is_plain(Some("text/html"), b"Porto"));
        assert!(!is_plain(None, b"Porto"));
    }

    #[test]
    fn binary_data_is_no_text_whatever_it_is_called() {
        assert_eq!(taken("text/html", b"%PDF-1.4 ..."), "application/pdf");
        assert_eq!(taken("text/plain", b"\x89PNG\r\n\x1a\n"), "image/png");
        assert_eq!(taken("", b"PK\x03\x04\x14\0"), "application/zip");
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(taken("text/plain", &bytes), "application/octet-stream");
        assert_eq!(taken("text/html", &bytes), "text/html");
        assert_eq!(taken("", &bytes), "application/octet-stream");
    }

    #[test]
    fn odd_text_is_still_text() {
        let page = [&b"<p>Caf\xE9 \x92 \x0c"[..], &[b'x'; 100], b"\x01"].concat();
        assert_eq!(taken("text/html", &page), "text/html");
        assert_eq!(taken("text/plain", b"\x1b[31mred\x1b[0m"), "text/plain");
        assert_eq!(taken("text/html", b"\xFE\xFF\0<\0p\0>"), "text/html");
        let declared = "text/html; charset=UTF-16";
        assert_eq!(taken(declared, b"\0x\0y\0<\0p"), declared);
    }
}
