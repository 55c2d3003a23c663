//! Fetches from the real web: one exchange over HTTP, whatever comes of it.
//!
//! Nothing is followed, remembered or sent twice: no redirects, no cookies,
//! no referrer. Every address is checked before it is connected to, and the
//! client connects to the very addresses that were checked, so a name cannot
//! change its mind in between.
//!
//! Whether and when a URL may be asked for is decided before it gets here.

use super::address::{self, OpenRange};
use super::{Answer, Fetched, Fetcher, Landing, Reply, Request};
use crate::robots;
use bytes::{Bytes, BytesMut};
use page::url::CanonicalUrl;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT,
};
use reqwest::{Client, ClientBuilder, Proxy, Response, Version};
use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{self, Runtime};

/// Pages first; anything else only if the server has nothing better.
const ACCEPTED: &str = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1";

/// What the client can undo.
const ENCODINGS: &str = "gzip, br, zstd, deflate";

/// Long enough for a host's next page at a polite pace, short enough that a
/// hundred pages a second leave fewer idle sockets than a usual `ulimit`.
const IDLE: Duration = Duration::from_secs(5);

/// Two threads wait for thousands of sockets; pages are parsed elsewhere.
const N_THREADS: usize = 2;

/// How to behave on the web.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Sent as `User-Agent`; says who we are and where to complain.
    pub user_agent: String,
    /// For the whole exchange, from looking up the name to the last byte.
    pub timeout: Duration,
    /// For reaching the server, a part of `timeout`.
    pub connect_timeout: Duration,
    /// Most bytes of a body, counted after decompression.
    pub max_body: usize,
    /// Sends everything through this proxy, which then looks up the names.
    pub proxy: Option<String>,
    /// Addresses to be fetched from although they are not public.
    pub open_ranges: Vec<OpenRange>,
}

