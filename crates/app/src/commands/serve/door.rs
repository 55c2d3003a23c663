//! Who is let in, for how long, and what every answer carries.

use super::failure::Failure;
use anyhow::bail;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_128;

/// Longest time for one request, its body included.
const MOST_TIME: Duration = Duration::from_secs(5);

/// Names by which this machine calls itself.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Sent with every answer. Nothing is loaded but our own style, nothing is run.
const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
    ),
];

/// Decides who is let in.
pub(super) struct Door {
    token: Option<String>,
    address: SocketAddr,
}

impl Door {
    /// Refuses an address that other machines reach, unless there is a token.
    pub(super) fn new(address: SocketAddr, token: Option<String>) -> anyhow::Result<Door> {
        if token
            .as_deref()
            .is_some_and(|token| token.trim().is_empty())
        {
            bail!("the token is empty: anybody could bring it");
        }
        if token.is_none() && !address.ip().is_loopback() {
            bail!(
                "other machines could read everything on `{address}`: answer them only with a \
                 word that they have to bring, `--token WORD`"
            );
        }
        Ok(Door { token, address })
    }

    /// The same, once it is known which port was free.
    pub(super) fn at(self, address: SocketAddr) -> Door {
        Door { address, ..self }
    }

    fn check(&self, headers: &HeaderMap) -> Result<(), Failure> {
        match &self.token {
            Some(token) => check_token(headers, token),
            None => self.check_host(headers),
        }
    }

    /// A page from elsewhere whose name was made to mean this machine still
    /// sends its own name.
    fn check_host(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let host = headers.get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let is_own = OWN_NAMES.iter().any(|own| own.eq_ignore_ascii_case(name));
        if is_own || host == self.address.to_string() {
            return Ok(());
        }
        let message = format!(
            "`{host}` is not a name of this machine: ask for `{}`",
            self.address
        );
        Err(Failure::new(StatusCode::FORBIDDEN, message))
    }
}

fn check_token(headers: &HeaderMap, token: &str) -> Result<(), Failure> {
    let brought = headers
        .get(header::AUTHORIZATION)
        .map(HeaderValue::as_bytes);
    let brought = brought.and_then(|value| {
        let (scheme, word) = value.split_at_checked("Bearer ".len())?;
        scheme.eq_ignore_ascii_case(b"Bearer ").then_some(word)
    });
    match brought.is_some_and(|word| is_same(word, token.as_bytes())) {
        true => Ok(()),
        false => {
            let message = "bring the token: `Authorization: Bearer WORD`";
            Err(Failure::new(StatusCode::UNAUTHORIZED, message))
        }
    }
}

/// Takes as long for any two words of these lengths: how much of a guess was
/// right cannot be told from the time.
fn is_same(guess: &[u8], word: &[u8]) -> bool {
    let differs = guess.iter().zip(word.iter().cycle());
    let differs = differs.fold(0, |all, (one, other)| all | (one ^ other));
    std::hint::black_box(differs) == 0 && guess.len() == word.len()
}

/// Lets in who may come.
pub(super) async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    match door.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    }
}

/// Ends what takes too long.
pub(super) async fn limit(request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(MOST_TIME, next.run(request)).await;
    answered.unwrap_or_else(|_| {
        let seconds = MOST_TIME.as_secs();
        let message = format!("this took longer than {seconds} seconds: ask for less");
        Failure::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
    })
}

/// Puts the last touch to an answer: its headers, and nothing at all where
/// the asker has the same already.
pub(super) async fn finish(request: Request, next: Next) -> Response {
    let is_get = request.method() == Method::GET;
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    let mut response = match is_get && response.status() == StatusCode::OK {
        true => tagged(response, known.as_ref()).await,
        false => response,
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn tagged(response: Response, known: Option<&HeaderValue>) -> Response {
    let (mut parts, body) = response.into_parts();
    // Made by us, and whole in memory already.
    let bytes = match to_bytes(body, usize::MAX).await {
        Ok(bytes) => bytes,
        Err(error) => return Failure::ours(error).into_response(),
    };
    // Weak: the same answer may be sent compressed.
    let tag = format!("W/\"{:032x}\"", xxh3_128(&bytes));
    let is_known = known
        .and_then(|known| known.to_str().ok())
        .is_some_and(|known| known.split(',').any(|one| is_tag(one.trim(), &tag)));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        parts.headers.insert(header::ETAG, tag);
    }
    match is_known {
        true => {
            parts.status = StatusCode::NOT_MODIFIED;
            parts.headers.remove(header::CONTENT_LENGTH);
            parts.headers.remove(header::CONTENT_TYPE);
            Response::from_parts(parts, Body::empty())
        }
        false => Response::from_parts(parts, Body::from(bytes)),
    }
}

fn is_tag(one: &str, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    one == "*" || opaque(one) == opaque(tag)
}
