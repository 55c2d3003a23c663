//! What happened to one ticket: the records of the visit log.

/// Milliseconds since 1970, by the crawl's own clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Time(pub u64);

/// What the ticket was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Errand {
    /// A page.
    Page,
    /// A host's robots rules.
    Robots,
    /// A list of a site's pages.
    Sitemap,
}

/// How a ticket ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// An answer that is kept: a page with status 200, or robots rules.
    Fetched,
    /// An answer with another status (4xx, 5xx).
    Status,
    /// Sent elsewhere, to this URL.
    Redirected(String),
    /// Robots rules forbid it; which line says so.
    Forbidden {
        /// Number of the line, from one; zero where the rules cannot be had,
        /// which forbids everything.
        line: u32,
    },
    /// The host's name has no address.
    Unresolved,
    /// Nobody answers there.
    Unreachable(String),
    /// Too slow.
    TimedOut,
    /// Not HTML or text; the type.
    WrongType(String),
    /// Larger than the limit.
    TooLarge,
    /// The address is private.
    PrivateAddress,
    /// The answer made no sense; what the client said.
    Garbled(String),
    /// Who answers there cannot prove to be the host; what is wrong with the certificate.
    Untrusted(String),
    /// Sent to something that is no web page, or around in circles; which.
    BadRedirect(String),
    /// Says "found" and shows an error page.
    SoftMissing,
    /// Asked for again, and it has not changed.
    Unchanged,
    /// Not among the recorded pages that are being replayed.
    NotArchived,
    /// Some other service's port, or one more than are asked of any host.
    BadPort,
}

/// Why a link was not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Refusal {
    /// Too many links away from where its site was entered.
    TooDeep,
    /// Its page, or its `rel`, asks not to follow it.
    NoFollow,
    /// Its page is a copy of one whose links were followed.
    OnCopy,
    /// Longer than any address that a person has to do with.
    TooLong,
    /// The same path segments again and again.
    RepeatingPath,
    /// One of a calendar's endless days.
    Calendar,
    /// The same pages under one more combination of parameters.
    Facets,
    /// A pattern of addresses that has brought nothing but copies.
    CopyPattern,
    /// Something else than a page, by its extension.
    NotAPage,
    /// Under a country's domain that the crawl leaves out.
    ForeignDomain,
    /// On a page in a language that the crawl leaves out.
    ForeignLanguage,
    /// The order follows links that name places, and this one names none.
    NotGeographic,
    /// Its page has more links than are followed of any.
    TooManyLinks,
    /// Into one's own network, from a page that is not of it.
    FromOutside,
    /// Not among the hosts, domains and patterns that the crawl keeps to.
    OutOfScope,
    /// Of a pattern that the crawl leaves out.
    Excluded,
}

impl Refusal {
    /// Every reason, in the order of their numbers.
    pub const ALL: [Refusal; 16] = [
        Refusal::TooDeep,
        Refusal::NoFollow,
        Refusal::OnCopy,
        Refusal::TooLong,
        Refusal::RepeatingPath,
        Refusal::Calendar,
        Refusal::Facets,
        Refusal::CopyPattern,
        Refusal::NotAPage,
        Refusal::ForeignDomain,
        Refusal::ForeignLanguage,
        Refusal::NotGeographic,
        Refusal::TooManyLinks,
        Refusal::FromOutside,
        Refusal::OutOfScope,
        Refusal::Excluded,
    ];

    /// A few words for people.
    pub fn name(self) -> &'static str {
        match self {
            Refusal::TooDeep => "too deep in its site",
            Refusal::NoFollow => "asked not to follow",
            Refusal::OnCopy => "on a copy of another page",
            Refusal::TooLong => "address too long",
            Refusal::RepeatingPath => "path repeats itself",
            Refusal::Calendar => "endless calendar",
            Refusal::Facets => "one more combination of parameters",
            Refusal::CopyPattern => "like addresses that brought only copies",
            Refusal::NotAPage => "not a page by its extension",
            Refusal::ForeignDomain => "under a country's domain that is left out",
            Refusal::ForeignLanguage => "on a page in a language that is left out",
            Refusal::NotGeographic => "names no place",
            Refusal::TooManyLinks => "on a page with too many links",
            Refusal::FromOutside => "into your own network, from outside",
            Refusal::OutOfScope => "out of scope",
            Refusal::Excluded => "excluded",
        }
    }
}

/// What an earlier page a page is a copy of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copy {
    /// How alike.
    pub likeness: Likeness,
    /// Position of the original's visit in the log.
    pub of: u64,
}

