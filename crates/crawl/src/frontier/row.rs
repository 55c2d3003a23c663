//! How the frontier's tables spell their keys and rows.
//!
//! Keys start with the node, so that all nodes of a process share the tables.
//! Numbers are big-endian: the order of bytes is the order of fetching. What
//! a host's rows have in common, its origin, is kept once, with the host.

use super::{Offer, Purpose, Scope};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use store::index::{Key, Short};
use store::visit::{Time, Trail};
use strategy::roster::NodeId;

/// Places a URL in its host's queue: better rank first, then first come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct RowKey {
    /// Zero is the highest priority.
    pub(crate) rank: u32,
    /// At least one, and below 2^40: a thousand billion URLs.
    pub(crate) seq: u64,
}

/// Bytes of a sequence number.
const SEQ_LEN: usize = 5;
/// Bytes of a row key.
pub(super) const KEY_LEN: usize = 4 + SEQ_LEN;

/// Bits of a row key within that of a line: the lowest byte of all is free.
const ROW_SHIFT: u32 = 8;
const SEQ_BITS: u32 = 8 * SEQ_LEN as u32;
const MEMBER_SHIFT: u32 = ROW_SHIFT + SEQ_BITS + 32;

impl RowKey {
    pub(super) fn encode(self) -> [u8; KEY_LEN] {
        let mut bytes = [0; KEY_LEN];
        bytes[..4].copy_from_slice(&self.rank.to_be_bytes());
        bytes[4..].copy_from_slice(&seq_bytes(self.seq));
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<RowKey> {
        let (rank, seq) = bytes.split_at_checked(4)?;
        Some(RowKey {
            rank: u32::from_be_bytes(rank.try_into().ok()?),
            seq: read_seq(seq)?,
        })
    }

    /// As one number, in the same order.
    pub(super) fn bits(self) -> u128 {
        u128::from(self.rank) << SEQ_BITS | u128::from(self.seq)
    }

    pub(super) fn of_bits(bits: u128) -> RowKey {
        RowKey {
            rank: (bits >> SEQ_BITS) as u32,
            seq: bits as u64 & ((1 << SEQ_BITS) - 1),
        }
    }

    /// The key just before this one: a scan behind it begins here.
    pub(super) fn before(self) -> RowKey {
        RowKey {
            rank: self.rank,
            seq: self.seq.saturating_sub(1),
        }
    }
}

fn seq_bytes(seq: u64) -> [u8; SEQ_LEN] {
    let bytes = seq.to_be_bytes();
    debug_assert!(bytes[..3] == [0; 3], "sequence numbers stay below 2^40");
    [bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]]
}

fn read_seq(bytes: &[u8]) -> Option<u64> {
    let bytes: [u8; SEQ_LEN] = bytes.try_into().ok()?;
    Some(
        bytes
            .iter()
            .fold(0, |seq, byte| seq << 8 | u64::from(*byte)),
    )
}

/// The best rank of a new link. Those before it are for pages that are
/// fetched again, so that a refresh can be told from the rest of the crawl.
const BEST_NEW: u32 = 1 << 24;

/// A new link's priority as a rank.
pub(super) fn rank(priority: f32) -> u32 {
    spread(priority, BEST_NEW, u32::MAX)
}

/// The priority of a page to be fetched again as a rank.
pub(super) fn rank_again(priority: f32) -> u32 {
    spread(priority, 0, BEST_NEW - 1)
}

fn spread(priority: f32, best: u32, worst: u32) -> u32 {
    let share = f64::from(priority).clamp(0.0, 1.0);
    worst - (share * f64::from(worst - best)) as u32
}

/// A rank as a priority.
pub(super) fn priority(rank: u32) -> f32 {
    let (best, worst) = match rank < BEST_NEW {
        true => (0, BEST_NEW - 1),
        false => (BEST_NEW, u32::MAX),
    };
    (f64::from(worst - rank) / f64::from(worst - best)) as f32
}

/// The last rank within a scope.
pub(super) fn worst_of(scope: Scope) -> u32 {
    match scope {
        Scope::Everything => u32::MAX,
        Scope::Refresh => BEST_NEW - 1,
    }
}

