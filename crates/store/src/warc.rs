//! WARC 1.1 files: one member (of gzip or zstd) per record, rotated.
//!
//! [`Captures`] and [`Contents`] read the files of others too.
//!
//! Packing is pure: the same exchange gives the same bytes, record ids
//! included, so a replayed crawl writes the same archive. Where the bytes go
//! and when they are synced is `crawl_dir.rs`.

mod body;
mod capture;
mod contents;
mod http;
mod notation;
mod pack;
mod record;
mod records;
mod revisit;
#[cfg(test)]
mod tests;

use crate::crawl_dir::StoreError;
use crate::file::{NumberedFiles, io_error};
use crate::packing::{Packing, is_damage, one_member};
use crate::visit::Time;
pub use capture::{Capture, Captures, capture_at};
pub use contents::{Contents, Listed};
pub use notation::date;
use record::{Record, Sealed};
pub use records::{Kind, RecordHead, WarcError};
pub use revisit::{Profile, RefersTo};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::net::IpAddr;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

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
    /// Offset of the member of the response, or of the revisit in its place.
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
    /// Status line and headers, ending in an empty line; archived with the
    /// encodings set aside that the body is without.
    pub response_head: &'a [u8],
    /// Body, decoded.
    pub body: &'a [u8],
    /// The body was left out or cut; said in the record as `WARC-Truncated: unspecified`.
    pub truncated: bool,
    /// The reason for the fetch and other fields of the metadata record, as name and value.
    pub metadata: &'a [(&'a str, String)],
    /// How to compress it; as all of the crawl, see `CrawlDir::packing`.
    pub packing: Packing,
}

/// The compressed records of one exchange, ready to be appended. Packing is pure and costs the most, so it runs off the node's thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// Response or revisit, request and metadata member, in this order.
    pub(crate) bytes: Vec<u8>,
    pub(crate) response_len: u32,
    pub(crate) at: Time,
    digest: [u8; 20],
}

/// A response as read back from the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedResponse {
    /// HTTP status; zero if the head has none.
    pub status: u16,
    /// Status line and headers, ending in an empty line.
    pub head: Vec<u8>,
    /// Decoded body; empty in a revisit.
    pub body: Vec<u8>,
    /// The answer whose body this one has, where it is a revisit.
    pub refers_to: Option<RefersTo>,
}

impl ArchivedResponse {
    /// The `Content-Type` it was sent with, charset and all.
    pub fn content_type(&self) -> Option<String> {
        String::from_utf8_lossy(&self.head)
            .lines()
            .find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-type")
                    .then(|| value.trim().to_owned())
            })
    }
}

impl Bundle {
    /// Builds and compresses the three records; same exchange, same bytes.
    pub fn pack(exchange: &Exchange<'_>) -> Bundle {
        let digest = notation::sha1(exchange.body);
        let mut block = http::archived_head(exchange.response_head, exchange.body.len());
        block.extend_from_slice(exchange.body);
        let mut response = answer("response", exchange, &block);
        response.payload = Some(digest);
        response.truncated = exchange.truncated.then_some("unspecified");
        Bundle::around(exchange, &response.seal(), digest)
    }

    /// The same for an answer that repeats an archived one: instead of a
    /// response, a revisit that holds its head alone.
    ///
    /// Of a body that was sent again, the digest is what counts: unless
    /// `refers_to` has it, it is worked out.
    pub fn pack_revisit(exchange: &Exchange<'_>, refers_to: &RefersTo, profile: Profile) -> Bundle {
        let digest = refers_to
            .digest
            .unwrap_or_else(|| notation::sha1(exchange.body));
        let block = match profile {
            Profile::IdenticalPayloadDigest => {
                http::archived_head(exchange.response_head, exchange.body.len())
            }
            Profile::ServerNotModified => http::bodiless_head(exchange.response_head),
        };
        let mut revisit = answer("revisit", exchange, &block);
        revisit.repeats = Some((refers_to, profile));
        match profile {
            Profile::IdenticalPayloadDigest => {
                revisit.payload = Some(digest);
                // The reason WARC 1.1 (6.7.2) wants where a copy is left out.
                revisit.truncated = Some("length");
            }
            // Nothing was sent, so only the earlier answer's digest is true.
            Profile::ServerNotModified => revisit.payload = refers_to.digest,
        }
        Bundle::around(exchange, &revisit.seal(), digest)
    }

    /// Adds request and metadata to a sealed answer, and compresses all three.
    fn around(exchange: &Exchange<'_>, response: &Sealed<'_>, digest: [u8; 20]) -> Bundle {
        let about = |kind| Record::about(kind, exchange.url, exchange.at);
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

        let mut bytes = Vec::with_capacity(response.block.len() / 3 + 2048);
        let response_len = pack::append(exchange.packing, response, &mut bytes);
        pack::append(exchange.packing, &request.seal(), &mut bytes);
        pack::append(exchange.packing, &metadata.seal(), &mut bytes);
        Bundle {
            bytes,
            // Bodies are bounded by the fetch limit, far below 4 GiB.
            response_len: u32::try_from(response_len).unwrap_or(u32::MAX),
            at: exchange.at,
            digest,
        }
    }

