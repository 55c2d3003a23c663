//! An address taken apart for learning: what kind of address it is, and its
//! parameters one by one, all as numbers.
//!
//! The *pattern* of an address is its path with every number replaced, and the
//! names of its parameters in no order: `/shop/item-#.php?id,sort`. Segments
//! too long to be a section of a site (headlines, hashes) are replaced too.

use page::url::CanonicalUrl;

/// A segment this long is a headline or a hash.
const LONG_SEGMENT: usize = 24;

/// Parameters looked at; the rest count as one.
const MAX_PARAMETERS: usize = 16;

/// An address, taken apart.
#[derive(Debug)]
pub(super) struct Parts {
    /// Equal for addresses of one kind.
    pub(super) pattern: u64,
    /// The path as it is.
    pub(super) path: u64,
    /// Parameters in the order of the address.
    parameters: [Parameter; MAX_PARAMETERS],
    n_parameters: usize,
    /// Of all parameters with their values, in no order.
    pub(super) combination: u64,
    /// The same, in their order.
    pub(super) order: u32,
}

/// A parameter of a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Of its name.
    pub(super) name: u64,
    /// Of its value.
    pub(super) value: u64,
}

impl Parameter {
    fn of(text: &str) -> Parameter {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        Parameter {
            name: hash(name.as_bytes()),
            value: hash(value.as_bytes()),
        }
    }

    /// Both in one.
    pub(super) fn whole(self) -> u64 {
        mix(self.name, self.value)
    }
}

impl Parts {
    /// Takes an address apart; none where nothing can be learned from it: an
    /// address without numbers and parameters is one of its kind.
    pub(super) fn of(url: &CanonicalUrl) -> Option<Parts> {
        let (path, query) = (url.path(), url.query());
        if query.is_none() && !path.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut parts = Parts {
            pattern: pattern_of(path),
            path: hash(path.as_bytes()),
            parameters: [Parameter::default(); MAX_PARAMETERS],
            n_parameters: 0,
            combination: 0,
            order: 0,
        };
        for text in query
            .into_iter()
            .flat_map(|query| query.splitn(MAX_PARAMETERS, '&'))
        {
            parts.push(Parameter::of(text));
        }
        Some(parts)
    }

    fn push(&mut self, parameter: Parameter) {
        self.parameters[self.n_parameters] = parameter;
        self.n_parameters += 1;
        self.pattern = self.pattern.wrapping_add(mix(parameter.name, 1));
        self.combination = self.combination.wrapping_add(parameter.whole());
        self.order = self.order.rotate_left(5) ^ parameter.whole() as u32;
    }

    pub(super) fn parameters(&self) -> &[Parameter] {
        &self.parameters[..self.n_parameters]
    }

    /// The address but for one parameter.
    pub(super) fn without(&self, parameter: Parameter) -> u64 {
        mix(self.path, self.combination.wrapping_sub(parameter.whole()))
    }
}

/// The path with its numbers and long segments replaced.
fn pattern_of(path: &str) -> u64 {
    let mut pattern = 0;
    for segment in path.as_bytes().split(|byte| *byte == b'/').skip(1) {
        let of_segment = match segment.len() {
            LONG_SEGMENT.. => 2,
            _ => without_numbers(segment),
        };
        pattern = mix(pattern, of_segment);
    }
    pattern
}

/// Of the letters between a short segment's numbers, which become `#`.
fn without_numbers(segment: &[u8]) -> u64 {
    if !segment.iter().any(u8::is_ascii_digit) {
        return hash(segment);
    }
    let mut kept = [0; LONG_SEGMENT];
    let mut n_kept = 0;
    let mut in_number = false;
    for byte in segment {
        let is_digit = byte.is_ascii_digit();
        if !(is_digit && in_number) {
            kept[n_kept] = if is_digit { b'#' } else { *byte };
            n_kept += 1;
        }
        in_number = is_digit;
    }
    hash(&kept[..n_kept])
}

/// A hash for short texts, eight bytes at a time.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let (whole, rest) = bytes.as_chunks();
    let step = |sum, eight: &[u8; 8]| mix(sum, u64::from_le_bytes(*eight));
    let sum = whole.iter().fold(bytes.len() as u64, step);
    let last = rest
        .iter()
        .fold(0, |last, byte| last << 8 | u64::from(*byte));
    mix(sum, last)
}

/// Two numbers as one.
pub(super) fn mix(left: u64, right: u64) -> u64 {
    let product =
        u128::from(left ^ 0x9e37_79b9_7f4a_7c15) * u128::from(right ^ 0xd6e8_feb8_6659_fd93);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str) -> Parts {
        let url = CanonicalUrl::parse(&format!("http://a.example{path}")).unwrap();
        Parts::of(&url).unwrap()
    }

    fn are_alike(left: &str, right: &str) -> bool {
        parts(left).pattern == parts(right).pattern
    }

    #[test]
    fn numbers_and_values_do_not_matter_to_a_pattern() {
        assert!(are_alike(
            "/item-7.php?id=1&sort=up",
            "/item-12.php?sort=down&id=2"
        ));
        assert!(are_alike("/a/17/", "/a/4/"));
        assert!(are_alike(
            "/2004/the-mayor-opened-a-new-bridge-17",
            "/2005/nobody-came-to-the-street-fair-9"
        ));
        assert!(!are_alike("/a/17/", "/b/17/"));
        assert!(!are_alike("/a?id=1", "/a?id=1&sort=2"));
        assert!(!are_alike("/a/1/2", "/a/1/2/"));
    }

    #[test]
    fn an_address_without_numbers_is_one_of_its_kind() {
        let url = CanonicalUrl::parse("http://a.example/about/us.html").unwrap();
        assert!(Parts::of(&url).is_none());
    }

    #[test]
    fn combinations_have_no_order() {
        let (left, right) = (parts("/a?x=1&y=2&z"), parts("/a?z&y=2&x=1"));
        assert_eq!(left.combination, right.combination);
        assert_ne!(left.order, right.order);
        let [_, y, _] = left.parameters() else {
            panic!("three parameters")
        };
        assert_eq!(
            left.without(*y),
            mix(left.path, parts("/a?x=1&z").combination)
        );
    }
}
