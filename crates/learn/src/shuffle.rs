//! Orders that look random and are always the same.

/// Puts items into an order that follows from `state`, which must not be
/// zero; leaves there what the next order follows from.
pub(crate) fn shuffle<T>(items: &mut [T], state: &mut u64) {
    debug_assert_ne!(*state, 0, "a state of zero never changes");
    for at in (1..items.len()).rev() {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        items.swap(at, (*state % (at as u64 + 1)) as usize);
    }
}
