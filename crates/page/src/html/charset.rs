//! Bytes to characters: byte order mark, HTTP header, `meta`, else a guess.
//!
//! Labels are believed in that order, as browsers do; one that nobody knows is
//! complained about and passed over. Unlabelled bytes that are valid UTF-8 are
//! UTF-8: text in another encoding practically never is by accident.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::Complaint;
use crate::url::CanonicalUrl;

/// How far a `meta` is looked for, as the HTML standard has it.
const PRESCAN_LEN: usize = 1024;

/// How much text a guess is based on.
const GUESS_LEN: usize = 256 << 10;

pub(super) struct Decoded<'b> {
    pub(super) text: Cow<'b, str>,
    pub(super) charset: &'static str,
    pub(super) complaints: Vec<Complaint>,
}

pub(super) fn decode<'b>(
    bytes: &'b [u8],
    content_type: Option<&str>,
    url: &CanonicalUrl,
) -> Decoded<'b> {
    let mut complaints = Vec::new();
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, bom_len)) => (encoding, &bytes[bom_len..]),
        None => {
            let declared = declared(bytes, content_type, &mut complaints);
            (declared.unwrap_or_else(|| guess(bytes, Some(url))), bytes)
        }
    };
    let (text, is_malformed) = encoding.decode_without_bom_handling(bytes);
    if is_malformed {
        complaints.push(Complaint::MalformedBytes);
    }
    Decoded {
        text,
        charset: encoding.name(),
        complaints,
    }
}

/// Plain text: no markup to look for a label in, no address to guess by.
pub(super) fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, bom_len)) => (encoding, &bytes[bom_len..]),
        None => (guess(bytes, None), bytes),
    };
    encoding.decode_without_bom_handling(bytes).0
}

/// XML that is no page: believed are the header, then the declaration.
pub(super) fn decode_xml<'b>(bytes: &'b [u8], content_type: Option<&str>) -> Cow<'b, str> {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, bom_len)) => (encoding, &bytes[bom_len..]),
        None => {
            let header = content_type.and_then(|header| label_in(header.as_bytes(), CHARSET));
            let labels = [header, declaration(bytes)];
            let mut known = labels.into_iter().flatten().filter_map(Encoding::for_label);
            (known.next().unwrap_or_else(|| guess(bytes, None)), bytes)
        }
    };
    encoding.decode_without_bom_handling(bytes).0
}

/// The label in `<?xml version="1.0" encoding="utf-8"?>`.
fn declaration(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = bytes[..bytes.len().min(PRESCAN_LEN)].trim_ascii_start();
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = declaration.split(|byte| *byte == b'>').next()?;
    // One that can be read at all is not in UTF-16.
    label_in(declaration, b"encoding").filter(|label| {
        label
            .get(..3)
            .is_none_or(|start| !start.eq_ignore_ascii_case(b"utf"))
    })
}

fn declared(
    bytes: &[u8],
    content_type: Option<&str>,
    complaints: &mut Vec<Complaint>,
) -> Option<&'static Encoding> {
    let mut known = |label: &[u8]| {
        let encoding = Encoding::for_label(label);
        if encoding.is_none() {
            let label = label.get(..40).unwrap_or(label);
            complaints.push(Complaint::UnknownCharset(
                String::from_utf8_lossy(label).into_owned(),
            ));
        }
        encoding
    };
    let from_header = content_type
        .and_then(|header| label_in(header.as_bytes(), CHARSET))
        .and_then(&mut known);
    if from_header.is_some() {
        return from_header;
    }
    let prescanned = &bytes[..bytes.len().min(PRESCAN_LEN)];
    let encoding = Prescan {
        bytes: prescanned,
        at: 0,
    }
    .label()
    .and_then(|label| known(&label))?;
    // A `meta` that can be read at all is not in UTF-16.
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

fn guess(bytes: &[u8], url: Option<&CanonicalUrl>) -> &'static Encoding {
    // Escape bytes in plain ASCII are how ISO-2022-JP looks.
    if std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0x1B) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(GUESS_LEN)], true);
    let tld = url.and_then(|url| url.host().rsplit('.').next());
    let tld = tld.filter(|tld| {
        tld.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    });
    detector.guess(tld.map(str::as_bytes), Utf8Detection::Allow)
}

