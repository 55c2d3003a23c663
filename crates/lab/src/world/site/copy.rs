//! Pages that repeat another one of their site but for a few words.

use super::{CONTACT, Site};
use crate::world::Tag;

/// How far before a copy its original may stand.
const REACH: u32 = 6;

impl Site<'_> {
    /// The page that a page repeats; itself, for most.
    pub(crate) fn original(&self, page: u32) -> u32 {
        if !self.is_copy(page) {
            return page;
        }
        let before = (page.saturating_sub(REACH)..page).rev();
        let mut originals =
            before.filter(|other| self.may_be_copied(*other) && !self.is_copy(*other));
        originals.next().unwrap_or(page)
    }

    fn may_be_copied(&self, page: u32) -> bool {
        page > CONTACT && self.is_leaf(page) && !self.is_desk(page)
    }

    fn is_copy(&self, page: u32) -> bool {
        self.may_be_copied(page)
            && !self.role.kind.is_regional()
            && self
                .dice(Tag::Copy, u64::from(page))
                .chance(self.world.settings.near_copies)
    }
}
