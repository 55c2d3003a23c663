//! Small texts about a crawl that anybody may read at any time: no lock, no
//! database, replaced as a whole.

use crate::crawl_dir::StoreError;
use crate::file::io_error;
use std::fs;
use std::path::Path;

/// Writes a note into the crawl folder; a reader sees the old one or the new one.
pub fn write(dir: &Path, name: &str, text: &str) -> Result<(), StoreError> {
    let path = dir.join(name);
    let draft = dir.join(format!("{name}.new"));
    fs::write(&draft, text).map_err(|error| io_error("write", &draft, error))?;
    fs::rename(&draft, &path).map_err(|error| io_error("replace", &path, error))
}

/// Reads a note; none when there is none.
pub fn read(dir: &Path, name: &str) -> Result<Option<String>, StoreError> {
    let path = dir.join(name);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error("read", &path, error)),
    }
}
