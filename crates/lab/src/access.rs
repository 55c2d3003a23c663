//! The made-up web's own record of who was asked when.
//!
//! One line for each request, `1146441600000.250 http://host/path`: milliseconds
//! since 1970 and the URL, written when the request arrives. What a crawler
//! says of itself can be held against it.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where requests are noted.
#[derive(Debug)]
pub struct AccessLog {
    file: File,
}

/// One request, as noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// When it arrived, since 1970.
    pub at: Duration,
    /// What was asked for.
    pub url: String,
}

impl AccessLog {
    /// Opens a log; what is in it stays.
    pub fn open(path: &Path) -> io::Result<AccessLog> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(AccessLog { file })
    }

    /// Notes a request that arrives now.
    pub(crate) fn note(&self, url: &str) -> io::Result<()> {
        let at = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let line = format!(
            "{}.{:03} {url}\n",
            at.as_millis(),
            at.subsec_micros() % 1000
        );
        // One write for each line: nothing is lost if the server is killed.
        (&self.file).write_all(line.as_bytes())
    }
}

/// Reads a log, in the order of arrival; a line cut off at the end is left out.
pub fn read(path: &Path) -> io::Result<Vec<Access>> {
    let text = std::fs::read_to_string(path)?;
    let mut accesses: Vec<Access> = text.lines().filter_map(parse).collect();
    // Several threads note; the sort is stable.
    accesses.sort_by_key(|access| access.at);
    Ok(accesses)
}

fn parse(line: &str) -> Option<Access> {
    let (time, url) = line.split_once(' ')?;
    let (millis, micros) = time.split_once('.')?;
    let at =
        Duration::from_millis(millis.parse().ok()?) + Duration::from_micros(micros.parse().ok()?);
    Some(Access {
        at,
        url: url.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("access.log");
        for url in ["http://a.example/", "http://b.example/?q=1"] {
            // Opening again adds to what is there.
            AccessLog::open(&path).unwrap().note(url).unwrap();
        }
        let accesses = read(&path).unwrap();
        let urls: Vec<&str> = accesses.iter().map(|access| access.url.as_str()).collect();
        assert_eq!(urls, ["http://a.example/", "http://b.example/?q=1"]);
        assert!(accesses[0].at <= accesses[1].at);
    }

    #[test]
    fn fractions_of_milliseconds_are_kept() {
        let access = parse("1146441600000.250 http://a.example/").unwrap();
        assert_eq!(access.at, Duration::from_micros(1_146_441_600_000_250));
        assert_eq!(parse("1146441600000"), None);
    }
}