/// Why fetching cannot start.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Header values are visible ASCII.
    #[error("user agent `{0}` cannot be sent in a header")]
    UserAgent(String),
    /// The proxy's address makes no sense.
    #[error("cannot use the proxy `{proxy}`")]
    Proxy {
        /// As given.
        proxy: String,
        /// What the client says.
        source: reqwest::Error,
    },
    /// No threads.
    #[error("cannot start the network threads")]
    Threads(#[source] io::Error),
    /// No TLS, most likely.
    #[error("cannot set up the HTTP client")]
    Client(#[source] reqwest::Error),
}

/// The real web.
///
/// Dropping it ends its threads without waiting; fetches then under way are
/// answered as unreachable.
pub struct Http {
    /// Taken only when dropped.
    runtime: Option<Runtime>,
    exchanger: Arc<Exchanger>,
    user_agent: HeaderValue,
}

impl Http {
    /// Starts the network threads.
    pub fn new(settings: HttpSettings) -> Result<Http, HttpError> {
        let user_agent = HeaderValue::from_str(&settings.user_agent)
            .map_err(|_| HttpError::UserAgent(settings.user_agent.clone()))?;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(N_THREADS)
            .thread_name("fetch")
            .enable_all()
            .build()
            .map_err(HttpError::Threads)?;
        let client = client(&settings, &user_agent)?;
        Ok(Http {
            runtime: Some(runtime),
            exchanger: Arc::new(Exchanger { client, settings }),
            user_agent,
        })
    }
}

impl Fetcher for Http {
    fn fetch(&self, request: &Request, reply: Reply) {
        let call = Call::new(reply);
        let Some(runtime) = &self.runtime else {
            return;
        };
        let exchanger = Arc::clone(&self.exchanger);
        let url = request.url.clone();
        runtime.spawn(async move {
            let (fetched, server) = exchanger.exchange_in_time(&url).await;
            call.answer(fetched, server);
        });
    }

    fn foresee(&self, _url: &CanonicalUrl) -> Option<Duration> {
        None
    }

    fn server(&self, url: &CanonicalUrl) -> Option<IpAddr> {
        address::literal(url.host())
    }

    fn request_head(&self, request: &Request) -> Vec<u8> {
        let url = &request.url;
        let authority = url.origin().split_once("://").map_or("", |(_, rest)| rest);
        let mut head = format!("GET {} HTTP/1.1\r\n", url.path_and_query()).into_bytes();
        for (name, value) in request_headers(&self.user_agent) {
            push_header(&mut head, name.as_str(), value.as_bytes());
        }
        push_header(&mut head, "host", authority.as_bytes());
        head.extend_from_slice(b"\r\n");
        head
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The caller's wait for one landing. Dropped unanswered, because the task
/// was cancelled or broke, it still answers.
struct Call {
    reply: Option<Reply>,
    start: Instant,
}

impl Call {
    fn new(reply: Reply) -> Call {
        Call {
            reply: Some(reply),
            start: Instant::now(),
        }
    }

    fn answer(mut self, fetched: Fetched, server: Option<IpAddr>) {
        self.land(fetched, server);
    }

    fn land(&mut self, fetched: Fetched, server: Option<IpAddr>) {
        if let Some(reply) = self.reply.take() {
            reply(Landing {
                fetched,
                server,
                took: self.start.elapsed(),
            });
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.land(Fetched::Unreachable("fetch given up".to_owned()), None);
    }
}

/// What every exchange shares.
struct Exchanger {
    client: Client,
    settings: HttpSettings,
}

impl Exchanger {
    /// Behind a proxy the only machine ever connected to is the proxy: when
    /// that fails, it is not the host's fault.
    fn blame(&self, error: &reqwest::Error) -> Fetched {
        let is_unheard =
            error.is_connect() && causes(error).iter().any(|cause| cause.is::<io::Error>());
        match classify(error) {
            Fetched::Unreachable(said) if is_unheard && self.settings.proxy.is_some() => {
                Fetched::Offline(said)
            }
            fetched => fetched,
        }
    }

    async fn exchange_in_time(&self, url: &CanonicalUrl) -> (Fetched, Option<IpAddr>) {
        let mut server = None;
        let exchange = self.exchange(url, &mut server);
        let fetched = match tokio::time::timeout(self.settings.timeout, exchange).await {
            Ok(Ok(answer)) => Fetched::Answer(answer),
            Ok(Err(failure)) => failure,
            Err(_elapsed) => Fetched::TimedOut,
        };
        (fetched, server)
    }

    /// One exchange; the server is noted as soon as it is known, so that it
    /// survives a body that never ends.
    async fn exchange(
        &self,
        url: &CanonicalUrl,
        server: &mut Option<IpAddr>,
    ) -> Result<Answer, Fetched> {
        // The client asks no resolver about hosts that are addresses.
        if let Some(ip) = address::literal(url.host())
            && !is_open(ip, &self.settings.open_ranges)
        {
            return Err(Fetched::PrivateAddress);
        }
        let response = self.client.get(url.as_str()).send().await;
        let response = response.map_err(|error| self.blame(&error))?;
        if self.settings.proxy.is_none() {
            *server = response.remote_addr().map(|addr| addr.ip());
        }
        let mut answer = Answer {
            status: response.status().as_u16(),
            head: head(&response),
            content_type: text_of(&response, &CONTENT_TYPE),
            location: text_of(&response, &LOCATION),
            body: Bytes::new(),
        };
        if url.path_and_query() == "/robots.txt" {
            answer.body = robots_body(response).await?;
        } else if is_page(answer.content_type.as_deref()) {
            answer.body = body(response, self.settings.max_body).await?;
        }
        Ok(answer)
    }
}

fn client(settings: &HttpSettings, user_agent: &HeaderValue) -> Result<Client, HttpError> {
    // Fails only when a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let proxy = match &settings.proxy {
        None => None,
        Some(text) => Some(Proxy::all(text).map_err(|source| HttpError::Proxy {
            proxy: text.clone(),
            source,
        })?),
    };
    let builder = || {
        let headers: HeaderMap = request_headers(user_agent).into_iter().collect();
        let builder = forgiving(Client::builder())
            .default_headers(headers)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(settings.connect_timeout)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(1)
            // The environment's proxies are not asked for.
            .no_proxy();
        match &proxy {
            // Only the proxy's own name is looked up here, and that is the operator's choice.
            Some(proxy) => builder.proxy(proxy.clone()),
            None => builder.dns_resolver(Lookup {
                open_ranges: settings.open_ranges.clone(),
            }),
        }
    };
    builder()
        .build()
        .or_else(|_| {
            // A bare container has no certificates, and the client then
            // refuses to exist: bring our own, as browsers do.
            let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS
                .iter()
                .map(|root| reqwest::Certificate::from_der(root))
                .collect::<Result<Vec<_>, _>>()?;
            builder().tls_certs_only(roots).build()
        })
        .map_err(HttpError::Client)
}

/// Takes headers that browsers take, too.
fn forgiving(builder: ClientBuilder) -> ClientBuilder {
    builder
        .http1_ignore_invalid_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_allow_obsolete_multiline_headers_in_responses(true)
}

/// What every request says, in the order in which the client sends it.
fn request_headers(user_agent: &HeaderValue) -> [(HeaderName, HeaderValue); 3] {
    [
        (ACCEPT, HeaderValue::from_static(ACCEPTED)),
        (USER_AGENT, user_agent.clone()),
        (ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS)),
    ]
}

/// Looks names up, and returns only addresses that may be connected to.
struct Lookup {
    open_ranges: Vec<OpenRange>,
}

/// Why a name leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum LookupError {
    #[error("the name has no address")]
    NoAddress,
    #[error("the name has only private addresses")]
    PrivateOnly,
}

impl reqwest::dns::Resolve for Lookup {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let open_ranges = self.open_ranges.clone();
        Box::pin(async move {
            // The client puts the URL's port in the place of this zero.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await;
            let found: Vec<SocketAddr> = found.map_err(|_| LookupError::NoAddress)?.collect();
            if found.is_empty() {
                return Err(LookupError::NoAddress.into());
            }
            let open: Vec<SocketAddr> = found
                .into_iter()
                .filter(|addr| is_open(addr.ip(), &open_ranges))
                .collect();
            if open.is_empty() {
                return Err(LookupError::PrivateOnly.into());
            }
            Ok(Box::new(open.into_iter()) as reqwest::dns::Addrs)
        })
    }
}

