//! Reads committed visits, also while another process writes them.
//!
//! Damage shows as a jump in the visits' positions: whatever broke, a header,
//! a frame, a whole file, the reader goes on at the next good place and tells
//! how many visits lie between. Memory is one group, which the writer held in
//! memory too.

use super::{Frames, GroupHeader, HEADER_LEN, HEADER_MAGIC, files, wire};
use crate::crawl_dir::{Damage, StoreError};
use crate::file::NumberedFiles;
use crate::visit::Visit;
use crate::words::{thousands, visits};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// Bytes looked through at once when searching for the next group.
const SEARCH_CHUNK: usize = 64 << 10;
/// Long enough for a writer to finish the few bytes of a header.
const SETTLE: Duration = Duration::from_millis(2);
/// Bytes behind a broken header that are looked through for visits.
const MAX_SALVAGE: u64 = 64 << 20;

/// Reads committed visits of a crawl folder, also while it is being written.
pub struct VisitReader {
    files: NumberedFiles,
    file_number: u32,
    /// Opened on demand, and again after every fruitless look: the writer may
    /// have replaced a file that was never committed.
    file: Option<File>,
    /// Where the next group header is expected.
    offset: u64,
    group: Option<Group>,
    /// Position in the log of the next visit, if nothing is damaged.
    next_seq: u64,
    /// Groups wholly before this position are passed over.
    wanted_seq: u64,
    /// The broken tail that was reported already.
    reported: Option<(u32, u64)>,
    /// The file to blame for visits missing before the next good one.
    suspect: u32,
    /// Position in the log after the last good visit.
    kept_seq: u64,
    /// Losses not told yet: what follows them is not known.
    losses: Vec<Loss>,
    last_group: Option<ShownGroup>,
    damage: Vec<Damage>,
}

/// A group whose header is filled in, and where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShownGroup {
    pub(crate) file: u32,
    pub(crate) start: u64,
    pub(crate) header: GroupHeader,
    /// Position in the log of the first visit read in this file.
    pub(crate) file_first_seq: u64,
}

impl ShownGroup {
    /// Where it ends in its file.
    pub(crate) fn end(&self) -> u64 {
        let start = self.start.saturating_add(HEADER_LEN as u64);
        start.saturating_add(self.header.len)
    }
}

/// What a look through the log found.
pub(crate) struct Checked {
    /// Position in the log after the last good visit.
    pub(crate) kept_seq: u64,
    /// What is damaged before it.
    pub(crate) damage: Vec<Damage>,
    /// What is damaged after it.
    pub(crate) damage_at_end: Vec<Damage>,
}

/// Visits that are not where they should be.
struct Loss {
    file: u32,
    first_seq: u64,
    n_visits: u64,
    /// Their file ends within their group, so more may have followed.
    is_cut: bool,
}

/// What comes after a loss.
#[derive(Clone, Copy)]
enum Sequel {
    Kept,
    Nothing,
}

struct Group {
    header: GroupHeader,
    bytes: Vec<u8>,
    at: usize,
}

/// What is at the place of a group header.
enum Found {
    Header(GroupHeader),
    /// The file ends here.
    End,
    /// Zeros: not committed, or not yet.
    Unwritten,
    /// Something else.
    Broken,
}

impl VisitReader {
    /// Opens the log of a crawl folder.
    pub fn open(dir: &Path) -> Result<VisitReader, StoreError> {
        VisitReader::open_at(dir, 0)
    }

    /// Opens the log of a crawl folder and begins with the visit at position `seq`.
    pub fn open_at(dir: &Path, seq: u64) -> Result<VisitReader, StoreError> {
        if !dir.join("crawl.json").exists() {
            let dir = dir.to_path_buf();
            return Err(StoreError::Missing { dir });
        }
        let mut reader = VisitReader::from_file(dir, 1, 0, seq);
        // A crawl makes the folder of its log before the one of its tables.
        let folder = dir.join("visits");
        if !folder.exists() && dir.join("tables").exists() {
            let what = "is missing, and all visits with it".to_owned();
            reader.damage.push(Damage { file: folder, what });
        }
        Ok(reader)
    }

    /// Begins with a later file, whose first visit is at position `next_seq`.
    pub(crate) fn from_file(
        dir: &Path,
        file_number: u32,
        next_seq: u64,
        wanted_seq: u64,
    ) -> VisitReader {
        VisitReader {
            files: files(dir),
            file_number,
            file: None,
            offset: 0,
            group: None,
            next_seq,
            wanted_seq,
            reported: None,
            suspect: file_number,
            kept_seq: next_seq,
            losses: Vec::new(),
            last_group: None,
            damage: Vec::new(),
        }
    }

    /// Begins within a file, where the visit at position `next_seq` may be.
    pub(crate) fn from_place(
        dir: &Path,
        file_number: u32,
        offset: u64,
        next_seq: u64,
    ) -> VisitReader {
        VisitReader {
            offset,
            ..VisitReader::from_file(dir, file_number, next_seq, next_seq)
        }
    }

