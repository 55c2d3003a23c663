//! Numbers and strings read in place.
//!
//! Nothing is copied: a column is a view of the pack's bytes, and a number is
//! put together when it is asked for.

use super::section::u32_at;

/// Numbers of one width in bytes, up to four, little-endian.
#[derive(Clone, Copy)]
pub(crate) struct Column<const WIDTH: usize> {
    numbers: &'static [[u8; WIDTH]],
}

impl<const WIDTH: usize> Column<WIDTH> {
    pub(super) fn read(bytes: &'static [u8]) -> Option<Column<WIDTH>> {
        let (numbers, rest) = bytes.as_chunks();
        rest.is_empty().then_some(Column { numbers })
    }

    /// The bytes that [`Column::read`] reads; numbers must fit the width.
    pub(super) fn write(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in numbers {
            let all = number.to_le_bytes();
            assert!(
                all[WIDTH..].iter().all(|&byte| byte == 0),
                "{number} needs more than {WIDTH} bytes"
            );
            bytes.extend(&all[..WIDTH]);
        }
        bytes
    }

    pub(crate) fn len(self) -> usize {
        self.numbers.len()
    }

    /// Number at `idx`, which must be below `len`.
    pub(crate) fn get(self, idx: usize) -> u32 {
        number(self.numbers[idx])
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = u32> + Clone {
        self.numbers.iter().copied().map(number)
    }

    /// Position of a number in an ascending column.
    pub(crate) fn search(self, wanted: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle) < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.len() && self.get(low) == wanted).then_some(low)
    }
}

fn number<const WIDTH: usize>(bytes: [u8; WIDTH]) -> u32 {
    let mut all = [0; 4];
    all[..WIDTH].copy_from_slice(&bytes);
    u32::from_le_bytes(all)
}

/// So many strings share one stored offset; the others are counted from it.
const BLOCK_LEN: usize = 16;

/// Many short strings, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Strings {
    /// Where every sixteenth string starts.
    blocks: Column<4>,
    lens: &'static [u8],
    text: &'static str,
}

impl Strings {
    /// Reads and checks: afterwards every string can be cut out.
    pub(super) fn read(section: &'static [u8]) -> Option<Strings> {
        let n_strings = u32_at(section, 0)? as usize;
        let n_blocks = n_strings.div_ceil(BLOCK_LEN);
        let (blocks, rest) = section
            .get(4..)?
            .split_at_checked(n_blocks.checked_mul(4)?)?;
        let (lens, text) = rest.split_at_checked(n_strings)?;
        let strings = Strings {
            blocks: Column::read(blocks)?,
            lens,
            text: str::from_utf8(text).ok()?,
        };
        strings.is_sound().then_some(strings)
    }

    fn is_sound(&self) -> bool {
        let mut at = 0;
        for (block_idx, block) in self.lens.chunks(BLOCK_LEN).enumerate() {
            if self.blocks.get(block_idx) as usize != at {
                return false;
            }
            for &len in block {
                at += usize::from(len);
                if !self.text.is_char_boundary(at) {
                    return false;
                }
            }
        }
        at == self.text.len()
    }

    pub(super) fn write<'s>(strings: impl Iterator<Item = &'s str>) -> Vec<u8> {
        let mut blocks = Vec::new();
        let mut lens = Vec::new();
        let mut text = Vec::new();
        for string in strings {
            if lens.len() % BLOCK_LEN == 0 {
                blocks.push(u32::try_from(text.len()).expect("a few megabytes of text"));
            }
            lens.push(u8::try_from(string.len()).expect("names and URLs are short"));
            text.extend_from_slice(string.as_bytes());
        }
        let n_strings = u32::try_from(lens.len()).expect("fewer than four billion strings");
        let mut section = n_strings.to_le_bytes().to_vec();
        section.extend(Column::<4>::write(blocks.into_iter()));
        section.extend(lens);
        section.extend(text);
        section
    }

    pub(crate) fn len(&self) -> usize {
        self.lens.len()
    }

    /// String number `idx`; the index must be below `len`.
    pub(crate) fn get(&self, idx: usize) -> &'static str {
        let block = idx / BLOCK_LEN;
        let before = &self.lens[block * BLOCK_LEN..idx];
        let skipped: usize = before.iter().map(|&len| usize::from(len)).sum();
        let start = self.blocks.get(block) as usize + skipped;
        &self.text[start..start + usize::from(self.lens[idx])]
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'static str> {
        (0..self.len()).map(move |idx| self.get(idx))
    }
}
