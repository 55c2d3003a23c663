//! Looks at the database's files before the database does.
//!
//! It believes the tables of contents of its files, and takes the memory they
//! ask for, before it compares a checksum: one flipped bit asks for a hundred
//! gigabytes, which ends the process. And a table without the file that says
//! what it consists of is one that was never finished to it, and is deleted.
//! So the former are checked here; the latter is told by stamps. Without its
//! journal it counts its commits from zero again, and what is written from
//! then on is older to it than what is there.
//!
//! A stamp is the number of the last commit that changed a table, kept in the
//! table itself and once more among this crate's own entries. A table that is
//! gone, or is as it was some commits ago, has another one.

use fjall::{Database, Keyspace, KeyspaceCreateOptions};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// The key of a stamp within its table; nobody else's keys are of this length
/// and begin so.
pub(super) const STAMP: &[u8] = b"\xff\xff\xff\xff stamp \xff";

/// What keys of stamps begin with among this crate's own entries.
const STAMPS: &str = "stamp/";

/// What the last bytes of a file are: a word, two numbers of versions, the
/// checksum of the table of contents, where it begins, and how long it is.
const TRAILER: usize = 4 + 2 + 16 + 8 + 8;
const TRAILER_WORD: &[u8] = b"SFA!";

pub(super) fn stamp_key(table: &str) -> Vec<u8> {
    [STAMPS, table].concat().into_bytes()
}

/// Whether the database can be shown its files without harm.
pub(super) fn look_at_files(path: &Path) -> io::Result<()> {
    let files = entries_of(path)?;
    let is_journal = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "jnl");
    // An empty folder is a database still to be made.
    if !files.is_empty() && !files.iter().any(is_journal) {
        let text = "the journal is missing";
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    for keyspace in entries_of(&path.join("keyspaces"))? {
        if let Some(current) = read(&keyspace.join("current"))? {
            look_at_version(&keyspace, &current)?;
        }
        for table in entries_of(&keyspace.join("tables"))? {
            look_at_contents(&table)?;
        }
    }
    Ok(())
}

/// The file that lists a table's files, by what is said of it: its number and
/// its checksum.
fn look_at_version(keyspace: &Path, current: &[u8]) -> io::Result<()> {
    let (number, rest) = current.split_first_chunk().ok_or_else(too_short)?;
    let (sum, _) = rest.split_first_chunk().ok_or_else(too_short)?;
    let number = u64::from_le_bytes(*number);
    let version = read(&keyspace.join(format!("v{number}")))?;
    match version.ok_or(io::ErrorKind::NotFound)? {
        bytes if xxh3_128(&bytes) == u128::from_le_bytes(*sum) => Ok(()),
        _ => Err(damaged()),
    }
}

/// A file's table of contents. One without a trailer was never finished, or
/// is told by the database itself.
fn look_at_contents(path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    let Some(end) = len.checked_sub(TRAILER as u64) else {
        return Ok(());
    };
    let mut trailer = [0; TRAILER];
    file.read_exact_at(&mut trailer, end)?;
    if !trailer.starts_with(TRAILER_WORD) {
        return Ok(());
    }
    let number = |at: usize| trailer[at..].first_chunk().copied().unwrap_or_default();
    let sum = trailer[6..].first_chunk().copied().unwrap_or_default();
    let start = u64::from_le_bytes(number(6 + 16));
    let n_bytes = end.checked_sub(start).ok_or_else(damaged)?;
    let mut contents = vec![0; usize::try_from(n_bytes).map_err(|_| damaged())?];
    file.read_exact_at(&mut contents, start)?;
    match xxh3_128(&contents) == u128::from_le_bytes(sum) {
        true => Ok(()),
        false => Err(damaged()),
    }
}

/// Whether all tables are of one commit; gives the number of the last one.
pub(super) fn look_at_stamps(
    database: &Database,
    own: &Keyspace,
    own_name: &str,
    options: fn() -> KeyspaceCreateOptions,
) -> fjall::Result<u64> {
    let mut known = BTreeMap::new();
    for entry in own.prefix(STAMPS) {
        let (key, value) = entry.into_inner()?;
        let name = str::from_utf8(&key[STAMPS.len()..]).map_err(|_| damaged())?;
        known.insert(name.to_owned(), number_of(&value)?);
    }
    let last = known.values().copied().max().unwrap_or(0);
    for name in database.list_keyspace_names() {
        if &*name == own_name {
            continue;
        }
        let stamp = database.keyspace(&name, options)?.get(STAMP)?;
        let stamp = stamp.map(|value| number_of(&value)).transpose()?;
        if stamp != known.remove(&*name) {
            let text = "a table is missing or too old";
            return Err(io::Error::new(io::ErrorKind::InvalidData, text).into());
        }
    }
    match known.is_empty() {
        true => Ok(last),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "a table is missing").into()),
    }
}

fn number_of(value: &[u8]) -> io::Result<u64> {
    let bytes = value.try_into().map_err(|_| damaged())?;
    Ok(u64::from_le_bytes(bytes))
}

/// Paths in a folder; none where there is none.
fn entries_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn too_short() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a checksum does not match")
}
