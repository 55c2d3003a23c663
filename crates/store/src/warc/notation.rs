//! How WARC files write times, digests and names.

use crate::visit::Time;
use sha1::{Digest, Sha1};

/// Days from 1 March of the year 0 to 1 January 1970.
const DAYS_TO_1970: u64 = 719_468;

/// SHA-1 of some bytes.
pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// A digest as fields have it.
pub(super) fn digest(hash: &[u8; 20]) -> String {
    format!("sha1:{}", base32(hash))
}

/// RFC 4648 base 32 of a SHA-1, which needs no padding.
fn base32(bytes: &[u8; 20]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::with_capacity(32);
    for five in bytes.chunks_exact(5) {
        let bits = five
            .iter()
            .fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        for shift in (0..8).rev() {
            text.push(char::from(ALPHABET[(bits >> (5 * shift)) as usize & 31]));
        }
    }
    text
}

/// A name made of a hash.
pub(super) fn uuid(hash: &[u8; 20]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x50; // named by SHA-1
    bytes[8] = bytes[8] & 0x3f | 0x80; // RFC 9562
    let number = u128::from_be_bytes(bytes);
    let part = |shift: u32, n_digits: u32| number >> shift & ((1 << (4 * n_digits)) - 1);
    format!(
        "<urn:uuid:{:08x}-{:04x}-{:04x}-{:04x}-{:012x}>",
        part(96, 8),
        part(80, 4),
        part(64, 4),
        part(48, 4),
        part(0, 12),
    )
}

/// ISO 8601 in UTC with milliseconds.
pub fn date(at: Time) -> String {
    let seconds = at.0 / 1000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let milli = at.0 % 1000;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Year, month and day of a day counted from 1970-01-01.
///
/// Counts from 1 March of the year 0, so that the leap day is a year's last.
fn civil(day: u64) -> (u64, u64, u64) {
    const DAYS_400_YEARS: u64 = 146_097;
    let day = day + DAYS_TO_1970;
    let (era, day) = (day / DAYS_400_YEARS, day % DAYS_400_YEARS);
    // Leap days before `day`: one each 1,461 days, none each 36,524, and the
    // era's last day is one again.
    let leaps = day / 1460 - day / 36_524 + day / 146_096;
    let year = (day - leaps) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // From March on, five months have 153 days, again and again.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (year, month + 3),
        _ => (year + 1, month - 9),
    };
    (era * 400 + year, month, day)
}

/// The time in an ISO 8601 text in UTC; digits after milliseconds are dropped.
pub(super) fn read_date(text: &str) -> Option<Time> {
    let (day, time) = text.trim().strip_suffix('Z')?.split_once('T')?;
    let mut day = day.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (day.next()??, day.next()??, day.next()??);
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut time = time.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    let fraction = format!("{fraction:0<3}");
    let milli: u64 = fraction.get(..3)?.parse().ok()?;
    let is_sound = (1970..10_000).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        // Leap seconds are counted as the second after them.
        && second <= 60;
    // Only now: with numbers of any size this would overflow.
    is_sound.then(|| {
        let seconds = day_number(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        Time(seconds * 1000 + milli)
    })
}

/// The day's number from 1970-01-01; undoes [`civil`].
fn day_number(year: u64, month: u64, day: u64) -> u64 {
    // Counted from March on, as there.
    let (year, month) = match month {
        0..=2 => (year.saturating_sub(1), month + 9),
        _ => (year, month - 3),
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400;
    (days + (153 * month + 2) / 5 + day).saturating_sub(DAYS_TO_1970 + 1)
}

/// The SHA-1 in a digest field, in base 32 or, as some write it, in base 16.
pub(super) fn read_digest(text: &str) -> Option<[u8; 20]> {
    let (algorithm, digits) = text.trim().split_once(':')?;
    if !algorithm.eq_ignore_ascii_case("sha1") {
        return None;
    }
    let n_bits = match digits.len() {
        32 => 5,
        40 => 4,
        _ => return None,
    };
    let (mut hash, mut bits, mut n_held, mut n_bytes) = ([0; 20], 0u32, 0, 0);
    for digit in digits.bytes() {
        let value = match (n_bits, digit.to_ascii_uppercase()) {
            (5, letter @ b'A'..=b'Z') => letter - b'A',
            (5, number @ b'2'..=b'7') => number - b'2' + 26,
            (4, number @ b'0'..=b'9') => number - b'0',
            (4, letter @ b'A'..=b'F') => letter - b'A' + 10,
            _ => return None,
        };
        bits = bits << n_bits | u32::from(value);
        n_held += n_bits;
        if n_held >= 8 {
            n_held -= 8;
            hash[n_bytes] = (bits >> n_held & 0xff) as u8;
            n_bytes += 1;
        }
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_agree_with_counting_days_one_by_one() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for number in 0..300_000 {
            assert_eq!(civil(number), (year, month, day));
            assert_eq!(day_number(year, month, day), number);
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let n_days = match month {
                2 => 28 + u64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > n_days {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn dates_are_iso_8601_with_milliseconds() {
        assert_eq!(date(Time(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(date(Time(951_827_696_789)), "2000-02-29T12:34:56.789Z");
        // The end of time is far away but no panic.
        assert!(date(Time(u64::MAX)).ends_with('Z'));
    }

    #[test]
    fn digests_are_base32_of_sha1() {
        assert_eq!(digest(&sha1(b"")), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        for at in [0, 951_827_696_789, 1_700_000_000_000] {
            assert_eq!(read_date(&date(Time(at))), Some(Time(at)));
        }
        assert_eq!(
            read_date("2000-02-29T12:34:56.7891234Z"),
            Some(Time(951_827_696_789))
        );
        assert_eq!(
            read_date("2000-02-29T12:34:56Z"),
            Some(Time(951_827_696_000))
        );
        for bad in [
            "",
            "2000",
            "2000-13-01T00:00:00Z",
            "1000-01-01T00:00:00Z",
            "18446744073709551615-01-01T00:00:00Z",
            "2000-18446744073709551615-01T00:00:00Z",
            "2000-01-18446744073709551615T00:00:00Z",
            "2000-01-01T18446744073709551615:00:00Z",
            "T:Z",
        ] {
            assert_eq!(read_date(bad), None, "{bad}");
        }
    }

    #[test]
    fn digests_are_read_in_both_bases() {
        let hash = sha1(b"hello");
        assert_eq!(read_digest(&digest(&hash)), Some(hash));
        let hex = "SHA1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d";
        assert_eq!(read_digest(hex), Some(hash));
        for bad in [
            "",
            "sha1:",
            "md5:AA",
            "sha1:0000000000000000000000000000000!",
        ] {
            assert_eq!(read_digest(bad), None, "{bad}");
        }
    }
}
