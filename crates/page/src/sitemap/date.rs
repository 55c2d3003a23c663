//! Dates of sitemaps (W3C datetime) and of feeds (RFC 822).
//!
//! Times without a zone are taken for UTC. A time that cannot be read leaves
//! the day, which is all that most readers want.

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// Milliseconds since 1970; none for what is no date, or an earlier one.
pub(super) fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    w3c(text).or_else(|| rfc822(text))
}

/// `2005`, `2005-01`, `2005-01-31`, `2005-01-31T18:30:02.5+01:00`
fn w3c(text: &str) -> Option<u64> {
    let mut scan = Scan(text.as_bytes());
    let year = scan.digits(4..=4)?;
    let (mut month, mut day) = (1, 1);
    if scan.eat(b"-") {
        month = scan.digits(1..=2)?;
        if scan.eat(b"-") {
            day = scan.digits(1..=2)?;
        }
    } else if !scan.0.is_empty() {
        // A number that begins like a year is none.
        return None;
    }
    let days = days_since_1970(year, month, day)?;
    let time = if scan.eat(b"Tt ") { scan.time() } else { None };
    instant(days, time)
}

/// `Thu, 05 Jan 2017 13:34:51 +0100`, with or without day of the week
fn rfc822(text: &str) -> Option<u64> {
    let date = text.split_once(',').map_or(text, |(_, date)| date);
    let mut scan = Scan(date.as_bytes());
    scan.skip_spaces();
    let day = scan.digits(1..=2)?;
    scan.skip_spaces();
    let month = scan.month()?;
    scan.skip_spaces();
    let year = match scan.digits(2..=4)? {
        year @ 0..50 => year + 2000,
        year @ 50..1000 => year + 1900,
        year => year,
    };
    scan.skip_spaces();
    let days = days_since_1970(year, month, day)?;
    instant(days, scan.time())
}

/// A day with a time of it, in milliseconds that a zone may make negative.
fn instant(days: u64, time: Option<i64>) -> Option<u64> {
    (days * DAY).checked_add_signed(time.unwrap_or_default())
}

fn days_since_1970(year: u64, month: u64, day: u64) -> Option<u64> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let february = 28 + u64::from(is_leap);
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month_idx = usize::try_from(month).ok()?.checked_sub(1)?;
    let n_days = *months.get(month_idx)?;
    if year < 1970 || !(1..=n_days).contains(&day) {
        return None;
    }
    let leap_days = |year: u64| year / 4 - year / 100 + year / 400;
    let earlier_years = (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969);
    let earlier_months: u64 = months[..month_idx].iter().sum();
    Some(earlier_years + earlier_months + day - 1)
}

/// What is left of a date.
struct Scan<'t>(&'t [u8]);

impl Scan<'_> {
    /// A number of so many digits, as many as there are.
    fn digits(&mut self, n_digits: std::ops::RangeInclusive<usize>) -> Option<u64> {
        let most = *n_digits.end();
        let digits = self.0.iter().take(most);
        let len = digits.take_while(|byte| byte.is_ascii_digit()).count();
        if !n_digits.contains(&len) {
            return None;
        }
        let (digits, rest) = self.0.split_at(len);
        self.0 = rest;
        let add = |number, digit: &u8| number * 10 + u64::from(digit - b'0');
        Some(digits.iter().fold(0, add))
    }

    /// Takes one byte if it is one of these.
    fn eat(&mut self, bytes: &[u8]) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if bytes.contains(first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn skip_spaces(&mut self) {
        self.0 = self.0.trim_ascii_start();
    }

    /// `Jan`, `january`
    fn month(&mut self) -> Option<u64> {
        const NAMES: &[u8] = b"janfebmaraprmayjunjulaugsepoctnovdec";
        let name = self.0.get(..3)?;
        let month_idx = NAMES
            .chunks(3)
            .position(|known| known.eq_ignore_ascii_case(name))?;
        let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
        let len = self.0.iter().take_while(is_letter).count();
        self.0 = &self.0[len..];
        Some(month_idx as u64 + 1)
    }

    /// `18:30`, `18:30:02`, `18:30:02.25`, each with a zone, as milliseconds of UTC.
    fn time(&mut self) -> Option<i64> {
        let hour = self.digits(1..=2)?;
        let minute = self.eat(b":").then(|| self.digits(2..=2))??;
        let second = if self.eat(b":") {
            self.digits(1..=2)?
        } else {
            0
        };
        let millis = if self.eat(b".,") { self.fraction() } else { 0 };
        if hour > 24 || minute > 59 || second > 60 {
            return None;
        }
        let local = ((hour * 60 + minute) * 60 + second) * 1000 + millis;
        Some(local as i64 - self.zone() * 60_000)
    }

    /// Three digits of a second's fraction; there may be more or fewer.
    fn fraction(&mut self) -> u64 {
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let len = self.0.iter().take_while(is_digit).count();
        let (digits, rest) = self.0.split_at(len);
        self.0 = rest;
        let padded = digits.iter().copied().chain([b'0'; 3]).take(3);
        padded.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
    }

    /// Minutes ahead of UTC.
    fn zone(&mut self) -> i64 {
        self.skip_spaces();
        let sign = match self.0.first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return named_zone(self.0),
        };
        self.0 = &self.0[1..];
        let hours = self.digits(1..=2).unwrap_or_default();
        self.eat(b":");
        let minutes = self.digits(2..=2).unwrap_or_default();
        sign * (hours.min(23) * 60 + minutes.min(59)) as i64
    }
}

/// The zones of RFC 822 that are more than a letter; others are UTC.
fn named_zone(name: &[u8]) -> i64 {
    let hours = match name.get(..3) {
        Some(b"EDT") => -4,
        Some(b"EST" | b"CDT") => -5,
        Some(b"CST" | b"MDT") => -6,
        Some(b"MST" | b"PDT") => -7,
        Some(b"PST") => -8,
        _ => 0,
    };
    hours * 60
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<u64> {
        parse(text).map(|millis| millis / 1000)
    }

    #[test]
    fn w3c_dates_of_any_precision() {
        assert_eq!(seconds("1970"), Some(0));
        assert_eq!(seconds("2000-03"), Some(951_868_800));
        assert_eq!(seconds(" 2005-01-01\n"), Some(1_104_537_600));
        assert_eq!(seconds("2003-12-13T18:30:02Z"), Some(1_071_340_202));
        assert_eq!(seconds("2003-12-13T19:30:02+01:00"), Some(1_071_340_202));
        assert_eq!(seconds("2003-12-13 18:30"), Some(1_071_340_200));
        assert_eq!(parse("2003-12-13T18:30:02.25Z"), Some(1_071_340_202_250));
        assert_eq!(seconds("2003-12-13T25:99"), Some(1_071_273_600));
    }

    #[test]
    fn rfc_822_dates_with_old_years_and_zones() {
        let expected = Some(1_483_619_691);
        assert_eq!(seconds("Thu, 05 Jan 2017 13:34:51 +0100"), expected);
        assert_eq!(seconds("5 Jan 17 12:34:51 GMT"), expected);
        assert_eq!(seconds("Thu, 5 January 2017 07:34:51 EST"), expected);
        assert_eq!(seconds("05 Jan 2017"), Some(1_483_574_400));
        assert_eq!(seconds("01 Jan 99 00:00 UT"), Some(915_148_800));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "yesterday",
            "20050101",
            "2005-13-01",
            "2005-02-29",
            "1969-12-31",
            "0000",
            "1970-01-01T00:00:00+01:00",
            "32 Jan 2017",
            "5 Foo 2017",
            "é",
            "+",
            "2005-",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
