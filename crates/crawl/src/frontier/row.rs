//! How the frontier's tables spell their keys and rows.
//!
//! Keys start with the node, so that all nodes of a process share the tables.
//! Numbers are big-endian: the order of bytes is the order of fetching.

use super::Offer;
use page::url::{CanonicalUrl, Fingerprint};
use serde::{Deserialize, Serialize};
use strategy::roster::NodeId;

/// Places a URL in its host's queue: better rank first, then first come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct RowKey {
    /// Zero is the highest priority.
    pub(crate) rank: u32,
    pub(crate) seq: u64,
}

impl RowKey {
    /// Below every key in use.
    pub(super) const BEST: RowKey = RowKey { rank: 0, seq: 0 };

    pub(super) fn encode(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&self.rank.to_be_bytes());
        bytes[4..].copy_from_slice(&self.seq.to_be_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<RowKey> {
        let (rank, seq) = bytes.split_at_checked(4)?;
        Some(RowKey {
            rank: u32::from_be_bytes(rank.try_into().ok()?),
            seq: u64::from_be_bytes(seq.try_into().ok()?),
        })
    }
}

/// A priority as a rank.
pub(super) fn rank(priority: f32) -> u32 {
    let share = f64::from(priority).clamp(0.0, 1.0);
    u32::MAX - (share * f64::from(u32::MAX)) as u32
}

fn priority(rank: u32) -> f32 {
    (f64::from(u32::MAX - rank) / f64::from(u32::MAX)) as f32
}

pub(super) fn node_prefix(node: NodeId) -> [u8; 2] {
    node.0.to_be_bytes()
}

pub(super) fn host_prefix(node: NodeId, host_idx: u32) -> [u8; 6] {
    let mut key = [0; 6];
    key[..2].copy_from_slice(&node.0.to_be_bytes());
    key[2..].copy_from_slice(&host_idx.to_be_bytes());
    key
}

pub(super) fn host_of(host_key: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(host_key.get(2..6)?.try_into().ok()?))
}

pub(super) fn queue_key(node: NodeId, host_idx: u32, key: RowKey) -> [u8; 18] {
    let mut bytes = [0; 18];
    bytes[..6].copy_from_slice(&host_prefix(node, host_idx));
    bytes[6..].copy_from_slice(&key.encode());
    bytes
}

/// The position within the host's queue.
pub(super) fn key_of(queue_key: &[u8]) -> Option<RowKey> {
    RowKey::decode(queue_key.get(6..)?)
}

pub(super) fn seen_key(node: NodeId, fingerprint: Fingerprint) -> [u8; 18] {
    let mut key = [0; 18];
    key[..2].copy_from_slice(&node.0.to_be_bytes());
    key[2..].copy_from_slice(&fingerprint.0.to_be_bytes());
    key
}

/// While a URL waits, the seen set knows where; once taken, it knows only that.
pub(super) fn seen_value(key: RowKey) -> [u8; 12] {
    key.encode()
}

pub(super) fn read_seen(value: &[u8]) -> Option<RowKey> {
    RowKey::decode(value)
}

pub(super) fn open_key(node: NodeId, seq: u64) -> [u8; 10] {
    let mut key = [0; 10];
    key[..2].copy_from_slice(&node.0.to_be_bytes());
    key[2..].copy_from_slice(&seq.to_be_bytes());
    key
}

pub(super) fn seq_key(node: NodeId) -> Vec<u8> {
    let mut key = b"seq".to_vec();
    key.extend_from_slice(&node.0.to_be_bytes());
    key
}

pub(super) fn read_u64(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.try_into().ok()?))
}

/// A waiting URL, as kept; its priority is in the key.
#[derive(Serialize, Deserialize)]
pub(super) struct Row {
    url: String,
    from: Option<String>,
    depth: u16,
    hops: u8,
    target: Option<u32>,
    because: String,
}

impl From<Offer> for Row {
    fn from(offer: Offer) -> Row {
        Row {
            url: offer.url.as_str().into(),
            from: offer.from.map(|from| from.as_str().into()),
            depth: offer.depth,
            hops: offer.hops,
            target: offer.target,
            because: offer.because,
        }
    }
}

impl Row {
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Row> {
        postcard::from_bytes(bytes).ok()
    }

    pub(super) fn into_offer(self, key: RowKey) -> Option<Offer> {
        Some(Offer {
            url: CanonicalUrl::parse(&self.url).ok()?,
            from: self.from.and_then(|from| CanonicalUrl::parse(&from).ok()),
            depth: self.depth,
            hops: self.hops,
            target: self.target,
            priority: priority(key.rank),
            because: self.because,
        })
    }
}

/// An open ticket, with all that is needed to put it back.
#[derive(Serialize, Deserialize)]
pub(super) struct OpenRow {
    key: RowKey,
    queue_key: Vec<u8>,
    row: Vec<u8>,
}

impl OpenRow {
    pub(super) fn new(key: RowKey, queue_key: &[u8], row: Vec<u8>) -> OpenRow {
        OpenRow {
            key,
            queue_key: queue_key.to_vec(),
            row,
        }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<OpenRow> {
        postcard::from_bytes(bytes).ok()
    }

    pub(super) fn url(&self) -> Option<CanonicalUrl> {
        CanonicalUrl::parse(&Row::decode(&self.row)?.url).ok()
    }

    pub(super) fn queue_key(&self) -> &[u8] {
        &self.queue_key
    }

    pub(super) fn row_bytes(&self) -> &[u8] {
        &self.row
    }

    pub(super) fn seen(&self) -> [u8; 12] {
        seen_value(self.key)
    }
}
