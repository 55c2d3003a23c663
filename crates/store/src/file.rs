//! Numbered files that grow, and the file system's bad news.
//!
//! Positions are the caller's: a write says where it goes, so that writing
//! again after a failure lands on the same bytes.

use crate::crawl_dir::StoreError;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Bytes this user may still write on the file system of `dir`.
pub fn free_space(dir: &Path) -> Result<u64, StoreError> {
    let space = rustix::fs::statvfs(dir)
        .map_err(|error| io_error("look up free space of", dir, error.into()))?;
    Ok(space.f_bavail.saturating_mul(space.f_frsize))
}

pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

pub(crate) fn io_error(what: &'static str, path: &Path, source: io::Error) -> StoreError {
    let path = path.to_path_buf();
    if is_full(&source) {
        return StoreError::Full { path };
    }
    StoreError::Io { what, path, source }
}

/// Makes the entries of a folder durable: a synced file whose name was never
/// synced may be gone after a power cut.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    let sync = || File::open(folder)?.sync_all();
    sync().map_err(|error| io_error("sync", folder, error))
}

/// A family of files such as `visits-00001.log`, `visits-00002.log`, …
pub(crate) struct NumberedFiles {
    folder: PathBuf,
    stem: &'static str,
    ending: &'static str,
    /// The file written last, kept open.
    open: Option<(u32, File)>,
}

impl NumberedFiles {
    pub(crate) fn new(folder: PathBuf, stem: &'static str, ending: &'static str) -> NumberedFiles {
        NumberedFiles {
            folder,
            stem,
            ending,
            open: None,
        }
    }

    pub(crate) fn name(&self, number: u32) -> String {
        format!("{}-{number:05}.{}", self.stem, self.ending)
    }

    pub(crate) fn path(&self, number: u32) -> PathBuf {
        self.folder.join(self.name(number))
    }

    /// Numbers of the files that exist, in order.
    pub(crate) fn numbers(&self) -> Result<Vec<u32>, StoreError> {
        let list = || -> io::Result<Vec<u32>> {
            let mut numbers = Vec::new();
            for entry in fs::read_dir(&self.folder)? {
                numbers.extend(self.number_of(&entry?.file_name().to_string_lossy()));
            }
            numbers.sort_unstable();
            Ok(numbers)
        };
        list().map_err(|error| io_error("list", &self.folder, error))
    }

    fn number_of(&self, name: &str) -> Option<u32> {
        let name = name.strip_prefix(self.stem)?.strip_prefix('-')?;
        let digits = name.strip_suffix(self.ending)?.strip_suffix('.')?;
        digits.parse().ok()
    }

    /// Length of a file; none if it is missing.
    pub(crate) fn len(&self, number: u32) -> Result<Option<u64>, StoreError> {
        let path = self.path(number);
        match fs::metadata(&path) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error("read", &path, error)),
        }
    }

    /// At most `len` bytes at a position; fewer at the file's end.
    pub(crate) fn read_at(
        &self,
        number: u32,
        offset: u64,
        len: usize,
    ) -> Result<Vec<u8>, StoreError> {
        let path = self.path(number);
        let read = || -> io::Result<Vec<u8>> {
            let file = File::open(&path)?;
            let rest = file.metadata()?.len().saturating_sub(offset);
            let mut bytes = vec![0; len.min(usize::try_from(rest).unwrap_or(len))];
            file.read_exact_at(&mut bytes, offset)?;
            Ok(bytes)
        };
        read().map_err(|error| io_error("read", &path, error))
    }

    /// Writes bytes at a position, making the file when it is new.
    pub(crate) fn write_at(
        &mut self,
        number: u32,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), StoreError> {
        let path = self.path(number);
        self.file(number)?
            .write_all_at(bytes, offset)
            .map_err(|error| io_error("write", &path, error))
    }

    /// Waits until a file's bytes are on disk.
    pub(crate) fn sync(&mut self, number: u32) -> Result<(), StoreError> {
        let path = self.path(number);
        self.file(number)?
            .sync_data()
            .map_err(|error| io_error("sync", &path, error))
    }

    /// Cuts a file to a length.
    pub(crate) fn truncate(&mut self, number: u32, len: u64) -> Result<(), StoreError> {
        let path = self.path(number);
        self.file(number)?
            .set_len(len)
            .map_err(|error| io_error("truncate", &path, error))
    }

    /// Deletes a file that was never committed.
    pub(crate) fn remove(&mut self, number: u32) -> Result<(), StoreError> {
        self.open.take_if(|(open, _)| *open == number);
        let path = self.path(number);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io_error("remove", &path, error))
            }
            _ => Ok(()),
        }
    }

    fn file(&mut self, number: u32) -> Result<&File, StoreError> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != number) {
            let path = self.path(number);
            let is_new = !path.exists();
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .map_err(|error| io_error("open", &path, error))?;
            if is_new {
                sync_folder(&self.folder)?;
            }
            self.open = Some((number, file));
        }
        let (_, file) = self.open.as_ref().expect("opened just above");
        Ok(file)
    }
}