pub(super) fn node_prefix(node: NodeId) -> [u8; 2] {
    node.0.to_be_bytes()
}

/// Key of the `idx`th host or domain, and the beginning of the keys of its rows.
pub(super) fn member_key(node: NodeId, idx: u32) -> [u8; 6] {
    let mut key = [0; 6];
    key[..2].copy_from_slice(&node.0.to_be_bytes());
    key[2..].copy_from_slice(&idx.to_be_bytes());
    key
}

/// Key of a row in the queue of a host, or in the cold queue of a domain.
pub(super) fn queue_key(node: NodeId, idx: u32, key: RowKey) -> Key {
    let member = Key::from(node.0) << 32 | Key::from(idx);
    member << MEMBER_SHIFT | key.bits() << ROW_SHIFT
}

/// The last key that a row of a queue can have.
pub(super) fn last_key(node: NodeId, idx: u32) -> Key {
    queue_key(node, idx, RowKey::default()) | ((1 << MEMBER_SHIFT) - 1)
}

/// The position within the queue.
pub(super) fn key_of(queue_key: Key) -> RowKey {
    RowKey::of_bits(queue_key >> ROW_SHIFT)
}

/// The host or domain whose queue it is.
pub(super) fn member_of(queue_key: Key) -> u32 {
    (queue_key >> MEMBER_SHIFT) as u32
}

/// Key of the `idx`th host's summary.
pub(super) fn head_key(node: NodeId, idx: u32) -> Key {
    queue_key(node, idx, RowKey::default())
}

/// Within one host 64 bits are plenty, and the links of a page, most of which
/// stay on its host, are looked up in one place.
pub(super) fn seen_key(node: NodeId, host_idx: u32, fingerprint: u64) -> Key {
    Key::from(node.0) << 112 | Key::from(host_idx) << 80 | Key::from(fingerprint) << 16
}

pub(super) fn open_key(node: NodeId, seq: u64) -> [u8; 10] {
    let mut key = [0; 10];
    key[..2].copy_from_slice(&node.0.to_be_bytes());
    key[2..].copy_from_slice(&seq.to_be_bytes());
    key
}

pub(super) fn retry_key(node: NodeId, at: Time, seq: u64) -> [u8; 10 + SEQ_LEN] {
    let mut key = [0; 10 + SEQ_LEN];
    key[..2].copy_from_slice(&node.0.to_be_bytes());
    key[2..10].copy_from_slice(&at.0.to_be_bytes());
    key[10..].copy_from_slice(&seq_bytes(seq));
    key
}

/// When a row of the table of retries is due.
pub(super) fn due(retry_key: &[u8]) -> Option<Time> {
    read_u64(retry_key.get(2..10)?).map(Time)
}

/// Key of one of a node's counters.
pub(super) fn counter_key(name: &str, node: NodeId) -> Vec<u8> {
    let mut key = name.as_bytes().to_vec();
    key.extend_from_slice(&node.0.to_be_bytes());
    key
}

pub(super) fn read_u64(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.try_into().ok()?))
}

/// Where a URL is that has been seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// In its host's queue, after so many tries in vain; taken or done if it
    /// is not there.
    Hot(RowKey, u8),
    /// In its domain's cold queue.
    Cold(RowKey),
    /// In the table of retries.
    Retrying(Time, u64),
    /// Taken or done, and somebody has looked.
    Taken,
}

impl Standing {
    pub(super) fn encode(self) -> Short {
        match self {
            Standing::Taken => Short::default(),
            Standing::Hot(key, 0) => Short::of(&[&[0], &key.encode()]),
            Standing::Hot(key, tries) => Short::of(&[&[3], &key.encode(), &[tries]]),
            Standing::Cold(key) => Short::of(&[&[1], &key.encode()]),
            Standing::Retrying(at, seq) => Short::of(&[&[2], &at.0.to_be_bytes(), &seq_bytes(seq)]),
        }
    }

