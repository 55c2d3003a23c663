//! Words of a text as numbers, eight bytes at a time.
//!
//! A word is a run of letters and digits; every byte beyond ASCII counts as a
//! letter. Eight bytes are looked at together, as the bytes of one number:
//! most words end within them. Capitals are told apart from small letters by
//! one bit, which is simply set: beyond ASCII that confuses a few letters,
//! which does no harm to a hash.

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

/// One in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each byte.
pub(crate) const HIGH: u64 = 0x80 * ONES;

/// The bit that tells `A` from `a`, in each byte.
pub(crate) const SMALL: u64 = 0x20 * ONES;

impl<'t> Words<'t> {
    /// Words of `text[start..end]`; bytes after it may be looked at, and are ignored.
    pub(super) fn new(text: &'t [u8], start: usize, end: usize) -> Words<'t> {
        Words {
            text,
            at: start,
            end: end.min(text.len()),
        }
    }

    fn skip_gap(&mut self) {
        let rest = &self.text[self.at..self.end];
        let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
        self.at += rest.iter().position(is_in_word).unwrap_or(rest.len());
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        self.skip_gap();
        if self.at >= self.end {
            return None;
        }
        let (mut hash, mut letters) = (0, 0);
        loop {
            let eight = eight(self.text, self.at);
            let digit = among(eight, b'0', b'9');
            let letter = among(eight | SMALL, b'a', b'z') | eight & HIGH;
            let in_word = (!(digit | letter) & HIGH).trailing_zeros() as usize / 8;
            let len = in_word.min(self.end - self.at);
            if len == 0 {
                break;
            }
            let mask = u64::MAX >> (64 - 8 * len);
            letters |= letter & mask;
            hash = mix(hash, (eight | SMALL) & mask);
            self.at += len;
            if len < 8 {
                break;
            }
        }
        Some(Word {
            hash,
            is_number: letters == 0,
        })
    }
}

/// Eight bytes from `at`; zeros behind the end of the text.
pub(crate) fn eight(text: &[u8], at: usize) -> u64 {
    if let Some(eight) = text[at..].first_chunk() {
        return u64::from_le_bytes(*eight);
    }
    let mut eight = [0; 8];
    for (to, from) in eight.iter_mut().zip(&text[at..]) {
        *to = *from;
    }
    u64::from_le_bytes(eight)
}

/// The highest bit of each ASCII byte that lies within a range.
fn among(eight: u64, first: u8, last: u8) -> u64 {
    // Without its highest bit no byte can carry over into the next.
    let low = eight & !HIGH;
    let from_first = low + u64::from(0x80 - first) * ONES;
    let beyond_last = low + u64::from(0x7f - last) * ONES;
    from_first & !beyond_last & !eight & HIGH
}

/// Two numbers as one: their product, folded (the step of wyhash).
pub(crate) fn mix(left: u64, right: u64) -> u64 {
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
    fn every_byte_is_in_a_word_or_not() {
        for byte in 0..=255_u8 {
            let text = [b'a', byte, b'b'];
            let is_in_word = byte.is_ascii_alphanumeric() || byte >= 0x80;
            let n_words = if is_in_word { 1 } else { 2 };
            assert_eq!(Words::new(&text, 0, 3).count(), n_words, "{byte}");
            let padded = [&text[..], b"..........."].concat();
            assert_eq!(Words::new(&padded, 0, 3).count(), n_words, "{byte}");
        }
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
