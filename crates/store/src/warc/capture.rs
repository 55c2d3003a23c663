//! Reads the pages out of any crawler's WARC file.
//!
//! Files differ more than the standard allows: bodies are stored as sent,
//! chunked and packed, or decoded under headers that say otherwise; addresses
//! stand in angle brackets. So lengths and record heads are believed, and
//! encodings only where the bytes agree. What is no page (requests, metadata,
//! notes about the file) is passed over.
//!
//! Expects the unpacked stream: see [`crate::packing::unpacked`].

use super::body;
use super::http;
use super::records::{Kind, MAX_HEAD, RecordHead, Records, WarcError};
use super::revisit::RefersTo;
use crate::packing::one_member;
use crate::visit::Time;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::net::IpAddr;
use std::path::Path;

/// A document as it was archived, its body decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// Its address, as the record has it.
    pub url: String,
    /// When it was archived, where the record says so.
    pub at: Option<Time>,
    /// HTTP status; 200 for what was archived without HTTP.
    pub status: u16,
    /// Status line and headers as archived; empty for what was archived without HTTP.
    pub head: Vec<u8>,
    /// The `Content-Type` it was sent with, empty where there is none.
    pub content_type: String,
    /// The body, decoded; empty in a revisit.
    pub body: Vec<u8>,
    /// Whether more of it is archived than was asked for.
    pub is_cut: bool,
    /// Address of the server.
    pub server: Option<IpAddr>,
    /// SHA-1 of the payload, where the record says so.
    pub digest: Option<[u8; 20]>,
    /// The answer whose body this one has, where it is a revisit that says so.
    pub refers_to: Option<RefersTo>,
}

/// The documents of a WARC file, in its order; ends at the first error.
#[derive(Debug)]
pub struct Captures<R> {
    records: Records<R>,
    max_body: usize,
    is_over: bool,
}

/// The document or revisit in the record that begins there; none if it is something else.
pub fn capture_at(path: &Path, offset: u64, max_body: usize) -> Result<Option<Capture>, WarcError> {
    let mut file = File::open(path).map_err(WarcError::Io)?;
    file.seek(SeekFrom::Start(offset)).map_err(WarcError::Io)?;
    let (_, bytes) = one_member(BufReader::with_capacity(1 << 14, file)).map_err(WarcError::Io)?;
    let mut captures = Captures::new(bytes, max_body);
    match captures.records.next_head()? {
        Some((head, len)) => captures.record(&head, len),
        None => Ok(None),
    }
}

impl<R: BufRead> Captures<R> {
    /// Reads an unpacked stream; bodies beyond `max_body` bytes are cut.
    pub fn new(bytes: R, max_body: usize) -> Captures<R> {
        Captures {
            records: Records::after(0, bytes),
            max_body,
            is_over: false,
        }
    }

    /// The next document; none at the end.
    fn read_next(&mut self) -> Result<Option<Capture>, WarcError> {
        while let Some((head, len)) = self.records.next_head()? {
            let is_wanted = matches!(head.kind(), Kind::Response | Kind::Document);
            let capture = match is_wanted {
                true => self.record(&head, len)?,
                false => {
                    self.records.skip(len)?;
                    None
                }
            };
            self.records.n_records += 1;
            if capture.is_some() {
                return Ok(capture);
            }
        }
        Ok(None)
    }

    /// Reads the block of a record.
    fn record(&mut self, head: &RecordHead, len: u64) -> Result<Option<Capture>, WarcError> {
        // What a cut body still needs to be a whole block: its HTTP head.
        let wanted = len.min(self.max_body as u64 + MAX_HEAD);
        let block = self.records.block(wanted)?;
        self.records.skip(len - wanted)?;
        let capture = match head.kind() {
            Kind::Response | Kind::Revisit => http_capture(&block, self.max_body),
            Kind::Document => Some(document(head.content_type(), block)),
            Kind::Other => None,
        };
        let Some(mut capture) = capture else {
            return Ok(None);
        };
        capture.is_cut |= wanted < len || capture.body.len() > self.max_body;
        capture.body.truncate(self.max_body);
        capture.url = head.url();
        capture.at = head.at();
        capture.server = head.server();
        capture.digest = head.payload_digest();
        if head.kind() == Kind::Revisit {
            capture.refers_to = head.refers_to();
        }
        Ok(Some(capture))
    }
}

impl<R: BufRead> Iterator for Captures<R> {
    type Item = Result<Capture, WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.read_next().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

/// What was archived without HTTP around it.
fn document(content_type: String, body: Vec<u8>) -> Capture {
    Capture {
        url: String::new(),
        at: None,
        status: 200,
        head: Vec::new(),
        content_type,
        body,
        is_cut: false,
        server: None,
        digest: None,
        refers_to: None,
    }
}

fn http_capture(block: &[u8], max_body: usize) -> Option<Capture> {
    let (head, raw) = http::split_any_head(block)?;
    let coding = |name| text(http::field(head, name)).to_ascii_lowercase();
    let (mut body, mut is_cut) = (raw.to_vec(), false);
    if coding("Transfer-Encoding").contains("chunked")
        && let Some(whole) = body::dechunked(&body)
    {
        body = whole;
    }
    // Codings are listed in the order in which they were applied.
    let codings = coding("Content-Encoding");
    for coding in codings.rsplit(',').take(MAX_CODINGS) {
        if let Some((unpacked, is_long)) = body::unpacked(&body, coding, max_body) {
            (body, is_cut) = (unpacked, is_cut || is_long);
        }
    }
    Some(Capture {
        status: http::status(head),
        head: head.to_vec(),
        is_cut,
        ..document(text(http::field(head, "Content-Type")), body)
    })
}

/// Names of content codings that are looked at, the last first, whether or not
/// the body turns out to be so coded; honest servers apply one.
const MAX_CODINGS: usize = 3;

fn text(field: Option<&[u8]>) -> String {
    String::from_utf8_lossy(field.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests;
