//! Sections of a pack: bytes with a tag, behind a checksum.

use super::{Column, Lists, PackError, Strings};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"LOCAPACK";
/// Raised whenever the layout, or the normal form of names, changes.
pub(crate) const VERSION: u32 = 3;

// Header: magic, version, checksum. The checksum covers everything after it:
// the number of sections, their table, their bytes.
const HEADER_LEN: usize = 8 + 4 + 8;
const TAG_LEN: usize = 12;
const ENTRY_LEN: usize = TAG_LEN + 4;

/// Collects sections and joins them.
#[derive(Default)]
pub(super) struct Writer {
    sections: Vec<(&'static str, Vec<u8>)>,
}

impl Writer {
    pub(super) fn bytes(&mut self, tag: &'static str, bytes: Vec<u8>) {
        debug_assert!(tag.len() <= TAG_LEN);
        self.sections.push((tag, bytes));
    }

    pub(super) fn column<const WIDTH: usize>(
        &mut self,
        tag: &'static str,
        numbers: impl Iterator<Item = u32>,
    ) {
        self.bytes(tag, Column::<WIDTH>::write(numbers));
    }

    pub(super) fn strings<'s>(
        &mut self,
        tag: &'static str,
        strings: impl Iterator<Item = &'s str>,
    ) {
        self.bytes(tag, Strings::write(strings));
    }

    /// Where each of several lists starts, and where the last one ends.
    pub(super) fn starts(&mut self, tag: &'static str, lens: impl Iterator<Item = usize>) {
        let mut end = 0;
        let ends = lens.map(|len| {
            end += len;
            u32::try_from(end).expect("some ten thousand entries")
        });
        self.column::<3>(tag, std::iter::once(0).chain(ends));
    }

    pub(super) fn finish(self) -> Vec<u8> {
        let n_sections = u32::try_from(self.sections.len()).expect("a handful of sections");
        let mut body = n_sections.to_le_bytes().to_vec();
        for (tag, bytes) in &self.sections {
            let mut entry = [0; ENTRY_LEN];
            entry[..tag.len()].copy_from_slice(tag.as_bytes());
            let len = u32::try_from(bytes.len()).expect("sections are megabytes");
            entry[TAG_LEN..].copy_from_slice(&len.to_le_bytes());
            body.extend(entry);
        }
        for (_, bytes) in self.sections {
            body.extend(bytes);
        }
        let mut pack = MAGIC.to_vec();
        pack.extend(VERSION.to_le_bytes());
        pack.extend(xxh3_64(&body).to_le_bytes());
        pack.extend(body);
        pack
    }
}

/// Finds sections by their tags.
pub(super) struct Reader {
    sections: Vec<(&'static [u8], &'static [u8])>,
}

impl Reader {
    pub(super) fn open(bytes: &'static [u8]) -> Result<Reader, PackError> {
        let (header, body) = bytes.split_at_checked(HEADER_LEN).ok_or(PackError::Magic)?;
        if header[..8] != MAGIC {
            return Err(PackError::Magic);
        }
        let found = u32_at(header, 8).ok_or(PackError::Magic)?;
        if found != VERSION {
            return Err(PackError::Version {
                found,
                expected: VERSION,
            });
        }
        if header[12..] != xxh3_64(body).to_le_bytes() {
            return Err(PackError::Checksum);
        }
        Reader::table(body).ok_or(PackError::Section { section: "table" })
    }

    fn table(body: &'static [u8]) -> Option<Reader> {
        let n_sections = u32_at(body, 0)? as usize;
        let (table, mut rest) = body[4..].split_at_checked(n_sections.checked_mul(ENTRY_LEN)?)?;
        let mut sections = Vec::new();
        for entry in table.chunks_exact(ENTRY_LEN) {
            let (bytes, after) = rest.split_at_checked(u32_at(entry, TAG_LEN)? as usize)?;
            sections.push((&entry[..TAG_LEN], bytes));
            rest = after;
        }
        Some(Reader { sections })
    }

    pub(super) fn bytes(&self, tag: &'static str) -> Result<&'static [u8], PackError> {
        self.sections
            .iter()
            .find(|(name, _)| name.split(|&byte| byte == 0).next() == Some(tag.as_bytes()))
            .map(|(_, bytes)| *bytes)
            .ok_or(PackError::Section { section: tag })
    }

    pub(super) fn column<const WIDTH: usize>(
        &self,
        tag: &'static str,
    ) -> Result<Column<WIDTH>, PackError> {
        Column::read(self.bytes(tag)?).ok_or(PackError::Section { section: tag })
    }

    pub(super) fn strings(&self, tag: &'static str) -> Result<Strings, PackError> {
        Strings::read(self.bytes(tag)?).ok_or(PackError::Section { section: tag })
    }

    /// Starts of `n_lists` lists that together have `n_entries`.
    pub(super) fn starts(
        &self,
        tag: &'static str,
        n_lists: usize,
        n_entries: usize,
    ) -> Result<Column<3>, PackError> {
        let starts: Column<3> = self.column(tag)?;
        let sound = starts.len() == n_lists + 1
            && starts.get(n_lists) as usize == n_entries
            && starts.iter().is_sorted();
        sound
            .then_some(starts)
            .ok_or(PackError::Section { section: tag })
    }

    pub(super) fn lists(
        &self,
        place_tag: &'static str,
        start_tag: &'static str,
        text_tag: &'static str,
    ) -> Result<Lists, PackError> {
        let places = self.column(place_tag)?;
        let texts = self.strings(text_tag)?;
        Ok(Lists {
            places,
            starts: self.starts(start_tag, places.len(), texts.len())?,
            texts,
        })
    }
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let number = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(number.try_into().ok()?))
}
