//! Clocks in a few bytes, as an index keeps them.
//!
//! Of a healthy host there is little to tell. What does not fit, a host that
//! fails above all, has a row in a table instead, and an empty brief here.

use super::host_clock::HostMemory;
use page::url::CanonicalUrl;
use std::net::IpAddr;
use store::index::{Key, Short};
use xxhash_rust::xxh3::xxh3_128;

/// Stands for never having answered.
const NEVER: u64 = (1 << 24) - 1;

/// Key of a host or machine by its name.
pub(super) fn key(name: &str) -> Key {
    xxh3_128(name.as_bytes())
}

/// Key of an origin: beside that of its host, which is asked for with it.
pub(super) fn origin_key(url: &CanonicalUrl) -> Key {
    const SECOND_HALF: Key = u64::MAX as Key;
    key(url.host()) & !SECOND_HALF | key(url.origin()) & SECOND_HALF
}

/// A number in its lowest bytes, if it fits.
fn low<const N: usize>(number: u64) -> Option<[u8; N]> {
    let bytes = number.to_be_bytes();
    let (high, low) = bytes.split_last_chunk()?;
    high.iter().all(|byte| *byte == 0).then_some(*low)
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

impl HostMemory {
    /// None where there is more to tell.
    pub(super) fn brief(&self) -> Option<Short> {
        let HostMemory {
            free_at,
            crawl_delay_ms,
            answer_ms,
            answered_at,
            machine,
            ill,
            ports,
        } = self;
        if !ill.is_empty() || !ports.is_empty() {
            return None;
        }
        let ago = match answered_at {
            Some(at) => free_at.checked_sub(*at).filter(|ago| *ago < NEVER)?,
            None => NEVER,
        };
        let machine = match machine {
            None => Vec::new(),
            Some(IpAddr::V4(address)) => address.octets().to_vec(),
            Some(IpAddr::V6(address)) => address.octets().to_vec(),
        };
        Some(Short::of(&[
            &low::<6>(*free_at)?,
            &low::<3>(ago)?,
            &low::<2>(*answer_ms)?,
            &low::<3>(*crawl_delay_ms)?,
            &machine,
        ]))
    }

    /// What a brief says; none if it says nothing.
    pub(super) fn from_brief(bytes: &[u8]) -> Option<HostMemory> {
        let (free_at, rest) = bytes.split_at_checked(6)?;
        let (ago, rest) = rest.split_at_checked(3)?;
        let (answer_ms, rest) = rest.split_at_checked(2)?;
        let (crawl_delay_ms, machine) = rest.split_at_checked(3)?;
        let (free_at, ago) = (number(free_at), number(ago));
        let v4 = <[u8; 4]>::try_from(machine).map(IpAddr::from);
        let v6 = <[u8; 16]>::try_from(machine).map(IpAddr::from);
        Some(HostMemory {
            free_at,
            crawl_delay_ms: number(crawl_delay_ms),
            answer_ms: number(answer_ms),
            answered_at: (ago != NEVER).then(|| free_at.saturating_sub(ago)),
            machine: v4.or(v6).ok(),
            ..HostMemory::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::health::Health;
    use super::*;

    #[test]
    fn briefs_say_all_or_nothing() {
        let healthy = HostMemory {
            free_at: 1_790_000_000_000,
            answer_ms: 417,
            answered_at: Some(1_789_999_999_000),
            crawl_delay_ms: 10_000,
            ..HostMemory::default()
        };
        let say = |change: fn(&mut HostMemory)| {
            let mut memory = healthy.clone();
            change(&mut memory);
            let brief = memory.brief()?;
            assert_eq!(HostMemory::from_brief(brief.as_slice()), Some(memory));
            Some(brief.as_slice().len())
        };
        assert_eq!(say(|_| ()), Some(14));
        assert_eq!(say(|host| host.answered_at = None), Some(14));
        assert_eq!(
            say(|host| host.machine = Some([11, 0, 0, 1].into())),
            Some(18)
        );
        assert_eq!(say(|host| host.machine = Some([7_u16; 8].into())), Some(30));
        assert_eq!(say(|host| host.answered_at = Some(5)), None, "long ago");
        assert_eq!(say(|host| host.answered_at = Some(u64::MAX)), None);
        assert_eq!(say(|host| host.answer_ms = 1 << 16), None);
        let ill = |host: &mut HostMemory| host.ill.push(("http://a".into(), Health::default()));
        assert_eq!(say(ill), None);
        assert_eq!(HostMemory::from_brief(&[]), None);
    }
}