    /// SHA-1 of the payload: of the body, or for a revisit of the body it repeats.
    pub fn digest(&self) -> [u8; 20] {
        self.digest
    }

    /// Compressed bytes of all three records.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// A record of what the server said.
fn answer<'a>(kind: &'static str, exchange: &Exchange<'a>, block: &'a [u8]) -> Record<'a> {
    let mut record = Record::about(kind, exchange.url, exchange.at);
    record.content_type = "application/http;msgtype=response";
    record.server = exchange.server;
    record.block = block;
    record
}

/// The files of the archive below a crawl folder.
pub(crate) fn files(dir: &Path, packing: Packing) -> NumberedFiles {
    NumberedFiles::new(dir.join("warc"), "locavore", ending(packing))
}

fn ending(packing: Packing) -> &'static str {
    match packing {
        Packing::Gzip => "warc.gz",
        Packing::Zstd => "warc.zst",
    }
}

/// The WARC files of a crawl, in their order; whether or not it is in use.
pub fn paths(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut paths = Vec::new();
    for packing in Packing::ALL {
        let files = files(dir, packing);
        let numbers = files.numbers()?.into_iter();
        paths.extend(numbers.map(|number| files.path(number)));
    }
    Ok(paths)
}

/// What the files of a crawl say of it, beside what is true of all crawls:
/// name and value of fields that a `warcinfo` may have.
pub type About = Vec<(&'static str, String)>;

/// The record every file starts with.
pub(crate) fn warcinfo(file_name: &str, at: Time, packing: Packing, about: &About) -> Vec<u8> {
    let software = concat!("locavore/", env!("CARGO_PKG_VERSION"));
    let always = [
        ("software", software),
        ("format", "WARC File Format 1.1"),
        (
            "conformsTo",
            "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        ),
        ("robots", "obey"),
    ];
    let about = about.iter().map(|(name, value)| (*name, value.as_str()));
    let fields = record::warc_fields(always.into_iter().chain(about));
    let mut info = Record::about("warcinfo", file_name, at);
    info.content_type = "application/warc-fields";
    info.block = &fields;
    let mut bytes = Vec::new();
    pack::append(packing, &info.seal(), &mut bytes);
    bytes
}

/// Reads an archived response of a crawl folder back, or the revisit in its place.
///
/// None if it is not there (not committed yet, or its file is gone) or its
/// bytes are damaged. Needs no lock.
pub fn read_at(dir: &Path, shelf: Shelf) -> Result<Option<ArchivedResponse>, StoreError> {
    for packing in Packing::ALL {
        let path = files(dir, packing).path(shelf.file);
        let mut member = vec![0; shelf.len as usize];
        let read = || File::open(&path)?.read_exact_at(&mut member, shelf.offset);
        match { read }() {
            Ok(()) => return Ok(read_member(&member)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(io_error("read", &path, error)),
        }
    }
    Ok(None)
}

/// Where the last whole member ends among those that follow each other from `start` on.
pub(crate) fn end_of_members(path: &Path, start: u64) -> Result<u64, StoreError> {
    let failed = |error| io_error("read", path, error);
    let mut bytes = BufReader::new(File::open(path).map_err(failed)?);
    let mut end = bytes.seek(SeekFrom::Start(start)).map_err(failed)?;
    loop {
        let drained = match one_member(&mut bytes) {
            Ok((None, _)) => break,
            Ok((Some(_), mut member)) => io::copy(&mut member, &mut io::sink()),
            Err(error) => Err(error),
        };
        match drained {
            Ok(_) => end = bytes.stream_position().map_err(failed)?,
            Err(error) if is_damage(&error) => break,
            // From the system, so nothing is known about the bytes.
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(end)
}

/// How much smaller pages are when packed, and what room is made for at most.
const USUALLY_PACKED: usize = 6;
const MOST_ROOM: usize = 1 << 20;

/// Reads the member of a response or revisit record; none if it is something else or damaged.
pub fn read_member(member: &[u8]) -> Option<ArchivedResponse> {
    let (packing, packed) = one_member(member).ok()?;
    packing?;
    let mut record = Vec::with_capacity(member.len().saturating_mul(USUALLY_PACKED).min(MOST_ROOM));
    packed.take(MAX_RECORD).read_to_end(&mut record).ok()?;
    let (fields, rest) = http::split_head(&record)?;
    let is_revisit = match http::field(fields, "WARC-Type")? {
        b"response" => false,
        b"revisit" => true,
        _ => return None,
    };
    let len = str::from_utf8(http::field(fields, "Content-Length")?).ok()?;
    let block = rest.get(..len.parse().ok()?)?;
    let (head, body) = http::split_head(block)?;
    Some(ArchivedResponse {
        status: http::status(head),
        head: head.to_vec(),
        body: body.to_vec(),
        refers_to: is_revisit.then(|| RefersTo::read(fields)).flatten(),
    })
}
