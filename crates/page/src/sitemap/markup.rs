//! Cuts XML into tags and text, whatever state it is in.
//!
//! Every byte is looked at a fixed number of times: a tag ends at its `>` or
//! where the next tag begins, and what has no end reaches to the end of the
//! file. Names keep their prefix; nobody checks that tags match.

/// A piece of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A start tag.
    Start(Tag<'t>),
    /// The name of an end tag.
    End(Name<'t>),
    /// Text in which entities are to be decoded.
    Text(&'t str),
    /// Text that means what it says.
    Literal(&'t str),
}

/// A name with what stands before its colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name<'t> {
    pub(super) prefix: &'t str,
    pub(super) local: &'t str,
}

impl<'t> Name<'t> {
    fn new(text: &'t str) -> Name<'t> {
        let (prefix, local) = text.rsplit_once(':').unwrap_or(("", text));
        Name { prefix, local }
    }

    /// Whether this is the name, in any case, under any prefix.
    pub(super) fn is(&self, local: &str) -> bool {
        self.local.eq_ignore_ascii_case(local)
    }
}

/// A start tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: Name<'t>,
    /// All attributes as they were written.
    attributes: &'t str,
    /// It has no end tag.
    pub(super) is_empty: bool,
}

impl<'t> Tag<'t> {
    /// The value of an attribute, entities decoded.
    pub(super) fn attribute(&self, wanted: &str) -> Option<String> {
        let mut rest = self.attributes;
        loop {
            let (name, value, after) = next_attribute(rest)?;
            if name.eq_ignore_ascii_case(wanted) {
                let mut text = String::new();
                decode(value, &mut text);
                return Some(text);
            }
            rest = after;
        }
    }
}

/// Name, value and what follows, of the first attribute that has a value.
fn next_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = text.split_once('=')?;
    let name = before.split_whitespace().next_back().unwrap_or_default();
    let after = after.trim_start();
    let Some(quote @ ('"' | '\'')) = after.chars().next() else {
        let end = after.find(char::is_whitespace).unwrap_or(after.len());
        return Some((name, &after[..end], &after[end..]));
    };
    let quoted = &after[1..];
    let (value, rest) = quoted.split_once(quote).unwrap_or((quoted, ""));
    Some((name, value, rest))
}

/// The pieces of a document, in order.
pub(super) struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Tokens<'t> {
        Tokens { rest: text }
    }

    /// Passes over what lies up to and including `end`, or over everything.
    fn skip_past(&mut self, end: &str) {
        self.rest = self.rest.split_once(end).map_or("", |(_, behind)| behind);
    }

    /// Takes what lies up to a position.
    fn take(&mut self, len: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    fn literal(&mut self, start: &str) -> Token<'t> {
        let inside = &self.rest[start.len()..];
        let (text, rest) = inside.split_once("]]>").unwrap_or((inside, ""));
        self.rest = rest;
        Token::Literal(text)
    }

    fn start_tag(&mut self) -> Token<'t> {
        let inside = self.tag_text(1);
        let (inside, is_empty) = match inside.strip_suffix('/') {
            Some(inside) => (inside, true),
            None => (inside, false),
        };
        let name_len = inside.find(char::is_whitespace).unwrap_or(inside.len());
        let (name, attributes) = inside.split_at(name_len);
        Token::Start(Tag {
            name: Name::new(name),
            attributes,
            is_empty,
        })
    }

    fn end_tag(&mut self) -> Token<'t> {
        let name = self.tag_text(2).split_whitespace().next();
        Token::End(Name::new(name.unwrap_or_default()))
    }

    /// What stands in a tag behind its opening, of so many bytes.
    fn tag_text(&mut self, opening: usize) -> &'t str {
        let len = tag_len(&self.rest.as_bytes()[opening..]);
        let inside = &self.take(opening + len)[opening..];
        self.rest = self.rest.strip_prefix('>').unwrap_or(self.rest);
        inside
    }
}

