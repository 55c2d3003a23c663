//! The parts of a claim that somebody filled in.

use super::Claim;

/// What stands in fields that nobody filled in, in lower case.
const EMPTY: [&str; 22] = [
    "n/a",
    "none",
    "null",
    "nil",
    "undefined",
    "unknown",
    "tbd",
    "tba",
    "test",
    "string",
    "xxx",
    "city",
    "state",
    "zip",
    "zip code",
    "postal code",
    "country",
    "street",
    "address",
    "your city",
    "your address",
    "select",
];

/// Marks of templates whose fields were not replaced.
const TEMPLATES: [&str; 8] = ["{{", "}}", "${", "<%", "%%", "[%", "__", "[["];

/// A claim without what means nothing; strings are trimmed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'c> {
    pub(super) street: &'c str,
    pub(super) city: &'c str,
    pub(super) state: &'c str,
    pub(super) zip: &'c str,
    pub(super) country: &'c str,
    pub(super) point: Option<(f64, f64)>,
}

impl<'c> Parts<'c> {
    pub(super) fn of(claim: &Claim<'c>) -> Parts<'c> {
        Parts {
            street: filled(claim.street),
            city: filled(claim.city),
            state: filled(claim.state),
            zip: Some(filled(claim.zip))
                .filter(|zip| *zip != "00000")
                .unwrap_or_default(),
            country: filled(claim.country),
            point: claim.point.filter(|&(lat, lon)| is_somewhere(lat, lon)),
        }
    }
}

/// The text, or nothing where it stands for nothing.
fn filled(text: &str) -> &str {
    let text = text.trim().trim_matches([',', ';', ' ']);
    let is_empty = !text.contains(char::is_alphanumeric)
        || EMPTY.iter().any(|empty| text.eq_ignore_ascii_case(empty))
        || TEMPLATES.iter().any(|mark| text.contains(mark))
        || text.starts_with(['[', '%', '<', '{']);
    if is_empty { "" } else { text }
}

/// On earth, and neither at a pole nor where unset fields point to.
fn is_somewhere(lat: f64, lon: f64) -> bool {
    let is_zero = lat.abs() < 0.01 && lon.abs() < 0.01;
    lat.abs() < 90.0 && lon.abs() <= 180.0 && !is_zero
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_filled_in_is_empty() {
        for text in [
            "",
            " - ",
            "{{city}}",
            "N/A",
            "[City]",
            "${city}",
            "%CITY%",
            "Your City",
            "__CITY__",
        ] {
            assert_eq!(filled(text), "", "{text}");
        }
        for text in ["City of London", "Nassau", "NA", "Test Valley", "100%"] {
            assert_eq!(filled(text), text);
        }
        for point in [
            (0.0, 0.0),
            (0.001, -0.001),
            (91.0, 5.0),
            (f64::NAN, 5.0),
            (5.0, 181.0),
            (90.0, 0.0),
        ] {
            assert!(!is_somewhere(point.0, point.1), "{point:?}");
        }
        assert!(is_somewhere(0.0, 9.45));
    }
}
