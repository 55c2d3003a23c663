//! The words of a text, as numbers.
//!
//! A word is a run of letters and digits, in lower case where that is ASCII:
//! postcodes and area codes say more about a place than most words. Outside
//! ASCII all is letters but spaces, quotes, dashes and the like. Its
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

/// Bytes of the character at the front if it separates words, else zero.
fn gap_len(rest: &[u8]) -> usize {
    match *rest {
        // U+00A0 to U+00BF, then U+2000 to U+206F: what pages write instead of ASCII's.
        [0xc2, 0xa0..=0xbf, ..] => 2,
        [0xe2, 0x80, _, ..] | [0xe2, 0x81, 0x80..=0xaf, ..] => 3,
        [byte, ..] => usize::from(letter(byte) == 0),
        [] => 0,
    }
}

fn is_gap(c: char) -> bool {
    let mut bytes = [0; 4];
    gap_len(c.encode_utf8(&mut bytes).as_bytes()) > 0
}

/// The words of a text as it writes them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
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
            while at < bytes.len() && gap_len(&bytes[at..]) == 0 {
                hash = mix(hash, letter(bytes[at]));
                at += 1;
            }
            let len = at - start;
            at += gap_len(&bytes[at..]);
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
    fn punctuation_outside_ascii_separates_words() {
        let text = "“New\u{a0}Orleans”—the city’s jazz… «Käse» 5 €‑shops\u{206f}end";
        let words: Vec<&str> = words(text).collect();
        assert_snapshot!(words.join(" "), @"New Orleans the city jazz Käse € shops end");
        let one_by_one: Vec<u32> = words.into_iter().map(term).collect();
        assert_eq!(terms(text).collect::<Vec<u32>>(), one_by_one);
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
