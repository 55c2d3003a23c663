//! A table of one row for each URL, in the order of its keys.
//!
//! Rows are many times as long as their keys. So they are written once, where
//! they stay (`heap.rs`), and what is sorted and merged is an index of their
//! places. A row that is taken out, or replaced, leaves a gap behind: about as
//! much as the visit log takes for fetching it.

mod heap;

pub(crate) use heap::{Heap, open_heap};

use crate::index::{Index, Key, Short};
use crate::table::TableError;
use std::sync::Arc;

/// A handle on one line; cheap to clone.
#[derive(Clone)]
pub struct Line {
    pub(crate) index: Index,
    pub(crate) heap: Arc<Heap>,
}

/// Where a row stays for good.
pub type Place = [u8; 6];

/// A key and its row.
pub type Row = (Key, Vec<u8>);

impl Line {
    /// One row.
    pub fn get(&self, key: Key) -> Result<Option<Vec<u8>>, TableError> {
        let place = self.index.get(key)?;
        place.map(|place| self.heap.get(&place)).transpose()
    }

    /// A row by its place, which saves looking that up.
    pub fn row_at(&self, place: Place) -> Result<Vec<u8>, TableError> {
        self.heap.get(&Short::of(&[&place]))
    }

    /// At most `n` rows whose keys are greater than `after` and no greater
    /// than `last`, in order.
    pub fn scan(&self, after: Key, last: Key, n: usize) -> Result<Vec<Row>, TableError> {
        let places = self.index.scan(after, last, n)?;
        let rows = places.into_iter();
        rows.map(|(key, place)| Ok((key, self.heap.get(&place)?)))
            .collect()
    }

    /// Keys and places alone, for less.
    pub fn places(&self, after: Key, last: Key, n: usize) -> Result<Vec<(Key, Place)>, TableError> {
        let places = self.index.scan(after, last, n)?.into_iter();
        places
            .map(|(key, place)| Ok((key, self.heap.checked(&place)?)))
            .collect()
    }

    pub(crate) fn keep(&self, row: &[u8]) -> Place {
        self.heap.keep(row)
    }
}

#[cfg(test)]
mod tests {
    use crate::index::Key;
    use crate::table::Tables;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::path::Path;

    /// Small enough that a test makes many runs and files.
    fn open(path: &Path) -> Tables {
        Tables::open_with_runs_of(path, 8).unwrap_or_else(|error| panic!("{error:?}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Reopening without a commit is what a crash does.
        #[test]
        fn a_line_agrees_with_a_sorted_map(
            groups in prop::collection::vec(
                (
                    prop::collection::vec((0..60_u8, prop::option::of(0..400_usize)), 0..24),
                    any::<bool>(),
                    any::<bool>(),
                ),
                1..24,
            ),
            (after, last, n) in (0..60_u8, 0..60_u8, 0..20_usize),
        ) {
            let key = |nth: u8| Key::from(nth / 20) << 80 | Key::from(nth) << 40;
            let folder = tempfile::tempdir().unwrap();
            let mut tables = open(folder.path());
            let mut line = tables.line("queue").unwrap();
            let mut committed: BTreeMap<Key, Vec<u8>> = BTreeMap::new();
            for (changes, is_committed, is_reopened) in groups {
                let mut model = committed.clone();
                let mut batch = tables.batch();
                for (nth, len) in changes {
                    if let Some(len) = len {
                        let row = vec![nth ^ len as u8; len];
                        batch.put_row(&line, key(nth), &row);
                        model.insert(key(nth), row);
                    } else {
                        batch.remove_row(&line, key(nth));
                        model.remove(&key(nth));
                    }
                }
                batch.settle().unwrap();
                if is_committed || !is_reopened {
                    tables.flush(&[]).unwrap();
                    committed = model.clone();
                }
                if is_reopened {
                    drop((batch, line, tables));
                    tables = open(folder.path());
                    line = tables.line("queue").unwrap();
                    model = committed.clone();
                }
                for nth in 0..60 {
                    prop_assert_eq!(line.get(key(nth)).unwrap(), model.get(&key(nth)).cloned());
                }
                let (after, last) = (key(after), key(last));
                let between = model.iter().filter(|(key, _)| (after + 1..=last).contains(key));
                let expected: Vec<_> = between.take(n).map(|(k, row)| (*k, row.clone())).collect();
                let places = line.places(after, last, n).unwrap().into_iter();
                let rows: Vec<_> = places.map(|(key, at)| (key, line.row_at(at).unwrap())).collect();
                prop_assert_eq!(&rows, &expected);
                prop_assert_eq!(line.scan(after, last, n).unwrap(), expected);
            }
        }
    }

    #[test]
    fn a_damaged_row_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let tables = open(folder.path());
        let line = tables.line("queue").unwrap();
        let mut batch = tables.batch();
        batch.put_row(&line, 5, b"a row");
        batch.settle().unwrap();
        tables.flush(&[]).unwrap();
        drop((batch, line, tables));
        let path = folder.path().join("rows").join("queue-00001.rows");
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let tables = open(folder.path());
        let line = tables.line("queue").unwrap();
        let error = line.get(5).unwrap_err().to_string();
        assert!(error.contains("a checksum does not match"), "{error}");
        drop((line, tables));
        bytes.pop();
        std::fs::write(&path, &bytes).unwrap();
        assert!(Tables::open(folder.path()).is_err(), "too short");
    }
}