fn is_open(ip: IpAddr, open_ranges: &[OpenRange]) -> bool {
    address::is_public(ip) || open_ranges.iter().any(|range| range.contains(ip))
}

/// Status line and headers. Names are in lower case and a compressed body's
/// encoding and length are gone: the client has undone them.
fn head(response: &Response) -> Vec<u8> {
    // HTTP/2 has no text form; archives write it as the version it replaces.
    let version = match response.version() {
        Version::HTTP_10 => "HTTP/1.0",
        _ => "HTTP/1.1",
    };
    let status = response.status();
    let reason = status.canonical_reason().unwrap_or("");
    let mut head = format!("{version} {} {reason}\r\n", status.as_u16()).into_bytes();
    for (name, value) in response.headers() {
        push_header(&mut head, name.as_str(), value.as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head
}

fn push_header(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(b": ");
    head.extend_from_slice(value);
    head.extend_from_slice(b"\r\n");
}

/// A header as text; servers do write raw UTF-8 into `Location`.
fn text_of(response: &Response, name: &HeaderName) -> Option<String> {
    let value = response.headers().get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Whether a body may be a page; others stay on the server.
fn is_page(content_type: Option<&str>) -> bool {
    let Some(content_type) = content_type else {
        return true;
    };
    let essence = content_type.split(';').next().unwrap_or("").trim();
    let essence = essence.to_ascii_lowercase();
    essence.is_empty() || essence.starts_with("text/") || essence == "application/xhtml+xml"
}

async fn body(mut response: Response, max_body: usize) -> Result<Bytes, Fetched> {
    let announced = response.content_length().unwrap_or(0);
    if usize::try_from(announced).map_or(true, |announced| announced > max_body) {
        return Err(Fetched::TooLarge);
    }
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| classify(&error))? {
        if chunk.len() > max_body - body.len() {
            return Err(Fetched::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Robots rules, of whatever type and length: to miss them would be to
/// disobey them, so what is too long is cut where its reader would cut it.
async fn robots_body(mut response: Response) -> Result<Bytes, Fetched> {
    let mut body = BytesMut::new();
    while body.len() <= robots::MAX_BYTES
        && let Some(chunk) = response.chunk().await.map_err(|error| classify(&error))?
    {
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// What the web did, from what the client says about it.
fn classify(error: &reqwest::Error) -> Fetched {
    let causes = causes(error);
    if let Some(lookup) = causes.iter().find_map(|cause| cause.downcast_ref()) {
        return match lookup {
            LookupError::NoAddress => Fetched::Unresolved,
            LookupError::PrivateOnly => Fetched::PrivateAddress,
        };
    }
    if error.is_timeout() {
        return Fetched::TimedOut;
    }
    let said = causes
        .last()
        .map_or_else(|| error.to_string(), ToString::to_string);
    // Somebody answers there, but cannot prove who it is or speaks no TLS.
    let is_tls = causes.iter().any(|cause| cause.is::<rustls::Error>());
    let is_broken_off = causes
        .iter()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| is_broken_off(error.kind()));
    if !is_tls && (error.is_connect() || is_broken_off) {
        Fetched::Unreachable(said)
    } else {
        Fetched::Garbled(said)
    }
}

/// The error's causes, outermost first. What an `io::Error` wraps is among
/// them, although it is no `source` of it.
fn causes(error: &reqwest::Error) -> Vec<&(dyn Error + 'static)> {
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause);
        let wrapped = cause
            .downcast_ref::<io::Error>()
            .and_then(|error| error.get_ref());
        next = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => cause.source(),
        };
    }
    causes
}

fn is_broken_off(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::NotConnected
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
    )
}
