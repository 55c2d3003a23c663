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

/// Top-level domains that no public site is under: set aside for private
/// networks (RFC 6761, RFC 6762 with its appendix G, and `internal` by ICANN)
/// or so widely used in them that ICANN gives them to nobody.
const INSIDE_TOPS: [&str; 9] = [
    "localhost",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "localdomain",
];

/// Public names that lead to whoever asks, for the convenience of developers.
const LOOPBACK_NAMES: [&str; 10] = [
    "localhost",
    "localtest.me",
    "lvh.me",
    "vcap.me",
    "lacolhost.com",
    "localho.st",
    "local.gd",
    "fuf.me",
    "smackaho.st",
    "127-0-0-1.org.uk",
];

/// Services whose names lead to the address in them, also where it is written
/// as eight hexadecimal digits or as IPv6 with dashes.
const ADDRESS_SERVICES: [&str; 4] = ["nip.io", "sslip.io", "xip.io", "traefik.me"];

/// Whether a name can only be one of a private network: a single label, which
/// no public site has, or below a domain that is set aside for such networks.
pub(crate) fn is_inside_name(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let (rest, last) = name.rsplit_once('.').unwrap_or(("", name));
    let is_set_aside = INSIDE_TOPS
        .iter()
        .any(|domain| last.eq_ignore_ascii_case(domain));
    literal(host).is_none() && (rest.is_empty() || is_set_aside || is_below(name, "home.arpa"))
}

/// The address that a host is, where that can be told without looking it up:
/// it is one, or a name that betrays a private one, such as `localhost` or
/// `app.10.0.0.1.nip.io`.
pub fn betrayed(host: &str) -> Option<IpAddr> {
    literal(host).or_else(|| named(host.strip_suffix('.').unwrap_or(host)))
}

/// The private address that a name says it leads to.
fn named(name: &str) -> Option<IpAddr> {
    if LOOPBACK_NAMES.iter().any(|domain| is_below(name, domain)) {
        return Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let quad = quad(name.split(['.', '-']));
    let address = quad.or_else(|| {
        let is_of_service = ADDRESS_SERVICES.iter().any(|domain| is_below(name, domain));
        let mut labels = name.split('.').filter(|_| is_of_service);
        labels.find_map(|label| hexadecimal(label).or_else(|| dashed_v6(label)))
    });
    address.filter(|ip| !is_public(*ip))
}

/// Whether a name is a domain or below it.
fn is_below(name: &str, domain: &str) -> bool {
    let start = name.len().checked_sub(domain.len());
    start.is_some_and(|start| {
        name.as_bytes()[start..].eq_ignore_ascii_case(domain.as_bytes())
            && (start == 0 || name.as_bytes()[start - 1] == b'.')
    })
}

/// The last four decimal numbers in a row among the parts of a name that make
/// a private address: what stands before may be numbers as well.
fn quad<'a>(parts: impl Iterator<Item = &'a str>) -> Option<IpAddr> {
    let mut last: [Option<u8>; 4] = [None; 4];
    let mut found = None;
    for part in parts {
        let is_number = part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
        last.rotate_left(1);
        last[3] = part.parse().ok().filter(|_| is_number);
        if let [Some(a), Some(b), Some(c), Some(d)] = last {
            let ip = IpAddr::V4(Ipv4Addr::new(a, b, c, d));
            found = Some(ip).filter(|ip| !is_public(*ip)).or(found);
        }
    }
    found
}

/// `7f000001`, alone or after a dash.
fn hexadecimal(label: &str) -> Option<IpAddr> {
    let last = label.rsplit('-').next().unwrap_or(label);
    let is_address = last.len() == 8 && last.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bits = u32::from_str_radix(last, 16).ok().filter(|_| is_address)?;
    Some(IpAddr::V4(Ipv4Addr::from_bits(bits)))
}

/// `--1`, `fd00--1`
fn dashed_v6(label: &str) -> Option<IpAddr> {
    let ip: Ipv6Addr = label.replace('-', ":").parse().ok()?;
    Some(IpAddr::V6(ip))
}

