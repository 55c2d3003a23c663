//! WARC 1.1 files: one gzip member per record, rotated.

use crate::visit::Time;
use std::net::IpAddr;

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
    /// The reason for the fetch and other fields of the metadata record, as name and value.
    pub metadata: &'a [(&'a str, String)],
}

/// The compressed records of one exchange, ready to be appended. Packing is pure and costs the most, so it runs off the node's thread.
pub struct Bundle {}

impl Bundle {
    /// Builds and compresses the three records; same exchange, same bytes.
    pub fn pack(_exchange: &Exchange<'_>) -> Bundle {
        todo!()
    }
}
