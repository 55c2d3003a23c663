//! How fast addresses are found.

use place::address::Addresses;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// The best of fifteen runs over all pages, since other work on the machine only slows.
#[expect(clippy::cast_precision_loss, reason = "megabytes")]
pub(super) fn measure(
    _dir: &Path,
    finder: &Addresses,
    texts: &[String],
    table: &mut String,
) -> std::fmt::Result {
    let n_bytes: usize = texts.iter().map(String::len).sum();
    let digits = "1234 Main St 5 Oak Ave 99 North Foo TX 77002 AB CD ".repeat(5_000);
    let mut measure = |name: &str, texts: &[&str], n_bytes: usize| {
        let run = || {
            let start = Instant::now();
            let n: usize = texts.iter().map(|text| finder.find(text).len()).sum();
            (start.elapsed(), n)
        };
        let (best, n) = (0..15).map(|_| run()).min().unwrap_or_default();
        writeln!(
            table,
            "{name:<40} {:.0} MB/s, {:.1} µs a page, {:.1} MB, {n} addresses",
            n_bytes as f64 / 1e6 / best.as_secs_f64(),
            best.as_secs_f64() * 1e6 / texts.len() as f64,
            n_bytes as f64 / 1e6
        )
    };
    let pages: Vec<&str> = texts.iter().map(String::as_str).collect();
    measure("speed, web pages, one thread", &pages, n_bytes)?;
    measure("speed, numbers and capitals only", &[&digits], digits.len())
}
