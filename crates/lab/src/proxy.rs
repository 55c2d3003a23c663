//! Serves a made-up web as an HTTP proxy, so that any crawler can crawl it.
//!
//! `curl -x http://127.0.0.1:PORT http://host/path` gets what
//! `World::answer` gives: same status, same headers, same body. A request
//! without a proxy works too if its `Host` names a made-up site. There is no
//! TLS in the made-up web, so `CONNECT` is refused.

use crate::access::AccessLog;
use crate::world::World;
use bytes::Bytes;
use crawl::fetch::{Answer, Fetched, made_up};
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use page::url::CanonicalUrl;
use std::convert::Infallible;
use std::fmt::Write;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// The address of the made-up server, which a crawler cannot know from the socket.
const SERVER_HEADER: HeaderName = HeaderName::from_static("x-locavore-server");

/// Says that nothing here is real: whoever is behind this proxy may hurry.
const MADE_UP_HEADER: HeaderName = HeaderName::from_static(made_up::HEADER);

/// Serves until `stop` is ready; open connections end with it.
///
/// `pace` scales the made-up delays: 1 is true to the world, 0 answers at once.
/// Requests for pages of the world are noted in `log`.
pub async fn serve(
    listener: std::net::TcpListener,
    world: Arc<World>,
    pace: f32,
    log: Option<AccessLog>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let desk = Arc::new(Desk {
        index: index(&world, port),
        world,
        pace: if pace.is_finite() {
            pace.clamp(0.0, 1000.0)
        } else {
            0.0
        },
        port,
        log,
    });
    let mut connections = JoinSet::new();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => return Ok(()),
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(attend(stream, Arc::clone(&desk)));
                }
                // Out of file handles, most likely: some will be free soon.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn attend(stream: TcpStream, desk: Arc<Desk>) {
    let service = service_fn(|request| {
        let desk = Arc::clone(&desk);
        async move {
            let mut reply = desk.respond(&request).await;
            let is_so = HeaderValue::from_static(made_up::VALUE);
            reply.headers_mut().insert(MADE_UP_HEADER, is_so);
            Ok::<_, Infallible>(reply)
        }
    });
    // A caller that breaks off is no concern of ours.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// What every connection needs.
struct Desk {
    world: Arc<World>,
    pace: f32,
    port: u16,
    index: String,
    log: Option<AccessLog>,
}

type Reply = Response<Full<Bytes>>;

impl Desk {
    async fn respond<B>(&self, request: &Request<B>) -> Reply {
        if request.method() == Method::CONNECT {
            return plain(
                StatusCode::NOT_IMPLEMENTED,
                "the made-up web is http only; ask for http:// URLs",
            );
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD");
        }
        let text = match self.address(request) {
            Address::Url(text) => text,
            Address::Index => return plain(StatusCode::OK, &self.index),
            Address::World => return self.tell_world(),
            Address::None => return plain(StatusCode::BAD_REQUEST, "no host given"),
        };
        match CanonicalUrl::parse(&text) {
            Ok(url) if url.as_str().starts_with("http://") => self.fetch(&url).await,
            Ok(_) => plain(StatusCode::NOT_IMPLEMENTED, "the made-up web is http only"),
            Err(error) => plain(StatusCode::BAD_REQUEST, &error.to_string()),
        }
    }

    fn address<B>(&self, request: &Request<B>) -> Address {
        let uri = request.uri();
        if uri.scheme().is_some() {
            return Address::Url(uri.to_string());
        }
        let Some(host) = request
            .headers()
            .get(HOST)
            .and_then(|host| host.to_str().ok())
        else {
            return Address::None;
        };
        // Made-up sites have no ports; whoever names ours means the proxy itself.
        let port = host
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        if port == Some(self.port) {
            return match uri.path() {
                made_up::WORLD_PATH => Address::World,
                _ => Address::Index,
            };
        }
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        Address::Url(format!("http://{host}{path}"))
    }

    /// What the world is made from: whoever has that can make it, too.
    fn tell_world(&self) -> Reply {
        match toml::to_string(self.world.settings()) {
            Ok(text) => plain(StatusCode::OK, &text),
            Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        }
    }

    async fn fetch(&self, url: &CanonicalUrl) -> Reply {
        if let Some(log) = &self.log
            && let Err(error) = log.note(url.as_str())
        {
            // A log with gaps would clear a crawler that came too soon.
            let why = format!("cannot note this request: {error}");
            return plain(StatusCode::INTERNAL_SERVER_ERROR, &why);
        }
        let landing = self.world.answer(url);
        let wait = landing.took.mul_f32(self.pace);
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        let mut reply = match landing.fetched {
            Fetched::Answer(answer) => pass_on(answer),
            Fetched::TimedOut => plain(StatusCode::GATEWAY_TIMEOUT, "the host does not answer"),
            Fetched::Unresolved => {
                plain(StatusCode::BAD_GATEWAY, "no such host in the made-up web")
            }
            Fetched::Unreachable(why) => plain(StatusCode::BAD_GATEWAY, &why),
            Fetched::TooLarge
            | Fetched::PrivateAddress
            | Fetched::Garbled(_)
            | Fetched::Untrusted(_)
            | Fetched::NotArchived
            | Fetched::Offline(_)
            | Fetched::Again(_) => plain(StatusCode::BAD_GATEWAY, "the host gave no usable answer"),
        };
        if let Some(server) = landing.server {
            reply
                .headers_mut()
                .insert(SERVER_HEADER, server_value(server));
        }
        reply
    }
}

enum Address {
    Url(String),
    Index,
    World,
    None,
}

fn server_value(server: IpAddr) -> HeaderValue {
    HeaderValue::from_str(&server.to_string()).expect("an address has only visible characters")
}

/// The world's answer, header by header.
fn pass_on(answer: Answer) -> Reply {
    let mut reply = Response::new(Full::new(answer.body));
    *reply.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_GATEWAY);
    *reply.headers_mut() = headers(&answer.head);
    reply
}

fn headers(head: &[u8]) -> HeaderMap {
    let head = String::from_utf8_lossy(head);
    let lines = head.split("\r\n").skip(1);
    lines
        .filter_map(|line| {
            let (name, value) = line.split_once(": ")?;
            Some((name.parse().ok()?, value.parse().ok()?))
        })
        .collect::<HeaderMap<HeaderValue>>()
}

fn plain(status: StatusCode, text: &str) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(format!("{}\n", text.trim_end()))));
    *reply.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    reply.headers_mut().insert(CONTENT_TYPE, kind);
    reply
}

fn index(world: &World, port: u16) -> String {
    let settings = world.settings();
    let mut text = format!(
        "A made-up web of {} sites (seed {}), for testing crawlers. Nothing here is real.\n\n\
         Use this server as an HTTP proxy, for example\n  curl -x http://127.0.0.1:{port} URL\n\n\
         Pages to start from:\n",
        settings.n_sites, settings.seed
    );
    for seed in world.all_seeds() {
        let _ = writeln!(text, "  {seed}");
    }
    text
}

#[cfg(test)]
mod tests;
