//! Fetches from the real web: one exchange over HTTP, whatever comes of it.
//!
//! Nothing is followed, remembered or sent twice: no redirects, no cookies,
//! no referrer. Every address is checked before it is connected to, and the
//! connection goes to the very address that was checked, so a name cannot
//! change its mind in between.
//!
//! Whether and when a URL may be asked for is decided before it gets here.
//! From the outside in: `lane.rs` is a network thread, `exchange.rs` one
//! exchange on it, over a `link.rs` that `connect.rs` made or `pool.rs` kept.

mod body;
mod budget;
mod connect;
mod decode;
mod dns;
mod exchange;
mod failure;
mod lane;
mod link;
mod meter;
mod outage;
mod pool;
mod request;
mod tls;

pub use budget::Budget;
pub use tls::Roots;

use super::address::OpenRange;
use super::{Fetcher, Machine, Outage, Reply, Request};
use budget::Sockets;
use connect::{Connector, Proxy};
use dns::{Directory, Names};
use exchange::Exchanger;
use lane::{Call, Job, Lane};
use outage::Outlook;
use page::url::CanonicalUrl;
use request::Asker;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio_rustls::TlsConnector;

/// Two threads wait for thousands of sockets; pages are parsed elsewhere.
const N_LANES: usize = 2;

/// How to behave on the web.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Sent as `User-Agent`; says who we are and where to complain.
    pub user_agent: String,
    /// For the whole exchange, from looking up the name to the last byte.
    pub timeout: Duration,
    /// For reaching the server, a part of `timeout`.
    pub connect_timeout: Duration,
    /// From sending the request to the end of the answer's head, a part of `timeout`.
    pub first_byte_timeout: Duration,
    /// Between two pieces of a body, a part of `timeout`.
    pub idle_timeout: Duration,
    /// Most bytes of a body, counted after decompression.
    pub max_body: usize,
    /// Sends everything through this proxy, which then looks up the names.
    pub proxy: Option<String>,
    /// Addresses to be fetched from although they are not public.
    pub open_ranges: Vec<OpenRange>,
    /// Who vouches for certificates.
    pub roots: Roots,
    /// Asks this name server instead of the system's.
    pub dns: Option<SocketAddr>,
    /// Sockets that may be open at once.
    pub budget: Budget,
}

impl Default for HttpSettings {
    /// Patient enough for slow small servers: half a minute in all, ten
    /// seconds to be reached and between two pieces, bodies up to 10 MiB.
    fn default() -> HttpSettings {
        HttpSettings {
            user_agent: concat!("Locavore/", env!("CARGO_PKG_VERSION")).to_owned(),
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(10),
            first_byte_timeout: Duration::from_secs(20),
            idle_timeout: Duration::from_secs(10),
            max_body: 10 << 20,
            proxy: None,
            open_ranges: Vec::new(),
            roots: Roots::System,
            dns: None,
            budget: Budget::default(),
        }
    }
}

/// Why fetching cannot start.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Header values are visible ASCII.
    #[error("user agent `{0}` cannot be sent in a header")]
    UserAgent(String),
    /// The proxy's address makes no sense.
    #[error("cannot use the proxy `{proxy}`: {why}")]
    Proxy {
        /// As given.
        proxy: String,
        /// What is wrong with it.
        why: String,
    },
    /// The file with root certificates is of no use.
    #[error("cannot use the certificates in `{}`: {why}", path.display())]
    Roots {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// No encryption.
    #[error("cannot set up encryption")]
    Tls(#[source] rustls::Error),
    /// No threads.
    #[error("cannot start the network threads")]
    Threads(#[source] io::Error),
}

/// The real web.
///
/// Dropping it ends its threads without waiting; fetches then under way are
/// answered as unreachable.
pub struct Http {
    lanes: Vec<Lane>,
    asker: Asker,
    directory: Arc<Directory>,
    outlook: Arc<Outlook>,
    is_proxied: bool,
}

impl Http {
    /// Starts the network threads.
    pub fn new(settings: HttpSettings) -> Result<Http, HttpError> {
        let proxy = settings.proxy.as_deref().map(Proxy::parse).transpose()?;
        let asker = Asker::new(&settings.user_agent, proxy.is_some())?;
        let tls = TlsConnector::from(tls::config(&settings.roots)?);
        let directory = Arc::new(Directory::new(settings.open_ranges.clone()));
        let outlook = Arc::new(Outlook::default());
        let sockets = Arc::new(Sockets::new(settings.budget));
        let is_proxied = proxy.is_some();
        let settings = Arc::new(settings);
        let lanes = (0..N_LANES)
            .map(|nth| {
                let (settings, asker) = (Arc::clone(&settings), asker.clone());
                let (tls, proxy) = (tls.clone(), proxy.clone());
                let (directory, outlook) = (Arc::clone(&directory), Arc::clone(&outlook));
                let sockets = Arc::clone(&sockets);
                Lane::start(&format!("fetch-{nth}"), move || {
                    let (names_outlook, of_names) = (Arc::clone(&outlook), Arc::clone(&sockets));
                    let names = Names::new(settings.dns, directory, names_outlook, of_names);
                    let connector = Connector::new(&settings, names, tls, proxy, outlook);
                    Exchanger::new(settings, asker, connector, sockets)
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Http {
            lanes,
            asker,
            directory,
            outlook,
            is_proxied,
        })
    }

    /// The thread that a URL's host belongs to.
    fn lane(&self, url: &CanonicalUrl) -> &Lane {
        let mut hasher = DefaultHasher::new();
        url.host().hash(&mut hasher);
        &self.lanes[hasher.finish() as usize % self.lanes.len()]
    }
}

impl Fetcher for Http {
    fn fetch(&self, request: &Request, reply: Reply) {
        let job = Job::Fetch(request.clone(), Call::new(reply));
        self.lane(&request.url).hand(job);
    }

    fn foresee(&self, _url: &CanonicalUrl) -> Option<Duration> {
        None
    }

    fn machine(&self, url: &CanonicalUrl) -> Machine {
        if self.is_proxied {
            return super::address::betrayed(url.host()).into();
        }
        if self.directory.begin(url.host()) {
            self.lane(url).hand(Job::LookUp(url.clone()));
        }
        self.directory.machine(url.host())
    }

    fn request_head(&self, request: &Request) -> Vec<u8> {
        self.asker.head(request)
    }

    fn outage(&self) -> Option<Outage> {
        self.outlook.outage()
    }
}
