//! What must hold of a crawl however often it was killed: each URL is settled
//! once, and no host is asked before its delay.
//!
//! The one is told from the crawl's own visits, the other from the log of the
//! web that was asked (`access`).

use crate::access::Access;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use store::visit::{Errand, Visit};

/// What became of each URL: how it was answered in the end.
pub type Settled = BTreeMap<String, Option<u16>>;

/// Two requests to one host in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// The host.
    pub host: String,
    /// The second request's URL.
    pub url: String,
    /// From the first request's arrival to the second's.
    pub length: Duration,
}

/// The pages of a log, each with its final answer, and the URLs that have more
/// than one: a visit is final unless another is due.
pub fn settle(visits: &[Visit]) -> (Settled, Vec<String>) {
    let mut settled = Settled::new();
    let mut doubled = Vec::new();
    let pages = visits.iter().filter(|visit| visit.errand == Errand::Page);
    for visit in pages.filter(|visit| visit.retry_at.is_none()) {
        if settled.insert(visit.url.clone(), visit.status).is_some() {
            doubled.push(visit.url.clone());
        }
    }
    (settled, doubled)
}

/// Where two crawls of one web differ: URLs that one of them lacks, or that
/// were answered differently.
pub fn differences(one: &Settled, other: &Settled) -> Vec<String> {
    let urls = one
        .keys()
        .chain(other.keys().filter(|url| !one.contains_key(*url)));
    let differing = urls.filter(|url| one.get(*url) != other.get(*url));
    differing.cloned().collect()
}

/// Every pause a host was given, in order; `accesses` are in order too.
pub fn pauses(accesses: &[Access]) -> Vec<Pause> {
    let mut last: HashMap<&str, Duration> = HashMap::new();
    let mut pauses = Vec::new();
    for access in accesses {
        let host = host_of(&access.url);
        if let Some(before) = last.insert(host, access.at) {
            pauses.push(Pause {
                host: host.to_owned(),
                url: access.url.clone(),
                length: access.at - before,
            });
        }
    }
    pauses
}

/// `http://host:80/path` → `host:80`
fn host_of(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::visit::{Outcome, Time};

    fn visit(url: &str, errand: Errand, status: u16) -> Visit {
        let mut visit = Visit::new(0, errand, Time(0), url, Outcome::Fetched);
        visit.status = Some(status);
        visit
    }

    #[test]
    fn a_url_is_settled_once_however_often_it_is_tried() {
        let mut tried = visit("http://a.example/", Errand::Page, 503);
        tried.retry_at = Some(Time(9));
        let visits = [
            tried,
            visit("http://a.example/robots.txt", Errand::Robots, 200),
            visit("http://a.example/robots.txt", Errand::Robots, 200),
            visit("http://a.example/", Errand::Page, 200),
        ];
        let (settled, doubled) = settle(&visits);
        assert_eq!(
            settled,
            Settled::from([("http://a.example/".into(), Some(200))])
        );
        assert!(doubled.is_empty());
        let again = [&visits[3..], &visits[3..]].concat();
        assert_eq!(settle(&again).1, ["http://a.example/"]);
    }

    #[test]
    fn a_url_may_be_missing_on_either_side_or_answered_differently() {
        let one = Settled::from([("a".into(), Some(200)), ("b".into(), Some(200))]);
        let other = Settled::from([("b".into(), Some(404)), ("c".into(), None)]);
        assert_eq!(differences(&one, &other), ["a", "b", "c"]);
        assert!(differences(&one, &one).is_empty());
    }

    #[test]
    fn pauses_are_between_requests_to_one_host() {
        let access = |at, url: &str| Access {
            at: Duration::from_millis(at),
            url: url.into(),
        };
        let pauses = pauses(&[
            access(10, "http://a.example/robots.txt"),
            access(20, "http://b.example/"),
            access(70, "http://a.example/1"),
        ]);
        assert_eq!(pauses.len(), 1);
        assert_eq!(pauses[0].length, Duration::from_millis(60));
        assert_eq!(pauses[0].host, "a.example");
    }
}
