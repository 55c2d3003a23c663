//! From a URL to a connection: addresses, socket, proxy, encryption.

use super::budget::Crowded;
use super::dns::{Finding, Names};
use super::link::Link;
use super::meter::Stream;
use super::outage::Outlook;
use super::{HttpError, HttpSettings, failure};
use crate::fetch::{Fetched, Outage, Patience, Request, Territory, Whom, address};
use page::url::CanonicalUrl;
use rustls::pki_types::ServerName;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// How long one of several addresses is waited for before the next is tried.
const NEXT_ADDRESS: Duration = Duration::from_secs(3);

/// How long a host is waited for that has not answered before.
const SHORT_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Most bytes of a proxy's answer to `CONNECT`.
const MAX_TUNNEL_HEAD: usize = 8 << 10;

/// Why there is no connection, or no answer over one.
pub(super) enum Setback {
    /// The web did this.
    Web(Fetched),
    /// We did; it says nothing about anybody.
    Crowded,
}

impl From<Fetched> for Setback {
    fn from(fetched: Fetched) -> Setback {
        Setback::Web(fetched)
    }
}

impl From<Crowded> for Setback {
    fn from(_: Crowded) -> Setback {
        Setback::Crowded
    }
}

/// A proxy that everything goes through.
#[derive(Debug, Clone)]
pub(super) struct Proxy {
    host: String,
    port: u16,
}

impl Proxy {
    /// Reads `http://127.0.0.1:8100`.
    pub(super) fn parse(text: &str) -> Result<Proxy, HttpError> {
        let bad = |why: String| HttpError::Proxy {
            proxy: text.to_owned(),
            why,
        };
        let url = CanonicalUrl::parse(text).map_err(|error| bad(error.to_string()))?;
        if url.scheme() != "http" {
            return Err(bad("only `http://` proxies are supported".to_owned()));
        }
        Ok(Proxy {
            host: url.host().to_owned(),
            port: url.port(),
        })
    }
}

/// Makes connections.
pub(super) struct Connector {
    names: Names,
    tls: TlsConnector,
    proxy: Option<Proxy>,
    outlook: Arc<Outlook>,
    connect_timeout: Duration,
}

impl Connector {
    pub(super) fn new(
        settings: &HttpSettings,
        names: Names,
        tls: TlsConnector,
        proxy: Option<Proxy>,
        outlook: Arc<Outlook>,
    ) -> Connector {
        Connector {
            names,
            tls,
            proxy,
            outlook,
            connect_timeout: settings.connect_timeout,
        }
    }

    /// Whether being cut off passes by itself: a proxy that is gone is the
    /// operator's affair.
    pub(super) fn is_patient(&self) -> bool {
        self.proxy.is_none()
    }

    /// Looks a host up before it is needed.
    pub(super) async fn resolve_ahead(&self, url: &CanonicalUrl) {
        if self.proxy.is_none() {
            self.names.find_ahead(url.host()).await;
        }
    }

    /// Connects to whom a request is for, or to the proxy for it. The server
    /// is noted once it is reached, whatever comes of the rest.
    pub(super) async fn connect(
        &self,
        request: &Request,
        server: &mut Option<IpAddr>,
    ) -> Result<Link, Setback> {
        let (url, patience) = (&request.url, request.patience);
        let Some(proxy) = &self.proxy else {
            let addresses = self.addresses_of(request).await?;
            let reached = self
                .in_time(patience, reach(&addresses, url.port()))
                .await?;
            let stream = reached.map_err(|error| self.setback(&error))?;
            self.outlook.connected();
            *server = stream.peer_addr().ok().map(|peer| peer.ip());
            let speaking = self.speak(url, stream, *server);
            return Ok(self.in_time(patience, speaking).await??);
        };
        let stream = self.in_time(patience, reach_proxy(proxy)).await?;
        let mut stream = stream.map_err(|error| match Crowded::explains(&error) {
            true => Setback::Crowded,
            false => Fetched::Offline(error.to_string()).into(),
        })?;
        if url.scheme() == "https" {
            self.in_time(patience, tunnel(&mut stream, url)).await??;
        }
        let speaking = self.speak(url, stream, None);
        Ok(self.in_time(patience, speaking).await??)
    }

    /// Why a connection to a host could not be made.
    fn setback(&self, error: &io::Error) -> Setback {
        if Crowded::explains(error) {
            return Setback::Crowded;
        }
        match self.outlook.explains(error) {
            Some(outage) => offline(outage).into(),
            None => failure::of_connect(error).into(),
        }
    }

    async fn in_time<T>(
        &self,
        patience: Patience,
        work: impl Future<Output = T>,
    ) -> Result<T, Fetched> {
        let most = match patience {
            Patience::Usual => self.connect_timeout,
            Patience::Short => self.connect_timeout.min(SHORT_CONNECT_TIMEOUT),
        };
        let done = timeout(most, work).await;
        done.map_err(|_elapsed| Fetched::TimedOut)
    }

