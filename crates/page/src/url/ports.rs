//! Ports that no page is at.
//!
//! Behind many a well-known port sits a service that a request for a page can
//! harm: mail is sent, a printer prints. Browsers refuse them, and so do we.

/// The "bad ports" of the Fetch standard, section 2.9.
const BAD: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];

/// Whether a port is some other service's.
pub(super) fn is_bad(port: u16) -> bool {
    BAD.binary_search(&port).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_in_order_so_that_each_is_found() {
        assert!(BAD.is_sorted_by(|a, b| a < b));
        assert!([0, 22, 25, 6667, 10080].into_iter().all(is_bad));
        assert!(![80, 443, 8080, 8443, 24].into_iter().any(is_bad));
    }
}
