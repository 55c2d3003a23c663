//! Numbers as people read them, for what is said about damage.

/// `12,311`
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 visit`, `2,048 visits`
pub(crate) fn visits(number: u64) -> String {
    let noun = if number == 1 { "visit" } else { "visits" };
    format!("{} {noun}", thousands(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let shown = [0, 999, 1000, 12_345_678].map(thousands);
        assert_eq!(shown, ["0", "999", "1,000", "12,345,678"]);
        assert_eq!(visits(1), "1 visit");
        assert_eq!(visits(1000), "1,000 visits");
    }
}
