//! Links to other searches.

use super::wishes::Wishes;
use super::word::said;
use serde_json::Value;
use std::fmt::Write;

/// A link that asks the same but for these values; an empty one is left out.
pub(super) fn link(wishes: &Wishes, changes: &[(&str, &str)]) -> String {
    let polygon = wishes.polygon.as_ref().and_then(Value::as_str);
    let values = [
        ("q", said(&wishes.q)),
        ("near", said(&wishes.near)),
        ("radius", said(&wishes.radius)),
        ("within", said(&wishes.within)),
        ("polygon", polygon),
        ("home", said(&wishes.home)),
        ("lang", said(&wishes.lang)),
        ("host", said(&wishes.host)),
        ("since", said(&wishes.since)),
        ("hits", said(&wishes.hits)),
        ("skip", said(&wishes.skip)),
        ("as_of", said(&wishes.as_of)),
        ("explain", said(&wishes.explain)),
    ];
    let mut link = String::from("/");
    for (name, value) in values {
        let change = changes.iter().rfind(|(changed, _)| *changed == name);
        let value = change.map_or(value.unwrap_or_default(), |(_, value)| value);
        if !value.is_empty() {
            link.push(if link.len() == 1 { '?' } else { '&' });
            let _ = write!(link, "{name}={}", encoded(value));
        }
    }
    link
}

/// A value as it may stand in a query.
fn encoded(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                text.push(char::from(byte));
            }
            b' ' => text.push('+'),
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::word::Word;
    use super::*;
    use insta::assert_snapshot;

    #[test]
    fn a_link_keeps_what_is_not_changed() {
        let wishes = Wishes {
            q: Some(Word("müller & söhne".into())),
            host: Some(Word("a.example".into())),
            skip: Some(Word("10".into())),
            ..Wishes::default()
        };
        assert_snapshot!(link(&wishes, &[("skip", "20"), ("host", ""), ("as_of", "7")]),
            @"/?q=m%C3%BCller+%26+s%C3%B6hne&skip=20&as_of=7");
        assert_snapshot!(link(&Wishes::default(), &[]), @"/");
    }
}
