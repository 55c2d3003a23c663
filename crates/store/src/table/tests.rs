//! Tables against a sorted map, and what they refuse.

use super::*;
use proptest::prelude::*;

fn text(entries: &[Entry]) -> String {
    let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let entries = entries
        .iter()
        .map(|(k, v)| format!("{}={}", show(k), show(v)));
    entries.collect::<Vec<_>>().join(" ")
}

#[test]
fn scan_merges_what_is_pending_with_what_is_stored() {
    let dir = tempfile::tempdir().unwrap();
    let tables = Tables::open(dir.path()).unwrap();
    let table = tables.table("queue").unwrap();
    let mut batch = tables.batch();
    for key in ["a1", "a2", "a3", "b1"] {
        batch.put(&table, key.as_bytes(), b"old");
    }
    tables.apply(batch).unwrap();
    tables.flush(&[]).unwrap();
    let mut batch = tables.batch();
    batch.delete(&table, b"a1");
    batch.put(&table, b"a2", b"new");
    batch.put(&table, b"a0", b"new");
    batch.put(&table, b"a4", b"new");
    tables.apply(batch).unwrap();
    let scan = |prefix: &str, after: Option<&str>, n| {
        let after = after.map(str::as_bytes);
        text(&table.scan(prefix.as_bytes(), after, n).unwrap())
    };
    assert_eq!(scan("a", None, 9), "a0=new a2=new a3=old a4=new");
    assert_eq!(scan("a", Some("a2"), 1), "a3=old");
    assert_eq!(scan("a", Some("b"), 9), "");
    assert_eq!(scan("", None, 9), "a0=new a2=new a3=old a4=new b1=old");
    assert!(!table.has(b"a1").unwrap());
    assert_eq!(table.get(b"a2").unwrap().unwrap(), b"new");
}

#[test]
fn names_that_cannot_be_tables_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let tables = Tables::open(dir.path()).unwrap();
    for name in ["", "_store", &"x".repeat(300)] {
        assert!(tables.table(name).is_err(), "{name}");
    }
}

#[test]
fn keys_the_database_cannot_hold_are_refused_whole() {
    let dir = tempfile::tempdir().unwrap();
    let tables = Tables::open(dir.path()).unwrap();
    let table = tables.table("t").unwrap();
    for key in [vec![], vec![1; MAX_KEY + 1]] {
        let mut batch = tables.batch();
        batch.put(&table, b"good", b"");
        batch.put(&table, &key, b"");
        assert!(tables.apply(batch).is_err());
        assert!(!table.has(b"good").unwrap());
    }
}

/// A step of the model test: put, delete or flush.
fn step() -> impl Strategy<Value = (u8, Vec<u8>)> {
    (
        0u8..5,
        prop::collection::vec(prop::sample::select(vec![0, 1, 254, 255]), 0..4),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn tables_agree_with_a_sorted_map(
        steps in prop::collection::vec(step(), 0..40),
        prefix in prop::collection::vec(prop::sample::select(vec![0, 1, 254, 255]), 0..3),
        after in prop::option::of(prop::collection::vec(prop::sample::select(vec![0, 1, 254, 255]), 0..4)),
        n in 0usize..6,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path()).unwrap();
        let table = tables.table("t").unwrap();
        let mut model = BTreeMap::new();
        for (idx, (what, key)) in steps.into_iter().enumerate() {
            // The database has no empty keys.
            let key = [vec![7], key].concat();
            let mut batch = tables.batch();
            match what {
                0 | 1 if !model.contains_key(&key) && idx % 2 == 0 => {
                    batch.put_new(&table, &key, &[idx as u8]);
                    model.insert(key, vec![idx as u8]);
                }
                0 | 1 => { batch.put(&table, &key, &[idx as u8]); model.insert(key, vec![idx as u8]); }
                2 | 3 => { batch.delete(&table, &key); model.remove(&key); }
                _ => tables.flush(&[]).unwrap(),
            }
            tables.apply(batch).unwrap();
        }
        let prefix = [vec![7], prefix].concat();
        let after = after.map(|after| [vec![7], after].concat());
        let expected: Vec<_> = model.iter()
            .filter(|(key, _)| key.starts_with(&prefix) && after.as_ref().is_none_or(|after| *key > after))
            .take(n).map(|(key, value)| (key.clone(), value.clone())).collect();
        prop_assert_eq!(&table.scan(&prefix, after.as_deref(), n).unwrap(), &expected);
        tables.flush(&[]).unwrap();
        prop_assert_eq!(table.scan(&prefix, after.as_deref(), n).unwrap(), expected);
        for (key, value) in &model {
            prop_assert_eq!(table.get(key).unwrap(), Some(value.clone()));
        }
    }
}
