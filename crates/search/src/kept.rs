//! What was found out before and holds as long as the index stays as it is.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

/// Entries that are kept; then all are found out anew.
const MOST: usize = 1 << 12;

/// Values by what was asked.
pub(crate) struct Kept<K, V>(RwLock<HashMap<K, V>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Kept(RwLock::default())
    }
}

impl<K: Hash + Eq, V: Clone> Kept<K, V> {
    /// What is kept, or else what is found now. A failure is not kept.
    pub(crate) fn get_or<Q, E>(&self, key: &Q, find: impl FnOnce() -> Result<V, E>) -> Result<V, E>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known.get(key) {
            return Ok(value.clone());
        }
        drop(known);
        let value = find()?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() == MOST {
            known.clear();
        }
        known.insert(key.to_owned(), value.clone());
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_found_once_and_a_failure_again() {
        let kept: Kept<String, u32> = Kept::default();
        assert_eq!(kept.get_or("a", || Err::<u32, _>("failed")), Err("failed"));
        assert_eq!(kept.get_or("a", || Ok::<_, ()>(1)), Ok(1));
        assert_eq!(kept.get_or("a", || Ok::<_, ()>(2)), Ok(1));
        for nth in 0..2 * MOST {
            let _ = kept.get_or(&*nth.to_string(), || Ok::<_, ()>(3));
            assert!(kept.0.read().unwrap().len() <= MOST);
        }
    }
}
