//! Answers that are no HTTP, or break off, or never end.

use super::server::{Site, Talk};
use std::io;

/// Enough for any head; a crawler that keeps more can be filled up.
const LONG: usize = 1 << 16;

pub(crate) fn sites() -> Vec<Site> {
    vec![
        Site::new("noise", noise),
        Site::new("another-protocol", another_protocol),
        Site::new("no-head", no_head),
        Site::new("no-answer", |_| Ok(())),
        Site::new("body-too-short", body_too_short),
        Site::new("body-too-long", body_too_long),
        Site::new("two-lengths", two_lengths),
        Site::new("negative-length", negative_length),
        Site::new("chunk-size-in-words", chunk_size_in_words),
        Site::new("chunk-size-of-a-galaxy", chunk_size_of_a_galaxy),
        Site::new("chunks-break-off", chunks_break_off),
        Site::new("chunks-dripping", chunks_dripping),
        Site::new("header-without-end", header_without_end),
        Site::new("headers-without-end", headers_without_end),
        Site::new("hints-without-end", hints_without_end),
        Site::new("head-dripping", head_dripping),
        Site::new("body-dripping", body_dripping),
        Site::new("silence", silence),
        Site::new("reset-in-head", reset_in_head),
        Site::new("reset-in-body", reset_in_body),
    ]
}

fn noise(talk: &mut Talk) -> io::Result<()> {
    let mut state = 1_u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    talk.say(noise.take(LONG).collect::<Vec<u8>>())
}

fn another_protocol(talk: &mut Talk) -> io::Result<()> {
    talk.say("SSH-2.0-OpenSSH_9.6\r\n")
}

/// As the first web server answered.
fn no_head(talk: &mut Talk) -> io::Result<()> {
    talk.say("<html><title>1991</title>No head, only a body.</html>\n")
}

fn body_too_short(talk: &mut Talk) -> io::Result<()> {
    talk.head(
        "200 OK",
        &["Content-Type: text/html", "Content-Length: 1000"],
    )?;
    talk.say("<p>Only this much.")
}

fn body_too_long(talk: &mut Talk) -> io::Result<()> {
    talk.head("200 OK", &["Content-Type: text/html", "Content-Length: 10"])?;
    talk.say("<p>1234567HTTP/1.1 200 OK\r\n\r\n and what belongs to no request")
}

fn two_lengths(talk: &mut Talk) -> io::Result<()> {
    talk.head(
        "200 OK",
        &[
            "Content-Type: text/html",
            "Content-Length: 5",
            "Content-Length: 9",
        ],
    )?;
    talk.say("<p>123456")
}

fn negative_length(talk: &mut Talk) -> io::Result<()> {
    talk.head("200 OK", &["Content-Type: text/html", "Content-Length: -1"])?;
    talk.say("<p>Less than nothing")
}

fn begin_chunks(talk: &mut Talk) -> io::Result<()> {
    talk.head(
        "200 OK",
        &["Content-Type: text/html", "Transfer-Encoding: chunked"],
    )?;
    talk.say("9\r\n<p>Hello,\r\n")
}

fn chunk_size_in_words(talk: &mut Talk) -> io::Result<()> {
    begin_chunks(talk)?;
    talk.say("seven\r\n world!\r\n0\r\n\r\n")
}

fn chunk_size_of_a_galaxy(talk: &mut Talk) -> io::Result<()> {
    begin_chunks(talk)?;
    talk.say("fffffffffffffffff\r\n world!\r\n0\r\n\r\n")
}

fn chunks_break_off(talk: &mut Talk) -> io::Result<()> {
    begin_chunks(talk)?;
    talk.say("ff\r\n wor")
}

fn chunks_dripping(talk: &mut Talk) -> io::Result<()> {
    begin_chunks(talk)?;
    talk.drip(b"1\r\n!\r\n")
}

fn header_without_end(talk: &mut Talk) -> io::Result<()> {
    talk.say("HTTP/1.1 200 OK\r\nX-Long: ")?;
    talk.flood(&[b'a'; LONG])
}

fn headers_without_end(talk: &mut Talk) -> io::Result<()> {
    talk.say("HTTP/1.1 200 OK\r\n")?;
    talk.flood(&b"X-Many: a\r\n".repeat(LONG / 11))
}

fn hints_without_end(talk: &mut Talk) -> io::Result<()> {
    talk.flood(&b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(LONG / 28))
}

fn head_dripping(talk: &mut Talk) -> io::Result<()> {
    talk.say("HTTP/1.1 200 OK\r\nX-Slow: ")?;
    talk.drip(b"a")
}

fn body_dripping(talk: &mut Talk) -> io::Result<()> {
    talk.head(
        "200 OK",
        &["Content-Type: text/html", "Content-Length: 5000"],
    )?;
    talk.drip(b"a")
}

fn silence(talk: &mut Talk) -> io::Result<()> {
    talk.wait()
}

fn reset_in_head(talk: &mut Talk) -> io::Result<()> {
    talk.say("HTTP/1.1 200 OK\r\nContent-")?;
    talk.reset()
}

fn reset_in_body(talk: &mut Talk) -> io::Result<()> {
    talk.head(
        "200 OK",
        &["Content-Type: text/html", "Content-Length: 5000"],
    )?;
    talk.say("<p>Just a")?;
    talk.reset()
}
