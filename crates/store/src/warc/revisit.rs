//! Answers that repeat an earlier one: *revisits*, archived without their body.

use super::http;
use super::notation::{read_date, read_digest};
use crate::visit::Time;

/// How it is known that an answer repeats an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The body was sent and is the same, by its digest.
    IdenticalPayloadDigest,
    /// The server says that nothing has changed and sends no body.
    ServerNotModified,
}

impl Profile {
    /// The name that WARC 1.1 gives it.
    pub fn uri(self) -> &'static str {
        match self {
            Profile::IdenticalPayloadDigest => {
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            }
            Profile::ServerNotModified => {
                "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
            }
        }
    }
}

/// The archived answer that a revisit repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefersTo {
    /// Address that answered it.
    pub url: String,
    /// When it was asked.
    pub at: Time,
    /// SHA-1 of its body, where it is known.
    pub digest: Option<[u8; 20]>,
}

impl RefersTo {
    /// What the fields of a revisit refer to; none if they do not say.
    pub(super) fn read(fields: &[u8]) -> Option<RefersTo> {
        let text = |name| {
            let value = http::field(fields, name)?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        Some(RefersTo {
            url: text("WARC-Refers-To-Target-URI")?
                .trim_matches(['<', '>'])
                .to_owned(),
            at: read_date(&text("WARC-Refers-To-Date")?)?,
            digest: text("WARC-Payload-Digest").and_then(|digest| read_digest(&digest)),
        })
    }
}