/// How far a tag reaches: to its `>`, which may also stand in a value, or to
/// the next `<`, which may not.
fn tag_len(bytes: &[u8]) -> usize {
    let mut quote = None;
    let is_end = |&byte: &u8| {
        match (quote, byte) {
            (_, b'<') | (None, b'>') => return true,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        false
    };
    bytes.iter().position(is_end).unwrap_or(bytes.len())
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        const CDATA: &str = "<![CDATA[";
        loop {
            let bytes = self.rest.as_bytes();
            return Some(match bytes {
                [] => return None,
                [b'<', b'!', b'-', b'-', ..] => {
                    self.skip_past("-->");
                    continue;
                }
                [b'<', b'!', b'[', ..] if self.rest.starts_with(CDATA) => self.literal(CDATA),
                [b'<', b'!' | b'?', ..] => {
                    self.skip_past(">");
                    continue;
                }
                [b'<', b'/', ..] => self.end_tag(),
                [b'<', first, ..] if is_name_start(*first) => self.start_tag(),
                _ => {
                    let behind = bytes[1..].iter().position(|byte| *byte == b'<');
                    Token::Text(self.take(behind.map_or(bytes.len(), |len| len + 1)))
                }
            });
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// Adds a text with its entities decoded; those that nobody knows stay.
pub(super) fn decode(text: &str, decoded: &mut String) {
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        decoded.push_str(before);
        match entity(behind) {
            Some((c, after)) => {
                decoded.push(c);
                rest = after;
            }
            None => {
                decoded.push('&');
                rest = behind;
            }
        }
    }
    decoded.push_str(rest);
}

/// The character that stands behind an ampersand, and what follows it.
fn entity(text: &str) -> Option<(char, &str)> {
    /// `#x10FFFF` with a few zeros in front.
    const MAX_ENTITY: usize = 12;
    let end = text
        .bytes()
        .take(MAX_ENTITY)
        .position(|byte| byte == b';')?;
    let c = match &text[..end] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((c, &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> String {
        let show = |token| match token {
            Token::Start(tag) => format!("<{}|{}", tag.name.local, tag.attributes.trim()),
            Token::End(name) => format!("/{}", name.local),
            Token::Text(text) => format!("'{text}'"),
            Token::Literal(text) => format!("={text}="),
        };
        Tokens::new(text).map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tags_text_and_nothing_else() {
        insta::assert_snapshot!(
            cut("<?xml version='1.0'?><!DOCTYPE a><a:b c='>'>x<!-- <d> -->y<![CDATA[<e>&amp;]]></a:b ><f/>"),
            @"<b|c='>' 'x' 'y' =<e>&amp;= /b <f|"
        );
    }

    #[test]
    fn what_is_broken_ends_where_the_next_thing_begins() {
        insta::assert_snapshot!(cut("<a b=\"c<d>1 < 2</d"), @r#"<a|b="c <d| '1 ' '< 2' /d"#);
        insta::assert_snapshot!(cut("x<!-- y <a>"), @"'x'");
        insta::assert_snapshot!(cut("<![CDATA[ é"), @"= é=");
        insta::assert_snapshot!(cut("<"), @"'<'");
    }

    #[test]
    fn attributes_are_found_by_name() {
        let tag = |text| match Tokens::new(text).next() {
            Some(Token::Start(tag)) => tag,
            other => panic!("{other:?}"),
        };
        let link = "<link rel = 'self' href=\"/a?b&amp;c\" x=y/>";
        assert_eq!(tag(link).attribute("HREF").as_deref(), Some("/a?b&c"));
        assert_eq!(tag(link).attribute("rel").as_deref(), Some("self"));
        assert_eq!(tag(link).attribute("x").as_deref(), Some("y"));
        assert_eq!(tag("<link href='a").attribute("href").as_deref(), Some("a"));
        assert_eq!(tag(link).attribute("title"), None);
    }

    #[test]
    fn only_whole_entities_are_decoded() {
        let decoded = |text| {
            let mut decoded = String::new();
            decode(text, &mut decoded);
            decoded
        };
        assert_eq!(decoded("a&amp;b&#38;c&#x26;d"), "a&b&c&d");
        assert_eq!(
            decoded("?a&section=2&amp=3&&copy;"),
            "?a&section=2&amp=3&&copy;"
        );
        assert_eq!(decoded("&#xD800;&#99999999;&;&"), "&#xD800;&#99999999;&;&");
        assert_eq!(decoded("&ééééééééééé;"), "&ééééééééééé;");
    }
}
