//! Bodies that are too much, packed to be too much, or not what they say.

use super::server::{Site, Talk};
use std::io;

/// The start of zeros packed by gzip. Each byte of zero that follows unpacks
/// to 1,032 more: a megabyte to a gigabyte.
const GZIP_OF_ZEROS: &[u8] =
    b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\xec\xc1\x01\x01\0\0\0\x80\x90\xfe\xaf\xee\x08\x0a";

/// 64 MB of zeros packed by Brotli.
const BROTLI_OF_ZEROS: &[u8] =
    b"\xcf\xff\xff\x7f\xf8'\0\xe2\xb1@ \xf7\xfe\x9f\xff\xff\xff\xf0O\0\xc4a\x01\x80\xee\xfd?\
      \xff\xff\xff\xe1\x9f\0\x88\xc3\"\0\xdd\xfb\x7f\xfe\xff\xff\xc3?\x01\x10\x87\x05\0\xba\
      \xf7\xff\x03";

/// The start of a Zstandard frame with a window of 128 KB.
const ZSTD_HEAD: &[u8] = b"\x28\xb5\x2f\xfd\0\x38";

/// A Zstandard block, not the last one: one zero, 128 KB of times.
const ZSTD_OF_ZEROS: &[u8] = b"\x02\0\x10\0";

/// How much is said at once.
const BLOCK: usize = 1 << 16;

const HTML: &str = "<title>Fine</title><p>901 Bagby St, Houston, TX 77002";

pub(crate) fn sites() -> Vec<Site> {
    vec![
        Site::new("gzip-bomb", gzip_bomb),
        Site::new("gzip-bomb-in-one-chunk", gzip_bomb_of_known_length),
        Site::new("br-bomb", br_bomb),
        Site::new("zstd-bomb", zstd_bomb),
        Site::new("gzip-that-is-none", gzip_that_is_none),
        Site::new("gzip-that-breaks-off", gzip_that_breaks_off),
        Site::new("unknown-packing", unknown_packing),
        Site::new("ten-gigabytes-announced", ten_gigabytes_announced),
        Site::new("chunks-for-ever", chunks_for_ever),
        Site::new("zeros-for-ever", zeros_for_ever),
        Site::new("error-for-ever", error_for_ever),
        Site::new("html-without-type", |talk| {
            talk.answer("200 OK", &[], HTML.as_bytes())
        }),
        Site::new("html-as-octets", |talk| {
            let octets = "Content-Type: application/octet-stream";
            talk.answer("200 OK", &[octets], HTML.as_bytes())
        }),
        Site::new("png-as-html", |talk| {
            talk.page(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0")
        }),
        Site::new("pdf", |talk| {
            talk.answer("200 OK", &["Content-Type: application/pdf"], b"%PDF-1.7")
        }),
        Site::new("video-for-ever", |talk| {
            talk.head("200 OK", &["Content-Type: video/mp4"])?;
            talk.flood(&[0; BLOCK])
        }),
    ]
}

/// The head of a page that is packed, or says so.
fn packed(talk: &mut Talk, encoding: &str) -> io::Result<()> {
    let encoding = format!("Content-Encoding: {encoding}");
    talk.head("200 OK", &["Content-Type: text/html", &encoding])
}

fn gzip_bomb(talk: &mut Talk) -> io::Result<()> {
    packed(talk, "gzip")?;
    talk.say(GZIP_OF_ZEROS)?;
    talk.flood(&[0; BLOCK])
}

/// The whole bomb is 20 KB: nothing about its size is suspicious.
fn gzip_bomb_of_known_length(talk: &mut Talk) -> io::Result<()> {
    let bomb = [GZIP_OF_ZEROS, &[0; 20_000]].concat();
    let headers = ["Content-Type: text/html", "Content-Encoding: gzip"];
    talk.answer("200 OK", &headers, &bomb)
}

fn br_bomb(talk: &mut Talk) -> io::Result<()> {
    packed(talk, "br")?;
    talk.say(BROTLI_OF_ZEROS)
}

fn zstd_bomb(talk: &mut Talk) -> io::Result<()> {
    packed(talk, "zstd")?;
    talk.say(ZSTD_HEAD)?;
    talk.flood(&ZSTD_OF_ZEROS.repeat(BLOCK / 4))
}

fn gzip_that_is_none(talk: &mut Talk) -> io::Result<()> {
    packed(talk, "gzip")?;
    talk.say(HTML)
}

fn gzip_that_breaks_off(talk: &mut Talk) -> io::Result<()> {
    packed(talk, "gzip")?;
    talk.say(GZIP_OF_ZEROS)?;
    talk.say([0; 100])
}

fn unknown_packing(talk: &mut Talk) -> io::Result<()> {
    packed(talk, "rar")?;
    talk.say(b"Rar!\x1a\x07\x01\0")
}

fn ten_gigabytes_announced(talk: &mut Talk) -> io::Result<()> {
    let length = "Content-Length: 10000000000";
    talk.head("200 OK", &["Content-Type: text/html", length])?;
    talk.flood(&[b' '; BLOCK])
}

fn chunks_for_ever(talk: &mut Talk) -> io::Result<()> {
    let chunked = "Transfer-Encoding: chunked";
    talk.head("200 OK", &["Content-Type: text/html", chunked])?;
    talk.flood(format!("8000\r\n{:32768}\r\n", "").as_bytes())
}

fn zeros_for_ever(talk: &mut Talk) -> io::Result<()> {
    talk.head("200 OK", &["Content-Type: text/html"])?;
    talk.flood(&[0; BLOCK])
}

fn error_for_ever(talk: &mut Talk) -> io::Result<()> {
    talk.head("404 Not Found", &["Content-Type: text/html"])?;
    talk.flood(&[b'4'; BLOCK])
}
