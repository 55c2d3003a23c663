//! How a visit looks on disk.
//!
//! The first byte is the version of the layout, the next few are the visit's
//! position in the log, so that a check of the log need not decode the rest.
//! A new layout is a new struct beside these and a new arm in `decode`; one
//! that only adds something puts it behind what was there before.

use crate::visit::{
    Copy, Earlier, EntityRecord, Errand, KeptLink, Likeness, LinkRecord, Outcome, Refusal, Rest,
    RestCause, Time, Trail, Visit,
};
use crate::warc::Shelf;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::net::IpAddr;

/// With what the tables cannot be worked out again without, what a page takes
/// the place of, of when a recording is, and what decided about the priority.
const VERSION: u8 = 7;

/// Without, and with why a host or a link has to wait: still written where
/// there is nothing of the kind to keep.
const VERSION_6: u8 = 6;

/// Without, and with what the page is worth to a crawl that has a topic: still
/// written where nobody has to wait.
const VERSION_5: u8 = 5;

/// Without: still written where there is nothing of the kind to say.
const VERSION_4: u8 = 4;

/// Before records said how their link was come by.
const VERSION_3: u8 = 3;

/// Before records said what a page is mapped to.
const VERSION_2: u8 = 2;

/// Fingerprints are evenly spread, where a variable-length number would take
/// ten bytes instead of eight.
type Fixed64 = [u8; 8];

#[derive(Serialize, Deserialize)]
struct WireVisit<'a> {
    node: u16,
    at: u64,
    errand: WireErrand,
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    outcome: WireOutcome<'a>,
    status: Option<u16>,
    took_ms: u32,
    bytes: u32,
    archived: Option<(u32, u64, u32)>,
    server: Option<IpAddr>,
    depth: u16,
    #[serde(borrow)]
    from: Option<Cow<'a, str>>,
    priority: f32,
    #[serde(borrow)]
    because: Cow<'a, str>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    language: Option<Cow<'a, str>>,
    target: Option<u32>,
    #[serde(borrow)]
    entities: Vec<WireEntity<'a>>,
    links: Vec<(Fixed64, u16)>,
    /// Position and reason of each link that was refused.
    refused: Vec<(u32, u8)>,
    tries: u8,
    retry_at: Option<u64>,
    digest: Option<[u8; 20]>,
    #[serde(borrow)]
    etag: Option<Cow<'a, str>>,
    #[serde(borrow)]
    last_modified: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content_type: Option<Cow<'a, str>>,
    /// Whether it is exact, and of which visit.
    /// Likeness and visit.
    copy: Option<(u8, u64)>,
    noindex: bool,
}

/// What later versions add, by what they add to.
#[derive(Default)]
struct Additions {
    /// Version 3.
    mapped: Option<u32>,
    /// Version 4.
    trail: Option<Trail>,
    /// Version 5.
    worth: Worth,
    /// Version 6.
    waits: Waits,
    /// Version 7.
    kept: Further,
}

/// What neither the archive nor the rest of the record tells.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct Further {
    hops: u8,
    is_refresh: bool,
    /// A list of links, compressed: they have most of their bytes in common.
    /// Nothing where there are none.
    links: Vec<u8>,
    /// Position of the visit that it takes the place of, and whether that one
    /// brought an address.
    earlier: Option<(u64, bool)>,
    /// When what answered was recorded.
    recorded: Option<u64>,
    account: Vec<(u32, f32)>,
}

#[derive(Serialize, Deserialize)]
struct WireKeptLink<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    node: u16,
    depth: u16,
    hops: u8,
    is_sitemap: bool,
    target: Option<u32>,
    priority: f32,
    #[serde(borrow)]
    because: Cow<'a, str>,
    trail: Cow<'a, Trail>,
}

/// Bytes that the links of one page take at most.
const MOST_KEPT: usize = 64 << 20;

/// The lowest level: a page's links take a hundredth of a millisecond.
const KEPT_LEVEL: i32 = 1;

/// Who has to wait.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
struct Waits {
    /// No request was sent.
    is_unsent: bool,
    /// Until when the host is left alone, and the number of the cause.
    rest: Option<(u64, u8)>,
    /// Positions of the links whose domain is over its budget.
    cold: Vec<u32>,
}

/// What a page is worth: its topicality, its importance, and what the first
/// of them counts for.
type Worth = [Option<f32>; 3];

#[derive(Serialize, Deserialize)]
enum WireErrand {
    Page,
    Robots,
    Sitemap,
}

