//! Text as it grows: white space collapses, gaps wait for the next word.

use crate::block::{BLOCK, bits, block_at};

/// What lies between two words; the widest one asked for wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Space,
    Cell,
    Line,
    Blank,
}

/// Collapsed text up to a limit.
#[derive(Debug)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// Asked for since the last word.
    gap: Gap,
    /// A line break was seen since the last word: a second one is a blank line.
    broken: bool,
    /// The first half of a character that may be white space has been seen.
    is_halved: bool,
    limit: usize,
}

/// The first byte of no-break space, soft hyphen, and some letters.
const HALF: u8 = 0xC2;

impl Text {
    pub(super) fn new(limit: usize) -> Text {
        Text {
            bytes: Vec::new(),
            gap: Gap::None,
            broken: false,
            is_halved: false,
            limit,
        }
    }

    /// Bytes so far, the waiting gap not counted.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= self.limit
    }

    pub(super) fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// `br`: the second in a row makes a blank line.
    pub(super) fn break_line(&mut self) {
        self.widen(if self.broken { Gap::Blank } else { Gap::Line });
        self.broken = true;
    }

    /// Where the word after `mark` starts: behind the gap that was written there.
    pub(super) fn word_at(&self, mark: usize) -> usize {
        let after = self.bytes.get(mark..).unwrap_or_default();
        mark + after
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count()
    }

    /// Adds a piece of UTF-8, which may end within a character: the tokenizer
    /// hands over `<é` in three pieces.
    pub(super) fn push(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while let Some(&first) = rest.first() {
            // Markup is full of indentation: all of it is one step.
            if first.is_ascii_whitespace() {
                self.widen(Gap::Space);
                rest = rest.trim_ascii_start();
            } else {
                rest = self.push_some(first, rest);
            }
        }
    }

    /// As `push`, but inside `pre`, where lines are lines.
    pub(super) fn push_preformatted(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while let Some(&first) = rest.first() {
            if first == b'\n' {
                self.break_line();
                rest = &rest[1..];
            } else {
                rest = self.push_some(first, rest);
            }
        }
    }

    /// Adds the next run of words, or one byte of anything else; returns the rest.
    fn push_some<'r>(&mut self, first: u8, rest: &'r [u8]) -> &'r [u8] {
        if self.is_full() {
            return &[];
        }
        if self.is_halved {
            self.is_halved = false;
            self.push_pair(first);
            return &rest[1..];
        }
        let run = run_len(rest);
        if run > 0 {
            self.close_gap();
            self.bytes.extend_from_slice(&rest[..run]);
            return &rest[run..];
        }
        match first {
            HALF => self.is_halved = true,
            0 => {}
            _ => self.widen(Gap::Space),
        }
        &rest[1..]
    }

    /// What follows `HALF`: a no-break space is a space, and so are controls; a
    /// soft hyphen is nothing; any other is a character of its own.
    fn push_pair(&mut self, second: u8) {
        match second {
            0x80..=0xA0 => self.widen(Gap::Space),
            0xAD => {}
            _ => {
                self.close_gap();
                self.bytes.extend_from_slice(&[HALF, second]);
            }
        }
    }

    fn close_gap(&mut self) {
        if self.gap > Gap::None {
            if !self.bytes.is_empty() {
                let gap: &[u8] = match self.gap {
                    Gap::None => b"",
                    Gap::Space => b" ",
                    Gap::Cell => b"\t",
                    Gap::Line => b"\n",
                    Gap::Blank => b"\n\n",
                };
                self.bytes.extend_from_slice(gap);
            }
            self.gap = Gap::None;
        }
        self.broken = false;
    }

    /// The text, not longer than its limit.
    pub(super) fn finish(mut self) -> String {
        self.bytes.truncate(self.limit);
        String::from_utf8(self.bytes).unwrap_or_else(|error| {
            // The limit lies within a character: back to where that starts.
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(valid);
            String::from_utf8(bytes).unwrap_or_default()
        })
    }
}

/// White space collapsed, at most `limit` bytes; `None` if nothing is left.
pub(super) fn collapse(text: &str, limit: usize) -> Option<Box<str>> {
    let mut collapsed = Text::new(limit);
    collapsed.push(text.as_bytes());
    let collapsed = collapsed.finish();
    (!collapsed.is_empty()).then(|| collapsed.into_boxed_str())
}

/// How many bytes can be copied as they are: words, and single spaces between.
fn run_len(bytes: &[u8]) -> usize {
    let mut end = 0;
    while let Some(block) = block_at(bytes, end) {
        let special = bits(&block, is_special);
        let spaces = bits(&block, |byte| byte == b' ');
        // Not the first, and not the last, whose next one is not known.
        let between = spaces & !(special >> 1) & !LAST & !u64::from(end == 0);
        let n = (special & !between).trailing_zeros() as usize;
        end += n;
        if n < BLOCK - 1 {
            break;
        }
    }
    end
}

/// The last bit of a block.
const LAST: u64 = 1 << (BLOCK - 1);

/// White space, control, or the first half of a no-break space.
fn is_special(byte: u8) -> bool {
    byte <= b' ' || byte == HALF
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As `run_len`, byte by byte.
    fn steps(bytes: &[u8]) -> usize {
        let is_plain = |at: usize| bytes.get(at).is_some_and(|byte| !is_special(*byte));
        let mut end = 0;
        while is_plain(end) || end > 0 && bytes.get(end) == Some(&b' ') && is_plain(end + 1) {
            end += 1;
        }
        end
    }

    proptest! {
        #[test]
        fn a_run_ends_where_it_does_byte_by_byte(text in "[a-z ]{0,3}([a-z]{1,20} ){0,12}[ \n\u{a0}a]{0,4}") {
            prop_assert_eq!(run_len(text.as_bytes()), steps(text.as_bytes()));
        }

        #[test]
        fn pieces_do_not_matter(text in "[ \u{a0}\u{ad}\n\u{a2}aé食]{0,30}", cuts in prop::collection::vec(0_usize..60, 0..5)) {
            let mut whole = Text::new(1000);
            whole.push(text.as_bytes());
            let mut pieces = Text::new(1000);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            for pair in cuts.windows(2) {
                pieces.push(&text.as_bytes()[pair[0]..pair[1]]);
            }
            prop_assert_eq!(whole.finish(), pieces.finish());
        }

        #[test]
        fn text_is_collapsed_and_cut(text in "\\PC{0,30}", limit in 1_usize..40) {
            let collapsed = collapse(&text, limit).unwrap_or_default();
            prop_assert!(collapsed.len() <= limit);
            prop_assert!(!collapsed.contains("  ") && !collapsed.starts_with(' '));
        }
    }
}
