//! A database of one's own, for what can be made again from a crawl's folder.

use crate::crawl_dir::StoreError;
use crate::table::{Batch, Table, TableError, Tables, Unopened};
use std::path::Path;

/// Tables in a folder that belong to no crawl.
pub struct Ledger(Tables);

impl Ledger {
    /// Opens the database in a folder, made when missing. One process at a
    /// time; damage is an error like any other: whoever keeps something here
    /// can make it again.
    pub fn open(path: &Path) -> Result<Ledger, StoreError> {
        match Tables::open(path) {
            Ok(tables) => Ok(Ledger(tables)),
            Err(Unopened::Failed(error)) => Err(error),
            Err(Unopened::Damaged(cause)) => {
                let path = path.display();
                Err(
                    TableError::failed(format!("the tables in `{path}` are damaged: {cause}"))
                        .into(),
                )
            }
        }
    }

    /// A table by name, made when new.
    pub fn table(&self, name: &str) -> Result<Table, StoreError> {
        self.0.table(name)
    }

    /// An empty batch.
    pub fn batch(&self) -> Batch {
        self.0.batch()
    }

    /// Applies a batch and writes everything to disk.
    pub fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        self.0.apply(batch)?;
        self.0.flush(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_committed_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let write = |key: &[u8]| {
            let ledger = Ledger::open(&path).unwrap();
            let table = ledger.table("words").unwrap();
            let mut batch = ledger.batch();
            batch.put(&table, key, b"x");
            ledger.commit(batch).unwrap();
        };
        write(b"one");
        write(b"two");
        let ledger = Ledger::open(&path).unwrap();
        let found = ledger.table("words").unwrap().scan(b"", None, 9).unwrap();
        let keys: Vec<&[u8]> = found.iter().map(|(key, _)| key.as_slice()).collect();
        assert_eq!(keys, [b"one", b"two"]);
    }
}
