//! The floor: what it costs to move a list of pages through sockets, and
//! nothing else.
//!
//! `floor-raw LIST CONCURRENCY`: the URLs of a file, one per line, over
//! keep-alive connections, one per host, so many hosts at a time. Of an answer
//! only its length is read. One thread, blocking: a request goes out on every
//! connection before the first answer is waited for.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::TcpStream;

/// Larger than any answer of the web under test.
const BUFFER: usize = 256 << 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let list = args.next().ok_or("floor-raw LIST CONCURRENCY")?;
    let concurrency: usize = args.next().and_then(|text| text.parse().ok()).unwrap_or(32);
    let list = std::fs::read_to_string(list)?;
    let mut hosts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for url in list.lines() {
        let rest = url.strip_prefix("http://").ok_or("only http:// URLs")?;
        let slash = rest.find('/').ok_or("a URL without a path")?;
        hosts
            .entry(&rest[..slash])
            .or_default()
            .push(&rest[slash..]);
    }
    let hosts: Vec<(&str, Vec<&str>)> = hosts.into_iter().collect();
    let mut buffer = vec![0; BUFFER];
    let (mut n_pages, mut n_bytes) = (0, 0);
    for group in hosts.chunks(concurrency.max(1)) {
        let streams = group.iter().map(|(host, _)| TcpStream::connect(host));
        let mut streams: Vec<TcpStream> = streams.collect::<io::Result<_>>()?;
        let longest = group
            .iter()
            .map(|(_, paths)| paths.len())
            .max()
            .unwrap_or(0);
        for turn in 0..longest {
            for ((host, paths), stream) in group.iter().zip(&mut streams) {
                if let Some(path) = paths.get(turn) {
                    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
                    stream.write_all(request.as_bytes())?;
                }
            }
            for ((_, paths), stream) in group.iter().zip(&mut streams) {
                if turn < paths.len() {
                    n_bytes += receive(stream, &mut buffer)?;
                    n_pages += 1;
                }
            }
        }
    }
    eprintln!("{n_pages} pages, {n_bytes} bytes");
    Ok(())
}

/// Reads one answer; its length.
fn receive(stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    let (mut n_read, mut wanted) = (0, None);
    while wanted.is_none_or(|wanted| n_read < wanted) {
        let n_bytes = stream.read(&mut buffer[n_read..])?;
        if n_bytes == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        n_read += n_bytes;
        if wanted.is_none() {
            wanted = whole_length(&buffer[..n_read]);
        }
    }
    Ok(n_read)
}

/// Head and body together, once the head is there.
fn whole_length(answer: &[u8]) -> Option<usize> {
    let end = memchr::memmem::find(answer, b"\r\n\r\n")? + 4;
    let at = memchr::memmem::find(&answer[..end], b"Content-Length: ")? + 16;
    let digits = answer[at..].split(|byte| !byte.is_ascii_digit()).next()?;
    let length: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(end + length)
}