/// How alike two pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// Byte for byte, of the same registrable domain.
    Exact,
    /// But for a few words.
    Near,
    /// Byte for byte, of another registrable domain: either may be the
    /// original, whichever came first.
    Mirrored,
}

impl Likeness {
    /// Every likeness, in the order of their numbers.
    pub(crate) const ALL: [Likeness; 3] = [Likeness::Near, Likeness::Exact, Likeness::Mirrored];

    /// Its number in the log.
    pub(crate) fn number(self) -> u8 {
        match self {
            Likeness::Near => 0,
            Likeness::Exact => 1,
            Likeness::Mirrored => 2,
        }
    }
}

/// What a page was before it was fetched again and had changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Earlier {
    /// Position of the visit that had brought it, and that counts no more.
    pub seq: u64,
    /// Whether it had an address in a target.
    pub is_geo: bool,
}

/// One record of the visit log.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit {
    /// Position in the log, from zero; set by the store.
    pub seq: u64,
    /// The node whose ticket it was.
    pub node: u16,
    /// When the request was sent, or would have been.
    pub at: Time,
    /// When the recording was made that answered in place of the web.
    pub recorded: Option<Time>,
    /// Whether one was sent: the host may be dead for now, or rules forbid it.
    /// True in records written before it was kept.
    pub is_sent: bool,
    /// What for.
    pub errand: Errand,
    /// Canonical address.
    pub url: String,
    /// How it ended.
    pub outcome: Outcome,
    /// HTTP status, where there was an answer.
    pub status: Option<u16>,
    /// Milliseconds from request to last byte.
    pub took_ms: u32,
    /// Bytes of body.
    pub bytes: u32,
    /// Where the response record is.
    pub archived: Option<crate::warc::Shelf>,
    /// Address of the server.
    pub server: Option<std::net::IpAddr>,
    /// Links followed since the site was entered.
    pub depth: u16,
    /// The page it was found on; none for a seed.
    pub from: Option<String>,
    /// The priority it was fetched with.
    pub priority: f32,
    /// Why this node, and why so soon.
    pub because: String,
    /// What decided how soon: signs that mean something to the order alone,
    /// each with what it counted in log odds. They add up to those of the
    /// priority. Empty where the order decides otherwise.
    pub account: Vec<(u32, f32)>,
    /// Title of the page.
    pub title: String,
    /// Declared or detected language.
    pub language: Option<String>,
    /// The target that the strategy took this page's URL to be about, as a GeoNames id.
    pub target: Option<u32>,
    /// The target that the strategy maps the page itself to, now that it was
    /// read, as a GeoNames id: what locality is measured by. None also in
    /// records written before it was kept.
    pub mapped: Option<u32>,
    /// Addresses found.
    pub entities: Vec<EntityRecord>,
    /// Links found.
    pub links: Vec<LinkRecord>,
    /// Times it had been tried before.
    pub tries: u8,
    /// When it is tried again, where this failure may pass.
    pub retry_at: Option<Time>,
    /// How long its host is left alone from here on, where that is long.
    pub rest: Option<Rest>,
    /// SHA-1 of the body.
    pub digest: Option<[u8; 20]>,
    /// `ETag`, to ask again with.
    pub etag: Option<String>,
    /// `Last-Modified`, to ask again with.
    pub last_modified: Option<String>,
    /// Media type without parameters.
    pub content_type: Option<String>,
    /// The page it is a copy of.
    pub copy: Option<Copy>,
    /// What it takes the place of, where it brought a page once more.
    pub earlier: Option<Earlier>,
    /// The page asks not to be found in searches.
    pub noindex: bool,
    /// How its link was come by; none also in records written before it was
    /// kept.
    pub trail: Option<Trail>,
    /// How much the page is about the crawl's topic, from 0 to 1; none in a
    /// crawl without one.
    pub topicality: Option<f32>,
    /// How important the page looks, from 0 to 1; none where the order does
    /// not ask.
    pub importance: Option<f32>,
    /// What the topic counted for against importance, from 0 to 1, for the
    /// links of this page: the node's own at that time.
    pub alpha: Option<f32>,
    /// Redirects in a row that led here.
    pub hops: u8,
    /// It had been fetched before, and was asked for again.
    pub is_refresh: bool,
    /// The links that were followed, in full, where the archive has no copy of
    /// the page that they could be read from again.
    pub kept_links: Vec<KeptLink>,
}

/// A link on its way into a frontier, as kept.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptLink {
    /// Where it leads.
    pub url: String,
    /// The node it was given to.
    pub node: u16,
    /// Links followed since its site was entered.
    pub depth: u16,
    /// Redirects that led there in a row.
    pub hops: u8,
    /// Whether it leads to a list of a site's pages.
    pub is_sitemap: bool,
    /// GeoNames id of the target it was taken to be about.
    pub target: Option<u32>,
    /// From 0 (last) to 1 (first).
    pub priority: f32,
    /// Why this node, and why so soon.
    pub because: String,
    /// How it was come by.
    pub trail: Trail,
}

