//! Outcomes in words.

use crate::text::printable;
use store::visit::{Errand, Outcome, Visit};

/// A few words that are the same for all visits that ended alike.
pub(crate) fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Fetched => "fetched",
        Outcome::Status => "error status",
        Outcome::Redirected(_) => "redirected",
        Outcome::Forbidden { line: 0 } => "no robots.txt to be had",
        Outcome::Forbidden { .. } => "forbidden by robots.txt",
        Outcome::Unresolved => "host without address",
        Outcome::Unreachable(_) => "unreachable",
        Outcome::TimedOut => "timed out",
        Outcome::WrongType(_) => "not a page",
        Outcome::TooLarge => "too large",
        Outcome::PrivateAddress => "private address",
        Outcome::Garbled(_) => "garbled answer",
        Outcome::Untrusted(_) => "bad certificate",
        Outcome::BadRedirect(_) => "bad redirect",
        Outcome::SoftMissing => "error page that says 200",
        Outcome::Unchanged => "unchanged",
        Outcome::NotArchived => "not archived",
        Outcome::BadPort => "port is not asked",
    }
}

/// The same with what is known about this one.
pub(crate) fn describe(visit: &Visit) -> String {
    let name = name(&visit.outcome);
    match &visit.outcome {
        Outcome::Status => {
            let status = visit.status.map(|status| format!(" {status}"));
            format!("{name}{}", status.unwrap_or_default())
        }
        Outcome::Redirected(to) => format!("{name} to {}", printable(to)),
        Outcome::Forbidden { line: line @ 1.. } => format!("{name}, line {line}"),
        Outcome::Unreachable(why)
        | Outcome::WrongType(why)
        | Outcome::Garbled(why)
        | Outcome::Untrusted(why)
        | Outcome::BadRedirect(why) => format!("{name}: {}", printable(why)),
        _ => name.into(),
    }
}

/// What a ticket was for, in a word.
pub(crate) fn errand(errand: Errand) -> &'static str {
    match errand {
        Errand::Page => "page",
        Errand::Robots => "robots",
        Errand::Sitemap => "sitemap",
    }
}

/// Whether the host or the way to it did not do its part. A host without
/// robots.txt and one that wants to be left alone do.
pub(crate) fn is_failure(visit: &Visit) -> bool {
    let is_bad = matches!(
        visit.outcome,
        Outcome::Status
            | Outcome::Unresolved
            | Outcome::Unreachable(_)
            | Outcome::TimedOut
            | Outcome::TooLarge
            | Outcome::Garbled(_)
            | Outcome::Untrusted(_)
            | Outcome::BadRedirect(_)
            | Outcome::SoftMissing
    );
    is_bad && !(visit.errand == Errand::Robots && visit.outcome == Outcome::Status)
}

/// Whether somebody was asked: the host heard of this visit, or should have.
pub(crate) fn was_asked(visit: &Visit) -> bool {
    let is_of_asking = matches!(
        visit.outcome,
        Outcome::Unreachable(_) | Outcome::TimedOut | Outcome::Garbled(_) | Outcome::Untrusted(_)
    );
    // A ticket for a host that is dead for now ends as its host did.
    visit.is_sent && (visit.status.is_some() || is_of_asking)
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::visit::Time;

    #[test]
    fn a_host_that_is_dead_for_now_is_not_asked_by_every_ticket() {
        let url = "http://a.example/";
        let sent = Visit::new(0, Errand::Page, Time(0), url, Outcome::TimedOut);
        assert!(was_asked(&sent));
        let unsent = Visit {
            is_sent: false,
            ..sent
        };
        assert!(!was_asked(&unsent));
    }

    #[test]
    fn redirects_tell_where_they_lead_and_bad_ones_what_is_wrong() {
        let told = |outcome| {
            let url = "http://a.example/";
            describe(&Visit::new(0, Errand::Page, Time(0), url, outcome))
        };
        let to = "http://b.example/".to_owned();
        assert_eq!(
            told(Outcome::Redirected(to)),
            "redirected to http://b.example/"
        );
        assert_eq!(
            told(Outcome::BadRedirect("to itself".into())),
            "bad redirect: to itself"
        );
    }
}
