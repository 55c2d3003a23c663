//! What a bad disk does to the folder of a crawl, and what must hold after it.
//!
//! Whatever becomes of a file, the crawl goes on; what was on record is neither
//! lost nor doubled, or it is told. `Wear` spoils files, `Strikes` lets the
//! system refuse what a program asks of it, and `Examination` says what came of
//! either.

use crate::audit;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use store::visit::Visit;
use store::warc;

/// Something that happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wear {
    /// Its end is gone, from a random place on.
    Cut,
    /// One bit is not what it was.
    Flip,
    /// A stretch of it is zeros.
    Zeros,
    /// There is nonsense behind its end.
    Append,
    /// It is gone.
    Delete,
}

/// Bytes that are zeroed, or appended.
const STRETCH: usize = 512;

impl Wear {
    /// All that can happen.
    pub const ALL: [Wear; 5] = [
        Wear::Cut,
        Wear::Flip,
        Wear::Zeros,
        Wear::Append,
        Wear::Delete,
    ];

    /// Does it to a file, at a place that `dice` (any number) decides.
    pub fn spoil(self, path: &Path, dice: u64) -> io::Result<()> {
        let len = fs::metadata(path)?.len();
        let file = File::options().write(true).read(true).open(path)?;
        let at = match len {
            0 => 0,
            len => dice % len,
        };
        match self {
            Wear::Cut => file.set_len(at),
            Wear::Flip if len == 0 => Ok(()),
            Wear::Flip => {
                let mut byte = [0];
                file.read_exact_at(&mut byte, at)?;
                byte[0] ^= 1 << (dice >> 32 & 7);
                file.write_all_at(&byte, at)
            }
            Wear::Zeros => {
                let n_bytes = STRETCH.min((len - at) as usize);
                file.write_all_at(&vec![0; n_bytes], at)
            }
            Wear::Append => {
                let nonsense: Vec<u8> = (0..STRETCH).map(|nth| (nth * 7 + 3) as u8).collect();
                file.write_all_at(&nonsense, len)
            }
            Wear::Delete => fs::remove_file(path),
        }
    }
}

/// All files of a folder, below it, in order.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.extend(path.strip_prefix(folder).map(Path::to_path_buf)),
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What a file is for: its path with `N` for every number.
pub fn kind_of(path: &Path) -> String {
    let mut kind = String::new();
    for char in path.to_string_lossy().chars() {
        match char {
            '0'..='9' if kind.ends_with('N') => {}
            '0'..='9' => kind.push('N'),
            other => kind.push(other),
        }
    }
    kind
}

/// Copies a folder with all that is in it; stretches of zeros stay holes.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for name in files(from)? {
        let target = to.join(&name);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        let bytes = fs::read(from.join(&name))?;
        let end = bytes.iter().rposition(|&byte| byte != 0);
        let mut file = File::create(&target)?;
        file.write_all(&bytes[..end.map_or(0, |end| end + 1)])?;
        file.set_len(bytes.len() as u64)?;
    }
    // Folders that are empty count as well.
    let mut folders = vec![from.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                if let Ok(name) = path.strip_prefix(from) {
                    fs::create_dir_all(to.join(name))?;
                }
                folders.push(path);
            }
        }
    }
    Ok(())
}

/// A library that lets the system refuse what a program asks of it.
#[derive(Debug)]
pub struct Strikes {
    library: PathBuf,
}

/// One thing that the system refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strike {
    /// What is asked: `fsync`, `write` or `rename`.
    pub call: &'static str,
    /// The how manieth time it is refused, from one.
    pub nth: u32,
    /// Whether it is so from then on.
    pub lasts: bool,
}

const STRIKES: &str = include_str!("wear/strikes.c");

impl Strikes {
    /// Builds the library in a folder; none where there is no C compiler.
    pub fn build(folder: &Path) -> io::Result<Option<Strikes>> {
        let source = folder.join("strikes.c");
        let library = folder.join("strikes.so");
        fs::write(&source, STRIKES)?;
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .args([&library, &source])
            .arg("-ldl")
            .output();
        Ok(match built {
            Ok(output) if output.status.success() => Some(Strikes { library }),
            _ => None,
        })
    }

    /// Has a program meet a strike at files below a folder.
    pub fn let_loose(&self, strike: Strike, folder: &Path, program: &mut Command) {
        program
            .env("LD_PRELOAD", &self.library)
            .env("STRIKE_CALL", strike.call)
            .env("STRIKE_NTH", strike.nth.to_string())
            .env("STRIKE_LASTS", if strike.lasts { "1" } else { "0" })
            .env("STRIKE_FOLDER", folder);
    }
}

