//! Indexes against a map, across crashes, and what damage does.

use super::*;
use crate::table::Tables;
use proptest::prelude::*;
use std::collections::HashMap;

/// Small enough that a test makes many runs.
const N_RUN: usize = 8;

fn open(path: &Path) -> Tables {
    Tables::open_with_runs_of(path, N_RUN).unwrap_or_else(|error| panic!("{error:?}"))
}

fn key(nth: u8) -> Key {
    Key::from(nth % 5) << 80 | Key::from(nth) << 40
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Reopening without a commit is what a crash does.
    #[test]
    fn an_index_agrees_with_a_map(
        groups in prop::collection::vec(
            (prop::collection::vec((any::<u8>(), 0..32_usize), 0..24), any::<bool>(), any::<bool>()),
            1..24,
        ),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut tables = open(folder.path());
        let mut index = tables.index("seen").unwrap();
        let mut committed: HashMap<Key, Vec<u8>> = HashMap::new();
        for (entries, is_committed, is_reopened) in groups {
            let mut model = committed.clone();
            let mut batch = tables.batch();
            for (nth, len) in entries {
                let value = vec![nth ^ len as u8; len];
                batch.note(&index, key(nth), Short::of(&[&value]));
                model.insert(key(nth), value);
            }
            batch.settle().unwrap();
            if is_committed {
                tables.flush(&[]).unwrap();
                committed = model.clone();
            }
            if is_reopened {
                drop((batch, index, tables));
                tables = open(folder.path());
                index = tables.index("seen").unwrap();
                model = committed.clone();
            }
            for nth in 0..=255 {
                let found = index.get(key(nth)).unwrap();
                let expected = model.get(&key(nth)).map(Vec::as_slice);
                prop_assert_eq!(found.as_ref().map(Short::as_slice), expected, "{}", nth);
            }
            if !is_committed && !is_reopened {
                tables.flush(&[]).unwrap();
                committed = model;
            }
        }
    }
}

/// Runs of an index with so many entries that have been merged.
fn filled(path: &Path, n_entries: u32) {
    let tables = open(path);
    let index = tables.index("seen").unwrap();
    for nth in 0..n_entries {
        let mut batch = tables.batch();
        batch.note(
            &index,
            Key::from(nth) << 64,
            Short::of(&[&nth.to_be_bytes()]),
        );
        batch.settle().unwrap();
        tables.flush(&[]).unwrap();
    }
}

fn runs(path: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(path.join("runs")).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn runs_are_merged_and_what_nobody_knows_is_swept_away() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 2_000);
    std::fs::write(folder.path().join("runs").join("seen-999999.run"), "half").unwrap();
    let tables = open(folder.path());
    let n_runs = runs(folder.path()).len();
    assert!(
        (1..100).contains(&n_runs),
        "{n_runs} of 250 that were written"
    );
    let index = tables.index("seen").unwrap();
    for nth in 0..2_000_u32 {
        let value = index.get(Key::from(nth) << 64).unwrap().unwrap();
        assert_eq!(value.as_slice(), nth.to_be_bytes());
    }
    assert!(index.get(7).unwrap().is_none());
}

#[test]
fn a_few_keys_that_change_all_the_time_do_not_make_a_long_journal() {
    let folder = tempfile::tempdir().unwrap();
    for nth in 0..300_u32 {
        let tables = open(folder.path());
        let index = tables.index("clocks").unwrap();
        let mut batch = tables.batch();
        for key in 0..3 {
            batch.note(&index, key << 64, Short::of(&[&nth.to_be_bytes()]));
        }
        batch.settle().unwrap();
        tables.flush(&[]).unwrap();
        let n_journal = index.shelf.read().n_journal;
        assert!(n_journal < JOURNAL * N_RUN, "{n_journal} entries");
        assert_eq!(
            index.shelf.read().rows.is_empty(),
            n_journal == 0,
            "counted anew when opened"
        );
        for key in 0..3 {
            let value = index.get(key << 64).unwrap().unwrap();
            assert_eq!(value.as_slice(), nth.to_be_bytes());
        }
    }
}

#[test]
fn many_keys_with_one_beginning_are_all_found() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tables::open_with_runs_of(folder.path(), 1_000).unwrap();
    let index = tables.index("seen").unwrap();
    let mut batch = tables.batch();
    for nth in 0..1_000 {
        batch.note(&index, 5 << 64 | nth, Short::default());
    }
    batch.settle().unwrap();
    tables.flush(&[]).unwrap();
    assert_eq!(runs(folder.path()).len(), 1);
    assert!((0..1_000).all(|nth| index.get(5 << 64 | nth).unwrap().is_some()));
    assert!(index.get(5 << 64 | 1_000).unwrap().is_none());
}

#[test]
fn a_damaged_or_missing_run_is_told() {
    let change_run = |change: fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path(), 8);
        change(&runs(folder.path())[0]);
        let opened = Tables::open_with_runs_of(folder.path(), N_RUN);
        opened.map(|tables| {
            let index = tables.index("seen").unwrap();
            index.get(3 << 64).map(|value| value.is_some())
        })
    };
    let is_unopened = |change| change_run(change).is_err();
    assert!(is_unopened(|path| std::fs::remove_file(path).unwrap()));
    assert!(is_unopened(|path| std::fs::write(path, "").unwrap()));
    assert!(is_unopened(|path| flip(path, -50)), "the filter");
    let in_block = change_run(|path| flip(path, 20)).unwrap();
    let error = in_block.unwrap_err().to_string();
    assert!(error.contains("a checksum does not match"), "{error}");
}

/// Changes one byte, counted from the beginning or from the end.
fn flip(path: &Path, at: i64) {
    let mut bytes = std::fs::read(path).unwrap();
    let at = at.rem_euclid(bytes.len() as i64) as usize;
    bytes[at] ^= 1;
    std::fs::write(path, bytes).unwrap();
}
