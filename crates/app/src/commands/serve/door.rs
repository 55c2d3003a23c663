//! Who is let in, for how long, and what every answer carries.

use super::failure::Failure;
use super::room::Room;
use crate::own_name::{self, is_own};
use anyhow::bail;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_128;

/// Longest time for one request, its body included.
const MOST_TIME: Duration = Duration::from_secs(5);

/// Sent with every answer. Nothing is loaded but our own style, nothing is run.
const HEADERS: [(header::HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "no-cache"),
    (
        header::HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
    ),
];

/// Makes a browser ask for a name and a password.
const BASIC: &str = "Basic realm=\"locavore: the token is the password\", charset=\"UTF-8\"";

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
        check_site(headers)?;
        match &self.token {
            Some(token) => check_token(headers, token),
            None => self.check_host(headers),
        }
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let host = text(headers, header::HOST.as_str());
        if is_own(host, self.address) {
            return Ok(());
        }
        let message = own_name::refusal(host, self.address);
        Err(Failure::new(StatusCode::FORBIDDEN, message))
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    let value = headers.get(name);
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// Pages from elsewhere may link here, and do nothing else. Programs do not
/// say where they come from, browsers always do.
fn check_site(headers: &HeaderMap) -> Result<(), Failure> {
    let is_own = matches!(text(headers, "sec-fetch-site"), "" | "none" | "same-origin");
    let is_click = text(headers, "sec-fetch-mode") == "navigate"
        && text(headers, "sec-fetch-dest") == "document";
    if is_own || is_click {
        return Ok(());
    }
    let message = "a page from elsewhere asked for this: only links to it are answered";
    Err(Failure::new(StatusCode::FORBIDDEN, message))
}

/// The token comes from programs as it is, from browsers as the password that
/// they ask for, beside any name.
fn check_token(headers: &HeaderMap, token: &str) -> Result<(), Failure> {
    let brought = headers
        .get(header::AUTHORIZATION)
        .map(HeaderValue::as_bytes);
    let brought = brought.and_then(|value| {
        let scheme_end = value.iter().position(|byte| *byte == b' ')?;
        let (scheme, word) = (&value[..scheme_end], &value[scheme_end + 1..]);
        match () {
            () if scheme.eq_ignore_ascii_case(b"Bearer") => Some(word.to_vec()),
            () if scheme.eq_ignore_ascii_case(b"Basic") => password(word),
            () => None,
        }
    });
    match brought.is_some_and(|word| is_same(&word, token.as_bytes())) {
        true => Ok(()),
        false => {
            let message = "bring the token: `Authorization: Bearer WORD`, or as the password";
            Err(Failure::new(StatusCode::UNAUTHORIZED, message))
        }
    }
}

/// What stands behind the colon of `name:password` in base 64.
fn password(word: &[u8]) -> Option<Vec<u8>> {
    let plain = from_base_64(word)?;
    let colon = plain.iter().position(|byte| *byte == b':')?;
    Some(plain[colon + 1..].to_vec())
}

fn from_base_64(text: &[u8]) -> Option<Vec<u8>> {
    let n_filled = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let mut plain = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for byte in &text[..text.len() - n_filled] {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            plain.push((bits >> n_bits & 0xff) as u8);
        }
    }
    Some(plain)
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
    let is_of_programs = request.uri().path().starts_with("/api/");
    match door.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(failure) => {
            let mut response = failure.into_response();
            let is_asked = response.status() == StatusCode::UNAUTHORIZED;
            if is_asked && !is_of_programs {
                let basic = HeaderValue::from_static(BASIC);
                response
                    .headers_mut()
                    .insert(header::WWW_AUTHENTICATE, basic);
            }
            response
        }
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
///
/// Who asks for the head alone is answered as if for all, without the body:
/// the tag is made from it.
pub(super) async fn finish(State(room): State<Room>, mut request: Request, next: Next) -> Response {
    let is_head = request.method() == Method::HEAD;
    if is_head {
        *request.method_mut() = Method::GET;
    }
    let is_get = request.method() == Method::GET;
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let (mut head, body) = next.run(request).await.into_parts();
    // Made by us, and whole in memory already.
    let bytes = to_bytes(body, usize::MAX).await;
    let is_tagged = is_get && head.status == StatusCode::OK;
    let is_known = match &bytes {
        Ok(bytes) if is_tagged => tag(&mut head, bytes, known.as_ref()),
        _ => false,
    };
    let sent = match bytes {
        Ok(_) if is_known => Ok(Response::from_parts(head, Body::empty())),
        Ok(bytes) if is_head => Ok(without_body(head, bytes.len())),
        Ok(bytes) => room
            .send(bytes)
            .map(|body| Response::from_parts(head, body)),
        Err(error) => Err(Failure::ours(error)),
    };
    let mut response = sent.unwrap_or_else(IntoResponse::into_response);
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The head alone, which still says how long the body would be.
fn without_body(mut head: Parts, n_bytes: usize) -> Response {
    if head.status == StatusCode::OK {
        head.headers.insert(header::CONTENT_LENGTH, n_bytes.into());
    }
    Response::from_parts(head, Body::empty())
}

/// Puts a tag on an answer; true if the asker has the same already, who is
/// then told so.
fn tag(head: &mut Parts, bytes: &[u8], known: Option<&HeaderValue>) -> bool {
    // Weak: the same answer may be sent compressed.
    let tag = format!("W/\"{:032x}\"", xxh3_128(bytes));
    let is_known = known
        .and_then(|known| known.to_str().ok())
        .is_some_and(|known| known.split(',').any(|one| is_tag(one.trim(), &tag)));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        head.headers.insert(header::ETAG, tag);
    }
    if is_known {
        head.status = StatusCode::NOT_MODIFIED;
        head.headers.remove(header::CONTENT_LENGTH);
        head.headers.remove(header::CONTENT_TYPE);
    }
    is_known
}

fn is_tag(one: &str, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    one == "*" || opaque(one) == opaque(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_read_as_browsers_send_them() {
        let read =
            |text: &str| password(text.as_bytes()).map(|word| String::from_utf8(word).unwrap());
        assert_eq!(read("bWU6c2VzYW1l").as_deref(), Some("sesame"));
        assert_eq!(read("OnNlc2FtZQ==").as_deref(), Some("sesame"));
        assert_eq!(read("OnNlc2FtZQ").as_deref(), Some("sesame"));
        assert_eq!(read("bWU6YTpiPw==").as_deref(), Some("a:b?"));
        for odd in ["", "c2VzYW1l", "b W", "====", "\u{e9}"] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
