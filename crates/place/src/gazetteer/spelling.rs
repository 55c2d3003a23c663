//! Finds names that differ from a wanted one by a slip of the fingers.
//!
//! A slip is one letter too many, too few, another one, or two neighbours
//! exchanged. The names' automaton is walked with the edit distance of every
//! prefix, and branches that can no longer come close enough are left out:
//! a look-up visits a small part of the names.

use super::{Gazetteer, PlaceId, Role};
use crate::pack::Posting;
use fst::{Automaton, IntoStreamer, Streamer};
use std::rc::Rc;

/// Places whose names are nearest to a normalised one, best first, with how
/// many slips they are away.
pub(super) fn nearest(gazetteer: &Gazetteer, wanted: &str, n: usize) -> Vec<(u8, PlaceId)> {
    // A long paste is no slip, and the walk's cost grows with its length.
    if n == 0 || wanted.is_empty() || wanted.len() > 60 {
        return Vec::new();
    }
    let max_slips = if wanted.len() <= 4 { 1 } else { 2 };
    let slips = Slips {
        wanted: wanted.as_bytes(),
        max_slips,
    };
    let mut stream = gazetteer.pack.keys.search_with_state(&slips).into_stream();
    let mut found: Vec<(u8, bool, bool, PlaceId)> = Vec::new();
    while let Some((key, number, state)) = stream.next() {
        let Some(n_slips) = state.as_ref().and_then(|rows| rows.current.last().copied()) else {
            continue;
        };
        // One place per name: the user wants other names, not more Houstons.
        let mut postings = gazetteer.pack.postings(number);
        // Nobody who mistypes a name means a hamlet without people.
        let meant = |posting: &Posting| {
            let idx = posting.place().0 as usize;
            posting.role() <= Role::Alias && gazetteer.pack.populations.get(idx) > 0
        };
        if let Some(largest) = postings.find(meant) {
            let other_initial = key.first() != wanted.as_bytes().first();
            let alias = largest.role() != Role::Name;
            found.push((n_slips, other_initial, alias, largest.place()));
        }
    }
    // Fewer slips first; people rarely mistype the first letter; usual names
    // before aliases; then size.
    found.sort_unstable();
    let mut nearest: Vec<(u8, PlaceId)> = Vec::new();
    for (n_slips, _, _, id) in found {
        if nearest.len() < n && !nearest.iter().any(|(_, known)| *known == id) {
            nearest.push((n_slips, id));
        }
    }
    nearest
}

struct Slips<'w> {
    wanted: &'w [u8],
    max_slips: u8,
}

/// Two rows of the edit distance table: enough to see exchanged neighbours.
#[derive(Clone)]
struct Rows {
    before: Vec<u8>,
    current: Vec<u8>,
    last: u8,
}

impl Automaton for &Slips<'_> {
    /// Nothing once the prefix is too far off. Shared, because the walk clones it.
    type State = Option<Rc<Rows>>;

    fn start(&self) -> Self::State {
        let current: Vec<u8> = (0..).take(self.wanted.len() + 1).collect();
        Some(Rc::new(Rows {
            before: Vec::new(),
            current,
            last: 0,
        }))
    }

    fn is_match(&self, state: &Self::State) -> bool {
        let n_slips = state.as_ref().and_then(|rows| rows.current.last().copied());
        n_slips.is_some_and(|n_slips| n_slips <= self.max_slips)
    }

    fn can_match(&self, state: &Self::State) -> bool {
        state.is_some()
    }

    fn accept(&self, state: &Self::State, byte: u8) -> Self::State {
        let rows = state.as_ref()?;
        let above = &rows.current;
        let mut next = Vec::with_capacity(above.len());
        next.push(above[0] + 1);
        for (idx, &letter) in self.wanted.iter().enumerate() {
            let other = above[idx] + u8::from(letter != byte);
            let mut slips = other.min(above[idx + 1] + 1).min(next[idx] + 1);
            let exchanged = idx > 0 && letter == rows.last && self.wanted[idx - 1] == byte;
            if exchanged && !rows.before.is_empty() {
                slips = slips.min(rows.before[idx - 1] + 1);
            }
            // Values above the limit are all the same to us; capping them
            // keeps a long key from overflowing a byte.
            next.push(slips.min(self.max_slips + 1));
        }
        next[0] = next[0].min(self.max_slips + 1);
        let near = next.iter().any(|&slips| slips <= self.max_slips);
        near.then(|| {
            Rc::new(Rows {
                before: above.clone(),
                current: next,
                last: byte,
            })
        })
    }
}
