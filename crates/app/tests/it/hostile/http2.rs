//! HTTP/2 frames that break off, flood and never end.
//!
//! Paths are packed in ways this server does not know, so it goes by order:
//! the first connection asks for robots rules and every later one for the
//! page, because each is closed after its answer.

use super::server::{Site, Talk};
use super::tls::Authority;
use std::io;

/// Types of frames.
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;

/// Flags of frames.
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// Header fields: two from the table of known ones, one spelled out.
const STATUS_200: &[u8] = b"\x88";
const STATUS_404: &[u8] = b"\x8d";
const TYPE_HTML: &[u8] = b"\x0f\x10\x09text/html";

/// An error code.
const INTERNAL_ERROR: u32 = 2;

pub(crate) fn sites(authority: &Authority) -> Vec<Site> {
    let site = |name, page| Site::new(name, page).over_tls(authority.honest("h2"));
    vec![
        site("h2-good", |talk| converse(talk, good)),
        site("h2-breaks-off", |talk| converse(talk, breaks_off)),
        site("h2-goes-away", |talk| converse(talk, goes_away)),
        site("h2-closes", |talk| converse(talk, closes)),
        site("h2-settings-for-ever", |talk| {
            converse(talk, settings_for_ever)
        }),
        site("h2-pings-for-ever", |talk| converse(talk, pings_for_ever)),
        site("h2-head-without-end", |talk| {
            converse(talk, head_without_end)
        }),
        site("h2-body-for-ever", |talk| converse(talk, body_for_ever)),
        site("h2-noise", |talk| talk.say([0xff; 1000])),
    ]
}

/// Answers the first request on a connection, on this stream.
type Answer = fn(&mut Talk, u32) -> io::Result<()>;

fn converse(talk: &mut Talk, answer: Answer) -> io::Result<()> {
    let stream = hear_request(talk)?;
    if talk.n_before == 0 {
        send(talk, HEADERS, END_HEADERS | END_STREAM, stream, STATUS_404)?;
    } else {
        answer(talk, stream)?;
    }
    let no_error = 0;
    go_away(talk, stream, no_error)
}

/// Reads on until a request has come, and returns its stream.
fn hear_request(talk: &mut Talk) -> io::Result<u32> {
    talk.hear(&mut [0; b"\nSM\r\n\r\n".len()])?;
    send(talk, SETTINGS, 0, 0, b"")?;
    loop {
        let mut head = [0; 9];
        talk.hear(&mut head)?;
        let [a, b, c, kind, flags, stream @ ..] = head;
        let n_bytes = u32::from_be_bytes([0, a, b, c]);
        talk.hear(&mut vec![0; usize::try_from(n_bytes).unwrap()])?;
        match kind {
            HEADERS => return Ok(u32::from_be_bytes(stream)),
            SETTINGS if flags & ACK == 0 => send(talk, SETTINGS, ACK, 0, b"")?,
            _ => {}
        }
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let [_, a, b, c] = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [a, b, c, kind, flags];
    [&head, &stream.to_be_bytes()[..], payload].concat()
}

fn send(talk: &mut Talk, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
    talk.say(frame(kind, flags, stream, payload))
}

fn go_away(talk: &mut Talk, last_stream: u32, error: u32) -> io::Result<()> {
    let payload = [last_stream.to_be_bytes(), error.to_be_bytes()].concat();
    send(talk, GOAWAY, 0, 0, &payload)
}

/// The head of a page, and a little of it.
fn begin(talk: &mut Talk, stream: u32) -> io::Result<()> {
    let fields = [STATUS_200, TYPE_HTML].concat();
    send(talk, HEADERS, END_HEADERS, stream, &fields)?;
    send(talk, DATA, 0, stream, b"<title>Over two")
}

fn good(talk: &mut Talk, stream: u32) -> io::Result<()> {
    begin(talk, stream)?;
    send(talk, DATA, END_STREAM, stream, b"</title>")
}

fn breaks_off(talk: &mut Talk, stream: u32) -> io::Result<()> {
    begin(talk, stream)?;
    send(talk, RST_STREAM, 0, stream, &INTERNAL_ERROR.to_be_bytes())
}

fn goes_away(talk: &mut Talk, stream: u32) -> io::Result<()> {
    begin(talk, stream)?;
    go_away(talk, 0, INTERNAL_ERROR)
}

fn closes(talk: &mut Talk, stream: u32) -> io::Result<()> {
    begin(talk, stream)?;
    Err(io::ErrorKind::ConnectionAborted.into())
}

fn settings_for_ever(talk: &mut Talk, _stream: u32) -> io::Result<()> {
    talk.flood(&frame(SETTINGS, 0, 0, b"").repeat(1000))
}

fn pings_for_ever(talk: &mut Talk, _stream: u32) -> io::Result<()> {
    talk.flood(&frame(PING, 0, 0, b"are you?").repeat(1000))
}

fn head_without_end(talk: &mut Talk, stream: u32) -> io::Result<()> {
    send(talk, HEADERS, 0, stream, STATUS_200)?;
    talk.flood(&frame(CONTINUATION, 0, stream, TYPE_HTML).repeat(1000))
}

/// More than the client has room for, without waiting until it makes some.
fn body_for_ever(talk: &mut Talk, stream: u32) -> io::Result<()> {
    begin(talk, stream)?;
    talk.flood(&frame(DATA, 0, stream, &[b' '; 16_384]))
}
