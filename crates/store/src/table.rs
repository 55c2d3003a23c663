//! Tables of keys and values on the embedded database.

/// A handle on one table; cheap to clone.
#[derive(Clone)]
pub struct Table {}

/// Changes that become visible together.
pub struct Batch {}

impl Table {
    /// One value.
    pub fn get(&self, _key: &[u8]) -> Result<Option<Vec<u8>>, TableError> {
        todo!()
    }
    /// Whether a key is there.
    pub fn has(&self, _key: &[u8]) -> Result<bool, TableError> {
        todo!()
    }
    /// At most `n` entries whose key starts with `prefix` and is greater than `after`, in order.
    pub fn scan(
        &self,
        _prefix: &[u8],
        _after: Option<&[u8]>,
        _n: usize,
    ) -> Result<Vec<(Vec<u8>, Vec<u8>)>, TableError> {
        todo!()
    }
}

impl Batch {
    /// Sets a value.
    pub fn put(&mut self, _table: &Table, _key: &[u8], _value: &[u8]) {
        todo!()
    }
    /// Removes a key.
    pub fn delete(&mut self, _table: &Table, _key: &[u8]) {
        todo!()
    }
}

/// The embedded database failed.
#[derive(Debug, thiserror::Error)]
#[error("database: {0}")]
pub struct TableError(pub String);
