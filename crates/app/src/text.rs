//! Numbers and spans of time as people write them.

use crate::screen::width;
use std::time::Duration;
use store::visit::Time;
use store::warc::date;

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

/// What a crawl waits for that has nothing left but what failed: `only failed
/// hosts are left, next try at 14:05 UTC (in 12 min)`.
pub(crate) fn only_failed(at: Time, now: Time) -> String {
    format!("only failed hosts are left, next try {}", moment(at, now))
}

/// `at 14:05 UTC (in 12 min)`, with the day where that is another one.
pub(crate) fn moment(at: Time, now: Time) -> String {
    let wait = Duration::from_millis(at.0.saturating_sub(now.0));
    let (date, today) = (date(at), date(now));
    let (Some(day), Some(clock)) = (date.get(..10), date.get(11..16)) else {
        return "later".into();
    };
    let day = match today.starts_with(day) {
        true => String::new(),
        false => format!("{day} "),
    };
    match wait.as_secs() {
        0 => "now".into(),
        60..3600 => format!(
            "at {day}{clock} UTC (in {} min)",
            wait.as_secs().div_ceil(60)
        ),
        _ => format!("at {day}{clock} UTC (in {})", span(wait)),
    }
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

/// A text of so many columns at most: its beginning, the telling part of a URL.
pub(crate) fn shorten(text: &str, n_columns: usize) -> String {
    if width(text) <= n_columns {
        return text.into();
    }
    let mut left = n_columns.saturating_sub(1);
    let mut kept = String::new();
    for c in text.chars() {
        let taken = width(c.encode_utf8(&mut [0; 4]));
        if taken > left {
            break;
        }
        left -= taken;
        kept.push(c);
    }
    kept + "…"
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
    fn what_is_shortened_fits() {
        assert_eq!(shorten("Houston", 7), "Houston");
        assert_eq!(shorten("Houston", 6), "Houst…");
        assert_eq!(shorten("東京都庁", 6), "東京…");
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
    fn what_is_left_is_told_with_its_time() {
        // Half past one on the first of May 2006.
        let now = Time(1_146_447_000_000);
        let told = |seconds: u64| only_failed(Time(now.0 + 1000 * seconds), now);
        insta::assert_snapshot!(told(0), @"only failed hosts are left, next try now");
        insta::assert_snapshot!(told(40), @"only failed hosts are left, next try at 01:30 UTC (in 40 s)");
        insta::assert_snapshot!(told(700), @"only failed hosts are left, next try at 01:41 UTC (in 12 min)");
        insta::assert_snapshot!(told(86_400), @"only failed hosts are left, next try at 2006-05-02 01:30 UTC (in 24 h 00 min)");
    }

    #[test]
    fn spans_use_two_units_at_most() {
        assert_eq!(span(Duration::from_secs(12)), "12 s");
        assert_eq!(span(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(span(Duration::from_secs(3600 * 3 + 420)), "3 h 07 min");
    }
}