#[derive(Serialize, Deserialize)]
enum WireOutcome<'a> {
    Fetched,
    Status,
    Redirected(#[serde(borrow)] Cow<'a, str>),
    Forbidden(u32),
    Unresolved,
    Unreachable(#[serde(borrow)] Cow<'a, str>),
    TimedOut,
    WrongType(#[serde(borrow)] Cow<'a, str>),
    TooLarge,
    PrivateAddress,
    Garbled(#[serde(borrow)] Cow<'a, str>),
    Untrusted(#[serde(borrow)] Cow<'a, str>),
    BadRedirect(#[serde(borrow)] Cow<'a, str>),
    SoftMissing,
    Unchanged,
    NotArchived,
    BadPort,
}

#[derive(Serialize, Deserialize)]
struct WireEntity<'a> {
    key: Fixed64,
    target: u32,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// Why a frame with a right checksum is no visit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WireFault {
    /// Of a layout this program does not know.
    Newer(u8),
    /// Not of the layout it claims.
    Garbled,
}

pub(super) fn encode(visit: &Visit) -> Vec<u8> {
    let worth: Worth = [visit.topicality, visit.importance, visit.alpha];
    let wire = (visit.seq, to_wire(visit), visit.mapped, &visit.trail);
    let (waits, kept) = (waits_to_wire(visit), kept_to_wire(visit));
    let is_worth_something = worth.iter().any(Option::is_some);
    let is_waiting = waits != Waits::default();
    match (kept != Further::default(), is_waiting, is_worth_something) {
        (true, _, _) => postcard::to_extend(&(((wire, worth), waits), kept), vec![VERSION]),
        (_, true, _) => postcard::to_extend(&((wire, worth), waits), vec![VERSION_6]),
        (_, _, true) => postcard::to_extend(&(wire, worth), vec![VERSION_5]),
        (_, _, false) => postcard::to_extend(&wire, vec![VERSION_4]),
    }
    .expect("a vector takes any number of bytes and no field lacks its length")
}

/// The visit's position in the log, without decoding the visit.
pub(super) fn seq(payload: &[u8]) -> Option<u64> {
    let (_version, rest) = payload.split_first()?;
    Some(postcard::take_from_bytes(rest).ok()?.0)
}

pub(super) fn decode(payload: &[u8]) -> Result<Visit, WireFault> {
    let (&version, rest) = payload.split_first().ok_or(WireFault::Garbled)?;
    let (seq, wire, mut additions) = match version {
        VERSION => {
            let ((((seq, wire, mapped, trail), worth), waits), kept) = read(rest)?;
            let additions = Additions {
                mapped,
                trail,
                worth,
                waits,
                kept,
            };
            (seq, wire, additions)
        }
        VERSION_6 => {
            let (((seq, wire, mapped, trail), worth), waits) = read(rest)?;
            let additions = Additions {
                mapped,
                trail,
                worth,
                waits,
                ..Additions::default()
            };
            (seq, wire, additions)
        }
        VERSION_5 => {
            let ((seq, wire, mapped, trail), worth) = read(rest)?;
            let additions = Additions {
                mapped,
                trail,
                worth,
                ..Additions::default()
            };
            (seq, wire, additions)
        }
        VERSION_4 => {
            let (seq, wire, mapped, trail) = read(rest)?;
            let additions = Additions {
                mapped,
                trail,
                ..Additions::default()
            };
            (seq, wire, additions)
        }
        VERSION_3 => {
            let (seq, wire, mapped) = read(rest)?;
            let additions = Additions {
                mapped,
                ..Additions::default()
            };
            (seq, wire, additions)
        }
        VERSION_2 => {
            let (seq, wire) = read(rest)?;
            (seq, wire, Additions::default())
        }
        version => return Err(WireFault::Newer(version)),
    };
    let kept_links = kept_from_wire(&additions.kept.links).ok_or(WireFault::Garbled)?;
    Ok(Visit {
        hops: additions.kept.hops,
        is_refresh: additions.kept.is_refresh,
        earlier: additions
            .kept
            .earlier
            .map(|(seq, is_geo)| Earlier { seq, is_geo }),
        recorded: additions.kept.recorded.map(Time),
        account: std::mem::take(&mut additions.kept.account),
        kept_links,
        ..from_wire(seq, wire, additions)
    })
}

fn kept_to_wire(visit: &Visit) -> Further {
    let links = visit.kept_links.iter().map(|link| WireKeptLink {
        url: Cow::from(&link.url),
        node: link.node,
        depth: link.depth,
        hops: link.hops,
        is_sitemap: link.is_sitemap,
        target: link.target,
        priority: link.priority,
        because: Cow::from(&link.because),
        trail: Cow::Borrowed(&link.trail),
    });
    let links: Vec<WireKeptLink<'_>> = links.collect();
    let packed = (!links.is_empty()).then(|| {
        let bytes = postcard::to_stdvec(&links).expect("no field lacks its length");
        zstd::bulk::compress(&bytes, KEPT_LEVEL).expect("the level is known to the library")
    });
    Further {
        hops: visit.hops,
        is_refresh: visit.is_refresh,
        links: packed.unwrap_or_default(),
        earlier: visit.earlier.map(|page| (page.seq, page.is_geo)),
        recorded: visit.recorded.map(|at| at.0),
        account: visit.account.clone(),
    }
}

fn kept_from_wire(packed: &[u8]) -> Option<Vec<KeptLink>> {
    if packed.is_empty() {
        return Some(Vec::new());
    }
    let bytes = zstd::bulk::decompress(packed, MOST_KEPT).ok()?;
    let links: Vec<WireKeptLink<'_>> = postcard::from_bytes(&bytes).ok()?;
    let links = links.into_iter().map(|link| KeptLink {
        url: link.url.into_owned(),
        node: link.node,
        depth: link.depth,
        hops: link.hops,
        is_sitemap: link.is_sitemap,
        target: link.target,
        priority: link.priority,
        because: link.because.into_owned(),
        trail: link.trail.into_owned(),
    });
    Some(links.collect())
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, WireFault> {
    postcard::from_bytes(bytes).map_err(|_| WireFault::Garbled)
}

fn to_wire(visit: &Visit) -> WireVisit<'_> {
    WireVisit {
        node: visit.node,
        at: visit.at.0,
        errand: match visit.errand {
            Errand::Page => WireErrand::Page,
            Errand::Robots => WireErrand::Robots,
            Errand::Sitemap => WireErrand::Sitemap,
        },
        url: Cow::from(&visit.url),
        outcome: outcome_to_wire(&visit.outcome),
        status: visit.status,
        took_ms: visit.took_ms,
        bytes: visit.bytes,
        archived: visit.archived.map(|at| (at.file, at.offset, at.len)),
        server: visit.server,
        depth: visit.depth,
        from: visit.from.as_deref().map(Cow::from),
        priority: visit.priority,
        because: Cow::from(&visit.because),
        title: Cow::from(&visit.title),
        language: visit.language.as_deref().map(Cow::from),
        target: visit.target,
        entities: visit.entities.iter().map(entity_to_wire).collect(),
        links: visit
            .links
            .iter()
            .map(|link| (link.url.to_le_bytes(), link.node))
            .collect(),
        refused: refused_to_wire(&visit.links),
        tries: visit.tries,
        retry_at: visit.retry_at.map(|at| at.0),
        digest: visit.digest,
        etag: visit.etag.as_deref().map(Cow::from),
        last_modified: visit.last_modified.as_deref().map(Cow::from),
        content_type: visit.content_type.as_deref().map(Cow::from),
        copy: visit.copy.map(|copy| (copy.likeness.number(), copy.of)),
        noindex: visit.noindex,
    }
}

fn from_wire(seq: u64, wire: WireVisit<'_>, additions: Additions) -> Visit {
    let mut links: Vec<LinkRecord> = wire.links.into_iter().map(link_from_wire).collect();
    for (link_idx, number) in wire.refused {
        if let Some(link) = links.get_mut(link_idx as usize) {
            link.refused = Refusal::ALL.get(usize::from(number)).copied();
        }
    }
    for link_idx in additions.waits.cold {
        if let Some(link) = links.get_mut(link_idx as usize) {
            link.is_cold = true;
        }
    }
    let [topicality, importance, alpha] = additions.worth;
    Visit {
        seq,
        node: wire.node,
        at: Time(wire.at),
        recorded: None,
        account: Vec::new(),
        is_sent: !additions.waits.is_unsent,
        errand: match wire.errand {
            WireErrand::Page => Errand::Page,
            WireErrand::Robots => Errand::Robots,
            WireErrand::Sitemap => Errand::Sitemap,
        },
        url: wire.url.into_owned(),
        outcome: outcome_from_wire(wire.outcome),
        status: wire.status,
        took_ms: wire.took_ms,
        bytes: wire.bytes,
        archived: wire
            .archived
            .map(|(file, offset, len)| Shelf { file, offset, len }),
        server: wire.server,
        depth: wire.depth,
        from: wire.from.map(Cow::into_owned),
        priority: wire.priority,
        because: wire.because.into_owned(),
        title: wire.title.into_owned(),
        language: wire.language.map(Cow::into_owned),
        target: wire.target,
        mapped: additions.mapped,
        entities: wire.entities.into_iter().map(entity_from_wire).collect(),
        links,
        tries: wire.tries,
        retry_at: wire.retry_at.map(Time),
        rest: additions.waits.rest.and_then(rest_from_wire),
        digest: wire.digest,
        etag: wire.etag.map(Cow::into_owned),
        last_modified: wire.last_modified.map(Cow::into_owned),
        content_type: wire.content_type.map(Cow::into_owned),
        copy: wire.copy.and_then(|(number, of)| {
            let likeness = *Likeness::ALL.get(usize::from(number))?;
            Some(Copy { likeness, of })
        }),
        earlier: None,
        noindex: wire.noindex,
        trail: additions.trail,
        topicality,
        importance,
        alpha,
        hops: 0,
        is_refresh: false,
        kept_links: Vec::new(),
    }
}

/// Few links are refused, so they are listed apart.
fn refused_to_wire(links: &[LinkRecord]) -> Vec<(u32, u8)> {
    let numbered = (0..).zip(links);
    numbered
        .filter_map(|(link_idx, link)| Some((link_idx, link.refused? as u8)))
        .collect()
}

fn link_from_wire((url, node): (Fixed64, u16)) -> LinkRecord {
    LinkRecord {
        url: u64::from_le_bytes(url),
        node,
        refused: None,
        is_cold: false,
    }
}

fn waits_to_wire(visit: &Visit) -> Waits {
    let cold = (0..).zip(&visit.links).filter(|(_, link)| link.is_cold);
    Waits {
        is_unsent: !visit.is_sent,
        rest: visit.rest.map(|rest| (rest.until.0, rest.cause as u8)),
        cold: cold.map(|(link_idx, _)| link_idx).collect(),
    }
}

fn rest_from_wire((until, cause): (u64, u8)) -> Option<Rest> {
    Some(Rest {
        until: Time(until),
        cause: *RestCause::ALL.get(usize::from(cause))?,
    })
}

fn entity_to_wire(entity: &EntityRecord) -> WireEntity<'_> {
    WireEntity {
        key: entity.key.to_le_bytes(),
        target: entity.target,
        text: Cow::from(&entity.text),
    }
}

fn entity_from_wire(wire: WireEntity<'_>) -> EntityRecord {
    EntityRecord {
        key: u64::from_le_bytes(wire.key),
        target: wire.target,
        text: wire.text.into_owned(),
    }
}

fn outcome_to_wire(outcome: &Outcome) -> WireOutcome<'_> {
    match outcome {
        Outcome::Fetched => WireOutcome::Fetched,
        Outcome::Status => WireOutcome::Status,
        Outcome::Redirected(to) => WireOutcome::Redirected(Cow::from(to)),
        Outcome::Forbidden { line } => WireOutcome::Forbidden(*line),
        Outcome::Unresolved => WireOutcome::Unresolved,
        Outcome::Unreachable(why) => WireOutcome::Unreachable(Cow::from(why)),
        Outcome::TimedOut => WireOutcome::TimedOut,
        Outcome::WrongType(kind) => WireOutcome::WrongType(Cow::from(kind)),
        Outcome::TooLarge => WireOutcome::TooLarge,
        Outcome::PrivateAddress => WireOutcome::PrivateAddress,
        Outcome::Garbled(why) => WireOutcome::Garbled(Cow::from(why)),
        Outcome::Untrusted(why) => WireOutcome::Untrusted(Cow::from(why)),
        Outcome::BadRedirect(to) => WireOutcome::BadRedirect(Cow::from(to)),
        Outcome::SoftMissing => WireOutcome::SoftMissing,
        Outcome::Unchanged => WireOutcome::Unchanged,
        Outcome::NotArchived => WireOutcome::NotArchived,
        Outcome::BadPort => WireOutcome::BadPort,
    }
}

fn outcome_from_wire(wire: WireOutcome<'_>) -> Outcome {
    match wire {
        WireOutcome::Fetched => Outcome::Fetched,
        WireOutcome::Status => Outcome::Status,
        WireOutcome::Redirected(to) => Outcome::Redirected(to.into_owned()),
        WireOutcome::Forbidden(line) => Outcome::Forbidden { line },
        WireOutcome::Unresolved => Outcome::Unresolved,
        WireOutcome::Unreachable(why) => Outcome::Unreachable(why.into_owned()),
        WireOutcome::TimedOut => Outcome::TimedOut,
        WireOutcome::WrongType(kind) => Outcome::WrongType(kind.into_owned()),
        WireOutcome::TooLarge => Outcome::TooLarge,
        WireOutcome::PrivateAddress => Outcome::PrivateAddress,
        WireOutcome::Garbled(why) => Outcome::Garbled(why.into_owned()),
        WireOutcome::Untrusted(why) => Outcome::Untrusted(why.into_owned()),
        WireOutcome::BadRedirect(to) => Outcome::BadRedirect(to.into_owned()),
        WireOutcome::SoftMissing => Outcome::SoftMissing,
        WireOutcome::Unchanged => Outcome::Unchanged,
        WireOutcome::NotArchived => Outcome::NotArchived,
        WireOutcome::BadPort => Outcome::BadPort,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::sample;

    fn without_waits(mut visit: Visit) -> Visit {
        for link in &mut visit.links {
            link.is_cold = false;
        }
        Visit {
            is_sent: true,
            rest: None,
            ..without_kept(visit)
        }
    }

    fn without_kept(visit: Visit) -> Visit {
        Visit {
            hops: 0,
            is_refresh: false,
            kept_links: Vec::new(),
            earlier: None,
            recorded: None,
            account: Vec::new(),
            ..visit
        }
    }

    #[test]
    fn older_records_are_read_and_say_nothing_of_what_they_do_not_know() {
        let visit = sample(4);
        let old = (visit.seq, to_wire(&visit), visit.mapped, &visit.trail);
        let worth: Worth = [visit.topicality, visit.importance, visit.alpha];
        let old = postcard::to_extend(&((old, worth), waits_to_wire(&visit)), vec![VERSION_6]);
        let of_6 = without_kept(visit.clone());
        assert_eq!(decode(&old.unwrap()).as_ref(), Ok(&of_6));
        let worth: Worth = [visit.topicality, visit.importance, visit.alpha];
        let old = (visit.seq, to_wire(&visit), visit.mapped, &visit.trail);
        let old = postcard::to_extend(&(old, worth), vec![VERSION_5]).unwrap();
        let of_5 = without_waits(visit.clone());
        assert_eq!(decode(&old).as_ref(), Ok(&of_5));
        let old = (visit.seq, to_wire(&visit), visit.mapped, &visit.trail);
        let old = postcard::to_extend(&old, vec![VERSION_4]).unwrap();
        let of_4 = Visit {
            topicality: None,
            importance: None,
            alpha: None,
            ..of_5
        };
        assert_eq!(decode(&old).as_ref(), Ok(&of_4));
        let old = (visit.seq, to_wire(&visit), visit.mapped);
        let old = postcard::to_extend(&old, vec![VERSION_3]).unwrap();
        let of_3 = Visit {
            trail: None,
            ..of_4
        };
        assert_eq!(decode(&old).as_ref(), Ok(&of_3));
        let old = postcard::to_extend(&(visit.seq, to_wire(&visit)), vec![VERSION_2]).unwrap();
        let of_2 = Visit {
            mapped: None,
            ..of_3
        };
        assert_eq!(decode(&old), Ok(of_2));
    }
    #[test]
    fn a_crawl_without_a_topic_writes_what_it_always_wrote() {
        let plain = Visit {
            topicality: None,
            importance: None,
            alpha: None,
            ..without_waits(sample(4))
        };
        let old = (plain.seq, to_wire(&plain), plain.mapped, &plain.trail);
        let old = postcard::to_extend(&old, vec![VERSION_4]).unwrap();
        assert_eq!(encode(&plain), old);
        for (topicality, importance, alpha) in [
            (Some(0.25), None, None),
            (None, Some(1.0), Some(0.0)),
            (Some(f32::MIN_POSITIVE), Some(0.5), Some(0.75)),
        ] {
            let visit = Visit {
                topicality,
                importance,
                alpha,
                ..plain.clone()
            };
            assert_eq!(decode(&encode(&visit)), Ok(visit));
        }
    }
}
