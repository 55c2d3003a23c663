//! Reading a body: what of it is wanted, how much, and how long to wait.

use super::decode::{Decoder, Trouble};
use super::link::Link;
use super::{HttpSettings, failure};
use crate::fetch::{Fetched, max_body};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_ENCODING, HeaderMap};
use hyper::{Response, StatusCode};
use page::media::{self, Promise};
use std::time::Duration;
use store::visit::Errand;
use tokio::time::timeout;

/// What compression may add to a body that cannot be compressed.
const PACKING: usize = 1024;

/// What is wanted of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Appetite {
    errand: Errand,
    /// Most bytes, decoded.
    max: usize,
    beyond: Beyond,
    /// Longest wait for the next piece.
    patience: Duration,
}

/// What to do with a body that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beyond {
    /// Half a page may lack what makes it worth having, and is a trap more often than not.
    Refuse,
    /// The start of a list is a list. To miss robots rules would be to disobey them.
    Cut,
}

/// A body, as far as it was wanted.
pub(super) struct Meal {
    pub(super) body: Bytes,
    /// What it is taken for.
    pub(super) content_type: Option<String>,
    /// Whether all of it came over the wire, so that the connection is free again.
    pub(super) is_whole: bool,
}

impl Appetite {
    pub(super) fn of(errand: Errand, settings: &HttpSettings) -> Appetite {
        let beyond = match errand {
            Errand::Page => Beyond::Refuse,
            Errand::Robots | Errand::Sitemap => Beyond::Cut,
        };
        Appetite {
            errand,
            max: max_body(errand, settings.max_body),
            beyond,
            patience: settings.idle_timeout,
        }
    }

    /// Bytes on the wire that such a body may take. A chunk costs five bytes
    /// and more around it, so that ones of five may double it; whoever sends
    /// long bodies in smaller ones is refused.
    pub(super) fn allowance(&self) -> u64 {
        2 * self.max as u64 + (1 << 20)
    }

    /// Reads a body. Pages are read only as long as they look like pages;
    /// rules and sitemaps are read whatever their type.
    pub(super) async fn read(
        &self,
        link: &mut Link,
        response: Response<Incoming>,
        declared: Option<String>,
    ) -> Result<Meal, Fetched> {
        let (head, mut body) = response.into_parts();
        let promise = match self.beyond {
            Beyond::Refuse => media::promise(declared.as_deref()),
            Beyond::Cut => Promise::Text,
        };
        if promise == Promise::Other || body.is_end_stream() {
            return Ok(Meal::untouched(declared, body.is_end_stream()));
        }
        let len = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        let is_too_long = self.is_too_long(len, &head.headers);
        // Of a file that says it is one, the first bytes are looked at all the same.
        if is_too_long && (promise == Promise::Text || declared.is_none()) {
            return Err(Fetched::TooLarge);
        }
        let mut decoder = self.decoder(&head.headers, len)?;
        let mut taken_for = None;
        loop {
            let piece = self.next(link, &mut body).await?;
            let is_whole = piece.is_none();
            let poured = match &piece {
                Some(piece) => decoder.push(piece),
                None => decoder.finish(),
            };
            let is_over = is_whole || poured.is_err();
            if taken_for.is_none() && (is_over || decoder.decoded().len() >= media::N_BYTES) {
                let content_type = self.judge(declared.as_deref(), decoder.decoded());
                if self.is_unwanted(content_type.as_deref()) {
                    return Ok(Meal::untouched(content_type, is_whole));
                }
                if is_too_long {
                    return Err(Fetched::TooLarge);
                }
                taken_for = Some(content_type);
            }
            if is_over {
                self.digest(poured, &decoder, head.status)?;
                return Ok(Meal {
                    body: decoder.into_decoded().into(),
                    content_type: taken_for.flatten(),
                    is_whole,
                });
            }
        }
    }

    /// The next piece, or none at the end.
    async fn next(&self, link: &mut Link, body: &mut Incoming) -> Result<Option<Bytes>, Fetched> {
        loop {
            let frame = timeout(self.patience, link.drive(body.frame())).await;
            match frame.map_err(|_elapsed| Fetched::TimedOut)? {
                None => return Ok(None),
                Some(Err(error)) => return Err(failure::of_exchange(&error)),
                // All else is trailers, which nobody reads.
                Some(Ok(frame)) => {
                    if let Ok(piece) = frame.into_data() {
                        return Ok(Some(piece));
                    }
                }
            }
        }
    }

    /// Whether the announced length is enough to refuse.
    fn is_too_long(&self, len: usize, headers: &HeaderMap) -> bool {
        let packing = match headers.contains_key(CONTENT_ENCODING) {
            true => PACKING,
            false => 0,
        };
        self.beyond == Beyond::Refuse && len > self.max + packing
    }

    fn decoder(&self, headers: &HeaderMap, len: usize) -> Result<Decoder, Fetched> {
        let encodings = headers.get_all(CONTENT_ENCODING).iter();
        let encodings = encodings.filter_map(|value| value.to_str().ok());
        let decoder = Decoder::new(encodings, self.max, len.min(self.max));
        decoder.map_err(|_| Fetched::Garbled("compressed more than twice".to_owned()))
    }

    /// What a body that starts so is taken for.
    fn judge(&self, declared: Option<&str>, start: &[u8]) -> Option<String> {
        match self.beyond {
            Beyond::Refuse => media::taken_for(declared, start),
            Beyond::Cut => declared.map(str::to_owned),
        }
    }

    fn is_unwanted(&self, content_type: Option<&str>) -> bool {
        self.beyond == Beyond::Refuse && media::is_unwanted(content_type)
    }

    /// Whether what was decoded will do, all things considered.
    fn digest(
        &self,
        poured: Result<(), Trouble>,
        decoder: &Decoder,
        status: StatusCode,
    ) -> Result<(), Fetched> {
        // Of rules, what is missing may be what forbids.
        let must_be_whole = self.errand == Errand::Robots && status.is_success();
        let is_something = !decoder.decoded().is_empty();
        let will_do = is_something && !must_be_whole;
        match poured {
            Ok(()) => Ok(()),
            // Where nothing came out there is nothing to cut: it is a frame
            // that wants too much memory, and says nothing about its rules.
            Err(Trouble::TooMuch) if self.beyond == Beyond::Cut && is_something => Ok(()),
            Err(Trouble::TooMuch) => Err(Fetched::TooLarge),
            Err(Trouble::Corrupt(_)) if will_do => Ok(()),
            Err(Trouble::Corrupt(encoding)) => {
                Err(Fetched::Garbled(format!("bad {encoding} data")))
            }
            Err(Trouble::TooDeep) => Err(Fetched::Garbled("compressed more than twice".to_owned())),
        }
    }
}

impl Meal {
    /// A body that is left where it is.
    fn untouched(content_type: Option<String>, is_whole: bool) -> Meal {
        Meal {
            body: Bytes::new(),
            content_type,
            is_whole,
        }
    }
}
