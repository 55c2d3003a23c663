//! What makes a folder a crawl: `crawl.json`, and `lock` while one runs.

use super::StoreError;
use crate::file::{io_error, sync_folder};
use crate::packing::Packing;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// The layout of the folder that this program reads and writes.
const FORMAT: u32 = 5;
/// How often a taken lock is tried again, and how long between. Somebody who
/// only asks whether the folder is in use holds it for an instant.
const LOCK_TRIES: u32 = 4;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// `crawl.json`.
#[derive(Serialize, Deserialize)]
pub(super) struct Card {
    format: u32,
    created_by: String,
    pub(super) settings: String,
    /// Name of the way in which the archive is compressed.
    #[serde(default = "usual_packing")]
    packing: String,
}

fn usual_packing() -> String {
    Packing::default().name().to_owned()
}

impl Card {
    pub(super) fn packing(&self) -> Packing {
        // An unknown one is refused on reading.
        Packing::named(&self.packing).unwrap_or_default()
    }
}

/// The locked `lock` file.
pub(super) struct Lock(pub(super) File);

impl Drop for Lock {
    /// Closing alone would not do: a child process that was forked a moment
    /// ago holds a copy of the handle, and with it the lock, until its `exec`.
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "cannot unlock the crawl folder");
        }
    }
}

/// The settings of a crawl, whether or not it is in use.
pub fn read_settings(dir: &Path) -> Result<String, StoreError> {
    Ok(read(dir)?.settings)
}

/// Whether a process is crawling in this folder now.
pub fn is_in_use(dir: &Path) -> Result<bool, StoreError> {
    read(dir)?;
    let path = dir.join("lock");
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(io_error("open", &path, error)),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(io_error("lock", &path, error)),
    }
}

/// Makes a new or empty folder a crawl, and locks it.
pub(super) fn create(
    dir: &Path,
    settings: &str,
    packing: Packing,
) -> Result<(Card, Lock), StoreError> {
    fs::create_dir_all(dir).map_err(|error| io_error("create", dir, error))?;
    refuse_existing(dir)?;
    refuse_foreign(dir)?;
    let lock = lock(dir)?;
    // Somebody may have created one while we waited for the lock.
    refuse_existing(dir)?;
    let card = Card {
        format: FORMAT,
        created_by: concat!("locavore ", env!("CARGO_PKG_VERSION")).to_owned(),
        settings: settings.to_owned(),
        packing: packing.name().to_owned(),
    };
    write(dir, &card)?;
    Ok((card, lock))
}

/// Keeps other settings from now on; for whoever holds the lock.
pub(super) fn change(dir: &Path, settings: &str) -> Result<(), StoreError> {
    let card = Card {
        settings: settings.to_owned(),
        ..read(dir)?
    };
    write(dir, &card)
}

/// Takes the folder for this process; the system gives it back when the process ends, however it ends.
pub(super) fn lock(dir: &Path) -> Result<Lock, StoreError> {
    let path = dir.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| io_error("open", &path, error))?;
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(io_error("lock", &path, error)),
        }
    }
    let dir = dir.to_path_buf();
    Err(StoreError::InUse { dir })
}

fn refuse_existing(dir: &Path) -> Result<(), StoreError> {
    if dir.join("crawl.json").exists() {
        let dir = dir.to_path_buf();
        return Err(StoreError::Exists { dir });
    }
    Ok(())
}

/// A folder may hold what a crawl killed while it was being created left behind, and nothing else.
fn refuse_foreign(dir: &Path) -> Result<(), StoreError> {
    let entries = fs::read_dir(dir).map_err(|error| io_error("list", dir, error))?;
    for entry in entries {
        let entry = entry.map_err(|error| io_error("list", dir, error))?;
        if entry.file_name() != "lock" && entry.file_name() != "crawl.json.new" {
            let dir = dir.to_path_buf();
            return Err(StoreError::NotACrawl { dir });
        }
    }
    Ok(())
}

fn write(dir: &Path, card: &Card) -> Result<(), StoreError> {
    let (path, new_path) = (dir.join("crawl.json"), dir.join("crawl.json.new"));
    let write = || -> io::Result<()> {
        let file = File::create(&new_path)?;
        serde_json::to_writer_pretty(&file, card)?;
        file.sync_all()?;
        fs::rename(&new_path, &path)
    };
    write().map_err(|error| io_error("write", &path, error))?;
    sync_folder(dir)
}

pub(super) fn read(dir: &Path) -> Result<Card, StoreError> {
    let owned = || dir.to_path_buf();
    let path = dir.join("crawl.json");
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(match !dir.exists() || refuse_foreign(dir).is_ok() {
                true => StoreError::Missing { dir: owned() },
                false => StoreError::NotACrawl { dir: owned() },
            });
        }
        Err(error) => return Err(io_error("read", &path, error)),
    };
    // A newer card may have other fields: its format is read by itself first.
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    match serde_json::from_slice::<Format>(&text) {
        Ok(Format { format }) if format > FORMAT => Err(StoreError::Newer {
            dir: owned(),
            found: format,
            known: FORMAT,
        }),
        Ok(Format { format }) if format < FORMAT => Err(StoreError::Older {
            dir: owned(),
            found: format,
            known: FORMAT,
        }),
        Ok(_) => serde_json::from_slice(&text)
            .ok()
            .filter(|card: &Card| Packing::named(&card.packing).is_some())
            .ok_or_else(|| unreadable(dir)),
        Err(_) => Err(unreadable(dir)),
    }
}

/// A card that makes no sense: a crawl's, if a crawl is around it.
fn unreadable(dir: &Path) -> StoreError {
    if dir.join("visits").is_dir() || dir.join("tables").is_dir() {
        let path = dir.join("crawl.json");
        return StoreError::Card { path };
    }
    let dir = dir.to_path_buf();
    StoreError::NotACrawl { dir }
}
