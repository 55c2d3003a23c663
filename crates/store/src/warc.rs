//! WARC 1.1 files: one gzip member per record, rotated.
//!
//! [`Captures`] reads the files of others too.
//!
//! Packing is pure: the same exchange gives the same bytes, record ids
//! included, so a replayed crawl writes the same archive. Where the bytes go
//! and when they are synced is `crawl_dir.rs`.

mod body;
mod capture;
mod http;
mod record;
#[cfg(test)]
mod tests;

use crate::crawl_dir::StoreError;
use crate::file::{NumberedFiles, io_error};
use crate::visit::Time;
pub use capture::{Capture, CaptureError, Captures};
pub use record::date;
use record::{Gzip, Record};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::net::IpAddr;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Size at which the next file is begun, unless set otherwise.
pub const DEFAULT_FILE_BYTES: u64 = 1 << 30;
/// An archived response is never larger than this when read back; a guard
/// against members that unpack without end.
const MAX_RECORD: u64 = 1 << 30;

/// Where a record is: file number, offset and length in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shelf {
    /// File number, from one.
    pub file: u32,
    /// Offset of the response record's gzip member.
    pub offset: u64,
    /// Length of that member.
    pub len: u32,
}

/// One HTTP exchange to be archived: becomes request, response and metadata records.
#[derive(Debug, Clone)]
pub struct Exchange<'a> {
    /// Address asked.
    pub url: &'a str,
    /// When.
    pub at: Time,
    /// Server's address.
    pub server: Option<IpAddr>,
    /// Request line and headers as sent, ending in an empty line.
    pub request: &'a [u8],
    /// Status line and headers as received, ending in an empty line.
    pub response_head: &'a [u8],
    /// Body, decoded of transfer encodings.
    pub body: &'a [u8],
    /// The body was left out or cut; said in the record as `WARC-Truncated: unspecified`.
    pub truncated: bool,
    /// The reason for the fetch and other fields of the metadata record, as name and value.
    pub metadata: &'a [(&'a str, String)],
}

/// The compressed records of one exchange, ready to be appended. Packing is pure and costs the most, so it runs off the node's thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// Response, request and metadata member, in this order.
    pub(crate) bytes: Vec<u8>,
    pub(crate) response_len: u32,
    pub(crate) at: Time,
}

/// A response as read back from the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedResponse {
    /// HTTP status; zero if the head has none.
    pub status: u16,
    /// Status line and headers, ending in an empty line.
    pub head: Vec<u8>,
    /// Decoded body.
    pub body: Vec<u8>,
}

impl Bundle {
    /// Builds and compresses the three records; same exchange, same bytes.
    pub fn pack(exchange: &Exchange<'_>) -> Bundle {
        let mut block = http::archived_head(exchange.response_head, exchange.body.len());
        let payload_at = block.len();
        block.extend_from_slice(exchange.body);
        let about = |kind| Record::about(kind, exchange.url, exchange.at);

        let mut response = about("response");
        response.content_type = "application/http;msgtype=response";
        response.server = exchange.server;
        response.payload = Some(&block[payload_at..]);
        response.truncated = exchange.truncated;
        response.block = &block;
        let response = response.seal();

        let mut request = about("request");
        request.content_type = "application/http;msgtype=request";
        request.server = exchange.server;
        request.concurrent_to = Some(&response.id);
        request.block = exchange.request;

        let fields = record::warc_fields(
            exchange
                .metadata
                .iter()
                .map(|(name, value)| (*name, value.as_str())),
        );
        let mut metadata = about("metadata");
        metadata.content_type = "application/warc-fields";
        metadata.concurrent_to = Some(&response.id);
        metadata.block = &fields;

        let mut bytes = Vec::with_capacity(exchange.body.len() / 3 + 2048);
        let mut response_len = 0;
        Gzip::with(|gzip| {
            response_len = gzip.append(&response, &mut bytes);
            gzip.append(&request.seal(), &mut bytes);
            gzip.append(&metadata.seal(), &mut bytes);
        });
        Bundle {
            bytes,
            // Bodies are bounded by the fetch limit, far below 4 GiB.
            response_len: u32::try_from(response_len).unwrap_or(u32::MAX),
            at: exchange.at,
        }
    }

    /// Compressed bytes of all three records.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// The files of the archive below a crawl folder.
pub(crate) fn files(dir: &Path) -> NumberedFiles {
    NumberedFiles::new(dir.join("warc"), "locavore", "warc.gz")
}

/// The record every file starts with.
pub(crate) fn warcinfo(file_name: &str, at: Time) -> Vec<u8> {
    let software = concat!("locavore/", env!("CARGO_PKG_VERSION"));
    let fields = record::warc_fields([
        ("software", software),
        ("format", "WARC File Format 1.1"),
        (
            "conformsTo",
            "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        ),
        ("robots", "obey"),
    ]);
    let mut info = Record::about("warcinfo", file_name, at);
    info.content_type = "application/warc-fields";
    info.block = &fields;
    let mut bytes = Vec::new();
    Gzip::with(|gzip| gzip.append(&info.seal(), &mut bytes));
    bytes
}

/// Reads an archived response of a crawl folder back.
///
/// None if it is not there (not committed yet, or its file is gone) or its
/// bytes are damaged. Needs no lock.
pub fn read_at(dir: &Path, shelf: Shelf) -> Result<Option<ArchivedResponse>, StoreError> {
    let path = files(dir).path(shelf.file);
    let mut member = vec![0; shelf.len as usize];
    let read = || File::open(&path)?.read_exact_at(&mut member, shelf.offset);
    match { read }() {
        Ok(()) => Ok(read_member(&member)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(io_error("read", &path, error)),
    }
}

/// Where the last whole gzip member ends among those that follow each other from `start` on.
pub(crate) fn end_of_members(path: &Path, start: u64) -> Result<u64, StoreError> {
    let failed = |error| io_error("read", path, error);
    let mut bytes = BufReader::new(File::open(path).map_err(failed)?);
    let mut end = bytes.seek(SeekFrom::Start(start)).map_err(failed)?;
    while !bytes.fill_buf().map_err(failed)?.is_empty() {
        let mut member = flate2::bufread::GzDecoder::new(&mut bytes);
        match io::copy(&mut member, &mut io::sink()) {
            Ok(_) => end = bytes.stream_position().map_err(failed)?,
            // From the system, so nothing is known about the bytes.
            Err(error) if error.raw_os_error().is_some() => return Err(failed(error)),
            Err(_) => break,
        }
    }
    Ok(end)
}

/// Reads the gzip member of a response record; none if it is something else or damaged.
pub fn read_member(member: &[u8]) -> Option<ArchivedResponse> {
    let mut record = Vec::new();
    flate2::bufread::GzDecoder::new(member)
        .take(MAX_RECORD)
        .read_to_end(&mut record)
        .ok()?;
    let (fields, rest) = http::split_head(&record)?;
    if http::field(fields, "WARC-Type")? != b"response" {
        return None;
    }
    let len = str::from_utf8(http::field(fields, "Content-Length")?).ok()?;
    let block = rest.get(..len.parse().ok()?)?;
    let (head, body) = http::split_head(block)?;
    Some(ArchivedResponse {
        status: http::status(head),
        head: head.to_vec(),
        body: body.to_vec(),
    })
}
