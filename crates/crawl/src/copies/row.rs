//! The rows of both tables, as bytes.

use page::shape::{N_BYTES, Sketch};
use serde::{Deserialize, Serialize};

/// The first page with some body.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DigestRow<'a> {
    pub(super) seq: u64,
    pub(super) first: u64,
    pub(super) at: u64,
    pub(super) url: &'a str,
    /// Hash of its registrable domain.
    pub(super) domain: u64,
}

impl DigestRow<'_> {
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<DigestRow<'_>> {
        postcard::from_bytes(bytes).ok()
    }
}

/// A page under one key of its shape.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ShapeRow {
    pub(super) seq: u64,
    /// Short fingerprint of its address.
    pub(super) url: u64,
    /// Hash of its registrable domain.
    pub(super) domain: u64,
    pub(super) sketch: Sketch,
}

impl ShapeRow {
    pub(super) fn encode(&self) -> [u8; 24 + N_BYTES] {
        let mut bytes = [0; 24 + N_BYTES];
        bytes[..8].copy_from_slice(&self.seq.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.url.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.domain.to_le_bytes());
        bytes[24..].copy_from_slice(&self.sketch.to_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<ShapeRow> {
        let (seq, rest) = bytes.split_first_chunk()?;
        let (url, rest) = rest.split_first_chunk()?;
        let (domain, sketch) = rest.split_first_chunk()?;
        Some(ShapeRow {
            seq: u64::from_le_bytes(*seq),
            url: u64::from_le_bytes(*url),
            domain: u64::from_le_bytes(*domain),
            sketch: Sketch::from_bytes(sketch)?,
        })
    }
}

/// Key of a row of one domain, beside that of all.
pub(super) fn at_home(key: &[u8], domain: u64) -> Vec<u8> {
    [key, &domain.to_be_bytes()].concat()
}
