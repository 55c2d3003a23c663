//! Passes over what cannot begin a name: nine of ten bytes of a text.
//!
//! 64 bytes at a time are told to be capitals or in words, as the bits of a
//! number, so that a processor has nothing to guess within a word.

/// Bytes that are told together.
const BLOCK: usize = 64;

/// Where to look next, from a position that no word goes on at: at a capital
/// that begins a word, at a character outside ASCII or the word that it stands
/// in, or at the end.
pub(super) fn leap(bytes: &[u8], from: usize) -> usize {
    let (mut at, mut goes_on, mut word_start) = (from, 0, from);
    while let Some(block) = block_at(bytes, at) {
        let inside = bits(&block, |byte| {
            (byte | 0x20).wrapping_sub(b'a') < 26 || byte.wrapping_sub(b'0') < 10
        });
        let capitals = bits(&block, |byte| byte.wrapping_sub(b'A') < 26);
        let beyond = bits(&block, |byte| byte >= 0x80);
        let begins = inside & !(inside << 1 | goes_on);
        let stops = (capitals & begins) | beyond;
        let n_before = stops.trailing_zeros();
        // The last word that begins before the stop, if any.
        let before = begins & (1_u64 << (n_before % 64)).wrapping_sub(1);
        let before = if stops == 0 { begins } else { before };
        if before != 0 {
            word_start = at + before.ilog2() as usize;
        }
        if stops != 0 {
            let stop = at + n_before as usize;
            let is_in_word = match n_before {
                0 => goes_on == 1,
                n => inside >> (n - 1) & 1 == 1,
            };
            let is_beyond = beyond >> n_before & 1 == 1;
            return if is_beyond && is_in_word {
                word_start
            } else {
                stop
            };
        }
        goes_on = inside >> (BLOCK - 1);
        at += BLOCK;
    }
    bytes.len()
}

/// The block from a position on, with zeros behind the end of the text.
#[inline]
fn block_at(bytes: &[u8], at: usize) -> Option<[u8; BLOCK]> {
    let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
    Some(rest.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        block
    }))
}

/// A bit for each byte of a kind.
#[inline]
fn bits(block: &[u8; BLOCK], is_of_kind: impl Fn(u8) -> bool) -> u64 {
    let flags: [u8; BLOCK] = std::array::from_fn(|at| u8::from(is_of_kind(block[at])));
    let eights = flags.as_chunks::<8>().0.iter().zip(0..);
    eights.fold(0, |bits, (flags, nth)| {
        // The product has the sum of shifted flags in its highest byte: the
        // first of eight in the lowest bit, and so on.
        let gathered = u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits | gathered << (8 * nth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, byte by byte.
    fn step(bytes: &[u8], from: usize) -> usize {
        let (mut at, mut word_start) = (from, None);
        while let Some(byte) = bytes.get(at) {
            let is_capital = byte.is_ascii_uppercase() && word_start.is_none();
            match byte {
                _ if is_capital => return at,
                0x80.. => return word_start.unwrap_or(at),
                _ if byte.is_ascii_alphanumeric() => word_start = word_start.or(Some(at)),
                _ => word_start = None,
            }
            at += 1;
        }
        at
    }

    proptest! {
        #[test]
        fn leaping_leads_where_stepping_does(
            text in "([a-z0-9 ,]{0,70}[A-Zé ]?){0,4}|[a-zA]{50,140}é?",
            from in 0_usize..10,
        ) {
            let from = from.min(text.len());
            prop_assert_eq!(leap(text.as_bytes(), from), step(text.as_bytes(), from));
        }
    }
}
