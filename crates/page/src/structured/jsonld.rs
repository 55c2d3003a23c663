//! JSON-LD scripts, read as items without building a tree.
//!
//! The reader is our own because most of what goes wrong in these scripts is
//! JSON that a strict reader refuses as a whole: a comma too many, a comment,
//! a raw line break or quotation mark within a string, a CDATA wrapper, an end
//! that is missing. Here a mistake costs the value it is in. It goes through
//! the bytes once, whatever they are, and remembers one frame per open bracket.

use std::borrow::Cow;

use super::items::Items;
use super::words::{self, Word};
use super::{Facts, Kind, values};

/// Scripts of one page beyond this many bytes are not read.
const MAX_JSON: usize = 1 << 20;

/// Brackets within brackets beyond this depth are skipped.
const MAX_DEPTH: usize = 64;

/// How much of a string is looked at, in bytes as written.
const MAX_STRING: usize = 2_000;

/// The JSON-LD scripts of a page.
#[derive(Debug)]
pub(super) struct JsonLd {
    script: Vec<u8>,
    n_read: usize,
    items: Items,
}

impl JsonLd {
    pub(super) fn new() -> JsonLd {
        JsonLd {
            script: Vec::new(),
            n_read: 0,
            items: Items::new(Kind::JsonLd),
        }
    }

    /// Whether a script of this type is one of ours.
    pub(super) fn is_type(mime: &str) -> bool {
        let essence = mime.split(';').next().unwrap_or_default();
        essence.trim().eq_ignore_ascii_case("application/ld+json")
    }

    /// Adds to the current script.
    pub(super) fn push(&mut self, piece: &[u8]) {
        let room = MAX_JSON - self.n_read;
        let piece = &piece[..piece.len().min(room)];
        self.script.extend_from_slice(piece);
        self.n_read += piece.len();
    }

    /// Reads the current script, which is over.
    pub(super) fn end(&mut self, facts: &mut Facts) {
        let script = String::from_utf8_lossy(&self.script);
        if !script.contains('"') && script.contains("&quot;") {
            read(&values::without_markup(&script), &mut self.items, facts);
        } else {
            read(&script, &mut self.items, facts);
        }
        self.script.clear();
    }

    /// The page is over.
    pub(super) fn finish(mut self, facts: &mut Facts) {
        self.end(facts);
        self.items.finish(facts);
    }
}

fn read(json: &str, items: &mut Items, facts: &mut Facts) {
    let mut reader = Reader {
        json,
        at: 0,
        frames: Vec::new(),
        n_deeper: 0,
        items,
        facts,
    };
    while reader.step() {}
    while !reader.items.is_empty() {
        reader.items.close(reader.facts);
    }
}

/// An open bracket.
#[derive(Debug)]
struct Frame {
    is_object: bool,
    /// In an object: the key has been read, the value is next.
    has_key: bool,
    /// What the next value means.
    word: Option<Word>,
}

#[derive(Debug)]
struct Reader<'j, 'f> {
    json: &'j str,
    at: usize,
    frames: Vec<Frame>,
    /// Open brackets beyond `MAX_DEPTH`.
    n_deeper: usize,
    items: &'f mut Items,
    facts: &'f mut Facts,
}