/// What a label is called in headers and `meta`.
const CHARSET: &[u8] = b"charset";

/// The label in `text/html; charset="utf-8"`, or under another key.
fn label_in<'b>(value: &'b [u8], key: &[u8]) -> Option<&'b [u8]> {
    let mut rest = value;
    loop {
        let at = rest
            .windows(key.len())
            .position(|window| window.eq_ignore_ascii_case(key))?;
        rest = rest[at + key.len()..].trim_ascii_start();
        let Some(label) = rest.strip_prefix(b"=") else {
            continue;
        };
        let label = label.trim_ascii_start();
        let label = match label.first() {
            Some(quote @ (b'"' | b'\'')) => label[1..].split(|byte| byte == quote).next()?,
            _ => label
                .split(|byte| *byte == b';' || byte.is_ascii_whitespace())
                .next()?,
        };
        return Some(label.trim_ascii()).filter(|label| !label.is_empty());
    }
}

/// Looks for a `meta` before anything is decoded: the HTML standard's prescan.
struct Prescan<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Prescan<'b> {
    fn label(mut self) -> Option<Vec<u8>> {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // From the second hyphen on: `<!-->` is a whole comment.
                let end = rest[2..].windows(3).position(|window| window == b"-->")?;
                self.at += 2 + end + 3;
            } else if is_meta(rest) {
                self.at += b"<meta".len();
                if let Some(label) = self.meta_label() {
                    return Some(label);
                }
            } else if let [b'<', b'a'..=b'z' | b'A'..=b'Z', ..]
            | [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] = rest
            {
                self.skip_until(|byte| byte.is_ascii_whitespace() || byte == b'>');
                while self.attribute().is_some() {}
            } else if let [b'<', b'!' | b'/' | b'?', ..] = rest {
                self.skip_until(|byte| byte == b'>');
            } else {
                self.at += 1;
            }
        }
        None
    }

    fn meta_label(&mut self) -> Option<Vec<u8>> {
        let (mut is_content_type, mut charset, mut content) = (false, None, None);
        while let Some((name, value)) = self.attribute() {
            if name.eq_ignore_ascii_case(b"http-equiv") {
                is_content_type |= value.eq_ignore_ascii_case(b"content-type");
            } else if name.eq_ignore_ascii_case(b"charset") && charset.is_none() {
                charset = Some(value.trim_ascii());
            } else if name.eq_ignore_ascii_case(b"content") && content.is_none() {
                content = label_in(value, CHARSET);
            }
        }
        charset
            .or(content.filter(|_| is_content_type))
            .map(<[u8]>::to_vec)
    }

    /// The next attribute of the tag; `None` at its end, behind the `>`.
    fn attribute(&mut self) -> Option<(&'b [u8], &'b [u8])> {
        self.skip_until(|byte| !byte.is_ascii_whitespace() && byte != b'/');
        if self.bytes.get(self.at).is_none_or(|byte| *byte == b'>') {
            self.at += 1;
            return None;
        }
        let start = self.at;
        // An equals sign in front belongs to the name.
        self.at += 1;
        self.skip_until(|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'/' | b'>'));
        let name = &self.bytes[start..self.at];
        self.skip_until(|byte| !byte.is_ascii_whitespace());
        if self.bytes.get(self.at) != Some(&b'=') {
            return Some((name, b""));
        }
        self.at += 1;
        self.skip_until(|byte| !byte.is_ascii_whitespace());
        let value = match self.bytes.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let start = self.at;
                self.skip_until(|byte| byte == quote);
                let value = &self.bytes[start..self.at];
                self.at = (self.at + 1).min(self.bytes.len());
                value
            }
            _ => {
                let start = self.at;
                self.skip_until(|byte| byte.is_ascii_whitespace() || byte == b'>');
                &self.bytes[start..self.at]
            }
        };
        Some((name, value))
    }

    fn skip_until(&mut self, stop: impl Fn(u8) -> bool) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest
            .iter()
            .position(|&byte| stop(byte))
            .unwrap_or(rest.len());
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"<meta"))
        && rest
            .get(5)
            .is_some_and(|&byte| byte.is_ascii_whitespace() || byte == b'/')
}
