//! Looks at bytes: where words begin, and which of them may be a house number.

use super::words;

pub(super) const OTHER: u8 = 0;
pub(super) const UPPER: u8 = 1;
pub(super) const LOWER: u8 = 2;
pub(super) const DIGIT: u8 = 3;

/// Letters outside ASCII count as small ones: they begin no state.
pub(super) const CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let is = byte as u8;
        classes[byte] = if is.is_ascii_uppercase() {
            UPPER
        } else if is.is_ascii_lowercase() || (is >= 0xC3 && is < 0xE0) {
            LOWER
        } else if is.is_ascii_digit() {
            DIGIT
        } else {
            OTHER
        };
        byte += 1;
    }
    classes
};

/// Where the next word with a digit, or the next that may be a number, begins.
pub(super) fn next_number(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    for block in bytes[from..].chunks(BLOCK_LEN) {
        let with_next = &bytes[at..(at + BLOCK_LEN + 2).min(bytes.len())];
        if block
            .iter()
            .fold(false, |any, byte| any | byte.is_ascii_digit())
            || has_number_word(with_next)
        {
            let starts = |&offset: &usize| {
                let is_first =
                    at + offset == from || CLASSES[bytes[at + offset - 1] as usize] == OTHER;
                block[offset].is_ascii_digit()
                    || is_first
                        && has_number_word(&with_next[offset..(offset + 3).min(with_next.len())])
            };
            if let Some(offset) = (0..block.len()).find(starts) {
                let before = bytes[from..at + offset].iter().rev();
                let inside = before.take_while(|byte| CLASSES[**byte as usize] != OTHER);
                return at + offset - inside.count();
            }
        }
        at += block.len();
    }
    bytes.len()
}

/// So many bytes are looked at together, without a branch for each.
const BLOCK_LEN: usize = 64;

/// Whether `One`, `Two`, `Three`, `Ten` or `Twelve` may begin in these bytes.
fn has_number_word(bytes: &[u8]) -> bool {
    let Some(seconds) = bytes.get(1..) else {
        return false;
    };
    let Some(thirds) = bytes.get(2..) else {
        return false;
    };
    let mut any = false;
    for ((&first, &second), &third) in bytes.iter().zip(seconds).zip(thirds) {
        let (second, third) = (second | 0x20, third | 0x20);
        let one = (first == b'O') & (second == b'n') & (third == b'e');
        let ten = (second == b'e') & (third == b'n');
        let two = (second == b'w') & ((third == b'o') | (third == b'e'));
        let three = (second == b'h') & (third == b'r');
        any |= one | (first == b'T') & (ten | two | three);
    }
    any
}

/// `One`, `Two`, … as house numbers.
pub(super) fn number_word(bytes: &[u8], start: usize) -> Option<usize> {
    let len = bytes[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let word = bytes.get(start..start + len)?;
    words::is_number_word(word).then_some(start)
}
