//! An origin's rules as kept: the text, and beside it where things stand.
//!
//! They are two rows, because the text may be long and changes once a day.

use super::State;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use store::visit::Time;

/// Rules that could be had.
#[derive(Serialize, Deserialize)]
pub(super) struct RulesRow {
    pub(super) until: u64,
    pub(super) text: Vec<u8>,
}

/// What has happened since.
#[derive(Serialize, Deserialize)]
pub(super) struct NoteRow {
    until: u64,
    kept: Kept,
}

#[derive(Serialize, Deserialize)]
enum Kept {
    Settled,
    Wanted(String, u8),
    Private,
}

impl RulesRow {
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<RulesRow> {
        postcard::from_bytes(bytes).ok()
    }
}

impl NoteRow {
    pub(super) fn of(state: &State, until: Time) -> NoteRow {
        let kept = match state {
            State::Settled => Kept::Settled,
            State::Wanted(url, hops) => Kept::Wanted(url.as_str().to_owned(), *hops),
            State::Private => Kept::Private,
        };
        NoteRow {
            until: until.0,
            kept,
        }
    }

    /// Where the origin stands, and until when.
    pub(super) fn into_state(self) -> Option<(State, Time)> {
        let state = match self.kept {
            Kept::Settled => State::Settled,
            Kept::Wanted(url, hops) => State::Wanted(CanonicalUrl::parse(&url).ok()?, hops),
            Kept::Private => State::Private,
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
