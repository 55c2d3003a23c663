//! The words of a text, as numbers.
//!
//! A word is a run of letters and digits, in lower case where that is ASCII:
//! postcodes and area codes say more about a place than most words. Its
//! number is its hash, so that no list of words has to be asked.

/// Bytes of a text that are read: what a page is about it says before that,
/// and a page of megabytes should not cost more than others.
pub(super) const MOST_BYTES: usize = 32 << 10;

/// Shorter runs are no words, longer ones no words that come again.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=24;

/// The lower case of a byte that belongs to a word, else zero.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        letters[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'0'..=b'9' | 0x80..) => letter,
            letter @ b'A'..=b'Z' => letter.to_ascii_lowercase(),
            _ => 0,
        };
        byte += 1;
    }
    letters
};

fn letter(byte: u8) -> u8 {
    LETTERS[usize::from(byte)]
}

/// The words of a text as it writes them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_gap = |c: char| c.is_ascii() && letter(c as u8) == 0;
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    let words = text.split(is_gap);
    words.filter(|word| LENGTHS.contains(&word.len()))
}

/// The numbers of a text's words, in one pass.
pub(super) fn terms(text: &str) -> impl Iterator<Item = u32> {
    let bytes = &text.as_bytes()[..text.floor_char_boundary(MOST_BYTES)];
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            let mut hash = 0;
            while let Some(letter @ 1..) = bytes.get(at).map(|&byte| letter(byte)) {
                hash = mix(hash, letter);
                at += 1;
            }
            let len = at - start;
            at += 1;
            if LENGTHS.contains(&len) {
                return Some(finish(hash));
            }
        }
        None
    })
}

/// The number of one word.
pub(super) fn term(word: &str) -> u32 {
    finish(word.bytes().map(letter).fold(0, mix))
}

fn mix(hash: u64, letter: u8) -> u64 {
    (hash ^ u64::from(letter)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn finish(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    const TEXT: &str = "Houston, TX 77002: a Käse-Museum, since 1836.\n\nHOUSTON!";

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let words: Vec<&str> = words(TEXT).collect();
        assert_snapshot!(words.join(" "), @"Houston TX 77002 Käse Museum since 1836 HOUSTON");
    }

    #[test]
    fn one_pass_gives_the_numbers_of_the_words() {
        let one_by_one: Vec<u32> = words(TEXT).map(term).collect();
        assert_eq!(terms(TEXT).collect::<Vec<u32>>(), one_by_one);
        assert_eq!(
            one_by_one.first(),
            one_by_one.last(),
            "case does not matter"
        );
        assert_eq!(terms(&"é".repeat(MOST_BYTES)).count(), 0);
    }
}
