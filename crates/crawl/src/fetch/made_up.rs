//! Tells the proxy of a made-up web from any other.
//!
//! Whatever else stands behind a proxy may be the real web, where people must
//! be able to reach whoever asks, and hosts are given time. The made-up web
//! says what it is in a header of all its answers.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// The header of a made-up web's answers.
pub const HEADER: &str = "x-locavore-web";

/// What it says.
pub const VALUE: &str = "made up";

/// For reaching the proxy, and for each piece of its answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most bytes of an answer that are read.
const MAX_ANSWER: u64 = 64 << 10;

/// Where the proxy itself says what its web is made from.
pub const WORLD_PATH: &str = "/world.toml";

/// Asks a proxy, such as `http://127.0.0.1:8100`, whether its web is made up.
///
/// It is asked for its own front page, so no request goes any further.
pub fn is_behind(proxy: &str) -> io::Result<bool> {
    Ok(says_so(&get(proxy, "/")?))
}

/// What the made-up web behind a proxy is made from, in its own words; none
/// where it does not say, or is not made up.
pub fn world(proxy: &str) -> io::Result<Option<String>> {
    let answer = get(proxy, WORLD_PATH)?;
    let text = String::from_utf8_lossy(&answer);
    let body = text.split_once("\r\n\r\n").map(|(_, body)| body);
    let is_there = text.split(' ').nth(1) == Some("200");
    Ok(body
        .filter(|_| is_there && says_so(&answer))
        .map(str::to_owned))
}

/// The answer of the proxy itself.
fn get(proxy: &str, path: &str) -> io::Result<Vec<u8>> {
    let authority = proxy.strip_prefix("http://").unwrap_or(proxy);
    let authority = authority.trim_end_matches('/');
    let mut stream = reach(authority)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    // What came before a proxy broke off is its answer, too.
    let _ = stream.take(MAX_ANSWER).read_to_end(&mut answer);
    Ok(answer)
}

fn reach(authority: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in authority.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn says_so(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    head.split("\r\n").skip(1).any(|line| {
        line.split_once(':').is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case(HEADER) && value.trim().eq_ignore_ascii_case(VALUE)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_header_makes_a_web_made_up() {
        assert!(says_so(
            b"HTTP/1.1 200 OK\r\nX-Locavore-Web: made up\r\n\r\n"
        ));
        assert!(!says_so(b"HTTP/1.1 400 Bad Request\r\nVia: squid\r\n\r\n"));
        assert!(!says_so(
            b"HTTP/1.1 200 OK\r\n\r\nx-locavore-web: made up\r\n\r\n"
        ));
        assert!(!says_so(b""));
    }
}
