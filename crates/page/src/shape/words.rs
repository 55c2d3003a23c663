//! Words of a text as numbers, eight bytes at a time.
//!
//! A word is a run of letters and digits; every byte beyond ASCII counts as a
//! letter. Capitals are told apart from small letters by one bit, which is
//! simply set: beyond ASCII that confuses a few letters, which does no harm to
//! a hash.

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// Equal for equal words.
    pub(super) hash: u64,
    /// It has no letters.
    pub(super) is_number: bool,
}

/// The words of a stretch of text.
pub(super) struct Words<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

/// The bit that tells `A` from `a`, in each of eight bytes.
const SMALL: u64 = 0x2020_2020_2020_2020;

const GAP: u8 = 0;
const DIGIT: u8 = 1;
const LETTER: u8 = 2;

const CLASS: [u8; 256] = {
    let mut class = [GAP; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' | b'a'..=b'z' | 0x80.. => LETTER,
            _ => GAP,
        };
        byte += 1;
    }
    class
};

impl<'t> Words<'t> {
    /// Words of `text[start..end]`; bytes after it may be looked at, and are ignored.
    pub(super) fn new(text: &'t [u8], start: usize, end: usize) -> Words<'t> {
        Words {
            text,
            at: start,
            end: end.min(text.len()),
        }
    }

    /// Up to eight bytes from `at`, in small letters.
    fn chunk(&self, at: usize, len: usize) -> u64 {
        let eight = self.text.get(at..at + 8);
        let chunk = match eight.and_then(|eight| eight.try_into().ok()) {
            Some(eight) => u64::from_le_bytes(eight),
            None => self.text[at..at + len]
                .iter()
                .rev()
                .fold(0, |chunk, byte| chunk << 8 | u64::from(*byte)),
        };
        let mask = if len == 8 {
            u64::MAX
        } else {
            (1 << (8 * len)) - 1
        };
        (chunk | SMALL) & mask
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let text = &self.text[..self.end];
        let class = |at: usize| text.get(at).map_or(GAP, |byte| CLASS[usize::from(*byte)]);
        let mut start = self.at;
        while start < self.end && class(start) == GAP {
            start += 1;
        }
        let (mut end, mut classes) = (start, 0);
        loop {
            match class(end) {
                GAP => break,
                class => classes |= class,
            }
            end += 1;
        }
        self.at = end;
        if start == end {
            return None;
        }
        let mut hash = (end - start) as u64;
        let mut at = start;
        while at < end {
            let len = (end - at).min(8);
            hash = mix(hash, self.chunk(at, len));
            at += len;
        }
        Some(Word {
            hash,
            is_number: classes == DIGIT,
        })
    }
}

/// Two numbers as one: their product, folded (the step of wyhash).
pub(super) fn mix(left: u64, right: u64) -> u64 {
    let product =
        u128::from(left ^ 0xa076_1d64_78bd_642f) * u128::from(right ^ 0xe703_7ed1_a0b4_28db);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(text: &str) -> Vec<u64> {
        let words = Words::new(text.as_bytes(), 0, text.len());
        words.map(|word| word.hash).collect()
    }

    #[test]
    fn words_are_equal_wherever_they_stand() {
        let alone = hashes("Weather")[0];
        assert_eq!(
            hashes("the weather, WEATHER-report (weather)")[1..=2],
            [alone; 2]
        );
        assert_eq!(hashes("(weather"), [alone]);
        let long = "Donaudampfschifffahrtsgesellschaft";
        assert_eq!(hashes(&format!("{long} {long}."))[1], hashes(long)[0]);
        assert_ne!(hashes("weather")[0], hashes("weathers")[0]);
        assert_eq!(hashes(" .,; ").len(), 0);
        assert_eq!(hashes("Straße 5").len(), 2);
    }

    #[test]
    fn a_stretch_ends_where_it_ends() {
        let text = b"one twothree four";
        let words: Vec<Word> = Words::new(text, 4, 7).collect();
        assert_eq!(words.len(), 1);
        assert_eq!(words[0].hash, hashes("two")[0]);
    }

    #[test]
    fn numbers_have_no_letters() {
        let is_number = |text: &str| {
            let mut words = Words::new(text.as_bytes(), 0, text.len());
            words.next().unwrap().is_number
        };
        assert!(is_number("2024-05"));
        assert!(!is_number("2nd"));
        assert!(!is_number("é"));
    }
}