/// Addresses of one's own network, that may be fetched although they are not
/// public. Reads `127.0.0.0/8` or `::1`.
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

    /// Whether it holds public addresses alone, which need no opening.
    pub fn is_public(&self) -> bool {
        let reaches_inside = |(network, len): (Ipv4Addr, u8)| {
            holds(self.network, self.len.min(len), IpAddr::V4(network))
        };
        is_public(self.network) && !SET_ASIDE.into_iter().any(reaches_inside)
    }
}

/// Whether an address is one of one's own network, given what was opened of it.
pub fn is_own(ip: IpAddr, open_ranges: &[OpenRange]) -> bool {
    open_ranges.iter().any(|range| range.contains(ip)) && !is_public(ip)
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
    use page::url::CanonicalUrl;

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
    fn public_ranges_are_told_from_those_that_hold_anything_private() {
        let public = |range: &str| range.parse::<OpenRange>().expect("a range").is_public();
        for range in ["8.8.8.8", "93.184.216.0/24", "2606:4700::/32"] {
            assert!(public(range), "{range}");
        }
        for range in [
            "0.0.0.0/0",
            "8.0.0.0/6",
            "10.1.2.3",
            "::1",
            "fd00::/8",
            "::/0",
        ] {
            assert!(!public(range), "{range}");
        }
    }

    #[test]
    fn only_private_addresses_that_were_opened_are_ones_own() {
        let ranges = ["0.0.0.0/0", "::1"].map(|range| range.parse().expect("a range"));
        let own = |ip: &str| is_own(ip.parse().expect("an address"), &ranges);
        assert!(own("127.0.0.1") && own("10.1.2.3") && own("::1"));
        assert!(!own("8.8.8.8") && !own("fd00::1"));
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
            "nas.lan",
            "wiki.corp",
            "router.home",
            "x.localdomain",
            "home.arpa",
            "Nas.Home.Arpa.",
            "metadata.google.internal",
        ] {
            assert!(is_inside_name(inside), "{inside}");
        }
        for outside in [
            "a.com",
            "local.com",
            "lan.example.org",
            "1.0.0.127.in-addr.arpa",
            "town.invalid",
            "127.0.0.1",
            "::1",
            "[::1]",
        ] {
            assert!(!is_inside_name(outside), "{outside}");
        }
    }

    #[test]
    fn names_that_say_where_they_lead_are_believed() {
        let leads = |host: &str| betrayed(host).map(|ip| ip.to_string());
        for (host, address) in [
            ("127.0.0.1", "127.0.0.1"),
            ("8.8.8.8", "8.8.8.8"),
            ("localhost.", "127.0.0.1"),
            ("foo.LVH.me", "127.0.0.1"),
            ("localtest.me", "127.0.0.1"),
            ("127.0.0.1.nip.io", "127.0.0.1"),
            ("app.10.1.2.3.nip.io", "10.1.2.3"),
            ("app-10-1-2-3.sslip.io", "10.1.2.3"),
            ("7.192.168.1.250.xip.io", "192.168.1.250"),
            ("192-168-1-5.0123abcd.plex.direct", "192.168.1.5"),
            ("7f000001.nip.io", "127.0.0.1"),
            ("app-0A000001.nip.io", "10.0.0.1"),
            ("--1.sslip.io", "::1"),
            ("www.fd00--1.sslip.io", "fd00::1"),
            ("169.254.169.254.nip.io", "169.254.169.254"),
        ] {
            assert_eq!(leads(host).as_deref(), Some(address), "{host}");
        }
        for host in [
            "example.org",
            "notlvh.me",
            "lvh.me.example.org",
            "8.8.8.8.nip.io",
            "v1.10.0.3.example.org",
            "2026-11-19-20.example.org",
            "deadbeef.example.org",
            "256.0.0.10.example.org",
        ] {
            assert_eq!(leads(host), None, "{host}");
        }
    }

    #[test]
    fn odd_notations_of_an_address_are_that_address() {
        for host in ["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.01", "127.1"] {
            let url = CanonicalUrl::parse(&format!("http://{host}/")).unwrap();
            assert_eq!(betrayed(url.host()), literal("127.0.0.1"), "{host}");
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
