//! One WARC record as bytes: header fields and block; see `pack.rs` for its member.

use super::notation::{date, digest, sha1, uuid};
use super::revisit::{Profile, RefersTo};
use crate::visit::Time;
use sha1::{Digest, Sha1};
use std::net::IpAddr;

/// What goes into a record; the block is borrowed.
pub(super) struct Record<'a> {
    kind: &'static str,
    /// The address, or the file name of a `warcinfo`.
    subject: &'a str,
    at: Time,
    pub(super) content_type: &'static str,
    pub(super) server: Option<IpAddr>,
    pub(super) concurrent_to: Option<&'a str>,
    /// Digest of the payload.
    pub(super) payload: Option<[u8; 20]>,
    /// What an answer repeats, and how that is known.
    pub(super) repeats: Option<(&'a RefersTo, Profile)>,
    /// Why the block is not all there was.
    pub(super) truncated: Option<&'static str>,
    pub(super) block: &'a [u8],
}

/// A record with its name and its digests.
pub(super) struct Sealed<'a> {
    pub(super) id: String,
    pub(super) head: String,
    pub(super) block: &'a [u8],
}

impl<'a> Record<'a> {
    pub(super) fn about(kind: &'static str, subject: &'a str, at: Time) -> Record<'a> {
        Record {
            kind,
            subject,
            at,
            content_type: "",
            server: None,
            concurrent_to: None,
            payload: None,
            repeats: None,
            truncated: None,
            block: b"",
        }
    }

    /// Names and digests the record; after this it only needs compressing.
    pub(super) fn seal(&self) -> Sealed<'a> {
        let block_hash = sha1(self.block);
        let id = self.id(&block_hash);
        let mut head = String::with_capacity(600);
        let mut field = |name: &str, value: &str| {
            head.extend([name, ": ", value, "\r\n"]);
        };
        field("WARC-Type", self.kind);
        field("WARC-Record-ID", &id);
        field("WARC-Date", &date(self.at));
        match self.kind {
            "warcinfo" => field("WARC-Filename", &one_line(self.subject)),
            _ => field("WARC-Target-URI", &one_line(self.subject)),
        }
        if let Some(server) = self.server {
            field("WARC-IP-Address", &server.to_string());
        }
        if let Some(id) = self.concurrent_to {
            field("WARC-Concurrent-To", id);
        }
        field("WARC-Block-Digest", &digest(&block_hash));
        if let Some(payload) = self.payload {
            field("WARC-Payload-Digest", &digest(&payload));
        }
        if let Some((refers_to, profile)) = self.repeats {
            field("WARC-Profile", profile.uri());
            field("WARC-Refers-To-Target-URI", &one_line(&refers_to.url));
            field("WARC-Refers-To-Date", &date(refers_to.at));
        }
        if let Some(why) = self.truncated {
            field("WARC-Truncated", why);
        }
        field("Content-Type", self.content_type);
        field("Content-Length", &self.block.len().to_string());
        Sealed {
            id,
            head: format!("WARC/1.1\r\n{head}\r\n"),
            block: self.block,
        }
    }

    /// A name derived from what the record says, so that the same exchange
    /// always has the same.
    fn id(&self, block_hash: &[u8; 20]) -> String {
        let mut hasher = Sha1::new();
        for part in [self.kind, self.subject] {
            hasher.update(part);
            hasher.update([0]);
        }
        hasher.update(self.at.0.to_le_bytes());
        hasher.update(block_hash);
        uuid(&hasher.finalize().into())
    }
}

/// The block of `application/warc-fields`.
pub(super) fn warc_fields<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<u8> {
    let lines = fields.into_iter().map(|(name, value)| {
        let name = one_line(name).replace(':', "-");
        format!("{name}: {}\r\n", one_line(value))
    });
    lines.collect::<String>().into_bytes()
}

/// Text from the web could otherwise add fields and records of its own.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_the_web_cannot_add_fields() {
        let fields = warc_fields([("because", "good\r\nWARC-Type: response"), ("a:b", "c")]);
        assert_eq!(
            String::from_utf8(fields).unwrap(),
            "because: good  WARC-Type: response\r\na-b: c\r\n"
        );
    }
}
