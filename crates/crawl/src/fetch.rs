//! Asking for one URL: the one trait behind which networks and made-up webs stand.
//!
//! A fetcher makes exactly one exchange: redirects come back as answers, so
//! that every hop passes the frontier, robots rules and politeness again.

pub mod address;
pub mod archive;
pub mod http;
pub mod made_up;

use crate::robots;
use bytes::Bytes;
use page::url::CanonicalUrl;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use store::visit::{Errand, Time};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where it is.
    pub url: CanonicalUrl,
    /// What for; rules and sitemaps are read whatever their type.
    pub errand: Errand,
    /// What is known of it from an earlier visit: it need not be sent again
    /// unless it has changed.
    pub known: Option<Known>,
    /// Who may be connected to for it.
    pub whom: Whom,
    /// How far it may go.
    pub territory: Territory,
    /// How long to wait for it.
    pub patience: Patience,
}

/// Whose addresses a request may go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Territory {
    /// The public web's.
    Public,
    /// Also those of one's own network, as far as it was opened.
    Own,
}

/// Who may be connected to for a request. A proxy finds that out by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Whom {
    /// Whoever the host's name leads to, one address after the other: nobody
    /// keeps their clocks.
    #[default]
    Anybody,
    /// This address, whose clock has been asked, and no other.
    Only(IpAddr),
    /// Nobody: the host's name led nowhere, and what is known of that is the answer.
    Nobody,
}

/// How long to wait for an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Patience {
    /// As long as a slow small server may take.
    #[default]
    Usual,
    /// Not as long: the host has not answered before, or not of late.
    Short,
}

impl Request {
    /// Asks for a page that is not known yet.
    pub fn page(url: &CanonicalUrl) -> Request {
        Request::of(url, Errand::Page)
    }

    /// Asks for something that is not known yet, wherever a crawl may ask at all.
    pub fn of(url: &CanonicalUrl, errand: Errand) -> Request {
        Request {
            url: url.clone(),
            errand,
            known: None,
            whom: Whom::default(),
            territory: Territory::Own,
            patience: Patience::default(),
        }
    }
}

/// The protocol's own limit for a sitemap, and a little more that shows it was cut.
const MAX_SITEMAP: usize = (50 << 20) + 1;

/// Most bytes of a body that are read, where pages may have `page`. Rules and
/// sitemaps beyond theirs are cut, pages refused.
pub(crate) fn max_body(errand: Errand, page: usize) -> usize {
    match errand {
        Errand::Page => page,
        Errand::Robots => robots::MAX_BYTES + 1,
        Errand::Sitemap => MAX_SITEMAP,
    }
}

/// What a server said of a page so that it can be asked whether it has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// `ETag`, sent back as `If-None-Match`.
    pub etag: Option<String>,
    /// `Last-Modified`, sent back as `If-Modified-Since`.
    pub last_modified: Option<String>,
}

/// What the web did when it was asked. The web misbehaving is data.
#[derive(Debug, Clone)]
pub enum Fetched {
    /// It answered, with whatever status.
    Answer(Answer),
    /// The host's name has no address.
    Unresolved,
    /// Nobody answers there; what the system said.
    Unreachable(String),
    /// No complete answer in time.
    TimedOut,
    /// The body is larger than the limit.
    TooLarge,
    /// The name or address leads inside a private network.
    PrivateAddress,
    /// Not HTTP, or broken HTTP; what was wrong.
    Garbled(String),
    /// The certificate is not the host's, or cannot be trusted; what is wrong with it.
    Untrusted(String),
    /// Not among the pages that are being replayed.
    NotArchived,
    /// Our own way to the web is cut, which says nothing about the host; what the system said.
    Offline(String),
    /// Nothing was answered, which says nothing about the host either; a
    /// repeat, when its turn has come, will do better. What happened.
    Again(String),
}

/// A complete HTTP answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Status line and headers, with the final empty line. Not byte for byte
    /// as received: names are in lower case over HTTP, and what is no longer
    /// true of the body is set aside or left out.
    pub head: Vec<u8>,
    /// `Content-Type`, where given.
    pub content_type: Option<String>,
    /// `Location`, where given.
    pub location: Option<String>,
    /// Body, decoded.
    pub body: Bytes,
}

impl Answer {
    /// A header's first value, where it is there and text.
    pub fn header<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.headers(name).next()
    }

    /// All values of a header that are text.
    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let lines = self.head.split(|&byte| byte == b'\n').skip(1);
        lines.filter_map(move |line| {
            let (key, value) = str::from_utf8(line).ok()?.split_once(':')?;
            key.trim()
                .eq_ignore_ascii_case(name)
                .then_some(value.trim())
        })
    }

    /// The media type without its parameters, in lower case.
    pub fn essence(&self) -> Option<String> {
        let essence = self.content_type.as_ref()?.split(';').next()?.trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }

    /// Whether this is something to read. An answer without a type counts:
    /// many small servers send none.
    pub fn is_text(&self) -> bool {
        self.essence().is_none_or(|essence| {
            essence.starts_with("text/") || essence == "application/xhtml+xml"
        })
    }
}

/// A fetch that has ended.
#[derive(Debug, Clone)]
pub struct Landing {
    /// What came back.
    pub fetched: Fetched,
    /// The server's address, where one was reached.
    pub server: Option<IpAddr>,
    /// From request to last byte, or to giving up.
    pub took: Duration,
    /// When the recording was made that answers in place of the web.
    pub recorded: Option<Time>,
}

/// The machine behind a host, before the host is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Machine {
    /// It has this address.
    At(IpAddr),
    /// It has one of these, in the order in which to try them.
    Among(Arc<[IpAddr]>),
    /// Its address is being looked up; ask again soon.
    Sought,
    /// Its first answer will tell, if anything does.
    Unknown,
}

impl From<Option<IpAddr>> for Machine {
    fn from(address: Option<IpAddr>) -> Machine {
        address.map_or(Machine::Unknown, Machine::At)
    }
}

/// Why nothing can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outage {
    /// The machine is in no network.
    NoRoute,
    /// It is, but no name server answers any more.
    NoNameServer,
}

impl fmt::Display for Outage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outage::NoRoute => "this machine is not connected to the network",
            Outage::NoNameServer => "no name server answers",
        })
    }
}

/// Takes the landing of one fetch, once.
pub type Reply = Box<dyn FnOnce(Landing) + Send>;

/// Something that answers for the web: HTTP, recorded pages, or a made-up web.
pub trait Fetcher: Send + Sync {
    /// Fetches, and calls `reply` exactly once, from any thread.
    fn fetch(&self, request: &Request, reply: Reply);

    /// How long this fetch will take, where that is known beforehand. Only
    /// such a fetcher can run on the virtual clock.
    fn foresee(&self, url: &CanonicalUrl) -> Option<Duration>;

    /// The machine that will be asked, where that can be known beforehand.
    /// Returns at once.
    fn machine(&self, url: &CanonicalUrl) -> Machine;

    /// The request as it goes over the wire, for the archive.
    fn request_head(&self, request: &Request) -> Vec<u8>;

    /// Why nothing can be reached at the moment, if so. What is in the air
    /// waits for that to end.
    fn outage(&self) -> Option<Outage> {
        None
    }
}
