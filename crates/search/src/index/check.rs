//! Whether the files of an index are as they were written.
//!
//! Damaged postings may be read as anything, or not end: better to read every
//! byte once than to trust any of them. Once: a file that has neither grown
//! nor been touched since is not read again, or opening a large index would
//! take longer than anything that is asked of it.

use super::Flaw;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use tantivy::Index;

/// The file in which is kept what was checked: a line for each file, its name
/// and how it looked.
const CHECKED: &str = "checked";

/// What tells that a file is still the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Looks {
    bytes: u64,
    /// When it was last written, in nanoseconds since 1970.
    written: u64,
}

/// An error if a file of the index in `home` is damaged.
pub(super) fn check(index: &Index, home: &Path) -> Result<(), Flaw> {
    let known = read(home);
    let mut checked = BTreeMap::new();
    for file in files(index)? {
        let looks = looks(&home.join("tantivy").join(&file));
        let is_known = looks.is_some() && looks == known.get(&file).copied();
        let is_whole = || index.directory().validate_checksum(&file);
        if !is_known && !is_whole().map_err(tantivy::TantivyError::from)? {
            return Err(Flaw::Checksum(file));
        }
        checked.extend(looks.map(|looks| (file, looks)));
    }
    if checked != known {
        // Without it, everything is read again next time.
        let lines = checked.iter().map(|(file, looks)| {
            let Looks { bytes, written } = looks;
            format!("{} {bytes} {written}\n", file.display())
        });
        let _ = fs::write(home.join(CHECKED), lines.collect::<String>());
    }
    Ok(())
}

/// All files that the index is made of.
fn files(index: &Index) -> Result<BTreeSet<PathBuf>, Flaw> {
    let there = index.directory().list_managed_files();
    let files = index.load_metas()?.list_segment_files();
    Ok(files.intersection(&there).cloned().collect())
}

fn read(home: &Path) -> BTreeMap<PathBuf, Looks> {
    let text = fs::read_to_string(home.join(CHECKED)).unwrap_or_default();
    let parse = |line: &str| {
        let mut words = line.split(' ');
        let (file, bytes, written) = (words.next()?, words.next()?, words.next()?);
        let looks = Looks {
            bytes: bytes.parse().ok()?,
            written: written.parse().ok()?,
        };
        Some((PathBuf::from(file), looks))
    };
    text.lines().filter_map(parse).collect()
}

fn looks(file: &Path) -> Option<Looks> {
    let metadata = fs::metadata(file).ok()?;
    let written = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(Looks {
        bytes: metadata.len(),
        written: u64::try_from(written.as_nanos()).ok()?,
    })
}
