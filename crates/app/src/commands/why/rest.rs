//! How long a host is left alone, as far as its last visits tell.

use super::Crawl;
use crate::plan::Web;
use crate::snapshot::wall_clock;
use serde_json::{Value, json};
use store::visit::{Rest, RestCause, Time, Visit};
use store::warc::date;

/// What the visits to one host say, one after the other.
#[derive(Debug, Default)]
pub(super) struct HostRest {
    last: Option<Rest>,
    /// When the log ends.
    end: Time,
}

impl HostRest {
    /// Hears of time passing.
    pub(super) fn pass(&mut self, visit: &Visit) {
        self.end = self.end.max(visit.at);
    }

    /// Hears of a visit to the host itself.
    pub(super) fn add(&mut self, visit: &Visit) {
        self.last = visit.rest;
    }

    /// The rest that is not over yet.
    pub(super) fn now(&self, crawl: &Crawl<'_>) -> Option<Rest> {
        let now = match crawl.plan.web {
            Web::Real { .. } | Web::Proxy { .. } => Time(wall_clock()),
            // Their time passes with their visits.
            Web::Lab(_) | Web::Recorded { .. } => self.end,
        };
        self.last.filter(|rest| rest.until > now)
    }
}

/// What a host is, and until when.
pub(super) fn text(rest: Rest) -> String {
    let until = date(rest.until);
    match rest.cause {
        RestCause::Resting => format!("left alone until {until}"),
        RestCause::Parked => format!("does not answer: parked until {until}"),
        RestCause::GivenUp => format!("does not answer: given up until {until}"),
    }
}

pub(super) fn json(rest: Option<Rest>) -> Value {
    rest.map_or(
        Value::Null,
        |rest| json!({ "until": date(rest.until), "cause": rest.cause.name() }),
    )
}
