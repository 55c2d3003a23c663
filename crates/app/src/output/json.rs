//! Everything that is written as JSON to standard output.
//!
//! Strangers' words stand in it, and it may end on a terminal: characters
//! that a terminal would obey instead of showing are written as escapes. A
//! program that reads the JSON sees no difference.

use crate::text::is_obeyed;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use serde_json::{Result, Serializer};
use std::io::{self, Write};

/// On one line.
pub(crate) fn json_line(object: &impl Serialize) -> Result<String> {
    write(object, Escaping(CompactFormatter))
}

/// On many lines, for people.
pub(crate) fn json_lines(object: &impl Serialize) -> Result<String> {
    write(object, Escaping(PrettyFormatter::new()))
}

fn write<F: Formatter>(object: &impl Serialize, formatter: F) -> Result<String> {
    let mut bytes = Vec::with_capacity(1 << 10);
    object.serialize(&mut Serializer::with_formatter(&mut bytes, formatter))?;
    Ok(String::from_utf8(bytes).expect("JSON is written as UTF-8"))
}

/// Writes as another formatter does, but for the characters of strings.
struct Escaping<F>(F);

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        // What is obeyed is no ASCII here, but for the one that ends it.
        let may_be = |text: &str| !text.is_ascii() || text.contains('\x7f');
        while may_be(rest)
            && let Some(at) = rest.find(is_obeyed)
        {
            let (before, from) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut after = from.chars();
            let mut units = [0; 2];
            for unit in after.next().unwrap_or_default().encode_utf16(&mut units) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = after.as_str();
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use serde_json::json;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        let odd = "a\u{202e}b\u{9b}2J\u{7f}\u{1b}[2J\u{2066}\u{200f}\u{2028}\u{e0041}";
        assert_snapshot!(json_line(&json!({ odd: [odd, "Büro 東京 🏠"] })).unwrap(), @r#"{"a\u202eb\u009b2J\u007f\u001b[2J\u2066\u200f\u2028\udb40\udc41":["a\u202eb\u009b2J\u007f\u001b[2J\u2066\u200f\u2028\udb40\udc41","Büro 東京 🏠"]}"#);
        assert_snapshot!(json_lines(&json!({ "a": ["\u{202e}", {}] })).unwrap(), @r#"
        {
          "a": [
            "\u202e",
            {}
          ]
        }
        "#);
    }

    #[test]
    fn readers_see_no_difference() {
        let every: String = ('\0'..=char::MAX).collect();
        let line = json_line(&every).unwrap();
        assert!(serde_json::from_str::<String>(&line).unwrap() == every);
        assert!(!line.contains(is_obeyed));
    }
}
