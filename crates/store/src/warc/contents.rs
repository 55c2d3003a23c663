//! Where each record of a WARC file is.
//!
//! A file is read once from its start, a record at a time, and only record
//! heads and HTTP heads are kept for a moment: a file of any length takes the
//! same memory. Each record can then be read again by its offset alone, unless
//! several were compressed into one, which is said instead of listed.

use super::http;
use super::records::{Kind, RecordHead, Records, WarcError};
use crate::packing::one_member;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of a block in which an HTTP head is looked for.
const MAX_HTTP_HEAD: u64 = 64 << 10;

/// A record and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Where it, or the member that it is, begins.
    pub offset: u64,
    /// Its length in the file, compressed or not.
    pub len: u64,
    /// Its fields.
    pub head: RecordHead,
    /// Status line and headers, where it is an answer; empty otherwise.
    pub http_head: Vec<u8>,
}

impl Listed {
    /// HTTP status; zero where there is none.
    pub fn status(&self) -> u16 {
        http::status(&self.http_head)
    }

    /// An HTTP header's first value.
    pub fn http_field(&self, name: &str) -> Option<String> {
        let value = http::field(&self.http_head, name)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

/// The records of a file, in its order; ends at the first error.
#[derive(Debug)]
pub struct Contents<R> {
    bytes: Counted<R>,
    n_records: u64,
    is_over: bool,
}

impl Contents<BufReader<File>> {
    /// Opens a file, packed or not.
    pub fn of(path: &Path) -> Result<Contents<BufReader<File>>, WarcError> {
        let file = File::open(path).map_err(WarcError::Io)?;
        Contents::new(BufReader::with_capacity(1 << 16, file))
    }
}

impl<R: BufRead> Contents<R> {
    /// Lists the records of a file's bytes, packed or not.
    pub fn new(bytes: R) -> Result<Contents<R>, WarcError> {
        let n_bytes = 0;
        let mut bytes = Counted { bytes, n_bytes };
        if bytes.fill_buf().map_err(WarcError::Io)?.is_empty() {
            return Err(WarcError::Empty);
        }
        Ok(Contents {
            bytes,
            n_records: 0,
            is_over: false,
        })
    }

    /// Records before the next one, of all kinds.
    pub fn n_records(&self) -> u64 {
        self.n_records
    }

    fn read_next(&mut self) -> Result<Option<Listed>, WarcError> {
        loop {
            let offset = self.bytes.n_bytes;
            let rest = self.bytes.fill_buf().map_err(WarcError::Io)?;
            if rest.is_empty() {
                return Ok(None);
            }
            let (packing, member) = one_member(&mut self.bytes).map_err(WarcError::Io)?;
            let mut records = Records::after(self.n_records, member);
            let listed = list(&mut records)?;
            match (packing, records.is_over()?) {
                (Some(packing), false) => return Err(WarcError::OneStream { packing }),
                (Some(_), true) => {}
                // Line ends at the end of a plain file are no record.
                (None, _) if listed.is_none() => return Ok(None),
                (None, _) => {}
            }
            drop(records);
            // A zstd frame may hold nothing: notes of other programs.
            if let Some((head, http_head)) = listed {
                self.n_records += 1;
                return Ok(Some(Listed {
                    offset,
                    len: self.bytes.n_bytes - offset,
                    head,
                    http_head,
                }));
            }
        }
    }
}

/// The next record's fields and, where it is an answer, its HTTP head; its
/// block is passed over.
fn list<R: BufRead>(records: &mut Records<R>) -> Result<Option<(RecordHead, Vec<u8>)>, WarcError> {
    let Some((head, len)) = records.next_head()? else {
        return Ok(None);
    };
    let mut wanted = 0;
    let mut http_head = Vec::new();
    if matches!(head.kind(), Kind::Response | Kind::Revisit) {
        wanted = len.min(MAX_HTTP_HEAD);
        let block = records.block(wanted)?;
        if let Some((head, _)) = http::split_any_head(&block) {
            http_head = head.to_vec();
        }
    }
    records.skip(len - wanted)?;
    Ok(Some((head, http_head)))
}

impl<R: BufRead> Iterator for Contents<R> {
    type Item = Result<Listed, WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.read_next().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Counts what is read.
#[derive(Debug)]
struct Counted<R> {
    bytes: R,
    n_bytes: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n_read = self.bytes.read(buf)?;
        self.n_bytes += n_read as u64;
        Ok(n_read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, n_bytes: usize) {
        self.bytes.consume(n_bytes);
        self.n_bytes += n_bytes as u64;
    }
}

#[cfg(test)]
mod tests;
