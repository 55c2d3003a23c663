//! One change of a table, in one piece of memory.

use std::borrow::Borrow;
use std::cmp::Ordering;

/// What one pending change costs in memory beside its bytes.
const OVERHEAD: usize = 48;

/// A key with its new value, or without one. Changes are ordered by their
/// keys alone, so that a set of them holds the last one of each key.
pub(super) struct Change {
    /// The key, then the value.
    bytes: Box<[u8]>,
    key_len: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing was there: deleting it leaves no trace.
    New,
    Put,
    Deletion,
}

impl Change {
    pub(super) fn put(key: &[u8], value: &[u8]) -> Change {
        Change {
            bytes: [key, value].concat().into_boxed_slice(),
            key_len: key.len(),
            kind: Kind::Put,
        }
    }

    pub(super) fn put_new(key: &[u8], value: &[u8]) -> Change {
        Change {
            kind: Kind::New,
            ..Change::put(key, value)
        }
    }

    pub(super) fn delete(key: &[u8]) -> Change {
        Change {
            bytes: key.into(),
            key_len: key.len(),
            kind: Kind::Deletion,
        }
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.bytes[..self.key_len]
    }

    /// None is a deletion.
    pub(super) fn value(&self) -> Option<&[u8]> {
        (!self.is_deletion()).then(|| &self.bytes[self.key_len..])
    }

    pub(super) fn is_deletion(&self) -> bool {
        self.kind == Kind::Deletion
    }

    pub(super) fn is_new(&self) -> bool {
        self.kind == Kind::New
    }

    /// Forgets that nothing was there.
    pub(super) fn make_old(&mut self) {
        self.kind = Kind::Put;
    }

    /// Memory it takes.
    pub(super) fn n_bytes(&self) -> usize {
        self.bytes.len() + OVERHEAD
    }
}

impl Borrow<[u8]> for Change {
    fn borrow(&self) -> &[u8] {
        self.key()
    }
}

impl PartialEq for Change {
    fn eq(&self, other: &Change) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Change {}

impl PartialOrd for Change {
    fn partial_cmp(&self, other: &Change) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Change {
    fn cmp(&self, other: &Change) -> Ordering {
        self.key().cmp(other.key())
    }
}
