//! Rows read lately.
//!
//! A row may be read several times before it is taken: to find that robots
//! rules are missing, that its machine is busy, or that a link is no better.

use super::row::RowKey;

/// Rows kept.
const N_SLOTS: usize = 1 << 14;

/// A row's place is given by its key; a newer one takes it over.
pub(super) struct Rows {
    slots: Vec<Slot>,
}

#[derive(Clone, Default)]
struct Slot {
    host_idx: u32,
    /// All zero is no row's.
    key: RowKey,
    row: Vec<u8>,
}

impl Default for Rows {
    fn default() -> Rows {
        Rows {
            slots: vec![Slot::default(); N_SLOTS],
        }
    }
}

impl Rows {
    /// A row that is in the queue of its host.
    pub(super) fn keep(&mut self, host_idx: u32, key: RowKey, row: Vec<u8>) {
        self.slots[place(host_idx, key)] = Slot { host_idx, key, row };
    }

    /// A row, if it was kept.
    pub(super) fn get(&self, host_idx: u32, key: RowKey) -> Option<&[u8]> {
        let slot = &self.slots[place(host_idx, key)];
        (slot.host_idx == host_idx && slot.key == key).then_some(&slot.row)
    }

    /// A row that has left its queue.
    pub(super) fn forget(&mut self, host_idx: u32, key: RowKey) {
        if self.get(host_idx, key).is_some() {
            self.slots[place(host_idx, key)] = Slot::default();
        }
    }
}

fn place(host_idx: u32, key: RowKey) -> usize {
    let spread = u64::from(host_idx).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (spread ^ key.seq) as usize % N_SLOTS
}