    /// The last group passed so far.
    pub(crate) fn last_group(&self) -> Option<ShownGroup> {
        self.last_group
    }

    /// What was damaged so far.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Reads to the end without decoding visits, for their checksums' sake.
    pub(crate) fn check(mut self) -> Checked {
        while self.load_group() {
            while self.next_payload().is_some() {}
        }
        let damage = std::mem::take(&mut self.damage);
        self.tell_losses(Sequel::Nothing);
        Checked {
            kept_seq: self.kept_seq,
            damage,
            damage_at_end: self.damage,
        }
    }

    /// The payload of the next good frame in the loaded group.
    fn next_payload(&mut self) -> Option<Vec<u8>> {
        let mut group = self.group.take()?;
        let mut frames = Frames {
            bytes: &group.bytes,
            at: group.at,
        };
        while let Some(payload) = frames.next() {
            // Behind us: a stale copy. Beyond the group: not one of its frames.
            let seqs = self.next_seq..group.header.seqs().end;
            let Some(seq) = wire::seq(payload).filter(|seq| seqs.contains(seq)) else {
                continue;
            };
            let payload = payload.to_vec();
            self.pass_to(seq);
            self.keep_to(seq + 1);
            self.suspect = self.file_number;
            group.at = frames.at;
            self.group = Some(group);
            return Some(payload);
        }
        let n_before = self.losses.len();
        self.pass_to(group.header.seqs().end);
        let is_cut = (group.bytes.len() as u64) < group.header.len;
        for loss in &mut self.losses[n_before..] {
            loss.is_cut = is_cut;
        }
        None
    }

    /// Goes on at position `seq`, remembering what was passed over.
    fn pass_to(&mut self, seq: u64) {
        if seq > self.next_seq {
            self.losses.push(Loss {
                file: self.suspect,
                first_seq: self.next_seq,
                n_visits: seq - self.next_seq,
                is_cut: false,
            });
            self.next_seq = seq;
        }
    }

    /// Good visits up to position `seq`.
    fn keep_to(&mut self, seq: u64) {
        self.next_seq = self.next_seq.max(seq);
        self.kept_seq = self.next_seq;
        self.tell_losses(Sequel::Kept);
    }

    /// Reports losses, now that it is known what follows them.
    fn tell_losses(&mut self, sequel: Sequel) {
        for loss in std::mem::take(&mut self.losses) {
            let file = self.files.path(loss.file);
            let them = if loss.n_visits == 1 { "it" } else { "them" };
            let lost = format!("{} lost", visits(loss.n_visits));
            let lost = match sequel {
                Sequel::Kept => format!("{lost}, those after {them} kept"),
                Sequel::Nothing if loss.is_cut => format!("at least {lost}, nothing after {them}"),
                Sequel::Nothing => format!("{lost}, nothing after {them}"),
            };
            let what = match file.exists() {
                true => format!("damaged after record {}: {lost}", thousands(loss.first_seq)),
                false => format!("is missing: {lost}"),
            };
            self.damage.push(Damage { file, what });
        }
    }

    fn report(&mut self, what: &str) {
        self.damage.push(Damage {
            file: self.files.path(self.suspect),
            what: format!("damaged after record {}: {what}", thousands(self.next_seq)),
        });
    }

    /// Loads the next committed group, going on to later files.
    fn load_group(&mut self) -> bool {
        loop {
            match self.look() {
                Found::Header(header) => {
                    let start = self.offset + HEADER_LEN as u64;
                    self.note(header);
                    self.offset = start.saturating_add(header.len);
                    if header.seqs().end <= self.wanted_seq {
                        self.pass_to(header.first_seq);
                        self.keep_to(header.seqs().end);
                        continue;
                    }
                    let bytes = self.read(start, header.len);
                    self.group = Some(Group {
                        header,
                        bytes,
                        at: 0,
                    });
                    return true;
                }
                found => {
                    if !self.pass(&found) {
                        self.file = None;
                        return false;
                    }
                    if self.group.is_some() {
                        return true;
                    }
                }
            }
        }
    }

    /// Remembers the group at the current place.
    fn note(&mut self, header: GroupHeader) {
        let file = self.file_number;
        let file_first_seq = match self.last_group {
            Some(last) if last.file == file => last.file_first_seq,
            _ => header.first_seq,
        };
        self.last_group = Some(ShownGroup {
            file,
            start: self.offset,
            header,
            file_first_seq,
        });
    }

