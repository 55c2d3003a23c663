//! CDXJ: a line for each archived answer, as `cdxj-indexer` writes them.
//!
//! A line is the sort key of the address (`surt.rs`), the time in 14 digits
//! and a JSON object with all values as strings, spelled like Python spells it.

use super::surt::surt;
use std::fmt::Write;
use store::warc::{Kind, Listed};

/// The line of a record, with its end; none if it is no answer.
pub(super) fn line(listed: &Listed, file_name: &str) -> Option<String> {
    let head = &listed.head;
    let mime = match head.kind() {
        Kind::Response => listed.http_field("Content-Type").map(|mime| {
            let essence = mime.split(|c: char| c == ';' || c.is_whitespace()).next();
            essence.unwrap_or_default().to_owned()
        }),
        Kind::Revisit => Some("warc/revisit".to_owned()),
        Kind::Document | Kind::Other => return None,
    };
    let url = head.url();
    let at: String = head.field("WARC-Date")?;
    let digits = at.chars().filter(char::is_ascii_digit).take(14);
    let status = (listed.status() > 0).then(|| listed.status().to_string());
    let mut line = format!("{} {} ", surt(&url), digits.collect::<String>());
    let fields = [
        ("url", Some(url)),
        ("mime", mime),
        ("status", status),
        ("digest", head.field("WARC-Payload-Digest")),
        ("length", Some(listed.len.to_string())),
        ("offset", Some(listed.offset.to_string())),
        ("filename", Some(file_name.to_owned())),
    ];
    let mut separator = "{";
    for (name, value) in fields {
        if let Some(value) = value {
            let _ = write!(line, "{separator}\"{name}\": ");
            push_string(&mut line, &value);
            separator = ", ";
        }
    }
    line.push_str("}\n");
    Some(line)
}

/// A JSON string in ASCII.
fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_ascii() {
        let mut out = String::new();
        push_string(&mut out, "a\"\\\n\u{1}ü\u{1f5fa}");
        assert_eq!(out, r#""a\"\\\n\u0001\u00fc\ud83d\uddfa""#);
    }
}