impl<'j> Reader<'j, '_> {
    /// Reads one token; says whether there was one.
    fn step(&mut self) -> bool {
        let rest = &self.json.as_bytes()[self.at..];
        let Some(&first) = rest.first() else {
            return false;
        };
        match first {
            b'"' | b'\'' => {
                let raw = self.take_string(first);
                self.scalar(raw, true);
            }
            b'<' | b'-' | b'/' | b']' if let Some(len) = wrapper_len(rest) => self.at += len,
            b'{' | b'[' => {
                self.at += 1;
                self.open(first == b'{');
            }
            b'}' | b']' => {
                self.at += 1;
                self.close(first == b'}');
            }
            b',' => {
                self.at += 1;
                if let Some(frame) = self.frames.last_mut() {
                    frame.has_key = false;
                }
            }
            _ if is_bare(first) => {
                let len = rest.iter().take_while(|&&byte| is_bare(byte)).count();
                let raw = &self.json[self.at..self.at + len];
                self.at += len;
                self.scalar(raw, false);
            }
            // White space, colons, and what has no business here.
            _ => self.at += 1,
        }
        true
    }

    /// What is between this quotation mark and the next one.
    fn take_string(&mut self, quote: u8) -> &'j str {
        let start = self.at + 1;
        let bytes = self.json.as_bytes();
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'\\' => end += 2,
                _ if byte == quote => break,
                _ => end += 1,
            }
        }
        let end = end.min(bytes.len());
        self.at = (end + 1).min(bytes.len());
        // A backslash may have jumped into a character at the very end.
        self.json.get(start..end).unwrap_or_default()
    }

    fn open(&mut self, is_object: bool) {
        if self.frames.len() == MAX_DEPTH {
            self.n_deeper += 1;
            return;
        }
        let word = self.next_word();
        if is_object {
            self.items.open(word, None);
        }
        self.frames.push(Frame {
            is_object,
            has_key: false,
            word: if is_object { None } else { word },
        });
    }

    fn close(&mut self, is_object: bool) {
        if self.n_deeper > 0 {
            self.n_deeper -= 1;
            return;
        }
        if self
            .frames
            .last()
            .is_none_or(|frame| frame.is_object != is_object)
        {
            return;
        }
        self.frames.pop();
        if is_object {
            self.items.close(self.facts);
        }
    }

    /// What the value that starts here means. The next thing is a key again.
    fn next_word(&mut self) -> Option<Word> {
        let frame = self.frames.last_mut()?;
        if frame.is_object {
            frame.has_key = false;
            frame.word.take()
        } else {
            frame.word
        }
    }

    /// A string, number or bare word: a key where one is due.
    fn scalar(&mut self, raw: &str, is_string: bool) {
        if self.n_deeper > 0 {
            return;
        }
        if let Some(frame) = self.frames.last_mut()
            && frame.is_object
            && !frame.has_key
        {
            frame.has_key = true;
            frame.word = words::word(&unescape(raw));
            return;
        }
        let Some(word) = self.next_word() else {
            return;
        };
        if !is_string && matches!(raw, "null" | "true" | "false" | "undefined") {
            return;
        }
        let value = unescape(raw);
        if word == Word::Type {
            if let Some(class) = words::class(&value) {
                self.items.set_class(class);
            }
        } else if value.contains(['&', '<']) {
            self.items
                .set(word, &values::without_markup(&value), self.facts);
        } else {
            self.items.set(word, &value, self.facts);
        }
    }
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_' | b'$' | b'@')
}

/// The length of a comment, or of the markup that hides a script from old browsers.
fn wrapper_len(rest: &[u8]) -> Option<usize> {
    let marks: [&[u8]; 4] = [b"<![CDATA[", b"]]>", b"<!--", b"-->"];
    if let Some(mark) = marks.iter().find(|mark| rest.starts_with(mark)) {
        return Some(mark.len());
    }
    if rest.starts_with(b"//") {
        // `//<![CDATA[ {` on one line is a wrapper, not a comment.
        if rest[2..].trim_ascii_start().starts_with(b"<![CDATA[") {
            return Some(2);
        }
        return Some(
            rest.iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len()),
        );
    }
    if rest.starts_with(b"/*") {
        let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
        return Some(end.map_or(rest.len(), |end| end + 4));
    }
    None
}

/// A string's characters, as many as anybody would want.
fn unescape(raw: &str) -> Cow<'_, str> {
    let raw = &raw[..raw.floor_char_boundary(MAX_STRING)];
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(escaped) = rest.chars().next() else {
            break;
        };
        let after = &rest[escaped.len_utf8()..];
        rest = after;
        match escaped {
            'n' | 'r' | 't' | 'f' | 'b' => text.push(' '),
            'u' => {
                let (c, len) = unicode(after);
                text.push(c);
                rest = &after[len..];
            }
            _ => text.push(escaped),
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character that `004d` or `d83d\ude00` stands for, and its length there.
fn unicode(hex: &str) -> (char, usize) {
    let unit = |at: usize| {
        let digits = hex.get(at..at + 4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(0) else {
        return (char::REPLACEMENT_CHARACTER, 0);
    };
    if let Some(c) = char::from_u32(u32::from(first)) {
        return (c, 4);
    }
    let second = hex
        .get(4..6)
        .filter(|mark| *mark == "\\u")
        .and_then(|_| unit(6));
    match char::decode_utf16([first, second.unwrap_or_default()]).next() {
        Some(Ok(c)) => (c, 10),
        _ => (char::REPLACEMENT_CHARACTER, 4),
    }
}