/// What came of a crawl that went on after something had happened.
#[derive(Debug)]
pub struct Examination<'a> {
    /// The folder.
    pub dir: &'a Path,
    /// The file that something had happened to, below it; none for a strike.
    pub spoiled: Option<&'a Path>,
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// All it said.
    pub said: &'a str,
    /// What was on record before.
    pub before: &'a [Visit],
    /// What is now.
    pub after: &'a [Visit],
}

/// What came of it, in a word, and what should not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// For a table of them.
    pub word: String,
    /// Whether a promise was broken.
    pub is_broken: bool,
}

impl Examination<'_> {
    /// Whether it is as promised.
    pub fn judge(&self) -> Ruling {
        self.broken().map_or_else(
            || self.kept(),
            |word| Ruling {
                word,
                is_broken: true,
            },
        )
    }

    fn broken(&self) -> Option<String> {
        if self.code.is_none() || self.said.contains("panicked") {
            return Some("ENDED BADLY".to_owned());
        }
        if self.is_refused() {
            let is_named = self.said.contains("crawl.json");
            return (!is_named).then(|| "DOES NOT GO ON".to_owned());
        }
        if self.said.contains("error: ") {
            return Some("STOPPED".to_owned());
        }
        let n_lost = self.n_lost();
        if n_lost > 0 && !self.is_told(n_lost) {
            return Some(format!("{n_lost} LOST IN SILENCE"));
        }
        let (_, doubled) = audit::settle(self.after);
        if !doubled.is_empty() {
            return Some(format!("{} DOUBLED", doubled.len()));
        }
        if self.after.len() + n_lost <= self.before.len() {
            return Some("NOTHING NEW".to_owned());
        }
        let n_unread = self.n_unread();
        (n_unread > 0 && !self.is_in("warc")).then(|| format!("{n_unread} UNREADABLE"))
    }

    fn kept(&self) -> Ruling {
        let (n_lost, n_unread) = (self.n_lost(), self.n_unread());
        let word = if self.is_refused() {
            "refused, told".to_owned()
        } else if self.said.contains("working the tables out again") {
            "worked out again".to_owned()
        } else if n_lost > 0 {
            format!("{n_lost} lost, told")
        } else if n_unread > 0 {
            format!("{n_unread} unreadable")
        } else if self.said.contains("warning: ") {
            "whole, told".to_owned()
        } else {
            "whole".to_owned()
        };
        let is_broken = false;
        Ruling { word, is_broken }
    }

    fn is_refused(&self) -> bool {
        self.code == Some(2)
    }

    fn is_in(&self, folder: &str) -> bool {
        self.spoiled.is_some_and(|path| path.starts_with(folder))
    }

    /// Visits that were on record and are not, or not the same.
    fn n_lost(&self) -> usize {
        let keys = |visits: &[Visit]| {
            let key = |visit: &Visit| (visit.seq, format!("{visit:?}"));
            visits.iter().map(key).collect::<HashSet<_>>()
        };
        keys(self.before).difference(&keys(self.after)).count()
    }

    /// Whether the file is named and the visits are counted.
    fn is_told(&self, n_lost: usize) -> bool {
        let name = self.spoiled.and_then(Path::file_name);
        let name = name.map(|name| name.to_string_lossy().into_owned());
        let is_named = name.is_none_or(|name| self.said.contains(&name));
        is_named && self.said.contains(&format!("{n_lost} visit"))
    }

    /// Archived pages whose body cannot be read back.
    fn n_unread(&self) -> usize {
        let pages = self.after.iter().filter(|visit| visit.is_page());
        let is_lost = |visit: &&Visit| {
            let Some(shelf) = visit.archived else {
                return false;
            };
            let response = warc::read_at(self.dir, shelf).ok().flatten();
            response.is_none_or(|response| {
                let is_whole = response.body.len() == visit.bytes as usize;
                !is_whole && response.refers_to.is_none()
            })
        };
        pages.filter(is_lost).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_paths_without_their_numbers() {
        let kind = |path: &str| kind_of(Path::new(path));
        assert_eq!(
            kind("tables/keyspaces/12/tables/3"),
            "tables/keyspaces/N/tables/N"
        );
        assert_eq!(kind("visits/visits-00001.log"), "visits/visits-N.log");
    }

    #[test]
    fn every_wear_changes_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for wear in Wear::ALL {
            fs::write(&path, [7; 2000]).unwrap();
            wear.spoil(&path, 0x0003_0000_0457).unwrap();
            let now = fs::read(&path).unwrap_or_default();
            assert_ne!(now, [7; 2000], "{wear:?}");
        }
    }
}
