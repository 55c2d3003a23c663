//! Combinations of parameters under one path: a shop's filters make thousands
//! of addresses of a few dozen products.
//!
//! Filters are told from honest addresses by what makes them many: a forum has
//! as many addresses as one of its parameters has values (`t=4711`), filters
//! have few values each and all their products. So combinations *and* values
//! are counted, up to a limit, and then one look decides.
//!
//! The same parameters in another order are one more combination at once.

use super::parts::{Parameter, Parts};
use serde::{Deserialize, Serialize};

/// Fewer parameters than this cannot multiply much.
const MIN_PARAMETERS: usize = 3;

/// Combinations that are followed under one path.
const MAX_COMBINATIONS: usize = 200;

/// Values of one parameter that make it a number of pages, not a filter.
const MANY_VALUES: usize = MAX_COMBINATIONS / 4;

/// Different values remembered: enough for several filters and one number.
const MAX_VALUES: usize = 256;

/// What is known about the parameters of one path.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) enum Facets {
    /// Counting.
    #[default]
    New,
    /// Each combination with its order, and each value with its name's hash;
    /// both sorted.
    Counted {
        combinations: Vec<(u32, u32)>,
        values: Vec<(u32, u32)>,
    },
    /// One parameter has as many values as there are pages.
    Numbered,
}

impl Facets {
    /// Whether the parameters are worth looking at.
    pub(super) fn concern(parts: &Parts) -> bool {
        parts.parameters().len() >= MIN_PARAMETERS
    }

    /// Whether this is one more combination of the same; remembers it if not.
    pub(super) fn is_one_more(&mut self, parts: &Parts) -> bool {
        if let Facets::New = self {
            *self = Facets::Counted {
                combinations: Vec::new(),
                values: Vec::new(),
            };
        }
        let Facets::Counted {
            combinations,
            values,
        } = self
        else {
            return false;
        };
        let combination = parts.combination as u32;
        let place = match combinations.binary_search_by_key(&combination, |known| known.0) {
            Ok(known) => return combinations[known].1 != parts.order,
            Err(place) => place,
        };
        if combinations.len() < MAX_COMBINATIONS {
            combinations.insert(place, (combination, parts.order));
            remember(values, parts.parameters());
            return false;
        }
        if has_number(values) {
            *self = Facets::Numbered;
            return false;
        }
        true
    }

    /// Entries held in memory.
    pub(super) fn len(&self) -> usize {
        match self {
            Facets::Counted {
                combinations,
                values,
            } => combinations.len() + values.len(),
            Facets::New | Facets::Numbered => 0,
        }
    }
}

fn remember(values: &mut Vec<(u32, u32)>, parameters: &[Parameter]) {
    for parameter in parameters {
        let value = (parameter.name as u32, parameter.value as u32);
        if let Err(place) = values.binary_search(&value)
            && values.len() < MAX_VALUES
        {
            values.insert(place, value);
        }
    }
}

/// Whether one name has so many values that it must be a number of pages.
fn has_number(values: &[(u32, u32)]) -> bool {
    let of_one_name = values.chunk_by(|left, right| left.0 == right.0);
    of_one_name
        .into_iter()
        .any(|same| same.len() >= MANY_VALUES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::url::CanonicalUrl;

    fn is_one_more(facets: &mut Facets, query: &str) -> bool {
        let url = CanonicalUrl::parse(&format!("http://a.example/shop?{query}")).unwrap();
        let parts = Parts::of(&url).unwrap();
        Facets::concern(&parts) && facets.is_one_more(&parts)
    }

    #[test]
    fn filters_end_and_numbers_do_not() {
        let mut filters = Facets::default();
        let mut forum = Facets::default();
        let mut n_refused = 0;
        for n in 0..1_000 {
            let filter = format!("color={}&size={}&brand={}", n % 10, n / 10 % 10, n / 100);
            n_refused += usize::from(is_one_more(&mut filters, &filter));
            assert!(!is_one_more(
                &mut forum,
                &format!("f={}&t={n}&start=0", n % 7)
            ));
        }
        assert_eq!(n_refused, 800);
        assert!(
            !is_one_more(&mut filters, "color=3&size=0&brand=0"),
            "known"
        );
        assert!(filters.len() <= MAX_COMBINATIONS + MAX_VALUES);
        assert_eq!(forum.len(), 0);
    }

    #[test]
    fn another_order_is_one_more() {
        let mut facets = Facets::default();
        assert!(!is_one_more(&mut facets, "a=1&b=2&c=3"));
        assert!(is_one_more(&mut facets, "b=2&a=1&c=3"));
        assert!(!is_one_more(&mut facets, "a=1&b=2&c=3"));
    }

    #[test]
    fn two_parameters_are_let_be() {
        let mut facets = Facets::default();
        for n in 0..1_000 {
            assert!(!is_one_more(
                &mut facets,
                &format!("a={}&b={}", n % 32, n / 32)
            ));
        }
    }
}
