//! Sections of a pack: numbers and strings as bytes, with a checksum.

use super::{Lists, PackError, starts};
use std::io::Read;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"LOCAPACK";
/// Raised whenever the layout, or the normal form of names, changes.
pub(crate) const VERSION: u32 = 3;

// Header: magic, version, checksum. The checksum covers everything after it:
// the number of sections, their table, their bytes.
const HEADER_LEN: usize = 8 + 4 + 8;
const TAG_LEN: usize = 12;
const ENTRY_LEN: usize = TAG_LEN + 4;

/// A pack is some twenty megabytes; a frame that promises more is not one.
const MAX_PACK_LEN: u64 = 1 << 28;

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

    pub(super) fn u16s(&mut self, tag: &'static str, column: impl Iterator<Item = u16>) {
        self.bytes(
            tag,
            planes(&column.map(u16::to_le_bytes).collect::<Vec<_>>()),
        );
    }

    pub(super) fn u32s(&mut self, tag: &'static str, column: impl Iterator<Item = u32>) {
        self.bytes(
            tag,
            planes(&column.map(u32::to_le_bytes).collect::<Vec<_>>()),
        );
    }

    pub(super) fn strings<'s>(
        &mut self,
        tag: &'static str,
        strings: impl Iterator<Item = &'s str>,
    ) {
        let mut lens = Vec::new();
        let mut text = Vec::new();
        for string in strings {
            let len = u16::try_from(string.len()).expect("names and URLs are shorter than 64 KiB");
            lens.push(len.to_le_bytes());
            text.extend_from_slice(string.as_bytes());
        }
        let n_strings = u32::try_from(lens.len()).expect("fewer than four billion strings");
        let mut section = n_strings.to_le_bytes().to_vec();
        section.extend(planes(&lens));
        section.extend(text);
        self.bytes(tag, section);
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

/// All first bytes, then all second bytes, and so on.
fn planes<const N: usize>(numbers: &[[u8; N]]) -> Vec<u8> {
    (0..N)
        .flat_map(|plane| numbers.iter().map(move |bytes| bytes[plane]))
        .collect()
}

fn from_planes<const N: usize>(bytes: &[u8]) -> Option<Vec<[u8; N]>> {
    if !bytes.len().is_multiple_of(N) {
        return None;
    }
    let n_numbers = bytes.len() / N;
    let mut numbers = vec![[0; N]; n_numbers];
    for (plane_idx, plane) in bytes.chunks_exact(n_numbers.max(1)).enumerate() {
        for (number, &byte) in numbers.iter_mut().zip(plane) {
            number[plane_idx] = byte;
        }
    }
    Some(numbers)
}

/// Undoes the zstd frame around a pack.
pub(super) fn decompress(frame: &[u8]) -> Result<Vec<u8>, PackError> {
    let damaged = |reason: String| PackError::Compression { reason };
    let decoder =
        ruzstd::decoding::StreamingDecoder::new(frame).map_err(|e| damaged(e.to_string()))?;
    let mut bytes = Vec::with_capacity(frame.len().saturating_mul(3));
    decoder
        .take(MAX_PACK_LEN)
        .read_to_end(&mut bytes)
        .map_err(|e| damaged(e.to_string()))?;
    Ok(bytes)
}

/// Finds sections by their tags.
pub(super) struct Reader<'b> {
    sections: Vec<(&'b [u8], &'b [u8])>,
}

impl<'b> Reader<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Reader<'b>, PackError> {
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

    fn table(body: &'b [u8]) -> Option<Reader<'b>> {
        let n_sections = u32_at(body, 0)? as usize;
        let (table, mut rest) = body[4..].split_at_checked(n_sections.checked_mul(ENTRY_LEN)?)?;
        let mut sections = Vec::new();
        for entry in table.chunks_exact(ENTRY_LEN) {
            let (bytes, after) = rest.split_at_checked(u32_at(entry, TAG_LEN)? as usize)?;
            sections.push((entry[..TAG_LEN].trim_ascii_end(), bytes));
            rest = after;
        }
        Some(Reader { sections })
    }

    pub(super) fn bytes(&self, tag: &'static str) -> Result<&'b [u8], PackError> {
        self.sections
            .iter()
            .find(|(name, _)| name.split(|&byte| byte == 0).next() == Some(tag.as_bytes()))
            .map(|(_, bytes)| *bytes)
            .ok_or(PackError::Section { section: tag })
    }

    pub(super) fn u16s(&self, tag: &'static str) -> Result<Vec<u16>, PackError> {
        let numbers = from_planes(self.bytes(tag)?).ok_or(PackError::Section { section: tag })?;
        Ok(numbers.into_iter().map(u16::from_le_bytes).collect())
    }

    pub(super) fn u32s(&self, tag: &'static str) -> Result<Vec<u32>, PackError> {
        let numbers = from_planes(self.bytes(tag)?).ok_or(PackError::Section { section: tag })?;
        Ok(numbers.into_iter().map(u32::from_le_bytes).collect())
    }

    pub(super) fn strings(&self, tag: &'static str) -> Result<Strings, PackError> {
        Strings::read(self.bytes(tag)?).ok_or(PackError::Section { section: tag })
    }

    pub(super) fn lists(
        &self,
        place_tag: &'static str,
        count_tag: &'static str,
        text_tag: &'static str,
    ) -> Result<Lists, PackError> {
        let lists = Lists {
            places: self.u32s(place_tag)?,
            starts: starts(count_tag, self.u32s(count_tag)?.into_iter())?,
            texts: self.strings(text_tag)?,
        };
        let counted_out = lists.starts.last().map(|&end| end as usize) == Some(lists.texts.len());
        if lists.places.len() + 1 == lists.starts.len() && counted_out {
            Ok(lists)
        } else {
            Err(PackError::Section { section: count_tag })
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let number = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(number.try_into().ok()?))
}

/// Many strings in one allocation.
#[derive(Default)]
pub(crate) struct Strings {
    text: Box<str>,
    /// String i lies at `starts[i]..starts[i + 1]`; all are character boundaries.
    starts: Vec<u32>,
}

impl Strings {
    fn read(section: &[u8]) -> Option<Strings> {
        let n_strings = u32_at(section, 0)? as usize;
        let (lens, text) = section[4..].split_at_checked(n_strings.checked_mul(2)?)?;
        let lens = from_planes(lens)?
            .into_iter()
            .map(u16::from_le_bytes)
            .map(u32::from);
        let starts = starts("", lens).ok()?;
        let text = str::from_utf8(text).ok()?;
        let sound = starts.last().map(|&end| end as usize) == Some(text.len())
            && starts
                .iter()
                .all(|&start| text.is_char_boundary(start as usize));
        sound.then(|| Strings {
            text: text.into(),
            starts,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// String number `idx`; the index must be below `len`.
    pub(crate) fn get(&self, idx: usize) -> &str {
        &self.text[self.starts[idx] as usize..self.starts[idx + 1] as usize]
    }

    /// The same strings for as long as the program runs.
    ///
    /// Lists of streets and seeds are handed out as `&[&str]`, which must
    /// borrow from something that never moves. A gazetteer is opened once.
    pub(crate) fn leak(self) -> Vec<&'static str> {
        let text: &'static str = Box::leak(self.text);
        self.starts
            .windows(2)
            .map(|pair| &text[pair[0] as usize..pair[1] as usize])
            .collect()
    }
}
