//! The date that an address asks for, where it asks for one.
//!
//! Calendars are endless in both directions: every month links to the next.
//! Newspapers have dates in their addresses too, and libraries old ones. So a
//! date counts for a *calendar's* only where a word of the address says so
//! (`/events/2031-05/`, `?month=5&year=2031`), and only these are limited.

use page::url::CanonicalUrl;
use store::visit::Time;

/// Years from now that a calendar is followed into the future.
const YEARS_AHEAD: u32 = 2;

/// The first year that a calendar is followed back to.
const FIRST_YEAR: u32 = 1990;

/// A clock before this year counts from its own beginning, not from 1970.
const EARLIEST_NOW: u32 = 2025;

/// Milliseconds of a year, near enough.
const YEAR: u64 = 31_556_952_000;

/// Words of addresses that ask a calendar, English and German: as they begin,
/// and whole ones that are the beginning of something else (California,
/// Dayton, a terminal).
const BEGINNINGS: [&str; 7] = [
    "calend",
    "event",
    "getdate",
    "kalend",
    "schedule",
    "terminkal",
    "veranstaltung",
];
const WHOLE: [&str; 11] = [
    "agenda", "cal", "date", "datum", "day", "monat", "month", "termin", "termine", "week", "woche",
];

/// Names of parameters that hold a year, or a month.
const YEAR_NAMES: [&str; 5] = ["year", "y", "yr", "jahr", "yyyy"];
const MONTH_NAMES: [&str; 5] = ["month", "m", "mon", "monat", "mm"];
const DAY_NAMES: [&str; 4] = ["day", "d", "tag", "dd"];

/// A date of some calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Dated {
    year: u32,
    /// From 1; 0 where only the year is asked for.
    month: u32,
    /// From 1; 0 where a whole month is asked for.
    day: u32,
}

impl Dated {
    /// Whether nobody needs a calendar there.
    pub(super) fn is_out_of_reach(self, now: Time) -> bool {
        let this_year = 1970 + u32::try_from(now.0 / YEAR).unwrap_or(u32::MAX / 2);
        let last_year = this_year.max(EARLIEST_NOW) + YEARS_AHEAD;
        self.year < FIRST_YEAR || self.year > last_year
    }

    /// One number for each date.
    pub(super) fn number(self) -> u32 {
        (self.year * 13 + self.month) * 32 + self.day
    }
}

/// The date of a calendar that the address asks for.
pub(super) fn find(url: &CanonicalUrl) -> Option<Dated> {
    let asked = url.path_and_query();
    if !asked.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let from_names = url.query().and_then(from_parameters);
    from_names.or_else(|| from_text(asked).filter(|_| asks_calendar(asked)))
}

/// `?year=2031&month=5`: the names say that this is a date.
fn from_parameters(query: &str) -> Option<Dated> {
    let (mut year, mut month, mut day) = (0, 0, 0);
    for parameter in query.split('&') {
        let Some((name, value)) = parameter.split_once('=') else {
            continue;
        };
        let (len, number) = digits(value.as_bytes());
        if len == 0 || len != value.len() {
            continue;
        }
        let is_named = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        match len {
            4 if is_named(&YEAR_NAMES) => year = number,
            1 | 2 if is_named(&MONTH_NAMES) => month = number,
            1 | 2 if is_named(&DAY_NAMES) => day = number,
            _ => {}
        }
    }
    date(year, month, day)
}

/// The first `2031-05-17`, `2031/05` or `20310517` of a text.
fn from_text(text: &str) -> Option<Dated> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let (len, number) = digits(&bytes[at..]);
        let found = match len {
            4 => after_year(number, &bytes[at + len..]),
            8 => date(number / 10_000, number / 100 % 100, number % 100),
            6 => date(number / 100, number % 100, 0),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        at += len;
    }
    None
}

/// `-05-17` or `/05` behind a year.
fn after_year(year: u32, rest: &[u8]) -> Option<Dated> {
    let (separator, rest) = rest.split_first()?;
    if !matches!(separator, b'-' | b'/' | b'.' | b'_') {
        return None;
    }
    let (len, month) = digits(rest);
    if !(1..=2).contains(&len) {
        return None;
    }
    let day = match rest.get(len) {
        Some(next) if next == separator => digits(&rest[len + 1..]),
        _ => (0, 0),
    };
    let day = if day.0 <= 2 { day.1 } else { 0 };
    date(year, month, day)
}

fn date(year: u32, month: u32, day: u32) -> Option<Dated> {
    let is_date = (1000..=9999).contains(&year) && (1..=12).contains(&month) && day <= 31;
    is_date.then_some(Dated { year, month, day })
}

/// Length and value of the digits that a text starts with.
fn digits(text: &[u8]) -> (usize, u32) {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = text[..len.min(9)]
        .iter()
        .fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
    (len, value)
}

/// Whether a word of the address is one that calendars have in theirs.
fn asks_calendar(asked: &str) -> bool {
    let words = asked.as_bytes().split(|byte| !byte.is_ascii_alphabetic());
    let says_so = |word: &[u8]| {
        let begins = |known: &&str| {
            let start = word.get(..known.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes()))
        };
        let is = |known: &&str| word.eq_ignore_ascii_case(known.as_bytes());
        word.len() >= 3 && (BEGINNINGS.iter().any(begins) || WHOLE.iter().any(is))
    };
    words.into_iter().any(says_so)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of 2026.
    const NOW: Time = Time(1_767_225_600_000);

    fn far(path: &str) -> Option<bool> {
        let url = CanonicalUrl::parse(&format!("http://a.example{path}")).unwrap();
        find(&url).map(|date| date.is_out_of_reach(NOW))
    }

    #[test]
    fn calendars_end_in_two_years_and_begin_in_1990() {
        for path in [
            "/events/2031-05/",
            "/kalender/2031/05/17",
            "/calendar.php?year=2031&month=5",
            "/?y=1971&m=12&d=1",
            "/termine?datum=20310517",
            "/cal/month.php?getdate=19700101",
        ] {
            assert_eq!(far(path), Some(true), "{path}");
        }
        for path in [
            "/events/2026-05/",
            "/events/2004/05/17/street-fair",
            "/calendar.php?year=2028&month=1",
            "/?y=1995&m=12",
        ] {
            assert_eq!(far(path), Some(false), "{path}");
        }
    }

    #[test]
    fn other_numbers_are_no_dates_of_calendars() {
        for path in [
            "/",
            "/2031/05/17/story.html",
            "/history/1923/05/",
            "/events/1234567",
            "/events/200405171200",
            "/calendar?id=2004",
            "/y?y=12&m=5",
            "/events/2031-13/",
            "/events/9999-99-99",
            "/catalogue/2004",
            "/local/1905/05",
            "/california/dayton/terminals/1905/05",
        ] {
            assert_eq!(far(path), None, "{path}");
        }
    }

    #[test]
    fn a_clock_that_starts_at_zero_closes_no_calendar() {
        let url = CanonicalUrl::parse("http://a.example/events/2024-05/").unwrap();
        assert!(!find(&url).unwrap().is_out_of_reach(Time(0)));
        assert!(!find(&url).unwrap().is_out_of_reach(Time(u64::MAX)));
    }

    #[test]
    fn dates_have_different_numbers() {
        let number = |text: &str| from_text(text).unwrap().number();
        let numbers = ["2004-05", "2004-05-01", "2004-06", "2005-05", "20040502"].map(number);
        let distinct: std::collections::BTreeSet<u32> = numbers.into_iter().collect();
        assert_eq!(distinct.len(), 5);
        assert_eq!(number("2004/5/1"), number("x20040501"));
    }
}