    /// What makes no sense counts as taken: it was seen.
    pub(super) fn decode(bytes: &[u8]) -> Standing {
        let read = || {
            let (tag, rest) = bytes.split_first()?;
            match tag {
                0 => Some(Standing::Hot(RowKey::decode(rest)?, 0)),
                1 => RowKey::decode(rest).map(Standing::Cold),
                2 => {
                    let (at, seq) = rest.split_at_checked(8)?;
                    Some(Standing::Retrying(Time(read_u64(at)?), read_seq(seq)?))
                }
                3 => {
                    let (tries, key) = rest.split_last()?;
                    Some(Standing::Hot(RowKey::decode(key)?, *tries))
                }
                _ => None,
            }
        };
        read().unwrap_or(Standing::Taken)
    }
}

/// A waiting URL, as kept; its priority is in the key, its origin with the host.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Row<'a> {
    pub(super) path: &'a str,
    #[serde(borrow)]
    pub(super) from: Referrer<'a>,
    pub(super) depth: u16,
    pub(super) hops: u8,
    pub(super) tries: u8,
    pub(super) purpose: Purpose,
    pub(super) target: Option<u32>,
    #[serde(borrow)]
    pub(super) because: Reason<'a>,
}

/// What stands behind a row since orders leave clues.
#[derive(Serialize, Deserialize)]
struct Tailed<'a>(#[serde(borrow)] Row<'a>, Cow<'a, Trail>);

/// Keeps of a URL's old row what a better link to it does not change: it is
/// as near to its site's entrance as ever, one's own network has named it, and
/// a sitemap stays one.
pub(super) fn keep_what_holds(offer: &mut Offer, old: Option<&[u8]>) {
    let Some((old, trail)) = old.and_then(Row::decode) else {
        return;
    };
    offer.depth = offer.depth.min(old.depth);
    offer.trail.steps = offer.trail.steps.min(trail.steps);
    offer.trail.is_own |= trail.is_own;
    if old.purpose == Purpose::Sitemap {
        offer.purpose = old.purpose;
        offer.hops = old.hops;
    }
}

/// The page a link stands on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Referrer<'a> {
    /// It is a seed.
    Nobody,
    /// A page of the same host, by its path.
    Here(&'a str),
    /// A page of another host that the frontier knows.
    Host(u32, &'a str),
    /// Any other, in full.
    Elsewhere(&'a str),
}

/// Why a URL waits here.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Reason<'a> {
    /// One of the reasons of the frontier's list.
    Listed(u16),
    /// In full.
    Text(&'a str),
}

impl Row<'_> {
    /// Writes a row, and how its link was come by.
    pub(super) fn encode(self, trail: &Trail) -> Vec<u8> {
        let tailed = Tailed(self, Cow::Borrowed(trail));
        postcard::to_stdvec(&tailed).expect("plain data always encodes")
    }

    /// Reads a row; those of older crawls do not say how they were come by.
    pub(super) fn decode(bytes: &[u8]) -> Option<(Row<'_>, Trail)> {
        let Tailed(row, trail) = postcard::from_bytes(bytes)
            .or_else(|_| {
                Ok::<_, postcard::Error>(Tailed(postcard::from_bytes(bytes)?, Cow::default()))
            })
            .ok()?;
        Some((row, trail.into_owned()))
    }
}

/// Stands for a host without a place in memory, beyond all others.
pub(super) const UNLISTED: u32 = u32::MAX;

/// Where the seen set keeps URLs of unlisted hosts: with their domain, beyond
/// all hosts.
pub(super) fn unlisted_of(domain_idx: u32) -> u32 {
    1 << 31 | domain_idx
}

/// A row on its own, with all that is needed to put it in line: an open
/// ticket, a retry or a cold URL.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Parcel {
    pub(super) host_idx: u32,
    /// The origin of an unlisted host, otherwise nothing.
    pub(super) origin: String,
    pub(super) key: RowKey,
    /// The URL's, for the seen set.
    pub(super) fingerprint: u64,
    /// As in the row, and in the seen set, where better links find it.
    pub(super) tries: u8,
    pub(super) row: Vec<u8>,
}

impl Parcel {
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Parcel> {
        postcard::from_bytes(bytes).ok()
    }
}
