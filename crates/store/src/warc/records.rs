//! Reads any crawler's WARC records, one after the other, from an unpacked stream.
//!
//! Lengths and record heads are believed; nothing else is asked of a record.

use super::http;
use super::notation::{read_date, read_digest};
use super::revisit::RefersTo;
use crate::packing::{Packing, is_damage};
use crate::visit::Time;
use std::io::{self, BufRead, Read};
use std::net::IpAddr;

/// A record's or response's head beyond this is no head.
pub(super) const MAX_HEAD: u64 = 1 << 20;

/// Why a file cannot be read, or not on.
#[derive(Debug, thiserror::Error)]
pub enum WarcError {
    /// Nothing in it.
    #[error("an empty file")]
    Empty,
    /// The first bytes are no record.
    #[error("not a WARC file")]
    NotWarc,
    /// Several records share a gzip member or zstd frame, so none but the first can be found again.
    #[error("not compressed record by record")]
    OneStream {
        /// Which of the two it is.
        packing: Packing,
    },
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

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What a server answered, as HTTP.
    Response,
    /// An answer that repeats an archived one.
    Revisit,
    /// A document without what was said around it, or made from another.
    Document,
    /// Requests, metadata, notes about the file, answers over other protocols.
    Other,
}

/// The fields of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordHead {
    fields: Vec<u8>,
}

impl RecordHead {
    /// The value of a field, where there is one.
    pub fn field(&self, name: &str) -> Option<String> {
        let value = http::field(&self.fields, name)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    /// What it holds.
    pub fn kind(&self) -> Kind {
        let is_http = || {
            self.content_type()
                .get(..16)
                .is_some_and(|start| start.eq_ignore_ascii_case("application/http"))
        };
        match http::field(&self.fields, "WARC-Type").unwrap_or_default() {
            b"response" if is_http() => Kind::Response,
            b"revisit" => Kind::Revisit,
            b"resource" | b"conversion" => Kind::Document,
            _ => Kind::Other,
        }
    }

    /// The address it is about, as the record has it but for angle brackets.
    pub fn url(&self) -> String {
        let url = self.field("WARC-Target-URI").unwrap_or_default();
        url.trim_matches(['<', '>']).to_owned()
    }

    /// When it was made.
    pub fn at(&self) -> Option<Time> {
        read_date(&self.field("WARC-Date")?)
    }

    /// Type of its block.
    pub fn content_type(&self) -> String {
        self.field("Content-Type").unwrap_or_default()
    }

    /// SHA-1 of its payload, where it says so.
    pub fn payload_digest(&self) -> Option<[u8; 20]> {
        read_digest(&self.field("WARC-Payload-Digest")?)
    }

    /// Address of the server.
    pub fn server(&self) -> Option<IpAddr> {
        self.field("WARC-IP-Address")?.parse().ok()
    }

    /// The answer it repeats.
    pub fn refers_to(&self) -> Option<RefersTo> {
        RefersTo::read(&self.fields)
    }

    pub(super) fn block_len(&self) -> Option<u64> {
        self.field("Content-Length")?.parse().ok()
    }
}

/// The records of an unpacked stream. A record's block is read or skipped
/// before the next head.
#[derive(Debug)]
pub(super) struct Records<R> {
    bytes: R,
    /// Records before this stream, for messages.
    pub(super) n_records: u64,
}

impl<R: BufRead> Records<R> {
    /// Goes on after `n_records` others.
    pub(super) fn after(n_records: u64, bytes: R) -> Records<R> {
        Records { bytes, n_records }
    }

    /// The fields of the next record and the length of its block.
    pub(super) fn next_head(&mut self) -> Result<Option<(RecordHead, u64)>, WarcError> {
        let first = loop {
            match self.line()? {
                None => return Ok(None),
                Some(line) if line.trim_ascii().is_empty() => {}
                Some(line) => break line,
            }
        };
        if !first.starts_with(b"WARC/") {
            return Err(match self.n_records {
                0 => WarcError::NotWarc,
                _ => self.damaged("what follows is no record"),
            });
        }
        let head = RecordHead {
            fields: self.fields()?,
        };
        let len = head
            .block_len()
            .ok_or_else(|| self.damaged("it has no length"))?;
        Ok(Some((head, len)))
    }

    fn fields(&mut self) -> Result<Vec<u8>, WarcError> {
        let mut fields = Vec::new();
        loop {
            match self.line()? {
                None => return Err(self.damaged("the file breaks off")),
                Some(line) if line.trim_ascii().is_empty() => return Ok(fields),
                Some(line) => fields.extend_from_slice(&line),
            }
            if fields.len() as u64 > MAX_HEAD {
                return Err(self.damaged("its head does not end"));
            }
        }
    }

    fn line(&mut self) -> Result<Option<Vec<u8>>, WarcError> {
        let mut line = Vec::new();
        let mut bytes = (&mut self.bytes).take(MAX_HEAD);
        match bytes.read_until(b'\n', &mut line) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(line)),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// The next bytes of a block.
    pub(super) fn block(&mut self, len: u64) -> Result<Vec<u8>, WarcError> {
        let mut block = Vec::new();
        let read = (&mut self.bytes).take(len).read_to_end(&mut block);
        read.map_err(|error| self.failed(error))?;
        if (block.len() as u64) < len {
            return Err(self.damaged("the file breaks off"));
        }
        Ok(block)
    }

    /// Passes over the next bytes of a block.
    pub(super) fn skip(&mut self, len: u64) -> Result<(), WarcError> {
        let skipped = io::copy(&mut (&mut self.bytes).take(len), &mut io::sink());
        match skipped {
            Ok(n_skipped) if n_skipped < len => Err(self.damaged("the file breaks off")),
            Ok(_) => Ok(()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Passes over the line ends after a record; whether nothing follows them.
    pub(super) fn is_over(&mut self) -> Result<bool, WarcError> {
        loop {
            let is_line_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
            let rest = match self.bytes.fill_buf() {
                Ok(rest) => rest,
                Err(error) => return Err(self.failed(error)),
            };
            let n_ends = rest.iter().take_while(|byte| is_line_end(byte)).count();
            let (is_empty, is_more) = (rest.is_empty(), n_ends < rest.len());
            self.bytes.consume(n_ends);
            if is_empty || is_more {
                return Ok(is_empty);
            }
        }
    }

    pub(super) fn damaged(&self, what: &str) -> WarcError {
        WarcError::Damaged {
            n_records: self.n_records,
            what: what.to_owned(),
        }
    }

    pub(super) fn failed(&self, error: io::Error) -> WarcError {
        match is_damage(&error) {
            true => self.damaged(&error.to_string()),
            false => WarcError::Io(error),
        }
    }
}
