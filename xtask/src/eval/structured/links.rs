//! What a careful person reads from a link to a map.
//!
//! Written apart from the program's own reader, to judge it: the pin of a
//! place before what was searched for, that before the middle of the view.

use super::gold::{Gold, Label, pair, plain};

/// Adds the point that a link shows and the address that it searches for.
pub(super) fn read(link: &str, gold: &mut Gold) {
    let link = link.replace("&amp;", "&").replace("&#038;", "&");
    let parameters = parameters(&link);
    let get = |name: &str| {
        let found = parameters.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let path = decode(link.split(['?', '#']).next().unwrap_or_default());
    let pb = get("pb").to_owned();
    let point = pin(&path)
        .or_else(|| pin(&pb))
        .or_else(|| pair(&format!("{},{}", get("mlat"), get("mlon"))))
        .or_else(|| {
            ["ll", "q", "query", "center", "coord", "cbll"]
                .iter()
                .find_map(|name| pair(get(name)))
        })
        .or_else(|| {
            ["daddr", "q"]
                .iter()
                .find_map(|name| pair(get(name).split_once('@')?.1))
        })
        .or_else(|| pair(path.split_once("/@")?.1))
        .or_else(|| Some((marked(&pb, "!3d")?, marked(&pb, "!2d")?)))
        .or_else(|| pair(&get("cp").replace('~', ",")));
    if let Some((lat, lon)) = point {
        gold.add_point(lat, lon);
    }
    let place = ["/place/", "/search/"].iter().find_map(|mark| {
        let (_, after) = path.split_once(mark)?;
        after.split('/').next()
    });
    let searched = ["q", "query", "daddr"].map(get);
    let mut texts = searched.into_iter().chain(place);
    let is_address = |text: &&str| {
        let has_letters = text.chars().filter(|c| c.is_alphabetic()).count() > 2;
        has_letters && text.chars().any(|c| c.is_ascii_digit()) && !text.contains('@')
    };
    if let Some(text) = texts.find(is_address) {
        gold.add_label(Label {
            street: plain(text),
            ..Label::default()
        });
    }
}

fn parameters(link: &str) -> Vec<(&str, String)> {
    link.split(['?', '&', '#'])
        .skip(1)
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| (name, decode(value)))
        .collect()
}

fn pin(text: &str) -> Option<(f64, f64)> {
    Some((marked(text, "!3d")?, marked(text, "!4d")?))
}

/// The number behind the last mark.
fn marked(text: &str, mark: &str) -> Option<f64> {
    let (_, after) = text.rsplit_once(mark)?;
    after.split(['!', '?']).next()?.parse().ok()
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        rest = match (byte, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                &after[2..]
            }
            (b'+', _) => {
                bytes.push(b' ');
                after
            }
            _ => {
                bytes.push(byte);
                after
            }
        };
    }
    // Some encode a plus sign where a space was meant.
    String::from_utf8_lossy(&bytes).replace('+', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_debug_snapshot;

    fn point(link: &str) -> Option<(f64, f64)> {
        let mut gold = Gold::default();
        read(link, &mut gold);
        gold.points.first().copied()
    }

    #[test]
    fn a_pin_counts_before_the_view() {
        let link = "https://www.google.com/maps/place/X/@8.97,-79.54,17z/data=!3d8.5!4d-79.25";
        assert_eq!(point(link), Some((8.5, -79.25)));
        assert_eq!(
            point("https://www.google.com/maps/embed?pb=!1d3!2d9.5!3d46.5!2m3"),
            Some((46.5, 9.5))
        );
        assert_eq!(
            point("http://maps.google.de/maps?ll=53.5,7.25&amp;q=Emden"),
            Some((53.5, 7.25))
        );
        assert_eq!(point("https://goo.gl/maps/Le7HW"), None);
    }

    #[test]
    fn a_search_is_an_address() {
        let mut gold = Gold::default();
        read(
            "https://maps.google.com/maps?z=16&#038;q=3631%2Bperkins%2Bavenue",
            &mut gold,
        );
        assert_debug_snapshot!(gold.labels[0].street, @r#""3631 perkins avenue""#);
    }
}