    /// Refuses a host that can be seen to be private before anything is
    /// looked up. Behind a proxy that is all there is: names are looked up
    /// there.
    pub(super) fn check(&self, host: &str, territory: Territory) -> Result<(), Fetched> {
        let is_open = match address::betrayed(host) {
            _ if self.proxy.is_none() => true,
            Some(ip) => self.admits(ip, territory),
            None => !address::is_inside_name(host),
        };
        is_open.then_some(()).ok_or(Fetched::PrivateAddress)
    }

    /// Whether an address may be connected to.
    pub(super) fn admits(&self, ip: IpAddr, territory: Territory) -> bool {
        self.names.admits(ip, territory)
    }

    /// The addresses that may be connected to for a request.
    async fn addresses_of(&self, request: &Request) -> Result<Arc<[IpAddr]>, Setback> {
        let (host, territory) = (request.url.host(), request.territory);
        match request.whom {
            Whom::Only(address) if self.admits(address, territory) => Ok([address].into()),
            Whom::Only(_) => Err(Fetched::PrivateAddress.into()),
            Whom::Anybody => self.addresses(host, territory).await,
            Whom::Nobody => match self.addresses(host, territory).await {
                // Nobody has asked the clocks of these.
                Ok(_) => Err(Fetched::Again("its address was not known yet".into()).into()),
                failed => failed,
            },
        }
    }

    /// The addresses of a host that may be connected to.
    async fn addresses(&self, host: &str, territory: Territory) -> Result<Arc<[IpAddr]>, Setback> {
        let failed = match self.names.tell(host).await? {
            Finding::Open(addresses) if self.admits(addresses[0], territory) => {
                return Ok(addresses);
            }
            Finding::Open(_) | Finding::Private => Fetched::PrivateAddress,
            Finding::NoName => Fetched::Unresolved,
            Finding::NoAnswer => {
                let are_silent = self.names.are_silent();
                match self.outlook.explains_silence(are_silent).await {
                    Some(outage) => offline(outage),
                    None => Fetched::Unreachable("its name servers do not answer".to_owned()),
                }
            }
        };
        Err(failed.into())
    }

    /// Agrees on encryption and on the version of HTTP.
    async fn speak(
        &self,
        url: &CanonicalUrl,
        stream: TcpStream,
        server: Option<IpAddr>,
    ) -> Result<Link, Fetched> {
        let exchange = |error: hyper::Error| failure::of_exchange(&error);
        if url.scheme() != "https" {
            let link = Link::one(Stream::Plain(stream), server).await;
            return link.map_err(exchange);
        }
        let name = ServerName::try_from(url.host().to_owned())
            .map_err(|_| Fetched::Untrusted("no certificate can be for this name".to_owned()))?;
        let stream = self.tls.connect(name, stream).await;
        let stream = stream.map_err(|error| failure::of_tls(&error))?;
        let is_two = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        let stream = Stream::Tls(Box::new(stream));
        let link = if is_two {
            Link::two(stream, server).await
        } else {
            Link::one(stream, server).await
        };
        link.map_err(exchange)
    }
}

fn offline(outage: Outage) -> Fetched {
    Fetched::Offline(outage.to_string())
}

/// Connects to the first address that answers.
async fn reach(addresses: &[IpAddr], port: u16) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for (nth, &ip) in addresses.iter().enumerate() {
        let connecting = TcpStream::connect(SocketAddr::new(ip, port));
        let is_last = nth + 1 == addresses.len();
        let connected = if is_last {
            connecting.await
        } else {
            let waited = timeout(NEXT_ADDRESS, connecting).await;
            waited.unwrap_or_else(|_elapsed| Err(io::ErrorKind::TimedOut.into()))
        };
        match connected {
            Ok(stream) => return ready(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

async fn reach_proxy(proxy: &Proxy) -> io::Result<TcpStream> {
    // The proxy is the operator's choice: looked up as the system does, and wherever it is.
    ready(TcpStream::connect((proxy.host.as_str(), proxy.port)).await?)
}

fn ready(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Asks a proxy to pass everything on to the URL's host from here on.
async fn tunnel(stream: &mut TcpStream, url: &CanonicalUrl) -> Result<(), Fetched> {
    let broken = |error: io::Error| Fetched::Offline(error.to_string());
    let host = match url.host() {
        host if host.contains(':') => format!("[{host}]:{}", url.port()),
        host => format!("{host}:{}", url.port()),
    };
    let request = format!("CONNECT {host} HTTP/1.1\r\nhost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(broken)?;
    let mut head = Vec::new();
    // The host speaks only after us: nothing of it can be read here by mistake.
    while !head.ends_with(b"\r\n\r\n") && head.len() < MAX_TUNNEL_HEAD {
        if stream.read_buf(&mut head).await.map_err(broken)? == 0 {
            break;
        }
    }
    let line = head.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let status = line.split(' ').nth(1).unwrap_or_default();
    if head.ends_with(b"\r\n\r\n") && status.starts_with('2') && status.len() == 3 {
        return Ok(());
    }
    Err(Fetched::Unreachable(format!(
        "the proxy opens no tunnel: {}",
        line.chars().take(80).collect::<String>()
    )))
}