/// How a link was come by, as far as orders look at it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Trail {
    /// Links since the last relevant page, where seeds count as relevant: one
    /// for a link that stands on such a page, none for a seed.
    pub distance: u16,
    /// Links since the seed.
    pub steps: u16,
    /// What the order saw of the link: numbers that mean something to it
    /// alone.
    pub clues: Vec<u32>,
    /// Whether one's own network named it: a seed does, and a page from there.
    /// Nothing else may lead there.
    pub is_own: bool,
}

impl Visit {
    /// A record that says no more than who asked for what, when, and how it ended.
    pub fn new(node: u16, errand: Errand, at: Time, url: &str, outcome: Outcome) -> Visit {
        Visit {
            seq: 0,
            node,
            at,
            recorded: None,
            is_sent: true,
            errand,
            url: url.to_owned(),
            outcome,
            status: None,
            took_ms: 0,
            bytes: 0,
            archived: None,
            server: None,
            depth: 0,
            from: None,
            priority: 1.0,
            because: String::new(),
            account: Vec::new(),
            title: String::new(),
            language: None,
            target: None,
            mapped: None,
            entities: Vec::new(),
            links: Vec::new(),
            tries: 0,
            retry_at: None,
            rest: None,
            digest: None,
            etag: None,
            last_modified: None,
            content_type: None,
            copy: None,
            earlier: None,
            noindex: false,
            trail: None,
            topicality: None,
            importance: None,
            alpha: None,
            hops: 0,
            is_refresh: false,
            kept_links: Vec::new(),
        }
    }

    /// Whether it brought a page, for the first time or again.
    pub fn is_page(&self) -> bool {
        self.errand == Errand::Page && self.outcome == Outcome::Fetched
    }

    /// When what it brought was like that: as it was fetched, or recorded.
    pub fn date(&self) -> Time {
        self.recorded.unwrap_or(self.at)
    }

    /// Whether it brought an address in a target.
    pub fn is_geo(&self) -> bool {
        !self.entities.is_empty()
    }
}

/// How many pages there are: different addresses, each as it was when it was
/// last fetched with success. An address fetched by two nodes is a page of
/// each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageCount {
    /// All of them.
    pub n_pages: u64,
    /// Those with an address in a target.
    pub n_geo_pages: u64,
}

impl PageCount {
    /// Counts one visit.
    pub fn add(&mut self, visit: &Visit) {
        if visit.is_page() {
            self.add_page(visit.is_geo(), visit.earlier);
        }
    }

    /// Counts a page, which may have been there before.
    pub fn add_page(&mut self, is_geo: bool, earlier: Option<Earlier>) {
        match earlier {
            None => self.n_pages += 1,
            Some(earlier) => {
                // A count that began later than the log has not heard of it.
                let had = u64::from(earlier.is_geo);
                self.n_geo_pages = self.n_geo_pages.saturating_sub(had);
            }
        }
        self.n_geo_pages += u64::from(is_geo);
    }
}

/// A host is left alone for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// When it may be asked again.
    pub until: Time,
    /// What for.
    pub cause: RestCause,
}

/// Why a host is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum RestCause {
    /// It asked for it, or failed just now.
    Resting,
    /// It does not answer.
    Parked,
    /// It has not answered for so long that its URLs wait no more.
    GivenUp,
}

impl RestCause {
    /// Every cause, in the order of their numbers.
    pub const ALL: [RestCause; 3] = [RestCause::Resting, RestCause::Parked, RestCause::GivenUp];

    /// A word or two for people.
    pub fn name(self) -> &'static str {
        match self {
            RestCause::Resting => "left alone",
            RestCause::Parked => "parked",
            RestCause::GivenUp => "given up",
        }
    }
}

/// An address found on a page, as kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityRecord {
    /// Equal for equal addresses.
    pub key: u64,
    /// GeoNames id of the target it is in.
    pub target: u32,
    /// The address, normalised, for people.
    pub text: String,
}

/// A link found on a page, as kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkRecord {
    /// Short fingerprint of its URL.
    pub url: u64,
    /// The node it was given to.
    pub node: u16,
    /// Why it was given to nobody after all.
    pub refused: Option<Refusal>,
    /// Its domain was over its budget: it waits until everything else is done.
    /// False also where another node has taken it in.
    pub is_cold: bool,
}

