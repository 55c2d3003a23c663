//! Small texts about a crawl that anybody may read at any time: no lock, no
//! database, replaced as a whole.

use crate::crawl_dir::StoreError;
use crate::file::io_error;
use std::fs;
use std::path::Path;

/// Writes a note into the crawl folder; a reader sees the old one or the new one.
pub fn write(dir: &Path, name: &str, text: &str) -> Result<(), StoreError> {
    write_bytes(dir, name, text.as_bytes())
}

/// The same for bytes.
pub fn write_bytes(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let path = dir.join(name);
    let draft = dir.join(format!("{name}.new"));
    fs::write(&draft, bytes).map_err(|error| io_error("write", &draft, error))?;
    fs::rename(&draft, &path).map_err(|error| io_error("replace", &path, error))
}

/// Reads a note; none when there is none.
pub fn read(dir: &Path, name: &str) -> Result<Option<String>, StoreError> {
    let path = dir.join(name);
    present(&path, fs::read_to_string(&path))
}

/// The same for bytes.
pub fn read_bytes(dir: &Path, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let path = dir.join(name);
    present(&path, fs::read(&path))
}

fn present<T>(path: &Path, read: std::io::Result<T>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error("read", path, error)),
    }
}
