//! Breaks ties by chance, always the same for the same seed.

/// Knows how ties are broken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ties {
    seed: u64,
}

/// How much of a priority chance may take away: enough to tell a million
/// links apart, too little to move one past a better one.
const MOST: f32 = 1.0 / 512.0;

impl Ties {
    pub(crate) fn new(seed: u64) -> Ties {
        Ties { seed }
    }

    /// A priority with a little less, depending on the URL.
    pub(crate) fn broken(&self, priority: f32, url: u64) -> f32 {
        priority * (1.0 - MOST * self.chance(url))
    }

    /// A number from 0 to 1 for a URL.
    pub(crate) fn chance(&self, url: u64) -> f32 {
        // The finaliser of SplitMix64: every bit of the input moves every bit
        // of the output.
        let mut mixed = url ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 40) as f32 / (1_u64 << 24) as f32
    }
}