impl LinkRecord {
    /// Whether its page stands by it: what it asks not to follow speaks for
    /// nobody.
    pub fn is_vouched_for(&self) -> bool {
        self.refused != Some(Refusal::NoFollow)
    }
}

/// A visit whose fields all depend on `n`, for tests.
#[cfg(test)]
pub(crate) fn sample(n: u64) -> Visit {
    let outcomes = [
        Outcome::Fetched,
        Outcome::Status,
        Outcome::Redirected("http://b.example/".to_owned()),
        Outcome::Forbidden { line: 7 },
        Outcome::Unresolved,
        Outcome::Unreachable("connection refused".to_owned()),
        Outcome::TimedOut,
        Outcome::WrongType("image/png".to_owned()),
        Outcome::TooLarge,
        Outcome::PrivateAddress,
        Outcome::Garbled("bad chunk".to_owned()),
        Outcome::Untrusted("expired".to_owned()),
        Outcome::BadRedirect("file:///etc/passwd".to_owned()),
        Outcome::SoftMissing,
        Outcome::Unchanged,
        Outcome::NotArchived,
        Outcome::BadPort,
    ];
    let is_even = n.is_multiple_of(2);
    Visit {
        seq: n,
        node: (n % 6) as u16,
        at: Time(1_700_000_000_000 + n),
        recorded: n.is_multiple_of(4).then_some(Time(1_600_000_000_000 + n)),
        is_sent: n % 3 < 2,
        errand: [Errand::Page, Errand::Robots, Errand::Sitemap][n as usize % 3],
        url: format!("http://town.example/page/{n}"),
        outcome: outcomes[n as usize % outcomes.len()].clone(),
        status: is_even.then_some(200),
        took_ms: n as u32,
        bytes: 24_000,
        archived: is_even.then_some(crate::warc::Shelf {
            file: 1,
            offset: n * 9000,
            len: 8000,
        }),
        server: is_even.then_some([127, 0, 0, n as u8].into()),
        depth: 3,
        from: is_even.then(|| "http://town.example/".to_owned()),
        priority: n as f32 / 3.0,
        because: "anchor names the city".to_owned(),
        account: (0..n as u32 % 3).map(|sign| (sign << 9, 0.5)).collect(),
        title: format!("Page {n} · Süd"),
        language: is_even.then(|| "de".to_owned()),
        target: Some(4_699_066),
        mapped: is_even.then_some(4_684_888),
        entities: vec![
            EntityRecord {
                key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                target: 4_699_066,
                text: "901 Bagby St, Houston, TX 77002".to_owned(),
            };
            (n % 3) as usize
        ],
        links: (0..n % 5)
            .map(|url| LinkRecord {
                url: !url,
                node: 2,
                refused: (url == 3).then_some(Refusal::Calendar),
                is_cold: url == 1,
            })
            .collect(),
        tries: (n % 4) as u8,
        retry_at: is_even.then_some(Time(1_800_000_000_000)),
        rest: n.is_multiple_of(5).then(|| Rest {
            until: Time(1_900_000_000_000 + n),
            cause: RestCause::ALL[n as usize % 3],
        }),
        digest: is_even.then_some([n as u8; 20]),
        etag: is_even.then(|| format!("\"{n}\"")),
        last_modified: is_even.then(|| "Mon, 01 May 2006 00:00:00 GMT".to_owned()),
        content_type: is_even.then(|| "text/html".to_owned()),
        copy: is_even.then_some(Copy {
            likeness: Likeness::ALL[n as usize / 2 % 3],
            of: n / 2,
        }),
        earlier: n.is_multiple_of(6).then(|| Earlier {
            seq: n / 3,
            is_geo: n.is_multiple_of(12),
        }),
        noindex: !is_even,
        trail: is_even.then(|| Trail {
            distance: (n % 7) as u16,
            steps: n as u16,
            clues: (0..n as u32 % 4).map(|clue| clue << 19).collect(),
            is_own: n.is_multiple_of(3),
        }),
        topicality: is_even.then_some(0.75),
        importance: n.is_multiple_of(3).then_some(n as f32 / 100.0),
        alpha: n.is_multiple_of(4).then_some(0.5),
        hops: (n % 3) as u8,
        is_refresh: n.is_multiple_of(7),
        kept_links: (0..n % 4)
            .map(|nth| KeptLink {
                url: format!("http://town.example/kept/{nth}"),
                node: 3,
                depth: n as u16,
                hops: nth as u8,
                is_sitemap: nth == 2,
                target: is_even.then_some(4_699_066),
                priority: 0.25,
                because: "where it was found".to_owned(),
                trail: Trail::default(),
            })
            .collect(),
    }
}
