//! Rows in the order they came, found by their places.
//!
//! A row is its length, two bytes of a checksum, and itself. Files have one
//! size, and no row lies in two. What was kept since the last commit is in
//! memory; how far the files are committed is the database's to know.

use super::Place;
use crate::crawl_dir::StoreError;
use crate::file::io_error;
use crate::index::Short;
use crate::table::TableError;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Bytes of a file.
const FILE: u64 = 1 << 30;
/// Bytes of the longest length, and of the checksum.
const MOST_HEADER: usize = 5 + 2;
/// Bytes read at once: most rows are shorter.
const READ: usize = 256;

pub(crate) struct Heap {
    folder: PathBuf,
    name: String,
    state: RwLock<State>,
}

struct State {
    files: Vec<File>,
    /// Bytes of all files that are committed.
    committed: u64,
    /// What follows them.
    pending: Vec<u8>,
}

/// Opens a heap of so many committed bytes, cutting off what is beyond.
pub(crate) fn open_heap(folder: &Path, name: &str, committed: u64) -> io::Result<Heap> {
    std::fs::create_dir_all(folder)?;
    let mut heap = Heap {
        folder: folder.to_path_buf(),
        name: name.to_owned(),
        state: RwLock::new(State {
            files: Vec::new(),
            committed,
            pending: Vec::new(),
        }),
    };
    let mut files = Vec::new();
    for nth in 0..committed.div_ceil(FILE) {
        let file = heap.open_file(nth, OpenOptions::new().read(true).write(true))?;
        let len = (committed - nth * FILE).min(FILE);
        if file.metadata()?.len() < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        file.set_len(len)?;
        files.push(file);
    }
    let state = heap.state.get_mut().unwrap_or_else(PoisonError::into_inner);
    state.files = files;
    Ok(heap)
}

impl Heap {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Takes in a row; it is on disk with the next commit.
    pub(super) fn keep(&self, row: &[u8]) -> Place {
        let mut state = self.write();
        let start = state.end();
        let most = (MOST_HEADER + row.len()) as u64;
        if start / FILE != (start + most) / FILE {
            let n_left = FILE - start % FILE;
            let len = state.pending.len() + n_left as usize;
            state.pending.resize(len, 0);
        }
        let place = place_of(state.end());
        push_len(&mut state.pending, row.len());
        state.pending.extend_from_slice(&check(row));
        state.pending.extend_from_slice(row);
        place
    }

    /// The row at a place.
    pub(super) fn get(&self, place: &Short) -> Result<Vec<u8>, TableError> {
        let [a, b, c, d, e, f] = self.checked(place)?;
        let row = self.row_at(u64::from_be_bytes([0, 0, a, b, c, d, e, f]));
        row.map_err(|error| self.unreadable(&error))
    }

    /// A place as an index has it.
    pub(super) fn checked(&self, place: &Short) -> Result<Place, TableError> {
        let place = place.as_slice().try_into();
        place.map_err(|_| self.unreadable(&damaged()))
    }

    fn unreadable(&self, error: &io::Error) -> TableError {
        TableError::of_file("read", &self.folder, error)
    }

    fn row_at(&self, place: u64) -> io::Result<Vec<u8>> {
        let state = self.read();
        if let Some(at) = place.checked_sub(state.committed) {
            let at = usize::try_from(at).map_err(|_| damaged())?;
            let (header, len, sum) = split_header(state.pending.get(at..)).ok_or_else(damaged)?;
            let start = at + header;
            let row = state.pending.get(start..start + len).ok_or_else(damaged)?;
            return checked(row.to_vec(), sum);
        }
        let file = state
            .files
            .get((place / FILE) as usize)
            .ok_or_else(damaged)?;
        let at = place % FILE;
        let n_there = (state.committed - place).min(FILE - at).min(READ as u64) as usize;
        let mut bytes = [0; READ];
        file.read_exact_at(&mut bytes[..n_there], at)?;
        let (header, len, sum) = split_header(bytes.get(..n_there)).ok_or_else(damaged)?;
        if let Some(row) = bytes[..n_there].get(header..header + len) {
            return checked(row.to_vec(), sum);
        }
        if at + (header + len) as u64 > FILE {
            return Err(damaged());
        }
        let mut row = vec![0; len];
        file.read_exact_at(&mut row, at + header as u64)?;
        checked(row, sum)
    }

    /// Memory of what waits for a commit.
    pub(crate) fn pending_bytes(&self) -> usize {
        self.read().pending.len()
    }

    /// Writes and syncs what waits; returns where it ends, which the database
    /// is to know with the places in it. Written once more after a failure,
    /// it lands on the same bytes.
    pub(crate) fn write_pending(&self) -> Result<Option<u64>, StoreError> {
        let mut state = self.write();
        if state.pending.is_empty() {
            return Ok(None);
        }
        let end = state.end();
        let mut at = state.committed;
        while at < end {
            let nth = at / FILE;
            let path = self.path(nth);
            if state.files.len() as u64 == nth {
                let how = OpenOptions::new()
                    .create(true)
                    .truncate(true)
                    .read(true)
                    .write(true)
                    .clone();
                let file = self.open_file(nth, &how);
                state
                    .files
                    .push(file.map_err(|error| io_error("open", &path, error))?);
                crate::file::sync_folder(&self.folder)?;
            }
            let stretch_end = end.min((nth + 1) * FILE);
            let start = (at - state.committed) as usize;
            let bytes = &state.pending[start..start + (stretch_end - at) as usize];
            let file = &state.files[nth as usize];
            file.write_all_at(bytes, at % FILE)
                .and_then(|()| file.sync_data())
                .map_err(|error| io_error("write", &path, error))?;
            at = stretch_end;
        }
        Ok(Some(end))
    }

    /// Hears that the database knows where it ends.
    pub(crate) fn committed(&self) {
        let mut state = self.write();
        state.committed = state.end();
        state.pending.clear();
    }

    fn open_file(&self, nth: u64, how: &OpenOptions) -> io::Result<File> {
        how.open(self.path(nth))
    }

    fn path(&self, nth: u64) -> PathBuf {
        self.folder
            .join(format!("{}-{:05}.rows", self.name, nth + 1))
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn end(&self) -> u64 {
        self.committed + self.pending.len() as u64
    }
}

/// The lower six bytes of eight: a million million rows of usual length.
fn place_of(end: u64) -> Place {
    let [_, _, place @ ..] = end.to_be_bytes();
    place
}

fn checked(row: Vec<u8>, sum: [u8; 2]) -> io::Result<Vec<u8>> {
    match check(&row) == sum {
        true => Ok(row),
        false => Err(damaged()),
    }
}

fn check(row: &[u8]) -> [u8; 2] {
    let [a, b, ..] = crc32fast::hash(row).to_le_bytes();
    [a, b]
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a checksum does not match")
}

/// Seven bits a byte, the lowest first.
fn push_len(bytes: &mut Vec<u8>, mut len: usize) {
    while len > 127 {
        bytes.push(len as u8 | 128);
        len >>= 7;
    }
    bytes.push(len as u8);
}

/// Bytes of the header, bytes of the row, and its checksum.
fn split_header(bytes: Option<&[u8]>) -> Option<(usize, usize, [u8; 2])> {
    let bytes = bytes?;
    let mut len = 0;
    for (nth, byte) in bytes.iter().take(MOST_HEADER - 2).enumerate() {
        len |= usize::from(byte & 127) << (7 * nth);
        if byte & 128 == 0 {
            let sum = bytes.get(nth + 1..nth + 3)?;
            return Some((nth + 3, len, [sum[0], sum[1]]));
        }
    }
    None
}
