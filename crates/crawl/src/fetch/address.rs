//! Which addresses belong to the public web.
//!
//! A page anywhere may link to `http://169.254.169.254/` or to a printer; a
//! crawler that follows fetches from inside what the author could not reach.
//! Everything the registries set aside is refused, also when it is wrapped in
//! an IPv6 address that a gateway would unwrap.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// What the IANA special-purpose registry for IPv4 calls not globally
/// reachable, what it calls deprecated, multicast, and one address more.
const SET_ASIDE: [(Ipv4Addr, u8); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),        // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // carrier-grade NAT
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // a cloud's metadata, in no registry
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local, other clouds' metadata
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarking
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, broadcast
];

/// Whether an address may be that of a public server.
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !SET_ASIDE
            .iter()
            .any(|&(network, len)| holds(IpAddr::V4(network), len, IpAddr::V4(ip))),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let embedded = |high: u16, low: u16| {
        let bits = u32::from(high) << 16 | u32::from(low);
        is_public(IpAddr::V4(Ipv4Addr::from_bits(bits)))
    };
    match ip.segments() {
        // IPv4-compatible (which covers `::` and `::1`), IPv4-mapped, NAT64.
        [0, 0, 0, 0, 0, 0 | 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => {
            embedded(high, low)
        }
        // 6to4.
        [0x2002, high, low, ..] => embedded(high, low),
        // Protocol assignments, Teredo among them: nobody serves pages there.
        [0x2001, 0..=0x1FF, ..] => false,
        // Documentation.
        [0x2001, 0xDB8, ..] | [0x3FFF, 0..=0xFFF, ..] => false,
        // Global unicast. All else is unique-local, link-local, multicast or unassigned.
        [0x2000..=0x3FFF, ..] => true,
        _ => false,
    }
}

/// The address that a URL's host is, where it is not a name.
///
/// Takes an IPv6 address with or without brackets. Odd notations such as
/// `0x7f.1` have already been rewritten by the URL parser.
pub fn literal(host: &str) -> Option<IpAddr> {
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    bare.unwrap_or(host).parse().ok()
}

/// Whether a name can only be one of a private network: a single label, which
/// no public site has, or below a domain that is set aside for such networks
/// (RFC 6761, RFC 6762, and `internal` by ICANN).
pub(crate) fn is_inside_name(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let (rest, last) = name.rsplit_once('.').unwrap_or(("", name));
    let is_set_aside = ["localhost", "local", "internal"]
        .iter()
        .any(|domain| last.eq_ignore_ascii_case(domain));
    literal(host).is_none() && (rest.is_empty() || is_set_aside)
}

/// Addresses that may be fetched although they are not public: an exception
/// for tests and laboratories. Reads `127.0.0.0/8` or `::1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenRange {
    network: IpAddr,
    len: u8,
}

/// Why a text is not a range of addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// What stands before the slash is no address.
    #[error("`{0}` is not an IP address")]
    Address(String),
    /// What stands after the slash is no length, or too long a one.
    #[error("`{text}` is not a prefix length from 0 to {max}")]
    Length {
        /// What stood there.
        text: String,
        /// The longest possible.
        max: u8,
    },
}

impl OpenRange {
    /// Whether an address lies in the range; an IPv4 address also in its IPv6 spelling.
    pub fn contains(&self, ip: IpAddr) -> bool {
        holds(self.network, self.len, ip.to_canonical())
    }
}

impl FromStr for OpenRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<OpenRange, RangeError> {
        let (address, len) = match text.split_once('/') {
            Some((address, len)) => (address, Some(len)),
            None => (text, None),
        };
        let network =
            literal(address.trim()).ok_or_else(|| RangeError::Address(address.to_owned()))?;
        let max = if network.is_ipv4() { 32 } else { 128 };
        let len = match len {
            None => max,
            Some(len) => len
                .trim()
                .parse()
                .ok()
                .filter(|len| *len <= max)
                .ok_or_else(|| RangeError::Length {
                    text: len.to_owned(),
                    max,
                })?,
        };
        Ok(OpenRange { network, len })
    }
}

