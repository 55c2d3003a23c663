//! What is asked, as it goes over the wire.

use super::HttpError;
use super::link::Question;
use crate::fetch::Request;
use http_body_util::Empty;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, HOST, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    USER_AGENT,
};
use page::url::CanonicalUrl;

/// Pages first; anything else only if the server has nothing better.
const ACCEPTED: &str = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1";

/// What the decoder can undo.
const ENCODINGS: &str = "gzip, br, zstd, deflate";

/// Writes requests.
#[derive(Debug, Clone)]
pub(super) struct Asker {
    user_agent: HeaderValue,
    is_proxied: bool,
}

impl Asker {
    pub(super) fn new(user_agent: &str, is_proxied: bool) -> Result<Asker, HttpError> {
        let user_agent = HeaderValue::from_str(user_agent)
            .map_err(|_| HttpError::UserAgent(user_agent.to_owned()))?;
        Ok(Asker {
            user_agent,
            is_proxied,
        })
    }

    /// The request as bytes. HTTP/2 has no text form; archives write it as the
    /// version it replaces.
    pub(super) fn head(&self, request: &Request) -> Vec<u8> {
        let mut head = format!("GET {} HTTP/1.1\r\n", self.target(&request.url)).into_bytes();
        let host = HeaderValue::from_str(authority(&request.url)).ok();
        let fields = self.fields(request, host);
        for (name, value) in fields {
            push_field(&mut head, name.as_str(), value.as_bytes());
        }
        head.extend_from_slice(b"\r\n");
        head
    }

    /// The request for an HTTP/1 connection.
    pub(super) fn one(&self, request: &Request) -> Result<Question, hyper::http::Error> {
        let host = HeaderValue::from_str(authority(&request.url))?;
        self.question(self.target(&request.url), request, Some(host))
    }

    /// The request for an HTTP/2 connection, where the URL says the host.
    pub(super) fn two(&self, request: &Request) -> Result<Question, hyper::http::Error> {
        self.question(request.url.as_str(), request, None)
    }

    /// A proxy is told the whole URL, unless it has opened a tunnel and reads nothing.
    fn target<'a>(&self, url: &'a CanonicalUrl) -> &'a str {
        if self.is_proxied && url.scheme() == "http" {
            url.as_str()
        } else {
            url.path_and_query()
        }
    }

    fn question(
        &self,
        target: &str,
        request: &Request,
        host: Option<HeaderValue>,
    ) -> Result<Question, hyper::http::Error> {
        let mut question = hyper::Request::get(target);
        for (name, value) in self.fields(request, host) {
            question = question.header(name, value);
        }
        question.body(Empty::new())
    }

    /// What a request says, in the order in which it is sent.
    fn fields(
        &self,
        request: &Request,
        host: Option<HeaderValue>,
    ) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let known = request.known.as_ref();
        // A validator that cannot be sent back is none.
        let validator = |text: Option<&String>| HeaderValue::from_str(text?).ok();
        let fields = [
            (ACCEPT, Some(HeaderValue::from_static(ACCEPTED))),
            (USER_AGENT, Some(self.user_agent.clone())),
            (ACCEPT_ENCODING, Some(HeaderValue::from_static(ENCODINGS))),
            (HOST, host),
            (
                IF_NONE_MATCH,
                known.and_then(|known| validator(known.etag.as_ref())),
            ),
            (
                IF_MODIFIED_SINCE,
                known.and_then(|known| validator(known.last_modified.as_ref())),
            ),
        ];
        fields
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
    }
}

/// Host and port, as in the `Host` header.
fn authority(url: &CanonicalUrl) -> &str {
    url.origin().split_once("://").map_or("", |(_, rest)| rest)
}

/// Writes one header line.
pub(super) fn push_field(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(b": ");
    head.extend_from_slice(value);
    head.extend_from_slice(b"\r\n");
}
