//! What went wrong in the database, in words, and whose fault it is.
//!
//! The database shows its errors as dumps of its own types; none of them may
//! reach a person. What matters more is whether its files are damaged or the
//! environment keeps it from reading good ones: only the former may be set
//! aside.

use super::TableError;
use crate::crawl_dir::StoreError;
use fjall::{Error, LsmError};
use std::cell::Cell;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

/// A failure as text: what could not be done to the tables, where, and why.
pub(super) fn describe(what: &str, path: &Path, error: &Error) -> TableError {
    let cause = cause(error);
    match is_damage(error) {
        true => TableError::damaged(what, path, &cause),
        false => {
            let path = path.display();
            TableError::failed(format!("cannot {what} the tables in `{path}`: {cause}"))
        }
    }
}

/// Tells a full disk and a taken lock from other failures of the database.
pub(super) fn failure(what: &str, path: &Path, error: &Error) -> StoreError {
    if matches!(error, Error::Locked) {
        let dir = path.parent().unwrap_or(path).to_path_buf();
        return StoreError::InUse { dir };
    }
    // A background flush that found the disk full only says afterwards that
    // the database takes no more writes.
    let has_no_space = || crate::file::free_space(path).is_ok_and(|bytes| bytes < 1 << 20);
    let is_full = match io_cause(error) {
        Some(error) => crate::file::is_full(error),
        None => matches!(error, Error::Poisoned) && has_no_space(),
    };
    if is_full {
        let path = path.to_path_buf();
        return StoreError::Full { path };
    }
    describe(what, path, error).into()
}

/// Whether the database's files are at fault, not what surrounds them.
pub(super) fn is_damage(error: &Error) -> bool {
    match error {
        Error::Locked | Error::Poisoned | Error::KeyspaceDeleted => false,
        _ => io_cause(error).is_none_or(is_damaged_file),
    }
}

/// The same of a single file.
pub(crate) fn is_damaged_file(error: &io::Error) -> bool {
    match error.raw_os_error() {
        // Files and folders that are not what they should be. Any other
        // word of the system, such as denied or read-only, is about more.
        Some(_) => matches!(
            error.kind(),
            io::ErrorKind::NotFound
                | io::ErrorKind::AlreadyExists
                | io::ErrorKind::IsADirectory
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::InvalidInput
        ),
        // Not from the system: the bytes read made no sense.
        None => true,
    }
}

fn io_cause(error: &Error) -> Option<&io::Error> {
    match error {
        Error::Io(error) | Error::Storage(LsmError::Io(error)) => Some(error),
        _ => None,
    }
}

thread_local! {
    /// Whether a panic on this thread is expected and dealt with.
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs what may panic on damaged files, as the recovery of a journal does;
/// none if it did. Other threads' panics, and later ones, are told as ever.
pub(super) fn quietly<R>(work: impl FnOnce() -> R) -> Option<R> {
    static HOOK: Once = Once::new();
    // Within a panic the hook cannot be changed.
    if !std::thread::panicking() {
        HOOK.call_once(|| {
            let others = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !IS_QUIET.get() {
                    others(info);
                }
            }));
        });
    }
    IS_QUIET.set(true);
    // What the work leaves half done is dropped with it.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(false);
    result.ok()
}

/// The cause by itself.
pub(super) fn cause(error: &Error) -> String {
    if let Some(error) = io_cause(error) {
        return match error.kind() {
            io::ErrorKind::UnexpectedEof => "a file ends too early".to_owned(),
            _ => error.to_string(),
        };
    }
    let cause = match error {
        Error::JournalRecovery(_) => "the journal is damaged",
        Error::InvalidVersion(_) | Error::Storage(LsmError::InvalidVersion(_)) => {
            "their format is unknown"
        }
        Error::Unrecoverable | Error::Storage(LsmError::Unrecoverable) => {
            "files are missing or damaged"
        }
        Error::Storage(LsmError::ChecksumMismatch { .. }) => "a checksum does not match",
        Error::Poisoned => "an earlier write failed",
        Error::KeyspaceDeleted => "a table is gone",
        Error::Locked => "they are in use",
        _ => "their bytes make no sense",
    };
    cause.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_damaged_files_count_as_damage() {
        let system = |code| Error::Io(io::Error::from_raw_os_error(code));
        // Missing, existing, not a folder; then denied, read-only, no space,
        // too many open files, a failing disk.
        for code in [2, 17, 20] {
            assert!(is_damage(&system(code)), "{code}");
        }
        for code in [13, 1, 30, 28, 24, 5] {
            assert!(!is_damage(&system(code)), "{code}");
        }
        assert!(is_damage(&Error::Io(io::ErrorKind::UnexpectedEof.into())));
        assert!(is_damage(&Error::InvalidVersion(None)));
        assert!(is_damage(&Error::Storage(LsmError::Unrecoverable)));
        assert!(!is_damage(&Error::Locked));
    }

    #[test]
    fn a_panic_is_no_more_than_damage() {
        assert_eq!(quietly(|| 7), Some(7));
        assert_eq!(quietly(|| -> u8 { panic!("made no sense") }), None);
        assert!(!IS_QUIET.get());
    }

    #[test]
    fn failures_are_told_in_words() {
        let tell = |error| failure("open", Path::new("a/tables"), &error).to_string();
        assert_eq!(
            tell(Error::Io(io::Error::from_raw_os_error(13))),
            "cannot open the tables in `a/tables`: Permission denied (os error 13)"
        );
        assert_eq!(
            tell(Error::Storage(LsmError::InvalidTag(("block", 3)))),
            "cannot open the tables in `a/tables`: their bytes make no sense"
        );
        assert_eq!(
            tell(Error::Io(io::Error::from_raw_os_error(28))),
            "no space left for `a/tables`"
        );
        assert_eq!(tell(Error::Locked), "`a` is in use by another crawl");
    }
}
