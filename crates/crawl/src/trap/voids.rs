//! Parameters that change nothing: two addresses that differ in one of them
//! alone have brought the same page, again and again.
//!
//! Links with such a parameter are followed once for everything else in them,
//! whatever its value is the first time.

use super::parts::{Parts, mix};
use super::recent::Recent;
use serde::{Deserialize, Serialize};

/// Fetched addresses remembered, one entry for each of their parameters.
const MAX_SIBLINGS: usize = 512;

/// Parameters weighed.
const MAX_WEIGHED: usize = 64;

/// Links followed in spite of a void parameter that are remembered.
const MAX_FOLLOWED: usize = 1024;

/// Pairs of equal pages before a parameter counts as void.
const MIN_SAME: u32 = 4;

/// Equal pages for each pair of different ones, at least.
const SAME_PER_OTHER: u32 = 8;

/// What is known about the parameters of one host.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Voids {
    /// Address but for one parameter, to the page it brought.
    siblings: Recent<u64, MAX_SIBLINGS>,
    weighed: Recent<Weight, MAX_WEIGHED>,
    /// Address but for void parameters, to the values that are followed.
    followed: Recent<u64, MAX_FOLLOWED>,
}

/// Pairs of pages whose addresses differ in one parameter alone.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Weight {
    n_same: u32,
    n_other: u32,
}

impl Weight {
    fn is_void(self) -> bool {
        self.n_same >= MIN_SAME && self.n_same >= self.n_other * SAME_PER_OTHER
    }
}

impl Voids {
    /// Hears which page an address brought: its own, or the one it is a copy of.
    pub(super) fn learn(&mut self, parts: &Parts, page: u64) {
        // Stored one higher, so that zero means "not seen".
        let page = page.wrapping_add(1);
        for parameter in parts.parameters() {
            let rest = parts.without(*parameter);
            // The same address without the parameter is a sibling as well.
            let known =
                [mix(rest, parameter.name), rest].map(|key| self.siblings.get(key).copied());
            let weight = weight_key(parts, parameter.name);
            for sibling in known.into_iter().flatten() {
                let weight = self.weighed.change(weight);
                if sibling == page {
                    weight.n_same = weight.n_same.saturating_add(1);
                } else {
                    weight.n_other = weight.n_other.saturating_add(1);
                }
            }
            *self.siblings.change(mix(rest, parameter.name)) = page;
        }
        *self.siblings.change(mix(parts.path, parts.combination)) = page;
    }

    /// Whether an address differs from one that is followed in void parameters alone.
    pub(super) fn is_void(&mut self, parts: &Parts) -> bool {
        if self.weighed.len() == 0 {
            return false;
        }
        let (mut rest, mut values) = (parts.combination, 0_u64);
        for parameter in parts.parameters() {
            let weight = self.weighed.get(weight_key(parts, parameter.name));
            if weight.is_some_and(|weight| weight.is_void()) {
                rest = rest.wrapping_sub(parameter.whole());
                values = values.wrapping_add(parameter.whole());
            }
        }
        if rest == parts.combination {
            return false;
        }
        let key = mix(parts.path, rest);
        match self.followed.get(key) {
            Some(followed) => *followed != values,
            None => {
                *self.followed.change(key) = values;
                false
            }
        }
    }

    /// Entries held in memory.
    pub(super) fn len(&self) -> usize {
        self.siblings.len() + self.weighed.len() + self.followed.len()
    }
}

/// A parameter means the same on all addresses of a pattern that have it.
fn weight_key(parts: &Parts, name: u64) -> u64 {
    mix(parts.pattern, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::url::CanonicalUrl;

    fn parts(asked: &str) -> Parts {
        let url = CanonicalUrl::parse(&format!("http://a.example{asked}")).unwrap();
        Parts::of(&url).unwrap()
    }

    /// After six items, each seen under two values of `ref`.
    fn taught() -> Voids {
        let mut voids = Voids::default();
        for item in 0..6 {
            voids.learn(&parts(&format!("/item?id={item}&ref=a")), item);
            voids.learn(&parts(&format!("/item?id={item}&ref=b")), item);
        }
        voids
    }

    #[test]
    fn a_parameter_that_changes_nothing_is_followed_once() {
        let mut voids = taught();
        assert!(!voids.is_void(&parts("/item?id=9&ref=c")), "id 9 is new");
        assert!(!voids.is_void(&parts("/item?id=9&ref=c")), "the same again");
        assert!(voids.is_void(&parts("/item?id=9&ref=d")));
        assert!(!voids.is_void(&parts("/item?id=10&ref=d")));
        assert!(!voids.is_void(&parts("/item?id=9")), "another pattern");
    }

    #[test]
    fn a_parameter_that_matters_stays() {
        let mut voids = taught();
        for item in 10..20 {
            voids.learn(&parts(&format!("/item?id={item}&ref=a")), item);
        }
        assert!(!voids.is_void(&parts("/item?id=1&ref=a")));
        assert!(!voids.is_void(&parts("/item?id=2&ref=a")));
        let mut voids = Voids::default();
        for n in 0..50 {
            let page = if n % 5 == 0 { 0 } else { n };
            voids.learn(&parts(&format!("/list?page={n}")), page);
        }
        assert!(!voids.is_void(&parts("/list?page=60")));
        assert!(!voids.is_void(&parts("/list?page=61")));
    }

    #[test]
    fn memory_is_bounded() {
        let mut voids = taught();
        for n in 0..5_000 {
            let parts = parts(&format!("/p{n}x/item?id={n}&ref={n}&a={n}&b=1"));
            voids.learn(&parts, n);
            voids.is_void(&parts);
        }
        assert!(voids.len() <= MAX_SIBLINGS + MAX_WEIGHED + MAX_FOLLOWED);
    }
}
