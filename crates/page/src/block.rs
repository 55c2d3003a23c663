//! 64 bytes at a time, told to be of a kind or not as the bits of a number:
//! for a processor there is little to guess.

/// Bytes that are told together.
pub(crate) const BLOCK: usize = 64;

/// The block from a position on, with zeros behind the end of the text.
#[inline]
pub(crate) fn block_at(bytes: &[u8], at: usize) -> Option<[u8; BLOCK]> {
    let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
    Some(rest.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        block
    }))
}

/// A bit for each byte of a kind, the first in the lowest.
#[inline]
pub(crate) fn bits(block: &[u8; BLOCK], is_of_kind: impl Fn(u8) -> bool) -> u64 {
    gathered(&std::array::from_fn(|at| u8::from(is_of_kind(block[at]))))
}

/// A bit for each flag, which is one or zero.
#[inline]
pub(crate) fn gathered(flags: &[u8; BLOCK]) -> u64 {
    let eights = flags.as_chunks::<8>().0.iter().zip(0..);
    eights.fold(0, |bits, (flags, nth)| {
        // The product has the sum of shifted flags in its highest byte: the
        // first of eight in the lowest bit, and so on.
        let gathered = u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits | gathered << (8 * nth)
    })
}
