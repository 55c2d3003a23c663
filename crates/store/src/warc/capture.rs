//! Reads the pages out of any crawler's WARC file.
//!
//! Files differ more than the standard allows: bodies are stored as sent,
//! chunked and packed, or decoded under headers that say otherwise; addresses
//! stand in angle brackets. So lengths and record heads are believed, and
//! encodings only where the bytes agree. What is no page (requests, metadata,
//! notes about the file) is passed over.
//!
//! Expects the unpacked stream: see [`crate::gzip::unpacked`].

use super::body;
use super::http;
use crate::gzip::is_damage;
use std::io::{self, BufRead, Read};

/// A record's or response's head beyond this is no head.
const MAX_HEAD: u64 = 1 << 20;

/// A document as it was archived, its body decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// Its address, as the record has it.
    pub url: String,
    /// HTTP status; 200 for what was archived without HTTP.
    pub status: u16,
    /// The `Content-Type` it was sent with, empty where there is none.
    pub content_type: String,
    /// The body, decoded.
    pub body: Vec<u8>,
    /// Whether more of it is archived than was asked for.
    pub is_cut: bool,
}

/// Why a file cannot be read, or not on.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The first bytes are no record.
    #[error("not a WARC file")]
    NotWarc,
    /// Some record is not what the standard says, or the file breaks off.
    #[error("damaged after record {n_records}: {what}")]
    Damaged {
        /// Records before it, of all kinds.
        n_records: u64,
        /// What is wrong with the next one.
        what: String,
    },
    /// The system's own words.
    #[error(transparent)]
    Io(io::Error),
}

/// The documents of a WARC file, in its order; ends at the first error.
#[derive(Debug)]
pub struct Captures<R> {
    bytes: R,
    max_body: usize,
    n_records: u64,
    is_over: bool,
}

impl<R: BufRead> Captures<R> {
    /// Reads an unpacked stream; bodies beyond `max_body` bytes are cut.
    pub fn new(bytes: R, max_body: usize) -> Captures<R> {
        Captures {
            bytes,
            max_body,
            n_records: 0,
            is_over: false,
        }
    }

    /// The next document; none at the end.
    fn read_next(&mut self) -> Result<Option<Capture>, CaptureError> {
        while let Some(head) = self.record_head()? {
            let capture = self.record(&head)?;
            self.n_records += 1;
            if capture.is_some() {
                return Ok(capture);
            }
        }
        Ok(None)
    }

    /// The fields of the next record.
    fn record_head(&mut self) -> Result<Option<Vec<u8>>, CaptureError> {
        let first = loop {
            match self.line()? {
                None => return Ok(None),
                Some(line) if line.trim_ascii().is_empty() => {}
                Some(line) => break line,
            }
        };
        if !first.starts_with(b"WARC/") {
            return Err(match self.n_records {
                0 => CaptureError::NotWarc,
                _ => self.damaged("what follows is no record"),
            });
        }
        let mut head = Vec::new();
        loop {
            match self.line()? {
                None => return Err(self.damaged("the file breaks off")),
                Some(line) if line.trim_ascii().is_empty() => return Ok(Some(head)),
                Some(line) => head.extend_from_slice(&line),
            }
            if head.len() as u64 > MAX_HEAD {
                return Err(self.damaged("its head does not end"));
            }
        }
    }

    /// Reads or passes over a record's block.
    fn record(&mut self, head: &[u8]) -> Result<Option<Capture>, CaptureError> {
        let len: u64 = http::field(head, "Content-Length")
            .and_then(|len| str::from_utf8(len).ok()?.parse().ok())
            .ok_or_else(|| self.damaged("it has no length"))?;
        let content_type = text(http::field(head, "Content-Type"));
        let kind = text(http::field(head, "WARC-Type"));
        let is_http = content_type.starts_with("application/http");
        let is_wanted = match kind.as_str() {
            "response" => is_http,
            "resource" | "conversion" => true,
            _ => false,
        };
        if !is_wanted {
            self.skip(len)?;
            return Ok(None);
        }
        // What a cut body still needs to be a whole block: its HTTP head.
        let wanted = len.min(self.max_body as u64 + MAX_HEAD);
        let block = self.block(wanted)?;
        self.skip(len - wanted)?;
        let mut capture = if is_http {
            match http_capture(&block, self.max_body) {
                Some(capture) => capture,
                None => return Ok(None),
            }
        } else {
            Capture {
                url: String::new(),
                status: 200,
                content_type,
                body: block,
                is_cut: false,
            }
        };
        capture.is_cut |= wanted < len || capture.body.len() > self.max_body;
        capture.body.truncate(self.max_body);
        let url = text(http::field(head, "WARC-Target-URI"));
        capture.url = url.trim_matches(['<', '>']).to_owned();
        Ok(Some(capture))
    }

    fn line(&mut self) -> Result<Option<Vec<u8>>, CaptureError> {
        let mut line = Vec::new();
        let mut bytes = (&mut self.bytes).take(MAX_HEAD);
        match bytes.read_until(b'\n', &mut line) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(line)),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn block(&mut self, len: u64) -> Result<Vec<u8>, CaptureError> {
        let mut block = Vec::new();
        let read = (&mut self.bytes).take(len).read_to_end(&mut block);
        read.map_err(|error| self.failed(error))?;
        if (block.len() as u64) < len {
            return Err(self.damaged("the file breaks off"));
        }
        Ok(block)
    }

    fn skip(&mut self, len: u64) -> Result<(), CaptureError> {
        let skipped = io::copy(&mut (&mut self.bytes).take(len), &mut io::sink());
        match skipped {
            Ok(n_skipped) if n_skipped < len => Err(self.damaged("the file breaks off")),
            Ok(_) => Ok(()),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn damaged(&self, what: &str) -> CaptureError {
        CaptureError::Damaged {
            n_records: self.n_records,
            what: what.to_owned(),
        }
    }

    fn failed(&self, error: io::Error) -> CaptureError {
        match is_damage(&error) {
            true => self.damaged(&error.to_string()),
            false => CaptureError::Io(error),
        }
    }
}

impl<R: BufRead> Iterator for Captures<R> {
    type Item = Result<Capture, CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.read_next().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

fn http_capture(block: &[u8], max_body: usize) -> Option<Capture> {
    let (head, raw) = split_head(block)?;
    let coding = |name| text(http::field(head, name)).to_ascii_lowercase();
    let (mut body, mut is_cut) = (raw.to_vec(), false);
    if coding("Transfer-Encoding").contains("chunked")
        && let Some(whole) = body::dechunked(&body)
    {
        body = whole;
    }
    if let Some((unpacked, is_long)) = body::unpacked(&body, &coding("Content-Encoding"), max_body)
    {
        (body, is_cut) = (unpacked, is_long);
    }
    Some(Capture {
        url: String::new(),
        status: http::status(head),
        content_type: text(http::field(head, "Content-Type")),
        body,
        is_cut,
    })
}

/// A head and its body; also where a server ended its lines without `\r`.
fn split_head(block: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut end = 0;
    for line in block.split_inclusive(|&byte| byte == b'\n') {
        end += line.len();
        if line.trim_ascii().is_empty() {
            return Some(block.split_at(end));
        }
    }
    None
}

fn text(field: Option<&[u8]>) -> String {
    String::from_utf8_lossy(field.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests;
