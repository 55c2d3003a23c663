//! How many pages of one pattern of addresses were copies of others.

use serde::{Deserialize, Serialize};

/// Pages before a pattern is judged.
const MIN_PAGES: u32 = 8;

/// Share of copies, in percent, from which a pattern is left alone.
const MIN_SHARE: u32 = 70;

/// What is assumed of a pattern before its first page, in half pages: half a
/// copy among two and a half. Eight pages must bring seven copies.
const PRIOR_COPIES: u32 = 1;
const PRIOR_PAGES: u32 = 5;

/// Pages after which the older half of them counts half, so that a site that
/// mends its ways is noticed.
const MEMORY: u32 = 256;

/// Pages of one pattern, and copies among them.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Copying {
    n_pages: u32,
    n_copies: u32,
}

impl Copying {
    pub(super) fn learn(&mut self, is_copy: bool) {
        self.n_pages += 1;
        self.n_copies += u32::from(is_copy);
        if self.n_pages >= MEMORY {
            self.n_pages /= 2;
            self.n_copies /= 2;
        }
    }

    /// Whether one more page would most likely be one more copy.
    pub(super) fn is_hopeless(self) -> bool {
        let copies = 2 * self.n_copies + PRIOR_COPIES;
        let pages = 2 * self.n_pages + PRIOR_PAGES;
        self.n_pages >= MIN_PAGES && copies * 100 >= pages * MIN_SHARE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(n_copies: u32, n_others: u32) -> bool {
        let mut copying = Copying::default();
        for is_copy in (0..n_copies)
            .map(|_| true)
            .chain((0..n_others).map(|_| false))
        {
            copying.learn(is_copy);
        }
        copying.is_hopeless()
    }

    #[test]
    fn seven_copies_of_eight_are_enough() {
        assert!(!after(7, 0));
        assert!(after(7, 1));
        assert!(!after(6, 2));
        assert!(!after(60, 40));
        assert!(after(80, 20));
    }

    #[test]
    fn a_pattern_recovers() {
        assert!(after(1_000, 0));
        assert!(!after(1_000, 300));
    }
}