    /// Gets past a place that holds no header; false to wait there.
    fn pass(&mut self, found: &Found) -> bool {
        if !matches!(found, Found::End)
            && let Some((offset, header)) = self.search()
        {
            self.report("the header of its group, whose visits were looked for one by one");
            self.salvage(offset, header.first_seq);
            return true;
        }
        if let Some(number) = self.later_file() {
            // The writer never touches a file again once the next one exists,
            // so only a look from now on tells whether this one is at its end.
            if matches!(self.look(), Found::Header(_)) {
                return true;
            }
            self.file = None;
            // The file left behind, or the missing one before the next.
            self.suspect = number - 1;
            self.file_number = number;
            self.offset = 0;
            return true;
        }
        let place = (self.file_number, self.offset);
        if matches!(found, Found::Broken) && self.reported != Some(place) {
            // A header that is being written this very moment may look broken.
            std::thread::sleep(SETTLE);
            if !matches!(self.look(), Found::Broken) {
                return true;
            }
            self.reported = Some(place);
            self.report(match self.next_seq {
                0 => "unreadable from there on",
                _ => "unreadable from there on, visits before it kept",
            });
        }
        false
    }

    /// Takes the bytes up to the next good group for a group of their own:
    /// they are committed, or nothing would follow them.
    fn salvage(&mut self, end: u64, end_seq: u64) {
        let start = self.offset + 1;
        self.offset = end;
        let n_visits = u32::try_from(end_seq - self.next_seq).unwrap_or(u32::MAX);
        let bytes = match end - start {
            len if len <= MAX_SALVAGE => self.read(start, len),
            _ => Vec::new(),
        };
        let header = GroupHeader {
            first_seq: self.next_seq,
            n_visits,
            len: bytes.len() as u64,
        };
        let group = Group {
            header,
            bytes,
            at: 0,
        };
        self.group = Some(group);
    }

    fn look(&mut self) -> Found {
        let bytes = self.read(self.offset, HEADER_LEN as u64);
        match GroupHeader::decode(&bytes) {
            Some(header) => Found::Header(header),
            None if bytes.is_empty() => Found::End,
            None if bytes.iter().all(|&byte| byte == 0) => Found::Unwritten,
            None => Found::Broken,
        }
    }

    /// At most `len` bytes of the current file; fewer at its end.
    fn read(&mut self, offset: u64, len: u64) -> Vec<u8> {
        if self.file.is_none() {
            self.file = File::open(self.files.path(self.file_number)).ok();
        }
        let Some(file) = &self.file else {
            return Vec::new();
        };
        let rest = file
            .metadata()
            .map_or(0, |metadata| metadata.len().saturating_sub(offset));
        let mut bytes = vec![0; usize::try_from(len.min(rest)).unwrap_or(0)];
        let n_bytes = read_up_to(file, offset, &mut bytes);
        bytes.truncate(n_bytes);
        bytes
    }

    /// The next group header in this file that continues the log.
    fn search(&mut self) -> Option<(u64, GroupHeader)> {
        let mut at = self.offset.saturating_add(1);
        loop {
            let bytes = self.read(at, SEARCH_CHUNK as u64);
            let headers = bytes
                .windows(HEADER_LEN)
                .enumerate()
                .filter(|(_, window)| window[..4] == HEADER_MAGIC);
            for (idx, window) in headers {
                let header = GroupHeader::decode(window);
                if let Some(header) = header.filter(|header| header.first_seq >= self.next_seq) {
                    return Some((at + idx as u64, header));
                }
            }
            if bytes.len() < SEARCH_CHUNK {
                return None;
            }
            at += (SEARCH_CHUNK - HEADER_LEN + 1) as u64;
        }
    }

    fn later_file(&self) -> Option<u32> {
        let numbers = self.files.numbers().ok()?;
        numbers
            .into_iter()
            .find(|&number| number > self.file_number)
    }
}

impl Iterator for VisitReader {
    type Item = Visit;

    /// The next committed visit; after `None`, a later call may find more.
    fn next(&mut self) -> Option<Visit> {
        loop {
            while let Some(payload) = self.next_payload() {
                match wire::decode(&payload) {
                    Ok(visit) if visit.seq < self.wanted_seq => {}
                    Ok(visit) => return Some(visit),
                    Err(fault) => {
                        let why = match fault {
                            wire::WireFault::Newer(version) => {
                                format!(
                                    "the visit before was written by a newer version ({version})"
                                )
                            }
                            wire::WireFault::Garbled => {
                                "the visit before makes no sense".to_owned()
                            }
                        };
                        self.report(&why);
                    }
                }
            }
            if !self.load_group() {
                self.tell_losses(Sequel::Nothing);
                return None;
            }
        }
    }
}

fn read_up_to(file: &File, offset: u64, bytes: &mut [u8]) -> usize {
    let mut n_read = 0;
    while n_read < bytes.len() {
        match file.read_at(&mut bytes[n_read..], offset + n_read as u64) {
            Ok(0) => break,
            Ok(n) => n_read += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A bad sector reads as the end; the jump in positions tells.
            Err(_) => break,
        }
    }
    n_read
}
