//! One exchange: a request, and whatever comes of it.

use super::body::Appetite;
use super::budget::{Crowded, Sockets};
use super::connect::{Connector, Setback};
use super::decode;
use super::failure;
use super::link::Link;
use super::pool::Pool;
use super::request::{Asker, push_field};
use super::{HttpSettings, N_LANES};
use crate::fetch::{Answer, Fetched, Patience, Request, Whom};
use hyper::body::Incoming;
use hyper::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION,
    TRANSFER_ENCODING,
};
use hyper::{Response, Version};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// The name under which archives keep an encoding that has been undone.
const ORIGINAL_ENCODING: &str = "x-archive-orig-content-encoding";

/// The whole exchange with a host that has not answered before may take so long.
const SHORT_TIMEOUT: Duration = Duration::from_secs(15);

/// A part of it, until its answer begins.
const SHORT_FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(10);

/// What the exchanges of one thread share.
pub(super) struct Exchanger {
    settings: Arc<HttpSettings>,
    asker: Asker,
    pub(super) connector: Connector,
    pub(super) sockets: Arc<Sockets>,
    pool: Mutex<Pool>,
}

impl Exchanger {
    pub(super) fn new(
        settings: Arc<HttpSettings>,
        asker: Asker,
        connector: Connector,
        sockets: Arc<Sockets>,
    ) -> Exchanger {
        let n_idle = sockets.budget.n_idle / N_LANES;
        Exchanger {
            settings,
            asker,
            connector,
            sockets,
            pool: Mutex::new(Pool::with_room(n_idle)),
        }
    }

    /// Idle connections. Never held while waiting.
    pub(super) fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes one exchange, in the time there is for it.
    pub(super) async fn exchange_in_time(
        &self,
        request: &Request,
    ) -> Result<(Fetched, Option<IpAddr>), Crowded> {
        let mut server = None;
        let exchange = self.exchange(request, &mut server);
        let most = match request.patience {
            Patience::Usual => self.settings.timeout,
            Patience::Short => self.settings.timeout.min(SHORT_TIMEOUT),
        };
        let fetched = match timeout(most, exchange).await {
            Ok(Ok(answer)) => Fetched::Answer(answer),
            Ok(Err(Setback::Web(failure))) => failure,
            Ok(Err(Setback::Crowded)) => {
                self.pool().clear();
                return Err(Crowded);
            }
            Err(_elapsed) => Fetched::TimedOut,
        };
        Ok((fetched, server))
    }

    /// One exchange; the server is noted as soon as it is known, so that it
    /// survives a body that never ends.
    async fn exchange(
        &self,
        request: &Request,
        server: &mut Option<IpAddr>,
    ) -> Result<Answer, Setback> {
        let appetite = Appetite::of(request.errand, &self.settings);
        let (mut link, response) = self.ask(request, appetite, server).await?;
        let mut answer = Answer {
            status: response.status().as_u16(),
            head: head(&response),
            content_type: text_of(response.headers(), &CONTENT_TYPE),
            location: text_of(response.headers(), &LOCATION),
            body: bytes::Bytes::new(),
        };
        let declared = answer.content_type.take();
        let meal = appetite.read(&mut link, response, declared).await?;
        if meal.is_whole {
            self.pool().keep(request.url.origin(), link);
        }
        answer.content_type = meal.content_type;
        answer.body = meal.body;
        Ok(answer)
    }

    /// Sends the request over an idle connection or a new one. A server may
    /// hang up just as it is asked again: nothing was answered then, and it
    /// may be asked once more, when it is its turn, over a new connection.
    async fn ask(
        &self,
        request: &Request,
        appetite: Appetite,
        server: &mut Option<IpAddr>,
    ) -> Result<(Link, Response<Incoming>), Setback> {
        let origin = request.url.origin();
        self.connector
            .check(request.url.host(), request.territory)?;
        let idle = self.pool().take(origin);
        if let Some(mut link) = idle.filter(|link| is_for(link, request.whom)) {
            // Somebody with a longer reach may have opened it.
            let is_in_reach = |ip| self.connector.admits(ip, request.territory);
            if !link.server.is_none_or(is_in_reach) {
                self.pool().keep(origin, link);
                return Err(Fetched::PrivateAddress.into());
            }
            *server = link.server;
            return match self.ask_over(&mut link, request, appetite).await {
                Ok(response) => Ok((link, response)),
                Err(failure) if hung_up(&mut link, &failure) => {
                    self.pool().hung_up(origin);
                    Err(Fetched::Again("it hung up when it was asked again".into()).into())
                }
                Err(failure) => Err(failure.into()),
            };
        }
        let mut link = self.connector.connect(request, server).await?;
        let response = self.ask_over(&mut link, request, appetite).await?;
        Ok((link, response))
    }

    async fn ask_over(
        &self,
        link: &mut Link,
        request: &Request,
        appetite: Appetite,
    ) -> Result<Response<Incoming>, Fetched> {
        let question = if link.is_two() {
            self.asker.two(request)
        } else {
            self.asker.one(request)
        };
        let question = question.map_err(|error| Fetched::Garbled(error.to_string()))?;
        let asked = link.ask(question, appetite.allowance());
        let most = match request.patience {
            Patience::Usual => self.settings.first_byte_timeout,
            Patience::Short => self
                .settings
                .first_byte_timeout
                .min(SHORT_FIRST_BYTE_TIMEOUT),
        };
        let answered = timeout(most, asked).await;
        let answered = answered.map_err(|_elapsed| Fetched::TimedOut)?;
        answered.map_err(|error| failure::of_exchange(&error))
    }
}

/// Whether a request may be sent over a connection.
fn is_for(link: &Link, whom: Whom) -> bool {
    match (whom, link.server) {
        (Whom::Only(address), Some(server)) => address == server,
        // What leads to a proxy leads on to anybody.
        (_, None) | (Whom::Anybody, _) => true,
        (Whom::Nobody, Some(_)) => false,
    }
}

/// Whether a connection ended before it said anything to the request.
fn hung_up(link: &mut Link, failure: &Fetched) -> bool {
    let is_silent = link.is_two() || !link.has_heard();
    !matches!(failure, Fetched::TimedOut) && is_silent && !link.is_ready()
}

/// Status line and headers. Names are in lower case. How the body was wrapped
/// for the way is left out, because it has been unwrapped; what compressed it
/// is set aside under the name that archives have for it.
fn head(response: &Response<Incoming>) -> Vec<u8> {
    // HTTP/2 has no text form; archives write it as the version it replaces.
    let version = match response.version() {
        Version::HTTP_10 => "HTTP/1.0",
        _ => "HTTP/1.1",
    };
    let status = response.status();
    let reason = status.canonical_reason().unwrap_or("");
    let mut head = Vec::with_capacity(512);
    head.extend_from_slice(format!("{version} {} {reason}\r\n", status.as_u16()).as_bytes());
    let is_undone = |value: &HeaderValue| value.to_str().is_ok_and(decode::is_undone);
    let encodings = response.headers().get_all(CONTENT_ENCODING);
    let is_decoded = encodings.iter().any(is_undone);
    for (name, value) in response.headers() {
        let name = match name {
            name if *name == TRANSFER_ENCODING => continue,
            name if *name == CONTENT_LENGTH && is_decoded => continue,
            name if *name == CONTENT_ENCODING && is_undone(value) => ORIGINAL_ENCODING,
            name => name.as_str(),
        };
        push_field(&mut head, name, value.as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// A header as text; servers do write raw UTF-8 into `Location`.
fn text_of(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}
