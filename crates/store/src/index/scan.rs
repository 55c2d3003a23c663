//! Goes through the entries of an index in order, wherever they are.

use super::filter::{Trace, are_kin};
use super::run::Run;
use super::{Key, Near, Shelf, Short};
use std::io;
use std::sync::{Arc, PoisonError};

/// Entries of one run from somewhere on, block by block.
struct Cursor {
    run: Arc<Run>,
    next_block: usize,
    /// Of the block read last, those between the two ends, the last one first.
    waiting: Vec<(Key, Short)>,
    is_over: bool,
}

impl Cursor {
    fn new(run: &Arc<Run>, after: Key) -> Cursor {
        Cursor {
            run: Arc::clone(run),
            next_block: run.blocks_of(after).start,
            waiting: Vec::new(),
            is_over: false,
        }
    }

    /// The key of the next entry between the two ends, which stays the next
    /// one. Where all keys between them are kin, blocks without any are not read.
    fn peek(&mut self, near: &mut Near, ends: &Ends) -> io::Result<Option<Key>> {
        while self.waiting.is_empty() {
            let block = self.next_block;
            self.is_over |= self.run.is_behind(block, ends.last);
            if self.is_over {
                return Ok(None);
            }
            self.next_block += 1;
            if ends.kin.is_some_and(|kin| !self.run.may_have(block, kin)) {
                continue;
            }
            for (key, value) in near.block(&self.run, block)?.entries_after(ends.after) {
                self.is_over = key > ends.last;
                if self.is_over {
                    break;
                }
                self.waiting.push((key, value));
            }
            self.waiting.reverse();
        }
        Ok(self.waiting.last().map(|(key, _)| *key))
    }
}

/// What a scan lies between.
struct Ends {
    after: Key,
    last: Key,
    /// The trace of all keys between them, where these are kin.
    kin: Option<Trace>,
}

impl Shelf {
    /// See `Index::scan`.
    pub(super) fn scan(&self, after: Key, last: Key, n: usize) -> io::Result<Vec<(Key, Short)>> {
        let state = self.read();
        let mut near = self.near.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        let Some(first) = after.checked_add(1).filter(|first| *first <= last) else {
            return Ok(found);
        };
        let kin = are_kin(after, last).then(|| Trace::of_kin(last));
        let ends = Ends { after, last, kin };
        let young = state.young.range(first..=last);
        let mut young = young.into_iter().flatten().peekable();
        // The newest first.
        let runs = state.runs.iter().rev();
        let mut cursors: Vec<Cursor> = runs.map(|run| Cursor::new(run, after)).collect();
        while found.len() < n {
            let mut next = young.peek().map(|(key, _)| **key);
            for cursor in &mut cursors {
                let key = cursor.peek(&mut near, &ends)?;
                next = next.into_iter().chain(key).min();
            }
            let Some(key) = next else {
                break;
            };
            // Of equal keys the newest entry counts.
            let mut newest = young
                .next_if(|(other, _)| **other == key)
                .map(|(_, value)| *value);
            for cursor in &mut cursors {
                let same = cursor.waiting.pop_if(|(other, _)| *other == key);
                newest = newest.or(same.map(|(_, value)| value));
            }
            let value = newest.filter(|value| *value != Short::GONE);
            found.extend(value.map(|value| (key, value)));
        }
        Ok(found)
    }
}
