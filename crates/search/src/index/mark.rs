//! Remembers how far into the visit log an index reaches.

use std::fmt;
use std::path::Path;
use store::crawl_dir::VisitReader;
use store::visit::{Time, Visit};

/// Changes with everything that is indexed differently, so that an index built
/// otherwise is built anew.
const FORMAT: &str = "5";

/// The last visit that a commit covers, with enough of it to tell two logs apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) seq: u64,
    at: Time,
    url: String,
}

impl Mark {
    pub(super) fn of(visit: &Visit) -> Mark {
        Mark {
            seq: visit.seq,
            at: visit.at,
            url: visit.url.clone(),
        }
    }

    /// Reads what `to_string` wrote; none if another version wrote it.
    pub(super) fn parse(text: &str) -> Option<Mark> {
        let mut parts = text.splitn(4, ' ');
        if parts.next()? != FORMAT {
            return None;
        }
        Some(Mark {
            seq: parts.next()?.parse().ok()?,
            at: Time(parts.next()?.parse().ok()?),
            url: parts.next()?.to_owned(),
        })
    }

    /// Whether the log of this folder holds the marked visit.
    ///
    /// A visit that has become unreadable since counts as held while others
    /// follow it: the index knows more than the log then, which is no harm.
    pub(super) fn is_in(&self, dir: &Path) -> bool {
        let visits = VisitReader::open_at(dir, self.seq);
        match visits.map(|mut visits| visits.next()) {
            Ok(Some(visit)) => visit.seq != self.seq || Mark::of(&visit) == *self,
            Ok(None) | Err(_) => false,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FORMAT} {} {} {}", self.seq, self.at.0, self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn marks_of_other_versions_are_not_read() {
        for text in ["", "2", "2 5", "2 5 7", "0 5 7 u", "2 -5 7 u", "22 5 7 u"] {
            assert_eq!(Mark::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_mark_is_read_as_written(seq: u64, at: u64, url in "\\PC{0,30}") {
            let mark = Mark { seq, at: Time(at), url };
            prop_assert_eq!(Mark::parse(&mark.to_string()), Some(mark));
        }
    }
}