impl fmt::Display for OpenRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.len)
    }
}

/// Whether the first `len` bits of two addresses of one family agree.
fn holds(network: IpAddr, len: u8, ip: IpAddr) -> bool {
    // A shift by the full width is what `checked_shr` refuses: no bits differ then.
    let len = u32::from(len);
    match (network, ip) {
        (IpAddr::V4(network), IpAddr::V4(ip)) => {
            let differing = network.to_bits() ^ ip.to_bits();
            differing.checked_shr(32 - len).unwrap_or(0) == 0
        }
        (IpAddr::V6(network), IpAddr::V6(ip)) => {
            let differing = network.to_bits() ^ ip.to_bits();
            differing.checked_shr(128 - len).unwrap_or(0) == 0
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn inside_addresses_are_refused() {
        for text in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "::ffff:0:127.0.0.1",
            "5f00::1",
        ] {
            assert!(!public(text), "{text}");
        }
    }

    #[test]
    fn addresses_just_outside_are_public() {
        for text in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.0.0.1",
            "128.0.0.1",
            "168.63.129.17",
            "169.253.1.1",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.1.1",
            "198.17.1.1",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:200::1",
            "2a00:1450::1",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
        ] {
            assert!(public(text), "{text}");
        }
    }

    #[test]
    fn ranges_hold_what_they_say() {
        let holds = |range: &str, ip: &str| {
            let range: OpenRange = range.parse().expect("a range");
            range.contains(ip.parse().expect("an address"))
        };
        assert!(holds("127.0.0.0/8", "127.3.2.1"));
        assert!(holds("127.0.0.0/8", "::ffff:127.3.2.1"));
        assert!(!holds("127.0.0.0/8", "128.0.0.1"));
        assert!(holds("10.1.2.3", "10.1.2.3"));
        assert!(!holds("10.1.2.3", "10.1.2.4"));
        assert!(holds("::1", "::1"));
        assert!(!holds("::1", "::2"));
        assert!(holds("fd00::/8", "fd12::1"));
        assert!(holds("0.0.0.0/0", "192.168.0.1"));
        assert!(!holds("0.0.0.0/0", "::1"));
    }

    #[test]
    fn bad_ranges_are_named() {
        let error = |text: &str| OpenRange::from_str(text).unwrap_err().to_string();
        insta::assert_snapshot!(error("localhost/8"), @"`localhost` is not an IP address");
        insta::assert_snapshot!(error("10.0.0.0/33"), @"`33` is not a prefix length from 0 to 32");
        insta::assert_snapshot!(error("::1/-1"), @"`-1` is not a prefix length from 0 to 128");
        insta::assert_snapshot!(error(""), @"`` is not an IP address");
    }

    #[test]
    fn names_of_private_networks_are_known() {
        for inside in [
            "localhost",
            "LocalHost.",
            "a.localhost",
            "intranet",
            "com",
            "printer.local",
            "metadata.google.internal",
        ] {
            assert!(is_inside_name(inside), "{inside}");
        }
        for outside in [
            "a.com",
            "local.com",
            "town.invalid",
            "127.0.0.1",
            "::1",
            "[::1]",
        ] {
            assert!(!is_inside_name(outside), "{outside}");
        }
    }

    #[test]
    fn literals_are_told_from_names() {
        assert_eq!(literal("127.0.0.1"), Some(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert_eq!(literal("[::1]"), Some(IpAddr::V6(Ipv6Addr::LOCALHOST)));
        assert_eq!(literal("::1"), Some(IpAddr::V6(Ipv6Addr::LOCALHOST)));
        assert_eq!(literal("localhost"), None);
        assert_eq!(literal("1.com"), None);
    }
}
