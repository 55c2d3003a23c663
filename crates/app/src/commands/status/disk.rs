//! What a crawl takes up on disk.

use serde::Serialize;
use std::path::Path;
use store::crawl_dir::{StoreError, free_space};

/// Bytes by part of the crawl's folder.
#[derive(Debug, Default, Serialize)]
pub(super) struct Disk {
    pub(super) warc: u64,
    pub(super) visits: u64,
    pub(super) tables: u64,
    pub(super) index: u64,
    /// What may still be written there.
    pub(super) free: u64,
}

impl Disk {
    pub(super) fn look(dir: &Path) -> Result<Disk, StoreError> {
        Ok(Disk {
            warc: size(&dir.join("warc")),
            visits: size(&dir.join("visits")),
            tables: size(&dir.join("tables")),
            index: size(&dir.join("index")),
            free: free_space(dir)?,
        })
    }
}

/// Bytes of all files below a folder. Files come and go while a crawl runs;
/// one that is gone has none.
fn size(folder: &Path) -> u64 {
    let mut folders = vec![folder.to_path_buf()];
    let mut n_bytes = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) => n_bytes += metadata.len(),
                Err(_) => {}
            }
        }
    }
    n_bytes
}
