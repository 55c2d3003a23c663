//! Values as pages write them: numbers in several ways, text with markup in it.

use html5gum::{Token, Tokenizer};

/// The longest value that is kept, in bytes; what is longer is cut.
pub(super) const MAX_VALUE: usize = 500;

/// Degrees: `40.75`, `-73,98`, `51.5°`, `74.17° W`, `N 51.5`, `40° 26' 46" N`.
pub(super) fn degrees(value: &str) -> Option<f64> {
    let value = value.trim();
    // What is longer is no number, and not worth the trouble.
    if value.is_empty() || value.len() > 40 {
        return None;
    }
    let is_sign_letter = |c: char| matches!(c.to_ascii_uppercase(), 'N' | 'E' | 'S' | 'W');
    let letter = value.chars().find(|&c| is_sign_letter(c));
    let is_negative = matches!(letter, Some('S' | 's' | 'W' | 'w'));
    let bare = value.trim_matches(|c: char| is_sign_letter(c) || c.is_whitespace());
    let mut degrees = 0.0;
    let mut unit = 1.0;
    let mut n_parts = 0;
    let marks = ['°', 'º', '\'', '’', '′', '"', '”', '″', ' ', '\u{a0}'];
    for part in bare.split(marks).filter(|part| !part.is_empty()) {
        let number = number(part)?;
        if n_parts == 3 || n_parts > 0 && !(0.0..60.0).contains(&number) {
            return None;
        }
        let sign = if bare.starts_with('-') && n_parts > 0 {
            -1.0
        } else {
            1.0
        };
        degrees += sign * number / unit;
        unit *= 60.0;
        n_parts += 1;
    }
    (n_parts > 0).then_some(if is_negative {
        -f64::abs(degrees)
    } else {
        degrees
    })
}

/// A decimal number and nothing else: no exponent, no `inf`, a comma for a
/// point where there is no point.
fn number(value: &str) -> Option<f64> {
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'-' | b'+');
    if !value.bytes().all(is_plain) || !value.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match value.split_once(',') {
        Some((whole, rest)) if !value.contains('.') => format!("{whole}.{rest}").parse().ok(),
        Some(_) => None,
        None => value.parse().ok(),
    }
}

/// Latitude and longitude in one value: `48.1;11.5`, `48.1, 11.5`, `48.1 11.5`.
pub(super) fn point(value: &str) -> Option<(f64, f64)> {
    let value = value.trim();
    if value.len() > 80 {
        return None;
    }
    let split = value
        .split_once(';')
        .or_else(|| value.split_once(", "))
        .or_else(|| value.split_once(','))
        .or_else(|| value.split_once(char::is_whitespace))?;
    let (lat, lon) = (degrees(split.0)?, degrees(split.1)?);
    is_on_earth(lat, lon).then_some((lat, lon))
}

/// The middle of a shape, whose corners are latitudes and longitudes in turn:
/// `40 -74 41 -73`, `40,-74 41,-73`; behind those of a circle stands its radius.
pub(super) fn middle(shape: &str) -> Option<(f64, f64)> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let mut numbers = shape.split(is_between).filter(|part| !part.is_empty());
    let mut sum = (0.0, 0.0);
    let mut n_corners = 0;
    while let (Some(lat), Some(lon)) = (numbers.next(), numbers.next()) {
        let (lat, lon) = (degrees(lat)?, degrees(lon)?);
        is_on_earth(lat, lon).then_some(())?;
        sum = (sum.0 + lat, sum.1 + lon);
        n_corners += 1;
    }
    let n = f64::from(n_corners);
    (n_corners > 0).then(|| (sum.0 / n, sum.1 / n))
}

/// In range, and not where unset fields point to.
pub(super) fn is_on_earth(lat: f64, lon: f64) -> bool {
    lat.abs() <= 90.0 && lon.abs() <= 180.0 && (lat != 0.0 || lon != 0.0)
}

/// Text on one line, without white space around it, cut at a limit; none if
/// nothing is left, or if it is a null that somebody printed.
pub(super) fn text(value: &str) -> Option<String> {
    let mut text = String::with_capacity(value.len().min(MAX_VALUE));
    for word in value.split_whitespace() {
        if text.len() + word.len() >= MAX_VALUE {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    let trimmed = text.trim_matches([',', ';', ' ']);
    let is_null = ["null", "undefined", "n/a"]
        .iter()
        .any(|null| trimmed.eq_ignore_ascii_case(null));
    let says_something = trimmed.chars().any(char::is_alphanumeric);
    (says_something && !is_null).then(|| trimmed.to_owned())
}

/// A value that went through HTML once too often: entities become characters,
/// tags become spaces.
pub(super) fn without_markup(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    for token in Tokenizer::new(value) {
        match token {
            Ok(Token::String(piece)) => plain.push_str(&String::from_utf8_lossy(&piece)),
            Ok(_) => plain.push(' '),
            Err(never) => match never {},
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_read_as_people_write_them() {
        assert_eq!(degrees("40.75"), Some(40.75));
        assert_eq!(degrees(" -73,98 "), Some(-73.98));
        assert_eq!(degrees("74.5° W"), Some(-74.5));
        assert_eq!(degrees("N 51°30'"), Some(51.5));
        assert_eq!(degrees("-10° 30' 36\""), Some(-10.51));
        for bad in [
            "", "north", "1e5", "inf", "NaN", "-", "1,2.3", "1 2 3 4", "5 75", "1--2",
        ] {
            assert_eq!(degrees(bad), None, "{bad}");
        }
    }

    #[test]
    fn points_are_pairs_on_earth() {
        assert_eq!(point("48.1;11.5"), Some((48.1, 11.5)));
        assert_eq!(point("48,1; 11,5"), Some((48.1, 11.5)));
        assert_eq!(point("48,1, 11,5"), Some((48.1, 11.5)));
        assert_eq!(point(" 47.126 8.7 "), Some((47.126, 8.7)));
        for bad in [",", "0;0", "91,0.5", "48.1", "48.1,", "Main St 5, Houston"] {
            assert_eq!(point(bad), None, "{bad}");
        }
    }

    #[test]
    fn values_are_one_clean_line() {
        assert_eq!(
            text(" 7 S.\n  Broadway, ").as_deref(),
            Some("7 S. Broadway")
        );
        assert_eq!(text(" , "), None);
        assert_eq!(text("null"), None);
        assert_eq!(
            text(&"é ".repeat(MAX_VALUE)).map(|text| text.len()),
            Some(500)
        );
        assert_eq!(without_markup("Caf&eacute;<br>5"), "Café 5");
    }
}
