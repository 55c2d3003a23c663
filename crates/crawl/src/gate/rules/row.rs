//! An origin's rules as kept: the text, and beside it where things stand.
//!
//! They are two rows, because the text may be long and changes once a day. Most
//! origins have neither: an index tells.

use super::State;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use store::index::Short;
use store::visit::Time;

/// What the table has about an origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// A text of rules; where it was empty, there is none.
    pub(super) rules: bool,
    /// A note of what has happened since.
    pub(super) note: bool,
    /// Until when the last rules are good; zero if there were none.
    pub(super) until: Time,
}

impl Kept {
    pub(super) fn encode(self) -> Short {
        let flags = u8::from(self.rules) | u8::from(self.note) << 1;
        Short::of(&[&[flags], &self.until.0.to_be_bytes()])
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Kept> {
        let (flags, until) = bytes.split_first()?;
        Some(Kept {
            rules: flags & 1 != 0,
            note: flags & 2 != 0,
            until: Time(u64::from_be_bytes(until.try_into().ok()?)),
        })
    }
}

/// What has happened since.
#[derive(Serialize, Deserialize)]
pub(super) struct NoteRow {
    until: u64,
    standing: Standing,
}

#[derive(Serialize, Deserialize)]
enum Standing {
    Settled,
    Wanted(String, u8),
    Private,
}

impl NoteRow {
    pub(super) fn of(state: &State, until: Time) -> NoteRow {
        let standing = match state {
            State::Settled => Standing::Settled,
            State::Wanted(url, hops) => Standing::Wanted(url.as_str().to_owned(), *hops),
            State::Private => Standing::Private,
        };
        NoteRow {
            until: until.0,
            standing,
        }
    }

    /// Where the origin stands, and until when.
    pub(super) fn into_state(self) -> Option<(State, Time)> {
        let state = match self.standing {
            Standing::Settled => State::Settled,
            Standing::Wanted(url, hops) => State::Wanted(CanonicalUrl::parse(&url).ok()?, hops),
            Standing::Private => State::Private,
        };
        Some((state, Time(self.until)))
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<NoteRow> {
        postcard::from_bytes(bytes).ok()
    }
}

/// Every origin begins with a letter, so notes lie apart from rules.
pub(super) fn note_key(origin: &str) -> Vec<u8> {
    format!(">{origin}").into_bytes()
}
