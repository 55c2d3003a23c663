//! `Retry-After`: when a server that is too busy wants to be asked again.

use crate::clock::after;
use crate::fetch::Answer;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::visit::Time;

/// Whoever asks for more has miscounted: the usual waits are kept instead.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long an answer asks to be left alone, where it says so and makes sense.
pub(super) fn retry_after(answer: &Answer, now: Time) -> Option<Duration> {
    let value = answer.header("retry-after")?;
    let rest = match value.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => until(value, answer, now)?,
    };
    (rest <= LONGEST).then_some(rest)
}

/// The time until a date; none when it has passed. The server's own idea of
/// now counts, where it tells: clocks differ by hours.
fn until(date: &str, answer: &Answer, now: Time) -> Option<Duration> {
    let date = milliseconds(date)?;
    let now = answer.header("date").and_then(milliseconds).unwrap_or(now);
    date.0.checked_sub(now.0).map(Duration::from_millis)
}

fn milliseconds(date: &str) -> Option<Time> {
    let date: SystemTime = httpdate::parse_http_date(date).ok()?;
    Some(after(Time(0), date.duration_since(UNIX_EPOCH).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    /// Sun, 06 Nov 1994 08:49:37 GMT
    const NOW: Time = Time(784_111_777_000);

    fn asked(headers: &str) -> Option<u64> {
        let answer = Answer {
            status: 503,
            head: format!("HTTP/1.1 503 Busy\r\n{headers}\r\n\r\n").into_bytes(),
            content_type: None,
            location: None,
            body: Bytes::new(),
        };
        retry_after(&answer, NOW).map(|rest| rest.as_secs())
    }

    #[test]
    fn seconds_and_all_three_kinds_of_date_are_read() {
        assert_eq!(asked("Retry-After: 120"), Some(120));
        assert_eq!(asked("retry-after:0"), Some(0));
        assert_eq!(
            asked("Retry-After: Sun, 06 Nov 1994 08:50:37 GMT"),
            Some(60)
        );
        assert_eq!(
            asked("Retry-After: Sunday, 06-Nov-94 08:50:37 GMT"),
            Some(60)
        );
        assert_eq!(asked("Retry-After: Sun Nov  6 08:50:37 1994"), Some(60));
    }

    #[test]
    fn dates_count_from_the_servers_own_now() {
        let skewed = "Date: Sun, 06 Nov 1994 11:00:00 GMT\r\n\
                      Retry-After: Sun, 06 Nov 1994 11:00:30 GMT";
        assert_eq!(asked(skewed), Some(30));
    }

    #[test]
    fn nonsense_asks_for_nothing() {
        for value in [
            "",
            "soon",
            "-5",
            "1.5",
            "99999999999999999999999",
            "31536000",
            "Sun, 06 Nov 1994 08:00:00 GMT",
            "Sun, 06 Nov 9999 08:00:00 GMT",
            "Sun, 99 Foo 1994 08:00:00 GMT",
        ] {
            assert_eq!(asked(&format!("Retry-After: {value}")), None, "{value}");
        }
        assert_eq!(asked("Server: x"), None);
    }
}
