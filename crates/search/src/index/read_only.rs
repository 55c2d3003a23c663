//! An index that may be read and not written: another user's, or on a disk
//! that is mounted so.
//!
//! The index library takes a lock even to read, for which it makes a file. It
//! guards against files that are deleted while they are being opened; here
//! whoever writes is out of reach, and an index that is opened at that moment
//! cannot be opened until it is tried again.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

/// What may be done with an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Whatever is needed.
    Full,
    /// It may be asked.
    ReadOnly,
}

/// A folder in which no lock is taken.
#[derive(Debug, Clone)]
pub(super) struct ReadOnly(MmapDirectory);

impl ReadOnly {
    pub(super) fn open(folder: &Path) -> tantivy::Result<ReadOnly> {
        Ok(ReadOnly(MmapDirectory::open(folder)?))
    }
}

impl Directory for ReadOnly {
    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.0.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }
}

/// Lets those read what an index is found by who may read its other files:
/// the index library makes these for their owner alone, whatever is usual.
pub(super) fn share(home: &Path) {
    let Ok(usual) = fs::metadata(home.join("lock")) else {
        return;
    };
    for name in ["meta.json", ".managed.json"] {
        let file = home.join("tantivy").join(name);
        let is_shared = |file: &Metadata| file.permissions() == usual.permissions();
        // Only its owner may say who reads a file: others change nothing.
        if fs::metadata(&file).is_ok_and(|file| !is_shared(&file)) {
            let _ = fs::set_permissions(&file, usual.permissions());
        }
    }
}

/// Whether files can be made in a folder that is there; files that are there
/// already may be writable all the same.
pub(super) fn may_write(folder: &Path) -> io::Result<bool> {
    let probe = folder.join(".may-write");
    match File::create(&probe) {
        Ok(_) => fs::remove_file(&probe).map(|()| true),
        Err(error) if is_forbidden(&error) => Ok(false),
        // There is no such folder yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Whether that is what keeps us from writing.
pub(super) fn is_forbidden(error: &io::Error) -> bool {
    let forbidden = [
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::ReadOnlyFilesystem,
    ];
    forbidden.contains(&error.kind())
}
