//! Which of a domain's addresses are new, told in half a kilobyte at most.
//!
//! Every address has one of 4,096 places, by its key. Two may share one, and
//! the second then counts as known: so do 2 % of the next after a hundred, and
//! more and more of them after thousands, which bounds what can be earned by
//! making addresses up.

use serde::{Deserialize, Serialize};

const N_PLACES: u64 = 4096;

/// Places beyond which a bit for each is shorter.
const MOST_LISTED: usize = 64;

/// The places taken so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Distinct {
    /// In order.
    Few(Vec<u16>),
    /// As bits.
    Many(Vec<u64>),
}

impl Default for Distinct {
    fn default() -> Distinct {
        Distinct::Few(Vec::new())
    }
}

impl Distinct {
    /// Takes a key in; whether it is new.
    pub(super) fn add(&mut self, key: u64) -> bool {
        let place = (key % N_PLACES) as u16;
        match self {
            Distinct::Few(places) => {
                let Err(at) = places.binary_search(&place) else {
                    return false;
                };
                places.insert(at, place);
                if places.len() > MOST_LISTED {
                    let mut bits = vec![0; N_PLACES as usize / 64];
                    for place in places {
                        take(&mut bits, *place);
                    }
                    *self = Distinct::Many(bits);
                }
                true
            }
            Distinct::Many(bits) => take(bits, place),
        }
    }
}

/// Sets a bit; whether it was free.
fn take(bits: &mut [u64], place: u16) -> bool {
    let bit = 1 << (place % 64);
    let Some(word) = bits.get_mut(usize::from(place / 64)) else {
        return false;
    };
    let is_free = *word & bit == 0;
    *word |= bit;
    is_free
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_new(distinct: &mut Distinct, keys: impl IntoIterator<Item = u64>) -> usize {
        let new = keys.into_iter().filter(|key| distinct.add(*key));
        new.count()
    }

    /// Keys as they come: hashes.
    fn keys(n: u64) -> impl Iterator<Item = u64> {
        (0..n).map(|n| xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes()))
    }

    #[test]
    fn what_repeats_counts_once() {
        let mut distinct = Distinct::default();
        assert_eq!(n_new(&mut distinct, [7; 1000]), 1);
        let few = n_new(&mut distinct, keys(50));
        assert!((48..=50).contains(&few), "{few} of 50");
        assert_eq!(n_new(&mut distinct, keys(50)), 0);
        let more = n_new(&mut distinct, keys(300));
        assert!((220..=250).contains(&more), "{more} of 250");
        assert_eq!(n_new(&mut distinct, keys(300)), 0);
    }

    #[test]
    fn memory_and_what_can_be_earned_are_bounded() {
        let mut distinct = Distinct::default();
        let earned = n_new(&mut distinct, keys(1_000_000));
        assert_eq!(earned, 4096);
        assert!(postcard::to_stdvec(&distinct).unwrap().len() < 700);
    }
}
