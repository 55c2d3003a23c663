//! Numbers and spans of time as people write them.

use std::time::Duration;

/// `12,345`
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (digit_idx, digit) in digits.chars().enumerate() {
        if digit_idx > 0 && (digits.len() - digit_idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 node`, `6 nodes`, `6 strategies`
pub(crate) fn count(number: u64, noun: &str) -> String {
    let before_y = noun.strip_suffix('y');
    let before_y = before_y.filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match before_y {
        _ if number == 1 => format!("1 {noun}"),
        Some(stem) => format!("{} {stem}ies", thousands(number)),
        None => format!("{} {noun}s", thousands(number)),
    }
}

/// `8.25 %`, or a dash where there is nothing to divide.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".into(), |share| format!("{:.2} %", share * 100.0))
}

/// `3 h 07 min`, `2 min 05 s`, `12 s`
pub(crate) fn span(span: Duration) -> String {
    match span.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// `12.3 MB`, `640 bytes`
pub(crate) fn bytes(n_bytes: u64) -> String {
    let scales = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let amount = n_bytes as f64;
    match scales.iter().find(|(scale, _)| amount >= *scale) {
        Some((scale, unit)) => format!("{:.1} {unit}", amount / scale),
        None => count(n_bytes, "byte"),
    }
}

/// A stranger's words on one line: without what would move a terminal's cursor,
/// or write from right to left what comes after them.
pub(crate) fn printable(text: &str) -> String {
    let shown = |c: char| if is_obeyed(c) { ' ' } else { c };
    text.trim().chars().map(shown).collect()
}

/// What a terminal obeys instead of showing it: controls, what turns the
/// direction of writing, what ends lines, and letters nobody sees.
pub(crate) fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{206f}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Host and port of a canonical URL.
pub(crate) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

/// The end of a long text, from the right: the telling part of a URL.
pub(crate) fn shorten(text: &str, n_chars: usize) -> String {
    if text.chars().count() <= n_chars {
        return text.into();
    }
    let kept: String = text.chars().take(n_chars.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Text as a cell of a CSV file.
pub(crate) fn csv_cell(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// A number in full as a cell of a CSV file, empty if there is none.
pub(crate) fn csv_number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_csv_cell() {
        assert_eq!(csv_cell("Cn1 a, b"), "\"Cn1 a, b\"");
        assert_eq!(csv_number(Some(0.5)) + &csv_number(None), "0.5");
        assert_eq!(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
    }

    #[test]
    fn nobody_elses_words_move_the_cursor() {
        assert_eq!(
            printable(" Town\nhall\u{1b}[2J\u{202e}x "),
            "Town hall [2J x"
        );
        assert_eq!(printable("Büro 東京"), "Büro 東京");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(12_345_678), "12,345,678");
    }

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!(count(1, "node"), "1 node");
        assert_eq!(count(0, "page"), "0 pages");
        assert_eq!(count(6000, "page"), "6,000 pages");
        assert_eq!(count(6, "strategy"), "6 strategies");
        assert_eq!(count(2, "day"), "2 days");
    }

    #[test]
    fn bytes_come_in_thousands() {
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(1_500), "1.5 kB");
        assert_eq!(bytes(12_345_678), "12.3 MB");
        assert_eq!(bytes(7_000_000_000), "7.0 GB");
    }

    #[test]
    fn spans_use_two_units_at_most() {
        assert_eq!(span(Duration::from_secs(12)), "12 s");
        assert_eq!(span(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(span(Duration::from_secs(3600 * 3 + 420)), "3 h 07 min");
    }
}
